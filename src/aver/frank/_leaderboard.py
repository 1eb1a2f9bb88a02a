"""The leaderboard: every metric's correlations, which differences are real, what each sees, how it was made."""

from __future__ import annotations

import contextlib
import dataclasses
import os
from collections.abc import Sequence
from html import escape

import numpy as np

from aver.errors import InputError, count_of
from aver.frank._ablation import Ablation, ablate
from aver.frank._benchmark import Benchmark
from aver.frank._bootstrap import Progress
from aver.frank._compare import Comparison, check_alpha, compare, write_p
from aver.frank._correlation import Correlation, correlate, partial_values
from aver.frank._page import Cell, page, table
from aver.frank._style import shortened
from aver.frank._svg import bars, interval_bar, scatter
from aver.records import writing

__all__ = ["Leaderboard", "leaderboard", "write_leaderboard"]


@dataclasses.dataclass(frozen=True)
class Leaderboard:
    """What the page shows."""

    benchmark: Benchmark
    correlations: tuple[Correlation, ...]
    comparison: Comparison | None
    """None where there is one metric only."""
    ablation: Ablation | None
    """None where the benchmark has no flipped labels."""
    human: str
    control: str | None
    resamples: int
    seed: int
    title: str
    command: str

    @property
    def metrics(self) -> tuple[str, ...]:
        """By falling Pearson correlation; what has none comes last."""
        first = {row.metric: row.r for row in self.correlations if row.method == "pearson"}
        return tuple(
            sorted(first, key=lambda name: -2.0 if first[name] is None else float(first[name] or 0), reverse=True)
        )

    def of(self, metric: str, method: str) -> Correlation:
        return next(row for row in self.correlations if (row.metric, row.method) == (metric, method))

    def html(self) -> str:
        """The page: one self-contained file."""
        parts = [_head(self), _table(self)]
        if self.comparison is not None:
            parts.append(_pairs(self.comparison))
        parts += [_cards(self), _provenance(self)]
        return page(self.title, parts)


def leaderboard(
    benchmark: Benchmark,
    *,
    metrics: Sequence[str] | None = None,
    human: str | None = None,
    control: str | Sequence[str] | None = "system",
    resamples: int = 1000,
    seed: int = 0,
    alpha: float = 0.05,
    title: str = "",
    command: str = "",
    progress: Progress | None = None,
) -> Leaderboard:
    """Evaluates every metric for a leaderboard; `.html()` is the page.

    >>> from aver.frank import load_example
    >>> board = leaderboard(load_example(), resamples=50)
    >>> board.metrics, board.html().startswith("<!doctype html>")
    (('Careful', 'Partial', 'Overlap'), True)
    """
    check_alpha(alpha)
    names = benchmark.chosen(metrics)
    human = human or benchmark.main_human
    rows = correlate(
        benchmark, metrics=names, human=human, control=control, resamples=resamples, seed=seed, progress=progress
    )
    defined = [row.metric for row in rows if row.method == "pearson" and row.r is not None]
    compared = None
    if len(defined) > 1:
        # where no pair shares rows enough there is nothing to compare, but still a page
        with contextlib.suppress(InputError):
            compared = compare(benchmark, metrics=defined, human=human, control=control, alpha=alpha)
    ablated = None
    if human == "Factuality" and any(name.startswith("Flip_") for name in benchmark.human):
        ablated = ablate(benchmark, metrics=names, control=control, resamples=resamples, seed=seed, progress=progress)
    return Leaderboard(
        benchmark=benchmark,
        correlations=tuple(rows),
        comparison=compared,
        ablation=ablated,
        human=human,
        control=rows[0].control,
        resamples=resamples,
        seed=seed,
        title=title or f"{benchmark.name}: how well metrics follow people",
        command=command,
    )


def write_leaderboard(board: Leaderboard, path: str | os.PathLike[str]) -> None:
    """Writes the page, whole or not at all.

    >>> import pathlib, tempfile
    >>> from aver.frank import load_example
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_leaderboard(leaderboard(load_example(), resamples=0), f"{folder}/page.html")
    ...     pathlib.Path(f"{folder}/page.html").read_text().startswith("<!doctype html>")
    True
    """
    with writing(path) as file:
        file.write(board.html().encode())


