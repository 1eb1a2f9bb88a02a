"""The proof from end to end, on data made for it: parts, figures, skipping, samples, the folder to work in."""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

import aver
from aver.errors import AverError, InputError
from aver.prove import PARTS, Report, prove, sample_rows
from aver.prove._sample import sample_topics

LABELS = {(row.text, row.source): row.consistent for row in sample_rows()}


def oracle(texts: Sequence[str], sources: Sequence[str]) -> list[float | None]:
    """Knows the sample by heart, and nothing else."""
    pairs = zip(texts, sources, strict=True)
    return [None if not t or not s else 0.95 if LABELS.get((t, s)) else 0.05 for t, s in pairs]


def reader(text: str, source: str) -> float:
    return float(bool(LABELS.get((text, source))))


def by_text(texts: Sequence[str], sources: Sequence[str]) -> list[float]:
    """Looks at the text alone: the paraphrases by their topic's `either`."""
    good = {topic.either for topic in sample_topics()}
    return [1.0 if text in good else 0.0 for text in texts]


@pytest.fixture(scope="module")
def whole(made_data: Path) -> Report:
    return prove(oracle, data=made_data, resamples=50)


def test_every_part_is_done_and_finds_what_is_there(whole: Report) -> None:
    assert [part.name for part in whole.parts] == list(PARTS)
    assert [part.reason for part in whole.parts if part.status != "done"] == []
    found = {part.name: part.figures for part in whole.parts}
    assert found["sample"]["auc"] == found["sample"]["flips"] == 1.0
    assert found["frank"]["pearson"] == pytest.approx(1.0)
    assert found["frank"]["baselines"] == 3
    assert found["frank"]["williams_p"] < 0.01  # type: ignore[operator]
    for half in ("cnndm", "xsum"):
        assert found["qags"][f"pearson_{half}"] == pytest.approx(1.0)
    assert found["summeval"]["summary_pearson"] > 0.8  # type: ignore[operator]
    for name in ("xsumfaith", "summedits", "vitaminc"):
        assert found[name]["balanced_accuracy"] == 1.0
    assert found["vitaminc"]["order_rate"] == found["vitaminc"]["flip_rate"] == 1.0
    assert found["reading"]["kept_without_source"] == 0.0
    assert found["calibration"]["brier"] == pytest.approx(0.0025)
    assert found["calibration"]["ece"] == pytest.approx(0.05)
    assert found["repeat"]["largest_difference"] == 0.0
    assert found["speed"]["short_per_s"] > 0  # type: ignore[operator]


def test_json_and_back(whole: Report) -> None:
    data = orjson.dumps(whole.as_dict())
    again = Report.from_dict(orjson.loads(data))
    assert orjson.dumps(again.as_dict()) == data
    assert again["frank"].main == whole["frank"].main
    with pytest.raises(InputError, match="has no part 'frnak'"):
        whole["frnak"]
    broken = orjson.loads(data)
    del broken["parts"][0]["rule"], broken["machine"]
    with pytest.raises(InputError, match="field missing"):
        Report.from_dict(broken)


def test_the_front_door_is_the_room_and_can_be_called() -> None:
    assert isinstance(aver.prove, types.ModuleType)
    report = aver.prove(oracle, parts=["sample"], resamples=0)  # type: ignore[operator]
    assert report["sample"].figures["auc"] == 1.0


def test_what_is_absent_is_skipped_with_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    report = prove(oracle, data=tmp_path, resamples=0, parts=[part for part in PARTS if part != "speed"])
    skipped = {part.name: part.reason for part in report.parts if part.status == "skipped"}
    assert set(skipped) == {"frank", "qags", "summeval", "xsumfaith", "summedits", "vitaminc"}
    assert skipped["qags"] == "QAGS is not in the data folder (no qags/)"
    assert report["reading"].status == report["calibration"].status == "done"  # on the sample alone
    with pytest.raises(InputError, match="there is no such folder"):
        prove(oracle, data=tmp_path / "no")
    monkeypatch.setenv("AVER_DATA", str(tmp_path / "gone"))
    with pytest.raises(InputError, match="AVER_DATA names"):
        prove(oracle)


