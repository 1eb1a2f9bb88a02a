"""`aver prove` from end to end."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import orjson
import pytest

from aver.consistency import metrics
from aver.prove import PARTS, stored_names, trust_section

FAST = ("--part", "sample", "--part", "vitaminc", "--part", "edges")


def test_it_says_something_real_on_any_machine(
    run_cli: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AVER_DATA", str(tmp_path))
    done = run_cli("prove", "rouge-l", *FAST)
    assert done.code == 0, done.err
    assert "It ranks a true text above a false one" in done.out
    assert "skipped: VitaminC is not in the data folder" in done.out


def test_json_html_and_markdown(run_cli: Callable[..., Any], tmp_path: Path, made_data: Path) -> None:
    done = run_cli("prove", "rouge-l", *FAST, "--data", made_data, "--limit", 30, "--json",
                   "--html", tmp_path / "r.html", "--markdown", tmp_path / "r.md")  # fmt: skip
    assert done.code == 0, done.err
    assert done.json["format"] == "aver trust report 1"
    assert [part["name"] for part in done.json["parts"]] == ["sample", "vitaminc", "edges"]
    wanted = {"limit": 30, "seed": 0, "resamples": 1000, "parts": ["sample", "vitaminc", "edges"]}
    assert done.json["settings"] == wanted
    assert done.json["command"] == "aver prove rouge-l --part sample --part vitaminc --part edges --limit 30"
    assert str(made_data) not in done.out
    assert (tmp_path / "r.html").read_text(encoding="utf-8").endswith("</html>\n")
    assert (tmp_path / "r.md").read_text(encoding="utf-8").startswith("# Trust report: rouge-l")
    quick = run_cli("prove", "rouge-l", "--part", "sample", "--quick", "--json")
    assert quick.json["settings"]["limit"] == 120
    assert quick.json["settings"]["resamples"] == 200


def test_a_function_of_ones_own(run_cli: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own_metric_of_a_test.py").write_text("def score(text, source):\n    return float(text in source)\n")
    done = run_cli("prove", "own_metric_of_a_test:score", "--part", "repeat", "--part", "speed", "--json")
    assert done.code == 0, done.err
    repeat, speed = done.json["parts"]
    assert repeat["figures"]["largest_difference"] == 0.0
    assert speed["figures"]["short_per_s"] > 0
    assert "in a fresh process" in speed["rule"]


def test_mistakes_are_answered(run_cli: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad_metric_of_a_test.py").write_text("def f(texts, sources):\n    return [float('nan')] * len(texts)\n")
    for words, said in (
        (["rogue"], "built in are: aver, "),
        (["rouge-l", "--part", "frnak"], "the parts are: sample, frank"),
        (["rouge-l", "--limit", "0"], "limit is 0"),
        (["rouge-l", "--quick", "--limit", "5"], "--quick is a --limit of its own"),
        (["rouge-l", "--data", "nowhere"], "there is no such folder"),
        (["rouge-l", "--part", "edges", "--html", "no/where.html"], "cannot be written"),
        (["bad_metric_of_a_test:f", "--part", "sample"], "sample "),
        (["bad_metric_of_a_test:g"], "has no 'g'; it has: f"),
        ([], "Missing argument 'METRIC'"),
    ):
        done = run_cli("prove", *words)
        assert done.code == 2, words
        assert said in done.err
        assert done.out == ""


def test_it_lists_what_there_is(run_cli: Callable[..., Any]) -> None:
    done = run_cli("prove", "--list")
    assert done.code == 0
    assert all(name in done.out for name in (*metrics(), *PARTS))


def test_cards_embed_the_kept_figures(run_cli: Callable[..., Any]) -> None:
    assert set(stored_names()) <= set(metrics())
    assert {"rouge-l", "bleu"} <= set(stored_names())
    for name in metrics()[1:]:
        card = run_cli("score", "--card", f"Consistency({name})")
        assert card.code == 0, card.err
        if name in stored_names():
            assert trust_section(name) in card.out
        else:
            assert trust_section() in card.out
    # the default's card shows all of them
    assert trust_section() in run_cli("score", "--card", "Consistency").out
    assert run_cli("score", "--card", "rouge-l").out == run_cli("score", "--card", "Consistency(rouge-l)").out
    assert run_cli("score", "--card", "bleu").out.startswith("# BLEU")
    figures = run_cli("score", "--card", "rouge-l", "--json").json["trust"]["figures"]
    row = f"| FRANK, partial Pearson with people, all rows | {figures['frank.pearson']:.3f} |"
    assert row in run_cli("score", "--card", "rouge-l").out


def test_the_measure_knows_every_metric() -> None:
    from aver.consistency._measure import MetricName

    assert list(get_args(MetricName)) == metrics()


def test_the_reports_in_the_docs_are_those_the_cards_show() -> None:
    from aver.prove import Report, headline, markdown, slug, stored_figures

    trust = Path(__file__).resolve().parents[2] / "docs" / "trust"
    for name in stored_names():
        report = Report.from_dict(orjson.loads((trust / f"{slug(name)}.json").read_bytes()))
        assert headline(report) == stored_figures(name)
        assert (trust / f"{slug(name)}.md").read_text(encoding="utf-8").endswith(markdown(report))
        for part in report.parts:
            if part.name == "repeat" and part.status == "done":
                assert part.figures["largest_difference"] < 1e-6  # type: ignore[operator]
