"""`aver score classification`. In Python: `aver.metrics.classification`, `calibration` and `flip_rate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import click

from aver.cli._output import json_option, print_json, print_notes, print_table
from aver.errors import InputError, count_of
from aver.metrics import CalibrationReport, ClassificationReport, FlipReport

__all__ = ["command"]


class Scored(NamedTuple):
    """One data set."""

    title: str
    report: ClassificationReport
    status: dict[str, int]
    calibration: CalibrationReport | None
    flips: FlipReport | None
    notes: Sequence[str]
    """How rows were matched, where that should be known."""

    def as_dict(self) -> dict[str, Any]:
        told: dict[str, Any] = {"title": self.title} | self.report.as_dict() | {"status": self.status}
        if self.notes:
            told["notes"] = [*self.notes, *told.get("notes", ())]
        if self.calibration is not None:
            told["calibration"] = self.calibration.as_dict()
        if self.flips is not None:
            told["flips"] = self.flips.as_dict()
        return told


@click.command("classification")
@click.argument("predictions", metavar="PREDICTIONS")
@click.argument("references", metavar="[REFERENCES]", required=False)
@click.option("--beside", nargs=2, metavar="PRED2 REF2", help="A second data set, shown in parentheses.")
@click.option("--titles", nargs=2, metavar="A B", help="What to call the two data sets; else the files' names.")
@click.option(
    "--labels",
    type=click.Choice(["verdict", "any"]),
    default="verdict",
    show_default=True,
    help="Verdict labels in any spelling, or any strings as classes.",
)
@click.option("--exclude", metavar="LABEL", multiple=True, help="Leave out rows with this gold label (DISPUTED).")
@click.option(
    "--macro",
    type=click.Choice(["gold", "seen"]),
    default="gold",
    show_default=True,
    help="Macro averages over classes with gold rows, or over predicted ones too (scikit-learn).",
)
@click.option("--flip", metavar="FIELD", help="Flip rate over rows with the same FIELD and claim (VitaminC: case_id).")
@click.option("--bins", default=15, show_default=True, help="Bins for the calibration error.")
@click.option("--binning", type=click.Choice(["width", "mass"]), default="width", show_default=True,
              help="Bins of equal width, or with equally many rows.")  # fmt: skip
@click.option("--plot", metavar="FILE", help="Draw the confusion matrix (.svg or .png).")
@click.option("--reliability", metavar="FILE", help="Draw accuracy against confidence (.svg or .png).")
@click.option("--risk-coverage", metavar="FILE", help="Draw risk against coverage (.svg or .png).")
@click.option("--id", "id_field", metavar="FIELD", help="The field to match by; else id, unique_id or claim_id.")
@click.option("--gold", "gold_field", metavar="FIELD", help="The gold label; else label, gold or claim_label.")
@click.option(
    "--predicted", "predicted_field", metavar="FIELD", help="The prediction; else predicted_label, prediction."
)
@json_option
def command(
    predictions: str,
    references: str | None,
    beside: tuple[str, str] | None,
    titles: tuple[str, str] | None,
    plot: str | None,
    reliability: str | None,
    risk_coverage: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Precision, recall, F1, confusion, calibration, flips.

    PREDICTIONS and REFERENCES are JSON lines, matched by id where both have one, else by position; one file alone must
    hold both labels (`label` or `gold`, and `predicted_label` or `prediction`). Where predictions state
    `probabilities` (an object by label), calibration is measured too. The first two tables are in percent.
    """
    from aver.metrics._plots import check_plot, plot_confusion, plot_reliability, plot_risk_coverage

    for path in filter(None, (plot, reliability, risk_coverage)):
        check_plot(path)
    names = titles or (references or predictions, beside[1] if beside else "")
    sets = [_score(names[0], predictions, references, **options)]
    if beside:
        sets.append(_score(names[1], *beside, **options))
    calibrations = [s.calibration for s in sets if s.calibration is not None]
    if (reliability or risk_coverage) and len(calibrations) < len(sets):
        raise InputError(
            "there are no probabilities to draw: the predictions need 'probabilities' (an object by label)"
        )
    shown = [s.title for s in sets] if beside or titles else []
    if plot:
        plot_confusion(plot, [s.report for s in sets], titles=shown)
    if reliability:
        plot_reliability(reliability, calibrations, titles=shown)
    if risk_coverage:
        plot_risk_coverage(risk_coverage, calibrations, titles=shown)
    if as_json:
        print_json(sets[0].as_dict() | ({"beside": sets[1].as_dict()} if beside else {}))
        return
    _print(sets)


