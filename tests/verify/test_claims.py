"""Claims of a text, their reasons, and quotations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aver.verify import REASONS, check_quote, check_text, find_claims, find_quotes, verifiability


@pytest.mark.parametrize(
    ("sentence", "reasons"),
    [
        ("The bridge opened in 1931.", ()),
        ("Sea ice has declined since 1979.", ()),
        ("Polar bears live on sea ice.", ()),
        ("The mayor said that taxes will rise.", ()),
        ("The critic called it “the best thing we ever did”.", ()),
        ("Is the bridge safe?", ("question",)),
        ("Please read the manual.", ("instruction",)),
        ("A short history", ("incomplete",)),
        ("Hohenlenne in numbers", ("incomplete",)),
        ("Tea grows in Asia", ()),
        ("They opened it in 1931.", ("ambiguous",)),
        ("But it closed in 1999.", ("ambiguous",)),
        ("In 1995, she moved to Leeds.", ("ambiguous",)),
        ("In 1995, Ada Lee moved to Leeds.", ()),
        ("I walked across the bridge.", ("first_person",)),
        ("Our bridge was painted green.", ("first_person",)),
        ("The bridge should be closed.", ("opinion",)),
        ("The sea will rise by two metres.", ("prediction",)),
        ("The bridge opened. The bridge closed.", ("several_sentences",)),
        ("…", ("no_words",)),
    ],
)
def test_reasons(sentence: str, reasons: tuple[str, ...]) -> None:
    assert verifiability(sentence) == reasons


@pytest.mark.parametrize(
    "sentence",
    [
        "Will Smith was born in 1968.",
        "Will Smith won an Oscar in 2022.",
        "Will Smith, an actor, won an Oscar.",
        "Will Smith's film was shown in 2010.",
        "Will Rogers of Oklahoma was an actor.",
        "The actor Will Smith was born in 1968.",
        "The mayor's will was read in 1990.",
        "The will contained a sum for the school.",
        "My Lai is a village in Vietnam.",
        "Our Lady of Paris is a cathedral.",
        "The film My Fair Lady opened in 1964.",
        "World War I ended in 1918.",
        "There are 50 states in the US.",
        "There were no survivors.",
        "Read et al. found 5 cases.",
        "Note that the mayor resigned in 2010.",
        "Call of Duty is a video game.",
        "Take a Bow topped the chart in 2009.",
        "Is This It is a rock album.",
        "Can is a German band.",
        "IS claimed the attack.",
        "Born in 1950, Smith won an Oscar.",
        "Left of the bridge stands a church.",
        "Had the mayor resigned, the bridge was to close.",
        "The man wrote 'we shall fight on the beaches'.",
        "The 6'2\" man said \"we shall fight on the beaches\".",
    ],
)
def test_names_and_figures_of_speech_keep_no_sentence_from_being_verified(sentence: str) -> None:
    assert verifiability(sentence) == ()


@pytest.mark.parametrize(
    ("sentence", "reasons"),
    [
        ("The bridge will open in 2031.", ("prediction",)),
        ("The bridge that will open is red.", ("prediction",)),
        ("The new bridge will need repairs.", ("prediction",)),
        ("The Bridge Will Open In May", ("prediction",)),
        ("Will the bridge open?", ("question", "prediction")),
        ("Will Paris host the games", ("question", "prediction")),
        ("His will was read in 1990.", ("ambiguous",)),
        ("My sister was born in 1968.", ("first_person",)),
        ("My German teacher was born in 1950.", ("first_person",)),
        ("My Dad was born in 1950.", ("first_person",)),
        ("Our company grew by 5%.", ("first_person",)),
        ("There he built a house.", ("ambiguous",)),
        ("Read the manual.", ("instruction",)),
        ("Note the time.", ("instruction",)),
        ("Note that number.", ("instruction",)),
        ("Note that it was closed.", ("ambiguous",)),
    ],
)
def test_what_looks_like_them_is_still_told(sentence: str, reasons: tuple[str, ...]) -> None:
    assert verifiability(sentence) == reasons


@pytest.mark.parametrize(
    ("sentence", "reasons"),
    [
        ("And so on.", ("incomplete",)),
        ("Not at all.", ("incomplete",)),
        ("What a day!", ("incomplete", "opinion")),
        ("What a day it was!", ("opinion",)),
        ("Close the door.", ("instruction",)),
        ("Turn off the light.", ("instruction",)),
        ("Do the dishes.", ("instruction",)),
        ("Is Paris in France", ("question",)),
        ("Was Paris built on a hill", ("question",)),
        ("is paris in france", ("question",)),
        ("Where is Paris", ("question",)),
        ("Born in 1950.", ("incomplete",)),
        ("Was born in 1950.", ("incomplete",)),
        ("Is the capital of France.", ("incomplete",)),
        ("Founded in 1931 by monks who came from Arle.", ("incomplete",)),
    ],
)
def test_what_states_nothing_is_no_claim(sentence: str, reasons: tuple[str, ...]) -> None:
    assert verifiability(sentence) == reasons


@pytest.mark.parametrize(
    ("sentence", "reasons"),
    [
        ("The tower is tall and the tower is not tall.", ("inconsistent",)),
        ("The tower was tall and was not tall.", ("inconsistent",)),
        ("The tower isn't tall, but it is tall.", ("inconsistent",)),
        ("Bears are white, and bears are not white.", ("inconsistent",)),
        ("The tower is tall and the church is not.", ()),
        ("The tower is tall and the church is not tall.", ()),
        ("The tower was tall and the tower is not tall.", ()),
        ("The tower is tall and is not old.", ()),
        ("The film is called “Arle” and is not called “Lenne”.", ()),
        ("The mayor said the tower is tall and is not tall.", ()),
    ],
)
def test_what_is_said_and_denied_is_inconsistent(sentence: str, reasons: tuple[str, ...]) -> None:
    assert verifiability(sentence) == reasons


def test_a_question_names_no_subject() -> None:
    found = find_claims("The Arle Bridge opened in 1931. Is it safe? It was closed in 1987.")
    assert found[2].statement == "The Arle Bridge was closed in 1987."


@given(st.text(max_size=300))
def test_spans_are_the_text(text: str) -> None:
    for claim in find_claims(text):
        assert text[claim.start : claim.end] == claim.text
        assert set(claim.reasons) <= set(REASONS)


def test_the_mark_of_a_list_item_is_no_part_of_its_claim() -> None:
    text = "Lines:\n\n- Bus 12 runs daily.\n* [x] It stops at night.\n\n2) The town has 3 - 4 mills.\n\n- \n"
    found = find_claims(text)
    assert [c.text for c in found[1:4]] == [
        "Bus 12 runs daily.", "It stops at night.", "The town has 3 - 4 mills.",
    ]  # fmt: skip
    assert [text[c.start : c.end] for c in found] == [c.text for c in found]
    assert found[2].statement == "Bus 12 stops at night."
    assert find_claims("A park\n– a large one – was opened.")[0].text.startswith("A park")


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("Bus lines in Arle\n\nBus 12 runs daily.", ("incomplete",)),
        ("Tea is hot.\r\n\r\nPaths through parks\r\n\r\nIt rained.", ("incomplete",)),
        ("A new bridge was opened\n\nIt is red.", ()),
        ("Bus 12 runs daily\n\nIt is red.", ()),
        ("Tea grows in Asia", ()),
        ("- Tea grows in Asia\n\nIt is hot.", ()),
    ],
)
def test_a_heading_is_no_claim(text: str, reasons: tuple[str, ...]) -> None:
    assert find_claims(text)[1 if text.startswith("Tea is") else 0].reasons == reasons


def test_the_text_that_was_read_is_told(signs: object) -> None:
    for text in ("The bridge opened in spring.", "Why?"):
        found = check_text(text, evidence="The bridge opened in spring (yes).", model=signs).as_dict()  # type: ignore[arg-type]
        assert found["text"] == text


def test_a_text_is_checked_claim_by_claim(signs: object) -> None:
    text = "The bridge opened in spring. Who cares? The bridge is red."
    found = check_text(text, evidence="The bridge opened in spring (yes).", model=signs)  # type: ignore[arg-type]
    assert found.status == "scored"
    assert [c.verdict is not None for c in found.claims] == [True, False, True]
    assert sum(found.outcomes.values()) == 3
    assert check_text("What? When?", evidence="Tea.", model=signs).status == "no_claims"  # type: ignore[arg-type]


def test_quotations_in_a_claim(signs: object) -> None:
    text = "The keeper wrote “the lamp was lit at nine every evening”."
    source = "His diary says: The lamp was lit at ten every evening."
    verdict = check_text(text, evidence=source, model=signs).claims[0].verdict  # type: ignore[arg-type]
    assert verdict is not None
    quote = verdict.quotes[0]
    assert quote.outcome == "altered"
    assert (quote.missing, quote.added) == (("nine",), ("ten",))
    assert source[quote.start : quote.end] == quote.text


def test_quotes_of_names_are_no_quotations() -> None:
    assert find_quotes('He read “The Salt Road” and "never looked back again".') == [
        "The Salt Road",
        "never looked back again",
    ]
    assert find_quotes("The “Marta” sank.") == []


@given(st.lists(st.text("abc ", min_size=1), min_size=1, max_size=5), st.integers(0, 50), st.integers(1, 50))
def test_every_stretch_of_a_text_is_found_in_it(parts: list[str], start: int, size: int) -> None:
    words = " ".join(parts).split()
    stretch = words[start : start + size]
    if stretch:
        assert check_quote(" ".join(stretch), [("t", " ".join(words))]).outcome == "found"


@pytest.mark.parametrize(
    ("claim", "reasons"),
    [
        ("Put up in 1887, the hall burned down in 2022.", ()),
        ("Read by millions, the paper was closed in 1990.", ()),
        ("Shut down in 2001, the plant was sold.", ()),
        ("5 May 2024: public hearing", ("incomplete",)),
        ("Put up the tent, then rest.", ("instruction",)),
        ("Read the book, it is good.", ("instruction",)),
    ],
)
def test_what_was_done_to_something_is_no_order(claim: str, reasons: tuple[str, ...]) -> None:
    assert verifiability(claim) == reasons
