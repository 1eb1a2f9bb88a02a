"""Can the score be believed as a probability? ECE, Brier score and the reliability diagram."""

from __future__ import annotations

import contextlib

import numpy as np

from aver.metrics import CalibrationReport, calibration
from aver.prove._context import Context, number
from aver.prove._data import Absent, Rows, read_summedits, read_xsumfaith
from aver.prove._figures import Bools
from aver.prove._labelled import by_domain, refuted_rows, sample_as_rows
from aver.prove._report import Chart, Part, Table, Value
from aver.prove._scorer import Floats

__all__ = ["calibration_part"]

BINS = 10


def calibration_part(context: Context) -> Part:
    """The score taken as the probability that the text is consistent, on every labelled set at hand."""
    table: list[tuple[Value, ...]] = []
    charts: list[Chart] = []
    figures: dict[str, float | int | None] = {}
    counted = np.zeros(3, dtype=int)
    files: list[tuple[str, str]] = []
    for key, rows in _labelled(context):
        scores = context.score(rows)
        keep = np.isfinite(scores)
        if keep.any() and (scores[keep].min() < 0 or scores[keep].max() > 1):
            at = int(np.flatnonzero(keep & ((scores < 0) | (scores > 1)))[0])
            raise Absent(
                f"the scores are no probabilities: {rows.places[at]} has {scores[at]:.4g}; calibration needs scores "
                "from 0 to 1"
            )
        counted += np.array([len(rows), rows.of, int((~keep).sum())])
        if not keep.any():
            continue
        files += rows.files
        labels = rows.human[keep] > 0.5
        found = _calibration(scores[keep], labels)
        base = float(labels.mean())
        brier = found.brier / 2  # of one event, not summed over both labels
        plain = base * (1 - base)
        table.append((rows.name, int(keep.sum()), base, float(scores[keep].mean()), found.ece, found.mce, brier, plain))
        figures |= {f"ece_{key}": found.ece, f"brier_{key}": brier, f"brier_of_base_rate_{key}": plain}
        charts.append(_chart(rows.name, found))
    if not table:
        raise Absent("the metric gave no score to any labelled row")
    main = "vitaminc" if "ece_vitaminc" in figures else "sample"
    first: dict[str, float | int | None] = {"ece": figures[f"ece_{main}"], "brier": figures[f"brier_{main}"]}
    name = {"vitaminc": "VitaminC", "sample": "the built-in sample"}[main]
    plain_main = figures[f"brier_of_base_rate_{main}"]
    better = (first["brier"] or 0.0) < (plain_main or 0.0)
    return Part(
        "calibration", "Calibration", "Can the score be read as a probability?",
        finding=f"On {name} the score is off by {number(first['ece'])} on average (ECE); its Brier score "
        f"{number(first['brier'])} is {'better' if better else 'no better'} than always saying the base rate "
        f"({number(plain_main)}).",
        figures=first | figures,
        tables=(Table("The score as a probability",
                      ("rows", "n", "consistent", "mean score", "ECE", "largest gap", "Brier",
                       "Brier of the base rate"),
                      tuple(table), "Lower is better for ECE, gap and Brier. What is calibrated on one kind of text "
                      "need not be on another: the base rates differ."),),
        charts=tuple(charts),
        rule=f"Rows as in the other parts, unscored rows left out. {BINS} bins of equal width of the score itself; "
        "Brier: mean squared distance of the score from 1 (consistent) or 0.",
        n=int(counted[0]), of=int(counted[1]), unscored=int(counted[2]), sources=tuple(files),
    )  # fmt: skip


def _labelled(context: Context) -> list[tuple[str, Rows]]:
    """The labelled sets; those whose part was run are scored already."""
    found = [("sample", sample_as_rows())]
    with contextlib.suppress(Absent):
        found.append(("vitaminc", refuted_rows(context)))
    with contextlib.suppress(Absent):
        found.append(("summedits", by_domain(read_summedits(context.data), context)))
    with contextlib.suppress(Absent):
        found.append(("xsumfaith", context.sample(read_xsumfaith(context.data))))
    return found


def _calibration(scores: Floats, labels: Bools) -> CalibrationReport:
    """Every row is taken to be called consistent, so that its confidence is the score itself."""
    stated = [{"consistent": float(p), "not": 1 - float(p)} for p in scores]
    gold = ["consistent" if one else "not" for one in labels]
    return calibration(stated, gold, predictions=["consistent"] * len(gold), bins=BINS, labels="any")


def _chart(name: str, found: CalibrationReport) -> Chart:
    rows = tuple((f"{bin_.low:.1f} to {bin_.high:.1f}", bin_.confidence, bin_.accuracy, bin_.n)
                 for bin_ in found.bins if bin_.n)  # fmt: skip
    alt = f"{name}: share of consistent rows by score: " + ", ".join(
        f"at {row[1]:.2f} {row[2]:.2f} of {row[3]}" for row in rows
    )
    return Chart("reliability", f"Reliability on {name}", alt, rows)
