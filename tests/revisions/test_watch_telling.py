"""Feeds that any reader takes, and webhooks that lose nothing."""

from __future__ import annotations

import datetime
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as Xml

import orjson
import pytest

from aver import InputError
from aver.labels import Label
from aver.revisions.watch import Event, Outcome, _webhook, atom, headline, moment

ATOM = {"a": "http://www.w3.org/2005/Atom"}
BRIDGE = "Arle Bridge opened in 1931."


class Hook:
    """A server that answers as it is told and keeps what it was sent."""

    def __init__(self) -> None:
        self.answers: list[int] = []
        self.got: list[dict[str, Any]] = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                code = outer.answers.pop(0) if outer.answers else 200
                if code == 200:
                    assert self.headers["Content-Type"] == "application/json"
                    outer.got.append(orjson.loads(body) | {"delivery": self.headers["X-Aver-Delivery"]})
                if code == 0:
                    self.wfile.write(b"What?\r\n")
                    return
                self.send_response(code)
                if 300 <= code < 400:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()

            def do_GET(self) -> None:
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook"
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hook]:
    monkeypatch.setattr(_webhook, "_PAUSE", 0.0)
    made = Hook()
    yield made
    made.close()


def flip(town: Any, year: int, sign: str) -> None:
    town.put(Arle_Bridge=f"Arle Bridge opened in {year} ({sign}).")


def test_flips_are_posted_once(town: Any, hook: Hook) -> None:
    town.watch.add([BRIDGE])
    town.watch.run(webhooks=[hook.url])
    assert hook.got == [], "nothing happened, so nothing is sent"
    flip(town, 1932, "no")
    town.watch.run(webhooks=[hook.url, hook.url])
    (body,) = hook.got
    assert body["events"][0]["after"]["label"] == "REFUTES"
    assert body["events"][0]["causes"][0]["after"] == "Arle Bridge opened in 1932 (no)."
    town.watch.run(webhooks=[hook.url])
    assert len(hook.got) == 1


def test_a_stumble_is_tried_again_at_once(town: Any, hook: Hook) -> None:
    town.watch.add([BRIDGE])
    flip(town, 1932, "no")
    hook.answers = [503, 503]
    town.watch.run(webhooks=[hook.url])
    assert [delivery.delivered for delivery in town.watch.deliveries] == [True]
    assert len(hook.got) == 1


def test_a_redirect_is_no_delivery(town: Any, hook: Hook) -> None:
    """What is asked for elsewhere, with a GET, is not posted."""
    town.watch.add([BRIDGE])
    flip(town, 1932, "no")
    hook.answers = [302]
    town.watch.run(webhooks=[hook.url])
    (lost,) = town.watch.deliveries
    assert not lost.delivered
    assert "points to /elsewhere; give that address" in lost.answer
    town.watch.run(webhooks=[hook.url])
    assert len(hook.got) == 1, "kept, and sent once it can be"


def test_an_answer_that_is_no_http_is_no_delivery(town: Any, hook: Hook) -> None:
    town.watch.add([BRIDGE])
    flip(town, 1932, "no")
    hook.answers = [0, 0, 0]
    town.watch.run(webhooks=[hook.url])
    (lost,) = town.watch.deliveries
    assert (lost.delivered, lost.answer.startswith("BadStatusLine")) == (False, True)


@pytest.mark.parametrize("answers", [[500, 500, 500], [404]])
def test_what_is_not_delivered_waits(town: Any, hook: Hook, answers: list[int]) -> None:
    town.watch.add([BRIDGE])
    flip(town, 1932, "no")
    hook.answers = list(answers)
    town.watch.run(webhooks=[hook.url])
    (lost,) = town.watch.deliveries
    assert (lost.delivered, lost.answer.startswith(f"HTTP {answers[0]}")) == (False, True)
    assert hook.answers == [], "an answer of 404 is final, one of 500 is tried three times"
    report = town.watch.run()
    assert report.notes == (f"1 earlier delivery waits for {hook.url}",)
    flip(town, 1931, "yes")
    town.watch.run(webhooks=[hook.url])
    assert [body["events"][0]["after"]["label"] for body in hook.got] == ["REFUTES", "SUPPORTS"], "in order"
    assert len({body["delivery"] for body in hook.got}) == 2


