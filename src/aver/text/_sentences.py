"""Sentences and where they stand.

The splitting is sentencex's (rules and abbreviation lists, 30 MB/s); what it is known to get wrong is put right
here, so that every user of the package sees the same sentences. `tests/text/sentence_cases.txt` holds hard cases,
and `benchmarks/collection.py` prints the share right for the library alone and for this function.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

import sentencex

__all__ = ["Sentence", "split_sentences"]


class Sentence(NamedTuple):
    """A sentence and its place: `text[start:end]` of the text it was found in is the sentence."""

    text: str
    start: int
    end: int


def split_sentences(text: str) -> list[Sentence]:
    """The sentences of a text, in order, with their character spans; white space between them belongs to none.

    Lines are joined as in wrapped text; a blank line, a list item and a heading end a sentence. Tokenised text
    (`( born 1961 ) .`) is split as well as plain text.

    >>> [s.text for s in split_sentences("Help! was released in 1965. See Vol. 2 for Yahoo! Inc. and more.")]
    ['Help! was released in 1965.', 'See Vol. 2 for Yahoo! Inc. and more.']
    >>> split_sentences(" One .\\n\\nTwo")
    [Sentence(text='One .', start=1, end=6), Sentence(text='Two', start=8, end=11)]
    """
    spans: list[tuple[int, int]] = []
    at = 0
    for piece in _pieces(text):
        start, at = at, at + len(piece)
        bare = piece.strip()
        if bare:
            start += len(piece) - len(piece.lstrip())
            for first, last in _of_item(text, start, start + len(bare)):
                spans.extend(_divided(text, first, last))
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and text[start] in _BEFORE_NOTES:
            start = _behind_notes(text, joined, start, end)
            if start == end:
                continue
        if joined and _belong_together(text, *joined[-1], start, end):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return [Sentence(text[start:end], start, end) for start, end in joined]


# One character for one character, so that spans hold: sentencex 1.0 panics on some of these, and takes no half of a
# surrogate pair.
_SPACES = {code: " " for code in range(0x80, 0x3001) if chr(code).isspace()} | {0x85: "\n", 0x2028: "\n", 0x2029: "\n"}
_PLAIN = _SPACES | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
_END = re.compile(r"(?<=[.!?])\s+")


def _pieces(text: str) -> list[str]:
    """What the library finds; the pieces put together are the text, white space apart."""
    plain = text if text.isascii() else text.translate(_PLAIN)
    try:
        pieces: list[str] = sentencex.segment("en", plain)
    except BaseException as error:
        # A panic of the library derives from BaseException. One odd document must not end a long run.
        if type(error).__name__ != "PanicException":
            raise
        pieces = []
    if sum(map(len, pieces)) == len(plain):
        return pieces
    ends = [match.end() for match in _END.finditer(plain)]
    return [plain[a:b] for a, b in zip([0, *ends], [*ends, len(plain)], strict=True)]


# Names whose mark is part of them, before another capitalised word of the name ("Yum! Brands", "E! News").
_MARKED_NAMES = frozenset({"E!", "Jeopardy!", "Yahoo!", "Yum!"})
_STARTERS = frozenset(
    "A After All Although An And Another As At Before Both But By Despite During Each For From He Her His However I If "
    "In It Its Later Many Most Nobody On One Other Our She Since So Some Such That The Their Then There These They "
    "This Those Though To Two Under Until We What When Where Which While Who With You".split()
)

# --- where the library sees one sentence and there are two ---

_ELLIPSIS = re.compile(r"…[\"'”’)\]]*\s+(?=[A-Z])")
_BRACKETED = re.compile(r"[.!?][\"'”’]*\s?\)\s+(?=[\"'“‘]?[A-Z])")
_MARKED_END = re.compile(rf"\b(?:{'|'.join(_MARKED_NAMES)})\s+(?=(?:{'|'.join(_STARTERS)})\b)")
# A capital that begins a sentence: a starter, or another word with its verb behind it ("Smith voted").
_STOP = re.compile(
    rf"\.\s+(?=(?P<starter>(?:{'|'.join(sorted(_STARTERS))})\b(?!\.))"
    r"|(?!(?:Three|Four|Five|Six|Seven|Eight|Nine|Ten)\b)"
    r"[A-Z][a-z]+\s(?:is|are|was|were|has|had|did|became|built|made|won|[a-z]{2,}ed)\b)"
)
# A letter behind a number is a unit and no initial ("330 m. The bridge"); "ft" may be a guest on a song ("Song 2 ft.
# Pink was"), "d" a death and "m" behind a year a marriage.
_UNIT = re.compile(r"\d\s?(?:[mb]illion\s)?(?:\w{1,3}/|(?:sq|cu)\.\s?|c\.)?(?:[bcdghklmpst]|ft|st)\s?$")
_SURE_UNIT = re.compile(r"(?<!\b[12]\d\d)\d\s?(?:[mb]illion\s)?(?:\w{1,3}/|(?:sq|cu)\.\s?)?[ghklmst]\s?$")
_NO = re.compile(r"\bno$")
# "£50,000 p.a. He", "60 m.p.h. The", "lives in Elm St. The": the library takes these for the beginning of something
_RATE = re.compile(r"\b(?:p\.[ac]|[mkr]\.p\.[hm]|b\.p\.d)$")
_STREET = re.compile(r"(?:\b[A-Z][\w'’-]+|\d(?:st|nd|rd|th)) (?:St|Sr)$")
_LINE = re.compile(r"[^\n]+")
_ITEM_MARK = re.compile(r"(?:[-*+•‣◦–]|\(?(?:\d{1,2}|[A-Za-z]|[ivx]{1,4})[.)])\s+")
_LIST_LINE = re.compile(r"(?:[-*•–]|\d{1,2}[.)])\s")
_LAST_NUMBER = re.compile(r"\n[ \t]*(\d{1,2}[.)])$")
_HEADING_ENDS = re.compile(
    r"(?:[.,;:!?…\-–—]|\b(?:a|an|and|as|at|by|for|from|in|is|of|on|or|that|the|to|was|with))$", re.IGNORECASE
)
_HEADING_LENGTH = 60
# "MINUTES OF THE COUNCIL" is a title, "BBC NEWS" may be a name
_LONG_WORD = re.compile(r"[^\W\d_]{4,}")


def _of_item(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """What stands behind the mark of a list item is split like other text; the library leaves all of it together."""
    mark = _ITEM_MARK.match(text, start, end)
    if mark is None or _END.search(text, mark.end(), end) is None:
        return [(start, end)]
    found: list[tuple[int, int]] = []
    at = mark.end()
    for piece in _pieces(text[at:end]):
        bare = piece.strip()
        left = at + len(piece) - len(piece.lstrip())
        if bare:
            found.append((left if found else start, left + len(bare)))
        at += len(piece)
    return found


def _divided(text: str, start: int, end: int) -> list[tuple[int, int]]:
    cuts: list[int] = []
    own = text[start:end]
    if "…" in own:
        cuts += [match.end() for match in _ELLIPSIS.finditer(text, start, end)]
    if "!" in own:
        cuts += [match.end() for match in _MARKED_END.finditer(text, start, end)]
    if "." in own[:-1]:
        cuts += [match.end() for match in _STOP.finditer(text, start, end) if _is_end(text, start, match)]
    if own[0] == "(":
        found = _BRACKETED.search(text, start, end)
        if found and text.count("(", start, found.end()) == text.count(")", start, found.end()):
            cuts.append(found.end())
    if "\n" in own:
        cuts += _headings(text, start, end)
        # a list line, and the number of the next
        if (last := _LAST_NUMBER.search(text, start, end)) and _LIST_LINE.match(text, start, end):
            cuts.append(last.start(1))
    if not cuts:
        return [(start, end)]
    found_spans = []
    for a, b in zip([start, *sorted(cuts)], [*sorted(cuts), end], strict=True):
        piece = text[a:b]
        if piece.strip():
            left = a + len(piece) - len(piece.lstrip())
            found_spans.append((left, left + len(piece.strip())))
    return found_spans


def _is_end(text: str, start: int, stop: re.Match[str]) -> bool:
    """Whether the full stop before the beginning of a sentence ends one: behind a unit, a street, the answer “no”."""
    at = stop.start()
    near = max(start, at - 20)
    named = stop["starter"] is None
    unit = (_SURE_UNIT if named else _UNIT).search(text, near, at)
    if unit is not None:
        return unit.start() - start > 3  # "3 b. The council" is the mark of an item
    if named:
        return _NO.search(text, near, at) is not None
    return any(pattern.search(text, near, at) is not None for pattern in (_RATE, _STREET))


def _headings(text: str, start: int, end: int) -> list[int]:
    """Ends of lines that look like headings: short beside the lines around them, or a title in capitals at the head,
    with no end mark, before a capital letter. A wrapped line is about as long as its neighbours, and is none."""
    lines = [(match.start(), match.end()) for match in _LINE.finditer(text, start, end)]
    if len(lines) < 2:
        return []
    # the library's piece may end within a line: take the whole line to know how wide the text runs
    stop = text.find("\n", end)
    widest = max(b - a for a, b in [*lines[:-1], (lines[-1][0], len(text) if stop < 0 else stop)])
    cuts = []
    capitals = True
    for (a, b), (after, last) in pairwise(lines):
        line = text[a:b].strip()
        capitals = capitals and line.isupper()
        title = capitals and not text[after:last].isupper() and len(_LONG_WORD.findall(text, start, b)) > 1
        short = len(line) <= _HEADING_LENGTH and len(line) <= 0.6 * widest
        starts = line[:1].isupper() and text[after].isupper()
        if (short or title) and starts and not _HEADING_ENDS.search(line):
            cuts.append(after)
    return cuts


# --- where the library sees two sentences and there is one ---

_BEFORE_NUMBER = frozenset(
    "app approx art bk bl c ca cca cf ch chap cl col cols div ed eds ep eq eqn eqs est ex ext ff fig figs fn fol ft "
    "illus incl l ll lib lit max min n no nos nr op ord p para paras pl pp pt pts r ref refs rev rm sc sec sect ser "
    "st suppl tab v ver vers vol vols vv".split()
)
_BEFORE_NAME = frozenset(
    "abp adm ald aldm amb archbp atty bdr bgm bp br brig bros capt capts cdr cdre cllr cllrs cmdr col cols comdr "
    "commr const coun cpl dcn dr engr esp fr frl ft gen gens gnr gov govs hon insp lcpl lt lts maj majs messrs mgr "
    "mlle mlles mme mmes mr mrs ms msgr mt mts mx pfc pres prof profs pte pvt rep revd rt secy sen sfc sgt sgts spr "
    "sqn sr sra srta ssgt st ste sts supt tpr treas ven visc viz vs".split()
)
# "Am 3. Mai": a number with a full stop is an ordinal. (Before any noun in German; before these also beside English.)
_GERMAN_MONTH = re.compile(
    r"(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b"
)
# with the full stop apart where the text is tokenised: "the No . 1 pick"
_LAST_WORD = re.compile(r"(?:\b(?:No|Nos|Vol|Op) )?\S+$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"[#§]?\d|[IVXLC]+\b(?!\s+(?:am|was|will|have|had|did)\b)")
_ONLY_CLOSING = re.compile(r"[\"'”’)\]»]+$")
_ENUMERATOR = re.compile(r"\(?(?:\d{1,2}|[A-Za-z]|[ivx]{1,4}|[IVX]{2,4})[.)]$")
_LIST_ITEM = re.compile(r"(?:[a-z]|[ivx]{1,4})[.)]\s")
_BRAND = re.compile(r"[a-z]{1,2}[A-Z]")
_ONLY_DOTS = re.compile(r"[\"'“‘(\[]*(?:\.{2,}|…)")  # "...Baby One More Time"
_NEAR = 300
_AMOUNT = re.compile(r"(?:[A-Z]{1,3} ?)?[$£€¥₹] ?\d|(?:USD|EUR|GBP|CHF|JPY|Rs\.?) ?\d")
_BEFORE_AMOUNT = frozenset("approx c ca cca est incl max min".split())
# "ASP.NET", "README.TXT", "Version 3.B": the full stop is part of a name. No verb or preposition follows an article.
_NAME_HEAD = re.compile(r"(?<![^\W_])[A-Z][A-Z0-9]*\.$")
_NAME_TAIL = re.compile(r"[A-Z0-9]{2,}\b")
_SUFFIX = re.compile(r"(?:AI|BAT|COM|CSV|DLL|EXE|INI|IO|JS|NET|ORG|PDF|SYS|TV|TXT|XML|ZIP)\b")
_ITEM_HEAD = re.compile(r"(?<![\w.,])\d{1,3}\.$")
_ITEM_TAIL = re.compile(
    r"(?:[B-HJ-Z]\d?\b(?!\.\s?[A-Z])|A\d?(?=[,;:)]|\.(?!\s?[A-Z])|\s(?:and|are|for|has|in|is|of|or|to|was|were)\b))"
)
# "[note 1]", "[a]", "[citation needed]" right behind a full stop, or tokenised: "[ note 1 ]"
_BEFORE_NOTES = frozenset("[\"'”’)")
_WORDED = (
    r"(?:(?:(?:note|nb|n|fn|lower-alpha)\.?\s?(?:\d{1,3}|[a-z])|update|sic|dubious|original research|page needed|"
    r"clarification needed|verification needed|failed verification|not in citation given|not verified in body|"
    r"[a-z -]{0,20}(?:citation|source)s? needed)\b|(?:when|who|why|which|where|how|by whom|according to whom)\s?\?)"
)
_NOTES = re.compile(
    rf"[\"'”’)]*(?:\s?\[\s?(?:\d{{1,3}}|[a-z]|[ivx]{{2,4}}|{_WORDED}[^\[\]\n]{{0,25}})\s?\])+(?:\s?\.)?(?=\s|$)",
    re.IGNORECASE,
)
_WORDED_NOTE = re.compile(rf"\[\s?{_WORDED}", re.IGNORECASE)


def _behind_notes(text: str, before: list[tuple[int, int]], start: int, end: int) -> int:
    """Where a sentence begins behind the notes of the one before it, which is made to end with them."""
    notes = _NOTES.match(text, start, end)
    last, b = before[-1]
    # apart by a space, a letter in brackets may count the items of a list: "[a] They left."
    if notes is None or not (b == start or ("\n" not in text[b:start] and _WORDED_NOTE.match(text, start, end))):
        return start
    before[-1] = (last, notes.end())
    at = notes.end()
    while at < end and text[at].isspace():
        at += 1
    return at


def _belong_together(text: str, a: int, b: int, c: int, d: int) -> bool:
    gap = text[b:c]
    if gap.count("\n") > 1:
        return False
    first = text[c]
    if first in ",;:%" or _ONLY_CLOSING.match(text, c, d):
        return True
    if b == c and text[b - 1] == "." and _is_dotted(text, a, b, d):
        return True
    same_line = "\n" not in gap
    if same_line and _ONLY_DOTS.fullmatch(text, a, b):
        return True
    if same_line and first.islower():
        # "Help! was released", "$3.5m. was lost"; but text that never writes capitals is left as the library has it
        informal = text[a].islower()
        return not (informal or _BRAND.match(text, c, d) or _LIST_ITEM.match(text, c, d))
    found = _LAST_WORD.search(text, max(a, b - 30), b)
    word = found.group().replace(" ", "") if found else ""
    if same_line and b - a < 6 and _ENUMERATOR.match(text, a, b):
        return True
    if word.endswith("."):
        stem = word[:-1].lstrip('(["“‘').lower()
        if stem in _BEFORE_NUMBER and _NUMBER.match(text, c, d):
            return True
        if stem in _BEFORE_AMOUNT and _AMOUNT.match(text, c, d):
            return True
        if stem in _BEFORE_NAME and first.isupper():
            stop = _STOP.match(text, b - 1, d) if stem in ("ft", "st", "sr") else None
            return stop is None or not _is_end(text, a, stop)
        if stem.isdecimal() and len(stem) < 3 and _GERMAN_MONTH.match(text, c, d):
            return True
    if word in _MARKED_NAMES and first.isupper():
        start = _FIRST_WORD.match(text, c, d)
        return start is not None and start.group() not in _STARTERS
    return same_line and _open_bracket(text, a, b, c, d)


def _is_dotted(text: str, a: int, b: int, d: int) -> bool:
    """Whether the full stop at `b` stands inside a name in capitals or the number of a part."""
    near = max(a, b - 30)
    if _SUFFIX.match(text, b, d) or (_ITEM_HEAD.search(text, near, b) and _ITEM_TAIL.match(text, b, d)):
        return True
    tail = _NAME_TAIL.match(text, b, d)
    if tail is None or not _NAME_HEAD.search(text, near, b):
        return False
    word = tail.group()
    return len(word) < 3 or word.capitalize() not in _STARTERS


def _open_bracket(text: str, a: int, b: int, c: int, d: int) -> bool:
    """A bracket is opened near the end of the first sentence and closed near the beginning of the second."""
    opened = text.rfind("(", max(a, b - _NEAR), b)
    if opened < 0 or text.find(")", opened, b) >= 0:
        return False
    closed = text.find(")", c, min(d, c + _NEAR))
    return closed >= 0 and text.find("(", c, closed) < 0 and opened > a
