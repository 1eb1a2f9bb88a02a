"""The dates and times of a text as figures: also ISO and short ones, decades and centuries, "between 1990 and 1995"."""

from __future__ import annotations

import dataclasses
import datetime
import re
from collections.abc import Iterator
from decimal import Decimal

from aver.text import Date, find_dates, find_periods, find_unit
from aver.text._quantities import MONTHS
from aver.verify._figure import BETWEEN, NEAR, Figure, Range, is_negated

__all__ = ["find_clock", "find_date_figures"]

_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_MONTH_NAMES = "|".join(MONTHS)
_MONTH = rf"(?P<month>{'|'.join(_MONTHS)})(?:t|y|e|\w{{2,6}})?\.?"
_OTHER_DATES = (
    re.compile(r"(?<![\w.-])(?P<year>[12]\d{3})-(?P<number>\d\d)-(?P<day>\d\d)(?![\w-])"),
    re.compile(rf"\b{_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:\s?,\s?|\s)(?P<year>[12]\d{{3}})\b"),
    re.compile(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?{_MONTH},? (?P<year>[12]\d{{3}})\b"),
)
_SHORT_MONTH = re.compile(rf"\b(?P<month>Sept|{'|'.join(_MONTHS)})\b\.?,? (?P<year>[12]\d{{3}})\b")
_SHORT_QUARTER = re.compile(r"\b(?:Q(?P<number>[1-4])|(?P<number2>[1-4])Q)[\s/-]?(?:of\s)?(?P<year>19\d\d|20\d\d)\b")
_YEARS = re.compile(
    r"(?<![\w$£€¥.,:/–—−-])(?P<first>1\d{3}|20\d\d)(?P<dash>[–—-])(?P<last>1\d{3}|20\d\d|\d\d)(?![\w%/:–—-]|[.,]\d)"
)
"""From one year to another, "1990–95"; "2010-12" may be December 2010."""
_ABOUT_YEAR = re.compile(
    r"\b(?:around|about|circa|approximately|c\.|ca\.) (?P<year>1\d{3}|20\d\d)\b(?! [a-z]|[,.]\d|\s?%)"
)
_BEFORE_CHRIST = re.compile(
    r"(?P<about>\b(?:around|about|circa|approximately|c\.|ca\.)\s)?(?<![\d.,:/−])(?P<year>\d{1,4})"
    r"(?:\s?(?:BCE?\b|B\.C\.)|(?=\s?(?:to|and|–|-)\s?\d{1,4}\s?(?:BCE?\b|B\.C\.)))"
)
_NO_YEAR = re.compile(r"\s?(?:[€$£¥%]|(?:EUR|USD|GBP|JPY|CHF)\b|(?:US )?dollars?\b|euros?\b|yen\b|per ?cent\b)")
"""Behind what looks like a year: it was a sum or a share."""
_IN_BRACKETS, _NAMED = re.compile(r"\(\s?$"), re.compile(r"\s[^()\d]+\)")
"""Around a year that tells one of a name from another, "(2012 film)"."""
_THE, _EVENT = re.compile(r"(?:^|\b[Tt]he\s)$"), re.compile(r"\s(?!\w+(?:an|ish|ese|ench|utch)\b)[A-Z]")
"""Around a year that is part of a name, "the 2016 Summer Olympics"; what is a 2016 French film came out that year."""
_NOUN = re.compile(r"\s(?!and\b|to\b|or\b)[A-Za-z]")
"""Behind years that are part of a name, "the 2019–20 season"."""
_TWENTY_FIRST = re.compile(r"(?<=\btwenty) (?=first\scentury\b)", re.IGNORECASE)
_CAPITAL = re.compile(r"\b(?:Between|After|Before|Until|During|Early|Late)(?=\s)")
_SPAN = re.compile(r"\bfrom\s$", re.IGNORECASE)
_QUARTERS = ("first", "second", "third", "fourth")
_QUARTER = re.compile(rf"\b(?:the\s)?({'|'.join(_QUARTERS)})\squarter\s(?:of|in)\s$", re.IGNORECASE)
_PART = re.compile(
    r"\b(early|late|mid|beginning|start|end|middle|first half|second half|spring|summer|autumn|fall|winter)"
    r"(?:\s(?:in|of)|-)?(?:\sthe)?\s?$",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"(?<!spring )(?<!summer )(?<!autumn )(?<!winter )(?<!fall )(?<!end )(?<!half )\b(?:of|to|a)\s$"
)
_PLURAL = re.compile(r"\s[a-z]{3,}s\b")
"""Around a number that is no year: "a height of 1200 m", "grew to 2000 members"."""
_APOSTROPHE = re.compile(r"\b([12]\d\d0)\s?['’]s\b")
_CLOCK = re.compile(
    r"(?<![\w:.])(?:(?P<hour>\d{1,2})(?:[:.](?P<minute>[0-5]\d))?\s?(?P<half>[ap])(?:m\b|\.m\.)"
    r"|(?P<hour24>\d{1,2}):(?P<minute24>[0-5]\d)(?![\w:])(?!\s?[ap]\.?m))",
    re.IGNORECASE,
)
_NOON = re.compile(r"(?:\b12\s|(?<=\bat )|(?<=\bfrom )|(?<=\bto ))(?P<word>noon|midnight)\b")
"""An hour, and not "a midnight mass"."""
_ZONE = re.compile(r"\s?(UTC|GMT|CEST|CET|BST|IST|JST|[ECMP][SD]?T)\b(?!\+)")
_WHEN = re.compile(
    r"\b((?:no|not) later than|(?:no|not) earlier than|not before|before|prior to|earlier than|until|up to|through"
    r"|by|after|since|following|later than|beginning in|starting in)\s+(?:the\s+)?(end of\s+)?"
    r"(?P<part>(?:beginning|start|middle)\sof\s(?:the\s)?|early\s|late\s)?$"
    r"|\b(?P<through>until|since)\s+(?:(?!and\b|but\b)[\w'’]+\s+){1,4}?(?:(?:in|of|on)\s+)?$",
    re.IGNORECASE,
)
_ONWARDS = re.compile(r"\s(?:on|onwards?|to the present|to date)\b", re.IGNORECASE)
_HEAD = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:\s(?P<month>{_MONTH_NAMES}))?"
    rf"|(?P<month2>{_MONTH_NAMES})(?:\s(?P<day2>\d{{1,2}}))?)"
    r"\s?(?:–|—|-|/|to|and|through|until|till)\s?(?:the\s)?$"
)
"""Before a date: an earlier one that has its year, "from 5 to 21 August 2016"."""
_TAIL = re.compile(r"\s?(?:–|—|-|through|till|until|to|&)\s?(1\d{3}|20\d\d)\b(?![\w%/:]|[.,]\d)")
"""Behind a year: a later one, "( 1914 - 1918 )"."""
_PARTS = {
    name: (Decimal(first), Decimal(last))
    for name, first, last in (
        ("beginning", "0", "0.25"), ("start", "0", "0.25"), ("early", "0", "0.4"), ("middle", "0.3", "0.7"),
        ("late", "0.6", "1"),
    )
}  # fmt: skip
"""Which part of a year or month it is said of, from where to where."""
_ABOUT = re.compile(r"\b(?:about|around|approximately|roughly|nearly|almost|some time around|circa)\s$", re.IGNORECASE)
_ABOUT_MINUTES = 20
_ABOUT_YEARS = 2
_ABOUT_YEARS_BC = 20
_DAYS = 366
"""Of a year before Christ; what matters is which came first."""


