"""`aver train write`: a small language model learns to write as VitaminC's annotators did, and writes.

Stages, each with its file in OUT, and not run again where that is there: `writer.safetensors` (the model, taught),
`written.jsonl` (what it wrote), which `aver train default --from … --written` takes.
"""

from __future__ import annotations

import math
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import orjson

from aver.errors import InputError
from aver.labels import Label
from aver.records import writing
from aver.train._asked import Say, same_choices
from aver.train._base import open_tokenizer
from aver.train._language_model import LANGUAGE_MODEL, open_language_model, suited
from aver.train._mix import held_out_claims, normalised
from aver.train._prepare import check_data, needed
from aver.train._written import (
    Lesson,
    Told,
    Topic,
    fever_claims,
    lessons,
    prompt_for_change,
    prompt_for_claim,
    reported_evidence,
    topics,
)

if TYPE_CHECKING:
    import torch

    from aver.train._llama import Llama

__all__ = ["write_claims"]

TOPICS = 150_000
"""Texts that are written about."""
EPOCHS, RATE, BATCH_TOKENS = 2, 5e-4, 32_768
WARMTH, CHOICES = 0.85, 40
"""How freely it writes: the temperature, and among how many next pieces it chooses."""
CLAIM_PIECES, CHANGE_PIECES = 44, 80
LONGEST_LESSON, LONGEST_PROMPT = 256, 192
_SHARES = {Label.SUPPORTS: 0.45, Label.REFUTES: 0.35, Label.NOT_ENOUGH_INFO: 0.2}
"""Of the claims that are asked for."""


def write_claims(
    *,
    data: str | Path,
    out: str | Path,
    writer: str = LANGUAGE_MODEL,
    limit: int | None = None,
    seed: int = 1,
    seconds: float | None = None,
    device: str = "auto",
    say: Say = print,
) -> Path:
    """Has a language model write claims and changes of evidence, and says where they are.

    `writer` is a Llama or Qwen2 with tied embeddings: a folder with `config.json`, `model.safetensors` and
    `tokenizer.json`, or a hub id. `limit` takes so many lessons and texts: a trial. `seconds` bounds the teaching, the
    claims and the changes, each: what is not written by then is left out.

    >>> write_claims(data="no such folder", out="out")
    Traceback (most recent call last):
    aver.errors.InputError: no such folder: there is no such folder; name the data folder with --data or AVER_DATA
    """
    for name, number in (("limit", limit), ("seconds", seconds)):
        if number is not None and not number > 0:
            raise InputError(f"{name} is {number}; it must be more than 0")
    data, out = Path(data), Path(out)
    check_data(data)
    needed("torch", "safetensors")
    from aver.train._teach import device_named

    work_device = device_named(device)
    folder, config = found = open_language_model(writer)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{out}: cannot be made: {error.strerror}") from error
    chosen = {"writer": found.name, "layers": config["num_hidden_layers"], "limit": limit, "seed": seed}
    same_choices(out / "write.json", chosen)
    file = out / "written.jsonl"
    if file.is_file():
        say(f"{file.name} is there")
        return file
    work = _Work(open_tokenizer(folder), config, work_device, math.inf if seconds is None else seconds, say)
    model = work.taught(out / "writer.safetensors", folder, lambda: lessons(data, seed=seed, limit=limit), seed)
    held_out, about = held_out_claims(data), topics(data, count=limit or TOPICS, seed=seed, limit=limit)
    claims = [one for one in work.claims(model, about, seed) if normalised(one.told.claim) not in held_out]
    say(f"{len(claims):,} claims")
    reported = reported_evidence(data)
    fever = [told for told in fever_claims(data, held_out, limit=limit) if normalised(told.topic.text) not in reported]
    changes = list(work.changes(model, claims, fever, seed))
    say(f"{len(changes):,} changed texts")
    with writing(file) as opened:
        for row in _rows(claims, changes):
            opened.write(orjson.dumps(row) + b"\n")
    return file


class _Claim(NamedTuple):
    told: Told
    number: int
    """Of its text; -1 where people made the claim."""


class _Change(NamedTuple):
    of: _Claim
    text: str
    wanted: Label


