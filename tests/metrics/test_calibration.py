"""ECE, Brier score, log loss, AURC, held against their definitions written out the slow way."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aver import InputError, measure
from aver.metrics import calibration

LABELS = ["SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO"]
ROW = st.tuples(st.lists(st.integers(0, 10), min_size=3, max_size=3).filter(any), st.sampled_from(LABELS))
ROWS = st.lists(ROW, min_size=1, max_size=30)


def spread(rows: list[tuple[list[int], str]]) -> tuple[list[dict[str, float]], list[str]]:
    stated = [{label: part / sum(parts) for label, part in zip(LABELS, parts, strict=True)} for parts, _ in rows]
    return stated, [gold for _, gold in rows]


@given(ROWS, st.integers(1, 20))
def test_the_figures_by_definition(rows: list[tuple[list[int], str]], bins: int) -> None:
    stated, gold = spread(rows)
    found = calibration(stated, gold, bins=bins)
    guesses = [max(LABELS, key=lambda label: row[label]) for row in stated]
    confidence = [max(row.values()) for row in stated]
    right = [guess == label for guess, label in zip(guesses, gold, strict=True)]
    ece = 0.0
    edges = [number / bins for number in range(bins + 1)]
    for low, high in itertools.pairwise(edges):
        inside = [n for n, c in enumerate(confidence) if low < c <= high or (c <= high and low == 0)]
        ece += abs(sum(right[n] - confidence[n] for n in inside)) / len(rows)
    # a confidence within rounding of an edge may fall on either side of it
    if all(abs(c - edge) > 1e-9 for c in confidence for edge in edges[1:-1]):
        assert found.ece == pytest.approx(ece, abs=1e-9)
    assert found.accuracy == pytest.approx(sum(right) / len(rows))
    assert sum(b.n for b in found.bins) == len(rows)
    brier = sum((row[c] - (c == g)) ** 2 for row, g in zip(stated, gold, strict=True) for c in LABELS) / len(rows)
    assert found.brier == pytest.approx(brier)
    nll = sum(-math.log(max(row[g], 1e-15)) for row, g in zip(stated, gold, strict=True)) / len(rows)
    assert found.nll == pytest.approx(nll)
    assert found.risk[-1] == pytest.approx(1 - found.accuracy)


@given(st.lists(ROW, min_size=1, max_size=5))
def test_aurc_is_the_mean_over_all_orders_of_ties(rows: list[tuple[list[int], str]]) -> None:
    stated, gold = spread(rows)
    found = calibration(stated, gold)
    cases = [(max(row.values()), max(LABELS, key=lambda label: row[label]) != label)
             for row, label in zip(stated, gold, strict=True)]  # fmt: skip
    orders = [
        order for order in itertools.permutations(cases)
        if all(a[0] >= b[0] for a, b in itertools.pairwise(order))
    ]  # fmt: skip
    areas = [
        sum(sum(wrong for _, wrong in order[:k]) / k for k in range(1, len(order) + 1)) / len(order) for order in orders
    ]
    assert found.aurc == pytest.approx(sum(areas) / len(areas))


@given(ROWS, st.sampled_from(["width", "mass"]), st.randoms())
def test_the_order_of_rows_does_not_matter(rows: list[tuple[list[int], str]], binning: Any, order: Any) -> None:
    shuffled = rows.copy()
    order.shuffle(shuffled)
    one, two = (calibration(*spread(some), binning=binning, bins=4) for some in (rows, shuffled))
    for name in ("ece", "mce", "brier", "nll", "aurc"):
        assert getattr(one, name) == pytest.approx(getattr(two, name))


def test_bins_of_equal_mass() -> None:
    stated = [{"SUPPORTS": 0.5 + n / 200, "REFUTES": 0.5 - n / 200} for n in range(100)]
    found = calibration(stated, ["SUPPORTS"] * 100, bins=10, binning="mass")
    assert [b.n for b in found.bins] == [10] * 10
    ties = calibration(stated[:1] * 50, ["SUPPORTS"] * 50, bins=10, binning="mass")
    assert sum(b.n for b in ties.bins) == 50
    assert ties.ece == pytest.approx(0.5)


def test_perfect_and_hopeless() -> None:
    sure = [{"SUPPORTS": 1.0}, {"REFUTES": 1.0}]
    good = calibration(sure, ["SUPPORTS", "REFUTES"])
    assert (good.ece, good.brier, good.nll, good.aurc) == (0, 0, 0, 0)
    bad = calibration(sure, ["REFUTES", "SUPPORTS"])
    assert (bad.ece, bad.brier, bad.aurc) == (1, 2, 1)
    assert bad.nll == pytest.approx(-math.log(1e-15))
    assert bad.notes == ("2 gold labels were given probability 0; each counts as 1e-15 in nll",)


def test_predictions_decided_otherwise() -> None:
    found = calibration([{"SUPPORTS": 0.6, "NEI": 0.4}], ["NEI"], predictions=["NEI"])
    assert (found.accuracy, found.confidence) == (1, 0.4)


@pytest.mark.parametrize(
    ("stated", "gold", "options", "message"),
    [
        ([], [], {}, "there are no rows"),
        ([{"NEI": 1}], ["NEI", "NEI"], {}, "1 row of probabilities but 2 references"),
        ([{"NEI": 0.5}], ["NEI"], {}, "row 1: probabilities sum to 0.5; expected 1"),
        ([{"NEI": math.nan}], ["NEI"], {}, "expected a number from 0 to 1"),
        ([{"NEI": "1"}], ["NEI"], {}, "expected a number from 0 to 1"),
        ([{"NEI": 0.5, "neutral": 0.5}], ["NEI"], {}, "gives NOT_ENOUGH_INFO twice"),
        ([{}], ["NEI"], {}, "expected probabilities by label"),
        ([{"dog": 1.0}], ["NEI"], {}, "unknown label 'dog'"),
        ([{"NEI": 1}], ["NEI"], {"bins": 0}, "whole number from 1"),
        ([{"NEI": 1}], ["NEI"], {"binning": "area"}, "it can be: width, mass"),
    ],
)
def test_what_cannot_be_scored(stated: Any, gold: Any, options: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        calibration(stated, gold, **options)


@pytest.mark.parametrize("name", ["ECE(bins=10, binning=mass)", "Brier", "NLL", "AURC"])
def test_measures_parse_back_and_score(name: str) -> None:
    found = measure(name)
    assert str(found) == name
    score = found.score([{"SUPPORTS": 0.8, "REFUTES": 0.2}], ["SUPPORTS"])
    assert score.measure == name
    assert list(score.values) == list(found.card.values)


def test_from_files_with_plots(run_cli: Any, write_jsonl: Any, tmp_path: Path) -> None:
    said = [{"id": n, "probabilities": {"SUPPORTS": p, "REFUTES": 1 - p}} for n, p in enumerate((0.9, 0.8, 0.3, 0.55))]
    gold = [{"id": n, "label": label} for n, label in enumerate(("SUPPORTS", "REFUTES", "REFUTES", "SUPPORTS"))]
    paths = write_jsonl("said.jsonl", said), write_jsonl("gold.jsonl", gold)
    told = run_cli("score", "classification", *paths, "--bins", "5", "--json").json["calibration"]
    assert told["measure"] == "ECE(bins=5, binning=width)"
    assert told["accuracy"] == 0.75
    assert told["risk_at_coverage"]["1.0"] == 0.25
    assert len(told["bins"]) == 5
    for ending in ("svg", "png"):
        twice = []
        for name in ("one", "two"):
            pictures = [tmp_path / f"{name}-reliability.{ending}", tmp_path / f"{name}-risk.{ending}"]
            done = run_cli("score", "classification", *paths, "--beside", *paths, "--reliability", pictures[0],
                           "--risk-coverage", pictures[1])  # fmt: skip
            assert done.code == 0, done.err
            assert "ECE(bins=15, binning=width)" in done.out
            twice.append([picture.read_bytes() for picture in pictures])
        assert twice[0] == twice[1]


def test_without_matplotlib_the_error_says_what_to_install(
    run_cli: Any, write_jsonl: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "matplotlib", None)
    path = write_jsonl("both.jsonl", [{"label": "NEI", "prediction": "NEI"}])
    done = run_cli("score", "classification", path, "--plot", tmp_path / "x.svg")
    assert done.code == 2
    assert "pip install 'aver[plots]'" in done.err
