"""What can be put to the proof, and what is said where it cannot."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from aver.consistency import metric, metrics
from aver.errors import AverError, InputError
from aver.prove import open_subject


def asked(subject: Any) -> list[Any]:
    return list(subject.raw(["one two", "three"], ["one", "three"]))


def test_built_in_names_and_unknown_ones() -> None:
    subject = open_subject("rouge-1")
    assert (subject.kind, subject.again) == ("built-in", "rouge-1")
    assert asked(subject) == [0.5, 1.0]
    with pytest.raises(InputError) as error:
        open_subject("rouge_1")
    assert all(name in str(error.value) for name in metrics())
    with pytest.raises(AverError, match="judge"):
        open_subject("rouge-1", judge="fast")


def test_functions_of_lists_and_of_one_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tmp_path / "my_metrics_for_a_test.py"
    module.write_text(
        "def many(texts, sources):\n    'Counts.'\n    return [len(t) for t in texts]\n"
        "def one(text, source):\n    return len(text)\n"
        "def noted(a: str, b: str) -> float:\n    return len(a)\n"
        "def listed(a: 'list[str]', b: 'list[str]'):\n    return [len(t) for t in a]\n"
        "def unnamed(a, b):\n    return [len(t) for t in a]\n"
        "def unnamed_one(a, b):\n    return len(a.strip())\n"
        "def alone(text):\n    return 1\n"
        "class Scorer:\n    name = 'held'\n"
        "    def score(self, texts, sources):\n        return [len(t) for t in texts]\n"
        "number = 5\n"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    for name in ("many", "one", "noted", "listed", "unnamed", "unnamed_one", "Scorer"):
        subject = open_subject(f"my_metrics_for_a_test:{name}")
        assert asked(subject) == [7, 5], name
        assert subject.name == f"my_metrics_for_a_test:{name}"
        assert asked(open_subject(f"{module}:{name}")) == [7, 5]
    assert open_subject(f"{module}:many").what == "Counts."
    assert asked(open_subject(f"{module}:unnamed_one", call="pair")) == [7, 5]
    for spec, said in (
        ("my_metrics_for_a_test:mnay", "has no 'mnay'; it has: Scorer, alone"),
        ("my_metrics_for_a_test:number", "is a number, not a function"),
        ("my_metrics_for_a_test:alone", "must take two arguments"),
        ("no_such_module_here:f", "no module 'no_such_module_here'"),
        (f"{tmp_path}/none.py:f", "there is no file"),
    ):
        with pytest.raises(InputError, match=said):
            open_subject(spec)
    (tmp_path / "broken_for_a_test.py").write_text("1 / 0\n")
    with pytest.raises(InputError, match=r"importing .* raised ZeroDivisionError"):
        open_subject("broken_for_a_test:f")


def test_a_function_that_was_changed_is_another_one(tmp_path: Path) -> None:
    file = tmp_path / "changing.py"
    file.write_text("def f(texts, sources):\n    return [0.0 for _ in texts]\n")
    before = open_subject(f"{file}:f").identity
    assert open_subject(f"{file}:f").identity == before
    file.write_text("def f(texts, sources):\n    return [1.0 for _ in texts]\n")
    assert open_subject(f"{file}:f").identity != before


def test_objects_that_score_and_things_that_do_not() -> None:
    class Held:
        name = "held"
        model = "m@1"

        def score(self, texts: Sequence[str], sources: Sequence[str]) -> list[float]:
            return [1.0 for _ in texts]

    subject = open_subject(Held())
    assert (subject.name, subject.model, asked(subject)) == ("held", "m@1", [1.0, 1.0])
    assert asked(open_subject(metric("rouge-1"))) == [0.5, 1.0]
    with pytest.raises(InputError, match="not a number"):
        open_subject(5)
    with pytest.raises(InputError, match="call is 'both'"):
        open_subject(lambda texts, sources: texts, call="both")  # type: ignore[arg-type]
