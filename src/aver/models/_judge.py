"""What every judge can do, whatever reads the texts behind it."""

from __future__ import annotations

import abc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from aver.errors import InputError, kind_of
from aver.labels import Label
from aver.results import Explanation, Judgement, Probabilities, Status

__all__ = ["ORDER", "Judge", "Method", "both", "named", "refusal"]

ORDER = (Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO)
Method = Literal["auto", "head", "mask"]


class Judge(abc.ABC):
    """Reads claims against evidence; `load_judge` gives you one.

    A judge is safe to use from several threads at once.
    """

    name: str
    """As it is asked for."""
    model: str
    """Name and content hash: `name@0123456789ab`."""
    marks_claims: bool = False
    """Whether it can tell which words of a claim the evidence does not bear out."""

    @property
    def heads(self) -> frozenset[str]:
        """What it answers: `verdict`, and maybe `relevance`, `edit`, `rationale`."""
        return frozenset({"verdict"})

    @abc.abstractmethod
    def judge(self, pairs: Iterable[tuple[str, str]], *, batch_tokens: int = 1024) -> list[Judgement]:
        """One judgement for each (claim, evidence), in their order.

        An empty claim comes back as `error`, empty evidence as `abstained`, each with a `reason`; nothing a pair
        holds stops the others. `batch_tokens` bounds how many tokens are computed at once in each thread; the
        answers do not depend on it, nor on the order of the pairs.
        """

    def judge_each(self, pairs: Iterable[tuple[str, str]], *, batch_tokens: int = 1024) -> Iterator[Judgement]:
        """As `judge`, one after the other: what was answered before a failure is not lost with it."""
        yield from self.judge(pairs, batch_tokens=batch_tokens)

    def judge_marking(self, pairs: Iterable[tuple[str, str]], *, batch_tokens: int = 1024) -> list[Judgement]:
        """As `judge`; where the judge `marks_claims`, each judgement's `unsupported` has a probability for each word
        of the claim that the evidence does not bear it out."""
        return self.judge(pairs, batch_tokens=batch_tokens)

    def explain(self, claim: str, evidence: str, *, method: Method = "auto") -> Explanation:
        """The words of the evidence that decide; see `aver.explain`."""
        from aver.models._mask import mask_rationale

        if method == "head":
            raise InputError(f"{self.model} has no token head; ask for method='mask'")
        return mask_rationale(self, claim, evidence)

    def judge_masked(self, claim: str, evidence: str, masks: Sequence[frozenset[int]]) -> list[Judgement]:
        """The judgement with some evidence words hidden (by index, as `aver.text.words` counts), for each set.

        Here the words are taken out of the text; judges that have a mask token use it instead.
        """
        from aver.text import words

        found = words(evidence)
        texts = []
        for mask in masks:
            kept, last = [], 0
            for index in sorted(mask):
                kept.append(evidence[last : found[index].start])
                last = found[index].end
            texts.append("".join([*kept, evidence[last:]]))
        return self.judge([(claim, text) for text in texts])


def both(pair: object) -> tuple[object, object]:
    """The claim and the evidence of a pair."""
    if isinstance(pair, (tuple, list)) and len(pair) == 2:
        return pair[0], pair[1]
    raise InputError(f"a pair is (claim, evidence); got {kind_of(pair, none='None')}")


def refusal(claim: object, evidence: object) -> tuple[Status, str] | None:
    """Why a pair cannot be judged, if it cannot."""
    for what, text in (("claim", claim), ("evidence", evidence)):
        if not isinstance(text, str):
            return "error", f"the {what} is {kind_of(text, none='missing')}; it must be text"
    assert isinstance(claim, str)
    assert isinstance(evidence, str)
    if not any(c.isalnum() for c in claim):
        return "error", "the claim is empty" if not claim.strip() else "the claim has no words"
    if not any(c.isalnum() for c in evidence):
        return "abstained", "the evidence is empty" if not evidence.strip() else "the evidence has no words"
    return None


def named(probabilities: NDArray[np.float64]) -> tuple[Label, Mapping[str, float]]:
    """The label and the probabilities by name, from three numbers in the order SUPPORTS, REFUTES, NEI."""
    by_name = {label.value: float(p) for label, p in zip(ORDER, probabilities, strict=True)}
    return ORDER[int(probabilities.argmax())], Probabilities(by_name)
