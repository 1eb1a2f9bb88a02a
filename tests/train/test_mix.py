"""What a judge is trained on, and above all what not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from aver.errors import InputError
from aver.labels import Label
from aver.train._mix import (
    EVALUATION,
    FILES,
    TRAIN_FOLDS,
    evaluation_rows,
    held_out_claims,
    labelled_rows,
    normalised,
    pool_rows,
    read,
    unlabelled_rows,
)
from aver.train._prepare import check_data
from aver.train._sources import NOT_STATED, data_sources
from aver.train._spans import changed_spans as spans

from .conftest import LEAKED, write


class TestLeaks:
    def test_a_claim_we_report_on_is_trained_on_in_no_spelling(self, small_data: Path) -> None:
        held = held_out_claims(small_data)
        assert normalised(LEAKED) in held
        there = list(read(small_data / "pairs" / "breaking_nli.jsonl.gz"))
        assert any(normalised(row["claim"]) == normalised(LEAKED) for row in there), "the leak is in the data"
        rows = labelled_rows(small_data, seed=1)
        assert len(rows) > 500
        judged = [row for row in rows if row.factual_edit is None]
        assert not [row for row in judged if normalised(row.claim) in held]
        assert {row.source for row in rows} >= {"breaking_nli", "healthver_dev", "vitaminc_real", "vitaminc_synthetic"}

    def test_nor_in_the_pool(self, small_data: Path) -> None:
        held = held_out_claims(small_data)
        rows = pool_rows(small_data, seed=1)
        assert {"pool_wikipedia", "unlabelled_page", "unlabelled_figures"} == {row.source for row in rows}
        assert not [row for row in rows if normalised(row.claim) in held]

    def test_changed_figures_do_not_make_a_claim_we_report_on(
        self, small_data: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        import aver.train._mix as mix

        monkeypatch.setattr(mix, "_other_figures", lambda text, rng: LEAKED)
        rows = unlabelled_rows(small_data, seed=1)
        assert rows
        assert LEAKED not in {row.claim for row in rows}

    def test_only_the_training_folds(self, small_data: Path) -> None:
        rows = [row for row in read(small_data / "vitaminc" / "real.jsonl.gz") if row["fold"] not in TRAIN_FOLDS]
        evidences = {row["evidence"] for row in rows}
        trained = labelled_rows(small_data, seed=1) + pool_rows(small_data, seed=1)
        assert evidences
        assert not [row for row in trained if row.evidence in evidences]


class TestRows:
    def test_the_same_seed_gives_the_same_rows(self, small_data: Path) -> None:
        one, two, other = (labelled_rows(small_data, seed=seed, limit=30) for seed in (1, 1, 2))
        assert one == two
        assert one != other

    def test_limit_cuts_every_source(self, small_data: Path) -> None:
        rows = labelled_rows(small_data, seed=1, limit=3)
        counts = {source: sum(row.source == source for row in rows) for source in {row.source for row in rows}}
        assert max(counts.values()) <= 3
        assert {"edit_vitaminc", "edit_copy", "synthetic_wikipedia", "fever_elsewhere"} <= set(counts)

    def test_evaluation_sets(self, small_data: Path) -> None:
        sets = evaluation_rows(small_data)
        parts = {f"vitaminc_{part}_{fold}" for part in ("real", "synthetic") for fold in (7, 8)}
        assert set(sets) == set(EVALUATION) | parts
        assert all(row.label is not None for rows in sets.values() for row in rows)

    def test_rationale_is_what_the_counterpart_has_not(self, small_data: Path) -> None:
        row = next(row for row in labelled_rows(small_data, seed=1) if row.source == "vitaminc_real")
        assert row.label in (Label.SUPPORTS, Label.REFUTES)
        assert row.spans is not None
        assert [row.evidence[a:b].replace(",", "").isdigit() for a, b in row.spans] == [True]

    def test_changed_words(self) -> None:
        text = "It sold 1,200 copies in May , they say ."
        assert [text[a:b] for a, b in spans(text, "It sold 1,300 copies in June , they say .")] == ["1,200", "May"]
        assert spans(text, text) == ()


def test_every_missing_file_is_named_at_once(small_data: Path, tmp_path: Path) -> None:
    check_data(small_data)
    with pytest.raises(InputError) as caught:
        check_data(tmp_path)
    assert len(caught.value.problems) == len(FILES)


def test_files_of_another_shape_are_named(small_data: Path, tmp_path: Path) -> None:
    shutil.copytree(small_data, tmp_path / "data")
    (tmp_path / "data/climate_fever/climate-fever.jsonl").write_text('{"claim": 1\n')
    write(tmp_path / "data/vitaminc/real.jsonl.gz", [{"claim": "c", "evidence": "e", "label": "SUPPORTS"}])
    write(tmp_path / "data/pairs/snli_dev.jsonl.gz", [])
    with pytest.raises(InputError) as caught:
        check_data(tmp_path / "data")
    said = "\n".join(caught.value.problems)
    assert len(caught.value.problems) == 3
    assert "climate-fever.jsonl line 1: broken JSON" in said
    assert "real.jsonl.gz: its first row has no case_id, page, fold" in said
    assert "snli_dev.jsonl.gz: its first row has no claim, evidence, label" in said


def test_a_missing_file_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--data or AVER_DATA"):
        list(read(tmp_path / "pairs" / "x.jsonl.gz"))


def test_sources_carry_their_licence(small_data: Path) -> None:
    counts = {"pool_wikipedia": 3, "litl_train": 2, "snli_dev": 1, "unlabelled_page": 1, "empty": 0}
    rows = data_sources(small_data, counts)
    assert [row["source"] for row in rows] == ["litl_train", "pool_wikipedia", "snli_dev", "unlabelled_page"]
    assert [row["licence"] for row in rows][:2] == [NOT_STATED, "CC BY-SA 3.0"]