_Span = (
    tuple[int, int, datetime.date, datetime.date]
    | tuple[int, int, datetime.date, datetime.date, datetime.date, datetime.date]
)
"""Where a date stands, its first and last day, and those of what a reader might let pass."""


def find_date_figures(text: str) -> Iterator[Figure]:
    # "the 1930's" are the 1930s; in as many characters, so that places stay true
    text = _APOSTROPHE.sub(lambda match: f"{match[1]}s".ljust(len(match[0])), text)
    text = _TWENTY_FIRST.sub("-", text)
    text = _CAPITAL.sub(lambda match: match[0].lower(), text)
    years = list(_lasting_years(text))
    yield from years
    taken = [(figure.start, figure.end) for figure in years]
    spans: list[tuple[int, int, Decimal, Decimal, Range]] = []
    for match in _BEFORE_CHRIST.finditer(text):
        year, about = int(match["year"]), _ABOUT_YEARS_BC if match["about"] else 0
        low, high = Decimal(-_DAYS * (year + about)), Decimal(-_DAYS * (year - about - 1) - 1)
        taken.append(match.span())
        spans.append((match.start(), match.end(), low, high, Range(low, high)))
    for start, end, first, last, *wider in (*_written_dates(text), *_periods(text)):
        if _is_no_date(text, start, end):
            continue
        if not any(a < end and start < b for a, b in taken):
            taken.append((start, end))
            days = [Decimal(day.toordinal()) for day in (first, last, *wider)]
            spans.append((start, end, days[0], days[1], Range(days[-2], days[-1])))
    spans.sort()
    skip = False
    for at, (start, end, low, high, loose) in enumerate(spans):
        if skip:
            skip = False
            continue
        opened = BETWEEN.search(text, max(0, start - NEAR), start)
        if opened and at + 1 < len(spans) and text[end : spans[at + 1][0]].strip() == "and":
            skip, end, high = True, spans[at + 1][1], spans[at + 1][3]
            yield _date(text, opened.start(), start, end, Range(low, high), Range(low, high))
            continue
        if at + 1 < len(spans) and _SPAN.search(text, max(0, start - 6), start):
            following = spans[at + 1]
            if text[end : following[0]].strip() in ("to", "until") and low < following[3]:
                skip, whole = True, Range(low, following[3])
                yield dataclasses.replace(_date(text, start, start, following[1], whole, whole), lasting=True)
                continue
        head, tail = _HEAD.search(text, max(0, start - NEAR), start), _TAIL.match(text, end)
        if tail is not None and 360 <= high - low <= 366:
            high = Decimal(datetime.date(int(tail[1]), 12, 31).toordinal())
            skip = at + 1 < len(spans) and spans[at + 1][0] < tail.end()
            if low < high:
                whole = Range(low, high)
                yield dataclasses.replace(_date(text, start, start, tail.end(), whole, whole), lasting=True)
                continue
            skip = False
        if head is not None and low > 0 and high - low <= 31:
            begin = _head_of(head, datetime.date.fromordinal(int(low)))
            if begin is not None and begin < low:
                whole = Range(begin, high)
                yield dataclasses.replace(_date(text, head.start(), head.start(), end, whole, whole), lasting=True)
                continue
        quarter = _QUARTER.search(text, max(0, start - NEAR), start)
        if quarter is not None and low > 0 and 360 <= high - low <= 366:
            ends = _quarter(datetime.date.fromordinal(int(low)).year, _QUARTERS.index(quarter[1].lower()) + 1)
            low, high = (Decimal(day.toordinal()) for day in ends)
            start, loose = quarter.start(), Range(low, high)
        # some patterns of dates take the cue's place into the match; look before it
        cue = _WHEN.search(text, max(0, start - NEAR), start)
        part = _PART.search(text, max(0, start - NEAR), start) if cue is None else None
        said = Range(low, high)
        if cue is None and _SPAN.search(text, max(0, start - 6), start) and _ONWARDS.match(text, end):
            said = loose = Range(low, None)
        if cue is not None:
            if cue["part"]:
                low, high = _part_of(cue["part"], low, high)
            match (cue[1] or cue["through"]).lower():
                case "no earlier than" | "not earlier than" | "not before" | "beginning in" | "starting in":
                    said = Range(low, None)
                case "no later than" | "not later than" | "up to" | "through":
                    said = Range(None, high)
                case "before" | "prior to" | "earlier than":
                    said = Range(None, high) if cue[2] else Range(None, low, open_high=True)
                case "until" | "by":
                    said = Range(None, high)
                case "since":
                    said = Range(low, None)
                case _:
                    said = Range(high, None, open_low=True)
        if cue is not None:
            # "after 1 April" may be meant with that day
            loose = said._replace(open_low=False, open_high=False) if low == high else said
            if cue["part"]:
                # nor do two agree where "early" ends
                loose = Range(low, None) if said.high is None else Range(None, high)
        found = _date(text, start if cue is None else cue.start(), start, end, said, loose)
        if said.low is None or said.high is None:
            # what is so "until 1950" or "since 1990" is so all that time: a day within says nothing of its end
            word = (cue[1] or cue["through"]).lower() if cue is not None else "onwards"
            ongoing = word in ("until", "since", "through", "up to", "onwards")
            found = dataclasses.replace(found, ongoing=ongoing, fine=Range(low, high))
        yield dataclasses.replace(found, part=part[1].lower()) if part is not None else found


