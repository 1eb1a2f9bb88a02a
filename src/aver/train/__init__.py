"""The recipes that made the shipped models, for others to run again."""

from __future__ import annotations

__all__: list[str] = []
