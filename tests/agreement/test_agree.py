"""`agree` and `aver agree`: the three forms of a vote file, slices, and everything that can be wrong with
one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

from aver import InputError, agreement
from aver.agreement import agree, read_votes

CLAIMS = [
    {
        "claim_id": "1",
        "claim": "The sea rises.",
        "claim_label": "SUPPORTS",
        "topic": "sea",
        "evidences": [
            {"evidence_id": "Sea:1", "evidence_label": "SUPPORTS", "votes": ["SUPPORTS", "SUPPORTS", None]},
            {"evidence_id": "Sea:2", "evidence_label": "NOT_ENOUGH_INFO", "votes": ["REFUTES", "SUPPORTS",
            None]},
        ],
    },
    {
        "claim_id": "2",
        "claim": "The ice grows.",
        "claim_label": "DISPUTED",
        "topic": "ice",
        "evidences": [
            {"evidence_id": "Ice:1", "evidence_label": "SUPPORTS", "votes": ["SUPPORTS", None, "SUPPORTS"]},
            {"evidence_id": "Ice:2", "evidence_label": "REFUTES", "votes": [None, "REFUTES", "REFUTES"]},
        ],
    },
]  # fmt: skip


def items() -> list[dict[str, Any]]:
    """The same votes, an item a line."""
    return [
        {"item": evidence["evidence_id"], "claim_id": claim["claim_id"], "topic": claim["topic"],
         "votes": evidence["votes"]}
        for claim in CLAIMS for evidence in claim["evidences"]
    ]  # fmt: skip


def single_votes() -> list[dict[str, Any]]:
    """The same votes, a vote a line."""
    return [
        {**{name: row[name] for name in ("item", "claim_id", "topic")}, "voter": f"v{number}", "vote": vote}
        for row in items() for number, vote in enumerate(row["votes"], 1) if vote is not None
    ]  # fmt: skip


@pytest.mark.parametrize("rows", [CLAIMS, items(), single_votes()])
def test_the_three_forms_give_the_same(rows: list[dict[str, Any]]) -> None:
    found = agree(rows, slice="topic")
    assert found.overall.items == 4
    assert found.overall.claims == 2
    assert found.overall.voters == 2.0
    assert found.overall.total_agreement == 0.75
    assert found.overall.alpha == pytest.approx(agreement.alpha([[0, 0], [1, 0], [0, 0], [1, 1]]))
    assert found.overall.votes == {"SUPPORTS": 5, "REFUTES": 3}
    assert found.overall.verdicts == {"SUPPORTS": 2, "NOT_ENOUGH_INFO": 1, "REFUTES": 1}
    assert found.overall.claim_labels == {"DISPUTED": 1, "SUPPORTS": 1}
    assert [(f.slice, f.items, f.total_agreement) for f in found.slices] == [("ice", 2, 1.0), ("sea", 2, 0.5)]
    assert [d.claim_label for d in found.decisions] == ["SUPPORTS", "SUPPORTS", "DISPUTED", "DISPUTED"]


def test_stated_labels_are_compared() -> None:
    found = agree(CLAIMS)
    assert found.compared == {"evidence_label": 4, "claim_label": 2}
    assert found.differences == ()
    wrong = orjson.loads(orjson.dumps(CLAIMS))
    wrong[0]["claim_label"] = "REFUTES"
    wrong[1]["evidences"][0]["entropy"] = 0.5
    found = agree(wrong)
    assert len(found.differences) == 2
    assert "claim_label is 'REFUTES', its votes give SUPPORTS" in found.differences[0]


def test_computed_slices() -> None:
    assert [(f.slice, f.items) for f in agree(CLAIMS, slice="@slots").slices] == [
        ("1 2", 2),
        ("1 3", 1),
        ("2 3", 1),
    ]
    assert [(f.slice, f.items) for f in agree(CLAIMS, slice="@voters").slices] == [("2", 4)]
    with pytest.raises(InputError, match="there are: @slots, @voters, @table1"):
        agree(CLAIMS, slice="@nothing")
    with pytest.raises(InputError, match="CLIMATE-FEVER's own file"):
        agree(CLAIMS, slice="@table1")


def test_slices_are_in_the_order_of_their_numbers() -> None:
    rows = [{"votes": ["NEI", "NEI"], "slice": number} for number in (10, 9, 1)]
    assert [f.slice for f in agree(rows, slice="slice").slices] == ["1", "9", "10"]


def test_items_without_votes_are_counted_and_undecided() -> None:
    found = agree([{"votes": [None]}, {"votes": []}, {"votes": ["NEI"]}, {"votes": ["NEI", "REFUTES"]}])
    assert (found.overall.items, found.overall.scored) == (4, 1)
    assert found.overall.verdicts == {"NOT_ENOUGH_INFO": 2, "none": 2}
    assert found.notes == ("3 of 4 items have fewer than two votes; agreement is over the others",)


def test_votes_that_are_numbers_or_any_words() -> None:
    rows = [{"votes": {"ann": 1, "ben": 2}}, {"votes": {"ann": 5, "ben": 5}}]
    found = agree(rows, level="interval", labels="number")
    assert found.overall.alpha == pytest.approx(agreement.alpha([[1, 2], [5, 5]], level="interval"))
    assert [d.verdict for d in found.decisions] == [None, 5]
    words = [{"votes": ["good", "bad"]}, {"votes": ["good", "good"]}]
    assert agree(words, labels="any").overall.verdicts == {"good": 1, "none": 1}
    ordered = agree(words, level="ordinal", order=["bad", "good"])
    assert ordered.overall.alpha == pytest.approx(agreement.alpha([[1, 0], [1, 1]], level="ordinal"))
    with pytest.raises(InputError, match="verdict labels are names"):
        agree(CLAIMS, level="ordinal")


def test_the_command_prints_tables_and_json(run_cli: Any, write_jsonl: Any, tmp_path: Path) -> None:
    path = write_jsonl("votes.jsonl", CLAIMS)
    shown = run_cli("agree", path, "--slice", "topic")
    assert shown.code == 0
    assert "Alpha(level=nominal)" in shown.out
    assert "0 differ" in shown.out
    told = run_cli("agree", path, "--slice", "topic", "--json").json
    assert told["overall"]["total_agreement"] == 0.75
    assert told["measure"] == "Alpha(level=nominal)"
    out = tmp_path / "verdicts.jsonl"
    assert run_cli("agree", path, "--verdicts", out).code == 0
    decided = [orjson.loads(line) for line in out.read_bytes().splitlines()]
    assert [row["verdict"] for row in decided] == ["SUPPORTS", "NOT_ENOUGH_INFO", "SUPPORTS", "REFUTES"]
    assert [row["verdict"] for row in run_cli("agree", path, "--verdicts", "-").jsonl] == [
        row["verdict"] for row in decided
    ]


def test_the_command_reads_standard_input(run_cli: Any) -> None:
    rows = "".join(orjson.dumps(row).decode() + "\n" for row in single_votes())
    assert run_cli("agree", "-", "--json", stdin=rows).json["overall"]["items"] == 4


def test_numbers_by_level_alone(run_cli: Any, write_jsonl: Any) -> None:
    path = write_jsonl("votes.jsonl", [{"votes": [1, 2]}, {"votes": [4, 4]}])
    assert run_cli("agree", path, "--level", "ratio", "--json").code == 0
    assert run_cli("agree", path, "--level", "ordinal", "--order", "low,high").code == 2
    words = run_cli("agree", write_jsonl("words.jsonl", [{"votes": ["low", "high"]}]), "--level", "ordinal")
    assert words.code == 2
    assert "--order" in words.err


BAD = {
    "unknown labels": (
        [{"votes": ["SUPPORTS", "maybe"]}, {"votes": ["perhaps"]}],
        ["line 1: unknown label 'maybe'", "line 2: unknown label 'perhaps'", "SUPPORTS (also"],
    ),
    "no votes field": ([{"item": "a"}], ["line 1: no votes here", "found: 'item'"]),
    "votes missing later": ([{"votes": ["NEI"]}, {"vote": "NEI"}], ["line 2: has no 'votes'"]),
    "votes no list": ([{"votes": "SUPPORTS"}], ["line 1: expected a list 'votes', found 'SUPPORTS'"]),
    "a vote that is a list": ([{"votes": [["NEI"]]}], ["a vote must be a word, a number or null"]),
    "one item twice": (
        [{"item": 7, "votes": ["NEI"]}, {"item": 7, "votes": ["NEI"]}],
        ["line 2: item '7' is already at", "line 1"],
    ),
    "one voter twice": (
        [{"item": 7, "voter": "ann", "vote": "NEI"}] * 2,
        ["line 2: 'ann' has already voted on '7' at"],
    ),
    "a vote without voter": (
        [{"item": 7, "voter": "ann", "vote": "NEI"}, {"item": 7, "vote": "NEI"}, {"voter": "ben"}],
        ["line 2: has no 'voter'", "line 3: has no 'item' and no 'vote'"],
    ),
    "one claim twice": ([CLAIMS[0], CLAIMS[0]], ["line 2: claim_id '1' is already at"]),
    "evidence without votes": ([{"evidences": [{}, 3]}], ["evidence 1: expected an object with 'votes'", "evidence 2"]),
    "evidences no list": ([{"evidences": {}}], ["line 1: expected a list 'evidences'"]),
    "empty": ([], ["is empty; expected a JSON object a line with 'votes'"]),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_error_that_tells_all(case: str, run_cli: Any, write_jsonl: Any) -> None:
    rows, messages = BAD[case]
    done = run_cli("agree", write_jsonl("votes.jsonl", rows))
    assert done.code == 2
    assert done.out == ""
    for message in messages:
        assert message in done.err


def test_broken_lines_and_missing_files(run_cli: Any, tmp_path: Path) -> None:
    path = tmp_path / "votes.jsonl"
    path.write_bytes(b'{"votes": ["NEI"]}\n\n{"votes": [\n{"votes": [NaN]}\n{"votes": ["\xff"]}\n')
    done = run_cli("agree", path)
    assert done.code == 2
    for message in ("line 3: broken JSON", "line 4: broken JSON: NaN", "line 5: not UTF-8", "3 problems"):
        assert message in done.err
    assert "no such file" in run_cli("agree", tmp_path / "nothing.jsonl").err


def test_a_slice_that_is_not_there(run_cli: Any, write_jsonl: Any) -> None:
    done = run_cli("agree", write_jsonl("votes.jsonl", CLAIMS), "--slice", "colour")
    assert done.code == 2
    assert "no item has 'colour' to slice by" in done.err
    assert "'topic'" in done.err
    by_voter = run_cli("agree", write_jsonl("single.jsonl", single_votes()), "--slice", "voter")
    assert by_voter.code == 2
    assert "not the same for all its votes" in by_voter.err


def test_reading_keeps_places() -> None:
    assert read_votes(items())[2].place == "record 3"
    assert read_votes(CLAIMS)[3].place == "record 2 evidence 2"
