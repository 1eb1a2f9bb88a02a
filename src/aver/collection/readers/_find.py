"""Which files are meant by the paths a user gives: those named, and those that lie in the folders named."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from aver.collection._home import DATABASE

__all__ = ["FoundFile", "find_files", "given_path", "real_folders"]


class FoundFile(NamedTuple):
    """A file to read; `named` where the user gave it by its own name, not by its folder's."""

    path: Path
    named: bool


def given_path(path: str | os.PathLike[str]) -> Path:
    """A path as a user gives it: ~ is their home, unless it is nobody's."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def find_files(paths: Iterable[str | os.PathLike[str]]) -> Iterator[FoundFile]:
    """The files named and those below the folders named, each once, in the order of their names.

    Files and folders whose name begins with a dot are passed over, and so are collections. Links to folders are
    followed after the folder's own files, but for those that lead back up. A folder that cannot be listed comes as if
    it were a file that was named: whoever reads it says why.
    """
    seen: set[str] = set()
    walked: set[str] = set()
    for given in paths:
        path = given_path(given)
        # isdir and realpath: those of Path raise where something may not be looked at, or a link leads to itself
        if not os.path.isdir(path):  # noqa: PTH112
            if (real := os.path.realpath(path)) not in seen:
                seen.add(real)
                yield FoundFile(path, named=True)
            continue
        closed: list[OSError] = []
        for folder, names in _folders(path, walked, closed.append):
            for name in sorted(names):
                found = Path(folder, name)
                if not name.startswith(".") and (real := os.path.realpath(found)) not in seen:
                    seen.add(real)
                    yield FoundFile(found, named=False)
        yield from (FoundFile(Path(error.filename), named=True) for error in closed)


def real_folders(path: str | os.PathLike[str]) -> list[Path]:
    """Where what is found below a path really lies: there, and where the links below it lead."""
    given = given_path(path)
    found = [Path(os.path.realpath(given))]
    for folder, _ in _folders(given, set(), lambda _: None):
        real = Path(os.path.realpath(folder))
        if not any(real.is_relative_to(known) for known in found):
            found.append(real)
    return found


def _folders(root: Path, walked: set[str], closed: Callable[[OSError], None]) -> Iterator[tuple[str, list[str]]]:
    """The folders below one with the names of their files, then those that links lead to; none of those `walked`."""
    top = Path(os.path.realpath(root))
    waiting = [os.fspath(root)]
    for start in waiting:
        for folder, folders, names in os.walk(start, onerror=closed):
            real = os.path.realpath(folder)
            if real in walked or DATABASE in names:
                folders.clear()
                continue
            walked.add(real)
            shown = sorted(name for name in folders if not name.startswith("."))
            links = {name: Path(folder, name) for name in shown if Path(folder, name).is_symlink()}
            folders[:] = [name for name in shown if name not in links]
            for link in links.values():
                target = os.path.realpath(link)
                # a folder that it lies in itself is no part of what was given
                if not (Path(real).is_relative_to(target) or top.is_relative_to(target)):
                    waiting.append(os.fspath(link))
            yield folder, names
