"""Numbers and dates: where they stand, what they are worth, how they are bounded."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aver.text import find_dates, find_quantities


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$ 116.5 million", [("116500000", "exact")]),
        ("$116.5 million", [("116500000", "exact")]),
        ("1,200 people and 90K fans", [("1200", "exact"), ("90000", "exact")]),
        ("84 % or 84% or 84 percent", [("84", "exact")] * 3),
        ("forty-two or twelve", [("42", "exact"), ("12", "exact")]),
        ("more than 12 million", [("12000000", "above")]),
        ("at least 5 , at most 9", [("5", "at least"), ("9", "at most")]),
        ("fewer than three , under 7", [("3", "below"), ("7", "below")]),
        ("about 40 , nearly 50", [("40", "about"), ("50", "about")]),
        ("3 crore and 2 lakh", [("30000000", "exact"), ("200000", "exact")]),
        ("one of them", []), ("a 3-1 win at 10:30 on 24/7", []), ("28 October and November 29", []),
        ("the 1990s", []), ("in 1987", []), ("No figures", []), ("", []),
    ],
)  # fmt: skip
def test_quantities(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(str(q.value), q.bound) for q in find_quantities(text)] == expected


def test_spans_currency_and_form() -> None:
    text = "It made over US$ 1.50 billion , 12 % more than planned ."
    money, share = find_quantities(text)
    assert text[money.start : money.end] == "US$ 1.50 billion"
    assert text[money.cue_start : money.start] == "over "
    assert (money.currency, money.scale, money.decimals, money.percent) == ("US$", "billion", 2, False)
    assert text[share.start : share.end] == "12 %"
    assert share.percent


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("October 23 , 1959", [(1959, 10, 23)]), ("October 23, 1959", [(1959, 10, 23)]),
        ("18 June 2001", [(2001, 6, 18)]), ("the 3rd of May 1999", [(1999, 5, 3)]), ("March 2020", [(2020, 3)]),
        ("in 1987", [(1987,)]), ("from 1990 to 1995", [(1990,), (1995,)]), ("born 1961", [(1961,)]),
        ("1987 people", []), ("in 3000 BC", []), ("room 1987", []), ("in 1987-88", []),
    ],
)  # fmt: skip
def test_dates(text: str, keys: list[tuple[int, ...]]) -> None:
    assert [date.key for date in find_dates(text)] == keys


def test_an_impossible_day_is_no_date() -> None:
    assert [d.key for d in find_dates("45 June 2001")] in ([], [(2001, 6)])


@given(st.text(max_size=300))
def test_spans_are_in_order_and_inside(text: str) -> None:
    last = 0
    for q in find_quantities(text):
        assert last <= q.cue_start <= q.start < q.end <= len(text)
        last = q.end
    last = 0
    for date in find_dates(text):
        assert last <= date.start < date.end <= len(text)
        last = date.end


@given(st.integers(2, 10**12), st.booleans(), st.sampled_from(["", "more than ", "about "]))
def test_whole_numbers_are_read_back(value: int, commas: bool, cue: str) -> None:
    written = f"{value:,}" if commas else str(value)
    (found,) = find_quantities(f"It has {cue}{written} parts .")
    assert found.value == Decimal(value)
    assert found.bound == {"": "exact", "more than ": "above", "about ": "about"}[cue]


@given(st.dates())
def test_dates_are_read_back(date: object) -> None:
    import datetime

    assert isinstance(date, datetime.date)
    if date.year < 1000 or date.year > 2999:
        return
    for written in (f"{date:%B} {date.day} , {date.year}", f"{date.day} {date:%B} {date.year}"):
        assert [d.key for d in find_dates(f"It was on {written} .")] == [(date.year, date.month, date.day)]
