"""`aver frank ablate`. In Python: `aver.frank.ablate`."""

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
)
from aver.cli._output import json_option, print_json, print_table

__all__ = ["command"]


@click.command("ablate")
@benchmark_options
@control_option
@click.option(
    "--category",
    "categories",
    multiple=True,
    metavar="NAME",
    help="RelE, EntE, CircE, OutE, GramE, CorefE, LinkE, OtherE or a group; repeat, or `all`. Default: three groups.",
)
@click.option(
    "--sentences",
    metavar="FILE",
    help="Compute Factuality and the flipped labels from FRANK's human_annotations_sentence.json instead.",
)
@click.option(
    "--method",
    type=click.Choice(["pearson", "spearman", "spearman-ranked", "kendall"]),
    default="pearson",
    show_default=True,
    help="The correlation whose fall is measured.",
)
@resamples_options(0)
@click.option("--plot", metavar="FILE", help="Draw the bars of FRANK's paper (.svg, .png or .pdf).")
@json_option
def command(
    benchmark: str,
    human: str | None,
    controls: tuple[str, ...],
    categories: tuple[str, ...],
    sentences: str | None,
    method: Any,
    resamples: int,
    seed: int,
    plot: str | None,
    as_json: bool,
    **chosen: Any,
) -> None:
    """Which kinds of error each metric notices.

    A category's contribution is the correlation with people less the correlation when the sentences wrong in that
    way are called right: above 0, the metric notices such errors.
    """
    from aver.frank import ablate, plot_ablation
    from aver.frank._plots import check_plot

    check_plot(plot)
    human = human or "Factuality"
    bench, names, changed, _ = open_benchmark(benchmark, sentences=sentences, **chosen)
    with resampling(resamples) as done:
        found = ablate(
            bench,
            metrics=names,
            categories=categories,
            human=human,
            method=method,
            control=list(controls),
            resamples=resamples,
            seed=seed,
            progress=done,
        )
    if plot:
        plot_ablation(found, plot, title=describe(bench, human, controls))
    if as_json:
        settings = {"resamples": resamples, "seed": seed, "level": 0.95}
        sources = [source._asdict() for source in bench.sources]
        print_json({**found.as_dict(), "changed": changed, "settings": settings, "sources": sources})
        return
    click.echo(describe(bench, human, controls) + f"; {method}")
    if changed:
        said = ", ".join(f"{name} in {count:,}" for name, count in changed.items())
        click.echo(f"computed from the sentences, and other than the benchmark had it: {said} rows")
    click.echo()
    title = "Contribution of each kind of error to r"
    kinds = {category: category.removesuffix("_Errors").replace("_", " ") for category in found.categories}
    if resamples or len(kinds) > 4:  # a line for each: side by side they would be wider than a screen
        print_table(
            ["metric", "n", "r", "kind of error", "contribution", *(["95% over documents"] if resamples else [])],
            [
                (
                    row.metric,
                    row.n,
                    row.r,
                    kinds[row.category],
                    row.contribution,
                    *([span(row.low, row.high)] if resamples else []),
                )
                for row in found.rows
            ],
            title=title,
        )
        return
    rows = []
    for metric in found.metrics:
        mine = [found.contribution(metric, category) for category in found.categories]
        rows.append((metric, mine[0].n, mine[0].r, *(one.contribution for one in mine)))
    print_table(["metric", "n", "r", *kinds.values()], rows, title=title)
