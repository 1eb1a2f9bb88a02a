"""A judge that needs no model: it compares words, so a test can say what every pair means."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from aver.models import Judge
from aver.models._judge import named, refusal
from aver.results import Judgement
from aver.text import words


class WordJudge(Judge):
    """Supports as far as the evidence holds the claim's words; `not` in one of the two only refutes."""

    name = "words"
    model = "words@000000000000"

    def __init__(self) -> None:
        self.calls: list[list[tuple[str, str]]] = []

    def judge(self, pairs: Iterable[tuple[str, str]], *, batch_tokens: int = 1024) -> list[Judgement]:
        asked = list(pairs)
        self.calls.append(asked)
        return [self._one(claim, evidence) for claim, evidence in asked]

    def _one(self, claim: str, evidence: str) -> Judgement:
        refused = refusal(claim, evidence)
        if refused is not None:
            return Judgement.unread(*refused, model=self.model)
        ours, theirs = ({w.text.casefold() for w in words(text) if not w.is_punctuation} for text in (claim, evidence))
        share = len(ours & theirs) / len(ours)
        turned = ("not" in ours) != ("not" in theirs) and share > 0.6
        rows = [0.05, 0.9, 0.05] if turned else [0.9 * share + 0.05, 0.02, 0.93 - 0.9 * share]
        label, probabilities = named(np.array(rows) / sum(rows))
        return Judgement(label, probabilities, 1.0, "scored", self.model, share, 1)


@pytest.fixture
def judge() -> WordJudge:
    return WordJudge()


SOURCE = (
    "The bridge over the Arle was opened in 1931 by Ada Lund. It was painted green in May. "
    "The bridge is 200 metres long and 9 wide. No toll is paid. Trams do not cross it."
)


@pytest.fixture
def source() -> str:
    return SOURCE
