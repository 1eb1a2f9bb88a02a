"""What a room says it exports is what it exports."""

from __future__ import annotations

import ast
import importlib
import types
from pathlib import Path

import pytest

import aver

SOURCE = Path(aver.__file__).parent
PACKAGES = sorted(
    ".".join(("aver", *path.parent.relative_to(SOURCE).parts)) for path in SOURCE.rglob("__init__.py")
)
MODULES = sorted(f"aver.{path.stem}" for path in SOURCE.glob("*.py") if not path.stem.startswith("_"))
FILES = sorted(SOURCE.rglob("*.py"))

# Packages that only an extra installs: a room that cannot be imported for want of one is left to those who have it.
EXTRA = {"fastapi", "matplotlib", "onnxruntime", "ray", "safetensors", "tokenizers", "torch", "transformers"}


def load(name: str) -> types.ModuleType:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        root = (error.name or "").split(".")[0]
        if root in EXTRA:
            pytest.skip(f"{name} needs {root}, which is not installed")
        raise


@pytest.mark.parametrize("name", PACKAGES)
def test_all_is_what_a_package_really_exports(name: str) -> None:
    room = load(name)
    # the front door opens its rooms when they are asked for
    assert all(hasattr(room, key) for key in room.__all__)
    inside = {
        key
        for key, value in vars(room).items()
        if not key.startswith("_")
        and key not in ("annotations", "Any", "TYPE_CHECKING")
        and not isinstance(value, types.ModuleType)
    }
    # a sub-package is exported where the front door names it, and is otherwise merely there
    named = {key for key in room.__all__ if isinstance(getattr(room, key), types.ModuleType)}
    dunder = {key for key in room.__all__ if key.startswith("__")}
    assert sorted(room.__all__) == sorted(inside | named | dunder)
    assert len(set(room.__all__)) == len(room.__all__)


@pytest.mark.parametrize("name", MODULES)
def test_all_is_what_a_public_module_defines(name: str) -> None:
    module = load(name)
    defined = {
        key
        for key, value in vars(module).items()
        if not key.startswith("_")
        and isinstance(value, (type, types.FunctionType))
        and getattr(value, "__module__", None) == name
    }
    assert defined <= set(module.__all__)
    assert all(hasattr(module, key) for key in module.__all__)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_every_module_says_what_it_is_and_what_it_exports(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), "a module opens with a sentence that says what it is"
    said = [node for node in tree.body if isinstance(node, (ast.Assign, ast.AnnAssign)) and "__all__" in _targets(node)]
    assert said, "a module names in __all__ what others may take from it"
    value = said[0].value
    assert value is not None
    names = ast.literal_eval(value)
    top = {name for node in tree.body for name in _defined(node)}
    assert set(names) <= top, f"in __all__ but not there: {set(names) - top}"


def _targets(node: ast.Assign | ast.AnnAssign) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    flat = [part for target in targets for part in (target.elts if isinstance(target, ast.Tuple) else [target])]
    return [target.id for target in flat if isinstance(target, ast.Name)]


def _defined(node: ast.stmt) -> list[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
        return [node.name]
    if isinstance(node, (ast.Assign, ast.AnnAssign)):
        return _targets(node)
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return [(alias.asname or alias.name).split(".")[0] for alias in node.names]
    if isinstance(node, (ast.If, ast.Try)):
        return [name for below in node.body for name in _defined(below)]
    return []
