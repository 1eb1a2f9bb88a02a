"""`agree`: every agreement figure of a vote file, overall and by slice, and what the voters decided."""

from __future__ import annotations

import dataclasses
import math
import os
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

from aver.agreement._alpha import Level, alpha
from aver.agreement._climate_fever import check_climate_fever, table_1_slice
from aver.agreement._kappa import fleiss_kappa, randolph_kappa
from aver.agreement._read import Item, Kind, read_votes
from aver.agreement._spread import entropy, item_entropies, total_agreement, voters
from aver.agreement._tally import Tally, tally, too_few
from aver.agreement._verdicts import claim_label, micro_verdict
from aver.errors import InputError, LabelError, Problems, kind_of
from aver.labels import Label

__all__ = ["Agreement", "Decision", "Figures", "agree"]


@dataclasses.dataclass(frozen=True, slots=True)
class Figures:
    """How far voters agree on some items. A figure is None where it is not defined on them."""

    slice: str | None
    """None: all items."""
    items: int
    scored: int
    """Items with at least two votes; the agreement figures are over these."""
    claims: int | None
    """Claims the items belong to; None where items belong to none."""
    voters: float
    voters_sd: float
    alpha: float | None
    total_agreement: float | None
    entropy: float | None
    fleiss_kappa: float | None
    randolph_kappa: float | None
    votes: Mapping[str, int]
    verdicts: Mapping[str, int]
    claim_labels: Mapping[str, int] | None
    """A claim counts in every slice that holds one of its items, with its label over all of its items."""

    def as_dict(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}


@dataclasses.dataclass(frozen=True, slots=True)
class Decision:
    """What the voters decided on one item."""

    claim_id: str | None
    item: str | None
    voters: int
    verdict: Hashable
    """None where nobody voted, and on a tie between votes that are not verdicts."""
    entropy: float
    claim_label: Label | None

    def as_dict(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}


