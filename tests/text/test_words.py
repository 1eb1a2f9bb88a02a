"""Words stand where they say they stand, and windows leave nothing out."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aver import InputError
from aver.text import windows, words


@given(st.text(max_size=300))
def test_spans_are_the_words_in_order_and_no_letter_is_lost(text: str) -> None:
    found = words(text)
    assert all(text[w.start : w.end] == w.text for w in found)
    assert all(a.end <= b.start for a, b in itertools.pairwise(found))
    inside = "".join(w.text for w in found)
    assert sum(c.isalnum() for c in inside) == sum(c.isalnum() for c in text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("U.S. sales", ["U.S", ".", "sales"]),
        ("don’t pay 1,000.5", ["don’t", "pay", "1,000.5"]),
        ("9/11 at 10:30", ["9/11", "at", "10:30"]),
        ("snake_case", ["snake", "_", "case"]),
        ("", []),
        (" \n", []),
        ("…", ["…"]),
    ],
)
def test_words_of_everyday_text(text: str, expected: list[str]) -> None:
    assert [w.text for w in words(text)] == expected


@given(st.lists(st.integers(0, 7), max_size=60), st.integers(7, 30), st.sampled_from([0.0, 0.25, 0.5]))
def test_windows_hold_everything_and_fit(sizes: list[int], room: int, overlap: float) -> None:
    found = windows(sizes, room, overlap=overlap)
    assert {i for a, b in found for i in range(a, b)} == set(range(len(sizes)))
    assert all(sum(sizes[a:b]) <= room for a, b in found)
    assert all(a < b for a, b in found)
    assert all(a[0] < b[0] <= a[1] < b[1] for a, b in itertools.pairwise(found))
    shared = [sum(sizes[b[0] : a[1]]) for a, b in itertools.pairwise(found)]
    assert all(s <= overlap * room for s in shared)


def test_an_item_larger_than_the_room_stands_alone() -> None:
    assert windows([1, 99, 1], 10) == [(0, 1), (1, 2), (2, 3)]
    with pytest.raises(InputError):
        windows([1], 0)
