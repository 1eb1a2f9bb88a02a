"""The data sets a metric is proved on, read into one shape: texts, their sources, what people said."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import orjson

from aver.errors import InputError
from aver.labels import Label
from aver.prove._scorer import Floats
from aver.records import read_bytes, read_records
from aver.text import opening

__all__ = [
    "Absent",
    "Rows",
    "data_folder",
    "read_frank_texts",
    "read_qags",
    "read_summedits",
    "read_summeval",
    "read_vitaminc",
    "read_xsumfaith",
    "sample_index",
]

SUMMEDITS = ("ectsum", "news", "podcast", "qmsumm", "sales_call", "sales_email", "samsum", "scitldr", "billsum",
             "shakespeare")  # fmt: skip


class Absent(Exception):
    """A data set is not at hand; its message is the reason that a part was skipped. Never leaves this room."""


class Item(NamedTuple):
    """One pair as it is read."""

    place: str
    text: str
    source: str
    human: float
    doc: str
    group: str


@dataclasses.dataclass(frozen=True, eq=False)
class Rows:
    """Pairs with a human score each: 1 and 0 where the data set has labels."""

    name: str
    places: tuple[str, ...]
    texts: tuple[str, ...]
    sources: tuple[str, ...]
    human: Floats
    docs: tuple[str, ...]
    """Rows of one document depend on one another: samples, halves and intervals take documents whole."""
    groups: tuple[str, ...]
    """System, domain or contrast: what the part holds apart."""
    files: tuple[tuple[str, str], ...]
    """Name and SHA-256 of each file."""
    of: int
    """Rows before a sample was taken."""

    def __len__(self) -> int:
        return len(self.places)

    def take(self, index: Sequence[int]) -> Rows:
        """Only these rows."""

        def pick(column: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(column[i] for i in index)

        return dataclasses.replace(
            self,
            places=pick(self.places),
            texts=pick(self.texts),
            sources=pick(self.sources),
            human=self.human[list(index)],
            docs=pick(self.docs),
            groups=pick(self.groups),
        )


def data_folder(folder: str | os.PathLike[str] | None) -> Path | None:
    """The folder named, else the one AVER_DATA names, else `../shared/data` beside a checkout, else None."""
    if folder is not None:
        if not Path(folder).is_dir():
            raise InputError(f"{folder}: there is no such folder; --data names the folder of the data sets")
        return Path(folder)
    if named := os.environ.get("AVER_DATA"):
        if not Path(named).is_dir():
            raise InputError(f"AVER_DATA names {named}, and there is no such folder")
        return Path(named)
    above = Path(__file__).resolve().parents
    beside = above[4] / "shared" / "data" if len(above) > 4 else None
    return beside if beside is not None and beside.is_dir() else None


def sample_index(units: Sequence[str], limit: int | None, seed: int) -> list[int]:
    """About `limit` places: whole units in an order drawn by the seed, until there are enough.

    The order hangs on the units' own names, so that a larger sample holds the smaller one.

    >>> sample_index(["a", "a", "b", "c"], 3, seed=1)
    [0, 1, 3]
    """
    if limit is None or limit >= len(units):
        return list(range(len(units)))
    sizes: dict[str, int] = {}
    for unit in units:
        sizes[unit] = sizes.get(unit, 0) + 1
    kept: set[str] = set()
    count = 0
    for unit in sorted(sizes, key=lambda unit: hashlib.sha256(f"{seed} {unit}".encode()).digest()):
        # the last one is taken where that comes nearer to the limit
        if count and count + sizes[unit] - limit > max(limit - count, 0):
            break
        kept.add(unit)
        count += sizes[unit]
    return [i for i, unit in enumerate(units) if unit in kept]


def read_frank_texts(data: Path | None) -> tuple[dict[tuple[str, str], tuple[str, str]], tuple[str, str]]:
    """FRANK's summary and article by hash and system, and the file's name and hash."""
    folder = _folder(data, "frank", "FRANK")
    for name in ("benchmark_data.json", "benchmark_data_reconstructed.json"):
        if (folder / name).is_file():
            rows, file = _whole(folder / name)
            found = {}
            for number, row in enumerate(_listed(rows, folder / name), 1):
                keys, texts = (_fields(row, f"{folder / name} item {number}", *names)
                               for names in (("hash", "model_name"), ("summary", "article")))  # fmt: skip
                found[str(keys[0]), str(keys[1])] = (str(texts[0]), str(texts[1]))
            return found, file
    raise Absent("FRANK's texts are not there: no frank/benchmark_data.json")


def read_qags(data: Path | None, half: str) -> Rows:
    """QAGS's own votes (`cnndm` or `xsum`): the share of a summary's sentences that most workers call consistent."""
    path = _folder(data, "qags", "QAGS") / f"mturk_{half}.jsonl"
    if not path.is_file():
        raise Absent(f"there is no qags/{path.name}")
    from aver.frank import load

    people = load(path).human_scores("consistency")
    items = []
    for number, (place, row) in enumerate(read_records(path)):
        sentences, article = _fields(row, place, "summary_sentences", "article")
        text = " ".join(str(_fields(sentence, place, "sentence")[0]) for sentence in sentences)
        human = float(people[number])
        items.append(Item(f"QAGS {half} row {number + 1}", text, str(article), human, str(number), half))
    return _rows(f"QAGS {half}", items, [_file(path)])


def read_summeval(data: Path | None) -> Rows:
    """SummEval's consistency, 1 to 5, as BARTScore released it."""
    path = _folder(data, "summeval", "SummEval") / "SummEval.json"
    if not path.is_file():
        raise Absent("there is no summeval/SummEval.json")
    whole, file = _whole(path)
    items = []
    for doc, entry in _mapped(whole, path).items():
        source, systems = _fields(entry, f"{path} document {doc}", "src", "sys_summs")
        for system, summary in _mapped(systems, path).items():
            place = f"{path} document {doc}, system {system}"
            text, scores = _fields(summary, place, "sys_summ", "scores")
            [human] = _fields(scores, place, "consistency")
            items.append(Item(f"SummEval document {doc}, system {system}", str(text), str(source),
                              _number(human, place), doc, system))  # fmt: skip
    return _rows("SummEval", items, [file])


