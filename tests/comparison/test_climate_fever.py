"""Every published figure that CLIMATE-FEVER's own file still gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from aver.agreement import agree


@pytest.fixture(scope="module")
def votes(data: Path) -> Path:
    path = data / "climate_fever" / "climate-fever.jsonl"
    if not path.exists():
        pytest.skip(f"needs {path}, which is not there")
    return path


def test_all_pairs(votes: Path) -> None:
    found = agree(votes)
    assert found.overall.items == found.overall.scored == 7675
    assert found.overall.claims == 1535
    assert found.overall.alpha == pytest.approx(0.334015, abs=5e-7)
    assert found.overall.entropy == pytest.approx(0.339038, abs=5e-7)
    assert found.overall.total_agreement == pytest.approx(0.505928, abs=5e-7)
    assert (round(found.overall.voters, 1), round(found.overall.voters_sd, 1)) == (2.4, 0.7)
    labels = {"SUPPORTS": 654, "NOT_ENOUGH_INFO": 474, "REFUTES": 253, "DISPUTED": 154}
    assert found.overall.claim_labels == labels


def test_the_rules_explain_every_label_and_entropy(votes: Path) -> None:
    found = agree(votes)
    assert found.compared == {"evidence_label": 7675, "claim_label": 1535, "entropy": 7675}
    assert found.differences == ()


def test_the_recoverable_slice_of_table_1(votes: Path, run_cli: Any) -> None:
    told = run_cli("agree", votes, "--slice", "@table1", "--json").json
    (one,) = [row for row in told["slices"] if row["slice"] == "slice 1"]
    assert (one["items"], one["claims"]) == (770, 154)
    figures = [one[name] for name in ("voters", "alpha", "total_agreement", "entropy")]
    assert [round(figure, 4) for figure in figures] == [4.0195, 0.3992, 0.4234, 0.3795]
