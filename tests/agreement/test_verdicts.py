"""Votes on a sentence, sentences on a claim."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aver import InputError, Label
from aver.agreement import claim_label, micro_verdict

S, R, N, D = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO, Label.DISPUTED
THREE = st.sampled_from([S, R, N])


@pytest.mark.parametrize(
    ("votes", "verdict"),
    [
        ([S, S, R], S),
        ([S, R], N),
        ([S, S, R, R, N], N),
        ([S, S, R, N], S),  # a plurality, no majority
        ([None, R, R, None, None], R),
        ([N, N, S], N),
        ([], N),
        ([None, None], N),
        (["supported", "SUPPORTS", "REFUTES"], S),
        (["SUPPORTS", S, R, "refuted", R], R),
    ],
)
def test_micro_verdict(votes: list[Label | str | None], verdict: Label) -> None:
    assert micro_verdict(votes) is verdict


def test_a_vote_nobody_knows_is_an_error() -> None:
    with pytest.raises(InputError, match="unknown label 'maybe'"):
        micro_verdict(["SUPPORTS", "maybe"])


@given(st.lists(THREE, max_size=9))
def test_the_order_of_votes_does_not_matter(votes: list[Label]) -> None:
    assert micro_verdict(votes) is micro_verdict(sorted(votes)) is micro_verdict([None, *reversed(votes)])


@given(st.lists(THREE, min_size=1, max_size=9))
def test_a_winner_that_is_not_nei_beats_every_other(votes: list[Label]) -> None:
    verdict, counts = micro_verdict(votes), Counter(votes)
    if verdict is not N:
        assert all(counts[verdict] > count for label, count in counts.items() if label is not verdict)


def test_claim_label_over_every_set_of_verdicts() -> None:
    for size in range(5):
        for verdicts in itertools.product([S, R, N], repeat=size):
            label = claim_label(verdicts)
            expected = {(True, True): D, (True, False): S, (False, True): R, (False, False): N}
            assert label is expected[S in verdicts, R in verdicts]


def test_a_disputed_sentence_makes_a_disputed_claim() -> None:
    assert claim_label(["supports", "mixed"]) is D
