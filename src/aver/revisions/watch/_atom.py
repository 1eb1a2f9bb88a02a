"""An Atom feed of events: one file that any feed reader takes."""

from __future__ import annotations

import os
from collections.abc import Sequence
from xml.etree import ElementTree as Xml

from aver.records import writing
from aver.revisions._word_diff import marked
from aver.revisions.watch._results import Cause, Event

__all__ = ["atom", "headline", "write_atom"]

_SPACE = "http://www.w3.org/2005/Atom"
_MOST = 500
"""Entries of a feed, the newest; the log has them all."""
_LONGEST = 2_000


def headline(event: Event) -> str:
    """An event in one line.

    `SUPPORTS → REFUTES: The mayor of Arle is Nora Stein.`
    """
    before, after = event.before.label.fever, event.after.label.fever
    what = f"{before}, evidence changed" if event.kind == "stale" else f"{before} → {after}"
    return f"{what}: {event.text}"


def write_atom(path: str | os.PathLike[str], name: str, identity: str, made: str, events: Sequence[Event]) -> None:
    """Writes the feed; the file appears whole or stays as it was."""
    data = atom(name, identity, made, events)
    with writing(path) as file:
        file.write(data)


def atom(name: str, identity: str, made: str, events: Sequence[Event]) -> bytes:
    """The newest events as an Atom document.

    `identity` is a UUID and stays the same for a watch; `made` is its time where nothing has happened yet. The same
    events give the same bytes.
    """
    Xml.register_namespace("", _SPACE)
    feed = Xml.Element(_tag("feed"))
    shown = sorted(events, key=lambda event: event.at, reverse=True)[:_MOST]
    _add(feed, "title", f"Claims watched in {name}")
    _add(feed, "id", f"urn:uuid:{identity}")
    _add(feed, "updated", shown[0].at if shown else made)
    _add(_add(feed, "author", None), "name", "aver watch")
    _add(feed, "generator", "aver")
    for event in shown:
        entry = _add(feed, "entry", None)
        _add(entry, "title", headline(event))
        _add(entry, "id", f"urn:uuid:{event.id}")
        _add(entry, "updated", event.at)
        _add(entry, "published", event.at)
        Xml.SubElement(entry, _tag("category"), term=event.kind)
        _add(entry, "content", _body(event)).set("type", "text")
    Xml.indent(feed)
    written: bytes = Xml.tostring(feed, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def _tag(name: str) -> str:
    return f"{{{_SPACE}}}{name}"


def _add(parent: Xml.Element, name: str, text: str | None) -> Xml.Element:
    element = Xml.SubElement(parent, _tag(name))
    element.text = None if text is None else "".join(c if _allowed(c) else "\ufffd" for c in text)
    return element


def _allowed(character: str) -> bool:
    # XML 1.0 knows no control characters, and a sentence may hold any
    code = ord(character)
    return code in (9, 10, 13) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000


def _body(event: Event) -> str:
    b, a = event.before, event.after
    lines = [f"{b.label.fever} {b.confidence:.2f} → {a.label.fever} {a.confidence:.2f} ({a.model})"]
    lines += [_said(cause) for cause in event.causes]
    if event.reason != "edit":
        lines.append({"model": "Another model than before read it.", "edit and model": "The model changed too."}.get(
            event.reason, "No page it looked into changed; other pages were found."))  # fmt: skip
    return "\n".join(lines)


def _said(cause: Cause) -> str:
    before, after = cause.before[:_LONGEST], cause.after[:_LONGEST]
    shown = marked(before, after) if before and after else f"[-{before}-]" if before else f"{{+{after}+}}"
    what = {"changed": "", "new": " (new page)", "removed": " (page removed)"}[cause.kind]
    where = f", revision {cause.origin or cause.revision}" if cause.revision is not None else ""
    when = f", {cause.at}" if cause.at else ""
    return f"{cause.title}{what}{where}{when}: {shown}"