def _part_of(name: str, low: Decimal, high: Decimal) -> tuple[Decimal, Decimal]:
    """The first and last day of what "early 2015", "the start of 2015" and the like may be."""
    from_, to = _PARTS[name.split()[0].lower()]
    days = high - low
    return low + int(days * from_), low + int(days * to)


def _is_no_date(text: str, start: int, end: int) -> bool:
    """It only looks like a date: a sum, a round number, or part of a name."""
    if _NO_YEAR.match(text, end) or text[start:end] == "1000":
        return True
    if text[start:end].isdecimal() and _AMOUNT.search(text, max(0, start - 20), start):
        return find_unit(text, end) is not None or _PLURAL.match(text, end) is not None
    if _IN_BRACKETS.search(text, max(0, start - 2), start) and _NAMED.match(text, end):
        return True
    return _EVENT.match(text, end) is not None and _THE.search(text, max(0, start - 5), start) is not None


def _head_of(match: re.Match[str], tail: datetime.date) -> Decimal | None:
    """The day that an earlier date begins with which has the year of a later one, and maybe its month."""
    month, day = match["month"] or match["month2"], match["day"] or match["day2"]
    try:
        found = datetime.date(tail.year, MONTHS.index(month) + 1 if month else tail.month, int(day or 1))
    except ValueError:
        return None
    return Decimal(found.toordinal())


