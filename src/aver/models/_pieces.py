"""A pair of texts as the pieces a model can read: tokenised, windowed, with nothing left out."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from aver.errors import ModelError
from aver.text import Mark, Word, compare_figures, mark_places, windows, words

__all__ = ["MAX_CHARACTERS", "MAX_WINDOWS", "Order", "Pieces", "TooLong", "Unread", "Window", "cut", "readable"]

MAX_CHARACTERS = 1_000_000
"""A longer claim or evidence is refused: split it into documents first."""
MAX_WINDOWS = 2_000
"""A pair that needs more windows is refused."""
STRETCH = 50_000

Order = Literal["evidence_first", "claim_first"]
_SURROGATE = re.compile("[\ud800-\udfff]")


class TooLong(Exception):
    """Kept inside the room: becomes a judgement with status `error` and this text as its reason."""


class Unread(Exception):
    """As `TooLong`, with the status `abstained`: the model would judge without having read one of the two texts."""


class Window(NamedTuple):
    """One piece: what the model is fed, and where each token stands."""

    part: int
    """Which part of the claim."""
    piece: int
    """Which window of the evidence."""
    ids: list[int]
    types: list[int]
    claim_words: list[int]
    """For each token the claim word it belongs to, or -1."""
    evidence_words: list[int]
    claim: str
    """The claim's part as text, for judges that write a prompt around it."""
    evidence: str
    figures: Mapping[int, frozenset[int]] = MappingProxyType({})
    """For each mark of a figure of the evidence, by its place in `ids`, the words of that figure."""


class Pieces(NamedTuple):
    """A whole pair: its windows, a grid of claim parts x evidence windows, in that order."""

    windows: list[Window]
    shape: tuple[int, int]
    claim: list[Word]
    evidence: list[Word]
    coverage: float


def readable(text: str) -> str:
    """The text with lone surrogates, which no tokenizer takes, replaced one for one."""
    return _SURROGATE.sub("\ufffd", text)


