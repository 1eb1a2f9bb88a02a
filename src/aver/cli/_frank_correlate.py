"""`aver frank correlate`. In Python: `aver.frank.correlate`."""

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

METHODS = ("pearson", "spearman", "spearman-ranked", "kendall")


@click.command("correlate")
@benchmark_options
@control_option
@click.option(
    "--method",
    "methods",
    type=click.Choice(METHODS),
    multiple=True,
    default=("pearson", "spearman"),
    show_default=True,
    help="Repeat for several. spearman ranks what the control leaves, as FRANK does; spearman-ranked ranks first.",
)
@click.option(
    "--df",
    "degrees",
    type=click.Choice(["adjusted", "original"]),
    default="adjusted",
    show_default=True,
    help="Whether the control costs degrees of freedom in p and the analytic interval; FRANK's script: original.",
)
@resamples_options(1000)
@click.option(
    "--ranks",
    "ranking",
    type=click.Choice(["again", "fixed"]),
    default="again",
    show_default=True,
    help="In each bootstrap sample of Spearman: rank again, or keep the ranks (quicker; too narrow with many ties).",
)
@click.option("--level", type=float, default=0.95, show_default=True, help="Of the intervals.")
@click.option("--plot", metavar="FILE", help="Draw the correlations with their intervals (.svg, .png or .pdf).")
@json_option
def command(
    benchmark: str,
    human: str | None,
    controls: tuple[str, ...],
    methods: tuple[Any, ...],
    degrees: Any,
    resamples: int,
    seed: int,
    ranking: Any,
    level: float,
    plot: str | None,
    as_json: bool,
    **chosen: Any,
) -> None:
    """How well each metric follows people, with intervals.

    Partial correlation with the system as control, as FRANK defines it, of every metric on the rows it scores (n).
    The first interval resamples documents; Fisher's takes rows for independent and is usually a little too narrow.
    """
    from aver.frank import correlate, plot_correlations
    from aver.frank._plots import check_plot

    check_plot(plot)
    bench, names, _, _ = open_benchmark(benchmark, **chosen)
    methods = tuple(dict.fromkeys(methods))
    with resampling(resamples, resamples * len(names) * len(methods)) as done:
        rows = correlate(
            bench,
            metrics=names,
            human=human,
            methods=methods,
            control=list(controls),
            degrees=degrees,
            resamples=resamples,
            seed=seed,
            level=level,
            ranking=ranking,
            progress=done,
        )
    if plot:
        plot_correlations(rows, plot, title=describe(bench, human, controls))
    if as_json:
        settings = {"degrees": degrees, "resamples": resamples, "seed": seed, "ranking": ranking, "level": level}
        sources = [source._asdict() for source in bench.sources]
        print_json({"correlations": [row.as_dict() for row in rows], "settings": settings, "sources": sources})
        return
    click.echo(describe(bench, human, controls))
    percent = f"{100 * level:g}%"
    for method in methods:
        mine = sorted((row for row in rows if row.method == method), key=lambda row: row.r is None or -row.r)
        click.echo()
        print_table(
            ["metric", "n", "r", "p", f"{percent} over documents", f"{percent} by Fisher"],
            [
                (
                    row.metric,
                    row.n,
                    row.r,
                    word_p(row.p),
                    span(row.low, row.high),
                    span(row.analytic_low, row.analytic_high),
                )
                for row in mine
            ],
            title=method,
        )
    if empty := list(dict.fromkeys(row.metric for row in rows if row.r is None)):
        within = " within one " + rows[0].control if rows[0].control else ""
        said = f"{rows[0].human} or the metric does not vary{within}, or there are fewer than two rows"
        click.echo(f"\nNo correlation for {', '.join(empty)}: {said}.")
