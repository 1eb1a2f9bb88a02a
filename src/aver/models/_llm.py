"""A language model behind an OpenAI-compatible endpoint as a judge: `llm:<model>`."""

from __future__ import annotations

import contextlib
import dataclasses
import http.client
import json
import math
import os
import queue
import random
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from typing import Any, TypeGuard

import numpy as np

from aver.errors import BackendError, InputError, count_of
from aver.models._judge import ORDER, Judge, both, named, refusal
from aver.models._pieces import MAX_CHARACTERS, readable
from aver.models._posting import MOVED, is_address, moved_to, opener
from aver.models._prompt import messages, prompt_hash, read_answer
from aver.results import Judgement

__all__ = ["LLMJudge", "Usage"]

_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_HOPELESS = frozenset({401, 403, 404})


@dataclasses.dataclass(frozen=True, slots=True)
class Usage:
    """What a judge's requests came to so far."""

    requests: int = 0
    retries: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    unmetered: int = 0
    """Answers that did not say how many tokens they took; the counts above leave them out."""
    refusals: int = 0
    unclear: int = 0
    """Answers that were no refusal, but no label either."""
    cost: float | None = None
    """In the currency of the prices given; None where none were given, or not every answer said what it took."""


class LLMJudge(Judge):
    """Asks a chat model for one word a pair, with worked examples before it.

    `base_url` (else the environment variable AVER_LLM_URL or OPENAI_BASE_URL) is the address before
    `/chat/completions`; `api_key` (else AVER_LLM_KEY or OPENAI_API_KEY) may be empty for local servers. `threads`
    requests run at a time (4). Each waits `timeout` seconds and is repeated up to `retries` times, with growing
    pauses or as long as the server asks. `prices` are (input, output) per million tokens, for `usage.cost`.

    The answer is a word, not a distribution: its label gets probability 1. A refusal, or an answer that is no
    label, is `abstained`; a request that failed for good is `error`; a wrong key or address, which no other pair
    would survive either, raises BackendError.
    """

    def __init__(
        self, name: str, *, threads: int | None = None, base_url: str | None = None, api_key: str | None = None,
        timeout: float = 60.0, retries: int = 4, prices: tuple[float, float] | None = None, pause: float = 1.0,
    ) -> None:  # fmt: skip
        url = base_url or os.environ.get("AVER_LLM_URL") or os.environ.get("OPENAI_BASE_URL")
        if not url:
            raise InputError(
                "llm: needs the endpoint's address: --base-url URL (in Python base_url=), or the environment variable "
                "AVER_LLM_URL"
            )
        url = _checked_address(url.strip())
        # said so that nan is refused too, which is neither above nor below anything
        if not 0 < timeout < math.inf or retries < 0 or (threads is not None and threads < 1):
            raise InputError("timeout must be above 0 and finite, retries 0 or more, threads 1 or more")
        if prices is not None and not all(0 <= price < math.inf for price in prices):
            raise InputError(f"prices are {prices}; they must be 0 or more, and finite")
        self._url = url.rstrip("/") + "/chat/completions"
        key = api_key or os.environ.get("AVER_LLM_KEY") or os.environ.get("OPENAI_API_KEY") or ""
        self._key = _checked_key(key.strip())
        self._asked, self._timeout, self._retries, self._pause = name, timeout, retries, pause
        self._prices = prices
        self._threads = threads or 4
        self._opener = opener()
        self._usage = Usage(cost=None if prices is None else 0.0)
        self._lock = threading.Lock()
        self.name, self.model = f"llm:{name}", f"llm:{name}@{prompt_hash()}"

    @property
    def usage(self) -> Usage:
        """Requests, tokens, refusals and cost so far."""
        return self._usage

    def judge(self, pairs: Iterable[tuple[str, str]], *, batch_tokens: int = 1024) -> list[Judgement]:
        return list(self.judge_each(pairs))

    def judge_each(self, pairs: Iterable[tuple[str, str]], *, batch_tokens: int = 1024) -> Iterator[Judgement]:
        asked = [(*both(pair), Future[Judgement]()) for pair in pairs]
        waiting: queue.SimpleQueue[tuple[object, object, Future[Judgement]]] = queue.SimpleQueue()
        for one in asked:
            waiting.put(one)
        stop = threading.Event()

        def work() -> None:
            while not stop.is_set() and not waiting.empty():
                with contextlib.suppress(queue.Empty):
                    claim, evidence, answer = waiting.get_nowait()
                    try:
                        answer.set_result(self._one(claim, evidence, stop))
                    except BaseException as error:
                        answer.set_exception(error)

        # Not a pool: Python waits for a pool's threads when it ends, and one may sit in a request for a minute.
        for _ in range(min(self._threads, len(asked))):
            threading.Thread(target=work, daemon=True).start()
        try:
            for _, _, answer in asked:
                yield answer.result()
        finally:
            stop.set()

    def _one(self, claim: object, evidence: object, stop: threading.Event) -> Judgement:
        refused = refusal(claim, evidence)
        if refused is not None:
            return Judgement.unread(*refused, model=self.model)
        assert isinstance(claim, str)
        assert isinstance(evidence, str)
        size = len(claim) + len(evidence)
        if size > MAX_CHARACTERS:
            reason = f"the pair has {size:,} characters; at most {MAX_CHARACTERS:,} are sent"
            return Judgement.unread("error", reason, model=self.model)
        try:
            answer = self._request(messages(readable(claim), readable(evidence)), _ONE_WORD, stop)
            choice, said = _first_choice(answer)
        except _Failed as reason:
            return Judgement.unread("error", str(reason), model=self.model)
        label = read_answer(said)
        if label is None:
            if words := _refused(choice):
                self._count(refusals=1)
                return Judgement.unread("abstained", f"the model refused: {words}", model=self.model)
            self._count(unclear=1)
            unclear = f"the model answered {said[:80]!r}, which is no label"
            if choice.get("finish_reason") == "length":
                unclear += f"; it was cut off after {_ONE_WORD} tokens: have a model that thinks aloud do without"
            return Judgement.unread("abstained", unclear, model=self.model)
        _, probabilities = named(np.array([float(label is known) for known in ORDER]))
        return Judgement(label, probabilities, 1.0, "scored", self.model, windows=1)

    def chat(self, turns: list[dict[str, str]], *, max_tokens: int) -> str:
        """What the model answers to a conversation, for other jobs than judging; empty where it refuses.

        Repeats and waits as a judgement does; a request that failed for good raises BackendError.
        """
        try:
            _, said = _first_choice(self._request(turns, max_tokens, threading.Event()))
        except _Failed as reason:
            raise BackendError(f"{self._url}: {reason}") from reason
        if not said.strip():
            self._count(refusals=1)
        return said

    def _request(self, turns: list[dict[str, str]], max_tokens: int, stop: threading.Event) -> Any:
        body = {"model": self._asked, "messages": turns, "temperature": 0, "max_tokens": max_tokens}
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {self._key}"} if self._key else {})
        request = urllib.request.Request(self._url, json.dumps(body).encode(), headers, method="POST")
        for attempt in range(self._retries + 1):
            wait = self._pause * 2**attempt * (0.5 + random.random() / 2)
            end = time.monotonic() + self._timeout
            try:
                self._count(requests=1, retries=int(attempt > 0))
                answer = _parsed(*self._answer(request, end))
            except urllib.error.HTTPError as error:
                failure = _Failed(f"the endpoint answered {error.code} {_message(error, end)}".rstrip())
                if error.code in MOVED:
                    raise BackendError(f"{self._url}: {failure}, {moved_to(error)}") from error
                if error.code in _HOPELESS:
                    remedy = "check the address, the key and the model's name"
                    raise BackendError(f"{self._url}: {failure}; {remedy}") from error
                if error.code not in _AGAIN:
                    raise failure from error
                wait = max(wait, _seconds(error.headers.get("Retry-After")))
            except TimeoutError:
                failure = _Failed(f"no answer within {self._timeout:g} s")
            except urllib.error.URLError as error:
                if isinstance(error.reason, TimeoutError):
                    failure = _Failed(f"no answer within {self._timeout:g} s")
                elif attempt == self._retries:
                    raise BackendError(f"{self._url}: cannot be reached: {error.reason}") from error
            except (http.client.HTTPException, OSError) as error:
                failure = _Failed(f"the endpoint's answer cannot be read: {error or type(error).__name__}")
            except _Failed as error:
                failure = error
            else:
                self._charge(answer)
                return answer
            if attempt < self._retries and self._stopped(stop, wait):
                raise _Failed("stopped")
        raise _Failed(f"{failure} (tried {count_of(self._retries + 1, 'time')})")

    def _answer(self, request: urllib.request.Request, end: float) -> tuple[bytes, str]:
        """What the endpoint sends, and the kind of data it says that is."""
        with self._opener.open(request, timeout=self._timeout) as reply:
            data = _read(reply, end)
            if reply.length:  # known from the header: what was promised and did not come
                raise http.client.IncompleteRead(data, reply.length)
            return data, str(reply.headers.get_content_type())

    def _stopped(self, stop: threading.Event, seconds: float) -> bool:
        """Waits; whether nobody wants the answer any more."""
        return stop.wait(seconds)

    def _charge(self, answer: Any) -> None:
        usage = answer.get("usage") if isinstance(answer, dict) else None
        said = usage if isinstance(usage, dict) else {}
        given, got = said.get("prompt_tokens"), said.get("completion_tokens")
        if _is_count(given) and _is_count(got):
            self._count(prompt_tokens=given, completion_tokens=got)
        else:
            self._count(unmetered=1)

    def _count(self, **more: int) -> None:
        with self._lock:
            now = self._usage
            changed = {name: getattr(now, name) + value for name, value in more.items()}
            now = dataclasses.replace(now, **changed)
            if self._prices is not None:
                given, got = self._prices
                cost = (now.prompt_tokens * given + now.completion_tokens * got) / 1e6
                now = dataclasses.replace(now, cost=None if now.unmetered else cost)
            self._usage = now


