"""The weights of aver's consistency metrics, fitted anew: `python benchmarks/consistency.py --fit`.

People judged whole texts, the weights score sentences: a text's prediction is the mean over its sentences of the
logistic function, and the cross-entropy to what people said is made small (with a penalty on large coefficients). There
is one constant, so that the score is calibrated over all sets together; beside it every set, and every system where
several wrote summaries of the same articles, has a penalised constant of its own while fitting, which is dropped in
use. So what is learnt is how one system's texts differ from each other, which is what FRANK's partial correlation asks,
and less how often each system is wrong.

Then the verdict's two steps: what has to be added to the log odds of sentences in their own words, and to those of
copies, so that 0.5 parts right from wrong best, by balanced accuracy, as the mean over the sets. Then, for a
judge that marks words of the claim, from which mark on a word is shown: the best F1 on WiCE's dev marks. `aver-strict`
has no weights.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Callable, Sequence
from statistics import fmean
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

import _consistency_sets as sets
from aver.consistency import AverMetric
from aver.consistency._own import BORNE_OUT, CONTRADICTED, is_borne_out, is_contradicted
from aver.consistency._reading import claims_of
from aver.consistency._weighing import FEATURES, MARK_FEATURES, WEIGHTS, measured
from aver.consistency._weighing import Numbers as Sentence

__all__ = ["FIT", "Numbers", "balanced", "fit", "marked_words", "numbers", "word_scores"]

Floats = NDArray[np.float64]

FIT: dict[str, tuple[Callable[[], list[sets.Row]], int, float, bool]] = {
    "FRANK valid, CNN/DM": (lambda: sets.frank("valid", "cnndm"), 375, 1.0, True),
    "FRANK valid, XSum": (lambda: sets.frank("valid", "bbc"), 296, 1.0, True),
    "XSumFaith": (sets.xsumfaith, 200, 0.5, True),
    "WiCE dev": (sets.wice, 120, 0.1, False),
    "VitaminC, fold 7": (sets.vitaminc, 150, 0.3, False),
    "Falke et al.": (sets.ranked, 240, 0.3, False),
    "SummEval": (sets.summeval, 120, 0.5, True),
}
"""What is fitted on, how many rows of each at most unless --limit says otherwise, how much each counts, and whether
its systems have constants of their own. That, the features and how sentences make a text were chosen by five-fold
cross-validation over the articles of FRANK's validation split with `default` and `fast`; what was chosen otherwise
consistency.py tells. XSumFaith's are of documents of that split, half of them the same summaries, so cross-validated
figures for XSum are too high: only those of the test split count."""
PENALTY, PENALTY_OF_CONSTANTS = 10.0, 3.0
FOLDS = 5


class Numbers(NamedTuple):
    """A set as the fit sees it: the sentences' features, which text each belongs to, and what people said."""

    features: Floats
    sentences: list[Sentence]
    text: NDArray[np.int64]
    human: Floats
    most: Floats
    """What each sentence can score at most: less than half where it is contradicted."""
    least: Floats
    """What the verdict on each comes to at least: more than half where it is borne out for sure."""
    group: NDArray[np.int64]
    """Of each text: what has a constant of its own with it."""
    fold: NDArray[np.int64]
    system: NDArray[np.str_]

    def of(self, chosen: NDArray[np.bool_]) -> Numbers:
        """The texts that are chosen."""
        kept = chosen[self.text]
        renumbered = np.cumsum(chosen) - 1
        return Numbers(
            self.features[kept], [s for s, keep in zip(self.sentences, kept, strict=True) if keep],
            renumbered[self.text[kept]], self.human[chosen], self.most[kept], self.least[kept], self.group[chosen],
            self.fold[chosen], self.system[chosen],
        )  # fmt: skip


