"""Does it follow people? FRANK: partial correlations, Williams's test against the ten baselines, what it sees."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from aver.frank import (
    BASELINES,
    GROUPS,
    Ablation,
    Benchmark,
    Correlation,
    Pair,
    ablate,
    compare,
    correlate,
    holm,
    load_frank,
    read_submission,
    submit,
)
from aver.frank._correlation import Method
from aver.prove._context import Context, number, span
from aver.prove._data import Absent, Rows, read_frank_texts
from aver.prove._report import Chart, Part, Table

__all__ = ["frank_part"]

SCOPES: tuple[tuple[str, dict[str, str]], ...] = (
    ("all", {}),
    ("test split", {"split": "test"}),
    ("CNN/DM", {"dataset": "cnndm"}),
    ("XSum", {"dataset": "bbc"}),
)
KINDS = {
    "Semantic_Frame_Errors": "Wrong predicate, entity or circumstance",
    "Discourse_Errors": "Wrong reference or link",
    "Content_Verifiability_Errors": "Not in the article, or garbled",
}


class Rival(NamedTuple):
    """A baseline beside the metric, on the rows both score."""

    name: str
    pair: Pair
    p: float
    """Two-sided, Holm-corrected for the baselines compared."""


def frank_part(context: Context) -> Part:
    """Correlation with people's factuality on FRANK, the system held fixed."""
    opened = _opened(context)
    bench, name, said = opened.bench, opened.name, opened.said
    scopes = {scope: _scoped(bench, where) for scope, where in SCOPES}
    found: dict[tuple[str, str], Correlation] = {}
    for scope, rows in scopes.items():
        if rows is None:
            continue
        methods: tuple[Method, ...] = ("pearson", "spearman") if scope == "all" else ("pearson",)
        for row in correlate(rows, metrics=[name], methods=methods, resamples=context.resamples, seed=context.seed):
            found[scope, row.method] = row
    whole = scopes["all"]
    assert whole is not None
    baselines = [metric for metric in BASELINES if metric in whole.metrics]
    rivals = _rivals(whole, name, baselines)
    others: list[Correlation] = []
    if baselines:
        others = correlate(
            whole, metrics=baselines, methods=["pearson"], resamples=context.resamples, seed=context.seed
        )
    ablated = ablate(whole, metrics=[name], resamples=context.resamples, seed=context.seed) if _flips(whole) else None
    main = found["all", "pearson"]
    best = max((row for row in others if row.r is not None), key=lambda row: row.r or 0.0, default=None)
    better = [rival for rival in rivals if rival.pair.better == name]
    clear = [rival for rival in better if rival.p < 0.05]
    figures: dict[str, float | int | None] = {"pearson": main.r, "pearson_low": main.low, "pearson_high": main.high}
    figures["spearman"] = found["all", "spearman"].r
    for key, scope in (("test", "test split"), ("cnndm", "CNN/DM"), ("xsum", "XSum")):
        figures[f"pearson_{key}"] = found[scope, "pearson"].r if (scope, "pearson") in found else None
    figures["best_baseline"] = None if best is None else best.r
    figures["baselines_beaten"] = len(clear)
    figures["baselines"] = len(rivals)
    # one number for "above every baseline": the weakest of the comparisons
    figures["williams_p"] = max(rival.p for rival in rivals) if rivals and len(better) == len(rivals) else None
    return Part(
        "frank", "FRANK", "Does it follow people's judgements of factuality?",
        finding=_finding(main, best, len(clear), len(rivals)),
        figures=figures,
        tables=tuple(filter(None, (_scope_table(found), _rival_table(name, main, rivals, others), _kinds(ablated)))),
        charts=tuple(filter(None, (_rival_chart(name, main, others), _kind_chart(ablated)))),
        rule=f"{said}. Partial correlation with the human Factuality, the system held fixed; intervals of 95% from "
        f"{context.resamples:,} bootstrap samples of documents; Williams's test on the rows both metrics score, "
        "two-sided, with Holm's correction for the baselines compared.",
        n=len(bench), of=opened.of, unscored=int(np.isnan(bench.metric_scores(name)).sum()), sources=opened.files,
    )  # fmt: skip


class Opened(NamedTuple):
    """FRANK's rows with the metric's scores among them."""

    bench: Benchmark
    name: str
    """What the metric is called there."""
    files: tuple[tuple[str, str], ...]
    said: str
    """The rows taken, in words."""
    of: int
    """How many rows FRANK has, sample or not."""