class _Failed(Exception):
    """One pair's request failed for good; the others go on."""


_ONE_WORD = 16
"""The most tokens of a judgement: a label, in any spelling."""


def _checked_address(url: str) -> str:
    if not (is_address(url) and url.isascii()):
        raise InputError(
            f"the endpoint's address is {url!r}; it must begin with http:// or https:// and name a host, and a port "
            "where it is not the usual one: http://127.0.0.1:8000/v1"
        )
    return url


def _checked_key(key: str) -> str:
    # the key itself is nobody's business
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise InputError("the endpoint's key (AVER_LLM_KEY) has a space or a sign in it that no key has; copy it anew")
    return key


def _read(reply: Any, end: float) -> bytes:
    """All that comes until `end`.

    The time-out of a socket is for one piece of the answer: a server that sends a byte now and then to keep the
    connection open would never run into it.
    """
    data = bytearray()
    while piece := reply.read1(1 << 16):
        data += piece
        if time.monotonic() > end:
            raise TimeoutError
    return bytes(data)


def _parsed(data: bytes, kind: str) -> Any:
    if kind == "text/event-stream":
        raise _Failed("the endpoint streams its answers, though it was not asked to; switch streaming off there")
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        begin = f"no JSON; it begins with {data[:60].decode(errors='replace')!r}" if data else "empty"
        raise _Failed(f"the endpoint's answer is {begin}") from None


