"""`aver score revision` and `extraction` from end to end, on files the tests write."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from aver import InputError
from aver.metrics import SARI, GeneratedText, Rationale, Support, read_generation, score_generation

Write = Callable[..., Path]
Cli = Callable[..., Any]

GOLD = [
    {"id": 1, "source": "There were five cases .", "references": ["There were six cases ."], "claim": "six cases"},
    {"id": 2, "source": "He was born in 1975 .", "reference": "He was born in 1976 .", "claim": "born in 1976"},
]
SAID = [
    {"id": 2, "prediction": "He was born in 1976 ."},
    {"id": 1, "prediction": "There were five cases ."},
]


@pytest.fixture
def files(write_jsonl: Write) -> tuple[Path, Path]:
    return write_jsonl("said.jsonl", SAID), write_jsonl("gold.jsonl", GOLD)


def test_revision_prints_what_it_scored(files: tuple[Path, Path], run_cli: Cli) -> None:
    result = run_cli("score", "revision", *files)
    assert result.code == 0, result.err
    for told in ("ROUGE(2, stem=true)", "BLEU(smooth=exp)", "SARI(easse)", "keep", "add", "delete", "2 scored"):
        assert told in result.out


def test_rows_are_matched_by_id(files: tuple[Path, Path], run_cli: Cli, tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    result = run_cli("score", "revision", *files, "--json", "--per-row", rows, "--measure", "sari(hf)")
    assert [score["measure"] for score in result.json["scores"]] == ["SARI(hf)"]
    own = [orjson.loads(line) for line in rows.read_bytes().splitlines()]
    assert [row["id"] for row in own] == ["1", "2"]
    assert own[1]["SARI(hf)"]["sari"] == 100
    assert own[0]["SARI(hf)"]["add"] == 0
    mean = (own[0]["SARI(hf)"]["sari"] + own[1]["SARI(hf)"]["sari"]) / 2
    assert result.json["scores"][0]["sari"] == pytest.approx(mean)


def test_without_ids_rows_are_matched_by_place(write_jsonl: Write, run_cli: Cli) -> None:
    gold = write_jsonl("gold.jsonl", [{k: v for k, v in row.items() if k != "id"} for row in GOLD])
    said = write_jsonl("said.jsonl", [{"prediction": row["prediction"]} for row in reversed(SAID)])
    assert run_cli("score", "revision", said, gold).code == 0
    short = write_jsonl("short.jsonl", [{"prediction": "one"}])
    result = run_cli("score", "revision", short, gold)
    assert result.code == 2
    assert "1 prediction but 2 references" in result.err


def test_one_file_may_come_from_standard_input(files: tuple[Path, Path], run_cli: Cli) -> None:
    piped = run_cli("score", "revision", "-", files[1], "--json", stdin=files[0].read_bytes())
    assert piped.json == run_cli("score", "revision", *files, "--json").json
    assert run_cli("score", "revision", "-", "-").code == 2


def test_rows_that_were_not_scored_are_counted_and_enter_no_mean(write_jsonl: Write, run_cli: Cli) -> None:
    perfect = {"id": 1, "prediction": "There were six cases ."}
    gold = write_jsonl("gold.jsonl", GOLD)
    alone = None
    for other, status in (({"prediction": None}, "abstained"), ({"error": "timed out"}, "error"),
                          ({"status": "no_claims"}, "no_claims")):  # fmt: skip
        said = write_jsonl("said.jsonl", [perfect, {"id": 2, **other}])
        result = run_cli("score", "revision", said, gold, "--json").json
        assert result["status"]["scored"] == 1
        assert result["status"][status] == 1
        assert alone in (None, result["scores"])
        alone = result["scores"]
        assert alone[0]["n"] == 1


def test_no_scored_row_gives_no_figure_instead_of_nan(write_jsonl: Write, run_cli: Cli) -> None:
    gold = write_jsonl("gold.jsonl", GOLD)
    said = write_jsonl("said.jsonl", [{"id": 1, "prediction": None}, {"id": 2, "prediction": None}])
    result = run_cli("score", "revision", said, gold, "--json").json
    assert all(score["n"] == 0 for score in result["scores"])
    assert result["scores"][2]["sari"] is None
    assert "–" in run_cli("score", "revision", said, gold).out


def test_extraction_reads_claims_and_counts_empty_ones(write_jsonl: Write, run_cli: Cli) -> None:
    gold = write_jsonl(
        "gold.jsonl",
        [{"after": "There were six cases .", "claim": "Six cases were known ."}, {"after": "x y", "claims": ["x"]}],
    )
    said = write_jsonl("said.jsonl", [{"prediction": "Six cases were known ."}, {"prediction": " "}])
    result = run_cli("score", "extraction", said, gold, "--json").json
    assert result["status"] == {"scored": 1, "no_claims": 1, "abstained": 0, "error": 0}
    assert result["scores"][1]["bleu"] == pytest.approx(100)
    assert [score["measure"] for score in result["scores"]][2] == "SARI(easse)"


def test_extraction_without_sources_leaves_sari_out_and_says_so(write_jsonl: Write, run_cli: Cli) -> None:
    gold = write_jsonl("gold.jsonl", [{"reference": "Six cases ."}])
    said = write_jsonl("said.jsonl", [{"prediction": "Six cases ."}])
    result = run_cli("score", "extraction", said, gold, "--json")
    assert [score["measure"] for score in result.json["scores"]] == ["ROUGE(2, stem=true)", "BLEU(smooth=exp)"]
    assert "SARI" in result.json["notes"][0]
    asked = run_cli("score", "extraction", said, gold, "--measure", "SARI")
    assert asked.code == 2
    assert "has no 'source', which SARI(easse) reads" in asked.err


def test_a_judge_reads_the_right_pairs(files: tuple[Path, Path], write_jsonl: Write) -> None:
    asked: list[tuple[str, str]] = []

    def judge(claims: Any, evidences: Any) -> list[str]:
        asked.extend(zip(claims, evidences, strict=True))
        return ["SUPPORTS" if claim in evidence else "REFUTES" for claim, evidence in asked]

    report = score_generation(read_generation("revision", *files), [Support("mine")], judge=judge, per_row=True)
    assert asked == [("six cases", "There were five cases ."), ("born in 1976", "He was born in 1976 .")]
    assert report.scores[0]["support_rate"] == 50
    assert [row["Support(judge=mine)"]["verdict"] for row in report.rows] == ["REFUTES", "SUPPORTS"]

    asked.clear()
    gold = write_jsonl("gold.jsonl", [{"before": "five", "after": "now six", "claim": "six"}])
    said = write_jsonl("said.jsonl", [{"prediction": "six"}])
    report = score_generation(read_generation("extraction", said, gold), [Support("mine")], judge=judge)
    assert asked == [("six", "now six")]


def test_measures_that_lack_something_say_what() -> None:
    row = GeneratedText("1", "gold line 1", "scored", "a", ("a",))
    with pytest.raises(InputError, match="gold line 1: has no 'source', which SARI"):
        score_generation([row], [SARI()])
    with pytest.raises(InputError, match="needs a judge"):
        score_generation([row], [Support("x")])
    with pytest.raises(InputError, match="does not score generated text"):
        score_generation([row], [Rationale()])


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--measure", "SARI(mine)", "--measure", "Sarah"], "unknown measure 'Sarah'"),
        (["--measure", "Support"], "add --model NAME"),
        (["--measure", "Support(judge=a)", "--judge", "b"], "name different judges"),
        (["--judge", "no such judge at all"], "no such judge at all"),
        (["--bleurt", "/nowhere/at/all"], "there is no such folder"),
        (["--per-row", "/nowhere/at/all/rows.jsonl"], "cannot be written"),
    ],
)
def test_options_that_cannot_be_met(files: tuple[Path, Path], run_cli: Cli, options: list[str], told: str) -> None:
    result = run_cli("score", "revision", *files, *options)
    assert result.code == 2
    assert told in result.err
    assert result.out == ""


def test_all_faults_of_the_rows_come_in_one_error(write_jsonl: Write, run_cli: Cli) -> None:
    gold = write_jsonl("gold.jsonl", [
        {"id": 1, "source": "a", "references": ["a"]},
        {"id": 2, "source": "a", "references": []},
        {"id": 3, "source": "a"},
        {"id": 3, "source": "a", "reference": "a"},
        {"source": "a", "reference": "a"},
        {"id": 6, "source": "a", "reference": "a"},
        {"id": 7, "source": ["a"], "reference": "a"},
        {"id": 8, "source": "a", "reference": "a " * 5_000_000},
    ])  # fmt: skip
    said = write_jsonl("said.jsonl", [
        {"id": 1, "prediction": 1},
        {"id": 2, "prediction": "a"},
        {"id": 3},
        {"id": 5, "prediction": "a"},
        {"id": 7, "prediction": "a", "status": "great"},
        {"id": 8, "prediction": "a", "source": "another"},
        {"id": True, "prediction": "a"},
    ])  # fmt: skip
    result = run_cli("score", "revision", said, gold)
    assert result.code == 2
    for told in (
        "said.jsonl line 1: 'prediction' is a number",
        "gold.jsonl line 2: 'references' must be a text or a list of texts",
        "gold.jsonl line 3: has neither 'references'",
        "gold.jsonl line 4: id 3 stands a second time; first at",
        "gold.jsonl line 5: has no 'id'",
        "gold.jsonl line 6: id 6 has no prediction",
        "gold.jsonl line 7: 'source' is a list",
        "gold.jsonl line 8: 'reference' has 10,000,000 characters",
        "said.jsonl line 3: has no 'prediction'",
        "said.jsonl line 4: id 5 is not among the references",
        "said.jsonl line 5: status is 'great'",
        "said.jsonl line 6: its 'source' is not that of",
        "said.jsonl line 7: 'id' is True",
    ):
        assert told in result.err


def test_swapped_files_and_doubled_measures(files: tuple[Path, Path], run_cli: Cli) -> None:
    swapped = run_cli("score", "revision", *reversed(files))
    assert swapped.code == 2
    assert "are the two files swapped?" in swapped.err
    twice = run_cli("score", "revision", *files, "--json", "--measure", "chrF", "--measure", "CHRF")
    assert [score["measure"] for score in twice.json["scores"]] == ["chrF"]
    assert run_cli("score", "revision", *files, "--per-row", "-").code == 2


def test_broken_files(files: tuple[Path, Path], tmp_path: Path, run_cli: Cli) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(b'{"id": 1, "prediction": "a"}\n{"id": 2, "prediction": NaN}\n{"id"\n"caf\xe9"\n')
    result = run_cli("score", "revision", broken, files[1])
    assert result.code == 2
    assert "3 problems" in result.err
    for told in ("line 2: broken JSON: NaN", "line 3: broken JSON", "line 4: not UTF-8"):
        assert told in result.err
    empty = tmp_path / "empty.jsonl"
    empty.write_bytes(b"\n")
    assert "is empty; there is nothing to score" in run_cli("score", "revision", empty, files[1]).err
    missing = run_cli("score", "extraction", tmp_path / "none.jsonl", files[1])
    assert missing.code == 2
    assert "there is no such file" in missing.err