def cut(
    claim: str, evidence: str, tokenizer: Any, max_tokens: int, order: Order, *, first_mark: int | None = None,
    compared: Mapping[str, bool] | None = None,
) -> Pieces:
    """Cuts a pair into windows of at most `max_tokens` tokens, at words.

    The claim stays whole where it takes at most half of the room; a longer one is cut into parts of half the room.
    The evidence gets what the claim's part leaves. Neighbouring windows share a quarter. For a model that was
    trained with them, marks of compared figures come on top, as the ids from `first_mark` on; `compared` says what it
    knows of these (the options of `aver.text.compare_figures`).
    """
    for what, text in (("claim", claim), ("evidence", evidence)):
        if len(text) > MAX_CHARACTERS:
            raise TooLong(
                f"the {what} has {len(text):,} characters and at most {MAX_CHARACTERS:,} are read; "
                "split it into documents or sentences"
            )
    claim, evidence = readable(claim), readable(evidence)
    room = max_tokens - tokenizer.num_special_tokens_to_add(True)
    if room < 8:
        raise ModelError(f"a model that reads {max_tokens} tokens cannot read a pair")
    whole = _words_and_sizes(claim, tokenizer), _words_and_sizes(evidence, tokenizer)
    (claim_words, claim_sizes, claim_read, claim_heard) = whole[0]
    (evidence_words, evidence_sizes, evidence_read, evidence_heard) = whole[1]
    if sum(claim_sizes) + sum(evidence_sizes) <= room:
        parts, spans = [(0, len(claim_words))], [[(0, len(evidence_words))]]
    else:
        half = room // 2
        parts = windows(claim_sizes, half) if sum(claim_sizes) > half else [(0, len(claim_words))]
        # every part sees the same evidence windows, so that the grid is a rectangle
        left = room - max(min(sum(claim_sizes[a:b]), room - 4) for a, b in parts)
        spans = [windows(evidence_sizes, left)] * len(parts)
    count = len(parts) * len(spans[0])
    if count > MAX_WINDOWS:
        raise TooLong(
            f"the pair needs {count:,} windows and at most {MAX_WINDOWS:,} are read; "
            "split the evidence into documents or the claim into sentences"
        )
    texts = [
        (_slice(claim, claim_words, part), _slice(evidence, evidence_words, span))
        for part, row in zip(parts, spans, strict=True)
        for span in row
    ]
    pairs = [(e, c) if order == "evidence_first" else (c, e) for (c, _), (e, _) in texts]
    claim_side = 1 if order == "evidence_first" else 0
    claim_starts, evidence_starts = ([word.start for word in found] for found in (claim_words, evidence_words))
    cuttings: list[Window] = []
    lost_claim: set[int] = set()
    lost_evidence: set[int] = set()
    for index, (encoding, ((part_text, claim_at), (piece_text, evidence_at))) in enumerate(
        zip(_encoded(pairs, tokenizer), texts, strict=True)
    ):
        ids, types = encoding.ids, encoding.type_ids
        sides, offsets = encoding.sequence_ids, encoding.offsets
        in_claim = _word_of(offsets, sides, claim_side, claim_at, claim_words, claim_starts)
        in_evidence = _word_of(offsets, sides, 1 - claim_side, evidence_at, evidence_words, evidence_starts)
        if len(ids) > max_tokens:
            # Only a tokenizer that reads words differently at a cut, or a "word" larger than the room, comes here:
            # what is cut off the evidence side is noted as unread.
            keep = _fitting(sides, max_tokens)
            lost_claim |= {w for i, w in enumerate(in_claim) if i not in keep}
            lost_evidence |= {w for i, w in enumerate(in_evidence) if i not in keep}
            kept = sorted(keep)
            ids, types = [ids[i] for i in kept], [types[i] for i in kept]
            in_claim, in_evidence = [in_claim[i] for i in kept], [in_evidence[i] for i in kept]
            sides, offsets = [sides[i] for i in kept], [offsets[i] for i in kept]
        columns = ids, types, in_claim, in_evidence
        figures: dict[int, frozenset[int]] = {}
        if first_mark is not None:
            on_claim, on_evidence = compare_figures(part_text, piece_text, **(compared or {}))
            marks = (on_claim, on_evidence) if claim_side == 0 else (on_evidence, on_claim)
            columns, figures = _with_marks(columns, sides, offsets, marks, first_mark, max_tokens)
        at = divmod(index, len(spans[0]))
        cuttings.append(Window(*at, *columns, part_text, piece_text, figures))
    for what, heard in (("claim", claim_heard - lost_claim), ("evidence", evidence_heard - lost_evidence)):
        if not heard:
            raise Unread(
                f"no word of the {what} was read: they are not in the model's vocabulary, or longer than a window"
            )
    total = len(claim_words) + len(evidence_words)
    read = claim_read + evidence_read - len(lost_claim - {-1}) - len(lost_evidence - {-1})
    return Pieces(cuttings, (len(parts), len(spans[0])), claim_words, evidence_words, max(0.0, read / total))


def _encoded(pairs: list[tuple[str, str]], tokenizer: Any) -> Iterator[Any]:
    for start in range(0, len(pairs), 64):
        yield from tokenizer.encode_batch(pairs[start : start + 64])


def _words_and_sizes(text: str, tokenizer: Any) -> tuple[list[Word], list[int], int, set[int]]:
    """The words, the tokens each takes, how many words the vocabulary has anything for, and which of them it has
    letters or digits of.
    """
    found = words(text)
    unknown = _unknown(tokenizer)
    sizes = [0] * len(found)
    known = [False] * len(found)
    heard: set[int] = set()
    starts = [word.start for word in found]
    for shift, stop in _stretches(found, len(text)):
        encoding = tokenizer.encode(text[shift:stop], add_special_tokens=False)
        for token, (start, end) in zip(encoding.ids, encoding.offsets, strict=True):
            # a token that starts before the first word (a sign the word pattern passes over) counts with the first
            index = max(0, bisect.bisect_right(starts, max(start, end - 1) + shift) - 1)
            sizes[index] += 1
            if token != unknown:
                known[index] = True
                if any(map(str.isalnum, text[start + shift : end + shift])):
                    heard.add(index)
    # A word without a token of its own was read inside its neighbour's token ("p.m" as one piece); a control
    # character that the tokenizer drops has no word either way.
    for index, size in enumerate(sizes):
        if size == 0:
            known[index] = True
    return found, sizes, sum(known), heard


