"""The turns of a sentence: negation put in or taken out, and words for their opposites."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aver.revisions._lexicon import BASE_OF, OPPOSITES, PAST_OF
from aver.revisions._revise_change import Change
from aver.revisions._revise_phrases import Pair, key

__all__ = ["turns"]

_OPPOSITE = dict(OPPOSITES) | {second: first for first, second in OPPOSITES}
_AUXILIARY = re.compile(
    r"(?<![\w'])(is|was|are|were|has been|have been|had been|has|have|had|can|could|will|would|may|does|did|do)(?= \w)"
)
_NEGATED = re.compile(
    r"(?P<not>(?<=\w) (?:not|never|no longer)\b)|(?P<did>\b(?:did|does|do) not (?P<verb>\w+))|(?P<glued>(?<=\w)n't\b)"
)


def turns(pair: Pair) -> Iterator[Change]:
    """Negation put in or taken out, and words turned into their opposites."""
    sentence, claim = pair.sentence, pair.claim
    claim_negated = re.search(r"\b(?:not|never|no|cannot|without|none)\b|n't\b", claim) is not None
    for match in _NEGATED.finditer(sentence):
        prior = 0.5 if claim_negated else 1.2
        if match["did"]:
            verb = _past(match["verb"]) if match[0].startswith("did") else match["verb"]
            yield Change(match.start(), match.end(), match[0], verb, "negation", prior)
        else:
            yield Change(match.start(), match.end(), match[0], "", "negation", prior)
    for match in _AUXILIARY.finditer(sentence):
        if re.match(r" (?:not|never|no)\b", sentence[match.end() :]):
            continue
        prior = 0.9 if claim_negated else -0.2
        first = match.start() + len(match[0].split(" ")[0])
        for no in ("not", "never"):
            bonus = 0.3 if re.search(rf"\b{no}\b", claim) else 0.0
            yield Change(first, first, "", f" {no}", "negation", prior + bonus)
    for at, word in enumerate(pair.ours):
        lower = word.text.lower()
        if lower in _OPPOSITE and key(lower) != key(_OPPOSITE[lower]):
            other = _OPPOSITE[lower]
            wanted = re.search(rf"\b{re.escape(other)}\b", claim, re.IGNORECASE) is not None
            new = other.capitalize() if word.text[0].isupper() else other
            yield Change(word.start, word.end, word.text, new, "word", pair.weight[at] + wanted)
        if claim_negated and (lower in BASE_OF or re.fullmatch(r"[a-z]{3,}ed", lower)) and pair.weight[at] > 0.3:
            base = BASE_OF.get(lower) or _base(lower)
            yield Change(word.start, word.end, word.text, f"did not {base}", "negation", pair.weight[at] + 0.3)


def _past(verb: str) -> str:
    if verb in PAST_OF:
        return PAST_OF[verb]
    return verb + "d" if verb.endswith("e") else verb[:-1] + "ied" if re.search(r"[^aeiou]y$", verb) else verb + "ed"


def _base(past: str) -> str:
    stem = past[:-2]
    if stem.endswith("i"):
        return stem[:-1] + "y"
    if re.search(r"([bdgmnprt])\1$", stem):
        return stem[:-1]
    return stem + "e" if re.search(r"(?:at|iv|as|us|uc|ag|iz|is|ar|ir|ur|in|ot|id|ud|rg|nc|v|c)$", stem) else stem
