"""`aver judge`: claim and evidence pairs in, labels and probabilities out, as a stream."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import Any

import click

from aver.cli._output import Finite, json_option, model_option, progress
from aver.cli._resume import count_lines, name_every_fault, open_to_append, refuse_input, refuse_table, resumed_from
from aver.errors import InputError, count_of
from aver.lossless import as_line
from aver.records import is_stream, place_name

__all__ = ["command", "judge_options", "options_of"]

SMALLEST, LARGEST, ASKED = 16, 1024, 256
LONGEST = 86_400


def judge_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Adds what `load_judge` can be told beside a name: --threads, --labels, --base-url, --prices and --timeout."""
    options = (
        click.option(
            "--threads", type=click.IntRange(1), help="How many compute at once.  [default: AVER_THREADS, else all]"
        ),
        click.option("--labels", help="What an hf: model's labels mean, in its order: SUPPORTS,NEI,REFUTES."),
        click.option(
            "--base-url", help="The endpoint of llm: models; its key is in AVER_LLM_KEY.  [default: AVER_LLM_URL]"
        ),
        click.option("--prices", type=Finite(0), nargs=2, metavar="IN OUT", help="What a million llm: tokens cost."),
        # no default of click's: whether it was given has to be seen
        click.option(
            "--timeout", type=Finite(0, LONGEST, min_open=True),
            help="Seconds to wait for an llm: answer.  [default: 60]",
        ),
    )  # fmt: skip
    for option in reversed(options):
        function = option(function)
    return function


@click.command("judge")
@click.argument("pairs", metavar="PAIRS.jsonl")
@model_option()
@judge_options
@click.option("--output", type=click.Path(dir_okay=False), help="Append JSON lines to this file; run again to go on.")
@click.option("--retry-errors", is_flag=True, help="With --output: judge again what ended there as an error.")
@click.option("--batch-tokens", type=click.IntRange(1), default=1024, help="Tokens computed at once in each thread.")
@json_option
def command(
    pairs: str, model: str, threads: int | None, labels: str | None, base_url: str | None,
    prices: tuple[float, float] | None, timeout: float | None, output: str | None, retry_errors: bool,
    batch_tokens: int, as_json: bool,
) -> None:  # fmt: skip
    """What each evidence says about its claim, for a file of pairs.

    PAIRS.jsonl has one JSON object a line with `claim` and `evidence` (a text, or a list of texts that are joined);
    - reads standard input. Each output line keeps the fields of its input and adds label, probabilities, coverage,
    status, model, relevance, windows and conflict. Where the input has a label, it is kept as gold_label, and the
    accuracy is printed at the end; other fields of these names are kept under `input`. The label of a row that aver
    wrote is its answer, and is not taken for a gold label.

    With --output the work can be stopped at any time: the same command goes on behind the last whole line, and with
    --retry-errors it first judges again what ended as an error. Rows that are done must be as they were, their ids and
    labels too. It can also be a pipe, or - for standard output: there nothing is gone on with.

    Where lines are no JSON objects, the pairs before the first of them are judged, and all of them are named (of
    standard input the first).

    Exit codes: 0 every pair is judged, or abstained from; 2 some could not be judged, or wrong input.
    Pairs without a verdict are named on standard error with their lines.
    """
    from aver.cli._judge_pairs import Pairs, answered, judge_rows
    from aver.cli._judge_resume import pass_over, try_again
    from aver.cli._judge_tally import Tally
    from aver.models import LLMJudge, load_judge

    if retry_errors and output is None:
        raise click.UsageError("--retry-errors goes with --output")
    if retry_errors and output is not None and is_stream(output):
        raise click.UsageError(f"--retry-errors needs a file to read again, and {output} is none")
    refuse_input(output, pairs)
    refuse_table(pairs, '{"claim": "…", "evidence": "…"}')
    options = options_of(model, labels, base_url, timeout=timeout, prices=prices)
    judge = load_judge(model, threads=threads, **options)
    rows, tally = Pairs(pairs), Tally()
    with contextlib.ExitStack() as stack, progress("judging", count_lines(pairs)) as advance:
        file = stack.enter_context(open_to_append(output))
        if (there := resumed_from(output)) is not None:
            again = pass_over(there, rows, judge.model, tally, retry=retry_errors)
            advance(tally.resumed)
            if again:
                try_again(there, again, judge, tally, advance, batch_tokens)
                # what was open is the file that was replaced
                stack.close()
                file = stack.enter_context(open_to_append(output))
        # The first lines should come soon, later ones in chunks of about a second; the answers do not depend on it. A
        # language model answers one by one, and a pair that has to be asked again must not keep the next chunk waiting;
        # nor should more answers wait to be written than one can lose.
        alone = isinstance(judge, LLMJudge)
        size = ASKED if alone else SMALLEST
        while chunk := rows.take(size):
            start = time.perf_counter()
            found = judge_rows(judge, chunk, batch_tokens=batch_tokens)
            for record, judgement in zip(chunk, found, strict=True):
                line = answered(record.fields, judgement)
                tally.add(line, record)
                if file is not None:
                    file.write(as_line(line))
                else:
                    click.echo(as_line(line).decode() if as_json else _readable(line), nl=not as_json)
                advance(1)
            seconds = time.perf_counter() - start
            if not alone:
                size = min(size * 2, LARGEST) if seconds < 0.5 else max(size // 2, SMALLEST) if seconds > 2 else size
    if tally.statuses:
        usage = judge.usage if isinstance(judge, LLMJudge) else None
        click.echo(tally.summary(usage, priced=prices is not None), err=True)
    if rows.broken is not None:
        name_every_fault(pairs, "the pairs before its first fault were judged")
        raise rows.broken
    if not tally.statuses:
        raise InputError(f"{place_name(pairs)}: holds no pairs; each line is an object with `claim` and `evidence`")
    if failed := tally.statuses["error"]:
        remedy = "; --retry-errors has them judged again" if output is not None else ""
        named = count_of(failed, "pair, named above,", "pairs, named above,")
        raise InputError(f"{named} could not be judged{remedy}")


def options_of(model: str, labels: str | None, base_url: str | None, **llm: Any) -> dict[str, Any]:
    """What `load_judge` is told, from what the command line says; an InputError where a model that is no language model
    is told what only those can be told: `base_url` and `llm`."""
    options = {name: value for name, value in {"base_url": base_url, **llm}.items() if value is not None}
    if options and not model.startswith("llm:"):
        named = ", ".join(f"--{name.replace('_', '-')}" for name in options)
        whose = f"{'it is' if len(options) == 1 else 'they are'} for llm: models"
        raise InputError(f"{model!r} takes no option {named}; {whose}")
    if labels is not None:
        options["labels"] = [label.strip() for label in labels.split(",")]
    return options


def _readable(line: dict[str, Any]) -> str:
    label = line["label"] or line["status"]
    sure = f"{line['probabilities'][label]:.3f}" if line["label"] else "  –  "
    claim = " ".join(str(line.get("claim") or "").split())
    if not claim and line.get("id") is not None:
        claim = f"(id {line['id']})"
    note = f"  [{line['reason']}]" if line.get("reason") else ""
    return f"{label:<16} {sure}  {claim if len(claim) <= 90 else claim[:89] + '…'}{note}"
