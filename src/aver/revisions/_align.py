"""Which sentence of the new version was which of the old one: same, moved, reworded, split, merged, added, removed.

Sentences that stand in both are found first, in order and then out of it. What is left is paired by the words that the
two share, best first; a sentence whose words went into several neighbours was split, the other way round merged.
Candidates come from an index of rare words, so that two long texts with little in common cost no more than they hold.
"""

from __future__ import annotations

import bisect
import dataclasses
import difflib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple

from aver.revisions._word_diff import WordEdit, diff_words
from aver.text import Sentence, split_sentences, words

__all__ = ["ALIGNMENTS", "Aligned", "Alignment", "align"]

Alignment = Literal["same", "moved", "reworded", "split", "merged", "added", "removed"]
ALIGNMENTS: tuple[Alignment, ...] = ("same", "moved", "reworded", "split", "merged", "added", "removed")

_ALIKE = 0.5
"""The share of words two sentences must have in common to be one that was reworded."""
_ALIKE_IN_PLACE = 0.34
"""The same, where both stand between the same two unchanged sentences."""
_PART = 0.6
"""The share of a part's words that the whole must hold for a split or a merger."""
_GAIN = 0.06
"""How much likeness another part must add."""
_PARTS = 3
_CANDIDATES = 12


@dataclasses.dataclass(frozen=True, slots=True)
class Aligned:
    """One sentence, or several that were split or merged, before and after."""

    alignment: Alignment
    before: tuple[Sentence, ...]
    """Empty where it was added."""
    after: tuple[Sentence, ...]
    """Empty where it was removed."""
    moved: bool
    """Whether it stands elsewhere among its neighbours; a sentence may be moved and reworded at once."""
    likeness: float
    """The share of words that both have: 1.0 for the same, 0.0 for one that has no counterpart."""

    @property
    def before_text(self) -> str:
        return " ".join(sentence.text for sentence in self.before)

    @property
    def after_text(self) -> str:
        return " ".join(sentence.text for sentence in self.after)

    @property
    def words(self) -> tuple[WordEdit, ...]:
        """The word-level edits of the pair; none where it has no counterpart."""
        return diff_words(self.before_text, self.after_text) if self.before and self.after else ()

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "alignment": self.alignment,
            "moved": self.moved,
            "likeness": round(self.likeness, 4),
            "before": [sentence._asdict() for sentence in self.before],
            "after": [sentence._asdict() for sentence in self.after],
            "words": [edit.as_dict() for edit in self.words],
        }


class _Match(NamedTuple):
    olds: tuple[int, ...]
    news: tuple[int, ...]
    likeness: float


def align(old: str, new: str) -> list[Aligned]:
    """The sentences of two versions, paired, in the order of the new version; what was removed stands in its place.

    >>> for pair in align("It is 50 m high. It is old. Nobody lives there.", "It is old. It is 52 m high."):
    ...     print(pair.alignment, [pair.before_text, pair.after_text])
    same ['It is old.', 'It is old.']
    removed ['Nobody lives there.', '']
    reworded ['It is 50 m high.', 'It is 52 m high.']
    """
    before, after = split_sentences(old), split_sentences(new)
    return align_sentences(before, after)


def align_sentences(before: Sequence[Sentence], after: Sequence[Sentence]) -> list[Aligned]:
    """As `align`, for texts that are split already."""
    left, right = [_key(s.text) for s in before], [_key(s.text) for s in after]
    matches = [_Match((i,), (j,), 1.0) for i, j in _equal(left, right)]
    taken_old, taken_new = {m.olds[0] for m in matches}, {m.news[0] for m in matches}
    free_old = [i for i in range(len(left)) if i not in taken_old]
    free_new = [j for j in range(len(right)) if j not in taken_new]
    matches += _alike(before, after, free_old, free_new, matches)
    return list(_in_order(before, after, matches))


def _key(text: str) -> str:
    return " ".join(text.split())


