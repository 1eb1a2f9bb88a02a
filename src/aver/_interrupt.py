"""Ctrl-C while the command is still being imported ends it with one line, as it does later on.

Python would answer with a traceback through whatever is being imported. Only the command is guarded: a program that
imports aver keeps its own answer. The guard stands as soon as this module is imported, which therefore imports hardly
anything; what comes before is Python's own start.
"""

from __future__ import annotations

import os
import signal
import sys

__all__ = ["is_command", "unguard"]


def is_command(words: list[str]) -> bool:
    """Whether what the interpreter was started with is the command, by its script or by `-m`.

    >>> is_command(["python", "/usr/bin/aver", "demo"]), is_command(["python", "-m", "aver", "demo"])
    (True, True)
    >>> is_command(["python", "study.py", "aver"]), is_command(["python", "-m", "pytest", "aver"])
    (False, False)
    >>> is_command(["python"])
    False
    """
    script = os.path.basename(words[1]) if len(words) > 1 else ""  # noqa: PTH119  (pathlib takes time to import)
    return words[1:3] == ["-m", "aver"] or script.lower() in ("aver", "aver.exe", "aver-script.py")


def unguard() -> None:
    """Ctrl-C raises a KeyboardInterrupt again, so that what is open by then can be closed."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(*_: object) -> None:
    # nothing is open yet, and an exception would be in the hands of whatever is being imported
    try:
        os.write(2, b"aver: interrupted\n")
    finally:
        os._exit(130)


# whoever ignores it (nohup, a shell's background) has a reason to
if is_command(sys.orig_argv) and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, _end)
