"""The history in a MediaWiki dump: bz2, gz, xz, plain, or 7z (extra `mediawiki`), streamed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from aver.collection.readers._mediawiki import TEXT_MODELS, parsed
from aver.collection.readers._mediawiki_xml import LONGEST, DumpParser, RawRevision
from aver.errors import InputError
from aver.revisions._history import PageRevision, Skipped

__all__ = ["read_mediawiki"]


def read_mediawiki(path: Path, namespaces: Sequence[int]) -> Iterator[PageRevision | Skipped]:
    """The revisions of a dump as they stand in it: MediaWiki writes them page by page, oldest first."""
    try:
        for found in parsed(path, DumpParser(frozenset(namespaces))):
            if not isinstance(found, RawRevision):
                continue
            if found.too_long:
                yield Skipped(found.title, found.id, f"longer than {LONGEST:,} characters")
            elif found.deleted or found.model not in TEXT_MODELS:
                yield Skipped(found.title, found.id, "deleted" if found.deleted else "not wikitext")
            else:
                yield PageRevision(
                    found.title, found.id, found.timestamp, found.comment, found.text, "wikitext", found.page_id
                )
    except InputError as error:
        said = str(error)
        raise InputError(said if said.startswith(str(path)) else f"{path}: {said}", error.problems) from error
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from error
