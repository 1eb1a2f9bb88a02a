"""Calibration: can a stated probability be believed? ECE, Brier score, log loss, and the risk–coverage
curve."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from aver.errors import InputError, Problems, count_of
from aver.labels import Label
from aver.metrics._classification import LabelKind, as_labels

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Binning", "CalibrationReport", "ReliabilityBin", "calibration"]

Binning = Literal["width", "mass"]
"""Bins of equal `width` in confidence, or of equal `mass`: about as many rows in each."""

SUM_TOLERANCE = 1e-3
"""How far from 1 a row's probabilities may sum: files round them to a few decimals."""
SMALLEST = 1e-15
"""A gold label given probability 0 would make the log loss infinite; it counts as this much."""


@dataclasses.dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """The rows whose confidence lies in (low, high]."""

    low: float
    high: float
    n: int
    confidence: float | None
    """The mean; None in an empty bin."""
    accuracy: float | None


@dataclasses.dataclass(frozen=True, slots=True)
class CalibrationReport:
    """Everything about one set of stated probabilities."""

    measure: str
    """The name of the calibration error, with its bins."""
    n: int
    accuracy: float
    confidence: float
    """The mean confidence; above the accuracy, the model is too sure of itself."""
    ece: float
    mce: float
    """The largest gap of any bin."""
    brier: float
    nll: float
    aurc: float
    binning: Binning
    bins: tuple[ReliabilityBin, ...]
    risk: tuple[float, ...]
    """The error rate among the k most confident rows, for k = 1 … n."""
    notes: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON; the risk is given at each tenth of coverage."""
        names = ("measure", "n", "accuracy", "confidence", "ece", "mce", "brier", "nll", "aurc", "binning")
        tenths = {f"{tenth / 10:.1f}": self.risk[max(math.ceil(self.n * tenth / 10), 1) - 1] for tenth in range(1, 11)}
        return {name: getattr(self, name) for name in names} | {
            "bins": [dataclasses.asdict(bin_) for bin_ in self.bins],
            "risk_at_coverage": tenths,
            "notes": list(self.notes),
        }


class Stated(NamedTuple):
    """Probabilities as numbers: a row per case, a column per label."""

    table: NDArray[np.float64]
    gold: NDArray[np.intp]
    confidence: NDArray[np.float64]
    """The probability of the label that was predicted."""
    right: NDArray[np.bool_]


def calibration(
    probabilities: Sequence[Mapping[Any, float]],
    references: Sequence[object],
    *,
    predictions: Sequence[object] | None = None,
    bins: int = 15,
    binning: Binning = "width",
    labels: LabelKind = "verdict",
    places: Sequence[str] | None = None,
) -> CalibrationReport:
    """ECE, Brier score, log loss, reliability bins and the risk–coverage curve of stated probabilities.

    `probabilities` holds, for each row, an object of probabilities by label that sum to 1; a label left out
    has probability 0. What counts as predicted is the most probable label, or `predictions` where those were
    decided otherwise; the confidence of a row is the probability of its predicted label. `places` (a file and a
    line for each row) go into error messages.

    >>> sure, torn = {"SUPPORTS": 0.9, "REFUTES": 0.1}, {"SUPPORTS": 0.6, "NEI": 0.4}
    >>> found = calibration([sure, torn], ["SUPPORTS", "NEI"])
    >>> round(found.ece, 4), round(found.brier, 4), found.aurc
    (0.35, 0.37, 0.25)
    """
    if binning not in ("width", "mass"):
        raise InputError(f"binning is {binning!r}; it can be: width, mass")
    if not isinstance(bins, int) or not 1 <= bins <= 10_000:
        raise InputError(f"bins is {bins!r}; it must be a whole number from 1 to 10000")
    stated = read_probabilities(probabilities, references, predictions=predictions, labels=labels, places=places)
    found = reliability(stated, bins, binning)
    gaps = [(b.n, abs(b.accuracy - b.confidence)) for b in found if b.accuracy is not None and b.confidence is not None]
    n = len(stated.gold)
    loss, zeros = log_loss(stated)
    curve = risk_curve(stated)
    given = count_of(zeros, "gold label was", "gold labels were")
    notes = [f"{given} given probability 0; each counts as {SMALLEST} in nll"] if zeros else []
    return CalibrationReport(
        measure=f"ECE(bins={bins}, binning={binning})",
        n=n,
        accuracy=float(stated.right.mean()),
        confidence=float(stated.confidence.mean()),
        ece=sum(size * gap for size, gap in gaps) / n,
        mce=max(gap for _, gap in gaps),
        brier=brier(stated),
        nll=loss,
        aurc=float(curve.mean()),
        binning=binning,
        bins=found,
        risk=tuple(curve.tolist()),
        notes=tuple(notes),
    )


def read_probabilities(
    probabilities: Sequence[Mapping[Any, float]],
    references: Sequence[object],
    *,
    predictions: Sequence[object] | None = None,
    labels: LabelKind = "verdict",
    places: Sequence[str] | None = None,
) -> Stated:
    """Checks the probabilities and lays them out as a table; every row that is wrong is told."""
    import numpy as np

    sizes = {len(probabilities), len(references), *([] if predictions is None else [len(predictions)])}
    if len(sizes) > 1:
        raise InputError(
            f"{count_of(len(probabilities), 'row')} of probabilities but {count_of(len(references), 'reference')}; "
            "they must pair up"
        )
    if not references:
        raise InputError("nothing to score: there are no rows")
    gold = as_labels(references, labels, "reference")
    guessed = None if predictions is None else as_labels(predictions, labels, "prediction")
    problems = Problems()
    known: dict[Any, str] = {}
    rows: list[dict[str, float]] = []
    for number, row in enumerate(probabilities):
        place = places[number] if places else f"row {number + 1}"
        read: dict[str, float] = {}
        if not isinstance(row, Mapping) or not row:
            problems.add(place, f"expected probabilities by label, found {row!r:.60}")
            continue
        if strangers := [name for name in row if name not in known]:
            known |= dict(zip(strangers, as_labels(strangers, labels, f"{place} probability"), strict=True))
        for name, value in row.items():
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= 1:
                problems.add(place, f"the probability of {name!r} is {value!r:.60}; expected a number from 0 to 1")
                break
            if known[name] in read:
                problems.add(place, f"gives {known[name]} twice, in two spellings")
                break
            read[known[name]] = float(value)
        else:
            if abs(total := sum(read.values()) - 1) > SUM_TOLERANCE:
                problems.add(place, f"probabilities sum to {total + 1:.4g}; expected 1")
        rows.append(read)
    problems.raise_if_any("these probabilities cannot be scored")
    names: list[str] = [label for label in Label if label in {*known.values(), *gold}]
    names += sorted({*known.values(), *gold, *(guessed or ())} - set(names))
    column = {name: place for place, name in enumerate(names)}
    table = np.zeros((len(rows), len(names)))
    for number, read in enumerate(rows):
        for name, value in read.items():
            table[number, column[name]] = value
    wanted = np.array([column[name] for name in gold])
    # The first of equally probable labels, in the labels' own order.
    chosen = table.argmax(axis=1) if guessed is None else np.array([column[name] for name in guessed])
    return Stated(table, wanted, table[np.arange(len(rows)), chosen], chosen == wanted)


def reliability(stated: Stated, bins: int, binning: Binning) -> tuple[ReliabilityBin, ...]:
    """The rows in bins by confidence. Equal confidences share one, so equal-mass bins can be fewer than asked for."""
    import numpy as np

    if binning == "width":
        edges = np.linspace(0, 1, bins + 1)
    else:
        ranked = np.sort(stated.confidence)
        # in whole numbers: 0.3 × 10 is a little more than 3 in floating point
        cuts = ranked[[-(-len(ranked) * step // bins) - 1 for step in range(1, bins)]]
        edges = np.unique(np.concatenate(([0.0], cuts, [1.0])))
    place = np.clip(np.searchsorted(edges, stated.confidence, side="left") - 1, 0, len(edges) - 2)
    sizes = np.bincount(place, minlength=len(edges) - 1)
    sums = np.bincount(place, weights=stated.confidence, minlength=len(edges) - 1)
    hits = np.bincount(place, weights=stated.right.astype(float), minlength=len(edges) - 1)
    return tuple(
        ReliabilityBin(float(low), float(high), int(n), float(s / n) if n else None, float(h / n) if n else None)
        for low, high, n, s, h in zip(edges, edges[1:], sizes, sums, hits, strict=False)
    )


def brier(stated: Stated) -> float:
    """The mean squared distance between the probabilities and the truth, over all labels."""
    import numpy as np

    table = stated.table.copy()
    table[np.arange(len(table)), stated.gold] -= 1
    return float((table**2).sum(axis=1).mean())


def log_loss(stated: Stated) -> tuple[float, int]:
    """The mean of −ln p(gold), and how many gold labels had probability 0."""
    import numpy as np

    given = stated.table[np.arange(len(stated.gold)), stated.gold]
    return float(-np.log(np.maximum(given, SMALLEST)).mean()), int((given == 0).sum())


def risk_curve(stated: Stated) -> NDArray[np.float64]:
    """The error rate among the k most confident rows, for every k.

    Rows of equal confidence have no order among themselves: their errors are spread evenly over them, which
    is what the curve is on average over all orders. So the figure does not depend on the order of the file.
    """
    import numpy as np

    order = np.argsort(-stated.confidence, kind="stable")
    confidence, wrong = stated.confidence[order], (~stated.right[order]).astype(float)
    starts = np.flatnonzero(np.r_[True, confidence[1:] != confidence[:-1]])
    sizes = np.diff(np.r_[starts, len(wrong)])
    even = np.repeat(np.add.reduceat(wrong, starts) / sizes, sizes)
    return np.cumsum(even) / np.arange(1, len(wrong) + 1)
