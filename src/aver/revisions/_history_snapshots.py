"""A folder of dated snapshots: `2024-05-01/lake.html`, `lake/2024-05-01.txt` or `lake-20240501.md`, all the same.

The date is the piece of a file's path that is one (2024-05-01, 20240501, 2024-05-01T12-30); what is left of the path
names the page. The format is found as for a collection, so whatever `aver collection add` reads as one document can be
a snapshot.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path, PurePosixPath

from aver.collection.readers import Incoming, ReadOptions, find_files, read_file
from aver.errors import InputError
from aver.revisions._history import PageRevision, Skipped

__all__ = ["read_snapshots"]

_DATE = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)(?P<dash>[-_.]?)(?P<month>\d\d)(?P=dash)(?P<day>\d\d)"
    r"(?:[T_ -]?(?P<hour>[01]\d|2[0-3])[-_:.]?(?P<minute>[0-5]\d)(?:[-_:.]?(?P<second>[0-5]\d))?Z?)?(?!\d)"
)
_LARGEST = 8_000_000


def read_snapshots(path: Path) -> Iterator[PageRevision | Skipped]:
    """The revisions of every page of the folder, page by page, oldest first."""
    pages: dict[str, list[tuple[str, Path]]] = defaultdict(list)
    undated: list[str] = []
    for file, _ in find_files([path]):
        inside = PurePosixPath(file.relative_to(path).as_posix())
        dated = _dated(str(inside))
        if dated is None:
            undated.append(str(inside))
        else:
            pages[dated[0]].append((dated[1], file))
    if not pages:
        if not undated:
            raise InputError(f"{path}: is an empty folder; expected a git repository or dated files")
        raise InputError(
            f"{path}: is no git repository, and no file in it has a date in its path "
            f"(such as 2024-05-01/{undated[0]}); name a file that is a MediaWiki dump, or date the snapshots"
        )
    yield from (Skipped(name, "", "no date in its path") for name in undated)
    for page in sorted(pages):
        last = ""
        for stamp, file in sorted(pages[page]):
            if stamp == last:
                # lake.html beside lake.txt: what differs between them is no edit
                yield Skipped(page, stamp, "a second file of the same page and date")
            else:
                yield from _read(page, stamp, file)
            last = stamp


def _read(page: str, stamp: str, file: Path) -> Iterator[PageRevision | Skipped]:
    try:
        _, items = read_file(file, ReadOptions())
        documents = [item for item in items if isinstance(item, Incoming)]
    except (InputError, OSError) as error:
        yield Skipped(page, stamp, str(error))
        return
    if len(documents) != 1:
        reason = f"holds {len(documents):,} documents; a snapshot is one page" if documents else "no text in it"
        yield Skipped(page, stamp, reason)
    elif len(documents[0].text) > _LARGEST:
        yield Skipped(page, stamp, f"longer than {_LARGEST:,} characters")
    else:
        yield PageRevision(page, stamp, stamp, "", documents[0].text, "plain")


def _dated(inside: str) -> tuple[str, str] | None:
    """The page's name and the date in a path; None where it has none."""
    for found in reversed(list(_DATE.finditer(inside))):
        parts = {name: int(value) for name, value in found.groupdict(default="0").items() if name != "dash"}
        try:
            when = datetime(**parts)  # type: ignore[arg-type]
        except ValueError:
            continue
        rest = inside[: found.start()] + "\0" + inside[found.end() :]
        *folders, last = (re.sub(r"[-_. ]*\0[-_ ]*", "", piece) for piece in rest.split("/"))
        if rest.rpartition("/")[2].startswith("\0."):
            last = ""  # lake/2024-05-01.txt: the folder is the page
        stem = re.sub(r"(?<=.)(?:\.\w{1,8}){1,2}$", "", last) if last else ""
        name = "/".join(piece for piece in (*folders, stem) if piece) or Path(inside).suffix.lstrip(".")
        return name, when.strftime("%Y-%m-%dT%H:%M:%SZ" if found["hour"] else "%Y-%m-%d")
    return None
