"""aver's own judges: an ONNX graph and a tokenizer, nothing else.

Every session computes on one thread, and several threads compute batches side by side; a batch holds windows of one
length and no padding. The sums inside are then always made in the same order, and a pair's answer depends neither
on how many threads there are nor on the other pairs. A graph
whose activations are quantised with one scale for the whole batch would still make an answer depend on its batch
mates; such graphs are known by their operators and run one window at a time.

Memory: the weights once, plus for each thread about 120 bytes x hidden size x `batch_tokens` (0.1 GB for the larger
shipped model at the default 1,024), plus at most 2,048 tokenised windows and one pair's: about 0.3 GB for a pair at
the limit of what is read. `benchmarks/judge_speed.py` prints the peak.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aver.errors import InputError, ModelError
from aver.models._folder import ModelFolder
from aver.models._judge import ORDER, Method
from aver.models._pieces import Pieces, Window
from aver.models._windowed import Answer, WindowedJudge, thread_count
from aver.results import Explanation, RationaleWord
from aver.text import MARKS, STOP_WORDS, Word

__all__ = ["OnnxJudge"]

_HEADS = ("verdict", "relevance", "edit", "rationale")
# Operators that take one scale from the whole batch.
_SHARED_SCALE = (b"DynamicQuantizeLinear", b"DynamicQuantizeMatMul", b"MatMulNBits", b"QAttention")
# Function words that can decide a claim by themselves; of the others no rationale consists.
_DECIDING = frozenset("no nor not all any both few more most only before after above below over under until".split())
_EMPTY = frozenset(word for word in STOP_WORDS - _DECIDING if not word.endswith("n't"))


class OnnxJudge(WindowedJudge):
    """A judge from a model folder."""

    def __init__(self, folder: ModelFolder, *, threads: int | None = None) -> None:
        import onnxruntime

        self.threads = thread_count(threads)
        self.folder = folder
        data, digest = folder.read_weights()
        self.name, self.model = folder.name, f"{folder.name}@{digest[:12]}"
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # onnxruntime raises types of its own making, not importable by name
            raise ModelError(f"{folder.path}: no ONNX graph that this onnxruntime runs: {error}") from error
        self.tokenizer = folder.read_tokenizer()
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        # "[SEP]" in a text is five characters of text, not the end of the evidence
        self.tokenizer.encode_special_tokens = True
        self.alone = any(name in data for name in _SHARED_SCALE)
        self._read_card(folder.card)

    @property
    def heads(self) -> frozenset[str]:
        return frozenset(self._heads)

    def _read_card(self, card: Mapping[str, Any]) -> None:
        self.max_tokens = int(card.get("max_tokens", 256))
        self.order = card.get("pair", "evidence_first")
        self.first_mark, self.compared = _marks(card.get("marks"), self.folder, self.tokenizer.get_vocab_size())
        outputs = {output.name for output in self._session.get_outputs()}
        self._inputs = {given.name for given in self._session.get_inputs()}
        unknown = self._inputs - {"input_ids", "attention_mask", "token_type_ids"}
        heads = card.get("heads", {name: name for name in _HEADS if name in outputs})
        missing = [name for name in heads.values() if name not in outputs]
        if unknown or missing or "verdict" not in heads:
            raise ModelError(
                f"{self.folder.path}: the graph takes {sorted(self._inputs)} and gives {sorted(outputs)}; "
                "expected input_ids, attention_mask, maybe token_type_ids, and the outputs the card's heads name"
            )
        self._heads: dict[str, str] = dict(heads)
        labels = [str(label) for label in card.get("labels", [label.value for label in ORDER])]
        self._columns = [labels.index(label.value) for label in ORDER]
        self._scale, self._bias = _calibration(card.get("temperature", 1.0), self.folder)
        self._threshold = float(card.get("rationale_threshold", 0.5))
        self.marks_claims = _marks_claims(card.get("claim_marks", False), self._heads, self.folder)

    def _run(self, windows: Sequence[Window], *, tokens: bool) -> list[Answer]:
        ids = np.array([w.ids for w in windows], np.int64)
        types = np.array([w.types for w in windows], np.int64)
        feed = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": types}
        wanted = [h for h in _HEADS if h in self._heads and (tokens or h != "rationale")]
        got = self._session.run([self._heads[h] for h in wanted], {k: v for k, v in feed.items() if k in self._inputs})
        heads = {h: np.asarray(value, np.float64) for h, value in zip(wanted, got, strict=True)}
        probabilities = _softmax(heads["verdict"] * self._scale + self._bias)[:, self._columns]
        relevance = _sigmoid(heads["relevance"].reshape(-1)) if "relevance" in heads else None
        edit = _sigmoid(heads["edit"].reshape(-1)) if "edit" in heads else None
        marks = _sigmoid(heads["rationale"].reshape(ids.shape)) if "rationale" in heads else None
        return [
            Answer(
                probabilities[row],
                None if relevance is None else float(relevance[row]),
                None if marks is None else marks[row],
                None if edit is None else float(edit[row]),
            )
            for row in range(len(windows))
        ]

    def explain(self, claim: str, evidence: str, *, method: Method = "auto") -> Explanation:
        if method == "mask" or (method == "auto" and "rationale" not in self._heads):
            return super().explain(claim, evidence, method="mask")
        if "rationale" not in self._heads:
            return super().explain(claim, evidence, method="head")
        if method not in ("auto", "head"):
            raise InputError(f"method is {method!r}; it can be: auto, head, mask")
        pieces = self._cut(claim, evidence)
        if not isinstance(pieces, Pieces):
            return Explanation(pieces, "head", (), (), pieces.reason)
        # one pass gives the verdict and the words
        answers = self.answers(pieces.windows, tokens=True)
        judgement = self._one(pieces, iter(answers))
        decided = judgement.label is not None and judgement.label != "NOT_ENOUGH_INFO"
        scores = {"claim": np.zeros(len(pieces.claim)), "evidence": np.zeros(len(pieces.evidence))}
        for window, answer in zip(pieces.windows, answers, strict=True):
            assert answer.tokens is not None
            # a word weighs what its heaviest token weighs, in the window where it weighs most
            for at, score in zip(window.claim_words, answer.tokens, strict=True):
                if at >= 0:
                    scores["claim"][at] = max(scores["claim"][at], score)
            for at, score in zip(window.evidence_words, answer.tokens, strict=True):
                if at >= 0:
                    scores["evidence"][at] = max(scores["evidence"][at], score)
        marked = [
            self._marked(found, scores[side], decided, some=side == "evidence")
            for side, found in (("claim", pieces.claim), ("evidence", pieces.evidence))
        ]
        reason = "" if decided else "the verdict is NOT_ENOUGH_INFO: no words decide it"
        return Explanation(judgement, "head", marked[0], marked[1], reason)

    def _marked(
        self, found: Sequence[Word], scores: NDArray[np.float64], decided: bool, *, some: bool
    ) -> tuple[RationaleWord, ...]:
        """The words with their weights; `some`: a verdict has its words, however little they weigh."""
        tells = np.array([not w.is_punctuation and w.text.lower() not in _EMPTY for w in found], bool)
        chosen = (scores >= self._threshold) & [not word.is_punctuation for word in found]
        if some and tells.any() and not (chosen & tells).any():
            # "is" alone, where a sentence says just what the claim does, tells a reader nothing: with it come the
            # heaviest words that do, and those that weigh half as much
            chosen |= tells & (scores >= scores[tells].max() / 2)
        return tuple(
            RationaleWord(*word, float(score), bool(decided and one))
            for word, score, one in zip(found, scores, chosen, strict=True)
        )


def _marks_claims(said: Any, heads: Mapping[str, str], folder: ModelFolder) -> bool:
    if not isinstance(said, bool) or (said and "rationale" not in heads):
        raise ModelError(
            f"{folder.path}/card.json: claim_marks is {said!r}; it is true where the rationale head was trained on the "
            "words of the claim too, and needs that head; else false"
        )
    return said


def _marks(said: Any, folder: ModelFolder, vocabulary: int) -> tuple[int | None, dict[str, bool]]:
    """The first mark's id, and which figures are compared; what a card does not name its model does not know."""
    if said is None:
        return None, {}
    try:
        first, count = int(said["first_id"]), int(said["count"])
        compared = {name: said.get(name, False) for name in ("units", "periods")}
    except (AttributeError, KeyError, TypeError, ValueError):
        first, count, compared = -1, -1, {}
    known = all(isinstance(value, bool) for value in compared.values())
    if count != MARKS or not 0 <= first <= vocabulary - count or not known:
        raise ModelError(
            f"{folder.path}/card.json: marks are {said!r}; this aver compares figures with {MARKS} marks: "
            f'{{"first_id": N, "count": {MARKS}, "units": true, "periods": true}}, with false where it learnt without'
        )
    return first, compared


def _calibration(said: Any, folder: ModelFolder) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """One temperature, or a scale and a bias for each class."""
    try:
        if isinstance(said, Mapping):
            scale, bias = np.asarray(said["scale"], float), np.asarray(said["bias"], float)
        else:
            scale, bias = np.full(3, 1 / float(said)), np.zeros(3)
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        scale = bias = np.zeros(0)
    if scale.shape != (3,) or bias.shape != (3,) or not np.isfinite([scale, bias]).all() or (scale <= 0).any():
        raise ModelError(
            f"{folder.path}/card.json: temperature is {said!r}; it must be a positive number, "
            'or {"scale": [3 positive numbers], "bias": [3 numbers]}'
        )
    return scale, bias


def _softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    powers = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(powers / powers.sum(-1, keepdims=True))


def _sigmoid(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(0.5 * (1 + np.tanh(0.5 * logits)))
