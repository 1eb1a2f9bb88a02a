"""The report as a page, as Markdown, and opened in a real browser."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from aver.prove import Chart, Part, Report, Table, html, markdown, prove, write_html

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
NAME = "a_very_long_name_of_a_metric_in_a_file_without_a_single_space.py:score"


def overlap(texts: Sequence[str], sources: Sequence[str]) -> list[float | None]:
    """The share of the text's words that the source holds."""
    found: list[float | None] = []
    for text, source in zip(texts, sources, strict=True):
        ours, theirs = set(text.lower().split()), set(source.lower().split())
        found.append(len(ours & theirs) / len(ours) if ours else None)
    return found


@pytest.fixture(scope="module")
def report(made_data: Path) -> Report:
    parts = ["sample", "frank", "qags", "summedits", "vitaminc", "reading", "calibration", "edges"]
    command = "aver prove mine.py:score --seed 0"
    return prove(overlap, data=made_data, name=NAME, resamples=40, command=command, parts=parts)


def test_the_page_holds_every_table_and_finding(report: Report) -> None:
    page = html(report)
    for part in report.parts:
        assert part.finding.replace("'", "&#x27;") in page
        for table in part.tables:
            assert f"<caption>{table.title}</caption>".replace("'", "&#x27;") in page
    assert f"{report['frank'].figures['pearson']:.3f}" in page
    assert "aver prove mine.py:score --seed 0" in page
    assert page == html(report)
    assert html(Report.from_dict(report.as_dict())) == page


def test_the_page_fetches_nothing_and_can_be_read_aloud(report: Report) -> None:
    addresses: list[str] = []
    drawings: list[dict[str, str | None]] = []
    rows = {"th": 0, "unscoped": 0}

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            held = dict(attrs)
            addresses.extend(v or "" for k, v in attrs if k in ("src", "href", "action", "data", "srcset"))
            if tag == "svg":
                drawings.append(held)
            if tag == "th":
                rows["th"] += 1
                rows["unscoped"] += "scope" not in held

    page = html(report)
    Reader().feed(page)
    assert addresses
    assert all(address.startswith("#") for address in addresses)
    assert {address[1:] for address in addresses} <= set(re.findall(r'<section id="(\w+)"', page))
    assert "default-src 'none'" in page
    assert "<script" not in page
    assert len(drawings) == sum(len(part.charts) for part in report.parts) > 5
    assert all(one["role"] == "img" and len(one["aria-label"] or "") > 20 for one in drawings)
    assert rows["th"] > 50
    assert rows["unscoped"] == 0


def test_names_cannot_become_markup() -> None:
    evil = '<script>alert("x")</script>'
    part = Part("p", evil, evil, finding=evil, figures={}, tables=(Table(evil, (evil,), ((evil,),), evil),),
                charts=(Chart("bars", evil, evil, ((evil, 1.0, None, None),)),), rule=evil, notes=(evil,))  # fmt: skip
    made = Report(evil, "function", evil, evil, (part, Part("q", evil, "", "skipped", evil)), {}, {}, evil, "0", 1.0)
    assert "<script" not in html(made)
    assert "<script" not in MarkdownIt("commonmark").enable("table").render(markdown(made))


def test_markdown_says_the_same(report: Report) -> None:
    text = markdown(report)
    assert text.startswith(f"# Trust report: {NAME}\n")
    for part in report.parts:
        assert f"## {part.title}\n" in text
    rendered = MarkdownIt("commonmark").enable("table").render(text)
    tables = sum(len(part.tables) for part in report.parts) + 1
    assert rendered.count("<table>") == tables
    # every row has as many cells as its head
    for table in re.findall(r"<table>(.*?)</table>", rendered, re.S):
        sizes = {len(re.findall(r"<t[hd]\b", row)) for row in re.findall(r"<tr>(.*?)</tr>", table, re.S)}
        assert len(sizes) == 1


def test_a_report_with_nothing_done_has_a_page_too(tmp_path: Path) -> None:
    made = prove(overlap, data=tmp_path, parts=["qags", "frank"])
    page = html(made)
    assert page.count("skipped: ") == 2
    assert "<section id=" not in page
    assert "skipped: QAGS is not in the data folder" in markdown(made)


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
def visit(browser: Any, tmp_path: Path, report: Report) -> Iterator[Callable[..., Any]]:
    complaints: list[str] = []
    pages = []

    def open_(width: int, scheme: str = "light") -> Any:
        write_html(report, tmp_path / "report.html")
        page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: request.url.startswith("file:") or complaints.append(request.url))
        page.goto((tmp_path / "report.html").as_uri())
        pages.append(page)
        return page

    yield open_
    for page in pages:
        page.close()
    assert complaints == []


@pytest.mark.parametrize(("width", "scheme"), [(1200, "light"), (390, "light"), (320, "dark")])
def test_it_fits_a_screen_of_any_width(visit: Callable[..., Any], width: int, scheme: str) -> None:
    page = visit(width, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    boxes = [plot.bounding_box() for plot in page.locator("svg").all()]
    assert len(boxes) > 5
    # text of eleven units is at least nine pixels high
    assert all(box and 11 * box["width"] / 320 >= 9 and box["x"] + box["width"] <= width for box in boxes)
    ink, paper = (page.evaluate(f"getComputedStyle(document.body).{p}") for p in ("color", "backgroundColor"))
    light = [sum(map(int, re.findall(r"\d+", colour)[:3])) for colour in (ink, paper)]
    assert (light[0] < light[1]) == (scheme == "light")
    assert abs(light[0] - light[1]) > 500


def test_findings_lead_to_their_parts_and_tables_are_real(visit: Callable[..., Any]) -> None:
    page = visit(390)
    page.get_by_role("link", name="VitaminC").click()
    assert page.evaluate("location.hash") == "#vitaminc"
    part = page.locator("#vitaminc")
    assert part.get_by_role("heading", level=2).inner_text() == "VitaminC"
    table = page.get_by_role("table", name="Claims with two evidences")
    assert table.get_by_role("columnheader").count() == 8
    assert table.get_by_role("rowheader").first.inner_text() == "refutes it"
    # a table wider than the phone scrolls by itself, and the keyboard reaches it
    region = page.get_by_role("region", name="Claims with two evidences")
    assert region.evaluate("e => e.tabIndex") == 0
    part.get_by_text("How this was made").click()
    assert part.get_by_text("A tie is not higher").is_visible()


def test_drawings_say_what_they_show(visit: Callable[..., Any]) -> None:
    page = visit(1200)
    assert page.get_by_role("img", name="Partial Pearson correlation with people").count() == 1
    assert page.get_by_role("img", name="share of consistent rows by score").count() == 4
    # the metric's own mark is a shape of its own, not only a colour
    assert page.locator("#frank svg rect.mine").count() == 1
