"""POST requests that go where they are sent, or are told where they should go."""

from __future__ import annotations

import urllib.error
import urllib.parse
import urllib.request
from typing import Any

__all__ = ["MOVED", "is_address", "moved_to", "opener"]

MOVED = frozenset({301, 302, 303, 307, 308})
"""The answers that point elsewhere."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """urllib would ask elsewhere with a GET: without what was posted, and with the key for whatever host that is."""

    def redirect_request(self, *_: Any) -> None:
        return None


def is_address(url: str) -> bool:
    """Whether something can be posted there.

    >>> is_address("http://127.0.0.1:8000/v1"), is_address("http://host:port"), is_address("ftp://example.org")
    (True, False, False)
    """
    try:
        parts = urllib.parse.urlsplit(url)
        known = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        known = known and (parts.path + parts.query).isascii()  # a host may be written with any letters
    except ValueError:  # a port that is no number, half an IPv6 address
        return False
    return known and url.isprintable() and " " not in url


def opener() -> urllib.request.OpenerDirector:
    """What `urlopen` is, but for redirects: they are an HTTPError."""
    return urllib.request.build_opener(_NoRedirects)


def moved_to(error: urllib.error.HTTPError) -> str:
    """Where an answer points, in words for a message.

    >>> from email.message import Message
    >>> answer = Message()
    >>> answer["Location"] = "https://example.org/hook"
    >>> moved_to(urllib.error.HTTPError("http://example.org/hook", 301, "Moved", answer, None))
    'and points to https://example.org/hook; give that address'
    """
    where = error.headers.get("Location")
    return f"and points to {where}; give that address" if where else "and does not say where to"
