"""Claims against passages: what is said of them must follow from how they were made."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest

from aver.errors import InputError
from aver.labels import Label
from aver.revisions import Passage
from aver.train._documents import (
    QUESTION_FILES,
    Told,
    from_passages,
    from_questions,
    from_swapped,
    names,
    passages,
    statement,
)
from aver.train._human import BEGIN_FILES, SUMMARY_FILES, articles, dialogues, marked_claims, summaries

PAGES = [
    Passage(
        f"{name} Moss",
        [
            f"{name} Moss is an engineer from Bern who built the Aare Bridge in {1880 + at} .",
            f"She was taught by Karl Lee at the school of Zug for {at + 3} years .",
            "It was the first bridge of its kind in Europe .",
            f"She died in Basel on 4 May {1920 + at} .",
        ],
    )
    for at, name in enumerate(("Ann", "Eve", "Ida", "Una", "Zoe"))
]


@pytest.fixture(scope="module")
def told() -> list[Told]:
    return [row for seed in range(20) for row in from_passages(PAGES, random.Random(seed))]


def _text(row: Told) -> list[str]:
    assert row.claim_spans is not None
    return [row.claim[start:end] for start, end in row.claim_spans]


def test_every_label_is_made(told: list[Told]) -> None:
    assert {row.label for row in told} == {Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO}


def test_what_is_borne_out_has_no_marked_word(told: list[Told]) -> None:
    assert all(row.claim_spans == () for row in told if row.label is Label.SUPPORTS)


def test_what_was_changed_is_marked_and_nowhere_said_so(told: list[Told]) -> None:
    refuted = [row for row in told if row.label is Label.REFUTES]
    marked = [row for row in refuted if row.claim_spans is not None]
    assert len(marked) > 0.8 * len(refuted)
    assert all(_text(row) and all(part.strip() for part in _text(row)) for row in marked)
    assert not [row for row in refuted if row.claim in row.evidence]


def test_a_sentence_that_was_taken_out_is_not_in_the_passage(told: list[Told]) -> None:
    assert not [row for row in told if row.label is Label.NOT_ENOUGH_INFO and row.claim in row.evidence]


def test_a_pronoun_gets_its_subject_back(told: list[Told]) -> None:
    assert any(row.claim.startswith("Ann Moss was taught") and row.label is Label.SUPPORTS for row in told)
    assert any(row.claim.startswith("Karl Lee died") and row.label is Label.REFUTES for row in told)


def test_the_same_seed_makes_the_same_rows() -> None:
    assert list(from_passages(PAGES, random.Random(7))) == list(from_passages(PAGES, random.Random(7)))


def test_questions_become_claims_with_right_and_wrong_answers(small_data: Path) -> None:
    found = [row for seed in range(5) for row in from_questions(list(passages(small_data)), random.Random(seed))]
    right = {row.claim for row in found if row.label is Label.SUPPORTS}
    wrong = {row.claim for row in found if row.label is Label.REFUTES}
    assert "Arden Moss opened the bridge." in right
    assert "Elstow Lee opened the bridge." in wrong
    assert not right & wrong
    for row in found:
        if row.label is Label.SUPPORTS:
            assert row.spans is not None
            assert all(row.evidence[start:end] in row.claim for start, end in row.spans)


def test_a_replaced_answer_is_right_and_the_old_one_wrong(small_data: Path) -> None:
    found = list(from_swapped(small_data, random.Random(1)))
    assert {(row.claim, row.label) for row in found} == {
        ("Ann Moss wrote the novel.", Label.SUPPORTS),
        ("Eve Hill wrote the novel.", Label.REFUTES),
    }


def test_a_question_that_is_no_simple_statement_keeps_its_answer_behind_it() -> None:
    claim, (start, end) = statement("Which way did they go?", "north.")
    assert claim == "Which way did they go? north"
    assert claim[start:end] == "north"


def test_a_first_word_is_no_name() -> None:
    assert names("Bridges are built by Karl Lee. Roads are not.") == ["Karl Lee"]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"no gzip", "cannot be read as packed JSON"),
        (gzip.compress(b"{broken", mtime=0), "cannot be read as packed JSON"),
        (gzip.compress(b'{"examples": []}', mtime=0), "has no list 'data'"),
    ],
    ids=["not packed", "no JSON", "other JSON"],
)
def test_a_broken_file_of_questions_is_named(tmp_path: Path, content: bytes, told: str) -> None:
    (tmp_path / "qa_text").mkdir()
    (tmp_path / QUESTION_FILES[0]).write_bytes(content)
    with pytest.raises(InputError, match=f"{Path(QUESTION_FILES[0]).name}: {told}"):
        list(passages(tmp_path))


def test_a_file_of_replies_without_its_columns_is_named(tmp_path: Path) -> None:
    (tmp_path / "begin").mkdir()
    (tmp_path / BEGIN_FILES[0]).write_text("knowledge\tresponse\n")
    with pytest.raises(InputError, match="names no begin_label"):
        list(dialogues(tmp_path))


def test_what_people_said_of_replies(small_data: Path) -> None:
    found = list(dialogues(small_data))
    assert len(found) == 6
    assert {row.label for row in found} == {Label.SUPPORTS, Label.NOT_ENOUGH_INFO}


def test_the_words_people_marked(small_data: Path) -> None:
    (row,) = marked_claims(small_data)
    assert _text(row) == ["May"]
    assert row.evidence == "A town. Its bridge opened in 1907. Trains use it."


def test_summaries_of_articles_that_are_fitted_or_reported_on_are_left_out(small_data: Path) -> None:
    assert list(articles(small_data)) == ["1"]
    found = list(summaries(small_data, random.Random(1)))
    assert [row.label for row in found] == [Label.SUPPORTS, Label.NOT_ENOUGH_INFO, Label.REFUTES]
    assert all("opened in 1907" in row.evidence for row in found)


@pytest.mark.parametrize(
    ("number", "content", "told"),
    [(1, "bbcid,system\n", "names no hallucinated_span, worker_id"), (1, "a\0\udcff", "is not as its set has it"),
     (2, "{broken", "human_annotations.json: is not as its set has it"), (2, '[{"other": 1}]', "a row has no 'hash'"),
     (0, '{"bbcid": "1"}', "a row has no 'article'"), (3, '{"other": 1}', "a row has no 'article'"),
     (0, '{"bbcid": 1, "article": "The bridge is old.", "summary": "a bridge", "types": null}', "has it: 'NoneType'")],
    ids=["columns", "no UTF-8", "no JSON", "other JSON", "no article", "no article of QAGS", "no kinds"],
)  # fmt: skip
def test_a_broken_file_of_summaries_is_named(
    small_data: Path, tmp_path: Path, number: int, content: str, told: str
) -> None:
    for name in SUMMARY_FILES:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes((small_data / name).read_bytes())
    (tmp_path / SUMMARY_FILES[number]).write_text(content, errors="surrogateescape")
    with pytest.raises(InputError, match=told):
        list(summaries(tmp_path, random.Random(1)))


def test_the_words_two_people_called_hallucinated(small_data: Path) -> None:
    right, wrong, unsaid = summaries(small_data, random.Random(1))
    assert right.claim_spans == ()
    assert unsaid.claim_spans is None, "nobody said which of its words are wrong"
    assert wrong.claim == "the bridge was opened in 1908 by the queen's son"
    assert _text(wrong) == ["1908", "the queen's son"]
