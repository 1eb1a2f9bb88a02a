"""What `aver.check` gives back: a verdict with everything it rests on."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Literal

from aver.errors import Problems
from aver.labels import Label
from aver.results import Judgement, RationaleWord, Status
from aver.verify._figures import FigureCheck
from aver.verify._passages import Passage
from aver.verify._quotes import QuoteCheck

__all__ = ["Coverage", "Evidence", "FigureRole", "Provenance", "Settings", "Verdict"]

CHOSEN_DISPUTE = 0.5
"""From which probability of both sides on a claim is DISPUTED by evidence that was handed in: likelier than not. On
VitaminC's fold 7 that finds two in three of the claims with evidence on both sides. A search brings up sentences about
other things that look like both sides; there the threshold is fitted with a model's weights (`Weights.dispute`)."""
FigureRole = Literal["corroborate", "overrule", ""]


@dataclasses.dataclass(frozen=True, slots=True)
class Settings:
    """How a claim is verified; the same settings, model and texts give the same verdict.

    >>> Settings(evidence=50, sentences=10)
    Traceback (most recent call last):
    aver.errors.InputError: these settings cannot be used (1 problem)
      - evidence: is 50 and sentences is 10; what is kept is chosen from what is read
    """

    documents: int = 10
    """How many documents are looked into."""
    sentences: int = 30
    """How many of their sentences are read and ordered."""
    evidence: int = 5
    """How many sentences are kept, read by the judge one by one and together, and weighed."""
    near: float = 0.55
    """A sentence that a search brought up takes sides only from this share of the nearest one's similarity on: what
    says something about another bridge is no word on this one."""
    dispute: float | None = None
    """A claim is DISPUTED from this probability on that one sentence supports it and another refutes it; None is
    what was fitted for the model where a search brought them up, and 0.5 for evidence that was handed in."""
    abstain: float = 0.5
    """Below this confidence the verdict is marked `abstained`: the label is only the likeliest."""
    vectors: bool = True
    """Whether the static encoder helps to choose and order sentences."""
    figures: bool = True
    """Whether numbers and dates are compared by rule."""
    rationale: bool = True
    """Whether the deciding words are marked."""

    def __post_init__(self) -> None:
        problems = Problems()
        for name in ("documents", "sentences", "evidence"):
            if not isinstance(getattr(self, name), int) or getattr(self, name) < 1:
                problems.add(name, f"is {getattr(self, name)!r}; it must be a whole number, 1 or more")
        for name in ("near", "dispute", "abstain"):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, (int, float)) and 0 <= value <= 1):
                problems.add(name, f"is {value!r}; it must lie between 0 and 1")
        if not problems and self.evidence > self.sentences:
            problems.add(
                "evidence",
                f"is {self.evidence} and sentences is {self.sentences}; what is kept is chosen from what is read",
            )
        problems.raise_if_any("these settings cannot be used")

    def disputed_from(self, fitted: float | None) -> float:
        """The threshold in use: `dispute`, else the one fitted for sentences of a search, else that of chosen evidence.

        >>> Settings().disputed_from(0.85), Settings(dispute=0.7).disputed_from(0.85), Settings().disputed_from(None)
        (0.85, 0.7, 0.5)
        """
        if self.dispute is not None:
            return self.dispute
        return CHOSEN_DISPUTE if fitted is None else fitted

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return dataclasses.asdict(self)


@dataclasses.dataclass(frozen=True, slots=True)
class Evidence:
    """One of the sentences a verdict rests on, and what it says by itself."""

    passage: Passage
    label: Label
    """Its micro-verdict: what this sentence alone says, figures considered."""
    probabilities: Mapping[str, float]
    judgement: Judgement
    """What the judge said, before figures were considered."""
    rank: float
    figures: FigureCheck
    figure_role: FigureRole
    """What the comparison of figures did to the judge's word: corroborate it, overrule it, or nothing."""
    aside: bool = False
    """It is not near enough to the claim to take sides (`Settings.near`); its label is then NOT_ENOUGH_INFO."""
    rationale: tuple[RationaleWord, ...] = ()
    """The words of the sentence that decide, with their places in it; only for sentences that decide."""

    @property
    def confidence(self) -> float:
        """The probability of its label."""
        return self.probabilities[self.label] if self.probabilities else 0.0

    @property
    def words(self) -> tuple[str, ...]:
        """The deciding words."""
        return tuple(word.text for word in self.rationale)

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return self.passage.as_dict() | {
            "label": str(self.label),
            "probabilities": dict(self.probabilities),
            "relevance": self.judgement.relevance,
            "rank": self.rank,
            "aside": self.aside,
            "figures": self.figures.as_dict() | {"role": self.figure_role or None},
            "rationale": [word._asdict() for word in self.rationale],
            "judgement": self.judgement.as_dict(),
        }


