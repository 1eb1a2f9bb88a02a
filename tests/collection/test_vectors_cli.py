"""`aver collection embed`, `aver search --dense|--hybrid` and what `aver collection info` says of vectors."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import orjson
import pytest

from aver.cli import main

PAGES = {
    "Titanic": "The ship struck an iceberg and sank. It carried 2,224 people.",
    "Assam": "Tea is grown on the plains. The rains are heavy.",
    "Arle Bridge": "The bridge was opened in 1931. It has two towers of steel.",
}


@pytest.fixture
def name(tmp_path: Path) -> str:
    rows = [{"title": title, "text": text} for title, text in PAGES.items()]
    (tmp_path / "pages.jsonl").write_bytes(b"".join(orjson.dumps(row) + b"\n" for row in rows))
    folder = str(tmp_path / "archive")
    run("collection", "add", folder, str(tmp_path / "pages.jsonl"))
    return folder


def run(*words: str, code: int = 0) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == code


def asked(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    capsys.readouterr()
    run(*words, "--json")
    return orjson.loads(capsys.readouterr().out)


def test_from_adding_to_finding(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    report = asked(capsys, "collection", "embed", name)
    assert (report["documents"], report["sentences"], report["indexed"]) == (3, 6, 0)
    assert report["model"].startswith("static@")
    hits = asked(capsys, "search", "a vessel that was sunk by ice", "--in", name, "--dense")["hits"]
    assert hits[0]["title"] == "Titanic"
    assert hits[0]["sentences"][0]["text"] == "The ship struck an iceberg and sank."
    hits = asked(capsys, "search", "when was the bridge opened", "--in", name, "--hybrid", "--limit", "1")["hits"]
    assert [hit["title"] for hit in hits] == ["Arle Bridge"]
    vectors = asked(capsys, "collection", "info", name)["vectors"]
    assert [(found["dimensions"], found["documents"], found["behind"]) for found in vectors] == [(128, 3, 0)]
    run("collection", "remove", name, "Titanic")
    capsys.readouterr()
    run("collection", "info", name)
    assert "vectors of" in capsys.readouterr().out
    run("search", "ships", "--in", name, "--dense", "--exact")
    assert "Titanic" not in capsys.readouterr().out
    run("collection", "embed", name)
    assert "0 documents embedded (0 sentences), 2 unchanged, 1 removed or changed" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--dense"], "make them with: aver collection embed"),
        (["--dense", "--hybrid"], "exclude each other"),
        (["--exact"], "--exact goes with --dense"),
        (["--model", "static"], "--model with --dense or --hybrid"),
        (["--dense", "--model", "nothing"], "there is no encoder 'nothing'"),
    ],
)
def test_what_cannot_be_asked_is_told(
    name: str, words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:  # fmt: skip
    run("search", "ships", "--in", name, *words, code=2)
    assert told in capsys.readouterr().err


def test_an_encoder_that_is_not_there(name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    run("collection", "embed", name, "--model", str(tmp_path), code=2)
    assert "it needs tokenizer.json, and model.onnx" in capsys.readouterr().err
    run("collection", "embed", str(tmp_path / "nowhere"), code=2)
    assert "there is no collection" in capsys.readouterr().err


def test_damaged_vectors_take_nothing_with_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AVER_HOME", str(tmp_path))
    (tmp_path / "pages.jsonl").write_bytes(b'{"title": "Assam", "text": "Tea is grown on the plains."}\n')
    run("collection", "add", "archive", str(tmp_path / "pages.jsonl"))
    run("collection", "embed", "archive")
    (folder,) = (tmp_path / "collections" / "archive" / "vectors").iterdir()
    for path in folder.iterdir():
        path.write_bytes(b"junk" * 1000)
    remedy = "make them anew with: aver collection embed archive"
    said = f"the vectors of {folder.name} cannot be read: file is not a database; {remedy}"
    capsys.readouterr()
    run("collection", "info", "archive")
    told = capsys.readouterr().out
    assert f"note: {said}" in told
    assert re.search(r"\ndocuments +1 ", told)
    run("collection", "list")
    told = capsys.readouterr()
    assert re.search(r"archive +1 ", told.out)
    assert f"note: archive: {said}" in told.out
    found = asked(capsys, "collection", "list")
    assert found["collections"][0]["documents"] == 1
    assert said in found["notes"][0]
    assert said.endswith(asked(capsys, "collection", "info", "archive")["vectors"][0]["error"].partition(", or")[0])
    run("search", "tea", "--in", "archive", "--dense", code=2)
    assert remedy in capsys.readouterr().err
    run("collection", "embed", "archive")
    told = capsys.readouterr().out
    assert "1 document embedded (1 sentence)" in told
    assert "note: the vectors that were there could not be read: file is not a database; all were made anew" in told
    run("search", "tea", "--in", "archive", "--dense")
    run("collection", "info", "archive")
    assert "note" not in capsys.readouterr().out.partition("file ")[0]
