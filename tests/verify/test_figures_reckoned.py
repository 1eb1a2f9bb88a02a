"""Figures that have to be worked out, are another one of the claim's, or stand in words."""

from __future__ import annotations

import time

import pytest

from aver.verify import check_figures
from aver.verify._figures import same_but_figures


@pytest.mark.parametrize(
    ("claim", "evidence", "other"),
    [
        # the claim; what comes of the sentence; what does not
        (
            "It was rebuilt in 1950.",
            "It was opened in 1920 and rebuilt 30 years later.",
            "It was opened in 1920 and rebuilt 20 years later.",
        ),
        (
            "It was rebuilt in 1950.",
            "It was opened in 1920 and rebuilt three decades later.",
            "It was opened in 1920 and rebuilt two decades later.",
        ),
        (
            "It was opened in the 1920s.",
            "It was opened 30 years before its rebuilding in 1950.",
            "It was opened 10 years before its rebuilding in 1950.",
        ),
        (
            "It closed in 1951.",
            "It was rebuilt in 1950 and closed the following year.",
            "It was rebuilt in 1945 and closed the following year.",
        ),
        ("It closed in 1951.", "Rebuilt in 1950, it closed a year later.", "Rebuilt in 1945, it closed a year later."),
        (
            "It closed in 1949.",
            "It was rebuilt in 1950, having closed the year before.",
            "It was rebuilt in 1950, having closed the day before.",
        ),
        (
            "The strike ended in August 2019.",
            "The strike began in May 2019 and ended three months later.",
            "The strike began in May 2019 and ended two weeks later.",
        ),
        (
            "The strike ended on 4 May 2019.",
            "The strike began on 3 May 2019 and ended the next day.",
            "The strike began on 1 May 2019 and ended the next day.",
        ),
        ("She was born in 1980.", "In 2020, aged 40, she became mayor.", "In 2020, aged 50, she became mayor."),
        ("She was born in 1979.", "In 2020, aged 40, she became mayor.", "In 2020, aged 37, she became mayor."),
        (
            "His record stood for eight years.",
            "His record of 1956 stood until 1964; he skated for 12 years.",
            "His record of 1956 stood until 1958; he skated for 12 years.",
        ),
        ("18,000 members may vote.", "15% of members, 2,700 members, did.", "25% of members, 2,700 members, did."),
        ("He left in 1882.", "A member from 1815, he left aged 67.", "A member from 1815, he left aged 57."),
        ("It was founded in 1990.", "Its 25th anniversary was in 2015.", "Its 15th anniversary was in 2015."),
        (
            "She was mayor at the age of 40.",
            "Born in 1980, she was mayor in 2020, after 12 years on the council.",
            "Born in 1970, she was mayor in 2020, after 12 years on the council.",
        ),
        (
            "The war lasted four years.",
            "The war lasted from 1914 to 1918, two years longer than the last.",
            "The war lasted from 1914 to 1924, two years longer than the last.",
        ),
        (
            "The plant has 1,200 people.",
            "The plant cut 300 of its 1,500 people.",
            "The plant cut 200 of its 1,500 people.",
        ),
        ("Five people died.", "Four people were killed and another died.", "Three people were killed, another died."),
        ("239 people died.", "227 people and 12 crew members died.", "227 people and 20 crew members died."),
        ("He has three medals.", "He has two medals from 1990 and one from 1992.", "He has two medals and one cup."),
        ("Three men sat there.", "One man sat there with two men.", "One dog sat there with two men."),
        ("24 members came.", "Half of the 48 members came.", "Half of the 60 members came."),
        ("Sales were 40 million euros.", "Sales doubled from €20 million.", "Sales doubled from €30 million."),
        (
            "It cost 121 euros.",
            "The price of 110 euros went up 10 percent.",
            "The price of 110 euros went up 20 percent.",
        ),
        (
            "The tower is 20 metres taller.",
            "The tower is 80 metres tall and the church 60.",
            "The tower is 80 metres tall and the church 50.",
        ),
        (
            "The rate fell from 8%.",
            "The rate fell by two percentage points to 6%.",
            "The rate fell by three percentage points to 6%.",
        ),
        ("40% of members came.", "20 of 50 members came, 3% of them late.", "20 of 60 members came, 3% of them late."),
        (
            "More than six people died.",
            "Five people died there, two more in hospital.",
            "Three people died there, two more in hospital.",
        ),
    ],
)
def test_what_has_to_be_worked_out_may_be_meant(claim: str, evidence: str, other: str) -> None:
    assert check_figures(claim, evidence).outcome == "unclear"
    assert check_figures(claim, other).outcome == "disagrees"


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The club has 40 members.", "The club has 20 members and meets twice a week."),
        ("The club has 60 members.", "The club has 20 members and meets three times a year."),
        ("The team has 25 men.", "The team has 15 men and 10 women."),
        ("The team has 5 boys.", "The team has 15 boys and 10 girls."),
        ("The trip took 5 days.", "In 2018 and in 2019 the trip took 7 days."),
        ("She ruled for 20 years.", "Crowned in 1970, she ruled for 25 years and died in 1995."),
        ("She was 30 years old.", "Born in 1975, she was 35 years old in 2010."),
    ],
)
def test_nothing_else_comes_of_how_often_who_else_and_between_which_years(claim: str, evidence: str) -> None:
    assert check_figures(claim, evidence).outcome == "disagrees"


