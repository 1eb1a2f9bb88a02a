"""Claims that a small language model writes: its lessons, its arithmetic, its file, and what training makes of them."""

from __future__ import annotations

import gzip
import importlib.util
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

from aver.errors import InputError, ModelError
from aver.labels import Label
from aver.train import train, write_claims
from aver.train._language_model import open_language_model
from aver.train._mix import EVALUATION, TRAIN_FOLDS, Row, held_out_claims, normalised, read
from aver.train._pack import pack
from aver.train._packed import Packed
from aver.train._written import as_meant, fever_claims, lessons, topics, written_rows

needs_torch = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("torch", "safetensors", "onnx")),
    reason="needs the extra `train` (torch, safetensors, onnx), which is not installed",
)


class TestLessons:
    def test_they_are_what_people_wrote_and_nothing_that_is_reported_on(self, small_data: Path) -> None:
        found = lessons(small_data)
        rows = list(read(small_data / "vitaminc/real.jsonl.gz"))
        claims = {row["claim"] for row in rows if row["fold"] in TRAIN_FOLDS}
        told = {lesson.answer for lesson in found if "A claim that" in lesson.prompt}
        held_out = held_out_claims(small_data)
        assert told & claims
        assert not [answer for answer in told if normalised(answer) in held_out]

    def test_a_change_leads_from_one_evidence_of_a_claim_to_another(self, small_data: Path) -> None:
        rows = [row for row in read(small_data / "vitaminc/real.jsonl.gz") if row["fold"] in TRAIN_FOLDS]
        evidence = {(row["claim"], row["evidence"]): row["label"] for row in rows}
        changes = [lesson for lesson in lessons(small_data) if "Changed so that" in lesson.prompt]
        assert changes
        for lesson in changes:
            claim = lesson.prompt.partition("Claim: ")[2].partition("\n")[0]
            wanted = {"supports": "SUPPORTS", "refutes": "REFUTES"}[lesson.prompt.split()[-2]]
            if (claim, lesson.answer) in evidence:  # the others are of VitaminC's synthetic part
                assert evidence[claim, lesson.answer] == wanted
        assert any(lesson.answer in {text for _, text in evidence} for lesson in changes)

    def test_a_seed_gives_the_same_again(self, small_data: Path) -> None:
        assert lessons(small_data, seed=3) == lessons(small_data, seed=3)
        assert lessons(small_data, seed=3) != lessons(small_data, seed=4)

    def test_topics_are_sentences_of_wikipedia_and_vitaminc(self, small_data: Path) -> None:
        found = topics(small_data, count=200)
        assert {topic.source for topic in found} == {"wikipedia", "vitaminc"}
        assert found == topics(small_data, count=200)
        assert len(topics(small_data, count=200, limit=5)) <= 5 + 2 * 2 * 5

    def test_nothing_is_written_about_evidence_that_is_reported_on(self, small_data: Path, tmp_path: Path) -> None:
        data = tmp_path / "data"
        shutil.copytree(small_data, data)
        texts = [topic.text for topic in topics(data, count=200)]
        row = {"claim": "Nobody wrote this .", "evidence": texts[0].upper(), "label": "SUPPORTS"}
        file = data / EVALUATION["symmetric"]
        file.write_bytes(gzip.compress(gzip.decompress(file.read_bytes()) + orjson.dumps(row) + b"\n"))
        left = [topic.text for topic in topics(data, count=200)]
        assert texts[0] not in left
        assert set(left) >= set(texts) - {texts[0]}

    def test_fevers_claims_are_those_that_may_be_trained_on(self, small_data: Path) -> None:
        held_out = held_out_claims(small_data)
        assert not [told for told in fever_claims(small_data, held_out) if normalised(told.claim) in held_out]


