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
