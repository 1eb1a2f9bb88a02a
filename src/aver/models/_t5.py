"""A T5 that answers yes or no as a judge: `t5:<id or folder>`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from aver.errors import InputError, ModelError
from aver.models._huggingface import _extra, content_hash, fast_tokenizer, load_pretrained, set_threads
from aver.models._pieces import Window
from aver.models._windowed import Answer, WindowedJudge

__all__ = ["QUESTION", "T5Judge"]

# The form in which Boolean-QA evaluators such as UniEval are asked; </s> parts the pieces.
QUESTION = "question: Is this claim consistent with the document? </s> claim: {claim} </s> document: {evidence}"


class T5Judge(WindowedJudge):
    """Asks a sequence-to-sequence model a yes-or-no question about each pair.

    P(SUPPORTS) is P(Yes) / (P(Yes) + P(No)) of the first word of its answer. A "No" does not tell a refuted claim
    from one the evidence is silent about, so the rest goes to NOT_ENOUGH_INFO and REFUTES is always 0. `question`
    is the prompt, with {claim} and {evidence} in it and </s> between its pieces.
    """

    order = "evidence_first"

    def __init__(
        self, source: str, *, threads: int | None = None, question: str = QUESTION, max_tokens: int = 512
    ) -> None:
        torch, transformers = _extra()
        set_threads(torch, threads)
        self.threads = 1
        if question.count("{claim}") != 1 or question.count("{evidence}") != 1:
            raise InputError(f"the question must hold {{claim}} and {{evidence}} once each; it is {question!r}")
        self.network = load_pretrained(transformers.AutoModelForSeq2SeqLM, source).eval()
        self.tokenizer = fast_tokenizer(transformers, source)
        self._question = [piece.strip() for piece in question.split("</s>")]
        config = self.network.config
        self._end, self._pad = config.eos_token_id, config.pad_token_id or 0
        start = config.decoder_start_token_id
        self._start = self._pad if start is None else start
        frame = len(self._prompt("", ""))
        self.max_tokens = max_tokens - frame
        if self.max_tokens < 16:
            raise InputError(f"the question takes {frame} of {max_tokens} tokens and leaves too little for the pair")
        self._yes, self._no = (self._first(word) for word in ("Yes", "No"))
        if self._yes == self._no:
            raise ModelError(f"t5:{source}: its vocabulary does not tell Yes from No by the first token")
        read = self.tokenizer.to_str(), question, max_tokens
        self.name, self.model = f"t5:{source}", f"t5:{source}@{content_hash(self.network, read)}"

    def _first(self, word: str) -> int:
        ids = self.tokenizer.encode(word, add_special_tokens=False).ids
        if not ids:
            raise ModelError(f"{word!r} has no token in this model's vocabulary")
        return int(ids[0])

    def _prompt(self, claim: str, evidence: str) -> list[int]:
        # each piece on its own: "</s>" inside a text must not end it
        ids: list[int] = []
        for piece in self._question:
            text = piece.replace("{evidence}", evidence) if "{evidence}" in piece else piece
            text = text.replace("{claim}", claim) if "{claim}" in piece else text
            ids += [*self.tokenizer.encode(text, add_special_tokens=False).ids, self._end]
        return ids

    def _run(self, windows: Sequence[Window], *, tokens: bool) -> list[Answer]:
        torch, _ = _extra()
        prompts = [self._prompt(w.claim, w.evidence) for w in windows]
        width = max(map(len, prompts))
        ids = torch.full((len(prompts), width), self._pad, dtype=torch.long)
        mask = torch.zeros_like(ids)
        for row, prompt in enumerate(prompts):
            ids[row, : len(prompt)] = torch.tensor(prompt)
            mask[row, : len(prompt)] = 1
        start = torch.full((len(prompts), 1), self._start, dtype=torch.long)
        with torch.inference_mode():
            logits = self.network(input_ids=ids, attention_mask=mask, decoder_input_ids=start).logits[:, 0]
            yes = torch.softmax(logits[:, [self._yes, self._no]].double(), -1)[:, 0].numpy()
        return [Answer(np.array([p, 0.0, 1 - p]), None, None) for p in yes]
