"""Where collections live.

A collection is a folder. A plain name stands for a folder under the home of all collections, which is
`$AVER_HOME/collections` or, where AVER_HOME is not set, the platform's usual place for data
(`~/.local/share/aver`, `~/Library/Application Support/aver`, `%LOCALAPPDATA%\\aver`). Anything with a separator
in it is a path.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from aver.errors import InputError

__all__ = ["DATABASE", "collection_folder", "collection_names", "home"]

DATABASE = "collection.sqlite"
"""The file that makes a folder a collection."""

_NAME = re.compile(r"[^\W_][\w.\-]{0,99}")


def home() -> Path:
    """The folder under which named collections live; it need not exist yet."""
    given = os.environ.get("AVER_HOME")
    if given:
        return Path(given).expanduser() / "collections"
    if sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    elif sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "aver" / "collections"


def collection_folder(name: str | os.PathLike[str]) -> Path:
    """The folder that a collection's name or path stands for.

    >>> collection_folder("./archive").as_posix()
    'archive'
    >>> collection_folder("my archive")
    Traceback (most recent call last):
    aver.errors.InputError: 'my archive' cannot be a collection's name: letters, digits, '.', '_' and '-' only, \
beginning with a letter or digit; a path needs a separator ('./my archive')
    """
    text = os.fspath(name)
    separators = [os.sep, *([os.altsep] if os.altsep else [])]
    if not isinstance(name, str) or any(s in text for s in separators) or text in (".", "..") or text.startswith("~"):
        return Path(text).expanduser()
    if not _NAME.fullmatch(text):
        raise InputError(
            f"{text!r} cannot be a collection's name: letters, digits, '.', '_' and '-' only, beginning with a letter "
            f"or digit; a path needs a separator ('./{text}')"
        )
    return home() / text


def collection_names() -> list[str]:
    """The names of all collections under `home()`."""
    folder = home()
    if not folder.is_dir():
        return []
    return sorted(entry.name for entry in folder.iterdir() if _may_be_one(entry))


def _may_be_one(folder: Path) -> bool:
    """Whether a folder is a collection; one that cannot be looked into is named, too, and opening it says why not."""
    try:
        return (folder / DATABASE).is_file()
    except PermissionError:
        return True
