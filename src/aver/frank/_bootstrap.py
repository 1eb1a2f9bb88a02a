"""The cluster bootstrap: draw documents with replacement, all their rows together, and correlate again.

Rows of one document share its difficulty, so rows are not independent and resampling them one by one would make
intervals too narrow. A sample is a vector of weights: how often each document was drawn. The same samples serve
every metric, so their differences can be read off sample by sample.

Nothing is recomputed from rows where sums will do. Pearson needs, for each document, the sums of x², y², xy and,
for each document and group, of 1, x and y: a sample's sums are its weights times those matrices. Kendall's
concordant pairs between two documents form a matrix C, and a sample has w'Cw of them. Spearman's ranks are made
again in every sample (or kept, if asked) on the distinct values of each group.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from aver.errors import InputError
from aver.frank._benchmark import Floats, Integers
from aver.frank._ranks import ranks, residuals, rounded

__all__ = ["Job", "Progress", "Resampling", "interval", "resample"]

Resampling = Literal["again", "fixed"]
Job = tuple[Floats, Floats, str]
"""Metric scores, human scores (NaN where missing) and the method."""

Progress = Callable[[int], None]
Draw = Callable[[Floats], Floats]
_MOST_DOCS = 4000  # documents squared, three times, in eight bytes: 400 MB
_STEP = 100  # samples at a time: keeps every intermediate within a few MB whatever is asked for


def resample(
    jobs: Sequence[Job],
    groups: Integers,
    docs: Integers,
    *,
    resamples: int,
    seed: int = 0,
    ranking: Resampling = "again",
    progress: Progress | None = None,
) -> list[Floats]:
    """For each job the coefficients in `resamples` bootstrap samples of documents; NaN where one is not defined.

    `progress` is told, from several threads, how many samples of a job were done since it was last called.
    """
    from concurrent.futures import ThreadPoolExecutor

    from threadpoolctl import threadpool_limits

    count = int(docs.max()) + 1
    if count > _MOST_DOCS and any(method == "kendall" for _, _, method in jobs):
        raise InputError(
            f"Kendall's bootstrap keeps a table of documents by documents; {count:,} are too many (at most "
            f"{_MOST_DOCS:,}). Ask for no resamples, or for Pearson or Spearman"
        )
    generator, even = np.random.default_rng(seed), np.full(count, 1 / count)
    # how often a document was drawn fits two bytes, and the samples of all jobs are the same: drawn once, kept small
    samples = np.empty((resamples, count), dtype=np.uint16)
    for start in range(0, resamples, _STEP):
        size = min(_STEP, resamples - start)
        samples[start : start + size] = generator.multinomial(count, even, size=size)

    def work(job: Job) -> Floats:
        draw = _prepare(job, groups, docs, count, ranking)
        found = np.empty(resamples)
        for start in range(0, resamples, _STEP):
            found[start : start + _STEP] = draw(samples[start : start + _STEP].astype(np.float64))
            if progress is not None:
                progress(min(_STEP, resamples - start))
        return found

    # the matrices are small: BLAS's own threads would only stand in the way of ours (measured: three times slower)
    with (
        threadpool_limits(1, user_api="blas"),
        ThreadPoolExecutor(max_workers=min(len(jobs) or 1, os.cpu_count() or 1)) as pool,
    ):
        return list(pool.map(work, jobs))


def interval(draws: Floats, level: float = 0.95) -> tuple[float | None, float | None]:
    """The percentile interval of the defined draws; None where fewer than half are defined."""
    defined = draws[np.isfinite(draws)]
    if len(defined) * 2 < len(draws) or not len(defined):
        return None, None
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _prepare(job: Job, groups: Integers, docs: Integers, count: int, ranking: Resampling) -> Draw:
    scores, people, method = job
    keep = np.isfinite(scores) & np.isfinite(people)
    x, y, where = scores[keep], people[keep], docs[keep]
    codes = np.unique(groups[keep], return_inverse=True)[1]
    if len(x) < 2:
        return lambda weights: np.full(len(weights), np.nan)
    if method == "kendall":
        return _kendall(x, y, codes, where, count)
    if method == "pearson":
        return _pearson(residuals(x, codes), residuals(y, codes), codes, where, count)
    if ranking == "fixed":
        if method == "spearman":
            alone = np.zeros_like(codes)
            a, b = (ranks(rounded(residuals(v, codes))) for v in (x, y))
            return _pearson(residuals(a, alone), residuals(b, alone), alone, where, count)
        a, b = (residuals(ranks(v), codes) for v in (x, y))
        return _pearson(a, b, codes, where, count)
    return _spearman(x, y, codes, where, method)


def _pearson(x: Floats, y: Floats, groups: Integers, docs: Integers, count: int) -> Draw:
    size = int(groups.max()) + 1

    def spread(values: Floats) -> Any:
        return _sums(docs, groups, values, (count, size))

    sums = np.stack([np.bincount(docs, weights=v, minlength=count) for v in (x * y, x * x, y * y)], axis=1)
    number, total_x, total_y = spread(np.ones_like(x)), spread(x), spread(y)

    def draw(weights: Floats) -> Floats:
        products = weights @ sums
        n, a, b = np.maximum(weights @ number, 1.0), weights @ total_x, weights @ total_y
        covariance = products[:, 0] - (a * b / n).sum(axis=1)
        return _ratio(covariance, products[:, 1] - (a * a / n).sum(axis=1), products[:, 2] - (b * b / n).sum(axis=1))

    return draw


def _kendall(x: Floats, y: Floats, groups: Integers, docs: Integers, count: int) -> Draw:
    forms = np.zeros((3, count, count))  # concordant less discordant, untied in x, untied in y; documents squared
    for group in range(int(groups.max()) + 1):
        rows = np.flatnonzero(groups == group)
        step = max(1, 2_000_000 // max(1, len(rows)))
        for start in range(0, len(rows), step):
            part = rows[start : start + step]
            signs_x, signs_y = (np.sign(v[part, None] - v[None, rows]) for v in (x, y))
            cells = docs[part, None] * count + docs[None, rows]
            for form, values in zip(forms, (signs_x * signs_y, np.abs(signs_x), np.abs(signs_y)), strict=True):
                form += np.bincount(cells.ravel(), weights=values.ravel(), minlength=count * count).reshape(
                    count, count
                )

    def draw(weights: Floats) -> Floats:
        balance, free_x, free_y = (np.einsum("ij,ij->i", weights @ form, weights) for form in forms)
        return _ratio(balance, free_x, free_y)

    return draw


def _spearman(x: Floats, y: Floats, groups: Integers, docs: Integers, method: str) -> Draw:
    # rows in the order of x, so that the distinct values of x mostly stand where they belong
    order = np.argsort(residuals(x, groups) if method == "spearman" else x, kind="stable")
    x, y, groups, docs = x[order], y[order], groups[order], docs[order]
    size = int(groups.max()) + 1
    one_hot = _sums(np.arange(len(x)), groups, np.ones_like(x), (len(x), size))
    shifted = method == "spearman" and size > 1
    rank_x, rank_y = (_shifting_ranks(v, groups) if shifted else _steady_ranks(v) for v in (x, y))
    sides = np.ones((len(x), 1)) if method == "spearman" else one_hot

    def draw(weights: Floats) -> Floats:
        rows = np.take(weights, docs, axis=1)
        counts = rows @ one_hot
        a, b = rank_x(rows, counts), rank_y(rows, counts)
        n = np.maximum(rows @ sides, 1.0)
        wa, wb = rows * a, rows * b
        mean_a, mean_b = wa @ sides, wb @ sides
        covariance = np.einsum("ij,ij->i", wa, b) - (mean_a * mean_b / n).sum(axis=1)
        spread_a = np.einsum("ij,ij->i", wa, a) - (mean_a * mean_a / n).sum(axis=1)
        spread_b = np.einsum("ij,ij->i", wb, b) - (mean_b * mean_b / n).sum(axis=1)
        return _ratio(covariance, spread_a, spread_b)

    return draw


def _steady_ranks(values: Floats) -> Callable[[Floats, Floats], Floats]:
    """Weighted ranks where the order never changes: only the weights below each distinct value do."""
    distinct, cell = np.unique(values, return_inverse=True)
    order = np.argsort(cell, kind="stable")
    starts = np.searchsorted(cell[order], np.arange(len(distinct)))

    def rank(rows: Floats, counts: Floats) -> Floats:
        weight = np.add.reduceat(np.take(rows, order, axis=1), starts, axis=1)
        return np.take(np.cumsum(weight, axis=1) - (weight - 1) / 2, cell, axis=1)

    return rank


def _shifting_ranks(values: Floats, groups: Integers) -> Callable[[Floats, Floats], Floats]:
    """Weighted ranks of residuals: a sample has its own group means, so groups slide against one another.

    Within a group the order stands, so it is enough to sort the distinct values of each group ("cells"). A cell's
    value (in steps of 2⁻⁴⁰ of the largest: ties broken only by rounding are ties) and its number share one
    64-bit integer, so that one plain sort yields order and ties together.
    """
    values = residuals(values, groups)
    values = values / (np.abs(values).max(initial=0.0) or 1.0)
    keys = np.stack([np.round(values, 12), groups.astype(np.float64)], axis=1)
    _, first, cell = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    cell, level, group = cell.reshape(-1), values[first], groups[first]
    number = len(level)
    bits = max(1, (number - 1).bit_length())
    fine = 2.0 ** min(40, 60 - bits)
    plain = number == len(cell) and bool((cell == np.arange(number)).all())
    order = np.argsort(cell, kind="stable")
    starts = np.searchsorted(cell[order], np.arange(number))
    members = _sums(np.arange(number), group, level, (number, int(groups.max()) + 1))

    def rank(rows: Floats, counts: Floats) -> Floats:
        weight = rows if plain else np.add.reduceat(np.take(rows, order, axis=1), starts, axis=1)
        means = (weight @ members) / np.maximum(counts, 1.0)
        packed = np.rint((level[None, :] - np.take(means, group, axis=1)) * fine).astype(np.int64)
        packed = (packed << bits) | np.arange(number)
        packed.sort(axis=1)
        flat = (packed & ((1 << bits) - 1)) + np.arange(len(rows))[:, None] * number
        weight = np.take(weight.reshape(-1), flat)
        below = np.cumsum(weight, axis=1)
        found = below - (weight - 1) / 2
        packed >>= bits
        same = packed[:, 1:] == packed[:, :-1]
        if same.any():
            _share(found, below, weight, same)
        ranked: Floats = np.empty_like(found)
        ranked.reshape(-1)[flat] = found
        return ranked if plain else np.take(ranked, cell, axis=1)

    return rank


def _share(found: Floats, below: Floats, weight: Floats, same: NDArray[np.bool_]) -> None:
    """Gives cells of different groups that came to the same value their common mean rank, in place."""
    for row in np.flatnonzero(same.any(axis=1)):
        edges = np.flatnonzero(np.concatenate([[True], ~same[row], [True]]))
        total = np.add.reduceat(weight[row], edges[:-1])
        found[row] = np.repeat(below[row, edges[1:] - 1] - (total - 1) / 2, np.diff(edges))


def _sums(rows: Integers, columns: Integers, values: Floats, shape: tuple[int, int]) -> Any:
    """The values summed into a table, which is mostly zeros: a plain one where it is small, else a sparse one."""
    if shape[0] * shape[1] > 4_000_000:
        from scipy.sparse import csr_array

        return csr_array((values, (rows, columns)), shape=shape)
    flat = np.bincount(rows * shape[1] + columns, weights=values, minlength=shape[0] * shape[1])
    return np.asarray(flat, dtype=np.float64).reshape(shape)


def _ratio(covariance: Floats, spread_x: Floats, spread_y: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        r = covariance / np.sqrt(np.maximum(spread_x, 0.0) * np.maximum(spread_y, 0.0))
    # a spread that is rounding's leftover of nothing is nothing
    nothing = (spread_x <= 1e-12 * np.abs(spread_x).max(initial=0)) | (
        spread_y <= 1e-12 * np.abs(spread_y).max(initial=0)
    )
    return np.asarray(np.where(nothing, np.nan, np.clip(r, -1.0, 1.0)))
