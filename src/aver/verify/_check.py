"""`aver.check`: a claim and a body of text in, a verdict with its evidence out."""

from __future__ import annotations

import dataclasses
import os
import time
from collections.abc import Mapping, Sequence

from aver import __version__
from aver.collection import Collection
from aver.errors import InputError, count_of, kind_of
from aver.labels import Label
from aver.models import Judge, load_judge
from aver.results import Probabilities, RationaleWord, Status
from aver.verify._claims import REASONS, verifiability
from aver.verify._passages import (
    Passage,
    Retrieved,
    Similarity,
    find_documents,
    select_from_texts,
    select_sentences,
    select_text_sentences,
)
from aver.verify._quotes import check_quote, find_quotes
from aver.verify._reading import READ_AGAIN, Reading, ranker_for, read_jointly, read_sentences
from aver.verify._results import Coverage, Provenance, Settings, Verdict
from aver.verify._verdict import decide, set_aside, weigh_figures
from aver.verify._weighing import weights_for

__all__ = ["check", "check_passages"]

MOST_CHARACTERS = 2_000
"""Of a claim: one sentence. A longer text is split with `find_claims`."""
DEFAULT = Settings()


def check(
    claim: str,
    *,
    collection: Collection | str | os.PathLike[str] | None = None,
    evidence: str | Sequence[tuple[str, str]] | None = None,
    model: str | os.PathLike[str] | Judge = "default",
    ranker: str | os.PathLike[str] | Judge | None = None,
    settings: Settings = DEFAULT,
    similarity: Similarity | None = None,
    name: str = "evidence",
) -> Verdict:
    """What a collection, or a text, says about a claim.

    Give `collection` (an open one, a name or a folder) or `evidence`: a text, or (title, text) pairs. The verdict
    has a label (SUPPORTS, REFUTES, NOT_ENOUGH_INFO or DISPUTED), its confidence, the sentences it rests on with their
    places and deciding words, and what was read. `ranker` reads all chosen sentences and orders them, and `model` reads
    the best: left out, that is `fast` for a judge that comes with aver, and any other judge ranks for itself; name the
    model again and it does both. `similarity` replaces the cheap similarity sentences are chosen by;
    `name` is what a handed-in text is called in the answer.

    >>> check("Tea is hot.")
    Traceback (most recent call last):
    aver.errors.InputError: say where to look: give collection or evidence
    """
    began = time.perf_counter()
    if collection is None and evidence is None:
        raise InputError("say where to look: give collection or evidence")
    if collection is not None and evidence is not None:
        raise InputError("give collection or evidence, not both")
    _fit(claim)
    judge = model if isinstance(model, Judge) else load_judge(model)
    first = ranker if isinstance(ranker, Judge) or ranker is None else load_judge(ranker)
    if evidence is not None:
        _taken(evidence)
        retrieved = _from_evidence(claim, evidence, name, settings, similarity)
        verdict = check_passages(
            claim, retrieved, judge, ranker=first, settings=settings, source=name, total=retrieved.texts
        )
        texts = [(name, evidence)] if isinstance(evidence, str) else [(title or name, text) for title, text in evidence]
        return _finished(verdict, texts, began)
    if isinstance(collection, Collection):
        return _in_collection(claim, collection, judge, first, settings, similarity, began)
    assert collection is not None
    with Collection(collection) as opened:
        return _in_collection(claim, opened, judge, first, settings, similarity, began)


