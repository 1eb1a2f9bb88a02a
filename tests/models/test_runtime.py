"""aver's own judges: the same answer however the work is cut, long texts read whole, bad rows answered."""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import multiprocessing
import pickle
import random
import zlib
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import aver
from aver import InputError, Judgement, Label, ModelError
from aver.models import MAX_CHARACTERS, OnnxJudge, load_judge, open_folder

Make = Callable[..., Path]


def shares(judgement: Judgement) -> np.ndarray:
    return np.array([judgement.probabilities[label] for label in ("SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO")])


def some_pairs(count: int, seed: int = 3) -> list[tuple[str, str]]:
    dice = random.Random(seed)
    # few words decide, so that logits are as large as a network's: beyond 50 a 32-bit sum has no sixth digit left
    words = "the a of in town river bridge tower is was has it more than copies sold by 1 2 3 4 5 6 7 8 9".split()
    words = [*words * 4, "yes", "no", "maybe", "hmm"]
    return [
        (" ".join(dice.choices(words, k=dice.randint(1, 9))), " ".join(dice.choices(words, k=dice.randint(1, 90))))
        for _ in range(count)
    ]


def test_the_arithmetic_is_the_graphs(make_model: Make) -> None:
    found = aver.judge("the tower", "yes", model=make_model())
    assert found.label is Label.SUPPORTS
    assert found.status == "scored"
    assert found.windows == 1
    assert found.coverage == 1.0
    expected = np.exp([6, 0, 2]) / np.exp([6, 0, 2]).sum()
    assert shares(found) == pytest.approx(expected, abs=0.02)
    assert sum(found.probabilities.values()) == pytest.approx(1, abs=1e-12)
    assert found.relevance == pytest.approx(1 / (1 + np.exp(-6)), abs=1e-6)
    assert found.model.startswith("tiny@")
    assert len(found.model) == len("tiny@") + 12


@pytest.mark.parametrize("dynamic", [False, True], ids=["fp32", "one scale a batch"])
def test_batches_order_and_threads_change_nothing(make_model: Make, dynamic: bool) -> None:
    folder = open_folder(make_model(dynamic=dynamic))
    one = OnnxJudge(folder, threads=1)
    assert one.alone is dynamic
    pairs = some_pairs(120)
    alone = [one.judge([pair])[0] for pair in pairs]
    assert len({found.label for found in alone}) > 1
    shuffled = list(range(len(pairs)))
    random.Random(1).shuffle(shuffled)
    for threads, batch_tokens in ((1, 1), (1, 4096), (2, 300), (3, 64)):
        judge = OnnxJudge(folder, threads=threads)
        together = judge.judge([pairs[i] for i in shuffled], batch_tokens=batch_tokens)
        for place, index in enumerate(shuffled):
            assert np.abs(shares(together[place]) - shares(alone[index])).max() <= 1e-6
            assert together[place].label == alone[index].label


def test_without_that_care_a_shared_scale_would_show(make_model: Make) -> None:
    judge = OnnxJudge(open_folder(make_model(dynamic=True)), threads=1)
    judge.alone = False
    pairs = some_pairs(60)
    together = judge.judge(pairs, batch_tokens=4096)
    alone = [judge.judge([pair])[0] for pair in pairs]
    assert max(np.abs(shares(a) - shares(b)).max() for a, b in zip(together, alone, strict=True)) > 1e-3


def test_several_threads_may_share_a_judge(make_model: Make) -> None:
    judge = load_judge(make_model(), threads=2)
    pairs = some_pairs(40)
    expected = judge.judge(pairs)
    with ThreadPoolExecutor(6) as pool:
        for found in pool.map(lambda _: judge.judge(pairs), range(12)):
            assert found == expected


def test_a_long_evidence_is_read_to_its_end(make_model: Make) -> None:
    folder = make_model()
    filler = ["the river is in the town ."] * 80
    for at in (0, 37, 79):
        text = [*filler]
        text[at] = "no ."
        found = aver.judge("the tower", " ".join(text), model=folder)
        assert found.label is Label.REFUTES, at
        assert found.windows > 5
        assert found.coverage == 1.0
        assert not found.conflict


def test_windows_that_contradict_each_other_are_told(make_model: Make) -> None:
    folder = make_model()
    gap = "the river is in the town . " * 30
    found = aver.judge("the tower", f"yes . {gap} no .", model=folder)
    assert found.conflict
    assert found.probabilities["SUPPORTS"] == pytest.approx(found.probabilities["REFUTES"], abs=0.05)
    assert aver.judge("the tower", f"yes . {gap} yes .", model=folder).conflict is False


