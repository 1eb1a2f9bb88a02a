"""`aver check` from end to end, with a judge that reads signs; and the demo with the judge that ships."""

from __future__ import annotations

import dataclasses
import gzip
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import orjson
import pytest

from aver import Collection, Label
from aver.cli._check_report import print_verdict, verdict_line
from aver.cli._demo import copy_examples
from aver.models import installed
from aver.results import RationaleWord
from aver.verify import check

Make = Callable[[dict[str, str]], Collection]
CLAIM = "The bridge was opened in spring."
DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "check.md"
needs_model = pytest.mark.skipif(not installed(), reason="needs a shipped model")


def test_a_claim_and_a_text(aver: Callable[..., Any]) -> None:
    done = aver("check", CLAIM, "--evidence", "It is green. The bridge was opened in spring (yes).")
    assert done.code == 0
    assert done.out.startswith("SUPPORTS  0.9")
    assert "evidence · sentence 2" in done.out
    assert "read 2 of 2 sentences in the text · signs@000000000000" in done.out


def test_json_holds_everything(aver: Callable[..., Any], make_collection: Make) -> None:
    with make_collection({"Arle Bridge": "The bridge was opened in spring (yes)."}) as collection:
        found = aver("check", CLAIM, "--in", collection.folder, "--json").json
    assert found["label"] == "SUPPORTS"
    evidence = found["evidence"][0]
    assert {"document", "title", "revision", "number", "start", "end", "hash", "text", "rationale", "figures"} <= set(
        evidence
    )
    assert found["provenance"]["model"] == "signs@000000000000"
    assert found["provenance"]["settings"]["documents"] == 10
    assert list(found["provenance"]["documents"]) == ["Arle Bridge"]
    assert found["coverage"]["sentences"] == 1


def test_places_in_the_json_are_as_the_document_says(aver: Callable[..., Any]) -> None:
    text = "It is green. The bridge was opened in spring (yes)."
    evidence = aver("check", CLAIM, "--evidence", text, "--json").json["evidence"][0]
    assert text[evidence["start"] : evidence["end"]] == evidence["text"]
    assert evidence["rationale"]
    for word in evidence["rationale"]:
        assert evidence["text"][word["start"] : word["end"]] == word["text"]
        assert text[evidence["start"] + word["start"] :].startswith(word["text"])
    document = " ".join(DOCUMENT.read_text(encoding="utf-8").split())
    assert "those of a rationale word (`evidence[].rationale[]`) in the sentence" in document
    assert "`text[start:end]` is the claim" in document


@needs_model
def test_who_orders_the_sentences_is_named(run_cli: Callable[..., Any]) -> None:
    text = "The bridge was opened in spring. " + " ".join(f"The bridge has part {n}." for n in range(8))
    found = run_cli("check", CLAIM, "--evidence", text, "--model", "fast", "--ranker", "fast", "--json").json
    assert found["provenance"]["ranker"] is None
    if "default" in installed():
        found = run_cli("check", CLAIM, "--evidence", text, "--json").json
        assert found["provenance"]["ranker"].startswith("fast@")
        assert "sentences ordered by fast@" in run_cli("check", CLAIM, "--evidence", text).out
    assert run_cli("check", CLAIM, "--evidence", text, "--ranker", "fsat").code == 2