@dataclasses.dataclass(frozen=True, slots=True)
class Coverage:
    """What was read, and of how much."""

    documents: int
    """Documents looked into."""
    documents_total: int
    sentences: int
    """Sentences that were read, by the ranker or, where there is no other, by the judge."""
    sentences_total: int
    """Sentences of the documents looked into."""
    words: float
    """The share of the words of those sentences, and of the claim, that could be read."""

    @property
    def share(self) -> float:
        """The share of the looked-into documents' sentences that was read."""
        return self.sentences / self.sentences_total * self.words if self.sentences_total else 0.0

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return dataclasses.asdict(self) | {"share": self.share}


@dataclasses.dataclass(frozen=True, slots=True)
class Provenance:
    """What has to be the same for the answer to be the same."""

    model: str
    source: str
    """The collection, the file, or `evidence`."""
    documents: Mapping[str, str]
    """The documents looked into, by key, with the hash of the revision that was read; none for a text."""
    weights: str
    """Which weighing of sentences was used."""
    settings: Settings
    version: str
    encoder: str = ""
    """Whose vectors the sentences were chosen with; empty where none were."""
    ranker: str = ""
    """Who read all the sentences and ordered them; empty where the judge did that itself."""

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {
            "model": self.model,
            "source": self.source,
            "documents": dict(self.documents),
            "weights": self.weights,
            "settings": self.settings.as_dict(),
            "version": self.version,
            "encoder": self.encoder or None,
            "ranker": self.ranker or None,
        }


@dataclasses.dataclass(frozen=True, slots=True)
class Verdict:
    """What a body of text says about a claim."""

    claim: str
    label: Label | None
    """None only where nothing could be judged (`status` is `error`, or `abstained` where the judge declined)."""
    probabilities: Mapping[str, float]
    """Of SUPPORTS, REFUTES and NOT_ENOUGH_INFO, calibrated; DISPUTED is decided by the sentences on both sides."""
    confidence: float
    """The probability of the label; for DISPUTED that one sentence supports the claim and another refutes it."""
    status: Status
    evidence: tuple[Evidence, ...]
    """The sentences that were kept, the one that bears most on the claim first."""
    joint: Judgement | None
    """What they say together."""
    rule_label: Label
    """What the micro-verdicts alone would make of it, by CLIMATE-FEVER's rule."""
    coverage: Coverage
    provenance: Provenance
    quotes: tuple[QuoteCheck, ...] = ()
    """What became of the words the claim quotes."""
    disputed: float = 0.0
    """How likely one of the sentences supports the claim and another refutes it, whatever the label."""
    notes: tuple[str, ...] = ()
    """What should be known: figures that overruled, sentences that only decide together, why it abstains."""
    seconds: float = dataclasses.field(default=0.0, compare=False)

    @property
    def vouched(self) -> bool:
        """Whether the text bears the claim out, surely enough, and has no words that the claim quotes otherwise."""
        altered = any(quote.outcome == "altered" for quote in self.quotes)
        return self.label is Label.SUPPORTS and self.status == "scored" and not altered

    @property
    def supporting(self) -> tuple[Evidence, ...]:
        """The sentences that support the claim, the surest first."""
        return self._on(Label.SUPPORTS)

    @property
    def refuting(self) -> tuple[Evidence, ...]:
        """The sentences that refute the claim, the surest first."""
        return self._on(Label.REFUTES)

    @property
    def deciding(self) -> tuple[Evidence, ...]:
        """The sentences the label rests on; both sides where it is DISPUTED, none where it is NOT_ENOUGH_INFO.

        Where the sentences only decide together, the two that bear most on the claim.
        """
        if self.label is Label.DISPUTED:
            return self.supporting + self.refuting
        if self.label is Label.SUPPORTS:
            return self.supporting or self.evidence[:2]
        if self.label is Label.REFUTES:
            return self.refuting or self.evidence[:2]
        return ()

    def _on(self, side: Label) -> tuple[Evidence, ...]:
        found = [evidence for evidence in self.evidence if evidence.label is side]
        return tuple(sorted(found, key=lambda evidence: -evidence.confidence))

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON: everything."""
        return {
            "claim": self.claim,
            "label": None if self.label is None else str(self.label),
            "confidence": self.confidence,
            "probabilities": dict(self.probabilities),
            "disputed": self.disputed,
            "status": self.status,
            "notes": list(self.notes),
            "quotes": [quote.as_dict() for quote in self.quotes],
            "evidence": [evidence.as_dict() for evidence in self.evidence],
            "joint": None if self.joint is None else self.joint.as_dict(),
            "rule_label": str(self.rule_label),
            "coverage": self.coverage.as_dict(),
            "provenance": self.provenance.as_dict(),
            "seconds": self.seconds,
        }
