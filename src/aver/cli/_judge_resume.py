"""Going on with an output of `aver judge`, and trying its errors again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from aver.cli._judge_pairs import OURS, Pairs, answered, carried, judge_rows
from aver.cli._judge_tally import Tally
from aver.cli._resume import changed
from aver.errors import InputError
from aver.lossless import as_line
from aver.models import Judge
from aver.records import Record, iter_lines, parse_lines, writing

__all__ = ["pass_over", "try_again"]

_CHUNK = 64


def pass_over(path: Path, pairs: Pairs, model: str, tally: Tally, *, retry: bool) -> dict[int, Record]:
    """Passes over the pairs that are done, checking that they are the same ones, with the same fields beside them.

    With `retry`, those that ended as an error are given back, by the number of their line; they may have changed.
    """
    again: dict[int, Record] = {}
    for number, done in _numbered(path):
        place = f"{path} line {number}"
        if not {"status", "label", "model"} <= done.keys():
            raise InputError(f"{place}: is no line of aver judge; name another file with --output")
        record = next(iter(pairs.take(1)), None)
        if pairs.broken is not None:
            raise pairs.broken
        failed = done["status"] == "error"
        same = record is not None and all(done.get(f) == record.fields.get(f) for f in ("claim", "evidence"))
        remedy = "name another file with --output, or remove this one"
        if record is None or not (same or (failed and retry)):
            mended = "; where it was an error that is mended now, add --retry-errors" if failed else ""
            raise InputError(f"{place}: comes from another input; {remedy}{mended}")
        difference = changed(done, carried(record.fields), record.place, ours=OURS)
        if difference and not (failed and retry):
            raise InputError(f"{place}: {difference}; {remedy}")
        if done["model"] != model:
            raise InputError(f"{place}: was judged by {done['model']}, not {model}; {remedy}")
        if failed and retry:
            again[number] = record
        else:
            tally.add(done, record)
            tally.resumed += 1
    return again


def _numbered(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(iter_lines(path), 1):
        for _, fields in parse_lines([line], str(path), first=number, whole=True):
            yield number, fields


def try_again(
    path: Path, again: dict[int, Record], judge: Judge, tally: Tally, advance: Callable[[int], None], batch_tokens: int
) -> None:
    """Judges those lines and puts the answers in their places; all others stay as they are.

    The file is replaced as a whole, also where the judge fails on the way: what was answered before is in it.
    """
    lines: dict[int, bytes] = {}
    numbers = list(again)
    try:
        for start in range(0, len(numbers), _CHUNK):
            chunk = numbers[start : start + _CHUNK]
            found = judge_rows(judge, [again[n] for n in chunk], batch_tokens=batch_tokens)
            for number, judgement in zip(chunk, found, strict=True):
                line = answered(again[number].fields, judgement)
                lines[number] = as_line(line)
                tally.add(line, again[number])
                advance(1)
    finally:
        if lines:
            with writing(path.resolve()) as file:
                for number, old in enumerate(iter_lines(path), 1):
                    file.write(lines.get(number, old))
