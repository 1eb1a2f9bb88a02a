"""Writes the pages that are made from the software itself: `docs/commands.md` and `docs/measures/`.

    python docs/generate.py            write them
    python docs/generate.py --check    say which are out of date; exit with 1 if any is

The commands' page is made from their help, a measure's page from its card. A test runs the check.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from aver import measures
from aver._cards import card_page, variants
from aver.cli._main import app

DOCS = Path(__file__).resolve().parent
MADE = "<!-- made by docs/generate.py; edit the software, not this page -->\n\n"


def pages() -> dict[Path, str]:
    """Every generated page, by its place under `docs/`."""
    made = {Path("commands.md"): MADE + commands_page()}
    kinds = sorted(measures(), key=lambda kind: kind.name.casefold())
    for kind in kinds:
        made[Path("measures", f"{kind.name.lower()}.md")] = MADE + card_page(kind())
    rows = ["| measure | what it is | better | main figure |", "|---|---|---|---|"]
    for kind in kinds:
        names = ", ".join(f"`{measure}`" for measure in variants(kind))
        link = f"[{kind.card.title}]({kind.name.lower()}.md)"
        rows.append(f"| {names} | {link} | {kind.card.direction} | `{next(iter(kind.card.values))}` |")
    head = (
        "# Measures\n\nA measure's name means the same in Python (`aver.measure(NAME)`), on the command line, in JSON "
        "and in tables. `aver score --list` prints this list, `aver score --card NAME` a measure's page.\n\n"
    )
    made[Path("measures", "README.md")] = MADE + head + "\n".join(rows) + "\n"
    return made


def commands_page() -> str:
    """The help of every command, in the order of `aver --help`."""
    parts = ["# Commands\n\nEvery command answers `--help`; those that print a table print JSON with `--json`.\n"]
    for name, command, context in walk(app, None, "aver"):
        parts.append(f"## {name}\n\n```text\n{command.get_help(context).rstrip()}\n```\n")
    return "\n".join(parts)


def walk(
    command: click.Command, parent: click.Context | None, name: str
) -> Iterator[tuple[str, click.Command, click.Context]]:
    """A command and all below it, with full names."""
    word = name.rsplit(" ", 1)[-1]
    # one width, whatever the terminal: the page must not depend on who makes it
    context = click.Context(
        command,
        parent=parent,
        info_name=word,
        terminal_width=100,
        max_content_width=100,
        help_option_names=["-h", "--help"],
    )
    yield name, command, context
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            found = command.get_command(context, below)
            if found is not None and not found.hidden:
                yield from walk(found, context, f"{name} {below}")


def stale(made: dict[Path, str]) -> list[str]:
    """Which pages differ from what would be written, are missing, or have outlived their measure."""
    wrong = [str(path) for path, text in made.items() if not _same(DOCS / path, text)]
    left = [p.relative_to(DOCS) for p in sorted((DOCS / "measures").glob("*.md"))]
    return wrong + [str(path) for path in left if path not in made]


def _same(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


def main() -> None:
    made = pages()
    wrong = stale(made)
    if "--check" in sys.argv[1:]:
        for name in wrong:
            print(f"docs/{name} is out of date: run `make docs`")
        sys.exit(1 if wrong else 0)
    for path in (DOCS / "measures").glob("*.md"):
        if path.relative_to(DOCS) not in made:
            path.unlink()
    for path, text in made.items():
        (DOCS / path).parent.mkdir(parents=True, exist_ok=True)
        (DOCS / path).write_text(text, encoding="utf-8")
    print(f"{len(made)} pages, {len(wrong)} of them new or changed")


if __name__ == "__main__":
    main()
