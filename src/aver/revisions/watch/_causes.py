"""Which edit did it: the sentences that differ between the pages a verdict rested on and the pages as they are now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from aver.collection import Changes, Collection, Revision
from aver.revisions._align import align_sentences
from aver.revisions.watch._results import Cause, CauseKind
from aver.revisions.watch._store import Kept, Stored
from aver.text import Sentence, words

__all__ = ["find_causes", "is_stale"]

_MOST = 3
"""Edits told of one event."""
_SMALL = frozenset("a also an and as at by for from in into of on or that the then there to up which with".split())
"""Words that are put in or taken out without much change of what is said."""
_VERBS = frozenset("are be been had has have is was were".split())
"""Words that say much of a claim, and nothing of which claim."""


class _Edit(NamedTuple):
    cause: Cause
    hashes: frozenset[str]
    """Of the sentences it touched, before and after."""


def is_stale(collection: Collection, before: Stored) -> bool:
    """Whether a sentence that the verdict rested on no longer stands in its page, or a page it weighed is gone."""
    deciding: dict[str, set[str]] = {}
    for kept in before.deciding:
        deciding.setdefault(kept.page, set()).add(kept.hash)
    weighed = {kept.page for kept in before.evidence if not kept.aside} if deciding else set()
    if any(page not in collection for page in weighed | deciding.keys()):
        return True
    return any(
        not hashes <= {sentence.hash for sentence in collection.sentences(collection.get(page))}
        for page, hashes in deciding.items()
    )


def find_causes(collection: Collection, claim: str, before: Stored, after: Stored) -> tuple[Cause, ...]:
    """The edits behind the difference of two verdicts, those of the deciding sentences first.

    Where no deciding sentence was touched, the edits of sentences that were weighed; where none of those either, the
    one that shares most with the claim. Beside them stand edits of other sentences that put in or take out words of
    the claim; they come before an edit of nothing but small words.
    """
    edits = list(_edits(collection, before, after))
    asked = _bag(claim)
    deciding = {kept.hash for kept in (*before.deciding, *after.deciding)}
    weighed = {kept.hash for kept in (*before.evidence, *after.evidence)}
    for chosen, direct in ((deciding, True), (weighed, False)):
        touched = [edit.cause for edit in edits if edit.hashes & chosen]
        if touched:
            slight = [cause for cause in touched if not _changed(cause) - _SMALL]
            others = [edit.cause for edit in edits if not edit.hashes & chosen and _bears(edit.cause, asked)]
            others.sort(key=lambda cause: -_bears(cause, asked))
            told = [(cause, direct) for cause in touched if cause not in slight]
            told += [(cause, False) for cause in others]
            told += [(cause, direct) for cause in slight]
            return tuple(_told(*row) for row in told[:_MOST])
    nearest = sorted(edits, key=lambda edit: -len(asked & _bag(f"{edit.cause.before} {edit.cause.after}")))
    return tuple(_told(edit.cause, False) for edit in nearest[:1])


def _told(cause: Cause, direct: bool) -> Cause:
    return Cause(
        cause.page, cause.title, cause.kind, cause.before, cause.after, direct, cause.revision, cause.origin, cause.at
    )


def _bag(text: str) -> set[str]:
    return set(_words(text))


def _words(text: str) -> list[str]:
    return [word.text.casefold() for word in words(text) if not word.is_punctuation]


def _bears(cause: Cause, asked: set[str]) -> int:
    """How many telling words of the claim an edit puts in or takes out, the page's title aside."""
    if cause.kind != "changed" or not cause.after:
        return 0
    return len(_changed(cause) & asked - _SMALL - _VERBS - _bag(cause.title))


def _changed(cause: Cause) -> set[str]:
    """The words that one version has and the other has not, or less often."""
    was, now = (Counter(_words(text)) for text in (cause.before, cause.after))
    return set(was - now) | set(now - was)


def _edits(collection: Collection, before: Stored, after: Stored) -> Iterable[_Edit]:
    changes = Changes(collection)
    then = {page.key: page for page in before.pages}
    keys = list(dict.fromkeys([page.key for page in (*before.pages, *after.pages)]))
    standing = changes.standing(keys)
    for key in keys:
        now = standing.get(key)
        if now is None:
            yield from (_gone(kept) for kept in before.evidence if kept.page == key)
            continue
        if key in then and then[key].hash == now.hash:
            continue
        old = then[key].revision if key in then else changes.revision_at(now.document, before.position)
        if old == now.revision:
            continue  # as it was: only its rank is another
        current = changes.revision(now.revision)
        earlier = None if old is None else changes.revision(old)
        if current is not None:
            yield from _between(collection, changes, key, earlier, current, before, after)


def _gone(kept: Kept) -> _Edit:
    cause = Cause(kept.page, kept.title, "removed", kept.text, "", True)
    return _Edit(cause, frozenset([kept.hash]))


def _between(
    collection: Collection, changes: Changes, key: str, earlier: Revision | None, current: Revision, before: Stored,
    after: Stored,
) -> Iterable[_Edit]:  # fmt: skip
    now = collection.sentences(current)
    hashes = {(s.start, s.end): s.hash for s in now}
    if earlier is None:
        # The page is new, or was removed and put back; of the latter only what the verdict rested on is known.
        stand = set(hashes.values())
        yield from (
            _Edit(_cause(key, current, "changed", kept.text, "", current), frozenset([kept.hash]))
            for kept in before.evidence
            if kept.page == key and kept.hash not in stand
        )
        wanted = {kept.hash for kept in after.evidence if kept.page == key} or stand
        yield from (
            _Edit(_cause(key, current, "new", "", s.text, current), frozenset([s.hash]))
            for s in now
            if s.hash in wanted
        )
        return
    was = collection.sentences(earlier)
    former = {(s.start, s.end): s.hash for s in was}
    for pair in align_sentences(_plain(was), _plain(now)):
        if pair.alignment not in ("same", "moved"):
            gone = [former[s.start, s.end] for s in pair.before]
            come = [hashes[s.start, s.end] for s in pair.after]
            number = changes.turned(current.document, earlier.id, "".join(gone[:1]), "".join(come[:1]))
            made = changes.revision(number) if number is not None else None
            cause = _cause(key, current, "changed", pair.before_text, pair.after_text, made or current)
            yield _Edit(cause, frozenset([*gone, *come]))
    if earlier.title != current.title:
        cause = _cause(key, current, "changed", earlier.title, current.title, current)
        yield _Edit(cause, frozenset(s.hash for s in (*was, *now)))


def _plain(sentences: Sequence[Sentence | object]) -> list[Sentence]:
    return [Sentence(s.text, s.start, s.end) for s in sentences]  # type: ignore[union-attr]


def _cause(key: str, current: Revision, kind: CauseKind, before: str, after: str, made: Revision) -> Cause:
    return Cause(key, current.title, kind, before, after, True, made.id, made.origin, made.timestamp or made.added)
