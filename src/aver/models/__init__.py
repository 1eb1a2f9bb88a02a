"""The one runtime for every judge: aver's own models, Hugging Face classifiers, T5 and language models.

`load_judge("default")` gives an object whose `judge` takes (claim, evidence) pairs and whose `explain` shows the
words that decide. Long texts are read in windows, and every judgement says what share of the words was read.
"""

from __future__ import annotations

from aver.models._card import card_markdown, card_rows
from aver.models._combine import combine
from aver.models._encoder import Encoder, load_encoder
from aver.models._encoder_onnx import OnnxEncoder
from aver.models._encoder_static import StaticEncoder
from aver.models._folder import ModelFolder, installed, open_folder
from aver.models._huggingface import HuggingFaceJudge
from aver.models._judge import Judge
from aver.models._llm import LLMJudge, Usage
from aver.models._load import load_judge
from aver.models._mask import mask_rationale
from aver.models._onnx import OnnxJudge
from aver.models._pieces import MAX_CHARACTERS, MAX_WINDOWS
from aver.models._t5 import T5Judge

__all__ = [
    "MAX_CHARACTERS",
    "MAX_WINDOWS",
    "Encoder",
    "HuggingFaceJudge",
    "Judge",
    "LLMJudge",
    "ModelFolder",
    "OnnxEncoder",
    "OnnxJudge",
    "StaticEncoder",
    "T5Judge",
    "Usage",
    "card_markdown",
    "card_rows",
    "combine",
    "installed",
    "load_encoder",
    "load_judge",
    "mask_rationale",
    "open_folder",
]
