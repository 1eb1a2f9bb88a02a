"""Who says whether an edit changes a fact: the baselines of the VitaminC paper and aver's own, under one interface.

| name       | what it looks at                                                                             |
|------------|----------------------------------------------------------------------------------------------|
| `distance` | how many words were edited                                                                     |
| `words`    | which words were put in and taken out (fitted on labelled edits by `EditedWords.fit`)        |
| `diff`     | the judge's edit head on the changed words with a little around them                         |
| `pair`     | the judge's edit head on both versions in full                                               |
| `aver`     | that head both ways, whether the versions follow from each other, figures, names, negations |

What a flagger gives is a probability: raw scores pass through constants fitted on labelled edits, which stand in one
table by model (`_flag_weights`). `python benchmarks/revisions.py --fit` makes the table anew.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from aver.errors import InputError, count_of
from aver.revisions._edit_features import FEATURES, Pair, features, focused, odds
from aver.revisions._flag_weights import Scaling, scaling_for
from aver.revisions._logistic import fit_logistic
from aver.revisions._word_diff import diff_words
from aver.text import words

if TYPE_CHECKING:
    from aver.models import Judge

__all__ = [
    "FLAGGERS",
    "CombinedFlagger",
    "DiffEncoder",
    "EditDistance",
    "EditedWords",
    "Flagger",
    "PairEncoder",
    "load_flagger",
]

FLAGGERS = ("aver", "pair", "diff", "distance")
"""Those that `load_flagger` knows by name; `EditedWords` has to be fitted first."""
CONTEXT = 3
"""Words on either side of a change that the diff encoder sees."""


class Flagger(Protocol):
    """Says how likely each edit changes a fact."""

    @property
    def name(self) -> str:
        """What it is, with its model where it has one."""

    @property
    def threshold(self) -> float:
        """The probability from which an edit counts as factual."""

    def score(self, pairs: Sequence[Pair]) -> list[float | None]:
        """A probability for each (before, after); None where it could not be read."""


class EditDistance:
    """The share of words edited: Levenshtein's distance over words by the length of the longer version, weighed."""

    name = "distance"

    def __init__(self, scaling: Scaling | None = None) -> None:
        self._scaling = scaling or scaling_for("distance")
        self.threshold = self._scaling.threshold

    def score(self, pairs: Sequence[Pair]) -> list[float | None]:
        return [self._scaling.probability([_distance(*pair)]) for pair in pairs]

    @classmethod
    def fit(cls, pairs: Sequence[Pair], factual: Sequence[bool]) -> EditDistance:
        """The flagger with its scale fitted on labelled edits."""
        return cls(_fitted(np.array([[_distance(*pair)] for pair in pairs]), factual, ("distance",), "distance"))


class EditedWords:
    """A logistic regression over the words that were put in and those that were taken out."""

    name = "words"

    def __init__(self, weights: dict[str, float], constant: float, threshold: float = 0.5) -> None:
        self._weights, self._constant, self.threshold = weights, constant, threshold

    def score(self, pairs: Sequence[Pair]) -> list[float | None]:
        return [_sigmoid(self._constant + self._sum(_edited(*pair))) for pair in pairs]

    def _sum(self, found: Counter[str]) -> float:
        return sum(self._weights.get(word, 0.0) * math.log1p(count) for word, count in found.items())

    @classmethod
    def fit(
        cls, pairs: Sequence[Pair], factual: Sequence[bool], *, most: int = 2000, strength: float = 3.0
    ) -> EditedWords:
        """Learns from labelled edits; the `most` commonest edited words have a weight each.

        >>> edits = [("It has 3 bells .", "It has 4 bells ."), ("It 's old .", "It is old .")] * 4
        >>> told = EditedWords.fit(edits, [True, False] * 4)
        >>> [round(p) for p in told.score([("It has 3 cats .", "It has 4 cats ."), ("She 's here .", "She is here .")])]
        [1, 0]
        """
        _both_kinds(pairs, factual)
        bags = [_edited(*pair) for pair in pairs]
        seen = Counter(word for bag in bags for word in bag)
        names = [word for word, _ in seen.most_common(most)]
        place = {word: at for at, word in enumerate(names)}
        table = np.zeros((len(bags), len(names)))
        for row, bag in enumerate(bags):
            for word, count in bag.items():
                if word in place:
                    table[row, place[word]] = math.log1p(count)
        weights, constant = fit_logistic(table, np.asarray(factual, float), strength=strength)
        return cls(dict(zip(names, weights.tolist(), strict=True)), constant)


