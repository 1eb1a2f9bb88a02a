"""Every command helps, is listed as it describes itself, and stands in the documentation."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from aver.cli._lazy import LazyGroup
from aver.cli._main import app

DOCS = Path(__file__).resolve().parents[2] / "docs"


def walk(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for word in command.list_commands(context):
            below = command.get_command(context, word)
            assert below is not None
            yield from walk(below, f"{name} {word}")


COMMANDS = dict(walk(app, "aver"))


@pytest.mark.parametrize("name", COMMANDS)
def test_it_has_help(name: str, run_cli: Callable[..., Any]) -> None:
    command = COMMANDS[name]
    assert command.help
    assert command.help.splitlines()[0].endswith("."), "the first line is a sentence: it stands alone in lists"
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{parameter.opts} has no help"
    for option in ("--help", "-h"):
        done = run_cli(*name.split()[1:], option)
        assert done.code == 0
        assert done.out.startswith(f"Usage: {name} ")


@pytest.mark.parametrize("name", [name for name, command in COMMANDS.items() if isinstance(command, LazyGroup)])
def test_lists_say_what_the_commands_say(name: str) -> None:
    group = COMMANDS[name]
    assert isinstance(group, LazyGroup)
    for word, (module, line) in group.verbs.items():
        command = COMMANDS[f"{name} {word}"]
        assert command.help is not None
        assert line == command.help.splitlines()[0], f"{module} and the list of {name} disagree"
        assert command.name == word


@pytest.mark.parametrize("name", COMMANDS)
def test_it_stands_in_the_documentation(name: str) -> None:
    assert f"\n## {name}\n" in (DOCS / "commands.md").read_text(encoding="utf-8")


def test_a_mistyped_command_and_option_exit_with_2(run_cli: Callable[..., Any]) -> None:
    for words in (["scor"], ["score", "feber"], ["score", "fever", "--ofical", "a", "b"], ["score", "--card", "nDCG"]):
        done = run_cli(*words)
        assert done.code == 2
        assert done.out == ""
        assert done.err


def test_score_lists_and_describes_measures(run_cli: Callable[..., Any]) -> None:
    listed = run_cli("score", "--list", "--json").json
    names = [card["measure"] for card in listed]
    assert {"FEVER(card)", "FEVER(official)@5"} <= set(names)
    assert len(set(names)) == len(names)
    table = run_cli("score", "--list").out
    assert all(name in table for name in names)
    page = run_cli("score", "--card", "fever(official)")
    assert page.code == 0
    assert page.out.startswith("# FEVER")
    assert "## Edge cases" in page.out
    assert run_cli("score", "--card", "FEVER(official)@3", "--json").json["measure"] == "FEVER(official)@3"
    assert run_cli("score").out == run_cli("score", "--help").out
    assert run_cli("score", "--list", "--card", "FEVER").code == 2
    assert run_cli("score", "--list", "fever", "a", "b").code == 2


def test_help_imports_no_heavy_module() -> None:
    heavy = ("matplotlib", "rich", "sacrebleu", "rouge_score", "scipy.stats", "nltk", "onnxruntime", "torch")
    code = (
        "import sys\nfrom aver.cli import main\n"
        "try: main(['--help'])\nexcept SystemExit: pass\n"
        f"print('heavy:', [m for m in {heavy!r} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "heavy: []"


@pytest.mark.parametrize("code", [0, 1])
def test_a_verb_says_how_it_ends(code: int, run_cli: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command("told")
    @click.pass_context
    def told(ctx: click.Context) -> None:
        """Ends with the code that says whether the answer is the bad one."""
        ctx.exit(code)

    monkeypatch.setitem(app.commands, "told", told)
    assert run_cli("told").code == code


def test_the_package_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "aver", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("aver ")
