"""Does it read? The same rows without their source, with another's, without their text, with another's."""

from __future__ import annotations

import contextlib
import dataclasses

import numpy as np

from aver.errors import AverError
from aver.prove._context import Context, percent
from aver.prove._data import Absent, Rows, read_summedits, read_xsumfaith
from aver.prove._figures import HALVES_RULE, Bools, auc, crossed
from aver.prove._labelled import by_domain, refuted_rows, sample_as_rows
from aver.prove._report import Chart, Part, Table, Value
from aver.prove._scorer import Floats

__all__ = ["reading_part"]

MOST = 400
"""Rows of each data set: every one is scored five times over."""

STATES = ("as they are", "no source", "another's source", "no text", "another's text")
KEPT_LITTLE, KEPT_MUCH = 0.25, 0.75


def reading_part(context: Context) -> Part:
    """What is left of the metric's skill when one side of the pair is taken away or swapped for another's."""
    sets = _taken(context)
    table: list[tuple[Value, ...]] = []
    drawn: list[tuple[Value, ...]] = []
    figures: dict[str, float | int | None] = {}
    notes: list[str] = []
    for key, rows in sets:
        labels = rows.human > 0.5
        areas: dict[str, float | None] = {}
        right: dict[str, float | None] = {}
        for state in STATES:
            changed = _changed(rows, state, context.seed)
            try:
                scores = context.score(changed)
            except AverError as error:
                notes.append(f"{rows.name}, {state}: {error}")
                areas[state] = None
                table.append((rows.name, state, len(rows), None, None, None))
                continue
            found = crossed(scores, labels, rows.docs, resamples=0)
            areas[state] = auc(scores, labels)
            right[state] = _guessing(scores, labels, found.called)
            unscored = int(np.isnan(scores).sum())
            table.append((rows.name, state, len(rows), unscored, areas[state], right[state]))
        drawn += [(f"{rows.name}: {state}", value, None, None) for state, value in areas.items() if value is not None]
        full = areas["as they are"]
        figures[f"{key}_auc"] = full
        for name, state in (("accuracy", "as they are"), ("text_only_accuracy", "no source"),
                            ("source_only_accuracy", "no text")):  # fmt: skip
            figures[f"{key}_{name}"] = right.get(state)
        for name, side in (("source", STATES[1:3]), ("text", STATES[3:5])):
            left = kept_skill(full, [areas[state] for state in side], by_chance(labels))
            figures[f"{key}_kept_without_{name}"] = left
    # the worst finding counts: a metric that can do without the source anywhere is not one that reads it
    main: dict[str, float | int | None] = {}
    for name in ("source", "text"):
        known = [value for key, value in figures.items() if key.endswith(f"kept_without_{name}") and value is not None]
        main[f"kept_without_{name}"] = max(known) if known else None
    kept = main["kept_without_source"]
    taken = [rows for _, rows in sets]
    alt = "AUC with and without each side: " + ", ".join(f"{row[0]} {row[1]:.3f}" for row in drawn)
    return Part(
        "reading", "Does it read?", "Does it look at the source, or can it do without?",
        finding=_finding(kept),
        figures=main | figures,
        tables=(Table("With and without each side", ("rows", "given", "n", "unscored", "AUC", "balanced accuracy"),
                      tuple(table), "0.5 is chance. A row without a score counts as a guess here."),),
        charts=(Chart("intervals", "AUC with and without each side (line: chance)", alt,
                      tuple(drawn), mark="as they are", base=0.5),),
        rule=f"At most {MOST} rows of each data set. Another's: the source (or text) of another row's document, drawn "
        "by the seed. Kept skill: (AUC without − 0.5) / (AUC as they are − 0.5), the larger of the two ways and the "
        "largest of the sets where there is skill to lose; an AUC within two standard errors of chance is no skill. 0 "
        "is a metric that needs what was taken away, 1 one that never looked at it. VitaminC's claims stand there once "
        f"supported and once refuted, so that without the source nothing but chance is possible on it. {HALVES_RULE}.",
        notes=tuple(notes), n=sum(len(rows) for rows in taken), of=sum(rows.of for rows in taken),
        sources=tuple(file for rows in taken for file in rows.files),
    )  # fmt: skip


