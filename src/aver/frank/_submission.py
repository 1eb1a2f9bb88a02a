"""A metric's scores on a benchmark: reading them, and saying everything that is wrong with them.

A submission is what FRANK asks for: a JSON list (or JSON lines) of records with `hash`, `model_name` and `score`;
or an info file, a JSON list of `{"path": …, "scores": [{"name": …, "key": …}]}`, for several metrics and files.
`doc` and `system` are read for `hash` and `model_name` too.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from aver.errors import InputError, Problems, count_of
from aver.frank._benchmark import Benchmark, Floats, Source, brief, is_score
from aver.records import bad_byte, read_bytes

__all__ = [
    "Coverage",
    "Fault",
    "Submission",
    "check",
    "lay_out",
    "parse_rows",
    "plain_name",
    "read_info",
    "read_rows",
    "read_submission",
    "source_of",
    "submit",
]

Path_ = str | os.PathLike[str]
Key = tuple[str, str]


@dataclasses.dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with one row of a submission."""

    kind: str
    """`missing`, `duplicate`, `unknown`, `not a number`, `unreadable`."""
    hash: str | None
    system: str | None
    metric: str | None
    what: str

    def __str__(self) -> str:
        who = f"hash {self.hash}, system {self.system}: " if self.hash is not None else ""
        return f"{who}{self.what}"

    def as_dict(self) -> dict[str, Any]:
        return dataclasses.asdict(self)


@dataclasses.dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the benchmark a metric scores."""

    metric: str
    n: int
    of: int

    @property
    def complete(self) -> bool:
        return self.n == self.of


@dataclasses.dataclass(frozen=True)
class Submission:
    """Metric scores laid out along a benchmark's rows, with whatever was wrong with them."""

    metrics: Mapping[str, Floats]
    faults: tuple[Fault, ...]
    """Everything found, `missing` rows among them."""
    sources: tuple[Source, ...]
    rows: int

    @property
    def errors(self) -> tuple[Fault, ...]:
        """What must be mended. A missing row is not among them: a metric may cover a part."""
        return tuple(fault for fault in self.faults if fault.kind != "missing")

    @property
    def missing(self) -> tuple[Fault, ...]:
        return tuple(fault for fault in self.faults if fault.kind == "missing")

    @property
    def coverage(self) -> tuple[Coverage, ...]:
        return tuple(Coverage(name, int(np.isfinite(v).sum()), len(v)) for name, v in self.metrics.items())

    @property
    def ok(self) -> bool:
        """Complete and without a fault."""
        return not self.faults

    def as_dict(self) -> dict[str, Any]:
        return {
            "ok": self.ok,
            "rows": self.rows,
            "metrics": [{"metric": c.metric, "n": c.n, "of": c.of, "complete": c.complete} for c in self.coverage],
            "faults": [fault.as_dict() for fault in self.faults],
            "sources": [source._asdict() for source in self.sources],
        }


def read_submission(path: Path_, benchmark: Benchmark, *, name: str | None = None, key: str = "score") -> Submission:
    """Reads one metric's scores (`key` of each record) along the rows of a benchmark, noting every fault.

    The metric is called `name`, or else as the file is without its ending.

    >>> import json, tempfile
    >>> from aver.frank import load_example
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = f"{folder}/mine.v2.json"
    ...     with open(path, "w") as file:
    ...         json.dump([{"hash": "doc00", "model_name": "copy", "score": 0.5}], file)
    ...     read = read_submission(path, load_example())
    >>> read.coverage[0].metric, read.coverage[0].n, read.coverage[0].of, len(read.missing)
    ('mine.v2', 1, 120, 119)
    """
    rows, source = read_rows(path)
    label = name or plain_name(source.name)
    return lay_out(rows, benchmark, {key: label}, os.fspath(path), (source,))