def _score(
    title: str,
    predictions: str,
    references: str | None,
    *,
    labels: Any,
    exclude: Sequence[str],
    macro: Any,
    flip: str | None,
    bins: int,
    binning: Any,
    id_field: str | None,
    gold_field: str | None,
    predicted_field: str | None,
) -> Scored:
    from aver.metrics import calibration, classification, flip_rate, read_labelled
    from aver.metrics._classification import as_labels

    rows = read_labelled(
        predictions,
        references,
        labels=labels,
        id_field=id_field,
        gold_field=gold_field,
        prediction_field=predicted_field,
    )
    report = classification(rows.predictions, rows.references, labels=labels, exclude=exclude, macro=macro)
    dropped = set(as_labels(exclude, labels, "excluded label"))
    kept = [number for number, gold in enumerate(rows.references) if gold not in dropped]

    def keep(column: Sequence[Any]) -> list[Any]:
        return [column[number] for number in kept]

    calibrated = None
    if rows.probabilities is not None:
        calibrated = calibration(
            keep(rows.probabilities),
            keep(rows.references),
            predictions=keep(rows.predictions),
            places=keep(rows.places),
            bins=bins,
            binning=binning,
            labels=labels,
        )
    flips = None
    if flip is not None:
        flips = flip_rate(keep(rows.predictions), keep(rows.references), keep(rows.groups(flip)), labels=labels)
    return Scored(title, report, dict(rows.status), calibrated, flips, rows.notes)


def _print(sets: Sequence[Scored]) -> None:
    def cell(*values: float | int | None, decimals: int = 2) -> str:
        # the second data set stands in parentheses, as in the CLIMATE-FEVER paper
        texts = ["–" if v is None else f"{v:,}" if isinstance(v, int) else f"{100 * v:.{decimals}f}" for v in values]
        return texts[0] + "".join(f" ({text})" for text in texts[1:])

    reports = [s.report for s in sets]
    labels = list(dict.fromkeys(label for report in reports for label in report.labels))
    by_label = [{scores.label: scores for scores in report.classes} for report in reports]
    names = ("precision", "recall", "f1")
    body: list[list[object]] = [
        [label, *(cell(*(getattr(m.get(label), name, None) for m in by_label)) for name in (*names, "support"))]
        for label in labels
    ]
    totals = cell(*(report.n for report in reports))
    for kind in ("macro", "weighted"):
        averages = [getattr(report, kind) for report in reports]
        body.append([f"{kind} average", *(cell(*(getattr(a, name) for a in averages)) for name in names), totals])
    body.append(["accuracy", "", "", cell(*(report.accuracy for report in reports)), totals])
    heading = sets[0].title + "".join(f" (beside it: {s.title})" for s in sets[1:])
    print_table(["label", "precision", "recall", "f1", "support"], body, title=f"{heading}, in percent")

    click.echo()
    places = [{label: place for place, label in enumerate(report.labels)} for report in reports]

    def share(gold: str, guess: str) -> str:
        values = [
            report.confusion_normalised[at[gold]][at[guess]] if gold in at and guess in at else None
            for report, at in zip(reports, places, strict=True)
        ]
        return cell(*values, decimals=1)

    matrix = [[gold, *(share(gold, guess) for guess in labels)] for gold in labels]
    print_table(["gold \\ predicted", *labels], matrix, title="Confusion, in percent of the gold label")
    _print_calibration(sets)
    _print_flips(sets)
    for s in sets:
        _print_notes(s, named=len(sets) > 1)


def _print_calibration(sets: Sequence[Scored]) -> None:
    rows: list[tuple[object, ...]] = []
    measure = ""
    for s in sets:
        if (c := s.calibration) is not None:
            measure = str(c.measure)
            rows.append((s.title, c.accuracy, c.confidence, c.ece, c.brier, c.nll, c.aurc))
    if rows:
        click.echo()
        columns = ["data", "accuracy", "confidence", measure, "Brier", "NLL", "AURC"]
        print_table(columns, rows, title="Calibration")


def _print_flips(sets: Sequence[Scored]) -> None:
    rows: list[tuple[object, ...]] = []
    for s in sets:
        if (f := s.flips) is not None:
            rows.append((s.title, "all", f.n, f.flip_rate, f.changed, f.wrong_flip, f.stuck))
            rows += [("", kind, n, rate, None, None, None) for kind, (n, rate) in f.by_change.items()]
    if rows:
        click.echo()
        columns = ["data", "gold changes", "claims", "FlipRate", "changed", "wrong_flip", "stuck"]
        print_table(columns, rows, title="Flips")


def _print_notes(s: Scored, *, named: bool) -> None:
    left = {name: count for name, count in s.status.items() if name != "scored" and count}
    notes = [*s.notes, *(f"{count_of(count, 'row is', 'rows are')} not scored: {name}" for name, count in left.items())]
    notes += [*s.report.notes, *(s.flips.notes if s.flips else ()), *(s.calibration.notes if s.calibration else ())]
    if notes:
        click.echo()
    print_notes(f"{s.title}: {note}" if named else note for note in notes)
