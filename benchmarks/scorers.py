"""Time and memory of our scorers against the field's own, measured in one run.

    python benchmarks/scorers.py [--only fever] [--rows 200000] [--repeats 3]
                                 [--official-scorer FOLDER] [--evaluate-metric FILE]

The peers are installed into an environment of their own, kept in the cache folder (XDG_CACHE_HOME, else ~/.cache).
`--official-scorer` names a checkout of the FEVER scorer's repository, to use in place of the released package;
`--evaluate-metric` the file `metrics/fever/fever.py` of a checkout of `evaluate`, which otherwise loads its metric
from its hub. A peer that cannot be had is left out, and said so. The claims are the 9,999 released predictions,
repeated, where the data sets are at hand (AVER_DATA, else ../shared/data beside the checkout), otherwise made up.

Every program reads the same JSON lines from disk in a process of its own. `job` is reading and scoring, `all` the
whole process, from its start to its end, which is what a user waits for and what the targets are about; `CPU` is its
processor time, to be trusted more where the machine has other work. Peers and we take turns, and the best of the
repeats counts. To add a benchmark, write a function here and put `@benchmark` above it.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import textwrap
import time
import venv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson

ROOT = Path(__file__).resolve().parent.parent
BENCHMARKS: dict[str, Callable[[argparse.Namespace], bool]] = {}


def benchmark(function: Callable[[argparse.Namespace], bool]) -> Callable[[argparse.Namespace], bool]:
    """Adds a benchmark: it prints its figures and says whether its targets were met."""
    BENCHMARKS[function.__name__] = function
    return function


class Result(NamedTuple):
    """One program's best run."""

    whole: float
    """Seconds from the process's start to its end."""
    job: float
    """Seconds of reading and scoring."""
    cpu: float
    """Seconds of processor time, which a busy machine changes less."""
    megabytes: float
    figures: list[float]


# -- FEVER -------------------------------------------------------------------------------------------------

OURS = """
    from aver.metrics import fever
    start()
    score = fever(predictions, references, official=official)
    stop([score[n] for n in ("fever_score", "label_accuracy", "evidence_precision", "evidence_recall", "evidence_f1")])
"""
OFFICIAL = """
    from fever.scorer import fever_score
    start()
    stop(list(fever_score(
        [json.loads(line) for line in open(predictions)], [json.loads(line) for line in open(references)]
    )))
"""
EVALUATE = """
    import evaluate
    metric = evaluate.load(sys.argv[4] or "fever")
    def row(line):
        fields = json.loads(line)
        del fields["id"]  # the metric takes no field it does not know
        return fields
    start()
    found = metric.compute(
        predictions=[row(line) for line in open(predictions)], references=[row(line) for line in open(references)]
    )
    stop([found[n] for n in ("fever_score", "label_accuracy", "evidence_precision", "evidence_recall", "evidence_f1")])
"""
DRIVER = """
    import json, resource, sys, time
    predictions, references, official = sys.argv[1], sys.argv[2], sys.argv[3] == "official"
    def start():
        global began
        began = time.perf_counter()
    def stop(figures):
        seconds = time.perf_counter() - began
        cpu = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)
        print(json.dumps([seconds, cpu, peak, figures]))
"""


@benchmark
def fever(options: argparse.Namespace) -> bool:
    """The FEVER scorers: a third of the official one's time; a tenth of evaluate's, and half its memory."""
    python = peers()
    met = True
    with tempfile.TemporaryDirectory(prefix="aver-fever-") as name:
        folder = Path(name)
        write_claims(folder, options.rows)
        print(f"FEVER, {options.rows:,} predictions from JSON lines on disk, best of {options.repeats}")
        print(f"{'':26}{'all, s':>9}{'job, s':>9}{'CPU, s':>9}{'peak MB':>9}")
        path = str(options.official_scorer / "src") if options.official_scorer else ""
        rounds = (
            ("official", OFFICIAL, "", path, 3.0, None),
            ("card", EVALUATE, str(options.evaluate_metric or ""), "", 10.0, 2.0),
        )
        for kind, code, argument, extra, faster, lighter in rounds:
            files = (str(folder / f"{kind}-predictions.jsonl"), str(folder / f"{kind}-references.jsonl"), kind)
            us, them = None, None
            for _ in range(options.repeats):
                us = best(us, run(Path(sys.executable), OURS, files, "", ""))
                them = best(them, run(python, code, files, argument, extra))
            assert us is not None
            peer = "official scorer" if kind == "official" else "evaluate.compute"
            print(f"{'aver, ' + kind:26}{us.whole:9.2f}{us.job:9.2f}{us.cpu:9.2f}{us.megabytes:9.0f}")
            if them is None:
                print(f"{peer:26}could not be had; see --help")
                continue
            print(f"{peer:26}{them.whole:9.2f}{them.job:9.2f}{them.cpu:9.2f}{them.megabytes:9.0f}")
            whole, job, cpu, memory = (getattr(them, n) / getattr(us, n) for n in ("whole", "job", "cpu", "megabytes"))
            ok = whole >= faster and (lighter is None or memory >= lighter)
            met = met and ok
            target = f"target: time {faster:g}" + (f", memory {lighter:g}" if lighter else "")
            verdict = "met" if ok else "MISSED"
            print(f"{'  they need, times ours':26}{whole:9.1f}{job:9.1f}{cpu:9.1f}{memory:9.1f}  {target}: {verdict}")
            if max(abs(a - b) for a, b in zip(us.figures, them.figures, strict=True)) > 1e-9:
                print(f"  the figures differ: {us.figures} and {them.figures}")
                met = False
    return met


