"""UniEval-fact on a tiny T5 made here; needs the extra `transformers`."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from aver import InputError, MissingExtra, ModelError
from aver.consistency import UniEvalFact, metric, unieval_prompt
from aver.consistency._punkt import punkt_sentences

FRAME = "question Is this claim consistent with the document".split()
WORDS = [*FRAME, *"a river tower town is not in yes no seven Yes No".split(), ".", ",", ":", "?"]
CLAIMS = ["the tower is in the town .", "the river is not in the town . no tower is seven ."]
SOURCES = ["the tower , seven , is in the town .", "a river is in this town ."]


def test_sentences_are_punkts() -> None:
    assert punkt_sentences("He came from washington , d.c. on monday . Gov . Brown left .") == [
        "He came from washington , d.c. on monday .", "Gov .", "Brown left .",
    ]  # fmt: skip
    assert punkt_sentences("") == []


def test_without_the_extra_the_message_says_what_to_install() -> None:
    try:
        import torch  # noqa: F401
        import transformers  # noqa: F401
    except ImportError:
        with pytest.raises(MissingExtra, match=r"aver\[transformers\]"):
            metric("unieval-fact")
    else:
        pytest.skip("the extra `transformers` is installed")


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    torch = pytest.importorskip("torch", reason="needs the extra `transformers`")
    transformers = pytest.importorskip("transformers", reason="needs the extra `transformers`")
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    folder = tmp_path_factory.mktemp("t5")
    vocabulary = {w: i for i, w in enumerate(dict.fromkeys(["<pad>", "</s>", "<unk>", *WORDS]))}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    torch.manual_seed(3)
    config = transformers.T5Config(
        vocab_size=64, d_model=16, d_kv=8, d_ff=32, num_layers=2, num_heads=2, decoder_start_token_id=0,
        pad_token_id=0, eos_token_id=1, initializer_factor=3.0,
    )  # fmt: skip
    transformers.T5ForConditionalGeneration(config).eval().save_pretrained(folder)
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    ).save_pretrained(folder)
    return folder


def test_without_a_checkpoint_no_network_is_asked(
    checkpoint: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_cli: Callable[..., Any]
) -> None:
    import huggingface_hub

    def asked(*_: object, **__: object) -> None:
        raise AssertionError("the network is asked")

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setattr("socket.getaddrinfo", asked)
    file = tmp_path / "text.txt"
    file.write_text("the tower is in the town .", encoding="utf-8")
    told = ("consistency", "--text", file, "--source", file, "--metric", "unieval-fact")
    done = run_cli(*told)
    assert done.code == 2
    assert "https://huggingface.co/MingZhong/unieval-fact" in done.err
    assert "--model FOLDER" in done.err
    # half of it is not it
    snapshot = tmp_path / "hub" / "models--MingZhong--unieval-fact" / "snapshots" / "abc"
    snapshot.mkdir(parents=True)
    (snapshot.parents[1] / "refs").mkdir()
    (snapshot.parents[1] / "refs" / "main").write_text("abc", encoding="utf-8")
    shutil.copy(checkpoint / "config.json", snapshot)
    with pytest.raises(ModelError, match="it is not on this machine"):
        metric("unieval-fact")
    # once it was fetched it is used
    shutil.copytree(checkpoint, snapshot, dirs_exist_ok=True)
    found = metric("unieval-fact")
    assert found.model.startswith("t5:MingZhong/unieval-fact@")
    assert found.score(CLAIMS, SOURCES) == pytest.approx(UniEvalFact(checkpoint).score(CLAIMS, SOURCES))
    assert run_cli(*told).code == 0


def reference(folder: Path, claims: str, source: str, max_tokens: int = 1024) -> float:
    """The published procedure, written out: cut, ask, softmax over the vocabulary, Yes / (Yes + No), mean."""
    import torch
    import transformers

    network: Any = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    tokenizer: Any = transformers.AutoTokenizer.from_pretrained(folder)
    yes, no = (tokenizer(word)["input_ids"][0] for word in ("Yes", "No"))
    scores = []
    for claim in punkt_sentences(claims):
        given = tokenizer(unieval_prompt(claim, source), max_length=max_tokens, truncation=True, return_tensors="pt")
        with torch.no_grad():
            out = network(
                input_ids=given["input_ids"], attention_mask=given["attention_mask"], labels=torch.tensor([[no, 1]])
            )
        shares = torch.softmax(out.logits[0, 0], -1)
        scores.append(float(shares[yes] / (shares[yes] + shares[no])))
    return sum(scores) / len(scores)


def test_scores_are_those_of_the_published_procedure(checkpoint: Path) -> None:
    ours = UniEvalFact(checkpoint)
    found = ours.score(CLAIMS, SOURCES)
    wanted = [reference(checkpoint, text, source) for text, source in zip(CLAIMS, SOURCES, strict=True)]
    assert found == pytest.approx(wanted, abs=1e-5)
    assert abs(wanted[0] - wanted[1]) > 1e-3
    assert ours.score(CLAIMS[::-1], SOURCES[::-1])[::-1] == pytest.approx(found, abs=1e-6)
    detailed = ours.assess(CLAIMS[1], SOURCES[1])
    assert [s.text for s in detailed.sentences] == ["the river is not in the town .", "no tower is seven ."]
    assert detailed.coverage.source_sentences == detailed.coverage.source_read == 1
    assert ours.assess(CLAIMS[0], " ".join(SOURCES)).coverage.source_sentences == 2
    assert detailed.model.startswith(f"t5:{checkpoint}@")
    assert metric("unieval-fact", judge=str(checkpoint)).score(CLAIMS, SOURCES) == pytest.approx(found, abs=1e-6)


def test_a_long_document_is_read_in_windows_and_cut_only_on_request(checkpoint: Path) -> None:
    long = "a river is in this town . " * 40 + SOURCES[0]
    cut = UniEvalFact(checkpoint, max_tokens=64, reference_behaviour=True)
    assert cut.score(CLAIMS[:1], [long]) == pytest.approx([reference(checkpoint, CLAIMS[0], long, 64)], abs=1e-5)
    assert cut.assess(CLAIMS[0], long).coverage.words < 0.5
    windowed = UniEvalFact(checkpoint, max_tokens=64)
    found = windowed.assess(CLAIMS[0], long)
    assert found.coverage.words == 1.0
    # the best window counts, so another beginning that says less cannot lower it
    asked = [prompt for _, prompt in windowed._prompts(CLAIMS[0], long)]
    assert len(asked) > 5
    assert all(len(windowed._tokenizer(prompt)["input_ids"]) <= 64 for prompt in asked)
    assert sum("the tower , seven ," in prompt for prompt in asked) >= 1
    assert found.score == pytest.approx(max(windowed._answers(asked)), abs=1e-6)
    endless = UniEvalFact(checkpoint, max_tokens=64).assess("the tower is seven " * 80, SOURCES[0])
    assert endless.status == "scored"


def test_an_empty_text_is_an_outcome_or_the_originals_error(checkpoint: Path) -> None:
    found = UniEvalFact(checkpoint).assess_all(["", CLAIMS[0]], ["a river", SOURCES[0]])
    assert [one.status for one in found] == ["no_claims", "scored"]
    with pytest.raises(ZeroDivisionError):
        UniEvalFact(checkpoint, reference_behaviour=True).score([""], ["a river"])
    with pytest.raises(InputError, match="row 1"):
        UniEvalFact(checkpoint, reference_behaviour=True).score([CLAIMS[0], " "], ["a river", "x"])


def test_the_end_mark_in_a_text_is_text(checkpoint: Path) -> None:
    ours = UniEvalFact(checkpoint)
    (prompt,) = [prompt for _, prompt in ours._prompts("no </s> yes", "a </s> river")]
    assert prompt.count("</s>") == 2
    done: list[int] = []
    ours.score(CLAIMS * 3, SOURCES * 3, progress=done.append)
    assert sum(done) == 6