def numbers(metric: AverMetric, rows: Sequence[sets.Row], *, systems: bool = False) -> Numbers:
    """Reads every row; texts that state nothing are left out."""
    found: list[Sentence] = []
    text: list[int] = []
    most: list[float] = []
    least: list[float] = []
    kept: list[sets.Row] = []
    plans = [([s.text for s, why in claims_of(row.text) if not why], metric.index(row.source)) for row in rows]
    for row, (sentences, source), reads in zip(rows, plans, metric.read_all(plans), strict=True):
        fitting = [(s, read) for s, read in zip(sentences, reads, strict=False) if read.numbers[1]]
        for sentence, read in fitting:
            found.append(measured(sentence, source, read.nearest, *read.numbers, read.joint.unsupported))
            text.append(len(kept))
            most.append(CONTRADICTED if is_contradicted(sentence, source, read) else 1.0)
            least.append(BORNE_OUT if is_borne_out(found[-1], read) else 0.0)
        if fitting:
            kept.append(row)
    names = names_for(metric)
    groups = {name: at for at, name in enumerate(sorted({row.system for row in kept}))} if systems else {}
    folds = [int(hashlib.md5(row.doc.encode(), usedforsecurity=False).hexdigest(), 16) % FOLDS for row in kept]
    return Numbers(
        np.array([[s.feature(name) for name in names] for s in found]), found, np.array(text),
        np.array([row.human for row in kept]), np.array(most), np.array(least),
        np.array([groups.get(row.system, 0) for row in kept]), np.array(folds), np.array([row.system for row in kept]),
    )  # fmt: skip


def names_for(metric: AverMetric) -> tuple[str, ...]:
    """The features that are fitted for a judge."""
    return (*FEATURES, *MARK_FEATURES) if metric.judge.marks_claims else FEATURES


def fit(metric: AverMetric, limit: int | None, seed: int, *, write: bool = False) -> None:
    """Prints the entry for the table in `aver/consistency/_weighing.py` (`write`: puts it there), and how well it does
    on each set."""
    began = time.perf_counter()
    read: dict[str, Numbers] = {}
    for name, (rows, most, _, systems) in FIT.items():
        some = sets.sample(rows(), most if limit is None else limit, seed)
        read[name] = numbers(metric, some, systems=systems)
        print(f"{name}: {len(read[name].human)} texts, {len(read[name].text)} sentences "
              f"({time.perf_counter() - began:.0f} s)", flush=True)  # fmt: skip
    worth = [worth for _, _, worth, _ in FIT.values()]
    coefficients, constant = _coefficients(list(read.values()), worth)
    verdict = _steps(read, coefficients, constant)
    name = metric.model.rpartition("@")[0]
    before = WEIGHTS[name].name if name in WEIGHTS else f"{name}-0"
    number = int(before.rpartition("-")[2]) + 1
    parts = [f'"{name}-{number}"', f"{constant:.3f}", _written(dict(zip(names_for(metric), coefficients, strict=True)))]
    parts.append(f"verdict=({verdict[0]:.2f}, {verdict[1]:.2f})")
    if metric.judge.marks_claims:
        parts.append(f"marks_at={_marks_at(metric, limit, seed):.2f}")
    entry = f'    "{name}": Weights(\n' + "".join(f"        {part},\n" for part in parts) + "    ),\n"
    print("\nfor WEIGHTS in src/aver/consistency/_weighing.py:\n" + entry)
    if write:
        _write(name, entry)
    _tell(read, coefficients, constant, verdict)
    _cross_validated(read, worth)


def balanced(found: NDArray[np.bool_], right: NDArray[np.bool_]) -> float:
    """The mean of the shares of positives and of negatives that were told right."""
    if right.all() or not right.any():  # a resample of few rows may hold one kind alone
        return float("nan")
    return fmean((float(found[right].mean()), float(1 - found[~right].mean())))


def partial(scores: Floats, some: Numbers) -> float:
    """Pearson within systems, as FRANK's partial correlation is."""
    ours, theirs = scores.copy(), some.human.copy()
    for system in np.unique(some.system):
        at = some.system == system
        ours[at] -= ours[at].mean()
        theirs[at] -= theirs[at].mean()
    return float(np.corrcoef(ours, theirs)[0, 1])


