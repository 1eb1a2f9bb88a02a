"""How many pairs a second the judges read, and how that compares with plain transformers and torch in 32 bits.

    python benchmarks/judge_speed.py                               every installed model
    python benchmarks/judge_speed.py default --peer FOLDER         against the same network in transformers
    python benchmarks/judge_speed.py fast --peer FOLDER --peer-python .venv-torch/bin/python

FOLDER holds the network as transformers saves it (config.json, model.safetensors, tokenizer.json): the encoder the
model was trained from, or the trained one before quantisation. Where it has more layers than the model's card says,
the first ones are used, so that both compute the same shape. The two take turns in one run, the whole way from text
to probabilities, and the ratio is that of the medians. `--peer-python` is an interpreter that has torch and
transformers, where this one has not.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from aver.models import OnnxJudge, installed, load_judge

WORDS = (
    "the of and in to was is for on as with by he that at from his it an were are which this also be had first one "
    "new two has after city who team year season film state school world game company number work house line group "
    "album band member river church war town army party south north west east million people record market village"
).split()

PEER = """
import json, sys, time, torch, transformers
folder, layers, threads, batch = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
torch.set_num_threads(threads)
network = transformers.AutoModel.from_pretrained(folder, dtype=torch.float32).eval()
if layers and len(network.encoder.layer) > layers:
    network.encoder.layer = network.encoder.layer[:layers]
tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
head = torch.nn.Linear(network.config.hidden_size, 3)
print("ready", flush=True)
for line in sys.stdin:
    pairs = json.loads(line)
    start = time.perf_counter()
    with torch.inference_mode():
        for i in range(0, len(pairs), batch):
            part = pairs[i : i + batch]
            feed = tokenizer([e for _, e in part], [c for c, _ in part], padding=True, return_tensors="pt")
            torch.softmax(head(network(**feed).last_hidden_state[:, 0]), -1)
    print(len(pairs) / (time.perf_counter() - start), flush=True)
"""


def pairs_of(judge: OnnxJudge, tokens: int, count: int) -> list[tuple[str, str]]:
    """Pairs of everyday words that come to exactly so many tokens."""
    dice = random.Random(5)
    found: list[tuple[str, str]] = []
    while len(found) < count:
        words = dice.choices(WORDS, k=tokens - judge.tokenizer.num_special_tokens_to_add(True))
        at = len(words) // 4
        pair = " ".join(words[:at]), " ".join(words[at:])
        if len(judge.tokenizer.encode(pair[1], pair[0]).ids) == tokens:
            found.append(pair)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="*", help="names or folders; else every installed model")
    parser.add_argument("--tokens", type=int, default=64)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--pairs", type=int, default=192)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peer", type=Path, help="a folder that transformers can load; for one model at a time")
    parser.add_argument("--peer-layers", type=int, help="how many layers of the peer to use; else the card's `layers`")
    parser.add_argument("--peer-batch", type=int, default=32)
    parser.add_argument("--peer-python", default=sys.executable)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    names = options.model or list(installed())
    if not names:
        parser.error("no models are installed; name a folder")
    if options.peer is not None and len(names) != 1:
        parser.error("--peer goes with one model")
    for name in names:
        result = measure(name, options)
        print(json.dumps(result) if options.json else describe(result), flush=True)


def measure(name: str, options: argparse.Namespace) -> dict[str, Any]:
    judge = load_judge(name, threads=options.threads)
    assert isinstance(judge, OnnxJudge)
    pairs = pairs_of(judge, options.tokens, options.pairs)
    judge.judge(pairs[:16])
    peer = None
    if options.peer is not None:
        layers = options.peer_layers or int(judge.folder.card.get("layers", 0))
        arguments = [str(options.peer), str(layers), str(options.threads), str(options.peer_batch)]
        peer = subprocess.Popen(
            [options.peer_python, "-c", PEER, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert peer.stdin is not None
        assert peer.stdout is not None
        if peer.stdout.readline().strip() != "ready":
            raise SystemExit("the peer did not start; see the message above")
    ours, theirs = [], []
    for _ in range(options.rounds):
        start = time.perf_counter()
        judge.judge(pairs)
        ours.append(len(pairs) / (time.perf_counter() - start))
        if peer is not None:
            print(json.dumps(pairs), file=peer.stdin, flush=True)
            theirs.append(float(peer.stdout.readline()))
    if peer is not None:
        peer.stdin.close()
        peer.wait()
    result: dict[str, Any] = {
        "model": judge.model, "tokens": options.tokens, "threads": options.threads, "rounds": options.rounds,
        "pairs_per_second": statistics.median(ours),
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }  # fmt: skip
    if theirs:
        result["peer_pairs_per_second"] = statistics.median(theirs)
        result["ratio"] = result["pairs_per_second"] / result["peer_pairs_per_second"]
    return result


def describe(result: dict[str, Any]) -> str:
    text = (
        f"{result['model']}: {result['pairs_per_second']:.1f} pairs/s at {result['tokens']} tokens with "
        f"{result['threads']} threads, peak memory {result['peak_memory_mb']:.0f} MB"
    )
    if "ratio" in result:
        text += f"; transformers + torch fp32 {result['peer_pairs_per_second']:.1f} pairs/s"
        text += f"; ratio {result['ratio']:.2f}"
    return text


if __name__ == "__main__":
    main()