def test_evidence_from_a_file_and_from_standard_input(aver: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "source.txt"
    file.write_text("The bridge was opened in spring (no).", encoding="utf-8")
    done = aver("check", CLAIM, "--evidence-file", file)
    assert done.out.startswith("REFUTES")
    assert "source.txt · sentence 1" in done.out
    assert aver("check", CLAIM, "--evidence-file", "-", stdin="The bridge was opened (yes).").out.startswith("SUPPORTS")


def test_evidence_from_a_page(aver: Callable[..., Any], tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<html><script>x = 1</script><p>The bridge was <b>opened</b> (yes).</p></html>", encoding="utf-8")
    done = aver("check", CLAIM, "--evidence-file", page)
    assert done.out.startswith("SUPPORTS")
    assert "<" not in done.out
    page.write_text("<html></html>", encoding="utf-8")
    empty = aver("check", CLAIM, "--evidence-file", page)
    assert (empty.code, "page.html" in empty.err) == (2, True)
    nothing = tmp_path / "null.txt"
    nothing.write_bytes(b"The bridge\x00 was opened.")
    assert "null bytes" in aver("check", CLAIM, "--evidence-file", nothing).err


def test_a_page_on_standard_input_is_read_as_one(aver: Callable[..., Any]) -> None:
    page = "<!-- saved --><!DOCTYPE html><html><script>x = 1</script><p>The bridge was <b>opened</b> (yes).</p></html>"
    for given in (page, gzip.compress(page.encode())):
        found = aver("check", CLAIM, "--evidence-file", "-", "--json", stdin=given).json
        assert found["label"] == "SUPPORTS"
        assert found["evidence"][0]["text"] == "The bridge was opened (yes)."
    shown = aver("check", "--text", "-", "--evidence", "The bridge was opened (yes).", "--json", stdin=page).json
    assert [row["text"] for row in shown["claims"]] == ["The bridge was opened (yes)."]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("rows.csv", b"id,text\n1,Tea.\n", "is a table (CSV or TSV), no running text; {}"),
        ("rows.jsonl", b'{"text": "Tea."}\n', "is JSON, no running text; {}"),
        ("rows.json", b"[]", "is JSON, no running text; {}"),
        ("rows", b'[\n  {"text": "Tea."}\n]', "is JSON, no running text; {}"),
        ("dump.xml", b"<mediawiki></mediawiki>", "is a MediaWiki dump, no running text; {}"),
        ("table.parquet", b"PAR1", "is a Parquet file, no running text; {}"),
        ("letter.docx", b"PK\x03\x04 word", "is an office file or another ZIP archive; save it as text, HTML or PDF"),
        ("letter.doc", b"\xd0\xcf\x11\xe0", "is an office file of the old kind; save it as text, HTML or PDF"),
        ("letter.rtf", b"{\\rtf1 Tea.}", "is a rich text file (RTF); save it as text, HTML or PDF"),
        ("feed.xml", b"<?xml version='1.0'?>", "is XML of a kind aver does not know; save it as text, HTML or PDF"),
    ],
)
def test_rows_and_archives_are_no_text(
    aver: Callable[..., Any], tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    file = tmp_path / name
    file.write_bytes(content)
    for words, remedy in (
        ((CLAIM, "--evidence-file"), "make a collection of it with `aver collection add`, and give --in"),
        (("--evidence", "Tea.", "--text"), "a file of claims goes with --claims, as JSON lines"),
    ):
        told = aver("check", *words, file)
        assert (told.code, told.err) == (2, f"aver: {file}: {said.format(remedy)}\n")
        if name not in ("rows.csv", "rows.json"):  # these are known by name alone
            told = aver("check", *words, "-", stdin=content)
            assert (told.code, told.err) == (2, f"aver: standard input: {said.format(remedy)}\n")


def test_prose_that_begins_like_something_else(aver: Callable[..., Any]) -> None:
    for start in ("[1] ", "{{Infobox}} ", "<yes> ", "PK. "):
        assert aver("check", CLAIM, "--evidence-file", "-", stdin=f"{start}The bridge was opened (yes).").code == 0


def test_evidence_from_a_pdf_without_text(aver: Callable[..., Any], tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf")
    scan, torn = tmp_path / "scan.pdf", tmp_path / "torn.pdf"
    writer = pypdf.PdfWriter()
    writer.add_blank_page(100, 100)
    writer.write(scan)
    torn.write_bytes(b"%PDF-1.4 torn")
    for path, said in ((scan, "needs text recognition"), (torn, "cannot be read as PDF")):
        done = aver("check", CLAIM, "--evidence-file", path)
        assert done.code == 2
        assert str(path) in done.err
        assert said in done.err


def test_the_other_side_is_shown(aver: Callable[..., Any]) -> None:
    text = "The bridge was opened (yes). The bridge was opened later (no)."
    shown = aver("check", CLAIM, "--evidence", text, "--dispute", "1").out
    assert "against it:" in shown
    assert "note: sentences stand on both sides" in shown


def test_what_seems_to_decide_is_shown_where_all_that_is_weighed_does_not(signs: Any, capsys: Any) -> None:
    found = check(
        "The mill opened in May.", evidence="The mill opened in spring. The mill may open (yes).", model=signs
    )
    less = dataclasses.replace(found, label=Label.NOT_ENOUGH_INFO, evidence=found.evidence[::-1])
    for verdict in (less, dataclasses.replace(less, evidence=less.evidence[::-1])):
        print_verdict(verdict)
        assert "(by itself: supports 0." in capsys.readouterr().out


def test_where_nothing_is_found_the_answer_says_so(aver: Callable[..., Any], make_collection: Make) -> None:
    with make_collection({"Mills": "The mill opened in spring."}) as collection:
        said = aver("check", "Quartz zigzags.", "--in", collection.name)
    assert said.out.startswith("NOT ENOUGH INFO  nothing was found to read\n")
    assert "too close" not in said.out


@pytest.mark.parametrize(("given", "told"), [("0.99", "0.99"), ("0.995", "0.995"), ("0.9", "0.90")])
def test_what_is_not_sure_enough_names_the_threshold(aver: Callable[..., Any], given: str, told: str) -> None:
    said = aver("check", CLAIM, "--evidence", "The bridge was opened (yes?).", "--abstain", given).out
    assert f"not sure enough to say (below {told}); this is the likeliest label\n" in said
    assert "note:" not in said


def test_a_confidence_that_misses_by_a_hair_is_told_in_full(signs: Any) -> None:
    found = check(CLAIM, evidence="The bridge was opened (yes?).", model=signs)
    close = dataclasses.replace(found, confidence=0.4987, status="abstained")
    assert "  0.4987  " in verdict_line(close)
    assert "(below 0.50)" in verdict_line(close)


def test_a_question_is_answered_with_a_note(aver: Callable[..., Any]) -> None:
    told = ("check", "Who opened the bridge in spring?", "--evidence", "The bridge was opened in spring (yes).")
    assert "note: the claim is a question: it asks and does not state; write it as a statement" in aver(*told).out
    assert any("is a question" in note for note in aver(*told, "--json").json["notes"])
    assert "question" not in aver("check", CLAIM, *told[2:]).out


def test_deciding_words_keep_their_sign_and_their_brackets(signs: Any, capsys: Any) -> None:
    text = "The new bridge over the river Arle at Hohenlenne cost €14.8 million and −3 % of 9% (yes)."
    found = check(CLAIM, evidence=text, model=signs)
    marks = tuple(
        RationaleWord(word, text.index(word), text.index(word) + len(word), 1.0, True)
        for word in ("14.8", "million", "3", "9")
    )
    shown = dataclasses.replace(found, evidence=(dataclasses.replace(found.evidence[0], rationale=marks),))
    print_verdict(shown)
    assert "cost [€14.8 million] and [−3] % of [9%]\n" in capsys.readouterr().out
    print_verdict(shown, width=66)
    assert "cost [€14.8\n      million] and [−3] %" in capsys.readouterr().out


def test_fewer_sentences_can_be_read_than_are_kept_as_a_rule(aver: Callable[..., Any]) -> None:
    text = " ".join(f"The bridge was opened in spring, in year {n} (yes)." for n in range(6))
    for sentences, kept in ((1, 1), (3, 3), (6, 5)):
        found = aver("check", CLAIM, "--evidence", text, "--sentences", sentences, "--json").json
        assert len(found["evidence"]) == kept
        assert found["provenance"]["settings"]["sentences"] == sentences


def test_strict_tells_by_the_exit_code(aver: Callable[..., Any]) -> None:
    assert aver("check", CLAIM, "--evidence", "The bridge was opened (yes).", "--strict").code == 0
    assert aver("check", CLAIM, "--evidence", "The bridge was opened (no).", "--strict").code == 1
    assert aver("check", CLAIM, "--evidence", "The bridge was opened (no).").code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "what to check"),
        ([CLAIM], "where to look"),
        ([CLAIM, "--evidence", "a", "--in", "b"], "--in and --evidence"),
        ([CLAIM, "--text", "a", "--in", "b"], "CLAIM and --text"),
        ([CLAIM, "--evidence", " "], "the evidence is empty"),
        ([__file__, "--evidence", "Tea is hot."], "is a file; to check the claims in it: --text"),
        ([CLAIM, "--evidence", "…"], "the evidence has no words"),
        (["", "--evidence", "Tea."], "the claim is empty"),
        ([CLAIM, "--in", "no-such-collection"], "there is no collection"),
        ([CLAIM, "--evidence-file", "no-such-file"], "no-such-file"),
        (["--text", "no-such-file", "--evidence", "Tea."], "no-such-file"),
        (["--claims", "no-such-file", "--evidence", "Tea."], "no-such-file"),
        ([CLAIM, "--evidence", "Tea.", "--output", "x"], "--output goes with --claims"),
        ([CLAIM, "--evidence", "Tea.", "--sentences", "0"], "--sentences"),
    ],
)
def test_mistakes_are_answered(aver: Callable[..., Any], words: list[str], said: str) -> None:
    done = aver("check", *words)
    assert done.code == 2
    assert said in done.err
    assert done.out == ""