def read_info(path: Path_, benchmark: Benchmark) -> Submission:
    """Reads the metrics an info file describes; its paths are looked for beside it, then in the current folder."""
    entries = _lenient(read_bytes(path), os.fspath(path))
    problems = Problems()
    files: list[tuple[Path, dict[str, str]]] = []
    for number, entry in enumerate(entries if isinstance(entries, list) else [entries], 1):
        place = f"{path} item {number}"
        if not isinstance(entry, dict) or not isinstance(entry.get("path"), str):
            problems.add(place, "has no 'path'")
            continue
        scores = entry.get("scores")
        keys: dict[str, str] = {}
        for score in scores if isinstance(scores, list) else []:
            if not isinstance(score, dict) or not isinstance(score.get("key"), str):
                problems.add(place, f"{brief(score)} has no 'key' that names the field of the score")
            elif score["key"] in keys:
                problems.add(place, f"the key {score['key']!r} stands there twice")
            else:
                keys[score["key"]] = str(score.get("name", score["key"]))
        if not isinstance(scores, list) or not scores:
            problems.add(place, 'has no \'scores\' like [{"name": "My metric", "key": "score"}]')
        beside = Path(path).parent / entry["path"]
        files.append((beside if beside.exists() else Path(entry["path"]), keys))
    names = [label for _, keys in files for label in keys.values()]
    for label in sorted({label for label in names if names.count(label) > 1}):
        problems.add(os.fspath(path), f"two metrics are named {label!r}")
    problems.raise_if_any("the info file does not say which scores to read")
    parts = []
    for file, keys in files:
        rows, source = read_rows(file)
        parts.append(lay_out(rows, benchmark, keys, os.fspath(file), (source,)))
    return Submission(
        metrics={name: values for part in parts for name, values in part.metrics.items()},
        faults=tuple(fault for part in parts for fault in part.faults),
        sources=tuple(source for part in parts for source in part.sources),
        rows=sum(part.rows for part in parts),
    )


def check(
    benchmark: Benchmark, path: Path_, *, info: bool = False, name: str | None = None, key: str = "score"
) -> Submission:
    """Checks a submission against a benchmark; see `Submission.faults`, `.coverage` and `.ok`."""
    return read_info(path, benchmark) if info else read_submission(path, benchmark, name=name, key=key)


def submit(benchmark: Benchmark, submissions: Iterable[Submission]) -> Benchmark:
    """The benchmark with the submitted metrics beside its own.

    A metric that covers a part is taken on its part; any other fault is an InputError naming all of them.

    >>> from aver.frank import correlate, load_example
    >>> bench = load_example()
    >>> docs = sorted(set(bench.doc))
    >>> rows = [(f"item {i}", {"hash": doc, "model_name": "copy", "score": i}) for i, doc in enumerate(docs)]
    >>> both = submit(bench, [lay_out(rows, bench, {"score": "Mine"}, "mine.json", ())])
    >>> [(row.metric, row.n) for row in correlate(both, methods=["pearson"], resamples=0)]
    [('Careful', 120), ('Overlap', 120), ('Partial', 75), ('Mine', 30)]
    """
    for submission in submissions:
        if submission.errors:
            count = len(submission.errors)
            like = f"; {benchmark.name}'s rows are named like hash {benchmark.doc[0]}, system {benchmark.system[0]}"
            alien = count > 1 and all(fault.kind == "unknown" for fault in submission.errors)
            raise InputError(
                f"the submission cannot be evaluated ({count_of(count, 'fault')}); "
                f"`aver frank check` lists them all{like if alien else ''}",
                [str(fault) for fault in submission.errors],
            )
        for part in submission.coverage:
            if part.n == 0:
                raise InputError(f"metric {part.metric!r} has no score for any row of the benchmark ({part.of:,})")
        benchmark = benchmark.with_metrics(submission.metrics, sources=submission.sources)
    return benchmark


def read_rows(path: Path_) -> tuple[list[tuple[str, Any]], Source]:
    """The records of a JSON list or JSON-lines file with their places, and the file's hash.

    Python's json module writes NaN and Infinity, which are no JSON; they are let in here, so that the check can
    name the row they stand in.
    """
    data = read_bytes(path)
    return parse_rows(data, path), source_of(data, path)


def source_of(data: bytes, path: Path_) -> Source:
    """What a file was called and what it held, for the record."""
    name = "standard input" if os.fspath(path) == "-" else Path(path).name
    return Source(name, hashlib.sha256(data).hexdigest())


def plain_name(file: str) -> str:
    """A file's name without its ending."""
    return file.removesuffix(".gz").removesuffix(".jsonl").removesuffix(".json")


