"""What people said of sentences that others, or machines, wrote from a source."""

from __future__ import annotations

import contextlib
import csv
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import orjson

from aver.consistency import Source
from aver.errors import InputError
from aver.labels import Label
from aver.records import iter_numbered
from aver.text import opening
from aver.train._documents import Told

__all__ = ["BEGIN_FILES", "SUMMARY_FILES", "WICE_FILE", "articles", "dialogues", "marked_claims", "summaries"]

BEGIN_FILES = ("begin/begin_dev_tc.tsv", "begin/begin_dev_wow.tsv", "begin/begin_test_wow.tsv")
"""BEGIN's replies about articles and Wikipedia; those about films are left out, since no licence is stated for them."""
WICE_FILE = "wice/non_supported_tokens_train.jsonl"
SUMMARY_FILES = (
    "xsumfaith/xsumfaith_with_docs.jsonl", "xsumfaith/hallucination_annotations_xsum_summaries.csv",
    "frank/human_annotations.json", "qags/mturk_xsum.jsonl",
)  # fmt: skip
"""XSumFaith's summaries and the words people marked in them; then the sets whose articles are left out of them."""


def dialogues(data: Path) -> Iterator[Told]:
    """BEGIN: replies of dialogue systems, with the knowledge they were to be based on."""
    labels = {"Fully attributable": Label.SUPPORTS, "Not fully attributable": Label.NOT_ENOUGH_INFO}
    for name in BEGIN_FILES:
        with (data / name).open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            missing = {"knowledge", "response", "begin_label"} - set(rows.fieldnames or ())
            if missing:
                raise InputError(f"{data / name}: its first line names no {', '.join(sorted(missing))}")
            for row in rows:
                label = labels.get((row["begin_label"] or "").strip())
                knowledge, reply = (row["knowledge"] or "").strip(), (row["response"] or "").strip()
                if label is not None and knowledge and reply:
                    yield Told(reply, knowledge, label, () if label is Label.SUPPORTS else None)


def marked_claims(data: Path) -> Iterator[Told]:
    """WiCE: claims of Wikipedia that the cited article bears out in part, with the words it does not bear out."""
    for _, row in iter_numbered(data / WICE_FILE):
        claim, at, spans = row["claim"], 0, []
        for token, bare in zip(row["claim_tokens"], row["non_supported_spans"], strict=True):
            start = claim.find(token, at)
            if start < 0:
                continue
            at = start + len(token)
            if bare:
                spans.append((start, at))
        kept = sorted({n for chosen in row["supporting_sentences"] for n in chosen})
        around = sorted({m for n in kept for m in (n - 1, n, n + 1) if 0 <= m < len(row["evidence"])})
        text = " ".join(row["evidence"][n] for n in (around or range(min(8, len(row["evidence"])))))
        if text.strip():
            yield Told(claim, text, Label.NOT_ENOUGH_INFO, tuple(spans))


def articles(data: Path) -> dict[str, str]:
    """XSumFaith's articles by their number, but for those that FRANK or QAGS have too: consistency is fitted on the one
    and reported on the other."""
    texts, _, fitted, reported = (data / name for name in SUMMARY_FILES)
    with _named(fitted):
        left_out = {str(row["hash"]) for row in orjson.loads(fitted.read_bytes())}
    with _named(reported):
        openings = {opening(row["article"]) for _, row in iter_numbered(reported)}
    with _named(texts):
        found = {str(row["bbcid"]): row["article"] for _, row in iter_numbered(texts)}
        return {
            number: text for number, text in found.items() if number not in left_out and opening(text) not in openings
        }


def summaries(data: Path, rng: random.Random) -> Iterator[Told]:
    """XSumFaith: machines' summaries of news against the sentences of the article nearest to them.

    Words are marked that two of three people called hallucinated.
    """
    texts, spans = (data / name for name in SUMMARY_FILES[:2])
    marked = _marked(spans)
    sources = {number: Source(text) for number, text in articles(data).items()}
    with _named(texts):
        for _, row in iter_numbered(texts):
            number, summary = str(row["bbcid"]), _plain(row["summary"])
            if number not in sources or not summary:
                continue
            kinds = Counter(kind for kinds in row["types"].values() for kind in set(kinds))
            label = Label.SUPPORTS
            if not row["faithful_majority"]:
                label = Label.REFUTES if kinds["intrinsic"] > kinds["extrinsic"] else Label.NOT_ENOUGH_INFO
            nearest = [at for at, _ in sources[number].nearest(summary, rng.choice((3, 4, 6, 8)))]
            if nearest:
                agreed = _agreed(summary, list(marked.get((number, row["system"]), {}).values()))
                # where something is wrong and no two people agree on what, it is not known which words are
                borne = agreed or (() if label is Label.SUPPORTS else None)
                yield Told(summary, sources[number].joined(nearest), label, borne)


def _marked(path: Path) -> dict[tuple[str, str], dict[str, list[str]]]:
    """By article and system, what each person called hallucinated."""
    found: dict[tuple[str, str], dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    with _named(path), path.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        missing = {"bbcid", "system", "hallucinated_span", "worker_id"} - set(rows.fieldnames or ())
        if missing:
            raise InputError(f"{path}: its first line names no {', '.join(sorted(missing))}")
        for row in rows:
            if row["hallucinated_span"] not in (None, "NULL"):
                found[row["bbcid"], row["system"]][row["worker_id"]].append(_plain(row["hallucinated_span"]))
    return found


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    """What is wrong with a file is said with its name."""
    try:
        yield
    except InputError:
        raise
    except (ValueError, TypeError, KeyError, AttributeError, csv.Error) as error:
        what = f"a row has no {error}" if isinstance(error, KeyError) else str(error)
        raise InputError(f"{path}: is not as its set has it: {what}; fetch the file again") from error


def _agreed(text: str, votes: list[list[str]]) -> tuple[tuple[int, int], ...]:
    """The stretches of the text that two or more people marked; each person's are given as words of the text."""
    count = [0] * len(text)
    for phrases in votes:
        places = {at for phrase in phrases if phrase in text for at in _places(text, phrase)}
        for at in places:
            count[at] += 1
    starts = [at for at, n in enumerate(count) if n >= 2 and (at == 0 or count[at - 1] < 2)]
    ends = [at + 1 for at, n in enumerate(count) if n >= 2 and (at + 1 == len(text) or count[at + 1] < 2)]
    return tuple(zip(starts, ends, strict=True))


def _places(text: str, phrase: str) -> range:
    at = text.index(phrase)
    return range(at, at + len(phrase))


def _plain(text: str) -> str:
    return text.replace("\\'", "'").replace('\\"', '"').replace("\\n", " ").strip()
