"""Every command helps, is listed as it describes itself, and stands in the documentation."""

from __future__ import annotations

import os
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


# what these name is an encoder, and no judge
ENCODERS = {"aver search", "aver collection embed"}


@pytest.mark.parametrize("name", COMMANDS)
def test_an_option_has_the_same_names_everywhere(name: str) -> None:
    options = [p for p in COMMANDS[name].params if isinstance(p, click.Option)]
    for first, second in (("--model", "--judge"), ("--strict", "--exit-code")):
        for option in options:
            is_other = (name in ENCODERS and first == "--model") or (name == "aver watch run" and first == "--strict")
            if {first, second} & {*option.opts} and not is_other:
                assert option.opts == [first, second]


def test_a_judge_can_be_named_either_way(run_cli: Callable[..., Any]) -> None:
    words = ("explain", "--claim", "Tea is hot.", "--evidence", "Tea is cold.", "--json")
    told = [run_cli(*words, option, "fast").out for option in ("--model", "--judge")]
    assert told[0] == told[1]
    assert '"fast@' in told[0]


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


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (["check", "-5 degrees were measured.", "--evidence", "x"], "aver check … -- '-5 degrees were measured.'"),
        (["check", "--5 degrees, he said.", "--evidence", "x"], "aver check … -- '--5 degrees, he said.'"),
        (["judge", "-pairs.jsonl"], "aver judge … -- -pairs.jsonl"),
    ],
)
def test_what_begins_with_a_dash_is_told_its_place(words: list[str], shown: str, run_cli: Callable[..., Any]) -> None:
    done = run_cli(*words)
    assert done.code == 2
    assert "No such option" in done.err
    assert f"stands last, behind --: {shown}\n" in done.err


@pytest.mark.parametrize(
    "words", [["check", "--evdence=It is so."], ["-5 degrees"], ["check", "--evdence", "-5 degrees"]]
)
def test_a_mistyped_option_is_not_told_of_dashes(words: list[str], run_cli: Callable[..., Any]) -> None:
    done = run_cli(*words)
    assert done.code == 2
    assert "behind --" not in done.err


@pytest.mark.parametrize(
    "words",
    [
        ["judge", "p.jsonl", "--timeout", "nan"],
        ["judge", "p.jsonl", "--timeout", "-1"],
        ["judge", "p.jsonl", "--timeout", "inf"],
        ["judge", "p.jsonl", "--prices", "nan", "-1"],
        ["judge", "p.jsonl", "--prices", "1", "-1"],
        ["judge", "p.jsonl", "--prices", "inf", "1"],
        ["check", "It is so.", "--evidence", "It is.", "--dispute", "nan"],
        ["check", "It is so.", "--evidence", "It is.", "--abstain", "nan"],
        ["diff", "a.txt", "b.txt", "--threshold", "nan"],
        ["score", "flagging", "a.jsonl", "b.jsonl", "--threshold", "nan"],
        ["watch", "run", "--in", "c", "--timeout", "nan"],
    ],
)
def test_numbers_that_are_none_are_refused(words: list[str], run_cli: Callable[..., Any]) -> None:
    done = run_cli(*words)
    assert (done.code, done.out) == (2, "")
    option = next(word for word in reversed(words) if word.startswith("--"))
    assert f"Invalid value for '{option}'" in done.err


FULL = Path("/dev/full")


@pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("words", [["--help"], ["score", "--list"], ["score", "--list", "--json"]])
def test_an_output_without_room_is_told_of(words: list[str]) -> None:
    with FULL.open("wb") as full:
        done = subprocess.run([sys.executable, "-m", "aver", *words], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr == "aver: the output cannot be written: No space left on device; make room, and run it again\n"


def test_a_reader_that_goes_away_is_no_bad_answer() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    words = [sys.executable, "-m", "aver", "score", "--list"]
    done = subprocess.run(words, stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")


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
