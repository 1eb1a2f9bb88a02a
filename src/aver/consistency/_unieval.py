"""UniEval's factual consistency (Zhong et al., 2022), as its authors' code computes it.

The text is cut into sentences, each becomes a yes-or-no question to a T5 about the whole document, a sentence's score
is P(Yes) / (P(Yes) + P(No)) of the first word of the answer, and the text's is their mean.

Two things the original does are not repeated unless `reference_behaviour` asks for them. It cuts every prompt at 1,024
tokens without a word; here a longer document is read in windows that share a quarter, and a sentence has the score of
the window that bears it out best. And it divides by zero where a text has no sentence; here that is `no_claims`.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from aver.consistency._metric import JudgeMetric, Progress, check_pairs
from aver.consistency._punkt import punkt_sentences
from aver.consistency._results import Assessment, Coverage, SentenceAssessment
from aver.errors import InputError, MissingExtra, ModelError
from aver.models import T5Judge
from aver.text import windows

__all__ = ["CHECKPOINT", "UniEvalFact", "unieval_prompt"]

CHECKPOINT = "MingZhong/unieval-fact"
MAX_TOKENS = 1024
BATCH = 8


class _NoSentence(InputError, ZeroDivisionError):
    """What the original fails with, as one of our errors too."""


class _Question(NamedTuple):
    row: int
    sentence: int
    part: int
    prompt: str


def unieval_prompt(claim: str, document: str) -> str:
    """The question as UniEval-fact is asked.

    >>> unieval_prompt("Tea is hot .", "Tea is served hot .")
    'question: Is this claim consistent with the document? </s> claim: Tea is hot . </s> document: Tea is served hot .'
    """
    return f"question: Is this claim consistent with the document? </s> claim: {claim} </s> document: {document}"


class UniEvalFact(JudgeMetric):
    """UniEval-fact over any T5 that answers Yes or No, from a folder or a hub id.

    Where none is named it is the published checkpoint, if it lies in the hub's cache on this machine: three gigabytes
    are fetched for nobody who did not ask for them.
    """

    name = "unieval-fact"
    what: ClassVar[str] = "UniEval's factual consistency, by a T5 that answers Yes or No; exactly as published."

    def __init__(
        self,
        checkpoint: str | os.PathLike[str] | None = None,
        *,
        reference_behaviour: bool = False,
        max_tokens: int = MAX_TOKENS,
        threads: int | None = None,
    ) -> None:
        try:
            import torch  # noqa: F401
            import transformers
        except ImportError:
            raise MissingExtra("transformers", "torch and transformers") from None
        source = _cached() if checkpoint is None else os.fspath(checkpoint).removeprefix("t5:")
        judge = T5Judge(source, threads=threads)
        self.model = judge.model if checkpoint is not None else judge.model.replace(source, CHECKPOINT)
        self.reference_behaviour = reference_behaviour
        self.max_tokens = max_tokens
        self._network = judge.network
        # T5Judge reads "</s>" in a text as text; the reference's prompts need it read as the end of a piece
        self._tokenizer: Any = transformers.AutoTokenizer.from_pretrained(source)
        self._tokenizer.model_max_length = max(max_tokens, 10**9)  # cut by us or not at all: no warnings
        self._yes, self._no = (self._tokenizer(word)["input_ids"][0] for word in ("Yes", "No"))
        start = self._network.config.decoder_start_token_id
        self._start = self._network.config.pad_token_id if start is None else start

    def assess_all(
        self, texts: Sequence[str], sources: Sequence[str], *, progress: Progress | None = None
    ) -> list[Assessment]:
        check_pairs(texts, sources)
        began = time.perf_counter()
        cut = [_spans(text) for text in texts]
        if self.reference_behaviour and not all(cut):
            empty = [f"row {row}" for row, spans in enumerate(cut) if not spans]
            raise _NoSentence("the reference divides by zero where a text has no sentence", empty)
        # for each sentence: by part of the claim, the best score any window gives it
        best: list[list[dict[int, float]]] = [[{} for _ in spans] for spans in cut]
        questions = self._questions(cut, texts, sources)
        told = 0
        while block := list(islice(questions, 16 * BATCH)):
            for question, score in zip(block, self._answers([q.prompt for q in block]), strict=True):
                parts = best[question.row][question.sentence]
                parts[question.part] = max(score, parts.get(question.part, 0.0))
            if progress is not None:
                progress(block[-1].row - told)  # all rows before the one that is being read
                told = block[-1].row
        if progress is not None and len(texts) > told:
            progress(len(texts) - told)
        seconds = round(time.perf_counter() - began, 4)
        return [
            self._assessment(text, spans, found, self._coverage(text, source, spans), seconds)
            for text, source, spans, found in zip(texts, sources, cut, best, strict=True)
        ]

    def _coverage(self, text: str, source: str, spans: list[tuple[int, int]]) -> Coverage:
        """All of it, but where prompts are cut as in the reference."""
        share = 1.0
        if self.reference_behaviour and spans:
            longest = max((text[a:b] for a, b in spans), key=len)
            share = min(1.0, self.max_tokens / len(self._tokenizer(unieval_prompt(longest, source))["input_ids"]))
        total = len(punkt_sentences(source))
        return Coverage(len(spans), len(spans), total, total if spans else 0, share)

    def _questions(
        self, cut: Sequence[list[tuple[int, int]]], texts: Sequence[str], sources: Sequence[str]
    ) -> Iterator[_Question]:
        for row, (spans, text, source) in enumerate(zip(cut, texts, sources, strict=True)):
            for number, (start, end) in enumerate(spans):
                for part, prompt in self._prompts(text[start:end], source):
                    yield _Question(row, number, part, prompt)

    def _prompts(self, claim: str, document: str) -> Iterator[tuple[int, str]]:
        """The prompts of one sentence; several where it does not fit, numbered by the part of the claim."""
        if self.reference_behaviour:
            yield 0, unieval_prompt(claim, document)
            return
        claim, document = (text.replace("</s>", "< /s>") for text in (claim, document))
        whole = unieval_prompt(claim, document)
        if len(self._tokenizer(whole)["input_ids"]) <= self.max_tokens:
            yield 0, whole
            return
        frame = len(self._tokenizer(unieval_prompt("", ""))["input_ids"]) + 2
        half = (self.max_tokens - frame) // 2
        for part, piece in enumerate(self._pieces(claim, half)):
            room = self.max_tokens - frame - self._length(piece)
            for window in self._pieces(document, room):
                yield part, unieval_prompt(piece, window)

    def _pieces(self, text: str, room: int) -> list[str]:
        """The text in pieces of at most `room` tokens, cut at spaces, neighbours sharing a quarter."""
        if self._length(text) <= room:
            return [text]
        found = text.split()
        sizes = [self._length(word) for word in found]
        # a word larger than the room (a table without spaces) is cut at characters
        fitting = [
            word[at : at + room]
            for word, size in zip(found, sizes, strict=True)
            for at in range(0, len(word), room if size > room else len(word))
        ]
        if len(fitting) != len(found):
            sizes = [self._length(word) for word in fitting]
        return [" ".join(fitting[a:b]) for a, b in windows(sizes, room)]

    def _length(self, text: str) -> int:
        return len(self._tokenizer(text, add_special_tokens=False)["input_ids"])

    def _answers(self, prompts: Sequence[str]) -> list[float]:
        import torch

        order = sorted(range(len(prompts)), key=lambda i: len(prompts[i]))
        found = [0.0] * len(prompts)
        for at in range(0, len(order), BATCH):
            batch = order[at : at + BATCH]
            encoded = self._tokenizer(
                [prompts[i] for i in batch], max_length=self.max_tokens, truncation=True, padding=True,
                return_tensors="pt",
            )  # fmt: skip
            start = torch.full((len(batch), 1), self._start, dtype=torch.long)
            with torch.inference_mode():
                logits = self._network(
                    input_ids=encoded["input_ids"], attention_mask=encoded["attention_mask"], decoder_input_ids=start
                ).logits[:, 0]
                yes = torch.softmax(logits[:, [self._yes, self._no]].double(), -1)[:, 0]
            for i, score in zip(batch, yes.tolist(), strict=True):
                found[i] = score
        return found

    def _assessment(
        self, text: str, spans: list[tuple[int, int]], found: list[dict[int, float]], coverage: Coverage, seconds: float
    ) -> Assessment:
        # a sentence that had to be cut says all of its parts at once
        scores = [min(parts.values()) for parts in found]
        sentences = tuple(
            SentenceAssessment(text[a:b], a, b, "scored", score) for (a, b), score in zip(spans, scores, strict=True)
        )
        if not scores:
            return Assessment(
                None, "no_claims", self.name, self.model, (), coverage, ("the text has no sentence",), seconds
            )
        notes = ("what does not fit the model was cut off, as in the reference",) if coverage.words < 1 else ()
        return Assessment(
            sum(scores) / len(scores), "scored", self.name, self.model, sentences, coverage, notes, seconds
        )


def _cached() -> str:
    """The folder of the published checkpoint in the hub's cache; no network is asked."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    folder = None
    with contextlib.suppress(LocalEntryNotFoundError, OSError):
        folder = Path(snapshot_download(CHECKPOINT, local_files_only=True))
    if folder is None or not (any(folder.glob("*.safetensors")) or any(folder.glob("*.bin"))):
        raise ModelError(
            f"unieval-fact reads with the checkpoint {CHECKPOINT}, and it is not on this machine: get it from "
            f"https://huggingface.co/{CHECKPOINT} (3 GB) and name its folder (--model FOLDER, in Python judge=), or "
            f"have it fetched: --model {CHECKPOINT}"
        )
    return str(folder)


def _spans(text: str) -> list[tuple[int, int]]:
    found, at = [], 0
    for sentence in punkt_sentences(text):
        start = text.index(sentence, at)
        at = start + len(sentence)
        found.append((start, at))
    return found
