"""From readings to a verdict: figures by rule, micro-verdicts, the joint reading, the weighing, the claim's label."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from aver.agreement import claim_label
from aver.labels import Label
from aver.models import combine
from aver.results import Judgement, Probabilities
from aver.verify._figures import FigureCheck, check_figures, same_but_figures
from aver.verify._numbered import numbered_subject, speaks_of_another
from aver.verify._reading import Reading
from aver.verify._results import Evidence, FigureRole, Settings
from aver.verify._weighing import Weights, evidence_overlap, features, weigh

__all__ = ["Decision", "both_sides", "decide", "joint_word", "set_aside", "weigh_figures"]

S, R, N = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO


class Decision(NamedTuple):
    """A label, how sure it is, and what should be known about it."""

    label: Label
    confidence: float
    probabilities: Mapping[str, float]
    rule_label: Label
    notes: tuple[str, ...]
    disputed: float
    """How likely one sentence supports the claim and another refutes it."""


def weigh_figures(claim: str, reading: Reading, *, compare: bool = True) -> Evidence:
    """A reading with its figures compared by rule: what the sentence alone says.

    The rule corroborates a support whose figures agree and a refutation whose figures disagree. It overrules a
    support whose figures disagree, which then counts as a refutation: among VitaminC's sentences of fold 7 whose
    figures disagree with the claim's, 1 in 100 supports it. Where the judge sees no support though the figures agree,
    that may rest on other words and is left alone, unless there are none: the sentence has the claim word for word, and
    only writes its figures differently ("90K", "90,312"; "5 km", "3.1 miles"). Then it supports. What speaks of another
    of that name and says nothing of the claim's ("Bus 15", "Bus 12") takes no side.
    """
    judgement = reading.judgement
    probabilities: Mapping[str, float] = judgement.probabilities
    if speaks_of_another(claim, reading.passage.text, reading.passage.title):
        said, none = _silenced(probabilities), FigureCheck(None)
        return Evidence(reading.passage, N, said, judgement, reading.rank, none, "", aside=True)
    label = judgement.label or N
    figures = check_figures(claim, reading.passage.text) if compare else FigureCheck(None)
    role: FigureRole = ""
    if (label, figures.outcome) in ((S, "agrees"), (R, "disagrees")):
        role = "corroborate"
    elif (label, figures.outcome) == (S, "disagrees"):
        role, label, probabilities = "overrule", R, _turned(probabilities, S, R)
    elif label is not S and figures.outcome == "agrees" and same_but_figures(claim, reading.passage.text):
        role, label, probabilities = "overrule", S, _turned(probabilities, S, label)
    return Evidence(reading.passage, label, probabilities, judgement, reading.rank, figures, role)


def _turned(probabilities: Mapping[str, float], one: Label, other: Label) -> Mapping[str, float]:
    """The same probabilities, those of two labels exchanged."""
    return Probabilities(dict(probabilities) | {str(one): probabilities[other], str(other): probabilities[one]})


def _silenced(probabilities: Mapping[str, float]) -> Mapping[str, float]:
    """The same probabilities, the highest of them that of NOT_ENOUGH_INFO."""
    return _turned(probabilities, N, max((S, R, N), key=lambda label: probabilities[label]))


def set_aside(claim: str, evidence: Sequence[Evidence], share: float) -> list[Evidence]:
    """The same evidence; what is less than `share` as near to the claim as the nearest takes no side.

    A sentence that says all the claim does, but for its figures, is as near as can be: "in 1935" is not "in 1931".
    """
    nearest = max((e.passage.similarity for e in evidence if not e.aside), default=0.0)
    return [
        e
        if e.aside
        or e.passage.similarity >= share * nearest
        or (e.figures.comparisons and evidence_overlap(claim, e) == 1.0)
        else dataclasses.replace(e, label=N, figure_role="", aside=True)
        for e in evidence
    ]


def joint_word(evidence: Sequence[Evidence], joint: Judgement) -> Mapping[str, float]:
    """What the sentences say together; where figures overruled all of that side, they overrule this, too.

    Where none of them takes a side, as each speaks of another than the claim does, they say nothing together.
    """
    if joint.label is None:
        return joint.probabilities
    if all(e.aside for e in evidence):
        return _silenced(joint.probabilities)
    turned = {e.label for e in evidence if e.figure_role == "overrule" and e.judgement.label is joint.label}
    if len(turned) != 1 or any(e.label is joint.label for e in evidence):
        return joint.probabilities
    return _turned(joint.probabilities, joint.label, turned.pop())


def both_sides(said: Sequence[Mapping[str, float]]) -> float:
    """How likely one sentence supports the claim and another refutes it, going by what each says by itself.

    CLIMATE-FEVER's rule calls a claim DISPUTED where some sentence supports it and some other refutes it. A judge gives
    probabilities and no labels, so this is the probability that the rule would say so, sentences being independent:
    1 - P(none supports) - P(none refutes) + P(all say nothing). Two sentences are needed, and many that are half sure
    count as much as two that are sure.

    >>> sure, unsure = ({"SUPPORTS": p, "REFUTES": 0.0, "NOT_ENOUGH_INFO": 1 - p} for p in (0.9, 0.5))
    >>> turned = {"SUPPORTS": 0.0, "REFUTES": 0.8, "NOT_ENOUGH_INFO": 0.2}
    >>> [round(both_sides(said), 2) for said in ([sure], [sure, turned], [unsure, unsure, turned])]
    [0.0, 0.72, 0.6]
    """
    none = {side: math.prod(1 - p[side] for p in said) for side in (S, R)}
    return max(0.0, 1 - none[S] - none[R] + math.prod(p[N] for p in said))


def decide(
    claim: str, evidence: Sequence[Evidence], joint: Judgement, weights: Weights | None, settings: Settings
) -> Decision:
    """The claim's label from the kept sentences and their joint reading.

    It is DISPUTED where, as likely as the settings ask for, one of the sentences that take sides supports it and
    another refutes it (`both_sides`), and each side has a sentence of that label to show. Otherwise the likeliest label
    of the weighing wins. Without `weights` (the evidence was handed in, or the model has none) the sentences and their
    joint reading are combined as the windows of a long text are; so are the sentences alone where the judge gave no
    joint reading.
    """
    read = [e for e in evidence if e.probabilities]
    rule = claim_label([e.label for e in read])
    notes: list[str] = []
    together = joint_word(read, joint)
    overruled = [e for e in read if e.figure_role == "overrule"]
    if overruled:
        compared = overruled[0].figures.telling
        assert compared is not None
        notes.append(
            f"figures overruled the judge: the claim says “{compared.claim}”, the sentence “{compared.evidence}”"
        )
    another = next((e for e in read if speaks_of_another(claim, e.passage.text, e.passage.title)), None)
    if another is not None:
        theirs, ours = numbered_subject(another.passage.text), numbered_subject(claim)
        assert theirs is not None
        assert ours is not None
        notes.append(f"what is said of {theirs} takes no side: the claim is about {ours}")
    if weights is None or not together:
        rows = [[p[S], p[R], p[N]] for p in (*(e.probabilities for e in read), together) if p]
        found = combine(np.array([rows])).probabilities
        probabilities: Mapping[str, float] = Probabilities(
            {str(x): float(p) for x, p in zip((S, R, N), found, strict=True)}
        )
    else:
        probabilities = weigh(features(claim, read, together), weights)
    shown = {e.label for e in read}
    disputed = both_sides([e.probabilities for e in read if not e.aside])
    if disputed >= settings.disputed_from(weights.dispute if weights is not None else None) and {S, R} <= shown:
        return Decision(Label.DISPUTED, disputed, probabilities, rule, tuple(notes), disputed)
    label = Label(max(probabilities, key=lambda name: probabilities[name]))
    if label is not N and label not in shown:
        notes.append("no sentence decides by itself; read together they do")
    if rule is Label.DISPUTED and label in (S, R):
        notes.append("sentences stand on both sides, but one of them not surely enough for DISPUTED")
    elif label is N and rule is not N:
        notes.append("some sentence seems to decide by itself, but not surely enough once all is weighed")
    return Decision(label, probabilities[label], probabilities, rule, tuple(notes), disputed)
