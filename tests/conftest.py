"""What every test may ask for: the data sets, the reference outputs, and the command run in process.

The data sets and the reference outputs are not part of the project. They are looked for in the folders that the
environment variables AVER_DATA and AVER_GOLDEN name, else in `../shared/data` and `../shared/golden` beside the
checkout; a test that needs them is skipped where they are absent, and says so.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import pytest
from hypothesis import settings

from aver.cli import main

# a busy machine is no fault: no example is held to a time
settings.register_profile("aver", deadline=None)
settings.load_profile("aver")

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of data sets."""
    return _folder("AVER_DATA", ROOT.parent / "shared" / "data")


@pytest.fixture(scope="session")
def golden() -> Path:
    """The folder of outputs that the reference implementations gave."""
    return _folder("AVER_GOLDEN", ROOT.parent / "shared" / "golden")


def _folder(variable: str, default: Path) -> Path:
    folder = Path(os.environ.get(variable, default))
    if not folder.is_dir():
        pytest.skip(f"needs the folder {folder}, which is not there; set {variable} to where it is")
    return folder


class Run(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output read as one JSON document."""
        return orjson.loads(self.out)

    @property
    def jsonl(self) -> list[Any]:
        """Standard output read as JSON lines."""
        return [orjson.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def run_cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Run]:
    """Runs `aver` in this process: `run_cli("score", "fever", path, path, "--json")`.

    `stdin` is what the command reads from standard input. Whatever the command raises, except the exit itself,
    reaches the test: a traceback is a failure.
    """

    def run(*arguments: object, stdin: str | bytes = "") -> Run:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"))
        capsys.readouterr()
        code = 0
        try:
            main([os.fspath(a) if isinstance(a, os.PathLike) else str(a) for a in arguments])
        except SystemExit as exit_:
            code = exit_.code if isinstance(exit_.code, int) else int(exit_.code is not None)
        out, err = capsys.readouterr()
        return Run(code, out, err)

    return run


@pytest.fixture
def write_jsonl(tmp_path: Path) -> Callable[..., Path]:
    """Writes rows into a file of the test's own folder: `write_jsonl("gold.jsonl", rows)`."""

    def write(name: str, rows: list[Any]) -> Path:
        path = tmp_path / name
        path.write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
        return path

    return write
