"""Rows from what `aver train search` found: a claim with five sentences together, and with some by themselves."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from aver.errors import InputError
from aver.labels import Label
from aver.records import iter_records
from aver.train._fever_text import verdict_of
from aver.train._mix import Row, normalised

__all__ = ["found_rows"]

READ_TOGETHER = 5
_STYLES = ("{}: ", "{}: ", "{}: ", "( {} ) ", "{} : ")
"""How a sentence stands under its title: mostly as `aver check` has it."""


class _Sentence(NamedTuple):
    title: str
    number: int
    text: str
    gold: bool


def found_rows(path: Path, held_out: frozenset[str], rng: random.Random) -> Iterator[Row]:
    """Rows from the file: the five best sentences together, and some of them by themselves, under their titles.

    Together they have the claim's verdict where one that people marked is among them, or nothing decides it. So has a
    sentence that is the only one people marked; what one of several says by itself, or one that nobody marked, is for
    a teacher to judge.
    """
    for place, line in iter_records(str(path)):
        try:
            claim, label, alone, sentences = _parsed(line)
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(
                f"{place}: is no line of `aver train search`: {error}; have the file made again"
            ) from error
        if not sentences or normalised(claim) in held_out:
            continue
        style, silent = rng.choice(_STYLES), label is Label.NOT_ENOUGH_INFO
        together = sentences[:READ_TOGETHER]
        if silent or any(sentence.gold for sentence in together):
            yield Row(claim, _joined(together, style), label, source="found_together")
        at = rng.randrange(min(3, len(sentences)))
        for number, sentence in enumerate(sentences):
            titled = _titled(sentence, style)
            if sentence.gold and alone:
                yield Row(claim, titled, label, relevant=True, source="found_gold")
            elif number == at:
                yield Row(claim, titled, label if silent else None, source="found_silent" if silent else "found_other")


def _parsed(line: Mapping[str, Any]) -> tuple[str, Label, bool, list[_Sentence]]:
    claim, label, sentences = line["claim"], verdict_of(line["label"]), []
    if not isinstance(claim, str):
        raise ValueError("claim is no text")
    for title, number, text, gold in line["sentences"]:
        if not (isinstance(title, str) and isinstance(text, str)):
            raise ValueError("a sentence or its title is no text")
        sentences.append(_Sentence(title, int(number), text, bool(gold)))
    return claim, label, bool(line["alone"]), sentences


def _titled(sentence: _Sentence, style: str) -> str:
    return style.format(sentence.title) + sentence.text if sentence.title else sentence.text


def _joined(sentences: Sequence[_Sentence], style: str) -> str:
    """As `aver check` reads them together: by document, in the order of the text; what follows shares the title."""
    order = list(dict.fromkeys(sentence.title for sentence in sentences))
    parts: list[str] = []
    before: _Sentence | None = None
    for sentence in sorted(sentences, key=lambda found: (order.index(found.title), found.number)):
        follows = before is not None and (before.title, before.number + 1) == (sentence.title, sentence.number)
        parts.append(sentence.text if follows else _titled(sentence, style))
        before = sentence
    return " ".join(parts)