class PairEncoder:
    """The judge's edit head on the two versions as they are."""

    kind = "pair"

    def __init__(self, judge: Judge, scaling: Scaling | None = None) -> None:
        from aver.models import OnnxJudge

        if not isinstance(judge, OnnxJudge) or "edit" not in judge.heads:
            raise InputError(f"{judge.model} has no head for edits; the flaggers `aver` and `distance` need none")
        self._judge = judge
        self._scaling = scaling or scaling_for(self.kind, judge.model)
        self.name = f"{self.kind}:{judge.model}"
        self.threshold = self._scaling.threshold

    def texts(self, before: str, after: str) -> Pair:
        """What the head reads of an edit."""
        return focused(before, after)

    def score(self, pairs: Sequence[Pair]) -> list[float | None]:
        return [None if raw is None else self._scaling.probability([raw]) for raw in self.raw(pairs)]

    def raw(self, pairs: Sequence[Pair]) -> list[float | None]:
        """The head's own log odds."""
        answers = self._judge.read_versions([self.texts(*pair) for pair in pairs])
        return [None if answer is None or answer.edit is None else odds(answer.edit) for answer in answers]


class DiffEncoder(PairEncoder):
    """The judge's edit head on the changed words and a few around them."""

    kind = "diff"

    def texts(self, before: str, after: str) -> Pair:
        return focused(before, after, context=CONTEXT)


class CombinedFlagger:
    """aver's own: what the judge says both ways, beside figures, names, negations and the size of the edit."""

    def __init__(self, judge: Judge, scaling: Scaling | None = None) -> None:
        self._judge = judge
        self._scaling = scaling or scaling_for("aver", judge.model)
        self.name = f"aver:{judge.model}"
        self.threshold = self._scaling.threshold

    @property
    def fitted(self) -> bool:
        """Whether its weights were fitted for this very model."""
        return self._scaling.fitted

    def score(self, pairs: Sequence[Pair]) -> list[float | None]:
        if not pairs:
            return []
        table, read = features(pairs, self._judge)
        return [self._scaling.probability(row) if known else None for row, known in zip(table, read, strict=True)]

    @classmethod
    def fit(
        cls, judge: Judge, table: NDArray[np.float64], factual: Sequence[bool], *, strength: float = 1.0
    ) -> CombinedFlagger:
        """The flagger with its weights fitted on the `features` of labelled edits."""
        return cls(judge, _fitted(table, factual, FEATURES, judge.model, strength=strength))


def load_flagger(
    name: str = "aver", *, model: str | os.PathLike[str] | Judge = "default", threads: int | None = None
) -> Flagger:
    """The flagger of that name: `aver`, `pair`, `diff` or `distance`; the first three read with `model`.

    >>> load_flagger("distance").score([("It is old.", "It is old.")])[0] < 0.5
    True
    >>> load_flagger("nose")
    Traceback (most recent call last):
    aver.errors.InputError: there is no flagger 'nose'; there are: aver, pair, diff, distance
    """
    if name not in FLAGGERS:
        raise InputError(f"there is no flagger {name!r}; there are: {', '.join(FLAGGERS)}")
    if name == "distance":
        return EditDistance()
    from aver.models import Judge, load_judge

    judge = model if isinstance(model, Judge) else load_judge(model, threads=threads)
    if name == "aver":
        return CombinedFlagger(judge)
    return PairEncoder(judge) if name == "pair" else DiffEncoder(judge)


def _fitted(
    table: NDArray[np.float64], factual: Sequence[bool], names: Sequence[str], model: str, *, strength: float = 1.0
) -> Scaling:
    _both_kinds(table, factual)
    means, spreads = table.mean(0), table.std(0)
    spreads[spreads == 0] = 1.0
    weights, constant = fit_logistic((table - means) / spreads, np.asarray(factual, float), strength=strength)
    plain = weights / spreads
    return Scaling(
        model, dict(zip(names, plain.tolist(), strict=True)), float(constant - (plain * means).sum()), 0.5, True
    )


def _both_kinds(rows: Sequence[object] | NDArray[np.float64], factual: Sequence[bool]) -> None:
    if len(rows) != len(factual) or len(set(map(bool, factual))) != 2:
        raise InputError(
            "a flagger is fitted on edits of both kinds, each with its label; here: "
            f"{count_of(len(rows), 'edit')} and {count_of(len(factual), 'label')}, "
            f"{sum(map(bool, factual)):,} of them factual"
        )


def _distance(before: str, after: str) -> float:
    edits = diff_words(before, after)
    changed = sum(max(len(words(edit.before)), len(words(edit.after))) for edit in edits)
    return changed / max(1, len(words(before)), len(words(after)))


def _edited(before: str, after: str) -> Counter[str]:
    """The words put in (+) and taken out (-), figures as #: which figure it is hardly matters."""
    found: Counter[str] = Counter()
    for edit in diff_words(before, after):
        for sign, piece in (("-", edit.before), ("+", edit.after)):
            for word in words(piece):
                found[sign + ("#" if any(map(str.isdigit, word.text)) else word.text)] += 1
    return found


def _sigmoid(x: float) -> float:
    return 0.5 * (1 + math.tanh(0.5 * x))
