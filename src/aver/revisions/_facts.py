"""The places in a sentence where a small edit changes the fact, each with a value to put instead.

A fact is a slot: the sentence around it stays, the filler changes. `fillers` lists what a claim about the slot
can say, with its truth under the old and under the new filler, so one slot yields claims of every label.
"""

from __future__ import annotations

import dataclasses
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal

from aver.labels import Label
from aver.revisions._lexicon import CLASSES, OPPOSITES, ORDINALS, ROLE_VERBS
from aver.text._quantities import MONTHS, WORDS, Date, Quantity, find_dates, find_quantities

__all__ = ["Fact", "Filler", "find_facts", "true_bound"]

S, R, N = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO


@dataclasses.dataclass(frozen=True, slots=True)
class Filler:
    """What a claim says in the slot, and its label when the evidence has the old or the new filler."""

    text: str
    under_old: Label
    under_new: Label


@dataclasses.dataclass(frozen=True, slots=True)
class Fact:
    """A slot of a sentence, what stands there, and what to put instead."""

    kind: str
    start: int
    end: int
    old: str
    new: str
    fillers: tuple[Filler, ...]
    vague: str | None = None
    """What makes the sentence silent about the fact ("several", or nothing at all); None where nothing does."""


def find_facts(
    sentence: str, rng: random.Random, names: Mapping[str, str], pools: Mapping[str, Sequence[str]]
) -> list[Fact]:
    """Every fact of a sentence that can be edited, with one random edit each.

    `names` gives the kind of a name (from the pages' own first sentences), `pools` the names of each kind.
    """
    facts: list[Fact] = []
    for finder in _FINDERS:
        facts.extend(finder(sentence, rng, names, pools))
    return [fact for fact in facts if fact.old != fact.new]


_Finder = Callable[[str, random.Random, Mapping[str, str], Mapping[str, Sequence[str]]], Iterator[Fact]]


# --- numbers ---------------------------------------------------------------------------------------------------

_MORE = ("more than", "over", "at least", "above", "in excess of")
_LESS = ("fewer than", "less than", "under", "below")


def _numbers(sentence: str, rng: random.Random, *_: object) -> Iterator[Fact]:
    for q in find_quantities(sentence):
        if q.value < 2 or q.value > Decimal(10) ** 13 or (q.spelled and q.scale):
            continue
        before = sentence[: q.cue_start].rstrip()
        named = re.search(r"(?:^|\W)[A-Z][\w.]*$", before) is not None and q.cue_start > 0
        if named and not before.endswith(("In", "On", "At", "The", "With", "Of", "For", "By")):
            old = sentence[q.start : q.end]
            new = str(int(q.value) + rng.choice((1, 2, 3, 5)))
            if old.isdigit():  # "Highway 3", "Category 1": a name, not an amount
                yield _swap("number", q.start, q.end, old, new)
            continue
        if before.endswith(("just", "only", "exactly", "than", "number", "top", "No.", "#")):
            continue
        other = _nearby(q, rng)
        if other is None:
            continue
        old, new = _in_words(q, q.value), _in_words(q, other)
        if q.bound == "exact":
            yield Fact(
                "number", q.start, q.end, sentence[q.start : q.end], new, _number_claims(q, other, rng), _vague(q, rng)
            )
        elif q.bound in ("above", "below"):
            cue = sentence[q.cue_start : q.start]
            yield Fact(
                "bounded number", q.cue_start, q.end, sentence[q.cue_start : q.end], cue + new,
                _bounded_claims(q, other, old, new, rng),
            )  # fmt: skip
        elif q.bound == "about" and not min(q.value, other) * Decimal("1.3") > max(q.value, other):
            cue = sentence[q.cue_start : q.start]
            fillers = (Filler(f"{cue}{old}", S, R), Filler(f"{cue}{new}", R, S), *_number_claims(q, other, rng)[2:])
            yield Fact("number", q.cue_start, q.end, sentence[q.cue_start : q.end], cue + new, fillers)


