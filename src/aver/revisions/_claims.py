"""From a sentence with one open slot to a short claim about that slot, by rule.

The subject is made explicit (a page's title for its pronoun), asides are dropped, and what follows the slot is
cut at the first place where a clause can end. No parser is needed, so it is quick and always does the same.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import NamedTuple

from aver.revisions._fact import VERB
from aver.revisions._lexicon import PARAPHRASES, TYPE_NOUNS

__all__ = ["SLOT", "Subject", "claim_about", "fill"]

SLOT = "\ue000"

_ASIDE = re.compile(r"\s*\([^()]*\)")
_NOTE = re.compile(r"\s*\[ ?(?:[a-z]|\d{1,3}|note \d+|update|citation needed) ?\]")
_IN_ASIDE = re.compile(r"\(([^()]*\ue000[^()]*)\)")
_PRONOUN = re.compile(
    r"^(He|She|It|They)\b(?! (?:is|was|has been|had been) (?:said|believed|estimated|thought|unclear|possible|"
    r"not known|likely|important|common|also known that|the (?:first|second|third|only|last) time|\S+ that))"
)
_OWNER = re.compile(r"^(His|Her|Its|Their)\b")
_LEADS = (
    r"(?:In|On|By|During|After|Before|Since|At|From|As|Until|Following|Under|With|For|Despite|Later|Originally|"
    r"Initially|Internationally|Currently|Eventually|Today|There|Last|Next|Earlier|Recently|Afterwards|Soon|"
    r"The same year|\ue000)"
)
_INNER = re.compile(
    rf"^({_LEADS}(?:(?:[^,]|,(?=\d)){{0,80}} ?,|[^,A-Z]{{0,30}})? )"
    r"(he|she|it|they)(?= [a-z\ue000])"
)
_INNER_OWNER = re.compile(r"^(" + _LEADS + r"(?:[^,]|,(?=\d)){0,80} ?, )(his|her|its|their)(?= [a-z])")
# "Open all year , it is": a lead of another form
_OTHER_LEAD = re.compile(r"^((?:[^,;]|,(?=\d)){2,80} ?, )(he|she|it|they)(?= [a-z\ue000])")
_UNNAMED = re.compile(r"([A-Z].{0,160}?), (?:he|she|it|they|his|her|its|their) ")
_OWN_LEAD = re.compile(
    r"(?:Born|Raised|Educated|Located|Situated|Founded|Built|Known|Named|Released|Directed|Written|Established|Opened)\b"
)
_PARTICIPLE = re.compile(
    r"(?:Born|Built|Known|Written|[A-Z][a-z]+ed)(?: and [a-z]+)? (?:in|on|by|at|as|for|from|with|to)\b"
)
_GENERIC = re.compile(r"^(?:The|This) (\w+)(?= (?:is|was|has|had|[a-z]+ed)\b)")
_LEAD = re.compile(
    r"^(?:In|On|By|During|After|Before|Since|At|From|As|Until|Following|Despite|With|For|Under)\b[^,\ue000]{2,60} ?, "
    r"(?=[A-Z]|(?:he|she|it|they|the|an?|his|her|its|their|this|these|there) )"
)
_APPOSITION = re.compile(r"^([^,\ue000]{2,60}) ?, [^,\ue000]{3,90} ?, (?=(?:is|was|are|were|has|had|will|became)\b)")
_CONNECTIVE = re.compile(
    r"^(?:However|Moreover|Furthermore|Additionally|Also|Later|Subsequently|Thus|Therefore|"
    r"Nevertheless|Then|Notably) ?, "
)
_CLAUSE_END = re.compile(
    r" ?(?:,|;|:| --)(?= )| (?:who|which|while|although|but|because|and|in|by|from|with|for|at|on|against|"
    r"during|after|before|since|until|directed|written|starring|featuring|produced|released|"
    r"including|making|according|along|worldwide|under|near)(?= )"
)
_HARD_END = re.compile(
    r" ?(?:,|;|:| --)(?= )| (?:who|which|while|although|but|because|according|starring|"
    r"featuring|making)(?= )"
)
# After these words a phrase is not finished yet: "is located", "was part", "the capital".
_UNFINISHED = re.compile(
    r"(?:\b(?:part|member|number|one|series|form|type|kind|group|home|capital|list|set|known|city|town|village|"
    r"district|region|amount|rest|son|daughter|head|side|end|way|use|name|due|able|used|both|between|such|same|still|"
    r"and|or|of|in|the|a|an|by|to|with|for|from|at|on|as|than|into|is|was|are|were|be|been|not|never|'s|\d|took|"
    r"interest|role|difference|title|case|made|gave|brought|put|came|went|led|held|found|known|seen|built|written|began|became|started|who|which)"
    r"|[a-z]+(?:ed|ing|ly)|"
    r"(?:has|had|have|with|covers) (?:an?|an estimated|a total) (?:population|area|length|height|capacity|budget)|"
    r"successful enough)$"
)
_RELATIVE = re.compile(r"(?:(?<=[\s,])(?:who|which|that|where|when|whose|while|as)\b|, (?=[a-z]+ed\b)).*")
_RELATIVE_SLOT = re.compile(rf"\b(?:which|who|that|where)(?: [a-z]+ly| also| then| later)? {SLOT}")
_FINITE_NEXT = re.compile(
    r" (?:is|was|are|were|has|had|have|will|would|can|could|does|did|became|[a-z]+ed|won|made|took)\b"
)
_NO_CLAUSE = (
    r"(?!(?:he|she|it|they|who|which|where|when|while|is|was|are|were|has|had|also|then|later|an?|the|[a-z]+ed|won|made|"
    r"led|became|served|ran|took)\b)"
)
_LIST = re.compile(rf" {_NO_CLAUSE}(?:[\w'’-]+(?: ?,)? ){{1,6}}?(?:and|or) {_NO_CLAUSE}[\w'’-]")
_LAST_ITEM = re.compile(rf" (?:and|or) {_NO_CLAUSE}[\w'’-]")
_ARTICLE = re.compile(r"\b(?:the|an?|its|his|her|their) \ue000$")
_BARE_ADJECTIVE = re.compile(r"\b(?:in|to|of|with|from|for|by|as|on|at|an?|the) [a-z]+(?<!s)$")
_ADJECTIVE = re.compile(r" [a-z]+(?:al|ous|ic|ish|ful|ive|ed|ern|y|ar|ent|ant|ble) [a-z]+")
_SUBORDINATE = re.compile(r"(?:While|Although|Though|When|After|Because|If|Before|Since|As|Whereas|Once|Unless)\b")
_NARROWED = re.compile(
    r"\b(?:any|every|each|all|no|none|never|not|nor|nobody|only|sole|first|last|most|least|best|worst|top|always|"
    r"unique|[a-z]{2,}est|than)\b|n't\b"
)
_SPLIT = re.compile(r" ?; | ?, (?:and|but) (?=(?:he|she|it|they|is|was|has|had|won|also|[a-z]+ed)\b)")
_PASSIVE = re.compile(
    r"\b(?:is|was|are|were|been) (?:[a-z]+ly |later |first |then )?"
    r"(?:[a-z]+ed|built|made|written|known|shot|sold|set|held|taken|given|left)\b"
)
# after a passive these are none
_PERHAPS_PASSIVE = re.compile(
    r"(?!(?:received|reached|moved|died|served|played|worked|attended|graduated|joined|studied|peaked|debuted|featured|"
    r"appeared|remained|earned|finished|lived|started|continued|contained|included|returned|retired|competed|lasted|"
    r"gained|scored|charted|stayed|married|resigned|starred|toured|performed|spanned|covered|helped|wanted)\b)"
    r"(?:(?:also|then|later|subsequently) )?[a-z]+ed\b"
)
_TOKENISED = re.compile(r" [.,!?;]")


class Subject(NamedTuple):
    """What a page is about: its name, and what may stand for it."""

    name: str
    kind: str | None
    """As in the lexicon ("person", "film" …); None where the first sentence does not say."""
    pronouns: frozenset[str]

    def called(self, sentence: str) -> str:
        """The name in the sentence's own style: PTB-tokenised text has "Fred 's" and "Rome , Italy"."""
        return re.sub(r"(?<=\w)('s\b|'(?= |$)|,)", r" \1", self.name) if _TOKENISED.search(sentence) else self.name


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
    filled = re.sub(r" ?,(?= ?[.;,])", "", filled).strip(" ,")
    if not _TOKENISED.search(template):
        filled = re.sub(r" +(?=[.,;])", "", filled)
    return filled[:1].upper() + filled[1:]


