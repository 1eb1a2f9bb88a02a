"""A small benchmark the project makes itself: for trying the commands, and for examples that always run."""

from __future__ import annotations

from typing import Any

import numpy as np

from aver.frank._benchmark import Benchmark, Floats
from aver.frank._sentences import sentence_label, summary_scores
from aver.frank._typology import ERRORS, NO_ERROR

__all__ = ["example_sentences", "load_example"]

_SYSTEMS = {"copy": 0.05, "extract": 0.15, "rewrite": 0.35, "invent": 0.6}  # how often a sentence is wrong
_DOCS = 30


def load_example() -> Benchmark:
    """Thirty invented documents × four invented systems, with three metrics; the same every time.

    `Careful` sees every kind of error, `Overlap` only what the document does not say, and `Partial` scores only
    some rows.

    >>> bench = load_example()
    >>> len(bench), list(bench.metrics), bench.systems
    (120, ['Careful', 'Overlap', 'Partial'], ('copy', 'extract', 'rewrite', 'invent'))
    """
    rows = example_sentences()
    scores = [
        summary_scores([sentence_label(s.values()) for s in row["summary_sentences_annotations"]]) for row in rows
    ]
    human = {name: np.array([score[name] for score in scores]) for name in scores[0]}
    noise = np.random.default_rng(2).random((3, len(rows))) - 0.5
    careful = human["Factuality"] + 0.6 * noise[0]
    overlap = human["Content_Verifiability_Errors"] + noise[1]
    partial: Floats = np.where(np.arange(len(rows)) % 8 < 5, human["Factuality"] + 1.6 * noise[2], np.nan)
    return Benchmark(
        "example",
        tuple(row["hash"] for row in rows),
        tuple(row["model_name"] for row in rows),
        human=human,
        metrics={"Careful": careful, "Overlap": overlap, "Partial": partial},
        columns={
            "split": tuple(row["split"] for row in rows),
            "dataset": tuple(row["dataset"] for row in rows),
        },
    )


def example_sentences() -> list[dict[str, Any]]:
    """The example's sentence-level annotations, in the form of FRANK's `human_annotations_sentence.json`."""
    chance = np.random.default_rng(1)
    codes = list(ERRORS)
    rows = []
    for doc in range(_DOCS):
        for system, wrong in _SYSTEMS.items():
            sentences = []
            for _ in range(1 + int(chance.random() * 3)):
                truth = codes[int(chance.random() * len(codes))] if chance.random() < wrong else NO_ERROR
                votes = {}
                for annotator in range(3):
                    slip = chance.random() < 0.15
                    votes[f"annotator_{annotator}"] = [codes[int(chance.random() * len(codes))] if slip else truth]
                sentences.append(votes)
            rows.append(
                {
                    "hash": f"doc{doc:02d}",
                    "model_name": system,
                    "dataset": "news" if doc % 2 else "web",
                    "split": "test" if doc % 3 else "valid",
                    "summary_sentences_annotations": sentences,
                }
            )
    return rows
