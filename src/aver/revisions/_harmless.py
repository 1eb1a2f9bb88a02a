"""Edits that change no fact: spelling, typography, rewording, the same number or date written another way.

They are the other half of what a detector of factual edits must see: the same sentences, edited, saying the same.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from aver.revisions._lexicon import PARAPHRASES
from aver.text._quantities import SCALES, WORDS

__all__ = ["harmless_edit"]

_SPELLINGS = (
    ("colour", "color"), ("favour", "favor"), ("honour", "honor"), ("centre", "center"), ("theatre", "theater"),
    ("organis", "organiz"), ("recognis", "recogniz"), ("programme", "program"), ("defence", "defense"),
    ("grey", "gray"), ("labour", "labor"), ("travell", "travel"), ("metre", "meter"), ("licence", "license"),
)  # fmt: skip
_NUMBERS = {word: str(value) for word, value in WORDS.items() if 2 <= value <= 12}
_SYNONYMS = (
    ("began", "started"), ("also", "additionally"), ("however", "though"), ("many", "numerous"), ("because", "since"),
    ("help", "assist"), ("big", "large"), ("ended", "concluded"),
    ("shown", "displayed"), ("got", "received"), ("lives", "resides"), ("near", "close to"), ("mainly", "primarily"),
)  # fmt: skip


def harmless_edit(sentence: str, rng: random.Random) -> str | None:
    """The sentence with one to three edits that leave what it says alone; None where none fits.

    >>> harmless_edit("He won two medals at the theatre , about 40 % of them gold .", random.Random(3))
    'He won two medals at the theatre , approximately 40 % of them gold .'
    """
    edited = sentence
    wanted = rng.choice((1, 1, 2, 3))
    edits = list(_EDITS)
    rng.shuffle(edits)
    for edit in edits:
        changed = edit(edited, rng)
        if changed is not None and changed != edited:
            edited, wanted = changed, wanted - 1
            if wanted == 0:
                break
    return edited if edited != sentence else None


def _swap_word(text: str, found: str, instead: str) -> str:
    return re.sub(rf"(?<![\w-]){re.escape(found)}(?![\w-])", instead, text, count=1)


def _about(text: str, rng: random.Random) -> str | None:
    # before a number only: a film may be about something
    return re.sub(r"\babout(?= [$£€]? ?\d)", "approximately", text, count=1)


def _reword(text: str, rng: random.Random) -> str | None:
    fitting = [pair for pair in PARAPHRASES if pair[0] in text]
    fitting += [pair for pair in _SYNONYMS if re.search(rf"\b{pair[0]}\b", text)]
    return _swap_word(text, *rng.choice(fitting)) if fitting else None


def _spelling(text: str, rng: random.Random) -> str | None:
    for british, american in rng.sample(_SPELLINGS, len(_SPELLINGS)):
        for found, instead in ((british, american), (american, british)):
            if re.search(rf"\b{found}", text):
                return re.sub(rf"\b{found}", instead, text, count=1)
    return None


def _number_form(text: str, rng: random.Random) -> str | None:
    for word, digits in rng.sample(list(_NUMBERS.items()), len(_NUMBERS)):
        if re.search(rf"(?<= ){word}(?= )", text):
            return re.sub(rf"(?<= ){word}(?= )", digits, text, count=1)
        if re.search(rf"(?<= ){digits}(?= [a-z])", text):
            return re.sub(rf"(?<= ){digits}(?= [a-z])", word, text, count=1)
    return None


def _percent(text: str, rng: random.Random) -> str | None:
    return re.sub(r" ?%", " percent", text) if "%" in text else text.replace(" percent", " %")


def _date_form(text: str, rng: random.Random) -> str | None:
    months = "January|February|March|April|May|June|July|August|September|October|November|December"
    flipped = re.sub(rf"\b({months}) (\d{{1,2}}) ?, (\d{{4}})", r"\2 \1 \3", text, count=1)
    return flipped if flipped != text else re.sub(rf"\b(\d{{1,2}}) ({months}) (\d{{4}})", r"\2 \1 , \3", text, count=1)


def _comma(text: str, rng: random.Random) -> str | None:
    places = [match.start() for match in re.finditer(r" , (?=and |but |which |who )", text)]
    if places:
        at = rng.choice(places)
        return text[:at] + text[at + 2 :]
    places = [match.start() for match in re.finditer(r" (?:and|but|which) ", text)]
    return text[: places[0]] + " ," + text[places[0] :] if places else None


def _typo(text: str, rng: random.Random) -> str | None:
    # a misspelt number would be another one, or none
    words = [m for m in re.finditer(r"\b[a-z]{6,}\b", text) if m[0] not in WORDS and m[0] not in SCALES]
    if not words:
        return None
    word = rng.choice(words)
    at = word.start() + rng.randrange(1, len(word[0]) - 2)
    kind = rng.random()
    if kind < 0.4:
        return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    return text[:at] + text[at + 1 :] if kind < 0.7 else text[:at] + text[at] + text[at:]


def _aside(text: str, rng: random.Random) -> str | None:
    dropped = re.sub(r" \( (?:/[^()]*|[A-Z]{2,6}|pronounced [^()]*|listen) \)", "", text, count=1)
    return dropped if dropped != text else None


def _quotes(text: str, rng: random.Random) -> str | None:
    if "``" in text:
        return text.replace("``", '"').replace("''", '"')
    name = re.search(r"(?<= )[A-Z]\w+(?: [A-Z]\w+)+", text)
    return text[: name.start()] + f"`` {name[0]} ''" + text[name.end() :] if name and rng.random() < 0.5 else None


def _connective(text: str, rng: random.Random) -> str | None:
    start = re.match(r"(However|Moreover|Additionally|Furthermore|Also|Then|Later) , (\w)", text)
    if start:
        return start[2].upper() + text[start.end() :]
    opening = re.match(r"(?:He|She|It|The|They)(?= )", text)
    if opening is None:
        return None
    connective = rng.choice(("Additionally", "Furthermore", "Moreover", "Notably"))
    return f"{connective} , {opening[0].lower()}{text[opening.end() :]}"


_EDITS: tuple[Callable[[str, random.Random], str | None], ...] = (
    _reword, _about, _spelling, _number_form, _percent, _date_form, _comma, _typo, _aside, _quotes, _connective,
)  # fmt: skip
