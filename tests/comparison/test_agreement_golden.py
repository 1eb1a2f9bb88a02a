"""Alpha and Fleiss' kappa against what the `krippendorff` and `statsmodels` packages answer."""

from __future__ import annotations

import math
from pathlib import Path

import orjson
import pytest

from aver.agreement import alpha, fleiss_kappa, randolph_kappa


def test_the_packages_answers(golden: Path) -> None:
    # the file holds NaN, which is no JSON
    text = (golden / "agreement.jsonl").read_text().replace("NaN", '"NaN"')
    compared = 0
    for case in map(orjson.loads, text.splitlines()):
        votes = [list(column) for column in zip(*case["rows"], strict=True)]  # theirs has a row per voter
        for level, theirs in case["alpha"].items():
            ours = alpha(votes, level=level)
            if isinstance(theirs, str):
                assert theirs.startswith("ValueError"), theirs
                assert ours is None, (case["name"], level)
            else:
                assert ours == pytest.approx(theirs, abs=1e-12), (case["name"], level)
            compared += 1
        for name, theirs in (case["fleiss"] or {}).items():
            ours = {"fleiss": fleiss_kappa, "randolph": randolph_kappa}[name](votes)
            if theirs == "NaN":
                assert ours is None
            else:
                assert ours == pytest.approx(theirs, abs=1e-12), (case["name"], name)
            compared += 1
    assert compared >= 40


def test_the_installed_package_agrees() -> None:
    krippendorff = pytest.importorskip("krippendorff", reason="the krippendorff package is not installed")
    import numpy as np

    votes = np.random.default_rng(3).integers(0, 5, (200, 4)).astype(float)
    votes[np.random.default_rng(4).random(votes.shape) < 0.3] = math.nan
    for level in ("nominal", "ordinal", "interval", "ratio"):
        theirs = krippendorff.alpha(reliability_data=votes.T, level_of_measurement=level)
        assert alpha(votes, level=level) == pytest.approx(theirs, abs=1e-12)
