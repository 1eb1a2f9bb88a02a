"""Facts that are amounts: another of the same look, and claims by bounds and rounding whose truth is computed."""

from __future__ import annotations

import dataclasses
import functools
import random
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Literal

from aver.revisions._fact import Fact, Filler, R, S, position, swap
from aver.text._quantities import SCALES, WORDS, Quantity, find_quantities

__all__ = [
    "CONVERTED", "OTHER_MONEY", "THROUGH", "UNIT", "Wording", "amount_use", "find_numbers", "in_words", "loosened",
    "nearby", "quantities", "with_conversion",
]  # fmt: skip

_UNITS = (
    r" (?:sq(?:uare|\.)? )?(?:k?m|cm|mm|km²|km2|mi|ft|in|acres?|hectares?|ha|miles?|"
    r"(?:kilo|centi|milli)?met(?:re|er)s?|feet|foot|inch(?:es)?|yards?|tonn?es?|tons?|k?g|kilograms?|pounds?|lbs?|lit(?:re|er)s?|km/h|mph|knots|degrees|"
    r"seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?|centuries|MW|kW|hp|GB|MB)\b"
)
UNIT = re.compile(_UNITS)
_MEASURED = re.compile(rf"{_UNITS}| ?°")
THROUGH = re.compile(
    _UNITS + r"| (?:[a-z]+ )?(?:seasons|episodes|games|matches|rounds|legs|volumes|nights|sessions|issues|laps|sets)\b"
)
# "( 6 mi )" after "10 kilometres": the same length once more, which has to change along
CONVERTED = re.compile(
    r"(?P<unit> [a-zA-Z²³/]+(?: [a-z²³]+)?)(?P<open> ?\( ?)(?P<number>\d[\d,]*(?:\.\d+)?)"
    r"(?P<close> [a-zA-Z²³/]+(?: [a-z²³]+)? ?\))"
)
_ODD_CONVERSION = re.compile(rf"{_UNITS} ?\( ?\d")
OTHER_MONEY = re.compile(
    r"(?P<unit>)(?P<open> ?\( ?(?:US|A|C|NZ|HK)?[$£€¥] ?)(?P<number>\d[\d,]*(?:\.\d+)?)(?P<close>(?: ?[a-z]+)? ?\))"
)
_GAMES = r"(?:games?|sets?|frames?|goals?|matches|legs?|points?|rounds?|wins?|votes?|runs?)"
_RANGE_AFTER = re.compile(
    rf"(?:{_UNITS}| %)?\s?(?:to|-|–|—|or|and|through|×|x|out of|of the)\s?(?:[$£€¥]\s?)?\d|{_UNITS} (?:and )?\d|\s?[/×]"
    rf"| (?:to|or|and) (?:{'|'.join(list(WORDS)[1:])})\b"
    rf"| {_GAMES} to (?:\d|(?:{'|'.join(WORDS)})\b)"
)
_RANGE_BEFORE = re.compile(
    rf"(?:(?:\d\S*|\b(?:{'|'.join(list(WORDS)[1:])}))(?: million| billion| {_GAMES}(?= to))? "
    r"(?:to|or|through|and|×|x|-|–)|\d"
    + _UNITS
    + r"(?: and)?|\bbetween|\bscore of|\d ?[,×/](?: (?:and|or))?)\s?[$£€¥]?\s?$"
)
_OUT_OF = re.compile(
    rf"(?:\d|\b(?:{'|'.join(list(WORDS)[1:])}))(?: [a-z-]+){{0,2}} out of"
    r"(?: (?:a|the))?(?: (?:possible|total))?(?: of)? $"
)
_LAST = re.compile(r"([\w.#'-]+)\W*$")
_NO_CLAIM = {
    "just",
    "within",  # two weeks is within six
    "only",
    "exactly",
    "than",
    "number",
    "numbered",
    "top",
    "no.",
    "#",
    "no",
    "nos.",
    "minus",
    "plus",
    "year",
}
# After these words a number says which, not how many: it can be exchanged, but not bounded.
_WHICH = set(
    "the his her its their our my these those all following previous preceding remaining former "
    "first last next other past final every another 's both "
    "grade grades chapter chapters season seasons episode volume part parts section route highway aged age channel act "
    "page line level round class type size division district group week day year phase stage tier step item rule "
    "article title game lap record double under-18 model area region room platform track units unit figure "
    "pick picks exit gate lane bus terminal pier "
    "seed seeded ranked numbered form version day highest largest lowest best".split()
)
_DEGREES = re.compile(r" ?(?:\+|\d*[⁄½¼¾]|[′″]|°(?! ?[CF]\b))")
_YEAR = re.compile(r" ?[,.;]| (?:by|during|in|as|and|at|to|when|after|before|with|the|he|she|it|under|on)\b")
_CODE = re.compile(r"\b(?:code|number)s? (?:is|was|are|were|of) $", re.IGNORECASE)
_RECORD = re.compile(r"-(?:best|high|low|record|leading) $")
_LENGTH = re.compile(r" ?(?:k?m|(?:kilo)?met(?:re|er)s?|miles?|yards?)\b")
_ATTRIBUTE = re.compile(
    r" (?:point|man|woman|year|month|week|day|hour|minute|way|part|piece|storey|story|star|time|foot|mile|metre|meter|"
    r"inch|seat|bedroom|door|ton|episode|game|song|track|lap|round|volume|page) [a-z]"
)
_COUNTED_OUT = re.compile(r"[^:;]{0,120}?[a-z)] ?: ?[A-Z][^:;]*(?:,|\band\b)")
_ONE_LOT = re.compile(r"\b(?:[Aa]n?|[Aa]nother|[Tt]he|[Ii]ts|[Hh]is|[Hh]er|[Tt]heir) [a-z-]+ $")
_LATER = re.compile(r" \w+ (?:later|earlier|ago)\b")
_BY_THE_CLOCK = re.compile(r" ?[ap]\.?m\b")
_NOT_AN_AMOUNT = re.compile(r" (?:BC|BCE|AD|CE|am|pm|a\.m|p\.m|o'clock|BST|GMT|UTC|[A-Z][a-z]+)\b| [A-Z]\. [A-Z]")


