"""Flagging: which edits change a fact? aver's flagger and the paper's baselines on VitaminC's fold 8.

The sets are described in `_edit_sets.py`. `mixed` has as many edits that change no fact as edits that do: a quarter by
the rules of `harmless_edit`, a quarter by other rules, half from the copy-edit corpora in equal parts. The paper's
figures (AUC 91.97, macro-F1 83.18) are of revisions that people labelled, which are not public.

Fitted: aver's weights and the heads' scales on fold 7, which no judge has seen (their edit heads were trained on folds
0 to 6, and would be trusted too much there), regularised and with a threshold chosen by cross-validation over pages
within it; the bag of words and the distance on 2,000 factual edits of folds 0 to 6 and as many others, their thresholds
on fold 7. Reported on fold 8.
"""

from __future__ import annotations

import argparse
import random
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from _edit_sets import Row, copy_edits, vitaminc
from aver.metrics import Flagging
from aver.models import Judge, OnnxJudge, load_judge
from aver.revisions import (
    CombinedFlagger,
    DiffEncoder,
    EditDistance,
    EditedWords,
    Flagger,
    PairEncoder,
    Passage,
    edit_kind,
    synthesise,
)
from aver.revisions._edit_features import FEATURES, features
from aver.revisions._flag_weights import Scaling
from aver.revisions._flaggers import _fitted
from aver.train import Figure
from aver.train._bars import bootstrap

Array = NDArray[np.float64]
BATCH = 400
STRENGTHS = (1.0, 3.0, 10.0, 30.0, 100.0)
SAME = ("same sentence", "other rules")
RESAMPLES = 500
EARLY = 2000
"""Factual edits of folds 0 to 6 that the bag of words and the distance are fitted on."""


def flagging(asked: argparse.Namespace) -> list[Figure]:
    """The figures; the bars are aver's own."""
    judge = load_judge(asked.model)
    rows = _rows(asked, judge, {8}, fitting=False)
    asked.say(f"fold 8: {len(rows):,} edits")
    early = _mixed(_rows(asked, judge, set(range(7)), fitting=True), asked.seed)
    late = _mixed(_rows(asked, judge, {7}, fitting=True), asked.seed)
    flaggers: dict[str, tuple[Flagger, float]] = {}
    distance = EditDistance.fit(_pairs(early), _gold(early))
    bag = EditedWords.fit(_pairs(early), _gold(early))
    for name, flagger in (("edit distance", distance), ("bag of edited words", bag)):
        scores = [p or 0.0 for p in flagger.score(_pairs(late))]
        flaggers[name] = flagger, Flagging.tuned(scores, _gold(late)).threshold
    if isinstance(judge, OnnxJudge) and "edit" in judge.heads:
        for name, encoder in (("encoder on the diff", DiffEncoder(judge)), ("encoder on the pair", PairEncoder(judge))):
            flaggers[name] = encoder, encoder.threshold
    own = CombinedFlagger(judge)
    flaggers["aver"] = own, own.threshold
    if not own.fitted:
        asked.say(f"{judge.model} has no fitted weights: run --fit")
    figures: list[Figure] = []
    mixed = _mixed(rows, asked.seed)
    place = {row: at for at, row in enumerate(rows)}
    for name, (flagger, threshold) in flaggers.items():
        scores = _scores(flagger, rows, asked)
        in_mixed = np.array([place[row] for row in mixed])
        figures += _of_mixed(name, mixed, scores[in_mixed], threshold)
        if name == "aver":
            figures += _of_sets(rows, scores)
    return [*figures, *_kinds(asked)]


def fit(asked: argparse.Namespace) -> None:
    """Prints the entries of `aver.revisions._flag_weights.SCALINGS` for a model."""
    judge = load_judge(asked.model)
    rows = _mixed(_rows(asked, judge, {7}, fitting=True), asked.seed)
    asked.say(f"fold 7: {len(rows):,} edits")
    table = np.vstack([features(_pairs(part), judge)[0] for part in _parts(rows, asked)])
    gold, pages = np.array(_gold(rows)), [row.group for row in rows]
    loss, strength = min((_loss(_held_out(table, gold, pages, s), gold), s) for s in STRENGTHS)
    held_out = _held_out(table, gold, pages, strength)
    chosen = Flagging.tuned(held_out.tolist(), gold.tolist())
    told = chosen.score(held_out.tolist(), gold.tolist())
    asked.say(f"strength {strength}: held-out loss {loss:.4f}, AUC {told['auc']:.4f}, macro-F1 {told['macro_f1']:.4f}")
    name = judge.model.rpartition("@")[0]
    own = _fitted(table, gold.tolist(), FEATURES, name, strength=strength)
    print(_entry("aver", own._replace(threshold=round(chosen.threshold, 3))))
    if isinstance(judge, OnnxJudge) and "edit" in judge.heads:
        for encoder in (PairEncoder(judge), DiffEncoder(judge)):
            raw = np.array([x or 0.0 for part in _parts(rows, asked) for x in encoder.raw(_pairs(part))])
            print(_entry(encoder.kind, _scaled(raw, gold, "head", name)))
    early = _mixed(_rows(asked, judge, set(range(7)), fitting=True), asked.seed)
    scaling = EditDistance.fit(_pairs(early), _gold(early))._scaling
    level = Flagging.tuned([scaling.probability([x]) for x in _distances(rows)], gold.tolist()).threshold
    print(_entry("distance", scaling._replace(threshold=round(level, 3), name="")))


