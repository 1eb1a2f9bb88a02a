"""From a claim to the sentences worth reading: documents first, then their sentences by a cheap similarity."""

from __future__ import annotations

import dataclasses
import math
from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Any

from aver.collection import Collection, Hit
from aver.errors import InputError
from aver.models import installed, load_encoder
from aver.text import split_sentences, words

__all__ = [
    "Passage",
    "Retrieved",
    "Similarity",
    "find_documents",
    "select_from_texts",
    "select_sentences",
    "select_text_sentences",
    "word_similarity",
]

DOCUMENT_SHARE = 0.2
"""What the document's own score adds to a sentence's similarity, by which sentences take sides (`Settings.near`)."""
STANDING_SHARE, VECTOR_SHARE = 1.2, 0.75
"""What the document's score and the cosine of the static encoder add when sentences are chosen and ordered. Chosen on
the first half of FEVER's paper_dev; `benchmarks/verification.py --only steps` prints what they do on the second."""
OPENING_SHARE = 0.1
"""What being a document's first sentence adds: it says what the document is about."""
_MOST_EMBEDDED = 5_000
"""Of more sentences only those nearest by words get vectors: a book costs seconds for every claim otherwise."""


@dataclasses.dataclass(frozen=True, slots=True)
class Passage:
    """A sentence, where it stands, and how near it seemed to the claim before any model read it."""

    document: str
    """The document's key; `evidence` or the file's name where a text was handed in."""
    title: str
    revision: int | None
    number: int
    """The sentence's number in the document, from 0."""
    text: str
    start: int
    end: int
    hash: str
    similarity: float
    """By words: see `select_sentences`."""
    cosine: float = 0.0
    """By vectors, of the titled sentence and the claim; 0 where they were not used."""
    standing: float = 0.0
    """Its document's score as a share of the best document's; 0 where a text was handed in."""

    @property
    def near(self) -> float:
        """What passages are chosen and ordered by: the similarity, and the standing and the cosine by their shares."""
        return self.similarity + STANDING_SHARE * self.standing + VECTOR_SHARE * self.cosine

    @property
    def titled(self) -> str:
        """`Title: sentence`, or the sentence alone where there is no title: what is read, and what words and vectors
        are taken of."""
        return f"{self.title}: {self.text}" if self.title else self.text

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return dataclasses.asdict(self)


@dataclasses.dataclass(frozen=True, slots=True)
class Retrieved:
    """The sentences chosen for reading, the nearest first, and how many there were to choose from."""

    passages: tuple[Passage, ...]
    documents: tuple[Hit, ...]
    """The documents they come from, the best first; none where a text was handed in."""
    sentences: int
    """All sentences of those documents."""
    encoder: str = ""
    """Whose vectors were used; empty where none were."""
    texts: int = 0
    """How many texts were handed in; 0 where a collection was searched."""


Similarity = Callable[[str, Sequence[Passage]], Sequence[float]]
"""A claim and passages to one number each, higher being nearer; what replaces words and vectors both."""


def find_documents(collection: Collection, claim: str, *, limit: int = 10) -> tuple[Hit, ...]:
    """The documents a claim may be about: BM25 over titles and texts, and the titles it names.

    Each hit has its score, its BM25 score and the mention that led to it.
    """
    if not any(c.isalnum() for c in claim):
        return ()
    return tuple(collection.search(claim, limit=limit, sentences=0))


def select_sentences(
    collection: Collection,
    claim: str,
    documents: Sequence[Hit],
    *,
    limit: int = 30,
    similarity: Similarity | None = None,
    vectors: bool = True,
) -> Retrieved:
    """The sentences of these documents nearest to the claim.

    Without `similarity` that is the share of the claim's words a sentence holds, rare ones counting more, plus a tenth
    for a document's first sentence, plus its document's score as a share of the best one's, plus, with `vectors`, the
    cosine of the shipped static encoder, made on the spot. Nothing has to be embedded first.
    """
    if limit < 1:
        raise InputError(f"limit must be at least 1; got {limit}")
    best = max((hit.score for hit in documents), default=0.0) or 1.0
    found: list[Passage] = []
    for hit in documents:
        document = hit.document
        stored = collection.sentences(document)
        standing = hit.score / max(best, 1.0)
        for scored in collection.score_sentences(claim, stored, title=document.title):
            s = scored.sentence
            alike = scored.score + DOCUMENT_SHARE * standing + OPENING_SHARE * (s.number == 0)
            place = (document.key, document.title, s.revision, s.number, s.text, s.start, s.end, s.hash)
            found.append(Passage(*place, similarity=alike, standing=standing))
    return _nearest(claim, found, limit, similarity, vectors, tuple(documents))


