"""Noun phrases: by a spaCy pipeline where one is given, else by plain rules over words."""

from __future__ import annotations

from typing import Any, NamedTuple

from aver.errors import InputError, MissingExtra
from aver.text._words import Word, words

__all__ = ["Phrase", "load_parser", "noun_phrases"]

# What ends a phrase: articles, pronouns, conjunctions, prepositions, and the verbs that claims are made of.
_BREAKS = frozenset(
    "a an the this that these those and or but nor so yet if because while when where who whom whose which what how i "
    "you he she it we they me him her us them my your his its our their in on at by to from of for with without into "
    "onto over under about above below after before between among during since until through against as than not no "
    "is are was were be been being am has have had having do does did can could may might must shall should will would "
    "became become becomes began begins born built called came comes contains died directed features featured founded "
    "gave given got includes included known made makes named only played plays produced released said says starred "
    "stars there took used was went won works worked wrote written all also any both each ever every more most never "
    "other some such very".split()
)
# Inside a name these join what stands on both sides: "Lord of the Rings", "War and Peace".
_JOINTS = frozenset("of the and for in on de la le du von van al".split())


class Phrase(NamedTuple):
    """A noun phrase: `text` is `[start:end]` of what was read."""

    text: str
    start: int
    end: int


def noun_phrases(text: str, *, parser: Any = None) -> list[Phrase]:
    """The noun phrases of a text, in order.

    `parser` is a spaCy pipeline that parses (`load_parser` gives one). Without it a phrase is a run of words between
    articles, pronouns, prepositions, common verbs and punctuation; capitalised words are joined across "of", "the" and
    the like.

    >>> [phrase.text for phrase in noun_phrases("The Lord of the Rings was filmed in rural New Zealand.")]
    ['Lord of the Rings', 'rural New Zealand']
    """
    if parser is not None:
        try:
            chunks = list(parser(text).noun_chunks)
        except (AttributeError, ValueError, NotImplementedError) as error:
            raise InputError(f"this parser finds no noun phrases: {error}") from error
        return [_without_article(text, chunk.start_char, chunk.end_char) for chunk in chunks if chunk.text.strip()]
    found = words(text)
    phrases: list[Phrase] = []
    first: int | None = None
    for at in range(len(found)):
        if _goes_on(found, at, first is not None):
            first = at if first is None else first
        elif first is not None:
            phrases.append(_between(text, found[first], found[at - 1]))
            first = None
    if first is not None:
        phrases.append(_between(text, found[first], found[-1]))
    return phrases


def load_parser(name: str = "en_core_web_sm") -> Any:
    """A spaCy pipeline by name or path (extra `spacy`); pipelines are installed with `python -m spacy download NAME`.

    >>> load_parser("no_such_pipeline")  # doctest: +SKIP
    Traceback (most recent call last):
    aver.errors.InputError: spaCy has no pipeline 'no_such_pipeline'; install it with: …
    """
    try:
        import spacy
    except ImportError:
        raise MissingExtra("spacy", "spacy") from None
    try:
        return spacy.load(name)
    except OSError as error:
        raise InputError(f"spaCy has no pipeline {name!r}; install it with: python -m spacy download {name}") from error


def _goes_on(found: list[Word], at: int, inside: bool) -> bool:
    word = found[at]
    if word.is_punctuation:
        return inside and word.text in ("-", "'s", "’s", "&") and at + 1 < len(found)
    folded = word.text.casefold()
    if inside and folded in _JOINTS:
        return _joins(found, at)
    # a capitalised word in the middle of a sentence is part of a name, whatever it means: "The Who", "It Follows"
    if folded in _BREAKS:
        return inside and at > 0 and word.text[0].isupper() and found[at - 1].text[:1].isupper()
    return not (word.text[0].islower() and len(folded) > 4 and folded.endswith("ed"))


def _joins(found: list[Word], at: int) -> bool:
    """Whether the words on both sides of a run of joints are capitalised."""
    before, after = at - 1, at + 1
    while before >= 0 and found[before].text.casefold() in _JOINTS:
        before -= 1
    while after < len(found) and found[after].text.casefold() in _JOINTS:
        after += 1
    return before >= 0 and after < len(found) and found[before].text[0].isupper() and found[after].text[0].isupper()


def _between(text: str, first: Word, last: Word) -> Phrase:
    return Phrase(text[first.start : last.end], first.start, last.end)


def _without_article(text: str, start: int, end: int) -> Phrase:
    inside = words(text[start:end])
    if len(inside) > 1 and inside[0].text.casefold() in ("a", "an", "the"):
        start += inside[1].start
    return Phrase(text[start:end], start, end)
