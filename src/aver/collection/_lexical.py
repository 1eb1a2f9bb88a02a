"""BM25 over titles and bodies: the tantivy index of a collection."""

from __future__ import annotations

import math
import re
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import tantivy

from aver.errors import InputError

__all__ = ["Lexical", "LexicalHit", "analyze", "content_terms"]

TITLE_BOOST = 1.5
_HEAP = 160_000_000
_THREADS = 1
"""One beside the thread that reads documents keeps up with it; each leaves a segment of its own at every commit, and a
query asks every segment for every term."""
_GATHERING, _ARENA = 1_000_000_000, 4
"""The most memory for making one segment of all: so many times the index's size on disk is enough, and a larger index
is left to tantivy's own merging."""
_MOST_TERMS = 256
"""Of a query; of a longer one the rarest count."""

_MOST_POSTINGS, _LEAST_TERMS = 40_000, 3
"""How much of the bodies' index a query goes through: its terms are taken from the rarest on until so many documents
hold them, three terms at least. What half of all bodies hold tells them apart least and costs most; in titles every
term is looked for. Chosen on VitaminC's training claims; `benchmarks/collection.py` prints time and recall with every
term beside it."""

_MOST_LEADING, _MOST_TITLES = 500, 1_000
"""Which documents come into question: those that hold one of the query's leading terms, the rarest in bodies and the
rarest in titles until so many hold them, one in bodies at least. The other terms are only looked up in these documents:
they add to a score, but no document is found for their sake. Chosen on the same claims, so that as many find their
page."""

_MOST_KEPT = 100_000
"""Terms whose frequency is remembered: a few megabytes."""

# Of the query only: the index holds every word, so a query of nothing but these still finds something.
_STOPWORDS = frozenset(
    "a about after all also an and any are as at be been before being between both but by can could did do does "
    "during each for from had has have he her him his how i if in into is it its itself more most no nor not of on "
    "once only or other our out over own s same she so some such t than that the their them then there these they "
    "this those through to too under until up very was we were what when where which while who whom why will with "
    "would you your".split()
)


def _analyzer() -> tantivy.TextAnalyzer:
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    for step in ("lowercase", "ascii_fold"):
        builder = builder.filter(getattr(tantivy.Filter, step)())
    return builder.filter(tantivy.Filter.remove_long(80)).filter(tantivy.Filter.stemmer("english")).build()


_ANALYZER = _analyzer()


# Chinese characters and kana: written without spaces, so that a whole sentence would be one word.
_UNSPACED = re.compile(
    "[\u3005\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff]+"
)
_HALF = re.compile(r"[\ud800-\udfff]")
"""Of a surrogate pair: the index takes none, and a text from elsewhere may hold one."""
_LIKELY = re.compile("[\u3005-\U0003ffff]")
"""Holds all of these; one range is looked for three times as fast as many."""
_UNSPACED_SHARE = 0.2
"""Text of which less is so written only quotes a name: that stays one word, and the text as long as it was."""


def _parted(text: str) -> str:
    """Text that is written without spaces, with every character and every pair of neighbours as words of their own;
    any other as it is."""
    if text.isascii():
        return text
    text = _HALF.sub("\ufffd", text)
    if _LIKELY.search(text) is None:
        return text
    if sum(map(len, _UNSPACED.findall(text))) < _UNSPACED_SHARE * len(text):
        return text
    return _UNSPACED.sub(lambda found: f" {' '.join([*found.group(), *_pairs(found.group())])} ", text)


def _asked(text: str) -> str:
    """A query, where every run of such characters is looked for by its pairs, and as the one word that a quoted name
    is."""
    if text.isascii():
        return text
    text = _HALF.sub("\ufffd", text)
    return _UNSPACED.sub(lambda found: f" {' '.join([*_pairs(found.group()), found.group()])} ", text)


def _pairs(run: str) -> list[str]:
    return [run[place : place + 2] for place in range(len(run) - 1)]


def analyze(text: str) -> list[str]:
    """The terms of a text as they stand in the index.

    >>> analyze("Beyoncé was running"), analyze("東京塔")
    (['beyonc', 'was', 'run'], ['東', '京', '塔', '東京', '京塔'])
    """
    return _ANALYZER.analyze(_parted(text))


def content_terms(text: str) -> list[str]:
    """The terms of a query that carry meaning, each once, in order; all of them where none does.

    >>> content_terms("The Beatles were in the U.S."), content_terms("to be or not to be"), content_terms("東京塔")
    (['beatl', 'u'], ['to', 'be', 'or', 'not'], ['東京', '京塔', '東京塔'])
    """
    terms = list(dict.fromkeys(_ANALYZER.analyze(_asked(text))))
    return [term for term in terms if term not in _STOPWORDS] or terms


class LexicalHit(NamedTuple):
    """A document's number and its BM25 score."""

    document: int
    score: float


