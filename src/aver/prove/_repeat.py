"""Same input, same answer? Twice, in another order, in other batches."""

from __future__ import annotations

import numpy as np

from aver.prove._context import Context
from aver.prove._data import Absent, Rows, read_summedits, sample_index
from aver.prove._labelled import sample_as_rows
from aver.prove._report import Part, Table, Value
from aver.prove._scorer import Floats, checked

__all__ = ["repeat_part"]

MORE = 12
"""Rows of SummEdits beside the sample, where it is at hand: longer sources, of many lengths."""
MILLIONTH = 1e-6
"""Below it, a difference is that of sums taken in another order; above it, another answer."""


def repeat_part(context: Context) -> Part:
    """How far scores move when nothing that should matter has changed; nothing is taken from the kept scores."""
    rows = sample_as_rows()
    texts, sources, places = list(rows.texts), list(rows.sources), list(rows.places)
    files: tuple[tuple[str, str], ...] = ()
    more = _more(context)
    if more is not None:
        texts, sources, places = [*texts, *more.texts], [*sources, *more.sources], [*places, *more.places]
        files = more.files

    asked = [0]

    def ask(order: list[int], size: int) -> Floats:
        scores = np.full(len(texts), np.nan)
        raw = context.subject.raw
        assert raw is not None
        for at in range(0, len(order), size):
            part = order[at : at + size]
            scores[part] = checked(raw, [texts[i] for i in part], [sources[i] for i in part],
                                   [places[i] for i in part], name=context.subject.name)  # fmt: skip
            asked[0] += len(part)
            if context.scorer.progress is not None:
                context.scorer.progress("the same again", asked[0], 5 * len(order))
        return scores

    n = len(texts)
    order = list(range(n))
    shuffled = [int(i) for i in np.random.default_rng(context.seed).permutation(n)]
    first = ask(order, n)
    runs = [
        ("the same again", ask(order, n)),
        ("in another order", ask(shuffled, n)),
        ("one row at a time", ask(order, 1)),
        ("seven rows at a time", ask(order, 7)),
    ]
    table: list[tuple[Value, ...]] = []
    largest, moved, beyond = 0.0, 0, 0
    for name, scores in runs:
        apart = np.where(np.isfinite(first) & np.isfinite(scores), np.abs(first - scores), 0.0)
        lost = np.isfinite(first) != np.isfinite(scores)
        changed = (apart > 0) | lost
        table.append((name, n, int(changed.sum()), float(apart.max()), int(lost.sum())))
        largest, moved = max(largest, float(apart.max())), max(moved, int(changed.sum()))
        beyond = max(beyond, int(((apart > MILLIONTH) | lost).sum()))
    said = (
        "Every score was the same to the last bit, whatever the order and the batch."
        if not moved
        else f"The same to six decimals: up to {moved} of {n} scores moved, by at most {largest:.2g}."
        if not beyond
        else f"Up to {beyond} of {n} scores moved by more than a millionth, and by as much as {largest:.2g}."
    )
    return Part(
        "repeat", "Repeatability", "Same input, same answer?",
        finding=said,
        figures={"largest_difference": largest, "changed": moved, "changed_beyond_millionth": beyond,
                 "variance": _variance([first, *(scores for _, scores in runs)])},
        tables=(Table("Against the first run", ("run", "rows", "changed", "largest difference", "scored in one only"),
                      tuple(table)),),
        rule="The built-in sample and, where it is at hand, a dozen rows of SummEdits, scored five times by calling "
        "the metric directly. The variance is that of a row's five scores, averaged over the rows.",
        n=n, of=n, unscored=int(np.isnan(first).sum()), sources=files,
    )  # fmt: skip


def _variance(runs: list[Floats]) -> float:
    """Of a row's scores, averaged over the rows that every run scored."""
    table = np.stack(runs)
    kept = table[:, np.isfinite(table).all(axis=0)]
    return float(kept.var(axis=0).mean()) if kept.size else 0.0


def _more(context: Context) -> Rows | None:
    try:
        rows = read_summedits(context.data)
    except Absent:
        return None
    return rows.take(sample_index(rows.places, MORE, context.seed))
