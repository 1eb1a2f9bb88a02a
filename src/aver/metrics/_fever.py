"""FEVER: is the label right, and does the evidence prove it? The metric card's definition and the shared task's."""

from __future__ import annotations

import dataclasses
from typing import ClassVar, Literal

from aver.errors import InputError
from aver.measures import Card, Measure, Score
from aver.metrics._fever_explain import FeverExplanation, explain_claim
from aver.metrics._fever_pairs import Pairing, Rows
from aver.metrics._fever_points import Points, card_figures, card_points, official_figures, official_points

__all__ = ["FEVER", "explain_fever", "fever"]


@dataclasses.dataclass(frozen=True)
class FEVER(Measure):
    """FEVER as a value: `FEVER(card)`, `FEVER(official)@5`.

    `at`: how many predicted sentences count, from the first. By default five for the shared task's definition
    and all for the card's; 0 means all.

    >>> print(FEVER("official"), FEVER("official", at=0), FEVER())
    FEVER(official)@5 FEVER(official)@0 FEVER(card)
    """

    variant: Literal["card", "official"] = "card"
    at: int | None = None

    name: ClassVar[str] = "FEVER"

    def __post_init__(self) -> None:
        if self.variant not in ("card", "official"):
            raise InputError(f"FEVER has no variant {self.variant!r}; there are: card, official")
        if self.at is not None and (not isinstance(self.at, int) or self.at < 0):
            raise InputError(f"FEVER's cut-off is {self.at!r}; it must be a whole number, 0 for all predictions")
        if self.variant == "official" and self.at is None:
            object.__setattr__(self, "at", 5)
        if self.variant == "card" and self.at == 0:
            object.__setattr__(self, "at", None)

    def score(self, predictions: Rows, references: Rows | None = None) -> Score:
        """The five figures; see the card for what may be handed in.

        >>> guess = [{"id": 7, "predicted_label": "SUPPORTS", "predicted_evidence": [["Paris", 0], ["Lyon", 2]]}]
        >>> gold = [{"id": 7, "label": "SUPPORTS", "evidence": [[[None, None, "Paris", 0]]]}]
        >>> FEVER("official").score(guess, gold)["evidence_precision"]
        0.5
        """
        pairing = Pairing(predictions, references)
        at = self.at or None
        figures = official_figures if self.variant == "official" else card_figures
        n, values = figures(pairing, at)
        return Score(str(self), values, n, tuple(pairing.notes))

    def explain(self, predictions: Rows, references: Rows | None = None) -> FeverExplanation:
        """The figures, and for every claim, in the order of the predictions, which points it lost and why.

        >>> guess = [{"label": "SUPPORTED", "evidence": ["E1"]}]
        >>> gold = [{"label": "SUPPORTED", "evidence_sets": [["E1", "E2"]]}]
        >>> for loss in FEVER().explain(guess, gold).claims[0].lost:
        ...     print(loss.kind, "-", loss.why)
        incomplete_set - no evidence set is complete; the nearest lacks: E2
        missed_evidence - gold sentences not predicted: E2
        """
        pairing = Pairing(predictions, references)
        at = self.at or None
        # out-of-order rows come when both sides have been seen; people read them in the order they wrote them
        pairs = sorted(pairing, key=lambda pair: pair.number)
        points = official_points if self.variant == "official" else card_points
        figures = official_figures if self.variant == "official" else card_figures
        claims = [explain_claim(p, Points(*points(p, at)), self.variant, at) for p in pairs]
        n, values = figures(pairs, at)
        return FeverExplanation(Score(str(self), values, n, tuple(pairing.notes)), tuple(claims))

    card: ClassVar[Card] = Card(
        title="FEVER: labels and evidence of verified claims",
        meaning=(
            "How well a system verifies claims and finds the sentences that prove it. `fever_score` is the share of "
            "claims whose label is right and whose predicted evidence holds at least one complete gold set. There "
            "are two definitions in use, and they differ: `FEVER(card)` is that of the metric card of the Hugging "
            "Face `evaluate` library (all predictions, evidence pooled over all claims), `FEVER(official)@5` that "
            "of the FEVER shared task's scorer (first five predictions, evidence averaged over claims, recall of "
            "complete sets, NOT ENOUGH INFO exempt). Say which one you report."
        ),
        formula=(
            "P_i: distinct predictions of claim i, G_i: its distinct gold sentences, n claims\n"
            "fever_score         = #{i: label right and some gold set ⊆ P_i} / n\n"
            "label_accuracy      = #{i: label right} / n\n"
            "card:      precision = Σ|P_i ∩ G_i| / Σ|P_i|        recall = Σ|P_i ∩ G_i| / Σ|G_i|\n"
            "official:  over the claims whose gold label is not NOT ENOUGH INFO,\n"
            "           precision = mean of (predictions in G_i) / (predictions), repeats counted, first `at` only\n"
            "           recall    = share whose first `at` predictions hold a complete gold set\n"
            "evidence_f1         = 2 · precision · recall / (precision + recall)"
        ),
        range=(0.0, 1.0),
        direction="higher",
        inputs=(
            "Predictions and references: files of JSON lines (also .gz, a JSON array, or `-`), or dictionaries.\n\n"
            "- A prediction has `predicted_label` (or `label`) and `predicted_evidence` (or `evidence`): a list of "
            "sentences as strings, or of `[page, line]` pairs, the best first.\n"
            "- A reference has `label` and `evidence_sets` (or `evidence`): a list of sets, each a list of strings, "
            "of `[page, line]` or of `[annotation id, evidence id, page, line]`.\n"
            "- A claim that is NOT ENOUGH INFO may leave its evidence out, on either side.\n"
            "- Rows that carry both prediction and gold are scored without references.\n\n"
            "Rows match by `id` where both sides have ids, in any order. Where a side has none, or the same id on "
            "every row (as the gold file released with the official scorer), rows match by position, both sides "
            "must be as long, and a note in the result says so."
        ),
        values={
            "fever_score": "label right and a complete evidence set found (official: `strict_score`)",
            "label_accuracy": "label right (official: `label_accuracy`)",
            "evidence_precision": "card: pooled (micro); official: mean over claims (`precision`)",
            "evidence_recall": "card: pooled (micro); official: share of claims with a complete set (`recall`)",
            "evidence_f1": "harmonic mean of the two (official: `f1`)",
        },
        example=(
            '>>> from aver.metrics import fever\n'
            '>>> predictions = [{"label": "SUPPORTED", "evidence": ["E3", "E4"]}]\n'
            '>>> references = [{"label": "SUPPORTED", "evidence_sets": [["E1", "E2"], ["E3", "E4"]]}]\n'
            '>>> for name, value in fever(predictions, references).values.items():\n'
            '...     print(f"{name:18} {value:.4f}")\n'
            'fever_score        1.0000\n'
            'label_accuracy     1.0000\n'
            'evidence_precision 1.0000\n'
            'evidence_recall    0.5000\n'
            'evidence_f1        0.6667\n'
            '>>> fever(predictions, references, official=True)["evidence_recall"]\n'
            '1.0'
        ),
        edge_cases=(
            "A claim rightly called NOT ENOUGH INFO whose gold has no evidence earns its point in both definitions. "
            "The `evaluate` metric gives 0 when `evidence_sets` is empty and 1 when it holds one empty set.",
            "Labels are read in every spelling aver knows. The `evaluate` metric compares them as they are "
            "(`supports` is wrong for `SUPPORTS`); the official scorer takes `NOT_ENOUGH_INFO` with underscores for "
            "a label that needs evidence. An unknown label is an error here.",
            "Precision and recall both 0: F1 is 0. The official scorer divides by zero.",
            "Nothing to score (no rows) is an error. The `evaluate` metric answers 0, the official scorer divides "
            "by zero.",
            "A `predicted_label` of null says that the claim could not be judged (`aver check --claims` writes it): it "
            "is never right, whatever the gold label, and a note tells how many there are. The official scorer stops "
            "at it.",
            "No sentence predicted at all: precision is 0 by the card; by the shared task such a claim has "
            "precision 1. No gold sentence at all: recall is 0.",
            "Official, every claim NOT ENOUGH INFO: precision 1 and recall 0, as in the official scorer.",
            "A claim that needs evidence but has no gold set can earn no `fever_score`; its official recall is 1.",
            "A gold sentence without a line number (null) can be predicted by nobody: its set is never complete, "
            "and it is not counted among the gold sentences.",
            "The card compares sentences without case and outer space, and `[page, line]` as text; the official "
            "definition compares them exactly. Python tuples are accepted for pairs, and a line number written as a "
            "string is read as a number; the official scorer stops at both. JSON's `true` for a line is 1 to the "
            "official definition, as in its scorer, and no number to the card's.",
            "Strings on one side and `[page, line]` pairs on the other cannot match: an error, not a score of 0.",
            "A repeated prediction counts once by the card, every time by the shared task.",
            "Unequal lengths are an error; the `evaluate` metric drops the surplus rows when called directly.",
            "A flat list where sets are expected is an error; the `evaluate` metric would read a string as a set "
            "of letters.",
            "Input is never changed; the official scorer writes the gold into the predictions it is given.",
        ),
        limits=(
            "The fourth example of the `evaluate` card prints an F1 of 0.5; its own code, and ours, give 0.6667.",
            "Only complete sets earn points: one missing sentence of three is as bad as three.",
            "Gold sets are what annotators found. A right sentence they did not list counts as wrong.",
            "Micro averages weigh claims with much evidence more; the card's precision also counts what is "
            "predicted for NOT ENOUGH INFO claims as wrong.",
            "Figures of the two definitions cannot be compared with each other, nor at different cut-offs.",
        ),
        citation=(
            "James Thorne, Andreas Vlachos, Christos Christodoulopoulos and Arpit Mittal. 2018. FEVER: a Large-scale "
            "Dataset for Fact Extraction and VERification. NAACL-HLT, pages 809–819."
        ),
    )  # fmt: skip


def fever(
    predictions: Rows, references: Rows | None = None, *, official: bool = False, at: int | None = None
) -> Score:
    """Scores labels and evidence: `FEVER(card)`, or with `official` the shared task's `FEVER(official)@5`.

    `at` is how many predicted sentences count (0: all). Rows are dictionaries, or a file of JSON lines.

    >>> guess = [{"label": "SUPPORTED", "evidence": ["E1"]}]
    >>> gold = [{"label": "SUPPORTED", "evidence_sets": [["E1", "E2"]]}]
    >>> fever(guess, gold)["evidence_recall"]
    0.5
    """
    return FEVER("official" if official else "card", at).score(predictions, references)


def explain_fever(
    predictions: Rows, references: Rows | None = None, *, official: bool = False, at: int | None = None
) -> FeverExplanation:
    """As `fever`, with every claim's lost points and the reasons.

    >>> guess = [{"id": "a", "label": "REFUTED", "evidence": ["E1"]}]
    >>> gold = [{"id": "a", "label": "SUPPORTED", "evidence_sets": [["E1"]]}]
    >>> explain_fever(guess, gold).claims[0].lost[0].why
    'predicted REFUTES, gold SUPPORTS'
    """
    return FEVER("official" if official else "card", at).explain(predictions, references)
