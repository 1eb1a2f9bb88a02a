"""What stands raised, lowered or struck out in a page, as plain text: "10<sup>6</sup>" is "10^6", notes are left out.

Readers put `MARKS` where such an element begins and ends; what it is, is told by the text around it once that is known.
"""

from __future__ import annotations

import re

__all__ = ["LINK", "MARKS", "NOTE", "placed", "unmarked"]

# Characters that no text may have.
MARKS = {
    "sup": ("\ufdd0", "\ufdd1"),
    "sub": ("\ufdd2", "\ufdd3"),
    "s": ("\ufdd4", "\ufdd5"),
    "del": ("\ufdd4", "\ufdd5"),
    "strike": ("\ufdd4", "\ufdd5"),
}
LINK, NOTE = "\ufdd6", "\ufdd7"
_MARK = re.compile("[\ufdd0-\ufdd7]")
_OPEN = re.compile("(?<=\\d)[\ufdd0-\ufdd7]+(?=\\d)")
_STRUCK = re.compile("\ufdd4[^\ufdd4\ufdd5]*\ufdd5")
_FRACTION = re.compile("\ufdd0\\s*(\\d{1,3})\\s*\ufdd1\\s?[/⁄]\\s?\ufdd2\\s*(\\d{1,4})\\s*\ufdd3")
# one that is never closed ends with its paragraph
_PLACED = re.compile(
    "\ufdd0([^\ufdd0-\ufdd5\\n]{0,80})(?:\ufdd1|(?=\\n)|\\Z)|\ufdd2([^\ufdd0-\ufdd5\\n]{0,80})(?:\ufdd3|(?=\\n)|\\Z)"
)
_DEEPEST = 5
_UP = str.maketrans("0123456789+-−–", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻")
_DOWN = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SIGNED = re.compile(r"[+\-−–]\s?\d{1,3}(?:\.\d+)?")
_NUMERIC = re.compile(r"\d{1,4}(?:\.\d+)?")
_CHARGE = re.compile(r"\d{0,2}[+\-−–]")
_NOTES = re.compile(
    r"\[[^\[\]]*\](?:[\s,]*\[[^\[\]]*\])*|[,;\s]+|\d{1,3}(?:\s?[,;–-]\s?\d{1,3})+|(?:note|nb|fn)\.?\s?\w{1,3}",
    re.IGNORECASE,
)
_BRIEF = re.compile(r"[\[(]?(?:\d{1,4}|[A-Za-z]{1,2}|[*†‡§¶#]{1,3})[\])]?")
_YEAR = re.compile(r"(?<![\d.,^$£€])(?:1[1-9]|20)\d\d$")
_PRICE = re.compile(r"[$£€¥]\s?\d[\d,]*$")
_AREA = re.compile(
    r"(?:(?<![^\W\d_])(?:[kcdmnµμ]?m|ft|mi|yd)|\d\s?in|/in|\b(?:miles?|(?:centi|kilo|milli)?met(?:er|re)s?|yards?|inch(?:es)?|feet))$"
)
_SHORT_WORDS = frozenset("am an as at be by do go he if in is it me my no of on or so to up us we".split())
_WORD_BEFORE = re.compile(r"[^\W\d_²³¹⁰⁴-⁹₀-₉]+$")
_SUM = re.compile(r"\([^()]*[+=−][^()]*\)$")


def unmarked(text: str) -> str:
    """A text without the characters that `MARKS` are made of."""
    return _MARK.sub("", text)


def placed(text: str) -> str:
    """A text with `MARKS` around what is raised, lowered and struck out, as plain text.

    >>> def raised(before, what): return placed(before + what.join(MARKS["sup"]))
    >>> [raised(*given) for given in [("10", "6"), ("12", "3"), ("5 km", "2"), ("£5", "99"), ("1", "st"), ("x", "2")]]
    ['10^6', '12^3', '5 km²', '£5.99', '1st', 'x²']
    >>> [raised(*given) for given in [("in 1931", "2"), ("the bridge", "2"), ("It closed.", "2"), ("1931", "[2]")]]
    ['in 1931', 'the bridge', 'It closed.', '1931']
    """
    if _MARK.search(text) is None:
        return text
    for _ in range(_DEEPEST):
        text, struck = _STRUCK.subn("", text)
        if not struck:
            break
    text = _FRACTION.sub(_fraction, text)
    for _ in range(_DEEPEST):
        text, count = _pass(text)
        if not count:
            break
    return unmarked(_OPEN.sub(" ", text))


def _fraction(found: re.Match[str]) -> str:
    at = found.start()
    return f"{' ' if found.string[max(at - 1, 0) : at].isdecimal() else ''}{found[1]}/{found[2]}"


def _pass(text: str) -> tuple[str, int]:
    """One level of what is raised and lowered, from left to right: what stands before tells what it is."""
    done: list[str] = []
    tail, at = "", 0
    for found in _PLACED.finditer(text):
        between = text[at : found.start()]
        tail = (tail + between)[-60:]
        after = text[found.end() : found.end() + 1]
        if found[1] is None:
            lowered = found[2]
            # "CO2", but no number is made longer
            made = lowered.translate(_DOWN) if tail[-1:].isdecimal() else lowered
        else:
            made = _raised(tail, found[1], after)
            if not made and between.endswith(" ") and after in ".,;:)":
                between = between.rstrip()
        done += (between, made)
        tail = (tail + made)[-60:]
        at = found.end()
    return "".join([*done, text[at:]]), len(done)


def _raised(before: str, raised: str, after: str) -> str:
    """What is raised behind a text: a power, a charge, an ordinal's ending, cents, or "" where it is a note."""
    linked = LINK in raised
    what = raised.replace(LINK, "").strip()
    if NOTE in raised or _NOTES.fullmatch(what) or (linked and _BRIEF.fullmatch(what) and not after.isalnum()):
        return ""
    bare = before.rstrip(" \xa0")
    last = bare[-1:]
    numeric = _NUMERIC.fullmatch(what) is not None
    apart = not before or before[-1].isspace()
    if apart and numeric and after.isalpha():
        return what  # an isotope: "<sup>14</sup>C"
    if last.isdecimal():
        return _behind_digit(bare, what)
    if apart:
        return "" if numeric else what
    word = _WORD_BEFORE.search(bare)
    if _SIGNED.fullmatch(what):
        return what.replace(" ", "").translate(_UP)
    if word is None:
        if not numeric or last in "/⁄":
            return what
        return "" if last in ".,;:!?\"'”’»%" or (last == ")" and not _SUM.search(bare)) else what.translate(_UP)
    if numeric:
        if what in ("2", "3") and _AREA.search(bare):
            return what.translate(_UP)
        letters = word.group()
        is_word = len(letters) > 2 or letters in _SHORT_WORDS or (len(letters) == 2 and letters.isupper())
        return "" if is_word else what.translate(_UP)
    if re.fullmatch(r"\(\d{1,2}\)|[a-h]", what) and len(word.group()) > 2 and not after.isalpha():
        return ""
    return what


def _behind_digit(before: str, what: str) -> str:
    if _YEAR.search(before) and re.fullmatch(r"\d{1,3}|[a-z]|\(\d{1,2}\)", what):
        return ""
    if re.fullmatch(r"\d\d", what) and _PRICE.search(before):
        return f".{what}"
    if what[:1].isdecimal() or _SIGNED.match(what) or _CHARGE.fullmatch(what) or re.fullmatch(r"[ikmnpqxyz]", what):
        return f"^{what}"
    return what
