"""What two revisions of a page do not share, as clean sentences.

Paragraphs are compared as they are written; only those that one revision has and the other has not are cleaned of their
markup and split. On a history that is nearly all of the saving: an edit touches a few lines of a page.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from aver.collection.readers import strip_wikitext
from aver.collection.readers._markdown import markdown_text
from aver.revisions._history import Markup
from aver.text import Sentence, split_sentences

__all__ = ["changed_paragraphs", "is_prose", "paragraphs", "sentences"]

_LONGEST = 20_000
"""Characters of a paragraph that people write; what is longer is data."""
_BLANK = re.compile(r"\n[ \t]*\n\s*")
_FENCED = re.compile(r"^ {0,3}(```+|~~~+).*?(?:^ {0,3}\1|\Z)", re.MULTILINE | re.DOTALL)
# Lines of tables, templates, headings, lists of links and the like are no running text.
_NO_PROSE = re.compile(
    r"\s*(?:[|!{}=<>#:;]|\[\[(?:File|Image|Category|Datei|Bild|Fichier|[a-z]{2,3}(?:-[a-z]+)?):|__|~~|----|&lt;|https?://)"
)
_OPEN = re.compile(r"\{\{|\}\}|\[\[|\]\]|<ref\b[^<>]*(?<!/)>|</ref\s*>|<!--|-->")
_CLOSES = {"}}": "{{", "]]": "[[", "</ref": "<ref", "-->": "<!--"}
_MARKS = re.compile(r"[{}|<>=\[\]]|\bstyle=|\bcolspan\b|'''|\b[A-Za-z0-9_]+\(\)|;\s*$")
_WORD = re.compile(r"[^\W\d_]{2,}")


def paragraphs(text: str, markup: Markup) -> list[str]:
    """The paragraphs as they are written: a line in wikitext, what blank lines part elsewhere."""
    if markup == "wikitext":
        return text.split("\n")
    return _BLANK.split(_FENCED.sub("\n\n", text) if markup == "markdown" else text)


def changed_paragraphs(old: Sequence[str], new: Sequence[str]) -> tuple[list[str], list[str]]:
    """The paragraphs that only the old and only the new revision has, in order; a paragraph that moved is in neither.

    >>> changed_paragraphs(["a", "b", "c"], ["c", "a", "d"])
    (['b'], ['d'])
    """
    most = min(len(old), len(new))
    start = next((i for i in range(most) if old[i] != new[i]), most)
    stop = next((i for i in range(most - start) if old[-1 - i] != new[-1 - i]), most - start)
    left, right = old[start : len(old) - stop], new[start : len(new) - stop]
    if not left or not right:
        return list(left), list(right)
    lost, gained = Counter(left) - Counter(right), Counter(right) - Counter(left)
    return _kept(left, lost), _kept(right, gained)


def _kept(lines: Sequence[str], wanted: Counter[str]) -> list[str]:
    kept = []
    for line in lines:
        if wanted.get(line, 0) > 0:
            wanted[line] -= 1
            kept.append(line)
    return kept


def sentences(lines: Sequence[str], markup: Markup) -> list[Sentence]:
    """The sentences of these paragraphs, without markup; paragraphs that are no running text have none."""
    found: list[Sentence] = []
    for line in lines:
        text = _clean(line, markup)
        if text:
            found.extend(split_sentences(text))
    return found


def _clean(line: str, markup: Markup) -> str:
    if len(line) > _LONGEST or not _WORD.search(line):
        return ""
    if markup == "wikitext":
        if _NO_PROSE.match(line) or not _balanced(line):
            return ""
        return strip_wikitext(line.lstrip("* "))
    if markup == "markdown":
        # a table is no running text, and an indented block is code
        if line.startswith(("|", "    ")) or "\n|" in line:
            return ""
        return markdown_text(line)[1]
    return " ".join(line.split())


def _balanced(line: str) -> bool:
    """Whether what opens in a line also closes in it; a template over several lines is torn by the comparison."""
    waiting: list[str] = []
    for found in _OPEN.finditer(line):
        mark = found[0][:5] if found[0].startswith("</ref") else found[0][:4] if found[0][0] == "<" else found[0]
        if mark in _CLOSES:
            if not waiting or waiting.pop() != _CLOSES[mark]:
                return False
        else:
            waiting.append(mark)
    return not waiting


def is_prose(text: str) -> bool:
    """Whether a text reads as a sentence: a list of names or a caption has no end, and data has signs in it.

    >>> is_prose("The tower is 52 metres high."), is_prose("Population: 4,000")
    (True, False)
    """
    if not 20 <= len(text) <= 1200 or _MARKS.search(text):
        return False
    words = _WORD.findall(text)
    return len(words) >= 4 and text.rstrip("\"'”’)]»")[-1:] in ".!?…。" and any(w[0].islower() for w in words)
