"""POST requests that go where they are sent, or are told where they should go."""

from __future__ import annotations

import urllib.error
import urllib.request
from typing import Any

__all__ = ["MOVED", "moved_to", "opener"]

MOVED = frozenset({301, 302, 303, 307, 308})
"""The answers that point elsewhere."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """urllib would ask elsewhere with a GET: without what was posted, and with the key for whatever host that is."""

    def redirect_request(self, *_: Any) -> None:
        return None


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
    return f"and points to {error.headers.get('Location') or 'nowhere'}; give that address"
