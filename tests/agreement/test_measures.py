"""Alpha, the kappas, entropy and total agreement, held against their definitions written out the slow way."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aver import InputError, agreement, measure
from aver.agreement import alpha, entropy, fleiss_kappa, randolph_kappa, total_agreement, voters

LEVELS = ["nominal", "ordinal", "interval", "ratio"]
ROWS = st.lists(st.lists(st.none() | st.integers(0, 4), max_size=6), max_size=12)


def alpha_by_definition(rows: list[list[Any]], level: str) -> float | None:
    """Every pair of votes, one at a time."""
    units = [[v for v in row if v is not None] for row in rows]
    units = [unit for unit in units if len(unit) >= 2]
    every = [v for unit in units for v in unit]
    totals = Counter(every)

    def distance(a: float, b: float) -> float:
        if level == "nominal":
            return float(a != b)
        if level == "interval":
            return (a - b) ** 2
        if level == "ratio":
            return ((a - b) / (a + b)) ** 2 if a + b else 0.0
        low, high = sorted((a, b))
        between = sum(count for value, count in totals.items() if low <= value <= high)
        return float((between - (totals[a] + totals[b]) / 2) ** 2) if a != b else 0.0

    observed = sum(distance(a, b) / (len(u) - 1) for u in units for a, b in itertools.permutations(u, 2))
    expected = sum(distance(a, b) for a, b in itertools.permutations(every, 2))
    return None if not expected else 1 - observed / (expected / (len(every) - 1))


@pytest.mark.parametrize("level", LEVELS)
@given(rows=ROWS)
def test_alpha_is_what_its_definition_says(level: Any, rows: list[list[Any]]) -> None:
    ours, theirs = alpha(rows, level=level), alpha_by_definition(rows, level)
    assert ours is None if theirs is None else ours == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("level", LEVELS)
@given(rows=ROWS)
def test_a_table_of_numbers_and_lists_give_the_same(level: Any, rows: list[list[Any]]) -> None:
    width = max((len(row) for row in rows), default=0)
    table = np.full((len(rows), width), np.nan)
    for number, row in enumerate(rows):
        table[number, : len(row)] = [math.nan if vote is None else vote for vote in row]
    nans = [[math.nan if vote is None else vote for vote in row] for row in rows]
    assert alpha(table, level=level) == pytest.approx(alpha(rows, level=level), abs=1e-12)
    assert alpha(nans, level=level) == pytest.approx(alpha(rows, level=level), abs=1e-12)


def test_many_distinct_numbers_need_no_square_table() -> None:
    values = np.random.default_rng(7).normal(1000, 1, (20_000, 1))
    votes = np.hstack([values, values + 1e-3])
    found = alpha(votes, level="interval")
    assert found is not None
    assert 0.99 < found < 1
    assert alpha(votes, level="nominal") == pytest.approx(0, abs=1e-3)


@given(ROWS, st.integers(-1000, 1000))
def test_interval_alpha_does_not_change_with_an_offset(rows: list[list[Any]], offset: int) -> None:
    moved = [[None if vote is None else vote + offset for vote in row] for row in rows]
    assert alpha(moved, level="interval") == pytest.approx(alpha(rows, level="interval"), abs=1e-9)


def test_alpha_of_ordered_words() -> None:
    words = [["low", "mid"], ["high", "high"], ["low", "low"], ["mid", "high"]]
    numbers = [[0, 1], [2, 2], [0, 0], [1, 2]]
    order = ["low", "mid", "high"]
    assert alpha(words, level="ordinal", order=order) == alpha(numbers, level="ordinal")


@pytest.mark.parametrize(
    ("votes", "options", "message"),
    [
        ([["a", "b"]], {"level": "interval"}, "needs numbers, found the vote 'a'"),
        ([["a", "b"]], {"level": "ordinal"}, "name the words' order"),
        ([["a", "b"]], {"level": "ordinal", "order": ["a"]}, "lacks values that were voted for: 'b'"),
        ([["a", "b"]], {"level": "ordinal", "order": ["a", "b", "a"]}, "names a value twice"),
        ([["a", "b"]], {"order": ["a", "b"]}, "is for the ordinal level"),
        ([[1, -1]], {"level": "ratio"}, "numbers from 0 up"),
        ([[1, math.inf]], {"level": "interval"}, "needs numbers"),
        ([[1, 2]], {"level": "cardinal"}, "unknown level 'cardinal'"),
        (["SUPPORTS"], {}, "expected a list of votes"),
        ([[["a"], "b"]], {}, "must be a word or a number"),
        (np.zeros(3), {}, "expected two"),
    ],
)
def test_what_alpha_cannot_read_is_an_error(votes: Any, options: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        alpha(votes, **options)


@pytest.mark.parametrize("votes", [[], [[]], [["a"]], [["a", None], [None, "b"]]])
def test_without_two_votes_on_anything_nothing_is_defined(votes: Any) -> None:
    for function in (alpha, fleiss_kappa, randolph_kappa, entropy, total_agreement):
        assert function(votes) is None


def test_one_value_only() -> None:
    votes = [["a", "a"], ["a", "a", "a"]]
    assert alpha(votes) is None
    assert fleiss_kappa(votes) is None
    assert randolph_kappa(votes) is None
    assert randolph_kappa(votes, categories=3) == 1.0
    assert entropy(votes) == 0.0
    assert total_agreement(votes) == 1.0


def test_a_lone_vote_neither_helps_nor_harms() -> None:
    votes = [["a", "b"], ["a", "a"], ["b", "b", "a"]]
    for function in (alpha, fleiss_kappa, randolph_kappa, entropy, total_agreement):
        assert function([*votes, ["a"], [None, "b"], []]) == pytest.approx(function(votes))
    assert voters([*votes, ["a"], []]) == pytest.approx((1.6, math.sqrt(1.04)))


@given(ROWS)
def test_the_simple_figures_by_definition(rows: list[list[Any]]) -> None:
    units = [[v for v in row if v is not None] for row in rows]
    units = [unit for unit in units if len(unit) >= 2]
    if not units:
        return
    shares = [[count / len(unit) for count in Counter(unit).values()] for unit in units]
    mean = sum(-sum(p * math.log(p) for p in share) for share in shares) / len(units)
    assert entropy(rows) == pytest.approx(mean, abs=1e-12)
    assert total_agreement(rows) == pytest.approx(sum(len(set(u)) == 1 for u in units) / len(units))


def test_too_few_categories_are_an_error() -> None:
    with pytest.raises(InputError, match="3 different values"):
        randolph_kappa([["a", "b"], ["c", "c"]], categories=2)


@pytest.mark.parametrize("name", ["Alpha(level=ordinal)", "FleissKappa", "RandolphKappa(categories=3)",
"Entropy",
                                  "TotalAgreement", "Voters"])  # fmt: skip
def test_measures_parse_back_and_score(name: str) -> None:
    found = measure(name)
    assert str(found) == name
    score = found.score([[1, 2], [2, 2], [1]])
    assert score.measure == name
    assert list(score.values) == list(found.card.values)
    assert isinstance(score.main, float)
    assert found.score([]).main is None


def test_scores_say_what_was_left_out() -> None:
    assert agreement.Alpha().score([["a"], ["a", "b"]]).notes == (
        "1 of 2 items has fewer than two votes: left out",
    )
    assert agreement.Alpha().score([["a", "a"]]).notes == ("undefined: all votes are the same",)
    assert agreement.FleissKappa().score([["a", "b"], ["a", "b", "b"]]).notes == (
        "items have 2 to 3 votes; every item weighs the same",
    )