class _Work:
    """A tokenizer, a device and the time there is."""

    def __init__(self, tokenizer: Any, config: dict[str, Any], device: torch.device, seconds: float, say: Say) -> None:
        self.tokenizer, self.config, self.device, self.seconds, self.say = tokenizer, config, device, seconds, say
        end = config["eos_token_id"]
        self.end = int(end[0] if isinstance(end, list) else end)
        self.blank = self._ids(["\n"])[0][0]
        self.gpu = device.type == "cuda"

    def taught(self, path: Path, folder: Path, found: Callable[[], list[Lesson]], seed: int) -> Llama:
        from aver.train._llama import Llama, load_llama, load_taught, save_taught

        if path.is_file():
            self.say(f"{path.name} is there")
            model = load_taught(path, Llama(self.config))
            model.to(self.device)
            return model
        learnt = found()
        self.say(f"{len(learnt):,} lessons")
        model = load_llama(folder, self.config)
        model.to(self.device)
        self._teach(model, learnt, seed)
        with writing(path) as file:
            file.write(save_taught(model))
        return model

    def claims(self, model: Llama, about: Sequence[Topic], seed: int) -> Iterator[_Claim]:
        """Two claims for each text."""
        rng = random.Random(seed)
        asked = [
            _Claim(Told(topic, "", label), number)
            for number, topic in enumerate(about)
            for label in rng.choices(list(_SHARES), list(_SHARES.values()), k=2)
        ]
        prompts = [prompt_for_claim(told.topic.page, told.topic.text, told.label) for told, _ in asked]
        for place, claim in self._written(model, prompts, CLAIM_PIECES, seed):
            if len(claim.split()) >= 3:
                yield _Claim(asked[place].told._replace(claim=claim), asked[place].number)

    def changes(self, model: Llama, claims: Sequence[_Claim], fever: Sequence[Told], seed: int) -> Iterator[_Change]:
        """One change for each text that has a claim, and three for each of FEVER's."""
        rng = random.Random(seed)
        by_text: dict[int, list[_Claim]] = defaultdict(list)
        for one in claims:
            by_text[one.number].append(one)
        asked = []
        for group in by_text.values():
            one = rng.choice(group)
            others = [label for label in _SHARES if label != one.told.label]
            asked.append(_Change(one, "", rng.choice([_opposite(one.told.label), *others])))
        for told in fever:
            asked += [_Change(_Claim(told, -1), "", _opposite(told.label))] * 3
        prompts = [
            prompt_for_change(told.topic.page, told.topic.text, told.claim, told.label, wanted)
            for (told, _), _, wanted in asked
        ]
        for place, text in self._written(model, prompts, CHANGE_PIECES, seed + 1):
            if text != asked[place].of.told.topic.text:
                yield asked[place]._replace(text=text)

    def _teach(self, model: Llama, learnt: Sequence[Lesson], seed: int) -> None:
        import torch
        from torch.nn import functional as F  # noqa: N812

        asked, told = self._ids([one.prompt for one in learnt]), self._ids([f" {one.answer}" for one in learnt])
        pairs = [(one, [*two, self.end]) for one, two in zip(asked, told, strict=True)]
        pairs = [pair for pair in pairs if len(pair[0]) + len(pair[1]) <= LONGEST_LESSON]
        if not pairs:
            raise InputError("there is nothing to learn writing from")
        rng = np.random.default_rng(seed)
        plan = [batch for _ in range(EPOCHS) for batch in _batches(pairs, BATCH_TOKENS if self.gpu else 2_048, rng)]
        heavy = [p for p in model.parameters() if p.ndim > 1]
        light = [p for p in model.parameters() if p.ndim < 2]
        groups = [{"params": heavy, "weight_decay": 0.05}, {"params": light, "weight_decay": 0.0}]
        optimiser = torch.optim.AdamW(groups, lr=RATE, betas=(0.9, 0.98), fused=self.gpu)
        began, done = time.monotonic(), 0.0
        model.train()
        for step, batch in enumerate(plan):
            rate = suited(RATE, self.config) * min(1.0, (step + 1) / min(60, len(plan))) * max(0.03, 1 - done)
            for group in optimiser.param_groups:
                group["lr"] = rate
            ids, wanted = (torch.from_numpy(part).to(self.device) for part in _filled(pairs, batch, self.end))
            with torch.autocast(self.device.type, torch.bfloat16, enabled=self.gpu):
                behind = model(ids)
                logits = F.linear(behind[wanted >= 0], model.words.weight)
            loss = F.cross_entropy(logits.float(), wanted[wanted >= 0])
            optimiser.zero_grad(set_to_none=True)
            loss.backward()  # type: ignore[no-untyped-call,unused-ignore]
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            done = max((step + 1) / len(plan), (time.monotonic() - began) / self.seconds)
            if step % 100 == 0:
                self.say(f"lessons: step {step + 1} of {len(plan)}, loss {loss.item():.3f}")
            if done >= 1:
                break

    def _written(self, model: Llama, prompts: Sequence[str], most: int, seed: int) -> Iterator[tuple[int, str]]:
        """What it writes behind each prompt, by the prompt's number; those it does not end are left out."""
        import torch

        model.to(torch.bfloat16 if self.gpu else torch.float32).eval()
        by_length: dict[int, list[int]] = defaultdict(list)
        ids = self._ids(prompts)
        for place, found in enumerate(ids):
            # empty lines in front make lengths alike: prompts of one length need no padding among them
            ids[place] = [self.blank] * (-len(found) % 8) + found
            if len(ids[place]) <= LONGEST_PROMPT:
                by_length[len(ids[place])].append(place)
        count = (6_144 if most <= CLAIM_PIECES else 3_072) if self.gpu else 16
        batches = [group[at : at + count] for group in by_length.values() for at in range(0, len(group), count)]
        random.Random(seed).shuffle(batches)
        began = said = time.monotonic()
        for number, batch in enumerate(batches):
            if time.monotonic() - began > self.seconds:
                self.say(f"out of time: {number:,} of {len(batches):,} batches were written")
                return
            if time.monotonic() - said > 20:
                said = time.monotonic()
                self.say(f"{number:,} of {len(batches):,} batches written")
            pieces = self._continued(model, [ids[place] for place in batch], most, seed + number)
            ended = [
                (place, row[: row.index(self.end)]) for place, row in zip(batch, pieces, strict=True) if self.end in row
            ]
            texts = self.tokenizer.decode_batch([row for _, row in ended])
            for (place, _), text in zip(ended, texts, strict=True):
                if line := " ".join(text.split()):
                    yield place, line

    def _continued(self, model: Llama, prompts: list[list[int]], most: int, seed: int) -> list[list[int]]:
        import torch

        with torch.inference_mode():
            chance = torch.Generator(device=self.device).manual_seed(seed)
            ids = torch.tensor(prompts, device=self.device)
            cache = model.room(len(prompts), ids.shape[1] + most)
            behind = model(ids, cache)[:, -1]
            found = torch.full((len(prompts), most), self.end, device=self.device)
            ended = torch.zeros(len(prompts), dtype=torch.bool, device=self.device)
            for place in range(most):
                logits, pieces = (behind @ model.words.weight.T).float().topk(min(CHOICES, len(model.words.weight)))
                drawn = torch.multinomial((logits / WARMTH).softmax(-1), 1, generator=chance)
                piece = torch.where(ended, self.end, pieces.gather(1, drawn)[:, 0])
                found[:, place] = piece
                ended |= piece == self.end
                if place + 1 == most or (place % 4 == 3 and bool(ended.all())):
                    break
                behind = model(piece[:, None], cache, ids.shape[1] + place)[:, -1]
        return [[int(piece) for piece in row] for row in found.tolist()]

    def _ids(self, texts: Sequence[str]) -> list[list[int]]:
        return [list(found.ids) for found in self.tokenizer.encode_batch(list(texts), add_special_tokens=False)]


