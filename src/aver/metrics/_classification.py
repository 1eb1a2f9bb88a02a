"""The classification report: precision, recall and F1 by class, their averages, and who was taken for
whom."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Literal

from aver.errors import InputError, LabelError, Problems, count_of
from aver.labels import Label
from aver.measures import Card, Measure, Score

__all__ = [
    "Averages",
    "ClassScores",
    "Classification",
    "ClassificationReport",
    "LabelKind",
    "as_labels",
    "classification",
]

LabelKind = Literal["verdict", "any"]
"""What classes are: `verdict` labels in any spelling, or `any` strings and numbers as they stand."""

Macro = Literal["gold", "seen"]


@dataclasses.dataclass(frozen=True, slots=True)
class ClassScores:
    """One class. `support` counts its gold rows, `predicted` the rows it was predicted for."""

    label: str
    precision: float
    recall: float
    f1: float
    support: int
    predicted: int


@dataclasses.dataclass(frozen=True, slots=True)
class Averages:
    """Precision, recall and F1 averaged over classes."""

    precision: float
    recall: float
    f1: float


@dataclasses.dataclass(frozen=True, slots=True)
class ClassificationReport:
    """Everything about one set of predictions. Rows of `confusion` are gold labels, columns predicted
    ones."""

    measure: str
    n: int
    accuracy: float
    classes: tuple[ClassScores, ...]
    macro: Averages
    weighted: Averages
    confusion: tuple[tuple[int, ...], ...]
    excluded: int
    """Rows left out because of their gold label."""
    notes: tuple[str, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The classes, in the order of the rows and columns of `confusion`."""
        return tuple(scores.label for scores in self.classes)

    @property
    def confusion_normalised(self) -> tuple[tuple[float | None, ...], ...]:
        """Each row of the confusion matrix as shares of that row; None in a row without gold labels."""
        return tuple(
            tuple(count / total if total else None for count in row)
            for row, total in ((row, sum(row)) for row in self.confusion)
        )

    @property
    def score(self) -> Score:
        """The main figures as a `Score`."""
        values = {
            "accuracy": self.accuracy,
            "macro_precision": self.macro.precision,
            "macro_recall": self.macro.recall,
            "macro_f1": self.macro.f1,
            "weighted_precision": self.weighted.precision,
            "weighted_recall": self.weighted.recall,
            "weighted_f1": self.weighted.f1,
        }
        return Score(self.measure, values, self.n, self.notes)

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return self.score.as_dict() | {
            "excluded": self.excluded,
            "classes": {
                s.label: {k: v for k, v in dataclasses.asdict(s).items() if k != "label"} for s in self.classes
            },
            "labels": list(self.labels),
            "confusion": [list(row) for row in self.confusion],
            "confusion_normalised": [list(row) for row in self.confusion_normalised],
        }


@dataclasses.dataclass(frozen=True)
class Classification(Measure):
    """The classification report as a measure; `aver.metrics.classification` is its short form."""

    labels: LabelKind = "verdict"
    exclude: str | None = None
    macro: Macro = "gold"

    name: ClassVar[str] = "Classification"
    card: ClassVar[Card] = Card(
        title="Classification report",
        meaning="How often the predicted label is the gold one, overall (accuracy) and class by class: "
        "precision is the share of a class's predictions that are right, recall the share of its gold rows "
        "that were found, F1 their harmonic mean. Macro averages weigh every class the same, weighted ones "
        "by its number of gold rows.",
        formula=r"P_c = \frac{TP_c}{TP_c + FP_c}, \quad R_c = \frac{TP_c}{TP_c + FN_c}, \quad "
        r"F_c = \frac{2 TP_c}{2 TP_c + FP_c + FN_c}; \quad macro: \frac1K \sum_c F_c; \quad weighted: "
        r"\sum_c \frac{n_c}{n} F_c",
        range=(0.0, 1.0),
        direction="higher",
        inputs="Predicted and gold labels in the same order; files: `predicted_label` or `prediction`, and "
        "`label` or `gold`, matched by `id`. `exclude` leaves out rows with this gold label (several joined "
        "by +), as CLIMATE-FEVER's authors do with DISPUTED; `labels=any` takes any strings as classes.",
        values={
            "accuracy": "the share of rows whose label is right",
            "macro_precision": "the mean of the classes' precisions",
            "macro_recall": "the mean of the classes' recalls",
            "macro_f1": "the mean of the classes' F1s",
            "weighted_precision": "the mean of the precisions, weighted by support",
            "weighted_recall": "the mean of the recalls, weighted by support: the accuracy again",
            "weighted_f1": "the mean of the F1s, weighted by support",
        },
        example=">>> from aver.metrics import classification\n"
        '>>> report = classification(["SUPPORTS", "REFUTES", "NEI"], ["SUPPORTS", "REFUTES", "REFUTES"])\n'
        ">>> round(report.accuracy, 4), round(report.macro.f1, 4), report.confusion\n"
        "(0.6667, 0.8333, ((1, 0, 0), (0, 1, 1), (0, 0, 0)))",
        edge_cases=(
            "A class that is never predicted has no precision; it counts as 0, as in scikit-learn, and a note says so.",
            "A class that is predicted but never gold has no recall. It is left out of the macro averages "
            "(macro=gold, as VitaminC's own evaluation does); macro=seen counts it as 0, as scikit-learn "
            "does by default. The two differ only in this case.",
            "In the row-normalised confusion matrix a row without gold labels is null.",
            "No rows at all are an error, not a 0.",
        ),
        limits=(
            "Accuracy and weighted averages follow the most frequent class; look at macro F1 for rare ones.",
            "Nothing here looks at evidence: a right label for the wrong reason counts in full. FEVER does look.",
        ),
        citation="C. J. van Rijsbergen. Information Retrieval. 1979 (precision, recall, F); Thomas "
        "Diggelmann et al. CLIMATE-FEVER. 2020 (Tables 4 and 5; its Table 4 has the rows of SUPPORTS and "
        "NOT ENOUGH INFO swapped).",
    )

    def score(self, predictions: Sequence[object], references: Sequence[object]) -> ClassificationReport:
        """Scores predicted labels against gold labels in the same order."""
        if len(predictions) != len(references):
            both = f"{count_of(len(predictions), 'prediction')} but {count_of(len(references), 'reference')}"
            raise InputError(f"{both}; they must pair up")
        predicted = as_labels(predictions, self.labels, "prediction")
        gold = as_labels(references, self.labels, "reference")
        pairs = Counter(zip(gold, predicted, strict=True))
        dropped = set(as_labels(self.exclude.split("+"), self.labels, "excluded label")) if self.exclude else set()
        excluded = sum(count for (label, _), count in pairs.items() if label in dropped)
        pairs = Counter({pair: count for pair, count in pairs.items() if pair[0] not in dropped})
        if not pairs:
            left_out = count_of(excluded, "row has", "rows have")
            why = f"{left_out} an excluded gold label and no other is there" if excluded else "there are no rows"
            raise InputError(f"nothing to score: {why}")
        return _report(str(self), pairs, self.macro, excluded)


