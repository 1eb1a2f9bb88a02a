"""Which words of a claim the evidence does not bear out: told by models whose card says they learnt it."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from aver.errors import ModelError
from aver.models import load_judge, open_folder
from aver.models._onnx import OnnxJudge
from aver.models._pieces import Pieces, Window
from aver.models._windowed import Answer, _unsupported
from aver.text import words

Make = Callable[..., Path]


def test_a_number_for_each_word_of_the_claim(make_model: Make) -> None:
    judge = OnnxJudge(open_folder(make_model(card={"claim_marks": True})))
    assert judge.marks_claims
    claim = "The bridge is no town."
    found = judge.judge_marking([(claim, "The bridge."), ("", "The bridge.")])
    marks = found[0].unsupported
    assert marks is not None
    assert len(marks) == len(words(claim))
    by_word = dict(zip((w.text for w in words(claim)), marks, strict=True))
    # the graph's logit of a token is its largest number minus 1.5: six for "no", nearly none for the others
    assert by_word["no"] == pytest.approx(1 / (1 + math.exp(-4.5)), abs=1e-6)
    assert max(mark for word, mark in by_word.items() if word != "no") < 0.25
    assert found[0].as_dict()["unsupported"] == list(marks)
    assert found[1].unsupported is None
    plain = judge.judge([(claim, "The bridge.")])[0]
    assert plain.unsupported is None
    assert "unsupported" not in plain.as_dict()
    assert plain.probabilities == found[0].probabilities


def test_a_model_that_never_learnt_it_says_nothing(make_model: Make) -> None:
    judge = OnnxJudge(open_folder(make_model()))
    assert not judge.marks_claims
    assert judge.judge_marking([("No bridge.", "A bridge.")])[0].unsupported is None


@pytest.mark.parametrize("dynamic", [False, True])
def test_batches_and_threads_change_nothing(make_model: Make, dynamic: bool) -> None:
    folder = open_folder(make_model(dynamic=dynamic, card={"claim_marks": True}))
    pairs = [(f"the tower {'no ' * (n % 5)}is {n}", "a river " * (n * 7 % 40 + 1)) for n in range(40)]
    whole = [found.unsupported for found in OnnxJudge(folder, threads=2).judge_marking(pairs)]
    alone = OnnxJudge(folder, threads=1).judge_marking(pairs, batch_tokens=1)
    turned = OnnxJudge(folder, threads=2).judge_marking(pairs[::-1], batch_tokens=100)[::-1]
    for marks, one, other in zip(whole, alone, turned, strict=True):
        assert marks == pytest.approx(one.unsupported, abs=1e-9)
        assert marks == pytest.approx(other.unsupported, abs=1e-9)


def test_the_window_that_bears_a_word_out_best_counts() -> None:
    claim, evidence = words("red tower"), words("one two")

    def window(piece: int, claim_words: list[int]) -> Window:
        return Window(0, piece, [0] * 4, [0] * 4, claim_words, [-1] * 4, "red tower", "one")

    def answer(*tokens: float) -> Answer:
        return Answer(np.array([0.5, 0.3, 0.2]), None, np.array(tokens))

    # "tower" takes two tokens: the more doubtful one speaks for it
    pieces = Pieces([window(0, [-1, 0, 1, 1]), window(1, [-1, 0, 1, 1])], (1, 2), claim, evidence, 1.0)
    found = _unsupported(pieces, [answer(1.0, 0.9, 0.2, 0.6), answer(1.0, 0.3, 0.8, 0.1)])
    assert found == (0.3, 0.6)
    unread = Pieces([window(0, [-1, 0, -1, -1])], (1, 1), claim, evidence, 1.0)
    assert _unsupported(unread, [answer(1.0, 0.9, 0.2, 0.6)]) == (0.9, 0.0)
    assert _unsupported(unread, [Answer(np.array([0.5, 0.3, 0.2]), None, None)]) is None


def test_a_long_evidence_is_read_in_windows(make_model: Make) -> None:
    judge = OnnxJudge(open_folder(make_model(card={"claim_marks": True, "max_tokens": 32})))
    found = judge.judge_marking([("The tower has no river.", "The bridge is in the town. " * 40)])[0]
    assert found.windows > 5
    assert found.unsupported is not None
    assert len(found.unsupported) == len(words("The tower has no river."))
    assert found.unsupported[3] > 0.9


@pytest.mark.parametrize(("heads", "said"), [(True, "yes"), (False, True), (True, 1)])
def test_a_card_that_says_nonsense_is_told(make_model: Make, heads: bool, said: object) -> None:
    folder = make_model(heads=heads, card={"claim_marks": said})
    with pytest.raises(ModelError, match="claim_marks is"):
        load_judge(folder)
