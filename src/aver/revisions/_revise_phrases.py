"""Phrases of a claim that may have to go into a sentence, and words of the sentence that may have to go. Which of them
is right is for the judge to say; here they are only made likely.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from aver.revisions._lexicon import BASE_OF, CLASSES
from aver.revisions._revise_change import Change
from aver.text import Word, words
from aver.text._quantities import SCALES, WORDS

__all__ = ["Pair", "deletions", "exchanges", "insertions", "key", "shared_words", "substitutions"]

LONGEST = 8
"""Words of a phrase that is exchanged."""

_STOP = frozenset(
    "before after since until about around approximately nearly almost above below least most "
    "a an the of in on at by to for from with and or as is was are were be been has have had it its he his she her "
    "they their that this which who also not than more less fewer over under into during".split()
)
_JOINING = frozenset(("and", "or", ","))
_PREPOSITIONS = frozenset(
    "in on at by for from with during after before since until under near against through as of".split()
)
_BE = frozenset("is was are were be been being".split())
_AGREEING = frozenset((a, b) for one in (("was", "were"), ("is", "are"), ("has", "have")) for a, b in (one, one[::-1]))
_LEADS = _PREPOSITIONS | {"a", "an", "the"}
_CLASS = {member.lower(): name for name, members in CLASSES.items() for member in members}
# What has an article and yet is a number: "a dozen", "a third of". The article goes with it.
_COUNTING = frozenset("dozen hundred thousand million billion half third quarter fifth tenth couple few".split())
_SHARES = frozenset("third quarter fifth tenth".split())
_NUMBER_WORDS = frozenset(WORDS) | _COUNTING | frozenset("several many most some all none both dozens hundreds".split())
_UNITS = "euros?|dollars?|pounds?|francs?|yen|EUR|USD|GBP|CHF|€|\\$|£|¥"
_SCALE = "|".join([*(scale for scale in SCALES if len(scale) > 1), "Mio", "Mrd", "Tsd", "mn", "mln", "tn"])
_SUM = re.compile(
    rf"(?:(?:{_UNITS})\s?)(?P<first>\d[\d.,]*(?<=\d))(?:\s?(?:{_SCALE}|[kmb])\b)?"
    rf"|(?<![\w.,])(?P<last>\d[\d.,]*(?<=\d))(?:\s?(?:{_SCALE}|[kmb])\b(?:\s?\.)?)?\s?(?:{_UNITS})(?!\w)",
    re.IGNORECASE,
)
"""Money with its unit, as people write it: "14,8 Mio. Euro", "$ 16.1 million"."""
_COMMA = re.compile(r"^\d+,\d\d?$")


class _Phrase(NamedTuple):
    first: int
    last: int
    """Words, the last one included."""
    start: int
    end: int
    text: str


def key(word: str) -> str:
    """What two forms of a word share, roughly: "discovered" and "discovering", "film" and "films"."""
    bare = word.lower().removesuffix("'s").removesuffix("’s")
    if "-" in bare or any(c.isdigit() for c in bare):
        return bare
    return bare[:6] if len(bare) > 6 else bare.rstrip("s") or bare


class Pair:
    """A sentence and a claim, word by word, with what each has that the other lacks."""

    def __init__(
        self, sentence: str, claim: str, weight: Mapping[int, float], *, settled: Sequence[tuple[int, int]] = ()
    ) -> None:
        """`settled` are places of the claim that are seen to elsewhere: its figures, where they can be computed."""
        self.sentence, self.claim = sentence, claim
        self.ours, self.theirs = words(sentence), words(claim)
        self.our_keys, self.their_keys = [key(w.text) for w in self.ours], [key(w.text) for w in self.theirs]
        self.weight = [max((weight.get(at, 0.0) for at in range(w.start, w.end)), default=0.0) for w in self.ours]
        known, said = set(self.our_keys), set(self.their_keys)
        self.novel = [_content(w) and k not in known for w, k in zip(self.theirs, self.their_keys, strict=True)]
        for at, word in enumerate(self.theirs):
            if any(start < word.end and word.start < end for start, end in settled):
                self.novel[at] = False
        self.foreign = [_content(w) and k not in said for w, k in zip(self.ours, self.our_keys, strict=True)]
        self.fillers = list(self._fillers())
        self.targets = list(self._targets())

    def _fillers(self) -> Iterator[_Phrase]:
        """Phrases of the claim that the sentence lacks, bare, with the rest of their name, and with what leads them."""
        seen: set[tuple[int, int]] = set()
        for first, last in _runs(self.novel, self.theirs):
            spans = [(first, last)]
            left, right = _whole_name(self.theirs, first, last)
            spans.append((left, right))
            if first > 0 and self.theirs[first - 1].text.lower() in _BE:
                end = last + (last + 1 < len(self.theirs) and self.theirs[last + 1].text.lower() in _PREPOSITIONS)
                spans.append((first - 1, end))
            for start in (first, left):
                if start > 0 and self.theirs[start - 1].text.lower() in _LEADS:
                    spans.append((start - 1, right))
                    if start > 1 and self.theirs[start - 2].text.lower() in _PREPOSITIONS:
                        spans.append((start - 2, right))
            if last - first >= 1:
                spans += [(at, at) for at in range(first, last + 1) if self.novel[at]]
                spans += [(first, last - 1), (first + 1, last)]
            # "the final tournament": what follows belongs to it even where the sentence has the word elsewhere
            if right + 1 < len(self.theirs) and _content(self.theirs[right + 1]):
                spans.append((first, right + 1))
            for span in spans:
                if span not in seen and 0 <= span[1] - span[0] < LONGEST and any(self.novel[span[0] : span[1] + 1]):
                    seen.add(span)
                    yield _phrase(self.claim, self.theirs, *span)

    def _targets(self) -> Iterator[_Phrase]:
        """Places of the sentence that the claim does not bear out: names, runs of words, single words."""
        spans: dict[tuple[int, int], None] = {}
        for first, last in _runs(self.foreign, self.ours):
            spans[first, last] = None
            left, right = _whole_name(self.ours, first, last)
            spans[left, right] = None
            for at in range(first, last + 1):
                if self.foreign[at]:
                    spans[at, at] = None
                    spans[_whole_name(self.ours, at, at)] = None
                    if at + 1 < len(self.ours) and self.foreign[at + 1]:
                        spans[at, at + 1] = None
            if left > 0 and self.ours[left - 1].text.lower() in ("a", "an", "the"):
                spans[left - 1, right] = None
        for first, last in spans:
            if 0 <= last - first < LONGEST:
                yield _phrase(self.sentence, self.ours, first, last)

    def heavy(self, phrase: _Phrase) -> float:
        """How much a place of the sentence decides: its content words' mean weight."""
        rows = [
            self.weight[at] for at in range(phrase.first, phrase.last + 1) if _content(self.ours[at])
        ] or self.weight[phrase.first : phrase.last + 1]
        return sum(rows) / len(rows)


