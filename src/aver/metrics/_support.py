"""Support rate: the share of generated texts that a judge finds supported (VitaminC's f_verdict)."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import ClassVar

from aver.errors import InputError, LabelError, Problems, count_of
from aver.labels import Label
from aver.measures import Card, Measure, Score

__all__ = ["Judge", "Support"]

Judge = Callable[[Sequence[str], Sequence[str]], Sequence[object]]
"""Claims and evidences in, a label for each pair out (any spelling `Label` reads); None where it abstains."""

RATES = {"support_rate": Label.SUPPORTS, "refute_rate": Label.REFUTES, "nei_rate": Label.NOT_ENOUGH_INFO}


@dataclasses.dataclass(frozen=True)
class Support(Measure):
    """The share of claims that a judge finds supported by their evidence."""

    name: ClassVar[str] = "Support"
    reads: ClassVar[tuple[str, ...]] = ("claims", "evidences", "judge")

    judge: str | None = None
    """The judge's name, for the record; the judge itself is handed to `score`."""

    def score(self, claims: Sequence[str], evidences: Sequence[str], judge: Judge) -> Score:
        """Rates over the pairs the judge decided; how many it did not is in the notes."""
        verdicts = judged(claims, evidences, judge)
        decided = [label for label in verdicts if label is not None]
        values = {
            name: 100 * decided.count(label) / len(decided) if decided else None for name, label in RATES.items()
        }
        abstained = len(verdicts) - len(decided)
        notes = (f"the judge abstained on {abstained:,} of {count_of(len(verdicts), 'pair')}",) if abstained else ()
        return Score(str(self), values, len(decided), notes)

    def rows(
        self, claims: Sequence[str], evidences: Sequence[str], judge: Judge
    ) -> list[dict[str, str | None]]:
        """Each pair's verdict; None where the judge abstained.

        >>> Support().rows(["It is blue."], ["The sky is blue."], lambda claims, evidences: ["supports"])
        [{'verdict': 'SUPPORTS'}]
        """
        verdicts = judged(claims, evidences, judge)
        return [{"verdict": None if label is None else label.value} for label in verdicts]

    card: ClassVar[Card] = Card(
        title="Support rate",
        meaning=(
            "The share of claims that a judge, a model of fact verification, finds supported by their "
            "evidence: whether a revised sentence really agrees with the claim it was revised for, or an "
            "extracted claim with the sentence it was extracted from. It is f_verdict in the VitaminC "
            "paper, where an ALBERT model trained on VitaminC judges. The figure means nothing without its "
            "judge, so the judge's name is part of the measure's: Support(judge=NAME)."
        ),
        formula=r"100 \cdot \frac{|\{i : judge(c_i, e_i) = SUPPORTS\}|}{n}",
        range=(0.0, 100.0),
        direction="higher",
        inputs=(
            "`claims` and `evidences` (texts) and a `judge`: a function of the two lists that returns a "
            "label for each pair, or None. For revision the claim is the given one and the evidence the "
            "output; for extraction the claim is the output and the evidence the sentence after the edit"
        ),
        values={
            "support_rate": "share of pairs judged SUPPORTS, times 100",
            "refute_rate": "share judged REFUTES, times 100",
            "nei_rate": "share judged NOT_ENOUGH_INFO, times 100",
        },
        example=(
            ">>> import aver\n"
            ">>> def same_words(claims, evidences):\n"
            "...     return ['SUPPORTS' if c in e else 'NEI' for c, e in zip(claims, evidences)]\n"
            '>>> score = aver.measure("Support(judge=same_words)").score(\n'
            "...     ['six cases', 'ten cases'], ['There were six cases .'] * 2, same_words)\n"
            ">>> print(score.measure, score['support_rate'])\n"
            "Support(judge=same_words) 50.0\n"
        ),
        edge_cases=(
            "No pair, or none the judge decided: every rate is None.",
            "A pair the judge abstains on (None) is left out of the rates and counted in the notes.",
            "A judge that answers DISPUTED is counted in n and in none of the three rates.",
        ),
        limits=(
            "It is as good as its judge; a judge trained on the same data as the generator flatters it.",
            "Copying the evidence word for word is supported: read it beside SARI or ROUGE.",
        ),
        citation=(
            "Schuster, Fisch and Barzilay (2021), Get Your Vitamin C! Robust Fact Verification with "
            "Contrastive Evidence, NAACL, section 4.4 and Table 6"
        ),
    )


def judged(claims: Sequence[str], evidences: Sequence[str], judge: Judge) -> list[Label | None]:
    """What the judge says of each pair, read into labels; an InputError where it answers something else.

    >>> judged(["c"], ["e"], lambda claims, evidences: ["maybe"])
    Traceback (most recent call last):
    aver.errors.InputError: the judge's answers cannot be used (1 problem)
      - pair 1: unknown label 'maybe'
    """
    if len(claims) != len(evidences):
        both = f"{count_of(len(claims), 'claim')} but {count_of(len(evidences), 'evidence')}"
        raise InputError(f"{both}; each claim needs its own")
    if not claims:
        return []
    answers = list(judge(claims, evidences))
    if len(answers) != len(claims):
        raise InputError(
            f"the judge was given {count_of(len(claims), 'pair')} and answered {len(answers):,}; "
            "it must answer every one"
        )
    problems = Problems()
    verdicts: list[Label | None] = []
    for number, answer in enumerate(answers, 1):
        try:
            verdicts.append(None if answer is None else Label.parse(answer))
        except LabelError as error:
            problems.add(f"pair {number}", str(error).partition(";")[0])
    problems.raise_if_any("the judge's answers cannot be used")
    return verdicts
