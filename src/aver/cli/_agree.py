"""`aver agree`: agreement figures and verdicts from a file of votes. In Python: `aver.agreement.agree`."""

from __future__ import annotations

import click

from aver.cli._output import json_option, print_json, print_notes, print_table

__all__ = ["command"]


@click.command("agree")
@click.argument("votes", metavar="VOTES.jsonl")
@click.option(
    "--slice",
    "field",
    metavar="FIELD",
    help="Give every figure for each value of this field too; computed ones: @slots (who voted), @voters "
    "(how many), @table1 (CLIMATE-FEVER's Table 1, as far as it can be recovered).",
)
@click.option(
    "--level",
    type=click.Choice(["nominal", "ordinal", "interval", "ratio"]),
    default="nominal",
    show_default=True,
    help="What the votes are, for alpha.",
)
@click.option(
    "--labels",
    type=click.Choice(["verdict", "any", "number"]),
    help="Verdict labels in any spelling (the default), any values, or numbers (the default at levels other "
    "than nominal).",
)
@click.option("--order", metavar="A,B,…", help="For --level ordinal: the votes' words, lowest first.")
@click.option("--verdicts", metavar="FILE", help="Write what was decided on each item, as JSON lines (-: stdout).")
@json_option
def command(
    votes: str,
    field: str | None,
    level: str,
    labels: str | None,
    order: str | None,
    verdicts: str | None,
    as_json: bool,
) -> None:
    """How far voters agree, and what they decided.

    VOTES.jsonl (or - for standard input) holds CLIMATE-FEVER's claims as they are (`evidences`, each with
    `votes`), or an item a line (`item`, `votes`), or a vote a line (`item`, `voter`, `vote`). null is a vote
    not cast. An item's verdict is the label with most votes, NOT_ENOUGH_INFO on a tie; a claim's label is
    SUPPORTS or REFUTES if some sentence says so and none the opposite, DISPUTED if both, else
    NOT_ENOUGH_INFO.
    """
    from aver.agreement import Figures, agree
    from aver.records import write_records

    if verdicts == "-" and as_json:
        raise click.UsageError("--verdicts - and --json both write to standard output; give one of them a file")
    words = [word.strip() for word in order.split(",")] if order is not None else None
    kind = labels or ("any" if words else "verdict" if level == "nominal" else "number")
    found = agree(votes, slice=field, level=level, labels=kind, order=words)  # type: ignore[arg-type]
    if verdicts is not None:
        write_records(verdicts, (decision.as_dict() for decision in found.decisions))
        if verdicts == "-":
            return
    if as_json:
        print_json(found.as_dict())
        return
    rows: list[Figures] = [*found.slices, found.overall]

    def name(figures: Figures) -> str:
        return "all" if figures.slice is None else figures.slice or "(nobody voted)"

    measures = [f"Alpha(level={level})", "TotalAgreement", "Entropy", "FleissKappa", "RandolphKappa"]
    print_table(
        ["slice", "items", "voters", *measures],
        [
            (
                name(f),
                f.items,
                f.voters,
                f.alpha,
                f.total_agreement,
                f.entropy,
                f.fleiss_kappa,
                f.randolph_kappa,
            )
            for f in rows
        ],
        title="Agreement (entropy in nats)",
    )
    for title, pick in (("Verdicts on items", "verdicts"), ("Labels of claims", "claim_labels")):
        tables = [(name(f), getattr(f, pick)) for f in rows]
        heads = list(found.overall.verdicts if pick == "verdicts" else found.overall.claim_labels or ())
        if heads and len(heads) <= 12:
            click.echo()
            body = [(slice_, *(counts.get(head, 0) for head in heads)) for slice_, counts in tables if counts]
            print_table(["slice", *heads], body, title=title)
    if found.compared:
        stated = ", ".join(f"{field} ({count:,})" for field, count in found.compared.items())
        click.echo(f"\nThe file's own {stated} held against its votes: {len(found.differences)} differ.")
        for difference in found.differences[:20]:
            click.echo(f"  - {difference}")
    print_notes(found.notes)
