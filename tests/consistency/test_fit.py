"""The fit of the weights, on numbers made here: what it learns, and what it writes."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from aver.consistency._weighing import FEATURES, RAW
from aver.consistency._weighing import Numbers as Sentence

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture(scope="module")
def fitting() -> Iterator[ModuleType]:
    if not BENCHMARKS.is_dir():
        pytest.skip("needs the checkout's folder benchmarks")
    sys.path.insert(0, str(BENCHMARKS))
    try:
        yield importlib.import_module("_consistency_fit")
    finally:
        sys.path.remove(str(BENCHMARKS))


def made(fitting: ModuleType, *, systems: int, seed: int = 0) -> object:
    """Texts of two sentences; people follow `joint`, and every system is as much better as its number says."""
    rng = np.random.default_rng(seed)
    count = 240
    group = rng.integers(systems, size=count)
    sentences, human = [], []
    for text in range(count):
        joint = rng.normal(size=2)
        chance = 1 / (1 + np.exp(-(2 * joint - 1 + 1.5 * group[text])))
        human.append(float(np.mean(rng.random(2) < chance)))
        # the system's number leaks into `triples`: without constants of its own it would be learnt as a merit
        leak = group[text] + rng.normal(0, 0.1, 2)
        sentences += [
            Sentence(dict.fromkeys(RAW, 0.0) | {"joint": j, "triples": t}, 0.5)
            for j, t in zip(joint, leak, strict=True)
        ]
    features = np.array([[s.feature(name) for name in FEATURES] for s in sentences])
    folds = np.arange(count) % fitting.FOLDS
    return fitting.Numbers(
        features, sentences, np.repeat(np.arange(count), 2), np.array(human), np.ones(2 * count),
        np.zeros(2 * count), group, folds, group.astype(str),
    )  # fmt: skip


def test_what_people_follow_is_learnt_and_systems_are_not(
    fitting: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fitting, "PENALTY_OF_CONSTANTS", 0.01)
    some = made(fitting, systems=3)
    coefficients, constant = fitting._coefficients([some], [1.0])
    by_name = dict(zip(FEATURES, coefficients, strict=True))
    assert by_name["own_joint"] > 0.5
    alone = some._replace(group=np.zeros_like(some.group))  # type: ignore[attr-defined]
    leaked = dict(zip(FEATURES, fitting._coefficients([alone], [1.0])[0], strict=True))
    assert leaked["copied_triples"] > 2 * abs(by_name["copied_triples"])
    scores = fitting._values(some, coefficients, constant)
    assert ((scores >= 0) & (scores <= 1)).all()
    assert fitting.partial(scores, some) > 0.4


def test_texts_can_be_chosen(fitting: ModuleType) -> None:
    some = made(fitting, systems=2)
    part = some.of(some.fold == 1)  # type: ignore[attr-defined]
    assert len(part.human) == 48
    assert part.text.tolist() == np.repeat(np.arange(48), 2).tolist()
    assert part.features.shape == (96, len(FEATURES))


def test_people_mark_other_words_than_ours(fitting: ModuleType) -> None:
    row = fitting.sets.Marked("Ex-pats sing, loudly.", "…", ((0, 2), (14, 20)))
    marks, human = fitting.marked_words(row, [0.9, 0.2, 0.1, 0.8, 0.3])
    assert marks.tolist() == [0.9, 0.2, 0.8]
    assert human.tolist() == [True, False, True]


def test_an_entry_is_put_into_the_table(
    fitting: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "src" / "aver" / "consistency" / "_weighing.py"
    file.parent.mkdir(parents=True)
    file.write_text('a = 1\nWEIGHTS: dict[str, Weights] = {\n    "x": Weights(\n        1,\n    ),\n}\nb = 2\n')
    monkeypatch.setattr(fitting.sets, "ROOT", tmp_path)
    fitting._write("default", '    "default": Weights(\n        2,\n    ),\n')
    fitting._write("x", '    "x": Weights(\n        3,\n    ),\n')
    both = '    "default": Weights(\n        2,\n    ),\n    "x": Weights(\n        3,\n    ),\n'
    assert file.read_text() == "a = 1\nWEIGHTS: dict[str, Weights] = {\n" + both + "}\nb = 2\n"