def claim_about(
    template: str, subject: Subject, rng: random.Random, *, slot_is_verb: bool = False, whole: bool = False
) -> str | None:
    """A claim with the same slot, or None where no fluent one can be made.

    Where it is `whole`, or says that something is the only or the largest one, nothing that narrows it down is
    dropped: "larger than any other bridge in the country" is not larger than any other bridge.

    >>> film = Subject("Barnyard", "film", frozenset({"it", "its"}))
    >>> claim_about(f"It ( the film ) grossed {SLOT} worldwide , and was praised .", film, random.Random(1))
    'Barnyard made \\ue000 worldwide .'
    """

    def finite(words: str) -> bool:
        # the main clause needs a verb of its own; one inside "which was …" does not count
        verb_is_main = slot_is_verb and _RELATIVE_SLOT.search(words) is None
        return verb_is_main or VERB.search(_RELATIVE.sub("", words)) is not None

    title = subject.called(template)
    text = template.strip()
    stop = " ." if _TOKENISED.search(template) else "."
    inside = _IN_ASIDE.search(text)
    if inside:
        return _life_dates(inside[1], title, stop) if title and subject.kind in ("person", None) else None
    text = _NOTE.sub("", _ASIDE.sub("", text)).strip()
    if re.search(r"[()]", text) or text.count(SLOT) != 1:
        return None
    text = re.sub(r"\s*[.;:,!?]*\s*$", "", text)
    text = _CONNECTIVE.sub("", text)
    parts = [text] if _SUBORDINATE.match(text) else _SPLIT.split(text)
    at = next(index for index, part in enumerate(parts) if SLOT in part)
    text = parts[at]
    if at > 0 and not re.match(r"(?:he|she|it|they)\b", text):
        # "…, and was praised by •": the subject is that of the first clause, which must be the page's own
        if not re.match(r"(?:is|was|has|had|also|won|[a-z]+ed)\b", text) or not _about(parts[0], subject, title):
            return None
        if _PASSIVE.search(parts[0]) and _PERHAPS_PASSIVE.match(text):
            return None  # "It was set up in 1947 , and renamed in 1958": was renamed
        text = f"{title} {text}"
    whole = whole or _NARROWED.search(text) is not None
    if rng.random() < 0.7 and not whole:
        text = _LEAD.sub("", text)
    if rng.random() < 0.7:
        text = _APPOSITION.sub(r"\1 ", text)
    named = _with_name(text[:1].upper() + text[1:], subject, title, rng, tokenised=stop == " .")
    if named is None or not finite(named):
        return None
    text = _shorten(named, rng, finite, slot_is_verb, whole)
    for found, instead in PARAPHRASES:
        if found in text and rng.random() < 0.6:
            text = re.sub(rf"(?<![\w-]){re.escape(found)}(?![\w-])", instead, text, count=1)
    words = text.split()
    if not 3 - 2 * slot_is_verb <= len(words) <= 32 or text.count(SLOT) != 1 or re.search(r"[\"`“”]|''", text):
        return None
    lead = _PARTICIPLE.match(text)
    if lead and not slot_is_verb and not VERB.search(text, lead.end()):
        return None  # "Founded and incorporated on April 27 , 1982": the main clause is gone
    unnamed = _UNNAMED.match(text)
    if unnamed and not VERB.search(unnamed[1]):
        return None  # "With 200 shops in Kent , Surrey and Sussex , it is"
    if re.match(r"(?:He|She|It|They|His|Her|Its|Their|This|These|That|Those|There|Who|Which)\b", text):
        return None
    return re.sub(r" {2,}", " ", text).strip() + stop


