"""What adding did: counts for every file, and the reason for whatever failed."""

from __future__ import annotations

import dataclasses
from typing import Any

__all__ = ["AddReport", "FileReport"]

KEPT_REASONS = 100
"""Of a file's faults; the rest are counted."""


@dataclasses.dataclass(slots=True)
class FileReport:
    """One file: what became of the documents in it."""

    path: str
    size: int = 0
    """In bytes, as it lies on disk."""
    read: int = 0
    """How much of it was read so far."""
    format: str | None = None
    added: int = 0
    updated: int = 0
    moved: int = 0
    """Of those updated: they came from another file before."""
    unchanged: int = 0
    overtaken: int = 0
    """Documents of which it says what it said before, and another file something else since, which stays."""
    missing: int = 0
    """Documents that no longer stand in it, and are still in the collection."""
    removed: int = 0
    """Documents that no longer stood in it, and were removed."""
    empty: int = 0
    """Documents without any text, which are left out."""
    aliases: int = 0
    """Other names for titles (redirects) that were not in the collection."""
    failed: int = 0
    """Rows or pages that could not be used."""
    error: str | None = None
    """Why the file, or the rest of it, could not be read."""
    reasons: list[str] = dataclasses.field(default_factory=list)
    skipped: str | None = None
    """Why it was not read at all, where that is no fault."""

    @property
    def documents(self) -> int:
        """How many documents of it are in the collection."""
        return self.added + self.updated + self.unchanged

    @property
    def failures(self) -> int:
        """Its rows and pages that failed, and one more where it, or the rest of it, could not be read."""
        return self.failed + (self.error is not None)

    @property
    def is_broken(self) -> bool:
        """Something of it could not be used."""
        return self.failures > 0

    def fault(self, reason: str) -> None:
        """Notes a part that could not be used."""
        self.failed += 1
        if len(self.reasons) < KEPT_REASONS:
            self.reasons.append(reason)

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return dataclasses.asdict(self)


@dataclasses.dataclass(frozen=True, slots=True)
class AddReport:
    """All files of one call.

    >>> AddReport((FileReport("a.txt", added=1), FileReport("b.pdf", error="cut off"))).added
    1
    """

    files: tuple[FileReport, ...]

    @property
    def added(self) -> int:
        return sum(file.added for file in self.files)

    @property
    def updated(self) -> int:
        return sum(file.updated for file in self.files)

    @property
    def moved(self) -> int:
        return sum(file.moved for file in self.files)

    @property
    def unchanged(self) -> int:
        return sum(file.unchanged for file in self.files)

    @property
    def overtaken(self) -> int:
        return sum(file.overtaken for file in self.files)

    @property
    def missing(self) -> int:
        return sum(file.missing for file in self.files)

    @property
    def removed(self) -> int:
        return sum(file.removed for file in self.files)

    @property
    def empty(self) -> int:
        return sum(file.empty for file in self.files)

    @property
    def aliases(self) -> int:
        return sum(file.aliases for file in self.files)

    @property
    def failed(self) -> int:
        """Rows and pages that failed, and files that failed as a whole."""
        return sum(file.failures for file in self.files)

    @property
    def is_broken(self) -> bool:
        """Something could not be used."""
        return any(file.is_broken for file in self.files)

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON: the sums, then every file."""
        sums = (
            "added", "updated", "moved", "unchanged", "overtaken", "missing", "removed", "empty", "aliases", "failed",
        )  # fmt: skip
        return {name: getattr(self, name) for name in sums} | {"files": [file.as_dict() for file in self.files]}
