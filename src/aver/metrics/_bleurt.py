"""BLEURT, by its PyTorch port (extra `bleurt`) and a checkpoint folder of yours."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

from aver.errors import InputError, MissingExtra, ModelError, count_of
from aver.measures import Card, Measure, Score
from aver.metrics._sentences import check_columns

__all__ = ["BLEURT"]

BATCH = 16


@dataclasses.dataclass(frozen=True)
class BLEURT(Measure):
    """How well the output says what the reference says, by a model trained on human ratings."""

    name: ClassVar[str] = "BLEURT"
    reads: ClassVar[tuple[str, ...]] = ("predictions", "references", "folder")

    checkpoint: str | None = None
    """The checkpoint's name, for the record; the folder itself is handed to `score`."""

    def score(
        self, predictions: Sequence[str], references: Sequence[Sequence[str]], folder: str | os.PathLike[str]
    ) -> Score:
        """The mean over sentences."""
        rows, cut = self._scored(predictions, references, folder)
        mean = sum(row["bleurt"] for row in rows) / len(rows) if rows else None
        many = count_of(cut, "pair of output and reference is", "pairs of output and reference are")
        notes = (f"{many} longer than the model reads: cut",) if cut else ()
        return Score(str(self), {"bleurt": mean}, len(rows), notes)

    def rows(
        self, predictions: Sequence[str], references: Sequence[Sequence[str]], folder: str | os.PathLike[str]
    ) -> list[dict[str, float]]:
        """Each sentence's own BLEURT, against the reference that gives the best."""
        return self._scored(predictions, references, folder)[0]

    def _scored(
        self, predictions: Sequence[str], references: Sequence[Sequence[str]], folder: str | os.PathLike[str]
    ) -> tuple[list[dict[str, float]], int]:
        check_columns(predictions, references)
        if not predictions:
            return [], 0
        tokenizer, model = _load(folder)
        rows_of_pairs = zip(predictions, references, strict=True)
        pairs = [(text, said) for said, several in rows_of_pairs for text in several]
        found = list(_predict(tokenizer, model, pairs))
        scores = iter(found)
        rows = [{"bleurt": max(next(scores)[0] for _ in several)} for several in references]
        return rows, sum(cut for _, cut in found)

    card: ClassVar[Card] = Card(
        title="BLEURT",
        meaning=(
            "How well the output says what the reference says, as a model trained on people's ratings would "
            "rate it. We run a checkpoint you hold on disk, in the Transformers form of the package "
            "bleurt-pytorch (extra `bleurt`); nothing is downloaded. The figure depends on the checkpoint, "
            "so its name is part of the measure's: BLEURT(checkpoint=BLEURT-20-D12). The VitaminC paper "
            "used the checkpoints of 2020."
        ),
        formula=r"\frac{1}{n} \sum_i \max_j model(reference_{ij}, output_i)",
        range=(-3.0, 2.0),
        direction="higher",
        inputs=(
            "`predictions` (texts), `references` (a list of texts for each prediction) and `folder`: the "
            "checkpoint's folder, with config.json, the weights and the tokenizer's files"
        ),
        values={"bleurt": "mean over sentences"},
        example=(
            ">>> import aver\n"
            '>>> print(aver.measure("BLEURT(checkpoint=BLEURT-20-D12)"))\n'
            "BLEURT(checkpoint=BLEURT-20-D12)\n"
        ),
        edge_cases=(
            "No prediction at all: the figure is None.",
            "Of several references the one rated best counts.",
            "A pair longer than the model reads is cut, as in the original, and the score's notes count "
            "such pairs.",
        ),
        limits=(
            "The range is the checkpoint's: about 0 to 1 for BLEURT-20, about -2 to 1 for those of 2020. "
            "The card's range is a wide bracket, not a scale: figures of different checkpoints cannot be "
            "compared.",
            "It needs torch, and takes a second for a few sentences on a CPU.",
        ),
        citation="Sellam, Das and Parikh (2020), BLEURT: Learning Robust Metrics for Text Generation, ACL",
    )


def _load(folder: str | os.PathLike[str]) -> tuple[Any, Any]:
    path = Path(folder)
    if not path.is_dir():
        raise InputError(f"{folder}: there is no such folder; give the folder of a BLEURT checkpoint")
    if not (path / "config.json").is_file():
        hint = " It looks like a TensorFlow checkpoint." if (path / "saved_model.pb").is_file() else ""
        raise ModelError(
            f"{folder}: has no config.json, so it is no BLEURT checkpoint in the Transformers form.{hint} "
            "The package bleurt-pytorch has a script that converts one."
        )
    try:
        from bleurt_pytorch import BleurtForSequenceClassification, BleurtTokenizer
    except ImportError as error:
        raise MissingExtra("bleurt", "bleurt-pytorch (with transformers below version 5)") from error
    try:
        tokenizer = BleurtTokenizer.from_pretrained(path, local_files_only=True)
        model = BleurtForSequenceClassification.from_pretrained(path, local_files_only=True)
    except (OSError, ValueError, RuntimeError) as error:
        raise ModelError(f"{folder}: the BLEURT checkpoint cannot be loaded: {error}") from error
    model.eval()
    return tokenizer, model


def _predict(tokenizer: Any, model: Any, pairs: list[tuple[str, str]]) -> Iterator[tuple[float, bool]]:
    import torch

    longest = model.config.max_position_embeddings
    for start in range(0, len(pairs), BATCH):
        texts, said = (list(column) for column in zip(*pairs[start : start + BATCH], strict=True))
        cut = [len(ids) > longest for ids in tokenizer(texts, said, truncation=False)["input_ids"]]
        inputs = tokenizer(
            texts, said, padding="longest", truncation=True, max_length=longest, return_tensors="pt"
        )
        with torch.no_grad():
            ratings = model(**inputs).logits.flatten().tolist()
        yield from zip(ratings, cut, strict=True)