def word_scores(metric: AverMetric, rows: Sequence[sets.Marked]) -> list[tuple[Floats, NDArray[np.bool_]]]:
    """For each row the judge's marks of the claim's words, in the joint reading, and the people's."""
    plans = [([row.claim], metric.index(row.source)) for row in rows]
    found = []
    for row, reads in zip(rows, metric.read_all(plans), strict=True):
        marks = reads[0].joint.unsupported if reads else None
        if marks is not None:
            found.append(marked_words(row, marks))
    return found


def marked_words(row: sets.Marked, marks: Sequence[float]) -> tuple[Floats, NDArray[np.bool_]]:
    """The marks of our words beside the people's, which are of other words: ours has theirs where the two overlap."""
    from aver.text import words

    kept = [(mark, w) for mark, w in zip(marks, words(row.claim), strict=True) if not w.is_punctuation]
    human = [any(a < w.end and w.start < b for a, b in row.spans) for _, w in kept]
    return np.array([mark for mark, _ in kept]), np.array(human, bool)


def _written(values: dict[str, float]) -> str:
    each = [f'"{name}": {round(float(value), 3)}' for name, value in values.items()]
    if len(each) < 5:
        return "{" + ", ".join(each) + "}"
    lines = ["            " + ", ".join(each[at : at + 3]) + ",\n" for at in range(0, len(each), 3)]
    return "{\n" + "".join(lines) + "        }"


def _write(name: str, entry: str) -> None:
    path = sets.ROOT / "src" / "aver" / "consistency" / "_weighing.py"
    text = path.read_text(encoding="utf-8")
    start = text.index("WEIGHTS: dict[str, Weights] = {\n") + len("WEIGHTS: dict[str, Weights] = {\n")
    end = text.index("\n}\n", start) + 1
    entries = re.split(r'(?m)^(?=    "[^"]+": Weights\()', text[start:end])
    kept = [one for one in entries if one.strip() and not one.startswith(f'    "{name}":')]
    path.write_text(text[:start] + "".join(sorted([*kept, entry])) + text[end:], encoding="utf-8")


def _values(some: Numbers, coefficients: Floats, constant: float, steps: tuple[float, float] | None = None) -> Floats:
    """The texts' scores; with the steps, their verdicts."""
    own, copied = steps or (0.0, 0.0)
    step = own + (copied - own) * np.array([s.copying for s in some.sentences])
    each = _logistic(some.features @ coefficients + constant + step)
    each = np.minimum(some.most, each if steps is None else np.maximum(some.least, each))
    return np.asarray(np.bincount(some.text, each) / np.bincount(some.text))


def _coefficients(read: Sequence[Numbers], worth: Sequence[float]) -> tuple[Floats, float]:
    together = np.concatenate([some.features for some in read])
    mean, spread = together.mean(0), together.std(0) + 1e-9
    flat = [np.column_stack(((some.features - mean) / spread, np.ones(len(some.features)))) for some in read]
    counts = [np.bincount(some.text) for some in read]
    width = together.shape[1] + 1
    penalty = np.append(np.full(width - 1, PENALTY), 0.0)
    places = np.cumsum([width] + [int(some.group.max()) + 1 for some in read])

    def loss(values: Floats) -> tuple[float, Floats]:
        weights = values[:width]
        total, slope = float((penalty * weights) @ weights) / 2, np.zeros_like(values)
        slope[:width] = penalty * weights
        for at, (some, numbers_, count) in enumerate(zip(read, flat, counts, strict=True)):
            own = values[places[at] : places[at + 1]]
            each = _logistic(numbers_ @ weights + own[some.group][some.text])
            text = np.clip(np.bincount(some.text, each) / count, 1e-4, 1 - 1e-4)
            share = 300 * worth[at] / len(text)  # a large set does not outweigh a small one
            total -= share * float(np.sum(some.human * np.log(text) + (1 - some.human) * np.log(1 - text)))
            by_text = -share * (some.human / text - (1 - some.human) / (1 - text)) / count
            by_sentence = by_text[some.text] * each * (1 - each)
            slope[:width] += numbers_.T @ by_sentence
            slope[places[at] : places[at + 1]] += np.bincount(some.group[some.text], by_sentence, len(own))
            total += PENALTY_OF_CONSTANTS * float(own @ own) / 2
            slope[places[at] : places[at + 1]] += PENALTY_OF_CONSTANTS * own
        return total, slope

    found = minimize(loss, np.zeros(places[-1]), jac=True, method="L-BFGS-B").x[:width]
    coefficients = np.asarray(found[:-1] / spread)
    return coefficients, float(found[-1] - mean @ coefficients)


