"""PDF (extra `pdf`): the text layer of a file, page after page."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from aver.collection.readers._items import Fault, Incoming, Item, ReadOptions
from aver.collection.readers._text import file_key, file_title
from aver.errors import InputError, MissingExtra, count_of

__all__ = ["pdf_text", "read"]


def read(path: Path, options: ReadOptions) -> Iterator[Item]:
    """One file, one document; the title is the one in its properties, else the file's name."""
    found = pdf_text(path)
    if isinstance(found, str):
        yield Fault(str(path), found)
        return
    title, text = found
    yield Incoming(file_key(path), title or file_title(path), text, place=str(path))


def pdf_text(file: Path | IO[bytes]) -> tuple[str, str] | str:
    """A file's title (may be empty) and text, or why there is none."""
    try:
        import pypdf
    except ImportError as error:
        raise MissingExtra("pdf", "pypdf") from error
    # it reports every oddity of a file that it can live with; a file that cannot be read still raises
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        reader = pypdf.PdfReader(file)
        if reader.is_encrypted and not reader.decrypt(""):
            raise InputError("locked with a password; save it without one")
        pages = [page.extract_text() for page in reader.pages]
        title = str((reader.metadata.title if reader.metadata else None) or "").strip()
    except InputError:
        raise
    except pypdf.errors.DependencyError as error:
        raise InputError(f"encrypted in a way that needs another package: {error}") from error
    except Exception as error:
        # a damaged PDF can raise nearly anything from deep within the library
        raise InputError(f"cannot be read as PDF: {error or type(error).__name__}") from error
    text = "\n\n".join(_running(page) for page in pages if page.strip())
    if not text:
        return f"no text in it ({count_of(len(pages), 'page')}); a scan needs text recognition first"
    return title, text


def _running(page: str) -> str:
    """A page's lines; a word that was parted at the end of a line is one again."""
    clean = page.replace("\x00", "").replace("\r", "\n")
    return re.sub(r"(?<=[a-z])-\n(?=[a-z])", "", clean).strip()