def test_nobody_there(town: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_webhook, "_PAUSE", 0.0)
    town.watch.add([BRIDGE])
    flip(town, 1932, "no")
    report = town.watch.run(webhooks=["http://127.0.0.1:9/hook"], timeout=1)
    assert len(report.flips) == 1
    assert "Connection" in town.watch.deliveries[0].answer


@pytest.mark.parametrize("url", ["", "hook", "ftp://x/y", "http://", "file:///etc/passwd", "http://a b/", "http://[x",
                                 "http://h:abc/x", "http://h/ä"])  # fmt: skip
def test_an_address_that_is_none_stops_before_the_run(town: Any, url: str) -> None:
    town.watch.add([BRIDGE])
    flip(town, 1932, "no")
    with pytest.raises(InputError, match="no address for a webhook"):
        town.watch.run(webhooks=[url])
    assert len(town.watch.run().flips) == 1


def test_the_feed_is_atom_and_its_ids_stay(town: Any, tmp_path: Path) -> None:
    town.watch.add([BRIDGE])
    path = tmp_path / "feed.atom"
    town.watch.run(feed=path)
    assert Xml.parse(path).findall("a:entry", ATOM) == []
    flip(town, 1932, "no")
    town.watch.run(feed=path)
    first = path.read_bytes()
    town.watch.run(feed=path)
    assert path.read_bytes() == first
    flip(town, 1931, "yes")
    town.watch.run(feed=path)
    feed = Xml.parse(path).getroot()
    assert feed.tag == "{http://www.w3.org/2005/Atom}feed"
    for parent in (feed, *feed.findall("a:entry", ATOM)):
        assert len(parent.findall("a:id", ATOM)) == len(parent.findall("a:title", ATOM)) == 1
        updated = parent.findtext("a:updated", "", ATOM)
        assert datetime.datetime.fromisoformat(updated).tzinfo is not None
        assert parent.findtext("a:id", "", ATOM).startswith("urn:uuid:")
    assert feed.findtext("a:author/a:name", "", ATOM) == "aver watch"
    ids = [entry.findtext("a:id", "", ATOM) for entry in feed.findall("a:entry", ATOM)]
    before = [entry.findtext("a:id", "", ATOM) for entry in Xml.fromstring(first).findall("a:entry", ATOM)]
    assert len(set(ids)) == 2
    assert set(before) < set(ids)
    assert "[-1931-]{+1932+} ([-yes-]{+no+})" in first.decode()


def test_a_feed_holds_what_xml_cannot(tmp_path: Path) -> None:
    outcome = Outcome(Label.SUPPORTS, 0.9, "scored", "m@0")
    event = Event(
        "x", 1, "2026-01-01T00:00:00+00:00", "flip", "c", "A \x00\x1b<b>&amp; claim", None, outcome, outcome, (), "edit"
    )
    parsed = Xml.fromstring(atom("n", "i", "2026-01-01T00:00:00+00:00", [event]))
    assert "<b>&amp; claim" in parsed.findtext("a:entry/a:title", "", ATOM)
    assert headline(event).startswith("SUPPORTS → SUPPORTS: A ")


def test_a_feed_that_cannot_be_written_is_an_error_and_the_flip_is_told_later(town: Any, tmp_path: Path) -> None:
    town.watch.add([BRIDGE])
    flip(town, 1932, "no")
    with pytest.raises(InputError, match="cannot be written"):
        town.watch.run(feed=tmp_path / "nowhere" / "feed.atom")
    assert len(town.watch.run().flips) == 1


def test_the_log_by_claim_and_date(town: Any) -> None:
    town.watch.add([(BRIDGE, "b-1"), "Gull Point was built of granite."])
    flip(town, 1932, "no")
    town.watch.run()
    kinds = [entry.kind for entry in town.watch.log()]
    assert kinds == ["added", "added", "flip"]
    for name in (BRIDGE, "b-1", town.watch.claims()[0].id, town.watch.claims()[0].id[:8], "arle bridge"):
        assert [entry.kind for entry in town.watch.log(claim=name)] == ["added", "flip"]
    assert len(town.watch.log(since="1h")) == 3
    assert town.watch.log(since="2999-01-01") == []
    with pytest.raises(InputError, match="no claim is called"):
        town.watch.log(claim="unheard of")
    with pytest.raises(InputError, match="is no date"):
        moment("last week")