def _about(clause: str, subject: Subject, title: str) -> bool:
    first = clause.split(" ", 1)[0].lower()
    return clause.startswith((title, title.split(" ")[-1])) or first in subject.pronouns


def _with_name(text: str, subject: Subject, title: str, rng: random.Random, *, tokenised: bool) -> str | None:
    """The page's name for what refers to it at the beginning; None where a pronoun means something else."""
    pronoun = _PRONOUN.match(text) or _OWNER.match(text)
    if pronoun:
        if pronoun[1].lower() not in subject.pronouns:
            return None
        owns = "" if not _OWNER.match(text) else " 's" if tokenised else "'s"
        return title + owns + text[pronoun.end() :]
    inner = _INNER.match(text)
    if inner:
        if inner[2] not in subject.pronouns:
            return None
        return inner[1] + title + text[inner.end() :]
    owner = _INNER_OWNER.match(text)
    if owner:
        if owner[2] not in subject.pronouns:
            return None
        return owner[1] + title + (" 's" if tokenised else "'s") + text[owner.end() :]
    lead = _OTHER_LEAD.match(text)
    if lead:
        # somebody else named there, or acting there, may be meant
        other = not _OWN_LEAD.match(text) and (re.search(r" [A-Z]", lead[1]) or VERB.search(lead[1], 1))
        if other or lead[2] not in subject.pronouns:
            return None
        return lead[1] + title + text[lead.end() :]
    generic = _GENERIC.match(text)
    if generic and title not in text and subject.kind and TYPE_NOUNS.get(generic[1]) == subject.kind:
        return title + text[generic.end() :] if rng.random() < 0.8 else text
    return text


