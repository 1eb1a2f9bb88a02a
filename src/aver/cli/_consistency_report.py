"""How an assessment looks on a terminal."""

from __future__ import annotations

from collections.abc import Iterable

import click

from aver.consistency import Assessment, SentenceAssessment, Span
from aver.errors import count_of
from aver.labels import Label

__all__ = ["marked", "offending", "print_report", "said"]

_COLOURS = {Label.SUPPORTS: "green", Label.REFUTES: "red", Label.NOT_ENOUGH_INFO: "yellow"}


def print_report(found: Assessment) -> None:
    """The score first, then each sentence with its offending words in ⟦ ⟧, what is wrong with them, and the source."""
    score = found.status if found.score is None else f"{found.score:.4f}"
    model = f", {found.model}" if found.model else ""
    click.secho(f"{score}  ({found.metric}{model}, {found.seconds:.2f} s)", bold=True)
    for sentence in found.sentences:
        _print_sentence(sentence)
    coverage = found.coverage
    if found.sentences:
        click.echo(
            f"read: {coverage.scored:,} of {count_of(coverage.sentences, 'sentence')}, against "
            f"{coverage.source_read:,} of {coverage.source_sentences:,} of the source"
        )
    for note in found.notes:
        click.echo(f"note: {note}")


def _print_sentence(sentence: SentenceAssessment) -> None:
    if sentence.score is None:
        click.echo(f"{sentence.status:<15}   –    {sentence.text}  [{sentence.reason}]")
        return
    label = "" if sentence.label is None else str(sentence.label)
    colour = None if sentence.label is None else _COLOURS.get(sentence.label)
    click.echo(f"{click.style(f'{label:<15}', fg=colour)} {sentence.score:.3f}  {marked(sentence)}")
    for span in sentence.spans:
        if span.reason != "sentence":
            click.echo(f"    {said(span)}")
    for evidence in sentence.evidence:
        click.echo(f"    source {evidence.number + 1}: {_short(evidence.text)}")


def marked(sentence: SentenceAssessment) -> str:
    """The sentence with its offending words between ⟦ and ⟧."""
    text, at = "", 0
    for start, end in ((s.start - sentence.start, s.end - sentence.start) for s in sentence.spans):
        text += f"{sentence.text[at:start]}⟦{sentence.text[start:end]}⟧"
        at = end
    return text + sentence.text[at:]


def said(span: Span) -> str:
    """What is wrong with a span, in words."""
    what = {"figure": "figure", "name": "name", "word": "words", "sentence": "sentence"}[span.reason]
    if span.source:
        return f"{span.kind} {what}: “{span.text}”; the source has “{span.source}”"
    return f"{span.kind} {what}: “{span.text}”"


def offending(spans: Iterable[Span], most: int = 4) -> str:
    """The first few offending words, for a line."""
    found = [f"⟦{_short(span.text, 40)}⟧" for span in spans]
    return " ".join(found[:most]) + (f" … {len(found) - most} more" if len(found) > most else "")


def _short(text: str, most: int = 160) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"
