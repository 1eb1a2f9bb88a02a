"""Pronouns behind what joins a sentence to the one before, and inside quotations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aver.verify import find_claims, named_subject, resolve
from aver.verify._pronouns import begins_with_pronoun

SUBJECTS = ["The Smiths", "Mary Smith", "The Arle Bridge"]


@pytest.mark.parametrize(
    ("sentence", "resolved"),
    [
        ("But it closed in 1999.", "But the Arle Bridge closed in 1999."),
        ("Then they left.", "Then the Smiths left."),
        ("In 1995, she moved to Leeds.", "In 1995, Mary Smith moved to Leeds."),
        ("And then, in 1995 she moved.", "And then, in 1995 Mary Smith moved."),
        ("In 1995, however, her house burnt.", "In 1995, however, Mary Smith's house burnt."),
        ("On May 5, 1995, she moved.", "On May 5, 1995, Mary Smith moved."),
        ("Two years later she moved.", "Two years later Mary Smith moved."),
        ("However, it closed.", "However, the Arle Bridge closed."),
        ("So it closed.", "So the Arle Bridge closed."),
        ("a) It is 20 m deep.", "The Arle Bridge is 20 m deep."),
        ("(ii) But it is long.", "But the Arle Bridge is long."),
        ('She called it "the bridge of 1931".', 'Mary Smith called it "the bridge of 1931".'),
        ('It is 6" wide.', 'The Arle Bridge is 6" wide.'),
        ('She said: "It is great.', 'Mary Smith said: "It is great.'),
    ],
)
def test_a_pronoun_behind_a_lead_is_replaced(sentence: str, resolved: str) -> None:
    found = resolve(sentence, SUBJECTS)
    assert found is not None
    assert found.text == resolved


@pytest.mark.parametrize(
    "sentence",
    [
        '"She is great", he said.',
        "“She is great”, he said.",
        "'She is great', he said.",
        "`` She is great '' , he said .",
        'She is great", he said.',
        "She is great,” he said.",
        "But it is said that it sways.",
        "Then it rained.",
        "In 1999, it was clear that it swayed.",
        "However she tried, she failed.",
        "After Mary Jones left, she moved.",
        "May she live long.",
        "That it closed is known.",
        "In 1995, 12 people died.",
    ],
)
def test_what_is_quoted_or_may_mean_another_is_left_alone(sentence: str) -> None:
    assert resolve(sentence, SUBJECTS) is None


@pytest.mark.parametrize(
    ("sentence", "subject"),
    [
        ("But Mary Smith won in 1999.", "Mary Smith"),
        ("But it closed in 1999.", None),
        ("In 1995 Mary Smith moved.", "Mary Smith"),
        ("In the 1990s the bridge fell.", "the bridge"),
        ("In 1995, however, Mary Smith moved.", "Mary Smith"),
        ("So Solid Crew was founded in 1998.", "So Solid Crew"),
        ("May Smith was a singer.", "May Smith"),
        ("1984 is a novel.", "1984"),
        ("According to its director, the Arle Museum is closed.", "the Arle Museum"),
        ("According to Mary Smith, it is closed.", None),
        ("Built in 1931, the Arle Bridge is old.", "the Arle Bridge"),
        ("Born in Leeds, Mary Smith moved to Arle.", "Mary Smith"),
        ("Set in Leeds, the film won a prize.", "the film"),
        ("Despite the rain, the Arle Fair opened.", "the Arle Fair"),
        ("Unlike Arle, Brook has a church.", "Brook"),
        ("When Mary Smith died, the firm closed.", "the firm"),
        ("When the mill closed Mary left.", None),
        ("To win, Arle United needed a goal.", "Arle United"),
        ("On May 5, 1931, the Arle Bridge opened.", "the Arle Bridge"),
        ("In 1931, according to Mary Smith, the Arle Bridge opened.", "the Arle Bridge"),
        ("To Kill a Mockingbird is a novel.", "To Kill a Mockingbird"),
        ("Made in Chelsea is a show.", "Made in Chelsea"),
        ("Reading is a town.", "Reading"),
        ("Correction: Because of an error, the year was wrong.", None),
        ("Correction (8 June): It was 12 m long.", None),
        ("“Never again,” she said.", None),
        ("“Never again,” said Mary Smith, who runs it.", "Mary Smith"),
        ('"We won!" Dr. A. B. Clarke said.', None),
        ('"We won!" Dr. Ann Clarke said on Monday.', "Dr. Ann Clarke"),
        ("“It has gone up,” said the mayor.", None),
        ('"Stop!" she cried.', None),
        ("“The Rose” was a song.", "The Rose"),
        ("Yahoo! was founded in 1994.", "Yahoo"),
        ("The Lady Una carries up to 120 people.", "The Lady Una"),
        ("The hall seats 300 people.", "The hall"),
        ("Arle United beat Brook 3-2.", "Arle United"),
        ("The members of the council voted.", "The members of the council"),
        ("The council consists of 12 members.", "The council"),
    ],
)
def test_what_joins_two_sentences_is_no_part_of_a_subject(sentence: str, subject: str | None) -> None:
    assert named_subject(sentence) == subject


def test_a_quotation_keeps_its_marks() -> None:
    found = find_claims('Mary Smith was elected mayor in 2001. "She is great", he said. But in 2005 she lost.')
    assert [c.statement for c in found[1:]] == ['"She is great", he said.', "But in 2005 Mary Smith lost."]
    assert (found[2].pronoun, found[2].subject) == ("she", "Mary Smith")


def test_that_a_sentence_begins_with_a_pronoun_is_told() -> None:
    assert all(map(begins_with_pronoun, ("It closed.", "But it closed.", "In 1995, her house burnt.", "a) It is red.")))
    assert not any(
        map(begins_with_pronoun, ("But Ada left.", "In 1995, Ada left.", "May it last.", "After it, Ada left."))
    )


@given(st.lists(st.sampled_from(["in ", "the ", "1995 ", ", ", "But ", "it ", "a) ", '"', "”", "later ", "May ", "x"])))
def test_nothing_but_the_pronoun_and_the_mark_is_lost(parts: list[str]) -> None:
    sentence = "".join(parts)
    found = resolve(sentence, ["Ada Smith"])
    if found is not None:
        assert sentence.endswith(found.text.partition("Ada Smith")[2])


def statements(text: str) -> list[str]:
    return [c.statement for c in find_claims(text)]


def test_who_was_he_is_neither_she_nor_it_later() -> None:
    assert statements("Ann Lee sat down. Bob Day stood up. He ran 100 metres. She ran 5 km.")[2:] == [
        "Bob Day ran 100 metres.", "Ann Lee ran 5 km.",
    ]  # fmt: skip
    found = find_claims("Tom Tan, 45, lives in Leeds. He works for a bank. It pays him well.")
    assert found[1].statement == "Tom Tan works for a bank."
    assert found[2].reasons == ("ambiguous",)
    assert statements("Arle United won in 1991. It was founded in 1902. He left.")[1:] == [
        "Arle United was founded in 1902.", "He left.",
    ]  # fmt: skip


def test_a_title_tells_he_from_she() -> None:
    assert statements("Mrs. Lee was born in Arle. Mr. Day was born in Brook. She moved to Leeds.")[2] == (
        "Mrs. Lee moved to Leeds."
    )


def test_a_fragment_has_no_subject() -> None:
    assert statements("Ada Smith is a clerk.\n\nKey figures:\n• Profit: $1m\n\nShe earns £50,000.")[-1] == (
        "Ada Smith earns £50,000."
    )


def test_nothing_is_meant_that_stands_before_a_sentence_whose_subject_cannot_be_told() -> None:
    assert statements("The Arle Bridge fell. Despite this Arle grew. It is 5 km long.")[2] == "It is 5 km long."
    assert statements("The Arle Bridge fell. There were 12 arches. It was 5 km long.")[2] == (
        "The Arle Bridge was 5 km long."
    )
    assert resolve("It is long.", ["The Arle Bridge", ""]) is None


def test_a_preposition_begins_a_name_in_capitals_alone() -> None:
    assert named_subject("On the Road is a novel.") == "On the Road"
    assert named_subject("With the exception of tennis (in May) all games were held.") is None


def test_a_name_may_be_spelled_like_a_verb() -> None:
    assert named_subject("The Rose was a song.") == "The Rose"


def test_the_number_of_an_item_is_no_part_of_a_subject() -> None:
    assert statements("1. The mill closed. 2. The dam broke. It was new.")[2] == "The dam was new."
    assert statements("(1) The dam broke. (2) It was rebuilt.")[1] == "The dam was rebuilt."