def _head(board: Leaderboard) -> str:
    bench = board.benchmark
    splits = list(dict.fromkeys(bench.columns.get("split", ())))
    part = f" of the {splits[0]} split" if len(splits) == 1 and splits[0] else ""
    held = (
        f"the {board.control} held fixed (partial correlation)" if board.control else "no control (plain correlation)"
    )
    return (
        f"<h1>{escape(board.title)}</h1>"
        f"<p>{count_of(len(bench), 'row')}{escape(part)}: {count_of(len(set(bench.doc)), 'document')}, "
        f"{count_of(len(bench.systems), 'system')}. "
        f"Correlation with the human score <em>{escape(board.human)}</em>, {escape(held)}.</p>"
    )


def _table(board: Leaderboard) -> str:
    ends = [end for row in board.correlations for end in (row.low, row.high, row.r) if end is not None]
    reach = (min([0.0, *ends]), max([0.0, *ends]))
    groups = board.comparison.groups if board.comparison else {}
    rows = []
    for i, name in enumerate(board.metrics):
        first = board.of(name, "pearson")
        part = "" if first.n == len(board.benchmark) else f"<small>of {len(board.benchmark):,}</small>"
        rows.append(
            [
                (f'<a href="#metric-{i + 1}">{escape(name)}</a>', name),
                *(_r(board.of(name, method), reach) for method in ("pearson", "spearman")),
                (escape(groups.get(name, "–")), groups.get(name, "")),
                ("–", "") if first.p is None else (write_p(first.p).removeprefix("= "), repr(first.p)),
                (f"{first.n:,}{part}", str(first.n)),
            ]
        )
    heads = [("Metric", "up"), ("Pearson", "down"), ("Spearman", "down"), ("Group", "up"), ("p", "up"), ("n", "down")]
    made = (
        f"Intervals: 95%, from {board.resamples:,} bootstrap samples of documents"
        if board.resamples
        else "No intervals were asked for"
    )
    return (
        "<h2>Leaderboard</h2>"
        + table(heads, rows, sorted_by=1)
        + f'<p class="soft">Press a heading to sort. {made}. Metrics that share a letter under Group are not told '
        "apart by Williams’s test after Holm’s correction. p is that of Pearson’s r. n counts the rows a metric "
        f"scores.{_on_a_part(board)}</p>"
    )


def _on_a_part(board: Leaderboard) -> str:
    if all(row.n == len(board.benchmark) for row in board.correlations):
        return ""
    return (
        " A metric that covers a part is evaluated on its part, which may be easier or harder than the whole; the "
        "groups compare two metrics on the rows both score."
    )


def _r(row: Correlation, reach: tuple[float, float]) -> Cell:
    if row.r is None:
        return ("not defined", "")
    ends = f"<small>{row.low:+.3f} … {row.high:+.3f}</small>" if row.low is not None else ""
    return (f"<strong>{row.r:.3f}</strong>{ends}{interval_bar(row.r, row.low, row.high, reach)}", repr(row.r))


def _pairs(found: Comparison) -> str:
    sure = sum(pair.significant for pair in found.pairs)
    sentences = "".join(f"<li>{escape(pair.sentence)}</li>" for pair in found.pairs if pair.significant)
    rows = [
        [
            (escape(pair.better), pair.better),
            (escape(pair.worse), pair.worse),
            *((f"{value:.3f}", repr(value)) for value in (pair.r_better, pair.r_worse, pair.r_between)),
            (f"{pair.t:.2f}", repr(pair.t)),
            *((write_p(p).removeprefix("= "), repr(p)) for p in (pair.p_one, pair.p_two, pair.p_holm)),
            (f"{pair.n:,}", str(pair.n)),
        ]
        for pair in found.pairs
    ]
    heads = [
        ("Better", "up"), ("Worse", "up"), ("r", "down"), ("r of the worse", "down"), ("r between them", "down"),
        ("t", "down"), ("p, one-sided", "up"), ("p, two-sided", "up"), ("p, Holm", "up"), ("n", "down"),
    ]  # fmt: skip
    return (
        "<h2>Which differences are real</h2>"
        f"<p>Williams’s test tells {sure} of {len(found.pairs)} pairs apart at {found.alpha:g}, after Holm’s "
        "correction for all of them."
        + (f" Pairs that share too few rows to be compared: {len(found.not_compared)}." if found.not_compared else "")
        + "</p>"
        + (f"<details><summary>In words</summary><ul>{sentences}</ul></details>" if sentences else "")
        + f"<details><summary>Every pair</summary>{table(heads, rows, kind='pairs')}</details>"
    )


