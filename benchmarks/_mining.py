"""Mining: how fast a history is read, how much memory it takes, and whether the right edits come out.

A history is made here from the real articles of a Wikipedia dump (wiki_dump_gensim): every revision changes a number
in the running text or adds a category; some are vandalism or are undone a little later. What was done is known, so it
can be counted: edits that came out, and edits that had been undone and came out all the same. `--limit` is the number
of megabytes of XML to make (150 unless given).

The rate is of uncompressed XML by the processor's time of one process, without flagging; memory is the process's peak,
once on the whole and once on a tenth of it. Each is measured in a process of its own.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import json
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

from aver.collection.readers import strip_wikitext
from aver.collection.readers._mediawiki import parsed
from aver.collection.readers._mediawiki_xml import DumpParser, RawRevision
from aver.train import Figure

_HEAD = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">\n'
_NUMBER = re.compile(r"(?<![\w.,-])\d{2,6}(?![\w.,%-])")
_PROSE = re.compile(r"^['A-Z][^|{}=\n]{200,3000}$", re.MULTILINE)

_MEASURE = """
import json, re, resource, sys, time
from aver.revisions import MiningReport, mine
report, found = MiningReport(), []
began = time.process_time()
for edit in mine(sys.argv[1], report=report):
    found.append(edit.revision)
spent = time.process_time() - began
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
try:
    # what getrusage tells also counts the process that started this one
    peak = int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1024
except OSError:
    pass
