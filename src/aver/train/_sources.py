"""Where the rows come from and under which licence: for the card."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

__all__ = ["NOT_STATED", "data_sources", "non_commercial"]

NOT_STATED = "not stated with the data"

# Folders of the data folder that a source of `_mix` is made from, by the longest prefix of its name; a folder's
# SOURCE.txt says its licence.
_FOLDERS = {
    "synthetic_wikipedia": ("wiki_intros",),
    "synthetic_rare": ("wiki_intros",),
    "synthetic_template": ("wiki_intros",),
    "pool_wikipedia": ("wiki_intros",),
    "bound_fever": ("fever", "wiki_intros"),
    "fever": ("fever",),
    "found": ("fever", "wiki_intros"),
    "scifact": ("scifact",),
    "document_wikipedia": ("wiki_intros",),
    "document_passages": ("qa_text",),
    "document_news": ("xsumfaith",),
    "question": ("qa_text",),
    "begin": ("begin",),
    "factcheckgpt": ("factcheck_gpt",),
    "wice": ("wice",),
    "xsumfaith": ("xsumfaith",),
    "written_fever": ("fever",),
    "written_wikipedia": ("wiki_intros",),
    "edit_synthetic": ("wiki_intros",),
    "edit_harmless": ("wiki_intros",),
    "edit_copy": ("rev_wnc_sample", "paraphrase_mrpc"),
}
# What the sets' authors say, where the data folder has no SOURCE.txt for them.
_AUTHORS = {
    "vitaminc": "CC BY-SA 3.0 (VitaminC; Wikipedia text)",
    "synthetic_vitaminc": "CC BY-SA 3.0 (VitaminC; Wikipedia text)",
    "unlabelled": "CC BY-SA 3.0 (VitaminC; Wikipedia text)",
    "edit_vitaminc": "CC BY-SA 3.0 (VitaminC; Wikipedia text)",
    "related": "CC BY-SA 3.0 (VitaminC; Wikipedia text)",
    "bound_vitaminc": "CC BY-SA 3.0 (VitaminC; Wikipedia text)",
    "written_vitaminc": "CC BY-SA 3.0 (VitaminC; Wikipedia text)",
    "breaking_nli": "CC BY-SA 4.0",
    "snli": "CC BY-SA 4.0",
    "taxinli": "C-UDA 1.0 (labels), OANC and others (MNLI's text)",
    "mnli": "OANC and others, by genre",
    "te_new_protocols": "CC BY-SA 3.0 (Wikipedia text); not stated for the claims",
    "semi_automatic_nli": "CC BY-SA 3.0 (Wikipedia text); not stated for the claims",
}


def data_sources(data: Path, counts: Mapping[str, int]) -> list[dict[str, Any]]:
    """Each source that gave rows, with how many and its licence."""
    return [
        {"source": name, "rows": rows, "licence": _licence(data, name)} for name, rows in sorted(counts.items()) if rows
    ]


def non_commercial(sources: list[dict[str, Any]]) -> list[str]:
    """The sources whose licence forbids commercial use.

    >>> non_commercial([{"source": "a", "licence": "CC BY 4.0"}, {"source": "b", "licence": "CC BY-NC 4.0"}])
    ['b']
    """
    return [source["source"] for source in sources if re.search(r"\bNC\b", source["licence"])]


def _licence(data: Path, name: str) -> str:
    said = []
    for folder in _longest(_FOLDERS, name) or ():
        file = data / folder / "SOURCE.txt"
        text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
        said += re.findall(r"^licen[cs]e:\s*(.+?)\s*$", text, re.MULTILINE)
    return "; ".join(dict.fromkeys(said)) or _longest(_AUTHORS, name) or NOT_STATED


def _longest(table: Mapping[str, Any], name: str) -> Any:
    fitting = [prefix for prefix in table if name.startswith(prefix)]
    return table[max(fitting, key=len)] if fitting else None
