"""How far one side of a synthetic pair gives its label away, and how quickly pairs are made.

    python benchmarks/synthesis.py [--pages 4000] [--seed 0] [--corpus FILE.jsonl.gz] [--kinds A,B] [--sample 200]

A softmax regression on hashed word n-grams is trained on the pairs of one half of the pages and tested on those of
the other half, on the claim alone, on the evidence alone, and on how far the two overlap. On data without a tell
the first two stay at the share of the commonest label. VitaminC's real pairs get the same treatment where the data
is there (folder AVER_DATA, else ../shared/data beside the checkout). Without the Wikipedia introductions a JSONL
file of pages can be named with --corpus. --sample prints a random sample of the pairs instead, for people to judge;
--kinds makes pairs of these kinds only.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import itertools
import os
import platform
import random
import re
import sys
import time
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import orjson
from scipy import sparse

from aver.labels import Label
from aver.revisions import KINDS, Passage, synthesise
from aver.text import split_sentences

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("AVER_DATA", ROOT.parent / "shared" / "data"))
BUCKETS = 2**17
LABELS = (Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO)


class Pair(NamedTuple):
    page: str
    claim: str
    evidence: str
    label: Label
    kind: str


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=4000, help="how many pages, spread over the corpus")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--corpus", type=Path, default=DATA / "wiki_intros" / "wiki_intros.jsonl.gz")
    parser.add_argument("--kinds", help="only these kinds of edit, with commas between them")
    parser.add_argument("--sample", type=int, help="print this many random pairs to be judged, and nothing else")
    given = parser.parse_args()
    if not given.corpus.exists():
        raise SystemExit(f"{given.corpus}: there is no such file; name pages with --corpus or set AVER_DATA")
    pages = read(given.corpus, given.pages)
    kinds = given.kinds.split(",") if given.kinds else KINDS
    if given.sample:
        drawn = random.Random(given.seed).sample(list(synthesise(pages, seed=given.seed, kinds=kinds)), given.sample)
        for number, p in enumerate(drawn, 1):
            print(f"{number:>3} {p.kind}: {p.label}\n    claim:    {p.claim}\n    evidence: {p.evidence}")
        return 0
    start = time.perf_counter()
    made = [Pair(p.page, p.claim, p.evidence, p.label, p.kind) for p in synthesise(pages, seed=given.seed, kinds=kinds)]
    seconds = time.perf_counter() - start
    print(f"machine: {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}; one process")
    print(f"data: {len(pages):,} pages of {given.corpus.name}, spread evenly; seed {given.seed}")
    print(
        f"made {len(made):,} pairs in {seconds:.1f} s: {len(made) / seconds:,.0f} pairs/s, "
        f"300,000 pairs in {300_000 * seconds / len(made) / 60:.1f} min from about "
        f"{300_000 * len(pages) / len(made):,.0f} pages"
    )
    kinds = Counter(pair.kind for pair in made)
    print("kinds: " + ", ".join(f"{kind} {count:,}" for kind, count in kinds.most_common()) + "\n")
    table("synthetic pairs", made, given.seed)
    vitaminc = DATA / "vitaminc" / "real.jsonl.gz"
    if vitaminc.exists():
        with gzip.open(vitaminc) as file:
            rows = [orjson.loads(line) for line in file]
        real = [Pair(r["page"], r["claim"], r["evidence"], Label(r["label"]), "real") for r in rows]
        table("VitaminC, real pairs (public test split)", real, given.seed)
    return 0


def read(corpus: Path, wanted: int) -> list[Passage]:
    """Pages spread evenly over the corpus."""
    with gzip.open(corpus) if corpus.suffix == ".gz" else corpus.open("rb") as file:
        total = sum(1 for _ in file)
        file.seek(0)
        rows = [orjson.loads(line) for line in itertools.islice(file, 0, None, max(1, total // wanted))]
    return [
        Passage(row["title"], row.get("sentences") or [sentence.text for sentence in split_sentences(row["text"])])
        for row in rows[:wanted]
    ]


def table(name: str, pairs: Sequence[Pair], seed: int) -> None:
    """Prints the accuracy of three one-sided looks beside the share of the commonest label, all on held-out pages."""
    held = np.array([hashlib.md5(pair.page.encode()).digest()[0] % 2 == 1 for pair in pairs])
    gold = np.array([LABELS.index(pair.label) for pair in pairs])
    pages = np.unique([pair.page for pair in pairs], return_inverse=True)[1]
    most = int(np.bincount(gold[~held]).argmax())
    print(f"{name}: trained on {int((~held).sum()):,} pairs, tested on {int(held.sum()):,} of other pages")
    print(f"{'sees':<22}{'accuracy':>9}  95% interval over pages")
    looks: dict[str, Callable[[Pair], list[str]]] = {
        "nothing (majority)": lambda pair: [],
        "claim only": lambda pair: ngrams(pair.claim),
        "evidence only": lambda pair: ngrams(pair.evidence),
        "overlap of the two": overlap,
    }
    for look, features in looks.items():
        if look.startswith("nothing"):
            right = gold[held] == most
        else:
            matrix = hashed([features(pair) for pair in pairs])
            right = fit(matrix[~held], gold[~held], seed)(matrix[held]) == gold[held]
        low, high = interval(right, pages[held], seed)
        print(f"{look:<22}{right.mean():>8.1%}  [{low:.1%}, {high:.1%}]")
    print()


def ngrams(text: str) -> list[str]:
    """Words and word pairs in small letters, digits as they are."""
    words = ["<", *re.findall(r"[^\W_]+|[^\w\s]", text.lower()), ">"]
    return words + [f"{a} {b}" for a, b in itertools.pairwise(words)]


def overlap(pair: Pair) -> list[str]:
    """How much of the claim stands in the evidence: what a judge that cannot read would go by."""
    claim, evidence = (set(re.findall(r"[^\W_]+", side.lower())) for side in (pair.claim, pair.evidence))
    share = len(claim & evidence) / max(1, len(claim))
    numbers = [word for word in claim if word.isdigit()]
    missing = sum(word not in evidence for word in numbers)
    return [f"share {round(share * 20)}", f"missing {min(missing, 3)}", f"new {min(len(claim - evidence), 6)}"]


def hashed(rows: list[list[str]]) -> sparse.csr_matrix:
    """A row of ones in hashed places per text, scaled to length one, and a constant."""
    indptr, indices, values = [0], [], []
    for row in rows:
        places = {zlib.crc32(feature.encode()) % BUCKETS for feature in row}
        indices.extend([*places, BUCKETS])
        values.extend([1 / max(1, len(places)) ** 0.5] * len(places) + [1.0])
        indptr.append(len(indices))
    return sparse.csr_matrix((np.array(values), np.array(indices), np.array(indptr)), shape=(len(rows), BUCKETS + 1))


def fit(x: sparse.csr_matrix, y: np.ndarray, seed: int) -> Callable[[sparse.csr_matrix], np.ndarray]:
    """Softmax regression by mini-batches with Adagrad's step sizes and a little weight decay."""
    chance = np.random.default_rng(seed)
    weights, squares = np.zeros((x.shape[1], len(LABELS))), np.full((x.shape[1], len(LABELS)), 1e-8)
    target = np.eye(len(LABELS))[y]
    for _ in range(6):
        for batch in np.array_split(chance.permutation(len(y)), max(1, len(y) // 1024)):
            rows = x[batch]
            logits = rows @ weights
            shares = np.exp(logits - logits.max(1, keepdims=True))
            shares /= shares.sum(1, keepdims=True)
            gradient = rows.T @ (shares - target[batch]) / len(batch) + 1e-6 * weights
            squares += gradient**2
            weights -= 0.3 * gradient / np.sqrt(squares)
    return lambda other: np.asarray(other @ weights).argmax(1)


def interval(right: np.ndarray, pages: np.ndarray, seed: int) -> tuple[float, float]:
    """A percentile bootstrap that draws whole pages: pairs of one page go together."""
    page = np.unique(pages, return_inverse=True)[1]
    hits, sizes = np.bincount(page, right), np.bincount(page)
    chance = np.random.default_rng(seed)
    drawn = chance.integers(0, len(sizes), (1000, len(sizes)))
    shares = hits[drawn].sum(1) / sizes[drawn].sum(1)
    low, high = np.percentile(shares, [2.5, 97.5])
    return float(low), float(high)


if __name__ == "__main__":
    sys.exit(main())
