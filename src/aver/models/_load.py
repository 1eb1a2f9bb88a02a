"""From a name to a judge."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

from aver.errors import InputError, ModelError, kind_of
from aver.models._folder import installed, open_folder
from aver.models._judge import Judge
from aver.models._onnx import OnnxJudge
from aver.models._windowed import thread_count

__all__ = ["load_judge"]

_LOADED: dict[tuple[str, int], OnnxJudge] = {}
_LOCK = threading.Lock()


_OPTIONS = {
    "hf": {"labels", "pair", "max_tokens"},
    "t5": {"question", "max_tokens"},
    "llm": {"base_url", "api_key", "timeout", "retries", "prices", "pause"},
}
"""What each kind of model can be told beside `threads`."""


def load_judge(
    name: str | os.PathLike[str] | Judge = "default", *, threads: int | None = None, **options: Any
) -> Judge:
    """The judge of that name; a judge that is loaded already is given back as it is.

    `fast` comes with aver, and is `default` too while no larger model is installed; a folder holds a model exported
    by `aver train`. Behind the same interface:
    `hf:<id or folder>` any Hugging Face sequence classifier, `t5:<id or folder>` a T5 that answers yes or no (both
    need the extra `transformers`), `llm:<model>` an OpenAI-compatible endpoint. Their options are documented at
    `HuggingFaceJudge`, `T5Judge` and `LLMJudge`. `threads`: how many compute at once; else the environment
    variable AVER_THREADS, else all processors. aver's own models are loaded once and shared.

    >>> load_judge("defualt")
    Traceback (most recent call last):
    aver.errors.ModelError: there is no model 'defualt'; installed: ... A folder, hf:<id>, t5:<id> or llm:<model> \
can be named too
    """
    if isinstance(name, Judge):
        if options or threads is not None:
            said = ", ".join(sorted([*options, *(["threads"] if threads is not None else [])]))
            raise InputError(f"{name.name!r} is loaded already and takes no option {said}")
        return name
    if not isinstance(name, (str, os.PathLike)):
        raise InputError(f"the model is {kind_of(name, none='None')}; give a name, a folder or a judge that is loaded")
    spec = os.fspath(name)
    kind, colon, rest = spec.partition(":")
    if colon and kind in _OPTIONS:
        if not rest:
            raise InputError(f"{spec!r}: name the model after {kind}:")
        return _other(kind, rest, threads, options)
    if options:
        takers = [kind for kind, known in _OPTIONS.items() if known & set(options)]
        who = f"; it is for {' and '.join(f'{kind}:' for kind in takers)} models" if takers else ""
        raise InputError(f"{spec!r} takes no option {', '.join(sorted(options))}{who}")
    return _own(spec, thread_count(threads))


def _other(kind: str, rest: str, threads: int | None, options: dict[str, Any]) -> Judge:
    allowed = _OPTIONS[kind]
    if wrong := sorted(set(options) - allowed):
        raise InputError(f"{kind}: models take no option {', '.join(wrong)}; they take: {', '.join(sorted(allowed))}")
    if kind == "llm":
        from aver.models._llm import LLMJudge

        return LLMJudge(rest, threads=threads, **options)
    if kind == "t5":
        from aver.models._t5 import T5Judge

        return T5Judge(rest, threads=threads, **options)
    from aver.models._huggingface import HuggingFaceJudge

    return HuggingFaceJudge(rest, threads=threads, **options)


def _own(spec: str, threads: int) -> Judge:
    models = installed()
    if spec == "default" and spec not in models and models:
        folder = next(iter(models.values()))  # one model may be both; every answer names the one that gave it
    elif spec in models:
        folder = models[spec]
    elif spec and (Path(spec).exists() or os.sep in spec):
        folder = open_folder(Path(spec))
    else:
        names = ", ".join(models) or "none"
        others = "A folder, hf:<id>, t5:<id> or llm:<model> can be named too"
        if spec in installed(kind="encoder"):
            raise ModelError(f"there is no model {spec!r} that judges: it is an encoder; judges: {names}. {others}")
        raise ModelError(f"there is no model {spec!r}; installed: {names}. {others}")
    if folder.kind != "judge":
        raise ModelError(f"{folder.path}: is an {folder.kind}, not a judge; `aver models list` says which is which")
    # the card's bytes are part of the key: a folder that is trained again is loaded again
    key = (f"{folder.path.resolve()} {hash((folder.path / 'card.json').read_bytes())}", threads)
    with _LOCK:
        if key not in _LOADED:
            _LOADED[key] = OnnxJudge(folder, threads=threads)
        return _LOADED[key]
