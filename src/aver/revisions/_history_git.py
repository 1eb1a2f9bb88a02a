"""The history of the text files of a git repository, through the `git` command.

A file is a page, a commit that changes it a revision. Only the first parents are followed, so that a file's revisions
stand in one line; what a branch brought comes with its merge. Held in memory: a few words a change, and one file.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, NamedTuple

from aver.errors import InputError
from aver.revisions._history import Markup, PageRevision, Skipped

__all__ = ["read_git"]

_MARKUP: dict[str, Markup] = {
    ".md": "markdown", ".markdown": "markdown", ".mkd": "markdown", ".txt": "plain", ".text": "plain", ".rst": "plain",
    ".adoc": "plain", ".org": "plain", ".tex": "plain", ".wiki": "wikitext", ".mediawiki": "wikitext",
}  # fmt: skip
_LARGEST = 8_000_000
# A repository may come from anywhere: its configuration must start nothing, and nothing may be fetched.
_OPTIONS = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "log.showSignature=false")


class _Change(NamedTuple):
    commit: int
    blob: str


class _Commit(NamedTuple):
    id: str
    timestamp: str
    subject: str


def read_git(path: Path) -> Iterator[PageRevision | Skipped]:
    """The revisions of every text file (.md, .txt, .rst, .adoc, .org, .tex, .wiki), file by file."""
    if shutil.which("git") is None:
        raise InputError(f"{path}: is a git repository, and the command git is not installed")
    commits: list[_Commit] = []
    files: dict[str, list[_Change | None]] = defaultdict(list)
    for commit, changes in _log(path):
        commits.append(commit)
        for name, blob in changes:
            files[name].append(None if blob is None else _Change(len(commits) - 1, blob))
    with _blobs(path) as read:
        for name in sorted(files):
            markup = _MARKUP[Path(name).suffix.lower()]
            for change in files[name]:
                if change is None:
                    continue  # deleted; what comes after it is compared with what was before
                commit = commits[change.commit]
                text = read(change.blob)
                if isinstance(text, str):
                    yield PageRevision(name, commit.id, commit.timestamp, commit.subject, text, markup)
                else:
                    yield Skipped(name, commit.id, text[0])


def _log(path: Path) -> Iterator[tuple[_Commit, list[tuple[str, str | None]]]]:
    """Each commit, oldest first, with the files it changed and their new contents' names (None: deleted)."""
    command = [
        "log", "--first-parent", "-m", "--reverse", "--raw", "--no-renames", "--no-abbrev", "--no-color", "-z",
        "--format=%x01%H%x02%ct%x02%s%x02", "--", *(f":(icase)*{suffix}" for suffix in _MARKUP),
    ]  # fmt: skip
    with _git(path, command) as output:
        # records: \x01hash\x02time\x02subject\x02, then \0-separated ":modes blobs status" and path
        commit: _Commit | None = None
        changes: list[tuple[str, str | None]] = []
        blob: str | None = None
        expecting = False
        for field in _fields(output):
            text = field.decode("utf-8", "surrogateescape").lstrip("\n")
            if text.startswith("\x01"):
                if commit is not None:
                    yield commit, changes
                identity, seconds, subject, *_ = text[1:].split("\x02")
                when = datetime.fromtimestamp(int(seconds), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
                commit, changes = _Commit(identity, when, subject), []
                text = text.rpartition("\x02")[2].lstrip("\n")
            if text.startswith(":"):
                _, _, _, after, status = text.split(" ")
                blob, expecting = (None if status.startswith("D") else after), True
            elif expecting:
                expecting = False
                changes.append((text.encode("utf-8", "replace").decode(), blob))
        if commit is not None:
            yield commit, changes


def _fields(output: IO[bytes]) -> Iterator[bytes]:
    rest = b""
    while chunk := output.read(1 << 16):
        *whole, rest = (rest + chunk).split(b"\0")
        yield from whole
    if rest:
        yield rest


@contextlib.contextmanager
def _git(path: Path, words: list[str]) -> Iterator[IO[bytes]]:
    environment = os.environ | {
        "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C",
    }  # fmt: skip
    with subprocess.Popen(
        ["git", "-C", str(path), *_OPTIONS, *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.PIPE, env=environment,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.close()
        try:
            yield process.stdout
        except GeneratorExit:
            process.kill()
            raise
        said = process.stderr.read().decode(errors="replace").strip()
        if process.wait() != 0:
            if "does not have any commits" in said:
                raise InputError(f"{path}: has no commits yet")
            raise InputError(f"{path}: git cannot read it: {said or f'exit code {process.returncode}'}")


@contextlib.contextmanager
def _blobs(path: Path) -> Iterator[_Reader]:
    environment = os.environ | {"GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
    with subprocess.Popen(
        ["git", "-C", str(path), *_OPTIONS, "cat-file", "--batch"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment,
    ) as process:  # fmt: skip
        try:
            yield _Reader(path, process)
        finally:
            process.kill()


class _Reader:
    """Contents by their names, from one `git cat-file --batch`."""

    def __init__(self, path: Path, process: subprocess.Popen[bytes]) -> None:
        self._path = path
        assert process.stdin is not None
        assert process.stdout is not None
        self._in, self._out = process.stdin, process.stdout

    def __call__(self, blob: str) -> str | tuple[str]:
        """The text, or why there is none."""
        try:
            self._in.write(blob.encode() + b"\n")
            self._in.flush()
            head = self._out.readline().split()
        except OSError as error:
            raise InputError(f"{self._path}: git stopped while its history was read") from error
        if not head:
            raise InputError(f"{self._path}: git stopped while its history was read")
        if len(head) != 3 or head[1] != b"blob":
            if head[-1:] != [b"missing"] and len(head) == 3:
                self._pass(int(head[2]) + 1)
            return ("not in the repository",)
        size = int(head[2])
        if size > _LARGEST:
            self._pass(size + 1)
            return (f"longer than {_LARGEST:,} bytes",)
        data = self._out.read(size + 1)[:size]
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            return ("not UTF-8",)
        return ("no text",) if "\0" in text else text.replace("\r\n", "\n").replace("\r", "\n")

    def _pass(self, size: int) -> None:
        while size > 0 and (read := self._out.read(min(size, 1 << 20))):
            size -= len(read)
