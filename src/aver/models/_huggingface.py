"""Any Hugging Face sequence classifier as a judge: `hf:<id or folder>`."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import logging
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from aver.errors import LabelError, MissingExtra, ModelError, count_of
from aver.labels import Label
from aver.models._judge import ORDER
from aver.models._pieces import Order, Window
from aver.models._windowed import Answer, WindowedJudge, thread_count

__all__ = ["HuggingFaceJudge", "content_hash", "fast_tokenizer", "load_pretrained", "set_threads", "token_limit"]

MOST_TOKENS = 512
"""Longer inputs are windowed even where the model could take them: classifiers are trained on sentences."""


class HuggingFaceJudge(WindowedJudge):
    """A sequence classifier over (evidence, claim) pairs, computed with torch.

    The order of its labels is read from the model's own configuration (`id2label`), never guessed; where that says
    only LABEL_0, LABEL_1 …, say what they are: `labels=["SUPPORTS", "NOT_ENOUGH_INFO", "REFUTES"]`. `pair` is
    `evidence_first` (premise, hypothesis: how NLI models are trained) or `claim_first`.
    """

    def __init__(
        self, source: str, *, threads: int | None = None, labels: Sequence[str] | None = None,
        pair: Order = "evidence_first", max_tokens: int | None = None,
    ) -> None:  # fmt: skip
        torch, transformers = _extra()
        set_threads(torch, threads)
        # torch spreads one batch over its own threads; a second layer of threads would only fight with it
        self.threads = 1
        self.network = load_pretrained(transformers.AutoModelForSequenceClassification, source).eval()
        self.tokenizer = fast_tokenizer(transformers, source)
        config = self.network.config
        names = [config.id2label[i] for i in range(config.num_labels)] if labels is None else list(labels)
        self._labels = read_labels(names, config.num_labels, source, given=labels is not None)
        self.order = pair
        self.max_tokens = max_tokens or token_limit(config)
        self._segments = getattr(config, "type_vocab_size", 0) > 1
        read = self.tokenizer.to_str(), self._labels, self.order, self.max_tokens
        self.name, self.model = f"hf:{source}", f"hf:{source}@{content_hash(self.network, read)}"

    def _run(self, windows: Sequence[Window], *, tokens: bool) -> list[Answer]:
        torch, _ = _extra()
        ids = torch.tensor([w.ids for w in windows])
        feed = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
        if self._segments:
            feed["token_type_ids"] = torch.tensor([w.types for w in windows])
        with torch.inference_mode():
            shares = torch.softmax(self.network(**feed).logits.double(), -1).numpy()
        rows = np.zeros((len(windows), 3))
        for column, label in enumerate(self._labels):
            rows[:, ORDER.index(label)] += shares[:, column]
        return [Answer(row, None, None) for row in rows]


def read_labels(names: Sequence[str], count: int, source: str, *, given: bool) -> list[Label]:
    """The labels a classifier's own names mean; a ModelError that shows them where they say nothing."""
    remedy = (
        "say what they mean, in their order: --labels SUPPORTS,REFUTES,NOT_ENOUGH_INFO (in Python "
        "labels=['SUPPORTS', 'REFUTES', 'NOT_ENOUGH_INFO']), or in the id2label of the model's config.json"
    )
    said = "labels" if given else "its config's id2label"
    if len(names) != count:
        were = count_of(len(names), "label was", "labels were")
        raise ModelError(f"hf:{source}: {were} given and the model has {count:,}")
    found: list[Label] = []
    for name in names:
        try:
            # a number is a place in a list, not a meaning
            label = None if str(name).strip().isdigit() else Label.parse(str(name))
        except LabelError:
            label = None
        if label is None or label is Label.DISPUTED:
            raise ModelError(f"hf:{source}: {said} is {list(names)}, and {name!r} is no known verdict; {remedy}")
        found.append(label)
    if Label.SUPPORTS not in found or len(set(found)) < 2:
        raise ModelError(f"hf:{source}: {said} is {list(names)}: a judge needs SUPPORTS and one other; {remedy}")
    return found


def _extra() -> tuple[Any, Any]:
    try:
        import torch
        import transformers
    except ImportError:
        raise MissingExtra("transformers", "torch and transformers") from None
    return torch, transformers


def set_threads(torch: Any, threads: int | None) -> None:
    """torch's own number of threads, where one is asked for here or in the environment."""
    if threads is not None or os.environ.get("AVER_THREADS", "").strip():
        torch.set_num_threads(thread_count(threads))


