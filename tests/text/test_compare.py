"""Marks that say how the figures of an evidence stand to those of a claim."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aver.text import MARKS, compare_figures
from aver.text._compare import describe


def told(claim: str, evidence: str) -> list[str]:
    return [describe(mark.mark) for mark in compare_figures(claim, evidence)[1]]


@pytest.mark.parametrize(
    ("claim", "evidence", "expected"),
    [
        ("more than $ 90 million", "$ 99,274,467", ["above a"]),
        ("more than $ 90 million", "$ 9 million", ["far below a"]),
        ("12 people", "twelve people", ["equal a"]),
        ("12 people", "$ 12", []), ("12 people", "12 %", []), ("12 %", "11.5 percent", ["below a"]),
        ("before 1990", "on 3 May 1989", ["below a"]), ("in May 1989", "on 3 May 1989", ["equal a"]),
        ("in 1950", "in 1989", ["far above a"]),
        ("on May 3", "on May 3 , 1989", ["equal a"]), ("on May 3", "on 4 May 1989", ["above a"]),
        ("the third", "the 3rd", ["equal a"]), ("the third", "3 people", []),
        ("rated 8/10", "rated 7.5/10", ["below a"]), ("rated 8/10", "rated 4/5", []),
        ("5 cats , 9 dogs", "7 birds", ["far above a", "far below b"]),
        ("5 km", "3.1 miles", ["equal a"]), ("8 km", "8 miles", ["far above a"]), ("5 m", "5 km", ["far above a"]),
        ("two weeks", "14 days", ["equal a"]), ("30 °C", "86 °F", ["equal a"]), ("20 kg", "20 miles", []),
        ("20 people", "20 kg", []), ("5 km", "5.05 km", ["above a"]), ("over 1,000 feet", "330 m", ["above a"]),
        ("5 KM", "3.1 Miles", ["equal a"]), ("5 M", "5 m", []), ("9 TONS", "9 tonnes", ["equal a"]),
        ("100 km per hour", "62 mph", ["equal a"]), ("100 km/h", "100 km per hour", ["equal a"]),
        ("died aged 20", "died when 21 years old", ["above a"]), ("34 °F", "35 °F", ["above a"]),
        ("in the 1990s", "in 1993", ["equal a"]), ("in the 1990s", "on 3 May 1989", ["below a"]),
        ("in the 1990s", "in 2005", ["far above a"]), ("in the 1900s", "in 1919", ["equal a"]),
        ("in the 1900s", "in 1819", ["far below a"]), ("in the 19th century", "in the 1850s", ["equal a"]),
        ("in the nineteenth century", "in 1924", ["far above a"]), ("in the 1850s", "in the 19th century", []),
        ("in the 1850s", "in the eighteenth century", ["far below a"]), ("in 1993", "in the 1990s", []),
        ("in 1985", "in the 1990s", ["far above a"]), ("in the late 1990s", "in 1991", []),
        ("in the late 1990s", "in 1997", ["equal a"]), ("in the 3rd century BC", "in 250", []),
        ("in the 21st century", "the 21st of them", []),
        ("no figure", "12", []), ("12", "no figure", []), ("", "", []),
    ],
)  # fmt: skip
def test_relations(claim: str, evidence: str, expected: list[str]) -> None:
    assert told(claim, evidence) == expected


def test_without_units_a_measure_is_a_number() -> None:
    marks = compare_figures("5 km", "5 miles", units=False)[1]
    assert [describe(mark.mark) for mark in marks] == ["equal a"]
    assert told("5 km", "5 miles") == ["far above a"]


def test_without_periods_a_century_is_nothing_to_compare() -> None:
    assert compare_figures("in the 1990s", "in 1993", periods=False) == ([], [])
    assert told("in the 1990s", "in 1993") == ["equal a"]


def test_a_claims_figure_is_lettered_only_where_it_is_compared() -> None:
    claim, evidence = compare_figures("In 1990 , 12 people paid $ 5 .", "It cost $ 6 .")
    assert [describe(mark.mark) for mark in claim] == ["c"]
    assert [describe(mark.mark) for mark in evidence] == ["far above c"]


def test_no_more_than_four_figures_are_lettered() -> None:
    claim, evidence = compare_figures("2 3 4 5 6 7", "9 cats")
    assert len(claim) == 4
    assert len(evidence) == 4


def test_every_mark_has_its_own_words() -> None:
    assert len({describe(mark) for mark in range(MARKS)}) == MARKS == 24


@given(st.text(max_size=120), st.text(max_size=120))
def test_marks_are_inside_and_in_order(claim: str, evidence: str) -> None:
    for marks, text in zip(compare_figures(claim, evidence), (claim, evidence), strict=True):
        assert all(0 < mark.end <= len(text) and 0 <= mark.mark < MARKS for mark in marks)
        assert [mark.end for mark in marks] == sorted(mark.end for mark in marks)


@given(st.integers(2, 10**9), st.integers(2, 10**9))
def test_numbers_compare_as_numbers_do(one: int, two: int) -> None:
    (relation,) = told(f"It has {one:,} parts .", f"It has {two:,} parts .")
    sign = "equal a" if one == two else "below a" if two < one else "above a"
    near = abs(Decimal(one) - two) * 10 <= max(one, two)
    assert relation == (sign if near else f"far {sign}")


@given(st.integers(2, 10**6), st.integers(2, 10**6))
def test_the_relation_turns_round_with_the_sides(one: int, two: int) -> None:
    turned = {"below": "above", "above": "below", "equal": "equal"}
    (there,) = told(f"{one:,} parts", f"{two:,} parts")
    (back,) = told(f"{two:,} parts", f"{one:,} parts")
    words = there.split()
    assert " ".join(turned.get(word, word) for word in words) == back