def _stretches(found: Sequence[Word], length: int) -> Iterator[tuple[int, int]]:
    """The text in stretches that end at words: a tokenizer's own record of a text is a hundred times its size."""
    start = 0
    for word in found:
        if word.start - start >= STRETCH:
            yield start, word.start
            start = word.start
    if found:
        yield start, length


def _unknown(tokenizer: Any) -> int | None:
    for name in ("[UNK]", "<unk>"):
        token = tokenizer.token_to_id(name)
        if token is not None:
            return int(token)
    return None


def _slice(text: str, found: Sequence[Word], span: tuple[int, int]) -> tuple[str, int]:
    first, stop = span
    start = found[first].start if first else 0
    end = found[stop].start if stop < len(found) else len(text)
    return text[start:end], start


def _word_of(
    offsets: Any, sides: Any, side: int, shift: int, found: Sequence[Word], starts: Sequence[int]
) -> list[int]:
    answer = []
    for (start, end), at in zip(offsets, sides, strict=True):
        if at != side or end <= start:
            answer.append(-1)
            continue
        index = bisect.bisect_right(starts, max(start, end - 1) + shift) - 1
        answer.append(index if index >= 0 and start + shift < found[index].end else -1)
    return answer


def _with_marks(
    columns: tuple[list[int], list[int], list[int], list[int]], sides: Sequence[int | None],
    offsets: Sequence[tuple[int, int]], marks: Sequence[Sequence[Mark]], first_mark: int, limit: int,
) -> tuple[tuple[list[int], list[int], list[int], list[int]], dict[int, frozenset[int]]]:  # fmt: skip
    """Puts the marks behind their figures, and says which words of the evidence are the figure of which mark.

    A mark has its side's type and belongs to no word. Marks come on top of the window's tokens, half as many at most: a
    table of figures must not outgrow the model.
    """
    insert: list[tuple[int, int, frozenset[int]]] = []
    for side, on_side in enumerate(marks):
        tokens = [i for i, at in enumerate(sides) if at == side]
        if not tokens:
            continue
        places = mark_places([offsets[i] for i in tokens], on_side[: limit // 4])
        insert += [
            (
                tokens[place] if place < len(tokens) else tokens[-1] + 1,
                first_mark + mark.mark,
                frozenset(
                    columns[3][i] for i in tokens if mark.start < offsets[i][1] and offsets[i][0] < mark.end
                ) - {-1},
            )
            for place, mark in zip(places, on_side, strict=False)
        ]  # fmt: skip
    ids, types, in_claim, in_evidence = (list(column) for column in columns)
    # the places rise, so that each mark in the end stands as much further back as there are marks before it
    figures = {place + before: words for before, (place, _, words) in enumerate(insert) if words}
    # from the end, so that earlier places stay true; marks of one place keep their order
    for place, token, _ in reversed(insert):
        ids.insert(place, token)
        types.insert(place, types[place - 1])
        in_claim.insert(place, -1)
        in_evidence.insert(place, -1)
    return (ids, types, in_claim, in_evidence), figures


def _fitting(sides: Sequence[int | None], limit: int) -> set[int]:
    """Which tokens to keep: all special ones, then from the end of the longer side tokens are taken away."""
    keep = [i for i, side in enumerate(sides) if side is None]
    by_side = [[i for i, side in enumerate(sides) if side == which] for which in (0, 1)]
    while len(keep) + len(by_side[0]) + len(by_side[1]) > limit:
        max(by_side, key=len).pop()
    return {*keep, *by_side[0], *by_side[1]}
