"""A data folder of a hundred rows in the layout of the real one; bases and a language model of two layers, random."""

from __future__ import annotations

import gzip
import importlib.util
import json
import random
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aver.train import write_claims
from aver.train._documents import QUESTION_FILES, SWAPPED_FILE
from aver.train._human import BEGIN_FILES, SUMMARY_FILES, WICE_FILE
from aver.train._mix import EVALUATION, FILES, PAIR_SETS
from aver.train._written import lessons

NOUNS = "river bridge castle album film novel museum tower school harbour".split()
NAMES = "Arden Belmont Corin Dalby Elstow Farnham Glynde Hexham Ilford Jarrow".split()
LEAKED = "Glynde museum has more than 5 rooms ."
"""A claim of FEVER dev that also stands, in other letters, in sets that are trained on."""


def _rows(count: int, seed: int) -> list[dict[str, Any]]:
    """Cases of two rows: one claim, two evidences, one for and one against."""
    rng = random.Random(seed)
    rows = []
    for case in range(count // 2):
        name, noun = rng.choice(NAMES), rng.choice(NOUNS)
        low = rng.randrange(1000, 9000)
        high = low + rng.randrange(200, 900)
        claim = f"The {noun} of {name} drew more than {low + 100} visitors in {1950 + case % 60} ."
        for figure, label in ((low, "REFUTES"), (high, "SUPPORTS")):
            evidence = f"In {1950 + case % 60} , the {noun} of {name} drew {figure:,} visitors and a new roof ."
            row = {"claim": claim, "evidence": evidence, "label": label, "page": f"{noun} of {name}"}
            rows.append(row | {"case_id": f"{seed}-{case}", "unique_id": f"{seed}-{len(rows)}", "fold": case % 10})
    return rows


def write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(row) + "\n" for row in rows)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


