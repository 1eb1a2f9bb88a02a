"""Reading a benchmark: FRANK's own files, or any other in a small JSON-lines form."""

from __future__ import annotations

import dataclasses
import math
import os
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from aver.errors import InputError, Problems
from aver.frank._benchmark import Benchmark, Floats, Source, brief, is_score, score_columns
from aver.frank._released import from_qags, from_summeval, from_unieval
from aver.frank._submission import lay_out, parse_rows, plain_name, read_rows, source_of, submit
from aver.records import read_bytes

__all__ = ["BASELINES", "load", "load_frank"]

BASELINES = (
    "Bleu", "Meteor", "Rouge 1", "Rouge 2", "Rouge L", "BertScore P Art", "FEQA", "QAGS", "Dep Entail", "FactCC",
)  # fmt: skip
"""The ten metrics that FRANK's script evaluates by default; its file holds fifteen."""

HUMAN_FILE = "human_annotations.json"
BASELINE_FILE = "baseline_factuality_metrics_outputs.json"
_KEYS = ("hash", "model_name")
_TEXTS = ("article", "summary", "reference", "source")  # what was scored, not something to select by


def load(path: str | os.PathLike[str]) -> Benchmark:
    """Reads a benchmark in any form it knows, told apart by what is in the file.

    - a folder with FRANK's `human_annotations.json` (or that file), with FRANK's baselines where they stand beside it;
    - JSON lines, one row a document and system:
      `{"doc": "d1", "system": "bart", "human": {"Factuality": 0.5}, "metrics": {"MyMetric": 0.7}}`, where any other
      field that is a word (`split`, `dataset`, …) becomes a column to select or control by;
    - SummEval, REALSumm, Rank19 or QAGS as BARTScore released them (document → `sys_summs` → `scores`);
    - QAGS's own `mturk_*.jsonl`: the share of sentences that most workers called consistent;
    - UniEval's data and predictions: a list with `scores` and `predict_scores`.

    >>> import tempfile
    >>> row = '{"doc": "d1", "system": "bart", "split": "test", "human": {"Truth": 0.5}, "metrics": {"Mine": 0.7}}'
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "own.jsonl").write_text(row)
    ...     bench = load(f"{folder}/own.jsonl")
    >>> bench.name, bench.systems, bench.main_human, list(bench.metrics), bench.column("split")
    ('own', ('bart',), 'Truth', ['Mine'], ('test',))
    """
    place = Path(path)
    if place.is_dir():
        if (place / HUMAN_FILE).exists():
            return load_frank(place)
        raise InputError(f"{path}: this folder has no {HUMAN_FILE}; name the benchmark's file itself")
    data = read_bytes(path)
    piped = os.fspath(path) == "-"
    source = source_of(data, path)
    head = data.lstrip()[:1]
    if not head:
        raise InputError(f"{path}: the file is empty")
    name = plain_name(source.name)
    if head == b"{" and (whole := _one_object(data)) is not None and _is_summeval(whole):
        return from_summeval(whole, name=name, source=source)
    rows = parse_rows(data, path)
    sample = rows[0][1] if rows and isinstance(rows[0][1], dict) else {}
    if {"hash", "model_name"} <= sample.keys() and "human" not in sample:
        beside = place.parent / BASELINE_FILE
        return _from_frank(rows, source, beside if beside.exists() and not piped else None)
    if "system_output" in sample and "scores" in sample:
        return from_unieval(rows, name=name, source=source)
    if "summary_sentences" in sample and "article" in sample:
        return from_qags(rows, name=name, source=source)
    return _from_lines(rows, name, source)


def load_frank(path: str | os.PathLike[str], *, baselines: str | os.PathLike[str] | None = None) -> Benchmark:
    """FRANK from its folder or its `human_annotations.json`, with the baselines' outputs where they are.

    Every number of a record becomes a human score (`Factuality` first), every word a column. The metrics are those
    of the baselines' file; of its fifteen the ten of FRANK's own script are evaluated unless others are named.
    """
    place = Path(path)
    human_file = place / HUMAN_FILE if place.is_dir() else place
    rows, source = read_rows(human_file)
    beside = human_file.parent / BASELINE_FILE
    return _from_frank(rows, source, baselines or (beside if beside.exists() else None))


