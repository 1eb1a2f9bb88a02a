"""A judge that reads nothing twice: what it said of a claim and a text is kept under the text's hash."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from types import MappingProxyType

import numpy as np

from aver.labels import Label
from aver.models import Judge
from aver.results import Explanation, Judgement

__all__ = ["Remembering", "pack", "text_hash", "unpack"]

# three probabilities, relevance (NaN: none), coverage, windows, label and conflict
_FORM = struct.Struct("<5dHBB")
_LABELS = (Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO)


def text_hash(text: str) -> bytes:
    """Sixteen bytes that stand for a text.

    >>> text_hash("Tea: Tea is hot.").hex()
    'f1b0a746960af0f8aa56ed899f9c2709'
    """
    return blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()


def pack(judgement: Judgement) -> bytes:
    """A judgement as it is stored: exactly, in 44 bytes."""
    assert judgement.label is not None
    probabilities = [judgement.probabilities[label] for label in _LABELS]
    relevance = np.nan if judgement.relevance is None else judgement.relevance
    return _FORM.pack(
        *probabilities, relevance, judgement.coverage, min(judgement.windows, 65_535),
        _LABELS.index(judgement.label), judgement.conflict,
    )  # fmt: skip


def unpack(data: bytes, model: str) -> Judgement:
    """The judgement again."""
    *probabilities, relevance, coverage, windows, label, conflict = _FORM.unpack(data)
    by_name = MappingProxyType({str(name): p for name, p in zip(_LABELS, probabilities, strict=True)})
    known = None if np.isnan(relevance) else relevance
    return Judgement(_LABELS[label], by_name, coverage, "scored", model, known, windows, bool(conflict))


class Remembering(Judge):
    """Another judge, asked only what is not known yet about one claim.

    A judge's answer depends on the pair alone, so an answer from memory is the answer it would give.
    """

    def __init__(self, judge: Judge, known: Mapping[bytes, Judgement]) -> None:
        self.name = judge.name
        self.model = judge.model
        self._judge = judge
        self._known = known
        self.learnt: dict[bytes, Judgement] = {}
        """What was read now, to be kept."""
        self.pairs = 0
        """How many pairs the judge behind it read."""

    def judge(self, pairs: Iterable[tuple[str, str]], *, batch_tokens: int = 1024) -> list[Judgement]:
        """From memory where it is known; the rest is read, and remembered where it could be."""
        asked = list(pairs)
        keys = [text_hash(evidence) for _, evidence in asked]
        unknown = [n for n, key in enumerate(keys) if key not in self._known and key not in self.learnt]
        fresh: dict[bytes, Judgement] = {}
        if unknown:
            read = self._judge.judge([asked[n] for n in unknown], batch_tokens=batch_tokens)
            self.pairs += len(unknown)
            fresh = {keys[n]: judgement for n, judgement in zip(unknown, read, strict=True)}
            # an error is nothing to remember: the next try may succeed
            self.learnt |= {k: j for k, j in fresh.items() if j.status == "scored" and not j.reason}
        return [self._known.get(key) or self.learnt.get(key) or fresh[key] for key in keys]

    def explain(self, claim: str, evidence: str, *, method: str = "auto") -> Explanation:
        """Asked anew: rationales are not kept."""
        return self._judge.explain(claim, evidence, method=method)  # type: ignore[arg-type]
