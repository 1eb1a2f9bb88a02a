"""What is put to the proof: a built-in metric, a function, an object that scores, or a file of scores."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import importlib
import importlib.util
import inspect
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

from aver.errors import AverError, InputError, kind_of
from aver.models import Judge

__all__ = ["Call", "Raw", "Subject", "open_subject"]

Raw = Callable[[Sequence[str], Sequence[str]], Any]
"""Texts and sources in, whatever the metric returns out: not yet checked."""

Call = Literal["auto", "batch", "pair"]
"""How a function is called: with lists of texts and sources (`batch`), or with one of each (`pair`)."""

_MANY = frozenset({"texts", "summaries", "claims", "hypotheses", "candidates", "predictions", "outputs", "answers",
                   "responses", "generations", "sentences"})  # fmt: skip
_ONE = frozenset({"text", "summary", "claim", "hypothesis", "candidate", "prediction", "output", "answer", "response",
                  "generation", "sentence"})  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Subject:
    """A metric to be proved: how it is called, and what names it in the report."""

    name: str
    kind: str
    """`built-in`, `function` or `scores`."""
    what: str
    identity: str
    """What the kept scores of a `--work` folder belong to: other code or another model has another one."""
    model: str = ""
    raw: Raw | None = None
    """None for a file of scores, which cannot be asked anything new."""
    scores_file: str = ""
    key: str = "score"
    again: str = ""
    """What names this metric in another process, so that its speed and memory can be measured alone; empty: nothing."""
    options: tuple[tuple[str, str], ...] = ()

    @property
    def callable(self) -> bool:
        """Whether it can be asked for the score of a new pair."""
        return self.raw is not None


def open_subject(
    metric: object, *, judge: str | Judge | None = None, call: Call = "auto", name: str | None = None,
    key: str = "score",
) -> Subject:  # fmt: skip
    """The subject that a metric's name, a `module:function`, a scores file, a function or a metric object stands for.

    >>> open_subject(lambda texts, sources: [1.0] * len(texts), name="always yes").name
    'always yes'
    >>> open_subject("rogue-l")
    Traceback (most recent call last):
    aver.errors.InputError: 'rogue-l' is no built-in metric, no function (write module:function or file.py:function) \
