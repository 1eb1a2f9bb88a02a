"""Hugging Face classifiers and yes-or-no T5s behind the same interface; needs the extra `transformers`."""

from __future__ import annotations

import importlib
import io
import logging
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import aver
from aver import InputError, MissingExtra, ModelError
from aver.models import HuggingFaceJudge, T5Judge, load_judge
from aver.models._huggingface import _quiet

WORDS = [*"the a river tower town is not in yes no more than seven Yes No".split(), ".", ","]


def test_without_the_extra_the_message_says_what_to_install() -> None:
    try:
        import torch  # noqa: F401
        import transformers  # noqa: F401
    except ImportError:
        with pytest.raises(MissingExtra, match=r"aver\[transformers\]"):
            load_judge("hf:some/model")
    else:
        with pytest.raises(ModelError, match="cannot be loaded"):
            load_judge("hf:/no/such/folder")


@pytest.fixture
def classifier(tmp_path: Path) -> Callable[..., Path]:
    torch = pytest.importorskip("torch", reason="needs the extra `transformers`")
    transformers = pytest.importorskip("transformers", reason="needs the extra `transformers`")

    def make(labels: list[str] | None, **changes: Any) -> Path:
        folder = tmp_path / f"bert-{len(list(tmp_path.iterdir()))}"
        torch.manual_seed(1)
        places = {name: place for place, name in enumerate(labels or [])}
        names = {"id2label": dict(enumerate(labels)), "label2id": places} if labels is not None else {}
        config = transformers.BertConfig(
            vocab_size=len(WORDS) + 5, hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
            intermediate_size=32, max_position_embeddings=48, initializer_range=0.6,
            num_labels=3 if labels is None else len(labels), **names, **changes,
        )  # fmt: skip
        transformers.BertForSequenceClassification(config).eval().save_pretrained(folder)
        vocabulary = {w: i for i, w in enumerate(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS])}
        transformers.BertTokenizerFast(tokenizer_object=_wordpiece(vocabulary)).save_pretrained(folder)
        return folder

    return make


def _wordpiece(vocabulary: dict[str, int]) -> Any:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    return tokenizer


def test_a_classifiers_own_label_order_is_used(classifier: Callable[..., Path]) -> None:
    import torch
    import transformers

    folder = classifier(["contradiction", "entailment", "neutral"])
    judge = load_judge(f"hf:{folder}")
    pairs = [("the tower is in the town", "the river is not in the town ."), ("yes", "no , no"), ("more", "seven")]
    found = judge.judge(pairs)
    network = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    for (claim, evidence), judgement in zip(pairs, found, strict=True):
        with torch.no_grad():
            shares = torch.softmax(network(**tokenizer(evidence, claim, return_tensors="pt")).logits[0], -1).numpy()
        got = [judgement.probabilities[n] for n in ("REFUTES", "SUPPORTS", "NOT_ENOUGH_INFO")]
        assert got == pytest.approx(shares, abs=1e-6)
    assert found[0].model.startswith(f"hf:{folder}@")
    assert judge.judge(pairs[::-1])[::-1] == found
    other = HuggingFaceJudge(str(folder), labels=["SUPPORTS", "REFUTES", "NEI"])
    assert other.judge(pairs)[0].probabilities["SUPPORTS"] == found[0].probabilities["REFUTES"]
    long = judge.judge([("the tower", "the river is in the town . " * 30)])[0]
    assert long.windows > 5
    assert long.coverage == 1.0
    assert aver.explain(*pairs[0], model=judge).method == "mask"


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (None, "LABEL_0"),
        (["0", "1", "2"], "'0' is no known verdict"),
        (["entailment", "not_entailment"], "not_entailment"),
        (["positive", "negative"], "positive"),
        (["neutral", "contradiction"], "needs SUPPORTS"),
    ],
)
def test_a_label_order_is_never_guessed(classifier: Callable[..., Path], labels: list[str] | None, said: str) -> None:
    with pytest.raises(ModelError, match=said):
        HuggingFaceJudge(str(classifier(labels)))


def test_labels_that_do_not_count_up(classifier: Callable[..., Path]) -> None:
    with pytest.raises(ModelError, match="2 labels were given and the model has 3"):
        HuggingFaceJudge(str(classifier(None)), labels=["SUPPORTS", "REFUTES"])