def _report(measure: str, pairs: Counter[tuple[str, str]], macro: Macro, excluded: int) -> ClassificationReport:
    support: Counter[str] = Counter()
    predicted: Counter[str] = Counter()
    for (gold, guess), count in pairs.items():
        support[gold] += count
        predicted[guess] += count
    labels = _ordered({*support, *predicted})
    classes = []
    notes = []
    for label in labels:
        hits, found, wanted = pairs[label, label], predicted[label], support[label]
        scores = (hits / found if found else 0.0, hits / wanted if wanted else 0.0, 2 * hits / (found + wanted))
        classes.append(ClassScores(str(label), *scores, wanted, found))
        if not found:
            notes.append(f"{label} is never predicted: its precision counts as 0")
        if not wanted:
            outcome = "is left out of the macro averages" if macro == "gold" else "counts as 0 in the macro averages"
            often = "once" if found == 1 else f"{found:,} times"
            notes.append(f"{label} is predicted {often} but never gold: it {outcome}")
    n = sum(support.values())
    averaged = [s for s in classes if s.support or macro == "seen"]
    if excluded:
        notes.insert(0, f"{count_of(excluded, 'row is', 'rows are')} left out because of the gold label")
    return ClassificationReport(
        measure=measure,
        n=n,
        accuracy=sum(pairs[label, label] for label in labels) / n,
        classes=tuple(classes),
        macro=_average(averaged, [1] * len(averaged)),
        weighted=_average(classes, [s.support for s in classes]),
        confusion=tuple(tuple(pairs[gold, guess] for guess in labels) for gold in labels),
        excluded=excluded,
        notes=tuple(notes),
    )


def _average(classes: Sequence[ClassScores], weights: Sequence[int]) -> Averages:
    total = sum(weights)

    def mean(values: Iterable[float]) -> float:
        return sum(value * weight for value, weight in zip(values, weights, strict=True)) / total

    return Averages(mean(s.precision for s in classes), mean(s.recall for s in classes), mean(s.f1 for s in classes))


def _ordered(labels: set[str]) -> list[str]:
    # Verdicts in the order of the papers, other classes by name.
    known = [label for label in Label if label in labels]
    return [*known, *sorted(label for label in labels if label not in known)]


def as_labels(values: Iterable[object], kind: LabelKind, what: str) -> list[str]:
    """Reads classes; what cannot be read is told all at once."""
    if kind not in ("verdict", "any"):
        raise InputError(f"labels is {kind!r}; it can be: verdict, any")
    known: dict[object, str] = {}
    problems = Problems()
    read = []
    for number, value in enumerate(values, 1):
        key = (type(value), value)
        try:
            if key in known:
                read.append(known[key])
                continue
            if kind == "verdict":
                known[key] = Label.parse(value)
            elif isinstance(value, (str, int)):
                known[key] = str(value)
            else:
                raise LabelError("a class is a string or a whole number")
            read.append(known[key])
        except LabelError as error:
            hint = error.accepted and f"{error.accepted} (other classes: labels='any')"
            problems.add(f"{what} {number}", f"unknown label {value!r:.60}", hint=hint)
        except TypeError:
            problems.add(f"{what} {number}", f"a label is a word or a number, found {value!r:.60}")
    problems.raise_if_any("these labels cannot be scored")
    return read


def classification(
    predictions: Sequence[object],
    references: Sequence[object],
    *,
    labels: LabelKind = "verdict",
    exclude: str | Iterable[str] | None = None,
    macro: Macro = "gold",
) -> ClassificationReport:
    """Precision, recall, F1 and support by class, averages, accuracy and the confusion matrix.

    `exclude` names gold labels whose rows are left out; `labels="any"` takes any strings as classes;
    `macro="seen"` averages over predicted classes without gold rows too, as scikit-learn does.

    >>> report = classification(["SUPPORTS", "NEI", "REFUTES"], ["supports", "mixed", "nei"], exclude="DISPUTED")
    >>> report.n, report.excluded, report.accuracy
    (2, 1, 0.5)
    """
    names = exclude if exclude is None or isinstance(exclude, str) else "+".join(map(str, exclude)) or None
    return Classification(labels, names, macro).score(predictions, references)