def _equal(left: Sequence[str], right: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Sentences that stand in both: in order, then wherever they went."""
    start = next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
    yield from ((i, i) for i in range(start))
    stop, most = 0, min(len(left), len(right)) - start
    while stop < most and left[-1 - stop] == right[-1 - stop]:
        stop += 1
    yield from ((len(left) - 1 - i, len(right) - 1 - i) for i in range(stop))
    inner_left, inner_right = left[start : len(left) - stop], right[start : len(right) - stop]
    used: set[int] = set()
    rest = set(range(len(inner_left)))
    # a list of one line a thousand times over would take the square of its length
    popular = len(inner_left) * len(inner_right) > 4_000_000
    for block in difflib.SequenceMatcher(None, inner_left, inner_right, autojunk=popular).get_matching_blocks():
        for offset in range(block.size):
            used.add(block.b + offset)
            rest.discard(block.a + offset)
            yield start + block.a + offset, start + block.b + offset
    places: dict[str, list[int]] = defaultdict(list)
    for j in reversed([j for j in range(len(inner_right)) if j not in used]):
        places[inner_right[j]].append(j)
    for i in sorted(rest):
        if places.get(inner_left[i]):
            yield start + i, start + places[inner_left[i]].pop()


def _alike(
    before: Sequence[Sentence], after: Sequence[Sentence], olds: Sequence[int], news: Sequence[int],
    equal: Sequence[_Match],
) -> list[_Match]:  # fmt: skip
    if not olds or not news:
        return []
    bags_old = {i: _bag(before[i].text) for i in olds}
    bags_new = {j: _bag(after[j].text) for j in news}
    anchors = sorted((m.olds[0], m.news[0]) for m in equal)
    same_gap = _gaps(anchors, olds, news)
    found: list[_Match] = []
    for i, j in _candidates(bags_old, bags_new):
        likeness = _likeness([bags_old[i]], [bags_new[j]])
        if likeness >= (_ALIKE_IN_PLACE if same_gap(i, j) else _ALIKE):
            found.append(_Match((i,), (j,), likeness))
        elif _shared(bags_old[i], bags_new[j]) < _PART and _shared(bags_new[j], bags_old[i]) < _PART:
            continue
        found.extend(_parts(i, j, bags_old, bags_new, likeness))
    # the likest first; where two are as like, the nearer, then the earlier
    found.sort(key=lambda m: (-m.likeness, abs(m.olds[0] - m.news[0]), m.olds, m.news))
    used_old: set[int] = set()
    used_new: set[int] = set()
    chosen = []
    for match in found:
        if used_old.isdisjoint(match.olds) and used_new.isdisjoint(match.news):
            used_old.update(match.olds)
            used_new.update(match.news)
            chosen.append(match)
    return chosen


def _parts(
    i: int, j: int, olds: dict[int, Counter[str]], news: dict[int, Counter[str]], single: float
) -> Iterator[_Match]:
    """One sentence against neighbours of the other side that together are more like it than the first alone."""
    for one, many, first, other, split in ((olds[i], news, j, i, True), (news[j], olds, i, j, False)):
        for step in (1, -1):
            places, best = [first], single
            while len(places) < _PARTS:
                following = places[-1] + step
                if following not in many or any(_shared(many[p], one) < _PART for p in (*places, following)):
                    break
                likeness = _likeness([one], [many[p] for p in (*places, following)])
                if likeness < best + _GAIN:
                    break
                places, best = [*places, following], likeness
            if len(places) > 1 and best >= _ALIKE:
                several = tuple(sorted(places))
                yield _Match((other,), several, best) if split else _Match(several, (other,), best)


def _candidates(olds: dict[int, Counter[str]], news: dict[int, Counter[str]]) -> Iterator[tuple[int, int]]:
    """For each old sentence the new ones that share most with it, weighed by how rare the shared words are."""
    index: dict[str, list[int]] = defaultdict(list)
    for j, bag in news.items():
        for word in bag:
            index[word].append(j)
    common = max(20, len(news) // 4)
    for i, bag in olds.items():
        weights: Counter[int] = Counter()
        for word in bag:
            places = index.get(word, ())
            if len(places) <= common:
                for j in places:
                    weights[j] += 1 + 1000 // (1 + len(places))
        yield from ((i, j) for j, _ in weights.most_common(_CANDIDATES))


def _bag(text: str) -> Counter[str]:
    return Counter(word.text.casefold() for word in words(text) if not word.is_punctuation)


def _likeness(olds: Iterable[Counter[str]], news: Iterable[Counter[str]]) -> float:
    """Dice's coefficient of two bags of words."""
    left, right = sum(olds, Counter[str]()), sum(news, Counter[str]())
    total = left.total() + right.total()
    return 2 * (left & right).total() / total if total else 0.0


def _shared(part: Counter[str], whole: Counter[str]) -> float:
    return (part & whole).total() / part.total() if part else 0.0


def _gaps(anchors: Sequence[tuple[int, int]], olds: Sequence[int], news: Sequence[int]) -> Any:
    """Whether an old and a new sentence stand between the same two unchanged ones."""
    kept = _increasing(anchors)
    first, second = [i for i, _ in kept], [j for _, j in kept]
    gap_old = {i: bisect.bisect(first, i) for i in olds}
    gap_new = {j: bisect.bisect(second, j) for j in news}
    return lambda i, j: gap_old[i] == gap_new[j]


def _increasing(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The most pairs that stand in the same order on both sides (patience sorting)."""
    tails: list[int] = []
    last: list[int] = []
    back: list[int] = []
    for at, (_, j) in enumerate(pairs):
        place = bisect.bisect_left(tails, j)
        back.append(last[place - 1] if place else -1)
        if place == len(tails):
            tails.append(j)
            last.append(at)
        else:
            tails[place], last[place] = j, at
    found: list[tuple[int, int]] = []
    at = last[-1] if last else -1
    while at >= 0:
        found.append(pairs[at])
        at = back[at]
    return found[::-1]


def _in_order(before: Sequence[Sentence], after: Sequence[Sentence], matches: list[_Match]) -> Iterator[Aligned]:
    matches.sort(key=lambda m: m.olds)
    in_place = {i for i, _ in _increasing([(m.olds[0], m.news[0]) for m in matches])}
    pairs: list[tuple[float, float, Aligned]] = []
    home: dict[int, int] = {}
    used_old: set[int] = set()
    used_new: set[int] = set()
    for match in matches:
        used_old.update(match.olds)
        used_new.update(match.news)
        moved = match.olds[0] not in in_place
        if not moved:
            home[match.olds[-1]] = match.news[-1]
        kind: Alignment
        if len(match.news) > 1:
            kind = "split"
        elif len(match.olds) > 1:
            kind = "merged"
        elif _key(before[match.olds[0]].text) != _key(after[match.news[0]].text):
            kind = "reworded"
        else:
            kind = "moved" if moved else "same"
        aligned = Aligned(
            kind, tuple(before[i] for i in match.olds), tuple(after[j] for j in match.news), moved, match.likeness
        )
        pairs.append((match.news[0], -1.0, aligned))
    for j in range(len(after)):
        if j not in used_new:
            pairs.append((j, -1.0, Aligned("added", (), (after[j],), False, 0.0)))
    # a sentence that went stands behind the one that was before it
    at = -0.5
    for i in range(len(before)):
        if i in home:
            at = home[i] + 0.5
        elif i not in used_old:
            pairs.append((at, float(i), Aligned("removed", (before[i],), (), False, 0.0)))
    yield from (aligned for _, _, aligned in sorted(pairs, key=lambda row: row[:2]))
