"""A source, cut into sentences once and indexed by its words, so that any sentence can be held against it."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import NamedTuple

from aver.errors import count_of
from aver.text import Sentence, find_dates, find_quantities, split_sentences, words

__all__ = ["LONGEST", "Source", "Terms", "cut_note", "pieces", "stem", "stems"]

LONGEST = 2_000
"""Characters of a source sentence that stay one sentence: a table or a text without full stops is cut at words."""


def stem(word: str) -> str:
    """Six letters of a word are nearly its stem, and need no list of endings."""
    return word.casefold()[:6]


def stems(text: str) -> list[str]:
    """The words of a text by their first letters, punctuation left out."""
    return [stem(w.text) for w in words(text) if not w.is_punctuation]


class Terms(NamedTuple):
    """What a text holds: single words, pairs and triples of neighbours."""

    single: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    triples: frozenset[tuple[str, str, str]]

    @classmethod
    def of(cls, sequence: Sequence[str]) -> Terms:
        return cls(
            frozenset(sequence),
            frozenset(itertools.pairwise(sequence)),
            frozenset(zip(sequence, sequence[1:], sequence[2:], strict=False)),
        )


class Source:
    """A source text ready to be asked about.

    >>> source = Source("It rained. Tea is served hot. The tea was green.")
    >>> [source.sentences[at].text for at, _ in source.nearest("Tea is hot.", 2)]
    ['Tea is served hot.', 'The tea was green.']
    """

    def __init__(self, text: str) -> None:
        self.text = text
        whole = split_sentences(text)
        self.sentences: list[Sentence] = [
            piece for sentence in whole for piece in pieces(sentence) if any(c.isalnum() for c in piece.text)
        ]
        self.cut = sum(len(sentence.text) > LONGEST for sentence in whole)
        """How many of its sentences were longer than a sentence can be, and stand here in parts."""
        self._stems = [stems(sentence.text) for sentence in self.sentences]
        self.terms = Terms.of([word for found in self._stems for word in found])
        self.words = frozenset(w.text.casefold() for w in words(text) if not w.is_punctuation)
        self._places: dict[str, list[int]] = {}
        for at, found in enumerate(self._stems):
            for word in dict.fromkeys(found):
                self._places.setdefault(word, []).append(at)

    def __len__(self) -> int:
        return len(self.sentences)

    @functools.cached_property
    def figures(self) -> frozenset[Decimal | int]:
        """The values of its numbers, and the years of its dates."""
        quantities = {quantity.value for s in self.sentences for quantity in find_quantities(s.text)}
        return frozenset(quantities | {date.year for s in self.sentences for date in find_dates(s.text)})

    def weight(self, word: str) -> float:
        """How rare a word is among the sentences of the source."""
        held = len(self._places.get(word, ()))
        return math.log(1 + (len(self) - held + 0.5) / (held + 0.5))

    def nearest(self, text: str, limit: int) -> list[tuple[int, float]]:
        """The sentences that hold most of a text's words, rare ones counting more: their numbers and shares in [0, 1].

        Only sentences that share a word are looked at; between equals the earlier comes first. Where none shares a
        word, the first sentences stand for the rest, with a share of 0.
        """
        wanted = dict.fromkeys(stems(text))
        total = sum(map(self.weight, wanted)) or 1.0
        scores: dict[int, float] = {}
        for word in wanted:
            weight = self.weight(word)
            for at in self._places.get(word, ()):
                scores[at] = scores.get(at, 0.0) + weight
        best = sorted(scores, key=lambda at: (-scores[at], at))[:limit]
        if not best:
            return [(at, 0.0) for at in range(min(limit, len(self)))]
        return [(at, scores[at] / total) for at in best]

    def joined(self, numbers: Iterable[int]) -> str:
        """These sentences as one text, in the order of the source."""
        return " ".join(self.sentences[at].text for at in sorted(numbers))

    def sentence_stems(self, number: int) -> list[str]:
        """The words of one sentence, as `stems` gives them."""
        return self._stems[number]


def cut_note(where: str, count: int) -> str:
    """What is told of sentences that were too long.

    >>> cut_note("source", 1)
    '1 sentence of the source has more than 2,000 characters: it was cut at words, and its parts count as sentences'
    """
    has, they = ("has", "it was") if count == 1 else ("have", "they were")
    long = f"{count_of(count, 'sentence')} of the {where} {has} more than {LONGEST:,} characters"
    return f"{long}: {they} cut at words, and {'its' if count == 1 else 'their'} parts count as sentences"


def pieces(sentence: Sentence) -> list[Sentence]:
    """The sentence, or where it is longer than any sentence is, stretches of it that are not."""
    if len(sentence.text) <= LONGEST:
        return [sentence]
    found: list[Sentence] = []
    start = 0
    while start < len(sentence.text):
        end = start + LONGEST
        if end < len(sentence.text):
            space = sentence.text.rfind(" ", start + LONGEST // 2, end)
            end = space if space > 0 else end
        piece = sentence.text[start:end]
        left = start + len(piece) - len(piece.lstrip())
        if piece.strip():
            found.append(Sentence(piece.strip(), sentence.start + left, sentence.start + left + len(piece.strip())))
        start = end
    return found
