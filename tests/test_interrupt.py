"""Ctrl-C while the command begins: one line and exit code 130, whatever is being imported."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import aver

# Python's own start runs this; the process then interrupts itself where it looks for a module, however long that takes.
# What runs the tests may have Ctrl-C ignored, and hands that on.
CUSTOM = """
import signal, sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == {at!r}:
            sys.meta_path.remove(self)
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Finder())
signal.signal(signal.SIGINT, {answer})
"""
SCRIPT = "from aver.cli import main\nmain()\n"
DEFAULT = "signal.default_int_handler"


def run(folder: Path, words: list[str], at: str, answer: str = DEFAULT) -> tuple[int, str]:
    (folder / "sitecustomize.py").write_text(CUSTOM.format(at=at, answer=answer), encoding="utf-8")
    path = os.pathsep.join([str(folder), str(Path(aver.__file__).parents[1])])
    environment = os.environ | {"PYTHONPATH": path}
    done = subprocess.run([sys.executable, *words], env=environment, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stderr


@pytest.mark.parametrize("at", ["aver.measures", "aver.cli", "click"])
@pytest.mark.parametrize("how", ["script", "module"])
def test_it_ends_the_command_with_one_line(tmp_path: Path, how: str, at: str) -> None:
    script = tmp_path / "bin" / "aver"
    script.parent.mkdir()
    script.write_text(SCRIPT, encoding="utf-8")
    words = [str(script)] if how == "script" else ["-m", "aver"]
    assert run(tmp_path, [*words, "models", "list"], at) == (130, "aver: interrupted\n")


def test_once_the_command_runs_it_is_an_exception_again(tmp_path: Path) -> None:
    # click ends the line that a terminal shows ^C in
    assert run(tmp_path, ["-m", "aver", "models", "list"], "aver.cli._models_list") == (130, "\naver: interrupted\n")


def test_where_it_is_ignored_it_stays_so(tmp_path: Path) -> None:
    assert run(tmp_path, ["-m", "aver", "--version"], "click", "signal.SIG_IGN") == (0, "")


def test_a_program_that_imports_aver_has_its_own_answer(tmp_path: Path) -> None:
    program = "try:\n    import aver\nexcept KeyboardInterrupt:\n    raise SystemExit(7)"
    assert run(tmp_path, ["-c", program], "aver.measures") == (7, "")
