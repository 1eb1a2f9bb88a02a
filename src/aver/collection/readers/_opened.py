"""Opening files that may be compressed, and decoding text that may not be UTF-8."""

from __future__ import annotations

import bz2
import codecs
import contextlib
import gzip
import lzma
import zlib
from collections.abc import Iterator
from io import BufferedIOBase, BytesIO
from pathlib import Path
from typing import Any

from aver.errors import InputError
from aver.records import bad_byte

__all__ = ["BROKEN", "COMPRESSED", "decoded", "decompressed", "head", "opened", "position", "read_text", "reason"]

COMPRESSED = (".bz2", ".gz", ".xz")
_MAGIC: dict[bytes, Any] = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}
BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError)
"""What the decompressors raise on damaged files."""

_OPEN: dict[Path, BufferedIOBase] = {}
_MARKS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


@contextlib.contextmanager
def opened(path: Path) -> Iterator[BufferedIOBase]:
    """The bytes of a file, decompressed as its first bytes (not its name) say."""
    try:
        raw = path.open("rb")
    except FileNotFoundError:
        raise InputError(f"{path}: there is no such file") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be opened: {error.strerror}") from error
    with raw:
        first = raw.read(6)
        raw.seek(0)
        opener = next((opener for magic, opener in _MAGIC.items() if first.startswith(magic)), None)
        _OPEN[path] = raw
        try:
            if opener is None:
                yield raw
            else:
                with opener(raw) as file:
                    yield file
        finally:
            _OPEN.pop(path, None)


def decompressed(data: bytes, place: str) -> bytes:
    """Bytes at hand, decompressed as the first of them say."""
    opener = next((opener for magic, opener in _MAGIC.items() if data.startswith(magic)), None)
    if opener is None:
        return data
    try:
        with opener(BytesIO(data)) as file:
            return bytes(file.read())
    except BROKEN as error:
        raise InputError(f"{place}: {reason(error)}") from error


def position(path: Path) -> int | None:
    """How many bytes of a file that is being read were taken, as it lies on disk; for progress bars."""
    raw = _OPEN.get(path)
    return None if raw is None or raw.closed else raw.tell()


def head(path: Path, size: int = 4096) -> bytes:
    """The first bytes of a file's content; empty where even those cannot be had."""
    try:
        with opened(path) as file:
            return file.read(size)
    except (*BROKEN, InputError):
        return b""


def read_text(path: Path, encoding: str | None) -> str:
    """The whole of a text file."""
    with opened(path) as file:
        try:
            data = file.read()
        except BROKEN as error:
            raise InputError(f"{path}: {reason(error)}") from error
    return decoded(data, encoding, str(path))


def decoded(data: bytes, encoding: str | None, place: str) -> str:
    """Bytes as text, with line ends as \\n; the wrong encoding is an error that says where and what to do."""
    used = encoding or next((name for mark, name in _MARKS.items() if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(used)
    except LookupError:
        raise InputError(f"there is no encoding {used!r}") from None
    except UnicodeDecodeError as error:
        # not every verb that reads files takes an encoding
        remedy = (
            "save it as UTF-8; `aver collection add` also takes --encoding" if encoding is None
            else "try another encoding"
        )  # fmt: skip
        said = f"not {used.upper().removesuffix('-SIG')} at byte {bad_byte(data, error)}"
        raise InputError(f"{place}: {said}; {remedy}") from None
    if "\x00" in text:
        raise InputError(f"{place}: holds null bytes, so it is no text")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def reason(error: BaseException) -> str:
    """What is wrong with a compressed file, in words."""
    if isinstance(error, EOFError):
        return "cut off: the compressed file ends too early"
    said = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return f"cannot be read: {said}"
