"""`aver mine`: edited sentences from a history. In Python: `aver.mine` and `aver.revisions.contrast_set`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click
import orjson

from aver.cli._output import json_option, model_option, print_json, print_jsonl, print_table, progress
from aver.errors import InputError, count_of

if TYPE_CHECKING:
    from aver.revisions import ContrastStatistics, Flagger, MinedEdit, MiningReport

__all__ = ["command"]

_SHOWN = 5


@click.command("mine")
@click.argument("sources", metavar="DUMP...", nargs=-1, required=True)
@click.option("--output", metavar="FILE", help="Write the edits to this file, as JSON lines.")
@click.option("--contrast", metavar="FILE", help="Write claims with both evidences to this file, in VitaminC's format.")
@click.option("--limit", type=click.IntRange(1), help="The most edits in all.  [default: all there are]")
@click.option("--no-flag", is_flag=True, help="Leave the flagging out: no model is loaded, and it is much quicker.")
@click.option("--factual", "only_factual", is_flag=True, help="Write only edits that are flagged as factual.")
@click.option("--flagger", default="aver", show_default=True, help="Who flags: aver, pair, diff or distance.")
@model_option("The judge it reads with: a name or a folder.")
@click.option("--kind", type=click.Choice(("mediawiki", "git", "snapshots")), help="What DUMP is.  [default: seen]")
@click.option("--namespace", "namespaces", type=int, multiple=True, help="Of a MediaWiki dump; repeatable.  [0]")
@click.option("--threads", type=click.IntRange(1), help="How many compute at once.  [default: AVER_THREADS, else all]")
@json_option
def command(
    sources: tuple[str, ...], output: str | None, contrast: str | None, limit: int | None, no_flag: bool,
    only_factual: bool, flagger: str, model: str, kind: str | None, namespaces: tuple[int, ...], threads: int | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Find edited sentences in a history, and flag those that change a fact.

    DUMP is a MediaWiki full-history XML file (bz2, gz, xz, plain, or 7z with the extra `mediawiki`), a git
    repository, a folder of dated snapshots (2024-05-01/page.html, page-20240501.txt …), or a file of edits that this
    command wrote. Reverts and vandalism are left out. Each line has the sentence before and after, page, revision and
    parent, timestamp, comment, kind, probability, whether it is flagged, and a split by page.

    --contrast makes a data set of the flagged edits: claims that one version supports and the other does not, each
    with both versions as evidence. Files appear whole or not at all. Without --output or --contrast, --json streams the
    edits; else it prints the counts.

    \b
    aver mine simplewiki-pages-meta-history.xml.bz2 --output edits.jsonl
    aver mine edits.jsonl --contrast set.jsonl
    """
    from aver.revisions import ContrastStatistics, MiningReport

    _check(sources, output, contrast, no_flag, only_factual, flagger)
    told, made = MiningReport(), ContrastStatistics()
    asked = _flagger(flagger, model, threads, no_flag)
    shown: list[MinedEdit] = []
    with contextlib.ExitStack() as stack:
        done = stack.enter_context(progress("revisions"))
        edits = _edits(sources, asked, kind, namespaces or (0,), limit, told, done)
        if only_factual:
            edits = (edit for edit in edits if edit.factual)
        edits = _kept(edits, shown)
        if as_json and output is None and contrast is None:
            print_jsonl(edit.as_dict() for edit in edits)
            for line in _counts(told, asked is not None):
                click.echo(line, err=True)
            return
        files = [_opened(stack, path) for path in (output, contrast)]
        edits = _written(edits, files[0])
        if files[1] is None:
            for _ in edits:
                pass
        else:
            _write_contrast(edits, files[1], model, threads, made)
    if as_json:
        print_json({"mined": told.as_dict()} | ({"contrast": made.as_dict()} if contrast is not None else {}))
        return
    _print(told, shown, output, asked is not None)
    if contrast is not None:
        _print_contrast(made, contrast)


def _check(
    sources: tuple[str, ...], output: str | None, contrast: str | None, no_flag: bool, only_factual: bool, flagger: str
) -> None:
    from aver.revisions import FLAGGERS

    if no_flag and (contrast is not None or only_factual):
        raise click.UsageError("--contrast and --factual need the flags that --no-flag leaves out")
    if flagger not in FLAGGERS:
        raise click.UsageError(f"--flagger is {flagger!r}; it can be: {', '.join(FLAGGERS)}")
    places = [Path(path).resolve() for path in (output, contrast) if path is not None]
    if len(set(places)) < len(places):
        raise click.UsageError("--output and --contrast name the same file")
    for source in sources:
        if not Path(source).exists():
            raise InputError(f"{source}: there is no such file or folder")
        if Path(source).resolve() in places:
            raise InputError(f"{source}: is the input; name another file to write")
    for place in places:
        if not place.parent.is_dir():
            raise InputError(f"{place}: there is no folder {place.parent}")


