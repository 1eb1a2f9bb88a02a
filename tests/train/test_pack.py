"""Rows as tokens: marks in their place, rationales on their tokens, long evidence cut. No torch."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aver.errors import InputError
from aver.labels import Label
from aver.text import Mark, compare_figures
from aver.train._answers import feeds
from aver.train._base import open_base, open_tokenizer, same_pieces
from aver.train._mix import Row, evaluation_rows
from aver.train._pack import CLAIM_TOKENS, PAIR_TOKENS, pack, with_marks
from aver.train._packed import FIRST_MARK, IGNORE, Packed

CLAIM, EVIDENCE = "It has more than 5 rooms .", "In 1999 it has 7 rooms ."


@pytest.fixture
def row() -> Row:
    at = EVIDENCE.index("7")
    return Row(CLAIM, EVIDENCE, Label.SUPPORTS, True, spans=((at, at + 1),), source="one")


def test_marks_stand_behind_the_figures(bert: Path, row: Row) -> None:
    tokenizer = open_tokenizer(bert)
    found = pack([row], tokenizer)
    claim = found.tokens[: found.claim_length[0]].tolist()
    evidence = found.tokens[found.claim_length[0] :].tolist()
    on_claim, on_evidence = compare_figures(CLAIM, EVIDENCE)
    assert len(on_claim) == 1
    assert on_evidence
    five, seven = tokenizer.token_to_id("5"), tokenizer.token_to_id("7")
    assert claim[claim.index(five) + 1] == FIRST_MARK + on_claim[0].mark
    assert evidence[evidence.index(seven) + 1] == FIRST_MARK + on_evidence[-1].mark
    plain = pack([row], tokenizer, marks=False)
    assert len(found.tokens) == len(plain.tokens) + len(on_claim) + len(on_evidence)
    marks = range(FIRST_MARK, FIRST_MARK + 24)
    assert [t for t in claim + evidence if t not in marks] == plain.tokens.tolist()


def test_rationale_lies_on_the_tokens_of_its_words(bert: Path, row: Row) -> None:
    tokenizer = open_tokenizer(bert)
    found = pack([row], tokenizer)
    assert len(found.rationale) == len(found.tokens)
    deciding = [tokenizer.id_to_token(int(t)) for t, r in zip(found.tokens, found.rationale, strict=True) if r == 1]
    assert deciding == ["7"]
    claim = found.rationale[: found.claim_length[0]]
    assert (claim == IGNORE).all(), "of the claim nothing is known"
    marks = (found.tokens >= FIRST_MARK) & (found.tokens < FIRST_MARK + 24)
    assert (found.rationale[marks] == IGNORE).all(), "a mark is no word"


def test_a_word_of_several_pieces_decides_with_all_of_them(bert: Path) -> None:
    evidence = "it drew 4,321 visitors"
    row = Row("it drew more", evidence, Label.SUPPORTS, spans=((8, 13),), source="x")
    tokenizer = open_tokenizer(bert)
    found = pack([row], tokenizer)
    pieces = [tokenizer.id_to_token(int(t)) for t, r in zip(found.tokens, found.rationale, strict=True) if r == 1]
    assert pieces == ["4", ",", "3", "##2", "##1"]


def test_without_spans_nothing_is_known(bert: Path) -> None:
    found = pack([Row("a", "b c", Label.SUPPORTS)], open_tokenizer(bert))
    assert (found.rationale == IGNORE).all()
    assert (found.relevant[0], found.factual_edit[0], found.label[0]) == (-1, -1, 0)


@given(claim=st.integers(1, 300), evidence=st.integers(1, 600))
def test_long_pairs_are_cut_to_fit(bert: Path, claim: int, evidence: int) -> None:
    found = pack([Row("the " * claim, "of " * evidence, Label.REFUTES, spans=((0, 2),))], open_tokenizer(bert))
    assert found.claim_length[0] == min(claim, CLAIM_TOKENS)
    assert found.evidence_length[0] == min(evidence, PAIR_TOKENS - min(claim, CLAIM_TOKENS))
    assert len(found.tokens) == len(found.rationale) == found.claim_length[0] + found.evidence_length[0]


def test_both_families_pack_alike(bert: Path, mpnet: Path, small_data: Path) -> None:
    assert same_pieces(open_base(str(bert)), open_base(str(mpnet)))
    rows = [row for found in evaluation_rows(small_data).values() for row in found]
    one, other = pack(rows, open_tokenizer(bert)), pack(rows, open_tokenizer(mpnet), shift=4)
    assert np.array_equal(one.tokens, other.tokens)
    assert np.array_equal(one.rationale, other.rationale)


@pytest.mark.parametrize("family", ["bert", "mpnet"])
def test_a_pair_is_laid_out_as_its_tokenizer_does(
    family: str, request: pytest.FixtureRequest, small_data: Path
) -> None:
    base = open_base(str(request.getfixturevalue(family)))
    tokenizer = open_tokenizer(base.folder)
    rows = evaluation_rows(small_data)["vitaminc_real_7"]
    found = pack(rows, tokenizer, marks=False, shift=base.shift)
    for index, feed in feeds(found, mpnet=base.mpnet):
        wanted = tokenizer.encode(rows[index[0]].claim, rows[index[0]].evidence)
        assert feed["input_ids"][0].tolist() == wanted.ids
        assert feed["attention_mask"].all()
        if not base.mpnet:
            assert feed["token_type_ids"][0].tolist() == wanted.type_ids


def test_batches_hold_every_row_once(bert: Path, small_data: Path) -> None:
    rows = [row for found in evaluation_rows(small_data).values() for row in found]
    found = pack(rows, open_tokenizer(bert))
    seen = np.concatenate([index for index, _ in feeds(found, mpnet=False, batch_tokens=300)])
    assert sorted(seen) == list(range(len(rows)))


def test_saved_and_read(bert: Path, small_data: Path, tmp_path: Path) -> None:
    rows = evaluation_rows(small_data)["symmetric"]
    found = pack(rows, open_tokenizer(bert))
    found.save(tmp_path / "rows.npz")
    again = Packed.load(tmp_path / "rows.npz")
    assert again.sources == ["symmetric"]
    assert again.counts() == {"symmetric": 12}
    assert np.array_equal(again.tokens, found.tokens)
    some = found.chosen(np.array([3, 0]))
    assert np.array_equal(some.tokens, np.concatenate([pack([rows[i]], open_tokenizer(bert)).tokens for i in (3, 0)]))
    assert len(found.chosen(np.array([], int))) == 0


def test_nothing_to_pack(bert: Path) -> None:
    with pytest.raises(InputError, match="no rows"):
        pack([], open_tokenizer(bert))


@given(st.lists(st.integers(1, 4), max_size=8), st.lists(st.integers(0, 3), max_size=5), st.data())
def test_marks_take_nothing_away(lengths: list[int], marks: list[int], data: st.DataObject) -> None:
    ends = np.cumsum([length + 1 for length in lengths]).tolist()
    offsets = [(end - length - 1, end - 1) for end, length in zip(ends, lengths, strict=True)]
    last = ends[-1] if ends else 0
    places = sorted(data.draw(st.lists(st.integers(0, last), min_size=len(marks), max_size=len(marks))))
    ids = list(range(200, 200 + len(lengths)))
    out, origin = with_marks(ids, offsets, [Mark(*mark) for mark in zip(places, marks, strict=True)])
    assert [token for token in out if token >= 200] == ids
    assert [at for at in origin if at >= 0] == list(range(len(ids)))
    assert [token - FIRST_MARK for token in out if token < 200] == marks
    for place, at in zip(places, [i for i, token in enumerate(out) if token < 200], strict=True):
        before = [origin[i] for i in range(at) if origin[i] >= 0]
        assert all(offsets[i][0] < place for i in before), "a mark stands behind what begins before its place"
