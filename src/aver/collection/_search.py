"""Searching: BM25 and mentions made one ranking, and the best sentences of what is found.

The five weights below were fitted on claims of VitaminC's training folds and their pages, and are reported on FEVER's
development set; `benchmarks/collection.py --fit` prints both. The fit never saw that set, but which five features there
are, and `follow=2` in the benchmark, were chosen by looking at 800 of its claims.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from aver.collection._documents import Document, DocumentSentence, Hit, Mention, ScoredSentence
from aver.collection._lexical import Lexical, LexicalHit, analyze, content_terms
from aver.collection._mentions import find_mentions
from aver.collection._reading import Tables
from aver.text import Phrase

__all__ = ["WEIGHTS", "Weights", "bm25", "phrase_mentions", "rank", "score_sentences", "search"]

_POOL = 50
"""Documents of BM25 that are ranked together with those mentioned."""
_PHRASE_TITLES = 5
"""Titles that a noun phrase brings in."""
_FOLLOWED_HITS = 3
_FOLLOWED_SENTENCES = 2


class Weights(NamedTuple):
    """What counts how much for a document's score."""

    bm25: float
    """Times its BM25 score as a share of the best one's."""
    exact: float
    """Its title stands in the query as it is written."""
    maximal: float
    """Its name is not part of a longer name there."""
    capital: float
    """Its name is written with a capital letter or a digit there."""
    late: float
    """Times the share of the query that comes before its name: what a claim is about comes first."""


WEIGHTS = Weights(bm25=7.3, exact=1.6, maximal=1.8, capital=0.9, late=-2.2)


def bm25(tables: Tables, lexical: Lexical, query: str, limit: int) -> list[Hit]:
    """The best documents by BM25 alone, without sentences."""
    # some more than asked for: a document may have been removed since the index was read
    found = lexical.search(content_terms(query), limit + 5)
    documents = tables.documents(hit.document for hit in found)
    hits = [Hit(documents[hit.document], hit.score, hit.score, None) for hit in found if hit.document in documents]
    return hits[:limit]


def search(
    tables: Tables, lexical: Lexical, query: str, limit: int, sentences: int, follow: int,
    phrases: Sequence[Phrase] = (),
) -> list[Hit]:  # fmt: skip
    """The best documents by BM25 and mentions together, each with its best sentences; `follow` of them are followed."""
    terms = content_terms(query)
    mentions = find_mentions(tables, query)
    mentions += phrase_mentions(tables, lexical, phrases, mentions)
    found = lexical.search(terms, max(_POOL, limit))
    missing = {mention.document for mention in mentions} - {hit.document for hit in found}
    if missing:
        found += lexical.search(terms, len(missing), among=sorted(missing))
    ranked = rank(query, found, mentions)[: limit + 5]
    documents = tables.documents(number for number, _, _, _ in ranked)
    hits: list[Hit] = []
    for number, score, by_words, mention in ranked:
        if number in documents and len(hits) < limit:
            best = _best_sentences(tables, lexical, terms, documents[number], sentences)
            hits.append(Hit(documents[number], score, by_words, mention, best))
    followed = _followed(tables, lexical, terms, hits, min(follow, limit - 1), sentences) if follow else []
    return hits[: limit - len(followed)] + followed


def _followed(
    tables: Tables, lexical: Lexical, terms: Sequence[str], hits: Sequence[Hit], count: int, sentences: int
) -> list[Hit]:
    """Documents that the best sentences of the first hits name: the second page of a claim about two."""
    known = {hit.document.id for hit in hits}
    named: dict[int, tuple[Mention, DocumentSentence]] = {}
    for hit in hits[:_FOLLOWED_HITS]:
        best = hit.sentences or _best_sentences(tables, lexical, terms, hit.document, _FOLLOWED_SENTENCES)
        for found in best[:_FOLLOWED_SENTENCES]:
            for mention in find_mentions(tables, found.sentence.text):
                if mention.maximal and not mention.text[0].islower() and mention.document not in known:
                    named.setdefault(mention.document, (mention, found.sentence))
    if not named:
        return []
    scored = lexical.search(terms, len(named), among=sorted(named))[:count]
    documents = tables.documents(hit.document for hit in scored)
    top = max((hit.bm25 for hit in hits), default=0.0)
    return [
        Hit(
            documents[hit.document],
            WEIGHTS.bm25 * hit.score / top if top else 0.0,
            hit.score,
            named[hit.document][0],
            _best_sentences(tables, lexical, terms, documents[hit.document], sentences),
            named[hit.document][1],
        )
        for hit in scored
        if hit.document in documents
    ]


def phrase_mentions(
    tables: Tables, lexical: Lexical, phrases: Sequence[Phrase], known: Sequence[Mention]
) -> list[Mention]:
    """The titles that hold all words of a noun phrase that is no name of the collection itself."""
    named = {(mention.start, mention.end) for mention in known}
    found = []
    for phrase in phrases:
        hits = lexical.titled(content_terms(phrase.text), _PHRASE_TITLES) if phrase[1:] not in named else []
        titles = tables.titles([hit.document for hit in hits])
        count = len(phrase.text.split())
        found += [
            Mention(*phrase, hit.document, titles[hit.document], "phrase", count, False, len(hits))
            for hit in hits
            if hit.document in titles
        ]
    return found


def rank(
    query: str, found: Iterable[LexicalHit], mentions: Iterable[Mention], *, weights: Weights = WEIGHTS
) -> list[tuple[int, float, float, Mention | None]]:
    """(document, score, BM25 score, mention) of all that were found either way, the best first."""
    scores = {hit.document: hit.score for hit in found}
    top = max(scores.values(), default=0.0)
    named: dict[int, Mention] = {}
    for mention in mentions:
        before = named.get(mention.document)
        if before is None or _weight(mention) > _weight(before):
            named[mention.document] = mention
    ranked = []
    for number in scores.keys() | named.keys():
        by_words = scores.get(number, 0.0)
        score = weights.bm25 * by_words / top if top else 0.0
        said = named.get(number)
        if said is not None:
            score += weights.exact * (said.kind == "exact") + weights.maximal * said.maximal
            score += weights.capital * (not said.text[0].islower()) + weights.late * said.start / len(query)
        ranked.append((number, score, by_words, said))
    # the number decides between equals, so that the same query has the same answer
    return sorted(ranked, key=lambda row: (-row[1], row[0]))


def _weight(mention: Mention) -> tuple[bool, int, bool]:
    return mention.maximal, mention.words, not mention.text[0].islower()


def _best_sentences(
    tables: Tables, lexical: Lexical, terms: Sequence[str], document: Document, count: int
) -> tuple[ScoredSentence, ...]:
    if count < 1:
        return ()
    stored = tables.sentences(document.revision, document.id, document.text)
    scored = score_sentences(lexical, terms, stored, title=document.title)
    return tuple(sorted(scored, key=lambda found: -found.score)[:count])


def score_sentences(
    lexical: Lexical, terms: Sequence[str], sentences: Sequence[DocumentSentence], *, title: str = ""
) -> list[ScoredSentence]:
    """The share of the query's terms each sentence holds, weighted by their rarity in the collection.

    Terms of the title count a quarter: every sentence of the document is about that.
    """
    known = set(analyze(title))
    rarity = {term: lexical.rarity(term) * (0.25 if term in known else 1.0) for term in terms}
    total = sum(rarity.values()) or 1.0
    return [
        ScoredSentence(sentence, sum(rarity[term] for term in rarity.keys() & set(analyze(sentence.text))) / total)
        for sentence in sentences
    ]
