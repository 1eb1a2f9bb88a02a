"""What runs in a process of its own: loads one metric, times it, looks at its memory, and prints both."""

from __future__ import annotations

import itertools
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from aver.prove._sample import sample_rows, sample_topics
from aver.prove._scorer import checked
from aver.prove._subject import Raw, open_subject

__all__ = ["main", "measure"]

SECONDS = 2.0
"""How long each set is repeated."""


def measure(opened: Callable[[], Raw | None], name: str) -> dict[str, Any]:
    """Times a metric on short and on long pairs; `opened` loads it."""
    before = _memory()
    start = time.perf_counter()
    raw = opened()
    assert raw is not None
    rows = sample_rows()
    short = [(row.text, row.source) for row in rows]
    checked(raw, [short[0][0]], [short[0][1]], ["the first pair"], name=name)
    first = time.perf_counter() - start
    topics = sample_topics()
    article = " ".join(topic.passage for topic in (*topics, *(topic for topic in topics[:6])))
    article = " ".join(article.split()[:800])
    summaries = [f"{one.first} {one.either} {other.second}" for one, other in itertools.pairwise(topics)]
    # sources that differ, so that a metric which keeps what it has read is not flattered
    long = [(summary, f"Part {i}. {article}") for i, summary in enumerate(summaries[:8])]
    short_n, short_s = _timed(raw, short, name)
    single_n, single_s = _timed(raw, long, name, batch=1)
    long_n, long_s = _timed(raw, long, name)
    return {
        "first_s": first,
        "short_n": short_n,
        "short_per_s": short_n / short_s,
        "long_n": long_n,
        "long_per_s": long_n / long_s,
        "long_s": single_s / single_n,
        "peak_mb": _peak(),
        "before_mb": before,
    }


def _timed(raw: Raw, pairs: list[tuple[str, str]], name: str, batch: int | None = None) -> tuple[int, float]:
    """Pairs done and the seconds they took, after one batch that does not count."""
    size = batch or len(pairs)
    done, at = 0, 0
    texts, sources = ([pair[side] for pair in pairs] for side in (0, 1))
    checked(raw, texts[:size], sources[:size], [name] * min(size, len(pairs)), name=name)
    start = time.perf_counter()
    while True:
        part = slice(at, at + size)
        checked(raw, texts[part], sources[part], [name] * len(texts[part]), name=name)
        done += len(texts[part])
        at = (at + size) % len(pairs)
        if (seconds := time.perf_counter() - start) >= SECONDS:
            return done, seconds


def _memory() -> float | None:
    """The resident memory now, in MB; None where the system does not tell."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        import resource

        return pages * resource.getpagesize() / 1e6
    except (OSError, ImportError, ValueError, IndexError):
        return None


def _peak() -> float | None:
    """The most memory this process ever held, in MB."""
    try:
        # not getrusage: on Linux its peak begins with that of the process this one was started from
        told = Path("/proc/self/status").read_text(encoding="utf-8")
        return next(int(line.split()[1]) * 1024 / 1e6 for line in told.splitlines() if line.startswith("VmHWM:"))
    except (OSError, StopIteration, ValueError):
        pass
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / 1e6 if sys.platform == "darwin" else peak * 1024 / 1e6  # macOS counts bytes, others kilobytes


def main() -> None:
    """Reads what to measure from standard input as JSON."""
    asked = json.loads(sys.stdin.read())
    found = measure(lambda: open_subject(asked["metric"], **asked["options"]).raw, asked["metric"])
    print(json.dumps(found))
