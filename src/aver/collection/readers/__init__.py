"""Readers: one file per format, each turning a file into documents, aliases and faults as it goes."""

from __future__ import annotations

from aver.collection.readers._csv import read_table
from aver.collection.readers._detect import FORMATS, detect_format, foreign, read_file
from aver.collection.readers._fever import fever_title
from aver.collection.readers._find import FoundFile, find_files, given_path, real_folders
from aver.collection.readers._items import Alias, Fault, Incoming, Item, Read, ReadOptions
from aver.collection.readers._jsonl import read_lines
from aver.collection.readers._opened import decompressed, head, position
from aver.collection.readers._prose import plain_text, prose_of, read_prose, refuse_rows
from aver.collection.readers._wikitext import strip_wikitext

__all__ = [
    "FORMATS",
    "Alias",
    "Fault",
    "FoundFile",
    "Incoming",
    "Item",
    "Read",
    "ReadOptions",
    "decompressed",
    "detect_format",
    "fever_title",
    "find_files",
    "foreign",
    "given_path",
    "head",
    "plain_text",
    "position",
    "prose_of",
    "read_file",
    "read_lines",
    "read_prose",
    "read_table",
    "real_folders",
    "refuse_rows",
    "strip_wikitext",
]
