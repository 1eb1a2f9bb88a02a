"""Marks of compared figures: where they stand in what a model reads, and that nothing else moves."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.models.conftest import make_tokenizer

from aver.errors import ModelError
from aver.models import load_judge
from aver.models._pieces import cut
from aver.text import MARKS, compare_figures

FIRST = 1000
CLAIM, EVIDENCE = "it sold more than 5 copies .", "the town sold 7 copies in 2 bridge"


def spoken(ids: list[int]) -> list[str]:
    tokenizer = make_tokenizer()
    return [f"<{i - FIRST}>" if i >= FIRST else str(tokenizer.id_to_token(i)) for i in ids]


@pytest.mark.parametrize("order", ["claim_first", "evidence_first"])
def test_a_mark_stands_behind_its_figure_on_its_own_side(order: str) -> None:
    pieces = cut(CLAIM, EVIDENCE, make_tokenizer(), 64, order, first_mark=FIRST)  # type: ignore[arg-type]
    window = pieces.windows[0]
    claim = "it sold more than 5 <0> copies .".split()
    evidence = "the town sold 7 <8> copies in 2 <4> bridge".split()
    first, second = (claim, evidence) if order == "claim_first" else (evidence, claim)
    assert spoken(window.ids) == ["[CLS]", *first, "[SEP]", *second, "[SEP]"]
    assert window.types == [0] * (len(first) + 2) + [1] * (len(second) + 1)
    marked = [at for at, token in enumerate(window.ids) if token >= FIRST]
    assert all(window.claim_words[at] == -1 and window.evidence_words[at] == -1 for at in marked)


def test_a_mark_at_the_end_of_a_side_stays_on_it() -> None:
    window = cut("it has 5", "the town has 5", make_tokenizer(), 64, "claim_first", first_mark=FIRST).windows[0]
    assert spoken(window.ids) == "[CLS] it has 5 <0> [SEP] the town has 5 <6> [SEP]".split()
    assert window.types == [0] * 6 + [1] * 6


texts = st.lists(
    st.sampled_from("the town has 5 copies sold more than 7 9 3 river , .".split()), min_size=1, max_size=40
).filter(lambda text: any(map(str.isalnum, text)))


@given(texts, texts, st.integers(16, 64))
def test_without_its_marks_a_marked_window_is_the_plain_one(claim: list[str], evidence: list[str], room: int) -> None:
    pair = " ".join(claim), " ".join(evidence)
    plain = cut(*pair, make_tokenizer(), room, "claim_first")
    marked = cut(*pair, make_tokenizer(), room, "claim_first", first_mark=FIRST)
    assert marked.coverage == plain.coverage
    for with_marks, without in zip(marked.windows, plain.windows, strict=True):
        kept = [at for at, token in enumerate(with_marks.ids) if token < FIRST]
        for column in ("ids", "types", "claim_words", "evidence_words"):
            assert [getattr(with_marks, column)[at] for at in kept] == getattr(without, column)
        on_claim, on_evidence = compare_figures(with_marks.claim, with_marks.evidence)
        found = [token - FIRST for token in with_marks.ids if token >= FIRST]
        most = room // 4  # a side has no more marks than a quarter of the room
        assert found == [mark.mark for mark in (*on_claim[:most], *on_evidence[:most])]
        assert len(with_marks.ids) <= room * 3 // 2


def test_a_card_with_marks_makes_the_judge_use_them(make_model: Callable[..., Path]) -> None:
    judge = load_judge(make_model(card={"marks": {"first_id": 5, "count": MARKS}}))
    plain = load_judge(make_model("plain"))
    assert judge.judge([(CLAIM, EVIDENCE)])[0].probabilities != plain.judge([(CLAIM, EVIDENCE)])[0].probabilities
    assert (
        judge.judge([("it is", "the town")])[0].probabilities == plain.judge([("it is", "the town")])[0].probabilities
    )


def test_a_card_says_whether_the_model_knows_units(make_model: Callable[..., Path]) -> None:
    pair = "it has 5 km", "the town has 5 miles"
    marks = {"first_id": 5, "count": MARKS}
    without, with_units = (
        load_judge(make_model(name, card={"marks": said, "pair": "claim_first"}))
        for name, said in (("numbers", marks), ("units", marks | {"units": True}))
    )
    assert without.judge([pair])[0].probabilities != with_units.judge([pair])[0].probabilities


def test_a_card_says_whether_the_model_knows_periods(make_model: Callable[..., Path]) -> None:
    pair = "it was in the 1990s", "the town was in 1850"
    marks = {"first_id": 5, "count": MARKS, "units": True}
    without, with_periods = (
        load_judge(make_model(name, card={"marks": said, "pair": "claim_first"}))
        for name, said in (("years", marks), ("periods", marks | {"periods": True}))
    )
    assert without.judge([pair])[0].probabilities != with_periods.judge([pair])[0].probabilities


@pytest.mark.parametrize(
    "marks",
    [{"first_id": 5, "count": 7}, {"first_id": 10**6, "count": MARKS}, {"count": MARKS}, 5,
     {"first_id": 5, "count": MARKS, "units": "yes"}, {"first_id": 5, "count": MARKS, "periods": 1}],
)  # fmt: skip
def test_marks_of_another_kind_are_refused(make_model: Callable[..., Path], marks: object) -> None:
    with pytest.raises(ModelError, match="marks are"):
        load_judge(make_model(card={"marks": marks}))


def test_hiding_a_figure_hides_how_it_compares(make_model: Callable[..., Path]) -> None:
    judge = load_judge(make_model(card={"marks": {"first_id": 5, "count": MARKS}, "pair": "claim_first"}))
    shown: list[list[int]] = []
    run = judge._run  # type: ignore[attr-defined]
    judge._run = lambda windows, **options: shown.extend(w.ids for w in windows) or run(windows, **options)  # type: ignore[attr-defined]
    judge.judge_masked("it sold 5", "the town sold 7 copies", [frozenset({3})])
    tokenizer = make_tokenizer()
    assert [tokenizer.id_to_token(i) for i in shown[0]][-4:] == ["[MASK]", "[MASK]", "copies", "[SEP]"]


@pytest.mark.parametrize("order", ["claim_first", "evidence_first"])
@pytest.mark.parametrize("hidden", [3, 4])
def test_hiding_a_number_or_its_unit_hides_how_the_measure_compares(
    make_model: Callable[..., Path], order: str, hidden: int
) -> None:
    judge = load_judge(make_model(card={"pair": order}))
    pieces = cut("it has 5 km", "the town has 5 miles .", make_tokenizer(), 64, order, first_mark=FIRST)  # type: ignore[arg-type]
    window = pieces.windows[0]
    assert [window.ids[at] >= FIRST for at in window.figures] == [True]
    left = judge._hidden(window, frozenset({hidden}), 0)  # type: ignore[attr-defined]
    assert [token >= FIRST for token in left].count(True) == 1, "the claim's letter stays"
    assert left.count(0) == window.evidence_words.count(hidden) + 1


def test_a_text_full_of_figures_is_read_without_outgrowing_the_model(make_model: Callable[..., Path]) -> None:
    judge = load_judge(make_model(card={"marks": {"first_id": 5, "count": MARKS}}))
    answer = judge.judge([("it has 1 and 2 and 3 and 4", " ".join(str(n % 9 + 1) for n in range(400)))])[0]
    assert answer.status == "scored"
    assert answer.coverage == 1.0
