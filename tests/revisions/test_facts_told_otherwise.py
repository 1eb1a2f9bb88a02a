"""Facts told in other measures, words and orders, what an edit of them does not decide, and what changes along."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from aver.labels import Label
from aver.revisions._facts import Fact, find_facts

S, R, N = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO
SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()


def facts(sentence: str, kind: str, times: int = 150) -> Iterator[Fact]:
    for seed in range(times):
        yield from (f for f in find_facts(sentence, random.Random(seed), {}, {}) if f.kind == kind)


# --- measures, spelled numbers, the clock ---

METRES = {"metres": 1, "m": 1, "kilometres": 1000, "km": 1000, "centimetres": 0.01, "cm": 0.01, "millimetres": 0.001,
          "mm": 0.001, "miles": 1609.344, "mi": 1609.344, "feet": 0.3048, "ft": 0.3048, "inches": 0.0254, "in": 0.0254,
          "yards": 0.9144, "yd": 0.9144}  # fmt: skip
HOURS = {"minutes": 1 / 60, "seconds": 1 / 3600, "hours": 1, "days": 24, "weeks": 168}


def measure(text: str) -> float:
    """In the first unit of its dimension; what stands in brackets says the same again."""
    text = re.sub(r" ?\(.*", "", text)
    digits = re.search(r"\d[\d,]*(?:\.\d+)?", text)
    spelled = [SMALL.index(word) for word in text.lower().split() if word in SMALL]
    value = float(digits[0].replace(",", "")) if digits else float(spelled[0])
    unit = text.split()[-1]
    if unit in ("°C", "°F"):
        return (value * (-1 if "-" in text else 1) - 32) / 1.8 if unit == "°F" else value * (-1 if "-" in text else 1)
    return value * {**METRES, **HOURS}[unit]


@pytest.mark.parametrize(
    "sentence",
    ["The river is 5 km long .", "It lies 97 kilometres ( 60 mi ) north of Rome .", "The hall is 26.2 miles away .",
     "The festival lasts two weeks in May .", "The race lasted 120 minutes in all .", "It reached 30 °C in July ."],
)  # fmt: skip
def test_measures(sentence: str) -> None:
    units, changed = set(), set()
    for fact in facts(sentence, "unit", 200):
        changed.add(re.sub(r"\(.*|[\d.,]", "", fact.new).strip())
        for filler in fact.fillers:
            units.add(filler.text.split()[-1])
            for evidence, label in ((fact.old, filler.under_old), (fact.new, filler.under_new)):
                said, meant = measure(filler.text), measure(evidence)
                near = abs(said - meant) <= (0.6 if "°" in evidence else 0.011 * meant)
                assert label == (S if near else R), (filler, evidence)
    assert len(units) > 1
    assert len(changed) > 1


def test_measures_that_say_which_or_may_be_money_are_let_be() -> None:
    for sentence in (
        "He won the 100 m final in May .", "She paid 300 pounds for the old car .", "He was 12 years old at the time .",
        "The earth warmed by 2 °C in a century .", "It is 6 feet 2 inches tall in all .",
    ):  # fmt: skip
        assert not list(facts(sentence, "unit", 40)), sentence


SPELLED = {
    "25": "twenty-five", "105": "one hundred and five", "12": "a dozen", "2 million": "2,000,000", "a third of": "33",
    "half of": "50", "25 % of": "a quarter", "nine": "9",
}  # fmt: skip


@pytest.mark.parametrize(("written", "otherwise"), SPELLED.items())
def test_numbers_in_another_dress(written: str, otherwise: str) -> None:
    found = [
        f
        for fact in facts(
            f"She sold {written} the hats ." if " of" in written else f"She sold {written} hats .", "spelled number"
        )
        for f in fact.fillers
    ]
    assert any(otherwise in f.text for f in found if f.under_old == S)
    assert {(f.under_old, f.under_new) for f in found} == {(S, R), (R, S)}
    assert not [f for f in found if f.text == written]


@pytest.mark.parametrize(
    ("written", "otherwise"), [("3 pm", "15:00"), ("7:30 p.m.", "19:30"), ("8am", "08:00"), ("15:00", "3 p")]
)
def test_the_clock(written: str, otherwise: str) -> None:
    found = [f for fact in facts(f"The show starts at {written} on Mondays .", "clock") for f in fact.fillers]
    assert all(f.text.startswith(otherwise) for f in found if f.under_old == S)
    assert {(f.under_old, f.under_new) for f in found} == {(S, R), (R, S)}
    for ambiguous in ("11 am", "9:15", "12:00"):
        assert not list(facts(f"The show starts at {ambiguous} on Mondays .", "clock"))


# --- roles, exchanges, converses, hedges, quantifiers ---


def claims(sentence: str, kind: str) -> set[tuple[str, str, Label | None, Label | None]]:
    return {
        (fact.new, f.text, f.under_old, f.under_new)
        for fact in facts(sentence, kind, 60)
        for f in (*fact.fillers, *(f for told in fact.sets for f in told))
    }


def test_roles_in_both_voices_and_by_pronoun() -> None:
    found = claims("He defeated Ann Lee in the final .", "roles")
    assert found == {
        ("Ann Lee defeated him", "\ue001 defeated Ann Lee", S, R),
        ("Ann Lee defeated him", "Ann Lee defeated \ue001", R, S),
        ("Ann Lee defeated him", "Ann Lee was defeated by \ue001", S, R),
        ("Ann Lee defeated him", "\ue001 was defeated by Ann Lee", R, S),
    }  # fmt: skip
    (new,) = {new for new, *_ in claims("Lionhead was acquired by Sony in 2006 .", "roles")}
    assert new == "Sony was acquired by Lionhead"
    assert not claims("Sony acquired Lionhead shares in May .", "roles")
    names, pools = {"Ann Lee": "person"}, {"person": ["Bob Ray"]}
    found_here = find_facts("It was written by Ann Lee .", random.Random(1), names, pools)
    (fact,) = [fact for fact in found_here if fact.kind == "roles"]
    assert (fact.new, fact.pronoun) == ("It was written by Bob Ray", "It")
    assert ("Ann Lee wrote \ue001", S, R) in {(f.text, f.under_old, f.under_new) for f in fact.fillers}


@pytest.mark.parametrize(
    ("sentence", "new", "claim"),
    [
        ("The club moved from Rome to Turin in 1990 .", "from Turin to Rome", "to Turin from Rome"),
        ("He was born in Rome and died in Turin .", "was born in Turin and died in Rome", "died in Turin"),
        ("It made $ 5m in 2019 and $ 9m in 2020 .", "in 2020 and $ 9m in 2019", "in 2019"),
        ("She scored 12 goals and 5 assists .", "5 goals and 12 assists", "more goals than assists"),
        ("He has two sons and three daughters .", "three sons and two daughters", "more daughters than sons"),
    ],
)
def test_exchanges(sentence: str, new: str, claim: str) -> None:
    found = claims(sentence, "exchange")
    assert {row[0] for row in found} == {new}
    assert (new, claim, S, R) in found
    assert {row[2:] for row in found} == {(S, R), (R, S)}


@pytest.mark.parametrize(
    ("sentence", "new", "same", "other"),
    [
        ("Rome is larger than Turin .", "Rome is smaller than Turin", "Turin is smaller than Rome",
         "Turin is larger than Rome"),
        ("It lies 5 km north of Turin .", "It lies 5 km south of Turin", "Turin lies 5 km south of \ue001",
         "Turin lies 5 km north of \ue001"),
        ("He was the son of Ann Lee .", "He was the father of Ann Lee", "Ann Lee was a parent of \ue001",
         "Ann Lee was a child of \ue001"),
        ("Rome is the capital of Italy .", "Italy is the capital of Rome", "The capital of Italy is Rome",
         "The capital of Rome is Italy"),
    ],
)  # fmt: skip
def test_converses(sentence: str, new: str, same: str, other: str) -> None:
    assert claims(sentence, "converse") == {(new, same, S, R), (new, other, R, S)}


def test_hedges_leave_the_bare_claim_open() -> None:
    found = claims("Ann Lee joined the club in May .", "hedge")
    assert {row[1:] for row in found if row[0] == "may have joined"} == {
        ("joined", S, N), ("did not join", R, N), ("might have joined", None, S), ("cannot have joined", None, R),
    }  # fmt: skip
    assert {row[1:] for row in found if row[0] == "cannot have joined"} == {
        ("joined", S, R), ("did not join", R, S), ("might have joined", None, R), ("cannot have joined", None, S),
    }  # fmt: skip
    assert {row[1:] for row in found if row[0] == "did not plan to join"} == {
        ("joined", S, N), ("did not join", R, N), ("planned to join", None, R), ("did not plan to join", None, S),
    }  # fmt: skip
    assert {row[1:] for row in claims("It is believed to have been sold .", "hedge") if row[0] == "was"} == {
        ("was", N, S), ("was not", N, R),
        ("is thought to have been", S, None), ("is not thought to have been", R, None),
    }  # fmt: skip
    assert not claims("It is a town in the south .", "hedge")


def test_quantifiers() -> None:
    found = claims("All songs were written by the band .", "quantifier")
    assert found == {
        ("No", "All", S, R), ("No", "No", R, S), ("No", "Some", S, R), ("No", "Not all", R, S),
        ("Some", "All", S, N), ("Some", "Not all", R, None), ("Some", "Some", None, S), ("Some", "No", None, R),
    }  # fmt: skip
    found = claims("Most of the songs were written by the band .", "quantifier")
    assert {row[1:] for row in found if row[1].startswith("All")} == {("All of", None, S), ("All of", None, R)}
    assert {row[1:] for row in claims("He won some of his matches .", "quantifier")} >= {
        ("none of", R, S),
        ("all of", N, S),
    }
    assert not claims("Some were happy , others were not .", "quantifier")


def test_names_are_exchanged_within_their_kind() -> None:
    names = {"Ann Lee": "person", "Bob Ray": "person", "Zed Co": "company"}
    pools = {"person": ["Ann Lee", "Bob Ray"], "company": ["Zed Co"]}
    found = find_facts("It was written by Ann Lee .", random.Random(4), names, pools)
    named = [fact for fact in found if fact.kind == "entity"]
    assert {fact.new for fact in named} <= {"by Bob Ray"}
    assert all(fact.vague == "" for fact in named)


# --- what an edit does not decide, and what has to change along ---


@pytest.mark.parametrize(
    "subject",
    ["Half of the workers", "About half of the workers", "50 % of the workers", "About 50% of the workers",
     "Some of the workers", "Several workers", "Many workers", "A few of them", "A number of workers",
     "One of the workers", "Certain workers", "Part of the group", "Large parts of the group", "At least 14 people",
     "All workers", "Every worker", "Both workers", "Twelve workers", "In 1990 , many of the workers"],
)  # fmt: skip
def test_what_some_are_not_others_may_be(subject: str) -> None:
    """Half are not women where half are."""
    sentence = f"{subject} were women in the north ."
    assert not [f for kind in ("negation", "hedge", "step") for f in facts(sentence, kind, 20)]


@pytest.mark.parametrize("subject", ["The workers", "Most of the workers", "Ann Lee", "Apollo 11", "In 1990 , they"])
def test_what_all_or_most_are_can_be_denied(subject: str) -> None:
    assert {f.new for f in facts(f"{subject} was in the north .", "negation", 20)} == {"was not"}


def test_some_in_one_place_leave_others_for_another() -> None:
    assert not list(facts("Some of the workers were born in Rome .", "entity", 20))
    assert not list(facts("He left , and many of his sons were born in Rome .", "entity", 20))
    assert list(facts("Some of the workers were born in Rome .", "quantifier", 20))
    for repeated in ("The film was released in Italy .", "The song was sold in Rome ."):
        assert not list(facts(repeated, "entity", 20))


@pytest.mark.parametrize("kind", ["number", "bounded number", "spelled number", "unit"])
@pytest.mark.parametrize("how", ["", "about ", "more than "])
def test_a_conversion_changes_along(kind: str, how: str) -> None:
    for fact in facts(f"It is {how}50 km (31 mi) north of Leeds.", kind, 80):
        told, again = (measure(part) for part in re.findall(r"[\d.,]+ \w+", fact.new))
        assert abs(told - again) <= max(0.05 * told, 810), fact.new  # the second is in whole miles
        assert not [f for f in (*fact.fillers, *(f for told in fact.sets for f in told)) if "(" in f.text]


def test_what_cannot_change_along_is_let_be() -> None:
    for kind in ("number", "bounded number", "spelled number", "unit"):
        assert not list(facts("He is 2.03 m (6 ft 8 in) tall in all.", kind, 20))
    euros = [f.new for f in facts("Damage was put at €50 million ($60 million).", "number", 40)]
    assert euros
    assert all(re.fullmatch(r"€[\d,]+ million \(\$[\d,]+ million\)", new) for new in euros)
    assert not [new for new in euros if "$60 " in new]


@pytest.mark.parametrize("share", ["half", "a third", "two thirds", "one quarter"])
def test_about_is_said_once(share: str) -> None:
    told = {f.text for fact in facts(f"About {share} of the workers left.", "spelled number") for f in fact.fillers}
    assert told
    assert not [text for text in told if text.startswith("about")]


def test_no_cue_stands_twice_after_at() -> None:
    for kind in ("number", "bounded number"):
        found = claims("At 5,916 m, it is the second peak of the region.", kind)
        assert found
        assert not [row for row in found if row[0].startswith(("at ", "under")) or row[1].startswith(("at ", "under"))]


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("A lot of the fish died within two weeks .", "unit"),  # and within six
        ("The fish died within 12 weeks .", "number"),
        ("Kick-off is at 7.45 p.m. on Saturdays .", "number"),
        ("He was champion in the 20 kilometres five times .", "unit"),
        ("The party [ note 12 ] is the only one here .", "number"),
        ("The town lies 391m above sea level .", "spelled number"),
        ("He surpassed a three point total in May .", "bounded number"),
        ("The house , at 504 W. Main Avenue , was sold .", "spelled number"),
        ("He was elected as a Republican to the senate .", "entity"),
        ("It was built by the company between 1868 and 1872 .", "date"),  # and between 1868 and 1880
        ("The game is a franchise [ a ] created by Ann Lee .", "hedge"),
        ("He is also a member of the club .", "negation"),
        ("Brazil defeated Sweden 3–1 in the final .", "step"),
        ("The hill was created by an eruption .", "step"),
        ("He joined the club as a boy .", "comparative"),  # and left it later
        ("He is an American football player .", "entity"),
        ("They are the church , the mill and some of the old houses .", "quantifier"),
        ("Ann Lee is shorter than Bob Ray .", "converse"),  # longer, or taller?
        ("Ann Lee was the mother of Bob Ray , Jr .", "converse"),
        ("It is the highest level of play in the country .", "word"),
        ("It is a port on the Sbu river in the north .", "word"),
        ("They spent the first 25 years of it in Rome .", "ordinal"),
        ("She is better known for her songs .", "comparative"),
        ("He is widely accepted to have written it .", "comparative"),
        ("It was successful enough to be made twice .", "comparative"),
        ("It is a school of higher education in Rome .", "comparative"),
        ("Kerry narrowly won the last game of the year .", "hedge"),
        ("Several attempts were made to sell the ship .", "quantifier"),
        ("Ray founded Apex Times , a magazine in Rome .", "roles"),
        ("It replaced the Welsh Cup , which began in 1980 .", "roles"),
        ("The coaches are Ann Lee in 2002 , and Bob Ray in 2010 .", "exchange"),
        ("The match was halted before 4 p.m. on Sunday .", "clock"),  # and before 7
        ("A dam was built in 1956 , which raised the water .", "step"),
        ("The film was directed by Ann Lee , who scripted it .", "relation"),
        ("It has two hit songs : Rome and Paris .", "number"),
        ("They won by three games to two in the final .", "number"),
        ("They won by three games to two in the final .", "bounded number"),
        ("He completed 10 out of 11 starts in May .", "number"),
    ],
)
def test_what_does_not_decide_is_let_be(sentence: str, kind: str) -> None:
    assert not list(facts(sentence, kind, 40))


def test_a_name_leaves_the_full_stop_to_the_sentence() -> None:
    assert claims("It is 5 km north of Leeds.", "converse") == {
        ("It is 5 km south of Leeds", "Leeds is 5 km south of \ue001", S, R),
        ("It is 5 km south of Leeds", "Leeds is 5 km north of \ue001", R, S),
    }
    (new,) = {new for new, *_ in claims("In 2006, Apex Ltd. acquired A. B. Zenith Inc. for $5m.", "roles")}
    assert new == "A. B. Zenith Inc. acquired Apex Ltd."
    (told,) = {row[1] for row in claims("The Falls are west of Turin .", "converse") if row[2] == S}
    assert told == "Turin is east of the Falls"
    assert {row[0] for row in claims("Rome is smaller than Turin .", "converse")} == {"Rome is larger than Turin"}


def test_the_clock_keeps_its_dress() -> None:
    assert all("." in f.new and ":" not in f.new for f in facts("It starts at 7.45 p.m. on Mondays.", "clock"))


def test_a_glued_time_of_day_gets_no_stops() -> None:
    assert {f.new[-2:] for f in facts("The show is on at 5.30pm every week .", "clock", 60)} <= {"am", "pm"}


def test_peoples_are_many() -> None:
    told = {row[1] for row in claims("The French attacked the English in the north .", "roles")}
    assert {text for text in told if " attacked by " in text} == {
        "The English were attacked by the French", "The French were attacked by the English"
    }  # fmt: skip


def test_what_is_owned_is_not_founded_all_the_time() -> None:
    assert {f.new for f in facts("It is managed by Ann Lee .", "relation", 60)} == {"owned", "sponsored"}
    assert "founded" in {f.new for f in facts("It was managed by Ann Lee .", "relation", 60)}


def test_the_first_largest_is_the_largest() -> None:
    for sentence in ("It is the second-highest peak .", "It is the third most populous town ."):
        assert "first" not in {fact.new for fact in facts(sentence, "ordinal")}


def test_a_century_by_its_hundreds_is_no_decade() -> None:
    told = {f.text for fact in facts("It was founded in 1997 .", "date", 400) for f in fact.fillers}
    assert not [text for text in told if re.search(r"(?:1900|2000)s", text)]
