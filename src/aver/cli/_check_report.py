"""How a verdict looks on a terminal: the label, how sure, the deciding sentences, and what was not read."""

from __future__ import annotations

import re
import textwrap
import unicodedata

import click

from aver.cli._output import on_one_line
from aver.errors import count_of
from aver.labels import Label
from aver.results import RationaleWord
from aver.verify import REASONS, Evidence, QuoteCheck, TextCheck, Verdict

__all__ = ["print_text_check", "print_verdict", "verdict_line"]

_COLOURS = {
    Label.SUPPORTS: "green", Label.REFUTES: "red", Label.DISPUTED: "magenta", Label.NOT_ENOUGH_INFO: "yellow",
}  # fmt: skip
_SAYS = {
    Label.SUPPORTS: "the text says so", Label.REFUTES: "the text says otherwise",
    Label.DISPUTED: "the text says both", Label.NOT_ENOUGH_INFO: "the text does not say",
}  # fmt: skip
_MOST = 3
"""Sentences shown of each side."""


def verdict_line(verdict: Verdict) -> str:
    """`SUPPORTS  0.93  ▮▮▮▮▮▮▮▮▮▯  the text says so`."""
    if verdict.label is None and verdict.status == "abstained":
        return click.style("ABSTAINED", fg="yellow", bold=True) + "  the judge gave no verdict"
    if verdict.label is None:
        return click.style("ERROR", fg="red", bold=True) + "  nothing could be judged"
    colour = _COLOURS[verdict.label]
    if not verdict.probabilities:
        return click.style(verdict.label.fever, fg=colour, bold=True) + "  nothing was found to read"
    bar = "▮" * round(verdict.confidence * 10) + "▯" * (10 - round(verdict.confidence * 10))
    label = click.style(verdict.label.fever, fg=colour, bold=True)
    limit = verdict.provenance.settings.abstain
    least = f"{limit:.2f}" if round(limit, 2) == limit else f"{limit:g}"
    confidence = f"{verdict.confidence:.2f}"
    if verdict.status == "scored":
        said = _SAYS[verdict.label]
    else:
        said = f"not sure enough to say (below {least}); this is the likeliest label"
        confidence = f"{verdict.confidence:.4f}" if confidence == least else confidence
    return f"{label}  {confidence}  {click.style(bar, fg=colour)}  {said}"


def print_verdict(verdict: Verdict, *, indent: str = "", width: int = 100, below: str | None = None) -> None:
    """The whole answer for people; `below` is its last line, where that is not what was read, and by whom."""
    click.echo(f"{indent}{verdict_line(verdict)}")
    if verdict.label is not None:
        sides = (verdict.supporting, verdict.refuting) if verdict.label is Label.DISPUTED else (verdict.deciding,)
        for side in sides:
            for evidence in side[:_MOST]:
                _print_evidence(evidence, indent, width)
        if verdict.rule_label is Label.DISPUTED and verdict.label in (Label.SUPPORTS, Label.REFUTES):
            against = verdict.refuting if verdict.label is Label.SUPPORTS else verdict.supporting
            click.echo(f"{indent}  against it:")
            _print_evidence(against[0], indent, width)
        if verdict.label is Label.NOT_ENOUGH_INFO and verdict.evidence:
            # what seems to decide by itself, and does not once all is weighed, is what a reader asks about
            alone = max((*verdict.supporting, *verdict.refuting), key=lambda e: e.confidence, default=None)
            click.echo(f"{indent}  nearest:")
            _print_evidence(alone or verdict.evidence[0], indent, width, alone=True)
    for quote in verdict.quotes:
        click.echo(f"{indent}  {_quote(quote)}")
    for note in verdict.notes:
        if not note.startswith("not sure enough"):
            click.echo(f"{indent}  note: {note}")
    last = " · ".join((_read(verdict), _readers(verdict))) if below is None else below
    if last:
        click.echo(click.style(f"{indent}  {last}", dim=True))


def _print_evidence(evidence: Evidence, indent: str, width: int, *, alone: bool = False) -> None:
    passage = evidence.passage
    colour = _COLOURS[evidence.label]
    where = f"{passage.title or passage.document} · sentence {passage.number + 1}"
    if passage.title and passage.document != passage.title:
        where += f" · {passage.document}"
    mark = {Label.SUPPORTS: "+", Label.REFUTES: "−"}.get(evidence.label, "·")
    said = "says nothing on it" if evidence.aside else f"{evidence.label.fever.lower()} {evidence.confidence:.2f}"
    said = f"by itself: {said}" if alone else said
    click.echo(f"{indent}  {click.style(mark, fg=colour, bold=True)} {click.style(where, bold=True)}  ({said})")
    for line in _marked(passage.text, evidence.rationale, width - len(indent) - 6, colour):
        click.echo(f"{indent}      {line}")
    compared = evidence.figures.telling
    if evidence.figure_role and compared is not None:
        sign = "=" if compared.outcome == "agrees" else "≠"
        word = {"corroborate": "figures corroborate", "overrule": "figures overrule the model"}[evidence.figure_role]
        click.echo(f"{indent}      {word}: claim “{compared.claim}” {sign} “{compared.evidence}”")


