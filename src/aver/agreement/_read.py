"""Vote files: CLIMATE-FEVER's claims with their evidences, one item a line, or one vote a line."""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Literal, NamedTuple

from aver.errors import InputError, LabelError, Problems
from aver.labels import Label
from aver.records import Record, place_name, read_records

__all__ = ["Item", "Kind", "read_votes"]

Kind = Literal["verdict", "any", "number"]
"""What votes are: `verdict` labels in any spelling, `any` words or numbers as they stand, or numbers."""

ITEM_NAMES = ("item", "evidence_id", "id", "unique_id")
VOTER_NAMES = ("voter", "coder", "annotator", "user")
VOTE_NAMES = ("vote", "label", "value")


class Item(NamedTuple):
    """One thing that was voted on."""

    place: str
    id: str | None
    claim: str | None
    """The claim it belongs to, where items belong to claims."""
    votes: tuple[Hashable, ...]
    """None where a voter did not vote."""
    who: tuple[str, ...]
    """Who cast each of the votes: a name, or the place in the list from 1."""
    fields: Mapping[str, Any]
    """What else the file says of it; the claim's fields and its own."""


def read_votes(source: str | os.PathLike[str] | Iterable[Mapping[str, Any]], *, labels: Kind = "verdict") -> list[Item]:
    """Reads votes in any of the three forms; which one, the first record shows.

    - a claim with `evidences`, each with `votes` (a list, null for a vote not cast): CLIMATE-FEVER's own
      file;
    - an item with `votes` (a list, or an object by voter's name), maybe with `item` and `claim_id`;
    - one vote: `item`, `voter` and `vote`.

    >>> [item.votes for item in read_votes([{"item": "a", "votes": ["supports", None, "NEI"]}])]
    [(<Label.SUPPORTS: 'SUPPORTS'>, None, <Label.NOT_ENOUGH_INFO: 'NOT_ENOUGH_INFO'>)]
    """
    problems = Problems()
    name = "the votes"
    if isinstance(source, (str, os.PathLike)):
        name = place_name(source)
        records = read_records(source, problems=problems)
    else:
        records = [Record(f"record {number}", dict(fields)) for number, fields in enumerate(source, 1)]
    if not records and not len(problems):
        raise InputError(f"{name}: is empty; expected a JSON object a line with 'votes'")
    reader = _Reader(problems, labels)
    if records:
        fields = records[0].fields
        if "evidences" in fields:
            reader.claims(records)
        elif "votes" in fields:
            reader.lines(records)
        elif _first(fields, VOTE_NAMES) is not None and _first(fields, VOTER_NAMES) is not None:
            reader.long(records)
        else:
            raise InputError(
                f"{records[0].place}: no votes here; expected 'evidences' (each with 'votes'), or 'votes', "
                f"or 'item', 'voter' and 'vote'; found: {', '.join(map(repr, fields)) or 'nothing'}"
            )
    problems.raise_if_any("these votes cannot be counted")
    return reader.items


