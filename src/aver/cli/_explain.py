"""`aver explain`: a shell over `aver.explain`."""

from __future__ import annotations

import re
from typing import Literal

import click

from aver.cli._judge import options_of
from aver.cli._output import json_option, model_option, print_json, progress
from aver.errors import InputError
from aver.results import Explanation, RationaleWord

__all__ = ["command"]


@click.command("explain")
@click.option("--claim", required=True, help="The claim.")
@click.option("--evidence", metavar="TEXT", help="The text it is read against.")
@click.option("--evidence-file", metavar="FILE", help="A file with that text, HTML and PDF too; - is standard input.")
@model_option()
@click.option(
    "--method",
    type=click.Choice(["auto", "head", "mask"]),
    default="auto",
    show_default=True,
    help="The model's token head, or hiding words until the verdict turns.",
)
@click.option("--threads", type=click.IntRange(1), help="How many compute at once.  [default: AVER_THREADS, else all]")
@click.option("--labels", help="What an hf: model's labels mean, in its order: SUPPORTS,NEI,REFUTES.")
@click.option("--base-url", help="The endpoint of llm: models; its key is in AVER_LLM_KEY.  [default: AVER_LLM_URL]")
@json_option
def command(
    claim: str, evidence: str | None, evidence_file: str | None, model: str, method: Literal["auto", "head", "mask"],
    threads: int | None, labels: str | None, base_url: str | None, as_json: bool,
) -> None:  # fmt: skip
    """The words of the evidence that decide a claim.

    \b
    aver explain --claim "The bridge opened in 1931." --evidence "It opened to traffic in May 1932."
    aver explain --claim "The bridge opened in 1931." --evidence-file bridge.html

    Exit codes: 0 done; 2 nothing could be judged, or wrong input.
    """
    from aver.models import load_judge, mask_rationale

    evidence = _text(evidence, evidence_file)
    judge = load_judge(model, threads=threads, **options_of(model, labels, base_url))
    if method == "head" or (method == "auto" and "rationale" in judge.heads):
        with progress("reading"):
            found = judge.explain(claim, evidence, method=method)
    else:
        with progress("hiding words") as advance:
            found = mask_rationale(judge, claim, evidence, progress=advance)
    if found.judgement.label is None:
        raise InputError(f"nothing could be judged: {found.judgement.reason}")
    if as_json:
        print_json({"claim": claim, "evidence": evidence} | found.as_dict())
    else:
        _print(claim, evidence, found)


def _text(evidence: str | None, evidence_file: str | None) -> str:
    if evidence is not None and evidence_file is None:
        return evidence
    if evidence is not None or evidence_file is None:
        raise click.UsageError("give the text with --evidence, or a file that holds it with --evidence-file")
    from aver.collection.readers import read_prose

    return read_prose(evidence_file, rows="a file of pairs is read by `aver judge`, as JSON lines")


def _print(claim: str, evidence: str, found: Explanation) -> None:
    judgement = found.judgement
    assert judgement.label is not None
    colour = {"SUPPORTS": "green", "REFUTES": "red"}.get(judgement.label, "yellow")
    shares = ", ".join(f"{name} {share:.3f}" for name, share in judgement.probabilities.items())
    click.echo(click.style(judgement.label, fg=colour, bold=True) + f"  ({shares}; {judgement.model})")
    click.echo("claim:     " + _coloured(claim, found.claim, colour))
    click.echo("evidence:  " + _coloured(evidence, found.evidence, colour))
    # colours do not survive a pipe: the words are named as well
    click.echo(f"rationale: {', '.join(found.words) or '–'}  [{found.method}]")
    if found.reason:
        click.echo(f"note:      {found.reason}")
    if judgement.coverage < 1:
        click.echo(f"coverage:  {judgement.coverage:.3f} of the words were read")


def _coloured(text: str, words: tuple[RationaleWord, ...], colour: str) -> str:
    pieces, last = [], 0
    for word in words:
        if word.chosen:
            pieces += [text[last : word.start], click.style(word.text, fg=colour, bold=True, underline=True)]
            last = word.end
    # on one line: a text from a file has many, and a lone carriage return would write over what stands there
    return re.sub(r"\s*[\r\n\v\f\x85\u2028\u2029]\s*", " ", "".join([*pieces, text[last:]]).strip())
