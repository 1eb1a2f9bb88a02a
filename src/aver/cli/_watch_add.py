"""`aver watch add`: a shell over `aver.Watch.add`."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import click

from aver.cli._check import refuse_file, settings_of
from aver.cli._output import Finite, json_option, model_option, print_json
from aver.cli._resume import refuse_table, table_refused
from aver.cli._watch_report import bar, print_failures
from aver.errors import InputError, Problems, count_of
from aver.records import bad_byte, is_table_head, iter_lines, parse_lines, place_name

__all__ = ["command", "read_claims"]


@click.command("add")
@click.argument("claim", nargs=-1)
@click.option("--in", "collection", metavar="COLLECTION", required=True, help="The collection: a name or a path.")
@click.option("--claims", metavar="FILE", help="Claims from a file, JSON lines or one a line; - is standard input.")
@model_option()
@click.option("--ranker", metavar="MODEL", help="Who orders the sentences for --model.  [default: fast for aver's own]")
@click.option("--documents", type=click.IntRange(1), help="How many documents are looked into.  [default: 10]")
@click.option("--sentences", type=click.IntRange(1), help="How many of their sentences are read.  [default: 30]")
@click.option("--dispute", type=Finite(0, 1), help="How likely both sides must be for DISPUTED.  [default: as fitted]")
@click.option("--abstain", type=Finite(0, 1), help="Below this confidence it abstains.  [default: 0.5]")
@click.option("--no-figures", is_flag=True, help="Do not compare numbers and dates by rule.")
@json_option
def command(
    claim: tuple[str, ...], collection: str, claims: str | None, model: str, ranker: str | None, documents: int | None,
    sentences: int | None, dispute: float | None, abstain: float | None, no_figures: bool, as_json: bool,
) -> None:  # fmt: skip
    """Verify claims against a collection and watch them.

    A line of a file is a claim, or a JSON object with `claim` and, if you like, an `id` of your own. Each claim is
    verified once; its verdict, its evidence and the pages it looked into are kept in the collection's folder, and so
    are the model and the settings given here: every later run verifies the claim with them. Claims that are watched
    already are left alone, so the same command goes on where it was stopped; to have one verified otherwise, remove it
    and add it again.

    \b
    aver watch add "The mayor of Arle is Nora Stein." --in archive
    aver watch add --claims claims.jsonl --in archive

    Exit codes: 0 all are watched; 2 some could not be verified, or wrong input.
    """
    from aver.revisions.watch import PLAIN, Watch

    if bool(claim) == (claims is not None):
        raise click.UsageError("give claims, or a file of them with --claims")
    if claim == ("-",):
        claim, claims = (), "-"
    for text in claim:
        refuse_file(text, f"to watch the claims in it: aver watch add --claims {text} --in …")
    plain = dataclasses.replace(PLAIN, figures=not no_figures)
    settings = settings_of(plain, documents=documents, sentences=sentences, dispute=dispute, abstain=abstain)
    wanted = list(claim) if claims is None else read_claims(claims)
    with Watch(collection) as watch, bar("verifying") as progress:
        added = watch.add(wanted, model=model, ranker=ranker, settings=settings, progress=progress)
    if as_json:
        print_json({"collection": collection} | added.as_dict())
    else:
        known = f", {count_of(added.known, 'was', 'were')} watched already" if added.known else ""
        rate = f" in {added.seconds:.1f} s" if added.added else ""
        click.echo(f"{collection}: {count_of(added.added, 'claim')} added{known}{rate}")
        if added.labels:
            click.echo(", ".join(f"{label.replace('_', ' ')} {n:,}" for label, n in sorted(added.labels.items())))
    print_failures(added.failures)
    if added.failures:
        raise click.exceptions.Exit(2)


def read_claims(path: str) -> list[tuple[str, str | None]]:
    """The claims of a file with their ids: JSON lines where its first line is an object, else a claim or an object a
    line."""
    wanted = '{"claim": "…"}; or one claim a line'
    refuse_table(path, wanted)
    lines = list(iter_lines(path))
    name = place_name(path)
    problems = Problems()
    first = next((line for line in lines if line.strip()), b"")
    if is_table_head(first):
        raise table_refused(path, wanted)  # on standard input
    found = list(_json(lines, name, problems) if first.lstrip()[:1] in (b"{", b"[") else _plain(lines, name, problems))
    problems.raise_if_any("these claims cannot be watched")
    if not found:
        raise InputError(f"{name}: holds no claims")
    return found


def _json(
    lines: list[bytes], name: str, problems: Problems, *, first: int = 1
) -> Iterator[tuple[str, str | None]]:  # fmt: skip
    for number, fields in parse_lines(lines, name, first=first, problems=problems):
        if fields is None:
            continue
        text, ref = fields.get("claim"), fields.get("id")
        if not isinstance(text, str):
            shown = ", ".join(sorted(fields)[:8]) or "none"
            problems.add(f"{name} line {number}", f"has no 'claim'; its fields are {shown}")
        elif not any(c.isalnum() for c in text):
            problems.add(f"{name} line {number}", "its claim has no words")
        else:
            yield text, None if ref is None else str(ref)


def _plain(lines: list[bytes], name: str, problems: Problems) -> Iterator[tuple[str, str | None]]:
    for number, line in enumerate(lines, 1):
        try:
            text = line.decode().strip()
        except UnicodeDecodeError as error:
            said = f"not UTF-8 at byte {bad_byte(line, error)} of the line; save the file as UTF-8"
            problems.add(f"{name} line {number}", said)
            continue
        if text.startswith("{"):
            yield from _json([line], name, problems, first=number)
        elif text:
            yield text, None