def _shorten(text: str, rng: random.Random, finite: Callable[[str], bool], slot_is_verb: bool, whole: bool) -> str:
    """Ends the claim at a clause boundary after the slot: a hard one always, a soft one often."""
    if _SUBORDINATE.match(text):
        return text  # the main clause is still to come
    after = text.index(SLOT) + 1
    pattern = _CLAUSE_END if rng.random() < 0.55 and not whole else _HARD_END
    for match in pattern.finditer(text, after):
        head, rest = text[: match.start()], text[match.end() :]
        if slot_is_verb and match.start() <= after + 1:
            continue
        comma = match[0].strip() in (",", ";", ":", "--")
        if comma and (_LIST.match(rest) or (_LAST_ITEM.match(rest) and "," in head)):
            continue  # "68 wins , 71 losses , and four ties"
        if whole and match[0].strip() == "," and _ARTICLE.search(head):
            continue  # "the oldest , urban house"
        if comma and _BARE_ADJECTIVE.search(head) and _ADJECTIVE.match(rest):
            continue  # "native to wet , tropical parts"
        if comma and (_FINITE_NEXT.match(rest) or rest.strip().isdigit()):
            continue  # "Red Gap , which was a site , is nearby": what came was an aside
        if (
            match[0].strip() in (",", ":", "and")
            and re.match(r" (?:and )?[A-Z0-9\ue000]", rest)
            and _ends_in_a_name(head)
        ):
            continue  # the middle of a list, or "Perth , Australia"
        if match[0].strip() in ("for", "with") and _ends_in_a_name(head) and re.match(r" (?:the )?[A-Z]", rest):
            continue  # "Mission for Aid to Turkey", "Iguana with the Tongue of Fire"
        if match[0].strip() == "and" and not re.match(r" (?:is|was|has|had|he|she|it|they|[a-z]+ed)\b", rest):
            continue
        if not VERB.search(re.split(r"\b(?:while|although|whereas|because|but)\b", head)[-1]) and not slot_is_verb:
            continue  # ", while in ancient Turkic"
        if re.search(r"\b(?:and|or|of|to|the|an?|in|by|with|that|where|whether|than|as|for|from|at|on|is|was|are|were|"
                     r"has|had|have|be|been|not)$|-[a-z]+$|\bthat ?, [^,]*$", head):  # fmt: skip
            continue  # "covers 400 km2 and , as of 2011 , had …"
        if len(head.split()) >= 4 and (comma or not _UNFINISHED.search(head)) and finite(head):
            return head
    return text


def _ends_in_a_name(text: str) -> bool:
    return re.search(rf"(?:[A-Z0-9][\w.'’-]*|{SLOT})$", text) is not None


def _life_dates(aside: str, title: str, stop: str) -> str | None:
    """ "( born • )" and "( • - 17 October 1991 )" say when somebody was born or died."""
    born = re.match(rf"\s*(?:née [\w ]+ ; )?born (?:on |in )?{SLOT}\s*$", aside.replace(" in ", " "))
    if born:
        return f"{title} was born {SLOT}{stop}"
    first, dash, second = re.sub(r"\s+", " ", re.sub(r" ?[–—] ?", " - ", aside)).strip().partition(" - ")
    if dash and first == SLOT:
        return f"{title} was born {SLOT}{stop}"
    if dash and second == SLOT:
        return f"{title} died {SLOT}{stop}"
    return None