def _in_collection(
    claim: str, collection: Collection, judge: Judge, ranker: Judge | None, settings: Settings,
    similarity: Similarity | None, began: float,
) -> Verdict:  # fmt: skip
    documents = find_documents(collection, claim, limit=settings.documents)
    retrieved = select_sentences(
        collection, claim, documents, limit=settings.sentences, similarity=similarity, vectors=settings.vectors
    )
    found = {document.key: document.hash for document in (hit.document for hit in documents)}
    verdict = check_passages(
        claim, retrieved, judge, ranker=ranker, settings=settings, source=collection.name, total=len(collection),
        documents=found,
    )  # fmt: skip
    # words quoted from elsewhere need not be about what the claim is about: they are searched for themselves
    texts = {hit.document.key: hit.document.text for hit in documents}
    for quote in find_quotes(claim):
        texts |= {hit.document.key: hit.document.text for hit in find_documents(collection, quote, limit=5)}
    return _finished(verdict, list(texts.items()), began)


def check_passages(
    claim: str,
    retrieved: Retrieved,
    judge: Judge,
    *,
    ranker: Judge | None = None,
    settings: Settings = DEFAULT,
    source: str = "evidence",
    total: int = 1,
    documents: Mapping[str, str] | None = None,
) -> Verdict:
    """The verdict over sentences that were chosen already: read, re-rank, keep, compare, read together, decide.

    `ranker` reads them all, and `judge` the best of them, of which the best again are kept; left out, it is
    `ranker_for(judge)`. Where no more were chosen than the judge would read, it reads them at once.
    """
    # a search brings up what looks alike, and the weights are fitted for that; evidence that was handed in was chosen
    weights = weights_for(judge.model) if retrieved.documents else None
    named = weights.name if weights else "none"
    most = settings.evidence if weights is None else max(READ_AGAIN, settings.evidence)
    few = len(retrieved.passages) <= most
    first = judge if few else ranker or ranker_for(judge)
    apart = first.model if first.model != judge.model else ""
    provenance = Provenance(
        judge.model, source, documents or {}, named, settings, __version__, retrieved.encoder, apart
    )
    readings = read_sentences(first, claim, retrieved.passages)
    without = [r for r in readings if r.judgement.label is None]
    read = [r for r in readings if r.judgement.label is not None]
    kept = read
    if apart and read:
        again = read_sentences(judge, claim, [reading.passage for reading in read[:most]])
        without += [r for r in again if r.judgement.label is None]
        kept = [r for r in again if r.judgement.label is not None]
    kept = kept[: settings.evidence]
    failed = [r for r in without if r.judgement.status == "error"]
    words = sum(r.judgement.coverage for r in read) / len(read) if read else 0.0
    coverage = Coverage(len(retrieved.documents) or retrieved.texts, total, len(read), retrieved.sentences, words)
    if not kept:
        status: Status = "error" if failed else "abstained"
        reason = "nothing in it shares a word with the claim, so nothing was read"
        if without:
            reason = _why((failed or without)[0])
        label = None if without else Label.NOT_ENOUGH_INFO
        return Verdict(
            claim, label, Probabilities(), 0.0, status, (), None, Label.NOT_ENOUGH_INFO, coverage, provenance,
            notes=(reason,),
        )  # fmt: skip
    evidence = [weigh_figures(claim, reading, compare=settings.figures) for reading in kept]
    if weights is not None:
        evidence = set_aside(claim, evidence, settings.near)
    joint = read_jointly(judge, claim, kept)
    assert joint is not None
    decision = decide(claim, evidence, joint, weights, settings)
    notes = list(decision.notes)
    if joint.label is None:
        notes.append(f"what the sentences say together could not be told: {joint.reason}")
    if without:
        notes.append(f"{count_of(len(without), 'sentence')} could not be judged: {_why((failed or without)[0])}")
    sure = decision.confidence >= settings.abstain
    if not sure:
        least = f"at {decision.confidence:.4g}, below {settings.abstain:g}"
        notes.append(f"not sure enough to say: {decision.label} is only the likeliest label, {least}")
    verdict = Verdict(
        claim, decision.label, decision.probabilities, decision.confidence, "scored" if sure else "abstained",
        tuple(evidence), joint, decision.rule_label, coverage, provenance, disputed=decision.disputed,
        notes=tuple(notes),
    )  # fmt: skip
    return _with_rationales(verdict, judge) if settings.rationale else verdict


