"""Generated text against references: revised sentences and extracted claims, from two files to one report."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from aver.errors import InputError, Problems, kind_of
from aver.measures import Measure, Score
from aver.metrics._bleu import BLEU
from aver.metrics._matching import STATUSES, match_records, read_both, read_status
from aver.metrics._rouge import ROUGE
from aver.metrics._sari import SARI
from aver.metrics._sentences import LONGEST
from aver.metrics._support import Judge
from aver.records import Record

__all__ = [
    "GENERATION_MEASURES",
    "GeneratedText",
    "GenerationReport",
    "Task",
    "read_generation",
    "score_generation",
]

Task = Literal["revision", "extraction"]

GENERATION_MEASURES: tuple[Measure, ...] = (ROUGE("2"), BLEU(), SARI())
"""The token measures of Table 6 of the VitaminC paper."""

# Where each task's references keep the text that was edited, and the text that a judge holds the claim against.
SOURCES: Mapping[Task, tuple[str, ...]] = {
    "revision": ("source", "before"),
    "extraction": ("source", "after", "evidence"),
}
EVIDENCE = ("evidence", "after", "source")
# What a null prediction is: a reviser that declines, an extractor that finds nothing to claim.
EMPTY: Mapping[Task, str] = {"revision": "abstained", "extraction": "no_claims"}


@dataclasses.dataclass(frozen=True, slots=True)
class GeneratedText:
    """One output, what it is compared with, and the pair a judge reads."""

    id: str
    place: str
    status: str
    """`scored`, or why not: `no_claims`, `abstained`, `error`."""
    prediction: str
    references: tuple[str, ...]
    source: str | None = None
    claim: str | None = None
    evidence: str | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class GenerationReport:
    """The scores, and what became of every row."""

    scores: tuple[Score, ...]
    status: Mapping[str, int]
    rows: tuple[Mapping[str, Any], ...]
    """Each row's id, status and own figures by measure; empty unless asked for."""

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON."""
        return {"status": dict(self.status), "scores": [score.as_dict() for score in self.scores]}


def score_generation(
    rows: Sequence[GeneratedText],
    measures: Sequence[Measure] = GENERATION_MEASURES,
    *,
    judge: Judge | None = None,
    folder: str | os.PathLike[str] | None = None,
    per_row: bool = False,
    progress: Callable[[int], None] | None = None,
) -> GenerationReport:
    """Scores the rows whose status is `scored`; the others are counted, and enter no mean.

    `judge` is what `Support` asks, `folder` the checkpoint that `BLEURT` loads; `progress` is called with 1 after
    each measure.

    >>> row = GeneratedText("1", "row 1", "scored", "six cases", ("six cases",), source="five cases")
    >>> report = score_generation([row], [SARI("hf")])
    >>> report.scores[0]["sari"], report.status["scored"]
    (100.0, 1)
    """
    scored = [row for row in rows if row.status == "scored"]
    columns: dict[str, Any] = {
        "predictions": [row.prediction for row in scored],
        "references": [row.references for row in scored],
        "sources": [row.source for row in scored],
        "claims": [row.claim for row in scored],
        "evidences": [row.evidence for row in scored],
    }
    _check_needs(scored, measures, judge, folder)
    if judge is not None and any("judge" in _reads(measure) for measure in measures):
        answers = list(judge(columns["claims"], columns["evidences"])) if scored else []
        columns["judge"] = lambda claims, evidences: answers  # asked once, read for the rates and the rows
    columns["folder"] = folder
    scores, figures = [], []
    for measure in measures:
        inputs = {name: columns[name] for name in _reads(measure)}
        scores.append(measure.score(**inputs))
        if per_row:
            figures.append(iter(measure.rows(**inputs)))  # type: ignore[attr-defined]
        if progress is not None:
            progress(1)
    own = []
    for row in rows if per_row else ():
        named = zip(measures, figures, strict=True) if row.status == "scored" else ()
        own.append({"id": row.id, "status": row.status, **{str(measure): next(its) for measure, its in named}})
    status = {name: sum(row.status == name for row in rows) for name in STATUSES}
    return GenerationReport(tuple(scores), status, tuple(own))


def _reads(measure: Measure) -> tuple[str, ...]:
    reads: tuple[str, ...] = getattr(measure, "reads", ())
    if "predictions" not in reads and "claims" not in reads:
        raise InputError(f"{measure} does not score generated text; BLEU, BLEURT, chrF, ROUGE, SARI and Support do")
    return reads


def _check_needs(
    rows: Sequence[GeneratedText],
    measures: Sequence[Measure],
    judge: Judge | None,
    folder: str | os.PathLike[str] | None,
) -> None:
    problems = Problems()
    for measure in measures:
        reads = _reads(measure)
        if "judge" in reads and judge is None:
            problems.add(str(measure), "needs a judge: a function of claims and evidences (--model NAME)")
        if "folder" in reads and folder is None:
            problems.add(str(measure), "needs the folder of a BLEURT checkpoint (--bleurt FOLDER)")
        for need, field in (("sources", "source"), ("claims", "claim"), ("evidences", "evidence")):
            for row in rows if need in reads else ():
                if getattr(row, field) is None:
                    problems.add(row.place, f"has no {field!r}, which {measure} reads")
    problems.raise_if_any("the measures lack what they read")


def read_generation(
    task: Task,
    predictions: str | os.PathLike[str],
    references: str | os.PathLike[str],
    *,
    notes: list[str] | None = None,
) -> list[GeneratedText]:
    """Reads and matches two JSON-lines files; one InputError lists everything that is wrong with them.

    Predictions have `prediction` (null: the system gave none), and may have `id`, `status` and `source`.
    References have `references` (a list) or `reference`, and as the task asks: for revision `source` and, for a
    judge, `claim`; for extraction `after` (or `evidence`), the reference being called `claim` if you like. `notes`
    gets what should be known of how rows were matched.
    """
    problems = Problems()
    said, gold = read_both(predictions, references)
    if any("prediction" in record.fields for record in gold) and not any("prediction" in r.fields for r in said):
        raise InputError(f"{predictions} has no 'prediction' and {references} has: are the two files swapped?")
    rows = [
        _row(task, name, prediction, reference, problems)
        for name, prediction, reference in match_records(said, gold, problems, notes=[] if notes is None else notes)
    ]
    problems.raise_if_any(f"the {task} predictions cannot be scored")
    return rows


def _row(task: Task, name: str, said: Record, gold: Record, problems: Problems) -> GeneratedText:
    if "prediction" not in said.fields and not said.fields.get("status") and not said.fields.get("error"):
        problems.add(said.place, "has no 'prediction'; write null where the system gave none")
    prediction = _text(said, "prediction", problems)
    empty = EMPTY[task] if prediction is None or (task == "extraction" and not prediction.strip()) else None
    status = read_status(said.fields, said.place, problems, empty=empty)
    references = _references(task, gold, problems)
    source = _first(gold, SOURCES[task], problems)
    own = _text(said, "source", problems)
    if source is not None and own is not None and source != own:
        problems.add(said.place, f"its 'source' is not that of {gold.place}: the rows do not belong together")
    claim: str | None = prediction or ""
    evidence = _first(gold, EVIDENCE, problems)
    if task == "revision":
        claim, evidence = _text(gold, "claim", problems), prediction or ""
    return GeneratedText(
        name, gold.place, status, prediction or "", references, source if source is not None else own, claim, evidence
    )


def _references(task: Task, gold: Record, problems: Problems) -> tuple[str, ...]:
    keys = ("references", "reference") + (("claims", "claim") if task == "extraction" else ())
    key = next((key for key in keys if key in gold.fields), None)
    if key is None:
        problems.add(gold.place, "has neither 'references' (a list of texts) nor 'reference' (one text)")
        return ()
    value = gold.fields[key]
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        problems.add(gold.place, f"{key!r} must be a text or a list of texts, with one at least")
        return ()
    for text in texts:
        _check_length(text, key, gold.place, problems)
    return tuple(texts)


def _first(record: Record, keys: Sequence[str], problems: Problems) -> str | None:
    key = next((key for key in keys if record.fields.get(key) is not None), None)
    return None if key is None else _text(record, key, problems)


def _text(record: Record, key: str, problems: Problems) -> str | None:
    value = record.fields.get(key)
    if value is None or isinstance(value, str):
        if value is not None:
            _check_length(value, key, record.place, problems)
        return value
    problems.add(record.place, f"{key!r} is {kind_of(value)}; it must be text")
    return ""


def _check_length(text: str, key: str, place: str, problems: Problems) -> None:
    if len(text) > LONGEST:
        problems.add(
            place, f"{key!r} has {len(text):,} characters; the limit is {LONGEST:,}: split it into sentences or claims"
        )
