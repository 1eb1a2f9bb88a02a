"""A group of commands whose modules are imported only when called."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click

__all__ = ["LazyGroup", "ReaderGone"]


class ReaderGone(Exception):
    """Nobody reads our output any more. (A BrokenPipeError click would end with 1, which here means a bad answer.)"""


class LazyGroup(click.Group):
    """Takes `verbs`: name -> (module that defines `command`, the line shown in help).

    Help lists the lines without importing anything; a test holds each equal to the command's own first line.
    """

    def __init__(self, *args: Any, verbs: Mapping[str, tuple[str, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        self.verbs = verbs

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*self.verbs, *self.commands})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.verbs:
            return super().get_command(ctx, cmd_name)
        command = importlib.import_module(self.verbs[cmd_name][0]).command
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise ReaderGone from error
        except SystemExit as ended:  # what rich makes of it, whose tables we print
            if isinstance(ended.__context__, BrokenPipeError):
                raise ReaderGone from ended
            raise

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        lines = {name: line for name, (_, line) in self.verbs.items()}
        lines |= {name: command.get_short_help_str(90) for name, command in self.commands.items()}
        with formatter.section("Commands"):
            formatter.write_dl(sorted(lines.items()))