def _opened(context: Context) -> Opened:
    subject = context.subject
    if context.data is None:
        raise Absent("no data folder: name one with --data or AVER_DATA")
    if not (context.data / "frank" / "human_annotations.json").is_file():
        raise Absent("FRANK is not in the data folder (no frank/human_annotations.json)")
    bench = load_frank(context.data / "frank")
    name = subject.name if subject.name not in bench.metrics else f"{subject.name} (proved)"
    if subject.raw is None:
        read = read_submission(subject.scores_file, bench, name=name, key=subject.key)
        bench = submit(bench, [read])
        covered = bench.covered(name)
        said = f"{covered:,} of {len(bench):,} rows, those the file of scores covers"
        return Opened(bench, name, tuple((s.name, s.sha256) for s in bench.sources), said, len(bench))
    texts, file = read_frank_texts(context.data)
    files = (*((s.name, s.sha256) for s in bench.sources), file)
    keys = list(zip(bench.doc, bench.system, strict=True))
    here = [i for i, key in enumerate(keys) if key in texts]
    rows = Rows(
        "FRANK", tuple(f"FRANK hash {keys[i][0]}, system {keys[i][1]}" for i in here),
        tuple(texts[keys[i]][0] for i in here), tuple(texts[keys[i]][1] for i in here),
        bench.human_scores("Factuality")[here], tuple(bench.doc[i] for i in here), tuple(bench.system[i] for i in here),
        files, len(bench),
    )  # fmt: skip
    taken = context.sample(rows)
    scores = dict(zip(zip(taken.docs, taken.groups, strict=True), context.score(taken), strict=True))
    if len(taken) < len(bench):
        bench = bench.select(where={"doc": sorted(set(taken.docs))})
    values = np.array([scores.get(key, np.nan) for key in zip(bench.doc, bench.system, strict=True)])
    return Opened(bench.with_metrics({name: values}), name, files, context.size(taken).capitalize(), rows.of)


def _scoped(bench: Benchmark, where: dict[str, str]) -> Benchmark | None:
    for column, value in where.items():
        if value not in bench.columns.get(column, ()):
            return None  # a small sample may miss a part altogether
    return bench.select(where=where) if where else bench


def _rivals(bench: Benchmark, name: str, baselines: list[str]) -> list[Rival]:
    pairs = []
    for other in baselines:
        found = compare(bench, metrics=[name, other]) if _varies(bench, name) and _varies(bench, other) else None
        if found is not None and found.pairs:
            pairs.append((other, found.pairs[0]))
    corrected = holm([pair.p_two for _, pair in pairs]) if pairs else []
    return [Rival(other, pair, p) for (other, pair), p in zip(pairs, corrected, strict=True)]


def _varies(bench: Benchmark, name: str) -> bool:
    """Whether a correlation with people is defined."""
    return correlate(bench, metrics=[name], methods=["pearson"], resamples=0)[0].r is not None


def _flips(bench: Benchmark) -> bool:
    return any(human.startswith("Flip_") for human in bench.human)


def _finding(main: Correlation, best: Correlation | None, clear: int, of: int) -> str:
    if main.r is None:
        return "No correlation is defined: the scores do not vary, or there are too few rows."
    ends = f" (95% {main.low:.3f} to {main.high:.3f})" if main.low is not None else ""
    said = f"Partial Pearson correlation with people {main.r:.3f}{ends}"
    if best is None:
        return f"{said}."
    best_said = f"the best baseline, {best.metric}, has {number(best.r)}"
    return f"{said}; {best_said}. It beats {clear} of {of} baselines beyond chance."


def _scope_table(found: dict[tuple[str, str], Correlation]) -> Table:
    rows = [
        (scope, method.capitalize(), row.n, row.r, span(row.low, row.high), row.p)
        for (scope, method), row in found.items()
    ]
    return Table("By part of FRANK", ("rows", "method", "n", "r", "95%", "p"), tuple(rows))


def _rival_table(name: str, main: Correlation, rivals: list[Rival], others: list[Correlation]) -> Table | None:
    own = {row.metric: row for row in others}
    rows: list[tuple[float | int | str | None, ...]] = [(name, main.n, main.r, span(main.low, main.high), None, None)]
    for rival in rivals:
        row = own[rival.name]
        lead = rival.pair.r_better - rival.pair.r_worse
        rows.append((rival.name, row.n, row.r, span(row.low, row.high), lead if rival.pair.better == name else -lead,
                     rival.p))  # fmt: skip
    rows.sort(key=lambda row: -float(row[2] or 0.0))
    if not rivals:
        return None
    note = "Lead: the metric's r less the baseline's, on the rows both score. p: Williams's test, Holm-corrected."
    return Table("Against FRANK's ten baselines", ("metric", "n", "r", "95%", "lead", "p"), tuple(rows), note)


def _rival_chart(name: str, main: Correlation, others: list[Correlation]) -> Chart | None:
    rows = sorted(
        ((row.metric, row.r, row.low, row.high) for row in (main, *others) if row.r is not None),
        key=lambda row: -float(row[1]),
    )
    if not rows:
        return None
    alt = "Partial Pearson correlation with people: " + ", ".join(f"{row[0]} {row[1]:.3f}" for row in rows)
    return Chart("intervals", "Partial correlation with people", alt, tuple(rows), mark=name)


def _kinds(found: Ablation | None) -> Table | None:
    if found is None:
        return None
    rows = tuple(
        (KINDS.get(row.category, row.category), ", ".join(GROUPS.get(row.category, ())), row.contribution,
         span(row.low, row.high)) for row in found.rows
    )  # fmt: skip
    note = (
        "What the kind of error adds to r: the correlation less the one obtained when sentences wrong in this way are "
        "called right. Above 0, the metric notices them."
    )
    return Table("Which errors it notices", ("kind of error", "categories", "adds to r", "95%"), rows, note)


def _kind_chart(found: Ablation | None) -> Chart | None:
    if found is None or all(row.contribution is None for row in found.rows):
        return None
    rows = tuple(
        (KINDS.get(row.category, row.category), row.contribution, row.low, row.high)
        for row in found.rows if row.contribution is not None
    )  # fmt: skip
    alt = "What each kind of error adds to the correlation: " + ", ".join(f"{row[0]} {row[1]:+.3f}" for row in rows)
    return Chart("bars", "What each kind of error adds to r", alt, rows)
