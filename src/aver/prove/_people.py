"""Does it follow people elsewhere? QAGS's votes and SummEval's ratings."""

from __future__ import annotations

import numpy as np

from aver.frank import Benchmark, correlate, correlation, load
from aver.frank._correlation import Method
from aver.prove._context import Context, number, span
from aver.prove._data import Rows, read_qags, read_summeval
from aver.prove._report import Chart, Part, Table, Value
from aver.prove._scorer import Floats

__all__ = ["qags_part", "summeval_part"]

METHODS: tuple[Method, ...] = ("pearson", "spearman", "kendall")


def qags_part(context: Context) -> Part:
    """Correlation with QAGS's votes, CNN/DM and XSum apart."""
    figures: dict[str, float | int | None] = {}
    rows: list[tuple[Value, ...]] = []
    drawn: list[tuple[Value, ...]] = []
    files: list[tuple[str, str]] = []
    counts = np.zeros(3, dtype=int)
    for half, title in (("cnndm", "CNN/DM"), ("xsum", "XSum")):
        taken = context.sample(read_qags(context.data, half))
        scores = context.score(taken)
        files += taken.files
        counts += np.array([len(taken), taken.of, int(np.isnan(scores).sum())])
        for row in correlate(_benchmark(taken, scores, context.subject.name), methods=METHODS, control=None,
                             resamples=context.resamples, seed=context.seed):  # fmt: skip
            figures[f"{row.method}_{half}"] = row.r
            rows.append((title, row.method.capitalize(), context.subject.name, row.n, row.r, span(row.low, row.high)))
            if row.method == "pearson" and row.r is not None:
                drawn.append((f"{title}: {context.subject.name}", row.r, row.low, row.high))
        for name, value in _unieval(context, half, "pearson"):
            rows.append((title, "Pearson", name, len(taken) if len(taken) == taken.of else taken.of, value, None))
            drawn.append((f"{title}: {name}", value, None, None))
    alt = "Pearson correlation with QAGS's votes: " + ", ".join(f"{r[0]} {r[1]:.3f}" for r in drawn)
    return Part(
        "qags", "QAGS", "Does it follow people on single summaries?",
        finding=f"Pearson {number(figures['pearson_cnndm'])} on CNN/DM and {number(figures['pearson_xsum'])} on XSum.",
        figures=figures,
        tables=(Table("Correlation with QAGS's votes", ("rows", "method", "metric", "n", "r", "95%"), tuple(rows),
                      "A summary's human score is the share of its sentences that most workers call consistent."),),
        charts=(Chart("intervals", "Pearson correlation on QAGS", alt, tuple(drawn), mark=context.subject.name),),
        rule=f"{counts[0]:,} of {counts[1]:,} summaries; plain correlation, bootstrap over summaries. UniEval's row, "
        "where its released predictions are at hand, is computed from them over all rows.",
        n=int(counts[0]), of=int(counts[1]), unscored=int(counts[2]), sources=tuple(files),
    )  # fmt: skip


def summeval_part(context: Context) -> Part:
    """Correlation with SummEval's ratings of consistency: pooled, within documents, and of systems."""
    taken = context.sample(read_summeval(context.data))
    scores = context.score(taken)
    pooled = correlate(_benchmark(taken, scores, context.subject.name), methods=METHODS, control=None,
                       resamples=context.resamples, seed=context.seed)  # fmt: skip
    levels = {
        "summary": _mean_within(taken.docs, scores, taken.human),
        "system": _of_means(taken.groups, scores, taken.human),
    }
    figures: dict[str, float | int | None] = {f"{row.method}": row.r for row in pooled}
    for level, found in levels.items():
        figures |= {f"{level}_{method}": r for method, (r, _) in found.items()}
    rows: list[tuple[Value, ...]] = [
        ("all summaries together", row.method.capitalize(), row.n, row.r, span(row.low, row.high)) for row in pooled
    ]
    names = {"summary": "within each document, averaged", "system": "means of the systems"}
    rows += [(names[level], method.capitalize(), n, r, None)
             for level, found in levels.items() for method, (r, n) in found.items()]  # fmt: skip
    within = figures["summary_spearman"]
    return Part(
        "summeval", "SummEval", "Does it rank the outputs of many systems as experts do?",
        finding=f"Pearson {number(pooled[0].r)} over all summaries together, Spearman {number(within)} within "
        "documents.",
        figures=figures,
        tables=(Table("Correlation with the experts' consistency", ("level", "method", "n", "r", "95%"), tuple(rows),
                      "n counts summaries, documents whose ratings vary, or systems."),),
        rule=f"{context.size(taken).capitalize()}; expert ratings of consistency from 1 to 5. Within documents: the "
        "correlation of each document's summaries, averaged over the documents where both vary.",
        n=len(taken), of=taken.of, unscored=int(np.isnan(scores).sum()), sources=taken.files,
    )  # fmt: skip


def _benchmark(rows: Rows, scores: Floats, name: str) -> Benchmark:
    return Benchmark(rows.name, rows.docs, rows.groups, human={"human": rows.human}, metrics={name: scores})


def _unieval(context: Context, half: str, method: Method) -> list[tuple[str, float]]:
    """UniEval's own figure on the same votes, from its released predictions."""
    if context.data is None:
        return []
    path = context.data / "unieval_fact" / f"qags_{half}_unieval_result.json"
    if not path.is_file():
        return []
    row = correlate(load(path), methods=[method], control=None, resamples=0)[0]
    return [("UniEval-fact, released", row.r)] if row.r is not None else []


def _mean_within(docs: tuple[str, ...], scores: Floats, human: Floats) -> dict[str, tuple[float | None, int]]:
    found: dict[str, tuple[float | None, int]] = {}
    names = np.array(docs)
    keep = np.isfinite(scores)
    for method in METHODS:
        each = [
            correlation(scores[mine], human[mine], method=method).r
            for mine in ((names == doc) & keep for doc in dict.fromkeys(docs))
        ]
        defined = [r for r in each if r is not None]
        found[method] = (float(np.mean(defined)) if defined else None, len(defined))
    return found


def _of_means(systems: tuple[str, ...], scores: Floats, human: Floats) -> dict[str, tuple[float | None, int]]:
    names = np.array(systems)
    keep = np.isfinite(scores)
    known = [system for system in dict.fromkeys(systems) if ((names == system) & keep).any()]
    mine = np.array([scores[(names == system) & keep].mean() for system in known])
    theirs = np.array([human[(names == system) & keep].mean() for system in known])
    return {method: (correlation(mine, theirs, method=method).r, len(known)) for method in METHODS}