def _from_frank(rows: list[tuple[str, Any]], source: Source, baselines: str | os.PathLike[str] | None) -> Benchmark:
    problems = Problems()
    docs, systems = _keys(rows, _KEYS, problems)
    numbers, words = _columns(rows, _KEYS, problems)
    problems.raise_if_any(f"{source.name}: these annotations cannot be used")
    human = {name: numbers[name] for name in sorted(numbers, key=lambda name: name != "Factuality")}
    if "Factuality" not in human:
        raise InputError(
            f"{source.name}: no record has a number for 'Factuality', so these are not FRANK's annotations. A metric's "
            "scores are handed in with --submission, another benchmark comes as rows of doc, system, human and metrics"
        )
    bench = Benchmark("FRANK", docs, systems, human=human, columns=words, sources=(source,))
    if baselines is None:
        return bench
    outputs, metric_source = read_rows(baselines)
    names = dict.fromkeys(
        name for _, row in outputs if isinstance(row, dict) for name, value in row.items()
        if name not in words and name not in _KEYS and not isinstance(value, str)
    )  # fmt: skip
    read = lay_out(outputs, bench, {name: name for name in names}, os.fspath(baselines), (metric_source,))
    bench = submit(bench, [read])
    ten = tuple(name for name in BASELINES if name in bench.metrics)
    return dataclasses.replace(bench, preferred=ten)


def _from_lines(rows: list[tuple[str, Any]], name: str, source: Source) -> Benchmark:
    problems = Problems()
    docs, systems = _keys(rows, ("doc", "system"), problems)
    _, words = _columns([(place, {k: v for k, v in row.items() if isinstance(v, str)})
                         for place, row in rows if isinstance(row, dict)], ("doc", "system"), problems)  # fmt: skip
    human, metrics = (
        score_columns(
            [(place, row.get(field, {}) if isinstance(row, dict) else {}) for place, row in rows], field, problems
        )
        for field in ("human", "metrics")
    )
    if not len(problems) and not human:
        problems.add("", 'no row has a human score, like "human": {"Factuality": 0.5}')
    problems.raise_if_any(f"{source.name}: this cannot be read as a benchmark")
    return Benchmark(name, docs, systems, human=human, metrics=metrics, columns=words, sources=(source,))


def _keys(
    rows: list[tuple[str, Any]], names: tuple[str, str], problems: Problems
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Document and system of every row; each pair may stand once."""
    pairs: dict[tuple[str, str], str] = {}
    for place, row in rows:
        if not isinstance(row, dict):
            problems.add(place, "expected a JSON object")
            continue
        lacking = [name for name in names if row.get(name) in (None, "")]
        if lacking:
            problems.add(place, f"has no {' and no '.join(map(repr, lacking))}")
            continue
        pair = (str(row[names[0]]), str(row[names[1]]))
        if pair in pairs:
            problems.add(place, f"{names[0]} {pair[0]}, {names[1]} {pair[1]} stood already at {pairs[pair]}")
        pairs[pair] = place
    return tuple(doc for doc, _ in pairs), tuple(system for _, system in pairs)


def _columns(
    rows: list[tuple[str, Any]], keys: tuple[str, str], problems: Problems
) -> tuple[dict[str, Floats], dict[str, tuple[str, ...]]]:
    """The other fields: numbers as arrays (NaN where absent), short words as columns; texts and lists are left."""
    numbers: dict[str, list[float]] = {}
    words: dict[str, list[str]] = {}
    for i, (place, row) in enumerate(rows):
        for name, value in row.items() if isinstance(row, dict) else ():
            kind = type(value)
            if kind is float or kind is int:
                if name not in numbers:
                    numbers[name] = [math.nan] * len(rows)
                if is_score(value):
                    numbers[name][i] = value
                else:
                    problems.add(place, f"{name!r} is {brief(value)}, not a number")
            elif kind is str and name not in keys and name not in _TEXTS:
                if name not in words:
                    words[name] = [""] * len(rows)
                words[name][i] = value
    numbers = {name: values for name, values in numbers.items() if name not in keys}
    return {k: np.array(v, dtype=np.float64) for k, v in numbers.items()}, {k: tuple(v) for k, v in words.items()}


def _one_object(data: bytes) -> dict[str, Any] | None:
    try:
        whole = orjson.loads(data)
    except orjson.JSONDecodeError:
        return None  # several lines
    return whole if isinstance(whole, dict) else None


def _is_summeval(whole: dict[str, Any]) -> bool:
    first = next(iter(whole.values()), None)
    return isinstance(first, dict) and "sys_summs" in first
