"""A file of claims: verdicts stream out as FEVER predictions, and a stopped run goes on where it stopped."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from aver.cli._judge_pairs import is_verdict, no_gold
from aver.cli._output import progress
from aver.cli._resume import (
    changed,
    cut_torn_line,
    open_to_append,
    refuse_input,
    refuse_table,
    resumed_from,
    table_refused,
)
from aver.errors import AverError, InputError, Problems, count_of, kind_of
from aver.labels import Label
from aver.lossless import as_line
from aver.records import is_table_head, iter_lines, iter_records, parse_lines, place_name

if TYPE_CHECKING:
    from aver.collection import Collection
    from aver.models import Judge
    from aver.verify import Settings

__all__ = ["check_claims"]

_WANTED = '{"claim": "…"}'


def check_claims(
    path: str, collection: str | None, evidence: str | None, name: str, model: str | Judge,
    ranker: str | Judge | None, settings: Settings, output: str | None,
) -> bool:  # fmt: skip
    """Checks claim after claim; says whether all are supported. Counts and rate go to standard error."""
    from aver.collection import Collection
    from aver.models import load_judge
    from aver.verify import check, prediction

    refuse_input(output, path)
    refuse_table(path, _WANTED)
    judge = load_judge(model)
    first = None if ranker is None else load_judge(ranker)
    # nobody reads marked words in a file of predictions, and they cost a third of the time
    settings = _plain(settings)
    total = None if _comes_once(path) else _examined(path)
    tally = _Tally()
    with contextlib.ExitStack() as stack:
        opened = stack.enter_context(Collection(collection)) if collection is not None else None
        run = _run(opened, evidence, settings, "" if first is None else first.model)
        rows = _rows(path)
        if (there := resumed_from(output)) is not None:
            _go_on(there, rows, judge.model, run, tally)
        file = stack.enter_context(open_to_append("-" if output is None else output))
        assert file is not None
        advance = stack.enter_context(progress("checking", total))
        advance(tally.resumed)
        for row in rows:
            told: dict[str, Any] = {"id": row.fields["id"]} if "id" in row.fields else {}
            try:
                verdict = check(
                    _claim(row), collection=opened, evidence=evidence, model=judge, ranker=first,
                    settings=settings, name=name,
                )  # fmt: skip
                told |= prediction(verdict)
            except InputError as error:
                # a claim that cannot be taken is told of in its place; the other lines are not its hostages
                told |= _failure(row, str(error), judge.model)
            told["run"] = run
            tally.add(told, row)
            file.write(as_line(told))
            advance(1)
    click.echo(tally.summary(), err=True)
    if not tally.taken:
        raise InputError(f"{place_name(path)}: {'no line holds a claim' if tally.statuses else 'holds no claims'}")
    if failed := tally.statuses["error"]:
        why = "the note in its row says why" if failed == 1 else "the notes in their rows say why"
        raise InputError(f"{count_of(failed, 'line')} could not be checked: {why}")
    return tally.vouched


class _Row(NamedTuple):
    """A line of the file; `fault` says why it holds no claim, where it holds none."""

    place: str
    fields: dict[str, Any]
    fault: str


def _rows(path: str) -> Iterator[_Row]:
    """Every line that is not blank, those that cannot be read among them."""
    name = place_name(path)
    for number, line in enumerate(iter_lines(path), 1):
        place = f"{name} line {number}"
        if number == 1 and is_table_head(line):
            raise table_refused(path, _WANTED)  # of a stream, which is not looked into before
        try:
            read = [fields for _, fields in parse_lines([line], name, first=number, whole=True)]
        except InputError as error:
            yield _Row(place, {}, error.problems[0].removeprefix(f"{place}: "))
            continue
        for fields in read:
            fault = ""
            if "claim" not in fields:
                fault = f"has no 'claim'; its fields are {', '.join(sorted(fields)[:8]) or 'none'}"
            elif not isinstance(fields["claim"], str):
                fault = f"'claim' is {kind_of(fields['claim'])}; it must be text"
            elif not any(c.isalnum() for c in fields["claim"]):
                fault = "the claim has no words" if fields["claim"].strip() else "the claim is empty"
            yield _Row(place, fields, fault)


def _run(collection: Collection | None, evidence: str | None, settings: Settings, ranker: str) -> str:
    """What has to be the same for a stopped run to go on, beside the model: where it looks and when that was changed
    last, its settings, its ranker where one was named."""
    where = f"evidence {blake2b((evidence or '').encode(errors='surrogatepass')).hexdigest()}"
    if collection is not None:
        found = collection.info()
        where = f"{collection.folder.resolve()} {found.changed} {found.documents} {found.revisions}"
    digest = blake2b(
        f"{where} {sorted(_plain(settings).as_dict().items())}{ranker}".encode(errors="surrogatepass"), digest_size=6
    )
    return digest.hexdigest()


def _plain(settings: Settings) -> Settings:
    import dataclasses

    return dataclasses.replace(settings, rationale=False)


def _claim(row: _Row) -> str:
    if row.fault:
        raise InputError(row.fault)
    claim: str = row.fields["claim"]
    return claim


def _failure(row: _Row, reason: str, model: str) -> dict[str, Any]:
    return {
        "claim": row.fields.get("claim"), "predicted_label": None, "predicted_evidence": [], "label": None,
        "confidence": 0.0, "status": "error", "model": model, "ranker": None, "quotes": [],
        "notes": [f"{row.place}: {reason}"],
    }  # fmt: skip


def _comes_once(path: str) -> bool:
    """A pipe: what was read of it is gone. (A path that is not there is none, and is complained of at once.)"""
    return path == "-" or (Path(path).exists() and not Path(path).is_file() and not Path(path).is_dir())


def _examined(path: str) -> int:
    """Reads the file once before anything is checked: that it is the wrong one is told now, not in an hour."""
    problems = Problems()
    count = taken = 0
    for row in _rows(path):
        count += 1
        taken += not row.fault
        if row.fault:
            problems.add(row.place, row.fault)
    if not taken:
        problems.raise_if_any("no line of this file holds a claim")
        raise InputError(f"{path}: holds no claims")
    return count


def _go_on(path: Path, rows: Iterator[_Row], model: str, run: str, tally: _Tally) -> None:
    """Cuts a torn last line off and passes over the claims that are done, checking that they are the same ones."""
    cut_torn_line(path)
    for done in iter_records(path, whole=True):
        if not {"status", "label", "predicted_label"} <= done.fields.keys():
            raise InputError(f"{done.place}: is no line of aver check; name another --output")
        row = next(rows, None)
        if row is None:
            raise _another(done.place)
        same = done.fields.get("claim") == row.fields.get("claim")
        kept = {"id": row.fields.get("id")}
        difference = changed({"id": done.fields.get("id")}, kept, row.place, ours=())
        if (difference or not same) and done.fields["status"] == "error":
            raise InputError(
                f"{row.place}: was answered as an error ({done.place}) and has changed since; "
                "to have it checked, remove that output or name another --output"
            )
        if not same:
            raise _another(done.place)
        if difference:
            raise InputError(f"{done.place}: {difference}; name another --output or remove this one")
        if done.fields.get("model") != model:
            raise InputError(
                f"{done.place}: was checked by {done.fields.get('model')}, not {model}; name another --output"
            )
        if done.fields.get("run", run) != run:
            raise InputError(
                f"{done.place}: was checked in another collection, in this one before it was changed, or with other "
                "settings or another ranker; name another --output"
            )
        tally.add(done.fields, row)
        tally.resumed += 1


def _another(place: str) -> InputError:
    return InputError(f"{place}: comes from another file of claims; name another --output or remove this one")


class _Tally:
    """Counts for the last lines, over what was done now and what was there already."""

    def __init__(self) -> None:
        self.start = time.perf_counter()
        self.labels: Counter[str] = Counter()
        self.statuses: Counter[str] = Counter()
        self.right = self.gold = self.resumed = self.taken = self.verdicts = 0
        self.unknown: list[str] = []
        self.vouched = True
        """All are supported, and none quotes otherwise than the text has it."""

    def add(self, told: dict[str, Any], row: _Row) -> None:
        altered = any(quote.get("outcome") == "altered" for quote in told.get("quotes", ()))
        self.vouched &= told["label"] == "SUPPORTS" and told["status"] == "scored" and not altered
        self.statuses[told["status"]] += 1
        self.labels[told["label"] or "none"] += 1
        self.taken += not row.fault
        # what aver wrote before is no gold label, and what it kept of one is
        verdict = is_verdict(row.fields)
        gold = row.fields.get("gold_label" if verdict else "label")
        if gold is None:
            self.verdicts += verdict and row.fields.get("label") is not None
            return
        try:
            wanted = Label.parse(gold)
            # what could not be judged is never right, also where an earlier aver wrote NOT ENOUGH INFO in its place
            if told["label"] is not None:
                self.right += wanted in (told["label"], Label.parse(told["predicted_label"]))
            self.gold += 1
        except AverError:
            self.unknown.append(f"{row.place}: {gold!r}")

    def summary(self) -> str:
        fresh = sum(self.statuses.values()) - self.resumed
        seconds = max(time.perf_counter() - self.start, 1e-9)
        before = f", {count_of(self.resumed, 'was', 'were')} there already" if self.resumed else ""
        lines = [f"{count_of(fresh, 'claim')} in {seconds:.1f} s ({fresh / seconds:.1f}/s){before}"]
        if self.statuses:
            lines.append("status: " + ", ".join(f"{k} {v:,}" for k, v in sorted(self.statuses.items())))
            lines.append("label: " + ", ".join(f"{k} {v:,}" for k, v in sorted(self.labels.items())))
        if self.verdicts:
            lines.append(no_gold(self.verdicts))
        if self.gold:
            lines.append(f"accuracy: {self.right / self.gold:.4f} ({self.right:,} of {self.gold:,})")
        if self.unknown:
            more = f" and {len(self.unknown) - 3:,} more" if len(self.unknown) > 3 else ""
            lines.append(f"gold labels that are none, left out: {'; '.join(self.unknown[:3])}{more}")
        return "\n".join(lines)