def _scaled(raw: Array, gold: Array, name: str, model: str) -> Scaling:
    scaling = _fitted(raw[:, None], gold.tolist(), (name,), model)
    scores = [scaling.probability([x]) for x in raw]
    return scaling._replace(threshold=round(Flagging.tuned(scores, gold.tolist()).threshold, 3))


def _distances(rows: Sequence[Row]) -> list[float]:
    from aver.revisions._flaggers import _distance

    return [_distance(row.before, row.after) for row in rows]


def _entry(flagger: str, scaling: Scaling) -> str:
    """As it stands in the table."""
    weights = textwrap.fill(
        ", ".join(f'"{name}": {weight:.3f}' for name, weight in scaling.weights.items()) + ",",
        width=112, initial_indent=" " * 12, subsequent_indent=" " * 12, break_long_words=False,
    )  # fmt: skip
    head = f'    ("{flagger}", "{scaling.name}"): Scaling(\n        "{scaling.name or flagger}",\n        {{\n'
    return f"{head}{weights}\n        }},\n        {scaling.constant:.3f},\n        {scaling.threshold},\n    ),"


def _rows(asked: argparse.Namespace, judge: Judge, folds: set[int], *, fitting: bool) -> list[Row]:
    card: dict[str, Any] | None = dict(judge.folder.card) if isinstance(judge, OnnxJudge) else None
    # seven folds are more than a bag of words needs
    limit = min(asked.limit or EARLY, EARLY) if len(folds) > 1 else asked.limit
    found = vitaminc(asked.data, folds, asked.seed, limit)
    factual = sum(row.factual for row in found)
    most = max(10, factual // 2 if fitting else min(300, factual // 5))
    return found + copy_edits(asked.data, fitting=fitting, card=card, limit=most, seed=asked.seed)


def _mixed(rows: Sequence[Row], seed: int) -> list[Row]:
    """As many edits that change nothing as that do: half of the same sentences, half from the corpora."""
    factual = [row for row in rows if row.factual]
    others = sorted({row.source for row in rows if not row.factual} - set(SAME))
    chosen: list[Row] = []
    for sources in (SAME, others):
        for at, source in enumerate(sources):
            left = len(factual) // 2 - sum(row.source in sources for row in chosen)
            have = [row for row in rows if row.source == source]
            random.Random(f"{seed}|{source}").shuffle(have)
            chosen += have[: left // (len(sources) - at)]
    return factual + chosen


def _pairs(rows: Sequence[Row]) -> list[tuple[str, str]]:
    return [(row.before, row.after) for row in rows]


def _gold(rows: Sequence[Row]) -> list[bool]:
    return [row.factual for row in rows]


def _parts(rows: Sequence[Row], asked: argparse.Namespace) -> Iterator[Sequence[Row]]:
    for start in range(0, len(rows), BATCH):
        asked.say(f"{start:,} of {len(rows):,} edits")
        yield rows[start : start + BATCH]


def _scores(flagger: Flagger, rows: Sequence[Row], asked: argparse.Namespace) -> Array:
    asked.say(flagger.name)
    # what cannot be read is not flagged
    return np.array([p or 0.0 for part in _parts(rows, asked) for p in flagger.score(_pairs(part))])


def _held_out(table: Array, gold: Array, pages: Sequence[str], strength: float, parts: int = 5) -> Array:
    """Each row's probability from weights fitted on other pages."""
    deal = {page: random.Random(f"deal|{page}").randrange(parts) for page in set(pages)}
    part = np.array([deal[page] for page in pages])
    found = np.zeros(len(gold))
    for one in range(parts):
        scaling = _fitted(table[part != one], gold[part != one].tolist(), FEATURES, "", strength=strength)
        found[part == one] = [scaling.probability(row) for row in table[part == one]]
    return found


def _loss(p: Array, gold: Array) -> float:
    p = np.clip(p, 1e-6, 1 - 1e-6)
    return float(-np.where(gold, np.log(p), np.log(1 - p)).mean())


def _of_mixed(name: str, rows: Sequence[Row], scores: Array, threshold: float) -> list[Figure]:
    gold = np.array(_gold(rows))
    bars = {"AUC": 0.92, "macro-F1": 83.0} if name == "aver" else {}
    found = [_figure(f"{name}, mixed, AUC", rows, lambda w: _auc(scores, gold, w), bars.get("AUC"))]
    told = Flagging(threshold).score(scores.tolist(), gold.tolist())

    def f1(w: Array) -> float:
        flagged = scores >= threshold
        parts = []
        for said, true in ((flagged, gold), (~flagged, ~gold)):
            parts.append(2 * w[said & true].sum() / max(1e-9, w[said].sum() + w[true].sum()))
        return 100 * sum(parts) / 2

    note = f"precision {100 * (told['precision'] or 0):.1f}, recall {100 * (told['recall'] or 0):.1f}, "
    note += f"F1 {100 * (told['f1'] or 0):.1f} at {threshold:.3f}"
    found.append(_figure(f"{name}, mixed, macro-F1", rows, f1, bars.get("macro-F1"), note))
    if name == "aver":
        found.append(_figure("aver, mixed, expected calibration error", rows, lambda w: _ece(scores, gold, w)))
    return found


def _of_sets(rows: Sequence[Row], scores: Array) -> list[Figure]:
    """AUC of the factual edits against each set of the others alone."""
    gold = np.array(_gold(rows))
    sources = np.array([row.source for row in rows])
    names = [name for name in dict.fromkeys(sources.tolist()) if name != "factual"]
    groups = {"same sentence, both sets of rules": SAME, "all copy edits": tuple(n for n in names if n not in SAME)}
    found = []
    for title, members in {**groups, **{name: (name,) for name in names}}.items():
        kept = gold | np.isin(sources, members)
        part = [row for row, keep in zip(rows, kept, strict=True) if keep]
        own_scores, own_gold = scores[kept], gold[kept]

        def auc(w: Array, s: Array = own_scores, g: Array = own_gold) -> float:
            return _auc(s, g, w)

        bar = 0.85 if set(members) & set(SAME) else None
        found.append(_figure(f"aver, against {title}, AUC", part, auc, bar))
    return found


def _kinds(asked: argparse.Namespace) -> list[Figure]:
    """How often the kind is right on edits that were made to be of a kind."""
    meant = {"number": "quantity", "bounded number": "quantity"} | {k: k for k in ("date", "entity", "negation")}
    pages: dict[str, list[str]] = {}
    for row in vitaminc(asked.data, {8}, asked.seed, asked.limit):
        if row.factual:
            pages.setdefault(row.group, []).append(row.before)
    passages = [Passage(page, sentences) for page, sentences in pages.items()]
    cases: dict[str, dict[bool, str]] = {}
    kinds: dict[str, str] = {}
    for pair in synthesise(passages, seed=asked.seed, kinds=list(meant)):
        if pair.label != "NOT_ENOUGH_INFO":
            cases.setdefault(pair.case_id, {})[pair.edited] = pair.evidence
            kinds[pair.case_id] = meant[pair.kind]
    right = np.array([edit_kind(c[False], c[True]) == kinds[i] for i, c in cases.items() if len(c) == 2], float)
    share, cases_of = (lambda w: 100 * float((right * w).sum() / w.sum())), range(len(right))
    value, low, high = bootstrap(share, cases_of, resamples=RESAMPLES)
    return [Figure("kinds", "the kind of a synthesised edit is right, %", value, low, high, len(right), "edits")]


def _figure(
    title: str, rows: Sequence[Row], statistic: Callable[[Array], float], bar: float | None = None, notes: str = ""
) -> Figure:
    value, low, high = bootstrap(statistic, [row.group for row in rows], resamples=RESAMPLES)
    lower = "calibration" not in title
    return Figure(title.lower().replace(" ", "_"), title, value, low, high, len(rows), "edits", bar, lower, notes)


def _auc(scores: Array, gold: Array, weights: Array) -> float:
    order = np.argsort(scores, kind="stable")
    s, g, w = scores[order], gold[order], weights[order]
    positive, negative = w * g, w * ~g
    # equal scores share the negatives below and half of those beside them
    starts = np.searchsorted(s, s, side="left")
    ends = np.searchsorted(s, s, side="right")
    below = np.concatenate([[0.0], np.cumsum(negative)])
    won = positive * (below[starts] + below[ends]) / 2
    return float(won.sum() / max(1e-9, positive.sum() * negative.sum()))


def _ece(scores: Array, gold: Array, weights: Array, bins: int = 10) -> float:
    at = np.minimum((scores * bins).astype(int), bins - 1)
    total = 0.0
    for one in range(bins):
        own = at == one
        if weights[own].sum() > 0:
            total += abs((weights[own] * (scores[own] - gold[own])).sum())
    return float(total / weights.sum())
