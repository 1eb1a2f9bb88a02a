"""Training and prediction over packed rows: batches of equal token count made on the device, bfloat16 on a GPU."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from aver.errors import InputError
from aver.train._bundles import bundled, rivals
from aver.train._packed import IGNORE, Layout, Packed

__all__ = ["Settings", "Shelf", "Targets", "fit", "predict"]


@dataclasses.dataclass(frozen=True, slots=True)
class Settings:
    """How to train. `epochs` gives, per epoch, how often each source is seen (by the longest matching prefix)."""

    epochs: tuple[Mapping[str, float], ...]
    rate: float = 8e-5
    batch_tokens: int = 32_768
    warmup: float = 0.06
    decay: float = 0.01
    average: float = 0.999
    """Decay of the moving average of the weights that is kept in the end."""
    seed: int = 0
    gold: float = 1.0
    """Weight of the gold labels where a teacher's judgement is there too."""
    twice: tuple[str, ...] = ()
    """Sources (by prefix) whose rows are read twice in a batch, with other neurons dropped out each time, and are to
    come out the same (R-Drop, Liang et al., 2021): what is seen often is then not learnt by heart as soon."""
    silent: tuple[str, ...] = ()
    """Sources (by prefix) of which a teacher is not asked: their labels alone teach, at full weight."""
    agreement: float = 0.5
    """Weight of that sameness."""
    together: tuple[str, ...] = ()
    """Sources (by prefix) whose rows of one claim or of one evidence come in one batch: where their verdicts differ,
    they are then held against each other as well (see `_bundles`), which teaches what the difference does."""
    contrast: float = 1.5
    """Weight of that comparison."""
    heads: float = 1.0
    """By how much faster the heads learn than the network that they stand on."""
    seconds: float = math.inf
    """Train no longer than this: where the time runs out first, the rate falls with it and still ends at nothing."""


@dataclasses.dataclass(frozen=True, slots=True)
class Targets:
    """A teacher's judgement of every row: probabilities of the verdicts, and of relevance."""

    verdict: npt.NDArray[np.float16]
    relevance: npt.NDArray[np.float16]


