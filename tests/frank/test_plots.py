"""Plots as files: the right kind, whole, the same every time, and apart in grey."""

from __future__ import annotations

import itertools
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from aver.errors import InputError, MissingExtra
from aver.frank import ablate, correlate, load_example, plot_ablation, plot_correlations, plot_scatter
from aver.frank._plots import HATCHES
from aver.frank._style import COLOURS

pytest.importorskip("matplotlib", reason="plots need matplotlib")

HEADS = {".png": (b"\x89PNG",), ".svg": (b"<?xml", b"<svg"), ".pdf": (b"%PDF",)}


@pytest.mark.parametrize("kind", HEADS)
def test_every_plot_in_every_kind(tmp_path: Path, kind: str) -> None:
    bench = load_example()
    rows = correlate(bench, resamples=20, methods=["pearson", "spearman", "kendall"])
    for draw in (
        lambda path: plot_correlations(rows, path, title="a title"),
        lambda path: plot_ablation(ablate(bench, resamples=20), path),
        lambda path: plot_ablation(ablate(bench, categories=["all"]), path),
        lambda path: plot_scatter(bench, "Partial", path),
    ):
        draw(tmp_path / f"a{kind}")
        first = (tmp_path / f"a{kind}").read_bytes()
        assert first.startswith(HEADS[kind])
        draw(tmp_path / f"a{kind}")
        assert (tmp_path / f"a{kind}").read_bytes() == first


def test_svg_keeps_text_as_text(tmp_path: Path) -> None:
    plot_ablation(ablate(load_example()), tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text()
    for word in ("Careful", "Content verifiability", "contribution to pearson r"):
        assert word in text


def test_bars_side_by_side_differ_in_grey_or_hatching() -> None:
    def lightness(colour: str) -> float:
        red, green, blue = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    for one, other in itertools.pairwise(COLOURS):
        assert abs(lightness(one) - lightness(other)) > 0.08
    assert len(set(HATCHES)) == len(HATCHES) == len(COLOURS)


def test_a_dozen_categories_are_told_apart_in_both_kinds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = ablate(load_example(), categories=["all"])
    assert len(found.categories) > len(COLOURS)
    plot_ablation(found, tmp_path / "a.svg")
    fills = re.findall(r"<pattern .*?</pattern>", (tmp_path / "a.svg").read_text())
    assert len({fill.split(">", 1)[1] for fill in fills}) == len(found.categories)
    from matplotlib.axes import Axes

    drawn: set[tuple[str, str]] = set()

    plain = Axes.bar

    def bar(self: Any, *given: Any, **options: Any) -> Any:
        drawn.add((options["color"], options["hatch"]))
        return plain(self, *given, **options)

    monkeypatch.setattr("matplotlib.axes.Axes.bar", bar)
    plot_ablation(found, tmp_path / "a.png")
    assert len(drawn) == len(found.categories)


def test_a_long_name_stays_on_the_paper(tmp_path: Path) -> None:
    bench = load_example()
    long = bench.with_metrics({"A metric with a name that goes on": bench.metrics["Careful"]})
    plot_ablation(ablate(long, metrics=["A metric with a name that goes on"]), tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text()
    [(x, y, name)] = re.findall(r'translate\(([\d.]+) ([\d.]+)\) rotate\(-30\)" text-anchor="end">([^<]+)', text)
    [height] = re.findall(r'<svg [^>]* height="(\d+)"', text)
    assert name == "A metric with a name that goes…"
    assert float(x) > 0.87 * 7 * len(name)
    assert float(height) > float(y) + 0.5 * 7 * len(name)


def test_a_plot_that_cannot_be_drawn_says_why(tmp_path: Path) -> None:
    bench = load_example()
    with pytest.raises(InputError, match=r"ends in \.svg, \.png or \.pdf"):
        plot_scatter(bench, "Careful", tmp_path / "plot.gif")
    with pytest.raises(InputError, match="cannot be written"):
        plot_scatter(bench, "Careful", tmp_path / "no" / "plot.png")
    assert list(tmp_path.iterdir()) == []


def test_without_matplotlib_the_error_names_the_extra_and_svg_bars_still_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r"pip install 'aver\[plots\]'"):
        plot_scatter(load_example(), "Careful", tmp_path / "a.png")
    plot_ablation(ablate(load_example()), tmp_path / "a.svg")
    assert [file.name for file in tmp_path.iterdir()] == ["a.svg"]
