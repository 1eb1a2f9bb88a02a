"""`aver collection embed`, `aver search --dense|--hybrid` and what `aver collection info` says of vectors."""

from __future__ import annotations

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
