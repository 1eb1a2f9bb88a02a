"""`aver watch run`: a shell over `aver.Watch.run`."""

from __future__ import annotations

import click

from aver.cli._output import Finite, json_option, model_option, print_json
from aver.cli._watch_report import bar, print_failures, print_run

__all__ = ["command"]


@click.command("run")
@click.option("--in", "collection", metavar="COLLECTION", required=True, help="The collection: a name or a path.")
@click.option("--all", "everything", is_flag=True, help="Verify every claim, not only those an edit may concern.")
@model_option("With --all: this model takes over.", default=None)
@click.option(
    "--feed", metavar="FILE", type=click.Path(dir_okay=False), help="Write an Atom feed of all changes there."
)
@click.option(
    "--webhook", "webhooks", metavar="URL", multiple=True, help="Post what changed there as JSON; repeatable."
)
@click.option("--timeout", type=Finite(0.1), default=10.0, show_default=True, help="Of a POST, in seconds.")
@click.option("--strict", is_flag=True, help="Exit with 1 also where only evidence changed.")
@json_option
def command(
    collection: str, everything: bool, model: str | None, feed: str | None, webhooks: tuple[str, ...], timeout: float,
    strict: bool, as_json: bool,
) -> None:  # fmt: skip
    """Verify again what the latest edits may concern, and report what changed.

    Run it after `aver collection add`, `update` or `remove`. Claims are verified again where a page they looked into
    changed or went, or where a new or changed page may now be one of those. Of each verdict that flipped, became
    disputed, or lost a sentence it rested on, the edit is shown: page, sentence before and after, revision. Run twice,
    it finds nothing the second time. Stopped at any moment, the next run goes on and loses nothing.

    A POST that fails is kept, and tried again by the next run with the same --webhook.

    \b
    aver collection update archive && aver watch run --in archive
    aver watch run --in archive --feed archive.atom --webhook https://example.org/hook --json

    Exit codes: 0 no verdict flipped; 1 some did (with --strict: or lost evidence); 2 an error: a claim could not be
    verified, a POST was not delivered, or wrong input.
    """
    from aver.revisions.watch import RunReport, Watch

    def tell(report: RunReport) -> None:
        if as_json:
            print_json(report.as_dict())
        else:
            print_run(report)

    with Watch(collection) as watch:
        with bar("verifying") as progress:
            report = watch.run(
                everything=everything, model=model, feed=feed, webhooks=webhooks, timeout=timeout, tell=tell,
                progress=progress,
            )  # fmt: skip
        print_failures(report.failures)
        lost = [delivery for delivery in watch.deliveries if not delivery.delivered]
        for delivery in lost:
            click.echo(f"aver: {delivery.url}: not delivered ({delivery.answer}); kept for the next run", err=True)
    code = report.exit_code or int(strict and bool(report.events))
    if lost or code:
        raise click.exceptions.Exit(2 if lost else code)