def _nearby(q: Quantity, rng: random.Random) -> Decimal | None:
    """Another value of the same look: mostly near, sometimes far; never the same."""
    unit = Decimal(_scale(q)) * Decimal(10) ** -q.decimals
    steps = q.value / unit
    if q.spelled or steps <= 12:
        change = rng.choice((-5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 7))
        other = steps + change
    else:
        factor = rng.choice((0.02, 0.05, 0.1, 0.1, 0.2, 0.3, 0.5, 1.0, 2.0)) * rng.uniform(0.6, 1.4)
        change = max(1, round(float(steps) * factor))
        other = steps + change if rng.random() < 0.5 or change >= steps else steps - change
        # A round number's neighbour is round, or the edit shows.
        for step in (1000, 500, 100, 50, 10, 5):
            if steps % step == 0 and abs(other - steps) >= step and rng.random() < 0.85:
                other = Decimal(round(other / step) * step)
                break
    if q.percent and other * unit > 100 >= q.value:
        return None
    if other <= 1 or other == steps or (q.spelled and (other > 20 or other != other.to_integral_value())):
        return None
    return other * unit


def _scale(q: Quantity) -> int:
    from aver.text._quantities import SCALES

    return SCALES.get(q.scale, SCALES.get(q.scale.lower(), 1)) if q.scale else 1


_UNDER_21 = {value: word for word, value in WORDS.items()}


def _in_words(q: Quantity, value: Decimal) -> str:
    """Writes a value the way the quantity was written."""
    bare = value / _scale(q)
    if q.spelled and bare == bare.to_integral_value() and int(bare) in _UNDER_21:
        text = _UNDER_21[int(bare)]
    else:
        text = f"{bare:,.{q.decimals}f}" if bare >= 1000 and _commas(q) else f"{bare:.{q.decimals}f}"
    money = f"{q.currency} " if q.currency else ""
    scale = ("" if len(q.scale) <= 2 else " ") + q.scale if q.scale else ""
    return f"{money}{text}{scale}{' %' if q.percent else ''}"


def _commas(q: Quantity) -> bool:
    return q.value / _scale(q) < 1000 or q.end - q.start > len(str(int(q.value / _scale(q))))


def _number_claims(q: Quantity, other: Decimal, rng: random.Random) -> tuple[Filler, ...]:
    low, high = min(q.value, other), max(q.value, other)
    low_is_old = low == q.value
    fillers = [Filler(_in_words(q, q.value), S, R), Filler(_in_words(q, other), R, S)]
    between = _between(q, low, high, rng)
    more, less = rng.choice(_MORE), rng.choice(_LESS)
    if more == "at least":
        fillers.append(Filler(f"at least {_in_words(q, high)}", R if low_is_old else S, S if low_is_old else R))
    else:
        # "more than t" with low <= t < high: wrong for low, right for high
        threshold = between if between is not None and rng.random() < 0.7 else low
        fillers.append(Filler(f"{more} {_in_words(q, threshold)}", R if low_is_old else S, S if low_is_old else R))
    threshold = between if between is not None and rng.random() < 0.7 else high
    fillers.append(Filler(f"{less} {_in_words(q, threshold)}", S if low_is_old else R, R if low_is_old else S))
    if not q.spelled and high >= low * Decimal("1.25"):
        for value, mine, yours in ((q.value, S, R), (other, R, S)):
            rounded = _rounded(q, value)
            if rounded is not None and abs(rounded - value) * 6 < high - low:
                about = rng.choice(
                    ("about", "around", "approximately", "roughly", "nearly" if rounded > value else "about")
                )
                fillers.append(Filler(f"{about} {_in_words(q, rounded)}", mine, yours))
    return tuple(fillers)


def _between(q: Quantity, low: Decimal, high: Decimal, rng: random.Random) -> Decimal | None:
    unit = Decimal(_scale(q)) * Decimal(10) ** -q.decimals
    gap = int((high - low) / unit)
    if gap < 2:
        return None
    value = low + unit * rng.randint(1, gap - 1)
    for digits in (3, 2, 1):  # the roundest number that still lies between, as people write thresholds
        step = unit * 10**digits
        candidate = (value / step).to_integral_value() * step
        if low < candidate < high and rng.random() < 0.8:
            return candidate
    return value


def true_bound(q: Quantity, rng: random.Random) -> str | None:
    """A looser way to say the number that is still true of it: "147" -> "more than 130"."""
    other = _nearby(q, rng)
    if other is None:
        return None
    low, high = min(q.value, other), max(q.value, other)
    limit = _between(q, low, high, rng) or other
    return (
        f"{rng.choice(('more than', 'over'))} {_in_words(q, limit)}"
        if other < q.value
        else f"{rng.choice(_LESS)} {_in_words(q, limit)}"
    )


