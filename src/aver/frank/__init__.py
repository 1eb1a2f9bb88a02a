"""Is this metric really better? Meta-evaluation of metrics against people, as FRANK does it and beyond.

Load a benchmark (`load`), put a metric beside its own (`check`, `submit`), then `correlate`, `compare` and `ablate`
it, or make a `leaderboard` page of everything.
"""

from __future__ import annotations

from aver.frank._ablation import Ablation, Contribution, ablate
from aver.frank._benchmark import Benchmark, Source
from aver.frank._compare import Comparison, Pair, compare, letters
from aver.frank._correlation import Correlation, correlate, correlation
from aver.frank._example import example_sentences, load_example
from aver.frank._leaderboard import Leaderboard, leaderboard, write_leaderboard
from aver.frank._loading import BASELINES, load, load_frank
from aver.frank._measure import PartialCorrelation
from aver.frank._plots import plot_ablation, plot_correlations, plot_scatter
from aver.frank._sentences import check_flips, sentence_label, summary_scores, with_sentences
from aver.frank._submission import Coverage, Fault, Submission, check, read_info, read_submission, submit
from aver.frank._typology import ERRORS, GROUPS, describe_error
from aver.frank._williams import Williams, holm, williams

__all__ = [
    "BASELINES",
    "ERRORS",
    "GROUPS",
    "Ablation",
    "Benchmark",
    "Comparison",
    "Contribution",
    "Correlation",
    "Coverage",
    "Fault",
    "Leaderboard",
    "Pair",
    "PartialCorrelation",
    "Source",
    "Submission",
    "Williams",
    "ablate",
    "check",
    "check_flips",
    "compare",
    "correlate",
    "correlation",
    "describe_error",
    "example_sentences",
    "holm",
    "leaderboard",
    "letters",
    "load",
    "load_example",
    "load_frank",
    "plot_ablation",
    "plot_correlations",
    "plot_scatter",
    "read_info",
    "read_submission",
    "sentence_label",
    "submit",
    "summary_scores",
    "williams",
    "with_sentences",
    "write_leaderboard",
]
