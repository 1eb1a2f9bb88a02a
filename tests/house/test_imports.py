"""Imports between rooms point one way only: the table of the house, checked in the source itself."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import aver

SOURCE = Path(aver.__file__).parent

FRONT = {"errors", "labels", "lossless", "measures", "records", "results"}
"""The front matter: everyone may use it, and it uses nothing but itself."""

# room -> the rooms it may use; what those may use it may use too
MAY_USE: dict[str, set[str]] = {
    "text": set(),
    "models": {"text"},
    "collection": {"text"},
    "verify": {"agreement", "collection", "models"},
    "revisions": {"verify"},
    "consistency": {"verify", "models"},
    "metrics": set(),
    "agreement": set(),
    "frank": {"metrics"},
    # the only ones above it are the server and the command
    "prove": {"consistency", "frank", "metrics", "models"},
    "study": {"text", "models"},
    "annotate": {"agreement", "collection"},
    # recipes also score what they trained and weigh the votes they learn from, so they use the scorers too; and they
    # learn from summaries as the consistency metric reads them
    "train": {"agreement", "consistency", "metrics", "models", "revisions"},
    "scale": {"verify", "revisions"},
}
EVERYTHING = {"cli", "server"}
"""Rooms that may use all the others, and the front door; no room may use them."""
DOOR = {path.stem for path in SOURCE.glob("_*.py")}
"""The front door (`__init__` and the private modules beside it) gathers the rooms: none may come in through it."""


def allowed(room: str) -> set[str]:
    if room == "__main__":
        return {"cli"}
    if room in EVERYTHING:
        return set(MAY_USE) | FRONT | DOOR | {room} | ({"server"} if room == "cli" else set())
    if room in DOOR:
        return set(MAY_USE) | FRONT | DOOR
    if room in FRONT:
        return FRONT
    found, waiting = {room} | FRONT, [room]
    while waiting:
        for other in MAY_USE[waiting.pop()] - found:
            found.add(other)
            waiting.append(other)
    return found


def rooms_used(path: Path) -> set[tuple[int, str]]:
    """The rooms a file imports from, wherever the import stands; type checking counts."""
    used = set()
    package = path.relative_to(SOURCE.parent).parent.parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        modules: list[str] = []
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(part for part in (base, node.module or "") if part)
            # `from aver import metrics` names a room; `from aver import fever` the front door
            # (its version is nobody's room)
            named = [a.name for a in node.names if a.name != "__version__"]
            modules = [f"{module}.{name}" for name in named] if module == "aver" else [module]
        for module in modules:
            parts = module.split(".")
            if parts[0] == "aver":
                known = len(parts) > 1 and ((SOURCE / parts[1]).is_dir() or (SOURCE / f"{parts[1]}.py").is_file())
                used.add((node.lineno, parts[1] if known else "__init__"))
    return used


@pytest.mark.parametrize("path", sorted(SOURCE.rglob("*.py")), ids=lambda path: str(path.relative_to(SOURCE)))
def test_imports_point_the_allowed_way(path: Path) -> None:
    inside = path.relative_to(SOURCE)
    room = inside.parts[0] if len(inside.parts) > 1 else inside.stem
    assert room in EVERYTHING | DOOR | FRONT | set(MAY_USE), f"{room} is a new room: give it a row in this table"
    wrong = [f"line {line} imports from {used}" for line, used in sorted(rooms_used(path)) if used not in allowed(room)]
    assert not wrong, f"{inside}: {'; '.join(wrong)}; {room} may use {sorted(allowed(room))}"


def test_the_check_sees_imports_inside_functions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "aver"
    (source / "text").mkdir(parents=True)
    (source / "verify").mkdir()
    bad = source / "text" / "_bad.py"
    bad.write_text("def f():\n    from aver.verify import g\n    import aver.verify.h\n    from ..verify import i\n")
    monkeypatch.setitem(rooms_used.__globals__, "SOURCE", source)
    assert rooms_used(bad) == {(2, "verify"), (3, "verify"), (4, "verify")}
    assert "verify" not in allowed("text")