def shared_words(sentence: str, claim: str) -> set[str]:
    """What both texts hold beside small words, as the keys of the words.

    >>> sorted(shared_words("The plant opened in 1964 .", "The plants are in Oslo ."))
    ['plant']
    """
    ours, theirs = ({key(w.text) for w in words(text) if _content(w)} for text in (sentence, claim))
    return ours & theirs


def substitutions(pair: Pair) -> Iterator[Change]:
    """A phrase of the claim for a phrase of the sentence, each with how well they match."""
    for target in pair.targets:
        heavy = pair.heavy(target)
        for filler in pair.fillers:
            if _half_a_passive(pair, target, filler):
                continue
            whole, said = _with_verb(pair, _with_noun(pair, target, filler), filler)
            place = _whole_sum(pair, *_with_articles(pair, whole, said))
            if place is not None:
                start, end, text = place
                prior = 2 * heavy + _match(pair, whole, said)
                yield Change(start, end, pair.sentence[start:end], text, "phrase", prior)


def _with_noun(pair: Pair, target: _Phrase, filler: _Phrase) -> _Phrase:
    """ "one hour" goes where "3 hours" stood, not where "3" did: the noun is there in another number."""
    after = target.last + 1
    if filler.last == filler.first or pair.our_keys[after : after + 1] != [pair.their_keys[filler.last]]:
        return target
    return _phrase(pair.sentence, pair.ours, target.first, after)


def _with_verb(pair: Pair, target: _Phrase, filler: _Phrase) -> tuple[_Phrase, _Phrase]:
    """ "Nobody was" becomes "Two people were"."""
    ours, theirs = ([w.text.lower() for w in found] for found in (pair.ours, pair.theirs))
    here, there = ours[target.last + 1 : target.last + 2], theirs[filler.last + 1 : filler.last + 2]
    if (*here, *there) not in _AGREEING:
        return target, filler
    return (
        _phrase(pair.sentence, pair.ours, target.first, target.last + 1),
        _phrase(pair.claim, pair.theirs, filler.first, filler.last + 1),
    )