def _rounded(q: Quantity, value: Decimal) -> Decimal | None:
    unit = Decimal(_scale(q))
    for digits in (3, 2, 1):
        step = unit * 10**digits
        if value >= step * 5:
            rounded = (value / step).to_integral_value() * step
            return rounded if rounded != value else None
    return None


def _bounded_claims(q: Quantity, other: Decimal, old: str, new: str, rng: random.Random) -> tuple[Filler, ...]:
    """Evidence with a bound ("more than 12 million") decides some claims and leaves others open."""
    low, high = min(q.value, other), max(q.value, other)
    low_is_old = low == q.value
    threshold = _in_words(q, _between(q, low, high, rng) or high)

    def filler(text: str, at_low: Label, at_high: Label) -> Filler:
        return Filler(text, at_low if low_is_old else at_high, at_high if low_is_old else at_low)

    more, less = rng.choice(("more than", "over")), rng.choice(_LESS)
    if q.bound == "above":
        return (
            filler(f"{more} {threshold}", N, S),
            filler(f"{less} {threshold}", N, R),
            filler(f"{more} {_in_words(q, low)}", S, S),
            filler(f"{less} {_in_words(q, low)}", R, R),
        )
    return (
        filler(f"{less} {threshold}", S, N),
        filler(f"{more} {threshold}", R, N),
        filler(f"{less} {_in_words(q, high)}", S, S),
        filler(f"{more} {_in_words(q, high)}", R, R),
    )


def _vague(q: Quantity, rng: random.Random) -> str | None:
    if q.currency or q.percent or q.decimals or q.scale:
        return None
    return rng.choice(("several", "many", "a number of", "various"))


# --- dates -----------------------------------------------------------------------------------------------------

_IN = re.compile(r"\b(in|on|In|On)\s$")


def _dates(sentence: str, rng: random.Random, *_: object) -> Iterator[Fact]:
    for date in find_dates(sentence):
        other = _another(date, rng)
        old, new = sentence[date.start : date.end], _written(sentence[date.start : date.end], date, other)
        lead = _IN.search(sentence, max(0, date.start - 4), date.start)
        start = lead.start() if lead else date.start
        before = sentence[start : date.start]
        aside = sentence.count("(", 0, date.start) > sentence.count(")", 0, date.start)
        # In an aside ("born 29 June 1944") the evidence has no preposition, but a claim about it needs one.
        said = ("on " if date.day else "in ") if aside else before
        fillers = [Filler(said + old, S, R), Filler(said + new, R, S)]
        if said:
            fillers += _date_claims(date, other, rng, said[0].isupper())
        yield Fact("date", start, date.end, before + old, before + new, tuple(fillers), "" if lead and start else None)


def _another(date: Date, rng: random.Random) -> Date:
    year, month, day = date.year, date.month, date.day
    part = rng.random()
    if day is not None and part < 0.35:
        days = [d for d in range(max(1, day - 12), min(28, day + 12) + 1) if d != day]
        return dataclasses.replace(date, day=rng.choice(days))
    if month is not None and part < 0.6:
        return dataclasses.replace(
            date, month=rng.choice([m for m in range(1, 13) if m != month]), day=min(day, 28) if day else None
        )
    shift = rng.choice((1, 1, 2, 2, 3, 4, 5, 8, 10, 20, 50))
    return dataclasses.replace(date, year=year + shift if rng.random() < 0.5 and year + shift < 2024 else year - shift)


def _written(text: str, old: Date, new: Date) -> str:
    text = text.replace(str(old.year), str(new.year))
    if old.month and new.month and old.month != new.month:
        text = text.replace(MONTHS[old.month - 1], MONTHS[new.month - 1])
    if old.day and new.day and old.day != new.day:
        text = re.sub(rf"\b{old.day}(?:st|nd|rd|th)?\b", str(new.day), text, count=1)
    return text


