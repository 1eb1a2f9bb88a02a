"""Figures with dashes, hyphens and other spellings, and what the words around a figure make of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aver.verify import check_figures
from aver.verify._figures import same_but_figures
from aver.verify._numbered import numbered_subject, speaks_of_another


@pytest.mark.parametrize(
    ("claim", "evidence", "outcome"),
    [
        ("The lake is 5 to 10 km wide.", "The lake is 5–10 km wide and 50 m deep.", "agrees"),
        ("The fish is 20 to 30 cm long.", "The fish is 20–30 cm long, with fins of 5 cm.", "agrees"),
        ("It weighs 2 to 3 kg.", "It weighs 2–3 kg and eats 100 g a day.", "agrees"),
        (
            "About 10 to 15 percent of adults are affected.",
            "It affects 10–15 percent of adults and 2 percent of children.",
            "agrees",
        ),
        ("It costs $20 to $30.", "It costs $20–30, plus a $5 fee.", "agrees"),
        ("It costs $20 to $30.", "It costs $20–$30, plus a $5 fee.", "agrees"),
        ("The children are 5 to 7 years old.", "Children aged 5–7 attend for 2 years.", "agrees"),
        ("He was president from 1990 to 1995.", "He was president 1990–95 and a minister in 1998.", "agrees"),
        ("He was president from 1990 to 1995.", "He was president 1990-1995 and a minister in 1998.", "agrees"),
        # guards: what a dash joins can be held against a claim
        ("The lake is 50 km wide.", "The lake is 5–10 km wide.", "disagrees"),
        ("The lake is 7 km wide.", "The lake is 5-10 km wide.", "unclear"),
        ("The lake is 5–10 km wide.", "The lake is 7 km wide.", "agrees"),
        ("The lake is 5–10 km wide.", "The lake is 12 km wide.", "disagrees"),
        ("It costs $50.", "It costs $20–30.", "disagrees"),
        ("It made $5 million.", "It made $30–40 million.", "disagrees"),
        ("30% of adults are ill.", "10–15% of adults are ill.", "disagrees"),
        ("The team has 9 members.", "The team has 5–7 members.", "disagrees"),
        ("It was built in 2003.", "It was built 1990–95.", "disagrees"),
        ("It runs on 220-240 volts.", "It runs on 230-240 volts.", "unclear"),
        ("It lasted until 1450.", "It lasted from 1418 to 1450.", "agrees"),
        # no ranges: scores, names, codes, months
        ("They had 2 defeats.", "They had a 2–3 defeat in Leeds.", None),
        ("They won 3 matches.", "They won 3–2 and lost 5 matches before.", "unclear"),
        ("It opened in 2015.", "The 2019–20 season began.", None),
        ("It opened in 2011.", "It opened on 2010-12.", None),
        ("19 people died.", "Of COVID-19 40 people died.", "disagrees"),
    ],
)
def test_ranges_with_a_dash(claim: str, evidence: str, outcome: str | None) -> None:
    assert check_figures(claim, evidence).outcome == outcome


@pytest.mark.parametrize(
    ("claim", "evidence", "outcome"),
    [
        ("The dog weighs 20 kg.", "The twenty-kilo dog eats 1 kg of meat.", "agrees"),
        ("The boy is 12 years old.", "The twelve-year-old boy has been playing for 3 years.", "agrees"),
        ("He got 3 years in jail.", "He got a three-year jail term for a crime of 10 years ago.", "agrees"),
        ("The project cost $5 billion.", "The $5-billion project received $200 million in federal funds.", "agrees"),
        (
            "The contract is worth $40 million.",
            "He signed a four-year, $40-million contract with $5 million guaranteed.",
            "agrees",
        ),
        (
            "Prices rose 20 percent in 2020.",
            "Prices saw a 20-percent rise in 2020, up from 5 percent in 2019.",
            "agrees",
        ),
        ("The tax is 19%.", "The 19-percent tax replaced one of 16%.", "agrees"),
        ("The loan is 1.2 billion euros.", "The 1.2-billion-euro loan follows one of 300 million euros.", "agrees"),
        ("The hotel has 12 rooms.", "The 12-room hotel started with 8 rooms.", "agrees"),
        ("The hall seats 50 people.", "The 50-seat hall was evacuated and 20 people were hurt.", "unclear"),
        ("It makes $5 billion a year.", "It is a $5 billion-a-year trade.", "agrees"),
        ("He is 6 feet 2 inches tall.", "The 6-foot-2 player came.", "agrees"),
        ("It took 150 minutes.", "The two-and-a-half-hour film has a 5-minute break.", "agrees"),
        ("The fund has $1.5 billion.", "The $1.5-bn fund lost $20 million.", "agrees"),
        # guards
        ("The hotel has 15 rooms.", "The 12-room hotel is new.", "disagrees"),
        ("The dog weighs 30 kg.", "The twenty-kilo dog barks.", "disagrees"),
        ("The boy is 14 years old.", "The twelve-year-old boy plays.", "disagrees"),
        ("The project cost $7 billion.", "The $5-billion project is done.", "disagrees"),
        ("The project cost $5.", "The $5-billion project is done.", "disagrees"),
        ("The tax is 16%.", "The 19-per-cent tax is new.", "disagrees"),
        ("The loan is 2 billion euros.", "The 1.2-billion-euro loan is new.", "disagrees"),
        ("The home cost 3 million dollars.", "It is a five-million-dollar home.", "disagrees"),
        # nothing is counted
        ("It took 20 seconds.", "The twenty-second amendment took 5 seconds.", "unclear"),
        ("He won 5 times.", "The two-time champion won.", None),
        ("Two people left.", "Two-thirds of the 30 people left.", "disagrees"),
    ],
)
def test_numbers_with_a_hyphen(claim: str, evidence: str, outcome: str | None) -> None:
    assert check_figures(claim, evidence).outcome == outcome


@pytest.mark.parametrize(
    ("claim", "evidence", "outcome"),
    [
        ("It came out in September 1994.", "Released in Sept. 1994, it was restored in 2015.", "agrees"),
        ("It opened on July 4, 1990.", "It opened on July 4th 1990 and closed in May 2001.", "agrees"),
        ("It opened in the third quarter of 2020.", "It opened in Q3 2020 after tests in 2018.", "agrees"),
        ("It opens at 12 pm.", "It opens at noon and closes at 6 pm.", "agrees"),
        ("It took 90 minutes.", "It took an hour and a half after a delay of 20 minutes.", "agrees"),
        # guards
        ("It came out in October 1994.", "It came out in Sept. 1994.", "disagrees"),
        ("It opened in the second quarter of 2020.", "It opened in Q3 2020.", "disagrees"),
        ("It opened in the fourth quarter of 2020.", "It opened on Dec. 31, 2020.", "agrees"),
        ("It opens at 11 am.", "It opens at noon.", "disagrees"),
        ("It took 3 hours.", "It took an hour and a half.", "disagrees"),
        ("It opens at 11 am.", "They went to a midnight mass.", None),
    ],
)
def test_other_spellings(claim: str, evidence: str, outcome: str | None) -> None:
    assert check_figures(claim, evidence).outcome == outcome


@pytest.mark.parametrize(
    ("claim", "evidence", "other"),
    [
        # the claim; what may be its figure and is not read; one that is not, in the same sentence
        (
            "It came out in 1994.",
            "Released in '94, it was restored in 2015.",
            "Released in '93, it was restored in 2015.",
        ),
        ("It opened on 5 May 1994.", "Their 1994 hall was sold in 2015.", "Their 1993 hall was sold in 2015."),
        (
            "It opens at 3 pm.",
            "It opens at three o'clock, closing at 6 pm.",
            "It opens at five o'clock, closing at 6 pm.",
        ),
        ("It opens at 9 am.", "It opens at 9:00, closing at 6 pm.", "It opens at 8:00, closing at 6 pm."),
        ("It opens at 9:30 am.", "It opens at half past nine, closing at 6 pm.", "It opens late, closing at 6 pm."),
        ("He owes £5 million.", "He owes five million pounds and £20,000.", "He owes six million pounds and £20,000."),
        ("The sum is 5 million euros.", "It is €5.000.000, €200,000 unspent.", "It is €6.000.000, €200,000 unspent."),
        (
            "The sum is 5.5 million euros.",
            "It is 5,5 million euros, 2 million euros more than before.",
            "It is 6,5 million euros, 2 million euros more than before.",
        ),
        (
            "She taught for 10 years.",
            "She taught for a decade, 2 years in Leeds.",
            "She taught a while, 2 years in Leeds.",
        ),
        (
            "She taught for 30 years.",
            "She taught for decades, 2 years in Leeds.",
            "She taught for days, 2 years in Leeds.",
        ),
        ("It took 14 days.", "It took a fortnight after 2 days of rain.", "It took a month after 2 days of rain."),
        ("It took 12 months.", "It took a year after 2 months of rain.", "It took a day after 2 months of rain."),
        ("It took 90 minutes.", "The hour-and-a-half film has a 5-minute break.", "The film has a 5-minute break."),
        ("He is 6 ft 2 in tall.", "The 6'2\" player can jump 3 feet.", "The 5'2\" player can jump 3 feet."),
        ("40 people were hurt.", "Dozens were hurt and 2 people died.", "Several were hurt and 2 people died."),
        ("50% of voters agreed.", "Half the voters agreed, 3% did not say.", "Some voters agreed, 3% did not say."),
    ],
)
def test_what_is_not_read_may_be_meant(claim: str, evidence: str, other: str) -> None:
    assert check_figures(claim, evidence).outcome == "unclear"
    assert check_figures(claim, other).outcome == "disagrees"


@pytest.mark.parametrize(
    ("claim", "evidence", "outcome"),
    [
        # ranks, days, marks and codes are no other reading
        ("12 people died.", "On the 12th day 5 people died.", "disagrees"),
        ("29 people died.", "On November 29 5 people died.", "disagrees"),
        ("It has over 10 reviews.", "It has 9 reviews and a mark of 4.7/10.", "disagrees"),
        ("Bus 12 has 15 seats.", "Bus 12 has 40 seats.", "disagrees"),
        ("It came out after 2005.", "Their 2012 single follows one that came out in 2003.", "disagrees"),
    ],
)
def test_other_numbers_of_a_sentence_do_not_hide_that_figures_disagree(claim: str, evidence: str, outcome: str) -> None:
    assert check_figures(claim, evidence).outcome == outcome


@pytest.mark.parametrize(
    ("claim", "evidence", "outcome"),
    [
        ("The school had a headmaster until 1950.", "The school had a headmaster in 1920.", "unclear"),
        ("The ferry has run since 1990.", "The ferry has run in 1995.", "unclear"),
        ("The ferry has run since 1990.", "The ferry has run in 1990.", "agrees"),
        ("The ferry has run since 1990.", "The ferry ran in 1985.", "disagrees"),
        ("The school had a headmaster until 1950.", "The school had a headmaster until 1950.", "agrees"),
    ],
)
def test_all_of_a_time_is_more_than_a_day_of_it(claim: str, evidence: str, outcome: str) -> None:
    assert check_figures(claim, evidence).outcome == outcome
    assert not same_but_figures(claim, evidence)


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The star has 90K followers.", "Critics doubt that the star has 90,312 followers."),
        ("Humans swallow 8 spiders a year.", "The idea that humans swallow eight spiders a year is nonsense."),
        ("The bridge is 5 km long.", "It is a mistake to say the bridge is 5,000 m long."),
        ("The bridge is 5 km long.", "It is untrue that the bridge is 5,000 m long."),
        ("The bridge is 5 km long.", "Contrary to what is said, the bridge is 5,000 m long."),
        ("The star has 90K followers.", "Debunked: the star has 90,312 followers."),
    ],
)
def test_what_is_denied_is_not_corroborated(claim: str, evidence: str) -> None:
    assert check_figures(claim, evidence).outcome == "unclear"
    assert not same_but_figures(claim, evidence)


@pytest.mark.parametrize("around", ["{}, nothing else", "allegedly {}", "{} has yet to be shown", "he denied {}"])
def test_what_may_be_denied_is_not_the_same(around: str) -> None:
    assert same_but_figures("the star has 90K fans", "the star has 90,312 fans, they say")
    assert not same_but_figures("the star has 90K fans", around.format("the star has 90,312 fans"))


def test_a_word_of_denial_that_is_the_claims_or_a_names_changes_nothing() -> None:
    assert check_figures("The wrong number came up in 1999.", "It was a mistake of 1999.").outcome == "agrees"
    assert check_figures("The film came out in 1994.", "The film True Lies came out in 1994.").outcome == "agrees"


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Earthquake Kills 20 People in Chile", "Earthquake Kills 30 People in Chile"),
        ("Germany Reports 12 Cases of Polio.", "Germany Reports 3 Cases of Polio."),
        ("Senate Confirms 4 Judges.", "Senate Confirms 9 Judges."),
        ("Police Arrest 12 Young Protesters.", "Police Arrest 40 Young Protesters."),
    ],
)
def test_a_headline_counts(claim: str, evidence: str) -> None:
    assert check_figures(claim, evidence).outcome == "disagrees"
    assert not speaks_of_another(claim, evidence)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Bus 12 Stops Here", "Bus 12"),
        ("Boeing 737 Jets Stay on the Ground", "Boeing 737"),
        ("Microsoft Windows 10 Users Complain", "Microsoft Windows 10"),
        ("Toy Story 4 Tops the List", "Toy Story 4"),
        ("Apollo 11 Astronauts Land", "Apollo 11"),
    ],
)
def test_a_name_in_a_headline(text: str, named: str) -> None:
    assert str(numbered_subject(text)) == named


@pytest.mark.parametrize(
    ("claim", "evidence", "outcome"),
    [
        # how many there is room for is not how many there are
        ("The hall seats up to 500 people.", "The hall seats 300 people.", "unclear"),
        ("The tank holds a maximum of 50 litres.", "The tank holds 30 litres.", "unclear"),
        ("The car reaches up to 300 km/h.", "The car reaches 250 km/h.", "unclear"),
        ("The ship has a capacity of at most 90 people.", "The ship has a capacity of 60 people.", "unclear"),
        ("The job needs at least 5 people.", "The job needs 7 people.", "unclear"),
        # guards
        ("The hall seats up to 500 people.", "The hall seats up to 500 people.", "agrees"),
        ("The hall seats up to 500 people.", "The hall seats 800 people.", "disagrees"),
        ("The hall seats more than 300 people.", "The hall seats 500 people.", "agrees"),
        ("The hall seats fewer than 500 people.", "The hall seats 300 people.", "agrees"),
        ("At most 20 people came.", "14 people came.", "agrees"),
        ("A maximum of 20 people came.", "14 people came.", "agrees"),
        ("At least 10 people came.", "14 people came.", "agrees"),
    ],
)
def test_a_limit_and_an_instance(claim: str, evidence: str, outcome: str) -> None:
    assert check_figures(claim, evidence).outcome == outcome


@pytest.mark.parametrize(
    ("claim", "evidence", "outcome"),
    [
        ("95% of people answered.", "All but 5% of people answered.", "unclear"),
        ("95% of people answered.", "5% of people did not answer.", "unclear"),
        ("Turnout was 60%.", "40% did not vote.", "unclear"),
        ("One third of students failed.", "Two thirds of students passed.", "unclear"),
        ("All but 5 people died.", "5 people died.", "unclear"),
        # guards
        ("Turnout was 60%.", "Turnout was 40%.", "disagrees"),
        ("95% of people answered.", "15% of people did not answer.", "disagrees"),
        ("60% voted yes.", "45% voted no.", "disagrees"),
    ],
)
def test_shares_that_come_to_a_whole(claim: str, evidence: str, outcome: str) -> None:
    assert check_figures(claim, evidence).outcome == outcome


@given(st.integers(1, 400), st.integers(1, 400), st.sampled_from("–-"), st.sampled_from(["km", "%", "euros", "rooms"]))
def test_a_range_with_a_dash_is_the_one_with_words(low: int, more: int, dash: str, unit: str) -> None:
    said, written = f"It has {low} to {low + more} {unit}.", f"It has {low}{dash}{low + more} {unit}."
    assert check_figures(said, written).outcome == "agrees"
    assert check_figures(f"It has {low + 2 * more} {unit}.", written).outcome in ("disagrees", "unclear")


PIECES = (
    "5–10 5-10 1990–95 2010-12 12-room $5-billion twenty-kilo 19-percent 1.2-billion-euro 6-foot-2 6'2\" '94 Sept. "
    "1994 July 4th 1990 Q3 2020 three o'clock noon half past 9:00 a decade an hour and half years dozens of hundreds "
    "tens 5,5 5.000.000 million pounds £5 all but 5% until since 1950 up to seats 500 people one-year km $20–30 – -"
).split()


@given(st.lists(st.sampled_from(PIECES), max_size=12), st.lists(st.sampled_from(PIECES), max_size=12))
def test_any_spellings_can_be_compared(claim: list[str], evidence: list[str]) -> None:
    said, found = " ".join(claim), " ".join(evidence)
    assert check_figures(said, found).outcome in ("agrees", "disagrees", "unclear", None)
    assert same_but_figures(said, found) in (True, False)
