"""Claims made of a sentence with a hole in it: whose they are, where they are cut, and what is no sentence."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from aver.revisions._claims import SLOT, Subject, claim_about, fill


@pytest.mark.parametrize(
    ("template", "filler", "expected"),
    [
        (f"He is a {SLOT} actor .", "Italian", "He is an Italian actor ."),
        (f"He is an {SLOT} actor .", "Danish", "He is a Danish actor ."),
        (f"It is a {SLOT} .", "university", "It is a university ."),
        (f"It is a {SLOT} year plan .", "11", "It is an 11 year plan ."),
        (f"It is an {SLOT} year plan .", "12", "It is a 12 year plan ."),
        (f"An {SLOT} man .", "European", "A European man ."),
        (f"It was sold {SLOT} .", "", "It was sold ."),
        (f"{SLOT} it was sold .", "in 1999", "In 1999 it was sold ."),
    ],
)
def test_fill_mends_what_touches_the_slot(template: str, filler: str, expected: str) -> None:
    assert fill(template, filler) == expected


def claim(sentence: str, subject: Subject, **options: Any) -> set[str | None]:
    return {claim_about(sentence, subject, random.Random(seed), **options) for seed in range(40)}


def test_claims_name_their_subject_only_where_it_is_meant() -> None:
    film = Subject("Barnyard", "film", frozenset({"it", "its"}))
    assert claim(f"It made {SLOT} .", film) == {f"Barnyard made {SLOT} ."}
    assert claim(f"Its budget was {SLOT} .", film) == {f"Barnyard 's budget was {SLOT} ."}
    assert claim(f"He made {SLOT} .", film) == {None}
    assert claim(f"In 2006 , she made {SLOT} .", film) <= {None}
    assert claim(f"The band was paid {SLOT} .", film) == {f"The band was paid {SLOT} ."}
    assert claim(f"It made {SLOT}.", film) == {f"Barnyard made {SLOT}."}


def test_claims_keep_their_main_clause() -> None:
    town = Subject("Red Gap", "place", frozenset({"it", "its"}))
    for text in claim(f"The town of Red Gap , which was a mill from 1912 to {SLOT} , is nearby .", town):
        assert text is None or text.endswith("is nearby .")


def test_claims_keep_what_narrows_them_down() -> None:
    bridge = Subject("Old Bridge", None, frozenset({"it"}))
    assert claim(f"It is {SLOT} than any other bridge in the country .", bridge) == {
        f"Old Bridge is {SLOT} than any other bridge in the country ."
    }
    assert claim(f"In Europe , it is the {SLOT} bridge .", bridge, whole=True) == {
        f"In Europe , Old Bridge is the {SLOT} bridge ."
    }


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        (f"At 5,916 m , it is {SLOT} .", f"At 5,916 m , Old Bridge is {SLOT} ."),
        (f"In 2004, it {SLOT} the prize.", f"In 2004, Old Bridge {SLOT} the prize."),
        (f"Last year it {SLOT} the prize .", f"Last year Old Bridge {SLOT} the prize ."),
        (f"Open all year , it is {SLOT} long .", f"Open all year , Old Bridge is {SLOT} long ."),
        (f"As of 2010 , its height was {SLOT} .", f"As of 2010 , Old Bridge 's height was {SLOT} ."),
        (f"A friend of Ann , it was {SLOT} .", None),
        (f"With shops in Kent , Surrey and Essex , it is {SLOT} .", None),
    ],
)
def test_a_pronoun_after_a_lead_is_named(template: str, expected: str | None) -> None:
    assert claim(template, Subject("Old Bridge", None, frozenset({"it", "its"})), whole=True, slot_is_verb=True) == {
        expected
    }


@pytest.mark.parametrize(
    "template",
    [
        f"The team had a record of {SLOT} wins , 71 losses , and four ties .",
        f"The main crops were {SLOT} , barley , and oats .",
        f"The house is the {SLOT} , urban house of the city .",
        f"The season {SLOT} released on Season Two : Uncensored DVD .",
        f"The trick {SLOT} that , whenever he slept , she was sad .",
        f"It has {SLOT} offices of the Mission for Aid to Turkey .",
        f"The tree {SLOT} native to wet , tropical parts of Asia .",
    ],
)
def test_claims_are_not_cut_within_a_list_or_a_name(template: str) -> None:
    bridge = Subject("Old Bridge", None, frozenset({"it"}))
    verb = re.search(f"{SLOT} (?:that|released|native)", template) is not None
    for whole in claim(template, bridge, whole=True, slot_is_verb=verb):
        assert whole is None or whole == template.replace("It has", "Old Bridge has")


def test_claims_are_not_cut_within_a_name_when_shortened() -> None:
    team = Subject("Old Bridge", None, frozenset({"it"}))
    for text in claim(f"It was opened in {SLOT} as the Joint Mission for Aid to Turkey .", team):
        assert text is not None
        assert not text.endswith("Mission .")


@pytest.mark.parametrize(
    "template",
    [
        f"Prior to the word immunis , which {SLOT} Latin for exempt , doctors looked for organs .",
        f"It was set up in 1947 as the Joint Mission , and renamed the Joint {SLOT} Mission .",
    ],
)
def test_what_would_be_no_sentence_is_let_be(template: str) -> None:
    found = claim(template, Subject("Old Bridge", None, frozenset({"it"})), slot_is_verb="which" in template)
    assert not [text for text in found if text and ("looked" not in text)]


def test_a_participle_is_no_claim_without_its_clause() -> None:
    league = Subject("Old Bridge", None, frozenset({"it"}))
    assert claim(f"Founded and incorporated on {SLOT} , by Ann Lee , the firm was a pioneer .", league) <= {
        None, f"Founded and incorporated on {SLOT} , by Ann Lee , the firm was a pioneer ."
    }  # fmt: skip
    assert claim(f"Founded in 2010 , the league has {SLOT} teams .", league) == {
        f"Founded in 2010 , the league has {SLOT} teams ."
    }


def test_a_second_verb_keeps_its_voice() -> None:
    bridge = Subject("Old Bridge", None, frozenset({"it"}))
    assert claim(f"It was set up in 1947 , and reached {SLOT} .", bridge) == {f"Old Bridge reached {SLOT} ."}
    assert claim(f"It won the cup in 1947 , and received {SLOT} .", bridge) == {f"Old Bridge received {SLOT} ."}


def test_rewordings_fit_what_follows() -> None:
    film = Subject("Barnyard", "film", frozenset({"it", "its"}))
    assert not [t for t in claim(f"It was sold after starring in {SLOT} shows .", film) if t and " with in " in t]
    assert not [t for t in claim(f"It is old and employs methods of {SLOT} .", film) if t and " staff " in t]
    told = claim(f"It is old and employs {SLOT} people .", film)
    assert f"Barnyard is old and has a staff of {SLOT} people ." in told


def test_marks_of_notes_are_no_words() -> None:
    town = Subject("Red Gap", "place", frozenset({"it", "its"}))
    assert claim(f"[ a ] It has {SLOT} people [ update ] .", town) == {f"Red Gap has {SLOT} people ."}


def test_life_dates() -> None:
    person = Subject("Ann Lee", "person", frozenset({"she", "her"}))
    assert claim(f"Ann Lee ( born {SLOT} ) is a chemist .", person) == {f"Ann Lee was born {SLOT} ."}
    assert claim(f"Ann Lee ( {SLOT} - 3 May 1990 ) was a chemist .", person) == {f"Ann Lee was born {SLOT} ."}
    assert claim(f"Ann Lee (3 May 1920 – {SLOT}) was a chemist.", person) == {f"Ann Lee died {SLOT}."}
