"""One tree of errors, and messages that tell everything at once."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import aver
from aver import errors
from aver.errors import AverError, InputError, MissingExtra, Problems, count_of, kind_of


def test_everything_is_an_aver_error() -> None:
    kinds = [getattr(errors, name) for name in errors.__all__ if name.endswith(("Error", "Extra"))]
    assert all(issubclass(kind, AverError) for kind in kinds)
    assert issubclass(InputError, ValueError)
    assert issubclass(MissingExtra, ImportError)
    for kind in kinds:
        assert kind.__name__ in (errors.__doc__ or ""), "the tree in the docstring shows every error"


def test_problems_are_all_kept_and_twenty_are_shown() -> None:
    problems = Problems()
    problems.raise_if_any("nothing is wrong")
    for number in range(1, 31):
        problems.add(f"file line {number}", "is wrong")
    assert len(problems) == 30
    with pytest.raises(InputError) as caught:
        problems.raise_if_any("it cannot be used")
    told = str(caught.value).splitlines()
    assert told[0] == "it cannot be used (30 problems)"
    assert told[1] == "  - file line 1: is wrong"
    assert told[20] == "  - file line 20: is wrong"
    assert told[21:] == ["  … and 10 more"]
    assert len(caught.value.problems) == 30


def test_one_problem_is_one() -> None:
    problems = Problems()
    problems.add("", "two files disagree")
    with pytest.raises(InputError, match=r"^no \(1 problem\)\n  - two files disagree$"):
        problems.raise_if_any("no")


def test_missing_extra_says_what_to_install() -> None:
    assert "pip install 'aver[plots]'" in str(MissingExtra("plots", "matplotlib"))


def test_one_is_counted_as_one() -> None:
    assert [count_of(n, "row") for n in (0, 1, 2, 1_000)] == ["0 rows", "1 row", "2 rows", "1,000 rows"]
    assert count_of(1, "row is", "rows are") == "1 row is"
    assert count_of(2, "row is", "rows are") == "2 rows are"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (5, "a number"), (2.5, "a number"), (Fraction(1, 3), "a number"), (float("nan"), "nan"),
        (True, "a truth value"), ("x", "a string"), (b"x", "bytes"), ([], "a list"),
        ((), "a tuple"), ({}, "a dictionary"), (None, "null"),
        (np.bool_(True), "a truth value"), (np.float32(2), "a number"), (np.int64(2), "a number"),
        (object(), "an object"), (Path(), "a PosixPath"),
    ],
)  # fmt: skip
def test_a_kind_has_a_word_and_its_article(value: object, said: str) -> None:
    assert kind_of(value).replace("WindowsPath", "PosixPath") == said


def test_no_message_names_a_type_as_python_does() -> None:
    source = Path(aver.__file__).parent
    raw = re.compile(r"(?:\b(?:is|a|an|found|got|not) )\{type\(")
    wrong = [str(p.relative_to(source)) for p in source.rglob("*.py") if raw.search(p.read_text(encoding="utf-8"))]
    assert not wrong, "kind_of says it in words"
