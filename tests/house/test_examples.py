"""Every example runs: in docstrings, on cards, in the README; and the generated pages are what they should be."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import aver
from aver import measures

ROOT = Path(__file__).resolve().parents[2]
SOURCE = Path(aver.__file__).parent
NAMES = sorted(
    ".".join(("aver", *path.relative_to(SOURCE).with_suffix("").parts)).removesuffix(".__init__")
    for path in SOURCE.rglob("*.py")
)
OPTIONS = doctest.ELLIPSIS
EXTRA = {"fastapi", "matplotlib", "onnxruntime", "ray", "safetensors", "tokenizers", "torch", "transformers"}


@pytest.mark.parametrize("name", NAMES)
def test_docstrings(name: str) -> None:
    try:
        module = importlib.import_module(name)
    except ImportError as error:
        root = (error.name or "").split(".")[0]
        if root in EXTRA:
            pytest.skip(f"{name} needs {root}, which is not installed")
        raise
    result = doctest.testmod(module, optionflags=OPTIONS)
    assert result.failed == 0


@pytest.mark.parametrize("kind", measures(), ids=lambda kind: kind.name)
def test_cards(kind: Any) -> None:
    assert ">>>" in kind.card.example
    _run(kind.card.example, f"card of {kind.name}")


def test_python_in_the_readme() -> None:
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)
    assert blocks
    for number, block in enumerate(blocks, 1):
        _run(block, f"README block {number}")


def test_commands_in_the_readme(run_cli: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """What the README shows after `$ aver …` is what the command prints."""
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```console\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.S)
    shown = [part for block in blocks for part in re.split(r"^\$ ", block, flags=re.M)[1:]]
    ran = 0
    for part in shown:
        line, _, output = part.partition("\n")
        words = shlex.split(line)
        if words[0] == "aver":
            done = run_cli(*words[1:])
            assert done.code == 0, done.err
            assert [row.rstrip() for row in done.out.splitlines()] == [row.rstrip() for row in output.splitlines()]
            ran += 1
    assert ran


def test_generated_pages_are_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    assert generate.stale(generate.pages()) == [], "run `make docs`"


def _run(text: str, name: str) -> None:
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    told: list[str] = []
    result = doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=told.append)
    assert result.failed == 0, "".join(told)