def _flagger(name: str, model: str, threads: int | None, no_flag: bool) -> Flagger | None:
    from aver.revisions import load_flagger

    return None if no_flag else load_flagger(name, model=model, threads=threads)


def _edits(
    sources: tuple[str, ...], flagger: Flagger | None, kind: Any, namespaces: tuple[int, ...], limit: int | None,
    told: MiningReport, done: Callable[[int], None],
) -> Iterator[MinedEdit]:  # fmt: skip
    from aver.revisions import flagged, mine, read_mined

    for source in sources:
        left = None if limit is None else limit - told.pairs
        if left == 0:
            return
        if source.endswith((".jsonl", ".jsonl.gz")):
            rows = read_mined(source)
            asked = rows if flagger is None else flagged(rows, flagger, told, left, again=False)
            for edit in asked:
                told.pairs += 1
                done(1)
                yield edit
                if told.pairs == limit:
                    return
        else:
            yield from mine(
                source, kind=kind, namespaces=namespaces, flagger=flagger, limit=left, report=told, done=done
            )


def _kept(edits: Iterator[MinedEdit], shown: list[MinedEdit]) -> Iterator[MinedEdit]:
    """The first few factual ones are kept to be shown."""
    for edit in edits:
        if len(shown) < _SHOWN and edit.factual is not False:
            shown.append(edit)
        yield edit


def _opened(stack: contextlib.ExitStack, path: str | None) -> IO[bytes] | None:
    from aver.records import writing

    return None if path is None else stack.enter_context(writing(path))


def _written(edits: Iterator[MinedEdit], file: IO[bytes] | None) -> Iterator[MinedEdit]:
    for edit in edits:
        if file is not None:
            file.write(orjson.dumps(edit.as_dict()) + b"\n")
        yield edit


def _write_contrast(
    edits: Iterator[MinedEdit], file: IO[bytes], model: str, threads: int | None, made: ContrastStatistics
) -> None:
    from aver.models import load_judge
    from aver.revisions import contrast_set

    for row in contrast_set(edits, judge=load_judge(model, threads=threads), statistics=made):
        file.write(orjson.dumps(row.as_dict()) + b"\n")


def _counts(told: MiningReport, flagged: bool) -> Iterator[str]:
    """What was found, and what was left out."""
    factual = f", {told.factual:,} flagged as factual" if flagged else ""
    found = f"{count_of(told.pairs, 'edited sentence')}{factual}"
    # a file of edits does not say how many revisions they were found in
    of = f", of {count_of(told.revisions, 'revision')} of {count_of(told.pages, 'page')}" if told.revisions else ""
    yield found + of
    reverts = f"{count_of(told.reverts, 'revert')} (with {count_of(told.reverted, 'pair')})"
    left_out = [reverts] if told.reverts else []
    left_out += [f"{count:,} {rule}" for rule, count in told.vandalism.most_common()]
    left_out += [f"{count:,} {reason}" for reason, count in told.skipped.most_common()]
    if told.unflagged:
        left_out.append(f"{count_of(told.unflagged, 'pair')} too long to be flagged")
    if left_out:
        yield f"left out: {'; '.join(left_out)}"


def _print(told: MiningReport, shown: list[MinedEdit], output: str | None, flagged: bool) -> None:
    from aver.revisions._word_diff import marked

    for line in _counts(told, flagged):
        click.echo(line)
    if output is not None:
        click.echo(f"written to {output}")
        return
    for edit in shown:
        sure = "" if edit.probability is None else f" {edit.probability:.2f}"
        click.echo(f"\n{edit.kind}{sure}  {edit.page}, {edit.timestamp or edit.revision}")
        click.echo(f"  {marked(edit.before, edit.after)}")
    if told.pairs > len(shown) and shown:
        click.echo("\n(--json or --output FILE gives all)")


def _print_contrast(made: ContrastStatistics, path: str) -> None:
    found = made.as_dict()
    click.echo(
        f"\n{count_of(found['rows'], 'row')} in {path}: {count_of(found['claims'], 'claim')} of "
        f"{count_of(found['cases'], 'edit')} on {count_of(found['pages'], 'page')}; "
        f"{found['edits_without_claims']:,} of {count_of(found['edits'], 'edit')} gave no claim"
    )
    rows = [(label, count, found["overlap"][label]) for label, count in found["labels"].items()]
    print_table(["label", "rows", "claim words in the evidence"], rows, decimals=3)
    print_table(["what the edit touches", "rows"], [row for row in found["categories"].items() if row[1]])
