"""From what annotators marked in each sentence to FRANK's columns: Factuality, the categories, the flipped labels.

FRANK publishes `Flip_X` without saying how it is made. Its 2,246 released rows satisfy, without an exception:

- every sentence has exactly one label: no error, one category, or no agreed category;
- `Factuality` is the share of sentences without an error;
- `Other` is 1 less the share of wrong sentences on whose category the annotators do not agree;
- `X` is 1 less the share with category X, less again the share without an agreed category, which thus counts
  against every category;
- `Flip_X` = Factuality + (Other − X): the sentences wrong by X alone are called right, the unagreed stay wrong.

This file computes the columns so. Hence Factuality ≤ Flip_X ≤ Factuality + (1 − X).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from aver.errors import InputError, Problems
from aver.frank._benchmark import Benchmark, Floats
from aver.frank._submission import read_rows
from aver.frank._typology import ERRORS, GROUPS, NO_ERROR, OTHER

__all__ = ["FlipFault", "check_flips", "sentence_label", "summary_scores", "with_sentences"]

_CODES = (NO_ERROR, *ERRORS, OTHER)
_TOLERANCE = 1e-6  # files keep ten decimals


def sentence_label(votes: Iterable[Sequence[str]]) -> str:
    """The one label of a sentence: what more than half of its annotators marked, else `OtherE`.

    Each annotator marks one code or more (`NoE`, the seven categories, `OtherE`). Where several codes have a
    majority, the one with the most votes counts, and among equals the first in the typology's order.

    >>> sentence_label([["EntE"], ["EntE", "OutE"], ["NoE"]])
    'EntE'
    >>> sentence_label([["EntE"], ["OutE"], ["NoE"]])
    'OtherE'
    """
    marks = [set(vote) for vote in votes]
    counts = Counter(code for mark in marks for code in mark)
    agreed = [code for code in _CODES if 2 * counts[code] > len(marks)]
    return max(agreed, key=lambda code: counts[code], default=OTHER)


def summary_scores(labels: Sequence[str]) -> dict[str, float]:
    """FRANK's columns of one summary from the labels of its sentences.

    >>> scores = summary_scores(["NoE", "EntE"])
    >>> scores["Factuality"], scores["EntE"], scores["Flip_EntE"], scores["Flip_OutE"]
    (0.5, 0.5, 1.0, 0.5)
    """
    if not labels:
        raise InputError("a summary without sentences has no factuality")
    counts = Counter(labels)
    size = len(labels)
    right, unagreed = counts[NO_ERROR], counts[OTHER]
    wrong = {code: counts[code] for code in ERRORS}
    wrong |= {group: sum(counts[code] for code in codes) for group, codes in GROUPS.items()}
    scores = {"Factuality": right / size}
    scores |= {name: (size - count - unagreed) / size for name, count in wrong.items()}
    scores["Other"] = (size - unagreed) / size
    scores |= {f"Flip_{name}": (right + count) / size for name, count in wrong.items()}
    scores["Flip_Other"] = right / size
    return scores


def with_sentences(benchmark: Benchmark, path: str | os.PathLike[str]) -> tuple[Benchmark, dict[str, int]]:
    """The benchmark with its human columns computed from sentence-level annotations, and where that changed them.

    The file is FRANK's `human_annotations_sentence.json`: records with `hash`, `model_name` and
    `summary_sentences_annotations`, for each sentence an object of annotator → codes (a plain list of lists is
    read too). Returns, by column, in how many rows the computed value differs from the one the benchmark had.
    """
    rows, source = read_rows(path)
    index = {pair: i for i, pair in enumerate(zip(benchmark.doc, benchmark.system, strict=True))}
    problems = Problems()
    columns: dict[str, Floats] = {}
    seen: dict[tuple[str, str], str] = {}
    for place, row in rows:
        pair, labels = _labels(place, row, problems)
        if pair is None or labels is None:
            continue
        where = f"{place} (hash {pair[0]}, system {pair[1]})"
        if pair in seen:
            problems.add(where, f"stood already at {seen[pair]}")
        seen[pair] = place
        if pair not in index:
            problems.add(where, "the benchmark has no such row")
            continue
        for name, value in summary_scores(labels).items():
            if name not in columns:
                columns[name] = np.full(len(benchmark), np.nan)
            columns[name][index[pair]] = value
    # a row that could not be read is not missing too: rows are only missed where all could be read
    for pair in index if not len(problems) else ():
        if pair not in seen:
            problems.add(f"hash {pair[0]}, system {pair[1]}", f"has no sentences in {path}")
    problems.raise_if_any("the sentence-level annotations do not fit the benchmark")
    changed = {
        name: int((np.abs(values - benchmark.human[name]) > _TOLERANCE).sum())
        for name, values in columns.items()
        if name in benchmark.human
    }
    return benchmark.with_human(columns, sources=[source]), {name: n for name, n in changed.items() if n}


class FlipFault(NamedTuple):
    """A row whose flipped label cannot be one."""

    hash: str
    system: str
    category: str
    factuality: float
    score: float
    flipped: float

    def __str__(self) -> str:
        return (
            f"hash {self.hash}, system {self.system}: Flip_{self.category} is {self.flipped:g}, but must lie between "
            f"Factuality = {self.factuality:g} and {self.factuality + 1 - self.score:g}"
        )


def check_flips(benchmark: Benchmark, *, human: str = "Factuality") -> list[FlipFault]:
    """Every flipped label that is out of Factuality ≤ Flip_X ≤ Factuality + (1 − X).

    >>> from aver.frank import load_example
    >>> bench = load_example()
    >>> check_flips(bench)
    []
    >>> print(check_flips(bench.with_human({"Flip_OutE": bench.human["Flip_OutE"] + 1}))[0])
    hash doc00, system copy: Flip_OutE is 2, but must lie between Factuality = 1 and 1
    """
    found = []
    for name, flipped in benchmark.human.items():
        category = name.removeprefix("Flip_")
        if category == name or category not in benchmark.human or human not in benchmark.human:
            continue
        base, score = benchmark.human[human], benchmark.human[category]
        wrong = (flipped < base - _TOLERANCE) | (flipped > base + 1 - score + _TOLERANCE)
        for i in np.flatnonzero(wrong):
            found.append(
                FlipFault(
                    benchmark.doc[i], benchmark.system[i], category, float(base[i]), float(score[i]), float(flipped[i])
                )
            )
    return found


def _labels(place: str, row: Any, problems: Problems) -> tuple[tuple[str, str] | None, list[str] | None]:
    if not isinstance(row, dict) or row.get("hash") is None or row.get("model_name") is None:
        problems.add(place, "has no hash and model_name")
        return None, None
    pair = (str(row["hash"]), str(row["model_name"]))
    place = f"{place} (hash {pair[0]}, system {pair[1]})"
    sentences = row.get("summary_sentences_annotations")
    if not isinstance(sentences, list) or not sentences:
        problems.add(place, "has no 'summary_sentences_annotations'")
        return pair, None
    labels = []
    for number, sentence in enumerate(sentences, 1):
        votes = list(sentence.values()) if isinstance(sentence, Mapping) else sentence
        if not isinstance(votes, list) or not votes or not all(isinstance(v, list) and v for v in votes):
            problems.add(place, f"sentence {number}: expected a list of codes from each annotator")
            continue
        unknown = sorted({str(code) for vote in votes for code in vote} - set(_CODES))
        if unknown:
            problems.add(place, f"sentence {number}: unknown code {unknown[0]!r}; there are: {', '.join(_CODES)}")
            continue
        if any(NO_ERROR in vote and len(set(vote)) > 1 for vote in votes):
            problems.add(place, f"sentence {number}: an annotator marked both NoE and an error")
            continue
        labels.append(sentence_label(votes))
    return pair, labels if len(labels) == len(sentences) else None
