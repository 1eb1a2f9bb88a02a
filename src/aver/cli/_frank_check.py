"""`aver frank check`. In Python: `aver.frank.check`."""

from __future__ import annotations

from pathlib import Path

import click

from aver.cli._frank_options import named
from aver.cli._output import json_option, print_json, print_table
from aver.errors import count_of

__all__ = ["command"]

SHOWN = 10


@click.command("check")
@click.argument("benchmark", metavar="BENCHMARK")
@click.argument("submissions", metavar="[[NAME=]SUBMISSION]...", nargs=-1)
@click.option("--info", "infos", multiple=True, metavar="FILE", help="An info file that describes several metrics.")
@click.option("--key", default="score", show_default=True, help="The field that holds the score.")
@click.option("--all", "show_all", is_flag=True, help="Print every fault, not the first ten of each kind.")
@json_option
def command(
    benchmark: str,
    submissions: tuple[str, ...],
    infos: tuple[str, ...],
    key: str,
    show_all: bool,
    as_json: bool,
) -> None:
    """What is wrong with a submission, row by row.

    Missing, duplicate and unknown rows and scores that are no numbers are named by hash and system. A metric may
    cover a part of the benchmark: it is then evaluated on its part, the others on all of theirs. Without a
    submission the benchmark's own flipped labels are checked. Exit code 1 if anything was found.
    """
    from aver.frank import check, check_flips, load, load_example

    bench = load_example() if benchmark == "example" and not Path(benchmark).exists() else load(benchmark)
    if not submissions and not infos:
        wrong = check_flips(bench)
        if as_json:
            print_json({"ok": not wrong, "rows": len(bench), "faults": [label._asdict() for label in wrong]})
        else:
            for label in wrong:
                click.echo(str(label))
            impossible = count_of(len(wrong), "impossible flipped label")
            click.echo(f"{bench.name}: {count_of(len(bench), 'row')}, {impossible}")
        raise SystemExit(1 if wrong else 0)
    found = []
    for given in submissions:
        name, path = named(given)
        found.append((path, check(bench, path, name=name, key=key)))
    found += [(path, check(bench, path, info=True)) for path in infos]
    if as_json:
        print_json([{"file": path, **read.as_dict()} for path, read in found])
    for path, read in found if not as_json else ():
        click.echo(f"{path}: {count_of(read.rows, 'row')}")
        print_table(
            ["metric", "scored", "of", ""],
            [(c.metric, c.n, c.of, "complete" if c.complete else "evaluated on its part") for c in read.coverage],
        )
        for kind in dict.fromkeys(fault.kind for fault in read.faults):
            mine = [fault for fault in read.faults if fault.kind == kind]
            click.echo(f"{kind}: {len(mine):,}")
            shown = mine if show_all else mine[:SHOWN]
            for fault in shown:
                click.echo(f"  {fault}")
            if len(shown) < len(mine):
                click.echo(f"  … and {len(mine) - len(shown):,} more (--all or --json names them)")
        if read.ok:
            click.echo("Nothing is wrong: every row of the benchmark has one score.")
    raise SystemExit(0 if all(read.ok for _, read in found) else 1)
