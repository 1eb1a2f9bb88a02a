"""Facts that are quantifiers: all, some, none. "All" supports "some"; "some" leaves "all" open and refutes "none"."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

from aver.labels import Label
from aver.revisions._fact import Fact, Filler, N, R, S
from aver.text._quantities import WORDS

__all__ = ["find_quantifiers"]

_SOME = ("some", "several", "many", "most")
_PLURAL = rf"(?!(?:{'|'.join(WORDS)})\b)(?:[a-z-]+ ){{0,2}}[a-z]{{2,}}(?<![suia])s\b"
_SUBJECT = re.compile(
    r"(?!Most (?:common|recent|notable|famous|popular|important|successful)\b)"
    rf"(?P<word>All|Some|Several|Many|Most|None)(?P<of> of)? (?P<own>(?:the|its|his|her|their) )?{_PLURAL}"
    r"(?=(?: [a-z]+){0,6}? (?:are|were|have|had|will|can|[a-z]+ed)\b)"
)
_OBJECT = re.compile(
    r"(?<= )(?<!and )(?<!or )(?<!, )(?<!like )(?<!Like )(?<!as )(?<!is )(?<!are )(?<!was )(?<!were )"
    r"(?P<word>all|some|several|many|most|none)(?P<of> of) "
    rf"(?P<own>(?:the|its|his|her|their) ){_PLURAL}"
)
# words that set the rest apart, or that a second negation would tangle with
_ELSE = re.compile(
    r"\b(?:both|only|almost|nearly|not|no|never|without|nor|neither|cannot|other|others|another|except|besides|while|"
    r"whereas|though|although|but|each|rest|such|some|all|most|many|several|none|best|one|any|[Ww]hen|exceptions?|excluding|[a-z]{2,}est)\b|n't\b"
)
_MADE = re.compile(r" (?:[a-z-]+ )?(?:attempts|efforts|changes|plans|proposals) (?:have been|were|are) made\b")
# two evidences -> claims a group may take: over all groups each claim comes with each label
_TOLD: dict[frozenset[str], tuple[tuple[str, ...], ...]] = {
    frozenset(("all", "none")): (("all", "none"), ("some", "not all"), ("some", "none")),
    frozenset(("all", "some")): (("all", "not all", "some", "none"),),
    frozenset(("some", "none")): (("some", "none"), ("all", "none")),
}


def find_quantifiers(sentence: str, rng: random.Random, *_: object) -> Iterator[Fact]:
    """ "All songs were …", "won some of his matches": a quantifier, for another."""
    subject = _SUBJECT.match(sentence)
    for m in (subject,) if subject else _OBJECT.finditer(sentence):
        of, word = m["of"] or "", m["word"].lower()
        if _ELSE.search(sentence[: m.start()] + sentence[m.end("word") :]) or (word == "none" and not of):
            continue
        if subject and _MADE.match(sentence, m.end("word")):
            continue  # nobody says "All attempts were made"
        mine = "some" if word in _SOME else word
        yours = rng.choice([kind for kind in ("all", "some", "none", "none") if kind != mine])

        def say(kind: str, *, of: str = of, own: str | None = m["own"]) -> str:
            none = "none" if of or own else "no"
            text = (none if kind == "none" else kind) + (of or (" of" if own else ""))
            return text[0].upper() + text[1:] if subject else text

        sets = tuple(
            tuple(Filler(say(claim), *_labels(claim, mine, yours, most=word == "most")) for claim in told)
            for told in _TOLD[frozenset((mine, yours))]
            if subject or told != ("some", "not all")
        )
        if not subject:  # "won not all of them" is no English
            sets = tuple(tuple(filler for filler in told if not filler.text.startswith("not")) for told in sets)
        end = m.end("of") if of else m.end("word")
        yield Fact("quantifier", m.start(), end, sentence[m.start() : end], say(yours), sets=sets)


def _labels(claim: str, old: str, new: str, *, most: bool) -> tuple[Label | None, Label | None]:
    """The claim's label under either evidence.

    Between "all" and "some", what both decide alike is asked of "some" only: "some" itself, and "none".
    """
    labels = _label(old, claim, most=most), _label(new, claim, most=False)
    if labels[0] == labels[1]:
        return (labels[0] if old == "some" else None), (labels[1] if new == "some" else None)
    return labels


def _label(evidence: str, claim: str, *, most: bool) -> Label | None:
    """None where people differ: whether who says "some" means not all, and whether "most" excludes all."""
    if evidence == "some" and claim == "all":
        return None if most else N
    if evidence == "some" and claim == "not all":
        return None
    agree = evidence == claim or (evidence, claim) in (("all", "some"), ("none", "not all"))
    return S if agree else R
