"""What `aver judge` says beside its lines: which pairs could not be judged, and the counts at the end."""

from __future__ import annotations

import collections
import time
from typing import Any

import click

from aver.cli._judge_pairs import is_verdict, no_gold
from aver.errors import AverError, count_of
from aver.labels import Label
from aver.models import Usage
from aver.records import Record

__all__ = ["Tally", "spent"]


class Tally:
    """Counts over what was judged now and what was there already."""

    def __init__(self) -> None:
        self.start = time.perf_counter()
        self.resumed = 0
        self.statuses: collections.Counter[str] = collections.Counter()
        self.labels: collections.Counter[str] = collections.Counter()
        self.right = self.gold = self.verdicts = 0

    def add(self, line: dict[str, Any], row: Record) -> None:
        """Counts the line of a row; one that has no verdict, or a gold label nobody knows, is named."""
        place = row.place if row.fields.get("id") is None else f"{row.place} (id {row.fields['id']})"
        self.statuses[line["status"]] += 1
        if line["label"] is None:
            click.echo(f"{place}: {line['status']}: {line.get('reason', 'not judged')}", err=True)
        else:
            self.labels[line["label"]] += 1
        gold = line.get("gold_label")
        if gold is None:
            self.verdicts += row.fields.get("label") is not None and is_verdict(row.fields)
            return
        try:
            meant = Label.parse(gold)
        except AverError:
            click.echo(f"{place}: the gold label {gold!r} is not known to aver, and not counted", err=True)
            return
        # a pair that was not judged is not right: leaving it out would flatter
        self.gold += 1
        self.right += line["label"] == meant

    def summary(self, usage: Usage | None, *, priced: bool) -> str:
        done = self.statuses.total()
        seconds = max(time.perf_counter() - self.start, 1e-9)
        fresh = done - self.resumed
        lines = [f"{count_of(fresh, 'pair')} in {seconds:.1f} s ({fresh / seconds:.1f}/s)"]
        if self.resumed:
            lines[0] += f", {count_of(self.resumed, 'was', 'were')} there already"
        if done:
            lines.append("status: " + ", ".join(f"{name} {n:,}" for name, n in sorted(self.statuses.items())))
        if self.labels:
            lines.append("label: " + ", ".join(f"{name} {n:,}" for name, n in sorted(self.labels.items())))
        if self.verdicts:
            lines.append(no_gold(self.verdicts))
        if self.gold:
            lines.append(f"accuracy: {self.right / self.gold:.4f} ({self.right:,} of {self.gold:,})")
        if usage is not None:
            lines.append(spent(usage, priced))
        return "\n".join(lines)


def spent(usage: Usage, priced: bool) -> str:
    untold = f" ({count_of(usage.unmetered, 'answer')} did not say)" if usage.unmetered else ""
    cost = f", cost {'unknown' if usage.cost is None else f'{usage.cost:.4f}'}" if priced else ""
    return (
        f"requests: {usage.requests:,} ({usage.retries:,} repeated), tokens: {usage.prompt_tokens:,} in, "
        f"{usage.completion_tokens:,} out{untold}, refusals: {usage.refusals:,}, no label: {usage.unclear:,}{cost}"
    )