@needs_model
def test_a_sentence_too_long_to_read_is_an_error(run_cli: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "long.txt"
    file.write_text("tea " * 300_000, encoding="utf-8")
    done = run_cli("check", "Tea is hot.", "--evidence-file", file)
    assert done.code == 2
    assert "nothing could be judged: the evidence has" in done.err
    assert "(long.txt, sentence 1)" in done.err


def test_a_file_that_is_no_text(aver: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "picture.png"
    file.write_bytes(b"\x89PNG\xff\xfe")
    done = aver("check", CLAIM, "--evidence-file", file)
    assert done.code == 2
    assert "picture.png: not UTF-8 at byte 1; save it as UTF-8, or add it to a collection" in done.err


def test_a_text_of_several_claims(aver: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "article.txt"
    file.write_text("The bridge was opened in spring. Is it red? The bridge was painted.", encoding="utf-8")
    done = aver("check", "--text", file, "--evidence", "The bridge was opened in spring (yes).")
    assert done.code == 0
    assert "not verifiable: it asks and does not state\n" in done.out
    assert done.out.endswith(
        "SUPPORTS 2, not verifiable 1\neach: read 1 of 1 sentence in the text · signs@000000000000\n"
    )
    assert done.out.count("signs@") == 1
    nothing = aver("check", "--text", file, "--evidence", "The bridge was opened in spring.").out
    assert "NOT ENOUGH INFO 2, not verifiable 1\n" in nothing
    found = aver("check", "--text", file, "--evidence", "The bridge was opened in spring (yes).", "--json").json
    assert [c["verifiable"] for c in found["claims"]] == [True, False, True]
    assert [found["text"][c["start"] : c["end"]] for c in found["claims"]] == [c["text"] for c in found["claims"]]
    file.write_text("Why? Oh!", encoding="utf-8")
    assert "no claims" in aver("check", "--text", file, "--evidence", "Tea.").out
    assert aver("check", "--text", file, "--evidence", "Tea.", "--strict").code == 1


def test_what_differs_from_claim_to_claim_is_told_under_each(aver: Callable[..., Any], make_collection: Make) -> None:
    pages = {"Bridge": "The bridge was opened in spring (yes).", "Mill": "The mill is old (yes). It stands."}
    with make_collection(pages) as collection:
        text = "The bridge was opened in spring. The mill is old."
        done = aver("check", "--text", "-", "--in", collection.folder, "--documents", "1", stdin=text)
    assert "       read " not in done.out.split("SUPPORTS")[0]
    assert done.out.count("  read ") == 2
    assert done.out.endswith("SUPPORTS 2\neach: signs@000000000000\n")


def test_a_text_without_claims_is_not_supported_and_the_help_says_so(aver: Callable[..., Any], tmp_path: Path) -> None:
    file = tmp_path / "empty.txt"
    file.write_text("", encoding="utf-8")
    told = ("check", "--text", file, "--evidence", "Tea.")
    assert aver(*told).code == 0
    strict = aver(*told, "--strict")
    assert strict.code == 1
    assert "no claims" in strict.out
    said = " ".join(aver("check", "--help").out.split())
    assert "a text without any claim, an empty one for instance" in said
    document = " ".join(DOCUMENT.read_text(encoding="utf-8").split())
    assert "a text without any claim (`no_claims`; an empty file is one)" in document




@needs_model
def test_the_demo_s_claims_get_the_labels_they_should(tmp_path: Path) -> None:
    copy_examples(tmp_path)
    rows = [orjson.loads(line) for line in (tmp_path / "claims.jsonl").read_bytes().splitlines()]
    with Collection(tmp_path / "archive", create=True) as archive:
        assert archive.add(tmp_path / "archive.jsonl").files[0].added >= 40
        verdicts = [check(row["claim"], collection=archive) for row in rows]
        assert [v.label.fever if v.label else None for v in verdicts] == [row["label"] for row in rows]
        assert len({row["label"] for row in rows}) == 4
        assert all(v.deciding[0].rationale for v in verdicts if v.label == "REFUTES")
        mayor = "The mayor of Arle is Nora Stein."
        assert check(mayor, collection=archive).label == "SUPPORTS"
        archive.add(tmp_path / "archive_later.jsonl")
        assert check(mayor, collection=archive).label == "REFUTES"
    shutil.rmtree(tmp_path / "archive")


@needs_model
def test_the_demo_runs(run_cli: Callable[..., Any]) -> None:
    done = run_cli("demo")
    assert done.code == 0
    for label in ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO", "DISPUTED"):
        assert f"\n{label}  0." in done.out
    assert "accuracy: 1.0000 (12 of 12)" in done.err


def test_a_long_claim_without_spaces_is_no_file(run_cli: Callable[..., Any]) -> None:
    run = run_cli("check", "日本語の文" * 80, "--evidence", "Tea is hot.")
    assert run.code in (0, 1)
    assert "Traceback" not in run.err
