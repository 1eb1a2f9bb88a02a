"""How good and how fast collections are: sentences, adding, retrieval, growth.

    python benchmarks/collection.py                      sentences, adding, retrieval
    python benchmarks/collection.py --peer               … and SQLite's own full-text search on the same queries
    python benchmarks/collection.py --fit                … and the ranking's weights fitted anew on VitaminC's claims
    python benchmarks/collection.py --growth 1000000     adding and searching as a collection grows

Needs the folders `wiki_intros`, `fever` and, to fit, `vitaminc` of AVER_DATA (or --data). The collection is made in a
temporary folder, or in --keep FOLDER, where a later run finds it again. Add time and memory are those of
`aver collection add` as a process of its own.
"""

from __future__ import annotations

import argparse
import gzip
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import sentencex

from aver.collection import Collection
from aver.collection._lexical import analyze, content_terms
from aver.collection._names import fold_tokens
from aver.collection._search import WEIGHTS, Weights, rank
from aver.collection.readers import fever_title
from aver.text import split_sentences

ROOT = Path(__file__).resolve().parents[1]
AVER = [sys.executable, "-c", "from aver.cli import main; main()"]
Claim = tuple[str, list[set[int]]]


def main() -> None:
    options = arguments()
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    pages = options.data / "wiki_intros" / "wiki_intros.jsonl.gz"
    sentences(pages)
    with tempfile.TemporaryDirectory() as temporary:
        if options.growth:
            growth(pages, Path(temporary) / "grown", options.growth)
            return
        folder = options.keep or Path(temporary) / "wiki"
        if not folder.exists():
            adding(pages, folder)
        with Collection(folder) as collection:
            claims = dev_claims(collection, options.data / "fever" / "paper_dev.jsonl")
            retrieval(collection, claims)
            speed(collection, [claim for claim, _ in claims])
            if options.peer:
                full_text(collection, Path(temporary) / "fts.sqlite", claims)
            if options.fit:
                fit(collection, options.data / "vitaminc" / "real.jsonl.gz", claims)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = Path(os.environ.get("AVER_DATA", ROOT.parent / "shared" / "data"))
    parser.add_argument("--data", type=Path, default=root, help="folder of the data sets")
    parser.add_argument("--keep", type=Path, help="make the collection here, and find it here again")
    parser.add_argument("--peer", action="store_true")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--growth", type=int, metavar="DOCUMENTS")
    options = parser.parse_args()
    if not (options.data / "wiki_intros").is_dir():
        parser.error(f"{options.data}: no folder wiki_intros there; name the data's folder with --data")
    return options


# --- sentences ---


def sentences(pages: Path) -> None:
    lines = (ROOT / "tests" / "text" / "sentence_cases.txt").read_text(encoding="utf-8").splitlines()
    cases = [line.replace("\\n", "\n").split(" | ") for line in lines if line and not line.startswith("#")]
    texts = ["".join(p if p.endswith(("\n", " ")) else p + " " for p in parts).strip() for parts in cases]
    sample = [row["text"] for row, _ in zip(rows(pages), range(5000), strict=False)]
    size = sum(map(len, sample)) / 1e6
    splitters: dict[str, Callable[[str], list[str]]] = {
        "sentencex alone": lambda text: [s.strip() for s in sentencex.segment("en", text) if s.strip()],
        "aver": lambda text: [s.text for s in split_sentences(text)],
    }
    print(f"Sentences: {len(cases)} hard cases of our own; speed on {size:.1f} MB of introductions")
    for name, split in splitters.items():
        right = sum(split(text) == [p.strip() for p in parts] for text, parts in zip(texts, cases, strict=True))
        start = time.perf_counter()
        for text in sample:
            split(text)
        print(f"  {name:16} {right / len(cases):.3f} right   {size / (time.perf_counter() - start):5.1f} MB/s")
    print()


def rows(pages: Path) -> Iterator[dict[str, str]]:
    with gzip.open(pages) as file:
        for line in file:
            yield orjson.loads(line)


# --- adding ---