class Shelf:
    """Packed rows on a device, with the special tokens of a family of models, ready to be batched."""

    def __init__(self, rows: Packed, *, layout: Layout, device: torch.device, original: Packed | None = None) -> None:
        claim, evidence = rows.claim_length.astype(np.int64), rows.evidence_length.astype(np.int64)
        cls, sep, self.pad, shift, between, self.first_mark = layout
        length = claim + evidence + 2 + between
        start = np.concatenate([[0], np.cumsum(length)[:-1]])
        flat = np.full(int(length.sum()), sep, np.int32)
        deciding = np.full(len(flat), IGNORE, np.uint8)
        flat[start] = cls
        source = np.concatenate([[0], np.cumsum(claim + evidence)[:-1]])
        for part_length, from_start, to_start in (
            (claim, source, start + 1),
            (evidence, source + claim, start + 1 + claim + between),
        ):
            inside = np.arange(int(part_length.sum())) - np.repeat(np.cumsum(part_length) - part_length, part_length)
            origin = np.repeat(from_start, part_length) + inside
            target = np.repeat(to_start, part_length) + inside
            flat[target] = rows.tokens[origin].astype(np.int32) + shift
            deciding[target] = rows.rationale[origin]
        self.device, self.length = device, length
        self.flat = torch.from_numpy(flat).to(device)
        self.deciding = torch.from_numpy(deciding).to(device)
        self.start = torch.from_numpy(start).to(device)
        self.lengths = torch.from_numpy(length).to(device)
        self.second = torch.from_numpy(claim + 1 + between).to(device)
        self.label = torch.from_numpy(rows.label.astype(np.int64)).to(device)
        self.relevant = torch.from_numpy(rows.relevant.astype(np.float32)).to(device)
        self.edit = torch.from_numpy(rows.factual_edit.astype(np.float32)).to(device)
        self.rows, self.original = rows, rows if original is None else original

    def width(self, rows: npt.NDArray[Any]) -> int:
        """What these rows are padded to: the longest, a multiple of 8. Told here, a GPU need not be waited for."""
        return (int(self.length[rows].max()) + 7) // 8 * 8

    def batch(self, index: Tensor, width: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Token ids, mask, segments and rationale targets of some rows."""
        lengths = self.lengths[index]
        at = torch.arange(width, device=self.device)[None]
        inside = at < lengths[:, None]
        where = (self.start[index][:, None] + at).clamp(max=len(self.flat) - 1)
        ids = self.flat[where].long().masked_fill(~inside, self.pad)
        deciding = self.deciding[where].masked_fill(~inside, IGNORE)
        segments = ((at >= self.second[index][:, None]) & inside).long()
        return ids, inside.long(), segments, deciding


def _batches(
    length: npt.NDArray[Any],
    chosen: npt.NDArray[Any],
    budget: int,
    rng: np.random.Generator,
    bundle: npt.NDArray[Any],
) -> list[npt.NDArray[Any]]:
    """Shuffles, sorts by length within large pools, cuts by token budget, and shuffles the batches.

    Rows with the same number in `bundle` stay together, each time they come round, unless they are more than a batch
    holds; -1 stands by itself.
    """
    chosen = np.sort(chosen)
    at = np.arange(len(chosen))
    round_ = at - np.searchsorted(chosen, chosen)
    key = bundle[chosen]
    unit = np.unique(np.where(key < 0, -1 - at, key + round_ * (key.max(initial=0) + 1)), return_inverse=True)[1]
    count = int(unit.max(initial=-1)) + 1
    width = np.zeros(count, np.int64)
    np.maximum.at(width, unit, (length[chosen] + 7) // 8 * 8)
    pool = rng.integers(0, max(1, len(chosen) // 50_000), count)
    order = np.lexsort((rng.permutation(count)[unit], width[unit], pool[unit]))
    rows, unit = chosen[order], unit[order]
    starts = np.flatnonzero(np.diff(unit, prepend=-1))
    ends = [*starts[1:].tolist(), len(rows)][: len(starts)]
    batches, begin, before = [], 0, -1
    for start, end, which in zip(starts.tolist(), ends, unit[starts].tolist(), strict=True):
        # widths rise along a pool: this one is what all of the batch would be padded to
        if start > begin and (width[which] * (end - begin) > budget or pool[which] != before):
            batches.append(rows[begin:start])
            begin = start
        most = max(2, budget // width[which])  # two rows that are rivals stay together, whatever their width
        while end - begin > most:
            batches.append(rows[begin : begin + most])
            begin += most
        before = pool[which]
    batches.append(rows[begin:])
    rng.shuffle(batches)
    return [batch for batch in batches if len(batch)]


def _epoch(rows: Packed, plan: Mapping[str, float], rng: np.random.Generator) -> npt.NDArray[Any]:
    share = np.ones(len(rows.sources))
    for index, name in enumerate(rows.sources):
        matching = [prefix for prefix in plan if name.startswith(prefix)]
        share[index] = plan[max(matching, key=len)] if matching else 0.0
    times = share[rows.source]
    whole = np.floor(times).astype(int) + (rng.random(len(times)) < times % 1)
    return np.repeat(np.arange(len(times)), whole)


def fit(
    model: nn.Module,
    shelf: Shelf,
    settings: Settings,
    targets: Targets | None = None,
    *,
    say: Callable[[str], None] = print,
) -> None:
    """Trains the model in place; in the end it holds the moving average of its weights."""
    torch.manual_seed(settings.seed)
    rng = np.random.default_rng(settings.seed)
    cuda = shelf.device.type == "cuda"
    bundles = bundled(shelf.original, settings.together, shelf.first_mark)
    plan = [
        batch
        for epoch in settings.epochs
        for batch in _batches(shelf.length, _epoch(shelf.rows, epoch, rng), settings.batch_tokens, rng, bundles.unit)
    ]
    if not plan:
        raise InputError("there is nothing to train on: the epochs see no row of these sources")
    again = shelf.rows.of(settings.twice)
    taught = None
    if targets is not None:
        taught = (
            torch.from_numpy(targets.verdict).to(shelf.device),
            torch.from_numpy(targets.relevance).to(shelf.device),
            torch.from_numpy((~shelf.rows.of(settings.silent)).astype(np.float32)).to(shelf.device),
        )
    groups = _groups(model, settings)
    optimiser = torch.optim.AdamW(groups, lr=settings.rate, betas=(0.9, 0.98), eps=1e-6, fused=cuda)
    weights = list(model.parameters())
    average = [p.detach().clone() for p in weights]
    began = said = time.monotonic()
    total, step, seen = len(plan), 0, 0
    running = torch.zeros(7, device=shelf.device)
    model.train()
    warm, done = max(1, int(settings.warmup * total)), 0.0
    while done < 1:
        rows = plan[step]
        index = torch.from_numpy(np.concatenate([rows, rows[again[rows]]])).to(shelf.device)
        firsts = torch.from_numpy(np.flatnonzero(again[rows])).to(shelf.device)
        rising, falling = max((step + 1) / warm, done / settings.warmup), (1 - done) / (1 - settings.warmup)
        rate = settings.rate * min(1.0, rising, max(0.02, falling))
        for group in optimiser.param_groups:
            group["lr"] = rate * group["faster"]
        keys, labels = (bundles.claim[rows], bundles.evidence[rows]), shelf.rows.label[rows]
        pairs = torch.from_numpy(np.concatenate([rivals(key, labels) for key in keys], 1)).to(shelf.device)
        with torch.autocast(shelf.device.type, torch.bfloat16, enabled=cuda):
            loss, parts = _loss(model, shelf, index, shelf.width(rows), taught, settings, firsts, pairs)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(weights, 1.0)
        optimiser.step()
        # short runs average over less: the last fifth, and at their beginning what there is
        keep = min(settings.average, 1 - 5 / max(total, 50), (step + 1) / (step + 10))
        torch._foreach_lerp_(average, [p.detach() for p in weights], 1 - keep)
        running += parts
        step += 1
        seen += len(index)
        done = max(step / total, (time.monotonic() - began) / settings.seconds)
        if step % 50 == 0 and time.monotonic() - said > 10:
            said = time.monotonic()
            shown = " ".join(f"{v:.3f}" for v in (running / 50).tolist())
            say(f"step {step}/{total} {seen / (said - began):.0f} rows/s rate {rate:.1e} losses {shown}")
        if step % 50 == 0:
            running.zero_()
    with torch.no_grad():
        for parameter, mean in zip(weights, average, strict=True):
            parameter.copy_(mean)
    say(f"trained {seen} rows in {time.monotonic() - began:.0f} s")


def _groups(model: nn.Module, settings: Settings) -> list[dict[str, Any]]:
    """The weights by what is done to them: norms and biases do not decay, heads learn faster than what is below."""
    found: dict[tuple[bool, bool], list[nn.Parameter]] = {}
    for name, parameter in model.named_parameters():
        light = parameter.ndim < 2 or "norm" in name
        head = not name.startswith(("encoder.", "llama."))
        found.setdefault((light, head), []).append(parameter)
    return [
        {"params": params, "weight_decay": 0.0 if light else settings.decay, "faster": settings.heads if head else 1.0}
        for (light, head), params in found.items()
    ]


def _loss(
    model: nn.Module,
    shelf: Shelf,
    index: Tensor,
    width: int,
    taught: tuple[Tensor, Tensor, Tensor] | None,
    settings: Settings,
    firsts: Tensor,
    pairs: Tensor,
) -> tuple[Tensor, Tensor]:
    """The loss and its parts; the last rows of the batch are those at `firsts` once more.

    `pairs` are places of rows, two and two, with one claim or one evidence and two verdicts.
    """
    ids, mask, segments, deciding = shelf.batch(index, width)
    verdict, relevance, edit, rationale = (out.float() for out in model(ids, mask, segments))
    label, relevant, edited = shelf.label[index], shelf.relevant[index], shelf.edit[index]
    rows = float(len(index))
    zero = verdict.sum() * 0.0
    hard = F.cross_entropy(verdict, label.clamp(min=0), reduction="none") * (label >= 0)
    soft = zero
    known, wanted = (relevant >= 0).float(), relevant.clamp(min=0)
    if taught is not None:
        heard = taught[2][index] * (edited < 0)
        cross = -(taught[0][index].float() * F.log_softmax(verdict, -1)).sum(-1)
        soft = (cross * heard).sum() / rows
        hard = hard * (1 + (settings.gold - 1) * heard)
        known, wanted = torch.maximum(known, heard), torch.where(heard > 0, taught[1][index].float(), wanted)
    found = (F.binary_cross_entropy_with_logits(relevance, wanted, reduction="none") * known).sum() / rows
    flagged = (
        F.binary_cross_entropy_with_logits(edit, edited.clamp(min=0), reduction="none") * (edited >= 0)
    ).sum() / rows
    told = deciding != IGNORE
    heavier = 1.0 + 2.0 * (deciding == 1)  # few words decide; without this the head would mark none
    marked = F.binary_cross_entropy_with_logits(rationale, (deciding == 1).float(), reduction="none") * told * heavier
    marked = marked.sum() / told.sum().clamp(min=1)
    apart = zero
    if len(firsts):
        one = F.log_softmax(verdict[firsts], -1)
        two = F.log_softmax(verdict[len(index) - len(firsts) :], -1)
        apart = ((one.exp() - two.exp()) * (one - two)).sum() / rows  # both directions of the divergence
    confused = zero
    if pairs.shape[1]:
        one, two = pairs
        mine, theirs = label[one], label[two]
        # by how much more the one row's verdict is its own than the other row's is
        lead = (verdict[one, mine] - verdict[one, theirs]) - (verdict[two, mine] - verdict[two, theirs])
        confused = F.softplus(-lead).sum() / rows
    parts = torch.stack([hard.sum() / rows, soft, found, flagged, marked, apart, confused])
    loss = parts[0] + parts[1] + 0.3 * parts[2] + parts[3] + 0.3 * parts[4]
    loss = loss + settings.agreement * parts[5] + settings.contrast * parts[6]
    return loss, parts.detach()


@torch.inference_mode()  # type: ignore[untyped-decorator,unused-ignore]
def predict(
    model: nn.Module, shelf: Shelf, *, batch_tokens: int = 131_072, tokens: bool = False
) -> dict[str, npt.NDArray[Any]]:
    """Logits of every head, by row; with `tokens`, the rationale's too, flat in the order of the shelf."""
    model.eval()
    cuda = shelf.device.type == "cuda"
    count = len(shelf.length)
    verdict = torch.zeros(count, 3, device=shelf.device)
    relevance, edit = torch.zeros(count, device=shelf.device), torch.zeros(count, device=shelf.device)
    rationale = torch.zeros(len(shelf.flat) if tokens else 0, device=shelf.device)
    for batch in _in_order(shelf.length, batch_tokens):
        index = torch.from_numpy(batch).to(shelf.device)
        ids, mask, segments, _ = shelf.batch(index, shelf.width(batch))
        with torch.autocast(shelf.device.type, torch.bfloat16, enabled=cuda):
            outs = model(ids, mask, segments)
        verdict[index], relevance[index], edit[index] = (out.float() for out in outs[:3])
        if tokens:
            inside = mask.bool()
            where = shelf.start[index][:, None] + torch.arange(mask.shape[1], device=shelf.device)[None]
            rationale[where[inside]] = outs[3].float()[inside]
    model.train()
    found = {"verdict": verdict, "relevance": relevance, "edit": edit}
    if tokens:
        found["rationale"] = rationale
    return {name: tensor.cpu().numpy() for name, tensor in found.items()}


def _in_order(length: npt.NDArray[Any], budget: int) -> Iterator[npt.NDArray[Any]]:
    order = np.argsort(length, kind="stable")
    begin = 0
    while begin < len(order):
        count = max(1, budget // ((int(length[order[min(begin + 4096, len(order) - 1)]]) + 7) // 8 * 8))
        yield order[begin : begin + count]
        begin += count
