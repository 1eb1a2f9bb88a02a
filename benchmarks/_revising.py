"""Revising sentences and extracting claims, on VitaminC's real revisions of fold 8, beside the paper's BART.

Revising: a claim with a sentence that refutes it and one that supports it; the refuting one is revised, the supporting
one is the reference. A refusal counts as the sentence left as it was: it is not supported, and scored as it stands.
Extracting: two versions for which somebody wrote a claim that the one supports and the other does not; an edit for
which no claim is given counts as a miss. The judge of the search (`--judge`) and the judge of the figures
(`--independent`) must be two models: a search finds what pleases its own judge.
"""

from __future__ import annotations

import argparse
import collections
import itertools
import logging
import random
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from aver.errors import InputError
from aver.labels import Label
from aver.metrics import BLEU, ROUGE, SARI
from aver.models import Judge, load_judge
from aver.records import iter_records
from aver.revisions import Edit, Extraction, extract_edits
from aver.revisions import revise as revise_one
from aver.revisions._revise_search import Attempt, attempts, best, decisive_words, proposals
from aver.revisions._revise_weights import Weights
from aver.train import Figure
from aver.train._bars import bootstrap

REPORT, CHOOSE = 8, 7
PAPER = {"support": 76.26, "sari": 47.21, "rouge": 85.23, "claim support": 85.83}
RESAMPLES = 100
"""Of SARI, whose counts are pooled anew each time; means take 1,000."""


GRID = ((0.0, 0.05, 0.1, 0.2, 0.4), (0.5, 1.0), (0.0, 0.1, 0.2, 0.4), (0.0, 0.3, 0.6, 1.0))
"""The values tried for a word, a fault, the prior and figures; the other weights are as they are for every judge."""

T = TypeVar("T")


class Task(NamedTuple):
    """A sentence that refutes a claim, and one that supports it."""

    sentence: str
    claim: str
    reference: str
    page: str


class Directed(NamedTuple):
    """An edit for which claims are known that it makes true."""

    edit: Edit
    claims: tuple[str, ...]


def revise(asked: argparse.Namespace) -> list[Figure]:
    """The figures of `aver.revise`."""
    judge, independent = judges(asked)
    tasks = sample(list(revision_tasks(asked, REPORT)), asked)
    began = time.monotonic()
    found = []
    for number, task in enumerate(tasks, 1):
        found.append(revise_one(task.sentence, task.claim, judge=judge))
        if number % 50 == 0:
            asked.say(f"revise: {number} of {len(tasks)}")
    seconds = (time.monotonic() - began) / len(tasks)
    texts = [task.sentence if one.text is None else one.text for one, task in zip(found, tasks, strict=True)]
    sources, references = [t.sentence for t in tasks], [[t.reference] for t in tasks]
    pages = [task.page for task in tasks]
    supported = verdicts(independent, [(t.claim, text) for t, text in zip(tasks, texts, strict=True)])
    ceiling = verdicts(independent, [(t.claim, t.reference) for t in tasks])
    rouge = [row["f1"] for row in ROUGE("2").rows(texts, references)]
    copied = [row["f1"] for row in ROUGE("2").rows(sources, references)]
    exact = [text == task.reference for text, task in zip(texts, tasks, strict=True)]
    refused = [one.text is None for one in found]
    sizes = [one.size for one in found if one.text is not None]
    notes = f"search: {judge.model}; measured by {independent.model}; paper's BART on its own test set in brackets"
    rows = [
        mean("revise_support", f"supported, by another judge ({PAPER['support']})", supported, pages, 76.3, notes),
        sari("easse", texts, references, sources, pages, asked.seed, bar=47.2, resamples=RESAMPLES),
        mean("revise_rouge2", f"ROUGE-2 against the other version ({PAPER['rouge']})", rouge, pages, 85.0, scale=1),
        mean("revise_reference", "the other version itself: supported, by the same judge", ceiling, pages),
        mean("revise_copy_rouge2", "the sentence left alone: ROUGE-2", copied, pages, scale=1),
        sari("easse", sources, references, sources, pages, asked.seed, title="the sentence left alone: SARI"),
        sari("hf", texts, references, sources, pages, asked.seed),
        sari("cocoxu", texts, references, sources, pages, asked.seed),
        mean("revise_exact", "the very words of the other version", exact, pages),
        mean("revise_refused", "refused", refused, pages),
    ]
    words = statistics.mean(sizes) if sizes else 0.0
    rows.append(Figure("revise_words", "words that go or come", words, words, words, len(sizes), "revisions"))
    rows.append(Figure("revise_seconds", "seconds a sentence", seconds, seconds, seconds, len(tasks), "sentences"))
    return rows