class _Reader:
    """Collects the items of one file, and everything that is wrong with it."""

    def __init__(self, problems: Problems, labels: Kind) -> None:
        self.problems = problems
        self.labels = labels
        self.items: list[Item] = []
        self._known: dict[object, Hashable] = {}

    def claims(self, records: list[Record]) -> None:
        seen: dict[str, str] = {}
        for place, fields in records:
            evidences = fields.get("evidences")
            if not isinstance(evidences, list):
                self.problems.add(place, "expected a list 'evidences'")
                continue
            claim = _text(fields.get("claim_id", fields.get("id")))
            if claim is None:
                claim = place
            elif claim in seen:
                self.problems.add(place, f"claim_id {claim!r} is already at {seen[claim]}")
            seen[claim] = place
            about = {name: value for name, value in fields.items() if name != "evidences"}
            for number, evidence in enumerate(evidences, 1):
                where = f"{place} evidence {number}"
                if isinstance(evidence, dict) and "votes" in evidence:
                    self._add(where, {**about, **evidence}, claim, _text(evidence.get("evidence_id")))
                else:
                    self.problems.add(where, "expected an object with 'votes'")

    def lines(self, records: list[Record]) -> None:
        seen: dict[tuple[str | None, str], str] = {}
        for place, fields in records:
            item, claim = _text(_first(fields, ITEM_NAMES)), _text(fields.get("claim_id"))
            if item is not None:
                if (claim, item) in seen:
                    self.problems.add(place, f"item {item!r} is already at {seen[claim, item]}")
                seen[claim, item] = place
            if "votes" not in fields:
                self.problems.add(place, "has no 'votes'")
            else:
                self._add(place, fields, claim, item)

    def long(self, records: list[Record]) -> None:
        groups: dict[tuple[str | None, str], dict[str, tuple[str, Hashable]]] = {}
        about: dict[tuple[str | None, str], tuple[str, dict[str, Any]]] = {}
        for place, fields in records:
            item, voter = _text(_first(fields, ITEM_NAMES)), _text(_first(fields, VOTER_NAMES))
            given = next((name for name in VOTE_NAMES if name in fields), None)
            lacks = [
                name for name, found in (("item", item), ("voter", voter), ("vote", given)) if found is None
            ]  # fmt: skip
            if lacks or item is None or voter is None or given is None:
                self.problems.add(place, f"has no {' and no '.join(map(repr, lacks))}")
                continue
            key = (_text(fields.get("claim_id")), item)
            cast = groups.setdefault(key, {})
            if voter in cast:
                self.problems.add(place, f"{voter!r} has already voted on {item!r} at {cast[voter][0]}")
            cast[voter] = (place, self._vote(place, fields[given]))
            # A slice must be the same for every vote on an item, so only what all of them say is kept.
            _, common = about.setdefault(key, (place, dict(fields)))
            for name in [name for name, value in common.items() if name not in fields or fields[name] != value]:
                del common[name]
        for key, cast in groups.items():
            place, common = about[key]
            votes = tuple(vote for _, vote in cast.values())
            self.items.append(Item(place, key[1], key[0], votes, tuple(cast), common))

    def _add(self, place: str, fields: dict[str, Any], claim: str | None, item: str | None) -> None:
        votes = fields["votes"]
        if isinstance(votes, dict):
            who, cast = tuple(votes), list(votes.values())
        elif isinstance(votes, list):
            who, cast = tuple(str(number) for number in range(1, len(votes) + 1)), votes
        else:
            self.problems.add(place, f"expected a list 'votes', found {votes!r:.60}")
            return
        about = {name: value for name, value in fields.items() if name != "votes"}
        self.items.append(Item(place, item, claim, tuple(self._vote(place, vote) for vote in cast), who, about))

    def _vote(self, place: str, vote: object) -> Hashable:
        if vote is None:
            return None
        key = (type(vote), vote)
        try:
            return self._known[key]
        except KeyError:
            pass
        except TypeError:
            self.problems.add(place, f"a vote must be a word, a number or null, found {vote!r:.60}")
            return None
        read: Hashable = vote
        if self.labels == "verdict":
            try:
                read = Label.parse(vote)
            except LabelError as error:
                hint = f"{error.accepted} (other words or numbers: --labels any, in Python labels='any')"
                self.problems.add(place, f"unknown label {vote!r:.60}", hint=hint)
                return None
        elif self.labels == "number" and (isinstance(vote, bool) or not isinstance(vote, (int, float))):
            hint = "votes must be numbers here (ordered words: name their order, lowest first, with --order)"
            self.problems.add(place, f"expected a number or null as a vote, found {vote!r:.60}", hint=hint)
            return None
        self._known[key] = read
        return read


def _first(fields: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    return next((fields[name] for name in names if fields.get(name) is not None), None)


def _text(value: object) -> str | None:
    return None if value is None else str(value)