@functools.lru_cache(maxsize=256)
def quantities(sentence: str) -> tuple[Quantity, ...]:
    """As `find_quantities`; kept for a while, since several finders ask."""
    return tuple(find_quantities(sentence))


def find_numbers(sentence: str, rng: random.Random, *_: object) -> Iterator[Fact]:
    """The amounts of a sentence, exact ("147 reviews") or not quite ("about 12 million"), and numbered names."""
    for q in quantities(sentence):
        written = sentence[q.start : q.end]
        use = amount_use(sentence, q)
        if use is None:
            continue
        if use == "name":  # "Highway 3", "Category 1": a name, not an amount
            if written.isdigit() and position(sentence, q.start) == "predicate":
                yield swap("number", q.start, q.end, written, str(int(written) + rng.choice((1, 2, 3, 5))))
            continue
        if use == "which" and position(sentence, q.start) != "predicate":
            continue  # "The 50 kilometre event was …" says nothing about the 30 kilometre event
        other = nearby(q, rng)
        if other is None:
            continue
        new = _like(written, q, other)
        say = Wording(sentence, q)
        if q.bound == "exact":
            fillers: tuple[Filler, ...] = (Filler(written, S, R), Filler(new, R, S))
            if use == "amount":
                fillers += _bounds(q, other, say, rng) + _roundings(q, other, say, rng)
            fact = Fact("number", q.start, q.end, written, new, fillers, _vague(sentence, q, use, rng))
            yield with_conversion(sentence, fact, q, other)
            continue
        cue = sentence[q.cue_start : q.start]
        if use == "amount" and q.bound == "about" and max(q.value, other) >= min(q.value, other) * Decimal("1.3"):
            fillers = (Filler(cue + written, S, R), Filler(cue + new, R, S), *_bounds(q, other, say, rng, loose=True))
            fact = Fact("number", q.cue_start, q.end, cue + written, cue + new, fillers)
            yield with_conversion(sentence, fact, q, other)


