"""The classification report, from Python and from files, and everything that can be wrong with its input."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aver import InputError, measure
from aver.metrics import classification, read_labelled

VERDICTS = ["SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO"]
# The counts behind Tables 4 and 5 of the CLIMATE-FEVER paper. The first follow from the tables; of the second there
# are two that round to the same figures, and this is one.
CLIMATE_FEVER = [[69, 60, 526], [8, 111, 134], [11, 107, 356]]
FEVER = [[5754, 281, 631], [325, 5195, 1146], [995, 1083, 4588]]


def rows(counts: list[list[int]]) -> tuple[list[str], list[str]]:
    """Predictions and references, in no particular order, that give this confusion matrix."""
    pairs = [
        (VERDICTS[guess], VERDICTS[gold])
        for gold, line in enumerate(counts)
        for guess, count in enumerate(line)
        for _ in range(count)
    ]
    random.Random(5).shuffle(pairs)
    predictions, references = zip(*pairs, strict=True)
    return list(predictions), list(references)


def test_table_4_of_climate_fever_with_its_rows_put_right() -> None:
    report = classification(*rows(CLIMATE_FEVER))
    found = {s.label: [round(100 * v, 2) for v in (s.precision, s.recall, s.f1)] for s in report.classes}
    assert found == {
        "SUPPORTS": [78.41, 10.53, 18.57],  # the paper prints this row as NOT ENOUGH INFO
        "REFUTES": [39.93, 43.87, 41.81],
        "NOT_ENOUGH_INFO": [35.04, 75.11, 47.79],  # and this one as SUPPORTS
    }
    weighted = [report.weighted.precision, report.weighted.recall, report.weighted.f1, report.accuracy]
    assert [round(100 * v, 2) for v in weighted] == [56.49, 38.78, 32.85, 38.78]
    assert [s.support for s in report.classes] == [655, 253, 474]


def test_the_command_shows_tables_4_and_5_side_by_side(run_cli: Any, write_jsonl: Any, tmp_path: Path) -> None:
    paths = []
    for name, counts in (("cf", CLIMATE_FEVER), ("fever", FEVER)):
        predictions, references = rows(counts)
        disputed = 153 if name == "cf" else 0
        said = [{"id": n, "predicted_label": label} for n, label in enumerate(predictions + ["NEI"] * disputed)]
        gold = [{"id": n, "label": label} for n, label in enumerate(references + ["DISPUTED"] * disputed)]
        random.Random(7).shuffle(gold)
        paths += [write_jsonl(f"{name}.pred.jsonl", said), write_jsonl(f"{name}.gold.jsonl", gold)]
    pictures = [tmp_path / "confusion.svg", tmp_path / "confusion.png"]
    for picture in pictures:
        done = run_cli(
            "score", "classification", *paths[:2], "--exclude", "DISPUTED", "--beside", *paths[2:], "--plot", picture,
            "--titles", "CLIMATE-FEVER", "FEVER",
        )  # fmt: skip
        assert done.code == 0, done.err
    lines = [line.split() for line in done.out.splitlines()]
    for expected in (
        "SUPPORTS 78.41 (81.34) 10.53 (86.32) 18.57 (83.76) 655 (6,666)",
        "REFUTES 39.93 (79.20) 43.87 (77.93) 41.81 (78.56) 253 (6,666)",
        "NOT_ENOUGH_INFO 35.04 (72.08) 75.11 (68.83) 47.79 (70.42) 474 (6,666)",
        "weighted average 56.49 (77.54) 38.78 (77.69) 32.85 (77.58) 1,382 (19,998)",
        "accuracy 38.78 (77.69) 1,382 (19,998)",
        "SUPPORTS 10.5 (86.3) 9.2 (4.2) 80.3 (9.5)",
        "REFUTES 3.2 (4.9) 43.9 (77.9) 53.0 (17.2)",
        "NOT_ENOUGH_INFO 2.3 (14.9) 22.6 (16.2) 75.1 (68.8)",
    ):
        assert expected.split() in lines
    assert "CLIMATE-FEVER: 153 rows are left out because of the gold label" in done.out
    assert pictures[0].read_bytes().startswith(b"<?xml")
    assert pictures[1].read_bytes().startswith(b"\x89PNG")
    told = run_cli(
        "score", "classification", *paths[:2], "--exclude", "DISPUTED", "--beside", *paths[2:], "--json"
    ).json
    assert told["measure"] == "Classification(labels=verdict, exclude=DISPUTED, macro=gold)"
    assert told["excluded"] == 153
    assert told["confusion"] == CLIMATE_FEVER
    assert told["beside"]["confusion"] == FEVER


def test_the_same_plot_twice_is_the_same_file(run_cli: Any, write_jsonl: Any, tmp_path: Path) -> None:
    path = write_jsonl("both.jsonl", [{"gold": "SUPPORTS", "prediction": "NEI"}, {"gold": "NEI", "prediction": "NEI"}])
    for ending in ("svg", "png"):
        pair = [tmp_path / f"one.{ending}", tmp_path / f"two.{ending}"]
        for picture in pair:
            assert run_cli("score", "classification", path, "--plot", picture).code == 0
        assert pair[0].read_bytes() == pair[1].read_bytes()


@given(st.lists(st.tuples(st.sampled_from(VERDICTS), st.sampled_from(VERDICTS)), min_size=1, max_size=40))
def test_what_always_holds(pairs: list[tuple[str, str]]) -> None:
    predictions, references = zip(*pairs, strict=True)
    report = classification(predictions, references)
    assert sum(map(sum, report.confusion)) == report.n == len(pairs)
    assert report.accuracy == pytest.approx(sum(p == r for p, r in pairs) / len(pairs))
    assert report.weighted.recall == pytest.approx(report.accuracy)
    for s in report.classes:
        hits = sum(p == r == s.label for p, r in pairs)
        assert s.support == sum(r == s.label for r in references)
        assert s.predicted == sum(p == s.label for p in predictions)
        assert s.precision * s.predicted == pytest.approx(hits)
        if s.precision + s.recall:
            assert s.f1 == pytest.approx(2 * s.precision * s.recall / (s.precision + s.recall))
    for row in report.confusion_normalised:
        assert row[0] is None or sum(share or 0 for share in row) == pytest.approx(1)
    swapped = classification(references, predictions)
    assert swapped.accuracy == report.accuracy
    assert {s.label: s.f1 for s in swapped.classes} == {s.label: s.f1 for s in report.classes}


def test_classes_without_gold_or_without_predictions() -> None:
    report = classification(["SUPPORTS", "NEI"], ["SUPPORTS", "REFUTES"])
    assert report.macro.f1 == 0.5
    assert classification(["SUPPORTS", "NEI"], ["SUPPORTS", "REFUTES"], macro="seen").macro.f1 == pytest.approx(1 / 3)
    assert report.notes == (
        "REFUTES is never predicted: its precision counts as 0",
        "NOT_ENOUGH_INFO is predicted once but never gold: it is left out of the macro averages",
    )
    assert report.confusion_normalised[2] == (None, None, None)


def test_any_classes() -> None:
    report = classification(["cat", "dog", "1"], ["cat", "cat", 1], labels="any")
    assert report.labels == ("1", "cat", "dog")
    assert report.accuracy == pytest.approx(2 / 3)


def test_spellings_are_one_class() -> None:
    assert classification(["supported", 1, "nei"], ["SUPPORTS", "refutes", "NOT ENOUGH INFO"]).accuracy == 1


def test_the_measure_parses_back() -> None:
    name = "Classification(labels=any, exclude=spam+ham, macro=seen)"
    assert str(measure(name)) == name
    score = measure(name).score(["eggs", "eggs"], ["eggs", "ham"]).score
    assert score.measure == name
    assert (score.main, score.n) == (1.0, 1)
    assert list(score.values) == list(measure(name).card.values)


@pytest.mark.parametrize(
    ("predictions", "references", "options", "message"),
    [
        (["NEI"], [], {}, "1 prediction but 0 references"),
        ([], [], {}, "there are no rows"),
        (["NEI"], ["mixed"], {"exclude": "DISPUTED"}, "1 row has an excluded gold label"),
        (["NEI", "dog", "cat"], ["NEI"] * 3, {}, "prediction 3: unknown label 'cat'"),
        ([["NEI"]], ["NEI"], {}, "a label is a word or a number"),
        ([0.5], ["a"], {"labels": "any"}, "prediction 1: unknown label 0.5"),
        (["NEI"], ["NEI"], {"exclude": "nonsense"}, "excluded label 1: unknown label 'nonsense'"),
        (["NEI"], ["NEI"], {"labels": "all"}, "it can be: verdict, any"),
    ],
)
def test_what_cannot_be_scored(predictions: Any, references: Any, options: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        classification(predictions, references, **options)


def test_files_are_matched_by_id_or_by_place(write_jsonl: Any) -> None:
    gold = write_jsonl(
        "gold.jsonl", [{"claim_id": "a", "claim_label": "NEI"}, {"claim_id": "b", "claim_label": "REFUTES"}]
    )
    said = write_jsonl("said.jsonl", [{"id": "b", "label": "REFUTES"}, {"id": "a", "label": "SUPPORTS"}])
    rows = read_labelled(said, gold)
    assert list(zip(rows.predictions, rows.references, strict=True)) == [
        ("SUPPORTS", "NOT_ENOUGH_INFO"), ("REFUTES", "REFUTES")
    ]  # fmt: skip
    bare = write_jsonl("bare.jsonl", [{"prediction": "NEI"}, {"prediction": "SUPPORTS"}])
    assert read_labelled(bare, gold).predictions == ["NOT_ENOUGH_INFO", "SUPPORTS"]


def test_ids_that_are_numbers_in_one_file_and_text_in_the_other(write_jsonl: Any) -> None:
    gold = write_jsonl("gold.jsonl", [{"id": 1, "label": "NEI"}])
    assert read_labelled(write_jsonl("said.jsonl", [{"id": "1", "label": "NEI"}]), gold).predictions == [
        "NOT_ENOUGH_INFO"
    ]


def test_rows_without_a_prediction_are_counted_not_scored(run_cli: Any, write_jsonl: Any) -> None:
    path = write_jsonl("both.jsonl", [
        {"label": "NEI", "prediction": "NEI"},
        {"label": "NEI", "prediction": None},
        {"label": "NEI", "prediction": None, "error": "timed out"},
        {"label": "NEI", "status": "no_claims"},
    ])  # fmt: skip
    told = run_cli("score", "classification", path, "--json").json
    assert told["n"] == 1
    assert told["status"] == {"scored": 1, "no_claims": 1, "abstained": 1, "error": 1}
    assert "1 row is not scored: abstained" in run_cli("score", "classification", path).out


def test_fields_can_be_named(run_cli: Any, write_jsonl: Any) -> None:
    path = write_jsonl("both.jsonl", [{"truth": "a", "guess": "b", "key": 1}, {"truth": "b", "guess": "b", "key": 2}])
    options = ["--labels", "any", "--gold", "truth", "--predicted", "guess", "--id", "key"]
    assert run_cli("score", "classification", path, *options, "--json").json["accuracy"] == 0.5


BAD = {
    "ids": (
        [{"id": 1, "label": "NEI"}, {"id": 1, "label": "NEI"}, {"id": 9, "label": "NEI"}],
        [{"id": 1, "label": "NEI"}, {"id": 2, "label": "NEI"}],
        ["id 1 stands a second time", "id 9 is not among the references", "id 2 has no prediction", "3 problems"],
    ),
    "lengths": ([{"label": "NEI"}], [{"label": "NEI"}] * 2, ["1 prediction but 2 references"]),
    "labels": (
        [{"label": "maybe"}, {"label": ["NEI"]}],
        [{"label": "NEI"}, {"label": "perhaps"}],
        ["unknown label 'maybe'", "a label is a word", "unknown label 'perhaps'", "SUPPORTS (also", "3 problems"],
    ),
    "fields": ([{"answer": "NEI"}], [{"label": "NEI"}], ["no prediction here", "found 'answer'"]),
    "some lines": ([{"label": "NEI"}, {}], [{"label": "NEI"}] * 2, ["line 2: has no 'label'"]),
    "empty": ([], [{"label": "NEI"}], ["is empty; there is nothing to score"]),
    "no predictions": ([{"label": None}], [{"label": "NEI"}], ["no prediction in 1 row"]),
    "status": ([{"label": "NEI", "status": "odd"}], [{"label": "NEI"}], ["status is 'odd'"]),
    "probabilities": (
        [{"probabilities": {"NEI": 0.7, "REFUTES": 0.7}}, {"probabilities": {"NEI": -1, "REFUTES": 2}}],
        [{"label": "NEI"}] * 2,
        ["line 1: probabilities sum to 1.4", "line 2: the probability of 'NEI' is -1"],
    ),
    "some probabilities": (
        [{"label": "NEI", "probabilities": {"NEI": 1}}, {"label": "NEI"}],
        [{"label": "NEI"}] * 2,
        ["line 2: has no 'probabilities' by label, which other lines have"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD)
def test_bad_files_are_one_error_that_tells_all(case: str, run_cli: Any, write_jsonl: Any) -> None:
    said, gold, messages = BAD[case]
    done = run_cli("score", "classification", write_jsonl("said.jsonl", said), write_jsonl("gold.jsonl", gold))
    assert done.code == 2
    assert done.out == ""
    for message in messages:
        assert message in done.err


def test_one_file_with_one_label_is_not_scored_against_itself(run_cli: Any, write_jsonl: Any) -> None:
    path = write_jsonl("gold.jsonl", [{"id": 1, "label": "NEI"}])
    for arguments in ([path], [path, path]):
        done = run_cli("score", "classification", *arguments)
        assert done.code == 2
        assert "no prediction here" in done.err
    doubled = write_jsonl("both.jsonl", [{"id": 1, "label": "NEI", "prediction": "NEI"}] * 2)
    assert run_cli("score", "classification", doubled).err.count("second time") == 1


def test_plots_that_cannot_be_written(run_cli: Any, write_jsonl: Any, tmp_path: Path) -> None:
    path = write_jsonl("both.jsonl", [{"label": "NEI", "prediction": "NEI"}])
    assert ".svg or .png" in run_cli("score", "classification", path, "--plot", tmp_path / "picture.gif").err
    assert "cannot be written" in run_cli("score", "classification", path, "--plot", tmp_path / "no" / "x.svg").err
    assert "no probabilities" in run_cli("score", "classification", path, "--reliability", tmp_path / "x.svg").err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["both.jsonl"]
