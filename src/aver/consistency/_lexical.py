"""The floor: what shared words alone tell. No model, microseconds a text; a metric worth its name must beat it."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import ClassVar

from aver.consistency._metric import Metric, Progress, check_pairs

__all__ = ["LEXICAL", "MEANINGS", "LexicalMetric", "bleu", "copied", "longest_common", "ngram_precision", "tokens"]

_TOKEN = re.compile(r"[a-z0-9]+")


def tokens(text: str) -> list[str]:
    """Runs of Latin letters and digits in lower case, as rouge-score cuts them."""
    return _TOKEN.findall(text.lower())


def ngram_precision(text: str, source: str, order: int) -> float | None:
    """ROUGE-n precision: the share of the text's n-grams that the source holds, each counted once per occurrence.

    >>> ngram_precision("the cat sat down", "A cat sat down.", 2)
    0.6666666666666666
    """
    ours, theirs = (_ngrams(tokens(part), order) for part in (text, source))
    total = sum(ours.values())
    return sum(min(n, theirs[gram]) for gram, n in ours.items()) / total if total else None


def longest_common(text: str, source: str) -> float | None:
    """ROUGE-L precision: the share of the text's words in the longest sequence it has in common with the source.

    By bit vectors (Hyyrö, 2004), so that a source of a hundred pages costs milliseconds.

    >>> longest_common("the cat sat down", "A cat, it seems, sat.")
    0.5
    """
    ours, theirs = tokens(text), tokens(source)
    if not ours:
        return None
    places: dict[str, int] = {}
    for at, word in enumerate(ours):
        places[word] = places.get(word, 0) | 1 << at
    full = (1 << len(ours)) - 1
    row = full
    for word in theirs:
        if found := row & places.get(word, 0):
            row = (row + found | row - found) & full
    return (len(ours) - row.bit_count()) / len(ours)


def bleu(text: str, source: str) -> float | None:
    """The geometric mean of the precisions of one to four words, as sacreBLEU counts them, without the penalty for
    being short: a summary is meant to be shorter than its source.

    >>> round(bleu("the cat sat down", "the cat sat down and slept"), 6)
    1.0
    """
    from sacrebleu.metrics.bleu import BLEU

    if not any(c.isalnum() for c in text):
        return None
    found = BLEU(effective_order=True).sentence_score(text, [source])
    own = BLEU.compute_bleu(found.counts, found.totals, found.sys_len, found.sys_len, "exp", effective_order=True)
    return min(1.0, float(own.score) / 100)


def copied(text: str, source: str, order: int = 3) -> float | None:
    """1 minus the share of novel n-grams: how many different n-grams of the text stand in the source.

    >>> copied("the cat sat down", "A cat sat down.", 3)
    0.5
    """
    ours, theirs = (_ngrams(tokens(part), order) for part in (text, source))
    return sum(gram in theirs for gram in ours) / len(ours) if ours else None


def _ngrams(words: list[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(words[at:] for at in range(order)), strict=False))


def _overlap(text: str, source: str) -> float | None:
    from aver.verify import claim_overlap

    # a text of nothing but “it is” and “of the” shares no content word with itself
    return claim_overlap(text, source) if claim_overlap(text, text) else None


@dataclasses.dataclass(frozen=True)
class LexicalMetric(Metric):
    """One of the lexical family, by name."""

    name: str
    what: ClassVar[str] = "Words, n-grams or sequences that the text shares with its source."

    def score(
        self, texts: Sequence[str], sources: Sequence[str], *, progress: Progress | None = None
    ) -> list[float | None]:
        check_pairs(texts, sources)
        found: list[float | None] = []
        for text, source in zip(texts, sources, strict=True):
            found.append(LEXICAL[self.name](text, source))
            if progress is not None:
                progress(1)
        return found


LEXICAL: dict[str, Callable[[str, str], float | None]] = {
    "rouge-1": lambda text, source: ngram_precision(text, source, 1),
    "rouge-2": lambda text, source: ngram_precision(text, source, 2),
    "rouge-l": longest_common,
    "bleu": bleu,
    "overlap": _overlap,
    "copied-3": copied,
}
"""The lexical family by name: precision of ROUGE-1, ROUGE-2 and ROUGE-L, BLEU without its penalty for brevity, the
share of content words, and the share of three-word sequences that are not novel."""

MEANINGS: dict[str, str] = {
    "rouge-1": "The share of the text's words that the source holds (ROUGE-1 precision).",
    "rouge-2": "The share of the text's word pairs that the source holds (ROUGE-2 precision).",
    "rouge-l": "The share of the text's words in the longest sequence it shares with the source (ROUGE-L precision).",
    "bleu": "BLEU of the text against the source, without the penalty for being short.",
    "overlap": "The share of the text's content words that the source holds, by their first six letters.",
    "copied-3": "The share of the text's three-word sequences that are not novel.",
}
"""What each of them is, in a line."""