def loosened(text: str, rng: random.Random, slot: str) -> str:
    """Replaces exact amounts of a text by bounds that hold: "147 reviews" -> "more than 130 reviews".

    What touches the slot stays as it is.
    """
    for q in reversed(list(find_quantities(text))):
        if q.bound != "exact" or q.spelled or q.value <= 3 or slot in text[max(0, q.start - 4) : q.end + 4]:
            continue
        if re.match(rf" (?:[a-z-]+ )?out of \S* ?{slot}", text[q.end :]):
            continue
        if amount_use(text, q) != "amount" or rng.random() >= 0.7:
            continue
        other = nearby(q, rng)
        if other is None:
            continue
        say = Wording(text, q)
        limit = _between(q, min(q.value, other), max(q.value, other), rng) or other
        bound = rng.choice(say.more[:2]) if other < q.value else rng.choice(say.less)
        text = f"{text[: q.start]}{bound} {say(limit)}{text[q.end :]}"
    return text


def amount_use(sentence: str, q: Quantity) -> Literal["amount", "which", "name"] | None:
    """What a number is there for: to say how many, to say which, as part of a name; None where it is best let be."""
    if q.value < 2 or q.value > Decimal(10) ** 13 or (q.spelled and q.scale):
        return None
    before, written = sentence[: q.cue_start], sentence[q.start : q.end]
    plain = not (q.currency or q.percent or q.scale or q.spelled or q.decimals)
    if plain and len(written) == 4 and 1000 <= q.value <= 2100:
        return None  # a year that no preposition marks: "their 1938 victory"
    if q.start == 0 and re.match(r" (?:and|or|is|was)\b", sentence[q.end :]):
        return None  # "18 and Life is a song"
    if q.value <= 20 and _COUNTED_OUT.match(sentence, q.end):
        return None  # "two genera : Corymbia and Eucalyptus": who counts them knows
    if before.count("(") > before.count(")") or before.count("[") > before.count("]"):
        return None  # no claim is made of what stands in an aside
    if _BY_THE_CLOCK.match(sentence, q.end) and q.decimals:
        return None  # "7.45 p.m."
    if _DEGREES.match(sentence, q.end) or (plain and len(written) == 3 and _YEAR.match(sentence, q.end)
                                           and before.endswith(("in ", "In "))):  # fmt: skip
        return None  # "45°26′N", "in 794 by the monks"
    if _ODD_CONVERSION.match(sentence, q.end) and not CONVERTED.match(sentence, q.end):
        return None  # "2.03 m ( 6 ft 8 in )": what stands in brackets would stay
    if _RANGE_AFTER.match(sentence, q.end) or _RANGE_BEFORE.search(before[-24:]) or _OUT_OF.search(before[-40:]):
        return None  # "2 to 3 million", "6 feet 2 inches", "7 and 8", "10 out of 11"
    found = _LAST.search(before[-30:])
    last = found[1] if found else ""
    if last.lower() in _NO_CLAIM or before.endswith(("#", "# ", "+", "-", "/ ", "'", "' ")):
        return None
    if last[:1].isupper() and before.rstrip().endswith(last) and last not in _SENTENCE_STARTS:
        return "name" if q.bound == "exact" and plain else None
    if last == "the" and _LENGTH.match(sentence, q.end):
        return None  # "champion in the 20 kilometres", and perhaps in the 10 kilometres
    if last.lower() in _WHICH or before.rstrip().endswith(
        ("age of", "aged", "one of", "round of", "record of", "score of")
    ):
        return "which"
    if _ATTRIBUTE.match(sentence, q.end) or _ONE_LOT.search(before):
        return "which"  # "a three point total", "an unprecedented five", "the original 13"
    if _LATER.match(sentence, q.end) or _CODE.search(before) or _RECORD.search(before):
        return "which"  # "three years later", "its ZIP code is", "a career-high"
    if last in ("At", "at") and re.match(r" ?,", sentence[q.end :]):
        return "which"  # "At 21 , he left": an age
    if _NOT_AN_AMOUNT.match(sentence, q.end) and not (q.currency or q.percent or q.scale):
        return "which"
    return "amount"


_SENTENCE_STARTS = ("In", "On", "At", "The", "With", "Of", "For", "By", "About", "Over", "From", "To", "Has")


