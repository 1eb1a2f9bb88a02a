"""A text of several claims: pronouns that take the last subject, and claims that refute each other."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aver.models import Judge
from aver.models._judge import named
from aver.results import Judgement
from aver.verify import check_text, find_claims, find_contradictions, named_subject, resolve


class YearJudge(Judge):
    """Refutes where both texts have a year and they differ, supports where they are the same; for tests."""

    name = "years"
    model = "years@000000000000"

    def __init__(self) -> None:
        self.seen: list[tuple[str, str]] = []

    def judge(self, pairs: Iterable[tuple[str, str]], *, batch_tokens: int = 1024) -> list[Judgement]:
        import re

        import numpy as np

        found = []
        for claim, evidence in pairs:
            self.seen.append((claim, evidence))
            a, b = (set(re.findall(r"\b\d{4}\b", text)) for text in (claim, evidence))
            row = [0.02, 0.02, 0.96] if not a or not b else [0.96, 0.02, 0.02] if a & b else [0.02, 0.96, 0.02]
            label, probabilities = named(np.array(row))
            found.append(Judgement(label, probabilities, 1.0, "scored", self.model, 0.5, 1))
        return found


@pytest.mark.parametrize(
    ("sentence", "subject"),
    [
        ("The Analytical Engine was designed by Charles Babbage.", "The Analytical Engine"),
        ("Ada Lovelace, a daughter of Byron, wrote programmes.", "Ada Lovelace"),
        ("On 4 May 1931, the bridge opened.", "the bridge"),
        ("Tea grows in Asia.", "Tea"),
        ("There are two towers.", None),
        ("It was never built.", None),
        ("This is a test.", None),
        ("Polar bears live on sea ice in the far north of the whole wide world today.", None),
        ("", None),
        ("…", None),
    ],
)
def test_the_subject_is_what_stands_before_the_verb(sentence: str, subject: str | None) -> None:
    assert named_subject(sentence) == subject


@pytest.mark.parametrize(
    ("sentence", "resolved"),
    [
        ("It was never built.", "The Engine was never built."),
        ("Its mill was of brass.", "The Engine's mill was of brass."),
        ("She wrote about it.", "Ada Lovelace wrote about it."),
        ("She'd written it.", "Ada Lovelace'd written it."),
        ("They closed it.", None),
        ("It is said that it works.", None),
        ("It was raining.", None),
        ("It's raining.", None),
        ("Nothing was built.", None),
        ("He", None),
    ],
)
def test_a_pronoun_takes_the_last_subject_that_fits(sentence: str, resolved: str | None) -> None:
    found = resolve(sentence, ["Ada Lovelace", "The Engine"])
    assert (found and found.text) == resolved


@pytest.mark.parametrize(
    ("subjects", "taken"),
    [
        (["The number of inhabitants"], None),
        (["The towers of the bridge"], "The towers of the bridge"),
        (["A number of Swiss farmers"], "A number of Swiss farmers"),
        (["The people of Arle"], "The people of Arle"),
        (["The mayor of Arle and the council"], "The mayor of Arle and the council"),
        (["Ada and Byron", "The Ministry of Food and Agriculture"], "Ada and Byron"),
        (["The class of 1931"], None),
    ],
)
def test_a_plural_is_told_by_the_head_of_the_subject(subjects: list[str], taken: str | None) -> None:
    found = resolve("They are happy.", subjects)
    assert (found and found.subject) == taken
    told = find_claims("The number of inhabitants is 22,000. They are happy.")[1]
    assert (told.reasons, told.subject) == (("ambiguous",), "")


def test_the_record_says_what_was_replaced() -> None:
    text = "The Arle Bridge opened in 1931. It was closed in 1987. Is it safe? It should be kept."
    claims = find_claims(text)
    assert [text[c.start : c.end] for c in claims] == [c.text for c in claims]
    assert (claims[1].pronoun, claims[1].subject) == ("It", "The Arle Bridge")
    assert claims[1].verifiable
    assert claims[1].as_dict()["statement"] == "The Arle Bridge was closed in 1987."
    # resolved, and still an opinion: no longer ambiguous
    assert claims[3].reasons == ("opinion",)
    assert find_claims("It opened in 1931.")[0].reasons == ("ambiguous",)


@given(st.text(max_size=200))
def test_any_text_keeps_its_places(text: str) -> None:
    for claim in find_claims(text):
        assert text[claim.start : claim.end] == claim.text
        assert bool(claim.resolved) == bool(claim.pronoun) == bool(claim.subject)


def test_two_claims_that_refute_each_other_are_reported() -> None:
    judge = YearJudge()
    text = "The Arle Bridge opened in 1931. It has two towers. The Arle Bridge opened in 1945. Tea came in 1700."
    found = check_text(text, evidence="The Arle Bridge opened in 1931.", model=judge)
    assert [(c.first, c.second) for c in found.contradictions] == [(0, 2)]
    assert found.contradictions[0].figures == "“1931” and “1945”"
    assert found.as_dict()["contradictions"][0]["first"] == 0
    assert found.claims[1].verdict is not None
    assert any("“It” was read as “The Arle Bridge”" in note for note in found.claims[1].verdict.notes)
    assert judge.seen[0][0] == "The Arle Bridge opened in 1931."


def test_claims_about_other_things_are_not_read_against_each_other() -> None:
    judge = YearJudge()
    found = find_contradictions([(0, "The bridge opened in 1931."), (1, "Tea came to Europe about 1610.")], judge)
    assert (found.found, found.read, found.alike) == ((), 0, 0)
    assert judge.seen == []


def test_a_long_text_says_how_many_pairs_were_not_read() -> None:
    claims = [(n, f"The bridge of Arle opened in {1900 + n}.") for n in range(30)]
    found = find_contradictions(claims, YearJudge())
    assert found.alike == 30 * 29 // 2
    assert found.read == len(found.found) == 200
    assert find_contradictions(claims, YearJudge(), sure=0.99).found == ()
