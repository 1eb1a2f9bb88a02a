"""Does it tell right from wrong? The project's own sample, XSumFaith, SummEdits and VitaminC's contrastive pairs."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np

from aver.metrics import flip_rate
from aver.prove._context import Context, percent, span
from aver.prove._data import Absent, Rows, read_summedits, read_vitaminc, read_xsumfaith, sample_index
from aver.prove._figures import HALVES_RULE, Bools, auc, balanced, crossed
from aver.prove._report import Chart, Part, Table, Value
from aver.prove._sample import sample_rows
from aver.prove._scorer import Floats

__all__ = [
    "by_domain",
    "contrast_figures",
    "refuted_rows",
    "sample_as_rows",
    "sample_part",
    "summedits_part",
    "vitaminc_part",
    "vitaminc_rows",
    "xsumfaith_part",
]

WRONG_RULE = "A row without a score counts as called wrongly."


def sample_as_rows() -> Rows:
    """The built-in sample in the shape of a data set."""
    rows = sample_rows()
    return Rows(
        "the built-in sample", tuple(row.place for row in rows), tuple(row.text for row in rows),
        tuple(row.source for row in rows), np.array([float(row.consistent) for row in rows]),
        tuple(row.topic for row in rows), tuple(row.contrast for row in rows), (), len(rows),
    )  # fmt: skip


def sample_part(context: Context) -> Part:
    """The built-in sample: always there, so every report has at least this."""
    rows = sample_as_rows()
    scores = context.score(rows)
    labels = rows.human > 0.5
    area = auc(scores, labels)
    found = crossed(scores, labels, rows.docs, resamples=context.resamples, seed=context.seed)
    paired = [i for i, group in enumerate(rows.groups) if group]
    order = contrast_figures(scores[paired], labels[paired], [rows.groups[i] for i in paired])
    kinds: dict[str, list[int]] = {}
    for i, row in enumerate(sample_rows()):
        kinds.setdefault(row.kind, []).append(i)
    table: list[tuple[Value, ...]] = []
    for kind, mine in kinds.items():
        right = int((found.called[mine] == labels[mine]).sum())
        table.append((kind, len(mine), right, _mean(scores[mine][labels[mine]]), _mean(scores[mine][~labels[mine]])))
    return Part(
        "sample", "Built-in sample", "Does it tell true from false on pairs nobody has seen?",
        finding=f"It ranks a true text above a false one {percent(area)} of the time, and scores the same text higher "
        f"with the source that supports it than with the one that refutes it in {order['higher']:.0f} of "
        f"{order['n']:.0f} cases.",
        figures={"auc": area, "balanced_accuracy": found.value, "low": found.low, "high": found.high,
                 "flips": order["rate"], "ties": order["ties"]},
        tables=(Table("By what is changed", ("what", "pairs", "called rightly", "mean score, true",
                                              "mean score, false"),
                      tuple(table)),),
        rule="Sixty pairs written for aver about invented people and places, ten passages in two versions; forty of "
        f"them are one text with the version that supports it and the one that refutes it. {HALVES_RULE}. {WRONG_RULE}",
        n=len(rows), of=len(rows), unscored=int(np.isnan(scores).sum()),
    )  # fmt: skip


def xsumfaith_part(context: Context) -> Part:
    """Balanced accuracy on XSumFaith."""
    rows = context.sample(read_xsumfaith(context.data))
    scores = context.score(rows)
    labels = rows.human > 0.5
    found = crossed(scores, labels, rows.docs, resamples=context.resamples, seed=context.seed)
    area = auc(scores, labels)
    table = [
        (system, int(mine.sum()), int(labels[mine].sum()), balanced(found.called[mine], labels[mine]),
         auc(scores[mine], labels[mine]))
        for system, mine in ((system, np.array(rows.groups) == system) for system in sorted(set(rows.groups)))
    ]  # fmt: skip
    return Part(
        "xsumfaith", "XSumFaith", "Does it find hallucinations in one-sentence summaries?",
        finding=f"Balanced accuracy {percent(found.value)}"
        + (f" (95% {percent(found.low)} to {percent(found.high)})" if found.low is not None else "")
        + f"; a faithful summary scores above an unfaithful one {percent(area)} of the time.",
        figures={"balanced_accuracy": found.value, "low": found.low, "high": found.high, "auc": area,
                 "threshold_first": found.thresholds[0], "threshold_second": found.thresholds[1]},
        tables=(Table("By system", ("system", "summaries", "faithful", "balanced accuracy", "AUC"), tuple(table)),),
        rule=f"{context.size(rows).capitalize()}. A summary is faithful where most of three people mark nothing in it. "
        "Only articles that FRANK or QAGS has too, where these are at hand: aver's judges learn from the others. "
        f"{HALVES_RULE}. {WRONG_RULE}",
        n=len(rows), of=rows.of, unscored=int(np.isnan(scores).sum()), sources=rows.files,
    )  # fmt: skip


def summedits_part(context: Context) -> Part:
    """Balanced accuracy on SummEdits, the mean over its domains."""
    rows = by_domain(read_summedits(context.data), context)
    scores = context.score(rows)
    labels = rows.human > 0.5
    found = crossed(scores, labels, rows.docs, resamples=context.resamples, seed=context.seed, strata=rows.groups)
    table: list[tuple[Value, ...]] = []
    for domain in dict.fromkeys(rows.groups):
        mine = np.array(rows.groups) == domain
        table.append((domain, int(mine.sum()), int(labels[mine].sum()), balanced(found.called[mine], labels[mine]),
                      auc(scores[mine], labels[mine])))  # fmt: skip
    areas = [row[4] for row in table if isinstance(row[4], float)]
    area = float(np.mean(areas)) if areas else None
    drawn = tuple((str(row[0]), row[3], None, None) for row in table if row[3] is not None)
    alt = "Balanced accuracy by domain: " + ", ".join(f"{row[0]} {row[1]:.3f}" for row in drawn)
    return Part(
        "summedits", "SummEdits", "Does it notice small edits that make a summary wrong?",
        finding=f"Balanced accuracy {percent(found.value)}"
        + (f" (95% {percent(found.low)} to {percent(found.high)})" if found.low is not None else "")
        + f", the mean of {len(table)} domains.",
        figures={"balanced_accuracy": found.value, "low": found.low, "high": found.high, "auc": area,
                 "threshold_first": found.thresholds[0], "threshold_second": found.thresholds[1]},
        tables=(Table("By domain", ("domain", "summaries", "consistent", "balanced accuracy", "AUC"), tuple(table)),),
        charts=(Chart("intervals", "Balanced accuracy by domain (line: chance)", alt, drawn, base=0.5),)
        if drawn
        else (),
        rule=f"{context.size(rows).capitalize()}. {HALVES_RULE}; one threshold for all domains. {WRONG_RULE}",
        n=len(rows), of=rows.of, unscored=int(np.isnan(scores).sum()), sources=rows.files,
    )  # fmt: skip


def vitaminc_rows(context: Context) -> tuple[Rows, tuple[str, ...]]:
    """The claims that some evidence supports and another refutes or leaves open, sampled by page."""
    rows, labels = read_vitaminc(context.data)
    told: dict[str, set[str]] = {}
    for group, label in zip(rows.groups, labels, strict=True):
        told.setdefault(group, set()).add(label)
    keep = [i for i, group in enumerate(rows.groups) if "SUPPORTS" in told[group] and len(told[group]) > 1]
    if not keep:
        raise Absent("VitaminC's file has no claim with a supporting and another evidence")
    rows, labels = dataclasses.replace(rows.take(keep), of=len(keep)), tuple(labels[i] for i in keep)
    index = sample_index(rows.docs, context.limit, context.seed)
    return rows.take(index), tuple(labels[i] for i in index)


def refuted_rows(context: Context) -> Rows:
    """Of those, the claims with a supporting and a refuting evidence, and these evidences only."""
    rows, labels = vitaminc_rows(context)
    both = {group for group, label in zip(rows.groups, labels, strict=True) if label == "REFUTES"}
    return rows.take([i for i, label in enumerate(labels) if label != "NOT ENOUGH INFO" and rows.groups[i] in both])


def vitaminc_part(context: Context) -> Part:
    """Flip rate over VitaminC's contrastive evidences."""
    rows, labels = vitaminc_rows(context)
    scores = context.score(rows)
    said = np.array(labels)
    supported = said == "SUPPORTS"
    table: list[tuple[Value, ...]] = []
    figures: dict[str, float | int | None] = {}
    for key, label, title in (("refuted", "REFUTES", "refutes it"), ("open", "NOT ENOUGH INFO", "leaves it open")):
        groups = {group for group, other in zip(rows.groups, labels, strict=True) if other == label}
        mine = np.array([group in groups and one in ("SUPPORTS", label)
                         for group, one in zip(rows.groups, labels, strict=True)], dtype=bool)  # fmt: skip
        if not mine.any():
            continue
        picked = [group for group, here in zip(rows.groups, mine, strict=True) if here]
        order = contrast_figures(scores[mine], supported[mine], picked)
        found = crossed(scores[mine], supported[mine], [d for d, here in zip(rows.docs, mine, strict=True) if here],
                        resamples=context.resamples, seed=context.seed)  # fmt: skip
        called = ["SUPPORTS" if one else "REFUTES" for one in found.called]
        gold = ["SUPPORTS" if one else "REFUTES" for one in supported[mine]]
        flips = flip_rate(called, gold, picked).flip_rate
        table.append((title, int(order["n"]), order["rate"], order["ties"], flips, found.value,
                      span(found.low, found.high), auc(scores[mine], supported[mine])))  # fmt: skip
        if key == "refuted":
            figures = {"order_rate": order["rate"], "flip_rate": flips, "ties": order["ties"],
                       "balanced_accuracy": found.value, "low": found.low, "high": found.high}  # fmt: skip
        else:
            figures |= {"order_rate_open": order["rate"], "flip_rate_open": flips}
    lead, flips = figures.get("order_rate"), figures.get("flip_rate")
    return Part(
        "vitaminc", "VitaminC", "Does the score follow the evidence when a fact in it changes?",
        finding=f"The supporting evidence scores above the refuting one in {percent(lead)} of claims; with one "
        f"threshold {percent(flips)} of claims get both verdicts right.",
        figures=figures,
        tables=(Table("Claims with two evidences", ("the other evidence", "claims", "supporting scores higher", "ties",
                                                    "both right", "balanced accuracy", "95%", "AUC"), tuple(table)),),
        rule=f"{context.size(rows).capitalize()} of fold 8: pages that no shipped model was trained or chosen on. The "
        f"claim is the text, the evidence the source. A tie is not higher. {HALVES_RULE} (here: pages). {WRONG_RULE}",
        n=len(rows), of=rows.of, unscored=int(np.isnan(scores).sum()), sources=rows.files,
    )  # fmt: skip