@dataclasses.dataclass(frozen=True, slots=True)
class Wording:
    """How to say an amount, and bounds of it, in this place of this sentence."""

    sentence: str
    q: Quantity

    def __call__(self, value: Decimal) -> str:
        # nobody writes "less than 3,399.00"
        if self.q.spelled:
            return in_words(int(value / _scale(self.q)))
        whole = self.q.decimals and value % _scale(self.q) == 0
        q = dataclasses.replace(self.q, decimals=0) if whole else self.q
        return _like(self.sentence[self.q.start : self.q.end], q, value)

    @property
    def measured(self) -> bool:
        q = self.q
        return bool(q.currency or q.percent or q.decimals or _MEASURED.match(self.sentence, q.end))

    @property
    def after_preposition(self) -> bool:
        # "performed in over two projects" stumbles
        return (
            re.search(r"\b(?:[Ii]n|[Aa]t|[Oo]n|of|[Ww]ith|to|into|[Ff]or)\s$", self.sentence[: self.q.cue_start])
            is not None
        )

    @property
    def after_at(self) -> bool:
        # "at at least"
        return re.search(r"\b[Aa]t\s$", self.sentence[: self.q.cue_start]) is not None

    @property
    def more(self) -> tuple[str, ...]:
        """Bounds from below, strict ones first; "at least" is the last."""
        if self.after_preposition:
            return ("more than", "more than", "no less than" if self.after_at else "at least")
        return ("more than", "over", *(("in excess of",) if self.q.value >= 100 else ()), "at least")

    @property
    def less(self) -> tuple[str, ...]:
        if self.measured:
            return ("less than", "less than") if self.after_preposition else ("less than", "under")
        return ("fewer than", "fewer than") if self.after_preposition or self.q.spelled else ("fewer than", "under")


def _like(written: str, q: Quantity, value: Decimal) -> str:
    """Writes a value the way another was written: same currency, scale, per cent sign, decimals and commas."""
    bare = value / _scale(q)
    if q.spelled:
        word = in_words(int(bare))
        return word.capitalize() if written[:1].isupper() else word
    digits = re.search(r"\d[\d,]*(?:\.\d+)?", written)
    assert digits is not None, "a quantity that is not spelled has digits"
    commas = "," in digits[0] or q.value / _scale(q) < 1000
    text = f"{bare:,.{q.decimals}f}" if commas else f"{bare:.{q.decimals}f}"
    return written[: digits.start()] + text + written[digits.end() :]


_IN_WORDS = {value: word for word, value in WORDS.items()}


def in_words(number: int) -> str:
    """Below a thousand.

    >>> in_words(105)
    'one hundred and five'
    """
    hundreds, rest = divmod(number, 100)
    if hundreds:
        return f"{_IN_WORDS[hundreds]} hundred" + (f" and {in_words(rest)}" if rest else "")
    tens, ones = divmod(rest, 10)
    return _IN_WORDS.get(rest) or f"{_IN_WORDS[10 * tens]}-{_IN_WORDS[ones]}"


def _scale(q: Quantity) -> int:
    return SCALES.get(q.scale, SCALES.get(q.scale.lower(), 1)) if q.scale else 1


def nearby(q: Quantity, rng: random.Random) -> Decimal | None:
    """Another value of the same look: mostly near, sometimes far; never the same."""
    unit = Decimal(_scale(q)) * Decimal(10) ** -q.decimals
    steps = q.value / unit
    if q.spelled or steps <= 12:
        other = steps + rng.choice((-5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 7))
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
    if other <= 1 or other * unit < 2 or other == steps:
        return None
    if q.spelled and other >= 100:
        return None
    return other * unit


def _between(q: Quantity, low: Decimal, high: Decimal, rng: random.Random, *, margin: int = 1) -> Decimal | None:
    """A value strictly between two, at least `margin` of the last written digit's steps from either."""
    unit = Decimal(_scale(q)) * Decimal(10) ** -q.decimals
    gap = int((high - low) / unit)
    if gap < 2 * margin:
        return None
    value = low + unit * rng.randint(margin, gap - margin)
    if q.spelled:
        return value
    for digits in (3, 2, 1):  # the roundest number that still lies between, as people write thresholds
        step = unit * 10**digits
        candidate = (value / step).to_integral_value() * step
        if low + unit * margin <= candidate <= high - unit * margin and rng.random() < 0.8:
            return candidate
    return value


