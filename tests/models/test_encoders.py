"""Encoders: the static one that is shipped, folders of others, and what is wrong with a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aver import ModelError
from aver.models import Encoder, OnnxEncoder, StaticEncoder, installed, load_encoder, load_judge, open_folder
from aver.models._encoder_static import packed_table

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "tea", "is", "hot", "ice", "cold", "."]


def write_tokenizer(folder: Path) -> None:
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    tokenizer = Tokenizer(models.WordPiece({word: n for n, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    tokenizer.enable_padding(length=16)
    tokenizer.save(str(folder / "tokenizer.json"))


@pytest.fixture
def static_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "small"
    folder.mkdir()
    write_tokenizer(folder)
    (folder / "vectors.npz").write_bytes(packed_table(np.eye(len(WORDS), dtype=np.float32)))
    (folder / "card.json").write_text(json.dumps({"name": "small", "kind": "encoder", "parts": ["vectors.npz"]}))
    return folder


@pytest.fixture
def onnx_folder(tmp_path: Path) -> Path:
    """A graph that looks each token up in a table: what a transformer does, without the transforming."""
    onnx = pytest.importorskip("onnx")
    from onnx import TensorProto, helper, numpy_helper

    table = numpy_helper.from_array(np.eye(len(WORDS), dtype=np.float32), "table")
    given_ids = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"])
        for name in ("input_ids", "attention_mask")
    ]
    output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "length", len(WORDS)])
    node = helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])
    graph = helper.make_graph([node], "lookup", given_ids, [output], [table])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    folder = tmp_path / "plugin"
    (folder / "onnx").mkdir(parents=True)
    write_tokenizer(folder)
    onnx.save(model, str(folder / "onnx" / "model.onnx"))
    return folder


def test_a_text_is_the_sum_of_its_pieces(static_folder: Path) -> None:
    encoder = load_encoder(static_folder)
    assert isinstance(encoder, StaticEncoder)
    assert encoder.dimensions == len(WORDS)
    row = encoder.encode(["Tea tea hot"])[0]
    assert row[WORDS.index("tea")] == pytest.approx(2 / 5**0.5, abs=1e-3)
    assert row[WORDS.index("hot")] == pytest.approx(1 / 5**0.5, abs=1e-3)
    assert row[WORDS.index("[CLS]")] == 0
    assert encoder.encode([]).shape == (0, len(WORDS))
    assert not encoder.encode(["", "  "]).any()
    # "[SEP]" in a text is text
    assert encoder.encode(["[SEP]"])[0][WORDS.index("[SEP]")] == 0


def test_an_onnx_encoder_averages_its_tokens(onnx_folder: Path) -> None:
    encoder = load_encoder(onnx_folder)
    assert isinstance(encoder, OnnxEncoder)
    assert encoder.model.startswith("plugin@")
    texts = ["tea is hot", "ice", "tea is hot . " * 100, "", "ice is cold"]
    rows = encoder.encode(texts)
    # [CLS] tea is hot [SEP], each once
    assert rows[0][[2, 3, 4, 5, 6]] == pytest.approx(np.full(5, 5**-0.5), abs=1e-5)
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 1, 1, 0, 1], abs=1e-5)
    alone = np.vstack([encoder.encode([text]) for text in texts])
    assert np.array_equal(rows, alone)


@given(st.lists(st.text(max_size=40), max_size=8))
@settings(max_examples=40, deadline=None)
def test_a_vector_does_not_depend_on_its_company(texts: list[str]) -> None:
    encoder = load_encoder("static")
    rows = encoder.encode(texts)
    assert rows.shape == (len(texts), encoder.dimensions)
    assert np.isfinite(rows).all()
    for row, text in zip(rows, texts, strict=True):
        assert np.array_equal(row, encoder.encode([text])[0])


def test_the_shipped_encoder_has_a_card_and_knows_its_hash() -> None:
    folder = installed(kind="encoder")["static"]
    assert "static" not in installed()
    assert {"data", "scores", "limits", "training", "base"} <= set(folder.card)
    assert folder.size < 4_500_000
    encoder = load_encoder()
    assert isinstance(encoder, Encoder)
    assert encoder.model == f"static@{folder.card['sha256'][:12]}"
    assert load_encoder("static") is encoder
    claim, near, far = encoder.encode(
        ["The Titanic sank in 1912.", "The ship went down after it hit an iceberg.", "Tea is grown in Assam."]
    )
    assert claim @ near > claim @ far


def test_what_is_wrong_with_a_folder_is_told(static_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="there is no encoder 'nothing'"):
        load_encoder("nothing")
    with pytest.raises(ModelError, match=r"it needs tokenizer\.json, and model\.onnx"):
        load_encoder(tmp_path)
    with pytest.raises(ModelError, match="is a judge, not an encoder"):
        load_encoder(installed()["fast"].path)
    card = json.loads((static_folder / "card.json").read_text())
    (static_folder / "card.json").write_text(json.dumps(card | {"sha256": "0" * 64}))
    with pytest.raises(ModelError, match="the files are damaged or mixed"):
        load_encoder(static_folder)
    (static_folder / "card.json").write_text(json.dumps(card))
    (static_folder / "vectors.npz").write_bytes(packed_table(np.eye(3, dtype=np.float32)))
    with pytest.raises(ModelError, match="they do not belong together"):
        StaticEncoder(open_folder(static_folder))
    (static_folder / "vectors.npz").write_bytes(b"PK nothing")
    with pytest.raises(ModelError, match="the table cannot be read"):
        StaticEncoder(open_folder(static_folder))
    (tmp_path / "model.onnx").write_bytes(b"no graph")
    write_tokenizer(tmp_path)
    with pytest.raises(ModelError, match="no ONNX graph"):
        load_encoder(tmp_path)


def test_an_encoder_is_no_judge() -> None:
    with pytest.raises(ModelError, match="no model 'static'"):
        load_judge("static")


def test_a_judge_is_no_encoder_and_an_encoder_no_judge(run_cli: Any, tmp_path: Path) -> None:
    for name in ("fast", "default"):
        with pytest.raises(ModelError, match=f"there is no encoder '{name}': it is a judge; encoders: static"):
            load_encoder(name)
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text('{"claim": "a", "evidence": "b"}\n', encoding="utf-8")
    done = run_cli("judge", pairs, "--model", "static")
    assert (done.code, done.out) == (2, "")
    assert f"no model 'static' that judges: it is an encoder; judges: {', '.join(installed())}." in done.err
    done = run_cli("judge", pairs, "--model", installed(kind="encoder")["static"].path)
    assert (done.code, done.out) == (2, "")
    assert "is an encoder, not a judge" in done.err