def _date(text: str, cue: int, start: int, end: int, said: Range, loose: Range) -> Figure:
    written = " ".join([*(w for w in text[cue:start].split() if w != "the"), text[start:end]])
    exact, negated = cue == start, is_negated(text, cue)
    return Figure(written, cue, end, "date", "", said, said, loose, said, exact=exact, negated=negated)


def _written_dates(text: str) -> Iterator[_Span]:
    for pattern in _OTHER_DATES:
        for match in pattern.finditer(text):
            found = match.groupdict()
            month = int(found["number"]) if found.get("number") else _MONTHS.index(found["month"]) + 1
            days = _days(Date(match.start(), match.end(), int(found["year"]), month, int(found["day"])))
            if days is not None:
                yield match.start(), match.end(), *days
    for match in _SHORT_QUARTER.finditer(text):
        yield match.start(), match.end(), *_quarter(int(match["year"]), int(match["number"] or match["number2"]))
    for date in find_dates(text):
        days = _days(date)
        if days is not None:
            yield date.start, date.end, *days
    for match in _SHORT_MONTH.finditer(text):
        days = _days(Date(match.start(), match.end(), int(match["year"]), _MONTHS.index(match["month"][:3]) + 1))
        if days is not None:
            yield match.start(), match.end(), *days


def _days(date: Date) -> tuple[datetime.date, datetime.date] | None:
    try:
        first = datetime.date(date.year, date.month or 1, date.day or 1)
        if date.day is not None:
            return first, first
        year, month = (date.year, date.month + 1) if date.month and date.month < 12 else (date.year + 1, 1)
        return first, datetime.date(year, month, 1) - datetime.timedelta(days=1)
    except ValueError:
        return None


