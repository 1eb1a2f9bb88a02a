"""Texts with their sources and what people said of them, for benchmarks/consistency.py.

What judges are trained on, what the weights are fitted on and what is reported are kept apart: XSumFaith's articles
that neither FRANK nor QAGS has are for training; FRANK's validation split, XSumFaith's summaries of the articles in
it, WiCE's dev split, SummEval, Falke et al.'s pairs and fold 7 of VitaminC are for fitting; FRANK's test split, QAGS
and SummEdits are for reporting.
"""

from __future__ import annotations

import array
import gzip
import hashlib
import json
import os
import random
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from aver.labels import Label
from aver.models import Judge, load_judge
from aver.results import Explanation, Judgement
from aver.text import opening

__all__ = [
    "DATA", "DOMAINS", "CachedJudge", "Marked", "Row", "frank", "qags", "ranked", "sample", "summedits",
    "summeval", "vitaminc", "wice", "wice_marks", "xsumfaith",
]  # fmt: skip

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("AVER_DATA", ROOT.parent / "shared" / "data"))
DOMAINS = ("ectsum", "news", "podcast", "qmsumm", "sales_call", "sales_email", "samsum", "scitldr")


Kind = TypeVar("Kind")


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
    """XSumFaith, 1 where most annotators found nothing hallucinated: of the articles of FRANK's validation split, since
    judges are trained on those that FRANK has not, and FRANK's test split and QAGS are reported on."""
    fitted = {row.doc for row in frank("valid", "bbc")}
    openings = {opening(row.source) for row in qags("xsum")}
    return [
        Row(r["bbcid"], r["system"], r["summary"], r["article"], float(r["faithful_majority"]))
        for r in _jsonl(DATA / "xsumfaith" / "xsumfaith_with_docs.jsonl")
        if r["bbcid"] in fitted and opening(r["article"]) not in openings
    ]


def summeval() -> list[Row]:
    """SummEval's consistency, 1 to 5 by three experts, moved to [0, 1]; without the articles that are reported on."""
    reported = {row.doc for row in frank("test")}
    openings = {opening(row.source) for row in qags("cnndm")}
    found = []
    for name, about in _json(DATA / "summeval" / "SummEval.json").items():
        doc = name.rpartition("-")[2]
        if doc in reported or opening(about["src"]) in openings:
            continue
        for system, said in about["sys_summs"].items():
            human = (said["scores"]["consistency"] - 1) / 4
            found.append(Row(doc, system, said["sys_summ"], about["src"], human))
    return found


def ranked() -> list[Row]:
    """Falke et al. (2019): a sentence of CNN/DM and two summaries of it, one right and one wrong."""
    rows = _json(DATA / "summeval" / "Rank19.json").items()
    return [
        Row(doc, "ranked", said["sys_summ"], about["src"], float(said["scores"]["fact"]))
        for doc, about in rows
        for said in about["sys_summs"].values()
    ]


def wice() -> list[Row]:
    """WiCE's dev split: a claim of Wikipedia and the page it cites; half where it is partially supported."""
    worth = {"supported": 1.0, "partially_supported": 0.5, "not_supported": 0.0}
    rows = _jsonl(DATA / "wice" / "claim_dev.jsonl")
    return [Row(str(at), "wice", r["claim"], "\n".join(r["evidence"]), worth[r["label"]]) for at, r in enumerate(rows)]


class Marked(NamedTuple):
    """A claim, its source, and the places of the words that people marked as not borne out."""

    claim: str
    source: str
    spans: tuple[tuple[int, int], ...]


def wice_marks(split: str) -> list[Marked]:
    """WiCE's partially supported claims with the words that people marked; rows whose words cannot be placed are left
    out."""
    found = []
    for row in _jsonl(DATA / "wice" / f"non_supported_tokens_{split}.jsonl"):
        spans, at = [], 0
        for token, marked in zip(row["claim_tokens"], row["non_supported_spans"], strict=True):
            at = row["claim"].find(token, at)
            if at < 0:
                break
            if marked:
                spans.append((at, at + len(token)))
            at += len(token)
        if at >= 0 and spans:
            found.append(Marked(row["claim"], "\n".join(row["evidence"]), tuple(spans)))
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


def sample(rows: Sequence[Kind], limit: int | None, seed: int) -> list[Kind]:
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
        self.marks_claims = self._judge.marks_claims
        self._file = sqlite3.connect(path, timeout=60)
        self._file.execute("create table if not exists said (key blob primary key, s real, r real, n real, c real)")
        self._file.execute("create table if not exists marks (key blob primary key, marks blob)")

    def judge(self, pairs: Iterable[tuple[str, str]], *, batch_tokens: int = 1024) -> list[Judgement]:
        asked = [(self._key(*pair), pair) for pair in pairs]
        new = {key: pair for key, pair in asked if self._find(key) is None}
        ask = self._judge.judge_marking if self.marks_claims else self._judge.judge
        for key, said in zip(new, ask(new.values(), batch_tokens=batch_tokens), strict=True):
            if said.label is not None:
                row = (*(said.probabilities[name] for name in _ORDER), said.coverage)
                self._file.execute("insert or replace into said values (?, ?, ?, ?, ?)", (key, *row))
                if said.unsupported is not None:
                    kept = array.array("f", said.unsupported).tobytes()
                    self._file.execute("insert or replace into marks values (?, ?)", (key, kept))
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
        marks = self._file.execute("select marks from marks where key = ?", (key,)).fetchone()
        unsupported = None if marks is None else tuple(array.array("f", marks[0]))
        return Judgement(label, probabilities, row[3], "scored", self.model, unsupported=unsupported)

    def _find(self, key: bytes) -> tuple[float, ...] | None:
        found: tuple[float, ...] | None = self._file.execute(
            "select s, r, n, c from said where key = ?", (key,)
        ).fetchone()
        if found is not None and self.marks_claims:
            held = self._file.execute("select 1 from marks where key = ?", (key,)).fetchone()
            return None if held is None else found
        return found

    def _key(self, claim: str, evidence: str) -> bytes:
        text = "\0".join((self.model, claim, evidence)).encode(errors="surrogatepass")
        return hashlib.blake2b(text, digest_size=16).digest()


_ORDER = tuple(str(label) for label in (Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO))


def _json(path: Path) -> Any:
    return json.loads(path.read_bytes())


def _jsonl(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]