def extract(asked: argparse.Namespace) -> list[Figure]:
    """The figures of `aver.extract`."""
    judge, independent = judges(asked)
    edits = sample(list(directed_edits(asked, REPORT)), asked)
    began = time.monotonic()
    found: list[Extraction] = []
    for start in range(0, len(edits), 16):
        found += extract_edits([row.edit for row in edits[start : start + 16]], judge=judge)
        asked.say(f"extract: {len(found)} of {len(edits)}")
    seconds = (time.monotonic() - began) / len(edits)
    pages = [row.edit.title for row in edits]
    claims = [one.gained[0].text if one.gained else None for one in found]
    given = [(claim, row) for claim, row in zip(claims, edits, strict=True) if claim is not None]
    after = iter(independent.judge([(claim, row.edit.after) for claim, row in given]))
    before = iter(independent.judge([(claim, row.edit.before) for claim, row in given]))
    supported = [claim is not None and next(after).label is Label.SUPPORTS for claim in claims]
    open_before = [claim is not None and next(before).label is not Label.SUPPORTS for claim in claims]
    both = [a and b for a, b in zip(supported, open_before, strict=True)]
    texts, references = [claim for claim, _ in given], [row.claims for _, row in given]
    rouge = [row["f1"] for row in ROUGE("2").rows(texts, references)]
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)  # VitaminC's text is tokenised, and so are the claims
    bleu = BLEU().score(texts, references).main or 0.0
    words = statistics.mean(len(text.split()) for text in texts) if texts else 0.0
    theirs = statistics.mean(len(claim.split()) for row in edits for claim in row.claims)
    notes = f"search: {judge.model}; measured by {independent.model}; an edit without a claim is a miss"
    title = f"supported by the new version, by an independent judge ({PAPER['claim support']})"
    given_pages = [row.edit.title for _, row in given]
    return [
        mean("extract_support", title, supported, pages, 85.8, notes),
        mean("extract_open", "refuted or left open by the old version", open_before, pages, 85.0),
        mean("extract_both", "both", both, pages),
        mean("extract_given", "edits with a claim", [claim is not None for claim in claims], pages),
        mean("extract_rouge2", "ROUGE-2 against the claims people wrote (40.38)", rouge, given_pages, scale=1),
        Figure("extract_bleu", "BLEU against them (16.14)", bleu, bleu, bleu, len(texts), "claims"),
        Figure("extract_words", f"words a claim (people's: {theirs:.1f})", words, words, words, len(texts), "claims"),
        Figure("extract_seconds", "seconds an edit", seconds, seconds, seconds, len(edits), "edits"),
    ]


def fit(asked: argparse.Namespace) -> None:
    """Chooses the weights of the search on fold 7: the ones whose choice comes nearest the reference.

    The support of the judge that searches is no measure of its own choice, so the aim is ROUGE-2 alone; each weight
    is taken from a short list, and the whole grid is tried on the same attempts.
    """
    judge = load_judge(asked.judge)
    tasks = sample(list(revision_tasks(asked, CHOOSE)), asked)
    rows: list[list[tuple[Attempt, float]]] = []
    for number, task in enumerate(tasks, 1):
        _, weight = decisive_words(judge, task.claim, task.sentence)
        tried = attempts(task.sentence, task.claim, proposals(task.sentence, task.claim, weight), judge)
        near = ROUGE("2").rows([a.text for a in tried], [[task.reference]] * len(tried)) if tried else []
        rows.append([(attempt, row["f1"]) for attempt, row in zip(tried, near, strict=True)])
        if number % 50 == 0:
            asked.say(f"fit: {number} of {len(tasks)}")
    untouched = [row["f1"] for row in ROUGE("2").rows([t.sentence for t in tasks], [[t.reference] for t in tasks])]
    results = []
    for values in itertools.product(*GRID):
        weights = Weights(*values)
        nearest = []
        for alone, row in zip(untouched, rows, strict=True):
            chosen = best([attempt for attempt, _ in row], weights, most_words=12)
            nearest.append(next((near for attempt, near in row if attempt is chosen), alone))
        results.append((statistics.mean(nearest), weights))
    results.sort(reverse=True)
    for value, weights in results[:5]:
        asked.say(f"ROUGE-2 {value:.2f} with {weights}")
    print(f'    "{judge.name}": Weights{tuple(results[0][1])},  # {len(tasks)} of fold {CHOOSE}, {judge.model}')