@dataclasses.dataclass(frozen=True, slots=True)
class Agreement:
    """All that `agree` finds."""

    level: str
    overall: Figures
    slices: tuple[Figures, ...]
    decisions: tuple[Decision, ...]
    compared: Mapping[str, int]
    """How many labels and entropies that the file itself states were compared with the votes, by field."""
    differences: tuple[str, ...]
    """Where the file's own label or entropy is not what its votes give."""
    notes: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON; the decisions, one per item, are left to `aver agree --verdicts`."""
        return {
            "measure": f"Alpha(level={self.level})",
            "overall": self.overall.as_dict(),
            "slices": [figures.as_dict() for figures in self.slices],
            "compared": dict(self.compared),
            "differences": list(self.differences),
            "notes": list(self.notes),
        }


def agree(
    source: str | os.PathLike[str] | Iterable[Mapping[str, Any]],
    *,
    slice: str | None = None,  # the option's name on the command line
    level: Level = "nominal",
    labels: Kind = "verdict",
    order: Sequence[Hashable] | None = None,
) -> Agreement:
    """How far voters agree, and what they decided, in a file of votes (see `read_votes` for its forms).

    `slice` names a field of the records: every figure is then also given for each of its values. Three slices
    are computed rather than read: `@slots` (which voters voted on the item), `@voters` (how many), and
    `@table1` (CLIMATE-FEVER's Table 1, as far as it can be recovered). `labels` says what votes are: verdict
    labels in any spelling, `any` values, or `number`s; the latter two have a plurality but no claim label.

    >>> sea = {"votes": ["SUPPORTS", "SUPPORTS"], "topic": "sea"}
    >>> ice = {"votes": ["NEI", "REFUTES"], "topic": "ice"}
    >>> found = agree([sea, ice], slice="topic")
    >>> found.overall.total_agreement, [(f.slice, f.total_agreement) for f in found.slices]
    (0.5, [('ice', 0.0), ('sea', 1.0)])
    """
    if level != "nominal" and labels == "verdict":
        if order is None:
            raise InputError(
                f"verdict labels are names, so alpha at the {level} level says nothing about them; for votes that "
                "are numbers use --labels number (in Python labels='number'), for ordered words give their order"
            )
        labels = "any"
    items = read_votes(source, labels=labels)
    counted = tally([item.votes for item in items])
    decisions = _decide(items, counted, labels)
    groups = _groups(items, slice) if slice is not None else {}

    def figures(name: str | None, members: Sequence[int]) -> Figures:
        return _figures(name, counted, members, decisions, level, order)

    overall = figures(None, range(len(items)))
    notes = []
    if left := overall.items - overall.scored:
        notes.append(f"{too_few(left, overall.items)}; agreement is over the others")
    compared, differences = _compare(items, decisions) if labels == "verdict" else ({}, [])
    return Agreement(
        level=level,
        overall=overall,
        slices=tuple(figures(name, members) for name, members in groups.items()),
        decisions=tuple(decisions),
        compared=compared,
        differences=tuple(differences),
        notes=tuple(notes),
    )


def _decide(items: list[Item], counted: Tally, labels: Kind) -> list[Decision]:
    verdicts: list[Hashable] = []
    by_claim: dict[str, list[Label]] = {}
    for item in items:
        cast = [vote for vote in item.votes if vote is not None]
        verdict: Hashable = None
        if labels == "verdict" and cast:
            verdict = micro = micro_verdict(cast)  # type: ignore[arg-type]
            if item.claim is not None:
                by_claim.setdefault(item.claim, []).append(micro)
        elif cast:
            (winner, most), *second = Counter(cast).most_common(2)
            verdict = None if second and second[0][1] == most else winner
        verdicts.append(verdict)
    by_name = {claim: claim_label(found) for claim, found in by_claim.items()}
    spreads = item_entropies(counted).tolist()
    return [
        Decision(item.claim, item.id, sum(v is not None for v in item.votes), verdict, spread,
                 by_name.get(item.claim) if item.claim is not None else None)
        for item, verdict, spread in zip(items, verdicts, spreads, strict=True)
    ]  # fmt: skip


def _figures(
    name: str | None,
    counted: Tally,
    members: Sequence[int],
    decisions: list[Decision],
    level: Level,
    order: Sequence[Hashable] | None,
) -> Figures:
    import numpy as np

    wanted = np.zeros(counted.items, dtype=bool)
    wanted[list(members)] = True
    part = counted.select(wanted)
    used = part.pairable()
    mean, deviation = voters(part) or (0.0, 0.0)
    chosen = [decisions[number] for number in members]
    of_claims = {d.claim_id: d.claim_label for d in chosen if d.claim_id is not None}
    votes = np.bincount(part.code, minlength=len(counted.values)).tolist()
    return Figures(
        slice=name,
        items=part.items,
        scored=used.items,
        claims=len(of_claims) if of_claims else None,
        voters=mean,
        voters_sd=deviation,
        alpha=alpha(used, level=level, order=order),
        total_agreement=total_agreement(used),
        entropy=entropy(used),
        fleiss_kappa=fleiss_kappa(used),
        # Every label that anyone chose in the whole file could have been chosen in a slice of it.
        randolph_kappa=randolph_kappa(used, categories=len(counted.values) or None),
        votes=_sorted({str(value): count for value, count in zip(counted.values, votes, strict=True) if count}),
        verdicts=_sorted(Counter("none" if d.verdict is None else str(d.verdict) for d in chosen)),
        claim_labels=_sorted(Counter(str(v) for v in of_claims.values() if v is not None)) if of_claims else None,
    )


def _sorted(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def _groups(items: list[Item], field: str) -> dict[str, list[int]]:
    computed: dict[str, Callable[[Item], str]] = {
        "@slots": lambda item: " ".join(w for w, v in zip(item.who, item.votes, strict=True) if v is not None),
        "@voters": lambda item: str(sum(vote is not None for vote in item.votes)),
        "@table1": table_1_slice,
    }
    if field.startswith("@") and field not in computed:
        raise InputError(f"unknown computed slice {field!r}; there are: {', '.join(computed)}")
    if field == "@table1":
        check_climate_fever(items)
    if items and field not in computed and not any(field in item.fields for item in items):
        there = ", ".join(map(repr, items[0].fields)) or "none"
        raise InputError(
            f"no item has {field!r} to slice by, or not the same for all its votes; fields at {items[0].place}: {there}"
        )
    groups: dict[str, list[int]] = {}
    problems = Problems()
    for number, item in enumerate(items):
        if field in computed:
            name = computed[field](item)
        elif field in item.fields:
            value = item.fields[field]
            if isinstance(value, (list, dict)):
                problems.add(item.place, f"its {field!r} is {kind_of(value)}; a slice needs a word or a number")
                continue
            name = str(value)
        else:
            problems.add(item.place, f"has no {field!r}, or not the same for all its votes")
            continue
        groups.setdefault(name, []).append(number)
    problems.raise_if_any(f"these items cannot be sliced by {field!r}")
    return dict(sorted(groups.items(), key=lambda pair: _natural(pair[0])))


def _natural(name: str) -> tuple[int, float, str]:
    # slice 10 comes after slice 9
    return (0, float(name), name) if name.removeprefix("-").isdecimal() else (1, 0.0, name)


def _compare(items: list[Item], decisions: list[Decision]) -> tuple[dict[str, int], list[str]]:
    """Holds the labels that the file states against the votes it gives."""
    compared: Counter[str] = Counter()
    found: list[str] = []
    claims: set[str] = set()
    for item, decision in zip(items, decisions, strict=True):
        wanted: list[tuple[str, Hashable]] = [("evidence_label", decision.verdict)]
        if item.claim is not None and item.claim not in claims:
            claims.add(item.claim)
            wanted.append(("claim_label", decision.claim_label))
        for name, ours in wanted:
            stated = item.fields.get(name)
            if stated is None or ours is None:
                continue
            compared[name] += 1
            try:
                agrees = Label.parse(stated) == ours
            except LabelError:
                agrees = False
            if not agrees:
                found.append(f"{item.place}: {name} is {stated!r}, its votes give {ours}")
        stated = item.fields.get("entropy")
        if isinstance(stated, (int, float)) and decision.voters:
            compared["entropy"] += 1
            if not math.isclose(stated, decision.entropy, abs_tol=1e-6):
                found.append(f"{item.place}: entropy is {stated}, its votes give {decision.entropy:.6f}")
    return dict(compared), found