def _cards(board: Leaderboard) -> str:
    bench, found = board.benchmark, board.ablation
    people, codes = bench.human_scores(board.human), bench.codes(board.control.split("+") if board.control else None)
    less = ", less its group’s mean" if board.control else ""
    reach = (0.0, 0.0)
    if found is not None:
        ends = [v for row in found.rows for v in (row.low, row.high, row.contribution) if v is not None]
        reach = (min([0.0, *ends]), max([0.0, *ends]))
    cards = []
    for i, name in enumerate(board.metrics):
        scores = bench.metric_scores(name)
        keep = np.isfinite(scores) & np.isfinite(people)
        first = board.of(name, "pearson")
        said = "not defined" if first.r is None else f"r = {first.r:.3f}"
        inside = f'<h3>{escape(name)}</h3><p class="soft">{said}, n = {first.n:,}</p>'
        if keep.sum() > 1:
            x, y = (partial_values(v[keep], codes[keep], "pearson") for v in (scores, people))
            alt = f"{name} against {board.human}: {said}"
            inside += scatter(x, y, label_x=shortened(name, 28) + less, label_y=shortened(board.human, 28), alt=alt)
        if found is not None:
            rows = [found.contribution(name, category) for category in found.categories]
            alt = f"Contribution to r of {name}: " + ", ".join(
                f"{row.category} {row.contribution:+.3f}" for row in rows if row.contribution is not None
            )
            inside += bars(rows, reach=reach, alt=alt)
        cards.append(f'<section class="card" id="metric-{i + 1}">{inside}</section>')
    also = (
        " The bars show what each kind of error adds to r: the correlation less the one obtained when sentences "
        "wrong in that way are called right."
        if found is not None
        else ""
    )
    return (
        f"<h2>Metric by metric</h2><p>Each dot is a row{escape(less and ': both scores' + less)}; the line is the "
        f"least-squares fit. A larger dot stands for several rows on one spot.{also}</p>"
        f'<div class="cards">{"".join(cards)}</div>'
    )


def _provenance(board: Leaderboard) -> str:
    from aver import __version__

    files = "".join(
        f"<li>{escape(source.name)}<br><code>sha256 {escape(source.sha256)}</code></li>"
        for source in board.benchmark.sources
    )
    facts = [
        ("Data", f"<ul>{files}</ul>" if files else "made in memory"),
        ("Made by", f"aver {escape(__version__)}"),
        *([("Command", f"<code>{escape(board.command)}</code>")] if board.command else []),
        (
            "Correlation",
            "Pearson: of the scores less their group’s mean. Spearman: of the ranks of those residuals, as FRANK’s "
            "script has it. p: Student’s t, two-sided, with n − 2 − (groups − 1) degrees of freedom."
            if board.control
            else "Pearson and Spearman of the scores as they are. p: Student’s t, two-sided, with n − 2 degrees of "
            "freedom.",
        ),
        (
            "Intervals",
            f"Percentile bootstrap over documents, {board.resamples:,} samples, seed {board.seed}, group means and "
            "ranks made again in every sample; the same samples for every metric and kind of error."
            if board.resamples
            else "None.",
        ),
        (
            "Groups",
            "Williams’s test on Pearson’s r for every pair on the rows both score, two-sided, n less the degrees of "
            "freedom the control takes, Holm’s correction.",
        ),
    ]
    return "<h2>How each number was made</h2><dl>" + "".join(f"<dt>{k}</dt><dd>{v}</dd>" for k, v in facts) + "</dl>"
