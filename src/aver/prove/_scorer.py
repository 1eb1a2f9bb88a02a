"""Asking the metric: each pair once, in batches, kept on disk where wanted, with errors that name the row."""

from __future__ import annotations

import hashlib
import math
import numbers
import os
import re
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from aver.errors import AverError, InputError, count_of
from aver.prove._subject import Raw, Subject
from aver.records import iter_records

__all__ = ["Floats", "Progress", "Scorer", "checked"]

Floats = NDArray[np.float64]
Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is."""

SMALLEST, LARGEST = 8, 512
"""Rows a call: few where they take long, so that progress is shown and a stop loses little."""


class Scorer:
    """Scores pairs with a subject; a pair that was scored before is not asked for again.

    >>> from aver.prove._subject import open_subject
    >>> scorer = Scorer(open_subject(lambda texts, sources: [len(t) / 100 for t in texts], name="length"))
    >>> scorer(["abc", "abc", ""], ["x", "x", "y"], ["row 1", "row 2", "row 3"])
    array([0.03, 0.03, 0.  ])
    >>> scorer.asked
    2
    """

    def __init__(
        self, subject: Subject, *, work: str | os.PathLike[str] | None = None, progress: Progress | None = None
    ) -> None:
        self.subject = subject
        self.progress = progress
        self.asked = 0
        """Pairs the metric was really asked for."""
        self.seconds = 0.0
        self._known: dict[bytes, float] = {}
        self._file: Path | None = None
        if work is not None and subject.identity:
            self._file = _work_file(Path(work), subject)
            self._resume()

    def __call__(
        self, texts: Sequence[str], sources: Sequence[str], places: Sequence[str], *, what: str = "scoring"
    ) -> Floats:
        """One score a row, NaN where the metric has none for it; `places` name the rows in errors."""
        if self.subject.raw is None:
            raise InputError(f"{self.subject.name} is a file of scores; it cannot be asked for others")
        keys = [_key(text, source) for text, source in zip(texts, sources, strict=True)]
        new = {key: i for i, key in reversed(list(enumerate(keys))) if key not in self._known}
        # long and short rows in one batch waste what the metric pads: alike lengths go together
        waiting = sorted(new.values(), key=lambda i: (len(sources[i]), len(texts[i]), i))
        size, at = SMALLEST * 4, 0
        total = len(waiting)
        while at < total:
            chunk = waiting[at : at + size]
            start = time.perf_counter()
            scores = checked(self.subject.raw, [texts[i] for i in chunk], [sources[i] for i in chunk],
                             [places[i] for i in chunk], name=self.subject.name)  # fmt: skip
            seconds = time.perf_counter() - start
            self.asked += len(chunk)
            self.seconds += seconds
            self._keep([keys[i] for i in chunk], scores)
            at += len(chunk)
            if self.progress is not None:
                self.progress(what, at, total)
            size = min(size * 2, LARGEST) if seconds < 0.5 else max(size // 2, SMALLEST) if seconds > 2 else size
        return np.array([self._known[key] for key in keys], dtype=np.float64)

    def _keep(self, keys: Sequence[bytes], scores: Sequence[float]) -> None:
        self._known.update(zip(keys, scores, strict=True))
        if self._file is None:
            return
        lines = b"".join(
            orjson.dumps({"key": key.hex(), "score": None if math.isnan(score) else score}) + b"\n"
            for key, score in zip(keys, scores, strict=True)
        )
        try:
            with self._file.open("ab") as file:
                file.write(lines)
        except OSError as error:
            raise InputError(f"{self._file}: cannot be written: {error.strerror}") from error

    def _resume(self) -> None:
        if self._file is None or not self._file.exists():
            return
        with self._file.open("r+b") as file:  # a stop may have torn the last line
            data = file.read()
            file.truncate(data.rfind(b"\n") + 1)
        for record in iter_records(self._file):
            try:
                score = record.fields["score"]
                self._known[bytes.fromhex(record.fields["key"])] = math.nan if score is None else float(score)
            except (KeyError, TypeError, ValueError) as error:
                raise InputError(
                    f"{record.place}: not a score that `aver prove --work` kept; name another folder"
                ) from error


def checked(raw: Raw, texts: list[str], sources: list[str], places: Sequence[str], *, name: str) -> list[float]:
    """The metric's answer as floats (NaN for None), or an InputError that names the row it fails on.

    >>> checked(lambda t, s: [0.5, float("nan")], ["a", "b"], ["c", "d"], ["row 1", "row 2"], name="mine")
    Traceback (most recent call last):
    aver.errors.InputError: row 2: mine returned nan; a score is a finite number, or None where there is \
nothing to score
    >>> checked(lambda t, s: [0.5], ["a", "b"], ["c", "d"], ["row 1", "row 2"], name="mine")
    Traceback (most recent call last):
    aver.errors.InputError: mine returned 1 score for 2 rows (row 1 to row 2); return one for each row, in their order
    """
    try:
        found = raw(texts, sources)
    except AverError as error:
        raise InputError(f"{_culprit(raw, texts, sources, places)}: {name}: {error}") from error
    except Exception as error:
        where = _culprit(raw, texts, sources, places)
        raise InputError(f"{where}: {name} raised {type(error).__name__}: {_short(str(error))}") from error
    if isinstance(found, (str, bytes, dict)) or not hasattr(found, "__len__") or not hasattr(found, "__iter__"):
        raise InputError(
            f"{name} returned {_short(repr(found))} for {count_of(len(texts), 'row')} ({_range(places)}); "
            "expected a list of scores, one for each row (a function of one text and one source: --call pair)"
        )
    if len(found) != len(texts):
        raise InputError(
            f"{name} returned {count_of(len(found), 'score')} for {count_of(len(texts), 'row')} "
            f"({_range(places)}); return one for each row, in their order"
        )
    return [_number(value, place, name) for value, place in zip(found, places, strict=True)]


def _number(value: Any, place: str, name: str) -> float:
    if value is None:
        return math.nan
    if isinstance(value, (numbers.Real, np.bool_)):
        number = float(value)
    elif getattr(value, "shape", None) in ((), (1,)) and hasattr(value, "item"):
        number = float(value.item())  # a tensor of one number
    else:
        raise InputError(f"{place}: {name} returned {_short(repr(value))}; a score is a number")
    if not math.isfinite(number):
        raise InputError(
            f"{place}: {name} returned {number}; a score is a finite number, or None where there is nothing to score"
        )
    return number


def _culprit(raw: Raw, texts: list[str], sources: list[str], places: Sequence[str]) -> str:
    """The first row that fails alone too, found by asking row by row; the whole batch where none does."""
    for text, source, place in zip(texts, sources, places, strict=True):
        try:
            raw([text], [source])
        except Exception:
            return place
    return _range(places)


def _range(places: Sequence[str]) -> str:
    return places[0] if len(places) == 1 else f"{places[0]} to {places[-1]}"


def _key(text: str, source: str) -> bytes:
    # the length keeps ("a", "bc") and ("ab", "c") apart, whatever the texts hold
    data = text.encode(errors="surrogatepass")
    return hashlib.sha256(b"%d " % len(data) + data + source.encode(errors="surrogatepass")).digest()[:16]


def _work_file(folder: Path, subject: Subject) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder}: cannot be made a folder to work in: {error.strerror}") from error
    slug = re.sub(r"[^A-Za-z0-9._-]+", "-", subject.name).strip("-.")[:60] or "metric"
    return folder / f"{slug}-{hashlib.sha256(subject.identity.encode()).hexdigest()[:12]}.jsonl"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 200 else text[:197] + "…"
