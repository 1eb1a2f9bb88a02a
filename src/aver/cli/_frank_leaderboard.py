"""`aver frank leaderboard`. In Python: `aver.frank.leaderboard`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from aver.cli._frank_options import (
    benchmark_options,
    control_option,
    named,
    open_benchmark,
    resamples_options,
    resampling,
)
from aver.cli._output import json_option, print_json
from aver.errors import count_of

__all__ = ["command"]


@click.command("leaderboard")
@benchmark_options
@control_option
@click.option("--alpha", type=float, default=0.05, show_default=True, help="What counts as significant.")
@resamples_options(1000)
@click.option("--title", default="", help="The page's title.")
@click.option("--output", "-o", default="leaderboard.html", show_default=True, metavar="FILE", help="The page.")
@json_option
def command(
    benchmark: str,
    human: str | None,
    controls: tuple[str, ...],
    alpha: float,
    resamples: int,
    seed: int,
    title: str,
    output: str,
    as_json: bool,
    **chosen: Any,
) -> None:
    """One self-contained page with everything on it.

    Correlations with intervals, significance groups, what each metric sees, scatter plots, and how each number was
    made. The page fetches nothing and can be sent as it is. It names files without their folders.
    """
    from aver.frank import leaderboard, write_leaderboard

    bench, names, _, split = open_benchmark(benchmark, **chosen)
    with resampling(resamples) as done:
        board = leaderboard(
            bench,
            metrics=names,
            human=human,
            control=list(controls),
            resamples=resamples,
            seed=seed,
            alpha=alpha,
            title=title,
            command=_command(benchmark, human, controls, alpha, resamples, seed, {**chosen, "split": split}),
            progress=done,
        )
    write_leaderboard(board, output)
    if as_json:
        rows = [row.as_dict() for row in board.correlations]
        groups = board.comparison.groups if board.comparison else {}
        sources = [source._asdict() for source in bench.sources]
        print_json(
            {"page": output, "correlations": rows, "groups": groups, "command": board.command, "sources": sources}
        )
        return
    count = f"{count_of(len(board.metrics), 'metric')} on {count_of(len(bench), 'row')}"
    click.echo(f"{output}: {count}; open it in any browser")


def _command(
    benchmark: str,
    human: str | None,
    controls: tuple[str, ...],
    alpha: float,
    resamples: int,
    seed: int,
    chosen: dict[str, Any],
) -> str:
    """The command that makes these numbers again, with every setting that matters and no folder of this machine."""
    words = ["aver", "frank", "leaderboard", Path(benchmark).resolve().name]
    for given in chosen["submissions"]:
        name, path = named(given)
        words += ["--submission", f"{name}={_name(path)}" if name else _name(path)]
    for option, values in (("--info", map(_name, chosen["infos"])), ("--metric", chosen["metrics"]),
                           ("--system", chosen["systems"]), ("--control", controls)):  # fmt: skip
        for value in values:
            words += [option, value]
    for option, value in (("--human", human), ("--split", chosen["split"]), ("--dataset", chosen["dataset"])):
        words += [option, value] if value else []
    words += ["--all-metrics"] if chosen["all_metrics"] else []
    words += ["--alpha", f"{alpha:g}", "--resamples", str(resamples), "--seed", str(seed)]
    return shlex.join(words)


def _name(path: str) -> str:
    return Path(path).name
