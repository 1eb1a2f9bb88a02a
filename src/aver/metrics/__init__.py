"""The field's own scorers, one small file each; every one is a measure with a card (`aver score --list`)."""

from __future__ import annotations

from aver.metrics._bleu import BLEU
from aver.metrics._bleurt import BLEURT
from aver.metrics._chrf import ChrF
from aver.metrics._fever import FEVER, explain_fever, fever
from aver.metrics._fever_explain import ClaimOutcome, FeverExplanation, Loss
from aver.metrics._flagging import Flagging
from aver.metrics._flagging_inputs import Flags, read_flags
from aver.metrics._generation import (
    GENERATION_MEASURES,
    GeneratedText,
    GenerationReport,
    Task,
    read_generation,
    score_generation,
)
from aver.metrics._rationale import Rationale
from aver.metrics._rationale_inputs import Rationales, read_rationales
from aver.metrics._rouge import ROUGE
from aver.metrics._sari import SARI
from aver.metrics._support import Judge, Support

__all__ = [
    "BLEU",
    "BLEURT",
    "FEVER",
    "GENERATION_MEASURES",
    "ROUGE",
    "SARI",
    "ChrF",
    "ClaimOutcome",
    "FeverExplanation",
    "Flagging",
    "Flags",
    "GeneratedText",
    "GenerationReport",
    "Judge",
    "Loss",
    "Rationale",
    "Rationales",
    "Support",
    "Task",
    "explain_fever",
    "fever",
    "read_flags",
    "read_generation",
    "read_rationales",
    "score_generation",
]