@pytest.fixture(scope="session")
def small_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every file of the data folder, small."""
    folder = tmp_path_factory.mktemp("data")
    for name in FILES:
        if name.endswith((".jsonl.gz", ".jsonl")):
            rows = _rows(4, seed=sum(map(ord, name)))
            write(folder / name, [{key: row[key] for key in ("claim", "evidence", "label")} for row in rows])
    write(folder / "vitaminc/real.jsonl.gz", _rows(100, 1))
    write(folder / "vitaminc/synthetic.jsonl.gz", _rows(40, 2))
    pairs = _rows(20, 1)
    write(
        folder / "vitaminc/revision_pairs.jsonl.gz",
        [
            {"page": a["page"], "a": a["evidence"], "b": b["evidence"], "claims": [a["claim"]], "fold": a["fold"]}
            for a, b in zip(pairs[::2], pairs[1::2], strict=True)
        ],
    )
    leak = {"claim": LEAKED, "evidence": "Glynde museum has 7 rooms .", "label": "SUPPORTS"}
    write(folder / EVALUATION["fever_gold"], [leak, *_rows(10, 3)])
    for name in PAIR_SETS[:3]:
        other = {"claim": "glynde museum: has MORE than 5 rooms", "evidence": f"{name} .", "label": "REFUTES"}
        write(folder / f"pairs/{name}.jsonl.gz", [*_rows(4, 4), other])
    for name, seed in (("fever_retrieved", 5), ("symmetric", 6), ("adversarial", 7), ("fm2", 8)):
        write(folder / EVALUATION[name], _rows(12, seed))
    _write_texts(folder)
    return folder


def _write_texts(folder: Path) -> None:
    rng = random.Random(0)
    intros = []
    for number in range(60):
        name, noun = NAMES[number % 10], NOUNS[number // 10]
        text = (
            f"The {noun} of {name} was built in {1800 + number} by {rng.choice(NAMES)} . "
            f"It has {rng.randrange(3, 90)} rooms and more than {rng.randrange(100, 900)} windows . "
            f"On 4 May {1900 + number} it was sold for $ {rng.randrange(2, 90)} million to {rng.choice(NAMES)} ."
        )
        intros.append({"title": f"{noun.capitalize()} of {name}", "text": text})
    write(folder / "wiki_intros/wiki_intros.jsonl.gz", intros)
    (folder / "wiki_intros/SOURCE.txt").write_text("repo: somewhere\nlicence: CC BY-SA 3.0\nfile: x\n")
    votes = [("SUPPORTS", "NOT_ENOUGH_INFO"), ("REFUTES", "NOT_ENOUGH_INFO"), ("SUPPORTS", "REFUTES")]
    labels = ["SUPPORTS", "REFUTES", "DISPUTED"]
    write(
        folder / "climate_fever/climate-fever.jsonl",
        [
            {
                "claim_id": str(number), "claim": f"The sea rose by {number + 2} cm .",
                "claim_label": labels[number % 3], "evidences": [
                    {"evidence": f"It rose by {number + at} cm .", "evidence_label": votes[number % 3][at % 2]}
                    for at in range(5)
                ],
            }
            for number in range(9)
        ],
    )  # fmt: skip
    for name in FILES:
        if name.startswith(("rev_", "paraphrase")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            side = name.rsplit(".", 1)[-1]
            (folder / name).write_text("".join(f"he walk to the {noun} {side} .\n" for noun in NOUNS[:3]))
    (folder / "rev_wnc_sample/SOURCE.txt").write_text("licence: CC BY-SA 4.0\n")
    _write_passages(folder)
    lines = ["Quality\t#1 ID\t#2 ID\t#1 String\t#2 String", "1\t1\t2\tIt is so .\tSo it is .", "0\t1\t2\tA .\tB ."]
    (folder / "paraphrase_mrpc/msr_paraphrase_train.txt").write_text("\n".join(lines) + "\n")


def _vocabulary() -> list[str]:
    """Laid out as BERT's: the unused pieces carry the marks."""
    letters = [chr(c) for c in range(ord("a"), ord("z") + 1)] + [str(d) for d in range(10)]
    words = "the of in was more than drew visitors and a new roof it has rooms sold for".split()
    start = ["[PAD]", *(f"[unused{n}]" for n in range(99)), "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    rest = [*".,$%()-", *letters, *(f"##{c}" for c in letters), *words, *NOUNS, *map(str.lower, NAMES)]
    return start + list(dict.fromkeys(w for w in rest if w not in start))


def make_base(folder: Path, kind: str, *, hidden: int, layers: int = 2, seed: int = 0) -> Path:
    """A base's folder as the hub has it, weights under the names `transformers` gives them."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    mpnet = kind == "mpnet"
    pieces = [*(("<s>", "<pad>", "</s>", "<unk>") if mpnet else ()), *_vocabulary(), *(("<mask>",) if mpnet else ())]
    tokenizer = Tokenizer(models.WordPiece({p: n for n, p in enumerate(pieces)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    if mpnet:
        tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
        tokenizer.add_special_tokens(["<s>", "<pad>", "</s>", "<unk>", "[UNK]", "<mask>"])
    else:
        tokenizer.post_processor = processors.BertProcessing(("[SEP]", 102), ("[CLS]", 101))
        tokenizer.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"])
    tokenizer.enable_truncation(128)  # as the sentence encoders on the hub come
    tokenizer.enable_padding(length=128)
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save(str(folder / "tokenizer.json"))
    config = {
        "model_type": kind, "vocab_size": len(pieces), "hidden_size": hidden, "num_hidden_layers": layers,
        "num_attention_heads": 4, "intermediate_size": 2 * hidden, "hidden_act": "gelu", "layer_norm_eps": 1e-12,
        "max_position_embeddings": 514 if mpnet else 512, "type_vocab_size": 2, "relative_attention_num_buckets": 32,
        "pad_token_id": 1 if mpnet else 0, "initializer_range": 0.02, "hidden_dropout_prob": 0.1,
        "attention_probs_dropout_prob": 0.1,
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config))
    _write_safetensors(folder / "model.safetensors", _weights(config, seed))
    (folder / "README.md").write_text("---\nlicense: apache-2.0\n---\n")
    return folder


def _weights(config: dict[str, Any], seed: int) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    hidden, inner, mpnet = config["hidden_size"], config["intermediate_size"], config["model_type"] == "mpnet"
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (config["vocab_size"], hidden),
        "embeddings.position_embeddings.weight": (config["max_position_embeddings"], hidden),
        "embeddings.LayerNorm": (hidden,),
    }
    if mpnet:
        shapes["encoder.relative_attention_bias.weight"] = (32, config["num_attention_heads"])
    else:
        shapes["embeddings.token_type_embeddings.weight"] = (2, hidden)
    names = (
        ("attention.attn.q", "attention.attn.k", "attention.attn.v", "attention.attn.o") if mpnet else
        ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense")
    )  # fmt: skip
    for layer in range(config["num_hidden_layers"]):
        at = f"encoder.layer.{layer}."
        shapes |= {at + name: (hidden, hidden) for name in names}
        shapes |= {at + "intermediate.dense": (inner, hidden), at + "output.dense": (hidden, inner)}
        shapes[at + ("attention.LayerNorm" if mpnet else "attention.output.LayerNorm")] = (hidden,)
        shapes[at + "output.LayerNorm"] = (hidden,)
    tensors: dict[str, Any] = {}
    for name, shape in shapes.items():
        if name.endswith(".weight"):
            tensors[name] = rng.normal(0, 0.3, shape)
            continue
        scale = 1 + rng.normal(0, 0.1, shape) if "LayerNorm" in name else rng.normal(0, 0.15, shape)
        tensors |= {f"{name}.weight": scale, f"{name}.bias": rng.normal(0, 0.1, shape[0])}
    return {name: tensor.astype(np.float32) for name, tensor in tensors.items()}


def _write_safetensors(path: Path, tensors: dict[str, Any]) -> None:
    """By hand, so that the bases can be made where the extra `train` is not installed."""
    header, at = {"__metadata__": {"format": "pt"}}, 0
    for name, tensor in tensors.items():
        entry = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [at, at + tensor.nbytes]}
        header[name] = entry  # type: ignore[assignment]
        at += tensor.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + b"".join(t.tobytes() for t in tensors.values()))


@pytest.fixture(scope="session")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_base(tmp_path_factory.mktemp("bases") / "tiny-bert", "bert", hidden=32)


@pytest.fixture(scope="session")
def mpnet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    # 64 wide: the narrowest product that is quantised
    return make_base(tmp_path_factory.mktemp("bases") / "tiny-mpnet", "mpnet", hidden=64)


def _write_passages(folder: Path) -> None:
    """Questions about passages, texts whose answer was replaced, and what people said of machines' sentences."""
    for name in (*QUESTION_FILES, SWAPPED_FILE, *BEGIN_FILES, WICE_FILE, *SUMMARY_FILES):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
    for number, name in enumerate(QUESTION_FILES):
        mayor, builder = NAMES[number], NAMES[number + 4]
        context = (
            f"In 1901 the mayor asked {builder} Lee for a bridge. It was opened by {mayor} Moss in 1907. "
            f"The town paid {number + 2},400 pounds for it. Trains have used it since 1920."
        )
        asked = [("Who opened the bridge?", f"{mayor} Moss"), ("Who was asked for a bridge?", f"{builder} Lee")]
        asked.append(("When was it opened?", "1907"))
        qas = [{"question": q, "id": q, "answers": [{"text": a, "answer_start": context.index(a)}]} for q, a in asked]
        pages = {"data": [{"title": name, "paragraphs": [{"context": context, "qas": qas}]}]}
        (folder / name).write_bytes(gzip.compress(json.dumps(pages).encode()))
    example = {
        "input": "\nQuestion: who wrote the novel?\nContext: The novel was written by Ann Moss in a week .",
        "target_scores": {"Ann Moss": 1, "Eve Hill": 0},
    }
    (folder / SWAPPED_FILE).write_bytes(gzip.compress(json.dumps({"examples": [example] * 6}).encode()))
    head = "model_name\tdata_source\tknowledge\tmessage\tresponse\tbegin_label\n"
    replies = [("the bridge opened in 1907", "Fully attributable"), ("i love bridges", "Not fully attributable")]
    for name in BEGIN_FILES:
        lines = "".join(f't5\twow\tthe "bridge opened in 1907 .\thello\t{said}\t{label}\n' for said, label in replies)
        (folder / name).write_text(head + lines + "t5\twow\tx\thello\tok\tGeneric\n")
    row = {
        "claim": "The bridge opened in May 1907.",
        "claim_tokens": ["The", "bridge", "opened", "in", "May", "1907", "."],
        "non_supported_spans": [False, False, False, False, True, False, False],
        "label": "partially_supported", "supporting_sentences": [[1]],
        "evidence": ["A town.", "Its bridge opened in 1907.", "Trains use it.", "Far away."],
    }  # fmt: skip
    write(folder / WICE_FILE, [row])
    _write_summaries(folder)


def _write_summaries(folder: Path) -> None:
    """Machines' summaries of three articles, one of which FRANK has too and one QAGS; and the words people marked."""
    told = {
        "1": "The bridge was opened in 1907 by Ann Moss. Trains use it. It cost 400 pounds, the council said.",
        "2": "FRANK has this one. It rained all day in the north of the country.",
        "3": "QAGS has this one, whatever its number may be. The match was lost by a goal in the last minute.",
    }
    wrong = "the bridge was opened in 1908 by the queen\\'s son"
    said = [("A", "the bridge was opened in 1907", True, []), ("B", wrong, False, ["extrinsic"]),
            ("C", "the bridge was opened by trains", False, ["intrinsic"])]  # fmt: skip
    rows = [
        {"bbcid": number, "system": system, "article": text, "summary": summary, "faithful_majority": right,
         "types": {f"wid_{n}": kinds for n in range(3)}}
        for number, text in told.items()
        for system, summary, right, kinds in said
    ]  # fmt: skip
    texts, marks, frank, qags = (folder / name for name in SUMMARY_FILES)
    write(texts, rows)
    lines = ["bbcid,system,hallucinated_span,worker_id", *(f"1,A,NULL,wid_{n}" for n in range(3))]
    lines += ["1,B,in 1908 by the queen\\'s son,wid_0", "1,B,the queen\\'s son,wid_1", "1,B,1908,wid_2"]
    lines += ["1,B,not there,wid_2"]
    marks.write_text("\n".join(lines) + "\n")
    frank.write_text(json.dumps([{"hash": "2"}]))
    write(qags, [{"article": told["3"]}])


@pytest.fixture(scope="session")
def writer(tmp_path_factory: pytest.TempPathFactory, small_data: Path) -> Path:
    """A Llama of two layers with random weights; it knows the words of the data."""
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers

    folder = tmp_path_factory.mktemp("writer")
    words = {"<end>": 0, "?": 1, "\n": 2}
    for lesson in lessons(small_data):
        for word in re.findall(r"\w+|[^\w\s]+", f"{lesson.prompt} {lesson.answer}"):
            words.setdefault(word, len(words))
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(r"\n|\w+|[^\w\s]+"), "isolated"), pre_tokenizers.Split(" ", "removed")]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    config = {
        "model_type": "llama", "hidden_size": 24, "intermediate_size": 32, "num_hidden_layers": 2, "head_dim": 8,
        "num_attention_heads": 3, "num_key_value_heads": 1, "vocab_size": len(words), "rms_norm_eps": 1e-5,
        "rope_parameters": {"rope_theta": 10_000.0}, "tie_word_embeddings": True, "eos_token_id": 0,
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    if importlib.util.find_spec("torch") is not None:
        _llama_weights(folder, config)
    return folder


@pytest.fixture(scope="session")
def qwen(tmp_path_factory: pytest.TempPathFactory, writer: Path) -> Path:
    """The same as a Qwen2: queries, keys and values have biases."""
    import torch
    from safetensors.torch import load_file, save_file

    folder = tmp_path_factory.mktemp("qwen")
    config = json.loads((writer / "config.json").read_text()) | {"model_type": "qwen2", "use_sliding_window": False}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "tokenizer.json").write_bytes((writer / "tokenizer.json").read_bytes())
    state = load_file(writer / "model.safetensors")
    torch.manual_seed(1)
    for name in [name for name in state if name.endswith(("q_proj.weight", "k_proj.weight", "v_proj.weight"))]:
        state[name.replace("weight", "bias")] = torch.randn(len(state[name]))
    save_file(state, folder / "model.safetensors")
    return folder


