"""A model that is there and is taught on: from what, by whom, and how much of the old is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from aver.models._folder import ModelFolder, installed, open_folder

__all__ = ["Onwards"]


class Onwards:
    """A model that is there, and who teaches it on: a finished model, or newcomers where it has a share of them."""

    def __init__(self, start: str, teacher: str | None, keep: float | None, fresh: float | None) -> None:
        self.start, self.keep, self.fresh = _finished(start), keep, fresh
        self.teacher = None if fresh is not None else _finished(teacher or start)

    def choices(self) -> dict[str, Any]:
        """What a folder of files belongs to. Every key is always there, so that neither way takes the other's files."""
        return {
            "from": _called(self.start),
            "teacher": None if self.teacher is None else _called(self.teacher),
            "fresh": self.fresh,
        }

    @property
    def options(self) -> str:
        """As they are given to the command."""
        by = f"--fresh {self.fresh:g}" if self.teacher is None else f"--teacher {self.teacher.name}"
        return f"--from {self.start.name} {by}"


def _finished(spec: str) -> ModelFolder:
    models = installed()
    return models[spec] if spec in models else open_folder(Path(spec))


def _called(folder: ModelFolder) -> str:
    return f"{folder.name}@{str(folder.card.get('sha256', ''))[:12]}"
