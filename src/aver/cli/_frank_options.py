"""The options all of `aver frank` share, and the benchmark they describe."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from aver.errors import count_of

if TYPE_CHECKING:
    from aver.frank import Benchmark

__all__ = [
    "Opened",
    "benchmark_options",
    "control_option",
    "describe",
    "named",
    "open_benchmark",
    "resamples_options",
    "resampling",
    "span",
    "word_p",
]


class Opened(NamedTuple):
    """The rows asked for, the metrics to evaluate, and in how many rows `--sentences` changed which column."""

    bench: Benchmark
    names: tuple[str, ...]
    changed: dict[str, int]
    split: str
    """The split taken, whether asked for or by default."""


def benchmark_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """BENCHMARK and what to take of it."""
    for option in reversed(
        [
            click.argument("benchmark", metavar="BENCHMARK"),
            click.option(
                "--submission",
                "submissions",
                multiple=True,
                metavar="[NAME=]FILE",
                help="A metric's scores to put beside the benchmark's own: records with hash, model_name, score.",
            ),
            click.option(
                "--info",
                "infos",
                multiple=True,
                metavar="FILE",
                help='Several metrics: a JSON list of {"path": …, "scores": [{"name": …, "key": …}]}.',
            ),
            click.option("--metric", "metrics", multiple=True, metavar="NAME", help="Only this metric (repeat)."),
            click.option("--all-metrics", is_flag=True, help="Every metric of the file, not FRANK's usual ten."),
            click.option("--human", metavar="COLUMN", help="The human score to follow; FRANK: Factuality."),
            click.option(
                "--split",
                metavar="NAME",
                help="valid, test or all; by default test where the benchmark has one.",
            ),
            click.option("--dataset", metavar="NAME", help="Only this data set (FRANK: cnndm, bbc)."),
            click.option("--system", "systems", multiple=True, metavar="NAME", help="Only this system (repeat)."),
        ]
    ):
        function = option(function)
    return function


def control_option(function: Callable[..., Any]) -> Callable[..., Any]:
    return click.option(
        "--control",
        "controls",
        multiple=True,
        metavar="COLUMN",
        default=("system",),
        show_default=True,
        help="Take this out of both scores (system, dataset, …); repeat for every combination, or `none`.",
    )(function)


def resamples_options(default: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        seed = click.option("--seed", type=int, default=0, show_default=True, help="Of the bootstrap.")
        count = click.option(
            "--resamples",
            type=click.IntRange(0, 1_000_000),
            default=default,
            show_default=True,
            help="Bootstrap samples of documents for the intervals; 0: none.",
        )
        return count(seed(function))

    return add


def open_benchmark(
    benchmark: str,
    *,
    submissions: tuple[str, ...],
    infos: tuple[str, ...],
    metrics: tuple[str, ...],
    all_metrics: bool,
    split: str | None,
    dataset: str | None,
    systems: tuple[str, ...],
    sentences: str | None = None,
) -> Opened:
    """Reads the benchmark, puts the submitted metrics beside its own, and takes the rows asked for."""
    from aver.frank import load, load_example, read_info, read_submission, submit, with_sentences

    bench = load_example() if benchmark == "example" and not Path(benchmark).exists() else load(benchmark)
    read = []
    for given in submissions:
        name, path = named(given)
        read.append(read_submission(path, bench, name=name))
    read += [read_info(path, bench) for path in infos]
    bench = submit(bench, read)
    names = metrics or (tuple(bench.metrics) if all_metrics else bench.chosen())
    bench.chosen(names)
    wanted = split or ("test" if "test" in bench.columns.get("split", ()) else "all")
    changed: dict[str, int] = {}
    if sentences:
        bench, changed = with_sentences(bench, sentences)
    return Opened(bench.select(split=wanted, dataset=dataset, systems=systems), names, changed, wanted)


def named(given: str) -> tuple[str | None, str]:
    """`NAME=FILE` or `FILE`; a file whose own name holds an = is a file."""
    name, equals, path = given.partition("=")
    return (name, path) if equals and name and not Path(given).exists() else (None, given)


def describe(bench: Benchmark, human: str | None, controls: tuple[str, ...]) -> str:
    """What was evaluated, in a line."""
    splits = list(dict.fromkeys(bench.columns.get("split", ())))
    part = f", {splits[0]} split" if len(splits) == 1 and splits[0] else ""
    documents, systems = count_of(len(set(bench.doc)), "document"), count_of(len(bench.systems), "system")
    rows = f"{count_of(len(bench), 'row')} of {documents} × {systems}"
    held = " and ".join(name for name in controls if name != "none")
    return f"{bench.name}{part}: {rows}; human {human or bench.main_human}; " + (
        f"{held} held fixed" if held else "plain"
    )


@contextlib.contextmanager
def resampling(resamples: int, total: int | None = None) -> Iterator[Callable[[int], None] | None]:
    """A progress bar while resampling; nothing, not even its import, where there is none."""
    if not resamples:
        yield None
        return
    from aver.cli._output import progress

    with progress("resampling", total) as done:
        yield done


def span(low: float | None, high: float | None) -> str | None:
    return None if low is None or high is None else f"{low:+.3f} … {high:+.3f}"


def word_p(p: float | None) -> str | None:
    from aver.frank._compare import write_p

    return None if p is None else write_p(p).removeprefix("= ")
