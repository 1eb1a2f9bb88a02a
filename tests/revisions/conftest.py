"""For watching: a judge that reads signs in the evidence and counts what it reads, and a collection to change."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest

from aver import Collection
from aver.errors import BackendError
from aver.models import Judge
from aver.models._judge import named, refusal
from aver.results import Judgement
from aver.revisions.watch import Watch


class SignJudge(Judge):
    """`(yes)` in the evidence supports, `(no)` refutes; anything else says nothing. Claims that hold `broken` fail."""

    name = "signs"
    model = "signs@000000000000"

    def __init__(self) -> None:
        self.read: list[tuple[str, str]] = []
        self.broken = ""

    def judge(self, pairs: Iterable[tuple[str, str]], *, batch_tokens: int = 1024) -> list[Judgement]:
        return [self._one(claim, evidence) for claim, evidence in pairs]

    def _one(self, claim: str, evidence: str) -> Judgement:
        if self.broken and self.broken in claim:
            raise BackendError("the endpoint is down")
        self.read.append((claim, evidence))
        refused = refusal(claim, evidence)
        if refused is not None:
            return Judgement.unread(*refused, model=self.model)
        scores = np.array([0.02, 0.02, 0.05])
        for sign, row in {"(yes)": 0, "(no)": 1}.items():
            scores[row] += 0.96 * (sign in evidence)
        label, probabilities = named(scores / scores.sum())
        return Judgement(label, probabilities, 1.0, "scored", self.model, float(scores[:2].max()), 1)


class Bench:
    """A collection, a judge and a watch over it."""

    def __init__(self, folder: Path) -> None:
        self.judge = SignJudge()
        self.collection = Collection(folder / "archive", create=True)
        self.watch = Watch(self.collection, judges=lambda _: self.judge)

    def put(self, **pages: str) -> None:
        """Pages by title (underscores are spaces), new or changed."""
        self.collection.add_documents({"title": t.replace("_", " "), "text": text} for t, text in pages.items())

    def dump(self) -> str:
        """Everything that is stored about the claims."""
        connection = sqlite3.connect(self.collection.folder / "watch" / "watch.sqlite")
        try:
            return "\n".join(connection.iterdump())
        finally:
            connection.close()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """A small archive."""
    made = Bench(tmp_path)
    yield made
    made.collection.close()


@pytest.fixture
def town(bench: Bench) -> Bench:
    """Three pages, of which two say something about a claim."""
    bench.put(
        Arle_Bridge="Arle Bridge is old. Arle Bridge opened in 1931 (yes).",
        Gull_Point="Gull Point is a lighthouse. It was built of granite (yes).",
        Kelp_bread="Kelp bread is dark. It keeps for weeks.",
    )
    return bench


@pytest.fixture
def make_bench(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Bench]:
    """As many archives as a test wants."""
    return lambda: Bench(tmp_path_factory.mktemp("bench"))
