"""The words that decide: from the token head, and by hiding words until the verdict turns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
import pytest

import aver
from aver import InputError, Judgement
from aver.models import Judge, load_judge, mask_rationale
from aver.models._judge import named

Make = Callable[..., Path]
EVIDENCE = "The town, by the river, has more than yes (sold) copies."


@pytest.mark.parametrize("method", ["head", "mask"])
def test_the_deciding_word_is_found(make_model: Make, method: str) -> None:
    found = aver.explain("the tower", EVIDENCE, model=make_model(), method=method)  # type: ignore[arg-type]
    assert found.method == method
    assert found.words == ("yes",)
    assert found.judgement.label == "SUPPORTS"
    assert all(EVIDENCE[w.start : w.end] == w.text for w in found.evidence)
    assert max(found.evidence, key=lambda w: w.score).text == "yes"
    assert [w.text for w in found.claim] == ["the", "tower"]


def test_hiding_needs_every_word_that_decides_and_no_other(make_model: Make) -> None:
    found = aver.explain("the tower", "maybe it is maybe the bridge maybe", model=make_model(), method="mask")
    assert found.judgement.label == "SUPPORTS"
    # 2 against 3 × 1.5 = 4.5: with two hidden 1.5 is left, and the verdict turns
    assert found.words == ("maybe", "maybe")
    judge = load_judge(make_model("again"))
    chosen = frozenset(i for i, w in enumerate(found.evidence) if w.chosen)
    evidence = "maybe it is maybe the bridge maybe"
    assert judge.judge_masked("the tower", evidence, [chosen])[0].label == "NOT_ENOUGH_INFO"
    for index in chosen:
        assert judge.judge_masked("the tower", evidence, [chosen - {index}])[0].label == "SUPPORTS"


def test_a_judge_without_a_mask_token_sees_the_text_without_the_words(make_model: Make) -> None:
    judge = load_judge(make_model())
    plain = Judge.judge_masked(judge, "the tower", "yes, it is", [frozenset(), frozenset({0})])
    assert [f.label for f in plain] == ["SUPPORTS", "NOT_ENOUGH_INFO"]


def test_nothing_decides_not_enough_info(make_model: Make) -> None:
    for method in ("head", "mask"):
        found = aver.explain("the tower", "the river", model=make_model(method), method=method)  # type: ignore[arg-type]
        assert found.words == ()
        assert "no words decide" in found.reason
        assert len(found.evidence) == 2


def test_a_long_text_is_explained_in_all_its_windows(make_model: Make) -> None:
    text = "the river is in the town . " * 40 + "no . " + "the river is in the town . " * 40
    for method in ("head", "mask"):
        found = aver.explain("the tower", text, model=make_model(method), method=method)  # type: ignore[arg-type]
        assert found.words == ("no",)
        word = next(w for w in found.evidence if w.chosen)
        assert text[word.start : word.end] == "no"


def test_a_claim_that_decides_alone_has_no_rationale_in_the_evidence(make_model: Make) -> None:
    found = aver.explain("yes", "the river is", model=make_model(), method="mask")
    assert "did not turn" in found.reason


def test_empty_texts_and_wrong_methods(make_model: Make) -> None:
    folder = make_model(heads=False)
    assert aver.explain("the tower", "", model=folder).judgement.status == "abstained"
    assert aver.explain("the tower", "yes", model=folder).method == "mask"
    with pytest.raises(InputError, match="no token head"):
        aver.explain("the tower", "yes", model=folder, method="head")
    with pytest.raises(InputError, match="auto, head, mask"):
        aver.explain("the tower", "yes", model=folder, method="x")  # type: ignore[arg-type]


class Lock(Judge):
    """Supports until the words 1 and 2 are both hidden; hiding word 0 alone shakes it most, and is of no use."""

    name = model = "lock"

    def judge(self, pairs: Iterable[tuple[str, str]], *, batch_tokens: int = 1024) -> list[Judgement]:
        return [self._with(frozenset()) for _ in pairs]

    def judge_masked(self, claim: str, evidence: str, masks: Sequence[frozenset[int]]) -> list[Judgement]:
        return [self._with(mask) for mask in masks]

    def _with(self, mask: frozenset[int]) -> Judgement:
        nei = 0.9 if mask >= {1, 2} else 0.1 + 0.2 * (0 in mask) + 0.05 * (1 in mask) + 0.04 * (2 in mask)
        return Judgement(*named(np.array([1 - nei, 0.0, nei])), 1.0, "scored", self.model)


def test_words_the_turn_does_not_need_are_given_back() -> None:
    tried: list[int] = []
    found = mask_rationale(Lock(), "claim", "zero one two three", progress=tried.append)
    assert tried == [4, 3, 2]
    assert found.words == ("one", "two")
    assert found.evidence[0].score > found.evidence[1].score > found.evidence[3].score
