"""The metrics of consistency as one measure with a card: `Consistency(rouge-l)`, `Consistency(aver, judge=fast)`."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from statistics import fmean
from typing import Any, ClassVar, Literal

from aver.consistency._named import metric
from aver.errors import count_of
from aver.measures import Card, Measure, Score

__all__ = ["Consistency", "MetricName"]

MetricName = Literal[
    "aver", "unieval-fact", "aver-strict", "summac-zs", "alignscore", "minicheck", "rouge-1", "rouge-2", "rouge-l",
    "bleu", "overlap", "copied-3",
]  # fmt: skip
"""As `metrics()` lists them; a test holds the two equal."""


@dataclasses.dataclass(frozen=True)
class Consistency(Measure):
    """How far texts are true to their sources, by any of the built-in metrics."""

    variant: MetricName = "aver"
    judge: str | None = None

    name: ClassVar[str] = "Consistency"
    card: ClassVar[Card] = Card(
        title="Consistency of texts with their sources",
        meaning="How far a text (a summary, an answer) is true to the source it was made from, averaged over the "
        "texts. The variant is the metric that scores each of them: aver's own, a peer's rule for turning a judge's "
        "answers into one number, UniEval-fact, or shared words as a floor. `aver prove NAME` says how far each can be "
        "trusted.",
        formula=r"\frac{1}{|T|} \sum_{t \in T} metric(t, source(t))",
        range=(0.0, 1.0),
        direction="higher",
        inputs="Texts and their sources, in the same order. In files: rows with `text` and `source` "
        "(`aver consistency FILE.jsonl`).",
        values={
            "consistency": "the mean over the texts that have a score",
            "unscored": "how many texts have none: they state nothing, or their source has no words",
        },
        example=">>> from aver.consistency import Consistency\n"
        '>>> found = Consistency("rouge-1").score(["tea is hot", "tea is cold"], ["The tea is hot."] * 2)\n'
        '>>> round(found["consistency"], 4), found["unscored"]\n'
        "(0.8333, 0.0)",
        edge_cases=(
            "A text that states nothing, or whose source has no words, has no score: it is counted and left out of the "
            "mean, never folded into it.",
            "Undefined (null) where no text has a score.",
        ),
        limits=(
            "A mean over texts hides single wrong ones: `aver consistency` names the sentences and words.",
            "The score is no probability unless the metric's calibration says so; see the figures below.",
            "Shared words cannot see a changed figure, name or negation: VitaminC's pairs show it.",
        ),
        citation="Ming Zhong and others. Towards a Unified Multi-Dimensional Evaluator for Text Generation. EMNLP 2022 "
        "(UniEval). Philippe Laban and others. SummaC. TACL 2022. Yuheng Zha and others. AlignScore. ACL 2023. Liyan "
        "Tang, Philippe Laban, Greg Durrett. MiniCheck. EMNLP 2024. Chin-Yew Lin. ROUGE. 2004.",
    )

    def score(self, texts: Sequence[str], sources: Sequence[str], **options: Any) -> Score:
        """The mean score of these texts; options as for `aver.consistency.metric`."""
        chosen = metric(self.variant, **({"judge": self.judge} if self.judge is not None else {}), **options)
        found = chosen.score(texts, sources)
        known = [one for one in found if one is not None]
        unscored = len(found) - len(known)
        left = "has no score and is" if unscored == 1 else "have no score and are"
        notes = (f"{unscored:,} of {count_of(len(found), 'text')} {left} left out of the mean",) if unscored else ()
        mean = fmean(known) if known else None
        return Score(str(self), {"consistency": mean, "unscored": float(unscored)}, len(known), notes)
