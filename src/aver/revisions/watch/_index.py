"""From a page to the claims it may concern: the search turned round, so that its cost grows with the edits.

Of each claim the terms it searches by, its words, and the BM25 score are kept from which a page would be among its
candidates. A changed page is scored against all claims that share a term with it in one sum, and its names are looked
up in the claims' words. Whoever passes either way is searched for in earnest; nothing else is touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from aver.collection import Change, Changes, Document, Inverse, Revision, query_names, query_terms
from aver.revisions.watch._store import Claim, Store

__all__ = ["ClaimIndex", "enter_claim"]

SLACK = 0.95
"""A page counts from this share of the score a claim asks for: the sum is right to one per cent or two, and the rarity
of words shifts as pages come and go."""
GROWTH = 1.005
"""A page that was there and was no candidate counts where its score for a claim grew by more than this."""

_Numbers = NDArray[np.int64]


def enter_claim(store: Store, claim: Claim) -> None:
    """Makes a claim findable from pages."""
    rows = {"terms": query_terms(claim.text), "words": query_names(claim.text).split()}
    store.begin()
    for table, found in rows.items():
        store.connection.executemany(
            f"INSERT OR IGNORE INTO {table} VALUES (?, ?)", [(item, claim.number) for item in found]
        )


class ClaimIndex:
    """The claims as they stand, for one run."""

    def __init__(self, store: Store, inverse: Inverse) -> None:
        self._store = store
        self._inverse = inverse
        rows = store.connection.execute("SELECT claim, needs FROM current ORDER BY claim").fetchall()
        self._claims: _Numbers = np.array([claim for claim, _ in rows], dtype=np.int64)
        self._needs = SLACK * np.array([needs for _, needs in rows], dtype=np.float64)
        self._terms = _Postings(store, "terms", "term", self._claims)
        self._words = _Postings(store, "words", "word", self._claims)
        self._texts: dict[int, str] = {}

    def by_words(self, page: Document | Revision, before: Revision | None = None) -> set[int]:
        """The claims that this page, as it stands, shares so many words with that it may be among their candidates.

        `before` is what it was when the claims were verified, where it was there: it was not among the candidates
        then, or is known as one, so only claims count for which it is worth more now.
        """
        scores = self._scores(page)
        able = (scores > 0) & (scores >= self._needs)
        if before is not None and able.any():
            able &= scores > GROWTH * self._scores(before)
        return set(self._claims[np.flatnonzero(able)].tolist())

    def _scores(self, page: Document | Revision) -> NDArray[np.float64]:
        """The page's BM25 score for every claim."""
        weights = self._inverse.weights(page.title, page.text, among=self._terms)
        if not weights:
            return np.zeros(len(self._claims))
        places = [self._terms[term] for term in weights]
        worth = np.repeat(list(weights.values()), [len(found) for found in places])
        found = np.bincount(np.concatenate(places), weights=worth, minlength=len(self._claims))
        return found.astype(np.float64, copy=False)

    def by_name(self, names: Iterable[str]) -> set[int]:
        """The claims that mention one of these names."""
        found: set[int] = set()
        for name in names:
            words = name.split()
            if words and all(word in self._words for word in words):
                rarest = min((self._words[word] for word in words), key=len)
                found |= {int(c) for c in self._claims[rarest] if f" {name} " in self._folded(int(c))}
        return found

    def _folded(self, claim: int) -> str:
        if claim not in self._texts:
            row = self._store.connection.execute("SELECT text FROM claims WHERE id = ?", (claim,)).fetchone()
            self._texts[claim] = query_names(row[0])
        return self._texts[claim]

    def concerned(self, changes: Changes, changed: Sequence[Change], since: int) -> dict[int, int]:
        """Claims that these pages, which changed `since`, may concern; each with the latest revision among them."""
        found: dict[int, int] = {}

        def note(claims: Iterable[int], revision: int) -> None:
            for claim in claims:
                found[claim] = max(found.get(claim, 0), revision)

        leading = _aliases(changes, changed, self._inverse)
        for change in changed:
            rows = self._store.connection.execute("SELECT claim FROM candidates WHERE page = ?", (change.key,))
            note((claim for (claim,) in rows), change.revision)
            note(self.by_name([*self._inverse.names(change.title), *leading.get(change.key, ())]), change.revision)
        revisions = {change.document: change.revision for change in changed}
        for page in changes.documents(list(revisions)):
            number = changes.revision_at(page.id, since)
            note(self.by_words(page, None if number is None else changes.revision(number)), revisions[page.id])
        return found


def _aliases(changes: Changes, changed: Sequence[Change], inverse: Inverse) -> dict[str, list[str]]:
    """Other names that lead to these pages; pages that were there keep theirs, so only new ones are looked at."""
    titles = {inverse.folded(change.title): change.key for change in changed if change.new}
    found: dict[str, list[str]] = {}
    if titles:
        for name, target in changes.aliases():
            if target in titles:
                found.setdefault(titles[target], []).append(name)
    return found


class _Postings:
    """The claims that hold a term, as places in the list of claims; read from the disk when first asked for."""

    def __init__(self, store: Store, table: str, column: str, claims: _Numbers) -> None:
        self._ask = store.connection.execute
        self._query = f"SELECT claim FROM {table} WHERE {column} = ?"
        self._claims = claims
        self._read: dict[str, _Numbers] = {}

    def __getitem__(self, item: str) -> _Numbers:
        if item not in self._read:
            numbers = np.array([claim for (claim,) in self._ask(self._query, (item,))], dtype=np.int64)
            self._read[item] = np.searchsorted(self._claims, numbers)
        return self._read[item]

    def __contains__(self, item: object) -> bool:
        return isinstance(item, str) and len(self[item]) > 0