def test_a_sentence_of_numbers_is_held_against_a_claim_at_once() -> None:
    began = time.perf_counter()
    numbers = " ".join(f"{n}," for n in range(100, 900))
    check_figures("3% of members came.", f"On {numbers} 5% of members came.")
    assert time.perf_counter() - began < 2


@pytest.mark.parametrize(
    ("claim", "evidence", "other"),
    [
        (
            "It ended on 22 May 2019.",
            "It began on 3 May 2019 and ended on 22 May.",
            "It began on 3 May 2019 and ended on 21 May.",
        ),
        (
            "It ended on 22 May 2019.",
            "It began on 3 May 2019 and ended on the 22nd.",
            "It began on 3 May 2019 and ended on the 21st.",
        ),
        (
            "It ended on May 22, 2019.",
            "It began on May 3, 2019 and ended May 22.",
            "It began on May 3, 2019 and ended June 22.",
        ),
        (
            "The vote was in June 2019.",
            "The vote in June followed 5 May 2019.",
            "The vote in July followed 5 May 2019.",
        ),
        (
            "It was opened in the 1920s.",
            "It was opened in the twenties and rebuilt in 1950.",
            "It was opened in the thirties and rebuilt in 1950.",
        ),
        (
            "It was opened in the 1920s.",
            "It was opened in the '20s and rebuilt in 1950.",
            "It was opened in the '30s and rebuilt in 1950.",
        ),
        ("It was opened in 1920.", "Opened in nineteen twenty, it was rebuilt in 1950.", "It was rebuilt in 1950."),
        ("He died aged 67.", "He died two days after his 67th birthday.", "He died two days after his 57th birthday."),
        ("It fell on 11 September 2001.", "It fell on 11/09/01, and again in July 2004.", "It fell in July 2004."),
        ("It fell on 11 September 2001.", "It fell on 20010911, and again in July 2004.", "It fell in July 2004."),
        ("75% of voters agreed.", "3/4 of voters agreed, 5% did not say.", "2/4 of voters agreed, 5% did not say."),
        ("75% of voters agreed.", "¾ of voters agreed, 5% did not say.", "¼ of voters agreed, 5% did not say."),
        ("He has a 50% stake.", "They own it 50/50, after a 10% cut.", "They own it 60/40, after a 10% cut."),
        ("It is 3 percent.", "It is 300 basis points, or 2% after tax.", "It is 2% after tax."),
        ("More than 1,000 units were sold.", "192 units went in 2012 and 1,096 in 2013.", "192 units went in 2012."),
    ],
)
def test_dates_and_ages_in_other_words_may_be_meant(claim: str, evidence: str, other: str) -> None:
    assert check_figures(claim, evidence).outcome == "unclear"
    assert check_figures(claim, other).outcome == "disagrees"


@pytest.mark.parametrize(
    ("claim", "evidence", "outcome"),
    [
        ("He was born in 1950 and died in 2001.", "He died in 2001.", "unclear"),
        ("The lake is 5 km long and 2 km wide.", "The lake is 5 km long.", "unclear"),
        ("The film made $20 million and cost $5 million.", "The film made $20 million.", "unclear"),
        ("3 people died and 5 people were hurt.", "3 people died.", "unclear"),
        # guards: neither fits, or both are said of one
        ("He was born in 1950 and died in 2001.", "He died in 2004.", "disagrees"),
        ("It was built after 1990 and before 1995.", "It was built in 1999.", "disagrees"),
        ("It opened in May 2010, on 5 May 2010.", "It opened on 3 May 2010.", "disagrees"),
    ],
)
def test_a_figure_that_is_another_one_of_the_claim_disagrees_with_none(claim: str, evidence: str, outcome: str) -> None:
    assert check_figures(claim, evidence).outcome == outcome


@pytest.mark.parametrize(
    ("claim", "evidence", "outcome"),
    [
        ("Nora Stein wrote for Arle in the 1990s.", "Nora Stein (born 31 December 1961) writes for Arle.", "unclear"),
        ("Nora Stein was born in 1968.", "Nora Stein (born 31 December 1961) writes for Arle.", "disagrees"),
        ("She has her birthday on 5 May 1968.", "Nora Stein (born in Arle on 31 December 1961) writes.", "disagrees"),
        ("Nora Stein came in the 1990s.", "Nora Stein came to Arle in 1961.", "disagrees"),
        ("Nora Stein wrote in 1995.", "Nora Stein was born in Arle, the seat of Elb, in 1961.", "unclear"),
        ("Nora Stein wrote in 1995.", "Born in Arle, Italy, in 1961, Nora Stein writes.", "unclear"),
        ("Nora Stein wrote in 1995.", "Nora Stein was born to miners in Bosnia and Herzegovina in 1961.", "unclear"),
        # what is told behind the birth has a date of its own
        ("Nora Stein moved in 1950.", "Born in Arle, Nora Stein moved in 1955.", "disagrees"),
        ("Nora Stein moved in 1950.", "Nora Stein, born in Arle, moved to Paris in 1955.", "disagrees"),
        ("Nora Stein moved in 1950.", "Nora Stein was born in Arle and moved to Paris in 1955.", "disagrees"),
        ("The school was founded in 1950.", "The school where she was born was founded in 1955.", "disagrees"),
    ],
)
def test_a_date_of_birth_is_held_against_a_birth(claim: str, evidence: str, outcome: str) -> None:
    assert check_figures(claim, evidence).outcome == outcome