def test_a_t5_that_answers_yes_or_no(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="needs the extra `transformers`")
    transformers = pytest.importorskip("transformers", reason="needs the extra `transformers`")
    from tokenizers import Tokenizer, models, pre_tokenizers

    frame = "question : ? Is this claim consistent with document".split()
    words = ["<pad>", "</s>", "<unk>", *frame, *WORDS]
    tokenizer = Tokenizer(models.WordLevel({w: i for i, w in enumerate(dict.fromkeys(words))}, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    torch.manual_seed(2)
    config = transformers.T5Config(
        vocab_size=64, d_model=16, d_kv=8, d_ff=32, num_layers=2, num_heads=2, decoder_start_token_id=0,
        pad_token_id=0, eos_token_id=1, initializer_factor=3.0,
    )  # fmt: skip
    network = transformers.T5ForConditionalGeneration(config).eval()
    network.save_pretrained(tmp_path)
    wrapper = transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )
    wrapper.save_pretrained(tmp_path)
    judge = load_judge(f"t5:{tmp_path}")
    assert isinstance(judge, T5Judge)
    pairs = [("the tower is in the town", "the river is not in the town ."), ("the a", "no , no")]
    found = judge.judge(pairs)
    text = "question : Is this claim consistent with the document ? </s> claim : {} </s> document : {} </s>"
    numbers = tokenizer.get_vocab()
    for (claim, evidence), judgement in zip(pairs, found, strict=True):
        ids = torch.tensor([[numbers[w] for w in text.format(claim, evidence).split()]])
        with torch.no_grad():
            logits = network(input_ids=ids, decoder_input_ids=torch.tensor([[0]])).logits[0, 0].double().numpy()
        yes, no = np.exp(logits[numbers["Yes"]]), np.exp(logits[numbers["No"]])
        assert judgement.probabilities["SUPPORTS"] == pytest.approx(yes / (yes + no), abs=1e-6)
        assert judgement.probabilities["REFUTES"] == 0
        assert judgement.label in ("SUPPORTS", "NOT_ENOUGH_INFO")
    assert abs(found[0].probabilities["SUPPORTS"] - found[1].probabilities["SUPPORTS"]) > 1e-4
    assert judge.judge([("the tower", "the river is in the town . " * 200)])[0].windows > 1
    with pytest.raises(InputError, match="once each"):
        T5Judge(str(tmp_path), question="is it?")


def test_a_checkpoint_that_is_not_whole_is_refused(classifier: Callable[..., Path], tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers", reason="needs the extra `transformers`")
    labels = ["SUPPORTS", "REFUTES", "NEI"]
    folder = classifier(labels)
    (folder / "tokenizer.json").unlink()
    with pytest.raises(ModelError, match=r"has no vocabulary; .*tokenizer\.json"):
        load_judge(f"hf:{folder}")
    folder = classifier(labels)
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:999])
    with pytest.raises(ModelError, match="cannot be loaded"):
        load_judge(f"hf:{folder}")
    # a network for another task has no head that would tell the labels apart
    folder = classifier(labels)
    config = transformers.AutoConfig.from_pretrained(folder)
    transformers.BertModel(config).save_pretrained(folder)
    with pytest.raises(ModelError, match=r"its weights lack classifier\.bias"):
        load_judge(f"hf:{folder}")


def test_whatever_changes_an_answer_changes_the_name(classifier: Callable[..., Path], run_cli: Any) -> None:
    folder = classifier(["SUPPORTS", "REFUTES", "NEI"])
    names = {load_judge(f"hf:{folder}", **options).model for options in (
        {}, {"labels": ["SUPPORTS", "NEI", "REFUTES"]}, {"pair": "claim_first"}, {"max_tokens": 40},
    )}  # fmt: skip
    assert len(names) == 4
    assert load_judge(f"hf:{folder}", labels=["SUPPORTED", "REFUTED", "NOT ENOUGH INFO"]).model in names
    file = folder / "tokenizer.json"
    file.write_text(file.read_text().replace('"river"', '"RIVER"').replace('"tower"', '"river"'))
    assert load_judge(f"hf:{folder}").model not in names


def test_an_output_is_not_gone_on_with_under_another_order_of_labels(
    classifier: Callable[..., Path], run_cli: Any, write_jsonl: Any, tmp_path: Path
) -> None:
    pairs, out = write_jsonl("p.jsonl", [{"claim": "the tower", "evidence": "the river"}]), tmp_path / "out.jsonl"
    given = "judge", pairs, "--model", f"hf:{classifier(None)}", "--output", out, "--labels"
    assert run_cli(*given, "SUPPORTS,NEI,REFUTES").code == 0
    done = run_cli(*given, "REFUTES,NEI,SUPPORTS")
    assert done.code == 2
    assert "was judged by hf:" in done.err


