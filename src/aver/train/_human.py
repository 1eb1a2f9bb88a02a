"""What people said of sentences that others, or machines, wrote from a source."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path

from aver.errors import InputError
from aver.labels import Label
from aver.records import iter_numbered
from aver.train._documents import Told

__all__ = ["BEGIN_FILES", "WICE_FILE", "dialogues", "marked_claims"]

BEGIN_FILES = ("begin/begin_dev_tc.tsv", "begin/begin_dev_wow.tsv", "begin/begin_test_wow.tsv")
"""BEGIN's replies about articles and Wikipedia; those about films are left out, since no licence is stated for them."""
WICE_FILE = "wice/non_supported_tokens_train.jsonl"


def dialogues(data: Path) -> Iterator[Told]:
    """BEGIN: replies of dialogue systems, with the knowledge they were to be based on."""
    labels = {"Fully attributable": Label.SUPPORTS, "Not fully attributable": Label.NOT_ENOUGH_INFO}
    for name in BEGIN_FILES:
        with (data / name).open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            missing = {"knowledge", "response", "begin_label"} - set(rows.fieldnames or ())
            if missing:
                raise InputError(f"{data / name}: its first line names no {', '.join(sorted(missing))}")
            for row in rows:
                label = labels.get((row["begin_label"] or "").strip())
                knowledge, reply = (row["knowledge"] or "").strip(), (row["response"] or "").strip()
                if label is not None and knowledge and reply:
                    yield Told(reply, knowledge, label, () if label is Label.SUPPORTS else None)


def marked_claims(data: Path) -> Iterator[Told]:
    """WiCE: claims of Wikipedia that the cited article bears out in part, with the words it does not bear out."""
    for _, row in iter_numbered(data / WICE_FILE):
        claim, at, spans = row["claim"], 0, []
        for token, bare in zip(row["claim_tokens"], row["non_supported_spans"], strict=True):
            start = claim.find(token, at)
            if start < 0:
                continue
            at = start + len(token)
            if bare:
                spans.append((start, at))
        kept = sorted({n for chosen in row["supporting_sentences"] for n in chosen})
        around = sorted({m for n in kept for m in (n - 1, n, n + 1) if 0 <= m < len(row["evidence"])})
        text = " ".join(row["evidence"][n] for n in (around or range(min(8, len(row["evidence"])))))
        if text.strip():
            yield Told(claim, text, Label.NOT_ENOUGH_INFO, tuple(spans))
