"""Other released benchmarks of FRANK's shape: SummEval and its like, QAGS's votes, UniEval's predictions."""

from __future__ import annotations

from typing import Any

from aver.errors import Problems
from aver.frank._benchmark import Benchmark, Source, score_columns

__all__ = ["from_qags", "from_summeval", "from_unieval"]


_Row = tuple[str, str, str, Any, dict[str, Any]]  # place, document, system, human scores, metric scores


def from_summeval(whole: dict[str, Any], *, name: str, source: Source) -> Benchmark:
    """SummEval, REALSumm, Rank19 and QAGS as BARTScore released them: document → `sys_summs` → system → `scores`.

    They hold human scores only; a metric's scores are handed in as a submission.
    """
    rows: list[_Row] = []
    problems = Problems()
    for doc, entry in whole.items():
        systems = entry.get("sys_summs") if isinstance(entry, dict) else None
        if not isinstance(systems, dict):
            problems.add(f"{source.name} document {doc}", "has no 'sys_summs'")
            continue
        for system, summary in systems.items():
            scores = summary.get("scores") if isinstance(summary, dict) else None
            rows.append((f"{source.name} document {doc} system {system}", doc, system, scores, {}))
    return _made(rows, name, source, problems)


def from_unieval(rows: list[tuple[str, Any]], *, name: str, source: Source) -> Benchmark:
    """UniEval's data (`scores`) and predictions (`predict_scores`, here metrics named `UniEval consistency`, …).

    Where the file numbers no documents (its dialogue data), outputs with the same `source` are of one document.
    """
    kept: list[_Row] = []
    problems = Problems()
    seen: dict[str, int] = {}
    taken: dict[tuple[str, str], int] = {}
    for place, row in rows:
        if not isinstance(row, dict):
            problems.add(place, "expected a JSON object")
            continue
        text = str(row.get("source", ""))
        doc = str(row["doc_id"]) if "doc_id" in row else str(seen.setdefault(text, len(seen)))
        system = str(row.get("system_id", 0))
        # several outputs of one system for one document (data-to-text: many references) keep apart by a count
        count = taken[doc, system] = taken.get((doc, system), 0) + 1
        predicted = row.get("predict_scores") or {}
        if not isinstance(predicted, dict):
            problems.add(place, "'predict_scores' is not an object of name and number")
            continue
        predicted = {f"UniEval {key}": value for key, value in predicted.items()}
        kept.append((place, doc, system if count == 1 else f"{system}#{count}", row.get("scores"), predicted))
    return _made(kept, name, source, problems)


def from_qags(rows: list[tuple[str, Any]], *, name: str, source: Source) -> Benchmark:
    """QAGS's own votes: a summary's `consistency` is the share of its sentences that most workers called consistent.

    A sentence with as many yes as no counts as inconsistent. The file names no systems: all are one.
    """
    kept: list[_Row] = []
    problems = Problems()
    for number, (place, row) in enumerate(rows):
        sentences = row.get("summary_sentences") if isinstance(row, dict) else None
        if not isinstance(sentences, list) or not sentences:
            problems.add(place, "has no 'summary_sentences'")
            continue
        yes = []
        for sentence in sentences:
            votes = sentence.get("responses") if isinstance(sentence, dict) else None
            answers = [str(vote.get("response") if isinstance(vote, dict) else vote).lower() for vote in votes or ()]
            unknown = [answer for answer in answers if answer not in ("yes", "no")]
            if unknown or not answers:
                problems.add(place, f"a sentence's response is {unknown[0]!r}, not yes or no" if unknown else
                             "a sentence has no responses")  # fmt: skip
            yes.append(2 * answers.count("yes") > len(answers))
        kept.append((place, str(number), "0", {"consistency": sum(yes) / len(yes)}, {}))
    return _made(kept, name, source, problems)


def _made(kept: list[_Row], name: str, source: Source, problems: Problems) -> Benchmark:
    for place, _, _, people, _ in kept:
        if not isinstance(people, dict) or not people:
            problems.add(place, "has no human 'scores'")
    human = score_columns([(row[0], row[3] if isinstance(row[3], dict) else {}) for row in kept], "scores", problems)
    metrics = score_columns([(row[0], row[4]) for row in kept], "predict_scores", problems)
    if not kept:
        problems.add(source.name, "holds no rows")
    problems.raise_if_any(f"{source.name}: this cannot be read as a benchmark")
    return Benchmark(
        name,
        tuple(row[1] for row in kept),
        tuple(row[2] for row in kept),
        human=human,
        metrics=metrics,
        sources=(source,),
    )