def _half_a_passive(pair: Pair, target: _Phrase, filler: _Phrase) -> bool:
    """Whether a participle would lose its verb: "was shortlisted" in "won the prize" is no "shortlisted the prize"."""
    is_verb = target.text.endswith("ed") or target.text in BASE_OF
    ours, theirs = pair.ours[: target.first], pair.theirs[: filler.first]
    led = bool(theirs) and theirs[-1].text.lower() in _BE
    return is_verb and led and filler.text.endswith("ed") and not (ours and ours[-1].text.lower() in _BE)


def _with_articles(pair: Pair, target: _Phrase, filler: _Phrase) -> tuple[_Phrase, _Phrase]:
    """The "a" of "a dozen", "a third" and "half a" goes and comes with them; it stays where both have it."""
    ours, theirs = ([w.text.lower() for w in found] for found in (pair.ours, pair.theirs))
    first, last = target.first, target.last
    if (ours[last], *ours[last + 1 : last + 2]) in (("half", "a"), ("half", "an"), ("couple", "of")):
        last += 1
    led = first > 0 and ours[first - 1] in ("a", "an")
    start = filler.first
    if theirs[start] != "half" and _counts(theirs, start):
        if not led and start > 0 and theirs[start - 1] in ("a", "an"):
            start -= 1
    elif led and _counts(ours, first):
        first -= 1
    return _phrase(pair.sentence, pair.ours, first, last), _phrase(pair.claim, pair.theirs, start, filler.last)


def _counts(found: Sequence[str], at: int) -> bool:
    """Whether a word is a number though it has an article: "a third of them" is one, "a third son" is not."""
    return found[at] in _COUNTING and (found[at] not in _SHARES or found[at + 1 : at + 2] == ["of"])


def _whole_sum(pair: Pair, target: _Phrase, filler: _Phrase) -> tuple[int, int, str] | None:
    """Where the filler goes, and as what: a sum of money changes whole, or in its digits or its unit alone.

    None where that cannot be done: "16.1 million euros" for "14,8 Mio" of "14,8 Mio. Euro" leaves half a sum.
    """
    plain = target.start, target.end, _lowered(filler, pair) if target.first else filler.text
    ours = _sum_at(pair.sentence, target)
    if ours is None or (target.start <= ours.start() and ours.end() <= target.end):
        return plain
    if target.start < ours.start() or ours.end() < target.end:
        return None
    number = _digits(filler.text), any(c.isalpha() for c in filler.text)
    if ours.span("first") == (target.start, target.end) or ours.span("last") == (target.start, target.end):
        new = filler.text.replace(".", ",") if _COMMA.search(target.text) else filler.text
        return (target.start, target.end, new) if number == (True, False) else None
    if not _digits(target.text):
        return plain if target.end == ours.end() and not _digits(filler.text) else None
    theirs = _sum_at(pair.claim, filler)
    if theirs is None or filler.start < theirs.start() or theirs.end() < filler.end:
        return None
    return ours.start(), ours.end(), theirs[0]


def _sum_at(text: str, phrase: _Phrase) -> re.Match[str] | None:
    return next((m for m in _SUM.finditer(text) if m.start() < phrase.end and phrase.start < m.end()), None)


def insertions(pair: Pair) -> Iterator[Change]:
    """A phrase of the claim put where the claim has it: behind the word it follows there, or before the next one."""
    sums = [match.span() for match in _SUM.finditer(pair.sentence)]
    for change in _insertions(pair):
        before = re.search(r"(\S+)\s*$", pair.sentence[: change.start])
        new = change.new.lower().split()
        word = before[1].lower() if before and (_is_number(new[0]) or _COUNTING.intersection(new[:2])) else ""
        if word in ("a", "an") and before:
            # "a million" becomes "2 million"
            old = pair.sentence[before.start() : change.start]
            yield Change(before.start(), change.start, old, change.new, "phrase", change.prior)
        elif word not in _NUMBER_WORDS and not any(start < change.start < end for start, end in sums):
            yield change


