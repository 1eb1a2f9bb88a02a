"""`aver check`: a shell over `aver.check`, `aver.verify.check_text` and, for a file of claims, a stream of both."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from aver.cli._judge import judge_options, options_of
from aver.cli._output import Finite, json_option, model_option, print_json, progress
from aver.errors import InputError

if TYPE_CHECKING:
    from aver.models import Judge
    from aver.verify import Settings

__all__ = ["command", "refuse_file", "settings_of"]


@click.command("check")
@click.argument("claim", required=False)
@click.option("--in", "collection", metavar="COLLECTION", help="The collection to look in: a name or a path.")
@click.option("--evidence", metavar="TEXT", help="A text to look in instead.")
@click.option("--evidence-file", metavar="FILE", help="A file to look in, HTML and PDF too; - is standard input.")
@click.option("--text", metavar="FILE", help="Check every claim of this text; - is standard input.")
@click.option("--claims", metavar="FILE.jsonl", help="Check a file of claims; writes FEVER's prediction format.")
@click.option("--output", type=click.Path(dir_okay=False), help="With --claims: write there; run again to go on.")
@model_option()
@click.option("--ranker", metavar="MODEL", help="Who orders the sentences for --model.  [default: fast for aver's own]")
@judge_options
@click.option("--documents", type=click.IntRange(1), help="How many documents are looked into.  [default: 10]")
@click.option("--sentences", type=click.IntRange(1), help="How many of their sentences are read.  [default: 30]")
@click.option(
    "--dispute",
    type=Finite(0, 1),
    help="How likely both sides must be for DISPUTED.  [default: 0.5; with --in as fitted]",
)
@click.option("--abstain", type=Finite(0, 1), help="Below this confidence it abstains.  [default: 0.5]")
@click.option("--no-figures", is_flag=True, help="Do not compare numbers and dates by rule.")
@click.option(
    "--strict", "--exit-code", "strict", is_flag=True, help="Exit with 1 unless there are claims and all are supported."
)
@json_option
def command(
    claim: str | None, collection: str | None, evidence: str | None, evidence_file: str | None, text: str | None,
    claims: str | None, output: str | None, model: str, ranker: str | None, threads: int | None, labels: str | None,
    base_url: str | None, prices: tuple[float, float] | None, timeout: float | None, documents: int | None,
    sentences: int | None, dispute: float | None, abstain: float | None, no_figures: bool, strict: bool, as_json: bool,
) -> None:  # fmt: skip
    """What a collection or a text says about a claim, with the sentences that decide.

    \b
    aver check "The bridge opened in 1931." --in archive
    aver check "The bridge opened in 1931." --evidence "It opened to traffic in May 1932."
    aver check --text article.txt --in archive
    aver check --claims claims.jsonl --in archive --output predictions.jsonl

    The label is SUPPORTS, REFUTES, NOT ENOUGH INFO, or DISPUTED where sentences surely say both. Deciding words stand
    in brackets. What --claims writes can be scored with `aver score fever` as it is; each input line needs `claim`,
    and `id` where it is to be scored. A line that cannot be taken gets the status `error`, and the others are checked.

    Exit codes: 0 done; 2 wrong input, a line of --claims among others. With --strict 1 unless everything checked is
    supported: a verdict that is abstained, a quotation that is altered and a contradiction in the text count as not
    supported, and so does a text without any claim, an empty one for instance.
    """
    from aver.collection.readers import read_prose
    from aver.verify import Settings

    _one_of("what to check", {"CLAIM": claim, "--text": text, "--claims": claims})
    _one_of("where to look", {"--in": collection, "--evidence": evidence, "--evidence-file": evidence_file})
    if claim is not None:
        refuse_file(claim, f"to check the claims in it: --text {claim} or, where they are JSON lines, --claims {claim}")
    if output is not None and claims is None:
        raise click.UsageError("--output goes with --claims")
    if text == "-" and evidence_file == "-":
        raise click.UsageError("--text and --evidence-file cannot both read standard input")
    settings = settings_of(
        Settings(figures=not no_figures), documents=documents, sentences=sentences, dispute=dispute, abstain=abstain
    )
    name = "evidence"
    if evidence_file is not None:
        evidence = read_prose(evidence_file, rows="make a collection of it with `aver collection add`, and give --in")
        name = Path(evidence_file).name if evidence_file != "-" else "standard input"
    if evidence is not None and not any(c.isalnum() for c in evidence):
        without = "is empty" if not evidence.strip() else "has no words"
        raise InputError(f"{'the evidence' if evidence_file is None else name} {without}: there is nothing to look in")
    judge, first = _judges(model, ranker, threads, labels, base_url, prices=prices, timeout=timeout)
    try:
        if claims is not None:
            from aver.cli._check_claims import check_claims

            good = check_claims(claims, collection, evidence, name, judge, first, settings, output)
        elif text is not None:
            said = read_prose(text, rows="a file of claims goes with --claims, as JSON lines")
            good = _check_text(said, collection, evidence, name, judge, first, settings, as_json)
        else:
            good = _check_one(claim or "", collection, evidence, name, judge, first, settings, as_json)
    finally:
        # also where it broke off: what was asked is paid for
        _tell_spent(judge, first, priced=prices is not None)
    if strict and not good:
        raise click.exceptions.Exit(1)


def _judges(
    model: str, ranker: str | None, threads: int | None, labels: str | None, base_url: str | None, **llm: Any
) -> tuple[Any, Any]:
    """The judge and the ranker, loaded where more is said of them than their names, or where their tokens are counted;
    else the names as they are: a model is loaded once there is something to read.

    `labels` are those of the first that is an hf: model. What is for language models is told to each that is one.
    Where none is what an option is for, the model is told, and refuses it.
    """
    names = [model] if ranker is None or ranker == model else [model, ranker]
    asked = [name for name in names if name.startswith("llm:")]
    if not asked and all(given is None for given in (threads, labels, base_url, *llm.values())):
        return model, ranker
    from aver.models import load_judge

    labelled = next((name for name in names if name.startswith("hf:")), model)
    loaded: dict[str | None, Judge | None] = {None: None}
    for name in names:
        told = {"base_url": base_url, **llm} if name in (asked or [model]) else {"base_url": None}
        options = options_of(name, labels if name == labelled else None, **told)
        loaded[name] = load_judge(name, threads=threads, **options)
    return loaded[model], loaded[ranker]


def _tell_spent(*judges: Any, priced: bool) -> None:
    """What the requests of language models came to, on standard error."""
    from aver.cli._judge_tally import spent
    from aver.models import LLMJudge

    for judge in dict.fromkeys(judges):
        if isinstance(judge, LLMJudge) and judge.usage.requests:
            click.echo(f"{judge.name}: {spent(judge.usage, priced)}", err=True)


def _check_one(
    claim: str, collection: str | None, evidence: str | None, name: str, model: str | Judge,
    ranker: str | Judge | None, settings: Settings, as_json: bool,
) -> bool:  # fmt: skip
    from aver.cli._check_report import print_verdict
    from aver.verify import check

    verdict = check(
        claim, collection=collection, evidence=evidence, model=model, ranker=ranker, settings=settings, name=name
    )
    if verdict.status == "error":
        raise InputError(f"nothing could be judged: {verdict.notes[0]}")
    if as_json:
        print_json(verdict.as_dict())
    else:
        print_verdict(verdict)
    return verdict.vouched


def _check_text(
    text: str, collection: str | None, evidence: str | None, name: str, model: str | Judge,
    ranker: str | Judge | None, settings: Settings, as_json: bool,
) -> bool:  # fmt: skip
    from aver.cli._check_report import print_text_check
    from aver.verify import check_text

    with progress("checking") as advance:
        found = check_text(
            text, collection=collection, evidence=evidence, model=model, ranker=ranker, settings=settings, name=name,
            progress=advance,
        )  # fmt: skip
    if as_json:
        print_json(found.as_dict())
    else:
        print_text_check(found)
    verdicts = [c.verdict for c in found.claims if c.verdict is not None]
    supported = bool(verdicts) and all(verdict.vouched for verdict in verdicts)
    return supported and not found.contradictions


def settings_of(settings: Settings, **given: Any) -> Settings:
    """Settings with what the command line says of them; where fewer sentences are read than are kept, all are kept."""
    given = {name: value for name, value in given.items() if value is not None}
    kept = min(given.get("sentences", settings.sentences), settings.evidence)
    return dataclasses.replace(settings, **given, evidence=kept)


def refuse_file(claim: str, remedy: str) -> None:
    """Raises an InputError where a claim is the name of a file."""
    try:
        names_file = " " not in claim.strip() and Path(claim).is_file()
    except (OSError, ValueError):  # too long for a name, or with what no name may have
        return
    if names_file:
        raise InputError(f"{claim!r} is a file; {remedy}")


def _one_of(what: str, given: dict[str, str | None]) -> None:
    named = [name for name, value in given.items() if value is not None]
    if len(named) != 1:
        seen = f"; got {' and '.join(named)}" if named else ""
        raise click.UsageError(f"say {what}: one of {', '.join(given)}{seen}")
