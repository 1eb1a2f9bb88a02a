"""After a run that doubled it an index is in one segment, and answers as before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from aver.collection import Collection
from aver.collection._lexical import Lexical
from aver.errors import InputError


@pytest.fixture
def tea(tmp_path: Path) -> Iterator[Collection]:
    with Collection(tmp_path / "tea", create=True) as collection:
        yield collection


def test_a_scattered_index_is_gathered(tea: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aver.collection._adding._BATCH_DOCUMENTS", 10)
    monkeypatch.setattr("aver.collection._writing._SETTLE_DOCUMENTS", 10)

    def segments() -> int:
        return tea._index()._index.searcher().num_segments

    def rows(first: int, after: int, word: str = "leaf") -> Iterator[dict[str, str]]:
        return ({"title": f"Tea {n}", "text": f"A {word} of kind{n} in water."} for n in range(first, after))

    with Collection(tea.folder) as reader:
        assert reader.bm25("leaf") == []
        tea.add_documents(rows(0, 60))
        assert segments() == 1, "all of it came in this run"
        tea.add_documents(rows(60, 100))
        assert segments() == 5, "less came than was there"
        tea.add_documents(rows(80, 200, "bud"))
        assert segments() == 1, "changed documents count too"
        for collection in (reader, tea):
            assert len(collection.bm25("leaf", limit=300)) == 80
            assert len(collection.bm25("bud", limit=300)) == 120
            assert [hit.document.title for hit in collection.bm25("kind199")] == ["Tea 199"]
    # one that is too large is left alone
    monkeypatch.setattr("aver.collection._writing._MOST_SEGMENTS", 0)
    monkeypatch.setattr("aver.collection._lexical._GATHERING", 0)
    monkeypatch.setattr("aver.collection._lexical.Lexical.gather", None)
    tea.add_documents(rows(200, 500))


def test_a_fault_while_gathering_loses_nothing(tea: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aver.collection._writing._MOST_SEGMENTS", 0)
    put = Lexical.put

    def full(self: Lexical, documents: Iterable[tuple[int, str, str]], stale: Iterable[int]) -> None:
        put(self, documents, stale)
        if stale == ():
            raise ValueError("No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("aver.collection._lexical.Lexical.put", full)
        with pytest.raises(InputError, match="cannot be written: No space left on device; what was reported is stored"):
            tea.add_documents([{"title": "Tea", "text": "Tea is hot."}])
    assert [hit.document.title for hit in tea.bm25("hot tea")] == ["Tea"]
    tea.add_documents([{"title": "Coffee", "text": "Coffee is hot too."}])
    assert len(tea.bm25("hot")) == 2