@pytest.mark.parametrize(
    ("claim", "evidence", "outcome"),
    [
        ("It was sold before the beginning of 2015.", "It was sold in December 2014.", "agrees"),
        ("It was sold before the start of 2015.", "It was sold in March 2015.", "unclear"),
        ("It was sold before the start of 2015.", "It was sold in May 2016.", "disagrees"),
        ("It was sold before early 2015.", "It was sold in 2013.", "agrees"),
        ("It was sold by early 2015.", "It was sold in 2013.", "agrees"),
        ("It was sold by early 2015.", "It was sold in 2016.", "disagrees"),
        ("It was sold after late 2015.", "It was sold in March 2016.", "agrees"),
        ("It was sold after late 2015.", "It was sold in 2014.", "disagrees"),
        ("She wrote in the twenty first century.", "She wrote in 1941.", "disagrees"),
        ("She wrote in the twenty first century.", "She wrote in 2004.", "agrees"),
        ("Between one and two million people came.", "1.3 million people came.", "agrees"),
        ("Between one and two million people came.", "2.7 million people came.", "disagrees"),
        ("The cure takes one to three days.", "The cure takes two days.", "agrees"),
        ("The cure takes one to three days.", "The cure takes five days.", "disagrees"),
        ("The crossing takes less than an hour.", "The crossing takes 55 minutes.", "agrees"),
        ("The crossing takes more than an hour.", "The crossing takes 55 minutes.", "disagrees"),
        ("It lies over a mile away.", "It lies 800 m away.", "disagrees"),
        ("She signed a more than one-year contract.", "She signed a two-year contract.", "agrees"),
        ("It struck at about 5 am.", "It struck at 5.12 a.m.", "agrees"),
        ("It struck at about 5 am.", "It struck at 8 a.m.", "disagrees"),
        ("It struck at 5.12 am.", "It struck at around 5 a.m.", "unclear"),
        ("The tower is taller than 150 metres.", "The tower is 180 m tall.", "agrees"),
        ("The tower is taller than 150 metres.", "The tower is 120 m tall.", "disagrees"),
        ("It is lighter than 5 kg.", "It weighs 6 kg.", "disagrees"),
        ("It lay under a stone for 3 minutes.", "It lay under a stone.", None),
        ("The road is 5 m wide.", "The road runs under a foot bridge.", None),
        ("The film is two hours long.", "The film is about a day in May.", None),
        ("The crossing takes two hours.", "The crossing takes about an hour.", "disagrees"),
        ("It lies 5 km away.", "It lies about a mile away.", "disagrees"),
    ],
)
def test_parts_of_a_year_behind_before_and_ranges_from_one(claim: str, evidence: str, outcome: str | None) -> None:
    assert check_figures(claim, evidence).outcome == outcome


def test_each_figure_is_the_same_as_its_own() -> None:
    assert not same_but_figures(
        "It made more than $78 million here and less than $171 million there.",
        "It made $78 million here and $171 million there.",
    )
    assert same_but_figures("It has 90K fans here, 5K guests there.", "It has 90,312 fans here, 5,020 guests there.")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("The fine is $1,000.", "The fine is $1,004.", True),
        ("The fine is $1,000.", "The fine is $1,049.", False),
        ("The ticket costs $40.", "The ticket costs $39.50.", False),
        ("The club has 2 million members.", "The club has 1.92 million members.", False),
        ("The club has about 2 million members.", "The club has 1.92 million members.", True),
        ("The run is 5 km long.", "The run is 3.1 miles long.", True),
        ("The run is 5 km long.", "The run is 4.9 km long.", False),
    ],
)
def test_no_more_than_rounding_makes_a_figure_the_same(one: str, other: str, same: bool) -> None:
    assert same_but_figures(one, other) is same


@pytest.mark.parametrize(
    ("around", "same"),
    [
        ("{}.", True),
        ("In May {}.", True),
        ("Today {}.", True),
        ("Unlike the moon, {}.", True),
        ("{}, they say.", True),
        ("{} and a dog.", True),
        # it is said of another, or another thing is said
        ("The sister of {}.", False),
        ("The road to {}.", False),
        ("The moon and {}.", False),
        ("New {}.", False),
        ("The former {}.", False),
        ("{} of Greek origin.", False),
        ("{} too few.", False),
        ("{} out of work.", False),
    ],
)
def test_what_is_said_of_another_is_not_the_same(around: str, same: bool) -> None:
    assert same_but_figures("the star has 90K fans", around.format("the star has 90,312 fans")) is same
