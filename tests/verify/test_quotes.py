"""What counts as a quotation, and what as the same words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aver.verify import check_quote, find_quotes


@pytest.mark.parametrize(
    ("quote", "text", "missing", "added"),
    [
        ("prices rose 5%", "prices rose $5", ("5%",), ("$5",)),
        ("prices rose 5", "prices rose 5 %", ("5",), ("5%",)),
        ("it fell -5 degrees", "it fell 5 degrees", ("-5",), ("5",)),
        ("it cost £5 a day", "it cost €5 a day", ("£5",), ("€5",)),
        ("Prices rose 6%", "In May\nprices rose 5%.", ("6%",), ("5%",)),
        ("prices never rose", "Prices never fell.", ("rose",), ("fell",)),
    ],
)
def test_another_figure_or_word_is_altered(
    quote: str, text: str, missing: tuple[str, ...], added: tuple[str, ...]
) -> None:
    found = check_quote(quote, [("t", text)])
    assert (found.outcome, found.missing, found.added) == ("altered", missing, added)
    assert text[found.start : found.end] == found.text


@pytest.mark.parametrize(
    ("quote", "text"),
    [
        ("a state of the art facility", "It is a state-of-the-art facility."),
        ("a state-of-the-art facility", "a state of the art facility"),
        ("from 1990-95 on", "from 1990–95 on"),
        ("it cost 5 € then", "it cost €5 then"),
        ("it fell −5 degrees", "it fell -5 degrees"),
        ("rose by 5 %", "rose by 5%"),
        ("between £5-£10 a day", "between £5–£10 a day"),
    ],
)
def test_how_a_figure_or_a_compound_is_written_is_no_difference(quote: str, text: str) -> None:
    found = check_quote(quote, [("t", text)])
    assert found.outcome == "found"
    assert text[found.start : found.end] == found.text


def test_little_in_common_is_not_found() -> None:
    assert check_quote("The Salt Road", [("t", "The salt trade of Arle grew.")]).outcome == "not found"
    assert check_quote("prices rose 6%", [("t", "Prices rose. Tea was 5%.")]).outcome == "not found"


@pytest.mark.parametrize(
    ("claim", "quotes"),
    [
        ("He said 'we shall fight on the beaches'.", ["we shall fight on the beaches"]),
        ("He said 'it's what we don't want', and 'never again now'.", ["it's what we don't want", "never again now"]),
        ("He said 'we saw the boys' school burn down'.", ["we saw the boys' school burn down"]),
        ("He wrote 'we closed the bridges' and the boys' school burnt.", ["we closed the bridges"]),
        ("It's the boys' school and the girls' school of Arle.", []),
        ("In the '90s it's said that the boys' school was closed.", []),
        ("Rock 'n' roll was the boys' only music.", []),
        ("The 6' man and the 5' boy said 'we shall fight now'.", ["we shall fight now"]),
        ('The 6\'2" man said "we shall fight on the beaches".', ["we shall fight on the beaches"]),
        ('He said "the board is 6" wide and old".', ['the board is 6" wide and old']),
        ('He said "we closed in 1931" and "we opened in 1932".', ["we closed in 1931", "we opened in 1932"]),
        ("The “state-of-the-art” mill was sold.", []),
    ],
)
def test_which_marks_hold_a_quotation(claim: str, quotes: list[str]) -> None:
    assert find_quotes(claim) == quotes


@given(st.text("ab5-−–±$€%.,'\" ", max_size=60), st.text("ab5-−–±$€%.,'\" ", max_size=60))
def test_places_are_the_text(quote: str, text: str) -> None:
    found = check_quote(quote, [("t", text)])
    assert text[found.start : found.end] == found.text
    assert all(part in quote for part in find_quotes(quote))