def _date_claims(old: Date, new: Date, rng: random.Random, capital: bool) -> list[Filler]:
    early, late = sorted((old, new), key=lambda d: d.key)
    early_is_old = early is old
    found: list[tuple[str, Label, Label]] = []
    if early.year != late.year:
        cut = rng.randint(early.year + 1, late.year)
        found.append((f"{rng.choice(('before', 'prior to'))} {cut}", S, R))
        found.append((f"after {cut - 1}", R, S))
        if early.year // 10 != late.year // 10:
            found.append((f"in the {early.year // 10 * 10}s", S, R))
            found.append((f"in the {late.year // 10 * 10}s", R, S))
        if old.month:
            found.append((f"in {early.year}", S, R))
            found.append((f"in {late.year}", R, S))
    elif early.month and late.month and early.month != late.month:
        found.append((f"in {MONTHS[early.month - 1]} {early.year}", S, R))
        found.append((f"in {MONTHS[late.month - 1]} {late.year}", R, S))
        cut = rng.randint(early.month + 1, late.month)
        found.append((f"before {MONTHS[cut - 1]} {early.year}", S, R))
        found.append((f"after {MONTHS[cut - 2]} {early.year}", R, S))
    elif early.day and late.day and early.month:
        cut = rng.randint(early.day + 1, late.day)
        month = MONTHS[early.month - 1]
        found.append((f"before {month} {cut} , {early.year}", S, R))
        found.append((f"after {month} {cut - 1} , {early.year}", R, S))
    return [
        Filler(
            text[0].upper() + text[1:] if capital else text,
            at_early if early_is_old else at_late,
            at_late if early_is_old else at_early,
        )
        for text, at_early, at_late in found
    ]


# --- words -----------------------------------------------------------------------------------------------------

_CLASS_OF = {member: name for name, members in CLASSES.items() for member in members}
_MEMBER = re.compile(
    r"(?<![\w-])(?:" + "|".join(map(re.escape, sorted(_CLASS_OF, key=len, reverse=True))) + r")(?![\w-])"
)
# A word of these classes is of the class only when this follows it.
_NEEDS = {
    "music": r"^ (?:music|band|singer|musician|song|album|group|artist|guitarist|duo)",
    "reception": r"^ (?:to \w+ )?reviews",
}
_OPPOSITE = dict(OPPOSITES) | {b: a for a, b in OPPOSITES if b not in ("lost", "lower", "rejected", "closed", "cold")}
_TURNABLE = re.compile(
    r"(?<![\w-])(?:" + "|".join(map(re.escape, sorted(_OPPOSITE, key=len, reverse=True))) + r")(?![\w-])"
)
_ORDINAL = re.compile(
    r"(?:(?<=\bthe )|(?<=\bhis )|(?<=\bher )|(?<=\bits )|(?<='s )|(?<=\bThe ))"
    r"(?:(" + "|".join(ORDINALS) + r")|(\d{1,3})(?:st|nd|rd|th))\b(?! century)"
)


def _swap(kind: str, start: int, end: int, old: str, new: str, vague: str | None = None) -> Fact:
    return Fact(kind, start, end, old, new, (Filler(old, S, R), Filler(new, R, S)), vague)


def _classes(sentence: str, rng: random.Random, *_: object) -> Iterator[Fact]:
    for match in _MEMBER.finditer(sentence):
        word = match[0]
        name = _CLASS_OF[word]
        if name in ("month", "colour") or not re.search(_NEEDS.get(name, ""), sentence[match.end() : match.end() + 40]):
            continue
        if word[0].isupper() and _in_a_name(sentence, match.start(), match.end()):
            continue  # "Greek Revival", "Bank of China": part of a name
        others = [other for other in CLASSES[name] if other != word and other not in sentence]
        if others:
            yield _swap("entity" if word[0].isupper() else "word", match.start(), match.end(), word, rng.choice(others))


def _in_a_name(sentence: str, start: int, end: int) -> bool:
    before, after = sentence[:start].rstrip(), sentence[end:].lstrip()
    return after[:1].isupper() or bool(re.search(r"(?:^|[^.] )[A-Z][\w.'’-]*$|\bof$", before))


def _opposites(sentence: str, rng: random.Random, *_: object) -> Iterator[Fact]:
    for match in _TURNABLE.finditer(sentence):
        if sentence[match.end() : match.end() + 6].startswith((" than ", " and ")) and match[0] in ("more", "less"):
            continue  # "more than 40" is a bound, dealt with above
        if match[0] in ("most", "least", "all", "none") and sentence[match.end() :].startswith(" of "):
            continue
        if _OPPOSITE[match[0]] not in sentence:
            yield _swap("comparative", match.start(), match.end(), match[0], _OPPOSITE[match[0]])