def _first_choice(answer: Any) -> tuple[dict[str, Any], str]:
    """The first message, and what it says."""
    try:
        choice = answer["choices"][0]
        return choice, str(choice["message"].get("content") or "")
    except (KeyError, IndexError, TypeError, AttributeError):
        told = _told(answer)
        instead = f"; it says: {told}" if told else ""
        raise _Failed(f"the endpoint's answer has no choices[0].message{instead}") from None


def _refused(choice: dict[str, Any]) -> str:
    """What the endpoint says of a refusal; empty where it is none."""
    filtered = "content filter" if choice.get("finish_reason") == "content_filter" else ""
    return str(choice["message"].get("refusal") or filtered)[:200]


def _is_count(tokens: object) -> TypeGuard[int]:
    return isinstance(tokens, int) and not isinstance(tokens, bool) and tokens >= 0


def _message(error: urllib.error.HTTPError, end: float) -> str:
    try:
        with error:
            return _told(json.loads(_read(error, end))) or str(error.reason)
    except Exception:  # whatever the body is, the status alone tells enough
        return str(error.reason)


def _told(answer: Any) -> str:
    """What an answer that holds an error says of it; empty where it holds none."""
    said = answer.get("error") if isinstance(answer, dict) else None
    return str(said.get("message", said) if isinstance(said, dict) else said or "")[:200]


def _seconds(header: str | None) -> float:
    try:
        return min(60.0, float(header or 0))
    except ValueError:
        return 0.0
