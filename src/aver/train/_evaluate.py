"""Every figure a judge is held to, through the runtime that users have."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from aver.agreement import claim_label
from aver.errors import InputError
from aver.labels import Label
from aver.metrics import Rationale, flip_rate
from aver.models import Judge, OnnxJudge
from aver.results import Judgement
from aver.train._bars import Figure, bootstrap, weighted_ece, weighted_f1
from aver.train._mix import EVALUATION, REPORT_FOLD, read
from aver.train._packed import Array
from aver.train._rationales import contrasts, word_scores

__all__ = ["BARS", "FIGURES", "TWO_WAY", "evaluate"]

TWO_WAY = frozenset({"fever_gold", "symmetric", "adversarial", "fm2"})
"""Sets without NOT ENOUGH INFO: the verdict is the likelier of the two classes that are there."""

TITLES = {
    "vitaminc_real": "VitaminC real, fold 8, three-way accuracy",
    "vitaminc_synthetic": "VitaminC synthetic, fold 8, three-way accuracy",
    "flip_rate": "VitaminC fold 8, flip rate: every verdict right",
    "flip_changed": "VitaminC fold 8, flip rate as the paper counts it: the verdict changes",
    "fever_gold": "FEVER dev, gold evidence, two-way accuracy",
    "fever_retrieved": "FEVER dev, retrieved evidence, three-way accuracy",
    "symmetric": "FEVER symmetric, two-way accuracy",
    "adversarial": "FEVER adversarial, two-way accuracy",
    "fm2": "FM2 dev, two-way accuracy",
    "climate_pairs": "CLIMATE-FEVER pairs, three-way accuracy",
    "climate_claims": "CLIMATE-FEVER claims (DISPUTED left out), accuracy",
    "climate_claims_f1": "CLIMATE-FEVER claims (DISPUTED left out), weighted F1",
    "ece": "VitaminC fold 8, expected calibration error",
    "rationale_precision": "VitaminC fold 8, rationale precision",
    "rationale_recall": "VitaminC fold 8, rationale recall",
    "rationale_f1": "VitaminC fold 8, rationale F1",
}
FIGURES = tuple(TITLES)

BARS: Mapping[str, float] = {
    "vitaminc_real": 0.863,
    "vitaminc_synthetic": 0.911,
    "flip_changed": 0.86,
    "fever_gold": 0.942,
    "fever_retrieved": 0.777,
    "symmetric": 0.916,
    "adversarial": 0.75,
    "climate_claims": 0.60,
    "climate_claims_f1": 0.60,
    "ece": 0.03,
    "rationale_f1": 0.59,
}
"""What `default` must reach."""


class _Judged(NamedTuple):
    """A set of pairs with the judge's answers; rows it could not judge are left out and counted."""

    labels: list[Label]
    gold: list[Label]
    probabilities: Array
    groups: list[Any]
    fields: list[Mapping[str, Any]]
    unjudged: int


def evaluate(
    judge: Judge,
    data: Path,
    *,
    only: Collection[str] = FIGURES,
    limit: int | None = None,
    resamples: int = 1000,
    seed: int = 0,
    say: Callable[[str], None] = print,
) -> list[Figure]:
    """The figures asked for, in the order of `FIGURES`; `limit` takes so many rows of every set.

    Intervals are percentiles of `resamples` bootstrap samples of whole claims (VitaminC: of whole cases).
    """
    unknown = sorted(set(only) - set(FIGURES))
    if unknown:
        raise InputError(f"there is no figure {', '.join(unknown)}; there are: {', '.join(FIGURES)}")
    work = _Work(judge, data, frozenset(only), limit, resamples, seed, say)
    found = [*work.vitaminc(), *work.pairs(), *work.climate(), *work.rationales()]
    return sorted(found, key=lambda figure: FIGURES.index(figure.name))