def _quarter(year: int, number: int) -> tuple[datetime.date, datetime.date]:
    """The first and the last day of a quarter."""
    after = datetime.date(year + number // 4, 3 * number % 12 + 1, 1)
    return datetime.date(year, 3 * number - 2, 1), after - datetime.timedelta(days=1)


def _lasting_years(text: str) -> Iterator[Figure]:
    for match in _YEARS.finditer(text):
        first, last = int(match["first"]), int(match["last"])
        if len(match["last"]) == 2:
            last += first - first % 100
        month = match["dash"] == "-" and len(match["last"]) == 2 and int(match["last"]) <= 12
        bounded = _WHEN.search(text, max(0, match.start() - NEAR), match.start()) is not None
        named = _THE.search(text, max(0, match.start() - 5), match.start()) and _NOUN.match(text, match.end())
        if first < last and not (month or bounded or named or _NO_YEAR.match(text, match.end())):
            ends = datetime.date(first, 1, 1), datetime.date(last, 12, 31)
            days = Range(Decimal(ends[0].toordinal()), Decimal(ends[1].toordinal()))
            yield dataclasses.replace(_date(text, match.start(), match.start(), match.end(), days, days), lasting=True)


def _periods(text: str) -> Iterator[_Span]:
    for period in find_periods(text):
        years = ((period.first, period.last), (period.earliest, period.latest))
        part, wider = ((datetime.date(first, 1, 1), datetime.date(last, 12, 31)) for first, last in years)
        yield period.start, period.end, *part, *wider
    for match in _ABOUT_YEAR.finditer(text):
        year = int(match["year"])
        about = _ABOUT_YEARS + max(0, (1950 - year) // 50)  # the older, the less exact
        spans = ((year - about, year + about), (year - 3 * about, year + 3 * about))
        part, wider = ((datetime.date(first, 1, 1), datetime.date(last, 12, 31)) for first, last in spans)
        yield match.start(), match.end(), *part, *wider


def find_clock(text: str) -> Iterator[Figure]:
    """The times of the day; 9:00 is one of the morning only where another, as 17:00, shows that hours run to 24."""
    found = list(_CLOCK.finditer(text))
    to_24 = any(m["hour24"] and (m["hour24"][0] == "0" or 13 <= int(m["hour24"]) <= 23) for m in found)
    for match in found:
        if match["hour24"] and (not to_24 or int(match["hour24"]) > 23):
            continue
        hour, minute = int(match["hour"] or match["hour24"]), int(match["minute"] or match["minute24"] or 0)
        if match["half"]:
            if not 1 <= hour <= 12:
                continue
            hour = hour % 12 + 12 * (match["half"].lower() == "p")
        when = _WHEN.search(text, max(0, match.start() - NEAR), match.start())
        if when is not None and when[1]:
            continue
        at = Decimal(60 * hour + minute)
        said = loose = Range(at, at)
        about = _ABOUT.search(text, max(0, match.start() - NEAR), match.start())
        start = match.start() if about is None else about.start()
        if about is not None:
            said, loose = (Range(at - wide, at + wide) for wide in (_ABOUT_MINUTES, 3 * _ABOUT_MINUTES))
        negated = is_negated(text, start)
        zone = _ZONE.match(text, match.end())
        name = zone[1] if zone is not None else ""
        end = zone.end() if zone is not None else match.end()
        written, exact = " ".join(text[start:end].split()), about is None
        yield Figure(written, start, end, "clock", name, said, said, loose, said, exact=exact, negated=negated)
    for match in _NOON.finditer(text):
        start, end = match.span()
        if _WHEN.search(text, max(0, start - NEAR), start) is None:
            at = Decimal(60 * 12 if match["word"] == "noon" else 0)
            said = Range(at, at)
            yield Figure(match[0], start, end, "clock", "", said, said, said, said, negated=is_negated(text, start))
