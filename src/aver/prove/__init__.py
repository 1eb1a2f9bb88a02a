"""Does a metric deserve trust? One report: people, labels, contrasts, reading, calibration, repeats, edges, cost.

    aver.prove("rouge-l")                     the room itself can be called: the same as `aver.prove.prove`
    aver.prove("mymodule:score", limit=200)   any function of texts and sources
"""

from __future__ import annotations

import sys
import types
from typing import Any

from aver.prove._html import html, write_html
from aver.prove._markdown import markdown, written
from aver.prove._prove import PARTS, QUICK, prove
from aver.prove._report import Chart, Part, Report, Table
from aver.prove._sample import SampleRow, sample_rows
from aver.prove._stored import headline, slug, stored_figures, stored_names, trust_section
from aver.prove._subject import Subject, open_subject

__all__ = [
    "PARTS",
    "QUICK",
    "Chart",
    "Part",
    "Report",
    "SampleRow",
    "Subject",
    "Table",
    "headline",
    "html",
    "markdown",
    "open_subject",
    "prove",
    "sample_rows",
    "slug",
    "stored_figures",
    "stored_names",
    "trust_section",
    "write_html",
    "written",
]


class _Room(types.ModuleType):
    """`aver.prove` names the room and the one thing that is done in it."""

    def __call__(self, metric: object, **options: Any) -> Report:
        return prove(metric, **options)


sys.modules[__name__].__class__ = _Room
