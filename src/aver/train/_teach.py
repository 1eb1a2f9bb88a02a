"""Teachers and students: what is trained from what. Needs torch, as `_encoder`, `_fit` and `_export` do."""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from aver.errors import InputError, ModelError
from aver.models._folder import ModelFolder
from aver.records import writing
from aver.train._answers import softmax
from aver.train._base import Base
from aver.train._encoder import Encoder, Judge, load_encoder
from aver.train._fit import Settings, Shelf, Targets, fit, predict
from aver.train._packed import Array, Packed, layout_of
from aver.train._recipe import TOGETHER, Course
from aver.train._unpack import unpacked

__all__ = [
    "average",
    "device_named",
    "first_heard",
    "judged",
    "load_model",
    "mixed",
    "opened",
    "save_model",
    "settings_of",
    "taught",
]

Say = Callable[[str], None]


def device_named(name: str) -> torch.device:
    """`auto` is the GPU where there is one."""
    cuda = torch.cuda.is_available()
    if name not in ("auto", "cpu", "cuda"):
        raise InputError(f"device is {name!r}; it can be: auto, cpu, cuda")
    if name == "cuda" and not cuda:
        raise InputError("device is 'cuda', and torch finds no GPU here; it can be 'cpu' or 'auto'")
    if cuda:
        torch.backends.cuda.matmul.allow_tf32 = True
    return torch.device(("cuda" if cuda else "cpu") if name == "auto" else name)


def taught(
    start: Base | Judge,
    rows: Packed,
    course: Course,
    *,
    mpnet: bool,
    seed: int,
    device: torch.device,
    seconds: float = math.inf,
    targets: Targets | None = None,
    say: Say = print,
) -> Judge:
    """A model trained by a course, from a base or from a model that is there.

    A course of several runs has them all begin there, each with the next seed; the mean of their weights comes out.
    """
    torch.manual_seed(seed)
    model = Judge(load_encoder(start.folder)) if isinstance(start, Base) else start
    model.to(device)
    if device.type == "cuda":
        _hasten(model)
    shelf = Shelf(rows, layout=layout_of(mpnet), device=device)
    settings = settings_of(course, seed=seed, device=device, seconds=seconds)
    before = [p.detach().clone() for p in model.parameters()]
    total = [course.keep * p for p in before]
    for run in range(course.runs):
        with torch.no_grad():
            for parameter, old in zip(model.parameters(), before, strict=True):
                parameter.copy_(old)
        fit(model, shelf, dataclasses.replace(settings, seed=seed + run), targets, say=say)
        with torch.no_grad():
            for mean, parameter in zip(total, model.parameters(), strict=True):
                mean.add_(parameter, alpha=(1 - course.keep) / course.runs)
    with torch.no_grad():
        for parameter, mean in zip(model.parameters(), total, strict=True):
            parameter.copy_(mean)
    return model


def settings_of(course: Course, *, seed: int, device: torch.device, seconds: float) -> Settings:
    """How a course is gone through on a device."""
    return Settings(
        course.epochs,
        rate=course.rate,
        gold=course.gold,
        silent=course.silent,
        seed=seed,
        seconds=seconds,
        # a large batch fills a GPU; a CPU learns as fast from small ones and holds less
        batch_tokens=course.tokens if device.type == "cuda" else 4_096,
        twice=course.twice,
        together=TOGETHER,
        heads=course.heads,
    )


def _hasten(model: Judge) -> None:
    """Compiles the layers, one graph for all of them and for every length: a third less time on a GPU."""
    if model.encoder.relative is not None:
        # its gradient is a sum over every pair of places in the batch, and it hardly moves
        model.encoder.relative.weight.requires_grad_(False)
    for layer in model.encoder.layers:
        layer.compile(dynamic=True)


def judged(model: Judge, rows: Packed, *, mpnet: bool, device: torch.device) -> dict[str, Any]:
    """What a model says about rows: logits of the verdict, of relevance and of a factual edit."""
    tokens = 131_072 if device.type == "cuda" else 8_192
    shelf = Shelf(rows, layout=layout_of(mpnet), device=device)
    answers: dict[str, Any] = predict(model.to(device), shelf, batch_tokens=tokens)
    return answers


def average(judgements: Sequence[Path]) -> Targets:
    """Several teachers' judgements as one: the mean of their probabilities."""
    verdicts, relevances = [], []
    for path in judgements:
        with np.load(path) as found:
            verdicts.append(softmax(found["verdict"].astype(np.float64)))
            relevances.append(0.5 * (1 + np.tanh(0.5 * found["relevance"].astype(np.float64))))
    return Targets(np.mean(verdicts, 0).astype(np.float16), np.mean(relevances, 0).astype(np.float16))


def first_heard(
    rows: Packed, places: Array, start: ModelFolder, base: Base, path: Path, *, device: torch.device
) -> Targets:
    """What the model that is renewed says of some rows, by number; kept at `path`."""
    if not path.exists():
        said = judged(opened(start, base), rows.chosen(places), mpnet=base.mpnet, device=device)
        with writing(path) as file:
            np.savez(file, **said)
    verdict, relevance = np.zeros((len(rows), 3), np.float16), np.zeros(len(rows), np.float16)
    found = average([path])
    verdict[places], relevance[places] = found.verdict, found.relevance
    return Targets(verdict, relevance)


def opened(folder: ModelFolder, base: Base) -> Judge:
    """A finished model as one that can be taught on; `base` is the encoder it was made from."""
    model = Judge(Encoder({**base.config, "num_hidden_layers": int(folder.card.get("layers", 0))}))
    weights = {name: torch.from_numpy(array) for name, array in unpacked(folder).items()}
    try:
        model.load_state_dict(weights)
    except RuntimeError as error:
        raise ModelError(f"{folder.path}: is no model of {base.name}: {str(error).splitlines()[-1].strip()}") from error
    return model


def mixed(one: Judge, others: Sequence[Judge], share: float) -> Judge:
    """The first with the mean of the others' weights in it, as `share` of its own."""
    states = [other.state_dict() for other in others]
    with torch.no_grad():
        for name, weight in one.state_dict().items():
            weight.lerp_(torch.stack([state[name] for state in states]).mean(0), share)
    return one


def save_model(model: Judge, path: Path) -> None:
    """Weights and configuration in one safetensors file."""
    from safetensors.torch import save

    state = {name: tensor.detach().cpu().contiguous() for name, tensor in model.state_dict().items()}
    with writing(path) as file:
        file.write(save(state, {"config": json.dumps(model.encoder.config)}))


def load_model(path: Path) -> Judge:
    """A model that `save_model` wrote."""
    from safetensors import safe_open
    from safetensors.torch import load_file

    with safe_open(path, "pt") as file:
        config = json.loads(file.metadata()["config"])
    model = Judge(Encoder(config))
    model.load_state_dict(load_file(path))
    return model
