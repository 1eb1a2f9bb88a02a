"""The field's own scorers, one small file each; every one is a measure with a card (`aver score --list`)."""

from __future__ import annotations

from aver.metrics._bleu import BLEU
from aver.metrics._bleurt import BLEURT
from aver.metrics._calibration import CalibrationReport, ReliabilityBin, calibration
from aver.metrics._calibration_measures import AURC, ECE, NLL, Brier
from aver.metrics._chrf import ChrF
from aver.metrics._classification import (
    Averages,
    Classification,
    ClassificationReport,
    ClassScores,
    classification,
)
from aver.metrics._fever import FEVER, explain_fever, fever
from aver.metrics._fever_explain import ClaimOutcome, FeverExplanation, Loss
from aver.metrics._flagging import Flagging
from aver.metrics._flagging_inputs import Flags, read_flags
from aver.metrics._flip import FlipRate, FlipReport, flip_rate
from aver.metrics._generation import (
    GENERATION_MEASURES,
    GeneratedText,
    GenerationReport,
    Task,
    read_generation,
    score_generation,
)
from aver.metrics._labelled import Labelled, read_labelled
from aver.metrics._plots import plot_confusion, plot_reliability, plot_risk_coverage
from aver.metrics._rationale import Rationale
from aver.metrics._rationale_inputs import Rationales, read_rationales
from aver.metrics._rouge import ROUGE
from aver.metrics._sari import SARI
from aver.metrics._support import Judge, Support

__all__ = [
    "AURC",
    "BLEU",
    "BLEURT",
    "ECE",
    "FEVER",
    "GENERATION_MEASURES",
    "NLL",
    "ROUGE",
    "SARI",
    "Averages",
    "Brier",
    "CalibrationReport",
    "ChrF",
    "ClaimOutcome",
    "ClassScores",
    "Classification",
    "ClassificationReport",
    "FeverExplanation",
    "Flagging",
    "Flags",
    "FlipRate",
    "FlipReport",
    "GeneratedText",
    "GenerationReport",
    "Judge",
    "Labelled",
    "Loss",
    "Rationale",
    "Rationales",
    "ReliabilityBin",
    "Support",
    "Task",
    "calibration",
    "classification",
    "explain_fever",
    "fever",
    "flip_rate",
    "plot_confusion",
    "plot_reliability",
    "plot_risk_coverage",
    "read_flags",
    "read_generation",
    "read_labelled",
    "read_rationales",
    "score_generation",
]
