"""Search the other way round: what a document is worth to queries that are known beforehand.

`Collection.search` goes from a query to documents. Whoever keeps many queries and sees one document change wants to
know which of them it could now answer, without asking each. A document's BM25 score is a sum over terms: what each
term of the document adds is worked out once, and holds for every query that has the term. In a large collection a
search leaves a query's commonest terms out in bodies; here they count, so that a score may be too high, never too low.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Sequence

from aver.collection._collection import Collection
from aver.collection._documents import Hit
from aver.collection._lexical import TITLE_BOOST, analyze, content_terms
from aver.collection._names import fold_name, fold_tokens, title_names
from aver.collection._search import WEIGHTS

__all__ = ["Inverse", "needed_score", "query_names", "query_terms"]

_K1, _B = 1.2, 0.75  # tantivy's
_SAMPLE = 1000


def query_terms(text: str) -> list[str]:
    """The terms by which a query finds documents: what to keep of it in an index of queries.

    >>> query_terms("The Beatles were in Hamburg.")
    ['beatl', 'hamburg']
    """
    return content_terms(text)


def query_names(text: str) -> str:
    """A query as names are looked for in it: ` name ` stands in it where the query mentions it.

    >>> " soul food " in query_names("Soul Food (the film) was released.")
    True
    """
    return f" {' '.join(token.text for token in fold_tokens(text))} "


def needed_score(hits: Sequence[Hit], limit: int) -> float:
    """The BM25 score from which a document that the query does not name would be among its first `limit` hits.

    0.0 where fewer were found: then any document that shares a term would be.
    """
    if len(hits) < limit:
        return 0.0
    top = max(hit.bm25 for hit in hits)
    return max(0.0, min(hits[-1].score * top / WEIGHTS.bm25, top))


class Inverse:
    """Weighs documents' terms as the collection's index does now.

    How long documents are on average is taken from a thousand of them, so a score is right to one per cent or two.
    """

    def __init__(self, collection: Collection) -> None:
        self._lexical = collection._index()
        self._searcher = self._lexical._index.searcher()
        self._total = self._searcher.num_docs
        self._titles, self._bodies = _lengths(collection)
        self._rarities: dict[str, tuple[float, float]] = {}

    def weights(self, title: str, text: str, *, among: Container[str]) -> dict[str, float]:
        """What each term adds to the BM25 score of a document, for those of its terms that are `among` these."""
        titled, held = analyze(title), analyze(text)
        in_title, in_body = Counter(titled), Counter(held)
        long_title = _K1 * (1 - _B + _B * _rounded(len(titled)) / self._titles)
        long_body = _K1 * (1 - _B + _B * _rounded(len(held)) / self._bodies)
        found: dict[str, float] = {}
        for term in in_title.keys() | in_body.keys():
            if term in among:
                by_title, by_body = self._rarity(term)
                a, b = in_title[term], in_body[term]
                score = TITLE_BOOST * by_title * a / (a + long_title) + by_body * b / (b + long_body)
                found[term] = (1 + _K1) * score
        return found

    def _rarity(self, term: str) -> tuple[float, float]:
        known = self._rarities.get(term)
        if known is None:
            known = self._of("title", term), self._of("body", term)
            self._rarities[term] = known
        return known

    def _of(self, field: str, term: str) -> float:
        holding = min(self._searcher.doc_freq(field, term), self._total)
        return math.log(1 + (self._total - holding + 0.5) / (holding + 0.5))

    @staticmethod
    def names(title: str) -> list[str]:
        """The names under which a query may mention a document of this title."""
        return [name for name, _ in title_names(title)]

    @staticmethod
    def folded(title: str) -> str:
        """A title as aliases lead to it."""
        return fold_name(title)


def _rounded(length: int) -> int:
    """A length as tantivy keeps it in one byte: exact up to 40, then in steps of 2, 4, 8 …, eight of each.

    >>> [_rounded(n) for n in (7, 40, 41, 43, 57, 63, 100)]
    [7, 40, 40, 42, 56, 60, 96]
    """
    start, step = 40, 2
    while length >= start + 8 * step:
        start, step = start + 8 * step, 2 * step
    return length if length < 40 else start + (length - start) // step * step


def _lengths(collection: Collection) -> tuple[float, float]:
    """How many terms titles and texts have on average, from documents evenly spread."""
    ask = collection._tables.connection.execute
    last = int(ask("SELECT coalesce(max(id), 0) FROM documents").fetchone()[0])
    step = max(1, last // _SAMPLE)
    documents = collection.documents(range(1, last + 1, step)).values()
    titles = [len(analyze(document.title)) for document in documents]
    bodies = [len(analyze(document.text)) for document in documents]
    return max(1.0, sum(titles) / max(1, len(titles))), max(1.0, sum(bodies) / max(1, len(bodies)))