class TestRows:
    def test_what_was_meant_is_read_and_held_out_claims_are_not(self, tmp_path: Path) -> None:
        file = tmp_path / "written.jsonl"
        lines = [
            {"claim": "It has 3 rooms .", "evidence": "It has 4 rooms .", "meant": "REFUTES", "source": "fever_change"},
            {"claim": "It is old .", "evidence": "It has 4 rooms .", "meant": None, "source": "fever_other"},
            {"claim": "It is new .", "evidence": "It has 4 rooms .", "meant": "SUPPORTS", "source": "fever_claim"},
        ]
        file.write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))
        found = list(written_rows(file, frozenset({"it is new"})))
        assert [(row.label, row.source) for row in found] == [
            (Label.REFUTES, "written_fever_change"), (None, "written_fever_other")
        ]  # fmt: skip

    @pytest.mark.parametrize(
        "line",
        [
            '{"claim": "It is old ."}',
            '{"claim": "a", "evidence": "b", "meant": "MAYBE", "source": "c"}',
            '{"claim": "a", "evidence": "b", "meant": "DISPUTED", "source": "c"}',
            '{"claim": null, "evidence": "b", "meant": null, "source": "c"}',
        ],
    )
    def test_other_files_are_named_with_their_line(self, tmp_path: Path, line: str) -> None:
        file = tmp_path / "other.jsonl"
        file.write_text(line + "\n", encoding="utf-8")
        with pytest.raises(InputError, match="line 1: is no line of `aver train write`"):
            list(written_rows(file, frozenset()))

    def test_a_teachers_judgement_leans_to_what_was_meant(self, mpnet: Path) -> None:
        from aver.train._base import open_tokenizer

        rows = pack(
            [
                Row("a", "b", Label.REFUTES, source="written_x_claim"),
                Row("a", "b", None, source="written_x_other"),
                Row("a", "b", Label.SUPPORTS, source="vitaminc_real"),
            ],
            open_tokenizer(mpnet),
            shift=4,
        )
        without, leant = as_meant(rows, np.full((3, 3), 1 / 3))
        assert without.label.tolist() == [-1, -1, 0]
        np.testing.assert_allclose(leant, [[0.25, 0.5, 0.25], [1 / 3] * 3, [1 / 3] * 3], atol=1e-3)
        assert rows.label.tolist() == [1, -1, 0], "the rows that were given stay as they are"


@needs_torch
class TestLlama:
    @pytest.fixture(params=["writer", "qwen"])
    def folder(self, request: pytest.FixtureRequest) -> Path:
        found: Path = request.getfixturevalue(request.param)
        return found

    def test_word_after_word_is_the_same_as_all_at_once(self, folder: Path) -> None:
        import torch

        from aver.train._llama import load_llama

        model = load_llama(folder, open_language_model(str(folder)).config).eval()
        ids = torch.randint(0, 90, (3, 12))
        with torch.inference_mode():
            whole = model(ids)
            cache = model.room(3, 12)
            parts = [model(ids[:, :5], cache)]
            parts += [model(ids[:, at : at + 1], cache, at) for at in range(5, 12)]
        torch.testing.assert_close(torch.cat(parts, 1), whole, atol=1e-5, rtol=1e-4)

    def test_it_computes_as_transformers_does(self, folder: Path) -> None:
        transformers = pytest.importorskip("transformers", reason="needs transformers, which is not installed")
        import torch

        from aver.train._llama import load_llama

        config = open_language_model(str(folder)).config
        model = load_llama(folder, config).eval()
        kind = {"llama": transformers.LlamaForCausalLM, "qwen2": transformers.Qwen2ForCausalLM}[config["model_type"]]
        peer = kind.from_pretrained(folder, dtype=torch.float32).eval()
        ids = torch.randint(0, 90, (2, 9))
        with torch.inference_mode():
            torch.testing.assert_close(model(ids) @ model.words.weight.T, peer(ids).logits, atol=1e-4, rtol=1e-4)

    def test_without_its_biases_a_qwen_is_refused(self, writer: Path, qwen: Path) -> None:
        from aver.train._llama import load_llama

        with pytest.raises(ModelError, match="no Llama's of this configuration"):
            load_llama(writer, json.loads((qwen / "config.json").read_text()))

    def test_weights_of_another_shape_are_refused(self, writer: Path) -> None:
        from aver.train._llama import load_llama

        config = json.loads((writer / "config.json").read_text()) | {"hidden_size": 48}
        with pytest.raises(ModelError, match="no Llama's of this configuration"):
            load_llama(writer, config)

    def test_a_taught_model_comes_back(self, writer: Path, tmp_path: Path) -> None:
        import torch

        from aver.train._llama import Llama, load_llama, load_taught, save_taught

        config = json.loads((writer / "config.json").read_text())
        model = load_llama(writer, config)
        (tmp_path / "taught").write_bytes(save_taught(model))
        again = load_taught(tmp_path / "taught", Llama(config))
        for one, two in zip(model.parameters(), again.parameters(), strict=True):
            torch.testing.assert_close(one, two, atol=0.02, rtol=0.01)


