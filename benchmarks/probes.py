"""What a judge makes of hand-written pairs that each turn on one thing: units, bounds, roles, converses and the like.

    python benchmarks/probes.py [--model default|fast|FOLDER|hf:…] [--wrong] [--json]

The pairs stand in benchmarks/probes.jsonl; they were written to be hard where data sets are not. None is trained on,
but what the first `default` got wrong among them is why `aver synthesise` makes contrasts of these kinds, so that its
successors are no strangers to them. `bystanders` came later, and before today's `default`: what fits a claim is said of
something else there. Few as they are, the pairs say what a judge does not know at all, not how good it is.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from aver import Label
from aver.models import load_judge

PAIRS = Path(__file__).with_name("probes.jsonl")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="default")
    parser.add_argument("--wrong", action="store_true", help="show what it gets wrong")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rows = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    judge = load_judge(options.model)
    said = judge.judge([(row["claim"], row["evidence"]) for row in rows])
    kinds: dict[str, list[bool]] = {}
    wrong = []
    for row, judgement in zip(rows, said, strict=True):
        right = judgement.label is not None and judgement.label == Label(row["label"])
        kinds.setdefault(row["kind"], []).append(right)
        if not right:
            wrong.append(row | {"said": judgement.label})
    total = sum(map(sum, kinds.values()))
    if options.json:
        told = {kind: {"right": sum(found), "n": len(found)} for kind, found in kinds.items()}
        print(json.dumps({"model": judge.model, "right": total, "n": len(rows), "kinds": told}))
        return
    print(f"model: {judge.model}")
    for kind, found in kinds.items():
        print(f"  {kind:12} {sum(found):3} of {len(found)}")
    print(f"  {'all':12} {total:3} of {len(rows)}")
    for row in wrong if options.wrong else ():
        print(f"{row['said']}, not {row['label']}: {row['claim']} | {row['evidence']}")


if __name__ == "__main__":
    main()