def _why(reading: Reading) -> str:
    """Why a sentence has no label, and which it is where that is a fault of it."""
    if reading.judgement.status != "error":
        return reading.judgement.reason
    return f"{reading.judgement.reason} ({reading.passage.document}, sentence {reading.passage.number + 1})"


def _with_rationales(verdict: Verdict, judge: Judge, most: int = 2) -> Verdict:
    """Marks the deciding words, in the two surest sentences of each side."""
    chosen: set[int] = set()
    for side in (verdict.supporting, verdict.refuting):
        chosen |= {id(e) for e in side[:most] if any(e is d for d in verdict.deciding)}
    marked = tuple(
        dataclasses.replace(e, rationale=_words(verdict.claim, e.passage, judge)) if id(e) in chosen else e
        for e in verdict.evidence
    )
    return dataclasses.replace(verdict, evidence=marked)


def _words(claim: str, passage: Passage, judge: Judge) -> tuple[RationaleWord, ...]:
    shift = len(passage.titled) - len(passage.text)
    explained = judge.explain(claim, passage.titled)
    return tuple(
        word._replace(start=word.start - shift, end=word.end - shift)
        for word in explained.evidence
        if word.chosen and word.start >= shift
    )


def _from_evidence(
    claim: str, evidence: str | Sequence[tuple[str, str]], name: str, settings: Settings, similarity: Similarity | None
) -> Retrieved:
    if isinstance(evidence, str):
        return select_text_sentences(
            claim, evidence, name=name, limit=settings.sentences, similarity=similarity, vectors=settings.vectors
        )
    texts = [(title or name, title, text) for title, text in evidence]
    return select_from_texts(claim, texts, limit=settings.sentences, similarity=similarity, vectors=settings.vectors)


def _taken(evidence: object) -> None:
    """Complains of evidence that is no text, no (title, text) pairs, or empty."""
    if isinstance(evidence, str):
        if not any(c.isalnum() for c in evidence):
            without = "is empty" if not evidence.strip() else "has no words"
            raise InputError(f"the evidence {without}: there is nothing to look in")
        return
    if not isinstance(evidence, Sequence) or isinstance(evidence, bytes):
        raise InputError(f"evidence is {kind_of(evidence)}; it must be a text, or a list of (title, text)")
    for number, pair in enumerate(evidence):
        if not isinstance(pair, (tuple, list)) or len(pair) != 2 or not all(isinstance(part, str) for part in pair):
            raise InputError(f"evidence {number}: expected (title, text), got {kind_of(pair, none='None')}")
    if not any(c.isalnum() for _, text in evidence for c in text):
        raise InputError("the evidence is empty: there is nothing to look in")


def _fit(claim: str) -> None:
    if not isinstance(claim, str):
        raise InputError(f"the claim is {kind_of(claim, none='missing')}; it must be text")
    if not any(c.isalnum() for c in claim):
        raise InputError("the claim is empty" if not claim.strip() else "the claim has no words")
    if len(claim) > MOST_CHARACTERS:
        raise InputError(
            f"the claim has {len(claim):,} characters and at most {MOST_CHARACTERS:,} are taken; "
            "a text of several claims is split with: aver check --text FILE"
        )


def _finished(verdict: Verdict, texts: Sequence[tuple[str, str]], began: float) -> Verdict:
    quotes = tuple(check_quote(quote, texts) for quote in find_quotes(verdict.claim))
    notes = verdict.notes
    if "question" in verifiability(verdict.claim):
        notes += (f"the claim is a question: {REASONS['question']}; write it as a statement to have it verified",)
    if altered := [check.quote for check in quotes if check.outcome == "altered"]:
        notes += (f"the claim quotes “{altered[0]}”, which does not stand there in these words",)
    seconds = round(time.perf_counter() - began, 4)
    return dataclasses.replace(verdict, quotes=quotes, notes=notes, seconds=seconds)
