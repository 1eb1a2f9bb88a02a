"""`aver check --claims` from end to end: a file of claims streams, resumes and scores."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from aver import Collection

Make = Callable[[dict[str, str]], Collection]
CLAIM = "The bridge was opened in spring."
DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "check.md"


def test_a_file_of_claims_streams_resumes_and_scores(
    aver: Callable[..., Any], make_collection: Make, write_jsonl: Callable[..., Path], tmp_path: Path
) -> None:
    claims = write_jsonl(
        "claims.jsonl",
        [
            {"id": 1, "claim": CLAIM, "label": "SUPPORTS", "evidence": [[[1, 1, "Arle Bridge", 0]]]},
            {"id": 2, "claim": "", "label": "NOT ENOUGH INFO", "evidence": []},
            {"id": 3, "claim": "Tea is a drink.", "label": "REFUTES", "evidence": [[[1, 1, "Tea", 0]]]},
        ],
    )
    output = tmp_path / "predictions.jsonl"
    with make_collection({"Arle Bridge": "The bridge was opened in spring (yes).", "Tea": "Tea is a drink (no)."}) as c:
        streamed = aver("check", "--claims", claims, "--in", c.folder)
        done = aver("check", "--claims", claims, "--in", c.folder, "--output", output)
        assert "3 claims in" in done.err
        assert "status: error 1, scored 2" in done.err
        assert "accuracy: 0.6667 (2 of 3)" in done.err, "what could not be judged is not right"
        assert output.read_text(encoding="utf-8") == streamed.out
        whole = output.read_bytes()
        # torn in the middle of the second line, as a killed process leaves it
        os.truncate(output, whole.index(b"\n") + 20)
        again = aver("check", "--claims", claims, "--in", c.folder, "--output", output)
        assert "2 claims in" in again.err
        assert "1 was there already" in again.err
        assert output.read_bytes() == whole
        other = write_jsonl("other.jsonl", [{"id": 9, "claim": "Another claim is here."}])
        assert "another file of claims" in aver("check", "--claims", other, "--in", c.folder, "--output", output).err
        for words in (
            ("--in", c.folder, "--no-figures"),
            ("--in", c.folder, "--ranker", "x"),
            ("--evidence", "Another."),
        ):
            refused = aver("check", "--claims", claims, *words, "--output", output)
            assert (refused.code, "with other settings" in refused.err) == (2, True)
        assert output.read_bytes() == whole
        c.add_documents([{"title": "Coffee", "text": "Coffee is a drink."}])
        refused = aver("check", "--claims", claims, "--in", c.folder, "--output", output)
        assert (refused.code, "before it was changed" in refused.err) == (2, True)
        assert output.read_bytes() == whole
    rows = [orjson.loads(line) for line in whole.splitlines()]
    assert [row["predicted_label"] for row in rows] == ["SUPPORTS", None, "REFUTES"]
    for variant in ((), ("--official",)):
        scored = aver("score", "fever", output, claims, *variant, "--json")
        assert scored.code == 0, scored.err
        assert scored.json["label_accuracy"] == 2 / 3, "what could not be judged is not right here either"
        assert scored.json["notes"] == ["1 prediction has no label (null: could not be judged); each counts as wrong"]
    told = aver("score", "fever", output, claims, "--explain").out
    assert "claim 2  gold NOT_ENOUGH_INFO, predicted no label" in told
    assert "predicted no label: it could not be judged, gold NOT_ENOUGH_INFO" in told


def test_ids_of_any_size_stay_what_they_are(
    aver: Callable[..., Any], make_collection: Make, tmp_path: Path
) -> None:
    claims, output = tmp_path / "claims.jsonl", tmp_path / "predictions.jsonl"
    rows = [
        {"id": 2**70 + n, "claim": CLAIM, "label": "SUPPORTS", "evidence": [[[1, 1, "Arle Bridge", 0]]]}
        for n in range(2)
    ]
    claims.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    with make_collection({"Arle Bridge": "The bridge was opened in spring (yes)."}) as c:
        for already in (0, 2):
            done = aver("check", "--claims", claims, "--in", c.folder, "--output", output)
            assert (done.code, "2 were there already" in done.err) == (0, already == 2), done.err
        lines = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
        assert [line["id"] for line in lines] == [2**70, 2**70 + 1]
        rows[1]["id"] = 2**70 + 2
        claims.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        refused = aver("check", "--claims", claims, "--in", c.folder, "--output", output)
        assert f"'id' was {2**70 + 1}, and at {claims} line 2 it is {2**70 + 2}" in refused.err
    output.write_text("".join(json.dumps(line | {"note": 1.5}) + "\n" for line in lines), encoding="utf-8")
    rows[1]["id"] = 2**70 + 1
    claims.write_text("".join(json.dumps(row) + "\n" for row in reversed(rows)), encoding="utf-8")
    scored = aver("score", "fever", output, claims, "--explain", "--json")
    assert [claim["id"] for claim in json.loads(scored.out)["claims"]] == [2**70, 2**70 + 1]


def test_a_run_goes_on_from_wherever_it_is_called_and_in_no_other_collection(
    aver: Callable[..., Any], write_jsonl: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claims, output = write_jsonl("claims.jsonl", [{"claim": CLAIM}] * 2), tmp_path / "predictions.jsonl"
    asked = ("check", "--claims", claims, "--in", "archive", "--output", output)
    for home in ("one", "two"):
        monkeypatch.setenv("AVER_HOME", str(tmp_path / home))
        with Collection("archive", create=True) as c:
            c.add_documents([{"title": "Arle Bridge", "text": "The bridge was opened in spring (yes)."}])
    monkeypatch.setenv("AVER_HOME", str(tmp_path / "one"))
    assert aver(*asked).code == 0
    first = output.read_bytes().splitlines(keepends=True)[0]
    # a file of the collection's name where the command is called says nothing about the collection
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "archive.txt").write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path / "here")
    output.write_bytes(first)
    assert "1 was there already" in aver(*asked).err
    output.write_bytes(first)
    monkeypatch.setenv("AVER_HOME", str(tmp_path / "two"))
    refused = aver(*asked)
    assert (refused.code, "another collection" in refused.err) == (2, True)
    assert output.read_bytes() == first


def test_words_that_are_quoted_otherwise_are_not_vouched_for(
    aver: Callable[..., Any], write_jsonl: Callable[..., Path]
) -> None:
    text = "Bradfield said the bridge will outlast us all (yes)."
    right, wrong = (f"Bradfield said “the bridge will {word} us all”." for word in ("outlast", "outlive"))
    for claim, code in ((right, 0), (wrong, 1)):
        done = aver("check", claim, "--evidence", text, "--strict")
        assert (done.code, "which does not stand there in these words" in done.out) == (code, bool(code))
        claims = write_jsonl("claims.jsonl", [{"claim": claim}])
        done = aver("check", "--claims", claims, "--evidence", text, "--strict")
        assert (done.code, done.jsonl[0]["quotes"][0]["outcome"]) == (code, "altered" if code else "found")


def test_a_bad_line_is_answered_in_its_place_and_stops_nothing(aver: Callable[..., Any], tmp_path: Path) -> None:
    file, output = tmp_path / "claims.jsonl", tmp_path / "predictions.jsonl"
    good = '{"claim": "The bridge was opened in spring."}'
    bad = ['{"text": "x", "id": 2}', "nonsense", '{"claim": 5}', '{"claim": null}', "[1]", '{"claim": " "}', "\ufeff"]
    file.write_text("\n".join([good, "", *bad, good]) + "\n", encoding="utf-8")
    told = ("check", "--claims", file, "--evidence", "The bridge was opened in spring (yes).")
    done = aver(*told)
    assert done.code == 2
    assert "7 lines could not be checked: the notes in their rows say why\n" in done.err
    assert [row["status"] for row in done.jsonl] == ["scored", *["error"] * len(bad), "scored"]
    assert [row["notes"][0].removeprefix(f"{file} ") for row in done.jsonl[1:7]] == [
        "line 3: has no 'claim'; its fields are id, text",
        "line 4: broken JSON at column 1: invalid literal, expected 'null'",
        "line 5: 'claim' is a number; it must be text",
        "line 6: 'claim' is null; it must be text",
        "line 7: expected a JSON object, found a list",
        "line 8: the claim is empty",
    ]
    assert done.jsonl[1]["id"] == 2
    assert done.jsonl[3]["claim"] == 5
    assert all(row.keys() - {"id"} == done.jsonl[0].keys() for row in done.jsonl)
    assert "status: error 7, scored 2" in done.err
    assert aver(*told, "--strict").code == 2
    assert aver("check", "--claims", "-", *told[3:], stdin=file.read_text(encoding="utf-8")).code == 2
    # gone on with behind a bad line
    assert aver(*told, "--output", output).code == 2
    whole = output.read_bytes()
    output.write_bytes(b"".join(whole.splitlines(keepends=True)[:3]))
    assert "6 claims in" in (again := aver(*told, "--output", output)).err
    assert "3 were there already" in again.err
    assert output.read_bytes() == whole


def test_gold_labels_that_are_none_are_named(aver: Callable[..., Any], write_jsonl: Callable[..., Path]) -> None:
    rows = [{"claim": CLAIM, "label": "SUPPORTS"}, {"claim": CLAIM, "label": "FOO"}]
    done = aver("check", "--claims", write_jsonl("c.jsonl", rows), "--evidence", "The bridge was opened (yes).")
    assert "accuracy: 1.0000 (1 of 1)" in done.err
    assert "c.jsonl line 2: 'FOO'" in done.err


def test_a_file_without_any_claim_is_the_wrong_one(aver: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "claims.jsonl"
    file.write_text('{"text": "Tea is hot."}\nnonsense\n', encoding="utf-8")
    done = aver("check", "--claims", file, "--evidence", "Tea.")
    assert done.code == 2
    assert "no line of this file holds a claim (2 problems)" in done.err
    assert "line 1: has no 'claim'" in done.err
    assert "line 2" in done.err
    assert done.out == ""
    told = aver("check", "--claims", "-", "--evidence", "Tea.", stdin=file.read_text(encoding="utf-8"))
    assert told.code == 2
    assert [row["status"] for row in told.jsonl] == ["error", "error"]
    assert "standard input: no line holds a claim" in told.err
    file.write_text("", encoding="utf-8")
    assert "holds no claims" in aver("check", "--claims", file, "--evidence", "Tea.").err
    told = aver("check", "--claims", "-", "--evidence", "Tea.")
    assert told.code == 2
    assert "standard input: holds no claims" in told.err


def test_claims_without_words_are_no_claims(aver: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "claims.jsonl"
    file.write_text('{"claim": ""}\n{"claim": "…!"}\n', encoding="utf-8")
    done = aver("check", "--claims", file, "--evidence", "Tea.")
    assert done.code == 2
    assert "line 1: the claim is empty" in done.err
    assert "line 2: the claim has no words" in done.err
    told = aver("check", "--claims", "-", "--evidence", "Tea.", stdin=file.read_text(encoding="utf-8"))
    assert told.code == 2
    assert [row["status"] for row in told.jsonl] == ["error", "error"]


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="needs pipes that have paths, as <(...) gives")
def test_a_pipe_of_claims_is_read_once(aver: Callable[..., Any]) -> None:
    reader, writer = os.pipe()
    os.write(writer, b'{"claim": "The bridge was opened in spring."}\n' * 2)
    os.close(writer)
    try:
        done = aver("check", "--claims", f"/dev/fd/{reader}", "--evidence", "The bridge was opened in spring (yes).")
    finally:
        os.close(reader)
    assert done.code == 0, done.err
    assert [row["status"] for row in done.jsonl] == ["scored", "scored"]


def test_a_claims_file_that_is_not_there_leaves_no_output(aver: Callable[..., Any], tmp_path: Path) -> None:
    output = tmp_path / "predictions.jsonl"
    for path in (tmp_path / "missing.jsonl", tmp_path):
        assert aver("check", "--claims", path, "--evidence", "Tea.", "--output", output).code == 2
        assert not output.exists()


def test_a_mended_line_is_told_of_when_going_on(aver: Callable[..., Any], tmp_path: Path) -> None:
    file, output = tmp_path / "claims.jsonl", tmp_path / "predictions.jsonl"
    good = '{"claim": "Tea is hot."}\n'
    told = ("check", "--claims", file, "--evidence", "Tea is hot (yes).", "--output", output)
    file.write_text(good + "nonsense\n", encoding="utf-8")
    done = aver(*told)
    assert done.code == 2
    assert "1 line could not be checked: the note in its row says why\n" in done.err
    file.write_text(good * 2, encoding="utf-8")
    done = aver(*told)
    assert done.code == 2
    assert f"{file} line 2: was answered as an error" in done.err
    assert "has changed since" in done.err
    assert "remove that output or name another" in done.err
    assert "another file of claims" not in done.err
    document = " ".join(DOCUMENT.read_text(encoding="utf-8").split())
    assert "A run that goes on does not try bad lines again" in document
    output.unlink()
    assert [aver(*told).code, len(output.read_bytes().splitlines())] == [0, 2]


def test_a_claim_of_another_id_is_told_of_when_going_on(aver: Callable[..., Any], tmp_path: Path) -> None:
    file, output = tmp_path / "claims.jsonl", tmp_path / "predictions.jsonl"
    told = ("check", "--claims", file, "--evidence", "Tea is hot (yes).", "--output", output)
    file.write_text('{"id": 1, "claim": "Tea is hot."}\n{"id": 2, "claim": "Tea is hot."}\n', encoding="utf-8")
    assert aver(*told).code == 0
    whole = output.read_bytes()
    for now in ('{"id": 3, "claim": "Tea is hot."}\n', '{"claim": "Tea is hot."}\n'):
        file.write_text('{"id": 1, "claim": "Tea is hot."}\n' + now, encoding="utf-8")
        done = aver(*told)
        assert done.code == 2
        assert f"{output} line 2: its row has changed since: 'id' was 2, and at {file} line 2 it is" in done.err
        assert "name another --output or remove this one" in done.err
        assert output.read_bytes() == whole


def test_what_aver_answered_is_no_gold_label(aver: Callable[..., Any], write_jsonl: Callable[..., Path]) -> None:
    told = ("--evidence", "Tea is hot (yes).")
    rows = aver("check", "--claims", write_jsonl("c.jsonl", [{"id": 1, "claim": "Tea is hot."}]), *told).jsonl
    again = aver("check", "--claims", write_jsonl("again.jsonl", rows), *told)
    assert "accuracy:" not in again.err
    assert "no gold label: 1 label that aver wrote itself" in again.err
    rows[0]["gold_label"] = "REFUTES"
    assert "accuracy: 0.0000 (0 of 1)" in aver("check", "--claims", write_jsonl("again.jsonl", rows), *told).err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_predictions_into_a_stream(aver: Callable[..., Any], write_jsonl: Callable[..., Path]) -> None:
    told = ("check", "--claims", write_jsonl("c.jsonl", [{"claim": "Tea is hot."}]), "--evidence", "Tea is hot (yes).")
    assert aver(*told, "--output", "-").out == aver(*told).out != ""
    done = aver(*told, "--output", "/dev/full")
    assert done.code == 2
    assert done.err == "aver: /dev/full: cannot be written: No space left on device\n"
    assert Path("/dev/full").is_char_device()


def test_strict_counts_what_was_there_already(aver: Callable[..., Any], tmp_path: Path) -> None:
    file, output = tmp_path / "claims.jsonl", tmp_path / "predictions.jsonl"
    file.write_text('{"claim": "Tea is cold."}\n{"claim": "Tea is hot."}\n', encoding="utf-8")
    told = ("check", "--claims", file, "--evidence", "Tea is hot (yes).", "--output", output, "--strict")
    assert aver(*told).code == 0
    rows = [orjson.loads(line) for line in output.read_bytes().splitlines()]
    output.write_bytes(orjson.dumps(rows[0] | {"label": "REFUTES"}) + b"\n")
    assert aver(*told).code == 1
    assert aver(*told).code == 1
