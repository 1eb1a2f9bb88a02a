"""Edits and what they change: contrastive pairs from plain sentences, and edits that change nothing."""

from __future__ import annotations

from aver.revisions._align import ALIGNMENTS, Aligned, Alignment, align
from aver.revisions._contrast import ContrastRow, ContrastStatistics, contrast_set, read_mined
from aver.revisions._diff import Diff, SentenceChange, diff
from aver.revisions._edit_kind import EDIT_KINDS, EditKind, edit_kind, edit_kinds
from aver.revisions._extract import ExtractedClaim, Extraction, extract, extract_edits
from aver.revisions._extract_marks import Edit, mark_edit, read_edit
from aver.revisions._flag import FlaggedEdit, flag_edits
from aver.revisions._flaggers import (
    FLAGGERS,
    CombinedFlagger,
    DiffEncoder,
    EditDistance,
    EditedWords,
    Flagger,
    PairEncoder,
    load_flagger,
)
from aver.revisions._harmless import harmless_edit
from aver.revisions._history import HISTORIES, History, PageRevision, Skipped, read_history
from aver.revisions._mine import MinedEdit, MiningReport, flagged, fold_of, mine, mine_revisions, split_of
from aver.revisions._pages import read_pages
from aver.revisions._revise import Revision, revise
from aver.revisions._revise_backends import LLMReviser, Reviser, Seq2SeqReviser, load_reviser
from aver.revisions._revise_change import Change
from aver.revisions._synthesise import KINDS, ContrastPair, Passage, synthesise
from aver.revisions._word_diff import WordEdit, diff_words

__all__ = [
    "ALIGNMENTS",
    "EDIT_KINDS",
    "FLAGGERS",
    "HISTORIES",
    "KINDS",
    "Aligned",
    "Alignment",
    "Change",
    "CombinedFlagger",
    "ContrastPair",
    "ContrastRow",
    "ContrastStatistics",
    "Diff",
    "DiffEncoder",
    "Edit",
    "EditDistance",
    "EditKind",
    "EditedWords",
    "ExtractedClaim",
    "Extraction",
    "FlaggedEdit",
    "Flagger",
    "History",
    "LLMReviser",
    "MinedEdit",
    "MiningReport",
    "PageRevision",
    "PairEncoder",
    "Passage",
    "Reviser",
    "Revision",
    "SentenceChange",
    "Seq2SeqReviser",
    "Skipped",
    "WordEdit",
    "align",
    "contrast_set",
    "diff",
    "diff_words",
    "edit_kind",
    "edit_kinds",
    "extract",
    "extract_edits",
    "flag_edits",
    "flagged",
    "fold_of",
    "harmless_edit",
    "load_flagger",
    "load_reviser",
    "mark_edit",
    "mine",
    "mine_revisions",
    "read_edit",
    "read_history",
    "read_mined",
    "read_pages",
    "revise",
    "split_of",
    "synthesise",
]
