"""FRANK's typology of factual errors: seven categories in three groups, and what falls outside.

Pagnoni, Balachandran and Tsvetkov (2021), "Understanding Factuality in Abstractive Summarization with FRANK",
section 2. The released files call the paper's predicate error (PredE) `RelE`.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["ERRORS", "GROUPS", "NO_ERROR", "OTHER", "describe_error"]

NO_ERROR = "NoE"
OTHER = "OtherE"

ERRORS: Mapping[str, str] = MappingProxyType(
    {
        "RelE": "the predicate does not agree with the article",
        "EntE": "a subject or object of the predicate is wrong",
        "CircE": "the place, time or manner is wrong",
        "CorefE": "a pronoun or other reference points to the wrong antecedent or to none",
        "LinkE": "two statements are linked wrongly in time or cause",
        "OutE": "something the article does not say",
        "GramE": "the grammar is so wrong that the sentence has no meaning",
    }
)
"""The seven categories, by their code in the files."""

GROUPS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "Semantic_Frame_Errors": ("RelE", "EntE", "CircE"),
        "Discourse_Errors": ("CorefE", "LinkE"),
        "Content_Verifiability_Errors": ("OutE", "GramE"),
    }
)
"""The three groups and the categories in each."""


def describe_error(code: str) -> str:
    """What a category or a group means, in a line.

    >>> describe_error("Discourse_Errors")
    'CorefE, LinkE'
    >>> describe_error("OutE")
    'something the article does not say'
    """
    if code in GROUPS:
        return ", ".join(GROUPS[code])
    return ERRORS.get(code, "an error outside the typology")
