"""From annotators' codes to FRANK's columns, and the ablation made of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aver.errors import InputError
from aver.frank import (
    ERRORS,
    GROUPS,
    ablate,
    check_flips,
    correlate,
    example_sentences,
    load_example,
    sentence_label,
    summary_scores,
    with_sentences,
)

CODES = ["NoE", *ERRORS, "OtherE"]
votes = st.lists(st.lists(st.sampled_from(CODES), min_size=1, max_size=3), min_size=1, max_size=5)


@pytest.mark.parametrize(
    ("marks", "label"),
    [
        ([["NoE"], ["NoE"], ["OutE"]], "NoE"),
        ([["OutE"], ["OutE"], ["NoE"]], "OutE"),
        ([["OutE"], ["EntE"], ["NoE"]], "OtherE"),  # wrong, but nobody agrees how
        ([["RelE"], ["EntE"], ["CircE"]], "OtherE"),  # one group is not one category
        ([["EntE", "OutE"], ["OutE", "EntE"], ["NoE"]], "EntE"),  # the typology's order
        ([["EntE", "OutE"], ["OutE"], ["OutE", "EntE"]], "OutE"),  # most votes
        ([["OtherE"], ["OtherE"], ["NoE"]], "OtherE"),
        ([["NoE"], ["EntE"]], "OtherE"),  # half is no majority
        ([["OutE", "OutE"], ["NoE"], ["NoE"]], "NoE"),  # a code counts once an annotator
    ],
)
def test_a_sentence_has_one_label(marks: list[list[str]], label: str) -> None:
    assert sentence_label(marks) == label


@settings(max_examples=300, deadline=None)
@given(st.lists(votes, min_size=1, max_size=8))
def test_flipped_labels_stay_within_their_bounds(summary: list[list[list[str]]]) -> None:
    scores = summary_scores([sentence_label(sentence) for sentence in summary])
    for name in [*ERRORS, *GROUPS, "Other"]:
        flipped = scores[f"Flip_{name}"]
        assert scores["Factuality"] - 1e-12 <= flipped <= scores["Factuality"] + 1 - scores[name] + 1e-12
        assert flipped == pytest.approx(scores["Factuality"] + scores["Other"] - scores[name])
        assert 0 <= scores[name] <= 1
    for group, codes in GROUPS.items():
        assert scores["Other"] - scores[group] == pytest.approx(sum(scores["Other"] - scores[code] for code in codes))
    wrong = sum(scores["Other"] - scores[group] for group in GROUPS)
    assert scores["Factuality"] + wrong + 1 - scores["Other"] == pytest.approx(1)


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text(json.dumps(rows))
    return path


def test_a_benchmarks_columns_come_from_its_sentences(tmp_path: Path) -> None:
    bench = load_example()
    file = write(tmp_path / "human_annotations_sentence.json", example_sentences())
    computed, changed = with_sentences(bench, file)
    assert changed == {}
    spoilt = bench.with_human({"Flip_OutE": bench.human["Flip_OutE"] + 0.5})
    assert len(check_flips(spoilt)) > 0
    assert "must lie between Factuality" in str(check_flips(spoilt)[0])
    mended, changed = with_sentences(spoilt, file)
    assert changed == {"Flip_OutE": len(bench)}
    assert check_flips(mended) == []
    assert mended.sources[-1].name == "human_annotations_sentence.json"
    np.testing.assert_array_equal(mended.human["Flip_OutE"], computed.human["Flip_OutE"])


def test_lists_of_annotators_are_read_too(tmp_path: Path) -> None:
    rows = example_sentences()
    for row in rows:
        row["summary_sentences_annotations"] = [list(s.values()) for s in row["summary_sentences_annotations"]]
    assert with_sentences(load_example(), write(tmp_path / "s.json", rows))[1] == {}


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda row: row.update(summary_sentences_annotations=[]), "hash doc00, system copy.*has no 'summary_sent"),
        (lambda row: row.update(summary_sentences_annotations=[{"a": ["BadE"]}]), "sentence 1: unknown code 'BadE'"),
        (lambda row: row.update(summary_sentences_annotations=[{"a": ["NoE", "OutE"]}]), "both NoE and an error"),
        (lambda row: row.update(summary_sentences_annotations=["x"]), "expected a list of codes"),
        (lambda row: row.update(hash="nobody"), "the benchmark has no such row"),
        (lambda row: row.pop("model_name"), "has no hash and model_name"),
        (lambda row: row.update(hash="doc01"), "stood already at"),
    ],
)
def test_faulty_sentences_are_named(tmp_path: Path, spoil: Callable[[dict[str, Any]], object], words: str) -> None:
    rows = example_sentences()
    spoil(rows[0])
    with pytest.raises(InputError, match=words):
        with_sentences(load_example(), write(tmp_path / "s.json", rows))


def test_every_row_without_sentences_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="hash doc00, system copy: has no sentences") as caught:
        with_sentences(load_example(), write(tmp_path / "s.json", example_sentences()[3:]))
    assert len(caught.value.problems) == 3


def test_an_ablation_is_the_difference_of_two_correlations() -> None:
    bench = load_example()
    found = ablate(bench, categories=["OutE", "Flip_EntE"], resamples=100)
    assert found.categories == ("OutE", "EntE")
    plain = {r.metric: r.r for r in correlate(bench, methods=["pearson"], resamples=0)}
    flipped = {r.metric: r.r for r in correlate(bench, methods=["pearson"], human="Flip_OutE", resamples=0)}
    for metric in found.metrics:
        row = found.contribution(metric, "OutE")
        assert row.contribution == pytest.approx(plain[metric] - flipped[metric], abs=1e-12)  # type: ignore[operator]
        assert row.low is not None
        assert row.high is not None
        assert row.low <= row.contribution <= row.high
    # Overlap was made to see what the document does not say, and nothing else
    kinds = ablate(bench, metrics=["Overlap"])
    assert max(kinds.rows, key=lambda row: row.contribution or 0).category == "Content_Verifiability_Errors"
    assert len(ablate(bench, categories=["all"]).categories) == 11
    assert ablate(bench, categories=["OtherE"]).categories == ("Other",)
    assert all(row.contribution == 0 for row in ablate(bench, categories=["OtherE"]).rows)


def test_both_correlations_of_an_ablation_are_of_the_same_rows() -> None:
    bench = load_example()
    flipped = bench.human["Flip_OutE"].copy()
    flipped[:40] = np.nan
    [row] = ablate(bench.with_human({"Flip_OutE": flipped}), metrics=["Careful"], categories=["OutE"]).rows
    rest = bench.select(where={"doc": sorted(set(bench.doc))[10:]})
    assert row == ablate(rest, metrics=["Careful"], categories=["OutE"]).rows[0]
    assert row.n == 80


def test_a_benchmark_without_flipped_labels_says_where_to_get_them() -> None:
    bench = load_example()
    import dataclasses

    bare = dataclasses.replace(bench, human={"Factuality": bench.human["Factuality"]})
    with pytest.raises(InputError, match="--sentences"):
        ablate(bare)
    with pytest.raises(InputError, match="no flipped labels for 'Beauty'"):
        ablate(bench, categories=["Beauty"])
