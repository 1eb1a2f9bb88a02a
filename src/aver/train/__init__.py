"""The recipes that made the shipped models, for others to run again; and the figures a judge is held to.

`train` needs the extra `train` (torch and onnx); `evaluate` needs nothing beyond aver itself.
"""

from __future__ import annotations

from aver.train._bars import Figure
from aver.train._card import machine, pairs_per_second
from aver.train._embed import train_encoder
from aver.train._evaluate import BARS, FIGURES, evaluate
from aver.train._recipe import RECIPES, STAGES
from aver.train._search import search_claims
from aver.train._train import train
from aver.train._writer import write_claims

__all__ = [
    "BARS",
    "FIGURES",
    "RECIPES",
    "STAGES",
    "Figure",
    "evaluate",
    "machine",
    "pairs_per_second",
    "search_claims",
    "train",
    "train_encoder",
    "write_claims",
]