class _Work:
    """One evaluation; each method gives the figures of one source, where they are asked for."""

    def __init__(
        self, judge: Judge, data: Path, only: frozenset[str], limit: int | None, resamples: int, seed: int,
        say: Callable[[str], None],
    ) -> None:  # fmt: skip
        self.judge, self.data, self.only, self.limit, self.say = judge, data, only, limit, say
        self.resamples, self.seed = resamples, seed

    def vitaminc(self) -> list[Figure]:
        parts = {}
        for part in ("real", "synthetic"):
            if self.only & {f"vitaminc_{part}", "flip_rate", "flip_changed", "ece"}:
                rows = self._fold(part)
                parts[part] = self._judged(f"vitaminc {part}", rows, [row["case_id"] for row in rows])
        found = [self._accuracy(f"vitaminc_{part}", judged) for part, judged in parts.items()]
        if self.only & {"flip_rate", "flip_changed", "ece"}:
            found += [*self._flips(parts), self._ece(list(parts.values()))]
        return [figure for figure in found if figure.name in self.only]

    def pairs(self) -> list[Figure]:
        found = []
        for name in ("fever_gold", "fever_retrieved", "symmetric", "adversarial", "fm2"):
            if name in self.only:
                rows = self._cut(list(read(self.data / EVALUATION[name])))
                judged = self._judged(name, rows, [row["claim"] for row in rows])
                found.append(self._accuracy(name, judged))
        return found

    def climate(self) -> list[Figure]:
        wanted = self.only & {"climate_pairs", "climate_claims", "climate_claims_f1"}
        if not wanted:
            return []
        claims = self._cut(list(read(self.data / "climate_fever" / "climate-fever.jsonl")))
        rows = [
            {"id": row["claim_id"], "claim": row["claim"], "evidence": one["evidence"], "label": one["evidence_label"]}
            for row in claims
            for one in row["evidences"]
        ]
        judged = self._judged("climate-fever", rows, [row["id"] for row in rows])
        verdicts: dict[str, list[Label]] = {}
        for row, label in zip(judged.fields, judged.labels, strict=True):
            verdicts.setdefault(row["id"], []).append(label)
        kept = [claim for claim in claims if Label(claim["claim_label"]) is not Label.DISPUTED]
        gold = np.array([str(Label(claim["claim_label"])) for claim in kept])
        said = np.array([str(claim_label(verdicts.get(claim["claim_id"], []))) for claim in kept])
        ids = [claim["claim_id"] for claim in kept]
        right = (said == gold).astype(float)
        note = f"{int((said == 'DISPUTED').sum())} were judged DISPUTED, which is wrong here"
        found = [
            self._accuracy("climate_pairs", judged),
            self._figure("climate_claims", _mean(right), ids, "claims", note),
            self._figure("climate_claims_f1", weighted_f1(said, gold), ids, "claims", note),
        ]
        return [figure for figure in found if figure.name in wanted]

    def rationales(self) -> list[Figure]:
        wanted = [name for name in FIGURES if name.startswith("rationale") and name in self.only]
        if not wanted:
            return []
        rows = self._cut([row for part in ("real", "synthetic") for row in contrasts(self._fold(part, whole=True))])
        if not rows:
            return []
        card = self.judge.folder.card if isinstance(self.judge, OnnxJudge) else {}
        threshold = float(card.get("rationale_threshold", 0.5))
        marked = [
            frozenset(i for i, score in enumerate(scores) if score >= threshold) - row.unlabelled
            for row, scores in zip(rows, word_scores(self.judge, rows, say=self.say), strict=True)
        ]
        # the scorer gives the figures, the counts by row their intervals
        score = Rationale().score(marked, [row.wanted for row in rows])
        counts = np.array([(len(m & r.wanted), len(m), len(r.wanted)) for m, r in zip(marked, rows, strict=True)])
        statistics = {
            "rationale_precision": _ratio(counts[:, 0], counts[:, 1]),
            "rationale_recall": _ratio(counts[:, 0], counts[:, 2]),
            "rationale_f1": _ratio(2 * counts[:, 0], counts[:, 1] + counts[:, 2]),
        }
        note = f"words with a score of at least {threshold:g}; stop words and punctuation left out on both sides"
        found = []
        for name in wanted:
            figure = self._figure(name, statistics[name], [row.case for row in rows], "pairs", note)
            value = score[name.removeprefix("rationale_")]
            found.append(figure if value is None else dataclasses.replace(figure, value=value))
        return found

    def _fold(self, part: str, *, whole: bool = False) -> list[dict[str, Any]]:
        rows = [r for r in read(self.data / "vitaminc" / f"{part}.jsonl.gz") if r["fold"] == REPORT_FOLD]
        return rows if whole else self._cut(rows)

    def _cut(self, rows: list[Any]) -> list[Any]:
        return rows[: self.limit]

    def _judged(self, name: str, rows: Sequence[Mapping[str, Any]], groups: Sequence[Any]) -> _Judged:
        found: list[Judgement] = []
        for start in range(0, len(rows), 2048):
            if start:
                self.say(f"{name}: {start:,} of {len(rows):,} pairs")
            found += self.judge.judge((row["claim"], row["evidence"]) for row in rows[start : start + 2048])
        self.say(f"{name}: {len(rows):,} pairs")
        kept = [(j, row, group) for j, row, group in zip(found, rows, groups, strict=True) if j.label is not None]
        order = (Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO)
        return _Judged(
            [j.label for j, _, _ in kept if j.label is not None],
            [Label(row["label"]) for _, row, _ in kept],
            np.array([[j.probabilities[label] for label in order] for j, _, _ in kept]).reshape(-1, 3),
            [group for _, _, group in kept],
            [row for _, row, _ in kept],
            len(rows) - len(kept),
        )

    def _accuracy(self, name: str, judged: _Judged) -> Figure:
        said: Sequence[Label] = judged.labels
        if name in TWO_WAY:
            said = [(Label.SUPPORTS, Label.REFUTES)[int(row[:2].argmax())] for row in judged.probabilities]
        right = np.array([a is b for a, b in zip(said, judged.gold, strict=True)], float)
        return self._figure(name, _mean(right), judged.groups, "pairs", _unjudged(judged.unjudged))

    def _flips(self, parts: Mapping[str, _Judged]) -> list[Figure]:
        groups: dict[tuple[str, str], list[tuple[Label, Label]]] = {}
        alone = {}
        for name, part in parts.items():
            own = [(row["case_id"], row["claim"]) for row in part.fields]
            alone[name] = flip_rate(part.labels, part.gold, own)
            for key, said, wanted in zip(own, part.labels, part.gold, strict=True):
                groups.setdefault(key, []).append((said, wanted))
        contrastive = {key: pairs for key, pairs in groups.items() if len({wanted for _, wanted in pairs}) > 1}
        cases = [case for case, _ in contrastive]
        right = [all(said is wanted for said, wanted in pairs) for pairs in contrastive.values()]
        changed = [
            all(a[0] is not b[0] for a, b in itertools.combinations(pairs, 2) if a[1] is not b[1])
            for pairs in contrastive.values()
        ]
        found = []
        for figure, outcomes, name in (("flip_rate", right, "flip_rate"), ("flip_changed", changed, "changed")):
            told = ", ".join(f"{part} {_percent(getattr(flips, name))}" for part, flips in alone.items())
            note = f"claims with two gold labels; {told}"
            found.append(self._figure(figure, _mean(np.array(outcomes, float)), cases, "claims", note))
        return found

    def _ece(self, parts: Sequence[_Judged]) -> Figure:
        table = np.concatenate([part.probabilities for part in parts])
        right = np.array([a is b for part in parts for a, b in zip(part.labels, part.gold, strict=True)], float)
        groups = [group for part in parts for group in part.groups]
        note = "real and synthetic together, 15 bins of equal width"
        return self._figure("ece", weighted_ece(table.max(1), right), groups, "pairs", note)

    def _figure(
        self, name: str, statistic: Callable[[Array], float], groups: Sequence[Any], unit: str, notes: str = ""
    ) -> Figure:
        value = low = high = float("nan")
        if groups:
            value, low, high = bootstrap(statistic, groups, resamples=self.resamples, seed=self.seed)
        return Figure(
            name, TITLES[name], value, low, high, len(groups), unit, BARS.get(name), name != "ece", notes
        )  # fmt: skip


def _mean(values: Array) -> Callable[[Array], float]:
    return _ratio(values, np.ones_like(values))


def _ratio(above: Array, below: Array) -> Callable[[Array], float]:
    def statistic(weights: Array) -> float:
        total = float((below * weights).sum())
        return float((above * weights).sum()) / total if total else float("nan")

    return statistic


def _percent(share: float | None) -> str:
    return "none" if share is None else f"{100 * share:.1f} %"


def _unjudged(count: int) -> str:
    return f"{count} pairs could not be judged and are left out" if count else ""
