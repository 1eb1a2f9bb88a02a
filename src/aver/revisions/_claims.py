"""From a sentence with one open slot to a short claim about that slot, by rule.

The subject is made explicit (a page's title for its pronoun), asides are dropped, and what follows the slot is
cut at the first place where a clause can end. No parser is needed, so it is quick and always does the same.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from aver.revisions._lexicon import PARAPHRASES

__all__ = ["SLOT", "claim_about", "fill"]

SLOT = "\ue000"

_ASIDE = re.compile(r"\s*\([^()]*\)")
_IN_ASIDE = re.compile(r"\(([^()]*\ue000[^()]*)\)")
_PRONOUN = re.compile(
    r"^(He|She|It|They)\b(?! (?:is|was) (?:said|believed|estimated|thought|unclear|possible|not known))"
)
_OWNER = re.compile(r"^(His|Her|Its|Their)\b")
_INNER = re.compile(
    r"(?<= )(he|she|it|they)(?= (?:is|was|has|had|won|wrote|played|became|moved|made|served|lived|worked|died)\b)"
)
_GENERIC = re.compile(
    r"^(?:The|This) (?:film|album|song|band|group|series|show|novel|company|species|genus|game|single|episode)\b"
)
_LEAD = re.compile(
    r"^(?:In|On|By|During|After|Before|Since|At|From|As|Until|Following|Despite|With|For|Under)\b[^,\ue000]{2,60} , (?=\S)"
)
_APPOSITION = re.compile(r"^([^,\ue000]{2,60}) , [^,\ue000]{3,90} , (?=(?:is|was|are|were|has|had|will|became)\b)")
_CONNECTIVE = re.compile(
    r"^(?:However|Moreover|Furthermore|Additionally|Also|Later|Subsequently|Thus|Therefore|Nevertheless) , "
)
_CLAUSE_END = re.compile(
    r" (?:,|;|:|--|who|which|that|where|when|while|although|but|because|and|or|in|of|by|from|with|for|at|on|as|against|"
    r"during|after|before|since|until|based|known|located|directed|written|starring|featuring|produced|released|"
    r"including|making|according|along|to|worldwide|under|between|near|through)(?= )"
)
# After these words a phrase is not finished yet: "is located", "was part", "the capital".
_UNFINISHED = re.compile(
    r"(?:\b(?:part|member|number|one|series|form|type|kind|group|home|capital|list|set|known|list|city|town|village|"
    r"district|region|amount|rest|son|daughter|head|side|end|way|use|name|due|able|used|both|between|such|same|"
    r"and|or|of|in|the|a|an|by|to|with|for|from|at|on|as|than|into|is|was|are|were|be|been|not|never|'s|\d)"
    r"|[a-z]+ed)$"
)
_VERB = re.compile(
    r"\b(?:is|was|are|were|has|have|had|will|would|can|could|did|does|became|won|made|wrote|began|led|took|held|"
    r"grew|rose|fell|ran|sold|built|lies|lives|contains|includes|plays|serves|features|uses|consists|covers|stars|"
    r"follows|provides|remains|comes|got|lost|left|met|beat|\w+ed)\b"
)
_HARD_END = re.compile(
    r" (?:,|;|:|--|who|which|where|when|while|although|but|because|according|starring|featuring|making)(?= )"
)
_SUBORDINATE = re.compile(r"(?:While|Although|Though|When|After|Because|If|Before|Since|As|Whereas|Once|Unless)\b")
_SPLIT = re.compile(r" ; | , (?:and|but) (?=(?:he|she|it|they|is|was|has|had|won|also|[a-z]+ed)\b)")


def fill(template: str, text: str) -> str:
    """Puts text into the slot and mends what touches it: "a" or "an", doubled spaces, a capital at the start.

    >>> fill(f"He is a {SLOT} actor .", "Italian")
    'He is an Italian actor .'
    """
    article = re.search(rf"\b([Aa])n? {SLOT}", template)
    if article and text:
        vowel = re.match(r"[aeioAEIO]|u(?!ni|s|k)|U(?!n?[ik]|S)|8|11\b|18\b|hour|honou?r", text) is not None
        vowel = vowel and re.match(r"[Ee]u|[Oo]ne\b", text) is None
        template = template[: article.start()] + article[1] + ("n " if vowel else " ") + template[article.end() - 1 :]
    filled = template.replace(SLOT, text)
    filled = re.sub(r" {2,}", " ", filled)
    filled = re.sub(r" ,(?= [.;,])", "", filled).strip(" ,")
    return filled[:1].upper() + filled[1:]


def claim_about(template: str, title: str, rng: random.Random, *, slot_is_verb: bool = False) -> str | None:
    """A claim with the same slot, or None where no fluent one can be made.

    >>> claim_about(f"It ( the film ) grossed {SLOT} worldwide , and was praised .", "Barnyard", random.Random(1))
    'Barnyard grossed \\ue000 worldwide .'
    """

    def finite(words: str) -> bool:
        return slot_is_verb or _VERB.search(words) is not None

    text = template.strip()
    inside = _IN_ASIDE.search(text)
    if inside:
        return _life_dates(inside[1], title)
    text = _ASIDE.sub("", text)
    if re.search(r"[()]", text) or text.count(SLOT) != 1:
        return None
    text = re.sub(r"\s*[.;:,]*\s*$", "", text)
    text = _CONNECTIVE.sub("", text)
    parts = _SPLIT.split(text)
    at = next(index for index, part in enumerate(parts) if SLOT in part)
    if at > 0:
        subject = "" if re.match(r"(?:he|she|it|they)\b", parts[at]) else f"{title} "
        if subject and not re.match(r"(?:is|was|has|had|also|won|[a-z]+ed)\b", parts[at]):
            return None
        text = subject + (parts[at] if subject else parts[at][0].upper() + parts[at][1:])
    else:
        text = parts[0]
    if rng.random() < 0.7:
        text = _LEAD.sub("", text)
    if rng.random() < 0.7:
        text = _APPOSITION.sub(r"\1 ", text)
    text = text[:1].upper() + text[1:]
    text = _PRONOUN.sub(lambda _: title, text)
    text = _OWNER.sub(lambda _: f"{title} 's", text)
    text = _INNER.sub(lambda _: title, text, count=1) if title not in text else text
    if title not in text and rng.random() < 0.8:
        text = _GENERIC.sub(lambda _: title, text)
    if not finite(text):
        return None
    text = _shorten(text, rng, finite, slot_is_verb)
    for found, instead in PARAPHRASES:
        if found in text and rng.random() < 0.6:
            text = re.sub(rf"(?<![\w-]){re.escape(found)}(?![\w-])", instead, text, count=1)
    words = text.split()
    if not 3 <= len(words) <= 32 or text.count(SLOT) != 1 or re.search(r"[\"`“”]|''", text):
        return None
    if re.match(r"(?:He|She|It|They|His|Her|Its|Their|This|These|That|Those|There|Who|Which)\b", text):
        return None
    return re.sub(r" {2,}", " ", text).strip() + " ."


def _shorten(text: str, rng: random.Random, finite: Callable[[str], bool], slot_is_verb: bool) -> str:
    """Ends the claim at a clause boundary after the slot: a hard one always, a soft one often."""
    if _SUBORDINATE.match(text):
        return text  # the main clause is still to come
    after = text.index(SLOT) + 1
    pattern = _CLAUSE_END if rng.random() < 0.55 and not slot_is_verb else _HARD_END
    for match in pattern.finditer(text, after):
        head = text[: match.start()]
        if match.start() == after and text[match.start() : match.start() + 4] in (" of ", " to "):
            continue  # "the capital of": the slot is not complete yet
        if slot_is_verb and match.start() <= after + 1:
            continue
        if len(head.split()) >= 4 and (match[0] in " ,;:" or not _UNFINISHED.search(head)) and finite(head):
            return head
    return text


def _life_dates(aside: str, title: str) -> str | None:
    """ "( born • )" and "( • - 17 October 1991 )" say when somebody was born or died."""
    born = re.match(rf"\s*(?:née [\w ]+ ; )?born (?:on |in )?{SLOT}\s*$", aside.replace(" in ", " "))
    if born:
        return f"{title} was born {SLOT} ."
    first, dash, second = re.sub(r"\s+", " ", aside).strip().partition(" - ")
    if dash and first == SLOT:
        return f"{title} was born {SLOT} ."
    if dash and second == SLOT:
        return f"{title} died {SLOT} ."
    return None