def _insertions(pair: Pair) -> Iterator[Change]:
    for filler in pair.fillers:
        text = _lowered(filler, pair)
        lead = text.split(" ", 1)[0].lower()
        joined = filler.first > 1 and pair.theirs[filler.first - 1].text.lower() in _JOINING
        if joined:
            yield from _listed(pair, filler, text)
        elif filler.first > 0:
            for at in _where(pair, pair.their_keys[filler.first - 1]):
                place = pair.ours[at].end
                yield Change(place, place, "", f" {text} ", "insertion", 0.2 + pair.weight[at] / 2)
        if filler.last + 1 < len(pair.theirs) and pair.theirs[filler.last + 1].text.lower() not in _JOINING:
            for at in _where(pair, pair.their_keys[filler.last + 1]):
                place = pair.ours[at].start
                # before a full stop
                space = " " if pair.sentence[place - 1 : place].isalnum() else ""
                yield Change(place, place, "", f"{space}{text} ", "insertion", 0.3 + pair.weight[at] / 2)
        if lead in _PREPOSITIONS:
            end = re.search(r"\s*[.!?]?\s*$", pair.sentence)
            place = end.start() if end else len(pair.sentence)
            yield Change(place, place, "", f" {text}", "insertion", 0.2)


def _listed(pair: Pair, filler: _Phrase, text: str) -> Iterator[Change]:
    """One more in a list, behind the one that it follows in the claim: "France and Spain", and Italy."""
    last = filler.first - 2
    if last > 0 and pair.theirs[last].text == ",":
        last -= 1  # "Spain, and Italy"
    for at in _where(pair, pair.their_keys[last]):
        start = end = pair.ours[at].end
        new, after = f" and {text}", pair.ours[at + 1].text.lower() if at + 1 < len(pair.ours) else ""
        if after in _JOINING:
            new = f", {text}"
        elif at > 1 and pair.ours[at - 1].text.lower() == "and":
            comma = "," if at > 2 and pair.ours[at - 2].text == "," else ""
            start = pair.ours[at - 2 - len(comma)].end
            new = f", {pair.ours[at].text}{comma} and {text}"
        yield Change(start, end, pair.sentence[start:end], new, "insertion", 0.3 + pair.weight[at] / 2)


def exchanges(pair: Pair) -> Iterator[Change]:
    """Two names that the claim has the other way round."""
    names = [(at, _whole_name(pair.ours, at, at)[1]) for at in range(len(pair.ours)) if _capital(pair.ours[at])]
    names = [name for at, name in enumerate(names) if at == 0 or name[0] > names[at - 1][1]]
    found = [_phrase(pair.sentence, pair.ours, *name) for name in names]
    for one, two in itertools.combinations(found, 2):
        here, there = (pair.claim.find(phrase.text) for phrase in (one, two))
        if one.text != two.text and 0 <= there < here:
            new = two.text + pair.sentence[one.end : two.start] + one.text
            yield Change(one.start, two.end, pair.sentence[one.start : two.end], new, "phrase", 1.0)


def deletions(pair: Pair) -> Iterator[Change]:
    """What the claim does not have and the judge looks at: a word, an aside, one part of a list, an adjunct."""
    for target in pair.targets:
        heavy = pair.heavy(target)
        money = _sum_at(pair.sentence, target)
        if heavy < 0.2 or (money and not (target.start <= money.start() and money.end() <= target.end)):
            continue
        yield Change(target.start, target.end, target.text, "", "deletion", heavy - 0.3)
        lead = re.search(
            r"(?:,\s*)?\b(?:and|or|in|on|at|by|for|from|with|as)\s(?:the |a |an |late |early )?$|,\s*$",
            pair.sentence[: target.start],
        )
        if lead:
            old = pair.sentence[lead.start() : target.end]
            yield Change(lead.start(), target.end, old, "", "deletion", heavy - 0.2)
        tail = re.match(r"\s(?:and|or|,)(?=\s)", pair.sentence[target.end :])
        if tail:
            end = target.end + tail.end()
            yield Change(target.start, end, pair.sentence[target.start : end], "", "deletion", heavy - 0.4)