def load_pretrained(kind: Any, source: str) -> Any:
    """The network; a ModelError that says what went wrong where it cannot be had whole."""
    try:
        with _quiet():
            network, report = kind.from_pretrained(source, output_loading_info=True)
    except Exception as error:  # safetensors, torch and the hub raise types of their own
        raise ModelError(f"{source}: cannot be loaded as {kind.__name__}: {_told(error, source)}") from error
    if missing := sorted(report["missing_keys"]):
        shown = ", ".join(missing[:3]) + (f" and {len(missing) - 3} more" if len(missing) > 3 else "")
        raise ModelError(
            f"{source}: its weights lack {shown}, which {type(network).__name__} would make up at random; "
            "name a checkpoint that was trained for this task"
        )
    return network


def fast_tokenizer(transformers: Any, source: str) -> Any:
    """The model's tokenizer as the `tokenizers` library has it, uncut and unpadded."""
    try:
        with _quiet():
            wrapper = transformers.AutoTokenizer.from_pretrained(source)
    except Exception as error:  # as above
        raise ModelError(f"{source}: its tokenizer cannot be loaded: {_told(error, source)}") from error
    tokenizer = getattr(wrapper, "backend_tokenizer", None)
    if tokenizer is None:
        raise ModelError(f"{source}: has no tokenizer.json, which is needed to know where each word stands")
    # where there are no files, transformers makes a tokenizer that knows its special tokens and no word
    added = {token.content for token in tokenizer.get_added_tokens_decoder().values()}
    if not any(any(map(str.isalnum, token)) for token in tokenizer.get_vocab() if token not in added):
        files = " or ".join(sorted(set(wrapper.vocab_files_names.values())))
        raise ModelError(f"{source}: has no vocabulary; put the tokenizer's files beside the model: {files}")
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.encode_special_tokens = True
    return tokenizer


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keeps the libraries' warnings and progress bars off a standard error that is no terminal.

    What goes wrong is told by the error. Where somebody asked the libraries to say more, or to show their bars, they
    are left alone.
    """
    if sys.stderr is not None and sys.stderr.isatty():
        yield
        return
    hub: Any = importlib.import_module("huggingface_hub.utils")
    bars: Any = importlib.import_module("transformers.utils.logging")
    loggers = [logging.getLogger(name) for name in ("huggingface_hub", "transformers")]
    lowered = [(logger, logger.level) for logger in loggers if logger.getEffectiveLevel() == logging.WARNING]
    shown, downloads_shown = bars.is_progress_bar_enabled(), not hub.are_progress_bars_disabled()
    # the libraries take their own variable before any call, and warn of a call that goes against it
    ours = "HF_HUB_DISABLE_PROGRESS_BARS" not in os.environ
    for logger, _ in lowered:
        logger.setLevel(logging.ERROR)
    if ours:
        bars.disable_progress_bar()
    try:
        yield
    finally:
        for logger, level in lowered:
            logger.setLevel(level)
        if ours and shown:
            bars.enable_progress_bar()
        if ours and shown != downloads_shown:
            (hub.enable_progress_bars if downloads_shown else hub.disable_progress_bars)()


def _told(error: Exception, source: str) -> str:
    """The first line of an error and, where there is no folder of that name, what to do."""
    line = (str(error).strip() or type(error).__name__).splitlines()[0]
    with contextlib.suppress(OSError, ValueError):  # no name a folder could have
        if Path(source).exists():
            return line
    if Path(source).is_absolute() or source.startswith((".", "~")) or source.count("/") > 1:
        return f"there is no such folder ({line.rstrip('.')})"
    return (
        f"{line.rstrip('.')}. Is the name right? There is no folder {source!r} here, so it was looked for on the hub. "
        "Without a network, name a local folder with the model's files (config.json, tokenizer.json, the weights); "
        "HF_HUB_OFFLINE=1 in the environment has only what was downloaded before looked for, without waiting"
    )


def token_limit(config: Any) -> int:
    """How many tokens the network has positions for."""
    positions = getattr(config, "max_position_embeddings", None) or getattr(config, "n_positions", None) or MOST_TOKENS
    # RoBERTa and its kin number positions from the padding's number on
    shifted = 2 if getattr(config, "model_type", "") in ("roberta", "xlm-roberta", "camembert", "mpnet") else 0
    return min(int(positions) - shifted, MOST_TOKENS)


def content_hash(network: Any, read: tuple[object, ...] = ()) -> str:
    """Twelve digits of the SHA-256 over every weight, by name, and over whatever else an answer depends on."""
    digest = hashlib.sha256()
    for name, weight in sorted(network.state_dict().items()):
        digest.update(name.encode())
        digest.update(weight.detach().cpu().contiguous().flatten().view(dtype=_extra()[0].uint8).numpy().tobytes())
    for setting in read:
        digest.update(repr(setting).encode())
    return digest.hexdigest()[:12]
