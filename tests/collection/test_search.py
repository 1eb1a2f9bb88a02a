"""Mentions and ranking."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aver.collection import Alias, Collection
from aver.collection._lexical import _ANALYZER, analyze, content_terms
from aver.errors import InputError

PAGES = {
    "Soul food": "Soul food is a cuisine of the United States.",
    "Soul Food (film)": "Soul Food is a 1997 American film released by Fox 2000 Pictures.",
    "Soul Food (TV series)": "Soul Food is a television series that aired on Showtime.",
    "The Beatles": "The Beatles were an English rock band from Liverpool.",
    "Help!": "Help! is the fifth album by the Beatles. It was released in 1965.",
    "Beyoncé": "Beyoncé is a singer from Houston.",
    "University of Oxford": "The University of Oxford is a university in England.",
    "Oxford": "Oxford is a city in England.",
    "It (novel)": "It is a horror novel by Stephen King.",
    "Film": "A film is a work of visual art. Many were released by pictures companies.",
    "Schindler's List": "Schindler's List is a film by Steven Spielberg.",
}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Collection]:
    with Collection(tmp_path_factory.mktemp("search") / "c", create=True) as collection:
        collection.add_documents({"title": title, "text": text} for title, text in PAGES.items())
        collection.add_documents([Alias("Fab Four", "The Beatles")])
        yield collection


@pytest.mark.parametrize(
    ("text", "title", "kind", "written"),
    [
        ("The Beatles split up.", "The Beatles", "exact", "The Beatles"),
        ("the beatles split up.", "The Beatles", "folded", "the beatles"),
        ("Some Beatles songs", "The Beatles", "base", "Beatles"),
        ("The Fab Four split up.", "The Beatles", "alias", "Fab Four"),
        ("Is BEYONCE a singer?", "Beyoncé", "folded", "BEYONCE"),
        ("Is Beyoncé's album new?", "Beyoncé", "exact", "Beyoncé"),
        ("Help! was an album.", "Help!", "exact", "Help"),
        ("Soul_Food_(film)", "Soul Food (film)", "folded", "Soul_Food_(film"),
        ("We saw Schindler 's List .", "Schindler's List", "folded", "Schindler 's List"),
    ],
)
def test_mentions(pages: Collection, text: str, title: str, kind: str, written: str) -> None:
    found = [mention for mention in pages.mentions(text) if mention.title == title and mention.maximal]
    assert [(mention.kind, mention.text) for mention in found] == [(kind, written)]
    assert text[found[0].start : found[0].end] == written


def test_a_name_that_many_bear_and_one_inside_another(pages: Collection) -> None:
    found = pages.mentions("Soul Food opened.")
    assert {mention.title for mention in found} == {"Soul food", "Soul Food (film)", "Soul Food (TV series)"}
    assert {mention.rivals for mention in found} == {3}
    long, short = pages.mentions("the University of Oxford")
    assert (long.title, long.maximal, long.words) == ("University of Oxford", True, 3)
    assert (short.title, short.maximal) == ("Oxford", False)


def test_common_words_are_no_mentions(pages: Collection) -> None:
    assert pages.mentions("It was so. Is it?") == []
    assert pages.mentions("") == pages.mentions("?!") == []


@given(st.text())
@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_mentions_and_search_take_any_text(pages: Collection, text: str) -> None:
    for mention in pages.mentions(text):
        assert text[mention.start : mention.end] == mention.text
    if text.strip():
        pages.search(text)


@pytest.mark.parametrize("title", PAGES)
def test_every_title_is_found_in_a_claim(pages: Collection, title: str) -> None:
    if not title.startswith("It "):
        assert title in {mention.title for mention in pages.mentions(f"Yesterday {title} was discussed.")}


def test_search_puts_the_named_first_and_gives_the_right_sentence(pages: Collection) -> None:
    hits = pages.search("Fox 2000 Pictures released the film Soul Food.")
    assert hits[0].document.title == "Soul Food (film)"
    assert hits[0].mention is not None
    assert {"Soul Food (TV series)", "Film"} <= {hit.document.title for hit in hits}
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    hit = pages.search("When was Help! released?", limit=1, sentences=1)[0]
    assert (hit.document.title, hit.sentences[0].sentence.text) == ("Help!", "It was released in 1965.")
    assert pages.search("Beatles", sentences=0)[0].sentences == ()


def test_a_document_that_is_only_named_gets_its_own_bm25_score(pages: Collection) -> None:
    hits = {hit.document.title: hit for hit in pages.search("the fab four", limit=5)}
    assert hits["The Beatles"].bm25 == 0.0
    by_words = {hit.document.title: hit.score for hit in pages.bm25("Oxford university")}
    for hit in pages.search("Oxford university"):
        assert hit.bm25 == pytest.approx(by_words.get(hit.document.title, 0.0))


def test_bm25_of_documents_beyond_the_pool(tmp_path: Path) -> None:
    with Collection(tmp_path / "c", create=True) as collection:
        rows = [{"title": f"Drink {n}", "text": "green " * 8 + "tea"} for n in range(80)]
        far = {"title": "Green", "text": "Green is a colour. " + "It is one of many. " * 30}
        collection.add_documents([*rows, far])
        hits = {hit.document.title: hit for hit in collection.search("green tea", limit=80)}
        assert hits["Green"].mention is not None
        assert hits["Green"].bm25 > 0


def test_common_words_are_looked_for_in_titles_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aver.collection._lexical._MOST_POSTINGS", 30)
    with Collection(tmp_path / "c", create=True) as collection:
        rows = [{"title": f"Page {n}", "text": "old harbour town market" + " mill" * (n % 5 == 0)} for n in range(40)]
        collection.add_documents([*rows, {"title": "Market", "text": "A place to sell."}])
        lexical = collection._index()
        terms = content_terms("old harbour town market mill")
        assert lexical.telling(terms[:2]) == terms[:2], "three terms are looked for whatever they cost"
        assert lexical.telling(terms) == ["old", "harbour", "mill"]
        assert collection.bm25("old harbour town market")[0].document.title == "Market"
        few = {hit.document: hit.score for hit in lexical.search(terms, 50)}
        all_terms = {hit.document: hit.score for hit in lexical.search(terms, 50, every=True)}
        assert few.keys() == all_terms.keys()
        assert all(few[n] <= all_terms[n] + 1e-6 for n in few)
        first = max(few, key=lambda n: few[n])
        assert [h.score for h in lexical.search(terms, 1, among=[first])] == pytest.approx([few[first]])


def test_common_words_add_to_a_score_and_find_nothing_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aver.collection._lexical._MOST_LEADING", 10)
    monkeypatch.setattr("aver.collection._lexical._MOST_TITLES", 1)
    with Collection(tmp_path / "c", create=True) as collection:
        rows = [{"title": f"Old page {n}", "text": "harbour" + " mill" * (n % 5 == 0)} for n in range(40)]
        collection.add_documents([*rows, {"title": "Harbour", "text": "A place for ships."}])
        lexical = collection._index()
        terms = content_terms("old harbour mill")
        whole = {hit.document: hit.score for hit in lexical.search(terms, 50, every=True)}
        found = {hit.document: hit.score for hit in lexical.search(terms, 9)}
        led = lexical._index.searcher().search(lexical._query(terms, 1.5, terms, whole=False), 50).hits
        assert (len(whole), len(found), len(led)) == (41, 9, 9), "eight pages with a mill, and one whose title is rare"
        assert found == {number: pytest.approx(whole[number]) for number in found}
        without = next(number for number in whole if number not in found)
        assert lexical.search(terms, 1, among=[without])[0].score == pytest.approx(whole[without])
        assert len(lexical.search(content_terms("hrbour mll harbour"), 50)) == 41, "what nothing holds leads nowhere"
        assert len(lexical.search(content_terms("old"), 50)) == 40, "where no body holds a word, titles do"


def test_a_word_of_one_document_or_of_none_that_is_left_hides_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("aver.collection._lexical._MOST_LEADING", 10)
    with Collection(tmp_path / "c", create=True) as collection:
        rows = [{"title": f"Page {n}", "text": "The physicist lived in Germany."} for n in range(40)]
        collection.add_documents([*rows, {"id": "odd", "title": "Odd", "text": "Zweistein is a name."}])
        assert len(collection.bm25("Zweistein, a physicist in Germany", limit=10)) == 10
        collection.add_documents([{"id": "odd", "title": "Odd", "text": "Nothing of the kind."}])
        assert collection._index().frequency("zweistein") == 1, "the index counts what was deleted"
        assert len(collection.bm25("Zweistein, a physicist in Germany", limit=10)) == 10


def test_a_small_collection_looks_for_every_word(pages: Collection) -> None:
    terms = content_terms("The Beatles released the album Help! in the University of Oxford")
    lexical = pages._index()
    assert lexical.telling(terms) == terms
    assert lexical.search(terms, 10) == lexical.search(terms, 10, every=True)


def test_documents_that_the_first_ones_name(tmp_path: Path) -> None:
    pages = {
        "Anne Rice": "Anne Rice is an author. She was born in New Orleans.",
        "New Orleans": "New Orleans is a city in the American state of Louisiana.",
        **{f"Author {n}": "An author was born in a southern state." for n in range(12)},
    }
    with Collection(tmp_path / "c", create=True) as collection:
        collection.add_documents({"title": title, "text": text} for title, text in pages.items())
        query = "Anne Rice was born in a southern state."
        assert "New Orleans" not in {hit.document.title for hit in collection.search(query, limit=5)}
        hits = collection.search(query, limit=5, follow=2)
        assert [hit.document.title for hit in hits].index("New Orleans") == 4
        assert len(hits) == 5
        via = hits[-1].via
        assert via is not None
        assert via.text == "She was born in New Orleans."
        assert all(hit.via is None for hit in hits[:-1])
        assert [hit.document.title for hit in collection.search(query, limit=1, follow=5)] == ["Anne Rice"]


def test_the_same_query_has_the_same_answer(tmp_path: Path) -> None:
    with Collection(tmp_path / "c", create=True) as collection:
        collection.add_documents({"title": f"D{n}", "text": "The same text."} for n in range(30))
        first = [hit.document.key for hit in collection.search("same text")]
        assert first == [hit.document.key for hit in collection.search("same text")]
        assert len(first) == 10


@pytest.mark.parametrize("query", ["东京塔", "塔", "东京塔高多少米？", "建成"])
def test_text_without_spaces_is_found(tmp_path: Path, query: str) -> None:
    texts = {"tower": "东京塔于1958年建成。它高333米。", "kyoto": "京都はとても古い町です。", "Tea": "Tea is hot."}
    with Collection(tmp_path / "c", create=True) as collection:
        collection.add_documents({"title": title, "text": text} for title, text in texts.items())
        assert [hit.document.title for hit in collection.search(query)] == ["tower"]
        assert collection.bm25("京都の町")[0].document.title == "kyoto"
        best = collection.search("塔高333米")[0].sentences[0].sentence
        assert best.text == "它高333米。"


def test_text_with_spaces_has_the_terms_it_had() -> None:
    text = "Beyoncé’s “Déjà Vu” – 서울, Москва, Ελλάδα: 1,000 – was running 😀"
    assert analyze(text) == _ANALYZER.analyze(text)
    assert content_terms("서울 Москва") == _ANALYZER.analyze("서울 Москва")
    quoting = "Tokyo Tower (東京タワー) is a tower in Tokyo."
    assert analyze(quoting) == _ANALYZER.analyze(quoting)


def test_a_name_without_spaces_is_found_where_it_is_quoted(tmp_path: Path) -> None:
    with Collection(tmp_path / "c", create=True) as collection:
        collection.add_documents([{"title": "Tokyo Tower", "text": "Tokyo Tower (東京タワー) is a tower in Tokyo."}])
        assert [hit.document.title for hit in collection.search("東京タワー")] == ["Tokyo Tower"]


def test_half_a_surrogate_pair_in_a_query_is_passed_over(pages: Collection) -> None:
    assert pages.search("Beyonc\u00e9 \ud83d sings")[0].document.title == "Beyonc\u00e9"
    assert analyze("tea \ud83d") == content_terms("tea \ud83d") == ["tea"]


def test_wrong_questions(pages: Collection) -> None:
    with pytest.raises(InputError, match="limit must be at least 1"):
        pages.search("tea", limit=0)
    with pytest.raises(InputError, match="query is empty"):
        pages.search("  ")
    assert pages.search("zzzz") == []
    assert pages.search("AND OR NOT ( \" * title:x") is not None
