"""Rows with several sentences about a claim's subject."""

from __future__ import annotations

import random

from aver.labels import Label
from aver.train._related import Claim, Subjects, bound, elsewhere, retrieved

PAGES = {
    "Mel B": (
        "Mel B is an English singer and television judge . She was born in Leeds to a welder . "
        "Her first solo single reached the top of the British charts in 1998 . She wrote a memoir with a journalist ."
    ),
    "Ada Palmer (historian)": (
        "Ada Palmer is an American historian of the Renaissance . Palmer teaches classes at a university in Chicago . "
        "Her novels have won several prizes among readers . She composes music for choirs ."
    ),
    "Leeds": "Leeds is a city . It has many parks .",
}
CLAIMS = [
    Claim("Mel B led the British charts in 1998.", Label.SUPPORTS, "Her solo single led British charts in 1998 ."),
    Claim("Ada Palmer composes marches.", Label.REFUTES, "She composes music for choirs , not marches ."),
]


def rows() -> list[tuple[Claim, list]]:  # type: ignore[type-arg]
    found = list(retrieved(CLAIMS, Subjects(PAGES), random.Random(1)))
    return [(claim, [row for row in found if row.claim == claim.text]) for claim in CLAIMS]


def test_the_deciding_sentence_stands_where_it_is_said_to_stand() -> None:
    for claim, found in rows():
        decided = [row for row in found if row.label is claim.label]
        assert len(decided) == 2
        for row in decided:
            assert row.evidence[row.gold_at :].startswith(claim.gold)


def test_what_is_left_without_it_says_nothing_of_the_claim() -> None:
    for claim, found in rows():
        silent = [row for row in found if row.label is Label.NOT_ENOUGH_INFO]
        assert silent
        for row in silent:
            assert row.gold_at == -1
            assert "1998" not in row.evidence
            assert "choirs" not in row.evidence
        if claim.label is Label.REFUTES:  # the sentence that defines a subject refutes much that is said of it
            assert not any("historian of the Renaissance" in row.evidence for row in silent)


def test_a_claim_is_told_of_another_subject_too() -> None:
    told = {row.claim for seed in range(5) for row in retrieved(CLAIMS, Subjects(PAGES), random.Random(seed))}
    assert {"Ada Palmer led the British charts in 1998.", "Mel B composes marches."} <= told


def test_edited_sentences_are_not_put_among_those_they_contradict() -> None:
    found = list(retrieved(CLAIMS, Subjects(PAGES), random.Random(1), edited=True))
    assert {row.label for row in found} == {Label.NOT_ENOUGH_INFO}


def test_a_subject_that_is_not_its_sentences_page_is_left_alone() -> None:
    assert Subjects(PAGES).of(Claim("Leeds lost a game.", Label.SUPPORTS, "The club was beaten three times .")) == []


def test_elsewhere_speaks_of_the_same_things() -> None:
    claims = [
        Claim("Masks reduce the spread of the virus.", Label.SUPPORTS, "Masks cut transmission by half ."),
        Claim("Vaccines prevent severe disease.", Label.SUPPORTS, "The virus causes severe illness in the old ."),
    ]
    found = list(elsewhere(claims, random.Random(0)))
    assert [row.label for row in found] == [Label.NOT_ENOUGH_INFO] * len(found)
    assert {(row.claim, row.evidence) for row in found} == {(claims[0].text, claims[1].gold)}


class TestBound:
    """What a claim says, said of something else."""

    PAGES = PAGES | {
        "Chart": "A chart lists the best selling records of a week .",
        "British": "British people live on an island in the north .",
    }

    def _rows(self) -> list[tuple[str, str, Label]]:
        found = [row for seed in range(20) for row in bound(CLAIMS, Subjects(self.PAGES), random.Random(seed))]
        return [(row.claim, row.evidence, row.label) for row in found]

    def test_a_verdict_needs_the_sentence_that_decides_and_its_own_subject(self) -> None:
        deciding = {claim.text: (claim.gold, claim.label) for claim in CLAIMS}
        rows = self._rows()
        assert {label for _, _, label in rows} == set(Label) - {Label.DISPUTED}
        for claim, evidence, label in rows:
            gold, wanted = deciding.get(claim, ("", Label.NOT_ENOUGH_INFO))
            assert label is (wanted if gold and gold in evidence else Label.NOT_ENOUGH_INFO), (claim, evidence)

    def test_the_sentence_that_decided_says_nothing_of_another(self) -> None:
        told = [(claim, evidence) for claim, evidence, _ in self._rows() if claim.startswith("Ada Palmer led")]
        assert told
        for _, evidence in told:
            assert "Mel B" in evidence
            assert CLAIMS[0].gold in evidence

    def test_pages_of_what_is_mentioned_come_without_the_subject(self) -> None:
        strange = Subjects(self.PAGES).beside(CLAIMS[0].text, "Mel B")
        assert ("British", "British people live on an island in the north .") in strange
        assert not any("Mel B" in sentence for _, sentence in strange)
        assert Subjects(self.PAGES).beside("It is the one.", "Nobody") == []

    def test_titles_stand_once(self) -> None:
        claims = [CLAIMS[0]._replace(gold="( Mel B ) " + CLAIMS[0].gold), CLAIMS[1]]
        rows = [row for seed in range(10) for row in bound(claims, Subjects(self.PAGES), random.Random(seed))]
        assert rows
        assert not any("Mel B ) ( Mel B" in row.evidence or "Mel B : ( Mel B" in row.evidence for row in rows)

    def test_one_subject_alone_is_told_of_no_other(self) -> None:
        pages = {"Mel B": "Mel B is a singer ."}
        claim = Claim("Mel B sings.", Label.SUPPORTS, "Mel B is a singer .")
        assert list(bound([claim], Subjects(pages), random.Random(1))) == []
