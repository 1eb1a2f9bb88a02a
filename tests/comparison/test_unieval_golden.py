"""UniEval-fact beside its authors' own: the prompts it is asked, and what its released predictions come to."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

from aver.consistency import unieval_prompt
from aver.consistency._punkt import punkt_sentences
from aver.frank import Benchmark, correlate


def test_every_golden_prompt_is_ours(data: Path, golden: Path) -> None:
    rows = {
        f"qags_{which}": json.loads((data / "unieval_fact" / f"qags_{which}.json").read_bytes())
        for which in ("xsum", "cnndm")
    }
    checked = 0
    with gzip.open(golden / "unieval" / "fact_prompts.jsonl.gz") as file:
        for line in file:
            wanted = json.loads(line)
            row = rows[wanted["set"]][wanted["i"]]
            found = [unieval_prompt(claim, row["source"]) for claim in punkt_sentences(row["system_output"])]
            assert found == wanted["prompts"], (wanted["set"], wanted["i"])
            checked += 1
    assert checked == 316


@pytest.mark.parametrize(
    ("which", "wanted"),
    [("xsum", (0.461376, 0.48792, 0.399218)), ("cnndm", (0.681681, 0.662255, 0.531636))],
)
def test_the_released_predictions_give_the_published_correlations(
    data: Path, which: str, wanted: tuple[float, float, float]
) -> None:
    rows = json.loads((data / "unieval_fact" / f"qags_{which}_unieval_result.json").read_bytes())
    bench = Benchmark(
        which,
        tuple(str(at) for at in range(len(rows))),
        ("one",) * len(rows),
        human={"consistency": np.array([row["scores"]["consistency"] for row in rows])},
        metrics={"UniEval": np.array([row["predict_scores"]["consistency"] for row in rows])},
    )
    found = correlate(bench, control=None, methods=["pearson", "spearman", "kendall"], resamples=0)
    assert [one.r for one in found] == pytest.approx(wanted, abs=1e-5)