@pytest.mark.parametrize(
    ("file", "data", "said"),
    [
        ("frank/benchmark_data.json", b'[{"hash": "a", "model_name": "b", "article": "x"}]', "1: has no 'summary'"),
        ("frank/benchmark_data.json", b"[{", "broken JSON"),
        ("summeval/SummEval.json", b'{"d": {"src": "x", "sys_summs": {"M": {"sys_summ": "y"}}}}', "has no 'scores'"),
        ("summeval/SummEval.json", b"[]", "expected JSON objects by name"),
        ("summedits/summedits_news.json", b'[{"id": 1, "doc": "x", "summary": "y"}]', "item 1: has no 'label'"),
        ("summedits/summedits_news.json", b'[{"id": 1, "doc": "x", "summary": "y", "label": "so"}]', "'so' is no"),
        ("xsumfaith/xsumfaith_with_docs.jsonl", b'{"bbcid": 1}\n', "line 1: has no 'system' and no 'summary'"),
        ("vitaminc/test.jsonl", b'{"label": "MAYBE", "claim": "x", "evidence": "y"}\n', "unknown label 'MAYBE'"),
        ("qags/mturk_cnndm.jsonl", b'{"article": "x"}\n', "mturk_cnndm.jsonl line 1: has no"),
    ],
)
def test_a_data_set_in_another_shape_is_told_with_the_place(
    file: str, data: bytes, said: str, tmp_path: Path, made_data: Path
) -> None:
    path = tmp_path / file
    path.parent.mkdir()
    if path.parent.name == "frank":
        people = made_data / "frank" / "human_annotations.json"
        (path.parent / people.name).write_bytes(people.read_bytes())
    path.write_bytes(data)
    with pytest.raises(InputError, match=said):
        prove(oracle, data=tmp_path, parts=[path.parent.name], resamples=0)


def test_a_metric_that_looks_at_the_text_alone_is_found_out(made_data: Path) -> None:
    report = prove(by_text, data=made_data, parts=["reading", "vitaminc", "sample"], resamples=0)
    assert report["reading"].figures["sample_kept_without_source"] == 1.0
    assert "hardly reads" in report["reading"].finding
    assert report["vitaminc"].figures["order_rate"] == 0.0
    assert report["vitaminc"].figures["ties"] == 1.0


def test_a_metric_without_skill_has_none_to_lose() -> None:
    report = prove(lambda texts, sources: [0.5] * len(texts), parts=["reading", "sample"], resamples=0)
    assert report["reading"].figures["kept_without_source"] is None
    assert "cannot be said" in report["reading"].finding
    assert report["sample"].figures["auc"] == 0.5


def test_scores_that_are_no_probabilities_have_no_calibration() -> None:
    report = prove(lambda texts, sources: [float(len(t)) for t in texts], parts=["calibration"])
    assert report["calibration"].status == "skipped"
    assert "no probabilities" in report["calibration"].reason


def test_a_metric_that_wavers_is_found_out() -> None:
    draw = np.random.default_rng(3)
    report = prove(lambda texts, sources: draw.random(len(texts)), parts=["repeat"])
    assert report["repeat"].figures["changed"] == report["repeat"].n
    assert report["repeat"].figures["variance"] > 0.01  # type: ignore[operator]
    assert report["repeat"].figures["changed_beyond_millionth"] == report["repeat"].n
    assert "moved by more than a millionth" in report["repeat"].finding
    # as does one whose answer hangs on who else is in the batch
    report = prove(lambda texts, sources: [1 / len(texts)] * len(texts), parts=["repeat"])
    runs = {row[0]: row[2] for row in report["repeat"].tables[0].rows}
    assert runs["the same again"] == runs["in another order"] == 0
    assert runs["one row at a time"] == report["repeat"].n


def test_the_last_bits_are_told_but_not_taken_for_another_answer() -> None:
    def rounding(texts: Sequence[str], sources: Sequence[str]) -> list[float | None]:
        return [None if "oven" in text else 0.5 + 1e-9 * len(texts) for text in texts]

    part = prove(rounding, parts=["repeat"])["repeat"]
    assert part.figures["changed"] > 0  # type: ignore[operator]
    assert part.figures["changed_beyond_millionth"] == 0
    assert part.finding.startswith("The same to six decimals")
    assert part.unscored == 2


def test_odd_input_ends_in_a_score_no_score_or_an_error() -> None:
    def picky(texts: Sequence[str], sources: Sequence[str]) -> list[float | None]:
        if any(not source for source in sources):
            raise ValueError("a source is needed")
        return oracle(texts, sources)

    part = prove(picky, parts=["edges"])["edges"]
    outcome = {row[0]: row[1] for row in part.tables[0].rows}
    assert outcome["empty source"].startswith("picky raised ValueError: a source is needed") or "picky" in str(
        outcome["empty source"]
    )
    assert outcome["empty text"] == "no score"
    assert outcome["a true text"] == "0.9500"
    assert part.figures["raised"] == 2
    assert "forty pages, the fact at the end" in part.finding  # it knows the sample by heart only


def test_samples_are_the_same_for_a_seed_and_whole_documents(made_data: Path) -> None:
    asked: list[tuple[str, str]] = []

    def noting(texts: Sequence[str], sources: Sequence[str]) -> list[float]:
        asked.extend(zip(texts, sources, strict=True))
        return [float(len(t) % 7) for t in texts]

    first = prove(noting, data=made_data, parts=["frank", "vitaminc", "summedits"], limit=18, resamples=0)
    assert first["frank"].n == 18
    assert first["frank"].of == 60
    assert 0 < first["vitaminc"].n <= 21
    assert {row[0] for row in first["summedits"].tables[0].rows} == {"news", "samsum"}
    once = list(asked)
    asked.clear()
    prove(noting, data=made_data, parts=["frank", "vitaminc", "summedits"], limit=18, resamples=0)
    assert asked == once
    asked.clear()
    prove(noting, data=made_data, parts=["frank", "vitaminc", "summedits"], limit=18, resamples=0, seed=1)
    assert asked != once


