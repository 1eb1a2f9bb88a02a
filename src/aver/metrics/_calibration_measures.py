"""The figures of `calibration` as measures, each with its card."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from aver.measures import Card, Measure, Score
from aver.metrics._calibration import Binning, calibration

__all__ = ["AURC", "ECE", "NLL", "Brier"]

_INPUTS = (
    "For each row an object of probabilities by label (`probabilities`, summing to 1; a label left out has "
    "probability 0) and the gold label (`label` or `gold`)."
)
_EXAMPLE = (
    '>>> rows = [{"SUPPORTS": 0.9, "REFUTES": 0.1}, {"SUPPORTS": 0.6, "NEI": 0.4}]\n'
    ">>> round(%s().score(rows, ['SUPPORTS', 'NEI']).main, 4)\n"
)
_EDGES = (
    "Probabilities outside 0 to 1, NaN, or a sum further than 0.001 from 1 are errors that name the rows.",
    "No rows at all are an error, not a 0.",
)


class _Stated(Measure):
    """What the measures of stated probabilities share: each is some figures of one report."""

    def score(
        self, probabilities: Sequence[Mapping[Any, float]], references: Sequence[object], **options: Any
    ) -> Score:
        """Scores probabilities by label against gold labels; options as for `calibration`."""
        settings = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}  # type: ignore[arg-type]
        found = calibration(probabilities, references, **settings, **options)
        figures = {name: getattr(found, name) for name in self.card.values}
        if "risk" in figures:
            figures["risk"] = found.risk[-1]  # of the whole curve, its end
        return Score(str(self), figures, found.n, found.notes if "nll" in figures else ())


@dataclasses.dataclass(frozen=True)
class ECE(_Stated):
    """Expected calibration error as a measure."""

    bins: int = 15
    binning: Binning = "width"

    name: ClassVar[str] = "ECE"
    card: ClassVar[Card] = Card(
        title="Expected calibration error",
        meaning="How far stated confidence is from the share of right answers: rows are put into bins by the "
        "probability of their predicted label, and the gap between mean confidence and accuracy is averaged "
        "over the bins, weighted by their size. 0 is perfectly calibrated.",
        formula=r"ECE = \sum_b \frac{n_b}{n}\, |acc(b) - conf(b)|",
        range=(0.0, 1.0),
        direction="lower",
        inputs=_INPUTS + " `bins` is their number, `binning` says whether they are of equal width or mass.",
        values={
            "ece": "the weighted mean gap",
            "mce": "the largest gap of any bin",
            "accuracy": "the share of rows whose predicted label is right",
            "confidence": "the mean probability of the predicted label",
        },
        example=">>> from aver.metrics import ECE\n" + _EXAMPLE % "ECE" + "0.35",
        edge_cases=(
            *_EDGES,
            "Bins are (low, high], so a confidence on an edge belongs below it; 0 belongs to the first.",
            "Equal-mass bins keep equal confidences together, so there can be fewer of them than asked for.",
        ),
        limits=(
            "It depends on the bins: compare only figures with the same number and kind.",
            "With few rows it is biased upwards. A model that always states its accuracy has an ECE of 0 "
            "and is useless.",
        ),
        citation="Chuan Guo, Geoff Pleiss, Yu Sun, Kilian Q. Weinberger. On Calibration of Modern Neural "
        "Networks. ICML 2017.",
    )


@dataclasses.dataclass(frozen=True)
class Brier(_Stated):
    """The Brier score as a measure."""

    name: ClassVar[str] = "Brier"
    card: ClassVar[Card] = Card(
        title="Brier score over all labels",
        meaning="The mean squared distance between the stated probabilities and the truth. It rewards both "
        "being right and being honest about doubt: nobody can improve it by stating other probabilities "
        "than believed.",
        formula=r"\frac1n \sum_i \sum_c (p_{ic} - [y_i = c])^2",
        range=(0.0, 2.0),
        direction="lower",
        inputs=_INPUTS,
        values={"brier": "the mean over rows of the sum over labels"},
        example=">>> from aver.metrics import Brier\n" + _EXAMPLE % "Brier" + "0.37",
        edge_cases=_EDGES,
        limits=(
            "This is Brier's own multi-class form, from 0 to 2. For two labels it is twice the form that "
            "scikit-learn's brier_score_loss gives by default.",
        ),
        citation="Glenn W. Brier. Verification of forecasts expressed in terms of probability. "
        "Monthly Weather Review 78(1), 1950.",
    )


@dataclasses.dataclass(frozen=True)
class NLL(_Stated):
    """The log loss as a measure."""

    name: ClassVar[str] = "NLL"
    card: ClassVar[Card] = Card(
        title="Negative log-likelihood (log loss), in nats",
        meaning="How surprised the model is by the gold labels. Like the Brier score it cannot be improved "
        "by stating other probabilities than believed, but it punishes a confident mistake much harder.",
        formula=r"-\frac1n \sum_i \ln p_{i, y_i}",
        range=(0.0, float("inf")),
        direction="lower",
        inputs=_INPUTS,
        values={"nll": "the mean over rows"},
        example=">>> from aver.metrics import NLL\n" + _EXAMPLE % "NLL" + "0.5108",
        edge_cases=(*_EDGES, "A gold label with probability 0 counts as 1e-15, and a note says how many there were."),
        limits=("A handful of confident mistakes can decide the figure.",),
        citation="I. J. Good. Rational decisions. Journal of the Royal Statistical Society B 14(1), 1952.",
    )


@dataclasses.dataclass(frozen=True)
class AURC(_Stated):
    """The area under the risk–coverage curve as a measure."""

    name: ClassVar[str] = "AURC"
    card: ClassVar[Card] = Card(
        title="Area under the risk–coverage curve",
        meaning="How well confidence tells right answers from wrong ones. Answer only the most confident "
        "share of rows (the coverage) and look at the error rate among them (the risk): this is the mean "
        "risk over all coverages. Lower is better: the rows a model is sure of should be right.",
        formula=r"\frac1n \sum_{k=1}^{n} \frac1k \sum_{i \le k} [\hat y_{(i)} \ne y_{(i)}]\ with\ rows\ in\ "
        r"falling\ order\ of\ confidence",
        range=(0.0, 1.0),
        direction="lower",
        inputs=_INPUTS,
        values={"aurc": "the mean risk over coverages 1/n … 1", "risk": "the risk at full coverage: 1 − accuracy"},
        example=">>> from aver.metrics import AURC\n" + _EXAMPLE % "AURC" + "0.25",
        edge_cases=(
            *_EDGES,
            "Rows of equal confidence share their errors evenly, so the figure does not depend on the file's order.",
        ),
        limits=("It falls with the error rate too: compare models of similar accuracy, or look at the whole curve.",),
        citation="Yonatan Geifman, Guy Uziel, Ran El-Yaniv. Bias-Reduced Uncertainty Estimation for Deep Neural "
        "Classifiers. ICLR 2019.",
    )