def test_a_long_claim_is_supported_only_as_a_whole(make_model: Make) -> None:
    folder = make_model()
    quiet = "the tower is in the town " * 12
    # `yes` in the claim itself decides its own part only; the part without it has nothing to say
    found = aver.judge(f"yes {quiet}", "the river", model=folder)
    assert found.windows > 1
    assert found.label is Label.NOT_ENOUGH_INFO
    assert aver.judge(f"no {quiet}", "the river", model=folder).label is Label.REFUTES
    assert aver.judge(quiet, "yes the river", model=folder).label is Label.SUPPORTS


@pytest.mark.parametrize(
    ("claim", "evidence", "status", "said"),
    [
        ("", "yes", "error", "claim is empty"),
        (" \n\t", "yes", "error", "claim is empty"),
        ("?!", "yes", "error", "no words"),
        ("the tower", "", "abstained", "evidence is empty"),
        ("the tower", "…", "abstained", "no words"),
        (None, "yes", "error", "missing"),
        ("the tower", 7, "error", "a number"),
        ("the tower", "a" * (MAX_CHARACTERS + 1), "error", "1,000,001 characters"),
        ("a tower " * 20_000, "a tower " * 20_000, "error", "windows"),
    ],
)
def test_what_cannot_be_judged_is_answered(
    make_model: Make, claim: str, evidence: str, status: str, said: str
) -> None:
    judge = load_judge(make_model())
    before, found, after = judge.judge([("the tower", "yes"), (claim, evidence), ("the tower", "no")])
    assert (before.label, after.label) == ("SUPPORTS", "REFUTES")
    assert found.status == status
    assert found.label is None
    assert found.probabilities == {}
    assert found.coverage == 0.0
    assert said in found.reason


def test_a_word_of_ten_thousand_letters_and_unknown_signs_lower_the_coverage(make_model: Make) -> None:
    judge = load_judge(make_model())
    texts = ["yes " + "b" * 10_000, "yes 河", "yes \x00"]
    found = judge.judge([("the tower", texts[0]), ("the tower", texts[1]), ("the \ud800 tower", texts[2])])
    assert [f.label for f in found] == ["SUPPORTS"] * 3
    assert found[0].coverage == pytest.approx(3 / 4)
    assert found[1].coverage == pytest.approx(3 / 4)
    assert "not read" in found[0].reason
    assert all(f.status == "scored" for f in found)


def test_a_word_larger_than_a_window_is_told_not_hidden(make_model: Make) -> None:
    judge = load_judge(make_model())
    found = judge.judge([("the tower", "yes " + "b" * 90), ("yes " + "b" * 90, "the river"), ("the tower", "yes")])
    assert [f.coverage for f in found] == [pytest.approx(3 / 4), pytest.approx(3 / 4), 1.0]
    assert "longer than a window" in found[0].reason
    assert found[0].label == "SUPPORTS"
    pieces = judge._cut("the tower", "yes " + "b" * 90)  # type: ignore[attr-defined]
    assert max(len(w.ids) for w in pieces.windows) <= 64


@pytest.mark.parametrize("unread", ["b" * 3000, "b" * 3000 + " .", "河河 , 河", "b" * 90, "河 " + "b" * 90])
def test_a_text_of_which_no_word_was_read_is_not_judged(make_model: Make, unread: str) -> None:
    judge = load_judge(make_model())
    for what, pair in (("evidence", ("the tower", unread)), ("claim", (unread, "yes"))):
        found = judge.judge([pair])[0]
        assert (found.label, found.status, found.coverage) == (None, "abstained", 0.0)
        assert f"no word of the {what} was read" in found.reason
    assert aver.explain("the tower", unread, model=judge).judgement.status == "abstained"


def test_a_special_token_in_a_text_is_text(make_model: Make) -> None:
    judge = load_judge(make_model())
    assert isinstance(judge, OnnxJudge)
    pieces = judge._cut("the tower", "yes [SEP] no [MASK]")
    assert not isinstance(pieces, Judgement)
    assert pieces.windows[0].ids.count(3) == 2
    assert 4 not in pieces.windows[0].ids


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.text(max_size=80), st.text(max_size=600)), max_size=4))
def test_any_text_gets_an_answer(make_model: Make, pairs: list[tuple[str, str]]) -> None:
    folder = _once(make_model)
    for found in load_judge(folder, threads=2).judge(pairs, batch_tokens=100):
        assert found.status in ("scored", "abstained", "error")
        assert (found.label is None) == (found.status != "scored")
        assert 0 <= found.coverage <= 1
        if found.status == "scored":
            assert sum(found.probabilities.values()) == pytest.approx(1)