def contrast_figures(scores: Floats, supported: Bools, groups: Sequence[str]) -> dict[str, float]:
    """Of the texts with two sources: how many score strictly higher with the supporting one.

    A text with several evidences counts once, and only where every supporting one scores above every other.

    >>> contrast_figures(np.array([0.9, 0.1, 0.5, 0.5]), np.array([True, False, True, False]), ["a", "a", "b", "b"])
    {'n': 2.0, 'higher': 1.0, 'rate': 0.5, 'ties': 0.5}
    """
    sides: dict[str, tuple[list[float], list[float]]] = {}
    for score, holds, group in zip(scores, supported, groups, strict=True):
        sides.setdefault(group, ([], []))[0 if holds else 1].append(float(score))
    both = [(up, down) for up, down in sides.values() if up and down]
    higher = sum(min(up) > max(down) for up, down in both if np.isfinite([*up, *down]).all())
    ties = sum(min(up) == max(down) for up, down in both)
    n = len(both)
    return {"n": float(n), "higher": float(higher), "rate": higher / n if n else 0.0, "ties": ties / n if n else 0.0}


def by_domain(rows: Rows, context: Context) -> Rows:
    """A sample with every domain in it: each gives its share of the limit.

    By summary, not by document: a domain has some twenty documents with some thirty summaries each.
    """
    if context.limit is None or context.limit >= len(rows):
        return rows
    domains = list(dict.fromkeys(rows.groups))
    kept: list[int] = []
    for domain in domains:
        mine = [i for i, group in enumerate(rows.groups) if group == domain]
        share = max(context.limit // len(domains), 2)
        kept += [mine[i] for i in sample_index([rows.places[i] for i in mine], share, context.seed)]
    return rows.take(sorted(kept))


def _mean(values: Floats) -> float | None:
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else None
