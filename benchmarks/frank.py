"""How fast `aver frank` is beside FRANK's own script, measured in the same run.

    python benchmarks/frank.py --peer PATH_OF_FRANKS_CHECKOUT [--data FOLDER] [--runs 5]

Needs FRANK's data (the folder `frank` of AVER_DATA, or --data). With --peer, a checkout of github.com/artidoro/frank,
the same work is done by its evaluation/evaluate.py under the same Python, in turn with ours; that Python then needs
what the script imports (pandas, scikit-learn, matplotlib, scipy). Times are medians of wall-clock seconds.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import io
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from aver.frank import compare, correlate, load

AVER = [sys.executable, "-c", "from aver.cli import main; main()"]
MODES = {
    "correlate": (["--resamples", "0"], "hm-correlation"),
    "compare": ([], "mm-correlation"),
    "ablate": ([], "ablations"),
    "ablate, plot": (["--plot", "{folder}/plot.svg"], "ablations-plot"),
}


def main() -> None:
    options = arguments()
    folder = options.data
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, median of {options.runs} runs\n")
    end_to_end(folder, options.peer, options.runs)
    in_process(folder, options.peer, options.runs)
    bootstrap(folder)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = Path(os.environ.get("AVER_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
    parser.add_argument("--data", type=Path, default=root / "frank", help="folder with FRANK's two JSON files")
    parser.add_argument("--peer", type=Path, help="checkout of github.com/artidoro/frank")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    if not (options.data / "human_annotations.json").exists():
        parser.error(f"{options.data}: no human_annotations.json there; name the folder with --data")
    if options.peer and not (options.peer / "evaluation" / "evaluate.py").exists():
        parser.error(f"{options.peer}: no evaluation/evaluate.py there")
    return options


def end_to_end(data: Path, peer: Path | None, runs: int) -> None:
    """Whole commands on all 2,246 rows, each started anew; ours and theirs in turn."""
    print("End to end, split all, the same work (no bootstrap):")
    with tempfile.TemporaryDirectory() as folder:
        for name, (extra, mode) in MODES.items():
            verb = name.split(",")[0]
            ours = [*AVER, "frank", verb, str(data), "--split", "all"]
            ours += [word.format(folder=folder) for word in extra]
            theirs = None
            if peer:
                theirs = [sys.executable, str(peer / "evaluation" / "evaluate.py"), "--split", "all", "--mode", mode]
                theirs += ["--human_eval_path", str(data / "human_annotations.json"), "--store_path", folder]
                theirs += ["--baseline_metrics_outputs", str(data / "baseline_factuality_metrics_outputs.json")]
            report(name, *in_turn(lambda c=ours: run(c), theirs and (lambda c=theirs: run(c)), runs))  # type: ignore[misc]
        print("More than the script does, for scale:")
        report("correlate *", statistics.median(timed(lambda: run([*AVER, "frank", "correlate", str(data)]))
                                                for _ in range(runs)), None)  # fmt: skip
        report(
            "leaderboard",
            timed(lambda: run([*AVER, "frank", "leaderboard", str(data), "-o", f"{folder}/l.html"])),
            None,
        )
    print("  * the default: test split, 1,000 resamples of Pearson and Spearman\n")


def in_process(data: Path, peer: Path | None, runs: int) -> None:
    """The comparison of all ten metrics, data already in memory."""
    print("In process, all ten metrics compared:")
    bench = load(data)
    theirs: Callable[[], Any] | None = None
    if peer:
        import pandas

        spec = importlib.util.spec_from_file_location("frank_evaluate", peer / "evaluation" / "evaluate.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        frame = pandas.read_json(data / "human_annotations.json").merge(
            pandas.read_json(data / "baseline_factuality_metrics_outputs.json")[
                ["hash", "model_name", *bench.preferred]
            ],
            on=["hash", "model_name"],
        )
        names = list(bench.preferred)

        def theirs() -> Any:
            return module.metric_metric_correlation(
                frame, "Factuality", names, partial_correlation_variable="model_name"
            )

    report("compare", *in_turn(lambda: compare(bench), theirs, runs))
    print()


def bootstrap(data: Path) -> None:
    """10,000 samples of documents for ten metrics on all rows."""
    print("10,000 bootstrap resamples of all ten metrics, 2,246 rows:")
    bench = load(data)
    for method, ranking in (
        ("pearson", "again"),
        ("spearman", "again"),
        ("spearman", "fixed"),
        ("spearman-ranked", "again"),
        ("kendall", "again"),
    ):
        seconds = timed(lambda: correlate(bench, methods=[method], resamples=10_000, ranking=ranking))  # type: ignore[list-item,arg-type]  # noqa: B023
        print(f"  {method + (', ranks fixed' if ranking == 'fixed' else ''):<24} {seconds:8.2f} s")
    print(f"  peak memory of this process {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB")


def in_turn(ours: Callable[[], Any], theirs: Callable[[], Any] | None, runs: int) -> tuple[float, float | None]:
    first, second = [], []
    for _ in range(runs):
        first.append(timed(ours))
        if theirs:
            second.append(timed(theirs))
    return statistics.median(first), statistics.median(second) if second else None


def timed(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    with contextlib.redirect_stdout(io.StringIO()):
        work()
    return time.perf_counter() - start


def run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed:\n{done.stderr}")


def report(name: str, ours: float, theirs: float | None) -> None:
    beside = "" if theirs is None else f"   FRANK's script {theirs:8.3f} s   {theirs / ours:6.1f}x"
    print(f"  {name:<14} aver {ours:8.3f} s{beside}", flush=True)


if __name__ == "__main__":
    main()
