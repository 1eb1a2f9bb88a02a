"""`aver judge`: claim and evidence pairs in, labels and probabilities out, as a stream."""

from __future__ import annotations

import collections
import itertools
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click
import orjson

from aver.cli._output import json_option, progress
from aver.cli._resume import count_lines, cut_torn_line, name_every_fault, open_to_append
from aver.errors import AverError, InputError, count_of
from aver.labels import Label
from aver.records import Record, iter_records
from aver.results import Judgement

__all__ = ["command"]

SMALLEST, LARGEST = 16, 1024


@click.command("judge")
@click.argument("pairs", metavar="PAIRS.jsonl")
@click.option("--model", default="default", show_default=True, help="A name, a folder, hf:ID, t5:ID or llm:MODEL.")
@click.option("--threads", type=click.IntRange(1), help="How many compute at once.  [default: AVER_THREADS, else all]")
@click.option("--output", type=click.Path(dir_okay=False), help="Append JSON lines to this file; run again to go on.")
@click.option("--labels", help="What an hf: model's labels mean, in its order: SUPPORTS,NEI,REFUTES.")
@click.option("--base-url", help="The endpoint of llm: models; its key is in AVER_LLM_KEY.  [default: AVER_LLM_URL]")
@click.option("--prices", type=float, nargs=2, metavar="IN OUT", help="What a million llm: tokens cost, in and out.")
@click.option("--timeout", type=float, default=60.0, show_default=True, help="Seconds to wait for an llm: answer.")
@click.option("--batch-tokens", type=click.IntRange(1), default=1024, help="Tokens computed at once in each thread.")
@json_option
def command(
    pairs: str, model: str, threads: int | None, output: str | None, labels: str | None, base_url: str | None,
    prices: tuple[float, float] | None, timeout: float, batch_tokens: int, as_json: bool,
) -> None:  # fmt: skip
    """What each evidence says about its claim, for a file of pairs.

    PAIRS.jsonl has one JSON object a line with `claim` and `evidence` (a text, or a list of texts that are joined);
    - reads standard input. Each output line keeps the fields of its input and adds label, probabilities, coverage,
    status, model, relevance, windows and conflict. Where the input has a label, it is kept as gold_label, and the
    accuracy is printed at the end.

    With --output the work can be stopped at any time: the same command goes on behind the last whole line. Where lines
    are no JSON objects, the pairs before the first of them are judged, all of them are named (of standard input the
    first), and the exit code is 2.
    """
    from aver.models import load_judge

    options: dict[str, Any] = {}
    if model.startswith("llm:"):
        options = {"base_url": base_url, "timeout": timeout, "prices": prices}
    if labels is not None:
        options["labels"] = [label.strip() for label in labels.split(",")]
    if output is not None and pairs != "-" and Path(output).resolve() == Path(pairs).resolve():
        raise InputError(f"{output}: is the input; name another file with --output")
    judge = load_judge(model, threads=threads, **options)
    records: Iterator[Record] = iter_records(pairs)
    tally = _Tally()
    if output is not None:
        _go_on(Path(output), records, judge.model, tally)
    with open_to_append(output) as file, progress("judging", count_lines(pairs)) as advance:
        advance(tally.resumed)
        # The first lines should come soon, later ones in chunks of about a second; the answers do not depend on it.
        size = SMALLEST
        while chunk := list(_until_broken(itertools.islice(records, size), tally)):
            start = time.perf_counter()
            rows = [_row(record) for record in chunk]
            found = judge.judge([(row["claim"], row["evidence"]) for row in rows], batch_tokens=batch_tokens)
            for record, judgement in zip(chunk, found, strict=True):
                line = _line(record.fields, judgement)
                tally.add(line)
                if file is not None:
                    file.write(orjson.dumps(line) + b"\n")
                elif as_json:
                    click.echo(orjson.dumps(line).decode())
                else:
                    click.echo(_readable(line))
            if file is not None:
                file.flush()
            advance(len(chunk))
            seconds = time.perf_counter() - start
            size = min(size * 2, LARGEST) if seconds < 0.5 else max(size // 2, SMALLEST) if seconds > 2 else size
            if tally.broken is not None:
                break
    click.echo(tally.summary(getattr(judge, "usage", None)), err=True)
    if tally.broken is not None:
        name_every_fault(pairs, "the pairs before its first fault were judged")
        raise tally.broken


class _Tally:
    """Counts for the last line, and the input error that ended the stream, if one did."""

    def __init__(self) -> None:
        self.start = time.perf_counter()
        self.resumed = 0
        self.statuses: collections.Counter[str] = collections.Counter()
        self.labels: collections.Counter[str] = collections.Counter()
        self.right = self.gold = self.unknown_gold = 0
        self.broken: AverError | None = None

    def add(self, line: dict[str, Any]) -> None:
        self.statuses[line["status"]] += 1
        if line["label"] is not None:
            self.labels[line["label"]] += 1
        gold = line.get("gold_label")
        if gold is None:
            return
        try:
            meant = Label.parse(gold)
        except AverError:
            self.unknown_gold += 1
            return
        # a pair that was not judged is not right: leaving it out would flatter
        self.gold += 1
        self.right += line["label"] == meant

    def summary(self, usage: Any) -> str:
        done = sum(self.statuses.values())
        seconds = max(time.perf_counter() - self.start, 1e-9)
        fresh = done - self.resumed
        lines = [f"{count_of(fresh, 'pair')} in {seconds:.1f} s ({fresh / seconds:.1f}/s)"]
        if self.resumed:
            lines[0] += f", {count_of(self.resumed, 'was', 'were')} there already"
        if done:
            lines.append("status: " + ", ".join(f"{name} {n:,}" for name, n in sorted(self.statuses.items())))
        if self.labels:
            lines.append("label: " + ", ".join(f"{name} {n:,}" for name, n in sorted(self.labels.items())))
        if self.gold:
            lines.append(f"accuracy: {self.right / self.gold:.4f} ({self.right:,} of {self.gold:,})")
        if self.unknown_gold:
            unknown = count_of(self.unknown_gold, "gold label is", "gold labels are")
            lines.append(f"{unknown} not known to aver and not counted")
        if usage is not None:
            cost = "" if usage.cost is None else f", cost {usage.cost:.4f}"
            lines.append(
                f"requests: {usage.requests:,} ({usage.retries:,} repeated), tokens: {usage.prompt_tokens:,} in, "
                f"{usage.completion_tokens:,} out, refusals: {usage.refusals:,}{cost}"
            )
        return "\n".join(lines)


def _row(record: Record) -> dict[str, Any]:
    evidence = record.fields.get("evidence")
    if isinstance(evidence, list) and all(isinstance(text, str) for text in evidence):
        evidence = " ".join(evidence)
    return {"claim": record.fields.get("claim"), "evidence": evidence}


def _line(fields: dict[str, Any], judgement: Judgement) -> dict[str, Any]:
    kept = dict(fields)
    if "label" in kept:
        # judging an earlier output again: its gold label stays, its verdict is replaced
        kept.setdefault("gold_label", kept["label"])
    return kept | judgement.as_dict()


def _readable(line: dict[str, Any]) -> str:
    label = line["label"] or line["status"]
    sure = f"{line['probabilities'][label]:.3f}" if line["label"] else "  –  "
    claim = " ".join(str(line.get("claim") or "").split())
    note = f"  [{line['reason']}]" if line.get("reason") else ""
    return f"{label:<16} {sure}  {claim if len(claim) <= 90 else claim[:89] + '…'}{note}"


def _until_broken(records: Iterable[Record], tally: _Tally) -> Iterator[Record]:
    """The records before one that cannot be read: what came before it is judged and written first."""
    try:
        yield from records
    except AverError as error:
        tally.broken = error


def _go_on(path: Path, records: Iterator[Record], model: str, tally: _Tally) -> None:
    """Cuts a torn last line off, and passes over the pairs that are done, checking that they are the same ones."""
    if not path.exists():
        return
    cut_torn_line(path)
    for done in iter_records(path):
        record = next(records, None)
        same = record is not None and all(done.fields.get(f) == record.fields.get(f) for f in ("claim", "evidence"))
        if not same or done.fields.get("model") != model:
            what = "comes from another input" if not same else f"was judged by {done.fields.get('model')}, not {model}"
            raise InputError(f"{done.place}: {what}; name another file with --output, or remove this one")
        if "status" not in done.fields or "label" not in done.fields:
            raise InputError(f"{done.place}: is no line of aver judge; name another file with --output")
        tally.add(done.fields)
        tally.resumed += 1