def _rows(claims: Sequence[_Claim], changes: Sequence[_Change]) -> Iterator[dict[str, Any]]:
    """Each claim with its text, each change with its claim, and with the other claim of the text it was; none twice."""
    by_text: dict[int, list[_Claim]] = defaultdict(list)
    seen: set[tuple[str, str]] = set()
    for row in _all_rows(claims, changes, by_text):
        if (pair := (row["claim"], row["evidence"])) not in seen:
            seen.add(pair)
            yield row


def _all_rows(
    claims: Sequence[_Claim], changes: Sequence[_Change], by_text: dict[int, list[_Claim]]
) -> Iterator[dict[str, Any]]:
    for one in claims:
        by_text[one.number].append(one)
        (_, text, source), claim, label = one.told
        yield {"claim": claim, "evidence": text, "meant": label, "source": f"{source}_claim"}
    for (told, number), text, wanted in changes:
        source = told.topic.source
        yield {"claim": told.claim, "evidence": text, "meant": wanted, "source": f"{source}_change"}
        for other, _ in by_text.get(number, ()):
            if other.claim != told.claim:
                yield {"claim": other.claim, "evidence": text, "meant": None, "source": f"{source}_other"}


def _opposite(label: Label) -> Label:
    return Label.REFUTES if label is Label.SUPPORTS else Label.SUPPORTS


def _batches(pairs: Sequence[tuple[list[int], list[int]]], budget: int, rng: np.random.Generator) -> list[list[int]]:
    """Pairs of like length together, shuffled, none of the batches larger than the budget."""
    length = np.array([len(one) + len(two) for one, two in pairs])
    order = np.argsort(length + 8 * rng.random(len(length)) + 1_000 * rng.integers(0, 4, len(length)), kind="stable")
    batches: list[list[int]] = []
    batch: list[int] = []
    for place in order.tolist():
        if batch and max(length[[*batch, place]]) * (len(batch) + 1) > budget:
            batches.append(batch)
            batch = []
        batch.append(place)
    batches.append(batch)
    rng.shuffle(batches)  # type: ignore[arg-type,unused-ignore]
    return batches


def _filled(
    pairs: Sequence[tuple[list[int], list[int]]], batch: Sequence[int], end: int
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The ids of a batch, and behind each place the piece that is wanted next; -1 where none is learnt."""
    width = (max(len(pairs[place][0]) + len(pairs[place][1]) for place in batch) + 7) // 8 * 8
    ids = np.full((len(batch), width), end, np.int64)
    wanted = np.full((len(batch), width), -1, np.int64)
    for row, place in enumerate(batch):
        one, two = pairs[place]
        ids[row, : len(one) + len(two)] = one + two
        wanted[row, len(one) - 1 : len(one) + len(two) - 1] = two
    return ids, wanted
