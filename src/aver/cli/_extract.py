"""`aver extract`: what an edit makes true, and what it makes no longer true. In Python: `aver.extract`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from aver.cli._output import json_option, model_option, print_json
from aver.cli._rows import guarded, run_rows
from aver.errors import InputError

if TYPE_CHECKING:
    from aver.revisions import Extraction

__all__ = ["command"]

_OURS = frozenset({"edit", "prediction", "gained", "lost", "status", "model", "reason"})


@click.command("extract")
@click.argument("rows", metavar="[ROWS.jsonl|-]", required=False)
@click.option("--before", help="The sentence before the edit.")
@click.option("--after", help="The sentence after it.")
@click.option("--edit", help="Both at once, as the VitaminC paper writes them: 'sales of{*| 4.7 -> 5.4 |}million'.")
@click.option("--title", help="The page's title: it stands for a pronoun at the head of the sentence.")
@model_option("The judge: a name, a folder, hf:ID or llm:MODEL.")
@click.option("--threads", type=click.IntRange(1), help="How many compute at once.  [default: AVER_THREADS, else all]")
@click.option("--output", type=click.Path(dir_okay=False), help="Append JSON lines to this file; run again to go on.")
@json_option
def command(
    rows: str | None, before: str | None, after: str | None, edit: str | None, title: str | None, model: str,
    threads: int | None, output: str | None, as_json: bool,
) -> None:  # fmt: skip
    """The claims an edit makes true, and those it makes no longer true.

    Each claim is short, stands for itself, and is read by the judge against both versions: it is kept where one
    supports it and the other does not. Where there is none, the answer is a reason, and the exit code is 1; of a file
    it is 0, or 2 where some rows could not be used: they are named on standard error.

    ROWS.jsonl has one JSON object a line with `before` and `after`, or `edit`, and maybe `title`; - reads standard
    input. Each output line keeps the fields of its input and adds `prediction` (the first claim gained, or null),
    gained, lost, edit, status, model and reason. With --output the work can be stopped and goes on when run again.
    """
    from aver.models import load_judge
    from aver.revisions import extract, read_edit

    single = before is not None or after is not None or edit is not None
    if single and rows is not None:
        raise click.UsageError("give one edit or a file of rows, not both")
    if not single and rows is None:
        raise click.UsageError("give --before and --after, or --edit, or a file of rows (- reads standard input)")
    if single and (edit is None) == (before is None or after is None):
        raise click.UsageError("give --before and --after, or --edit")
    if single and output is not None:
        raise click.UsageError("--output goes with a file of rows")
    if not single and title is not None:
        raise click.UsageError("--title goes with one edit; rows have a title of their own")
    judge = load_judge(model, threads=threads)

    def both(row: dict[str, Any]) -> tuple[Any, Any]:
        old, new = row.get("before"), row.get("after")
        if old is None and new is None and row.get("edit") is not None:
            if not isinstance(row["edit"], str):
                raise InputError("edit is no text")
            old, new, _ = read_edit(row["edit"])
        return old, new

    def one(row: dict[str, Any]) -> Extraction:
        old, new = both(row)
        return extract(old, new, title=row.get("title"), judge=judge)

    def taken(row: dict[str, Any]) -> dict[str, Any]:
        try:
            return row | dict(zip(("before", "after"), both(row), strict=True))
        except InputError:
            return row

    if single:
        found = one({"before": before, "after": after, "edit": edit, "title": title})
        if as_json:
            print_json(found.as_dict())
        else:
            _print(found)
        if found.status != "scored":
            click.get_current_context().exit(1)
        return
    assert rows is not None
    run_rows(
        rows, lambda batch: [guarded(lambda row: one(row).as_dict(), row) for row in batch], what="extracting",
        ours=_OURS, taken=taken, output=output, as_json=as_json, readable=_line, made={"model": judge.model},
    )  # fmt: skip


def _print(found: Extraction) -> None:
    click.echo(found.edit)
    sides = (("true after, not before", "+", found.gained), ("true before, not after", "-", found.lost))
    for name, sign, claims in sides:
        if claims:
            click.echo(f"{name}:")
        for claim in claims:
            said = ", ".join(
                f"{side} {judgement.label} {judgement.probabilities[judgement.label]:.3f}"
                for side, judgement in (("before", claim.before), ("after", claim.after))
                if judgement.label is not None
            )
            click.echo(click.style(f"  {sign} {claim.text}", fg="green" if sign == "+" else "red") + f"  ({said})")
    if found.reason:
        click.echo(f"{found.status if found.status != 'scored' else 'note'}: {found.reason}")


def _line(row: dict[str, Any]) -> str:
    if row["status"] != "scored":
        return f"{row['status']:<10} {row.get('reason', '')}"
    claims = [f"+ {c['claim']}" for c in row["gained"][:1]] + [f"- {c['claim']}" for c in row["lost"][:1]]
    return f"{row['status']:<10} {'  '.join(claims)}"
