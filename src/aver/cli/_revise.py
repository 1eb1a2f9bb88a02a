"""`aver revise`: the smallest edit that makes a sentence agree with a claim. In Python: `aver.revise`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from aver.cli._output import json_option, model_option, print_json
from aver.cli._rows import guarded, run_rows
from aver.errors import count_of

if TYPE_CHECKING:
    from aver.revisions import Revision

__all__ = ["command"]

_OURS = frozenset({
    "prediction", "edit", "changes", "size", "verdict_before", "verdict_after", "tried", "status", "reviser", "model",
    "most_words", "reason",
})  # fmt: skip


@click.command("revise")
@click.argument("rows", metavar="[ROWS.jsonl|-]", required=False)
@click.option("--sentence", help="The sentence to revise.")
@click.option("--claim", help="What it should agree with.")
@click.option("--with", "reviser", default="rules", show_default=True, help="rules, seq2seq:FOLDER_OR_ID or llm:MODEL.")
@click.option("--most-words", type=click.IntRange(1), help="The largest edit, in words that go or come.  [default: 12]")
@model_option("The judge: a name, a folder, hf:ID or llm:MODEL.")
@click.option("--threads", type=click.IntRange(1), help="How many compute at once.  [default: AVER_THREADS, else all]")
@click.option("--output", type=click.Path(dir_okay=False), help="Append JSON lines to this file; run again to go on.")
@json_option
def command(
    rows: str | None, sentence: str | None, claim: str | None, reviser: str, most_words: int | None, model: str,
    threads: int | None, output: str | None, as_json: bool,
) -> None:  # fmt: skip
    """The smallest edit that makes a sentence agree with a claim.

    Words, names, numbers and dates that conflict with the claim are replaced by what the claim says, in the sentence's
    own way of writing; a number that only has to be larger or smaller becomes the nearest one that is. The rest of
    the sentence stays. Where no small edit does it, the answer is a reason, and the exit code is 1; of a file it is 0,
    or 2 where some rows could not be used: they are named on standard error.

    ROWS.jsonl has one JSON object a line with `sentence` and `claim`; - reads standard input. Each output line keeps
    the fields of its input and adds `prediction` (null where the revision is refused), edit, changes, size,
    verdict_before, verdict_after, status, reviser, model, most_words and reason. With --output the work can be stopped
    at any time and goes on when run again.
    """
    from aver.models import load_judge
    from aver.revisions import load_reviser, revise
    from aver.revisions._revise import MOST_WORDS

    single = sentence is not None or claim is not None
    if single and (rows is not None or sentence is None or claim is None):
        raise click.UsageError("give --sentence and --claim, or a file of rows (- reads standard input), not both")
    if not single and rows is None:
        raise click.UsageError("give --sentence and --claim, or a file of rows with both (- reads standard input)")
    if single and output is not None:
        raise click.UsageError("--output goes with a file of rows")
    judge = load_judge(model, threads=threads)
    writer = reviser if reviser == "rules" else load_reviser(reviser)
    limit = MOST_WORDS if most_words is None else most_words

    def one(row: dict[str, Any]) -> dict[str, Any]:
        found = revise(row.get("sentence"), row.get("claim"), judge=judge, reviser=writer, most_words=limit)  # type: ignore[arg-type]
        return found.as_dict()

    if single:
        assert sentence is not None
        assert claim is not None
        found = revise(sentence, claim, judge=judge, reviser=writer, most_words=limit)
        if as_json:
            print_json(found.as_dict())
        else:
            _print(found)
        if found.text is None:
            click.get_current_context().exit(1)
        return
    assert rows is not None
    run_rows(
        rows, lambda batch: [guarded(one, row) for row in batch], what="revising", ours=_OURS,
        output=output, as_json=as_json, readable=_line,
        made={
            "model": judge.model,
            "reviser": "rules" if isinstance(writer, str) else writer.model,
            "most_words": limit,
        },
    )  # fmt: skip


def _print(found: Revision) -> None:
    if found.text is None:
        click.echo(click.style("refused", fg="yellow", bold=True) + f": {found.reason}")
        return
    click.echo(found.text)
    for change in found.changes:
        old, new = (" ".join(text.split()) or "–" for text in (change.old, change.new))
        click.echo(f"  {change.kind}: {click.style(old, fg='red')} → {click.style(new, fg='green')}")
    if found.reason:
        click.echo(f"  note: {found.reason}")
    for name, judgement in (("before", found.before), ("after", found.after)):
        if judgement is not None and judgement.label is not None:
            click.echo(f"  {name}: {judgement.label} {judgement.probabilities[judgement.label]:.3f}")
    click.echo(f"  {count_of(found.tried, 'edit')} tried; judge: {found.model}")


def _line(row: dict[str, Any]) -> str:
    if row["prediction"] is None:
        return f"{row['status']:<10} {row.get('reason', '')}"
    return f"{row['status']:<10} {row['edit']}"
