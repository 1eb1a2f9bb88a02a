"""What sort of thing an edit touches: a quantity, a date, a name, a negation, or something else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable
from typing import Literal

from aver.revisions._lexicon import ORDINALS
from aver.revisions._times import with_times_of
from aver.revisions._word_diff import WordEdit, diff_words
from aver.text import find_dates, find_quantities, words
from aver.text._quantities import MONTHS, WORDS

__all__ = ["EDIT_KINDS", "EditKind", "edit_kind", "edit_kinds", "negations"]

EditKind = Literal["quantity", "date", "entity", "negation", "other"]
EDIT_KINDS: tuple[EditKind, ...] = ("quantity", "date", "entity", "negation", "other")

_NEGATION = re.compile(
    r"\b(?:no|not|cannot|never|none|nobody|nothing|nowhere|neither|nor|without|lacks?|lacked|failed to|fails to|"
    r"denie[sd]|\w+n't)\b|\bn't\b",
    re.IGNORECASE,
)
_RANK = re.compile(
    r"\b(?:\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|half|double|triple|once|"
    r"twice|dozens?|hundreds?|thousands?|millions?|billions?)\b",
    re.IGNORECASE,
)
_TIME = re.compile(
    rf"\b(?:{'|'.join(MONTHS)}|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|1[0-9]{{3}}s?|20[0-9]{{2}}s?|(?:Mon|Tues|Wednes|Thurs|"
    r"Fri|Satur|Sun)day|century|decade)\b"
)
_YEAR = re.compile(r"1[0-9]{3}|20[0-9]{2}")
_THINGS = re.compile(r"\s+(?!was|is|has|as|its|this)[a-z]+s\b")
_DAY = re.compile(
    rf"\b(?P<m1>{'|'.join(MONTHS)})\s(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\b"
    rf"|\b(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<m2>{'|'.join(MONTHS)})\b"
)
_NAME = re.compile(r"[^\W\d_]")


def edit_kind(before: str, after: str) -> EditKind:
    """The sort of thing an edit touches first and foremost.

    A lost or added "not" turns a whole sentence, so it comes first; then quantities, dates and names.

    >>> edit_kind("It made $ 16 million in 1999.", "It made $ 18 million in 1999.")
    'quantity'
    >>> edit_kind("He was born in Rome.", "He was born in Turin."), edit_kind("It is old.", "It is not old.")
    ('entity', 'negation')
    """
    return edit_kinds(before, after)[0]


def edit_kinds(before: str, after: str, edits: Iterable[WordEdit] | None = None) -> tuple[EditKind, ...]:
    """Everything an edit touches, in the order negation, quantity, date, entity; `other` where it is none of them.

    >>> edit_kinds("On May 3 there were 24 cases.", "On May 4 there were 26 cases.")
    ('quantity', 'date')
    >>> edit_kinds("It began at 3 pm.", "It began at 15:00.")
    ('other',)
    """
    told = with_times_of(after, before)
    given = diff_words(before, told) if edits is None or told != after else tuple(edits)
    after = told
    found: list[EditKind] = []
    if negations(before) != negations(after):
        found.append("negation")
    days = _dates(before) != _dates(after) or _days(before) != _days(after)
    times = _changed(before, given, _TIME, 0) ^ _changed(after, given, _TIME, 1)
    if _amounts(before) ^ _amounts(after) or _ranks(given) or _loose_digits(before, after, given):
        found.append("quantity")
    if days or times:
        found.append("date")
    small = frozenset(word.text for word in (*words(before), *words(after)) if word.text.islower())
    if _names(before, given, 0, small) ^ _names(after, given, 1, small):
        found.append("entity")
    return tuple(found) or ("other",)


def negations(text: str) -> int:
    """How many words deny something.

    >>> negations("It didn't rain and never will.")
    2
    """
    return len(_NEGATION.findall(text))


def _amounts(text: str) -> frozenset[tuple[object, ...]]:
    return frozenset(
        (q.value, q.bound, bool(q.currency), q.percent)
        for q in find_quantities(text)
        if not _is_year(text, q.start, q.end)
    )


def _is_year(text: str, start: int, end: int) -> bool:
    """Whether a bare number reads as a year: "the 1999 film", but not "1999 seats"."""
    return _YEAR.fullmatch(text, start, end) is not None and _THINGS.match(text, end) is None


def _dates(text: str) -> frozenset[tuple[int, ...]]:
    return frozenset(date.key for date in find_dates(text))


def _days(text: str) -> frozenset[tuple[str, str]]:
    """Days of a month, with or without a year: "May 3" and "3 May" are one."""
    return frozenset((m["m1"] or m["m2"], m["d1"] or m["d2"]) for m in _DAY.finditer(text))


def _side(edit: WordEdit, side: int) -> tuple[str, tuple[int, int]]:
    return (edit.before, edit.before_span) if side == 0 else (edit.after, edit.after_span)


def _changed(text: str, edits: Iterable[WordEdit], pattern: re.Pattern[str], side: int) -> frozenset[str]:
    spans = [_side(edit, side)[1] for edit in edits]
    return frozenset(
        match[0].casefold()
        for match in pattern.finditer(text)
        if any(a < match.end() and match.start() < b for a, b in spans)
        and (not match[0].isdigit() or _is_year(text, match.start(), match.end()))
    )


def _ranks(edits: Iterable[WordEdit]) -> bool:
    return any(
        Counter(map(str.casefold, _RANK.findall(edit.before))) != Counter(map(str.casefold, _RANK.findall(edit.after)))
        for edit in edits
    )


def _loose_digits(before: str, after: str, edits: Iterable[WordEdit]) -> bool:
    """Digits that changed and that neither the readers of amounts nor those of dates know ("7–2", "B747")."""

    def bare(text: str, piece: str, span: tuple[int, int]) -> str:
        known = [(q.start, q.end) for q in find_quantities(text)] + [(d.start, d.end) for d in find_dates(text)]
        start = span[0]
        return "".join(
            c for at, c in enumerate(piece, start) if c.isdigit() and not any(a <= at < b for a, b in known)
        )

    for edit in edits:
        if any(map(str.isdigit, edit.before + edit.after)) and not _TIME.search(edit.before + " " + edit.after):
            old, new = (bare(text, *_side(edit, side)) for side, text in ((0, before), (1, after)))
            # a day of a month is a date, wherever the month's name stands
            near = before[max(0, edit.before_span[0] - 14) : edit.before_span[1] + 14]
            if old != new and not any(month in near for month in MONTHS):
                return True
    return False


def _names(text: str, edits: Iterable[WordEdit], side: int, small: Collection[str]) -> frozenset[str]:
    """Changed words with a capital that no beginning of a sentence explains; months and weekdays are dates.

    A word that begins a sentence is no name where it is a common one, or stands in small letters elsewhere.
    """
    found = set()
    for edit in edits:
        piece, (start, _) = _side(edit, side)
        for word in words(piece):
            at = start + word.start
            first = not text[:at].strip(" \"'“‘(`") or text[:at].rstrip(" \"'“‘(`")[-1:] in ".!?"
            capital = word.text[:1].isupper() or (len(word.text) > 1 and word.text[1:2].isupper())
            lower = word.text.casefold()
            common = first and (lower in small or all(part in _COMMON for part in lower.split("-")))
            other = common or word.text in _BRACKETS or _TIME.fullmatch(word.text)
            if capital and _NAME.match(word.text) and not other:
                found.add(lower.removesuffix("'s").removesuffix("’s"))
    return frozenset(found)


_BRACKETS = frozenset({"LRB", "RRB", "LSB", "RSB", "LCB", "RCB"})
"""What the Penn Treebank writes for brackets."""
_COMMON = frozenset(
    "a about above according across actually additionally after afterwards again against ago all almost along already "
    "also although altogether always among an and another any anyone anything approximately are around as at away "
    "barely because before behind being below beside besides between beyond billions both but by can circa could "
    "currently despite did do does double down dozen dozens due during each earlier either else enough especially "
    "even eventually every everyone everything everywhere exactly few fewer finally following for formerly frequently "
    "from fully further furthermore generally had half hardly has have he hence her here hers him his how however "
    "hundred hundreds i if in including indeed initially inside instead into is it its itself just largely last late "
    "later least less like likewise long mainly many may meanwhile might million millions more moreover most mostly "
    "much must my near nearby nearly neither never nevertheless next no nobody none nonetheless nor not notably "
    "nothing now of off often on once one only onto or originally other others otherwise our out outside over overall "
    "part partly people per perhaps possibly presently previously probably quite rather recently roughly same several "
    "shall she shortly should similarly since slightly so some someone something sometimes soon still subsequently "
    "such than that the their them then there thereafter therefore these they this those though thousand thousands "
    "through throughout thus to today together toward towards triple twice under unlike unless until up upon usually "
    "various very via was we well were what whatever when whenever where whereas whether which while who whoever whole "
    "whose why will with within without would yes yesterday yet you your".split()
).union(WORDS, ORDINALS)