def _match(pair: Pair, target: _Phrase, filler: _Phrase) -> float:
    prior = 0.0
    old, new = target.text.lower(), filler.text.lower()
    if _CLASS.get(old) is not None and _CLASS.get(old) == _CLASS.get(new):
        prior += 2.0
    names = _named(pair.ours, target), _named(pair.theirs, filler)
    if names[0] == names[1]:
        prior += 0.5
    elif target.first > 0 and filler.first > 0:
        prior -= 0.6
    # half a name for another name: right only where the other half stays ("Roger" for "John" Lloyd)
    prior -= 0.6 * (_cuts(pair.ours, target) + _cuts(pair.theirs, filler))
    if _digits(old) == _digits(new):
        prior += 0.2
    else:
        prior -= 0.4
    if filler.first == 0 and not names[0]:
        prior -= 0.8  # the claim's subject: the sentence has it as "he", or not at all
    if (old in _STOP) or (new in _STOP):
        prior -= 1.0
    before = _before(pair.our_keys, target.first)
    prior += 0.8 * (before is not None and before == _before(pair.their_keys, filler.first))
    prior += 0.8 * (_after(pair.our_keys, target.last) == _after(pair.their_keys, filler.last))
    for ending in ("ed", "ing", "ly", "s"):
        prior += 0.15 * (old.endswith(ending) and new.endswith(ending))
    return prior - 0.12 * abs((target.last - target.first) - (filler.last - filler.first))


def _lowered(filler: _Phrase, pair: Pair) -> str:
    """The claim's first word without its capital, unless it may be a name."""
    text, first = filler.text, pair.theirs[filler.first].text.lower()
    small = first in _STOP or all(part in _NUMBER_WORDS for part in first.split("-"))
    if _stands(first, pair.sentence) and not _named(pair.theirs, filler):
        small = True
    return text[0].lower() + text[1:] if filler.first == 0 and small else text


def _is_number(word: str) -> bool:
    return word[:1].isdigit() or all(part in WORDS for part in word.lower().split("-"))


def _stands(word: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def _whole_name(found: Sequence[Word], first: int, last: int) -> tuple[int, int]:
    """The span with the rest of the names at its edges: "Robert" before "Downey", "& Hove Albion" after "Brighton"."""
    if _capital(found[first]):
        while first > 0 and (_capital(found[first - 1]) or (found[first - 1].text == "&" and first > 1)):
            first -= 1
    if _capital(found[last]):
        end = len(found) - 1
        while last < end and (_capital(found[last + 1]) or (found[last + 1].text == "&" and last + 1 < end)):
            last += 1
    if last + 1 < len(found) and found[last].text in ("Jr", "Sr", "St", "Inc") and found[last + 1].text == ".":
        last += 1
    return first, last


def _named(found: Sequence[Word], phrase: _Phrase) -> bool:
    """Whether a phrase begins as a name does; the first word of a text has its capital anyway."""
    if phrase.first == 0:
        return phrase.last > 0 and _capital(found[0]) and _capital(found[1])
    return _capital(found[phrase.first])


def _cuts(found: Sequence[Word], phrase: _Phrase) -> bool:
    """Whether a phrase begins or ends inside a name."""
    return _whole_name(found, phrase.first, phrase.last) != (phrase.first, phrase.last)


def _runs(marked: Sequence[bool], found: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """Marked words in a row; up to two small words between them do not part them."""
    at = 0
    while at < len(marked):
        if not marked[at]:
            at += 1
            continue
        last = at
        step = at + 1
        while step < len(marked) and step - last <= 2:
            if marked[step]:
                last = step
            elif found[step].text == "," and _capital(found[step - 1]) and _capital(*found[step + 1 : step + 2]):
                pass  # "Lyon, France"
            elif found[step].text.lower() not in _STOP and found[step].text not in ("'", "-", "–", "’"):
                break
            step += 1
        yield at, last
        at = last + 1


def _where(pair: Pair, wanted: str) -> list[int]:
    found = [at for at, k in enumerate(pair.our_keys) if k == wanted]
    return found if len(found) <= 2 else []


def _phrase(text: str, found: Sequence[Word], first: int, last: int) -> _Phrase:
    start, end = found[first].start, found[last].end
    return _Phrase(first, last, start, end, text[start:end])


def _content(word: Word) -> bool:
    return not word.is_punctuation and word.text.lower() not in _STOP


def _capital(*found: Word) -> bool:
    return bool(found) and all(word.text[:1].isupper() for word in found)


def _digits(text: str) -> bool:
    return any(c.isdigit() for c in text)


def _before(keys: Sequence[str], at: int) -> str | None:
    return keys[at - 1] if at > 0 else None


def _after(keys: Sequence[str], at: int) -> str:
    return keys[at + 1] if at + 1 < len(keys) else "."
