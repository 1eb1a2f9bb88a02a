"""The leaderboard page, read as text and opened in a real browser."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aver.frank import Benchmark, leaderboard, load_example, write_leaderboard

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def board() -> Any:
    # a title like a file's name: one long word must not push the page wider than a phone
    title = "a_very_long_name_of_a_benchmark_file_without_a_single_space"
    return leaderboard(load_example(), resamples=100, title=title, command="aver frank leaderboard example")


def test_the_page_holds_every_number_and_how_it_was_made() -> None:
    made = board()
    html = made.html()
    for row in made.correlations:
        assert f"{row.r:.3f}" in html
        assert f"{row.low:+.3f} … {row.high:+.3f}" in html
    for name, letter in made.comparison.groups.items():
        assert re.search(rf">{name}</a></td>.*?<td data-value=\"{letter}\">{letter}</td>", html)
    for said in ("aver frank leaderboard example", "seed 0", "100 samples", "of 120", "Content verifiability"):
        assert said in html
    assert html == board().html()


def test_the_page_fetches_nothing() -> None:
    addresses: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            addresses.extend(
                value or "" for name, value in attrs if name in ("src", "href", "action", "data", "srcset")
            )

    html = board().html()
    Reader().feed(html)
    assert addresses
    assert all(address.startswith("#metric-") for address in addresses)
    assert "default-src 'none'" in html
    assert "@import" not in html
    assert "url(" not in html


def test_names_cannot_become_markup() -> None:
    evil = '<script>alert("x")</script>'
    bench = load_example()
    html = leaderboard(bench.with_metrics({evil: bench.metrics["Careful"] ** 2}), resamples=20, title=evil).html()
    assert evil not in html
    assert html.count("<script>") == 1


def test_metrics_that_do_not_vary_and_single_metrics_have_a_page_too() -> None:
    bench = load_example()
    flat = leaderboard(bench.with_metrics({"Flat": np.ones(120)}), resamples=20)
    assert flat.metrics[-1] == "Flat"
    assert "not defined" in flat.html()
    one = leaderboard(bench, metrics=["Careful"], resamples=0)
    assert one.comparison is None
    assert "No intervals were asked for" in one.html()
    assert "<dt>Intervals</dt><dd>None.</dd>" in one.html()
    halves = {"Early": np.where(np.arange(120) < 60, bench.metrics["Careful"], np.nan),
              "Late": np.where(np.arange(120) < 60, np.nan, bench.metrics["Careful"])}  # fmt: skip
    apart = bench.with_metrics(halves)
    assert leaderboard(apart, metrics=["Early", "Late"], resamples=0).comparison is None
    assert "too few rows to be compared: 1." in leaderboard(apart, resamples=0).html()
    plain = Benchmark("plain", bench.doc, bench.system, human={"h": bench.human["Factuality"]}, metrics=bench.metrics)
    assert leaderboard(plain, control=None, resamples=20).ablation is None


def test_the_command_writes_the_page_whole(tmp_path: Path, run_cli: Callable[..., Any]) -> None:
    run = run_cli("frank", "leaderboard", "example", "--resamples", 20, "-o", tmp_path / "page.html", "--json")
    assert run.code == 0, run.err
    assert run.json["command"] == (
        "aver frank leaderboard example --control system --split test --alpha 0.05 --resamples 20 --seed 0"
    )
    assert (tmp_path / "page.html").read_text().endswith("</html>\n")
    # a folder with an = in its name is still a folder, and no part of the command
    (tmp_path / "a=b").mkdir()
    rows = [{"hash": d, "model_name": s, "score": i % 7}
            for i, (d, s) in enumerate(zip(load_example().doc, load_example().system, strict=True))]  # fmt: skip
    (tmp_path / "a=b" / "mine.json").write_text(json.dumps(rows))
    run = run_cli("frank", "leaderboard", "example", "--resamples", 0, "-o", tmp_path / "page.html", "--json",
                  "--submission", tmp_path / "a=b" / "mine.json")  # fmt: skip
    assert run.json["command"].startswith("aver frank leaderboard example --submission mine.json --control")
    run = run_cli("frank", "leaderboard", "example", "--resamples", 0, "-o", tmp_path / "no" / "page.html")
    assert run.code == 2
    assert "cannot be written" in run.err


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if BROWSER is None:
        pytest.skip("needs a browser: no chromium, chromium-browser or google-chrome on the PATH")
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'aver[test]'")
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
    with playwright.sync_playwright() as engine:
        opened = engine.chromium.launch(executable_path=BROWSER, args=flags)
        yield opened
        opened.close()


@pytest.fixture
def visit(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    complaints: list[str] = []
    pages = []

    def open_(width: int, scheme: str = "light") -> Any:
        write_leaderboard(board(), tmp_path / "board.html")
        page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: request.url.startswith("file:") or complaints.append(request.url))
        page.goto((tmp_path / "board.html").as_uri())
        pages.append(page)
        return page

    yield open_
    for page in pages:
        page.close()
    assert complaints == []


def names(page: Any) -> list[str]:
    return [str(text) for text in page.locator("table.sortable").first.locator("tbody a").all_inner_texts()]


def test_a_press_on_a_heading_sorts(visit: Callable[..., Any]) -> None:
    page = visit(1200)
    assert names(page) == ["Careful", "Partial", "Overlap"]
    page.get_by_role("button", name="Metric").press("Enter")
    assert names(page) == ["Careful", "Overlap", "Partial"]
    page.get_by_role("button", name="Metric").click()
    assert names(page) == ["Partial", "Overlap", "Careful"]
    page.get_by_role("button", name="n", exact=True).click()
    assert names(page)[-1] == "Partial"
    pearson = page.get_by_role("columnheader", name="Pearson")
    pearson.get_by_role("button").click()
    assert names(page) == ["Careful", "Partial", "Overlap"]
    assert pearson.get_attribute("aria-sort") == "descending"
    pearson.get_by_role("button").click()
    assert names(page) == ["Overlap", "Partial", "Careful"]


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (390, "light"), (320, "dark")])
def test_it_fits_a_screen_of_any_width(visit: Callable[..., Any], width: int, scheme: str) -> None:
    page = visit(width, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # plots are drawn at a size their text can be read at: eleven units at least nine pixels high
    boxes = [plot.bounding_box() for plot in page.locator("svg.plot").all()]
    assert len(boxes) == 6
    assert all(box and 11 * box["width"] / 320 >= 9 and box["x"] + box["width"] <= width for box in boxes)
    ink, paper = (page.evaluate(f"getComputedStyle(document.body).{p}") for p in ("color", "backgroundColor"))
    light = [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in (ink, paper)]
    assert (light[0] < light[1]) == (scheme == "light")
    assert abs(light[0] - light[1]) > 500


def test_a_metrics_name_leads_to_its_plots(visit: Callable[..., Any]) -> None:
    page = visit(390)
    page.get_by_role("link", name="Overlap").click()
    card = page.locator(page.evaluate("location.hash"))
    assert card.get_by_role("heading").inner_text() == "Overlap"
    assert card.get_by_role("img").count() == 2
    box = card.bounding_box()
    assert box
    assert box["y"] < 800


def test_every_pair_can_be_unfolded(visit: Callable[..., Any]) -> None:
    page = visit(390)
    page.get_by_text("Every pair", exact=True).click()
    assert page.locator("details table tbody tr").count() == 3
    page.get_by_text("In words", exact=True).click()
    assert page.get_by_text("Careful correlates better than Overlap, p < .001").is_visible()
