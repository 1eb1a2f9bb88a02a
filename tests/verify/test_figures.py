"""Numbers and dates compared by rule: bounds, magnitudes, rounding, granularity, units."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aver.verify import check_figures


@pytest.mark.parametrize(
    ("claim", "evidence", "outcome"),
    [
        ("It sold 90K copies.", "It sold 90,000 copies.", "agrees"),
        ("It sold more than 90 million copies.", "It sold 99,274,467 copies.", "agrees"),
        ("It sold more than 90 million copies.", "It sold 12 million copies.", "disagrees"),
        ("It sold 12 million copies.", "It sold 11.98 million copies.", "agrees"),
        ("It sold fewer than 100 copies.", "It sold 100 copies.", "unclear"),
        ("It sold at most 100 copies.", "It sold 100 copies.", "agrees"),
        ("It sold about 100 copies.", "It sold 104 copies.", "agrees"),
        ("It sold about 100 copies.", "It sold 300 copies.", "disagrees"),
        ("It sold 150 copies.", "It sold over 100 copies.", "unclear"),
        ("It has 42 rooms.", "It has 43 rooms.", "disagrees"),
        ("It has 42 rooms.", "It has 43 windows.", None),
        ("It cost more than $ 5 million.", "It cost $ 7,200,000.", "agrees"),
        ("It cost € 5 million.", "It cost $ 5 million.", None),
        ("A rating higher than 22 %.", "It holds a rating of 23 %.", "agrees"),
        ("It opened in 1987.", "It opened on 4 May 1987.", "agrees"),
        ("It opened on 4 May 1987.", "It opened in 1987.", "unclear"),
        ("It opened in 1987.", "It opened in 1986.", "disagrees"),
        ("It opened before 1990.", "It opened in June 1989.", "agrees"),
        ("It opened after 1990.", "It opened in June 1989.", "disagrees"),
        ("It opened in 1987.", "It opened in 1986 and closed in 1990.", "unclear"),
        ("It opened in spring.", "It opened in 1986.", None),
    ],
)
def test_cases(claim: str, evidence: str, outcome: str | None) -> None:
    assert check_figures(claim, evidence).outcome == outcome


@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_bounds_follow_arithmetic(limit: int, value: int) -> None:
    above = check_figures(f"It sold more than {limit} copies.", f"It sold {value} copies.").outcome
    assert above == "agrees" if value > limit else above != "agrees"
    if value < limit:
        assert above in ("disagrees", "unclear")


@given(st.integers(1001, 2099), st.integers(1001, 2099))
def test_years(said: int, claimed: int) -> None:
    outcome = check_figures(f"It opened in {claimed}.", f"It opened in {said}.").outcome
    assert outcome == ("agrees" if said == claimed else "disagrees")


@given(st.text(max_size=80), st.text(max_size=80))
def test_any_text_can_be_compared(claim: str, evidence: str) -> None:
    assert check_figures(claim, evidence).outcome in ("agrees", "disagrees", "unclear", None)
