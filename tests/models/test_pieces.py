"""Cutting a pair into windows: every word in some window, every window within the limit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from aver.models._pieces import cut

WORD = st.sampled_from(["the", "tower", "bridge", "7", "yes", ".", "(", "sold", "bdefgh", "kk-ll"])
LIMIT = 40


def texts(longest: int) -> st.SearchStrategy[list[str]]:
    return st.lists(WORD, min_size=1, max_size=longest).filter(lambda text: any(map(str.isalnum, text)))


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts(120), texts(200))
def test_every_word_is_in_some_window(make_model: Callable[..., Path], claim: list[str], evidence: list[str]) -> None:
    tokenizer = _tokenizer(make_model)
    for order in ("evidence_first", "claim_first"):
        pieces = cut(" ".join(claim), " ".join(evidence), tokenizer, LIMIT, order)  # type: ignore[arg-type]
        assert all(len(w.ids) <= LIMIT for w in pieces.windows)
        assert len(pieces.windows) == pieces.shape[0] * pieces.shape[1]
        for part in range(pieces.shape[0]):
            row = [w for w in pieces.windows if w.part == part]
            read = {at for w in row for at in w.evidence_words} - {-1}
            assert read == set(range(len(pieces.evidence))), "each part of the claim is read against all the evidence"
        assert {at for w in pieces.windows for at in w.claim_words} - {-1} == set(range(len(pieces.claim)))
        assert pieces.coverage == 1.0
        if len(pieces.windows) > 1:
            # neither side starves the other: a part of the claim takes at most half of the room
            assert all(sum(at >= 0 for at in w.claim_words) <= (LIMIT - 3) // 2 for w in pieces.windows)


_MADE: list[Tokenizer] = []


def _tokenizer(make: Callable[..., Path]) -> Tokenizer:
    if not _MADE:
        _MADE.append(Tokenizer.from_file(str(make("pieces") / "tokenizer.json")))
    return _MADE[0]