def select_text_sentences(
    claim: str,
    text: str,
    *,
    name: str = "evidence",
    title: str = "",
    limit: int = 30,
    similarity: Similarity | None = None,
    vectors: bool = True,
) -> Retrieved:
    """The sentences of one text nearest to the claim, as `select_sentences` finds them in documents.

    >>> found = select_text_sentences("Tea is hot.", "It rained. Tea is served hot.", limit=1)
    >>> [(p.number, p.text, p.start) for p in found.passages], found.sentences
    ([(1, 'Tea is served hot.', 11)], 2)
    """
    return select_from_texts(claim, [(name, title, text)], limit=limit, similarity=similarity, vectors=vectors)


def select_from_texts(
    claim: str,
    texts: Sequence[tuple[str, str, str]],
    *,
    limit: int = 30,
    similarity: Similarity | None = None,
    vectors: bool = True,
) -> Retrieved:
    """The sentences of (name, title, text) nearest to the claim, whichever text they stand in."""
    passages = [
        Passage(name, title, None, number, s.text, s.start, s.end, _hash(s.text), 0.0)
        for name, title, text in texts
        for number, s in enumerate(split_sentences(text))
    ]
    if similarity is None:
        passages = _by(word_similarity, claim, passages)
    found = _nearest(claim, passages, limit, similarity, vectors, ())
    return dataclasses.replace(found, texts=len(texts))


def word_similarity(claim: str, passages: Sequence[Passage]) -> list[float]:
    """The share of the claim's words each passage holds; words that few of the passages hold count more.

    >>> one, other = (Passage("d", "", None, 0, text, 0, 0, "", 0.0) for text in ("Tea is hot.", "It is raining."))
    >>> near, far = word_similarity("The tea is hot", [one, other])
    >>> near > far
    True
    """
    held = [_terms(passage.titled) for passage in passages]
    frequency = Counter(term for terms in held for term in terms)
    weights = {t: math.log(1 + (len(held) - frequency[t] + 0.5) / (frequency[t] + 0.5)) for t in _terms(claim)}
    total = sum(weights.values()) or 1.0
    return [sum(w for t, w in weights.items() if t in terms) / total for terms in held]


def _by(similarity: Similarity, claim: str, passages: list[Passage]) -> list[Passage]:
    scores = similarity(claim, passages)
    return [dataclasses.replace(p, similarity=float(s), standing=0.0) for p, s in zip(passages, scores, strict=True)]


def _nearest(
    claim: str, passages: list[Passage], limit: int, similarity: Similarity | None, vectors: bool,
    documents: tuple[Hit, ...],
) -> Retrieved:  # fmt: skip
    model, total = "", len(passages)
    if similarity is not None:
        passages = _by(similarity, claim, passages)
    elif vectors and passages and installed(kind="encoder"):
        encoder = load_encoder()
        near = sorted(passages, key=lambda p: -p.near)[:_MOST_EMBEDDED] if total > _MOST_EMBEDDED else passages
        rows = encoder.encode([claim, *(passage.titled for passage in near)])
        cosines = rows[1:] @ rows[0]
        passages = [dataclasses.replace(p, cosine=float(c)) for p, c in zip(near, cosines, strict=True)]
        model = encoder.model
    # sorting keeps the order of reading between equals; the same words under the same title are read once
    once: dict[str, Passage] = {}
    for passage in sorted(passages, key=lambda p: -p.near):
        once.setdefault(passage.titled, passage)
        if len(once) == limit:
            break
    return Retrieved(tuple(once.values()), documents, total, model)


def _terms(text: str) -> set[str]:
    # six letters of a word are nearly its stem, and need no list of endings
    return {w.text.casefold()[:6] for w in words(text) if not w.is_punctuation}


def _hash(text: str) -> str:
    # as a collection hashes its sentences: the same sentence is the same wherever it stands
    return blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()