def read_xsumfaith(data: Path | None) -> Rows:
    """XSumFaith: whether most of three people find nothing in the summary that the article does not say.

    Of the articles that FRANK or QAGS has too, where those are in the data folder: aver's judges learn from the others.
    """
    path = _folder(data, "xsumfaith", "XSumFaith") / "xsumfaith_with_docs.jsonl"
    if not path.is_file():
        raise Absent("there is no xsumfaith/xsumfaith_with_docs.jsonl")
    items = []
    for place, row in read_records(path):
        doc, system, text, article, said = _fields(
            row, place, "bbcid", "system", "summary", "article", "faithful_majority"
        )
        faithful = float(said in (True, "True", "true"))
        name = f"XSumFaith bbcid {doc}, system {system}"
        items.append(Item(name, str(text), str(article), faithful, str(doc), str(system)))
    numbers, openings = _unlearnt(data)
    if numbers or openings:
        items = [item for item in items if item.doc in numbers or opening(item.source) in openings]
    if not items:
        raise Absent("xsumfaith/xsumfaith_with_docs.jsonl has no article that FRANK or QAGS has too")
    return _rows("XSumFaith", items, [_file(path)])


def _unlearnt(data: Path | None) -> tuple[set[str], set[str]]:
    """The articles of FRANK by their number and those of QAGS by how they begin, as far as they are there."""
    numbers: set[str] = set()
    openings: set[str] = set()
    with contextlib.suppress(Absent):
        numbers = {number for number, _ in read_frank_texts(data)[0]}
    with contextlib.suppress(Absent):
        openings = {opening(article) for article in read_qags(data, "xsum").sources}
    return numbers, openings