def kept_skill(full: float | None, without: list[float | None], chance: float) -> float | None:
    """The share of the skill above chance that is left; None where there was none to lose.

    `chance` is how far from 0.5 an AUC gets by chance (two standard errors): what lies within is no skill.

    >>> kept_skill(0.9, [0.5, 0.6], 0.05), kept_skill(0.9, [0.9, None], 0.05), kept_skill(0.9, [0.54], 0.05)
    (0.25, 1.0, 0.0)
    >>> kept_skill(0.52, [0.5], 0.05) is None
    True
    """
    known = [value - 0.5 if value - 0.5 > chance else 0.0 for value in without if value is not None]
    if full is None or full - 0.5 <= chance or not known:
        return None
    return round(max(known) / (full - 0.5), 6)


def by_chance(labels: Bools) -> float:
    """Two standard errors of an AUC without skill (of Mann and Whitney's statistic)."""
    up, down = int(labels.sum()), int((~labels).sum())
    return 2 * float(np.sqrt((up + down + 1) / (12 * up * down))) if up and down else 0.5


def _finding(kept: float | None) -> str:
    if kept is None:
        return "It cannot be said: with text and source as they are the metric is too near chance to lose anything."
    left = f"at most {percent(min(kept, 1.0))}" if kept else "nothing"
    share = f"without its own source {left} of its skill is left"
    if kept <= KEPT_LITTLE:
        return f"It reads the source: {share}."
    if kept <= KEPT_MUCH:
        return f"It reads the source in part: {share}."
    return f"It hardly reads the source: {share}."


def _changed(rows: Rows, state: str, seed: int) -> Rows:
    if state == "as they are":
        return rows
    blank = ("",) * len(rows)
    if state == "no source":
        return dataclasses.replace(rows, sources=blank)
    if state == "no text":
        return dataclasses.replace(rows, texts=blank)
    other = _others(rows.docs, seed)
    if state == "another's source":
        return dataclasses.replace(rows, sources=tuple(rows.sources[i] for i in other))
    return dataclasses.replace(rows, texts=tuple(rows.texts[i] for i in other))


def _others(docs: tuple[str, ...], seed: int) -> list[int]:
    """For each row one of another document: documents change places in a ring drawn by the seed."""
    random = np.random.default_rng(seed)
    names = list(dict.fromkeys(docs))
    ring = [names[i] for i in random.permutation(len(names))]
    after = dict(zip(ring, [*ring[1:], ring[0]], strict=True))
    rows: dict[str, list[int]] = {}
    for i, doc in enumerate(docs):
        rows.setdefault(doc, []).append(i)
    return [rows[after[doc]][int(random.integers(len(rows[after[doc]])))] for doc in docs]


def _guessing(scores: Floats, labels: Bools, called: Bools) -> float | None:
    """Balanced accuracy where an unscored row is right half the time: without a side there may be nothing to score."""
    right = np.where(np.isfinite(scores), called == labels, 0.5).astype(float)
    if labels.all() or not labels.any():
        return None
    return float((right[labels].mean() + right[~labels].mean()) / 2)


def _taken(context: Context) -> list[tuple[str, Rows]]:
    """The sample, and of every labelled set at hand what is not too many."""
    few = dataclasses.replace(context, limit=min(context.limit or MOST, MOST))
    found = [("sample", sample_as_rows())]
    with contextlib.suppress(Absent):
        found.append(("summedits", by_domain(read_summedits(context.data), few)))
    with contextlib.suppress(Absent):
        found.append(("xsumfaith", few.sample(read_xsumfaith(context.data))))
    with contextlib.suppress(Absent):
        found.append(("vitaminc", refuted_rows(few)))
    return found