def _steps(read: dict[str, Numbers], coefficients: Floats, constant: float) -> tuple[float, float]:
    """The step for sentences in their own words and the one for copies, in turn, until neither moves."""
    some = [one for one in read.values() if (one.human > 0.5).any() and (one.human <= 0.5).any()]
    tried = np.linspace(-3, 4, 57).tolist()
    steps = [0.0, 0.0]
    for turn in range(6):
        marks = []
        for step in tried:
            now = (step, steps[1]) if turn % 2 == 0 else (steps[0], step)
            marks.append(fmean(balanced(_values(x, coefficients, constant, now) >= 0.5, x.human > 0.5) for x in some))
        # of several that do as well, the middle one
        best = np.flatnonzero(np.array(marks) >= max(marks) - 0.003)
        steps[turn % 2] = tried[best[len(best) // 2]]
    return steps[0], steps[1]


def _marks_at(metric: AverMetric, limit: int | None, seed: int) -> float:
    rows = sets.sample(sets.wice_marks("dev"), 150 if limit is None else limit, seed)
    found = word_scores(metric, rows)
    marks, human = (np.concatenate(column) for column in zip(*found, strict=True))
    tried = np.linspace(0.05, 0.95, 91)
    scores = [2 * float((human & (marks >= t)).sum()) / max(1, human.sum() + (marks >= t).sum()) for t in tried]
    return float(tried[int(np.argmax(scores))])


def _tell(read: dict[str, Numbers], coefficients: Floats, constant: float, verdict: tuple[float, float]) -> None:
    print()
    for name, some in read.items():
        scores, told = (_values(some, coefficients, constant, steps) for steps in (None, verdict))
        print(f"{name:<22} Pearson {np.corrcoef(scores, some.human)[0, 1]:.3f}  mean score {scores.mean():.3f} "
              f"beside people's {some.human.mean():.3f}  verdicts' balanced accuracy "
              f"{balanced(told >= 0.5, some.human > 0.5):.3f}")  # fmt: skip


def _cross_validated(read: dict[str, Numbers], worth: Sequence[float]) -> None:
    """FRANK's validation split, each article scored by weights that have not seen it."""
    halves = list(FIT)[:2]
    scores = {name: np.zeros(len(read[name].human)) for name in halves}
    for fold in range(FOLDS):
        seen = [some.of(some.fold != fold) if name in halves else some for name, some in read.items()]
        coefficients, constant = _coefficients(seen, worth)
        for name in halves:
            at = read[name].fold == fold
            if at.any():
                scores[name][at] = _values(read[name].of(at), coefficients, constant)
    both = read[halves[0]]._replace(
        human=np.concatenate([read[n].human for n in halves]), system=np.concatenate([read[n].system for n in halves])
    )
    whole = partial(np.concatenate([scores[n] for n in halves]), both)
    each = ", ".join(f"{name.rpartition(' ')[2]} {partial(scores[name], read[name]):.3f}" for name in halves)
    print(f"\nFRANK valid, cross-validated by article: partial Pearson {whole:.3f}, {each}")


def _logistic(values: Floats) -> Floats:
    return np.asarray(0.5 * (1 + np.tanh(0.5 * values)))
