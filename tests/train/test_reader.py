"""A language model that gives verdicts and teaches: what it sees, what it learns, and what is made of its answers."""

from __future__ import annotations

import dataclasses
import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aver.errors import InputError
from aver.labels import Label
from aver.text import MARKS
from aver.train import train
from aver.train._base import open_tokenizer
from aver.train._bundles import bundled
from aver.train._language_model import open_language_model, reader_layout
from aver.train._mix import Row
from aver.train._packed import IGNORE, Packed, claim_again
from aver.train._prepare import Pieces
from aver.train._recipe import HEARD, READ_RENEWAL, UNREAD
from aver.train._written import told_apart

needs_torch = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("torch", "safetensors", "onnx")),
    reason="needs the extra `train` (torch, safetensors, onnx), which is not installed",
)
ROWS = [
    Row(f"{name} castle has {count} rooms .", f"{name} castle has {said} rooms .", label, source="vitaminc_real")
    for name in ("Arden", "Belmont", "Corin", "Dalby")
    for count in (3, 5, 8)
    for said, label in ((count, Label.SUPPORTS), (count + 4, Label.REFUTES))
]


@pytest.fixture
def packed(writer: Path) -> Packed:
    config = json.loads((writer / "config.json").read_text())
    return Pieces(open_tokenizer(writer), first_mark=reader_layout(config).first_mark).pack(ROWS)


def test_marks_are_the_last_pieces(writer: Path, packed: Packed) -> None:
    words = json.loads((writer / "config.json").read_text())["vocab_size"]
    assert (packed.tokens >= words - MARKS).any()
    assert reader_layout({"eos_token_id": [7, 8], "bos_token_id": 3, "vocab_size": 100}) == (3, 7, 7, 0, 1, 100 - MARKS)


def test_the_claim_stands_behind_the_evidence_once_more(packed: Packed) -> None:
    again = claim_again(packed, 1)
    old, new = (np.split(rows.tokens, np.cumsum(_lengths(rows))[:-1]) for rows in (packed, again))
    for before, after, claim in zip(old, new, packed.claim_length, strict=True):
        assert after.tolist() == [*before, 1, *before[:claim]]
    assert (again.claim_length == packed.claim_length).all()
    assert (again.rationale == IGNORE).all()
    assert len(again.rationale) == len(again.tokens)


def test_claims_about_one_evidence_are_known_before_they_stand_behind_it(writer: Path) -> None:
    config = json.loads((writer / "config.json").read_text())
    mark = reader_layout(config).first_mark
    rows = [
        Row(f"Arden has {count} rooms .", "Arden has 3 rooms .", label, source="vitaminc_real")
        for count, label in ((3, Label.SUPPORTS), (9, Label.REFUTES))
    ]
    packed = Pieces(open_tokenizer(writer), first_mark=mark).pack(rows)
    one, other = bundled(packed, ("vitaminc_",), mark).evidence.tolist()
    assert one == other
    one, other = bundled(claim_again(packed, 1), ("vitaminc_",), mark).evidence.tolist()
    assert one != other


def _lengths(rows: Packed) -> Any:
    return rows.claim_length.astype(int) + rows.evidence_length


def test_a_course_leaves_out_what_is_not_read() -> None:
    for epoch in READ_RENEWAL["reader"].epochs:
        assert all(share == 0 for name, share in epoch.items() if name.startswith(UNREAD))
        assert epoch["vitaminc_real"] > 1


def test_rows_on_which_teachers_differ_are_told_apart(packed: Packed) -> None:
    written = dataclasses.replace(packed, sources=["written_wikipedia_claim"])
    first = np.tile([0.9, 0.05, 0.05], (len(packed), 1))
    second = first.copy()
    second[:6] = [0.05, 0.9, 0.05]
    found = told_apart(written, first, second)
    assert [found.sources[number] for number in found.source] == ["written_apart"] * 6 + ["written_alike"] * 18
    assert told_apart(packed, first, second) is packed, "nobody wrote these"


