"""Pairs of versions whose edit is known to change a fact, or known not to: what flaggers are fitted and scored on.

No public set of revisions labelled by people is at hand, so the sets are built, and kept apart:

- `factual`: VitaminC's before and after sentences; people wrote a claim that the edit flips. Direction by chance.
- `same sentence`: one of the two sentences after `aver.revisions.harmless_edit`. The shipped judges' edit heads were
  trained on edits that the same rules made of other folds' sentences, so this set flatters them.
- `other rules`: the same sentences rewritten by rules the judges have not seen (this module; the flagger's weights
  were fitted with such edits of fold 7 among others): an adverbial moved to the front or back,
  members of a list exchanged, figures and names written another way, clauses joined otherwise.
- copy edits: corpora of edits for grammar, style or simplicity, each by its name. Nobody checked pair by pair that no
  fact changed; simplifications do drop details.

Sets a judge was trained on are left out for it: WNC and MRPC's training half always, JFLEG where the model's card says
so by its licence. For fitting there are other rows of WikiSplit and wiki-auto; ASSET and JFLEG (non-commercial) and
Turk are never fitted on.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from aver.records import iter_records
from aver.revisions import harmless_edit

Pair = tuple[str, str]


class Row(NamedTuple):
    """Two versions, whether a fact changed, the set they come from, and what they are resampled by."""

    before: str
    after: str
    factual: bool
    source: str
    group: str


def vitaminc(data: Path, folds: set[int], seed: int, limit: int | None) -> list[Row]:
    """The factual edits of these folds, and both kinds of edits of the same sentences that change nothing."""
    found = []
    taken = 0
    for _, fields in iter_records(data / "vitaminc" / "revision_pairs.jsonl.gz"):
        if fields["fold"] not in folds:
            continue
        rng = random.Random(f"{seed}|{fields['a']}|{fields['b']}")
        a, b = (fields["a"], fields["b"]) if rng.random() < 0.5 else (fields["b"], fields["a"])
        if a.split() == b.split():
            continue
        found.append(Row(a, b, True, "factual", fields["page"]))
        for source, changed in (("same sentence", harmless_edit(a, rng)), ("other rules", rewritten(a, rng))):
            if changed is not None and changed.split() != a.split():
                pair = (a, changed) if rng.random() < 0.5 else (changed, a)
                found.append(Row(*pair, False, source, fields["page"]))
        taken += 1
        if taken == limit:
            break
    return found


def copy_edits(data: Path, *, fitting: bool, card: dict[str, Any] | None, limit: int, seed: int) -> list[Row]:
    """At most `limit` pairs of each corpus; for fitting, other rows of fewer corpora."""
    sources: dict[str, Callable[[], Iterator[Pair]]] = {
        "WikiSplit": lambda: _wikisplit(data, "tune" if fitting else "test"),
        "wiki-auto": lambda: _wiki_auto(data, fitting),
    }
    if not fitting:
        sources |= {
            "ASSET": lambda: _asset(data),
            "Turk": lambda: _turk(data),
            "MRPC": lambda: _mrpc(data),
            "arXivEdits": lambda: _arxiv(data),
        }
        if not _trained_on_jfleg(card):
            sources["JFLEG"] = lambda: _jfleg(data)
    found = []
    for name, read in sources.items():
        pairs = [(a, b) for a, b in dict.fromkeys(read()) if a.split() != b.split() and a and b]
        random.Random(f"{seed}|{name}").shuffle(pairs)
        found += [Row(a, b, False, name, a) for a, b in pairs[:limit]]
    return found


def _trained_on_jfleg(card: dict[str, Any] | None) -> bool:
    rows = (card or {}).get("data", [{"source": "edit_copy", "licence": "NC"}])
    return any(row.get("source") == "edit_copy" and "NC" in row.get("licence", "") for row in rows)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def _wikisplit(data: Path, part: str) -> Iterator[Pair]:
    for line in _lines(data / "rev_wikisplit" / f"{part}.tsv"):
        whole, _, parts = line.partition("\t")
        yield whole.strip(), re.sub(r"\s*<::::>\s*", " ", parts).strip()


def _wiki_auto(data: Path, fitting: bool) -> Iterator[Pair]:
    for line in _lines(data / "rev_wikiauto" / "GEM2021" / "full_no_split" / "valid.tsv"):
        a, _, b = line.partition("\t")
        if (hashlib.md5(a.encode()).digest()[0] % 2 == 0) == fitting:
            yield a.strip(), b.strip()


def _asset(data: Path) -> Iterator[Pair]:
    whole = _lines(data / "rev_asset" / "asset.test.orig")
    for number in range(10):
        yield from zip(whole, _lines(data / "rev_asset" / f"asset.test.simp.{number}"), strict=True)


def _turk(data: Path) -> Iterator[Pair]:
    for line in _lines(data / "rev_turk" / "test.8turkers.organized.tsv"):
        _, whole, *others = line.split("\t")
        yield from ((whole.strip(), other.strip()) for other in others)


def _mrpc(data: Path) -> Iterator[Pair]:
    for line in _lines(data / "paraphrase_mrpc" / "msr_paraphrase_test.txt")[1:]:
        quality, _, _, a, b = line.split("\t")[:5]
        if quality == "1":
            yield a, b


def _jfleg(data: Path) -> Iterator[Pair]:
    for reference in range(4):
        yield from zip(
            _lines(data / "rev_jfleg" / "test_test.src"), _lines(data / "rev_jfleg" / f"test_test.ref{reference}"),
            strict=True,
        )  # fmt: skip


def _arxiv(data: Path) -> Iterator[Pair]:
    """Pairs whose every edit was labelled as one of language or format, none as content."""
    for part in ("dev", "test"):
        for row in json.loads((data / "rev_arxivedits" / f"{part}.json").read_text(encoding="utf-8")).values():
            edits = row["edits-combination-0"].values()
            if edits and all(edit["intention"] != "Content" for edit in edits):
                yield row["sentence-1"], row["sentence-2"]


# --- rewriting by rules that the judges were not trained on ---


def rewritten(sentence: str, rng: random.Random) -> str | None:
    """The sentence rewritten by one or two rules; None where none fits.

    >>> rewritten("In 2019 , he moved to Rome .", random.Random(1))
    'He moved to Rome in 2019 .'
    """
    rules = list(_RULES)
    rng.shuffle(rules)
    wanted = rng.choice((1, 1, 2))
    text = sentence
    for rule in rules:
        changed = rule(text)
        if changed is not None and changed != text:
            text, wanted = changed, wanted - 1
            if not wanted:
                break
    return text if text != sentence else None


def _to_the_back(text: str) -> str | None:
    found = re.match(
        r"(In|On|During|Since|Until|By|After) ((?:\w+ ){0,2}\d{1,4}(?: ,? ?\d{4})?) , "
        r"([a-z]\w*|He|She|It|They|The|A) (.+?) ?\.$",
        text,
    )
    if found is None or "," in found[4]:
        return None
    return f"{found[3][:1].upper()}{found[3][1:]} {found[4]} {found[1].lower()} {found[2]} ."


def _to_the_front(text: str) -> str | None:
    found = re.match(r"(He|She|It|They|The [a-z]+) ([^,]+) (in|on|during|since|until) ((?:\w+ )?[12]\d{3}) ?\.$", text)
    if found is None:
        return None
    return f"{found[3].capitalize()} {found[4]} , {found[1][:1].lower()}{found[1][1:]} {found[2]} ."


def _exchanged(text: str) -> str | None:
    """Two members of a list of names exchanged: "France , Spain and Italy"."""
    found = re.search(r"(?<=[a-z] )([A-Z]\w+(?: [A-Z]\w+)?) and ([A-Z]\w+(?: [A-Z]\w+)?)(?= [a-z.,])(?! '?s )", text)
    if found is None or re.search(r"(?:respectively|between|from|Both)\b", text):
        return None
    return text[: found.start()] + f"{found[2]} and {found[1]}" + text[found.end() :]


def _millions(text: str) -> str | None:
    def written(found: re.Match[str]) -> str:
        return f"{round(float(found[1]) * 1_000_000):,}"

    changed = re.sub(r"(?<![\w.,])(\d{1,3}(?:\.\d{1,2})?) million\b", written, text, count=1)
    if changed != text:
        return changed
    return re.sub(r"(?<![\w.,])(\d{1,3}),(\d)00,000(?![\w,])", r"\1.\2 million", text, count=1)


def _commas(text: str) -> str | None:
    return re.sub(r"(?<![\w.,])(\d{1,3}),(\d{3})(?![\w,])", r"\1\2", text)


def _names(text: str) -> str | None:
    for long, short in (
        ("the United States", "the U.S."), ("United Kingdom", "UK"), ("New York City", "NYC"), ("Doctor ", "Dr. "),
        ("Saint ", "St. "), ("et cetera", "etc."), ("television", "TV"), ("kilometres", "km"), ("kilometers", "km"),
    ):  # fmt: skip
        if long in text:
            return text.replace(long, short, 1)
        if short in text and not short.endswith(" "):
            return text.replace(short, long, 1)
    return None


_PHRASES = (
    (" as well as ", " and "), (" such as ", " like "), ("prior to ", "before "), (" in order to ", " to "),
    (" whilst ", " while "), (" due to ", " because of "), (" based on ", " on the basis of "),
    (" is an American ", " is a US "), (" worldwide", " around the world"), (" was able to ", " could "),
    (" a total of ", " "), (" currently ", " at present "),
    (" the film ", " the movie "), (" approval rating ", " rating "), (" critics", " reviewers"), (" purchase", " buy"),
    (" attempt", " try"), (" individuals", " people"), (" subsequently ", " then "), (" died ", " passed away "),
    (" located in ", " in "), (" featuring ", " with "), (" starring ", " with "), (" resulting in ", " causing "),
    (" utilized ", " used "), (" various ", " different "), (" throughout ", " all through "),
    (" is the ", " is also the "),
)  # fmt: skip


def _phrase(text: str) -> str | None:
    fitting = [pair for pair in _PHRASES if pair[0] in text]
    # which of them is settled by the text, so that a row is the same in every run
    return text.replace(*fitting[sum(map(ord, text)) % len(fitting)], 1) if fitting else None


def _of(text: str) -> str | None:
    return re.sub(r"\bthe (capital|mayor|president|king|coast|history|population|government) of ([A-Z]\w+)(?! [A-Z])",
                  r"\2 's \1", text, count=1)  # fmt: skip


def _from_to(text: str) -> str | None:
    return re.sub(r"\bfrom ([12]\d{3}) to ([12]\d{3})\b", r"between \1 and \2", text, count=1)


def _relative(text: str) -> str | None:
    changed = re.sub(r" , who (?:is|was) (?=an? )", " , ", text, count=1)
    return changed if changed != text else re.sub(r"\bthat was (?=[a-z]+ed by\b)", "", text, count=1)


def _contracted(text: str) -> str | None:
    changed = re.sub(r"\b(did|does|is|was|were|has|had|could|would) not\b", r"\1n't", text, count=1)
    if changed != text:
        return changed
    return re.sub(r"\b(did|does|is|was|were|has|had|could|would) ?n't\b", r"\1 not", text, count=1)


def _joined(text: str) -> str | None:
    changed = re.sub(r" , (?:and|but) (he|she|it|they) ", lambda m: f" . {m[1].capitalize()} ", text, count=1)
    return changed if changed != text else re.sub(r" ; (?=[a-z])", " , and ", text, count=1)


_RULES: tuple[Callable[[str], str | None], ...] = (
    _to_the_back, _to_the_front, _exchanged, _millions, _commas, _names, _phrase, _of, _from_to, _relative, _contracted,
    _joined,
)  # fmt: skip
