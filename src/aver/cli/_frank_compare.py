"""`aver frank compare`. In Python: `aver.frank.compare`."""

from __future__ import annotations

from typing import Any

import click

from aver.cli._frank_options import (
    benchmark_options,
    control_option,
    describe,
    open_benchmark,
    resamples_options,
    resampling,
    span,
    word_p,
)
from aver.cli._output import json_option, print_json, print_table

__all__ = ["command"]


@click.command("compare")
@benchmark_options
@control_option
@click.option(
    "--method",
    type=click.Choice(["pearson", "spearman", "spearman-ranked"]),
    default="pearson",
    show_default=True,
    help="Which correlations to compare.",
)
@click.option(
    "--df",
    "degrees",
    type=click.Choice(["adjusted", "original"]),
    default="adjusted",
    show_default=True,
    help="Whether the control costs degrees of freedom; FRANK's script: original.",
)
@click.option("--alpha", type=float, default=0.05, show_default=True, help="What counts as significant.")
@resamples_options(0)
@json_option
def command(
    benchmark: str,
    human: str | None,
    controls: tuple[str, ...],
    method: Any,
    degrees: Any,
    alpha: float,
    resamples: int,
    seed: int,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Which metrics are really better: Williams's test for every pair.

    Each pair is compared on the rows both score. p1 is one-sided (what FRANK's script computes), p2 two-sided,
    Holm is p2 corrected for the number of pairs; metrics that share a letter are not told apart.
    """
    from aver.frank import compare

    bench, names, _, _ = open_benchmark(benchmark, **chosen)
    with resampling(resamples) as done:
        found = compare(
            bench,
            metrics=names,
            human=human,
            method=method,
            control=list(controls),
            degrees=degrees,
            alpha=alpha,
            resamples=resamples,
            seed=seed,
            progress=done,
        )
    if as_json:
        settings = {"resamples": resamples, "seed": seed}
        sources = [source._asdict() for source in bench.sources]
        print_json({**found.as_dict(), "settings": settings, "sources": sources})
        return
    click.echo(describe(bench, human, controls) + f"; {method}")
    click.echo()
    print_table(
        ["metric", "n", "r", "group"],
        [(name, found.n[name], found.correlations[name], found.groups[name]) for name in found.metrics],
        title="With people",
    )
    click.echo()
    print_table(
        ["", *(str(i) for i in range(1, len(found.metrics) + 1))],
        [
            (f"{i} {name}", *(_cell(found.between[name][other]) for other in found.metrics))
            for i, name in enumerate(found.metrics, 1)
        ],
        title="With each other",
    )
    click.echo()
    extra = ["difference"] if resamples else []
    print_table(
        ["better", "worse", "n", "r", "r worse", "t", "p1", "p2", "Holm", *extra],
        [
            (
                pair.better,
                pair.worse,
                pair.n,
                f"{pair.r_better:.3f}",
                f"{pair.r_worse:.3f}",
                f"{pair.t:.2f}",
                word_p(pair.p_one),
                word_p(pair.p_two),
                word_p(pair.p_holm),
                *([span(pair.low, pair.high)] if resamples else []),
            )
            for pair in found.pairs
        ],
        title="Williams's test",
    )
    click.echo()
    for name, why in found.left_out:
        click.echo(f"{name} is left out: {why}.")
    for one, other, why in found.not_compared:
        click.echo(f"{one} and {other} are not compared: {why}.")
    sure = [pair for pair in found.pairs if pair.significant]
    for pair in sure if len(found.pairs) > 3 else found.pairs:
        click.echo(pair.sentence + ".")
    unsure = len(found.pairs) - len(sure)
    if unsure and len(found.pairs) > 3:
        click.echo(f"The other {unsure} pair{'s are' if unsure > 1 else ' is'} not told apart at {alpha:g}.")


def _cell(r: float | None) -> str:
    return "–" if r is None else f"{r:+.2f}"
