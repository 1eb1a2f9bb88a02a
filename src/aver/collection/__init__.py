"""Document collections: files in, sentences with their places and a search over them out."""

from __future__ import annotations

from aver.collection._changes import Change, Changes, Standing, Stock
from aver.collection._collection import Collection
from aver.collection._documents import (
    Document,
    DocumentSentence,
    Hit,
    Info,
    Mention,
    MentionKind,
    Revision,
    ScoredSentence,
    Source,
    VectorInfo,
)
from aver.collection._embedding import EmbedReport
from aver.collection._exclusive import delete_damaged
from aver.collection._home import collection_folder, collection_names, home
from aver.collection._inverse import Inverse, needed_score, query_names, query_terms
from aver.collection._reports import AddReport, FileReport
from aver.collection._vectors import Encoder
from aver.collection.readers import FORMATS, Alias, Fault, Incoming, ReadOptions

__all__ = [
    "FORMATS",
    "AddReport",
    "Alias",
    "Change",
    "Changes",
    "Collection",
    "Document",
    "DocumentSentence",
    "EmbedReport",
    "Encoder",
    "Fault",
    "FileReport",
    "Hit",
    "Incoming",
    "Info",
    "Inverse",
    "Mention",
    "MentionKind",
    "ReadOptions",
    "Revision",
    "ScoredSentence",
    "Source",
    "Standing",
    "Stock",
    "VectorInfo",
    "collection_folder",
    "collection_names",
    "delete_damaged",
    "home",
    "needed_score",
    "query_names",
    "query_terms",
]
