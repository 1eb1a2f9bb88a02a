"""Edits and what they change: contrastive pairs from plain sentences, and edits that change nothing."""

from __future__ import annotations

from aver.revisions._extract import ExtractedClaim, Extraction, extract, extract_edits
from aver.revisions._extract_marks import Edit, mark_edit, read_edit
from aver.revisions._harmless import harmless_edit
from aver.revisions._pages import read_pages
from aver.revisions._synthesise import KINDS, ContrastPair, Passage, synthesise

__all__ = [
    "KINDS",
    "ContrastPair",
    "Edit",
    "ExtractedClaim",
    "Extraction",
    "Passage",
    "extract",
    "extract_edits",
    "harmless_edit",
    "mark_edit",
    "read_edit",
    "read_pages",
    "synthesise",
]