def adding(pages: Path, folder: Path) -> None:
    # GNU time would do, but is not everywhere: a child measures its own child
    script = "import resource,subprocess,sys;subprocess.run(sys.argv[1:],check=True,stdout=subprocess.DEVNULL);" + (
        "u=resource.getrusage(resource.RUSAGE_CHILDREN);print(u.ru_maxrss//1024,u.ru_utime+u.ru_stime)"
    )
    start = time.perf_counter()
    words = [sys.executable, "-c", script, *AVER, "collection", "add", str(folder), str(pages)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    seconds = time.perf_counter() - start
    peak, processor = done.stdout.split()
    with Collection(folder) as collection:
        info = collection.info()
    print(f"Adding {info.documents:,} pages, {info.sentences:,} sentences")
    print(f"  {seconds:.0f} s wall, {float(processor):.0f} s processor, {int(peak):,} MB peak memory")
    print(f"  {info.bytes / 1e6:,.0f} MB on disk\n")


# --- retrieval ---


def dev_claims(collection: Collection, path: Path) -> list[Claim]:
    """Claims of FEVER's paper_dev with an evidence set all of whose pages are in the collection."""
    numbers = {document.title: document.id for document in collection}
    claims: list[Claim] = []
    for line in path.read_bytes().splitlines():
        row = orjson.loads(line)
        if row["label"] != "NOT ENOUGH INFO":
            pages = [{numbers.get(fever_title(item[2]), 0) for item in group} for group in row["evidence"]]
            gold = [group for group in pages if 0 not in group]
            if gold:
                claims.append((row["claim"], gold))
    return claims


def retrieval(collection: Collection, claims: Sequence[Claim]) -> None:
    print(f"Retrieval: {len(claims):,} claims of FEVER paper_dev with an evidence set whose pages are all there")
    print("                      a gold page among the first       a whole evidence set among the first")
    print("                          1       5      10                 1       5      10")
    for name, search in (
        ("BM25", lambda claim: collection.bm25(claim, limit=10)),
        ("BM25 and mentions", lambda claim: collection.search(claim, limit=10, sentences=0)),
        ("… and 2 followed", lambda claim: collection.search(claim, limit=10, sentences=0, follow=2)),
    ):
        found = [([hit.document.id for hit in search(claim)], gold) for claim, gold in claims]
        recall_row(name, found)
    print()


def recall_row(name: str, found: Sequence[tuple[list[int], list[set[int]]]]) -> None:
    some = [np.mean([any(group & set(ids[:k]) for group in gold) for ids, gold in found]) for k in (1, 5, 10)]
    whole = [np.mean([any(group <= set(ids[:k]) for group in gold) for ids, gold in found]) for k in (1, 5, 10)]
    print(f"  {name:20}" + "".join(f"  {v:.4f}" for v in some) + " " * 8 + "".join(f"  {v:.4f}" for v in whole))


def speed(collection: Collection, claims: Sequence[str]) -> None:
    sample = random.Random(0).sample(list(claims), min(1000, len(claims)))
    lexical = collection._index()
    print(f"Speed: {len(sample):,} claims, one after another     p50 ms   p95 ms")
    for name, step in (
        ("BM25 step (index only, top 10)", lambda claim: lexical.search(content_terms(claim), 10)),
        ("mentions", collection.mentions),
        ("search, top 10 with 3 sentences each", collection.search),
    ):
        timed(name, step, sample)
    with Path("/proc/self/status").open() as status:
        resident = next(int(line.split()[1]) // 1024 for line in status if line.startswith("VmRSS"))
    print(f"  memory of this process now: {resident:,} MB\n")


def timed(name: str, step: Callable[[str], Any], sample: Sequence[str]) -> None:
    times = []
    for claim in sample:
        start = time.perf_counter()
        step(claim)
        times.append(1000 * (time.perf_counter() - start))
    print(f"  {name:40} {np.percentile(times, 50):8.2f} {np.percentile(times, 95):8.2f}")


def full_text(collection: Collection, path: Path, claims: Sequence[Claim]) -> None:
    """SQLite's FTS5, the full-text search everyone has, with its own Porter stemmer and the same words."""
    connection = sqlite3.connect(path)
    connection.execute("CREATE VIRTUAL TABLE pages USING fts5(title, body, tokenize='porter unicode61')")
    start = time.perf_counter()
    made = ((document.id, document.title, document.text) for document in collection)
    connection.executemany("INSERT INTO pages (rowid, title, body) VALUES (?, ?, ?)", made)
    connection.commit()
    print(f"Peer: SQLite FTS5, indexed in {time.perf_counter() - start:.0f} s; 200 claims")
    sample = random.Random(0).sample(list(claims), 200)

    def ask(claim: str) -> list[int]:
        kept = set(content_terms(claim))
        query = " OR ".join(f'"{word.text}"' for word in fold_tokens(claim) if kept & set(analyze(word.text)))
        found = connection.execute(
            "SELECT rowid FROM pages WHERE pages MATCH ? ORDER BY bm25(pages, 1.5, 1.0) LIMIT 10", (query,)
        )
        return [number for (number,) in found]

    lexical = collection._index()
    timed("FTS5", ask, [claim for claim, _ in sample])
    timed("aver's BM25 step", lambda c: lexical.search(content_terms(c), 10), [claim for claim, _ in sample])
    recall_row("FTS5", [(ask(claim), gold) for claim, gold in sample])
    recall_row("aver's BM25", [([hit.document.id for hit in collection.bm25(c)], gold) for c, gold in sample])
    print()


# --- the weights of the ranking ---


def train_claims(collection: Collection, path: Path) -> list[Claim]:
    """VitaminC's claims of the training folds about pages of the collection, each claim once."""
    numbers = {document.title: document.id for document in collection}
    found: dict[str, int] = {}
    for row in rows(path):
        if int(row["fold"]) <= 6 and row["page"] in numbers:
            found.setdefault(row["claim"], numbers[row["page"]])
    return [(claim, [{number}]) for claim, number in sorted(found.items())]


def fit(collection: Collection, path: Path, dev: Sequence[Claim]) -> None:
    from scipy.optimize import minimize

    known = {" ".join(content_terms(claim)) for claim, _ in dev}
    train = [row for row in train_claims(collection, path) if " ".join(content_terms(row[0])) not in known]
    train = random.Random(0).sample(train, min(3000, len(train)))
    units = [Weights(*unit) for unit in np.eye(len(Weights._fields))]
    lexical = collection._index()
    groups: list[tuple[np.ndarray, np.ndarray]] = []
    for claim, gold in train:
        terms, mentions = content_terms(claim), collection.mentions(claim)
        found = lexical.search(terms, 50)
        missing = {mention.document for mention in mentions} - {hit.document for hit in found}
        found += lexical.search(terms, len(missing), among=sorted(missing)) if missing else []
        # a score is linear in the weights: with one weight at 1 and the others at 0 it is that feature
        features = [{row[0]: row[1] for row in rank(claim, found, mentions, weights=unit)} for unit in units]
        numbers = sorted(features[0])
        right = np.array([number in gold[0] for number in numbers])
        if right.any() and not right.all():
            groups.append((np.array([[column[n] for column in features] for n in numbers]), right))

    def loss(weights: np.ndarray) -> float:
        total = 0.0
        for features, right in groups:
            scores = features @ weights
            scores -= scores.max()
            total -= np.log(np.exp(scores[right]).sum() / np.exp(scores).sum())
        return total / len(groups) + 0.0005 * float(weights @ weights)

    best = minimize(loss, np.ones(len(units)), method="L-BFGS-B").x
    print(f"Weights fitted on {len(groups):,} claims of VitaminC's training folds (none of them in paper_dev)")
    print("  fitted  " + "  ".join(f"{name} {value:.2f}" for name, value in zip(Weights._fields, best, strict=True)))
    for name, weights in (("BM25", units[0]), ("in use", WEIGHTS), ("fitted", Weights(*best))):
        share = np.mean([right[(features @ np.array(weights)).argmax()] for features, right in groups])
        print(f"  {name}: the right page first for {share:.4f} of them")
    print("  in use  " + "  ".join(f"{name} {value:.2f}" for name, value in zip(Weights._fields, WEIGHTS, strict=True)))


# --- growth ---


def growth(pages: Path, folder: Path, most: int) -> None:
    """Introductions, then the same ones again with their sentences in another order and another title."""
    print("Growth     documents   added in s   documents/s   BM25 p50 ms   mentions p50 ms   MB on disk")

    def endless() -> Iterator[dict[str, str]]:
        chance, turn = random.Random(0), 0
        while True:
            for row in rows(pages):
                if turn:
                    parts = row["text"].split(" . ")
                    chance.shuffle(parts)
                    row = {"title": f"{row['title']} {turn}", "text": " . ".join(parts)}
                yield row
            turn += 1

    source = endless()
    claims = [row["text"].split(" . ")[0] for row, _ in zip(rows(pages), range(200), strict=False)]
    with Collection(folder, create=True) as collection:
        spent = 0.0
        done = 0
        for size in [most // 8, most // 4, most // 2, most]:
            start = time.perf_counter()
            collection.add_documents(next(source) for _ in range(size - done))
            spent, done = spent + time.perf_counter() - start, size
            lexical = collection._index()
            figures = []
            for step in (lambda c: lexical.search(content_terms(c), 10), collection.mentions):  # noqa: B023
                times = []
                for claim in claims:
                    start = time.perf_counter()
                    step(claim)
                    times.append(1000 * (time.perf_counter() - start))
                figures.append(np.percentile(times, 50))
            disk = collection.info().bytes / 1e6
            told = f"{size:20,} {spent:12.1f} {size / spent:13,.0f} {figures[0]:13.2f} {figures[1]:17.2f} {disk:12,.0f}"
            print(told, flush=True)


if __name__ == "__main__":
    main()
