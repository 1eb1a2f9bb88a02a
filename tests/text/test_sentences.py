"""Sentence splitting: hard cases, exact spans, and nothing lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aver.text import split_sentences

LINES = (Path(__file__).parent / "sentence_cases.txt").read_text(encoding="utf-8").splitlines()
CASES = [line.replace("\\n", "\n") for line in LINES if line and not line.startswith("#")]


def right(case: str) -> tuple[str, list[str]]:
    """The text, and the sentences it should be split into."""
    parts = case.split(" | ")
    text = "".join(part if part.endswith(("\n", " ")) else part + " " for part in parts[:-1]) + parts[-1]
    return text, [part.strip() for part in parts]


@pytest.mark.parametrize("case", CASES)
def test_hard_cases(case: str) -> None:
    text, expected = right(case)
    assert [sentence.text for sentence in split_sentences(text)] == expected


def test_there_are_enough_hard_cases() -> None:
    assert len(set(CASES)) >= 60


PIECES = st.sampled_from(
    ["a", "B", ".", "!", "?", '"', "'", "(", ")", "\n", " ", "1", "Dr.", "Vol.", "U.S.", "…", "“", "”", "é", "😀", "。",
     "\u2029", "\u3000", "\xa0", "\u200b", "Yahoo!", "-", "`", "\x85", "\t", "was", "He"]
)  # fmt: skip


@given(st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join)))
def test_spans_are_exact_and_nothing_but_white_space_is_left_out(text: str) -> None:
    found = split_sentences(text)
    at = 0
    for sentence in found:
        assert text[sentence.start : sentence.end] == sentence.text
        assert sentence.text == sentence.text.strip() != ""
        assert not text[at : sentence.start].strip()
        at = sentence.end
    assert not text[at:].strip()


def test_half_a_surrogate_pair_is_kept_where_it_stands() -> None:
    # what is left of an emoji that was cut in two
    text = "Tea \ud83d is hot. It is brown \udd25."
    assert [(s.start, s.text) for s in split_sentences(text)] == [(0, text[:13]), (14, text[14:])]


def test_nothing_in_nothing() -> None:
    assert split_sentences("") == split_sentences(" \n\n\t ") == []


@pytest.mark.parametrize("unit", ["word ", "a. ", '"Hi. ', "(a. B ", "x", "!", "a\nB", "Vol. 2 "])
def test_a_sentence_of_a_megabyte(unit: str) -> None:
    text = unit * (1_000_000 // len(unit))
    found = split_sentences(text)
    assert sum(not c.isspace() for s in found for c in s.text) == sum(not c.isspace() for c in text)


def test_a_panic_of_the_library_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    class PanicException(BaseException):
        pass

    def panic(language: str, text: str) -> list[str]:
        raise PanicException("end byte index 26 is not a char boundary")

    monkeypatch.setattr("aver.text._sentences.sentencex.segment", panic)
    assert [s.text for s in split_sentences("One thing. Another. ")] == ["One thing.", "Another."]