@needs_torch
class TestReader:
    def test_it_is_heard_by_its_share_where_it_was_asked(self, packed: Packed, tmp_path: Path) -> None:
        from aver.train._beside import with_reader
        from aver.train._fit import Targets

        told = Targets(np.tile([0.8, 0.1, 0.1], (len(packed), 1)), np.full(len(packed), 0.2))
        logits = np.log([[0.2, 0.6, 0.2]] * 2)
        np.savez(tmp_path / "reader.judgements.npz", asked=[3, 5], verdict=logits, relevance=np.zeros(2))
        rows, said = with_reader(tmp_path, packed, told, 0.25)
        assert rows is packed, "nobody wrote these"
        np.testing.assert_allclose(said.verdict[[3, 5]], [[0.65, 0.225, 0.125]] * 2, atol=1e-3)
        np.testing.assert_allclose(said.relevance[[3, 5]], 0.275, atol=1e-3)
        np.testing.assert_allclose(said.verdict[4], [0.8, 0.1, 0.1], atol=1e-3)

    def test_it_reads_in_order_and_no_padding(self, writer: Path) -> None:
        import torch

        from aver.train._llama import load_llama
        from aver.train._reader import Reader

        config = open_language_model(str(writer)).config
        model = Reader(load_llama(writer, config)).eval()
        ids = torch.randint(3, 60, (2, 9))
        mask = torch.ones_like(ids)
        mask[1, 6:] = 0
        padded, other, changed = ids.clone(), ids.clone(), ids.clone()
        padded[1, 6:] = 0
        other[1, 6:] = 5
        changed[0, 8] = 2 if ids[0, 8] != 2 else 1
        with torch.inference_mode():
            torch.testing.assert_close(model(padded, mask)[0], model(other, mask)[0])
            alone = model(ids[1:, :6], mask[1:, :6])[0]
            torch.testing.assert_close(model(padded, mask)[0][1:], alone, atol=1e-5, rtol=1e-4)
            torch.testing.assert_close(model.llama(ids)[0, :8], model.llama(changed)[0, :8])
            assert not torch.allclose(model(ids, mask)[0][0], model(changed, mask)[0][0]), "its last piece counts"

    def test_it_learns_verdicts(self, writer: Path, packed: Packed) -> None:
        import torch

        from aver.train._llama import load_llama
        from aver.train._reader import read, taught_reader
        from aver.train._recipe import Course

        torch.set_num_threads(1)
        llama = load_llama(writer, open_language_model(str(writer)).config)
        course = Course(({"vitaminc": 20.0},) * 6, rate=3e-3)
        cpu = torch.device("cpu")
        model = taught_reader(llama, packed, course, seed=1, device=cpu, say=lambda _: None)
        said = read(model, packed, device=cpu)
        assert (said["verdict"].argmax(1) == packed.label).mean() > 0.9

    def test_it_teaches_a_model_that_is_renewed(
        self, written: Path, writer: Path, small_data: Path, mpnet: Path, tmp_path: Path
    ) -> None:
        import torch

        torch.set_num_threads(1)
        options = {"data": small_data, "base": str(mpnet), "limit": 40, "seconds": 4, "device": "cpu"}
        first = train("default", out=tmp_path / "one", stage="card", say=lambda _: None, **options)["default"]
        out, said = tmp_path / "two", []
        renewed = options | {"out": out, "start": str(first), "fresh": 0.5, "written": written, "reader": str(writer)}
        train("default", stage="student", say=said.append, **renewed)
        assert any(line.startswith("reader: judged ") for line in said)
        report = json.loads((out / "teachers.json").read_text())
        assert set(report) == {"teacher listener-1", "renewed", "reader", "together"}
        rows = Packed.load(out / "rows.npz")
        assert Packed.load(out / "reader-rows.npz").sources == rows.sources
        with np.load(out / "reader.judgements.npz") as found:
            asked = found["asked"]
            names = {rows.sources[number] for number in rows.source[asked]}
            assert np.isfinite(found["verdict"]).all()
        assert any(name.startswith("written_") for name in names)
        assert all(name.startswith(HEARD) for name in names)
        with np.load(out / "heard.judgements.npz") as found:
            assert len(found["verdict"]) == len(asked)
        assert sorted(path.name for path in out.glob("teacher-*")) == [
            "teacher-listener-1.evaluation.npz", "teacher-listener-1.safetensors"
        ]  # fmt: skip
        assert (out / "student-default.safetensors").is_file()
        without = {name: value for name, value in renewed.items() if name != "reader"} | {"out": tmp_path / "three"}
        train("default", stage="pack", say=lambda _: None, **without)
        with pytest.raises(InputError, match="other choices"):
            train("default", stage="pack", **(renewed | {"out": tmp_path / "three"}))
        with pytest.raises(InputError, match=r"default reader: .* there, None now"):
            train("default", stage="pack", **(without | {"out": out}))

    def test_without_newcomers_the_model_itself_hears_it(
        self, written: Path, writer: Path, small_data: Path, mpnet: Path, tmp_path: Path
    ) -> None:
        import torch

        torch.set_num_threads(1)
        options = {"data": small_data, "base": str(mpnet), "limit": 20, "seconds": 2, "device": "cpu"}
        first = train("default", out=tmp_path / "one", stage="card", say=lambda _: None, **options)["default"]
        out = tmp_path / "two"
        renewed = options | {"out": out, "start": str(first), "fresh": 0.0, "written": written, "reader": str(writer)}
        train("default", stage="student", say=lambda _: None, **renewed)
        assert not list(out.glob("teacher-*"))
        assert set(json.loads((out / "teachers.json").read_text())) == {"renewed", "reader", "together"}
        assert (out / "student-default.safetensors").is_file()


def test_without_a_model_that_is_renewed_there_is_no_reader(
    small_data: Path, tmp_path: Path, run_cli: Callable[..., Any]
) -> None:
    run = run_cli("train", "default", "--data", small_data, "--out", tmp_path / "o", "--reader", "x", "--from", "fast")
    assert (run.code, "--fresh" in run.err) == (2, True)
    run = run_cli("train", "write", "--data", small_data, "--out", tmp_path / "o", "--reader", "x")
    assert (run.code, "`aver train write` takes no --reader" in run.err) == (2, True)
    assert not (tmp_path / "o").exists()
