"""Facts that are bounds: "at least", "no more than", "between", in the sentence or put into it, and claims about them.

What a bound says is a range of values. A claim follows where the evidence's range lies within its own, is refuted
where the two have no value in common, and is open otherwise: "at most 20" supports "fewer than 25", refutes "31" and
leaves "14" open.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from aver.labels import Label
from aver.revisions._fact import Fact, Filler, N, R, S
from aver.revisions._fact_numbers import THROUGH, Wording, amount_use, nearby, quantities, with_conversion
from aver.text._quantities import Quantity

__all__ = ["find_bounds"]


class _Said(NamedTuple):
    """A number under a bound, or two to lie between, and the values it allows; (20, 1) is just above 20."""

    bound: str
    numbers: tuple[Decimal, ...]
    low: tuple[Decimal, int]
    high: tuple[Decimal, int]

    def judges(self, claim: _Said) -> Label:
        if claim.low <= self.low and self.high <= claim.high:
            return S
        return R if self.high < claim.low or claim.high < self.low else N


def _said(bound: str, *numbers: Decimal) -> _Said:
    low, high = (numbers[0], 0), (numbers[-1], 0)
    if bound in ("above", "at least"):
        low, high = (numbers[0], int(bound == "above")), (Decimal("Infinity"), 0)
    elif bound in ("below", "at most"):
        low, high = (Decimal(0), 0), (numbers[0], -int(bound == "below"))
    return _Said(bound, numbers, low, high)


def find_bounds(sentence: str, rng: random.Random, *_: object) -> Iterator[Fact]:
    """The amounts of a sentence that have a bound, and those that can have one."""
    for q in quantities(sentence):
        if q.bound == "about" or amount_use(sentence, q) != "amount":
            continue
        cue = sentence[q.cue_start : q.start].strip().lower()
        if cue in ("as many as", "above", "below") or (cue in ("over", "under") and THROUGH.match(sentence, q.end)):
            continue  # "over five years", "over 800 metres" may mean all through them
        write = _Writer(Wording(sentence, q), rng)
        values = _values(q, rng)
        if len(values) < 2:
            continue
        old, new = _said(q.bound, q.value), _twin(q, values, rng)
        sets = tuple(
            tuple(Filler(write(claim), old.judges(claim), new.judges(claim)) for claim in two)
            for two in _claims(old, new, values, rng)
        )
        if sets:
            fact = Fact("bounded number", q.cue_start, q.end, sentence[q.cue_start : q.end], write(new), sets=sets)
            yield with_conversion(sentence, fact, q, new.numbers[0])


def _values(q: Quantity, rng: random.Random) -> list[Decimal]:
    """Up to five numbers, the sentence's own among them, each two steps or more from the others, smallest first.

    Of things that are counted "more than 12" already refutes "fewer than 13": one step would be too near.
    """
    step = max(Decimal(2), q.value / 250)
    found = [q.value]
    for _ in range(8):
        other = nearby(q, rng)
        if other is not None and all(abs(other - value) >= step for value in found):
            found.append(other)
    return sorted(found[:5])


def _twin(q: Quantity, values: list[Decimal], rng: random.Random) -> _Said:
    """What the edited evidence says: another number, or another bound of the same number."""
    if rng.random() < 0.3:
        return _said(q.bound, rng.choice([value for value in values if value != q.value]))
    return _said(rng.choice([bound for bound in _BOUNDS if bound != q.bound]), q.value)


_BOUNDS = ("exact", "above", "at least", "below", "at most")


# labels of the two claims under the old and the new evidence; twice, or evidence with a bound would mostly leave open
_PARTED = (*(((S, R), (R, S)),) * 2, ((S, N), (N, S)), ((R, N), (N, R)), ((S, N), (R, N)), ((N, S), (N, R)))


def _claims(old: _Said, new: _Said, values: list[Decimal], rng: random.Random) -> Iterator[tuple[_Said, _Said]]:
    """Two claims a group: each has under the one evidence what the other has under the other, so no claim tells.

    Or both are open under the one, and the other supports one of them and refutes the other.
    """
    claims = [_said(bound, value) for bound in _BOUNDS for value in values]
    claims += [_said("between", low, high) for low, high in itertools.combinations(values, 2)]
    by_labels: dict[tuple[Label, Label], list[_Said]] = {}
    for claim in claims:
        by_labels.setdefault((old.judges(claim), new.judges(claim)), []).append(claim)
    for one, two in _PARTED:
        if one in by_labels and two in by_labels:
            yield rng.choice(by_labels[one]), rng.choice(by_labels[two])


class _Writer:
    """Writes bounds in words that fit the place."""

    def __init__(self, say: Wording, rng: random.Random) -> None:
        self.say, self.rng = say, rng

    def __call__(self, said: _Said) -> str:
        numbers = " and ".join(map(self.say, said.numbers))
        return f"{self.rng.choice(self._cues(said.bound))} {numbers}".lstrip()

    def _cues(self, bound: str) -> Sequence[str]:
        fewer = "less" if self.say.measured else "fewer"
        match bound:
            case "above":
                return self.say.more[:-1]
            case "at least" if self.say.after_at:
                return f"no {fewer} than", f"not {fewer} than", "a minimum of"
            case "at least":
                return "at least", f"no {fewer} than", f"not {fewer} than", "a minimum of"
            case "below":
                return self.say.less
            case "at most" if self.say.after_at:
                return "no more than", "not more than", "a maximum of"
            case "at most":
                up_to = () if self.say.after_preposition else ("up to",)
                return "at most", "no more than", "not more than", "a maximum of", *up_to
            case "between":
                return ("between",)
        return ("",)
