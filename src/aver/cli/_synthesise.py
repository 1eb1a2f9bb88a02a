"""`aver synthesise`: contrastive pairs from plain sentences. In Python: `aver.revisions.synthesise`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from aver.cli._output import json_option, print_jsonl, print_table, progress
from aver.cli._resume import refuse_input
from aver.errors import Problems, count_of
from aver.labels import Label
from aver.revisions import KINDS

if TYPE_CHECKING:
    from aver.revisions import ContrastPair

__all__ = ["command"]

_SHOWN = (Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO)


@click.command("synthesise")
@click.argument("pages", metavar="PAGES.jsonl|FILE.txt|-", nargs=-1, required=True)
@click.option("--seed", type=int, default=0, show_default=True, help="The same seed gives the same pairs.")
@click.option("--per-sentence", type=int, default=1, show_default=True, help="The most groups one sentence may give.")
@click.option("--kinds", metavar="A,B,…", help=f"Only some kinds of edit, of: {', '.join(KINDS)}.  [default: all]")
@click.option("--limit", type=int, help="The most pairs in all.  [default: all that can be made]")
@click.option("--output", metavar="FILE", help="Write the pairs to this file, as JSON lines.")
@json_option
def command(
    pages: tuple[str, ...], seed: int, per_sentence: int, kinds: str | None, limit: int | None, output: str | None,
    as_json: bool,
) -> None:  # fmt: skip
    """Make contrastive claim and evidence pairs from plain sentences.

    A page is a JSON object a line with `title` and `text` or `sentences`, or a plain text file, titled by its
    name; - reads standard input. From a sentence and its edited twin come a claim true of the one and a claim
    true of the other, each against both, and each against a text that leaves it open. The pairs have VitaminC's
    fields (case_id, claim, evidence, label, page …) and the kind of edit.

    --json streams the pairs to standard output, --output writes them to a file; without either only the counts
    and an example are shown.
    """
    from aver.records import write_records
    from aver.revisions import read_pages, synthesise

    if as_json and output is not None:
        raise click.UsageError("--json writes the pairs to standard output and --output to a file: give one of them")
    for path in pages:
        refuse_input(output, path)
    chosen = KINDS if kinds is None else tuple(kind.strip() for kind in kinds.split(","))
    # a wrong option is answered before a large file is read
    synthesise((), per_sentence=per_sentence, kinds=chosen, limit=limit)
    problems = Problems()
    with progress("reading pages") as done:
        found = []
        for path in pages:
            for page in read_pages(path, problems=problems):
                found.append(page)
                done(1)
    problems.raise_if_any("these pages cannot be used")
    tally = _Tally()
    with progress("pairs", total=limit) as done:
        made = synthesise(found, seed=seed, per_sentence=per_sentence, kinds=chosen, limit=limit)
        rows = tally.rows(made, done)
        if as_json:
            print_jsonl(rows)
        elif output is not None:
            write_records(output, rows)
        else:
            for _ in rows:
                pass
    counts = f"{count_of(tally.pairs, 'pair')} in {count_of(tally.groups, 'group')}"
    said = f"{counts} from {count_of(len(found), 'page')} (seed {seed})"
    if not tally.pairs:
        click.echo(
            f"aver: {said}: no sentence had a fact that can be edited; sentences of 6 to 61 words are used", err=True
        )
        return
    if as_json:
        click.echo(f"{said}: {tally.in_words()}", err=True)
        return
    print_table(["kind", "pairs", *(label.fever for label in _SHOWN)], tally.table(), title=said)
    if output is None:
        click.echo("\nOne group, as an example (--json or --output FILE gives all):")
        print_table(["label", "claim", "evidence"], [(p.label.fever, p.claim, p.evidence) for p in tally.example])


class _Tally:
    """Counts the pairs as they go by, and keeps one group to show."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, Label]] = Counter()
        self.groups = 0
        self.example: list[ContrastPair] = []

    @property
    def pairs(self) -> int:
        return self.counts.total()

    def rows(self, made: Iterator[ContrastPair], done: Any) -> Iterator[dict[str, Any]]:
        """The pairs as JSON objects, numbered within their group as VitaminC's are."""
        case, number = "", 0
        for pair in made:
            if pair.case_id != case:
                case, number = pair.case_id, 0
                self.groups += 1
            number += 1
            if not self.example or self.example[0].case_id == case:
                self.example.append(pair)
            self.counts[pair.kind, pair.label] += 1
            yield {"unique_id": f"{case}_{number}", **pair.as_dict()}
            done(1)

    def in_words(self) -> str:
        labels: Counter[Label] = Counter()
        kinds: Counter[str] = Counter()
        for (kind, label), count in self.counts.items():
            labels[label] += count
            kinds[kind] += count
        parts = [f"{label.fever} {labels[label]:,}" for label in _SHOWN]
        return ", ".join(parts) + "; " + ", ".join(f"{kind} {count:,}" for kind, count in kinds.most_common())

    def table(self) -> Iterator[tuple[object, ...]]:
        kinds = sorted({kind for kind, _ in self.counts}, key=lambda k: -sum(self.counts[k, lab] for lab in _SHOWN))
        for kind in kinds:
            counts = [self.counts[kind, label] for label in _SHOWN]
            yield kind, sum(counts), *counts
        if len(kinds) > 1:
            sums = [sum(self.counts[kind, label] for kind in kinds) for label in _SHOWN]
            yield "all", sum(sums), *sums