def parse_rows(data: bytes, path: Path_) -> list[tuple[str, Any]]:
    """The same of bytes already read; `path` is for the places."""
    if not data.strip():
        raise InputError(f"{path}: the file is empty")
    if data.lstrip()[:1] == b"[":
        try:
            rows = orjson.loads(data)
        except orjson.JSONDecodeError:
            rows = _lenient(data, os.fspath(path))
        return [(f"{path} item {i}", row) for i, row in enumerate(rows, 1)]
    return list(_lines(data, os.fspath(path)))


def _lines(data: bytes, path: str) -> Iterator[tuple[str, Any]]:
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.strip():
            try:
                yield f"{path} line {number}", orjson.loads(line)
            except orjson.JSONDecodeError:
                if number == 1 and _is_object(data):
                    raise InputError(
                        f"{path}: expected a JSON list of records, or one record a line; this is one JSON object"
                    ) from None
                yield f"{path} line {number}", _lenient(line, f"{path} line {number}")


def _is_object(data: bytes) -> bool:
    try:
        return isinstance(orjson.loads(data), dict)
    except orjson.JSONDecodeError:
        return False


def _lenient(data: bytes, place: str) -> Any:
    try:
        return json.loads(data)
    except UnicodeDecodeError as error:
        raise InputError(f"{place}: not UTF-8 at byte {bad_byte(data, error)}; save the file as UTF-8") from None
    except json.JSONDecodeError as error:
        where = f" (line {error.lineno})" if error.lineno > 1 else ""
        raise InputError(f"{place}{where}: broken JSON at column {error.colno}: {error.msg}") from None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, lists in lists in lists
        raise InputError(f"{place}: this JSON cannot be read: {error}") from None


def lay_out(
    rows: list[tuple[str, Any]], benchmark: Benchmark, keys: Mapping[str, str], path: str, sources: tuple[Source, ...]
) -> Submission:
    """Puts the fields `keys` (field -> the metric's name) of the records along the benchmark's rows."""
    index = {pair: i for i, pair in enumerate(zip(benchmark.doc, benchmark.system, strict=True))}
    docs = set(benchmark.doc)
    scores = {label: np.full(len(benchmark), np.nan) for label in keys.values()}
    faults: list[Fault] = []
    first: dict[Key, str] = {}
    for place, row in rows:
        if not isinstance(row, dict):
            faults.append(Fault("unreadable", None, None, None, f"{place}: expected a JSON object"))
            continue
        doc, system = row.get("hash", row.get("doc")), row.get("model_name", row.get("system"))
        if doc is None or system is None:
            lacks = " and ".join(n for n, v in (("hash", doc), ("model_name", system)) if v is None)
            faults.append(Fault("unreadable", None, None, None, f"{place}: has no {lacks}"))
            continue
        pair = (str(doc), str(system))
        if pair in first:
            faults.append(Fault("duplicate", *pair, None, f"{place}: this row stood already at {first[pair]}"))
            continue
        first[pair] = place
        if pair not in index:
            known = "no such system for this hash" if pair[0] in docs else "no such hash"
            faults.append(Fault("unknown", *pair, None, f"{place}: the benchmark has {known}"))
            continue
        i = index[pair]
        for key, label in keys.items():
            value = row.get(key)
            if value is None:
                continue
            if is_score(value):
                scores[label][i] = value
            else:
                faults.append(Fault("not a number", *pair, label, f"{place}: {key!r} is {brief(value)}, not a number"))
    if rows and not any(key in row for key in keys for _, row in rows[:100] if isinstance(row, dict)):
        fields = ", ".join(sorted({str(f) for _, row in rows[:100] if isinstance(row, dict) for f in row}))
        raise InputError(f"{path}: no record has {' or '.join(map(repr, keys))}; their fields: {fields or 'none'}")
    wrong = {(fault.hash, fault.system, fault.metric) for fault in faults if fault.kind == "not a number"}
    for label, values in scores.items():
        for absent in np.flatnonzero(np.isnan(values)):
            pair = (benchmark.doc[absent], benchmark.system[absent])
            if (*pair, label) not in wrong:
                what = "no such row" if pair not in first else "its score is null"
                faults.append(Fault("missing", *pair, label, f"{label}: {what} in {path}"))
    return Submission(scores, tuple(faults), sources, len(rows))
