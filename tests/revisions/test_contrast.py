"""Contrast sets from flagged edits: VitaminC's fields, both evidences, opposite labels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from aver.errors import InputError
from aver.models import load_judge
from aver.revisions import ContrastStatistics, PageRevision, contrast_set, flagged, mine_revisions, read_mined
from aver.revisions._contrast import _subject
from aver.revisions._mine import MiningReport

TEXT = "Arle is a town on a river in the north. The old tower is {} metres high. It was built by {} in {}."


class Always:
    """A flagger for tests: every edit is factual."""

    name, threshold = "always", 0.5

    def score(self, pairs: Any) -> list[float | None]:
        return [0.9 for _ in pairs]


def mined() -> list[Any]:
    states = [(52, "monks", 1202), (57, "monks", 1202), (57, "monks", 1302)]
    revisions = [
        PageRevision("Arle", str(n), f"2024-01-0{n}", "", TEXT.format(*state), "wikitext")
        for n, state in enumerate(states, 1)
    ]
    return list(mine_revisions(revisions, flagger=Always()))


def test_each_claim_meets_both_versions() -> None:
    edits = mined()
    assert len(edits) == 2
    told = ContrastStatistics()
    rows = list(contrast_set(edits, judge=load_judge("fast"), statistics=told))
    assert rows
    by_claim = defaultdict(list)
    for row in rows:
        by_claim[row.case_id, row.claim].append(row)
    for (case, _), pair in by_claim.items():
        edit = next(edit for edit in edits if edit.id == case)
        assert [row.version for row in pair] == ["before", "after"]
        assert [row.evidence for row in pair] == [edit.before, edit.after]
        # one version supports it and the other does not
        assert sorted(row.label == "SUPPORTS" for row in pair) == [False, True]
    assert len({row.unique_id for row in rows}) == len(rows)
    found = told.as_dict()
    assert found["rows"] == len(rows)
    assert found["labels"]["SUPPORTS"] == len(rows) // 2
    assert sum(found["labels"].values()) == sum(found["categories"].values()) == len(rows)
    assert sum(sum(part.values()) for part in found["splits"].values()) == len(rows)
    assert found["edits"] == 2
    assert 0 < found["overlap"]["SUPPORTS"] <= 1


def test_lines_have_vitaminc_fields() -> None:
    row = next(iter(contrast_set(mined(), judge=load_judge("fast")))).as_dict()
    wanted = {"unique_id", "case_id", "wiki_revision_id", "label", "claim", "evidence", "page", "revision_type", "fold"}
    assert wanted <= set(row)
    assert row["label"] in ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
    assert orjson.loads(orjson.dumps(row)) == row


def test_edits_that_are_not_factual_are_passed_over(write_jsonl: Callable[..., Path]) -> None:
    rows = [edit.as_dict() | {"factual": at == 1} for at, edit in enumerate(mined())]
    path = write_jsonl("edits.jsonl", rows)
    edits = list(read_mined(path))
    assert [edit.id for edit in edits] == [row["id"] for row in rows]
    told = ContrastStatistics()
    assert {row.case_id for row in contrast_set(edits, judge=load_judge("fast"), statistics=told)} == {rows[1]["id"]}
    assert told.edits == 1


def test_what_people_decided_stays(write_jsonl: Callable[..., Path]) -> None:
    given = [{"before": "It is 5 m high.", "after": "It is 6 m high.", "page": "P", "factual": False}]
    given += [{"before": "It is 5 m high.", "after": "It is 7 m high.", "page": "P"}]
    edits = read_mined(write_jsonl("edits.jsonl", given))
    report = MiningReport()
    assert [edit.factual for edit in flagged(edits, Always(), report, again=False)] == [False, True]
    assert report.factual == 1


def test_edits_that_cannot_be_used(write_jsonl: Callable[..., Path]) -> None:
    path = write_jsonl("edits.jsonl", [{"before": "a"}, {"before": "a", "after": "b", "page": "p", "factual": 3}])
    with pytest.raises(InputError) as problem:
        list(read_mined(path))
    assert len(problem.value.problems) == 3


@pytest.mark.parametrize(
    ("page", "subject"),
    [
        ("Tea (drink)", "Tea"), ("docs/Mount_Fuji.md", "Mount Fuji"), ("AC/DC", "AC/DC"), ("St. Ives", "St. Ives"),
        ("Albert Einstein", "Albert Einstein"), ("lake", "lake"),
    ],
)  # fmt: skip
def test_what_a_page_is_about(page: str, subject: str) -> None:
    assert _subject(page) == subject


def test_the_command_writes_the_set(tmp_path: Path, run_cli: Callable[..., Any]) -> None:
    for day, height in (("2024-05-01", 52), ("2024-06-01", 57)):
        (tmp_path / f"tower-{day}.txt").write_text(TEXT.format(height, "monks", 1202))
    out, made = tmp_path / "out.jsonl", tmp_path / "set.jsonl"
    done = run_cli("mine", tmp_path, "--output", out, "--contrast", made, "--model", "fast")
    assert done.code == 0, done.err
    rows = [orjson.loads(line) for line in made.read_bytes().splitlines()]
    assert rows
    assert f"{len(rows)} rows" in done.out
    assert {row["page"] for row in rows} == {"tower"}
    again = run_cli("mine", out, "--contrast", tmp_path / "again.jsonl", "--model", "fast", "--json")
    told = run_cli("mine", out, "--contrast", tmp_path / "again.jsonl", "--model", "fast").out
    assert "revision" not in told.splitlines()[0], "a file of edits does not say in how many they were found"
    assert again.json["contrast"]["rows"] == len(rows)
    assert (tmp_path / "again.jsonl").read_bytes() == made.read_bytes()