print(json.dumps({"seconds": spent, "peak": peak, "revisions": found, "report": report.as_dict()}))
"""


def mining(asked: argparse.Namespace) -> list[Figure]:
    """The figures; bars: 20 MB/s a core, 500 MB."""
    megabytes = asked.limit or 150
    with tempfile.TemporaryDirectory() as folder:
        plain, tenth = Path(folder, "history.xml"), Path(folder, "tenth.xml")
        edits, undone = _make(plain, asked, megabytes)
        _make(tenth, asked, max(1, megabytes // 10))
        size = plain.stat().st_size / 1e6
        asked.say(f"{size:.0f} MB of history, {len(edits):,} edits that stand, {len(undone):,} that were undone")
        whole, small = _measured(plain), _measured(tenth)
        rates = {"plain": size / whole["seconds"]}
        # a tenth is enough for the rate of a decompressor
        part = tenth.stat().st_size / 1e6
        for name, file in _packed(tenth, Path(folder)).items():
            asked.say(name)
            rates[name] = part / _measured(file)["seconds"]
    out = set(whole["revisions"])
    kept, wrong = 100 * len(out & edits) / len(edits), 100 * len(out & undone) / max(1, len(undone))
    revisions = whole["report"]["revisions"]
    return [
        _once("rate", "XML read, compared and aligned, MB a second of one core", rates.pop("plain"), size, "MB", 20.0),
        *(_once(f"rate_{n}", f"the same from {n}, with its decompression", r, part, "MB") for n, r in rates.items()),
        _once("memory", f"peak memory, {size:.0f} MB of XML", whole["peak"], size, "MB", 500.0, higher=False),
        _once("memory_tenth", f"peak memory, {part:.0f} MB of XML", small["peak"], part, "MB"),
        _once("kept", "edits that stand and came out, %", kept, len(edits), "edits"),
        _once("undone", "edits that were undone and came out, %", wrong, len(undone), "edits", higher=False),
        _once("revisions", "revisions a second of one core", revisions / whole["seconds"], revisions, "revisions"),
    ]


def _once(
    name: str, title: str, value: float, n: float, unit: str, bar: float | None = None, *, higher: bool = True
) -> Figure:
    return Figure(name, title, value, value, value, round(n), unit, bar, higher)


def _measured(path: Path) -> dict[str, object] | dict[str, float]:
    done = subprocess.run([sys.executable, "-c", _MEASURE, str(path)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def _packed(path: Path, folder: Path) -> dict[str, Path]:
    data = path.read_bytes()
    made = {"gz": folder / "history.xml.gz", "bz2": folder / "history.xml.bz2"}
    made["gz"].write_bytes(gzip.compress(data, 6))
    made["bz2"].write_bytes(bz2.compress(data))
    try:
        import py7zr
    except ImportError:
        return made
    made["7z"] = folder / "history.xml.7z"
    with py7zr.SevenZipFile(made["7z"], "w") as archive:
        archive.write(path, "history.xml")
    return made


def _make(path: Path, asked: argparse.Namespace, megabytes: int) -> tuple[set[str], set[str]]:
    """Writes a history; the revisions whose edits stand, and those whose edits were undone."""
    articles = list(_articles(asked.data))
    edits: set[str] = set()
    undone: set[str] = set()
    number = written = 0
    with path.open("w", encoding="utf-8") as file:
        file.write(_HEAD)
        copy = 0
        while written < megabytes * 1_000_000:
            for title, text in articles:
                rng = random.Random(f"{asked.seed}|{title}|{copy}")
                file.write(f"<page><title>{escape(title)} {copy}</title><ns>0</ns><id>{number}</id>\n")
                for state, what, comment in _history(text, rng):
                    number += 1
                    file.write(_revision(number, state, comment))
                    written += len(state) + 300
                    if what:
                        (edits if what == "edit" else undone).add(str(number))
                file.write("</page>\n")
                if written >= megabytes * 1_000_000:
                    break
            copy += 1
        file.write("</mediawiki>\n")
    return edits, undone


def _articles(data: Path) -> Iterator[tuple[str, str]]:
    for file in sorted((data / "wiki_dump_gensim").glob("*.bz2")):
        for found in parsed(file, DumpParser({0})):
            if isinstance(found, RawRevision) and len(_PROSE.findall(found.text)) >= 8 and len(found.text) < 200_000:
                yield found.title, found.text


def _history(text: str, rng: random.Random) -> Iterator[tuple[str, str, str]]:
    """Twenty states of an article: the text, what the revision did (edit, undone, or nothing to count), its comment."""
    yield text, "", "created"
    left = 20
    while left > 0:
        left -= 1
        draw = rng.random()
        changed = _edited(text, rng)
        if draw < 0.6:
            if changed is not None and changed != text:
                text = changed
                yield text, "edit", "copyedit, updated figures"
        elif draw < 0.7 and changed is not None and changed != text:
            yield changed, "undone", ""
            yield text, "", "Undid revision by someone"
        elif draw < 0.8:
            yield text[: len(text) // 20] + "SO BORING HA HA", "undone", ""
            yield text, "", "rv"
        else:
            text = text + f"\n[[Category:Made up {left}]]"
            yield text, "", "category"


def _edited(text: str, rng: random.Random) -> str | None:
    """The article with one number of a line of prose changed, where a reader sees it."""
    paragraphs = [found for found in _PROSE.finditer(text) if _NUMBER.search(found[0])]
    rng.shuffle(paragraphs)
    for paragraph in paragraphs[:5]:
        line = paragraph[0]
        found = rng.choice(list(_NUMBER.finditer(line)))
        changed = line[: found.start()] + str(int(found[0]) + rng.randint(1, 40)) + line[found.end() :]
        if strip_wikitext(changed) != strip_wikitext(line):
            return text[: paragraph.start()] + changed + text[paragraph.end() :]
    return None


def _revision(number: int, text: str, comment: str) -> str:
    return (
        f"<revision><id>{number}</id><timestamp>2024-01-01T00:00:{number % 60:02}Z</timestamp>"
        f"<contributor><username>A</username><id>1</id></contributor><comment>{escape(comment)}</comment>"
        f"<model>wikitext</model><format>text/x-wiki</format>"
        f'<text bytes="{len(text)}" xml:space="preserve">{escape(text)}</text></revision>\n'
    )
