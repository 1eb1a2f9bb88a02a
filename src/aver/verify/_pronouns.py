"""What “it” is: a sentence that begins with a pronoun takes the last named subject of the text before it.

This is the simple kind of resolution, by rules over words. The subject of a sentence is what stands before its first
verb. A pronoun takes the last that fits: “he” and “she” one without an article, “they” one that joins two by “and” or
whose head ends like a plural (that of “the number of inhabitants” does not), “it” any. “It is said that …” and “It was
raining” mean nothing by “it” and are left alone. A word that joins the sentence to the one before (“But it”, “Later,
he”) or a time (“In 1995, she”) may stand before the pronoun; what is said in quotation marks is left alone. Where no
subject fits, or the verb was not recognised, nothing is replaced, nor where “it” follows what was said of a “she” or
“he”, whose sentence may have named what it means. Every replacement is told in the claim's record.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from aver.text import words

__all__ = ["KINDS", "Resolved", "begins_with_pronoun", "named_subject", "resolve"]

_SUBJECTS = {"he", "she", "it", "they"}
_OWNERS = {"his", "her", "its", "their"}
KINDS = {"he": "he", "his": "he", "she": "she", "her": "she", "it": "it", "its": "it"}
_TITLES = (("he", re.compile(r"(?:Mr|Sir)\b")), ("she", re.compile(r"(?:Mrs|Ms|Miss|Mme|Dame)\b")))
_ARTICLES = {"the", "a", "an", "this", "that", "these", "those", "his", "her", "its", "their"}
_AUXILIARIES = frozenset(
    "is are was were be been am has have had do does did can could may might must shall should will would became "
    "become becomes began begins built came comes cost costs died fell found gave gives goes got grew held holds kept "
    "knew laid led left lies lost made makes met opens owns ran rose runs said sang sat saw says sells sent sets sings "
    "sold spoke stands stood struck takes taught tells took went wins won wrote writes causes contains covers".split()
)
_PASTS = frozenset(
    "beat bought broke brought caught chose drank drew drove felt flew fought grew meant overcame paid put rebuilt "
    "rode sank shook slept sought spent sprang stole swam swore threw tore understood underwent withdrew wore".split()
)
# "It is said that", "It was clear to all", "It rained", "It is 1931": a subject in form only
_EMPTY = re.compile(
    r"it(?:'s|’s|\s+(?:is|was|has been|seems?|appears?|turned out|turns out|remains|became|takes|took))\s+"
    r"(?:not\s+|also\s+|now\s+|widely\s+|often\s+|generally\s+)?(?:\w+\s+){0,2}(?:that|whether|to|how|why)\b"
    r"|it(?:'s|’s|\s+(?:is|was|has been|had been))?\s+(?:rain|snow|hail|thunder)(?:s|ed|ing)\b",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"(?:in|on|at|by|after|before|during|since|until|from|as of|for|with)\b[^,]{1,60}(?:,\s\d{4})?,\s+", re.IGNORECASE
)
# "According to Max Heller, it", "When Ada left, the mill", "Built in 1931, the bridge": the subject is behind the comma
_PARTICIPLE = (
    r"(?:[a-z]+(?:ed|ing)|born|bought|brought|built|chosen|cut|drawn|driven|given|held|known|led|left|lost|made|"
    r"put|read|seen|set|shut|sold|spoken|struck|taught|told|won|written)"
)
_OPENING = re.compile(
    r"(?:(?P<clause>according to|along with|due to|instead of|thanks to|rather than|above|across|although|as|because|"
    r"behind|below|besides|between|despite|following|if|inside|like|near|once|outside|over|though|through|"
    r"throughout|under|unless|unlike|when|whereas|while|within|without|(?-i:To(?= [a-z])))\b"
    rf"|{_PARTICIPLE}(?=\s(?:an?|after|around|as|at|before|between|by|during|for|from|in|into|near|of|off|on|over|the|to|"
    rf"under|up|with|his|her|its|their|[a-z]+ly|{_PARTICIPLE})\b))",
    re.IGNORECASE,
)
_TO_COMMA = re.compile(r"[^,]{1,90}(?:,\s\d{4})?,\s+")
# "a) It", "2. The mill", "But it", "However, it": what stands before a subject and names nothing. "So Solid Crew",
# "However he tried": some join only before a comma, or a pronoun or article.
_MARK = re.compile(
    r"\(?(?:[a-z]|[ivx]{1,4})\)\s+|\(?\d{1,2}[.)]\s+(?=(?:The|An?|Th(?:is|ese)|His|Her|Its|Their|He|She|It|They)\b)"
)
_JOIN = re.compile(
    r"(?:(?:and|but|then|later|afterwards?|thereafter|eventually|finally|subsequently|nevertheless|nonetheless|"
    r"meanwhile|moreover|furthermore|therefore|consequently|additionally|originally|initially),?\s+"
    r"|(?:also|besides|first|firstly|hence|however|indeed|instead|now|second|secondly|similarly|so|soon|still|third|"
    r"thus|today|yet|in addition|as a result|in fact|in total|for example|at first|after that|since then|by then|"
    r"until then),\s+"
    r"|(?:now|so|soon|still|thus|today|yet|at first|after that|since then|by then|until then)\s+"
    r"(?=(?:the|an?|he|she|it|they|his|her|its|their)\b))+",
    re.IGNORECASE,
)
_LITTLE_TIME = (
    r"(?:the|an?|same|that|this|following|next|previous|first|second|last|early|late|mid|end|beginning|start|middle|of|and|"
    r"to|around|about|one|two|three|four|five|six|seven|eight|nine|ten|twelve|few|several|some|many|age|later|earlier|"
    r"before|after)"
)
_TIMES = (
    r"(?:\d{1,4}(?:st|nd|rd|th|s)?|years?|months?|weeks?|days?|hours?|decades?|century|spring|summer|autumn|fall|winter|"
    r"morning|afternoon|evening|night|season|january|february|march|april|may|june|july|august|september|october|"
    r"november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|bce?|ad|ce)"
)
# "In 1995,", "On 5 May 1995", "Two years later,"
_TIME = re.compile(
    rf"(?!may\s+\D)(?:(?:in|on|at|by|after|before|during|since|until|from|as of|around|within|for)\s+)?"
    rf"(?:{_LITTLE_TIME}[\s-]+){{0,4}}{_TIMES}\b"
    rf"(?:(?:[\s-]|,\s(?=\d{{4}}\b))(?:{_LITTLE_TIME}\s){{0,3}}(?:{_TIMES}|later|earlier|before|after)\b){{0,4}},?\s+",
    re.IGNORECASE,
)
_DATED = re.compile(r"(?:in|on|by|since)\s", re.IGNORECASE)  # "1984 is a novel"
_QUOTATION = re.compile(r"[“”„«»]|(?<!\d)\"")  # behind a number it may mean inches
_PRONOUN = re.compile(r"(\w+)((?:'s|’s|'d|’d|'ll|’ll|'ve|’ve|'re|’re)?)(?=[\s,])")
# what ends the head of a subject: "The towers | of the bridge"
_BEHIND_HEAD = re.compile(
    r"\s+(?:about|across|against|among|around|at|between|by|during|for|from|in|into|near|of|on|over|to|under|with|within|"
    r"without|that|which|who)\s",
    re.IGNORECASE,
)
_JOINED = re.compile(r"\s+and\s+(?:the|a|an|his|her|its|their)\s", re.IGNORECASE)
_SEVERAL = re.compile(r"an?\s+(?:\w+\s+)?(?:number|group|handful|majority|couple)", re.IGNORECASE)
_PLURALS = frozenset("children men people police women".split())
_SPOKEN = re.compile(r"[,!?]\s?(?:[\"”’»]|''|'(?!\w))")
_LABEL = re.compile(r"(?:\([^()]{0,60}\)\s?)?:\s")
_NAME = (
    r"(?:(?:Mr|Mrs|Ms|Dr|Prof|Sir|Dame|Lord|Lady)\.?\s)?[A-Z][\w'’-]+"
    r"(?:\s(?:[A-Z]\.\s?)*(?:(?:de|van|von|der|al)\s)*[A-Z][\w'’-]+){1,3}"
)
_SAYS = r"(?:said|says|added|adds|told|asked|wrote|writes|warned|explained|argued|announced|insisted|recalled)"
_SAID = re.compile(
    rf"[“\"„«][^“”\"„«»]{{2,600}}[,.!?]\s?[”\"»]\s(?:{_SAYS}\s(?P<who>{_NAME})|(?P<who2>{_NAME})\s{_SAYS}\b)"
)
"""What somebody said, and who that was: "“Never again,” said Ada Lovelace"."""
_PREPOSITIONS = frozenset("in on at by after before during since until from for with".split())
_LITTLE = frozenset("a an and at for from in of on or the to with".split())
_LEADS = 3
"""How much may stand before a subject: "In 1931, according to Max Heller, the bridge"."""
_AFTER_VERBS = frozenset(
    "a an the in on at by to from for with into over under about as its his her their up out off down more less fewer "
    "around nearly almost some only no not".split()
)
_BEFORE_OF = frozenset("comes consists dies speaks tells thinks".split())


class Resolved(NamedTuple):
    """A sentence with its first pronoun replaced."""

    text: str
    pronoun: str
    subject: str


def named_subject(sentence: str) -> str | None:
    """What a sentence is about, where it names it: the words before its first verb, or up to a comma or bracket.

    >>> named_subject("Ada Lovelace, a daughter of Byron, wrote the first programme.")
    'Ada Lovelace'
    >>> named_subject("In 1931, the Arle Bridge opened to traffic."), named_subject("It was closed later.")
    ('the Arle Bridge', None)
    """
    said = _SAID.match(sentence)
    if said is not None:
        return said["who"] or said["who2"]
    offset = _behind_joins(sentence, len(sentence) - len(sentence.lstrip("“\"' ")))
    begin = offset
    for _ in range(_LEADS):
        lead = _LEAD.match(sentence, offset) or (
            _TIME.match(sentence, offset) if _DATED.match(sentence, offset) else None
        )
        if lead is None and (opening := _OPENING.match(sentence, offset)):
            lead = _TO_COMMA.match(sentence, offset)
            if lead is None and opening["clause"] and not sentence[opening.end() :].lstrip()[:1].isupper():
                return None  # "When the mill closed Ada left": where its subject begins cannot be told
        if lead is None:
            break
        offset = _behind_joins(sentence, lead.end())
    found = words(sentence[offset:])
    last = None
    for at, word in enumerate(found[:12]):
        if word.is_punctuation and word.text not in ("'s", "’s", "-", "."):
            if _LABEL.match(sentence, offset + word.start) or _SPOKEN.match(sentence, offset + word.start):
                return None  # "Correction: …" is a label, "“Never again,” she said" what somebody said
            break
        after = found[at + 1].text.casefold() if at + 1 < len(found) else ""
        if at > 0 and _is_verb(word.text, after):
            break
        last = word
    else:
        return None  # no subject is as long as that: the verb was not recognised
    if last is None:
        return None
    subject = sentence[offset : offset + last.end].strip()
    first = found[0].text.casefold()
    if first in _SUBJECTS | _OWNERS | {"i", "we", "you", "there", "this", "that", "these", "those", "who", "what"}:
        return None
    rest = subject.split()[1:] if first in _ARTICLES else subject.split()
    if first in _PREPOSITIONS and not all(part[0].isupper() or part in _LITTLE for part in rest):
        return None  # "With the exception of tennis" is none, "On the Road" is
    named = any(part[0].isupper() or part[0].isdigit() for part in rest) if offset == begin else bool(rest)
    return subject if rest and (named or first == "the") else None


def resolve(sentence: str, subjects: Sequence[str], *, meant: Mapping[str, str] | None = None) -> Resolved | None:
    """The sentence with the pronoun it begins with replaced by the last of the subjects that fits it.

    None where it begins with no pronoun, or none of them fits; an empty one stands for a sentence whose subject could
    not be told, and what comes before it is not meant. The mark of a list item is left out. `meant` says by which
    pronoun a subject, as a `Resolved` names it, was meant before: who was “she” is no “he” after that, and where the
    last subject was a “he” or “she”, “it” is something else that was named in between.

    >>> resolve("It opened in 1931.", ["The Arle Bridge"]).text
    'The Arle Bridge opened in 1931.'
    >>> resolve("Her house still stands.", ["Ada Lovelace", "The Arle Bridge"]).text
    "Ada Lovelace's house still stands."
    >>> resolve("But in 1987, it closed.", ["The Arle Bridge"]).text
    'But in 1987, the Arle Bridge closed.'
    >>> resolve("It is said that it sways.", ["The Arle Bridge"]) is None
    True
    >>> resolve("It pays well.", ["The Arle Bridge", "Ada Lovelace"], meant={"Ada Lovelace": "she"}) is None
    True
    """
    at = _subject_at(sentence)
    found = _PRONOUN.match(sentence, at)
    if found is None or _EMPTY.match(sentence, at) or _is_quoted(sentence, found.end()):
        return None
    pronoun = found[1]
    folded = pronoun.casefold()
    kind, known = KINDS.get(folded), meant or {}
    if kind == "it" and subjects and known.get(_shown(subjects[-1]), "it") != "it":
        return None
    near = itertools.takewhile(bool, reversed(subjects))
    fitting = (s for s in near if _fits(folded, s) and known.get(_shown(s), kind) == kind)
    subject = next(fitting, None)
    if subject is None:
        return None
    shown = _shown(subject)
    mark = _MARK.match(sentence, len(sentence) - len(sentence.lstrip()))
    before = sentence[mark.end() if mark else 0 : at].lstrip()
    first = subject.split()[0]
    put = shown if not before else subject.replace(first, first.lower(), 1) if first.lower() in _ARTICLES else subject
    if folded in _SUBJECTS:
        return Resolved(before + put + _whole(found[2]) + sentence[found.end() :], pronoun, shown)
    if folded in _OWNERS and not found[2]:
        return Resolved(f"{before}{put}'s" + sentence[found.end() :], pronoun, shown)
    return None


def begins_with_pronoun(sentence: str) -> bool:
    """Whether the subject of a sentence is, or is owned by, one that only the text before it explains.

    >>> [begins_with_pronoun(s) for s in ("But it closed.", "In 1995, her cat fell.", "But Ada left.", "May it last.")]
    [True, True, False, False]
    """
    found = _PRONOUN.match(sentence, _subject_at(sentence))
    return found is not None and found[1].casefold() in _SUBJECTS | _OWNERS


def _behind_joins(sentence: str, at: int) -> int:
    for lead in (_MARK, _JOIN):
        if found := lead.match(sentence, at):
            at = found.end()
    return at


def _subject_at(sentence: str) -> int:
    """Where a sentence begins behind the mark of a list item, what joins it to another sentence, and a time."""
    at = _behind_joins(sentence, len(sentence) - len(sentence.lstrip()))
    if found := _TIME.match(sentence, at):
        at = _behind_joins(sentence, found.end())
    return at


def _is_quoted(sentence: str, at: int) -> bool:
    """Whether a quotation that was opened in a sentence before goes on at a place: its end is the first mark there is.

    >>> [_is_quoted(s, 0) for s in ('She left", he said.', "She left,” he said.", 'She said "Go.', 'It is 6" wide.')]
    [True, True, False, False]
    """
    marks = _QUOTATION.search(sentence, at)
    if marks is None:
        return False
    if marks.group() != '"':
        return marks.group() in "”»"
    # of straight marks one is left over
    odd = len(_QUOTATION.findall(sentence, at)) % 2 == 1 and sentence.count('"', at) % 2 == 1
    return odd and not sentence[marks.start() - 1].isspace()


def _shown(subject: str) -> str:
    return subject[:1].upper() + subject[1:]


def _whole(ending: str) -> str:
    return {"": "", "ll": " will", "ve": " have", "re": " are"}.get(ending[1:], ending)


def _fits(pronoun: str, subject: str) -> bool:
    first = subject.split()[0].casefold()
    if pronoun in ("he", "she", "his", "her"):
        other = any(title.match(subject) for kind, title in _TITLES if kind != KINDS[pronoun])
        return first not in _ARTICLES and not other
    if pronoun in ("they", "their"):
        return _is_plural(subject)
    return pronoun in ("it", "its")


def _is_plural(subject: str) -> bool:
    """Whether more than one is meant, going by the head: what stands before the first preposition.

    >>> [_is_plural(s) for s in ("The towers of Arle", "The number of inhabitants", "A number of Swiss farmers")]
    [True, False, True]
    """
    behind = _BEHIND_HEAD.search(subject)
    head = subject[: behind.start()] if behind else subject
    if behind and _SEVERAL.fullmatch(head):
        head = subject
    if " and " in head or _JOINED.search(subject):
        return True
    last = head.split()[-1].casefold()
    return last in _PLURALS or (last.endswith("s") and not last.endswith("ss"))


def _is_verb(word: str, after: str) -> bool:
    if word.casefold() in _AUXILIARIES:
        return word.islower() or word.isupper()  # "The Rose" is no flower that stood up
    if not word[0].islower():
        return False
    if word in _PASTS or (word.endswith("ed") and len(word) > 3):
        return True
    # "Tea grows in Asia", but not "Polar bears live": what follows a verb tells it from a plural
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return False
    return after in _AFTER_VERBS or after[:1].isdigit() or (after == "of" and word in _BEFORE_OF)
