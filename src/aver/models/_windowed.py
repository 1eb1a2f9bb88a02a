"""Judges that read tokens: windows, batches by length, worker threads, and one answer a pair."""

from __future__ import annotations

import abc
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from aver.errors import InputError
from aver.models._combine import combine
from aver.models._judge import Judge, both, named, refusal
from aver.models._pieces import Order, Pieces, TooLong, Unread, Window, cut
from aver.results import Judgement

__all__ = ["Answer", "WindowedJudge", "thread_count"]

BLOCK = 2048
"""Windows held at once: memory stays bounded however long the list of pairs is."""


class Answer(NamedTuple):
    """What the network says about one window."""

    probabilities: NDArray[np.float64]
    relevance: float | None
    tokens: NDArray[np.float64] | None
    """Probability of each token to belong to the rationale."""
    edit: float | None = None
    """Probability that the two texts, read as two versions of a sentence, differ in a fact."""


def thread_count(threads: int | None) -> int:
    """`threads`, else the environment variable AVER_THREADS, else every processor this process may use."""
    if threads is None:
        text = os.environ.get("AVER_THREADS", "").strip()
        if text:
            if not text.isdecimal() or int(text) < 1:
                raise InputError(f"AVER_THREADS is {text!r}; it must be a number of threads, 1 or more")
            return int(text)
        affinity = getattr(os, "sched_getaffinity", None)
        return len(affinity(0)) if affinity else os.cpu_count() or 1
    if threads < 1:
        raise InputError(f"threads is {threads}; it must be 1 or more")
    return threads


class WindowedJudge(Judge):
    """A judge over a tokenizer and a network that answers windows."""

    tokenizer: Any
    max_tokens: int
    order: Order
    threads: int
    first_mark: int | None = None
    """The first of the ids that stand for compared figures, in a model that was trained with them."""
    compared: Mapping[str, bool] | None = None
    """Which of these figures it knows: measures by their `units`, `periods` such as decades; all where none is said."""
    alone: bool = False
    """Each window is computed by itself: for networks whose answer depends on what else is in the batch."""

    @abc.abstractmethod
    def _run(self, windows: Sequence[Window], *, tokens: bool) -> list[Answer]:
        """Answers a batch of windows of one length; called from several threads."""

    def judge(self, pairs: Iterable[tuple[str, str]], *, batch_tokens: int = 1024) -> list[Judgement]:
        return self._judge(pairs, batch_tokens, marks=False)

    def judge_marking(self, pairs: Iterable[tuple[str, str]], *, batch_tokens: int = 1024) -> list[Judgement]:
        return self._judge(pairs, batch_tokens, marks=self.marks_claims)

    def _judge(self, pairs: Iterable[tuple[str, str]], batch_tokens: int, *, marks: bool) -> list[Judgement]:
        if batch_tokens < 1:
            raise InputError(f"batch_tokens is {batch_tokens}; it must be 1 or more")
        found: list[Judgement] = []
        block: list[Pieces | Judgement] = []
        held = 0
        for pair in pairs:
            piece = self._cut(*both(pair))
            block.append(piece)
            held += len(piece.windows) if isinstance(piece, Pieces) else 0
            if held >= BLOCK:
                found += self._answer(block, batch_tokens, marks=marks)
                block, held = [], 0
        return found + self._answer(block, batch_tokens, marks=marks)

    def judge_masked(self, claim: str, evidence: str, masks: Sequence[frozenset[int]]) -> list[Judgement]:
        mask = next((t for t in map(self.tokenizer.token_to_id, ("[MASK]", "<mask>")) if t is not None), None)
        pieces = self._cut(claim, evidence)
        if mask is None or isinstance(pieces, Judgement):
            return super().judge_masked(claim, evidence, masks)
        hidden: list[Pieces | Judgement] = []
        for words in masks:
            changed = [w._replace(ids=self._hidden(w, words, mask)) for w in pieces.windows]
            hidden.append(pieces._replace(windows=changed))
        return self._answer(hidden, 1024)

    def _hidden(self, window: Window, words: frozenset[int], mask: int) -> list[int]:
        """The window's ids with those words masked, and with them the marks that tell how a hidden figure compares."""
        told = window.figures
        return [
            mask if word in words or not words.isdisjoint(told.get(at, ())) else token
            for at, (token, word) in enumerate(zip(window.ids, window.evidence_words, strict=True))
        ]

    def answers(self, windows: Sequence[Window], *, batch_tokens: int = 1024, tokens: bool = False) -> list[Answer]:
        """The network's answer for each window, in their order."""
        batches = list(_batches(windows, 1 if self.alone else batch_tokens, self.threads))
        found: list[Answer | None] = [None] * len(windows)

        def run(batch: list[int]) -> None:
            for index, answer in zip(batch, self._run([windows[i] for i in batch], tokens=tokens), strict=True):
                found[index] = answer

        if len(batches) <= 1 or self.threads == 1:
            for batch in batches:
                run(batch)
        else:
            # A pool a call costs some microseconds, and leaves no threads behind that a fork could inherit.
            with ThreadPoolExecutor(min(self.threads, len(batches))) as pool:
                list(pool.map(run, batches))
        return [answer for answer in found if answer is not None]

    def read_versions(self, pairs: Iterable[tuple[str, str]], *, batch_tokens: int = 1024) -> list[Answer | None]:
        """The network's own answer for each pair of versions of a sentence, the edit head's among it.

        None where one of the two cannot be read, or where both together are longer than one window: what differs
        in one window of the one and one of the other says nothing about the edit.
        """
        cuts = [self._cut(*both(pair)) for pair in pairs]
        whole = [c.windows[0] if isinstance(c, Pieces) and len(c.windows) == 1 else None for c in cuts]
        answers = iter(self.answers([w for w in whole if w is not None], batch_tokens=batch_tokens))
        return [None if window is None else next(answers) for window in whole]

    def _cut(self, claim: object, evidence: object) -> Pieces | Judgement:
        refused = refusal(claim, evidence)
        if refused is not None:
            return Judgement.unread(*refused, model=self.model)
        assert isinstance(claim, str)
        assert isinstance(evidence, str)
        try:
            return cut(
                claim, evidence, self.tokenizer, self.max_tokens, self.order, first_mark=self.first_mark,
                compared=self.compared,
            )  # fmt: skip
        except TooLong as reason:
            return Judgement.unread("error", str(reason), model=self.model)
        except Unread as reason:
            return Judgement.unread("abstained", str(reason), model=self.model)

    def _answer(
        self, block: Sequence[Pieces | Judgement], batch_tokens: int, *, marks: bool = False
    ) -> list[Judgement]:
        windows = [w for pieces in block if isinstance(pieces, Pieces) for w in pieces.windows]
        answers = iter(self.answers(windows, batch_tokens=batch_tokens, tokens=marks))
        return [p if isinstance(p, Judgement) else self._one(p, answers) for p in block]

    def _one(self, pieces: Pieces, answers: Iterator[Answer]) -> Judgement:
        own = [next(answers) for _ in pieces.windows]
        combined = combine(np.array([a.probabilities for a in own]).reshape(*pieces.shape, 3))
        label, probabilities = named(combined.probabilities)
        relevance = [a.relevance for a in own if a.relevance is not None]
        return Judgement(
            label, probabilities, pieces.coverage, "scored", self.model, max(relevance, default=None), len(own),
            combined.conflict, _notes(pieces.coverage), _unsupported(pieces, own),
        )  # fmt: skip