def _bounds(
    q: Quantity, other: Decimal, say: Wording, rng: random.Random, *, loose: bool = False
) -> tuple[Filler, ...]:
    """ "more than" and "fewer than" something that parts the two values.

    Where the evidence itself says "about" (`loose`), the threshold keeps clear of both.
    """
    low, high = min(q.value, other), max(q.value, other)
    at_low, at_high = (S, R) if low == q.value else (R, S)
    if loose:
        clear = [low + (high - low) * part / 10 for part in (4, 5, 6)]
        found = [v for v in (_round_in(q, value, low, high) for value in clear) if v is not None]
        if not found:
            return ()
        over = below = rng.choice(found)
        more = rng.choice(say.more)
    else:
        between = _between(q, low, high, rng)
        more = rng.choice(say.more)
        # "at least high" and "more than low" part them as well
        over = between if between is not None and rng.random() < 0.7 else high if more == say.more[-1] else low
        below = between if between is not None and rng.random() < 0.7 else high
    return (
        Filler(f"{more} {say(over)}", at_high, at_low),
        Filler(f"{rng.choice(say.less)} {say(below)}", at_low, at_high),
    )


def _round_in(q: Quantity, value: Decimal, low: Decimal, high: Decimal) -> Decimal | None:
    unit = Decimal(_scale(q)) * Decimal(10) ** -q.decimals
    clear = (high - low) / 4
    for digits in (3, 2, 1, 0):
        candidate = (value / (unit * 10**digits)).to_integral_value() * unit * 10**digits
        if low + clear <= candidate <= high - clear:
            return candidate
    return None


def _roundings(q: Quantity, other: Decimal, say: Wording, rng: random.Random) -> tuple[Filler, ...]:
    """ "about 1,300" for 1,330, where the two values are far enough apart."""
    low, high = min(q.value, other), max(q.value, other)
    fillers = []
    if not q.spelled and high >= low * Decimal("1.25"):
        for value, mine, yours in ((q.value, S, R), (other, R, S)):
            rounded = _rounded(q, value)
            if rounded is not None and abs(rounded - value) * 6 < high - low:
                ways = ("about", "around", "approximately", "roughly", "nearly" if rounded > value else "about")
                fillers.append(Filler(f"{rng.choice(ways)} {say(rounded)}", mine, yours))
    return tuple(fillers)


def _rounded(q: Quantity, value: Decimal) -> Decimal | None:
    unit = Decimal(_scale(q))
    for digits in (3, 2, 1):
        step = unit * 10**digits
        if value >= step * 5:
            rounded = (value / step).to_integral_value() * step
            return rounded if rounded != value else None
    return None


def _vague(sentence: str, q: Quantity, use: str, rng: random.Random) -> str | None:
    """A word that says neither how many nor how few; only before a plural noun."""
    if use != "amount" or q.currency or q.percent or q.decimals or q.scale or ":" in sentence[q.end :]:
        return None  # after a colon they are often listed: who counts them knows
    noun = re.match(r" ((?:[a-z-]+ )?[a-z]{3,}s)\b", sentence[q.end :])
    if noun is None or noun[1].split()[-1] in ("was", "has", "does", "this", "its", "his", "towards", "times", "years"):
        return None
    if q.value <= 20:  # "several" is more than two, "many" more than six or so
        return rng.choice(("a number of", "some", "a certain number of"))
    return (
        None if UNIT.match(sentence, q.end) else rng.choice(("many", "numerous", "a large number of", "a number of"))
    )


def with_conversion(sentence: str, fact: Fact, q: Quantity, other: Decimal) -> Fact:
    """ "10 kilometres ( 6 mi )": the second figure changes with the first, and a claim names the first only."""
    found = (OTHER_MONEY if q.currency else CONVERTED).match(sentence, q.end)
    if found is None:
        return fact
    unit = found["unit"]
    second = Decimal(found["number"].replace(",", ""))
    decimals = len(found["number"].partition(".")[2])
    changed = found["number"] if other == q.value else f"{second * other / q.value:,.{decimals}f}"
    return dataclasses.replace(
        fact, end=found.end(), old=sentence[fact.start : found.end()],
        new=fact.new + unit + found["open"] + changed + found["close"], vague=None,
        fillers=tuple(dataclasses.replace(f, text=f.text + unit) for f in fact.fillers),
        sets=tuple(tuple(dataclasses.replace(f, text=f.text + unit) for f in told) for told in fact.sets),
    )  # fmt: skip
