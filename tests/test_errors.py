"""One tree of errors, and messages that tell everything at once."""

from __future__ import annotations

import pytest

from aver import errors
from aver.errors import AverError, InputError, MissingExtra, Problems


def test_everything_is_an_aver_error() -> None:
    kinds = [getattr(errors, name) for name in errors.__all__ if name != "Problems"]
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
