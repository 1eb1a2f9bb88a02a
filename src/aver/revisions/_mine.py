"""`aver.revisions.mine`: the edited sentences of a history, without what was undone, flagged, and split by page.

Constant memory: of each page the last good revision is held, the hashes of the fifteen before it, and the few pairs of
sentences that a revert could still take back. A pair is given out once its revision has stood for fifteen others, or
the page is over.
"""

from __future__ import annotations

import dataclasses
import hashlib
import os
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

from aver.errors import Problems
from aver.revisions._align import Alignment, align_sentences
from aver.revisions._edit_kind import EditKind, edit_kinds
from aver.revisions._history import History, PageRevision, Skipped, read_history
from aver.revisions._paragraphs import changed_paragraphs, is_prose, paragraphs, sentences
from aver.revisions._vandalism import says_revert, undone_revision, vandalised_page, vandalised_sentence

if TYPE_CHECKING:
    from aver.revisions._flaggers import Flagger

__all__ = ["MinedEdit", "MiningReport", "flagged", "fold_of", "mine", "mine_revisions", "split_of"]

Split = Literal["train", "validation", "test"]
RADIUS = 15
"""Revisions within which a return to an earlier text is a revert; what researchers of Wikipedia take."""
_MOST_LINES, _MOST_SENTENCES, _MOST_PAIRS = 400, 1000, 40
_BATCH = 256
_BLANKINGS = 3
"""A page that is short in more revisions on end than these has been made short, and is what it is."""


@dataclasses.dataclass(frozen=True, slots=True)
class MinedEdit:
    """A sentence before and after an edit that stood, where it comes from, and what is thought of it."""

    id: str
    page: str
    page_id: str
    revision: str
    parent: str
    """The revision the sentence was compared with: the last one that was not undone."""
    timestamp: str
    comment: str
    before: str
    after: str
    alignment: Alignment
    kind: EditKind
    kinds: tuple[EditKind, ...]
    fold: int
    split: Split
    probability: float | None = None
    """That a fact changed; None where nobody was asked."""
    factual: bool | None = None
    flagger: str | None = None

    def as_dict(self) -> dict[str, Any]:
        """As a line of JSON; `score` is the probability under the name that `aver score flagging` reads."""
        return {**dataclasses.asdict(self), "kinds": list(self.kinds), "score": self.probability}


@dataclasses.dataclass(slots=True)
class MiningReport:
    """What was read and what was left out, counted while a history is mined."""

    pages: int = 0
    revisions: int = 0
    reverts: int = 0
    """Revisions that take others back, by their text or by what they say."""
    reverted: int = 0
    """Pairs that were taken back."""
    vandalism: Counter[str] = dataclasses.field(default_factory=Counter)
    """Pairs and pages left out, by rule."""
    skipped: Counter[str] = dataclasses.field(default_factory=Counter)
    """Revisions that could not be used, by reason."""
    pairs: int = 0
    factual: int = 0
    unflagged: int = 0
    """Pairs that the flagger could not read."""

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return dataclasses.asdict(self) | {"vandalism": dict(self.vandalism), "skipped": dict(self.skipped)}


def fold_of(page: str) -> int:
    """Which tenth a page belongs to, as VitaminC's rows are dealt here: md5 of its name, modulo ten.

    >>> fold_of("Westlife")
    3
    """
    return int(hashlib.md5(page.encode("utf-8", "surrogatepass"), usedforsecurity=False).hexdigest(), 16) % 10


def split_of(page: str) -> Split:
    """Folds 0 to 7 are to train on, 8 to choose on, 9 to report on: all edits of a page stay together."""
    fold = fold_of(page)
    return "train" if fold < 8 else "validation" if fold == 8 else "test"


def mine(
    path: str | os.PathLike[str],
    *,
    kind: History | None = None,
    namespaces: Sequence[int] = (0,),
    flagger: Flagger | None = None,
    limit: int | None = None,
    report: MiningReport | None = None,
    done: Callable[[int], None] | None = None,
) -> Iterator[MinedEdit]:
    """The edited sentences of a MediaWiki dump, a git repository or a folder of dated snapshots.

    `flagger` says how likely each edit changes a fact (`load_flagger` gives one); without it nothing is flagged and
    nothing but the history is read. `limit` is the most edits given. `report` is filled while it runs; `done` is
    called with the number of revisions read since the last call.

    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for day, height in (("2024-05-01", 52), ("2024-06-01", 57)):
    ...         file = pathlib.Path(folder, f"tower-{day}.txt")
    ...         _ = file.write_text(f"The tower of Arle was built by monks. It is {height} metres high today.")
    ...     for edit in mine(folder):
    ...         print(edit.page, edit.revision, edit.kind, "|", edit.before, "|", edit.after)
    tower 2024-06-01 quantity | It is 52 metres high today. | It is 57 metres high today.
    """
    problems = Problems()
    if limit is not None and limit < 1:
        problems.add("limit", f"at least 1 edit, not {limit}; leave it out for all of them")
    if not namespaces:
        problems.add("namespaces", "none is given; 0 is the articles")
    problems.raise_if_any("the history cannot be mined")
    history = read_history(path, kind=kind, namespaces=namespaces)
    return mine_revisions(history, flagger=flagger, limit=limit, report=report, done=done)


def mine_revisions(
    history: Iterable[PageRevision | Skipped],
    *,
    flagger: Flagger | None = None,
    limit: int | None = None,
    report: MiningReport | None = None,
    done: Callable[[int], None] | None = None,
) -> Iterator[MinedEdit]:
    """As `mine`, for revisions that are at hand: those of a page together, oldest first."""
    told = MiningReport() if report is None else report
    found = _pairs(history, told, done)
    if flagger is not None:
        found = flagged(found, flagger, told, limit)
    for given, edit in enumerate(found, 1):
        told.pairs += 1
        yield edit
        if given == limit:
            return


def _pairs(
    history: Iterable[PageRevision | Skipped], report: MiningReport, done: Callable[[int], None] | None
) -> Iterator[MinedEdit]:
    page: _Page | None = None
    for revision in history:
        if done is not None:
            done(1)
        if isinstance(revision, Skipped):
            report.skipped[revision.reason] += 1
            continue
        report.revisions += 1
        if page is None or page.name != revision.page:
            if page is not None:
                yield from page.rest()
            page = _Page(revision.page, report)
            report.pages += 1
        yield from page.add(revision)
    if page is not None:
        yield from page.rest()


def flagged(
    edits: Iterable[MinedEdit], flagger: Flagger, report: MiningReport, limit: int | None = None, *, again: bool = True
) -> Iterator[MinedEdit]:
    """The edits with what the flagger says of them; with `again=False` one that has been flagged stays as it is."""
    batch: list[MinedEdit] = []
    size = min(_BATCH, limit or _BATCH)

    def told() -> Iterator[MinedEdit]:
        open_edits = [edit for edit in batch if again or edit.factual is None]
        scores = iter(flagger.score([(edit.before, edit.after) for edit in open_edits]) if open_edits else [])
        for edit in batch:
            if again or edit.factual is None:
                score = next(scores)
                factual = None if score is None else score >= flagger.threshold
                report.unflagged += score is None
                rounded = None if score is None else round(score, 6)
                edit = dataclasses.replace(edit, probability=rounded, factual=factual, flagger=flagger.name)
            report.factual += bool(edit.factual)
            yield edit

    for edit in edits:
        batch.append(edit)
        if len(batch) == size:
            yield from told()
            batch = []
    yield from told()


class _Page:
    """What must be remembered of a page while its revisions go by."""

    def __init__(self, name: str, report: MiningReport) -> None:
        self.name = name
        self._report = report
        self._fold, self._split = fold_of(name), split_of(name)
        self._last: PageRevision | None = None
        self._lines: list[str] = []
        self._blanked = 0
        self._recent: deque[tuple[bytes, str]] = deque(maxlen=RADIUS + 1)
        self._waiting: deque[tuple[str, list[MinedEdit]]] = deque()

    def add(self, revision: PageRevision) -> Iterator[MinedEdit]:
        """Takes in a revision, and gives out what can no longer be taken back."""
        digest = hashlib.blake2b(revision.text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        last = self._last
        if last is not None:
            seen = [known for known, _ in self._recent]
            if digest == seen[-1]:
                return  # a protection, a move, or what was blanked is back: the text stands as it was
            if vandalised_page(last.text, revision.text) and self._blanked < _BLANKINGS:
                # The next one is compared with what was there; and a page blanked twice is no return to anything.
                self._report.vandalism["blanked"] += 1
                self._blanked += 1
                return
            self._blanked = 0
            if digest in seen:
                # what lies between here and there is undone
                self._report.reverts += 1
                there = len(seen) - seen[::-1].index(digest)
                self._drop({name for _, name in list(self._recent)[there:]})
                self._base(revision)
            elif says_revert(revision.comment):
                self._report.reverts += 1
                self._drop({undone_revision(revision.comment) or self._recent[-1][1]})
                self._base(revision)
            else:
                edits = self._edits(last, revision)
                self._base(revision)
                if edits:
                    self._waiting.append((revision.id, edits))
        else:
            self._base(revision)
        self._recent.append((digest, revision.id))
        oldest = {name for _, name in self._recent}
        while self._waiting and self._waiting[0][0] not in oldest:
            yield from self._waiting.popleft()[1]

    def rest(self) -> Iterator[MinedEdit]:
        """What is left when the page is over."""
        while self._waiting:
            yield from self._waiting.popleft()[1]

    def _base(self, revision: PageRevision) -> None:
        self._last = revision
        self._lines = paragraphs(revision.text, revision.markup)

    def _drop(self, undone: set[str]) -> None:
        for name, edits in self._waiting:
            if name in undone:
                self._report.reverted += len(edits)
                edits.clear()

    def _edits(self, last: PageRevision, revision: PageRevision) -> list[MinedEdit]:
        lost, gained = changed_paragraphs(self._lines, paragraphs(revision.text, revision.markup))
        if not lost or not gained:
            return []
        if len(lost) + len(gained) > _MOST_LINES:
            self._report.skipped["rewritten as a whole"] += 1
            return []
        found = []
        old, new = sentences(lost, last.markup), sentences(gained, revision.markup)
        if len(old) + len(new) > _MOST_SENTENCES:
            self._report.skipped["rewritten as a whole"] += 1
            return []
        for pair in align_sentences(old, new):
            if pair.alignment not in ("reworded", "split", "merged"):
                continue
            before, after = pair.before_text, pair.after_text
            if not (is_prose(before) and is_prose(after)) or self._taken_back(before, after):
                continue
            broken = vandalised_sentence(before, after)
            # taking vandalism out again is no edit either
            if broken is not None or vandalised_sentence(after, before) is not None:
                self._report.vandalism[broken or "repaired"] += 1
                continue
            kinds = edit_kinds(before, after)
            name = f"{self.name}|{revision.id}|{before}|{after}"
            found.append(
                MinedEdit(
                    hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest(), self.name,
                    revision.page_id, revision.id, last.id, revision.timestamp, revision.comment, before, after,
                    pair.alignment, kinds[0], kinds, self._fold, self._split,
                )
            )  # fmt: skip
        if len(found) > _MOST_PAIRS:
            self._report.skipped["rewritten as a whole"] += 1
            return []
        return found

    def _taken_back(self, before: str, after: str) -> bool:
        """Whether this takes an edit back that has not stood long; then neither counts."""
        for _, edits in self._waiting:
            for at, edit in enumerate(edits):
                if edit.before == after and edit.after == before:
                    del edits[at]
                    self._report.reverted += 1
                    return True
        return False
