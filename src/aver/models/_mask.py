"""The words whose hiding turns a verdict into NOT_ENOUGH_INFO: the unsupervised rationale.

VitaminC (Schuster et al., 2021, after Shah et al., 2020) defines the rationale of a SUPPORTS or REFUTES verdict as
the smallest set of evidence words that, masked, leaves the relation NOT_ENOUGH_INFO. They learn a masker; here the
set is searched for directly: add the word that raises P(NEI) most until the verdict turns, then give back every
word the turn does not need. The judge's own mask token hides a word; a judge that has none sees the text without it.
"""

from __future__ import annotations

from collections.abc import Callable

from aver.errors import count_of
from aver.labels import Label
from aver.models._judge import Judge, refusal
from aver.results import Explanation, Judgement, RationaleWord
from aver.text import Word, words

__all__ = ["MOST_WORDS", "mask_rationale"]

MOST_WORDS = 12
"""The search ends here; a rationale longer than this explains nothing."""
_NEI = Label.NOT_ENOUGH_INFO
_CHUNK = 32
"""Sets tried at once: a long text has thousands, each as many windows as the text."""


def mask_rationale(
    judge: Judge, claim: str, evidence: str, *, progress: Callable[[int], None] | None = None
) -> Explanation:
    """Searches for the smallest set of evidence words that decides; a word's score is how much hiding it alone
    raises P(NEI). `progress` is called with the number of sets that were tried."""
    judgement = judge.judge([(claim, evidence)])[0]
    if refusal(claim, evidence) is not None or judgement.label is None:
        return Explanation(judgement, "mask", (), (), judgement.reason)
    found = words(evidence)
    claim_words = tuple(RationaleWord(*word, 0.0, False) for word in words(claim))
    if judgement.label is _NEI:
        plain = tuple(RationaleWord(*word, 0.0, False) for word in found)
        return Explanation(judgement, "mask", claim_words, plain, "the verdict is NOT_ENOUGH_INFO: no words decide it")

    candidates = [i for i, word in enumerate(found) if not word.is_punctuation]
    chosen: frozenset[int] = frozenset()
    scores = dict.fromkeys(range(len(found)), 0.0)
    turned = False
    before = judgement.probabilities[_NEI]
    while not turned and len(chosen) < min(MOST_WORDS, len(candidates)):
        left = [i for i in candidates if i not in chosen]
        tried: list[Judgement] = []
        for start in range(0, len(left), _CHUNK):
            masks = [chosen | {i} for i in left[start : start + _CHUNK]]
            tried += judge.judge_masked(claim, evidence, masks)
            if progress is not None:
                progress(len(masks))
        gains = [(_nei(t.label, t.probabilities), -i) for i, t in zip(left, tried, strict=True)]
        if not chosen:
            scores |= {i: max(0.0, gain - before) for i, (gain, _) in zip(left, gains, strict=True)}
        best = max(range(len(left)), key=gains.__getitem__)
        chosen |= {left[best]}
        turned = tried[best].label in (_NEI, None)
    if turned and len(chosen) > 1:
        chosen = _needed(judge, claim, evidence, chosen, scores)
    hidden = count_of(len(chosen), "word")
    reason = "" if turned else f"hiding {hidden} did not turn the verdict; what is marked moves it most"
    return Explanation(judgement, "mask", claim_words, _marked(found, scores, chosen), reason)


def _needed(
    judge: Judge, claim: str, evidence: str, chosen: frozenset[int], scores: dict[int, float]
) -> frozenset[int]:
    """The set without the words that the turn does not need, the lightest first."""
    for index in sorted(chosen, key=lambda i: (scores[i], i)):
        if len(chosen) > 1 and judge.judge_masked(claim, evidence, [chosen - {index}])[0].label in (_NEI, None):
            chosen -= {index}
    return chosen


def _nei(label: Label | None, probabilities: object) -> float:
    # with every word gone the text may be empty: then nothing can be judged, which is as undecided as can be
    return 1.0 if label is None else float(probabilities[_NEI])  # type: ignore[index]


def _marked(found: list[Word], scores: dict[int, float], chosen: frozenset[int]) -> tuple[RationaleWord, ...]:
    return tuple(RationaleWord(*word, scores[i], i in chosen) for i, word in enumerate(found))
