"""FEVER's training claims with what aver's own search finds for them: asked, searched, and made rows of."""

from __future__ import annotations

import json
import random
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aver.collection._lock import locked
from aver.errors import AverError, InputError
from aver.labels import Label
from aver.results import Judgement
from aver.train import search_claims, train
from aver.train._embed_pairs import introductions
from aver.train._fever_text import FEVER_TEXT
from aver.train._found import found_rows
from aver.train._mix import MORE_SETS, labelled_rows, read
from aver.train._packed import Packed
from aver.train._search import _gold, asked_claims
from aver.verify import Passage, Reading, joint_evidence

from .conftest import LEAKED, NAMES, NOUNS, write

S, R, N = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO


@pytest.fixture(scope="module")
def fever_data(tmp_path_factory: pytest.TempPathFactory, small_data: Path) -> Path:
    """The small data folder with FEVER's training set in it, about its introductions."""
    folder = tmp_path_factory.mktemp("fever") / "data"
    shutil.copytree(small_data, folder)
    rows: list[dict[str, Any]] = [{"claim": LEAKED, "label": "SUPPORTS", "evidence": ["Glynde museum has 7 rooms ."]}]
    for number in range(20):
        name, noun = NAMES[number % 10], NOUNS[number // 10]
        gold = f"The {noun} of {name} was built in {1800 + number} by somebody ."
        rows.append({"claim": f"The {noun} of {name} was built in {1800 + number} .", "label": "SUPPORTS",
                     "evidence": [gold]})  # fmt: skip
        rows.append({"claim": f"The {noun} of {name} was built in 1066 .", "label": "REFUTES",
                     "evidence": [gold, "Nobody wrote this anywhere at all ."]})  # fmt: skip
        rows.append({"claim": f"The {noun} of {name} is loved by sailors .", "label": "NOT ENOUGH INFO",
                     "evidence": []})  # fmt: skip
    write(folder / FEVER_TEXT, rows)
    pair = {"claim": "A lake lies there .", "evidence": "There is a lake .", "label": "SUPPORTS"}
    write(folder / f"pairs/{MORE_SETS[0]}.jsonl.gz", [pair])
    return folder


@pytest.fixture(scope="module")
def found(fever_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    said: list[str] = []
    out = tmp_path_factory.mktemp("found")
    path = search_claims(data=fever_data, out=out, limit=60, say=said.append)
    assert path == out / "found.jsonl"
    assert not (out / "found.part.jsonl").exists()
    assert search_claims(data=fever_data, out=out, limit=60, say=said.append) == path
    assert said[-1] == "found.jsonl is there"
    return path


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_claims_are_asked_by_turns_and_none_that_is_reported_on(fever_data: Path) -> None:
    asked = asked_claims(fever_data, count=60)
    assert [claim.label for claim in asked[:6]] == [S, R, N, S, R, N]
    assert len(asked) == 60
    assert LEAKED not in {claim.claim for claim in asked}
    assert asked == asked_claims(fever_data, count=60)
    assert asked != asked_claims(fever_data, count=60, seed=2)
    assert all(bool(claim.sentences) == (claim.label is not N) for claim in asked)


def test_what_people_marked_is_found_again(found: Path) -> None:
    rows = lines(found)
    assert Counter(row["label"] for row in rows) == {"SUPPORTS": 20, "REFUTES": 20, "NOT_ENOUGH_INFO": 20}
    for row in rows:
        gold = [text for _, _, text, is_gold in row["sentences"] if is_gold]
        assert len(row["sentences"]) <= 8
        if row["label"] == "NOT_ENOUGH_INFO":
            assert row["sentences"]
            assert not gold
        else:
            assert len(gold) == 1, "under another year's words it is the same sentence"
            assert gold[0].startswith(row["claim"].split(" was ")[0])
            assert row["alone"] == (row["label"] == "SUPPORTS")


def test_rows_have_the_label_that_is_known(found: Path) -> None:
    rows = list(found_rows(found, frozenset(), random.Random(1)))
    kinds = Counter((row.source, row.label) for row in rows)
    assert kinds["found_together", S] == kinds["found_together", R] == kinds["found_together", N] == 20
    assert kinds["found_gold", S] == 20, "the only sentence that was marked has the claim's verdict"
    assert kinds["found_gold", R] == 0, "one of two does not: a teacher may judge it"
    assert kinds["found_silent", N] == 20
    assert {label for source, label in kinds if source == "found_other"} == {None}
    together = next(row for row in rows if row.source == "found_together")
    best = next(line for line in lines(found) if line["claim"] == together.claim)["sentences"][:5]
    assert len(best) == 5
    assert all(text in together.evidence for _, _, text, _ in best)
    one = together.claim
    held_out = frozenset({" ".join(one.casefold().replace(".", "").split())})
    assert one not in {row.claim for row in found_rows(found, held_out, random.Random(1))}
    assert not {row.claim for row in rows} & {LEAKED}


def test_sentences_stand_together_as_check_reads_them(tmp_path: Path) -> None:
    placed = (("B", 4, "Five ."), ("A", 1, "Two ."), ("B", 3, "Four ."), ("A", 0, "One ."))
    sentences = [[title, number, text, title == "A"] for title, number, text in placed]
    line = {"claim": "C .", "label": "SUPPORTS", "alone": False, "sentences": sentences}
    write(tmp_path / "found.jsonl", [line])
    row = next(found_rows(tmp_path / "found.jsonl", frozenset(), random.Random(1)))
    passages = [Passage(t, t, None, n, text, 0, 0, text, 0.0) for t, n, text, _ in sentences]
    said = Judgement.unread("abstained", "it is the order that counts", model="m@0")
    assert row.evidence == joint_evidence([Reading(passage, said, 0.0) for passage in passages])


def test_a_search_that_was_stopped_goes_on(found: Path, fever_data: Path, tmp_path: Path) -> None:
    text = found.read_bytes().splitlines(keepends=True)
    text[3] = b'{"kept": "as it was"}\n'
    (tmp_path / "found.part.jsonl").write_bytes(b"".join(text[:58]) + b'{"claim": "half a li')
    path = search_claims(data=fever_data, out=tmp_path, limit=60, say=lambda _: None)
    assert path.read_bytes().splitlines(keepends=True) == text
    for other in ({"seed": 2}, {"limit": 59}):
        with pytest.raises(InputError, match="made with other choices"):
            search_claims(**({"data": fever_data, "out": tmp_path, "limit": 60, "say": lambda _: None} | other))


def test_two_searches_in_one_folder_do_not_meet(fever_data: Path, tmp_path: Path) -> None:
    with (
        locked(tmp_path, "searching"),
        pytest.raises(InputError, match=r"another process .* try again when it is done"),
    ):
        search_claims(data=fever_data, out=tmp_path, limit=60, say=lambda _: None)
    assert not list(tmp_path.glob("found*"))


def test_introductions_that_break_off_are_told(fever_data: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(fever_data, data)
    path = data / "wiki_intros" / "wiki_intros.jsonl.gz"
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match=r"wiki_intros.*cannot be read to its end"):
        introductions(data, tmp_path / "introductions", limit=None)
    shutil.copy(fever_data / "wiki_intros" / "wiki_intros.jsonl.gz", path)
    with introductions(data, tmp_path / "introductions", limit=None) as collection:
        assert len(list(collection)) == sum(1 for _ in read(path)), "what is missing is added"


def test_what_was_never_packed_is_not_said_to_be(fever_data: Path, mpnet: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "run.json").write_text('{"units": true, "periods": true, "found": "0123456789ab"}', encoding="utf-8")
    train("default", out=out, data=fever_data, base=str(mpnet), limit=4, stage="pack", say=lambda _: None)
    assert "found" not in json.loads((out / "run.json").read_text())


def test_a_fragment_is_not_the_sentence() -> None:
    marked = ("The harbour of Arle was built in 1804 by the miller and his four sons .",)
    passages = [
        Passage("a", "A", None, number, text, 0, 0, str(number), 0.0)
        for number, text in enumerate(("It was built in 1804 .", marked[0].replace("four sons", "sons")))
    ]
    assert set(_gold(passages, marked)) == {"1"}


def test_a_claim_with_two_labels_is_left_out(fever_data: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    shutil.copytree(fever_data, data)
    rows = [
        {"claim": "A .", "label": "SUPPORTS", "evidence": ["A one ."]},
        {"claim": "A !", "label": "SUPPORTS", "evidence": ["A two ."]},
        {"claim": "B .", "label": "SUPPORTS", "evidence": ["B ."]},
        {"claim": "B .", "label": "REFUTES", "evidence": ["B ."]},
        {"claim": "C .", "label": "REFUTES", "evidence": ["C ."]},
        {"claim": "D .", "label": "NOT ENOUGH INFO", "evidence": []},
    ]
    write(data / FEVER_TEXT, rows)
    asked = asked_claims(data, count=10)
    assert [claim.claim for claim in asked] == ["A .", "C .", "D ."]
    assert asked[0].sentences == ("A one .", "A two .")
    write(data / FEVER_TEXT, rows[:4])
    with pytest.raises(InputError, match="no claim with the label REFUTES"):
        asked_claims(data, count=10)


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        ({"claim": "A .", "label": "SUPPORTS", "evidence": "The evidence ."}, "no list of sentences"),
        ({"claim": "A .", "label": "DISPUTED", "evidence": []}, "none that evidence gives"),
        ({"claim": None, "label": "SUPPORTS", "evidence": ["B ."]}, "claim is no text"),
        ({"claim": "A .", "label": "SUPPORTS"}, "evidence"),
        ({"claim": "A .", "label": "who knows", "evidence": []}, "who knows"),
    ],
)
def test_a_bad_row_of_fever_is_named(fever_data: Path, tmp_path: Path, row: dict[str, Any], fault: str) -> None:
    data = tmp_path / "data"
    shutil.copytree(fever_data, data)
    write(data / FEVER_TEXT, [{"claim": "Z .", "label": "NOT ENOUGH INFO", "evidence": []}, row])
    with pytest.raises(AverError, match=rf"train_text.*line 2.*{fault}"):
        asked_claims(data, count=10)


@pytest.mark.parametrize(
    "line",
    [
        {"claim": "B ."},
        {"claim": None, "label": "SUPPORTS", "alone": True, "sentences": []},
        {"claim": "B .", "label": "DISPUTED", "alone": True, "sentences": []},
        {"claim": "B .", "label": "SUPPORTS", "alone": True, "sentences": [["T", 0, None, True]]},
        {"claim": "B .", "label": "SUPPORTS", "alone": True, "sentences": [["T", "text", True]]},
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, line: dict[str, Any]) -> None:
    path = tmp_path / "found.jsonl"
    write(path, [{"claim": "A .", "label": "SUPPORTS", "alone": True, "sentences": []}, line])
    with pytest.raises(InputError, match=r"found\.jsonl.*2.*no line of `aver train search`"):
        list(found_rows(path, frozenset(), random.Random(1)))


def test_whole_fever_and_more_sets_are_read_where_they_are(fever_data: Path, small_data: Path) -> None:
    sources = Counter(row.source for row in labelled_rows(fever_data, limit=50))
    assert sources["fever_text"] == 40, "those with evidence, but for the leaked one"
    assert sources[MORE_SETS[0]] == 1
    assert not {"fever_text", MORE_SETS[0]} & {row.source for row in labelled_rows(small_data, limit=50)}
    together = next(row for row in labelled_rows(fever_data, limit=50) if row.label is R and row.source == "fever_text")
    assert together.evidence.endswith("Nobody wrote this anywhere at all .")


def test_found_rows_are_packed(found: Path, fever_data: Path, mpnet: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    options = {"data": fever_data, "base": str(mpnet), "limit": 8, "stage": "pack", "say": lambda _: None}
    train("default", out=out, found=found, **options)
    sources = Packed.load(out / "rows.npz").counts()
    assert sources["found_together"] == sources["found_gold"] == 8
    assert json.loads((out / "run.json").read_text())["found"]
    other = tmp_path / "other.jsonl"
    other.write_text(found.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="other choices"):
        train("default", out=out, found=other, **options)


def test_the_command(
    found: Path, fever_data: Path, small_data: Path, tmp_path: Path, run_cli: Callable[..., Any]
) -> None:
    run = run_cli("train", "search", "--data", fever_data, "--out", tmp_path / "o", "--limit", 60, "--json")
    assert run.code == 0
    assert Path(json.loads(run.out)["found"]).read_bytes() == found.read_bytes()
    run = run_cli("train", "search", "--data", small_data, "--out", tmp_path / "p")
    assert (run.code, FEVER_TEXT in run.err) == (2, True)
    assert not (tmp_path / "p").exists()
    run = run_cli("train", "search", "--data", fever_data, "--out", tmp_path / "p", "--seconds", 3)
    assert (run.code, "`aver train search` takes no --seconds" in run.err) == (2, True)
    run = run_cli("train", "default", "--data", small_data, "--out", tmp_path / "p", "--found", tmp_path / "none")
    assert (run.code, "`aver train search` makes one" in run.err) == (2, True)
