"""`aver models show`."""

from __future__ import annotations

from pathlib import Path

import click

from aver.cli._output import json_option, print_json, print_table

__all__ = ["command"]


@click.command("show")
@click.argument("name", metavar="NAME|FOLDER")
@click.option("--markdown", "as_markdown", is_flag=True, help="Write the card as Markdown.")
@json_option
def command(name: str, as_markdown: bool, as_json: bool) -> None:
    """A model's card: data, scores, size, speed, licence and limits."""
    from aver.errors import ModelError
    from aver.models import card_markdown, card_rows, installed, open_folder

    models = installed(kind=None)
    if name not in models and not Path(name).exists():
        raise ModelError(f"there is no model {name!r}; installed: {', '.join(models) or 'none'}; or name a folder")
    folder = models.get(name) or open_folder(Path(name))
    if as_json:
        print_json(dict(folder.card) | {"size_bytes": folder.size})
    elif as_markdown:
        click.echo(card_markdown(folder), nl=False)
    else:
        print_table(["what", "value"], card_rows(folder), title=folder.name)
