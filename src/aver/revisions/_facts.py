"""The places in a sentence where a small edit changes the fact, each with a value to put instead.

A fact is a slot: the sentence around it stays, the filler changes. Its fillers list what a claim about the slot
can say, with the label under the old and under the new filler, so one slot yields claims of every label.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence

from aver.revisions._fact import Fact, Filler, denied, only_some
from aver.revisions._fact_bounds import find_bounds
from aver.revisions._fact_converses import find_converses
from aver.revisions._fact_dates import find_dated
from aver.revisions._fact_hedges import find_hedges
from aver.revisions._fact_numbers import find_numbers, loosened
from aver.revisions._fact_quantifiers import find_quantifiers
from aver.revisions._fact_relations import find_relations, find_steps
from aver.revisions._fact_roles import find_exchanges, find_roles
from aver.revisions._fact_spelled import find_spelled, find_times
from aver.revisions._fact_units import find_units
from aver.revisions._fact_words import find_classes, find_names, find_negations, find_opposites, find_ordinals

__all__ = ["Fact", "Filler", "find_facts", "loosened"]

_Finder = Callable[[str, random.Random, Mapping[str, str], Mapping[str, Sequence[str]]], Iterator[Fact]]
_FINDERS: tuple[_Finder, ...] = (
    find_numbers, find_bounds, find_units, find_spelled, find_times, find_dated, find_classes, find_opposites,
    find_converses, find_ordinals, find_names, find_negations, find_hedges, find_quantifiers, find_roles,
    find_exchanges, find_relations, find_steps,
)  # fmt: skip


def find_facts(
    sentence: str, rng: random.Random, names: Mapping[str, str], pools: Mapping[str, Sequence[str]]
) -> list[Fact]:
    """Every fact of a sentence that can be edited, with one random edit each.

    `names` gives the kind of a name (from the pages' own first sentences), `pools` the names of each kind.

    >>> found = find_facts("It opened the second of 12 shops in 1999 .", random.Random(1), {}, {})
    >>> [(fact.kind, fact.old) for fact in found]
    [('number', '12'), ('bounded number', '12'), ('spelled number', '12'), ('date', 'in 1999'), ('ordinal', 'second')]
    """
    facts = [fact for finder in _FINDERS for fact in finder(sentence, rng, names, pools)]
    facts = [fact for fact in facts if fact.old != fact.new and not denied(sentence, fact.start)]
    some = only_some(sentence) if facts else len(sentence)
    return [fact for fact in facts if fact.start < some or fact.kind == "quantifier"]
