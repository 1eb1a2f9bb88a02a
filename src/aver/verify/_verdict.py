"""From readings to a verdict: figures by rule, micro-verdicts, the joint reading, the weighing, the claim's label."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from aver.agreement import claim_label
from aver.labels import Label
from aver.results import Judgement
from aver.verify._figures import FigureCheck, check_figures
from aver.verify._reading import Reading
from aver.verify._results import Evidence, FigureRole, Settings
from aver.verify._weighing import Weights, features, weigh

__all__ = ["Decision", "decide", "weigh_figures"]

S, R, N = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO


class Decision(NamedTuple):
    """A label, how sure it is, and what should be known about it."""

    label: Label
    confidence: float
    probabilities: Mapping[str, float]
    rule_label: Label
    notes: tuple[str, ...]


def weigh_figures(claim: str, reading: Reading, *, compare: bool = True) -> Evidence:
    """A reading with its figures compared by rule: what the sentence alone says.

    The rule corroborates a support whose figures agree and a refutation whose figures disagree. It overrules a
    support whose figures disagree, which then counts as a refutation: among VitaminC's sentences of fold 7 whose
    figures disagree with the claim's, 2 in 100 support it. A refutation whose figures agree is left alone, since it
    may rest on other words.
    """
    judgement = reading.judgement
    probabilities: Mapping[str, float] = judgement.probabilities
    label = judgement.label or N
    figures = check_figures(claim, reading.passage.text) if compare else FigureCheck(None)
    role: FigureRole = ""
    if (label, figures.outcome) in ((S, "agrees"), (R, "disagrees")):
        role = "corroborate"
    elif (label, figures.outcome) == (S, "disagrees"):
        role, label, probabilities = "overrule", R, _turned(probabilities)
    return Evidence(reading.passage, label, probabilities, judgement, reading.rank, figures, role)


def _turned(probabilities: Mapping[str, float]) -> Mapping[str, float]:
    return MappingProxyType({str(S): probabilities[R], str(R): probabilities[S], str(N): probabilities[N]})


def decide(
    claim: str, evidence: Sequence[Evidence], joint: Judgement, weights: Weights | None, settings: Settings
) -> Decision:
    """The claim's label from the kept sentences and their joint reading.

    A sentence for and a sentence against, both at least as sure as `settings.dispute`, make it DISPUTED. Otherwise
    the likeliest label of the weighing wins; for a single sentence, or a model without weights, that of the joint
    reading. Where figures overruled every support, they overrule that of the joint reading too.
    """
    read = [e for e in evidence if e.probabilities]
    rule = claim_label([e.label for e in read])
    notes: list[str] = []
    together: Mapping[str, float] = joint.probabilities
    overruled = [e for e in read if e.figure_role == "overrule"]
    if overruled:
        compared = next(c for c in overruled[0].figures.comparisons if c.outcome == "disagrees")
        notes.append(
            f"figures overruled the judge: the claim says “{compared.claim}”, the sentence “{compared.evidence}”"
        )
        if joint.label is S and not any(e.label is S for e in read):
            together = _turned(together)
    if weights is None or len(read) == 1:
        probabilities = together
    else:
        numbers = features(claim, [e.probabilities for e in read], together, [e.passage.titled for e in read])
        probabilities = weigh(numbers, weights)
    best = {side: max((e.probabilities[side] for e in read if e.label is side), default=0.0) for side in (S, R)}
    weaker = min(best.values())
    if weaker >= settings.dispute:
        return Decision(Label.DISPUTED, weaker, probabilities, rule, tuple(notes))
    label = Label(max(probabilities, key=lambda name: probabilities[name]))
    if label is not N and not best[label]:
        notes.append("no sentence decides by itself; read together they do")
    if label is N and rule is not N:
        notes.append("some sentence seems to decide by itself, but not surely enough once all is weighed")
    return Decision(label, probabilities[label], probabilities, rule, tuple(notes))
