"""A judge that keeps what it said in a file, so that trying another rule over the same readings costs nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Any

from aver.models import Judge
from aver.results import Explanation, Judgement
from aver.revisions.watch._memory import pack, unpack

__all__ = ["KeptAnswers", "kept"]


class KeptAnswers(Judge):
    """Another judge, asked once; its answers lie under the hash of model, claim and evidence."""

    def __init__(self, judge: Judge, path: Path) -> None:
        self._judge = judge
        self.name, self.model = judge.name, judge.model
        self._file = sqlite3.connect(path)
        self._file.execute("pragma journal_mode = wal")
        self._file.execute("create table if not exists said (key blob primary key, judgement blob) without rowid")

    def judge(self, pairs: Iterable[tuple[str, str]], *, batch_tokens: int = 1024) -> list[Judgement]:
        asked = [(self._key(*pair), pair) for pair in pairs]
        known = {key: self._find(key) for key, _ in asked}
        new = {key: pair for key, pair in asked if known[key] is None}
        if new:
            read = zip(new, self._judge.judge(new.values(), batch_tokens=batch_tokens), strict=True)
            for key, judgement in read:
                known[key] = judgement
                if judgement.label is not None:
                    self._file.execute("insert or replace into said values (?, ?)", (key, pack(judgement)))
            self._file.commit()
        return [judgement for key, _ in asked if (judgement := known[key]) is not None]

    def explain(self, claim: str, evidence: str, *, method: Any = "auto") -> Explanation:
        return self._judge.explain(claim, evidence, method=method)

    def _find(self, key: bytes) -> Judgement | None:
        row = self._file.execute("select judgement from said where key = ?", (key,)).fetchone()
        return None if row is None else unpack(row[0], self.model)

    def _key(self, claim: str, evidence: str) -> bytes:
        text = "\0".join((self.model, claim, evidence)).encode(errors="surrogatepass")
        return blake2b(text, digest_size=16).digest()


def kept(judge: Judge, path: Path | None) -> Judge:
    """The judge behind a file of its answers; where none is named they are kept in memory, for as long as it runs."""
    return KeptAnswers(judge, path or Path(":memory:"))
