"""Texts with their sources and what people said of them, for benchmarks/consistency.py.

What the weights are fitted on and what is reported are kept apart: FRANK's validation split, XSumFaith without the
articles of FRANK's test split and of QAGS, the dev splits of WiCE and BEGIN and fold 7 of VitaminC are for fitting;
FRANK's test split, QAGS and SummEdits are for reporting.
"""

from __future__ import annotations

import csv
import gzip
import hashlib
import json
import os
import random
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from aver.labels import Label
from aver.models import Judge, load_judge
from aver.results import Explanation, Judgement

__all__ = [
    "DATA", "DOMAINS", "CachedJudge", "Row", "begin", "frank", "qags", "sample", "summedits", "vitaminc", "wice",
    "xsumfaith",
]  # fmt: skip

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("AVER_DATA", ROOT.parent / "shared" / "data"))
DOMAINS = ("ectsum", "news", "podcast", "qmsumm", "sales_call", "sales_email", "samsum", "scitldr")


class Row(NamedTuple):
    """A text, its source, and what people said of it in [0, 1]."""

    doc: str
    system: str
    text: str
    source: str
    human: float


def frank(split: str | None = None, dataset: str | None = None) -> list[Row]:
    """FRANK's summaries with their share of annotators and sentences without an error."""
    folder = DATA / "frank"
    said = {(r["hash"], r["model_name"]): r for r in _json(folder / "human_annotations.json")}
    found = []
    for row in _json(folder / "benchmark_data_reconstructed.json"):
        about = said[row["hash"], row["model_name"]]
        if split in (None, about["split"]) and dataset in (None, about["dataset"]):
            found.append(Row(row["hash"], row["model_name"], row["summary"], row["article"], about["Factuality"]))
    return found


def qags(which: str) -> list[Row]:
    """QAGS (`cnndm` or `xsum`): the share of a summary's sentences that most of three annotators found consistent."""
    found = []
    for number, row in enumerate(_jsonl(DATA / "qags" / f"mturk_{which}.jsonl")):
        sentences = row["summary_sentences"]
        votes = [[answer["response"] == "yes" for answer in s["responses"]] for s in sentences]
        human = sum(sum(v) * 2 > len(v) for v in votes) / len(votes)
        found.append(Row(str(number), which, " ".join(s["sentence"] for s in sentences), row["article"], human))
    return found


def summedits(domain: str) -> list[Row]:
    """SummEdits: edited summaries, 1 where the edit left them consistent."""
    rows = _json(DATA / "summedits" / f"summedits_{domain}.json")
    numbers = {doc: str(at) for at, doc in enumerate(dict.fromkeys(row["doc"] for row in rows))}
    return [Row(f"{domain} {numbers[r['doc']]}", domain, r["summary"], r["doc"], float(r["label"])) for r in rows]


def xsumfaith() -> list[Row]:
    """XSumFaith, 1 where most annotators found nothing hallucinated; without what is reported on."""
    reported = {row.doc for row in frank("test")}
    openings = {_opening(row.source) for row in qags("xsum")}
    return [
        Row(r["bbcid"], r["system"], r["summary"], r["article"], float(r["faithful_majority"]))
        for r in _jsonl(DATA / "xsumfaith" / "xsumfaith_with_docs.jsonl")
        if r["bbcid"] not in reported and _opening(r["article"]) not in openings
    ]


def wice() -> list[Row]:
    """WiCE's dev split: a claim of Wikipedia and the page it cites; half where it is partially supported."""
    worth = {"supported": 1.0, "partially_supported": 0.5, "not_supported": 0.0}
    rows = _jsonl(DATA / "wice" / "claim_dev.jsonl")
    return [Row(str(at), "wice", r["claim"], "\n".join(r["evidence"]), worth[r["label"]]) for at, r in enumerate(rows)]


def begin() -> list[Row]:
    """BEGIN's dev split: a chatbot's reply and the knowledge it was given; generic replies are left out."""
    found = []
    for name in ("wow", "tc"):
        with (DATA / "begin" / f"begin_dev_{name}.tsv").open(encoding="utf-8") as file:
            for at, row in enumerate(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)):
                if row["begin_label"] != "Generic":
                    human = float(row["begin_label"] == "Fully attributable")
                    found.append(Row(f"{name} {at}", name, row["response"], row["knowledge"], human))
    return found


def vitaminc() -> list[Row]:
    """Fold 7 of VitaminC's real revisions: a claim and one sentence, 1 where that supports it."""
    with gzip.open(DATA / "vitaminc" / "real.jsonl.gz") as file:
        rows = [json.loads(line) for line in file]
    return [
        Row(r["page"], "vitaminc", r["claim"], r["evidence"], float(r["label"] == "SUPPORTS"))
        for r in rows
        if r["fold"] == 7
    ]


def sample(rows: Sequence[Row], limit: int | None, seed: int) -> list[Row]:
    """At most `limit` of the rows, the same for the same seed."""
    if limit is None or len(rows) <= limit:
        return list(rows)
    chosen = sorted(random.Random(seed).sample(range(len(rows)), limit))
    return [rows[at] for at in chosen]


class CachedJudge(Judge):
    """A judge that keeps what it said in a file, by the model and the pair's content: a second run costs nothing."""

    def __init__(self, name: str, path: Path) -> None:
        self._judge = load_judge(name)
        self.name, self.model = self._judge.name, self._judge.model
        self._file = sqlite3.connect(path)
        self._file.execute("create table if not exists said (key blob primary key, s real, r real, n real, c real)")

    def judge(self, pairs: Iterable[tuple[str, str]], *, batch_tokens: int = 1024) -> list[Judgement]:
        asked = [(self._key(*pair), pair) for pair in pairs]
        new = {key: pair for key, pair in asked if self._find(key) is None}
        for key, said in zip(new, self._judge.judge(new.values(), batch_tokens=batch_tokens), strict=True):
            if said.label is not None:
                row = (*(said.probabilities[name] for name in _ORDER), said.coverage)
                self._file.execute("insert or replace into said values (?, ?, ?, ?, ?)", (key, *row))
        self._file.commit()
        return [self._said(key, pair) for key, pair in asked]

    def explain(self, claim: str, evidence: str, *, method: Any = "auto") -> Explanation:
        return self._judge.explain(claim, evidence, method=method)

    def _said(self, key: bytes, pair: tuple[str, str]) -> Judgement:
        row = self._find(key)
        if row is None:
            return self._judge.judge([pair])[0]
        probabilities = dict(zip(_ORDER, row[:3], strict=True))
        label = Label(max(probabilities, key=lambda name: probabilities[name]))
        return Judgement(label, probabilities, row[3], "scored", self.model)

    def _find(self, key: bytes) -> tuple[float, ...] | None:
        found: tuple[float, ...] | None = self._file.execute(
            "select s, r, n, c from said where key = ?", (key,)
        ).fetchone()
        return found

    def _key(self, claim: str, evidence: str) -> bytes:
        text = "\0".join((self.model, claim, evidence)).encode(errors="surrogatepass")
        return hashlib.blake2b(text, digest_size=16).digest()


_ORDER = tuple(str(label) for label in (Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO))


def _opening(article: str) -> str:
    return "".join(c for c in article.lower() if c.isalnum())[:50]


def _json(path: Path) -> Any:
    return json.loads(path.read_bytes())


def _jsonl(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]