def test_work_is_kept_and_gone_on_with(made_data: Path, tmp_path: Path) -> None:
    calls = []

    def stops(texts: Sequence[str], sources: Sequence[str]) -> list[float | None]:
        calls.append(len(texts))
        if len(calls) == 2:
            raise KeyboardInterrupt
        return oracle(texts, sources)

    with pytest.raises(KeyboardInterrupt):
        prove(stops, data=made_data, parts=["sample"], work=tmp_path / "work")
    [kept] = (tmp_path / "work").iterdir()
    lines = kept.read_bytes().splitlines()
    assert len(lines) == calls[0]
    kept.write_bytes(kept.read_bytes() + b'{"key": "ab')  # torn by the stop
    report = prove(stops, data=made_data, parts=["sample"], work=tmp_path / "work")
    assert sum(calls[2:]) == 60 - calls[0]
    assert report["sample"].figures["auc"] == 1.0
    calls.clear()
    calls.extend([0, 0, 0])
    prove(stops, data=made_data, parts=["sample"], work=tmp_path / "work")
    assert calls == [0, 0, 0]
    kept.write_bytes(b'{"key": 5}\n')
    with pytest.raises(InputError, match="line 1: not a score"):
        prove(stops, data=made_data, parts=["sample"], work=tmp_path / "work")
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be made a folder"):
        prove(stops, parts=["sample"], work=tmp_path / "file")


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        (lambda t, s: [0.5] * (len(t) - 1), r"returned 31 scores for 32 rows \(sample .* to sample .*\)"),
        (lambda t, s: [0.5] * (len(t) - 1) + [float("nan")], r"sample .*: bad returned nan; a score is a finite"),
        (lambda t, s: [float("inf")] * len(t), r"sample .*: bad returned inf"),
        (lambda t, s: ["0.5"] * len(t), r"sample .*: bad returned '0.5'; a score is a number"),
        (lambda t, s: 0.5, r"bad returned 0.5 for 32 rows"),
        (lambda t, s: {"score": [0.5]}, r"bad returned \{'score'"),
    ],
)
def test_what_a_function_returns_wrongly_is_told_with_the_row(returned: Any, said: str) -> None:
    with pytest.raises(AverError, match=said):
        prove(returned, name="bad", call="batch", parts=["sample"])


def test_the_row_a_function_fails_on_is_named() -> None:
    def fails(texts: Sequence[str], sources: Sequence[str]) -> list[float]:
        if any("oven" in text for text in texts):
            raise RuntimeError("too hot")
        return [0.5] * len(texts)

    with pytest.raises(InputError, match=r"sample recipe, first text, source .*: .*fails raised RuntimeError: too hot"):
        prove(fails, parts=["sample"])


def test_settings_that_make_no_sense() -> None:
    with pytest.raises(InputError, match=r"unknown part 'franck'[\s\S]*the parts are: sample, frank"):
        prove(oracle, parts=["franck"])
    for wrong in ({"limit": 0}, {"seed": -1}, {"resamples": -5}):
        with pytest.raises(InputError, match=f"{next(iter(wrong))} is"):
            prove(oracle, **wrong)  # type: ignore[arg-type]


def test_a_file_of_scores_is_proved_on_frank_alone(made_data: Path, write_jsonl: Callable[..., Path]) -> None:
    people = orjson.loads((made_data / "frank" / "human_annotations.json").read_bytes())
    rows = [{"hash": r["hash"], "model_name": r["model_name"], "mine": r["Factuality"]} for r in people]
    path = write_jsonl("my.scores.jsonl", rows[:50])
    report = prove(path, data=made_data, key="mine", resamples=20)
    assert (report.kind, report.metric) == ("scores", "my.scores")
    assert report["frank"].figures["pearson"] == pytest.approx(1.0)
    assert report["frank"].unscored == 10
    assert all("a file of scores for FRANK's rows" in part.reason for part in report.parts if part.name != "frank")
    with pytest.raises(InputError, match="no record has 'score'"):
        prove(path, data=made_data)
    with pytest.raises(InputError, match=r"on FRANK alone; FRANK is not in the data folder"):
        prove(path, data=path.parent)
    with pytest.raises(InputError, match="FRANK was not among the parts asked for"):
        prove(path, data=made_data, parts=["sample"])
    rows[3]["mine"] = "high"
    with pytest.raises(InputError, match="not a number"):
        prove(write_jsonl("bad.jsonl", rows), data=made_data, key="mine")