def test_threads_of_torch_are_those_asked_for(classifier: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch", reason="needs the extra `transformers`")
    before, folder = torch.get_num_threads(), classifier(["SUPPORTS", "REFUTES", "NEI"])
    try:
        monkeypatch.setenv("AVER_THREADS", "1")
        load_judge(f"hf:{folder}")
        assert torch.get_num_threads() == 1
        load_judge(f"hf:{folder}", threads=2)
        assert torch.get_num_threads() == 2
        monkeypatch.setenv("AVER_THREADS", "abc")
        with pytest.raises(InputError, match="AVER_THREADS is 'abc'"):
            load_judge(f"hf:{folder}")
    finally:
        torch.set_num_threads(before)


def test_what_to_do_about_labels_is_said_for_the_command_first(
    classifier: Callable[..., Path], run_cli: Any, write_jsonl: Any
) -> None:
    pairs = write_jsonl("p.jsonl", [{"claim": "the tower", "evidence": "the river"}])
    done = run_cli("judge", pairs, "--model", f"hf:{classifier(None)}")
    assert done.code == 2
    assert "--labels SUPPORTS,REFUTES,NOT_ENOUGH_INFO (in Python labels=['SUPPORTS'," in done.err


def test_check_takes_the_labels_of_a_classifier(
    classifier: Callable[..., Path], run_cli: Any, write_jsonl: Any, tmp_path: Path
) -> None:
    folder, text = classifier(None), tmp_path / "text.txt"
    text.write_text("The tower is in the town.", encoding="utf-8")
    claims = write_jsonl("claims.jsonl", [{"id": 1, "claim": "the tower is in the town"}])
    for what in (["the tower is in the town"], ["--text", text], ["--claims", claims]):
        given = "check", *what, "--evidence", "the tower is in the town .", "--model", f"hf:{folder}", "--json"
        assert "--labels" in run_cli(*given).err
        named = []
        for labels in ("SUPPORTS,NEI,REFUTES", "REFUTES,NEI,SUPPORTS"):
            done = run_cli(*given, "--labels", labels, "--threads", 1)
            assert done.code == 0, done.err
            assert f"hf:{folder}@" in done.out
            named.append(done.out.split(f"hf:{folder}@")[1][:12])
        assert named[0] != named[1]
    done = run_cli("check", "the tower", "--evidence", "the tower .", "--ranker", f"hf:{folder}", "--model", "fast",
                   "--labels", "SUPPORTS,NEI,REFUTES")  # fmt: skip
    assert done.code == 0, done.err


@pytest.mark.parametrize("kind", ["hf", "t5"])
def test_a_model_that_is_not_there_is_told_with_what_to_do(
    kind: str, run_cli: Any, write_jsonl: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pytest.importorskip("torch", reason="needs the extra `transformers`")
    transformers = pytest.importorskip("transformers", reason="needs the extra `transformers`")
    logger = logging.getLogger("huggingface_hub.utils._http")
    seen = []

    def unreachable(*_: Any, **__: Any) -> None:
        logger.warning("Retrying in 1s [Retry 1/5].")
        seen.append(transformers.utils.logging.is_progress_bar_enabled())
        raise OSError("We couldn't connect to 'https://huggingface.co' to load the files.")

    for auto in ("AutoModelForSequenceClassification", "AutoModelForSeq2SeqLM"):
        monkeypatch.setattr(getattr(transformers, auto), "from_pretrained", unreachable)
    monkeypatch.delenv("HF_HUB_DISABLE_PROGRESS_BARS", raising=False)
    libraries = [logging.getLogger(name) for name in ("huggingface_hub", "transformers")]
    before = [library.level for library in libraries], transformers.utils.logging.is_progress_bar_enabled()
    told = io.StringIO()
    handler = logging.StreamHandler(told)
    logging.getLogger("huggingface_hub").addHandler(handler)
    try:
        pairs = write_jsonl("p.jsonl", [{"claim": "the tower", "evidence": "the river"}])
        done = run_cli("judge", pairs, "--model", f"{kind}:some/model")
        gone = run_cli("judge", pairs, "--model", f"{kind}:{tmp_path / 'none'}")
    finally:
        logging.getLogger("huggingface_hub").removeHandler(handler)
    assert (done.code, gone.code, seen) == (2, 2, [False, False])
    for word in ("couldn't connect", "Is the name right?", "a local folder", "HF_HUB_OFFLINE=1"):
        assert word in done.err
    assert "there is no such folder" in gone.err
    assert "Retrying" not in told.getvalue() + done.err
    after = [library.level for library in libraries], transformers.utils.logging.is_progress_bar_enabled()
    assert after == before


def test_loading_shows_no_bars_where_nobody_watches(classifier: Callable[..., Path]) -> None:
    folder = classifier(["SUPPORTS", "REFUTES", "NEI"])
    code = f"from aver.models import load_judge; load_judge('hf:{folder}')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""


@pytest.mark.parametrize(("shown", "downloads"), [(True, True), (True, False), (False, True), (False, False)])
def test_what_the_libraries_show_is_as_it_was_after_loading(
    shown: bool, downloads: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("transformers", reason="needs the extra `transformers`")
    hub: Any = importlib.import_module("huggingface_hub.utils")
    bars: Any = importlib.import_module("transformers.utils.logging")
    monkeypatch.delenv("HF_HUB_DISABLE_PROGRESS_BARS", raising=False)
    logger = logging.getLogger("huggingface_hub")
    before = bars.is_progress_bar_enabled(), logger.level
    try:
        (bars.enable_progress_bar if shown else bars.disable_progress_bar)()
        (hub.enable_progress_bars if downloads else hub.disable_progress_bars)()
        logger.setLevel(logging.INFO)
        with _quiet():
            assert not bars.is_progress_bar_enabled()
            assert hub.are_progress_bars_disabled()
            # somebody wants to hear it
            assert logger.level == logging.INFO
        assert bars.is_progress_bar_enabled() is shown
        assert hub.are_progress_bars_disabled() is not downloads
    finally:
        (bars.enable_progress_bar if before[0] else bars.disable_progress_bar)()
        logger.setLevel(before[1])
