"""Partial correlation as a measure: a value with a name and a card."""

from __future__ import annotations

import dataclasses
from collections.abc import Hashable, Sequence
from typing import ClassVar

import numpy as np

from aver.errors import InputError, Problems
from aver.frank._correlation import Method, correlation
from aver.measures import Card, Measure, Score

__all__ = ["PartialCorrelation"]


@dataclasses.dataclass(frozen=True, repr=False)
class PartialCorrelation(Measure):
    """How well a metric's scores follow human scores once a control, such as the system, is taken out."""

    method: Method = "pearson"
    control: str = "system"
    """What the control values are, for the name; `none` for plain correlation."""

    name: ClassVar[str] = "PartialCorrelation"
    card: ClassVar[Card] = Card(
        title="Partial correlation with human scores (FRANK)",
        meaning=(
            "How closely a metric follows people's judgement among the outputs of one system. Without a control a "
            "metric can score well by telling good systems from bad ones, which is easier than telling a true "
            "summary from a false one; FRANK therefore takes the system out."
        ),
        formula=(
            "pearson: r of x − x̄(g) and y − ȳ(g), where g is the row's group; spearman: r of the ranks of those "
            "residuals (FRANK's order); spearman-ranked: r of the residuals of the ranks; kendall: tau-b over the "
            "pairs of rows in the same group. p: t = r·√(df/(1 − r²)) with df = n − 2 − (groups − 1); kendall: the "
            "normal approximation with ties, variances of the groups added."
        ),
        range=(-1.0, 1.0),
        direction="higher",
        inputs="three lists of equal length: the metric's scores, the human scores, the control's values (or none)",
        values={
            "r": "the coefficient",
            "p": "two-sided p-value of no correlation",
            "low": "lower end of the 95% interval by Fisher's z",
            "high": "upper end",
        },
        example=(
            ">>> import aver\n"
            '>>> measure = aver.measure("PartialCorrelation(method=pearson, control=system)")\n'
            '>>> found = measure.score([1, 2, 5, 7], [0, 1, 0, 2], ["bart", "bart", "pgn", "pgn"])\n'
            ">>> round(found['r'], 4), found.n\n"
            "(1.0, 4)\n"
        ),
        edge_cases=(
            "A score that does not vary within any group has no correlation: r is None, with a note.",
            "A row with None or NaN in either score is left out and n counts the rest.",
            "A group of one row says nothing: its residual is 0.",
            "One group is the same as no control.",
        ),
        limits=(
            "The interval here takes rows for independent. `aver frank correlate` adds one from resampled documents.",
            "FRANK's script counts n − 2 degrees of freedom whatever the control; p is a little larger here.",
        ),
        citation=(
            "Pagnoni, Balachandran, Tsvetkov (2021). Understanding Factuality in Abstractive Summarization with "
            "FRANK. NAACL."
        ),
    )

    def score(
        self,
        metric: Sequence[float | None],
        human: Sequence[float | None],
        control: Sequence[Hashable] | None = None,
    ) -> Score:
        """The correlation of two lists of scores, `control` giving each row's group.

        >>> PartialCorrelation("kendall", control="none").score([1, 2, 3], [1, 3, 2])["r"]
        0.3333333333333333
        """
        problems = Problems()
        if self.control != "none" and control is None:
            problems.add("", f"{self} needs the values of {self.control!r}; for none, use control=none")
        if self.control == "none" and control is not None:
            problems.add("", f"{self} takes no control; name it, like control=system")
        lengths = {"metric": len(metric), "human": len(human)} | ({} if control is None else {"control": len(control)})
        if len(set(lengths.values())) > 1:
            problems.add("", "unequal lengths: " + ", ".join(f"{name} {n}" for name, n in lengths.items()))
        problems.raise_if_any("these scores cannot be correlated")
        try:
            x, y = (np.array([np.nan if v is None else v for v in side], dtype=np.float64) for side in (metric, human))
        except (TypeError, ValueError) as error:
            raise InputError(f"scores must be numbers: {error}") from None
        if np.isinf(x).any() or np.isinf(y).any():
            raise InputError("scores must be finite numbers; there is an infinity among them")
        keep = np.isfinite(x) & np.isfinite(y)
        groups = None
        if control is not None:
            numbers: dict[Hashable, int] = {}
            codes = np.array([numbers.setdefault(value, len(numbers)) for value in control], dtype=np.int64)
            groups = codes[keep]
        found = correlation(x[keep], y[keep], groups, method=self.method)
        notes = (
            () if found.r is not None else ("not defined: a score does not vary within the groups, or too few rows",)
        )
        return Score(
            str(self),
            {"r": found.r, "p": found.p, "low": found.analytic_low, "high": found.analytic_high},
            found.n,
            notes,
        )
