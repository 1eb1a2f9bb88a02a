"""`aver.extract`: claims of both sides, checked against both versions, with the title for the pronoun."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aver
from aver import InputError, Label
from aver.models import Judge
from aver.models._judge import named
from aver.results import Judgement
from aver.revisions import Edit, extract, extract_edits
from aver.revisions._extract_claims import candidates, self_contained


class WordJudge(Judge):
    """Supports a claim all of whose words the evidence holds (capitalised ones aside), refutes the others."""

    name = "words"
    model = "words@000000000000"

    def judge(self, pairs: Iterable[tuple[str, str]], *, batch_tokens: int = 1024) -> list[Judgement]:
        return [self._one(claim, evidence) for claim, evidence in pairs]

    def _one(self, claim: str, evidence: str) -> Judgement:
        wanted = {w for w in claim.split() if not w[0].isupper()}
        row = [0.9, 0.05, 0.05] if wanted <= set(evidence.split()) else [0.05, 0.9, 0.05]
        label, probabilities = named(np.array(row))
        return Judgement(label, probabilities, 1.0, "scored", self.model, windows=1)


def test_the_two_sides_mirror_each_other() -> None:
    found = extract("It sold 12 copies .", "It sold 30 copies .", title="Ode", judge=WordJudge())
    back = extract("It sold 30 copies .", "It sold 12 copies .", title="Ode", judge=WordJudge())
    assert [c.text for c in found.gained] == ["Ode sold 30 copies ."] == [c.text for c in back.lost]
    assert [c.text for c in found.lost] == ["Ode sold 12 copies ."] == [c.text for c in back.gained]
    assert found.edit == "Ode: It sold{*| 12 -> 30 |}copies ."
    assert found.status == "scored"


def test_every_claim_is_borne_out_by_one_version_and_not_by_the_other() -> None:
    before = "It has 12 rooms in Rome and opened on 3 May 1990 under Ilse Marten ."
    after = "It has 40 rooms in Oslo and opened on 9 May 1991 under Jon Ahlberg ."
    found = extract(before, after, title="Arle Hotel", judge=WordJudge())
    assert found.gained
    assert found.lost
    for claim in found.gained:
        assert (claim.after.label, claim.before.label) == (Label.SUPPORTS, Label.REFUTES)
    for claim in found.lost:
        assert (claim.before.label, claim.after.label) == (Label.SUPPORTS, Label.REFUTES)
    assert len({claim.text for claim in found.gained}) == len(found.gained)


def test_times_of_the_day_are_compared_whatever_their_form() -> None:
    found = extract("It began at 3 pm .", "It began at 15:00 .", judge=WordJudge())
    assert (found.status, found.gained, found.lost) == ("no_claims", (), ())
    assert "a time of the day is written otherwise" in found.reason
    found = extract("It ended at 21:10 .", "It ended at 10 pm .", judge=WordJudge())
    assert [claim.text for claim in found.gained] == ["It ended at 10 pm ."]
    assert [claim.text for claim in found.lost] == ["It ended at 21:10 ."]
    found = extract("It began at 3 pm in rain .", "It began at 15:00 in snow .", judge=WordJudge())
    assert [claim.text for claim in found.gained] == ["It began at 15:00 in snow ."]


@pytest.mark.parametrize(
    ("before", "after", "title", "gained", "lost"),
    [
        (
            "Life Is Peachy is the first studio album by Korn , released on October 15 , 1996 .",
            "Life Is Peachy is the second studio album by Korn , released on October 15 , 1996 .",
            "Life Is Peachy", "second", "first",
        ),
        ("He played for Hull City until 2009.", "He played for Derby County until 2009.", "Ray Dunn", "Derby", "Hull"),
    ],
)  # fmt: skip
def test_with_the_shipped_judge(before: str, after: str, title: str, gained: str, lost: str) -> None:
    found = aver.extract(before, after, title=title)
    assert gained in found.gained[0].text
    assert lost in found.lost[0].text
    assert found.gained[0].text.startswith(title)
    assert found.gained[0].after.label is Label.SUPPORTS
    assert found.gained[0].before.label is not Label.SUPPORTS
    assert "@" in found.model
    assert found.as_dict()["prediction"] == found.gained[0].text


def test_the_same_text_twice_has_no_claims_and_says_so() -> None:
    found = extract("It is old .", "It is old .", judge=WordJudge())
    assert (found.status, found.gained, found.lost) == ("no_claims", (), ())
    assert "the same" in found.reason


def test_an_edit_the_judge_does_not_see_has_no_claims() -> None:
    found = extract("now the town is old , they say .", "they say , now the town is old .", judge=WordJudge())
    assert found.status == "no_claims"
    assert "judge" in found.reason


def test_many_edits_give_what_each_gives_alone() -> None:
    edits = [
        Edit("It sold 12 copies .", "It sold 30 copies .", "Ode"),
        Edit("It is old .", "It is old .", None),
        Edit("She won in May .", "She won in June .", "Ilse Marten"),
    ]
    alone = [extract(e.before, e.after, title=e.title, judge=WordJudge()) for e in edits]
    assert extract_edits(edits, judge=WordJudge()) == alone


@pytest.mark.parametrize(
    ("sentence", "title", "said"),
    [
        ("He left in 1990 .", "Ray Dunn", "Ray Dunn left in 1990 ."),
        ("Its span is long.", "Arle Bridge", "Arle Bridge's span is long."),
        ("His son left .", "Ray Dunn", "Ray Dunn 's son left ."),
        ("In 1990 , it was sold .", "Arle_Bridge", "In 1990 , Arle Bridge was sold ."),
        ("The film was shot in Rome .", "Ghost (1990 film)", "Ghost was shot in Rome ."),
        ("The band left .", "Ghost (1990 film)", "The band left ."),
        ("It is said that he left .", "Ray Dunn", "It is said that he left ."),
        ("It remains unclear whether he left .", "Ray Dunn", "It remains unclear whether he left ."),
        ("As he turned , it fell .", "Arle Bridge", "As he turned , it fell ."),
        ("They met in Rome .", "Ghost (1990 film)", "They met in Rome ."),
        ("They met in Rome .", "The Beatles", "The Beatles met in Rome ."),
        ("He left .", None, "He left ."),
        ("Ray Dunn left .", "Ray Dunn", "Ray Dunn left ."),
    ],
)
def test_the_title_stands_for_what_refers_to_it(sentence: str, title: str | None, said: str) -> None:
    assert self_contained(sentence, title) == said


def test_a_figure_may_be_said_by_a_bound_between_the_two() -> None:
    found = candidates("It has 349 rooms .", "It has 444 rooms .", "Hotel Arle")
    assert "Hotel Arle has more than 400 rooms ." in [c.text for c in found if c.kind == "bound"]
    dated = candidates("It closed on 30 April 2020 .", "It closed on 10 April 2020 .", "Hotel Arle")
    assert not [c for c in dated if c.kind == "bound"]


@settings(deadline=None)
@given(
    st.lists(st.sampled_from("It was sold in 12 30 Rome ( ) , . and who 1990 not".split()), min_size=1, max_size=14),
    st.lists(st.sampled_from("It was sold in 12 30 Rome ( ) , . and who 1990 not".split()), min_size=1, max_size=14),
)
def test_no_pair_of_versions_breaks_it(before: list[str], after: list[str]) -> None:
    old, new = "It " + " ".join(before), "It " + " ".join(after)
    found = extract(old, new, title="Ode", judge=WordJudge())
    assert found.status in ("scored", "no_claims")
    assert (found.status == "scored") == bool(found.gained or found.lost)
    assert found.reason or (found.gained and found.lost)


def test_everything_that_is_wrong_is_told_at_once() -> None:
    with pytest.raises(InputError) as caught:
        extract("", "x" * 6000, judge=WordJudge())
    assert len(caught.value.problems) == 2
    assert "split the texts" in str(caught.value)
    with pytest.raises(InputError, match="after is missing"):
        extract("It is old .", None, judge=WordJudge())  # type: ignore[arg-type]
    with pytest.raises(InputError, match="has no words"):
        extract("...", "It is old .", judge=WordJudge())
