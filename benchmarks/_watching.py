"""Watching, measured: what `watch run` costs after 1 % of the pages changed, beside verifying every claim again.

The claims are 10,000 of FEVER's development claims (`--limit`: so many); the collection holds their gold pages and,
up to 60,000, other pages of wiki_intros. Then 1 % of the pages change, drawn evenly: in seven of ten one sentence is
edited (a number, a harmless rewording, or it goes), two are new pages, one is removed.

What verifying them all costs is measured on a sample of 100 claims, half of them right before the run and half right
after it, and multiplied. The first verdicts of the 10,000 would take hours; they are filled in by a stand-in that
answers at once from shared words, under the real model's name, and the measured run then reads with the real model
whatever the stand-in has not read. AVER_WATCH_FIRST=real makes them with the real model (use a --limit). Wall time,
processor time and judge pairs are given; all must stay below the bar.

What the run can miss is counted too: of the claims it did not look at, how many would now find a changed page among
their candidates, and how many find other unchanged pages because the rarity of words shifted.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import re
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from aver import Collection
from aver.collection import Changes
from aver.collection.readers import fever_title
from aver.labels import Label
from aver.models import Judge, load_judge
from aver.results import Judgement
from aver.revisions import harmless_edit
from aver.revisions.watch import PLAIN, Watch
from aver.train import Figure
from aver.verify import check, claim_overlap, find_documents

PAGES = 60_000
CLAIMS = 10_000
SAMPLE = 100
SHARE = 0.01
BAR = 3.0


class Counting(Judge):
    """A judge, and how many pairs it read."""

    def __init__(self, judge: Judge) -> None:
        self.name, self.model, self._judge = judge.name, judge.model, judge
        self.pairs = 0

    def judge(self, pairs: Iterable[tuple[str, str]], *, batch_tokens: int = 1024) -> list[Judgement]:
        asked = list(pairs)
        self.pairs += len(asked)
        return self._judge.judge(asked, batch_tokens=batch_tokens)


class StandIn(Judge):
    """Answers at once, by shared words, in another's name."""

    def __init__(self, judge: Judge) -> None:
        self.name, self.model = judge.name, judge.model

    def judge(self, pairs: Iterable[tuple[str, str]], *, batch_tokens: int = 1024) -> list[Judgement]:
        return [self._one(claim, evidence) for claim, evidence in pairs]

    def _one(self, claim: str, evidence: str) -> Judgement:
        shared = 0.9 * claim_overlap(claim, evidence)
        shares = {"SUPPORTS": 0.6 * shared, "REFUTES": 0.3 * shared, "NOT_ENOUGH_INFO": 1 - 0.9 * shared}
        label = Label(max(shares, key=lambda name: shares[name]))
        return Judgement(label, shares, 1.0, "scored", self.model, shared, 1)


def watch(asked: argparse.Namespace) -> list[Figure]:
    """The figures of watching."""
    chance = random.Random(asked.seed)
    real = load_judge(asked.model)
    claims, gold = fever_claims(asked.data, asked.limit or CLAIMS, chance)
    with (
        tempfile.TemporaryDirectory(prefix="aver-watch-") as folder,
        Collection(Path(folder) / "wiki", create=True) as collection,
    ):
        held, spare = pages(asked.data, gold, chance)
        collection.add_documents(held)
        asked.say(f"watch: a collection of {len(collection):,} pages, {len(claims):,} claims")
        counting = Counting(real)
        sample = chance.sample(claims, min(SAMPLE, len(claims)))
        first: Judge = real if os.environ.get("AVER_WATCH_FIRST") == "real" else StandIn(real)
        told = _progress(asked, "first verdicts")
        Watch(collection, judges=lambda _: first).add(claims, model=asked.model, progress=told)
        before = Changes(collection).position()
        changed = edit(collection, spare, chance)
        asked.say(f"watch: {changed:,} pages changed")
        # half before and half after: other work on the machine weighs on both alike
        early = verifying(collection, counting, sample[::2])
        counting.pairs = 0
        began, worked = time.perf_counter(), time.process_time()
        watching = Watch(collection, judges=lambda _: counting)
        report = watching.run(progress=_progress(asked, "run"))
        took, worked = time.perf_counter() - began, time.process_time() - worked
        pairs = counting.pairs
        late = verifying(collection, counting, sample[1::2])
        each, work, read = ((a + b) / 2 for a, b in zip(early, late, strict=True))
        asked.say(f"watch: verifying one claim takes {each:.3f} s, {work:.3f} s of the processor and {read:.1f} pairs")
        began = time.perf_counter()
        again = watching.run()
        idle = time.perf_counter() - began
        assert (again.verified, again.events) == (0, ())
        missed, drifted, looked = unseen(collection, watching, before, chance)
    count = len(claims)
    first_word = "by the stand-in" if first is not real else "by the model"
    notes = (
        f"{report.new + report.changed + report.removed:,} changed or removed pages seen; {report.verified:,} of "
        f"{count:,} claims verified again, {report.pairs:,} pairs read, {len(report.flips):,} flips, "
        f"{len(report.of('stale')):,} stale; first verdicts {first_word}; all by a sample of {SAMPLE}"
    )
    return [
        _figure("run-time", "run after 1 % of the pages changed, wall time, % of verifying all",
                100 * took / (each * count), count, BAR, notes),
        _figure("run-processor", "the same, processor time, % of verifying all",
                100 * worked / (work * count), count, BAR, notes),
        _figure("run-pairs", "the same, judge pairs, % of verifying all",
                100 * pairs / (read * count), count, BAR, notes),
        _figure("run-seconds", "the run, seconds", took, count),
        _figure("all-seconds", "verifying all, seconds (from the sample)", each * count, count),
        _figure("idle-seconds", "a run when nothing changed, seconds", idle, count),
        _figure("claims-again", "claims verified again, %", 100 * report.verified / count, count),
        _figure("missed", "claims not looked at that would find a changed page, %", 100 * missed / looked, looked),
        _figure("drifted", "claims not looked at that find other unchanged pages, %", 100 * drifted / looked, looked),
    ]  # fmt: skip