def _ordinals(sentence: str, rng: random.Random, *_: object) -> Iterator[Fact]:
    for match in _ORDINAL.finditer(sentence):
        if match[1]:
            new = rng.choice([word for word in ORDINALS[:8] if word != match[1]])
        else:
            number = int(match[2])
            new = _ordinal(max(1, number + rng.choice((-10, -3, -2, -1, 1, 2, 3, 10))))
        yield _swap("ordinal", match.start(), match.end(), match[0], new)


def _ordinal(number: int) -> str:
    suffix = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"


_NAME = re.compile(
    r"(?<![\w.'-])[A-Z][\w.'’&-]*(?: (?:of|the|and|de|van|von|la|&|[A-Z0-9][\w.'’&-]*))*(?<! the)(?<! of)(?<! and)"
)
_ONE_WORD = ("place", "country", "island", "company", "person")  # of other kinds a single word is seldom the name meant
_BY = re.compile(r"\b(by|with|from|at|near|starring)\s$")


def _named(
    sentence: str, rng: random.Random, names: Mapping[str, str], pools: Mapping[str, Sequence[str]]
) -> Iterator[Fact]:
    for match in _NAME.finditer(sentence):
        words = match[0].split(" ")
        # the longest known name at the start of the capitalised run
        for length in range(len(words), 0, -1):
            name = " ".join(words[:length])
            kind = names.get(name)
            if kind is None or name in _CLASS_OF or (length == 1 and (match.start() == 0 or kind not in _ONE_WORD)):
                continue
            pool = pools[kind]
            new = pool[rng.randrange(len(pool))]
            if new not in sentence and name not in new:
                end = match.start() + len(name)
                lead = _BY.search(sentence, max(0, match.start() - 10), match.start())
                vague = "" if lead and re.match(r" [.,;]", sentence[end : end + 2]) else None
                if lead and vague == "":
                    start = lead.start()
                    before = sentence[start : match.start()]
                    yield _swap("entity", start, end, before + name, before + new, "")
                else:
                    yield _swap("entity", match.start(), end, name, new)
            break


_COPULA = re.compile(r"(?<=\w )(is|was|are|were|has been|had been|can|will|could|would)(?= \w)(?! not| never| no )")


def _negations(sentence: str, rng: random.Random, *_: object) -> Iterator[Fact]:
    match = _COPULA.search(sentence)
    if match is None or re.search(r"\b(not|never|no|only|nor|neither|n't)\b", sentence):
        return
    verb = match[0]
    first, _, rest = verb.partition(" ")
    negated = f"{first} not {rest}".rstrip()
    fillers = (
        Filler(verb, S, R),
        Filler(negated, R, S),
        Filler(f"{first} never {rest}".rstrip() if rng.random() < 0.3 else negated, R, S),
    )
    yield Fact("negation", match.start(), match.end(), verb, negated, fillers)


_ROLES = re.compile(
    r"(?<![\w.'-])(?P<a>[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,3}) (?P<verb>" + "|".join(ROLE_VERBS) + r") "
    r"(?P<b>[A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*){0,3})(?= [a-z.,;(])"
)  # fmt: skip


def _roles(sentence: str, rng: random.Random, *_: object) -> Iterator[Fact]:
    for m in _ROLES.finditer(sentence):
        if m["a"] == m["b"] or m["a"] in ("He", "She", "It", "They", "The", "In", "This"):
            continue
        new = f"{m['b']} {m['verb']} {m['a']}"
        passive = ROLE_VERBS[m["verb"]]
        fillers = (
            Filler(m[0], S, R),
            Filler(new, R, S),
            Filler(f"{m['b']} was {passive} by {m['a']}", S, R),
            Filler(f"{m['a']} was {passive} by {m['b']}", R, S),
        )
        yield Fact("roles", m.start(), m.end(), m[0], new, fillers)


_FINDERS: tuple[_Finder, ...] = (_numbers, _dates, _classes, _opposites, _ordinals, _named, _negations, _roles)
