"""Which rows are read: of XSumFaith only those that no judge of aver's has learnt from."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest

from aver.prove._data import Absent, read_xsumfaith


def _folder(tmp_path: Path) -> Path:
    same = {"system": "S", "summary": "So.", "faithful_majority": True}
    rows = [{"bbcid": str(n), "article": f"Article {n} of this test."} | same for n in range(3)]
    (tmp_path / "xsumfaith").mkdir()
    (tmp_path / "xsumfaith" / "xsumfaith_with_docs.jsonl").write_bytes(b"\n".join(map(orjson.dumps, rows)))
    return tmp_path


def _frank(folder: Path, number: str) -> None:
    (folder / "frank").mkdir()
    row = {"hash": number, "model_name": "S", "summary": "So.", "article": "Whatever."}
    (folder / "frank" / "benchmark_data.json").write_bytes(orjson.dumps([row]))


def test_all_of_it_where_nothing_tells_what_was_learnt(tmp_path: Path) -> None:
    assert read_xsumfaith(_folder(tmp_path)).docs == ("0", "1", "2")


def test_articles_of_frank_by_their_number_and_of_qags_by_how_they_begin(tmp_path: Path) -> None:
    folder = _folder(tmp_path)
    _frank(folder, "1")
    assert read_xsumfaith(folder).docs == ("1",)
    votes = [{"sentence": "So.", "responses": [{"response": "yes"}]}]
    row = {"article": "ARTICLE 2, of this test", "summary_sentences": votes}
    (folder / "qags").mkdir()
    (folder / "qags" / "mturk_xsum.jsonl").write_bytes(orjson.dumps(row))
    assert read_xsumfaith(folder).docs == ("1", "2")


def test_nothing_left_is_absent(tmp_path: Path) -> None:
    folder = _folder(tmp_path)
    _frank(folder, "7")
    with pytest.raises(Absent, match="no article that FRANK or QAGS has"):
        read_xsumfaith(folder)
