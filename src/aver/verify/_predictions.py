"""Verdicts as FEVER's own files have them, so that `aver score fever` takes them as they are."""

from __future__ import annotations

from typing import Any

from aver.labels import Label
from aver.verify._results import Verdict

__all__ = ["prediction"]


def prediction(verdict: Verdict) -> dict[str, Any]:
    """One row: `predicted_label` as FEVER spells it, `predicted_evidence` as [document, sentence number].

    The sentences that decide come first, since the official scorer counts five. FEVER has no DISPUTED: there
    `predicted_label` is the likelier of the two sides, and `label` keeps the verdict. It has no word for what could
    not be judged either: both are None then, since NOT ENOUGH INFO is an answer, and may be the right one.
    """
    predicted = verdict.label
    if predicted is Label.DISPUTED:
        sides = (Label.SUPPORTS, Label.REFUTES)
        predicted = max(sides, key=lambda side: verdict.probabilities[side])
    first = list(verdict.deciding)
    rest = [e for e in verdict.evidence if not any(e is d for d in first)]
    return {
        "claim": verdict.claim,
        "predicted_label": None if predicted is None else predicted.fever,
        "predicted_evidence": [[e.passage.document, e.passage.number] for e in (*first, *rest)],
        "label": None if verdict.label is None else str(verdict.label),
        "confidence": round(verdict.confidence, 6),
        "status": verdict.status,
        "model": verdict.provenance.model,
        "ranker": verdict.provenance.ranker or None,
        "quotes": [{"quote": quote.quote, "outcome": quote.outcome} for quote in verdict.quotes],
        "notes": list(verdict.notes),
    }
