"""Verification end to end: what is retrieved, what is decided, and how long a claim takes, beside the bars.

    python benchmarks/verification.py --collection FOLDER [--model default|fast|FOLDER] [--ranker MODEL] [--only NAMES]
                                      [--limit N] [--cache FILE]
    python benchmarks/verification.py --collection FOLDER --fit [--again N]     the weights of the verdict, fitted anew,
                                      as they would be if the judge read the best N of the ranked sentences

FOLDER holds the collection of Wikipedia introductions; it is made from wiki_intros where it is not there (minutes).
`--ranker` is who orders the sentences (`aver check --ranker`); `--cache FILE` keeps what judges said, so that a second
run costs nothing but the search. Data sets are looked for in the folder AVER_DATA names, else in ../shared/data beside
the checkout.

`fever`: claims of FEVER's paper_dev with a gold page in the collection, and as many NOT ENOUGH INFO. Everything chosen
was chosen on the first half of the file; figures are of the second. A gold sentence is matched by its text, since the
collection is another dump: 85 % of its words stand in one of the claim's gold evidences and its page is a gold page.
`figures`: what VitaminC's labels of fold 7 are where the rule finds that numbers and dates agree or disagree.
`climate`: CLIMATE-FEVER's claims with their own five evidences, nothing of which was trained or chosen on; DISPUTED at
several thresholds, from the same readings; and how often one of the people who voted there says what the others do.
`disputed`: the same for sets of evidence made of VitaminC, fold 8 (benchmarks/_disputes.py).
`steps`: documents and sentences with and without each step of retrieval, up to the judge: no model reads, so all claims
are measured in minutes.
`latency`: seconds a claim, after the first, and the memory of the process. Exit code 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import collections
import gzip
import json
import os
import random
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from _answers import kept
from _disputes import evidence_sets, judged
from _verification_fit import cross_validated, fit
from aver import Collection, Label
from aver.agreement import claim_label, micro_verdict
from aver.collection.readers import fever_title
from aver.errors import AverError
from aver.metrics import classification
from aver.models import Judge, load_judge
from aver.verify import (
    READ_AGAIN,
    Passage,
    Retrieved,
    Settings,
    Verdict,
    check,
    check_figures,
    check_passages,
    find_documents,
    ranker_for,
    read_sentences,
    select_sentences,
)

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("AVER_DATA", ROOT.parent / "shared" / "data"))
PLAIN = Settings(rationale=False)
SETTLED = ("SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO")
SECTIONS = ("figures", "steps", "fever", "climate", "disputed", "latency")
CHOSEN = PLAIN.disputed_from(None)
THRESHOLDS = sorted({0.3, 0.4, 0.6, 0.7, 0.85, CHOSEN})


class Figure(NamedTuple):
    """One line of the table."""

    name: str
    value: float
    of: int
    bar: float | None = None
    lower: bool = False

    @property
    def reached(self) -> bool:
        return self.bar is None or (self.value <= self.bar if self.lower else self.value >= self.bar)


class Asked(NamedTuple):
    """A FEVER claim with what is known about it."""

    claim: str
    label: str
    pages: frozenset[str]
    gold: tuple[frozenset[str], ...]

    def is_gold(self, passage: Passage) -> bool:
        words = _words(passage.text)
        if passage.title not in self.pages or len(words) < 4:
            return False
        return any(sum(w in gold for w in words) / len(words) >= 0.85 for gold in self.gold)


def main() -> int:
    """Prints the figures; 0 where every bar is reached."""
    asked = arguments()
    try:
        judge = load_judge(asked.model)
        ranker = load_judge(asked.ranker) if asked.ranker else ranker_for(judge)
        if asked.fit:
            with opened(Path(asked.collection)) as collection:
                claims = [(a.claim, a.label) for a in fever_claims(collection, 0, asked.limit or 400, asked.seed)]
                fit(collection, claims, kept(judge, asked.cache), kept(ranker, asked.cache), asked.again)
            return 0
        figures = list(measured(asked, judge, ranker))
    except AverError as error:
        print(f"verification.py: {error}", file=sys.stderr)
        return 2
    if asked.json:
        rows = [f._asdict() | {"reached": f.reached} for f in figures]
        print(json.dumps({"model": judge.model, "ranker": ranker.model, "figures": rows}))
    else:
        print(f"model {judge.model}, sentences ordered by {ranker.model}, limit {asked.limit}, seed {asked.seed}")
        for f in figures:
            bar = (
                ""
                if f.bar is None
                else f"bar {'≤' if f.lower else '≥'} {f.bar:<6g} {'reached' if f.reached else 'MISSED'}"
            )
            print(f"{f.name:<62} {f.value:8.4f}  n={f.of:<6,} {bar}")
    return 0 if all(f.reached for f in figures) else 1


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--collection", required=True, help="the folder of the collection; made if it is not there")
    parser.add_argument("--model", default="default")
    parser.add_argument("--ranker", help="who orders the sentences; fast for aver's own models, else the model itself")
    parser.add_argument("--cache", type=Path, help="a file that keeps what judges said")
    parser.add_argument("--only", default="", help=f"some of {', '.join(SECTIONS)}, with commas")
    parser.add_argument("--limit", type=int, help="so many claims of each kind instead of all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fit", action="store_true", help="fit the verdict's weights on the first half of paper_dev")
    parser.add_argument("--again", type=int, default=READ_AGAIN, help="with --fit: sentences that the judge reads")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def measured(asked: argparse.Namespace, judge: Judge, ranker: Judge) -> Iterator[Figure]:
    wanted = [name for name in asked.only.split(",") if name] or list(SECTIONS)
    if set(wanted) & {"steps", "fever", "latency"}:
        with opened(Path(asked.collection)) as collection:
            if "steps" in wanted:
                yield from steps(collection, asked.limit, asked.seed)
            if "fever" in wanted:
                both = kept(judge, asked.cache), kept(ranker, asked.cache)
                yield from fever(collection, *both, asked.limit, asked.seed)
            if "latency" in wanted:
                yield from latency(collection, judge, ranker, asked.limit or 200, asked.seed)
    if "figures" in wanted:
        yield from compared_figures()
    if "climate" in wanted:
        yield from climate(kept(judge, asked.cache), asked.limit)
    if "disputed" in wanted:
        yield from disputed(kept(judge, asked.cache), asked.limit or 300)


def opened(folder: Path) -> Collection:
    if (folder / "collection.sqlite").is_file():
        return Collection(folder)
    say(f"making the collection in {folder}")
    collection = Collection(folder, create=True)
    collection.add(DATA / "wiki_intros" / "wiki_intros.jsonl.gz")
    return collection


# --- FEVER ---


def fever_claims(collection: Collection, half: int, limit: int | None, seed: int) -> list[Asked]:
    """Claims of one half of paper_dev, those with a gold page and those with none to find by turns."""
    gold: dict[str, list[frozenset[str]]] = collections.defaultdict(list)
    with gzip.open(DATA / "pairs" / "fever_dev_gold_SR.jsonl.gz") as file:
        for row in map(json.loads, file):
            gold[row["claim"]].append(frozenset(_words(row["evidence"])))
    with (DATA / "fever" / "paper_dev.jsonl").open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    rows = rows[: len(rows) // 2] if half == 0 else rows[len(rows) // 2 :]
    random.Random(seed).shuffle(rows)
    titles = {document.title for document in collection}
    kinds: tuple[list[Asked], list[Asked]] = ([], [])
    for row in rows:
        sets = [frozenset(fever_title(e[2]) for e in group if e[2]) for group in row["evidence"]]
        inside = [pages for pages in sets if pages and pages <= titles]
        if row["label"] == "NOT ENOUGH INFO":
            kinds[1].append(Asked(row["claim"], "NOT_ENOUGH_INFO", frozenset(), ()))
        elif inside:
            pages = frozenset().union(*inside)
            kinds[0].append(Asked(row["claim"], row["label"], pages, tuple(gold[row["claim"]])))
    most = min(len(kinds[0]), len(kinds[1]), limit or len(rows))
    return [claim for pair in zip(kinds[0][:most], kinds[1][:most], strict=True) for claim in pair]


def fever(collection: Collection, judge: Judge, ranker: Judge, limit: int | None, seed: int) -> Iterator[Figure]:
    orders: dict[str, Callable[[Any], float]] = {
        "words, the document's score and vectors": lambda r: r.passage.near,
        "words and little else": lambda r: r.passage.similarity,
        "words and little else, and the ranker": lambda r: r.rank - r.passage.near + r.passage.similarity,
        "the ranker's relevance": lambda r: r.judgement.relevance or 0.0,
        "the probability that it decides": lambda r: 1 - r.judgement.probabilities.get("NOT_ENOUGH_INFO", 1.0),
        "all of these": lambda r: r.rank,
    }
    hits: dict[str, list[bool]] = collections.defaultdict(list)
    right: dict[str, list[bool]] = collections.defaultdict(list)
    plain: list[bool] = []
    first: list[bool] = []
    alone: list[tuple[bool, bool]] = []
    sure: list[tuple[float, bool]] = []
    abstained = disputed = 0
    claims = fever_claims(collection, 1, limit, seed)
    for number, asked in enumerate(claims):
        if number % 100 == 0:
            say(f"fever: {number:,} of {len(claims):,}")
        documents = find_documents(collection, asked.claim)
        retrieved = select_sentences(collection, asked.claim, documents)
        readings = read_sentences(ranker, asked.claim, retrieved.passages)
        if asked.pages:
            found = [hit.document.title in asked.pages for hit in documents]
            plain.append(any(found))
            first.append(any(found[:1]))
            by_words = [hit.document.title in asked.pages for hit in collection.bm25(asked.claim)]
            alone.append((any(by_words[:1]), any(by_words)))
            here = select_sentences(collection, asked.claim, documents, limit=10_000).passages if any(found) else ()
            if any(map(asked.is_gold, here)):
                bare = {p: collection_score(collection, asked.claim, p) for p in here}
                best = sorted(here, key=lambda p: -bare[p])[:5]
                hits["words alone, without the document's score"].append(any(map(asked.is_gold, best)))
                hits["the 30 read"].append(any(map(asked.is_gold, retrieved.passages)))
                for name, key in orders.items():
                    top = sorted(readings, key=key, reverse=True)[:5]
                    hits[name].append(any(asked.is_gold(r.passage) for r in top))
        verdict = check_passages(asked.claim, retrieved, judge, ranker=ranker, settings=PLAIN)
        likelier = max(verdict.probabilities, key=lambda name: verdict.probabilities[name])
        right["label accuracy"].append(verdict.label == asked.label)
        right["label accuracy, DISPUTED as the likelier side"].append(likelier == asked.label)
        right["label accuracy of the claim rule over micro-verdicts"].append(verdict.rule_label == asked.label)
        together = verdict.joint is not None and verdict.joint.label == asked.label
        right["label accuracy of the joint reading alone"].append(together)
        right[f"label accuracy of the joint reading alone, {asked.label}"].append(together)
        right[f"label accuracy of {asked.label}"].append(verdict.label == asked.label)
        abstained += verdict.status == "abstained"
        disputed += verdict.label is Label.DISPUTED
        sure.append((verdict.confidence, verdict.label == asked.label))
    yield Figure("documents: gold page first, BM25 alone", _mean([a for a, _ in alone]), len(alone))
    yield Figure("documents: gold page among 10, BM25 alone", _mean([b for _, b in alone]), len(alone))
    yield Figure("documents: gold page first", _mean(first), len(first), 0.90)
    yield Figure("documents: gold page among 10", _mean(plain), len(plain), 0.98)
    for name, found in hits.items():
        what = "sentences: gold among" + (" " if name.startswith("the 30") else " 5 by ") + name
        yield Figure(what, _mean(found), len(found), 0.90 if name == "all of these" else None)
    for name, found in right.items():
        yield Figure(f"fever: {name}", _mean(found), len(found), 0.78 if name == "label accuracy" else None)
    yield Figure("fever: share DISPUTED (no gold label is)", disputed / len(claims), len(claims))
    yield Figure("fever: share abstained", abstained / len(claims), len(claims))
    for band in (0.5, 0.6, 0.7, 0.8):
        kept = [right for confidence, right in sure if confidence >= band]
        yield Figure(f"fever: label accuracy where confidence is {band} or more", _mean(kept), len(kept))
    yield Figure("fever: expected calibration error, ten bins", _calibration(sure), len(sure))


# --- the steps of retrieval ---


def steps(collection: Collection, limit: int | None, seed: int) -> Iterator[Figure]:
    """What each step adds, on the claims that have a gold page; figures are of the second half of paper_dev."""
    claims = [asked for asked in fever_claims(collection, 1, limit, seed) if asked.pages]
    finders: dict[str, Callable[[str], Any]] = {
        "BM25": lambda claim: collection.bm25(claim),
        "mentions alone": lambda claim: by_mentions(collection, claim),
        "BM25 and mentions": lambda claim: find_documents(collection, claim),
        "BM25, mentions and noun phrases": lambda claim: collection.search(claim, sentences=0, phrases=True),
    }
    pages: dict[str, list[tuple[bool, bool]]] = collections.defaultdict(list)
    hits: dict[str, list[tuple[bool, ...]]] = collections.defaultdict(list)
    for number, asked in enumerate(claims):
        if number % 500 == 0:
            say(f"steps: {number:,} of {len(claims):,}")
        for name, find in finders.items():
            right = [hit.document.title in asked.pages for hit in find(asked.claim)]
            pages[name].append((any(right[:1]), any(right[:10])))
        documents = find_documents(collection, asked.claim)
        plain = select_sentences(collection, asked.claim, documents, limit=10_000, vectors=False)
        if not any(map(asked.is_gold, plain.passages)):
            continue
        bare = {p: collection_score(collection, asked.claim, p) for p in plain.passages}
        chosen = select_sentences(collection, asked.claim, documents, limit=10_000).passages
        orders = {
            "the document's order": list(documents_order(documents, plain.passages)),
            "words alone": sorted(plain.passages, key=lambda p: -bare[p]),
            "vectors alone": sorted(chosen, key=lambda p: -p.cosine),
            "words, opening, a little of the document's score": sorted(plain.passages, key=lambda p: -p.similarity),
            "words, opening, the document's score": plain.passages,
            "all of these and vectors, as in use": chosen,
        }
        for name, order in orders.items():
            gold = [asked.is_gold(p) for p in order]
            hits[name].append(tuple(any(gold[:k]) for k in (1, 5, 15, 30)))
    for name, found in pages.items():
        for at, place in enumerate(("first", "among 10")):
            yield Figure(f"steps: gold page {place}, {name}", _mean([row[at] for row in found]), len(found))
    for name, rows in hits.items():
        for at, k in enumerate((1, 5, 15, 30)):
            yield Figure(f"steps: gold sentence among {k}, {name}", _mean([row[at] for row in rows]), len(rows))


def by_mentions(collection: Collection, claim: str) -> list[Any]:
    """The documents whose names stand in the claim: longer names first, then in the order of the claim."""
    found = sorted(collection.mentions(claim), key=lambda m: (not m.maximal, -m.words, m.start))
    documents = collection.documents([mention.document for mention in found])
    hits = {mention.document: documents[mention.document] for mention in found if mention.document in documents}
    return [argparse.Namespace(document=document) for document in hits.values()]


def documents_order(documents: Any, passages: Any) -> Iterator[Passage]:
    """All sentences as a reader meets them: the best document first, from its beginning."""
    order = {hit.document.key: at for at, hit in enumerate(documents)}
    yield from sorted(passages, key=lambda p: (order[p.document], p.number))


def collection_score(collection: Collection, claim: str, passage: Passage) -> float:
    from aver.collection import DocumentSentence

    p = passage
    sentence = DocumentSentence(0, p.revision or 0, p.number, p.text, p.start, p.end, p.hash)
    return collection.score_sentences(claim, [sentence], title=p.title)[0].score


def _calibration(rows: list[tuple[float, bool]]) -> float:
    bins: dict[int, list[tuple[float, bool]]] = collections.defaultdict(list)
    for confidence, right in rows:
        bins[min(int(confidence * 10), 9)].append((confidence, right))
    return sum(abs(_mean([c for c, _ in b]) - _mean([r for _, r in b])) * len(b) for b in bins.values()) / len(rows)


# --- figures ---


def compared_figures() -> Iterator[Figure]:
    labels: dict[str | None, list[str]] = collections.defaultdict(list)
    with gzip.open(DATA / "vitaminc" / "real.jsonl.gz") as file:
        for row in map(json.loads, file):
            if row["fold"] == 7:
                labels[check_figures(row["claim"], row["evidence"]).outcome].append(row["label"])
    for outcome, meant in (("agrees", "SUPPORTS"), ("disagrees", "REFUTES"), ("disagrees", "SUPPORTS")):
        found = [label == meant for label in labels[outcome]]
        yield Figure(f"figures: share of {meant} where the rule {outcome}", _mean(found), len(found))


# --- CLIMATE-FEVER ---


def climate(judge: Judge, limit: int | None) -> Iterator[Figure]:
    with (DATA / "climate_fever" / "climate-fever.jsonl").open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    by_rule = [claim_label(e["evidence_label"] for e in row["evidences"]) == row["claim_label"] for row in rows]
    yield Figure("climate: the claim rule over gold micro-verdicts", _mean(by_rule), len(rows), 1.0)
    yield from one_of_them(rows)
    rows = random.Random(1).sample(rows, min(limit or len(rows), len(rows)))
    found: list[tuple[str, str, str]] = []
    verdicts: list[Verdict] = []
    for number, row in enumerate(rows):
        if number % 200 == 0:
            say(f"climate: {number:,} of {len(rows):,}")
        passages = tuple(
            Passage(e["article"], e["article"], None, at, e["evidence"], 0, len(e["evidence"]), "", 0.0)
            for at, e in enumerate(row["evidences"])
        )
        verdict = check_passages(row["claim"], Retrieved(passages, (), len(passages)), judge, settings=PLAIN)
        likelier = max(verdict.probabilities, key=lambda name: verdict.probabilities[name])
        found.append((row["claim_label"], str(verdict.label), likelier))
        verdicts.append(verdict)
    settled = [row for row in found if row[0] != "DISPUTED"]
    yield Figure("climate: accuracy, DISPUTED gold left out", _mean([g == p for g, p, _ in settled]), len(settled))
    yield Figure(
        "climate: the same, DISPUTED as the likelier side", _mean([g == s for g, _, s in settled]), len(settled)
    )
    score = classification([s for _, _, s in settled], [g for g, _, _ in settled])
    yield Figure("climate: weighted F1 of that", score.weighted.f1, len(settled))
    yield from best_rule([(g, v) for (g, _, _), v in zip(found, verdicts, strict=True) if g != "DISPUTED"])
    yield from both_ways("climate", [(g == "DISPUTED", v) for (g, _, _), v in zip(found, verdicts, strict=True)])


def one_of_them(rows: list[dict[str, Any]]) -> Iterator[Figure]:
    """How often one of CLIMATE-FEVER's own people says what the others do: what a judge can hope for. The votes in one
    place of a claim's five lists are taken for one person's, since they go together; the others' are put together as
    the paper does, and claims that come out DISPUTED with them are left out."""
    for others in (1, 2, 3):
        pairs, claims = [], []
        for row in rows:
            votes = [e["votes"] for e in row["evidences"]]
            for place in range(max(map(len, votes))):
                own = [cast[place] for cast in votes]
                rest = [[vote for at, vote in enumerate(cast) if vote is not None and at != place] for cast in votes]
                if None in own or min(map(len, rest)) < others:
                    continue
                together = [micro_verdict(cast) for cast in rest]
                pairs += [Label.parse(one) == all_ for one, all_ in zip(own, together, strict=True)]
                if (wanted := claim_label(together)) != Label.DISPUTED:
                    claims.append(claim_label(own) == wanted)
        by = f"climate: one person's votes against those of {others} others and more"
        yield Figure(f"{by}, pairs", _mean(pairs), len(pairs))
        yield Figure(f"{by}, claims", _mean(claims), len(claims))


def best_rule(verdicts: list[tuple[str, Verdict]]) -> Iterator[Figure]:
    """What a rule over the judgements of the five sentences could reach at best: one that was fitted on CLIMATE-FEVER's
    own claims (five folds). It is in no product; it says whether the judge or the rule holds the figure down."""
    table, gold = [], []
    for label, verdict in verdicts:
        said = [[e.judgement.probabilities[name] for name in SETTLED] for e in verdict.evidence]
        said += [[0.0, 0.0, 1.0]] * (PLAIN.evidence - len(said))
        each = np.log(np.array(said) + 1e-4)
        table.append(np.r_[np.sort(each, 0).ravel(), each.mean(0)])
        gold.append(SETTLED.index(label))
    if len(gold) >= 100:
        shares = cross_validated(np.array(table), np.array(gold), 1e-2)
        right = shares.argmax(1) == np.array(gold)
        yield Figure("climate: a rule fitted on these very claims, for comparison", float(right.mean()), len(gold))


def disputed(judge: Judge, limit: int) -> Iterator[Figure]:
    sets = evidence_sets(DATA, 8, limit)
    yield from both_ways("disputed", [(one.disputed, judged(judge, one, PLAIN)) for one in sets])


def both_ways(what: str, verdicts: list[tuple[bool, Verdict]]) -> Iterator[Figure]:
    """Precision and recall of DISPUTED at several thresholds of `Settings.dispute`."""
    for threshold in THRESHOLDS:
        called = [(gold, v.disputed >= threshold and bool(v.supporting and v.refuting)) for gold, v in verdicts]
        at = f"at {threshold}" + (", the default" if threshold == CHOSEN else "")
        recall, precision = [c for gold, c in called if gold], [gold for gold, c in called if c]
        yield Figure(f"{what}: recall of DISPUTED {at}", _mean(recall), len(recall))
        yield Figure(f"{what}: precision of DISPUTED {at}", _mean(precision), len(precision))


# --- latency ---


def latency(collection: Collection, judge: Judge, ranker: Judge, limit: int, seed: int) -> Iterator[Figure]:
    claims = [asked.claim for asked in fever_claims(collection, 1, max(limit // 2, 1), seed)]
    check(claims[0], collection=collection, model=judge, ranker=ranker)
    steps: dict[str, list[float]] = {"whole, with deciding words": [], "documents": [], "sentences": []}
    for claim in claims:
        start = time.perf_counter()
        documents = find_documents(collection, claim)
        steps["documents"].append(time.perf_counter() - start)
        start = time.perf_counter()
        select_sentences(collection, claim, documents)
        steps["sentences"].append(time.perf_counter() - start)
        start = time.perf_counter()
        check(claim, collection=collection, model=judge, ranker=ranker)
        steps["whole, with deciding words"].append(time.perf_counter() - start)
    for name, seconds in steps.items():
        bars = {50: 0.4 if judge.name == "fast" else 1.0, 95: 2.0} if name.startswith("whole") else {}
        for share in (50, 95):
            value = float(np.percentile(seconds, share))
            yield Figure(f"latency: {name}, p{share}, seconds", value, len(seconds), bars.get(share), lower=True)
    status = Path("/proc/self/status")
    if status.is_file():
        sizes = dict(re.findall(r"(VmRSS|VmHWM):\s+(\d+)", status.read_text()))
        # the judge, the encoder and the index are loaded now; the collection itself stays on disk
        yield Figure("memory: resident after load and all these claims, MB", int(sizes["VmRSS"]) / 1024, 1, 1000, True)
        yield Figure("memory: the most it ever was, MB", int(sizes["VmHWM"]) / 1024, 1)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.lower().replace("-lrb-", "(").replace("-rrb-", ")"))


def _mean(values: list[Any]) -> float:
    return sum(map(float, values)) / len(values) if values else 0.0


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
