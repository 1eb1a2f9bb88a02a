"""What it does where nobody looked: nothing to read, far too much, the sides swapped, the end cut off."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import NamedTuple

from aver.errors import AverError
from aver.prove._context import Context
from aver.prove._report import Part, Table, Value
from aver.prove._sample import sample_topics
from aver.prove._scorer import checked

__all__ = ["edges_part"]

PAGES = 20_000
"""Words of the very long source: some forty pages."""


class Outcome(NamedTuple):
    """What came back: a score, None for no score, or what was raised."""

    score: float | None
    raised: str
    seconds: float

    @property
    def shown(self) -> str:
        if self.raised:
            return self.raised
        return "no score" if self.score is None else f"{self.score:.4f}"


class Case(NamedTuple):
    """An input, and what would be right."""

    name: str
    text: str
    source: str
    wanted: str
    """In words."""
    right: Callable[[Outcome, dict[str, Outcome]], bool | None]
    """None: nothing can be said."""


def edges_part(context: Context) -> Part:
    """Scores, gaps and errors on input that is odd but happens; each is defined or told."""
    raw = context.subject.raw
    assert raw is not None
    found: dict[str, Outcome] = {}
    table: list[tuple[Value, ...]] = []
    wrong: list[str] = []
    for number, case in enumerate(_cases()):
        start = time.perf_counter()
        try:
            [score] = checked(raw, [case.text], [case.source], [case.name], name=context.subject.name)
            outcome = Outcome(None if math.isnan(score) else score, "", time.perf_counter() - start)
        except AverError as error:
            told = str(error).removeprefix(f"{case.name}: ").replace("\n", " ")
            outcome = Outcome(None, told if len(told) <= 160 else told[:159] + "…", time.perf_counter() - start)
        found[case.name] = outcome
        right = case.right(outcome, found)
        if right is False:
            wrong.append(case.name)
        mark = {True: "yes", False: "no", None: "–"}[right]
        table.append((case.name, outcome.shown, case.wanted, mark, round(outcome.seconds, 3)))
        if context.scorer.progress is not None:
            context.scorer.progress("odd input", number + 1, len(_cases()))
    judged = sum(row[3] != "–" for row in table)
    said = f"{judged - len(wrong)} of {judged} odd inputs end as they should"
    return Part(
        "edges", "Odd input", "What happens on empty, very long, swapped and cut-off input?",
        finding=f"{said}." if not wrong else f"{said}; not: {', '.join(wrong)}.",
        figures={"as_wanted": judged - len(wrong), "judged": judged,
                 "raised": sum(bool(outcome.raised) for outcome in found.values())},
        tables=(Table("Input by input", ("input", "outcome", "wanted", "as wanted", "seconds"), tuple(table),
                      "An error that says what is wrong is a defined outcome for input that cannot be scored."),),
        rule="Single calls with texts made from the built-in sample. Higher and lower are strict; seconds are of one "
        "call and tell of the order of magnitude only.",
        n=len(table), of=len(table),
    )  # fmt: skip


def _cases() -> list[Case]:
    ferry, bridge, *others = sample_topics()
    true, false, source = ferry.first, ferry.second, ferry.passage
    filler = " ".join(topic.passage for topic in others)
    repeats = PAGES // len(filler.split()) + 1
    # each copy differs a little: a metric that drops repeated sentences has the same work
    long = " ".join(f"Page {page + 1}. {filler}" for page in range(repeats))
    many = " ".join(text for topic in (bridge, *others) for text in (topic.first, topic.either))
    many_source = " ".join(topic.passage for topic in (ferry, bridge, *others))

    def empty(outcome: Outcome, found: dict[str, Outcome]) -> bool:
        return outcome.score is None or outcome.score == 0.0

    def defined(outcome: Outcome, found: dict[str, Outcome]) -> bool:
        return outcome.score is not None and not outcome.raised

    def above(name: str) -> Callable[[Outcome, dict[str, Outcome]], bool | None]:
        return lambda outcome, found: _compare(outcome, found[name], lambda a, b: a > b)

    def below(name: str) -> Callable[[Outcome, dict[str, Outcome]], bool | None]:
        return lambda outcome, found: _compare(outcome, found[name], lambda a, b: a < b)

    def same(name: str) -> Callable[[Outcome, dict[str, Outcome]], bool | None]:
        return lambda outcome, found: _compare(outcome, found[name], lambda a, b: abs(a - b) < 1e-6)

    return [
        Case("a true text", true, source, "a score", defined),
        Case("a false text", false, source, "below the true text", below("a true text")),
        Case("the source as its own text", source, source, "above the false text", above("a false text")),
        Case("empty text", "", source, "no score, 0 or an error", empty),
        Case("empty source", true, "", "no score, 0 or an error", empty),
        Case("both empty", "", "", "no score, 0 or an error", empty),
        Case("only spaces and line ends", " \n\t ", source, "no score, 0 or an error", empty),
        Case("only punctuation", "… — !?", source, "no score, 0 or an error", empty),
        Case("text and source swapped", source, true, "below the true text", below("a true text")),
        Case("source cut off before the fact", true, source.split(". ")[0] + ".", "below the true text",
             below("a true text")),
        Case("text cut off in mid-sentence", " ".join(true.split()[:4]), source, "a score or no score",
             lambda outcome, found: None if outcome.raised else True),
        Case("forty pages without the fact", true, long, "below the true text", below("a true text")),
        Case("forty pages, the fact at the end", true, f"{long} {source}", "above the pages without it",
             above("forty pages without the fact")),
        Case("a long true text", many, many_source, "a score", defined),
        Case("a long text, its end false", f"{many} {false}", many_source, "below the long true text",
             below("a long true text")),
        Case("ten thousand letters in one word", "a" * 10_000, source, "an outcome, not a crash",
             lambda outcome, found: None if outcome.raised else True),
        Case("line ends for spaces", true.replace(" ", "\n"), source.replace(" ", "\n"), "the same as the true text",
             same("a true text")),
        Case("another script", "Паром перевозит 240 пассажиров.", "Паром перевозит 240 пассажиров и 36 машин.",
             "an outcome, not a crash", lambda outcome, found: None if outcome.raised else True),
        Case("control characters and emoji", f"\x00{true} 🚢\u200b", source, "an outcome, not a crash",
             lambda outcome, found: None if outcome.raised else True),
    ]  # fmt: skip


def _compare(one: Outcome, other: Outcome, holds: Callable[[float, float], bool]) -> bool | None:
    """Between two scores; a side without one leaves it open unless the other has one to be below or above."""
    if one.raised or other.raised or other.score is None:
        return None
    # no score where another text has one is below it: nothing was found to be consistent
    return holds(-math.inf if one.score is None else one.score, other.score)