@benchmark
def alpha(options: argparse.Namespace) -> bool:
    """Krippendorff's alpha: at least as fast as the `krippendorff` package."""
    return subprocess.run([sys.executable, str(ROOT / "benchmarks" / "agreement.py")], check=False).returncode == 0


def run(python: Path, code: str, files: tuple[str, ...], argument: str, path: str) -> Result | None:
    """One program in a process of its own, or None if it cannot run here."""
    script = textwrap.dedent(DRIVER) + textwrap.dedent(code)
    began = time.perf_counter()
    done = subprocess.run(
        [str(python), "-c", script, *files, argument],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": path, "HF_HUB_OFFLINE": "1" if argument else "0"},
    )
    whole = time.perf_counter() - began
    if done.returncode != 0:
        print(f"  ({done.stderr.strip().splitlines()[-1]})", file=sys.stderr)
        return None
    return Result(whole, *json.loads(done.stdout.splitlines()[-1]))


def best(one: Result | None, two: Result | None) -> Result | None:
    """The quicker of two runs."""
    if one is None or two is None:
        return one or two
    return min(one, two)


def write_claims(folder: Path, rows: int) -> None:
    """The same claims in both shapes: the shared task's, and the card's."""
    with (
        (folder / "official-predictions.jsonl").open("wb") as task_guesses,
        (folder / "official-references.jsonl").open("wb") as task_golds,
        (folder / "card-predictions.jsonl").open("wb") as card_guesses,
        (folder / "card-references.jsonl").open("wb") as card_golds,
    ):
        for number, (label, said, predicted, sets) in zip(range(rows), claims(), strict=False):
            shown = [[f"{page} {line}" for page, line in one] for one in sets]
            told = [f"{page} {line}" for page, line in predicted]
            given = [[[number, number, *sentence] for sentence in one] for one in sets]
            given = given or [[[number, None, None, None]]]
            # (`evaluate` gives a right NOT ENOUGH INFO its point only where it finds an empty set)
            for file, row in (
                (task_guesses, {"id": number, "predicted_label": said, "predicted_evidence": predicted}),
                (task_golds, {"id": number, "label": label, "evidence": given}),
                (card_guesses, {"id": number, "label": said, "evidence": told}),
                (card_golds, {"id": number, "label": label, "evidence_sets": shown or [[]]}),
            ):
                file.write(orjson.dumps(row) + b"\n")


def claims() -> Iterator[tuple[str, str, list[Any], list[Any]]]:
    """Label, predicted label, predicted sentences and gold sets, without end."""
    folder = Path(os.environ.get("AVER_DATA", ROOT.parent / "shared" / "data"), "fever_scorer")
    if folder.is_dir():
        golds = [orjson.loads(line) for line in (folder / "actual.jsonl").read_bytes().splitlines()]
        guesses = [orjson.loads(line) for line in (folder / "predictions.jsonl").read_bytes().splitlines()]
        while True:
            for gold, guess in zip(golds, guesses, strict=True):
                sets = [[s[2:] for s in one if s[2] is not None] for one in gold["evidence"]]
                yield gold["label"], guess["predicted_label"], guess["predicted_evidence"], [s for s in sets if s]
    chance = random.Random(0)
    labels = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")

    def sentence() -> list[Any]:
        return [f"Page_number_{chance.randrange(5_000)}_-LRB-film-RRB-", chance.randrange(20)]

    while True:
        label = chance.choice(labels)
        sets = [[sentence() for _ in range(chance.choice((1, 1, 1, 2)))] for _ in range(chance.randint(1, 4))]
        predicted = [sentence() for _ in range(5)] if chance.random() < 0.6 else [*sets[0], sentence(), sentence()]
        yield label, chance.choice((label, *labels)), predicted, [] if label == labels[2] else sets


def peers() -> Path:
    """The Python of an environment that has the peers."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache", "aver-benchmarks")
    python = cache / "peers" / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not (cache / "ready").exists():
        print(f"installing the peers into {cache} …", file=sys.stderr)
        venv.create(cache / "peers", with_pip=True, clear=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "six", "evaluate", "datasets", "setuptools<81", "wheel"], check=True)
        # The released scorer's setup.py says `license=license` and so hands over Python's own `license`.
        (cache / "sitecustomize.py").write_text("import builtins\n\nbuiltins.license = 'Apache-2.0'\n")
        build = [*pip, "--no-deps", "--no-build-isolation", "fever-scorer"]
        subprocess.run(build, check=False, env={**os.environ, "PYTHONPATH": str(cache)})
        (cache / "ready").touch()
    return python


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=sorted(BENCHMARKS), help="run one benchmark")
    parser.add_argument("--rows", type=int, default=200_000, help="how many predictions")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each program")
    parser.add_argument("--official-scorer", type=Path, help="a checkout of the FEVER scorer")
    parser.add_argument("--evaluate-metric", type=Path, help="fever.py of a checkout of evaluate")
    options = parser.parse_args()
    results = [BENCHMARKS[name](options) for name in ([options.only] if options.only else BENCHMARKS)]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
