"""JSON without loss: whole numbers of any size are read and written as they stand."""

from __future__ import annotations

import contextlib
import json
from typing import Any, TypeVar

import orjson

__all__ = ["as_line", "exact"]

_WIDE = 2.0**63
_Read = TypeVar("_Read")


def exact(data: bytes, read: _Read) -> _Read:
    """What was read, with whole numbers of more than 64 bits as they are written, which orjson makes floats of.

    >>> exact(b'{"id": 340282366920938463463374607431768211456}', {"id": 3.402823669209385e38})
    {'id': 340282366920938463463374607431768211456}
    """
    if _has_wide(read):
        # one of thousands of digits, or what nests deeper than json goes, stays as it was read
        with contextlib.suppress(ValueError, RecursionError):
            found: _Read = json.loads(data)
            return found
    return read


def _has_wide(value: Any) -> bool:
    """Whether a float is in it that may have been such a number: a look at the values is far cheaper than at digits."""
    left = [value]
    while left:
        value = left.pop()
        if value.__class__ is float:
            if not -_WIDE < value < _WIDE:
                return True
        elif value.__class__ is dict:
            left += value.values()
        elif value.__class__ is list:
            left += value
    return False


def as_line(fields: dict[str, Any]) -> bytes:
    """One JSON line."""
    try:
        return orjson.dumps(fields) + b"\n"
    except TypeError:  # a whole number of more than 64 bits
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"
