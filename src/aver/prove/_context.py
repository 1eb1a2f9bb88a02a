"""What every part of a proof is given: the metric, the data folder, the sample sizes."""

from __future__ import annotations

import dataclasses
from pathlib import Path

from aver.prove._data import Rows, sample_index
from aver.prove._scorer import Floats, Scorer
from aver.prove._subject import Subject

__all__ = ["Context", "number", "percent", "span"]


@dataclasses.dataclass
class Context:
    """Shared by the parts of one proof; scores are asked for once, whichever part needs them first."""

    subject: Subject
    scorer: Scorer
    data: Path | None
    limit: int | None
    seed: int
    resamples: int

    def sample(self, rows: Rows) -> Rows:
        """The rows this proof takes of a data set: whole documents, since their rows depend on one another."""
        return rows.take(sample_index(rows.docs, self.limit, self.seed))

    def score(self, rows: Rows) -> Floats:
        """The metric's scores of these rows."""
        return self.scorer(rows.texts, rows.sources, rows.places, what=rows.name)

    def size(self, rows: Rows) -> str:
        """How much of a data set was taken, for the rule."""
        if len(rows) == rows.of:
            return f"all {rows.of:,} rows"
        return f"a sample of {len(rows):,} of {rows.of:,} rows (whole documents, seed {self.seed})"


def number(value: float | None, decimals: int = 3, *, sign: bool = False) -> str:
    """A figure in a sentence.

    >>> number(0.51234), number(None)
    ('0.512', 'not defined')
    """
    if value is None:
        return "not defined"
    return f"{value:+.{decimals}f}" if sign else f"{value:.{decimals}f}"


def percent(value: float | None) -> str:
    """A share in a sentence.

    >>> percent(0.657)
    '65.7%'
    """
    return "not defined" if value is None else f"{100 * value:.1f}%"


def span(low: float | None, high: float | None, decimals: int = 3) -> str | None:
    """An interval in a table.

    >>> span(0.1, 0.25)
    '0.100 … 0.250'
    """
    return None if low is None or high is None else f"{low:.{decimals}f} … {high:.{decimals}f}"
