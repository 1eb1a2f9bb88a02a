"""`aver diff`: what changed between two versions of a text. In Python: `aver.diff`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from aver.cli._output import Finite, json_option, model_option, print_json, progress
from aver.errors import InputError, Problems, count_of

if TYPE_CHECKING:
    from aver.revisions import Diff, SentenceChange

__all__ = ["command"]


@click.command("diff")
@click.argument("old", type=click.Path())
@click.argument("new", type=click.Path())
@click.option("--no-flag", is_flag=True, help="Align and compare only; no model is loaded.")
@click.option("--flagger", default="aver", show_default=True, help="Who flags: aver, pair, diff or distance.")
@model_option("The judge it reads with: a name or a folder.")
@click.option("--threshold", type=Finite(0, 1), help="Flag from this probability on, not the flagger's own.")
@click.option("--all", "everything", is_flag=True, help="Show moved, added and removed sentences in full.")
@click.option("--strict", "--exit-code", "strict", is_flag=True, help="Exit with 1 where an edit changes a fact.")
@click.option("--threads", type=click.IntRange(1), help="How many compute at once.  [default: AVER_THREADS, else all]")
@json_option
@click.pass_context
def command(
    ctx: click.Context, old: str, new: str, no_flag: bool, flagger: str, model: str, threshold: float | None,
    everything: bool, strict: bool, threads: int | None, as_json: bool,
) -> None:  # fmt: skip
    """What changed between two versions of a text, and which edits change a fact.

    Sentences are aligned (moved, reworded, split, merged, added, removed), and the words of each pair compared:
    [-taken out-]{+put in+}. An edited pair has the probability that a fact changed, and what it touches: quantity,
    date, entity, negation or other. OLD and NEW are text, Markdown, HTML or PDF; one of them can be - for standard
    input.

    \b
    aver diff monday.txt tuesday.txt
    git show HEAD~1:page.md | aver diff - page.md --strict
    """
    from aver.revisions import FLAGGERS, diff

    if no_flag and strict:
        raise click.UsageError("--strict needs the flags that --no-flag leaves out")
    if flagger not in FLAGGERS:
        raise click.UsageError(f"--flagger is {flagger!r}; it can be: {', '.join(FLAGGERS)}")
    if old == new == "-":
        raise click.UsageError("only one of the two versions can be standard input")
    problems = Problems()
    texts = [_read(path, problems) for path in (old, new)]
    problems.raise_if_any("the versions cannot be compared")
    if not any(text.strip() for text in texts):
        raise InputError(f"{old} and {new}: both are empty; there is nothing to compare")
    with progress("flagging edits") as advance:
        found = diff(
            *texts, flag=not no_flag, flagger=flagger, model=model, threshold=threshold, threads=threads,
            progress=advance,
        )  # fmt: skip
    if as_json:
        print_json(found.as_dict())
    else:
        _print(found, everything)
    if strict and found.factual:
        ctx.exit(1)


def _read(path: str, problems: Problems) -> str:
    from aver.collection.readers import (
        Incoming,
        ReadOptions,
        detect_format,
        foreign,
        given_path,
        head,
        read_file,
        read_prose,
    )

    place = given_path(path)
    if path == "-" or (place.exists() and not place.is_file() and not place.is_dir()):
        try:
            text = read_prose(path, rows="`aver diff` compares one text with another")
        except InputError as error:
            problems.add("", str(error))
            return ""
        return text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not place.is_file():
        problems.add(path, "is a directory; name a file" if place.is_dir() else "there is no such file")
        return ""
    if place.stat().st_size == 0:
        return ""
    try:
        # a file without a telling name is text
        options = ReadOptions(format=None if detect_format(place) or foreign(head(place)) else "text")
        items = list(read_file(place, options)[1])
    except (InputError, OSError) as error:
        said = str(error)
        problems.add("" if said.startswith(path) else path, said)
        return ""
    documents = [item for item in items if isinstance(item, Incoming)]
    if len(documents) == 1:
        return documents[0].text
    problems.add(path, f"holds {count_of(len(documents), 'document')}; `aver diff` compares one text with another")
    return ""


def _print(found: Diff, everything: bool) -> None:
    counts = [f"{count:,} {name}" for name, count in found.counts.items() if count]
    flagged = f"; {len(found.factual):,} factual" if found.flagger else ""
    click.echo(f"sentences: {', '.join(counts) or 'none'}{flagged}")
    for change in found.changes:
        if change.pair.alignment in ("moved", "added", "removed"):
            _print_plain(change, everything)
        else:
            _print_edit(change)
    if found.flagger:
        click.echo(f"\nflagged by {found.flagger}")


def _print_edit(change: SentenceChange) -> None:
    from aver.revisions._word_diff import marked

    pair, flag = change.pair, change.flag
    how = pair.alignment + (", moved" if pair.moved else "")
    if flag is None:
        head = how
    elif flag.probability is None:
        head = f"{how}  not flagged: {flag.reason}"
    else:
        word = click.style("FACTUAL", fg="red", bold=True) if flag.factual else "not factual"
        head = f"{word} {flag.probability:.2f}  {', '.join(flag.kinds)}  ({how})"
    click.echo(f"\n{head}\n  {_coloured(marked(pair.before_text, pair.after_text))}")


def _print_plain(change: SentenceChange, everything: bool) -> None:
    pair = change.pair
    text = pair.after_text or pair.before_text
    shown = text if everything or len(text) <= 100 else text[:97] + "…"
    sign = {"moved": "~", "added": "+", "removed": "-"}[pair.alignment]
    click.echo(f"\n{pair.alignment}\n  {sign} {shown}")


def _coloured(text: str) -> str:
    import re

    text = re.sub(r"\[-(.*?)-\]", lambda m: click.style(m[0], fg="red"), text, flags=re.DOTALL)
    return re.sub(r"\{\+(.*?)\+\}", lambda m: click.style(m[0], fg="green"), text, flags=re.DOTALL)