class Lexical:
    """The index in its folder. It only ever repeats what the tables say, so it may be lost and made anew."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._index = self._opened()
        self._writer: tantivy.IndexWriter | None = None
        self._links: tempfile.TemporaryDirectory[str] | None = None
        self._frequencies: dict[tuple[str, str], int] = {}

    @staticmethod
    def exists(folder: Path) -> bool:
        """There is an index that this version of tantivy can read."""
        try:
            return folder.is_dir() and tantivy.Index.exists(str(folder)) and tantivy.Index.is_compatible(str(folder))
        except Exception:
            # whatever is wrong with it, it cannot be used
            return False

    @classmethod
    def anew(cls, folder: Path) -> Lexical:
        """An empty index in place of whatever is there."""
        shutil.rmtree(folder, ignore_errors=True)
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{folder.parent}: a collection cannot be made there: {error.strerror}") from error
        return cls(folder)

    @classmethod
    def linked(cls, folder: Path) -> Lexical:
        """An index in a folder that may only be read. tantivy must be able to make a lock beside its files, so it
        gets a folder of links to them; what others write later takes a new one."""
        links = tempfile.TemporaryDirectory(prefix="aver-")
        for path in folder.iterdir():
            if not path.name.endswith(".lock"):
                Path(links.name, path.name).symlink_to(path.resolve())
        made = cls(Path(links.name))
        made._links = links
        return made

    def _opened(self) -> tantivy.Index:
        builder = tantivy.SchemaBuilder()
        builder.add_unsigned_field("document", stored=False, indexed=True, fast=True)
        builder.add_text_field("title", stored=False, tokenizer_name="aver", index_option="freq")
        builder.add_text_field("body", stored=False, tokenizer_name="aver", index_option="freq")
        try:
            index = tantivy.Index(builder.build(), path=str(self._folder), reuse=True)
        except (OSError, ValueError) as error:
            raise InputError(f"{self._folder}: the lexical index cannot be opened: {error}") from error
        index.register_tokenizer("aver", _ANALYZER)
        index.config_reader(reload_policy="manual")
        return index

    # --- writing ---

    def put(self, documents: Iterable[tuple[int, str, str]], stale: Iterable[int]) -> None:
        """Forgets the stale documents, then takes these in (number, title, text); kept and seen after `commit`.

        A document that may be in the index already must be among the stale ones.
        """
        if self._writer is None:
            self._writer = self._index.writer(_HEAP, _THREADS)
        writer = self._writer
        for number in stale:
            # not delete_documents_by_term: it takes the number for a signed one, and finds nothing
            writer.delete_documents_by_query(tantivy.Query.term_query(self._index.schema, "document", number))
        for number, title, text in documents:
            entry = tantivy.Document()
            entry.add_unsigned("document", number)
            entry.add_text("title", _parted(title))
            entry.add_text("body", _parted(text))
            writer.add_document(entry)

    def commit(self) -> None:
        """Keeps what was put; readers see it at their next reload."""
        if self._writer is not None:
            self._writer.commit()

    def gather(self, documents: Iterable[tuple[int, str, str]]) -> None:
        """Makes one segment of many: the index once more from these documents, which are all. A query asks every
        segment for every term, and tantivy merges no fewer than eight of a size.

        Readers see the old segments until this is done, and whoever is stopped before that leaves them as they were.
        """
        self._finish_merging()
        heap = max(_HEAP, _ARENA * self._size())
        self._writer = self._index.writer(heap, _THREADS)
        try:
            self._writer.delete_all_documents()
            self.put(documents, ())
            self.commit()
        except BaseException:
            # what was not committed is forgotten with its writer
            self._writer = None
            raise

    def is_scattered(self, most: int) -> bool:
        """More segments than so many, once merging is done, of an index that can be gathered."""
        self._finish_merging()
        self.reload()
        return self._index.searcher().num_segments > most and _ARENA * self._size() <= _GATHERING

    def _size(self) -> int:
        return sum(path.stat().st_size for path in self._folder.iterdir())

    def close(self) -> None:
        """Waits for what is being merged, and lets go of the index."""
        self._finish_merging()
        if self._links is not None:
            self._links.cleanup()
            self._links = None

    def _finish_merging(self) -> None:
        if self._writer is not None:
            self._writer.wait_merging_threads()
            self._writer = None

    # --- reading ---

    def reload(self) -> None:
        """Sees what was committed since."""
        self._index.reload()
        self._frequencies = {}

    @property
    def count(self) -> int:
        """How many documents the index holds."""
        return self._index.searcher().num_docs

    def search(
        self, terms: Sequence[str], limit: int, *, among: Sequence[int] = (), title_boost: float = TITLE_BOOST,
        every: bool = False,
    ) -> list[LexicalHit]:  # fmt: skip
        """The best documents by BM25 (k1 1.2, b 0.75), title and body added up; `among` keeps to those documents.

        In bodies the telling terms are looked for, in documents that hold a leading one, or where these are fewer than
        `limit`, in all; with `every` all terms, in all documents.
        """
        if not terms or limit < 1:
            return []
        searcher = self._index.searcher()
        if len(terms) > _MOST_TERMS:
            terms = sorted(terms, key=self.frequency)[:_MOST_TERMS]
        telling = terms if every else self.telling(terms)
        whole = every or bool(among)
        query = self._query(terms, title_boost, telling, whole=whole)
        if among:
            both = [(tantivy.Occur.Must, self._these(among)), (tantivy.Occur.Should, query)]
            query = tantivy.Query.boolean_query(both)
        found = searcher.search(query, limit, count=False).hits
        if len(found) < limit and not whole:
            # few documents hold a leading word, or none: it is misspelt, or only what was deleted holds it
            query = self._query(terms, title_boost, telling, whole=True)
            found = searcher.search(query, limit, count=False).hits
        numbers = searcher.fast_field_values("document", [address for _, address in found])
        return [LexicalHit(int(n or 0), float(score)) for n, (score, _) in zip(numbers, found, strict=True)]

    def titled(self, terms: Sequence[str], limit: int) -> list[LexicalHit]:
        """The documents whose titles hold all these terms, the shortest titles first."""
        if not terms or limit < 1:
            return []
        schema = self._index.schema
        parts = [(tantivy.Occur.Must, tantivy.Query.term_query(schema, "title", term, "freq")) for term in terms]
        searcher = self._index.searcher()
        found = searcher.search(tantivy.Query.boolean_query(parts), limit, count=False).hits
        numbers = searcher.fast_field_values("document", [address for _, address in found])
        return [LexicalHit(int(n or 0), float(score)) for n, (score, _) in zip(numbers, found, strict=True)]

    def _query(self, terms: Sequence[str], title_boost: float, telling: Sequence[str], *, whole: bool) -> tantivy.Query:
        """Titles and bodies added up; unless it is about the `whole` index, of documents with a leading term."""
        schema = self._index.schema
        in_titles = terms if whole else self._rarest(terms, "title", _MOST_TITLES, 0)
        in_bodies = telling if whole else self._rarest(telling, "body", _MOST_LEADING, 1)
        leading: list[tuple[Any, tantivy.Query]] = []
        others: list[tuple[Any, tantivy.Query]] = []
        for term in terms:
            if self.frequency(term, "title"):
                title = tantivy.Query.boost_query(tantivy.Query.term_query(schema, "title", term, "freq"), title_boost)
                (leading if term in in_titles else others).append((tantivy.Occur.Should, title))
        for term in telling:
            if self.frequency(term):
                body = tantivy.Query.term_query(schema, "body", term, "freq")
                (leading if term in in_bodies else others).append((tantivy.Occur.Should, body))
        if not others:
            return tantivy.Query.boolean_query(leading)
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, tantivy.Query.boolean_query(leading)), *others])

    def _these(self, documents: Sequence[int]) -> tantivy.Query:
        """These documents, each with a score of nothing. One look-up for each: a set of numbers costs more to make."""
        schema = self._index.schema
        each = [tantivy.Query.term_query(schema, "document", number, "basic") for number in documents]
        parts = [(tantivy.Occur.Should, tantivy.Query.const_score_query(one, 0.0)) for one in each]
        return tantivy.Query.boolean_query(parts)

    def telling(self, terms: Sequence[str]) -> list[str]:
        """The terms that bodies are searched for: the rarest, as far as `_MOST_POSTINGS` goes, in the query's order."""
        chosen = self._rarest(terms, "body", _MOST_POSTINGS, _LEAST_TERMS)
        return [term for term in terms if term in chosen]

    def _rarest(self, terms: Sequence[str], field: str, most: int, least: int) -> set[str]:
        """The terms from the rarest on until more than `most` documents hold them; `least` at least that any holds."""
        chosen: set[str] = set()
        postings = held = 0
        for term in sorted(terms, key=lambda term: self.frequency(term, field)):
            count = self.frequency(term, field)
            postings += count
            if held >= least and postings > most:
                break
            chosen.add(term)
            held += count > 0
        return chosen

    def frequency(self, term: str, field: str = "body") -> int:
        """In how many bodies, or titles, the term stands. Kept until the next reload: every segment has to be asked."""
        known = self._frequencies.get((field, term))
        if known is None:
            known = self._index.searcher().doc_freq(field, term)
            if len(self._frequencies) < _MOST_KEPT:
                self._frequencies[field, term] = known
        return known

    def rarity(self, term: str) -> float:
        """The term's inverse document frequency, as BM25 has it."""
        total, holding = self.count, self.frequency(term)
        return math.log(1 + (total - holding + 0.5) / (holding + 0.5)) if total >= holding else 0.0
