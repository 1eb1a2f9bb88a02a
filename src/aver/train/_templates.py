"""Sentences from templates, for what few sentences of an encyclopedia offer: the same told from the other end.

"Beth is younger than Ann" says that Ann is older, "the Blues lost to the Reds" that these won; 99 acres are 40 hectares
or so. Each claim comes with an evidence that supports it, one that refutes it, and one that leaves it open.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from aver.labels import Label
from aver.revisions._fact_units import UNITS, Measure, Unit, Writer, apart

__all__ = ["Templated", "comparisons", "measures"]

S, R, N = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO


class Templated(NamedTuple):
    """A claim and an evidence from templates, and the label that follows."""

    claim: str
    evidence: str
    label: Label


class _Relation(NamedTuple):
    """Ways to say that A stands to B so: `same` begin with A, `other` with B."""

    same: tuple[str, ...]
    other: tuple[str, ...]
    alone: bool = False
    """Whether it excludes that another stands so: who was killed by Ann was not killed by Beth."""


def _pair(same: str, other: str, *, alone: bool = False) -> _Relation:
    return _Relation(tuple(same.split("|")), tuple(other.split("|")), alone)


def _than(words: str) -> list[_Relation]:
    pairs = [pair.replace("_", " ").split("/") for pair in words.split()]
    return [_pair(f"is {more} than", f"is {less} than") for more, less in pairs]


def _times(verbs: str) -> list[_Relation]:
    return [_pair(f"{v} before|{v} earlier than", f"{v} after|{v} later than") for v in verbs.split("|")]


_PEOPLE = [
    *_than("taller/shorter heavier/lighter faster/slower richer/poorer stronger/weaker"),
    _pair("is older than|was born before|was born earlier than", "is younger than|was born after|was born later than"),
    *_times("died|retired|arrived|finished"),
    _pair("beat|defeated|won against", "lost to|was beaten by|was defeated by"),
    _pair("taught|was a teacher of", "was taught by|was a student of|studied under"),
    _pair("is a child of|is the son of", "is a parent of|is the father of", alone=True),
    _pair("hired|employed", "was hired by|was employed by"),
    _pair("succeeded|was the successor of", "was succeeded by|preceded|was the predecessor of", alone=True),
    _pair("sold the house to", "bought the house from", alone=True), _pair("lent money to", "borrowed money from"),
    _pair("killed|murdered", "was killed by|was murdered by", alone=True),
    _pair("influenced", "was influenced by"), _pair("praised", "was praised by"), _pair("sued", "was sued by"),
    _pair("criticised", "was criticised by"), _pair("scored more goals than", "scored fewer goals than"),
]  # fmt: skip
_PLACES = [
    *_than("older/younger richer/poorer warmer/colder higher/lower wetter/drier"),
    _pair("is larger than|is bigger than", "is smaller than"),
    _pair("is north of|lies to the north of", "is south of|lies to the south of"),
    _pair("is east of|lies to the east of", "is west of|lies to the west of"),
    _pair("has more inhabitants than|is more populous than", "has fewer inhabitants than|is less populous than"),
    _pair("invaded", "was invaded by"), _pair("exports more than", "exports less than"),
]  # fmt: skip
_THINGS = [
    *_than("longer/shorter heavier/lighter wider/narrower deeper/shallower faster/slower older/newer"),
    _pair("is larger than|is bigger than", "is smaller than"), _pair("is taller than|is higher than", "is lower than"),
    *_times("opened|was completed|closed"),
    _pair("is above|stands above", "is below|stands below"),
    _pair("is more expensive than|costs more than", "is cheaper than|costs less than"),
    _pair("is to the left of", "is to the right of"), _pair("replaced", "was replaced by", alone=True),
]  # fmt: skip
_GROUPS = [
    *_than("older/younger richer/poorer larger/smaller"),
    _pair("beat|defeated|won against", "lost to|was beaten by|was defeated by"),
    _pair("bought|acquired|took over", "was bought by|was acquired by|was taken over by", alone=True),
    _pair("owns|is the parent company of", "is owned by|belongs to|is a subsidiary of", alone=True),
    _pair("sued", "was sued by"), _pair("supplies", "is supplied by"),
    _pair("finished ahead of", "finished behind"), _pair("was ranked above", "was ranked below"),
    _pair("earned more than", "earned less than"), *_times("was founded"),
]  # fmt: skip
# What holds both ways, so that exchanged names alone do not speak against a claim.
_BOTH_WAYS = {
    "people": "married|met|worked with|is as old as|is related to|was a friend of|collaborated with",
    "places": "borders|is near|is as large as|is twinned with|shares a border with",
    "things": "is as long as|is as tall as|is next to|is connected to|is as old as",
    "groups": "merged with|drew with|competed against|is as large as|played against",
}
_RELATIONS = {"people": _PEOPLE, "places": _PLACES, "things": _THINGS, "groups": _GROUPS}
_NOUNS = (
    "pier church library palace castle canal school station theatre hotel hospital temple ship viaduct house garden "
    "dam road river wall airport stadium lighthouse barn mill"
).split()
_FIRST = (
    "Carl Dora Emil Fred Greta Hugo Ida Jack Karen Leo Mary Nora Otto Paul Rita Sam Tom Vera Will Anna Peter "
    "Laura David Sarah James Maria Robert Linda Ahmed Chen Yuki Priya Omar Elena"
).split()
_SIDES = "Greens Whites Lions Tigers Bears Eagles Hawks Rovers Wanderers Giants Sharks Wolves Falcons".split()
_TOWNS = (
    "Turin Leeds Porto Bergen Graz Ghent Basel Krakow Malaga Osaka Lagos Quito Perth Boston Denver Dallas Lima Hanoi "
    "Cardiff"
).split()
_CONTEXT = ("{}", "{}", "{}", "According to reports , {}", "Today , {}", "Records say that {}", "It is known that {}")
_DEGREES = ("", "", "", "much ", "slightly ", "a little ", "far ")
_PLAIN = {
    "people": _FIRST, "places": _TOWNS, "groups": [f"the {side}" for side in _SIDES],
    "things": [f"the {noun}" for noun in _NOUNS],
}  # fmt: skip


def comparisons(pools: Mapping[str, Sequence[str]], rng: random.Random, groups: int) -> Iterator[Templated]:
    """Groups of pairs about two things and how one stands to the other, told from either end."""
    for _ in range(groups):
        kind = rng.choice(list(_RELATIONS))
        a, b, c = _named(kind, pools, rng)
        context = rng.choice(_CONTEXT)
        if rng.random() < 0.15:
            how = rng.choice(_BOTH_WAYS[kind].split("|"))
            claim = _sentence(f"{a} {how} {b}", "{}")
            yield Templated(claim, _sentence(f"{b} {how} {a}", context), S)
            yield Templated(claim, _sentence(f"{b} {how} {c}", context), N)
            continue
        relation = rng.choice(_RELATIONS[kind])
        unlike = rng.choice([r for r in _RELATIONS[kind][:3] if r is not relation])
        independent = relation.alone or (relation in _RELATIONS[kind][:3] and rng.random() < 0.5)
        for one, two in ((a, b), (b, a)):
            claim = _sentence(_told(relation, one, two, rng), "{}")
            yield Templated(claim, _sentence(_told(relation, one, two, rng, _DEGREES), context), S)
            yield Templated(claim, _sentence(_told(relation, two, one, rng, _DEGREES), context), R)
            others = (one, c) if rng.random() < 0.5 else (c, two)
            apart = unlike if independent else relation
            yield Templated(
                claim, _sentence(_told(apart, *((one, two) if independent else others), rng, _DEGREES), context), N
            )


def _named(kind: str, pools: Mapping[str, Sequence[str]], rng: random.Random) -> list[str]:
    names = {"people": pools.get("person"), "places": pools.get("place"), "groups": pools.get("company")}.get(kind)
    return rng.sample(list(names) if names and len(names) > 2 and rng.random() < 0.6 else _PLAIN[kind], 3)


def _told(relation: _Relation, a: str, b: str, rng: random.Random, degrees: Sequence[str] = ("",)) -> str:
    text = f"{a} {rng.choice(relation.same)} {b}" if rng.random() < 0.5 else f"{b} {rng.choice(relation.other)} {a}"
    return text.replace(" is ", f" is {rng.choice(degrees)}") if " than " in text else text


def _sentence(text: str, context: str) -> str:
    whole = context.format(text[0].lower() + text[1:] if text.startswith(("The ", "It ", "They ")) else text)
    return f"{whole[0].upper()}{whole[1:]} ."


_MEASURED = {
    "length": ("The canal is {} long", "The pier is {} in length", "The mast is {} high", "The lake is {} deep",
               "The village lies {} from the coast", "The nave is {} wide", "They walked {}"),
    "area": ("The reserve has an area of {}", "The estate has an area of {}", "The island measures {}",
             "The farm is {} in size", "The fire burned {}"),
    "mass": ("The bell weighs {}", "The statue has a mass of {}", "The load weighed {}", "The crate weighs {}"),
    "speed": ("The train reached {}", "The wind blew at {}", "The car has a top speed of {}"),
    "power": ("The engine has {}", "The plant produces {}", "The motor delivers {}"),
    "volume": ("The tank holds {}", "The pool holds {}", "They used {} of water"),
    "time": ("The journey lasted {}", "The film lasts {}", "The siege lasted {}", "The flight took {}"),
    "age": ("The reign lasted {}", "The work took {}", "The tree is {} old"),
    "temperature": ("The water was {}", "The temperature reached {}", "The mean in July is {}", "The room was at {}"),
}  # fmt: skip
_BOUNDS = {"over": 1, "more than": 1, "at least": 1, "under": -1, "less than": -1, "at most": -1}


def measures(rng: random.Random, groups: int) -> Iterator[Templated]:
    """Groups of pairs about one measure, in two units: converted well, converted badly, and not told."""
    by_dimension = {name: [unit for unit in UNITS if unit.dimension == name] for name in _MEASURED}
    for _ in range(groups):
        name = rng.choice(list(_MEASURED))
        written = rng.choice(by_dimension[name])
        old = Measure(_number(written, rng), written)
        unit = rng.choice(by_dimension[name])
        new = Measure(old.value, unit) if rng.random() < 0.4 else _times_some(old, rng)
        told, wrong = old.into(unit), new.into(unit)
        if not all(m.usual and m.value != 1 for m in (old, told, wrong)) or not apart(told, wrong):
            continue
        say = Writer(False, rng.random() < 0.5, rng.random() < 0.5)
        frame, other = rng.sample(_MEASURED[name], 2)
        bound = rng.choice(("", "", "", *_BOUNDS))
        if bound:
            # the claim's limit lies between the two measures, well apart from both
            low, high = sorted((told.value, wrong.value))
            middle = (low * high) ** 0.5 if min(told.base, wrong.base) > 0 else (low + high) / 2
            limit = Measure(float(f"{middle:.2g}"), unit)
            if not low * 1.04 < limit.value < high * 0.96:
                continue
            above = told.value > limit.value
            words = [word for word, way in _BOUNDS.items() if (way > 0) == above]
            others = [word for word in _BOUNDS if word not in words]
            claims = f"{rng.choice(words)} {say(limit, rng)}", f"{rng.choice(others)} {say(limit, rng)}"
        else:
            claims = say(told, rng), say(wrong, rng)
        right, fault = say(old, rng), say(wrong if rng.random() < 0.5 else new, rng)
        for claim, labels in zip(claims, ((S, R), (R, S)), strict=True):
            text = _sentence(frame.format(claim), "{}")
            for said, label in zip((right, fault), labels, strict=True):
                yield Templated(text, _sentence(frame.format(said), rng.choice(_CONTEXT)), label)
            yield Templated(text, _sentence(other.format(right), "{}"), N)


def _number(unit: Unit, rng: random.Random) -> float:
    low, high = max(2.0, unit.least), min(unit.most, unit.least * 2000 if unit.least > 0 else 120)
    value = low * (high / low) ** rng.random()
    value = float(f"{value:.{rng.choice((1, 2, 2, 3))}g}")
    return round(value) if unit.dimension in ("time", "age", "temperature") else value


def _times_some(old: Measure, rng: random.Random) -> Measure:
    value = old.value * rng.choice((0.3, 0.5, 0.7, 1.5, 2, 3))
    if old.unit.dimension == "temperature":
        value = old.value + rng.choice((-30, -15, -8, 8, 15, 30))
    whole = old.unit.dimension in ("time", "age", "temperature")
    return Measure(round(value) if whole else float(f"{value:.3g}"), old.unit)
