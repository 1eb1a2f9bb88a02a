"""How large and how quick the default install is: a fresh virtual environment, timed and weighed.

    python benchmarks/install.py

Prints the seconds `pip install .` took, the megabytes it added to an empty environment, the largest packages, and
the time `aver --help` and `import aver` need. What pip has cached it does not download again.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="aver-install-") as name:
        folder = Path(name, "venv")
        venv.create(folder, with_pip=True)
        python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
        packages = Path(_out(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"))
        before = _size(packages)
        start = time.perf_counter()
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", str(ROOT)]
        subprocess.run(pip, check=True)
        seconds = time.perf_counter() - start
        print(f"pip install: {seconds:.0f} s, {(_size(packages) - before) / 1e6:.0f} MB")
        sizes = {entry.name: _size(entry) for entry in packages.iterdir() if entry.is_dir()}
        largest = sorted(sizes.items(), key=lambda item: -item[1])[:6]
        print("largest:", ", ".join(f"{name} {size / 1e6:.0f} MB" for name, size in largest))
        print(f"aver --help: {_seconds([str(python.with_name('aver')), '--help']):.2f} s")
        print(f"import aver: {_seconds([str(python), '-c', 'import aver']):.2f} s")


def _seconds(command: list[str]) -> float:
    def once() -> float:
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return time.perf_counter() - start

    once()
    return statistics.median(once() for _ in range(5))


def _out(*command: object) -> str:
    return subprocess.run([str(c) for c in command], check=True, capture_output=True, text=True).stdout.strip()


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())


if __name__ == "__main__":
    main()
