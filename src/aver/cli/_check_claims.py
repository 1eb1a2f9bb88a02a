"""A file of claims: verdicts stream out as FEVER predictions, and a stopped run goes on where it stopped."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click
import orjson

from aver.cli._output import progress
from aver.errors import AverError, InputError, Problems, count_of
from aver.labels import Label
from aver.records import Record, iter_records

if TYPE_CHECKING:
    from aver.verify import Settings

__all__ = ["check_claims"]


def check_claims(
    path: str, collection: str | None, evidence: str | None, name: str, model: str, ranker: str | None,
    settings: Settings, output: str | None,
) -> bool:  # fmt: skip
    """Checks claim after claim; says whether all are supported. Counts and rate go to standard error."""
    from aver.collection import Collection
    from aver.models import load_judge
    from aver.verify import check, prediction

    if output is not None and path != "-" and Path(output).resolve() == Path(path).resolve():
        raise InputError(f"{output}: is the input; name another file with --output")
    judge = load_judge(model)
    first = None if ranker is None else load_judge(ranker)
    # nobody reads marked words in a file of predictions, and they cost a third of the time
    settings = _plain(settings)
    total = None if path == "-" else _examined(path)
    tally = _Tally()
    with contextlib.ExitStack() as stack:
        opened = stack.enter_context(Collection(collection)) if collection is not None else None
        records = iter_records(path)
        done = _go_on(Path(output), records, judge.model) if output is not None else 0
        file = stack.enter_context(_sink(output))
        advance = stack.enter_context(progress("checking", total))
        advance(done)
        for record in records:
            row: dict[str, Any] = {"id": record.fields["id"]} if "id" in record.fields else {}
            try:
                verdict = check(
                    _claim(record), collection=opened, evidence=evidence, model=judge, ranker=first,
                    settings=settings, name=name,
                )  # fmt: skip
                row |= prediction(verdict)
            except InputError as error:
                # a claim that cannot be taken is told of in its place; the other lines are not its hostages
                row |= _failure(record, str(error), judge.model)
            tally.add(row, record.fields.get("label"))
            file.write(orjson.dumps(row) + b"\n")
            file.flush()
            advance(1)
    click.echo(tally.summary(done), err=True)
    return set(tally.labels) == {"SUPPORTS"} and not tally.statuses["error"]


def _plain(settings: Settings) -> Settings:
    import dataclasses

    return dataclasses.replace(settings, rationale=False)


def _claim(record: Record) -> str:
    claim = record.fields.get("claim")
    if not isinstance(claim, str):
        raise InputError(f"{record.place}: has no 'claim'")
    return claim


def _failure(record: Record, reason: str, model: str) -> dict[str, Any]:
    return {
        "claim": record.fields.get("claim"), "predicted_label": Label.NOT_ENOUGH_INFO.fever, "predicted_evidence": [],
        "label": None, "confidence": 0.0, "status": "error", "model": model, "notes": [reason],
    }  # fmt: skip


def _examined(path: str) -> int:
    """Reads the file once before anything is checked: a broken line is told of now, not in an hour."""
    problems = Problems()
    count = 0
    for record in iter_records(path, problems=problems):
        count += 1
        if "claim" not in record.fields:
            problems.add(
                record.place, f"has no 'claim'; its fields are {', '.join(sorted(record.fields)[:8]) or 'none'}"
            )
    problems.raise_if_any("these claims cannot be checked")
    if count == 0:
        raise InputError(f"{path}: holds no claims")
    return count


@contextlib.contextmanager
def _sink(output: str | None) -> Iterator[IO[bytes]]:
    if output is None:
        yield sys.stdout.buffer
        return
    try:
        file = Path(output).open("ab")  # noqa: SIM115
    except OSError as error:
        raise InputError(f"{output}: cannot be written: {error.strerror}") from error
    with file:
        yield file


def _go_on(path: Path, records: Iterator[Record], model: str) -> int:
    """Cuts a torn last line off and passes over the claims that are done, checking that they are the same ones."""
    if not path.exists():
        return 0
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        os.truncate(path, whole)
    done = 0
    for row in iter_records(path):
        record = next(records, None)
        if record is None or row.fields.get("claim") != record.fields.get("claim"):
            raise InputError(
                f"{row.place}: comes from another file of claims; name another --output or remove this one"
            )
        if row.fields.get("model") != model:
            raise InputError(
                f"{row.place}: was checked by {row.fields.get('model')}, not {model}; name another --output"
            )
        done += 1
    return done


class _Tally:
    """Counts for the last lines."""

    def __init__(self) -> None:
        self.start = time.perf_counter()
        self.labels: Counter[str] = Counter()
        self.statuses: Counter[str] = Counter()
        self.right = self.gold = 0

    def add(self, row: dict[str, Any], gold: object) -> None:
        self.statuses[row["status"]] += 1
        self.labels[row["label"] or "none"] += 1
        with contextlib.suppress(AverError):
            if gold is not None:
                self.right += Label.parse(gold) in (row["label"], Label.parse(row["predicted_label"]))
                self.gold += 1

    def summary(self, done: int) -> str:
        count = sum(self.statuses.values())
        seconds = max(time.perf_counter() - self.start, 1e-9)
        before = f", {count_of(done, 'was', 'were')} there already" if done else ""
        lines = [f"{count_of(count, 'claim')} in {seconds:.1f} s ({count / seconds:.1f}/s){before}"]
        if count:
            lines.append("status: " + ", ".join(f"{k} {v:,}" for k, v in sorted(self.statuses.items())))
            lines.append("label: " + ", ".join(f"{k} {v:,}" for k, v in sorted(self.labels.items())))
        if self.gold:
            lines.append(f"accuracy: {self.right / self.gold:.4f} ({self.right:,} of {self.gold:,})")
        return "\n".join(lines)
