"""Sentences from templates: what is told from the other end, and in another unit."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict

from aver.labels import Label
from aver.text import compare_figures
from aver.text._compare import describe
from aver.train._templates import comparisons, measures

S, R, N = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO
ABOVE = ("over", "more than", "at least")
POOLS = {"person": ["Ada Birch", "Tom Hale", "Eve Moss"], "place": ["Rome", "Oslo", "Bari"]}


def test_every_claim_of_a_comparison_is_supported_and_open() -> None:
    labels = defaultdict(set)
    for told in comparisons(POOLS, random.Random(1), 400):
        labels[told.claim].add(told.label)
        assert told.claim.endswith(" .")
        assert told.evidence.endswith(" .")
    assert all({S, N} <= found for found in labels.values())
    assert sum(R in found for found in labels.values()) > 0.8 * len(labels)


_HEAVIER = re.compile(r"(Ada|Tom|Eve) is (?:[a-z]+ ){0,2}(heavier|lighter) than (Ada|Tom|Eve) \.$")


def test_the_other_end_says_the_same() -> None:
    seen: Counter[tuple[Label, bool]] = Counter()
    for told in comparisons({"person": ["Ada", "Tom", "Eve"]}, random.Random(2), 5_000):
        claim, evidence = (_HEAVIER.search(text) for text in (told.claim, told.evidence))
        if claim is not None and evidence is not None:
            one, two = ((m[1], m[3]) if m[2] == "heavier" else (m[3], m[1]) for m in (claim, evidence))
            wanted = S if one == two else R if one == two[::-1] else N
            assert told.label is wanted, told
            seen[wanted, claim[2] == evidence[2]] += 1
    assert len(seen) == 6


def test_measures_are_labelled_as_arithmetic_has_it() -> None:
    counts: Counter[Label] = Counter()
    for told in measures(random.Random(3), 600):
        counts[told.label] += 1
        relations = [describe(mark.mark) for mark in compare_figures(told.claim, told.evidence)[1]]
        bound = [word for word in (*ABOVE, "under", "less than", "at most") if word in told.claim]
        # rounded degrees are near, not always equal; "in" is no unit to the rule
        if told.label is N or "°" in told.claim or re.search(r"\d in\b", told.claim + told.evidence):
            continue
        above = any("above" in relation for relation in relations)
        if bound:
            wants_above = bound[0] in ABOVE
            assert (told.label is S) == (above == wants_above), told
        else:
            assert (told.label is S) == (relations == ["equal a"]), told
    assert counts[S] == counts[R] == counts[N] > 300


def test_the_same_seed_gives_the_same_rows() -> None:
    assert list(measures(random.Random(4), 50)) == list(measures(random.Random(4), 50))
    assert list(comparisons(POOLS, random.Random(4), 50)) == list(comparisons(POOLS, random.Random(4), 50))