_FOLDER: list[Path] = []


def _once(make: Make) -> Path:
    if not _FOLDER or not _FOLDER[0].exists():
        _FOLDER[:] = [make("shared")]
    return _FOLDER[0]


def test_labels_in_another_order_and_calibration(make_model: Make) -> None:
    plain = aver.judge("the tower", "maybe", model=make_model("plain"))
    turned = ["NOT_ENOUGH_INFO", "SUPPORTS", "REFUTES"]
    other = aver.judge("the tower", "maybe", model=make_model("turned", labels=turned))
    assert shares(other) == pytest.approx(shares(plain))
    flat = aver.judge("the tower", "maybe", model=make_model("flat", card={"temperature": 10.0}))
    assert shares(flat).max() < shares(plain).max()
    moved = {"temperature": {"scale": [1, 1, 1], "bias": [5, 0, 0]}}
    assert aver.judge("the tower", "maybe", model=make_model("moved", card=moved)).label is Label.SUPPORTS


def test_weights_in_parts_are_joined_and_checked(make_model: Make) -> None:
    whole, parted = make_model("whole"), make_model("parted", parts=3)
    one, other = (aver.judge("the tower", "yes", model=f) for f in (whole, parted))
    assert one.model.split("@")[1] == other.model.split("@")[1]
    part = parted / "model.onnx.01"
    part.write_bytes(part.read_bytes()[:-1] + b"\x00\x01")
    (parted / "card.json").write_text((parted / "card.json").read_text() + " ")
    with pytest.raises(ModelError, match="damaged"):
        load_judge(parted)
    part.unlink()
    with pytest.raises(ModelError, match=r"lacks model\.onnx\.01"):
        load_judge(parted)


def test_packed_weights_are_unpacked_and_checked(make_model: Make) -> None:
    plain, packed = make_model("plain"), make_model("packed", card={"compression": "zlib"})
    graph = (plain / "model.onnx").read_bytes()
    (packed / "model.onnx").write_bytes(zlib.compress(graph))
    one, other = (aver.judge("the tower", "yes", model=f) for f in (plain, packed))
    assert one.probabilities == other.probabilities
    assert one.model.split("@")[1] == other.model.split("@")[1]
    (packed / "model.onnx").write_bytes(zlib.compress(graph)[:-20])
    (packed / "card.json").write_text((packed / "card.json").read_text() + " ")
    with pytest.raises(ModelError, match="damaged"):
        load_judge(packed)


def test_another_tokenizer_than_the_cards_is_refused(make_model: Make) -> None:
    unsaid = make_model("unsaid")
    said = hashlib.sha256((unsaid / "tokenizer.json").read_bytes()).hexdigest()
    folder = make_model("said", card={"tokenizer_sha256": said})
    assert aver.judge("the tower", "yes", model=folder).label == "SUPPORTS"
    for path in (folder, unsaid):
        file = path / "tokenizer.json"
        file.write_text(file.read_text().replace('"yes"', '"YES"').replace('"no"', '"yes"').replace('"YES"', '"no"'))
        (path / "card.json").write_text((path / "card.json").read_text() + " ")
    with pytest.raises(ModelError, match=rf"card says {said[:12]}; .*install the model again"):
        load_judge(folder)
    assert aver.judge("the tower", "yes", model=unsaid).label == "REFUTES"


def test_a_heading_before_the_evidence_is_read(make_model: Make) -> None:
    judge = load_judge(make_model())
    bare, headed = judge.judge([("the tower", "The tower has"), ("the tower", "( no ) The tower has")])
    assert bare.probabilities != headed.probabilities
    assert headed.coverage == 1.0


@pytest.mark.parametrize(
    ("card", "said"),
    [
        ({"labels": ["A", "B", "C"]}, "labels are"),
        ({"pair": "both"}, "pair is 'both'"),
        ({"temperature": 0}, "temperature is 0"),
        ({"temperature": {"scale": [1, 1], "bias": [0, 0]}}, "temperature is"),
        ({"heads": {"verdict": "logits"}}, "the graph takes"),
        ({"max_tokens": 5}, None),
    ],
)
def test_a_card_that_does_not_fit_is_told(make_model: Make, card: dict[str, object], said: str | None) -> None:
    folder = make_model(card=card)
    if said is None:
        with pytest.raises(ModelError, match="cannot read a pair"):
            load_judge(folder).judge([("the", "a")])
    else:
        with pytest.raises(ModelError, match=said):
            load_judge(folder)


