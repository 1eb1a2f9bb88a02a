"""The `aver` command. Each verb is a file here, imported only when it is used, so that help answers at once."""

from __future__ import annotations

from aver.cli._main import main

__all__ = ["main"]
