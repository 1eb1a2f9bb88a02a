"""What a filler is labelled is what a small evaluator of its own finds, for every kind of edit."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator

import pytest

from aver.labels import Label
from aver.revisions._facts import Fact, find_facts

S, R, N = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO
SMALL = dict(zip("two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
                 "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety".split(),
                 [*range(2, 21), *range(30, 100, 10)], strict=True))  # fmt: skip
SCALES = {"million": 1e6, "billion": 1e9, "thousand": 1e3}
AT_LEAST, AT_MOST = r"at least|no[t]? (?:fewer|less) than|a minimum of", r"at most|no[t]? more than|a maximum of|up to"
MONTHS = "January February March April May June July August September October November December".split()


def amount(text: str) -> float:
    """The worth of the number in a text; written anew here, to owe nothing to the code under test."""
    digits = re.search(r"\d[\d,]*(?:\.\d+)?", text)
    words = text.lower().split()
    if digits:
        value = float(digits[0].replace(",", ""))
    else:
        spelled = next(w for w in words if w.split("-")[0] in SMALL)
        value = float(sum({**SMALL, "one": 1}[part] for part in spelled.split("-")))
    return value * next((scale for word, scale in SCALES.items() if word in words), 1.0)


def judge_amount(claim: str, evidence: str) -> Label:
    """What "exactly", "more than", "fewer than", "at least" and "about" say, tried on every value that may be meant."""
    said, cue = amount(claim), " ".join(re.findall(r"[a-z]+", claim.split("$")[0].lower()))
    if cue.startswith("between"):
        low, high = (amount(part) for part in claim.split(" and "))
        holds = {low <= value <= high for value in possible(evidence, said)}
        return N if len(holds) == 2 else S if holds == {True} else R
    tests: list[tuple[str, Callable[[float], bool]]] = [
        (AT_LEAST, lambda v: v >= said),
        (AT_MOST, lambda v: v <= said),
        (r"more than|over|in excess of", lambda v: v > said),
        (r"fewer than|less than|under", lambda v: v < said),
        (r"about|around|approximately|roughly|nearly|almost|some", lambda v: abs(v - said) <= 0.11 * max(v, said)),
    ]
    test = next((test for words, test in tests if re.match(words, cue)), lambda v: v == said)
    answers = {test(value) for value in possible(evidence, said)}
    return N if len(answers) == 2 else S if answers == {True} else R


def possible(evidence: str, said: float) -> list[float]:
    """Values the evidence allows: counted things in whole steps around its figure, and what the claim says."""
    value, cue = amount(evidence), evidence.lower()
    whole = value == int(value) and value < 1e5
    step = 1.0 if whole else value / 1000
    around = [said] + [value + step * n for n in range(-400, 2000)] + [value * n / 200 for n in range(2, 4000, 3)]
    if re.match(AT_LEAST, cue):
        return [v for v in around if v >= value]
    if re.match(AT_MOST, cue):
        return [v for v in around if 0 <= v <= value]
    if re.match(r"more than|over|in excess of", cue):
        return [v for v in around if v > value]
    if re.match(r"fewer than|less than|under", cue):
        return [v for v in around if 0 <= v < value]
    if re.match(r"about|around|some|nearly", cue):
        return [value * 0.97, value, value * 1.03] if not cue.startswith("nearly") else [value * 0.97, value * 0.999]
    return [value]


def when(text: str) -> tuple[int, ...]:
    year = int(next(iter(re.findall(r"\b\d{4}", text))))
    month = next((n for n, name in enumerate(MONTHS, 1) if name in text), None)
    day = re.search(r"\b(\d{1,2})\b", text)
    return tuple(part for part in (year, month, int(day[1]) if day else None) if part is not None)


def judge_date(claim: str, evidence: str) -> Label:
    century = re.search(r"(\d+)(?:st|nd|rd|th) century|(\d\d)00s\b", claim)
    if century:
        number, there = int(century[1] or int(century[2]) + 1), when(evidence)[0]
        assert there % 100, "whether 1900 is of the 19th or the 20th century is a matter of taste"
        found = (there - 1) // 100 + 1
        words = claim.lower()
        holds = found < number if "before" in words else found > number if "after" in words else found == number
        return S if holds else R
    meant, fact = when(claim), when(evidence)
    length = min(len(meant), len(fact))
    words = claim.lower()
    if words.startswith(("before", "prior to")):
        holds = fact[: len(meant)] < meant
    elif words.startswith("after"):
        holds = fact[: len(meant)] > meant
    elif words.startswith("between"):
        first, last = map(int, re.findall(r"\d{4}", words))
        holds = first <= fact[0] <= last
    elif re.search(r"\d0s\b", words):
        holds = meant[0] <= fact[0] < meant[0] + 10
    else:
        holds = fact[:length] == meant[:length] and len(fact) >= len(meant)
    return S if holds else R


def facts(sentence: str, kind: str, times: int = 150) -> Iterator[Fact]:
    for seed in range(times):
        yield from (f for f in find_facts(sentence, random.Random(seed), {}, {}) if f.kind == kind)


AMOUNTS = [
    "The film grossed $ 116.5 million in cinemas .", "The town has 1,330 inhabitants .", "He has two sisters .",
    "She scored 14 goals .", "It received 147 reviews .", "The band sold 90,000 copies .",
    "It holds 7 % of the votes .", "The river is 48.5 km long .", "Some 12 million people watched it live .",
    "It cost about 300 pounds a head .",
    "Nearly 40,000 people came .", "The house was sold for £1,500 .", "The show ran for twelve weeks .",
    "The club has forty-three members .", "He sold ninety-nine hats .",
]  # fmt: skip
BOUNDED = [
    "It seats 500 guests .", "It has at least 40 members .", "It holds up to 90 people .", "He has twelve hats .",
    "It sold more than 2,000 copies .", "The hall seats over 500 guests .", "It has fewer than 300 members .",
    "The fund holds less than $ 40 million .", "More than 67,000 people watched it .",
]  # fmt: skip


@pytest.mark.parametrize("sentence", AMOUNTS)
def test_amounts(sentence: str) -> None:
    forms = set()
    for fact in facts(sentence, "number"):
        for filler in fact.fillers:
            forms.add(re.sub(r"[\d$£].*", "", filler.text).strip())
            assert judge_amount(filler.text, fact.old) == filler.under_old, (filler, fact.old)
            assert judge_amount(filler.text, fact.new) == filler.under_new, (filler, fact.new)
    assert len(forms) > 2, "bounds as well as plain figures"


@pytest.mark.parametrize("sentence", BOUNDED)
def test_bounds_support_refute_and_leave_open(sentence: str) -> None:
    wanted = {"at least", "a minimum of", "at most", "no more than", "a maximum of", "between"}
    labels, cues = set(), set()
    for fact in facts(sentence, "bounded number"):
        for one, two in fact.sets:
            assert (one.under_old, one.under_new) != (two.under_old, two.under_new), "the two claims part"
            for filler in (one, two):
                labels |= {filler.under_old, filler.under_new}
                cues |= {cue for cue in wanted if filler.text.startswith(cue)}
                assert judge_amount(filler.text, fact.old) == filler.under_old, (filler, fact.old)
                assert judge_amount(filler.text, fact.new) == filler.under_new, (filler, fact.new)
    assert labels == {S, R, N}
    assert cues == wanted


DATES = ["He left in 1987 .", "It opened on October 23 , 1959 .", "It came out in March 2020 .",
         "On 18 June 2001 the bridge was closed .", "She ( born 29 June 1944 ) is a chemist .",
         "It ran from 1990 to 1995 .", "It was built in 1699 ."]  # fmt: skip


@pytest.mark.parametrize("sentence", DATES)
def test_dates(sentence: str) -> None:
    seen, forms = 0, set()
    for fact in facts(sentence, "date"):
        seen += 1
        for filler in fact.fillers:
            assert judge_date(filler.text, fact.old) == filler.under_old, (filler, fact.old)
            assert judge_date(filler.text, fact.new) == filler.under_new, (filler, fact.new)
            forms |= set(re.findall(r"00s\b|[1-9]0s\b|century", filler.text))
    assert seen
    if "born" not in sentence and "ran" not in sentence:
        assert forms >= {"00s", "century"}


@pytest.mark.parametrize(
    "sentence",
    [
        "Over 3 million people visited the museum in 2011 .",
        "He won the cup in 1988 .",
        "The town had many mills in 1911 .",
    ],
)
def test_what_may_happen_again_or_last_is_left_open_by_another_year(sentence: str) -> None:
    seen = list(facts(sentence, "date"))
    assert seen
    for fact in seen:
        assert {(f.under_old, f.under_new) for f in fact.fillers} == {(S, N), (N, S)}
        assert not [f for f in fact.fillers if f.text in (fact.old, fact.new)]


def test_a_record_since_one_year_is_one_since_a_later_year() -> None:
    for sentence in ("It was the worst storm in the region since 1987 .", "It is the first win for Rome since 1990 .",
                     "Prices are at their highest level since 2008 ."):  # fmt: skip
        assert not list(facts(sentence, "date", 60)), sentence
    assert list(facts("It was founded in 1987 .", "date", 20))


def test_degrees_are_not_counted() -> None:
    found = list(facts("It has 21 °C in the summer .", "bounded number", 80))
    told = {fact.new for fact in found} | {f.text for fact in found for two in fact.sets for f in two}
    assert told
    assert not [text for text in told if text.startswith(("fewer", "no fewer", "not fewer"))]


def test_what_came_a_second_time_is_not_said_to_be_open() -> None:
    assert not list(facts("The second creation came on 27 June 1627 .", "date", 60))


def test_dates_keep_their_order() -> None:
    for fact in facts("He lived in Rome from 1990 to 1995 .", "date", 300):
        years = [int(y) for y in re.findall(r"\d{4}", "from 1990 to 1995".replace(fact.old, fact.new))]
        assert years == sorted(years)


@pytest.mark.parametrize(
    "sentence",
    [
        "It was finished by 1980 .", "It was sold before 1980 .", "It had 40 rooms as of 1980 .",
        "It was counted at the 2010 census .", "He fought in the War of 1812 .",
    ],
)  # fmt: skip
def test_dates_that_another_date_would_not_refute_are_let_be(sentence: str) -> None:
    assert not list(facts(sentence, "date", 40))


@pytest.mark.parametrize(
    "sentence",
    [
        "Their 1938 victory was celebrated .", "It costs 2 to 3 million .",
        "He was eight or nine years old .", "He is 6 feet 2 inches tall .",
        "It has grades 7 and 8 .", "It has only 12 rooms .", "It was number 3 in the charts .",
        "He played over nine seasons .", "It lies at 45°26′N in the plain .", "It was founded in 794 by monks .",
        "It never had more than 200 members .", "She did not score 14 goals .",
        "I do n't think she owned 40 hats .",
    ],
)  # fmt: skip
def test_numbers_that_are_no_amount_are_let_be(sentence: str) -> None:
    assert not [f for kind in ("number", "bounded number") for f in facts(sentence, kind, 40)]


def test_numbers_that_say_which_get_no_bounds() -> None:
    assert not list(facts("Its ZIP code is 12303 .", "bounded number", 40))
    for sentence in ("He won all three matches .", "It is on Highway 3 .", "He died at the age of 31 .",
                     "He was drafted using pick 3 in May .", "She won an unprecedented five medals .",
                     "It left the original 13 states ."):  # fmt: skip
        found = list(facts(sentence, "number", 60))
        assert found
        assert all(len(fact.fillers) == 2 for fact in found)
        assert not list(facts(sentence, "bounded number", 20))


def test_a_conversion_changes_with_its_number() -> None:
    for fact in facts("It is 97 kilometres ( 60 mi ) long .", "number", 60):
        km, miles = map(float, re.findall(r"\d+", fact.new.replace(",", "")))
        assert abs(km * 60 / 97 - miles) <= 0.51
        assert all(f.text.endswith("kilometres") for f in fact.fillers)


def labels_of(sentence: str, kind: str) -> set[tuple[Label | None, Label | None]]:
    return {(f.under_old, f.under_new) for fact in facts(sentence, kind, 40) for f in fact.fillers}


def test_another_subject_leaves_open_and_another_predicate_refutes() -> None:
    assert labels_of("It is his third novel .", "ordinal") == {(S, R), (R, S)}
    assert labels_of("The third season had nine episodes .", "ordinal") == {(S, N), (N, S)}
    assert labels_of("He lives in France .", "entity") == {(S, R), (R, S)}
    assert labels_of("France has many castles .", "entity") == {(S, N), (N, S)}
    assert labels_of("France is the largest of them .", "entity") == set()  # only one can be: neither open nor refuted


def test_lists_and_loose_ties_are_let_be() -> None:
    for sentence in (
        "It is spoken in France , Spain and Italy .",
        "He is an actor and singer .",
        "It borders countries such as France .",
        "The film is liked .",
        "He was named after Paris .",
    ):
        assert not list(facts(sentence, "entity", 30)) + list(facts(sentence, "word", 30)), sentence


def test_members_that_do_not_exclude_each_other_are_not_exchanged() -> None:
    for fact in facts("He is a British painter .", "entity", 200):
        assert fact.new not in ("English", "Scottish", "Welsh")


def test_opposites_negation_and_roles() -> None:
    assert {f.new for f in facts("It is the largest of them .", "comparative")} == {"smallest"}
    assert not list(facts("The northern part is flat .", "comparative"))
    assert not list(facts("He is best known for his songs .", "comparative"))
    assert not list(facts("It was named after his father .", "comparative"))
    (negated,) = {f.new for f in facts("It has been sold .", "negation")}
    assert negated == "has not been"
    assert not list(facts("It was not sold .", "negation"))
    fact = next(facts("Brazil defeated Sweden in the final .", "roles"))
    assert {(f.text, f.under_old) for f in fact.fillers} == {
        ("Brazil defeated Sweden", S), ("Sweden defeated Brazil", R),
        ("Sweden was defeated by Brazil", S), ("Brazil was defeated by Sweden", R),
    }  # fmt: skip


def test_nothing_is_turned_under_a_negation_or_an_opinion() -> None:
    for sentence in (
        "I do n't think she was older than 40 .", "It was not larger than Rome .", "He may have lived in France .",
        "He planned to move to France .", "It is not the largest of them .",
    ):  # fmt: skip
        assert not [f for kind in ("comparative", "entity", "converse") for f in facts(sentence, kind, 20)], sentence
    assert list(facts("It did not last , but it has two towers .", "number", 20))