def read_summedits(data: Path | None) -> Rows:
    """SummEdits: summaries with small edits, some of which make them wrong; the group is the domain."""
    folder = _folder(data, "summedits", "SummEdits")
    items, files = [], []
    for domain in SUMMEDITS:
        path = folder / f"summedits_{domain}.json"
        if path.is_file():
            rows, file = _whole(path)
            files.append(file)
            for number, row in enumerate(_listed(rows, path), 1):
                place = f"{path} item {number}"
                name, text, article, label = _fields(row, place, "id", "summary", "doc", "label")
                doc = hashlib.sha256(str(article).encode()).hexdigest()[:16]
                human = _number(label, place)
                items.append(Item(f"SummEdits {domain} {name}", str(text), str(article), human, doc, domain))
    if not items:
        raise Absent("there is no summedits/summedits_*.json")
    return _rows("SummEdits", items, files)


def read_vitaminc(data: Path | None, fold: int = 8) -> tuple[Rows, tuple[str, ...]]:
    """VitaminC's claims with their contrastive evidences, and each row's label; the group is the claim.

    Of a file with a `fold`, the fold that no shipped model was trained or chosen on; of one without, every row.
    """
    folder = _folder(data, "vitaminc", "VitaminC")
    path = next((folder / n for n in ("real.jsonl.gz", "test.jsonl", "dev.jsonl") if (folder / n).is_file()), None)
    if path is None:
        raise Absent("there is no vitaminc/real.jsonl.gz, test.jsonl or dev.jsonl")
    items, labels = [], []
    for place, row in read_records(path):
        if row.get("fold", fold) != fold:
            continue
        said, claim, evidence = _fields(row, place, "label", "claim", "evidence")
        label = Label.parse(said, place=place).fever
        page, case = str(row.get("page", row.get("case_id"))), f"{row.get('case_id')} {claim}"
        name = f"VitaminC {row.get('unique_id', place)}"
        items.append(Item(name, str(claim), str(evidence), float(label == "SUPPORTS"), page, case))
        labels.append(label)
    if not items:
        raise Absent(f"vitaminc/{path.name} has no row of fold {fold}")
    return _rows("VitaminC", items, [_file(path)]), tuple(labels)


def _folder(data: Path | None, name: str, title: str) -> Path:
    if data is None:
        raise Absent("no data folder: name one with --data or AVER_DATA")
    if not (data / name).is_dir():
        raise Absent(f"{title} is not in the data folder (no {name}/)")
    return data / name


def _rows(name: str, items: Iterable[Item], files: Sequence[tuple[str, str]]) -> Rows:
    kept = list(items)
    places, texts, sources, human, docs, groups = zip(*kept, strict=True)
    return Rows(name, places, texts, sources, np.array(human, dtype=np.float64), docs, groups, tuple(files), len(kept))


def _whole(path: Path) -> tuple[Any, tuple[str, str]]:
    data = read_bytes(path)
    try:
        return orjson.loads(data), (path.name, hashlib.sha256(data).hexdigest())
    except orjson.JSONDecodeError as error:
        raise InputError(f"{path} line {error.lineno}: broken JSON: {error.msg}") from error


def _file(path: Path) -> tuple[str, str]:
    return path.name, hashlib.sha256(path.read_bytes()).hexdigest()


def _fields(row: Any, place: str, *names: str) -> list[Any]:
    """These fields of a row; what is missing is told with the place."""
    lacking = [name for name in names if not isinstance(row, dict) or row.get(name) is None]
    if lacking:
        raise InputError(f"{place}: has no {' and no '.join(map(repr, lacking))}; docs/prove.md says what is read")
    return [row[name] for name in names]


def _number(value: Any, place: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(f"{place}: {value!r:.40} is no number") from None


def _listed(value: Any, path: Path) -> list[Any]:
    if not isinstance(value, list):
        raise InputError(f"{path}: expected a JSON list")
    return value


def _mapped(value: Any, path: Path) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"{path}: expected JSON objects by name")
    return value
