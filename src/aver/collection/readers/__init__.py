"""Readers: one file per format, each turning a file into documents, aliases and faults as it goes."""

from __future__ import annotations

from aver.collection.readers._detect import FORMATS, FoundFile, detect_format, find_files, given_path, read_file
from aver.collection.readers._fever import fever_title
from aver.collection.readers._items import Alias, Fault, Incoming, Item, Read, ReadOptions
from aver.collection.readers._jsonl import read_lines
from aver.collection.readers._opened import position
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
    "detect_format",
    "fever_title",
    "find_files",
    "given_path",
    "position",
    "read_file",
    "read_lines",
    "strip_wikitext",
]
