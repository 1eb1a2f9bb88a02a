"""The encoder and its training, where torch is installed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="needs the extra `train` (torch), which is not installed")
pytest.importorskip("safetensors", reason="needs the extra `train` (safetensors), which is not installed")

from aver.errors import InputError  # noqa: E402
from aver.train._base import open_base, open_tokenizer  # noqa: E402
from aver.train._bundles import bundled, rivals  # noqa: E402
from aver.train._encoder import Judge, load_encoder  # noqa: E402
from aver.train._export import export  # noqa: E402
from aver.train._fit import Settings, Shelf, Targets, _batches, _loss, fit, predict  # noqa: E402
from aver.train._mix import Row  # noqa: E402
from aver.train._pack import LABELS, pack  # noqa: E402
from aver.train._packed import Packed, layout_of  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of torch's and transformers' own making


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(params=["bert", "mpnet"])
def folder(request: pytest.FixtureRequest) -> Path:
    found: Path = request.getfixturevalue(request.param)
    return found


def _batch(vocabulary: int, *, width: int = 150) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(3)
    lengths = [width, 64, 5]
    mask = torch.tensor([[int(at < length) for at in range(width)] for length in lengths])
    ids = torch.tensor(rng.integers(104, vocabulary - 1, mask.shape)) * mask
    segments = torch.tensor([[int(at >= 3) for at in range(width)] for _ in lengths]) * mask
    return ids, mask, segments


class TestTransformers:
    def test_the_same_numbers(self, folder: Path) -> None:
        """To 1e-5, for both families, over more positions than the relative buckets tell apart."""
        transformers = pytest.importorskip("transformers", reason="needs transformers to compare with")
        encoder = load_encoder(folder).eval()
        theirs = transformers.AutoModel.from_pretrained(folder, attn_implementation="eager", add_pooling_layer=False)
        ids, mask, segments = _batch(encoder.config["vocab_size"])
        # positions of padding are counted otherwise by MPNet; nobody looks at them
        ids = torch.where(mask.bool(), ids, encoder.config["pad_token_id"])
        more = {} if encoder.mpnet else {"token_type_ids": segments}
        with torch.no_grad():
            wanted = theirs.eval()(input_ids=ids, attention_mask=mask, **more).last_hidden_state
            found = encoder(ids, mask, segments)
        inside = mask.bool()
        torch.testing.assert_close(found[inside], wanted[inside], atol=1e-5, rtol=0)

    def test_chosen_layers(self, mpnet: Path) -> None:
        whole, last = load_encoder(mpnet), load_encoder(mpnet, layers=[1])
        assert len(last.layers) == 1
        for name, tensor in last.layers[0].state_dict().items():
            assert torch.equal(tensor, whole.layers[1].state_dict()[name])


def test_exported_graph_answers_alike(folder: Path) -> None:
    """Other shapes than it was traced with; padding changes nothing."""
    onnxruntime = pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx", reason="needs the extra `train` (onnx), which is not installed")
    torch.manual_seed(0)
    model = Judge(load_encoder(folder)).eval()
    session = onnxruntime.InferenceSession(export(model), providers=["CPUExecutionProvider"])
    ids, mask, segments = _batch(model.encoder.config["vocab_size"])
    feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": segments}
    feed = {given.name: feed[given.name].numpy() for given in session.get_inputs()}
    found = session.run(["verdict", "relevance", "edit", "rationale"], feed)
    with torch.no_grad():
        wanted = [out.numpy() for out in model(ids, mask, segments)]
    for head in range(3):
        np.testing.assert_allclose(found[head], wanted[head], atol=2e-5)
    np.testing.assert_allclose(found[3][mask.numpy() == 1], wanted[3][mask.numpy() == 1], atol=5e-5)
    alone = session.run(["verdict"], {name: array[2:, :5] for name, array in feed.items()})[0]
    np.testing.assert_allclose(alone[0], found[0][2], atol=1e-5)


def _simple_rows() -> list[Row]:
    """Roof: supports. Bridge: refutes. Neither: nothing said. The deciding word is the rationale."""
    rows = []
    for number in range(60):
        word, label = [("roof", LABELS[0]), ("bridge", LABELS[1]), ("rooms", LABELS[2])][number % 3]
        evidence = f"it has {number % 7} {word} in {number}"
        at = evidence.index(word)
        spans = ((at, at + len(word)),) if number % 3 < 2 else None
        rows.append(Row("it was new", evidence, label, number % 3 < 2, spans=spans, source="simple"))
    return rows


class TestFit:
    def test_learns_what_can_be_learnt(self, folder: Path) -> None:
        base = open_base(str(folder))
        rows = pack(_simple_rows(), open_tokenizer(folder), shift=base.shift)
        shelf = Shelf(rows, layout=layout_of(base.mpnet), device=torch.device("cpu"))
        torch.manual_seed(0)
        model = Judge(load_encoder(folder))
        said: list[str] = []
        fit(model, shelf, Settings(({"": 1.0},) * 40, rate=3e-3, batch_tokens=512, average=0.9), say=said.append)
        found = predict(model, shelf, tokens=True)
        assert (found["verdict"].argmax(1) == rows.label).mean() > 0.95
        assert ((found["relevance"] > 0) == rows.relevant).mean() > 0.95
        told = shelf.deciding.numpy() != 2
        decides = shelf.deciding.numpy()[told] == 1
        assert found["rationale"][told][decides].mean() > found["rationale"][told][~decides].mean() + 1
        assert said[-1].startswith("trained 2400 rows")

    def test_a_student_follows_its_teacher_and_not_the_labels(self, bert: Path) -> None:
        rows = pack(_simple_rows(), open_tokenizer(bert))
        shelf = Shelf(rows, layout=layout_of(False), device=torch.device("cpu"))
        said_by_teacher = (rows.label + 1) % 3
        verdict = np.eye(3, dtype=np.float16)[said_by_teacher]
        targets = Targets(verdict, np.zeros(len(rows), np.float16))
        torch.manual_seed(0)
        model = Judge(load_encoder(bert))
        settings = Settings(({"": 1.0},) * 40, rate=3e-3, batch_tokens=512, average=0.9, gold=0.0)
        fit(model, shelf, settings, targets, say=len)
        found = predict(model, shelf)
        assert (found["verdict"].argmax(1) == said_by_teacher).mean() > 0.9
        assert (found["relevance"] < 0).all()

    def test_the_same_seed_gives_the_same_model(self, bert: Path) -> None:
        rows = pack(_simple_rows()[:12], open_tokenizer(bert))
        shelf = Shelf(rows, layout=layout_of(False), device=torch.device("cpu"))
        answers = []
        for seed in (5, 5, 6):
            torch.manual_seed(seed)
            model = Judge(load_encoder(bert))
            fit(model, shelf, Settings(({"": 1.0},), rate=1e-3, batch_tokens=128, seed=seed), say=len)
            answers.append(predict(model, shelf)["verdict"])
        assert np.array_equal(answers[0], answers[1])
        assert not np.array_equal(answers[0], answers[2])

    def test_sources_are_seen_as_often_as_planned(self, bert: Path) -> None:
        rows = [Row("a", "b", LABELS[0], source=name) for name in ("real_x", "real_y", "pool") for _ in range(10)]
        shelf = Shelf(pack(rows, open_tokenizer(bert)), layout=layout_of(False), device=torch.device("cpu"))
        said: list[str] = []
        model = Judge(load_encoder(bert))
        fit(model, shelf, Settings(({"": 1.0, "real": 2.0, "real_y": 3.0, "pool": 0.0},)), say=said.append)
        assert said[-1].startswith("trained 50 rows")


class TestReadTwice:
    """Rows that are read twice: the second reading drops out other neurons, and differing from the first is a loss."""

    @staticmethod
    def _apart(folder: Path, dropout: float, again: bool) -> float:
        rows = [Row("It has 5 rooms .", f"It has {n} rooms .", label, source="vitaminc_real") for n, label in
                zip((5, 6, 7), LABELS, strict=True)]  # fmt: skip
        base = open_base(str(folder))
        packed = pack(rows, open_tokenizer(base.folder), shift=base.shift)
        torch.manual_seed(1)
        model = Judge(load_encoder(folder, dropout=dropout)).train()
        shelf = Shelf(packed, layout=layout_of(base.mpnet), device=torch.device("cpu"))
        index = torch.tensor([0, 1, 2, 1] if again else [0, 1, 2])
        firsts = torch.tensor([1] if again else []).long()
        width, none = shelf.width(index.numpy()), torch.zeros(2, 0, dtype=torch.int64)
        loss, parts = _loss(model, shelf, index, width, None, Settings(()), firsts, none)
        assert torch.isfinite(loss)
        return float(parts[5])

    def test_readings_that_differ_cost(self, folder: Path) -> None:
        assert self._apart(folder, 0.5, True) > 0

    def test_the_same_reading_costs_nothing(self, folder: Path) -> None:
        assert self._apart(folder, 0.0, True) == pytest.approx(0.0, abs=1e-9)
        assert self._apart(folder, 0.5, False) == 0.0


class TestTime:
    """A run that ends by the clock: it takes a step at least, and its rate rises and falls all the same."""

    def _rates(self, folder: Path, monkeypatch: pytest.MonkeyPatch, seconds: float) -> list[float]:
        from aver.train import _fit

        rows = [Row("It has 5 rooms .", f"It has {n} rooms .", LABELS[n % 3], source="a") for n in range(40)]
        base = open_base(str(folder))
        packed = pack(rows, open_tokenizer(base.folder), shift=base.shift)
        shelf = Shelf(packed, layout=layout_of(base.mpnet), device=torch.device("cpu"))
        clock, rates = iter(range(10**6)), []

        class Watched(torch.optim.AdamW):
            def step(self, *args: Any, **options: Any) -> Any:
                rates.append(self.param_groups[0]["lr"])
                return super().step(*args, **options)

        monkeypatch.setattr(_fit.time, "monotonic", lambda: float(next(clock)))
        monkeypatch.setattr(torch.optim, "AdamW", Watched)
        plan = Settings(({"": 1.0},) * 20, rate=1e-3, batch_tokens=64, seconds=seconds)
        fit(Judge(load_encoder(folder)), shelf, plan, say=lambda _: None)
        return rates

    def test_it_rises_and_ends_at_nothing(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        rates = self._rates(folder, monkeypatch, 60.0)
        assert 20 < len(rates) <= 60
        assert max(rates) > 0.9e-3
        assert rates[-1] < 0.1e-3

    def test_one_step_is_taken(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        assert len(self._rates(folder, monkeypatch, 1e-6)) == 1

    def test_no_rows(self, folder: Path) -> None:
        base = open_base(str(folder))
        packed = pack([Row("a", "b", LABELS[0], source="a")], open_tokenizer(base.folder), shift=base.shift)
        shelf = Shelf(packed, layout=layout_of(base.mpnet), device=torch.device("cpu"))
        with pytest.raises(InputError, match="nothing to train on"):
            fit(Judge(load_encoder(folder)), shelf, Settings(({"b": 1.0},)))


class TestTogether:
    """Rows of one claim or evidence come in one batch, and those with other verdicts are held against each other."""

    @staticmethod
    def _packed(folder: Path) -> tuple[Packed, bool]:
        base = open_base(str(folder))
        rows = [
            Row(f"It has {claim} rooms .", f"It has {evidence} rooms, {'many ' * claim}stairs .", label, source=source)
            for claim in range(2, 12)
            for evidence, label in ((claim, LABELS[0]), (claim + 30, LABELS[1]))
            for source in ("vitaminc_real", "other")
        ]
        return pack(rows, open_tokenizer(base.folder), shift=base.shift), base.mpnet

    def test_a_claim_is_known_whatever_its_figures_are_compared_with(self, folder: Path) -> None:
        packed, _ = self._packed(folder)
        found = bundled(packed, ("vitaminc_",))
        of_vitaminc = packed.source == packed.sources.index("vitaminc_real")
        for numbers in (found.claim, found.evidence, found.unit):
            assert (numbers[~of_vitaminc] == -1).all()
        claims, evidences = found.claim[of_vitaminc], found.evidence[of_vitaminc]
        assert (claims[::2] == claims[1::2]).all()
        assert len(set(claims.tolist())) == 10
        assert len(set(evidences.tolist())) == 20
        assert not set(claims.tolist()) & set(evidences.tolist())
        assert len(set(found.unit[of_vitaminc].tolist())) == 10

    def test_rows_that_share_an_evidence_are_of_one_unit(self, folder: Path) -> None:
        base = open_base(str(folder))
        texts = [("a", "x"), ("a", "y"), ("b", "y"), ("c", "z"), ("b", "w"), ("z", "c")]
        rows = [Row(f"{claim} .", f"{evidence} .", LABELS[0], source="v") for claim, evidence in texts]
        unit = bundled(pack(rows, open_tokenizer(base.folder), shift=base.shift), ("v",)).unit.tolist()
        assert unit[0] == unit[1] == unit[2] == unit[4]
        # what is a claim here and evidence there is no link
        assert len({unit[0], unit[3], unit[5]}) == 3

    def test_batches_hold_every_row_and_whole_units(self, folder: Path) -> None:
        packed, mpnet = self._packed(folder)
        shelf = Shelf(packed, layout=layout_of(mpnet), device=torch.device("cpu"))
        key = bundled(packed, ("vitaminc_",)).unit
        chosen = np.repeat(np.arange(len(packed)), 3)
        batches = _batches(shelf.length, chosen, 100, np.random.default_rng(1), key)
        assert sorted(np.concatenate(batches)) == sorted(chosen)
        assert len(batches) > 10
        for batch in batches:
            units, counts = np.unique(key[batch][key[batch] >= 0], return_counts=True)
            assert all(count % 2 == 0 for count in counts), f"of {units} a unit is cut in two"
            assert len(batch) <= 2 or shelf.width(batch) * len(batch) <= 100

    def test_a_unit_that_no_batch_holds_is_cut(self) -> None:
        length, unit = np.full(60, 16), np.array([0] * 50 + [1] * 10)
        batches = _batches(length, np.arange(60), 160, np.random.default_rng(1), unit)
        assert sorted(np.concatenate(batches)) == list(range(60))
        assert max(len(batch) for batch in batches) == 10
        assert sorted(np.concatenate([batch for batch in batches if 59 in batch])) == list(range(50, 60))

    def test_rivals_have_one_text_and_two_verdicts(self) -> None:
        key = np.array([7, -1, 7, 3, 7, -1, 3])
        label = np.array([0, 1, 1, 2, 0, 0, -1])
        pairs = {tuple(sorted(pair)) for pair in rivals(key, label).T.tolist()}
        assert pairs == {(0, 2), (2, 4)}
        assert rivals(np.array([1]), np.array([0])).shape == (2, 0)

    def test_verdicts_the_wrong_way_round_cost_more(self, folder: Path) -> None:
        packed, mpnet = self._packed(folder)
        shelf = Shelf(packed, layout=layout_of(mpnet), device=torch.device("cpu"))
        torch.manual_seed(1)
        model = Judge(load_encoder(folder, dropout=0.0))
        index, none = torch.tensor([0, 2]), torch.zeros(0, dtype=torch.int64)
        pairs = torch.tensor([[0], [1]])

        def confused() -> float:
            _, parts = _loss(model, shelf, index, shelf.width(index.numpy()), None, Settings(()), none, pairs)
            return float(parts[6])

        right = confused()
        shelf.label[[0, 2]] = shelf.label[[2, 0]].clone()
        wrong = confused()
        assert right > 0
        assert wrong > 0
        # softplus(-x) and softplus(x), over two rows: they differ by x / 2
        assert np.exp(-2 * right) + np.exp(-2 * wrong) == pytest.approx(1.0, abs=1e-5)
