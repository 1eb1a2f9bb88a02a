"""A judge that needs no model: it reads signs in the evidence, so a test can say what every sentence means."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aver import Collection
from aver.models import Judge
from aver.models._judge import named, refusal
from aver.results import Judgement


class SignJudge(Judge):
    """`(yes)` in the evidence supports, `(no)` refutes, `(yes?)` and `(no?)` weakly; anything else says nothing."""

    name = "signs"
    model = "signs@000000000000"

    def judge(self, pairs: Iterable[tuple[str, str]], *, batch_tokens: int = 1024) -> list[Judgement]:
        return [self._one(claim, evidence) for claim, evidence in pairs]

    def _one(self, claim: str, evidence: str) -> Judgement:
        refused = refusal(claim, evidence)
        if refused is not None:
            return Judgement.unread(*refused, model=self.model)
        scores = np.array([0.02, 0.02, 0.05])
        for sign, row in {"(yes)": 0, "(no)": 1}.items():
            scores[row] += 0.96 * (sign in evidence)
        for sign, row in {"(yes?)": 0, "(no?)": 1}.items():
            scores[row] += 0.06 * (sign in evidence)
        label, probabilities = named(scores / scores.sum())
        return Judgement(label, probabilities, 1.0, "scored", self.model, float(scores[:2].max()), 1)


@pytest.fixture
def signs() -> SignJudge:
    """The judge."""
    return SignJudge()


@pytest.fixture
def make_collection(tmp_path: Path) -> Callable[[dict[str, str]], Collection]:
    """Documents by title into a collection."""

    def make(documents: dict[str, str]) -> Collection:
        collection = Collection(tmp_path / "collection", create=True)
        collection.add_documents({"title": title, "text": text} for title, text in documents.items())
        return collection

    return make


@pytest.fixture
def aver(run_cli: Callable[..., Any], signs: object, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """The command, with the judge that reads signs."""
    for place in ("aver.verify._check", "aver.verify._text", "aver.models"):
        monkeypatch.setattr(f"{place}.load_judge", lambda *_, **__: signs)
    return run_cli