and no file of scores; built in are: ...
    """
    if isinstance(metric, Subject):
        return metric
    if isinstance(metric, (str, os.PathLike)):
        return _named(os.fspath(metric), judge=judge, call=call, name=name, key=key)
    if judge is not None:
        raise InputError("a judge can be chosen for a built-in metric only; this metric was handed in as it is")
    label = name or str(getattr(metric, "name", "") or getattr(metric, "__qualname__", "") or type(metric).__name__)
    if callable(getattr(metric, "score", None)):
        model = str(getattr(metric, "model", "") or "")
        return Subject(label, "function", str(getattr(metric, "what", "") or ""), f"{label} {model}", model,
                       raw=_batched(metric.score, "batch"))  # type: ignore[attr-defined]  # fmt: skip
    if callable(metric):
        return Subject(label, "function", _first_line(metric), f"{label} {_code_hash(metric)}",
                       raw=_batched(metric, call))  # fmt: skip
    raise InputError(f"a metric is a name, a function or an object with .score, not {kind_of(metric, none='None')}")


def _named(spec: str, *, judge: str | Judge | None, call: Call, name: str | None, key: str) -> Subject:
    from aver import consistency

    if spec in consistency.metrics():
        metric = consistency.metric(spec, judge=judge) if judge is not None else consistency.metric(spec)
        model = metric.model
        # a fresh process can open a judge by its name only
        again = (("judge", judge if isinstance(judge, str) else judge.name),) if judge is not None else ()
        return Subject(name or spec, "built-in", consistency.describe_metrics()[spec], f"{spec} {model} {_own_hash()}",
                       model, raw=metric.score, again=spec, options=again)  # fmt: skip
    if judge is not None:
        raise InputError(f"--model goes with a built-in metric: {', '.join(consistency.metrics())}; not with {spec!r}")
    if Path(spec).is_file() and not spec.endswith(".py"):
        label = name or Path(spec).name.removesuffix(".gz").removesuffix(".jsonl").removesuffix(".json")
        return Subject(label, "scores", f"scores read from {Path(spec).name}", "", scores_file=spec, key=key)
    module, colon, attribute = spec.rpartition(":")
    if colon and module and attribute.replace(".", "").isidentifier():
        found = _imported(module, attribute, spec)
        label = name or f"{Path(module).name}:{attribute}"
        if callable(getattr(found, "score", None)) and not inspect.isroutine(found):
            opened = open_subject(found() if isinstance(found, type) else found, name=label)
            return dataclasses.replace(opened, again=spec)
        if not callable(found):
            kind = kind_of(found, none="None")
            raise InputError(f"{spec}: {attribute} is {kind}, not a function of texts and sources")
        return Subject(label, "function", _first_line(found), f"{spec} {_code_hash(found)}",
                       raw=_batched(found, call), again=spec, options=(("call", call),))  # fmt: skip
    raise InputError(
        f"{spec!r} is no built-in metric, no function (write module:function or file.py:function) and no file of "
        f"scores; built in are: {', '.join(consistency.metrics())}"
    )


def _imported(module: str, attribute: str, spec: str) -> Any:
    """The function, from a module on the path or in the current folder, or from a file."""
    try:
        if module.endswith(".py"):
            if not Path(module).is_file():
                raise InputError(f"{spec}: there is no file {module}")
            made = importlib.util.spec_from_file_location(Path(module).stem, module)
            if made is None or made.loader is None:
                raise InputError(f"{spec}: {module} cannot be imported")
            loaded = importlib.util.module_from_spec(made)
            sys.modules.setdefault(Path(module).stem, loaded)
            made.loader.exec_module(loaded)
        else:
            if "" not in sys.path and str(Path.cwd()) not in sys.path:
                sys.path.insert(0, str(Path.cwd()))  # as `python -m` does; the command's own path has not got it
            loaded = importlib.import_module(module)
    except AverError:
        raise
    except ModuleNotFoundError as error:
        raise InputError(f"{spec}: there is no module {error.name!r} on the path or in the current folder") from error
    except Exception as error:
        raise InputError(f"{spec}: importing {module} raised {type(error).__name__}: {error}") from error
    found: Any = loaded
    for word in attribute.split("."):
        if not hasattr(found, word):
            there = sorted(n for n, v in vars(loaded).items() if callable(v) and not n.startswith("_"))
            raise InputError(f"{spec}: {module} has no {attribute!r}; it has: {', '.join(there) or 'no function'}")
        found = getattr(found, word)
    return found


def _batched(function: Any, call: Call) -> Raw:
    """The function as one of lists, whichever it takes."""
    if call not in ("auto", "batch", "pair"):
        raise InputError(f"call is {call!r}; it can be: auto, batch, pair")
    if call == "auto":
        call = _guess(function)
    if call == "batch":
        return lambda texts, sources: function(texts, sources)
    return lambda texts, sources: [function(text, source) for text, source in zip(texts, sources, strict=True)]


def _guess(function: Any) -> Call:
    """By the annotation or the name of its first parameter; where neither tells, by trying it on one pair."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        parameters = []  # some functions written in C do not say
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    spread = any(p.kind is p.VAR_POSITIONAL for p in parameters)
    if parameters and len(places) < 2 and not spread:
        raise InputError(
            f"{getattr(function, '__name__', 'the function')}{inspect.signature(function)} must take two arguments: "
            "texts and sources, or one text and one source"
        )
    if places:
        noted, name = str(places[0].annotation), places[0].name.lower()
        if places[0].annotation in (str, "str"):
            return "pair"
        if places[0].annotation is not inspect.Parameter.empty and any(
            word in noted.casefold() for word in ("list", "sequence", "iterable", "tuple")
        ):
            return "batch"
        if name in _MANY:
            return "batch"
        if name in _ONE:
            return "pair"
    text, source = "The bridge opened in 1932.", "The bridge was opened to traffic in 1932."
    try:
        found = function([text], [source])
    except Exception:
        return "pair"  # whatever is wrong with it is told when it is called in earnest
    return "batch" if hasattr(found, "__len__") and not isinstance(found, str) and len(found) == 1 else "pair"


def _code_hash(function: Any) -> str:
    """Of the file the function stands in: a function that was changed since starts anew in a `--work` folder."""
    try:
        path = inspect.getsourcefile(inspect.unwrap(function))
        return hashlib.sha256(Path(path or "").read_bytes()).hexdigest()[:16]
    except (TypeError, OSError):
        return ""


@functools.cache
def _own_hash() -> str:
    """Of aver's own code that a built-in metric runs through: its rules may change while the model stays."""
    found = hashlib.sha256()
    house = Path(__file__).resolve().parents[1]
    for room in ("consistency", "models", "text", "verify"):
        for path in sorted((house / room).rglob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()[:16]


def _first_line(function: Any) -> str:
    said = inspect.getdoc(function) if inspect.isroutine(function) else None
    return said.splitlines()[0] if said else ""
