"""From a claim to a verdict with its evidence: retrieve, read, compare, weigh; each step a plain function."""

from __future__ import annotations

from aver.verify._check import check, check_passages
from aver.verify._claims import REASONS, Claim, find_claims, verifiability
from aver.verify._contradictions import Contradiction, Contradictions, find_contradictions
from aver.verify._figures import Comparison, FigureCheck, check_figures
from aver.verify._passages import (
    Passage,
    Retrieved,
    Similarity,
    find_documents,
    select_sentences,
    select_text_sentences,
    word_similarity,
)
from aver.verify._predictions import prediction
from aver.verify._pronouns import Resolved, named_subject, resolve
from aver.verify._quotes import QuoteCheck, check_quote, find_quotes
from aver.verify._reading import READ_AGAIN, Reading, joint_evidence, ranker_for, read_jointly, read_sentences
from aver.verify._results import Coverage, Evidence, Provenance, Settings, Verdict
from aver.verify._text import ClaimCheck, TextCheck, check_text
from aver.verify._verdict import Decision, both_sides, decide, joint_word, set_aside, weigh_figures
from aver.verify._weighing import FEATURES, WEIGHTS, Weights, claim_overlap, features, weigh, weights_for

__all__ = [
    "FEATURES",
    "READ_AGAIN",
    "REASONS",
    "WEIGHTS",
    "Claim",
    "ClaimCheck",
    "Comparison",
    "Contradiction",
    "Contradictions",
    "Coverage",
    "Decision",
    "Evidence",
    "FigureCheck",
    "Passage",
    "Provenance",
    "QuoteCheck",
    "Reading",
    "Resolved",
    "Retrieved",
    "Settings",
    "Similarity",
    "TextCheck",
    "Verdict",
    "Weights",
    "both_sides",
    "check",
    "check_figures",
    "check_passages",
    "check_quote",
    "check_text",
    "claim_overlap",
    "decide",
    "features",
    "find_claims",
    "find_contradictions",
    "find_documents",
    "find_quotes",
    "joint_evidence",
    "joint_word",
    "named_subject",
    "prediction",
    "ranker_for",
    "read_jointly",
    "read_sentences",
    "resolve",
    "select_sentences",
    "select_text_sentences",
    "set_aside",
    "verifiability",
    "weigh",
    "weigh_figures",
    "weights_for",
    "word_similarity",
]
