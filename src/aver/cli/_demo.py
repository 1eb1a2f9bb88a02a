"""`aver demo`: the main jobs on small built-in files, each shown as the command that does it."""

from __future__ import annotations

import contextlib
import importlib.resources
import shlex
import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

import click

from aver.errors import InputError, count_of

__all__ = ["STEPS", "Step", "command"]


class Step(NamedTuple):
    """One job: what it is for, and the words after `aver`; file names are those of the examples."""

    title: str
    words: str


# To show another job, add a step here and its files to examples/.
STEPS = (
    Step(
        "Make a collection of 41 short documents about a town that does not exist",
        "collection add ./archive archive.jsonl",
    ),
    Step(
        "Does it say so? The label, the sentence, and the words that decide in brackets",
        'check "Gull Point Lighthouse was built before 1890." --in ./archive',
    ),
    Step(
        "Numbers are compared by rule beside the model",
        'check "Mount Harrow is more than 1,200 metres high." --in ./archive',
    ),
    Step(
        "Where the sources disagree, both sides are shown",
        'check "Nobody died in the fire at the Arle Ropeworks." --in ./archive',
    ),
    Step(
        "What the collection does not say is not guessed", 'check "Arle Brewery exports beer to Canada." --in ./archive'
    ),
    Step(
        "A dozen claims, each with the label it should get; the accuracy stands at the end",
        "check --claims claims.jsonl --in ./archive --output checked.jsonl",
    ),
    Step(
        "A text: which sentences are claims, which quotations are true to the source",
        "check --text article.txt --in ./archive",
    ),
    Step("The mayor today …", 'check "The mayor of Arle is Nora Stein." --in ./archive'),
    Step("… three documents are revised …", "collection add ./archive archive_later.jsonl"),
    Step("… and the same claim tomorrow", 'check "The mayor of Arle is Nora Stein." --in ./archive'),
    Step(
        "Score a system that verifies claims as the FEVER shared task does, and say where the points went",
        "score fever predictions.jsonl gold.jsonl --official --explain",
    ),
    Step(
        "The same predictions by the other definition in use, the metric card's",
        "score fever predictions.jsonl gold.jsonl",
    ),
    Step(
        "Verdicts against gold: per class, calibrated or not, and do they change when the facts change",
        "score classification verdicts.jsonl --flip case_id",
    ),
    Step("How far voters agree, by topic", "agree votes.jsonl --slice topic"),
)


@click.command("demo")
@click.option("--files", type=click.Path(file_okay=False), metavar="FOLDER", help="Only copy the examples there.")
def command(files: str | None) -> None:
    """Run the main jobs on built-in examples.

    Each job is printed as the command you would type, then run for real.
    """
    if files is not None:
        names = copy_examples(Path(files))
        click.echo(f"{count_of(len(names), 'file')} in {files}: {', '.join(names)}")
        return
    from aver.cli._main import app

    with tempfile.TemporaryDirectory(prefix="aver-demo-") as folder, contextlib.chdir(folder):
        copy_examples(Path(folder))
        for number, step in enumerate(STEPS, 1):
            click.secho(f"{number}. {step.title}", bold=True)
            click.secho(f"$ aver {step.words}\n", fg="cyan")
            app.main(args=shlex.split(step.words), prog_name="aver", standalone_mode=False)
            click.echo()
    click.echo("`aver demo --files FOLDER` gives you these files; `aver --help` lists every command.")


def copy_examples(folder: Path) -> list[str]:
    """Copies the example files into a folder, which is made if need be, and says their names."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with importlib.resources.as_file(importlib.resources.files("aver.cli") / "examples") as examples:
            names = sorted(path.name for path in examples.iterdir() if path.is_file())
            for name in names:
                shutil.copyfile(examples / name, folder / name)
    except OSError as error:
        raise InputError(f"{folder}: the examples cannot be written there: {error.strerror}") from error
    return names