def _llama_weights(folder: Path, config: dict[str, Any]) -> None:
    import torch
    from safetensors.torch import save_file

    torch.manual_seed(0)
    width, inner, size = config["hidden_size"], config["intermediate_size"], config["head_dim"]
    shapes = {
        "self_attn.q_proj": (3 * size, width), "self_attn.k_proj": (size, width), "self_attn.v_proj": (size, width),
        "self_attn.o_proj": (width, 3 * size), "mlp.gate_proj": (inner, width), "mlp.up_proj": (inner, width),
        "mlp.down_proj": (width, inner),
    }  # fmt: skip
    words = 0.1 * torch.randn(config["vocab_size"], width)
    words[:, 0], words[0, 0] = 0.1, 1.5  # wherever it stands, it may well end
    state = {
        "model.embed_tokens.weight": words,
        "model.norm.weight": torch.ones(width),
    }
    for layer in range(2):
        for name, shape in shapes.items():
            state[f"model.layers.{layer}.{name}.weight"] = torch.randn(shape) * 0.2
        for name in ("input_layernorm", "post_attention_layernorm"):
            state[f"model.layers.{layer}.{name}.weight"] = torch.ones(width)
    save_file(state, folder / "model.safetensors")


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory, small_data: Path, writer: Path) -> Path:
    import torch

    out = tmp_path_factory.mktemp("write")
    said: list[str] = []
    torch.set_num_threads(1)  # several threads on products this small only get in each other's way
    file = write_claims(
        data=small_data, out=out, writer=str(writer), limit=24, device="cpu", seconds=60, say=said.append
    )
    assert file == out / "written.jsonl"
    assert any(line.endswith(" lessons") for line in said)
    return file
