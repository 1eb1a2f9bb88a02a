"""Which words of a sentence the source does not bear out: figures that differ, names and words that are not there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from aver.consistency._results import Kind, Span
from aver.consistency._source import Source, stem
from aver.text import Sentence, Word, find_dates, find_quantities, words
from aver.verify import check_figures

__all__ = ["STOP", "absent_figures", "find_spans", "is_name"]

STOP = frozenset(
    "a an and are as at be been but by did do does for from had has have he her his in into is it its not no of on or "
    "she so than that the their them then there these they this those to up was we were what when which who will with "
    "would you i him our us my me said says also after before about over more most all been being if out one two "
    "can could may might just only".split()
)
# What no span is made of alone: function words, but for those by which a statement can be false ("not", "before").
_EMPTY = STOP - set("about after all before can could just may might more most no not one only out over two up".split())
_NAMES = frozenset({"IT", "US", "WHO", "Will"})
_WORDS = re.compile(r"\s+")
_Taken = tuple[int, int, Kind, str, str]


def is_name(word: Word, at: int) -> bool:
    """Written with a capital where no sentence begins; text that is all lower case has no names to tell."""
    return at > 0 and word.text[0].isupper()


def absent_figures(sentence: str, source: Source) -> list[tuple[int, int]]:
    """Places of numbers and dates that stand nowhere in the source, as they are written or in digits.

    >>> absent_figures("It sold 40 cups in 1999.", Source("In 1999 it sold fifty cups."))
    [(8, 10)]
    """
    held = source.figures
    found = []
    for quantity in find_quantities(sentence):
        if quantity.value not in held and sentence[quantity.start : quantity.end].casefold() not in source.words:
            found.append((quantity.start, quantity.end))
    for date in find_dates(sentence):
        if date.year not in held and str(date.year) not in source.words:
            found.append((date.start, date.end))
    return sorted(found)


def find_spans(
    sentence: Sentence,
    source: Source,
    evidence: Sequence[str],
    *,
    contradicted: bool,
    marked: Iterable[tuple[int, int]] = (),
    trust_marks: bool = False,
) -> tuple[Span, ...]:
    """The offending words of a sentence that its source does not support.

    `evidence` are the source sentences it is compared with, `marked` places (in the sentence) of the words that the
    judge's word-marking points at. Places in the answer are those in the whole text. `trust_marks`: the judge learnt to
    mark what is not borne out, so words that are merely absent from the source are left to it; figures still are
    compared, and where it marks nothing the words are asked after all. Where it marks nothing but figures, a name of
    which the source has no word is marked beside them. A span of nothing but function words tells a
    reader nothing ("the", "of the"), and there is none, unless they deny or measure ("not", "before").
    """
    text = sentence.text
    marks = _telling(list(marked), text)
    taken: list[_Taken] = []

    def take(start: int, end: int, kind: Kind, reason: str, said: str = "") -> None:
        if not any(a < end and start < b for a, b, *_ in taken):
            taken.append((start, end, kind, reason, said))

    compared = [c for other in evidence for c in check_figures(text, other).comparisons]
    agreeing = {c.claim for c in compared if c.outcome == "agrees"}
    absent = absent_figures(text, source)
    for one in compared:
        place = _place(one.claim, text)
        if one.outcome != "disagrees" or one.claim in agreeing or place is None:
            continue
        # a figure that stands elsewhere in the source may be right: it is to blame only where something is refuted
        if contradicted or any(start < place[1] and place[0] < end for start, end in absent):
            take(*place, "contradicted", "figure", one.evidence)
    for start, end in absent:
        take(start, end, "unsupported", "figure")
    found = [w for w in words(text) if not w.is_punctuation]
    names = {(w.start, w.end) for at, w in enumerate(found) if is_name(w, at)}
    if trust_marks and marks and all(any(a < e and s < b for a, b, *_ in taken) for s, e in marks):
        for start, end in _absent_names(found, names, source, text):
            take(start, end, "unsupported", "name")
    for at, word in enumerate(found if not (trust_marks and marks) else ()):
        if stem(word.text) in source.terms.single or word.text.casefold() in STOP or not word.text[0].isalpha():
            continue
        take(word.start, word.end, "unsupported", "name" if is_name(word, at) else "word")
    if trust_marks:
        marks = _whole_names(marks, found, names, source, text)
    for start, end in marks:
        if text[start:end].casefold() in STOP and not trust_marks:
            continue
        unheard = stem(text[start:end]) not in source.terms.single
        kind: Kind = "contradicted" if contradicted and not (trust_marks and unheard) else "unsupported"
        take(start, end, kind, "name" if trust_marks and (start, end) in names else "word")
    whole: _Taken = (0, len(text), "contradicted" if contradicted else "unsupported", "sentence", "")
    return tuple(
        Span(text[a:b], sentence.start + a, sentence.start + b, kind, reason, said)
        for a, b, kind, reason, said in _merged(_told(sorted(taken), text) or [whole], text)
    )


def _tells(span: str) -> bool:
    """Whether a span holds a word that says something."""
    said = [w.text for w in words(span) if not w.is_punctuation]
    return any(word in _NAMES or word.casefold() not in _EMPTY for word in said)


def _telling(marks: Sequence[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    """The marks, but for those that stand with no neighbour that says something."""
    runs: list[list[tuple[int, int]]] = []
    for mark in marks:
        if runs and not text[runs[-1][-1][1] : mark[0]].strip():
            runs[-1].append(mark)
        else:
            runs.append([mark])
    return [mark for run in runs if _tells(text[run[0][0] : run[-1][1]]) for mark in run]


def _whole_names(
    marks: Sequence[tuple[int, int]], found: Sequence[Word], names: set[tuple[int, int]], source: Source, text: str
) -> list[tuple[int, int]]:
    """With a marked word of a name goes the rest of the name, as far as the source does not have it."""
    marked = set(marks)
    for order in (found, found[::-1]):
        for word, after in pairwise(order):
            one, two = (word.start, word.end), (after.start, after.end)
            beside = text[min(one[1], two[1]) : max(one[0], two[0])].isspace()
            if one in marked and {one, two} <= names and beside and stem(after.text) not in source.terms.single:
                marked.add(two)
    return sorted(marked)


def _absent_names(
    found: Sequence[Word], names: set[tuple[int, int]], source: Source, text: str
) -> list[tuple[int, int]]:
    """The words of names, none of whose words the source has: "King Olaf", and not "Olaf" where it has a king."""
    runs: list[list[Word]] = []
    for word in found:
        if (word.start, word.end) not in names:
            continue
        if runs and text[runs[-1][-1].end : word.start].isspace():
            runs[-1].append(word)
        else:
            runs.append([word])
    return [
        (word.start, word.end)
        for run in runs
        if not any(stem(word.text) in source.terms.single or word.text.casefold() in STOP for word in run)
        for word in run
    ]


def _place(figure: str, text: str) -> tuple[int, int] | None:
    pattern = r"\s+".join(re.escape(part) for part in figure.split())
    match = re.search(pattern, text)
    return None if match is None else match.span()


def _told(taken: Sequence[_Taken], text: str) -> list[_Taken]:
    """The same, each function word as part of what follows it; one that nothing follows is left out.

    A figure that differs stands for itself: it is shown beside the one that the source has.
    """
    found: list[_Taken] = []
    for one in reversed(taken):
        if one[3] in ("figure", "sentence") or _tells(text[one[0] : one[1]]):
            found.append(one)
        elif found and not found[-1][4] and not text[one[1] : found[-1][0]].strip():
            found[-1] = (one[0], *found[-1][1:])
    return found[::-1]


def _merged(taken: Sequence[_Taken], text: str) -> list[_Taken]:
    """Neighbouring words of one kind and reason as one span."""
    found: list[_Taken] = []
    for start, end, kind, reason, said in taken:
        if found:
            a, b, before, why, other = found[-1]
            if (before, why) == (kind, reason) and not said and not other and _WORDS.fullmatch(text, b, start):
                found[-1] = (a, end, kind, reason, "")
                continue
        found.append((start, end, kind, reason, said))
    return found