@needs_torch
class TestWriting:
    def test_claims_and_changes_are_written_with_what_was_asked_for(self, written: Path) -> None:
        rows = [json.loads(line) for line in written.read_text(encoding="utf-8").splitlines()]
        assert rows
        for row in rows:
            assert set(row) == {"claim", "evidence", "meant", "source"}
            assert row["claim"].strip()
            assert row["evidence"].strip()
            assert (row["meant"] is None) == row["source"].endswith("_other")
        assert {row["source"].partition("_")[0] for row in rows} >= {"fever"}

    def test_what_is_there_is_not_written_again(self, written: Path, small_data: Path, writer: Path) -> None:
        before, said = written.read_bytes(), []
        write_claims(data=small_data, out=written.parent, writer=str(writer), limit=24, say=said.append)
        assert said == ["written.jsonl is there"]
        assert written.read_bytes() == before

    def test_other_choices_are_refused_in_the_same_folder(self, written: Path, small_data: Path, writer: Path) -> None:
        with pytest.raises(InputError, match="other choices"):
            write_claims(data=small_data, out=written.parent, writer=str(writer), limit=12)

    def test_rows_that_were_packed_without_them_are_not_taken(
        self, written: Path, small_data: Path, mpnet: Path, tmp_path: Path
    ) -> None:
        options = {"data": small_data, "out": tmp_path, "base": str(mpnet), "limit": 20, "stage": "pack"}
        train("default", say=lambda _: None, **options)
        with pytest.raises(InputError, match="other choices"):
            train("default", written=written, **options)

    def test_a_model_is_renewed_with_them(self, written: Path, small_data: Path, mpnet: Path, tmp_path: Path) -> None:
        import torch

        torch.set_num_threads(1)
        options = {"data": small_data, "base": str(mpnet), "limit": 60, "seconds": 5, "device": "cpu"}
        first = train("default", out=tmp_path / "one", say=lambda _: None, **options)["default"]
        out = tmp_path / "two"
        train(
            "default", out=out, start=str(first), fresh=0.5, written=written, stage="student", say=lambda _: None,
            **options,
        )  # fmt: skip
        rows = Packed.load(out / "rows.npz")
        assert [name for name in rows.sources if name.startswith("written_")]
        assert (out / "heard.judgements.npz").is_file()
        assert (out / "student-default.safetensors").is_file()
        other = tmp_path / "other.jsonl"
        other.write_bytes(written.read_bytes() + b"\n")
        with pytest.raises(InputError, match="written"):
            train("default", out=out, start=str(first), fresh=0.5, written=other, stage="student", **options)


class TestCommand:
    def test_a_writer_that_is_no_llama_is_refused(
        self, small_data: Path, mpnet: Path, tmp_path: Path, run_cli: Callable[..., Any]
    ) -> None:
        pytest.importorskip("torch", reason="needs torch, which is not installed")
        run = run_cli("train", "write", "--data", small_data, "--out", tmp_path / "out", "--writer", mpnet)
        assert run.code == 2
        assert "a writer or reader is a Llama or Qwen2" in run.err
        assert not (tmp_path / "out").exists()

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["write", "--fresh", "0.5"], "`aver train write` takes no --fresh"),
            (["write", "--fast-base", "x"], "`aver train write` takes no --fast-base"),
            (["embed", "--written", "x"], "`aver train embed` takes no --written"),
            (["default", "--writer", "x"], "`aver train default` takes no --writer"),
            (["default", "--written", "nowhere.jsonl"], "nowhere.jsonl: there is no such file"),
        ],
    )
    def test_what_does_not_belong_together(
        self, arguments: list[str], said: str, small_data: Path, tmp_path: Path, run_cli: Callable[..., Any]
    ) -> None:
        run = run_cli("train", *arguments, "--data", small_data, "--out", tmp_path / "o")
        assert run.code == 2
        assert said in run.err