def judges(asked: argparse.Namespace) -> tuple[Judge, Judge]:
    """The judge of the search and the judge of the figures; an InputError where they are one model."""
    judge, independent = load_judge(asked.judge), load_judge(asked.independent)
    if judge.model.rpartition("@")[2] == independent.model.rpartition("@")[2]:
        raise InputError(
            f"--judge {asked.judge} and --independent {asked.independent} are the same model, {judge.model}: "
            "the search would be measured by the judge it pleased; name another one"
        )
    return judge, independent


def revision_tasks(asked: argparse.Namespace, fold: int) -> Iterator[Task]:
    """Every claim of a fold with each sentence that refutes it and each that supports it."""
    for claim, by_label in grouped(asked, fold):
        for refuting, supporting in itertools.product(by_label[Label.REFUTES], by_label[Label.SUPPORTS]):
            yield Task(refuting["evidence"], claim, supporting["evidence"], refuting["page"])


def directed_edits(asked: argparse.Namespace, fold: int) -> Iterator[Directed]:
    """Pairs of versions, in the direction in which somebody's claim becomes true."""
    found: dict[Edit, list[str]] = {}
    for claim, by_label in grouped(asked, fold):
        others = by_label[Label.REFUTES] + by_label[Label.NOT_ENOUGH_INFO]
        for other, supporting in itertools.product(others, by_label[Label.SUPPORTS]):
            edit = Edit(other["evidence"], supporting["evidence"], supporting["page"])
            found.setdefault(edit, []).append(claim)
    for edit, claims in found.items():
        yield Directed(edit, tuple(claims))


def grouped(asked: argparse.Namespace, fold: int) -> Iterator[tuple[str, dict[Label, list[dict[str, Any]]]]]:
    groups: dict[tuple[str, str], dict[Label, list[dict[str, Any]]]] = {}
    for record in iter_records(asked.data / "vitaminc" / "real.jsonl.gz"):
        row = record.fields
        if row["fold"] == fold:
            empty: dict[Label, list[dict[str, Any]]] = collections.defaultdict(list)
            groups.setdefault((row["case_id"], row["claim"]), empty)[Label(row["label"])].append(row)
    for (_, claim), by_label in groups.items():
        yield claim, by_label


def sample(rows: list[T], asked: argparse.Namespace) -> list[T]:
    if asked.limit is None or asked.limit >= len(rows):
        return rows
    return random.Random(asked.seed).sample(rows, asked.limit)


def verdicts(judge: Judge, pairs: Sequence[tuple[str, str]]) -> list[bool]:
    return [judgement.label is Label.SUPPORTS for judgement in judge.judge(pairs)]


def mean(
    name: str, title: str, values: Sequence[float], pages: Sequence[Any], bar: float | None = None, notes: str = "",
    *, scale: float = 100,
) -> Figure:  # fmt: skip
    rows = scale * np.asarray(values, float)

    def statistic(weights: Any) -> float:
        return float((rows * weights).sum() / weights.sum())

    value, low, high = bootstrap(statistic, pages)
    unit = "revisions" if name.startswith("revise") else "edits"
    return Figure(name, title, value, low, high, len(values), unit, bar=bar, notes=notes)


def sari(
    variant: Any, texts: Sequence[str], references: Sequence[Sequence[str]], sources: Sequence[str],
    pages: Sequence[str], seed: int, *, bar: float | None = None, title: str | None = None, resamples: int = 0,
) -> Figure:  # fmt: skip
    measure = SARI(variant)

    def score(at: Sequence[int]) -> dict[str, float]:
        columns: list[list[Any]] = [[column[i] for i in at] for column in (texts, references, sources)]
        return {name: value or 0.0 for name, value in measure.score(*columns).values.items()}

    whole = score(range(len(texts)))
    rng = random.Random(seed)
    by_page: dict[str, list[int]] = {}
    for index, page in enumerate(pages):
        by_page.setdefault(page, []).append(index)
    groups = list(by_page.values())
    draw: Callable[[], list[int]] = lambda: [i for group in rng.choices(groups, k=len(groups)) for i in group]  # noqa: E731
    drawn = [score(draw())["sari"] for _ in range(resamples)] or [whole["sari"]]
    low, high = np.quantile(drawn, [0.025, 0.975])
    parts = ", ".join(f"{name} {whole[name]:.1f}" for name in ("keep", "add", "delete"))
    paper = f" ({PAPER['sari']})" if bar is not None else ""
    name = f"revise_sari_{variant}" if title is None else "revise_copy_sari"
    return Figure(name, f"{title or measure}{paper}: {parts}", whole["sari"], float(low), float(high), len(texts),
                  "revisions", bar=bar)  # fmt: skip