def test_names_that_are_no_model(tmp_path: Path, make_model: Make) -> None:
    for name in ("defualt", ""):
        with pytest.raises(ModelError, match=f"there is no model '{name}'"):
            load_judge(name)
    for other in (None, 5):
        with pytest.raises(InputError, match="give a name, a folder or a judge that is loaded"):
            load_judge(other)  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="no such folder"):
        load_judge(tmp_path / "nowhere")
    with pytest.raises(ModelError, match=r"no card\.json"):
        load_judge(tmp_path)
    with pytest.raises(InputError, match="name the model after hf:"):
        load_judge("hf:")
    with pytest.raises(InputError, match="takes no option labels"):
        load_judge(make_model(), labels=["x"])
    (tmp_path / "tiny" / "card.json").write_text("{")
    with pytest.raises(ModelError, match="broken JSON"):
        load_judge(tmp_path / "tiny")


def test_threads_from_the_environment(make_model: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = open_folder(make_model())
    monkeypatch.setenv("AVER_THREADS", "3")
    assert OnnxJudge(folder).threads == 3
    assert OnnxJudge(folder, threads=1).threads == 1
    for wrong in ("none", "0", "-1"):
        monkeypatch.setenv("AVER_THREADS", wrong)
        with pytest.raises(InputError, match="AVER_THREADS"):
            OnnxJudge(folder)
    with pytest.raises(InputError, match="threads is 0"):
        OnnxJudge(folder, threads=0)


def test_a_model_is_loaded_once_and_again_when_it_changes(make_model: Make) -> None:
    folder = make_model()
    first = load_judge(folder, threads=1)
    assert load_judge(folder, threads=1) is first
    card = folder / "card.json"
    card.write_text(card.read_text().replace('"version": "1"', '"version": "2"'))
    assert load_judge(folder, threads=1) is not first


def test_the_front_door(make_model: Make) -> None:
    judge = load_judge(make_model())
    assert [f.label for f in aver.judge(["the tower"] * 2, ["yes", "no"], model=judge)] == ["SUPPORTS", "REFUTES"]
    assert aver.judge([], [], model=judge) == []
    with pytest.raises(InputError, match="not one of each"):
        aver.judge("the tower", ["yes"], model=judge)  # type: ignore[call-overload]
    with pytest.raises(InputError, match="the claim is missing; it must be text"):
        aver.judge(None, "yes", model=judge)  # type: ignore[call-overload]
    with pytest.raises(InputError, match="the evidence is a number; it must be text"):
        aver.judge("the tower", 5, model=judge)  # type: ignore[call-overload]
    with pytest.raises(InputError, match="a pair is"):
        judge.judge(["the tower"])  # type: ignore[list-item]


def test_the_front_door_takes_whatever_gives_texts(make_model: Make) -> None:
    judge = load_judge(make_model())
    found = aver.judge((c for c in ["the tower"] * 2), iter(["yes", "no"]), model=judge)
    assert [f.label for f in found] == ["SUPPORTS", "REFUTES"]
    for wrong, said in ((None, "None"), (7, "a number"), (b"the tower", "bytes"), ({"a": 1}, "a dictionary")):
        with pytest.raises(InputError, match=f"the claim is {said}; give two texts or two lists"):
            aver.judge(wrong, ["yes"], model=judge)  # type: ignore[call-overload]
    with pytest.raises(InputError, match="the evidence is None"):
        aver.judge(["the tower"], None, model=judge)  # type: ignore[call-overload]


def test_results_travel_between_processes_and_stay_as_they_are(make_model: Make) -> None:
    judged = aver.judge("the tower", "yes", model=make_model())
    explained = aver.explain("the tower", "yes", model=make_model("other"))
    for result in (judged, explained, Judgement.unread("error", "no claim", model="m")):
        for again in (pickle.loads(pickle.dumps(result)), copy.deepcopy(result), copy.copy(result)):
            assert again == result
            assert hash(again) == hash(result)
            assert again.as_dict() == result.as_dict()
    assert dataclasses.asdict(judged)["probabilities"] == judged.probabilities
    for change in (lambda p: p.update(SUPPORTS=0), lambda p: p.pop("SUPPORTS"), lambda p: p.__setitem__("SUPPORTS", 0)):
        with pytest.raises(TypeError, match="cannot be changed"):
            change(pickle.loads(pickle.dumps(judged)).probabilities)
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(copy.copy, explained).result() == explained
