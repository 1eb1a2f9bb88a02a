"""Sentences as UniEval cuts them: NLTK's Punkt.

The reference calls `nltk.sent_tokenize`, whose English model is a download of its own. Where that is installed it is
used, and the cut is the reference's on every text. Where it is not, Punkt's algorithm runs with the abbreviations
below, and nothing is fetched; the claims of all golden prompts come out the same (`tests/comparison`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable

__all__ = ["punkt_sentences"]

# In Punkt's form: lower case, without the last full stop.
_ABBREVIATIONS = frozenset(
    "a.m p.m u.s u.k u.n e.u d.c l.a n.y n.j s.c n.c n.m u.s.a u.s.s.r i.e e.g a.d b.c ph.d m.d b.a m.a d.a "
    "mr mrs ms dr prof rev sr jr st gen col maj capt lt sgt cpl adm cmdr gov sen rep hon pres "
    "co corp inc ltd bros dept est assn "
    "jan feb mar apr aug sept sep oct nov dec "
    "vs etc al cf fig vol ave blvd ft mt messrs "
    "ala ariz ark calif colo conn del fla ga ill ind kan ky la md mass mich minn miss mo mont neb nev okla ore pa "
    "tenn tex va vt wash wis wyo w.va".split()
)


def punkt_sentences(text: str) -> list[str]:
    """The sentences of a text.

    >>> punkt_sentences("It opened at 5 a.m. on Monday . Mr. Lee spoke .")
    ['It opened at 5 a.m. on Monday .', 'Mr. Lee spoke .']
    >>> punkt_sentences("  ")
    []
    """
    return list(_tokenizer()(text))


@functools.cache
def _tokenizer() -> Callable[[str], list[str]]:
    import nltk
    from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer

    try:
        nltk.data.find("tokenizers/punkt_tab/english/")
    except LookupError:
        parameters = PunktParameters()
        parameters.abbrev_types = set(_ABBREVIATIONS)
        tokenize: Callable[[str], list[str]] = PunktSentenceTokenizer(parameters).tokenize
        return tokenize
    installed: Callable[[str], list[str]] = nltk.sent_tokenize
    return installed
