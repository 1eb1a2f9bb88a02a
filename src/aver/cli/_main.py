"""The command itself: the verbs, and what happens when one fails."""

from __future__ import annotations

import codecs
import errno
import io
import os
import shlex
import sys
from collections.abc import Sequence

import click

from aver import _interrupt
from aver.cli._lazy import LazyGroup, ReaderGone
from aver.errors import AverError, InputError

__all__ = ["VERBS", "app", "main"]

# verb -> (module that defines `command`, one line for `aver --help`; a test holds it equal to the command's own)
VERBS: dict[str, tuple[str, str]] = {
    "agree": ("aver.cli._agree", "How far voters agree, and what they decided."),
    "check": ("aver.cli._check", "What a collection or a text says about a claim, with the sentences that decide."),
    "collection": ("aver.cli._collection", "Make and keep collections of documents to verify claims against."),
    "consistency": ("aver.cli._consistency", "Is a text true to its source? A score, verdicts, the offending words."),
    "demo": ("aver.cli._demo", "Run the main jobs on built-in examples."),
    "diff": ("aver.cli._diff", "What changed between two versions of a text, and which edits change a fact."),
    "explain": ("aver.cli._explain", "The words of the evidence that decide a claim."),
    "extract": ("aver.cli._extract", "The claims an edit makes true, and those it makes no longer true."),
    "frank": ("aver.cli._frank", "How well metrics follow people: FRANK and any benchmark of its shape."),
    "judge": ("aver.cli._judge", "What each evidence says about its claim, for a file of pairs."),
    "mine": ("aver.cli._mine", "Find edited sentences in a history, and flag those that change a fact."),
    "models": ("aver.cli._models", "Which models there are, and their cards."),
    "prove": ("aver.cli._prove", "Whether a metric of factual consistency deserves trust, in one report."),
    "revise": ("aver.cli._revise", "The smallest edit that makes a sentence agree with a claim."),
    "score": ("aver.cli._score", "Score predictions with the field's own measures."),
    "search": ("aver.cli._search", "Find documents and sentences in a collection."),
    "synthesise": ("aver.cli._synthesise", "Make contrastive claim and evidence pairs from plain sentences."),
    "train": ("aver.cli._train", "Train a judge again: from data to card."),
    "watch": ("aver.cli._watch", "Keep verdicts true while the documents change: notice the edit, say what it flips."),
}


@click.group(
    cls=LazyGroup,
    verbs=VERBS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="aver", message="%(package)s %(version)s")
def app() -> None:
    """What a body of text says about a claim, the words that decide it, and the field's own measures.

    Exit codes: 0 done; 1 done, and the answer is the bad one you asked to be told of; 2 wrong input or usage.
    """


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the command and exits; an AverError becomes a message on standard error and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="aver")
    try:
        _interrupt.unguard()  # from here on a KeyboardInterrupt is answered below
        arguments = sys.argv[1:] if argv is None else list(argv)
        _refuse_undecodable(arguments)
        # Outside its standalone mode click returns the code of `ctx.exit(1)`; a verb's own answer is None.
        code = app.main(args=arguments, prog_name="aver", standalone_mode=False)
        click.echo(nl=False)  # what waits to be printed, while it can be told that it cannot
        sys.exit(code if isinstance(code, int) else 0)
    except AverError as error:
        click.echo(f"aver: {error}", err=True)
        sys.exit(2)
    except click.ClickException as error:
        error.show()
        if isinstance(error, click.NoSuchOption):
            _tell_of_dashes(error, arguments)
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("aver: interrupted", err=True)
        sys.exit(130)
    except (ReaderGone, BrokenPipeError):
        # the reader of our output went away (`aver … | head`): say nothing, and keep Python from saying it
        _drop_output()
        sys.exit(0)
    except OSError as error:
        if error.errno in _SHUT and error.filename is not None:
            shown = os.fsdecode(error.filename)
            shown = shown if len(shown) <= 200 else f"{shown[:199]}…"
            click.echo(f"aver: {shown}: {error.strerror}; name another, or make it readable", err=True)
            sys.exit(2)
        if error.errno not in _FULL:
            raise
        click.echo(f"aver: the output cannot be written: {error.strerror}; make room, and run it again", err=True)
        _drop_output()
        sys.exit(2)


_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_SHUT = (errno.EACCES, errno.EPERM, errno.ENAMETOOLONG)


def _drop_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _tell_of_dashes(error: click.NoSuchOption, arguments: Sequence[str]) -> None:
    """Says where a claim that begins with a dash has to stand, where one was taken for an option."""
    context = error.ctx
    if context is None or not any(isinstance(parameter, click.Argument) for parameter in context.command.params):
        return
    for argument in arguments:
        # a mistyped option is one word behind two dashes, maybe with a value
        word = argument.split("=")[0]
        if argument.startswith(error.option_name) and (not argument.startswith("--") or any(c.isspace() for c in word)):
            shown = argument if len(argument) <= 60 else f"{argument[:59]}…"
            click.echo(
                f"What begins with a dash and is no option stands last, behind --: {context.command_path} … -- "
                f"{shlex.quote(shown)}",
                err=True,
            )
            return


def _refuse_undecodable(arguments: Sequence[str]) -> None:
    # what is no text in the terminal's encoding comes as halves of surrogate pairs, which no verb can store or print
    for argument in arguments:
        shown = argument.encode(errors="backslashreplace").decode()
        if shown != argument:
            raise InputError(
                f"the argument '{shown}' is not in the terminal's encoding, which is UTF-8 as a rule; write it so, or "
                "rename the file"
            )


_PLAIN = str.maketrans("▮▯“”‘’–—−·•×", "#-\"\"''---**x") | {ord("…"): "...", ord("≠"): "!="}


def _written(error: UnicodeError) -> tuple[str, int]:
    """What stands for characters that the output's encoding lacks: an escape in JSON, elsewhere something plain."""
    import json

    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    if error.object.startswith(("{", "[")):
        return json.dumps(lacking)[1:-1], error.end
    return "".join(c if c.isascii() else "?" for c in lacking.translate(_PLAIN)), error.end


codecs.register_error("aver", _written)
