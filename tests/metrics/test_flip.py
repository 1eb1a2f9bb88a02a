"""The flip rate over contrastive claims."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aver import InputError, measure
from aver.metrics import flip_rate

S, R, N = "SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO"


@pytest.mark.parametrize(
    ("predicted", "flip", "changed", "stuck"),
    [((S, R), 1, 1, 0), ((R, S), 0, 1, 0), ((S, S), 0, 0, 1), ((S, N), 0, 1, 0), ((N, N), 0, 0, 1)],
)
def test_one_pair(predicted: tuple[str, str], flip: float, changed: float, stuck: float) -> None:
    found = flip_rate(predicted, [S, R], ["x", "x"])
    assert (found.n, found.flip_rate, found.changed, found.stuck) == (1, flip, changed, stuck)
    assert found.wrong_flip == changed - flip


def test_three_evidences() -> None:
    assert flip_rate([S, R, S], [S, R, S], [1, 1, 1]).flip_rate == 1
    one_wrong = flip_rate([S, R, N], [S, R, S], [1, 1, 1])
    assert (one_wrong.flip_rate, one_wrong.changed) == (0, 1)
    mixed = flip_rate([S, S, N], [S, R, N], [1, 1, 1])
    assert (mixed.changed, mixed.stuck) == (0, 0)


def test_claims_that_are_not_contrastive_are_counted_apart() -> None:
    found = flip_rate([S, R, S, S, N], [S, R, S, S, N], ["a", "a", "b", "b", "c"])
    assert (found.n, found.same_gold, found.single, found.steady) == (1, 1, 1, 1.0)
    assert found.by_change == {"REFUTES / SUPPORTS": (1, 1.0)}
    none = flip_rate([S, S], [S, S], [1, 1])
    assert none.flip_rate is None
    assert none.notes == ("undefined: no claim has two evidences with different gold labels",)
    assert flip_rate([], [], []).flip_rate is None


PAIRS = st.lists(st.tuples(*[st.sampled_from([S, R, N])] * 4), min_size=1, max_size=20)


@given(PAIRS)
def test_parts_add_up_and_order_does_not_matter(pairs: list[tuple[str, str, str, str]]) -> None:
    gold = [label for pair in pairs for label in pair[:2]]
    said = [label for pair in pairs for label in pair[2:]]
    groups = [number for number in range(len(pairs)) for _ in range(2)]
    found = flip_rate(said, gold, groups)
    assert found == flip_rate(said[::-1], gold[::-1], groups[::-1])
    if found.flip_rate is not None:
        assert found.flip_rate + found.wrong_flip == pytest.approx(found.changed)  # type: ignore[operator]
        assert found.changed + found.stuck == pytest.approx(1)  # type: ignore[operator]


def test_the_gold_itself_flips_everything_and_a_constant_nothing() -> None:
    gold, groups = [S, R, N, S], [1, 1, 2, 2]
    assert flip_rate(gold, gold, groups).flip_rate == 1
    assert flip_rate([S] * 4, gold, groups).flip_rate == 0


def test_the_measure_parses_back() -> None:
    assert str(measure("FlipRate(labels=any)")) == "FlipRate(labels=any)"
    score = measure("FlipRate").score([S, R], [S, R], [1, 1]).score
    assert list(score.values) == list(measure("FlipRate").card.values)


def test_unequal_lengths() -> None:
    with pytest.raises(InputError, match="2 predictions, 1 reference, 1 group"):
        flip_rate([S, S], [S], [1])


def test_from_files(run_cli: Any, write_jsonl: Any) -> None:
    gold = write_jsonl("gold.jsonl", [
        {"unique_id": "1_1", "case_id": "1", "claim": "A", "label": S},
        {"unique_id": "1_2", "case_id": "1", "claim": "A", "label": R},
        {"unique_id": "1_3", "case_id": "1", "claim": "B", "label": R},
        {"unique_id": "1_4", "case_id": "1", "claim": "B", "label": S},
    ])  # fmt: skip
    said = write_jsonl(
        "said.jsonl", [{"id": f"1_{n}", "predicted_label": v} for n, v in ((1, S), (2, R), (3, R), (4, R))]
    )
    told = run_cli("score", "classification", said, gold, "--flip", "case_id", "--json").json
    assert told["flips"]["n"] == 2
    assert told["flips"]["flip_rate"] == 0.5
    assert told["flips"]["stuck"] == 0.5
    assert "FlipRate" in run_cli("score", "classification", said, gold, "--flip", "case_id").out
    wrong = run_cli("score", "classification", said, gold, "--flip", "page")
    assert wrong.code == 2
    assert "has no 'page' to pair claims by" in wrong.err
    assert "4 problems" in wrong.err
