"""Webhooks: events are posted as JSON; what cannot be delivered waits in the store and is tried again."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import NamedTuple

import orjson

from aver import __version__
from aver.errors import InputError
from aver.models._posting import MOVED, is_address, moved_to, opener
from aver.revisions.watch._results import Event
from aver.revisions.watch._schema import now
from aver.revisions.watch._store import Store

__all__ = ["Delivery", "check_url", "deliver", "queue", "waiting"]

_TRIES = 3
_PAUSE = 0.5
"""Seconds before the second try; twice as many before each further one."""


class Delivery(NamedTuple):
    """A POST that was tried."""

    url: str
    delivered: bool
    answer: str


def check_url(url: str) -> str:
    """The address itself, if something can be posted there.

    >>> check_url("ftp://example.org")
    Traceback (most recent call last):
    aver.errors.InputError: 'ftp://example.org' is no address for a webhook; it must look like https://example.org/hook
    """
    if not is_address(url):
        raise InputError(f"{url!r} is no address for a webhook; it must look like https://example.org/hook")
    return url


def queue(store: Store, url: str, collection: str, events: Sequence[Event]) -> None:
    """Events wait for delivery from the same moment on in which they count as told."""
    body = {"collection": collection, "aver": __version__, "events": [event.as_dict() for event in events]}
    store.insert("outgoing", url=url, body=orjson.dumps(body).decode(), at=now())


def waiting(store: Store) -> list[tuple[int, str, str]]:
    """(number, address, body) of what is not delivered yet, in order."""
    rows = store.connection.execute(
        """SELECT id, url, body FROM outgoing o
        WHERE NOT EXISTS (SELECT 1 FROM attempts a WHERE a.delivery = o.id AND a.delivered) ORDER BY id"""
    )
    return rows.fetchall()


def deliver(store: Store, urls: Sequence[str], *, timeout: float = 10.0) -> list[Delivery]:
    """Posts what waits for these addresses, the oldest first. An address that fails keeps the rest of its queue."""
    done: list[Delivery] = []
    failed: set[str] = set()
    for number, url, body in waiting(store):
        if url not in urls or url in failed:
            continue
        delivered, answer = _post(url, body.encode(), number, timeout)
        store.insert("attempts", delivery=number, at=now(), delivered=int(delivered), answer=answer)
        store.settle(now_=True)
        done.append(Delivery(url, delivered, answer))
        if not delivered:
            failed.add(url)
    return done


def _post(url: str, body: bytes, number: int, timeout: float) -> tuple[bool, str]:
    headers = {
        "Content-Type": "application/json", "User-Agent": f"aver/{__version__}", "X-Aver-Delivery": str(number),
    }  # fmt: skip
    answer = ""
    for attempt in range(_TRIES):
        if attempt:
            time.sleep(_PAUSE * 2 ** (attempt - 1))
        try:
            request = urllib.request.Request(url, data=body, headers=headers, method="POST")
            with opener().open(request, timeout=timeout) as reply:
                return True, str(reply.status)
        except urllib.error.HTTPError as error:
            with error:
                answer = f"HTTP {error.code} {error.reason}"
            if error.code in MOVED:
                answer += f", {moved_to(error)}"
                break
            if 400 <= error.code < 500 and error.code not in (408, 425, 429):
                break  # it will not be taken the third time either
        except (OSError, ValueError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            answer = f"{type(reason).__name__}: {reason}"
    return False, answer