def _unsupported(pieces: Pieces, own: Sequence[Answer]) -> tuple[float, ...] | None:
    """A claim word is as doubtful as its most doubtful token, in the window that bears it out best.

    A word that was read inside its neighbour's token, or not at all, has nothing said against it.
    """
    found: dict[int, float] = {}
    for window, answer in zip(pieces.windows, own, strict=True):
        if answer.tokens is None:
            return None
        here: dict[int, float] = {}
        for word, mark in zip(window.claim_words, answer.tokens.tolist(), strict=True):
            if word >= 0:
                here[word] = max(here.get(word, 0.0), mark)
        for word, mark in here.items():
            found[word] = min(found.get(word, 1.0), mark)
    return tuple(found.get(word, 0.0) for word in range(len(pieces.claim)))


def _notes(coverage: float) -> str:
    if coverage == 1:
        return ""
    return "some words were not read: they are not in the model's vocabulary, or longer than a window"


def _batches(windows: Sequence[Window], batch_tokens: int, threads: int) -> Iterator[list[int]]:
    """Windows of the same length together, longest first, so that the last ones to finish are short.

    Never of different lengths: padding costs time, and changes the order in which a network adds up its sums, so a
    pair's answer would depend, in the seventh digit, on its neighbours. Batches of more than a few hundred tokens
    buy nothing on a CPU (`benchmarks/judge_speed.py`), and lengths repeat soon enough.
    """
    order = sorted(range(len(windows)), key=lambda i: (-len(windows[i].ids), i))
    # every thread gets something to do, even where all would fit one batch
    most = max(1, -(-len(order) // threads))
    batch: list[int] = []
    for index in order:
        width = len(windows[index].ids)
        other = bool(batch) and len(windows[batch[0]].ids) != width
        if batch and (other or (len(batch) + 1) * width > batch_tokens or len(batch) >= most):
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch
