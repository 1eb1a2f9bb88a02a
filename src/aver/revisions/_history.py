"""The revisions of pages, wherever they are kept: a MediaWiki dump, a git repository, a folder of dated snapshots.

Every source gives the same thing: revisions of one page after the other, oldest first, each with its text as it is
written there. Only what changed is ever cleaned of markup (`_paragraphs`), so a source does as little as it can.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from aver.errors import InputError

__all__ = ["HISTORIES", "History", "PageRevision", "Skipped", "detect_history", "read_history"]

Markup = Literal["wikitext", "markdown", "plain"]
History = Literal["mediawiki", "git", "snapshots"]
HISTORIES: tuple[History, ...] = ("mediawiki", "git", "snapshots")


@dataclasses.dataclass(frozen=True, slots=True)
class PageRevision:
    """One state of a page."""

    page: str
    id: str
    """Of the revision: MediaWiki's number, git's commit, a snapshot's date."""
    timestamp: str
    """ISO 8601; empty where it is not known."""
    comment: str
    text: str
    markup: Markup
    page_id: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class Skipped:
    """A revision that was passed over, and why."""

    page: str
    id: str
    reason: str


def detect_history(path: str | os.PathLike[str]) -> History:
    """What kind of history lies there: a folder with git's files in it, another folder, or a file.

    >>> detect_history("no/such/place")
    Traceback (most recent call last):
    aver.errors.InputError: no/such/place: there is no such file or folder
    """
    place = Path(path)
    if not place.exists():
        raise InputError(f"{place}: there is no such file or folder")
    if not place.is_dir():
        return "mediawiki"
    bare = (place / "HEAD").is_file() and (place / "objects").is_dir()
    return "git" if bare or (place / ".git").exists() else "snapshots"


def read_history(
    path: str | os.PathLike[str], *, kind: History | None = None, namespaces: Sequence[int] = (0,)
) -> Iterator[PageRevision | Skipped]:
    """The revisions of a history, page after page and oldest first; what cannot be used comes as `Skipped`.

    `kind` says what it is where it should not be found out: `mediawiki`, `git` or `snapshots`. `namespaces` are the
    pages wanted of a MediaWiki dump; 0 is the articles. A file that is no sound dump raises an InputError.
    """
    found = kind or detect_history(path)
    if found not in HISTORIES:
        raise InputError(f"there is no history of kind {found!r}; there are: {', '.join(HISTORIES)}")
    if found == "git":
        from aver.revisions._history_git import read_git

        return read_git(Path(path))
    if found == "snapshots":
        from aver.revisions._history_snapshots import read_snapshots

        return read_snapshots(Path(path))
    from aver.revisions._history_mediawiki import read_mediawiki

    return read_mediawiki(Path(path), namespaces)
