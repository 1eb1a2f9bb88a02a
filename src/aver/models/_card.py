"""A model's card for people: every field of card.json, none invented."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from aver.models._folder import ModelFolder

__all__ = ["card_markdown", "card_rows"]

# Inner workings: shown in JSON, of no use on a page.
_INNER = frozenset({"name", "parts", "heads", "labels", "temperature", "claim_marks", "tokenizer_sha256"})


def card_rows(folder: ModelFolder) -> list[tuple[str, str]]:
    """The card as (what, value) rows; a nested field is named by its path, an interval stands behind its figure, and
    what a list holds stands line by line."""
    rows = [("size", f"{folder.size / 1e6:.1f} MB")] if "size" not in folder.card else []
    return rows + list(_flat({k: v for k, v in folder.card.items() if k not in _INNER}))


def card_markdown(folder: ModelFolder) -> str:
    """The card as a Markdown page: one section for each field with more than one value."""
    simple, sections = [], []
    fields = {k: v for k, v in folder.card.items() if k not in _INNER}
    for key, value in ({"size": f"{folder.size / 1e6:.1f} MB"} | fields).items():
        if isinstance(value, Mapping) and not _is_figure(value):
            sections.append((key, [f"| {name} | {text} |" for name, text in _flat(value)]))
        elif _is_table(value):
            head = [_table_row({name: _words(name) for name in value[0]}), "|---" * len(value[0]) + "|"]
            sections.append((key, head + [_table_row(item) for item in value]))
        elif _is_list(value):
            sections.append((key, [f"- {_text(item)}" for item in value]))
        else:
            simple.append(f"| {_words(key)} | {_text(value)} |")
    lines = [f"# {folder.name}", "", "| | |", "|---|---|", *simple]
    for key, body in sections:
        head = ["| | |", "|---|---|"] if isinstance(fields[key], Mapping) else []
        lines += ["", f"## {_words(key).capitalize()}", "", *head, *body]
    return "\n".join(lines) + "\n"


def _flat(fields: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, str]]:
    for key, value in fields.items():
        name = f"{path} · {_words(key)}" if path else _words(key)
        if isinstance(value, Mapping) and not _is_figure(value):
            yield from _flat(value, name)
        elif _is_list(value):
            yield from ((name if number == 0 else "", _text(item)) for number, item in enumerate(value))
        else:
            yield name, _text(value)


def _table_row(item: Mapping[str, Any]) -> str:
    cells = (_text(value).replace("|", "\\|") for value in item.values())
    return f"| {' | '.join(cells)} |"


def _is_figure(value: object) -> bool:
    """A figure with its interval: {"value": 86.4, "low": 85.9, "high": 86.9}."""
    return isinstance(value, Mapping) and {"value", "low", "high"} <= set(value)


def _is_list(value: object) -> bool:
    numbers = isinstance(value, Sequence) and all(isinstance(v, (int, float)) for v in value)
    return isinstance(value, Sequence) and not isinstance(value, str) and not numbers


def _is_table(value: Any) -> bool:
    """Records that all have the same fields."""
    return (
        _is_list(value)
        and bool(value)
        and all(isinstance(item, Mapping) and item.keys() == value[0].keys() for item in value)
    )


def _text(value: Any) -> str:
    if value is None:
        return "–"
    if _is_figure(value):
        return f"{_text(value['value'])} [{_text(value['low'])}, {_text(value['high'])}]"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{_words(k)} {_text(v)}" for k, v in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(_text, value))
    return " ".join(str(value).split())


def _words(key: str) -> str:
    return key.replace("_", " ")