def _marked(text: str, rationale: tuple[RationaleWord, ...], width: int, colour: str) -> list[str]:
    """The sentence in lines of `width`, its deciding words coloured and in brackets, which may span lines."""
    spans = _joined(text, rationale)
    pieces, last = [], 0
    for start, end in spans:
        pieces += [text[last:start], "\ue000", text[start:end], "\ue001"]
        last = end
    flat = on_one_line("".join([*pieces, text[last:]]))
    if flat.count("\ue000") > flat.count("\ue001"):
        flat += "\ue001"
    lines, inside = [], False
    for line in textwrap.wrap(flat, max(width, 30), break_long_words=False, break_on_hyphens=False):
        shown: list[str] = []
        for part in re.findall(r"\ue000?[^\ue000\ue001]+\ue001?", line):
            inside = inside or part.startswith("\ue000")
            bare = part.replace("\ue000", "[").replace("\ue001", "]")
            shown.append(click.style(bare, fg=colour, bold=True) if inside else bare)
            inside = inside and not part.endswith("\ue001")
        lines.append("".join(shown))
    return lines


def _joined(text: str, rationale: tuple[RationaleWord, ...]) -> list[tuple[int, int]]:
    """Neighbouring words as one span; a sign goes with its number."""
    spans: list[tuple[int, int]] = []
    for word in rationale:
        start, end = _signed(text, word.start, word.end)
        if spans and not text[spans[-1][1] : start].strip():
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def _signed(text: str, start: int, end: int) -> tuple[int, int]:
    """A number with the currency sign or the minus before it, and the per cent sign behind it.

    >>> [_signed(text, 6, 10) for text in ("about 14.8 to", "for  €14.8 m", "up by 14.8%", "from -12.5", "in 20-14.8")]
    [(6, 10), (5, 10), (6, 11), (5, 10), (6, 10)]
    """
    before = text[start - 1 : start] if text[start : start + 1].isdigit() else ""
    minus = before in ("-", "−") and not text[max(0, start - 2) : start - 1].strip()
    if minus or (before and unicodedata.category(before) == "Sc"):
        start -= 1
    if text[end - 1 : end].isdigit() and text[end : end + 1] in ("%", "‰"):
        end += 1
    return start, end


def _quote(quote: QuoteCheck) -> str:
    shown = quote.quote if len(quote.quote) <= 60 else quote.quote[:59] + "…"
    match quote.outcome:
        case "found":
            return f"quote “{shown}”: found, word for word, in {quote.document}"
        case "altered":
            gone = f"; not there: {', '.join(quote.missing)}" if quote.missing else ""
            new = f"; left out: {', '.join(quote.added)}" if quote.added else ""
            return f"quote “{shown}”: altered; {quote.document} has “{quote.text}”{gone}{new}"
        case _:
            return f"quote “{shown}”: not found in what was searched"


def _read(verdict: Verdict) -> str:
    c = verdict.coverage
    unread = c.sentences_total - c.sentences
    searched = verdict.provenance.documents or c.documents == 0
    of = f"{c.documents:,} of {count_of(c.documents_total, 'document')}" if searched else "the text"
    read = f"read {c.sentences:,} of {count_of(c.sentences_total, 'sentence')} in {of}"
    left = f"; {unread:,} less alike not read" if unread > 0 else ""
    part = f"; {c.words:.0%} of their words" if c.words < 1 and c.sentences else ""
    return f"{read}{left}{part}"


def _readers(verdict: Verdict) -> str:
    ranker = verdict.provenance.ranker
    return verdict.provenance.model + (f", sentences ordered by {ranker}" if ranker else "")


def print_text_check(checked: TextCheck) -> None:
    """Sentence after sentence, then the counts, and once what was read and by whom, where that is the same for all."""
    verdicts = [found.verdict for found in checked.claims if found.verdict is not None]
    kinds = (_read, _readers)
    same = [say(verdicts[0]) for say in kinds if len({say(verdict) for verdict in verdicts}) == 1]
    for found in checked.claims:
        click.echo(f"{found.claim.start:>5}  {click.style(on_one_line(found.claim.text), bold=True)}")
        if found.verdict is None:
            click.echo(f"       not verifiable: {'; '.join(REASONS[code] for code in found.claim.reasons)}")
        else:
            below = " · ".join(said for say in kinds if (said := say(found.verdict)) not in same)
            print_verdict(found.verdict, indent="       ", below=below)
        click.echo()
    for one in checked.contradictions:
        click.echo(click.style("contradiction in the text", fg="red", bold=True) + f"  {one.probability:.2f}")
        for at in (one.first, one.second):
            claim = checked.claims[at].claim
            click.echo(f"{claim.start:>5}  {' '.join(claim.statement.split())}")
        if one.figures:
            click.echo(f"       figures disagree: {one.figures}")
        click.echo()
    if checked.pairs_unread:
        unread = count_of(checked.pairs_unread, "pair of claims was", "pairs of claims were")
        click.echo(f"note: {unread} not read against each other")
    if checked.status == "no_claims":
        click.echo("no claims: no sentence of this text can be verified")
    else:
        click.echo(", ".join(f"{_outcome(name)} {count:,}" for name, count in checked.outcomes.items()))
    if same:
        click.echo(click.style(f"{'each' if len(verdicts) > 1 else 'it'}: {' · '.join(same)}", dim=True))


def _outcome(name: str) -> str:
    """A label as verdicts have it; other outcomes as they are."""
    return Label(name).fever if name in set(Label) else name
