"""Small data sets in the shape of the real ones, made here, so that every part of a proof runs anywhere."""

from __future__ import annotations

import gzip
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
import pytest

from aver.prove import sample_rows


@pytest.fixture(scope="session")
def made_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with a little of everything."""
    folder = tmp_path_factory.mktemp("data")
    rows = sample_rows()
    draw = random.Random(7)
    _frank(folder / "frank", rows, draw)
    _qags(folder / "qags", rows)
    documents: dict[str, Any] = {}
    for row in rows:
        entry = documents.setdefault(row.source, {"src": row.source, "sys_summs": {}})
        score = {"consistency": 5.0 if row.consistent else 1.0 + draw.randrange(3)}
        entry["sys_summs"][f"M{len(entry['sys_summs'])}"] = {"sys_summ": row.text, "scores": score}
    _write(folder / "summeval" / "SummEval.json", orjson.dumps(documents))
    faith = [
        {"bbcid": row.topic, "system": f"S{i % 3}", "article": row.source, "summary": row.text,
         "faithful_majority": row.consistent}
        for i, row in enumerate(rows)
    ]  # fmt: skip
    _write(folder / "xsumfaith" / "xsumfaith_with_docs.jsonl", b"".join(orjson.dumps(row) + b"\n" for row in faith))
    for number, domain in enumerate(("news", "samsum")):
        edits = [
            {"id": f"{domain}{i}", "doc": row.source, "summary": row.text, "label": int(row.consistent)}
            for i, row in enumerate(rows) if i % 2 == number
        ]  # fmt: skip
        _write(folder / "summedits" / f"summedits_{domain}.json", orjson.dumps(edits))
    names = {"supported": "SUPPORTS", "refuted": "REFUTES", "unsupported": "NOT ENOUGH INFO"}
    claims = [
        {"unique_id": f"v{i}", "case_id": row.contrast or row.topic, "page": row.topic, "claim": row.text,
         "evidence": row.source, "label": names[row.label], "fold": 8}
        for i, row in enumerate(rows)
    ]  # fmt: skip
    claims.append({**claims[0], "unique_id": "other fold", "fold": 3})
    lines = b"".join(orjson.dumps(row) + b"\n" for row in claims)
    _write(folder / "vitaminc" / "real.jsonl.gz", gzip.compress(lines))
    return folder


def _frank(folder: Path, rows: Sequence[Any], draw: random.Random) -> None:
    people, texts, others = [], [], []
    for number, row in enumerate(rows):
        key = {"hash": f"{row.topic}", "model_name": f"sys{(number + number // 6) % 6}"}
        right = float(row.consistent)
        people.append(key | {
            "Factuality": right, "dataset": "cnndm" if row.topic < "l" else "bbc",
            "split": "test" if row.topic < "r" else "valid",
            "Flip_Semantic_Frame_Errors": max(right, float(draw.random() < 0.4)),
            "Flip_Discourse_Errors": max(right, float(draw.random() < 0.2)),
            "Flip_Content_Verifiability_Errors": max(right, float(draw.random() < 0.5)),
        })  # fmt: skip
        texts.append(key | {"article": row.source, "summary": row.text})
        others.append(key | {"Bleu": draw.random(), "FactCC": right * 0.5 + draw.random(), "QAGS": draw.random()})
    _write(folder / "human_annotations.json", orjson.dumps(people))
    _write(folder / "baseline_factuality_metrics_outputs.json", orjson.dumps(others))
    _write(folder / "benchmark_data.json", orjson.dumps(texts))


def _qags(folder: Path, rows: Sequence[Any]) -> None:
    for number, half in enumerate(("cnndm", "xsum")):
        votes = [
            {"article": row.source, "summary_sentences": [
                {"sentence": row.text, "responses": [{"response": "yes" if row.consistent else "no"}]}]}
            for i, row in enumerate(rows) if i % 2 == number
        ]  # fmt: skip
        _write(folder / f"mturk_{half}.jsonl", b"".join(orjson.dumps(row) + b"\n" for row in votes))


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
