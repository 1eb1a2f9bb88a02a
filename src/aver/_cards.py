"""A measure's card as a page: what `aver score --card` prints and the documentation is made from."""

from __future__ import annotations

import dataclasses
import typing
from typing import Any, Literal

from aver.measures import Measure

__all__ = ["card_fields", "card_page", "variants"]

_BETTER = {"higher": "higher is better", "lower": "lower is better", "none": "neither high nor low is better"}


def variants(kind: type[Measure]) -> tuple[Measure, ...]:
    """The measure as it is by default, then once for each other value of its `variant`, where it has one.

    >>> from aver.metrics import FEVER
    >>> [str(measure) for measure in variants(FEVER)]
    ['FEVER(card)', 'FEVER(official)@5']
    """
    default = kind()
    wanted = typing.get_type_hints(kind).get("variant")
    choices = typing.get_args(wanted) if typing.get_origin(wanted) is Literal else ()
    others = [kind(variant=choice) for choice in choices]  # type: ignore[call-arg]
    return (default, *(other for other in others if other != default))


def card_fields(measure: Measure) -> dict[str, Any]:
    """The card as JSON, with the measure's canonical name.

    >>> from aver.metrics import FEVER
    >>> card_fields(FEVER("official"))["measure"]
    'FEVER(official)@5'
    """
    # what `aver prove` found out about it, where a proof is kept
    trust = {"trust": stored} if (stored := _stored(measure)) else {}
    card = {field.name: getattr(measure.card, field.name) for field in dataclasses.fields(measure.card)}
    # JSON has no infinity: an open end of the range is null there
    ends = [end if abs(end) != float("inf") else None for end in measure.card.range]
    return {"measure": str(measure)} | card | {"values": dict(measure.card.values), "range": ends} | trust


def card_page(measure: Measure) -> str:
    """The card as Markdown.

    >>> from aver.metrics import FEVER
    >>> print(card_page(FEVER()).splitlines()[0])
    # FEVER: labels and evidence of verified claims
    """
    card = measure.card
    low, high = (_end(end) for end in card.range)
    title = card.title if card.title.startswith(measure.name) else f"{measure.name}: {card.title}"
    names = [str(variant) for variant in variants(type(measure))]
    if str(measure) not in names:
        names.insert(0, str(measure))
    parts = [
        f"# {title}",
        card.meaning.strip(),
        "**Canonical names**: " + ", ".join(f"`{name}`" for name in names)
        + f"  \n**Range**: {low} to {high}; {_BETTER[card.direction]}",
        "## Formula",
        _formula(card.formula),
        "## Input",
        card.inputs.strip(),
        "## Figures",
        "\n".join(f"- `{name}`: {meaning}" for name, meaning in card.values.items()),
        "## Example",
        f"```python\n{card.example.strip()}\n```",
    ]  # fmt: skip
    for heading, lines in (("Edge cases", card.edge_cases), ("Limits", card.limits)):
        if lines:
            parts += [f"## {heading}", "\n".join(f"- {line}" for line in lines)]
    if measure.name == "Consistency":
        from aver.prove import trust_section

        stored = _stored(measure)
        # the page of the default shows all that were proved, side by side
        one = None if stored is None or measure == type(measure)() else stored["metric"]
        parts.append(trust_section(one).strip())
    parts += ["## Citation", card.citation.strip()]
    return "\n\n".join(parts) + "\n"


def _stored(measure: Measure) -> dict[str, Any] | None:
    """The kept figures of the metric that a measure of consistency stands for."""
    if measure.name != "Consistency":
        return None
    from aver.prove import stored_figures

    return stored_figures(getattr(measure, "variant", ""))


def _end(value: float) -> str:
    return {float("inf"): "∞", float("-inf"): "−∞"}.get(value) or f"{value:g}"


def _formula(text: str) -> str:
    # TeX is fenced as math, plain text as it stands
    text = text.strip()
    return f"```math\n{text}\n```" if "\\" in text else f"```text\n{text}\n```"
