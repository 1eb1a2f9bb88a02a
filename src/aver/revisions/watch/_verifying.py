"""One watched claim verified: the same steps as `aver.check`, with everything kept that a later run needs."""

from __future__ import annotations

from typing import NamedTuple

from aver.collection import Collection, needed_score
from aver.models import Judge
from aver.revisions.watch._memory import Remembering
from aver.revisions.watch._store import Claim, Page, Store, Stored
from aver.verify import Verdict, check_passages, find_documents, ranker_for, select_sentences

__all__ = ["Verified", "is_same", "verify"]


class Verified(NamedTuple):
    """A verdict, the pages it looked into, and what another page would need to be one of them."""

    verdict: Verdict
    pages: tuple[Page, ...]
    needs: float
    pairs: int


def verify(
    collection: Collection, store: Store, claim: Claim, judge: Judge, ranker: Judge | None, total: int
) -> Verified:
    """Verifies a claim; what the judge said of it before is not asked again, and what it says now is kept.

    `ranker` is the one that was named for the claim; where none was, it is the judge's own. `total` is the number of
    documents, counted once by whoever verifies many claims.
    """
    settings = claim.settings
    documents = find_documents(collection, claim.text, limit=settings.documents)
    retrieved = select_sentences(collection, claim.text, documents, limit=settings.sentences, vectors=settings.vectors)
    found = [hit.document for hit in documents]
    remembering = Remembering(judge, store.known(claim.number, judge.model))
    first = ranker or ranker_for(judge)
    ordering = remembering if first is judge else Remembering(first, store.known(claim.number, first.model))
    verdict = check_passages(
        claim.text, retrieved, remembering, ranker=ordering, settings=settings, source=collection.name, total=total,
        documents={document.key: document.hash for document in found},
    )  # fmt: skip
    for one in {remembering.model: remembering, ordering.model: ordering}.values():
        store.learn(claim.number, one.model, one.learnt)
    read = remembering.pairs + (ordering.pairs if ordering is not remembering else 0)
    pages = tuple(Page(document.key, document.hash, document.revision) for document in found)
    return Verified(verdict, pages, needed_score(documents, settings.documents), read)


def is_same(before: Stored, found: Verified) -> bool:
    """Nothing that is stored of a verdict differs: not the pages, nor the sentences, nor what they say."""
    verdict = found.verdict
    outcome = before.outcome
    if (outcome.label, outcome.status, outcome.model) != (verdict.label, verdict.status, verdict.provenance.model):
        return False
    if abs(outcome.confidence - verdict.confidence) > 1e-9:
        return False
    kept = [(k.page, k.title, k.hash, k.label) for k in before.evidence]
    now = [(e.passage.document, e.passage.title, e.passage.hash, str(e.label)) for e in verdict.evidence]
    return kept == now and [(p.key, p.hash) for p in before.pages] == [(p.key, p.hash) for p in found.pages]
