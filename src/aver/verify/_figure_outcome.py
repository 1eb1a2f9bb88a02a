"""One figure of a claim held against one of a sentence: it agrees, disagrees, or that is unclear."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from aver.verify._figure import Figure

__all__ = ["MONEY", "Outcome", "alike", "apart", "outcome_of"]

Outcome = Literal["agrees", "disagrees", "unclear"]

_SAME, _CLOSE, _ROUNDED = 50, 8, 20
"""Measures in different units that differ by less than one part in so many are the same, or may be meant so; a number
that was rounded differs by less than the third."""
_SAME_DEGREES, _CLOSE_DEGREES = Decimal("0.6"), 2
"""The same for temperatures on different scales, in degrees Celsius."""
MONEY = frozenset(("$", "€", "£", "¥", "CHF"))
_A_YEAR = {
    "second": 31_556_952, "minute": 525_949, "hour": 8_766, "day": 365, "week": 52, "month": 12, "quarter": 4, "year": 1
}  # fmt: skip


def alike(figure: Figure, other: Figure) -> bool:
    """They can be compared: of one kind, and bare numbers where they count the same thing."""
    if figure.family != other.family:
        return False
    return figure.family != "number" or (figure.unit == other.unit and bool(figure.unit))


def outcome_of(claim: Figure, evidence: Figure) -> Outcome:
    """What a figure of a sentence says of one of the claim's, both of one kind."""
    if claim.negated != evidence.negated:
        return "unclear"
    if claim.per and evidence.per and claim.per != evidence.per:
        return _rated(claim, evidence)
    if claim.way and evidence.way and claim.way != evidence.way:
        return "unclear"
    if claim.lasting or (claim.family == "clock" and claim.unit != evidence.unit):
        return _lasting(claim, evidence)
    if claim.family in MONEY and claim.family != evidence.family:
        return "disagrees"
    if claim.family != "number" and claim.unit != evidence.unit:
        return _converted(claim, evidence)
    # who writes 3.1 of what others give as 3.14 has rounded it
    rounds = claim.exact and evidence.exact and evidence.decimals > claim.decimals
    meant = claim.fine if rounds and claim.meant == claim.said else claim.meant
    if evidence.said.within(meant):
        if rounds and apart(claim, evidence) * _ROUNDED > 1:
            return "unclear"
        if claim.ongoing and not _same_end(claim, evidence):
            return "unclear"
        if claim.part and claim.part != evidence.part:
            return "unclear"
        # of two limits, "up to 300" and "up to 500", neither says that the other holds
        limits = all(None in (figure.said.low, figure.said.high) for figure in (claim, evidence))
        # nor do two ranges, 220 to 240 volts and 230 to 240
        limits |= all(figure.ranges for figure in (claim, evidence))
        return "unclear" if limits and claim.said != evidence.said else "agrees"
    if bool(claim.per) != bool(evidence.per):
        return "unclear"  # so much a month, and so much in all
    return "disagrees" if evidence.said.apart(claim.loose) and evidence.loose.apart(meant) else "unclear"


def _same_end(claim: Figure, evidence: Figure) -> bool:
    """What the claim says of all the time until a date, or since one, ends or begins in the sentence when it does."""
    if evidence.lasting or evidence.ongoing:
        return claim.said.high == evidence.said.high if claim.said.low is None else claim.said.low == evidence.said.low
    return evidence.said.within(claim.fine)


def apart(claim: Figure, evidence: Figure) -> Decimal:
    """By which share of the larger the two differ."""
    ours, theirs = claim.said.low or Decimal(0), evidence.said.low or Decimal(0)
    return abs(ours - theirs) / (max(abs(ours), abs(theirs)) or Decimal(1))


def _lasting(claim: Figure, evidence: Figure) -> Outcome:
    """A time from one date to another, or one of another zone: what lies within says nothing of its ends."""
    if claim.said == evidence.said:
        return "agrees" if claim.lasting == evidence.lasting and "" in (claim.unit, evidence.unit) else "unclear"
    return "disagrees" if claim.lasting and evidence.said.apart(claim.said) else "unclear"


def _rated(claim: Figure, evidence: Figure) -> Outcome:
    """Rates of different times: 10 a month are 120 a year, but 8 hours a day may be 40 a week."""
    if claim.family != evidence.family or claim.unit != evidence.unit or not (claim.exact and evidence.exact):
        return "unclear"
    ours, theirs = ((f.said.low or Decimal(0)) * _A_YEAR[f.per] for f in (claim, evidence))
    return "agrees" if abs(ours - theirs) * _SAME < max(abs(ours), abs(theirs)) else "unclear"


def _converted(claim: Figure, evidence: Figure) -> Outcome:
    """Measures in different units: what is converted is rounded."""
    if claim.exact and evidence.exact:
        ours, theirs = claim.said.low or Decimal(0), evidence.said.low or Decimal(0)
        if claim.family == "temperature":  # whose zero is nobody's nothing: a share of it says little
            if "by" in (claim.way, evidence.way):
                return "unclear"  # ten degrees Celsius warmer are 18 Fahrenheit
            if abs(ours - theirs) <= _SAME_DEGREES:
                return "agrees"
            near = abs(ours - theirs) <= _CLOSE_DEGREES or not evidence.loose.apart(claim.loose)
            return "unclear" if near else "disagrees"
        share = apart(claim, evidence)
        return "agrees" if share * _SAME < 1 else "unclear" if share * _CLOSE < 1 else "disagrees"
    if evidence.fine.within(claim.fine):
        return "agrees"
    return "disagrees" if evidence.fine.apart(claim.fine) else "unclear"
