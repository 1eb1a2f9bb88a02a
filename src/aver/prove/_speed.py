"""What it costs: pairs a second and memory, measured in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from aver.errors import InputError
from aver.prove._context import Context
from aver.prove._probe import measure
from aver.prove._report import Part, Table

__all__ = ["speed_part"]

LIMIT_S = 600


def speed_part(context: Context) -> Part:
    """Pairs a second on short and on long sources, the time to the first score, and the peak of memory."""
    subject = context.subject
    if subject.again:
        found, where = _alone(subject.again, dict(subject.options)), "in a fresh process"
    else:
        assert subject.raw is not None
        found, where = measure(lambda: subject.raw, subject.name), "in this process, which holds the data sets too"
    peak, before = found["peak_mb"], found["before_mb"]
    rows = (
        ("time to the first score", found["first_s"], "s", "imports and loading included" if subject.again else ""),
        ("short pairs", found["short_per_s"], "pairs/s", f"{found['short_n']} pairs, sources of some 55 words"),
        ("long pairs", found["long_per_s"], "pairs/s", f"{found['long_n']} pairs, 800 words and three sentences"),
        ("seconds a long pair", found["long_s"], "s", "one at a time"),
        ("peak memory", peak, "MB", "of the whole process"),
        ("of it before the metric", before, "MB", "Python and what it had loaded"),
    )
    memory = f", {peak:,.0f} MB at its peak" if peak is not None else ""
    return Part(
        "speed", "Speed and memory", "What does it cost?",
        finding=f"{found['short_per_s']:,.1f} short pairs a second, {found['long_s']:.3g} s for an article of 800 "
        f"words and a summary of three sentences{memory}.",
        figures={key: found[key] for key in ("short_per_s", "long_per_s", "long_s", "first_s", "peak_mb")},
        tables=(Table("Measured on this machine", ("what", "value", "unit", "how"), rows),),
        rule=f"Measured {where}, with pairs of the built-in sample, each set repeated for about two seconds after one "
        "that does not count; the machine may have been busy with other things.",
        n=found["short_n"] + found["long_n"], of=found["short_n"] + found["long_n"],
    )  # fmt: skip


def _alone(metric: str, options: dict[str, str]) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", "from aver.prove._probe import main; main()"],
        input=json.dumps({"metric": metric, "options": options}),
        capture_output=True, text=True, timeout=LIMIT_S, check=False,
    )  # fmt: skip
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:] or ["nothing was said"]
        raise InputError(f"the metric could not be measured in a process of its own: {last[0]}")
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found
