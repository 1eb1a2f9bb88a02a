from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aver
from aver import InputError, Label, MissingExtra, ModelError
from aver.metrics import BLEURT, Support


def by_word(claims: Sequence[str], evidences: Sequence[str]) -> list[object]:
    """A real, if simple, judge: every word of the claim in the evidence."""
    return [
        None if not claim else Label.SUPPORTS if set(claim.split()) <= set(evidence.split()) else "NOT ENOUGH INFO"
        for claim, evidence in zip(claims, evidences, strict=True)
    ]


def test_the_rates_are_over_what_the_judge_decided() -> None:
    score = Support("by_word").score(["six cases", "ten cases", ""], ["six cases known"] * 3, by_word)
    assert score.measure == "Support(judge=by_word)"
    assert (score["support_rate"], score["nei_rate"], score["refute_rate"]) == (50, 50, 0)
    assert score.n == 2
    assert score.notes == ("the judge abstained on 1 of 3 pairs",)


@settings(deadline=None)
@given(st.lists(st.sampled_from([*Label, None]), max_size=12))
def test_the_rates_of_the_three_labels_and_disputed_make_100(labels: list[Label | None]) -> None:
    texts = ["x"] * len(labels)
    score = Support().score(texts, texts, lambda claims, evidences: labels)
    decided = [label for label in labels if label is not None]
    assert score.n == len(decided)
    if not decided:
        assert set(score.values.values()) == {None}
    else:
        disputed = 100 * decided.count(Label.DISPUTED) / len(decided)
        assert sum(v for v in score.values.values() if v is not None) + disputed == pytest.approx(100)


def test_the_name_parses_back_with_its_judge() -> None:
    assert aver.measure("Support(judge=default)") == Support("default")
    assert aver.measure(str(Support())) == Support()


def test_a_judge_is_held_to_its_word() -> None:
    with pytest.raises(InputError, match="given 2 pairs and answered 1"):
        Support().score(["a", "b"], ["c", "d"], lambda claims, evidences: ["SUPPORTS"])
    with pytest.raises(InputError, match="pair 2: unknown label 'perhaps'"):
        Support().score(["a", "b"], ["c", "d"], lambda claims, evidences: ["SUPPORTS", "perhaps"])
    with pytest.raises(InputError, match="2 claims but 1 evidence"):
        Support().score(["a", "b"], ["c"], by_word)


def test_a_judge_is_not_asked_about_nothing() -> None:
    def never(claims: Sequence[str], evidences: Sequence[str]) -> list[object]:
        raise AssertionError("asked")

    assert Support().score([], [], never)["support_rate"] is None


def test_bleurt_says_what_it_lacks(tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    with pytest.raises(InputError, match="there is no such folder"):
        BLEURT().score(["a"], [["b"]], folder / "none")
    (folder / "saved_model.pb").write_bytes(b"")
    with pytest.raises(ModelError, match="looks like a TensorFlow checkpoint"):
        BLEURT().score(["a"], [["b"]], folder)
    (folder / "config.json").write_text("{}")
    try:
        import bleurt_pytorch  # noqa: F401
    except ImportError:
        with pytest.raises(MissingExtra, match=r"pip install 'aver\[bleurt\]'"):
            BLEURT().score(["a"], [["b"]], folder)
    assert aver.measure(str(BLEURT("BLEURT-20-D12"))) == BLEURT("BLEURT-20-D12")
