"""Finding a collection's names in a text, without looking at every name.

From each word on, the text is followed for as long as some name begins with it: the names stand in order in an
index on disk, and each step is one look-up there. Nothing is loaded beforehand, and a million names cost a step no
more than twenty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from aver.collection._documents import Mention, MentionKind
from aver.collection._names import ALIAS, BASE, Token, fold_tokens
from aver.collection._reading import Tables

__all__ = ["find_mentions"]

_MOST_RIVALS = 64
"""Documents of one name; a name that more bear says nothing about which is meant."""
_LONGEST = 24
"""Words of a name that are followed."""

# A single such word is no mention, however many films are called "It".
_COMMON = frozenset(
    "a about after all also an and any are as at be because been before being both but by can could did do does down "
    "during each for from had has have he her here him his how i if in into is it its just like made many may me more "
    "most much my new no nor not now of off on once one only or other our out over own s same she so some such t than "
    "that the their them then there these they this those through to too two under until up us very was we were what "
    "when where which while who why will with would you your".split()
)


def find_mentions(tables: Tables, text: str) -> list[Mention]:
    """The names in a text and the documents they may mean, in the order of the text, longer names first."""
    tokens = fold_tokens(text)
    found: list[tuple[int, int, str]] = []
    for first in range(len(tokens)):
        for last, folded in _names_from(tables, tokens, first):
            if not _is_common(tokens[first : last + 1], text):
                found.append((first, last, folded))
    borne = [tables.named(folded, _MOST_RIVALS) for _, _, folded in found]
    titles = tables.titles(list({document for bearers in borne for document, _ in bearers}))
    return [
        mention
        for span, bearers in zip(found, borne, strict=True)
        for mention in _mentions(titles, text, tokens, span, bearers, _is_maximal(span, found))
    ]


def _names_from(tables: Tables, tokens: Sequence[Token], first: int) -> list[tuple[int, str]]:
    """(last word, name) of every name that begins at this word, the longest first."""
    found: list[tuple[int, str]] = []
    followed = ""
    for last in range(first, min(len(tokens), first + _LONGEST)):
        followed = f"{followed} {tokens[last].text}" if followed else tokens[last].text
        # What begins with "followed " comes right after "followed" itself: a space is before every letter and digit.
        near = tables.next_name(followed)
        if near == followed:
            found.append((last, followed))
        elif near is None or not near.startswith(followed + " "):
            break
    return found[::-1]


def _is_common(name: Sequence[Token], text: str) -> bool:
    if not all(token.text in _COMMON for token in name):
        return False
    # "The Who", "It Is What It Is": written as a name, and not because a sentence begins there
    capitals = sum(text[token.start].isupper() for token in name)
    return len(name) == 1 or capitals < len(name)


def _is_maximal(span: tuple[int, int, str], spans: Sequence[tuple[int, int, str]]) -> bool:
    first, last, _ = span
    return not any(a <= first and last <= b and (a, b) != (first, last) for a, b, _ in spans)


def _mentions(
    titles: Mapping[int, str],
    text: str,
    tokens: Sequence[Token],
    span: tuple[int, int, str],
    bearers: Sequence[tuple[int, int]],
    maximal: bool,
) -> list[Mention]:
    first, last, _ = span
    start, end = tokens[first].start, tokens[last].end
    written = text[start:end]
    found = []
    for document, kind in bearers:
        title = titles.get(document)
        if title is None:
            continue
        # a title may end in a mark that is no word: "Help!", "Soul Food (film)"
        whole = text.startswith(title, start) or written == title
        said: MentionKind = "exact" if whole else {BASE: "base", ALIAS: "alias"}.get(kind, "folded")  # type: ignore[assignment]
        words = last - first + 1
        found.append(Mention(written, start, end, document, title, said, words, maximal, len(bearers)))
    return found