def _figure(name: str, title: str, value: float, n: int, bar: float | None = None, notes: str = "") -> Figure:
    return Figure(name, title, value, value, value, n, "claims", bar, higher_is_better=False, notes=notes)


def _progress(asked: argparse.Namespace, what: str):  # type: ignore[no-untyped-def]
    last = [time.monotonic()]

    def told(done: int, total: int) -> None:
        if time.monotonic() - last[0] > 30:
            last[0] = time.monotonic()
            asked.say(f"watch: {what}: {done:,} of {total:,}")

    return told


def fever_claims(data: Path, count: int, chance: random.Random) -> tuple[list[str], set[str]]:
    """Claims, each once, and the titles of their gold pages."""
    gold: dict[str, set[str]] = {}
    with (data / "fever" / "paper_dev.jsonl").open(encoding="utf-8") as file:
        for row in map(json.loads, file):
            pages = {fever_title(e[2]) for group in row["evidence"] for e in group if e[2]}
            gold.setdefault(" ".join(row["claim"].split()), set()).update(pages)
    with (data / "fever" / "rte_fever_dev.raw.input1").open(encoding="utf-8") as file:
        for line in file:
            gold.setdefault(" ".join(line.split()), set())
    claims = [claim for claim in gold if any(c.isalnum() for c in claim)]
    chance.shuffle(claims)
    return claims[:count], set().union(*(gold[claim] for claim in claims[:count]))


def pages(data: Path, wanted: set[str], chance: random.Random) -> tuple[list[dict[str, str]], list[dict[str, str]]]:
    """Pages for the collection, and some that come later."""
    asked: list[dict[str, str]] = []
    other: list[dict[str, str]] = []
    titles: set[str] = set()
    with gzip.open(data / "wiki_intros" / "wiki_intros.jsonl.gz") as file:
        for row in map(json.loads, file):
            if row["text"].strip() and row["title"] not in titles:
                titles.add(row["title"])
                (asked if row["title"] in wanted else other).append({"title": row["title"], "text": row["text"]})
    chance.shuffle(other)
    held = asked + other[: max(0, PAGES - len(asked))]
    chance.shuffle(held)
    return held, other[PAGES : PAGES + PAGES // 10]


def edit(collection: Collection, spare: list[dict[str, str]], chance: random.Random) -> int:
    """Changes 1 % of the pages; says how many."""
    every = [document.key for document in collection]
    count = round(SHARE * len(every))
    chosen = chance.sample(every, count)
    fresh, gone, turned = chosen[: count // 5], chosen[count // 5 : 3 * count // 10], chosen[3 * count // 10 :]
    collection.remove(gone)
    rows = spare[: len(fresh)]
    for key in turned:
        document = collection.get(key)
        sentences = [s.text for s in collection.sentences(document)]
        place = chance.randrange(len(sentences))
        sentences[place] = edited(sentences[place], chance)
        text = " ".join(sentence for sentence in sentences if sentence)
        if text and text != document.text:
            rows.append({"title": document.title, "text": text})
    collection.add_documents(rows)
    return len(rows) + len(gone)


def edited(sentence: str, chance: random.Random) -> str:
    """A number changed, or a harmless rewording, or the sentence gone."""
    numbers = list(re.finditer(r"(?<![\w.,])\d{1,4}(?![\w,])", sentence))
    if numbers and chance.random() < 0.6:
        found = chance.choice(numbers)
        return f"{sentence[: found.start()]}{int(found.group()) + chance.randint(1, 9)}{sentence[found.end() :]}"
    return harmless_edit(sentence, chance) or ""


def verifying(collection: Collection, judge: Counting, claims: list[str]) -> tuple[float, float, float]:
    """Seconds, processor seconds and judge pairs of verifying one claim, on average; the first is for warming up."""
    check(claims[0], collection=collection, model=judge, settings=PLAIN)
    judge.pairs = 0
    began, worked = time.perf_counter(), time.process_time()
    for claim in claims[1:]:
        check(claim, collection=collection, model=judge, settings=PLAIN)
    count = max(1, len(claims) - 1)
    return (time.perf_counter() - began) / count, (time.process_time() - worked) / count, judge.pairs / count


def unseen(collection: Collection, watching: Watch, before: int, chance: random.Random) -> tuple[int, int, int]:
    """Of 4,000 claims no run looked at since a moment: those that miss a changed page, that miss others, and all."""
    from aver.revisions.watch._store import Store

    missed = drifted = looked = 0
    store = Store(watching._folder, Changes(collection).created())
    try:
        rows = store.connection.execute("SELECT claim FROM current WHERE position <= ?", (before,)).fetchall()
        for claim in store.some(number for (number,) in chance.sample(rows, min(4000, len(rows)))):
            looked += 1
            stored = {page.key: page.hash for page in store.standing(claim.number).pages}
            hits = [hit.document for hit in find_documents(collection, claim.text, limit=claim.settings.documents)]
            if any(document.revision > before for document in hits):
                missed += 1
            elif {document.key: document.hash for document in hits} != stored:
                drifted += 1
    finally:
        store.close()
    return missed, drifted, max(1, looked)
