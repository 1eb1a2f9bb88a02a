"""The pairs `aver judge` reads, some at a time, and the lines it writes of them."""

from __future__ import annotations

import codecs
import collections
import select
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from aver.errors import AverError, count_of, kind_of
from aver.records import Record, iter_lines, parse_lines, place_name
from aver.results import Judgement

if TYPE_CHECKING:
    from aver.models import Judge

__all__ = ["OURS", "Pairs", "answered", "carried", "is_verdict", "judge_rows", "no_gold"]

# What a judgement may add to a line; in an earlier output all but the last two stand.
OURS = frozenset({
    "label", "probabilities", "coverage", "status", "model", "relevance", "windows", "conflict", "reason", "unsupported"
})  # fmt: skip
_ALWAYS = OURS - {"reason", "unsupported"}
# what stands in every line of aver check --claims
_CHECKED = frozenset({"predicted_label", "predicted_evidence", "label", "confidence", "status", "model"})


class Pairs:
    """The rows of a file; of standard input those that are there, without waiting for more."""

    def __init__(self, path: str) -> None:
        self._name = place_name(path)
        self._lines = _Arriving() if path == "-" else iter_lines(path)
        self._number = 0
        self.broken: AverError | None = None
        """What cannot be read; the rows before it can be taken, and none behind it."""

    def take(self, most: int) -> list[Record]:
        """The next rows; empty where there are no more."""
        found: list[Record] = []
        while len(found) < most and self.broken is None and (not found or self._ready()):
            try:
                line = next(self._lines, None)
                if line is None:
                    break
                self._number += 1
                read = parse_lines([line], self._name, first=self._number, whole=True)
                found += [Record(f"{self._name} line {self._number}", fields) for _, fields in read]
            except AverError as error:
                self.broken = error
        return found

    def _ready(self) -> bool:
        return self._lines.ready() if isinstance(self._lines, _Arriving) else True


class _Arriving(Iterator[bytes]):
    """The lines of standard input as they come."""

    def __init__(self) -> None:
        self._stream: Any = sys.stdin.buffer
        self._whole: collections.deque[bytes] = collections.deque()
        self._begun: list[bytes] = []
        self._first, self._ended = True, False

    def __next__(self) -> bytes:
        while not self._whole:
            if self._ended:
                raise StopIteration
            self._read()
        line = self._whole.popleft()
        if self._first:
            line, self._first = line.removeprefix(codecs.BOM_UTF8), False
        return line

    def ready(self) -> bool:
        """Whether the next line can be had, or the end be told, without waiting."""
        while not self._whole and not self._ended and _has_more(self._stream):
            self._read()
        return bool(self._whole) or self._ended

    def _read(self) -> None:
        data = self._stream.read1(1 << 16)
        self._ended = not data
        *ends, rest = data.split(b"\n")
        for end in ends:
            self._whole.append(b"".join([*self._begun, end]))
            self._begun = []
        self._begun.append(rest)
        if self._ended and any(self._begun):
            self._whole.append(b"".join(self._begun))


def _has_more(stream: Any) -> bool:
    if sys.platform == "win32":
        return False  # there only sockets can be asked
    try:
        return bool(select.select([stream], [], [], 0)[0])
    except (OSError, ValueError):
        return True  # a stream in memory


def judge_rows(judge: Judge, records: Sequence[Record], *, batch_tokens: int) -> Iterator[Judgement]:
    """The judgement of each row; texts in a list are joined, and of a list that holds anything else that is named."""
    pairs = [_pair(record.fields) for record in records]
    found = iter(judge.judge_each([pair for pair in pairs if not isinstance(pair, str)], batch_tokens=batch_tokens))
    for pair in pairs:
        yield Judgement.unread("error", pair, model=judge.model) if isinstance(pair, str) else next(found)


def _pair(fields: dict[str, Any]) -> tuple[Any, Any] | str:
    """The claim and the evidence of a row, or what is wrong with its list of texts."""
    evidence = fields.get("evidence")
    if isinstance(evidence, list):
        for number, text in enumerate(evidence, 1):
            if not isinstance(text, str):
                return f"the evidence is a list, and item {number} in it is {kind_of(text)}; it must be text"
        evidence = " ".join(evidence)
    return fields.get("claim"), evidence


def is_verdict(fields: dict[str, Any]) -> bool:
    """Whether a row was written by `aver judge` or `aver check`: its label is an answer, and no gold label."""
    return fields.keys() >= _ALWAYS or fields.keys() >= _CHECKED


def no_gold(count: int) -> str:
    """What is said of rows whose label is an answer.

    >>> no_gold(1)
    'no gold label: 1 label that aver wrote itself; where such a row has one, it is its gold_label'
    """
    own = f"{count_of(count, 'label')} that aver wrote itself"
    return f"no gold label: {own}; where such a row has one, it is its gold_label"


def answered(fields: dict[str, Any], judgement: Judgement) -> dict[str, Any]:
    """A row with its judgement. What the row has under a name of ours is kept: its label as `gold_label`, anything
    else under `input`; the verdict of an earlier output makes way, and is no gold label.

    >>> judgement = Judgement.unread("error", "the claim is missing; it must be text", model="fast@0123456789ab")
    >>> line = answered({"id": 7, "label": "NEI", "model": "T", "status": "draft"}, judgement)
    >>> {name: line[name] for name in ("id", "gold_label", "input", "model", "status")}
    {'id': 7, 'gold_label': 'NEI', 'input': {'model': 'T', 'status': 'draft'}, 'model': 'fast@0123456789ab', \
'status': 'error'}
    """
    return carried(fields) | judgement.as_dict()


def carried(fields: dict[str, Any]) -> dict[str, Any]:
    """What a line keeps of its row."""
    kept = {name: value for name, value in fields.items() if name not in OURS}
    verdict = is_verdict(fields)
    if "label" in fields and not verdict:
        kept.setdefault("gold_label", fields["label"])
    if not fields.keys() >= _ALWAYS:
        named = OURS if verdict or "gold_label" in fields else OURS - {"label"}
        if taken := {name: value for name, value in fields.items() if name in named}:
            kept["input"] = taken | ({"input": fields["input"]} if "input" in fields else {})
    return kept
