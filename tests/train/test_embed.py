"""The static encoder from data to card, with a tiny base; and the examples it learns from."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import orjson
import pytest

from aver.cli import main
from aver.errors import InputError
from aver.models import load_encoder, open_folder
from aver.train import train_encoder
from aver.train._embed_pairs import examples, introductions
from aver.train._mix import held_out_claims, normalised

needs_torch = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("torch", "safetensors")),
    reason="needs the extra `train` (torch, safetensors), which is not installed",
)


def test_no_claim_that_is_reported_on_is_learnt_from(small_data: Path, tmp_path: Path) -> None:
    with introductions(small_data, tmp_path / "introductions", limit=100) as collection:
        train, held = examples(small_data, collection, seed=1, limit=100, say=lambda line: None)
    leaks = held_out_claims(small_data)
    assert train
    assert not [example for example in train if normalised(example.claim) in leaks]
    assert {example.source for example in train} >= {"vitaminc_real", "vitaminc_synthetic"}
    for example in (*train, *held):
        assert example.positive not in example.negatives
        assert len(example.negatives) <= 12
    # pages of the collection give negatives from the same page, under its title
    fever = [example for example in train if example.source.startswith("fever")]
    assert any(example.negatives for example in fever)


@needs_torch
def test_from_data_to_an_encoder_that_loads(
    small_data: Path, bert: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import torch

    torch.set_num_threads(1)
    words = ["train", "embed", "--data", str(small_data), "--out", str(tmp_path), "--fast-base", str(bert)]
    with pytest.raises(SystemExit) as ended:
        main([*words, "--limit", "100", "--json"])
    assert ended.value.code == 0
    folder = Path(orjson.loads(capsys.readouterr().out)["static"])
    card = open_folder(folder).card
    assert (card["kind"], card["dimensions"], card["base"]["licence"]) == ("encoder", 32, "apache-2.0")
    assert any("A trial: at most 100 claims" in line for line in card["limits"])
    assert {row["source"] for row in card["data"]} >= {"fever_train_sample_SR", "vitaminc_real"}
    encoder = load_encoder(folder)
    rows = encoder.encode(["The river of Arden drew visitors .", "The castle of Dalby was sold ."])
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 1], abs=1e-5)
    with np.load(tmp_path / "table.npz") as tables:
        learnt, before_learning = tables["after"], tables["before"]
    assert learnt.shape == before_learning.shape
    assert not np.allclose(learnt, before_learning)
    # run again it does nothing anew, and other choices are refused there
    before = (tmp_path / "table.npz").stat().st_mtime_ns
    again = train_encoder(data=small_data, out=tmp_path, base=str(bert), limit=100)
    assert (tmp_path / "table.npz").stat().st_mtime_ns == before
    assert load_encoder(again).model == encoder.model
    assert np.isfinite(learnt).all()
    with pytest.raises(InputError, match="made with other choices"):
        train_encoder(data=small_data, out=tmp_path, base=str(bert), limit=100, seed=2)


@needs_torch
def test_choices_that_cannot_be_are_refused(small_data: Path, bert: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="dimensions is 64; tiny-bert has 32"):
        train_encoder(data=small_data, out=tmp_path, base=str(bert), dimensions=64)
    with pytest.raises(InputError, match="limit is 0"):
        train_encoder(data=small_data, out=tmp_path, limit=0)
    with pytest.raises(SystemExit) as ended:
        main(["train", "embed", "--data", str(small_data), "--out", str(tmp_path), "--stage", "pack"])
    assert ended.value.code == 2
