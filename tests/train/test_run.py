"""The whole way from data to a card, on a CPU, with two tiny bases."""

from __future__ import annotations

import importlib.util
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

from aver.errors import BackendError, InputError, MissingExtra, ModelError
from aver.models import load_judge, open_folder
from aver.train import STAGES, train
from aver.train._base import open_base
from aver.train._packed import Packed, layout_of
from aver.train._recipe import HEARD, RECIPES

needs_torch = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("torch", "safetensors", "onnx")),
    reason="needs the extra `train` (torch, safetensors, onnx), which is not installed",
)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory, small_data: Path, mpnet: Path, bert: Path) -> Path:
    """A whole run, made once."""
    import torch

    torch.set_num_threads(1)  # several threads on products this small only get in each other's way
    folder = tmp_path_factory.mktemp("train") / "out"
    said: list[str] = []
    made = train(
        "judge", data=small_data, out=folder, base=str(mpnet), fast_base=str(bert), limit=100, seconds=30,
        device="cpu", say=said.append,
    )  # fmt: skip
    assert made == {"default": folder / "default", "fast": folder / "fast"}
    (folder / "said.txt").write_text("\n".join(said))
    return folder


@needs_torch
class TestWhole:
    def test_every_stage_leaves_its_file(self, out: Path) -> None:
        names = {path.name for path in out.iterdir()}
        assert {"rows.npz", "evaluation.npz", "teachers.json"} <= names
        assert {"teacher-1.safetensors", "teacher-2.safetensors"} <= names
        assert {"teacher-1.judgements.npz", "teacher-2.judgements.npz", "student-default.safetensors"} <= names
        for name in ("default", "fast"):
            made = {f"{name}.{end}" for end in ("onnx", "int8.onnx", "parity.json", "calibration.json", "scores.json")}
            assert made <= names
        assert not [name for name in names if name.startswith(".")], "nothing half written is left"

    @pytest.mark.parametrize(("name", "mark", "segments"), [("default", 5, False), ("fast", 1, True)])
    def test_the_card_says_what_the_runtime_needs(self, out: Path, name: str, mark: int, segments: bool) -> None:
        card = open_folder(out / name).card
        assert card["name"] == name
        assert card["pair"] == "claim_first"
        assert card["labels"] == ["SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO"]
        assert card["marks"] == {"first_id": mark, "count": 24, "units": True, "periods": True}
        assert card["max_tokens"] == 256
        assert set(card["heads"]) == {"verdict", "relevance", "edit", "rationale"}
        assert card["folds"] == {"trained_on": [0, 1, 2, 3, 4, 5, 6], "chosen_on": 7, "reported_on": 8}
        assert card["base"]["licence"] == "apache-2.0"
        assert card["base"]["layers"] == [0, 1]
        assert card["claim_marks"] is True
        assert card["layers"] == len(card["base"]["layers"])
        assert {"value", "low", "high", "n"} == set(card["scores"]["vitaminc_real"])
        assert 0 <= card["ece"]["value"] <= 1
        assert card["parity"]["pairs"] > 0
        assert card["speed"]["pairs_per_second"] > 0
        licences = {row["source"]: row["licence"] for row in card["data"]}
        assert licences["synthetic_wikipedia"] == "CC BY-SA 3.0"
        assert "CC BY-SA 4.0" in licences["edit_copy"]
        assert not any("non-commercial" in limit for limit in card["limits"])
        assert any("trial" in limit for limit in card["limits"])
        import onnxruntime

        graph, _ = open_folder(out / name).read_weights()
        session = onnxruntime.InferenceSession(graph, providers=["CPUExecutionProvider"])
        inputs = {given.name for given in session.get_inputs()}
        assert inputs == {"input_ids", "attention_mask"} | ({"token_type_ids"} if segments else set())
        assert [given.name for given in session.get_outputs()] == ["verdict", "relevance", "edit", "rationale"]

    @pytest.mark.parametrize("name", ["default", "fast"])
    def test_the_runtime_answers_as_the_recipe_does(self, out: Path, name: str, small_data: Path) -> None:
        """Claim first, marks in their place, calibrated: the judge says what the packed rows say."""
        from aver.train._answers import answers
        from aver.train._mix import evaluation_rows

        judge = load_judge(out / name)
        held = Packed.load(out / "evaluation.npz")
        index = np.flatnonzero(held.source == held.sources.index("vitaminc_real_7"))
        graph = (out / f"{name}.int8.onnx").read_bytes()
        logits = answers(graph, held.chosen(index), mpnet=name == "default")["verdict"]
        calibration = orjson.loads((out / f"{name}.calibration.json").read_bytes())
        z = logits / calibration["temperature"]
        wanted = np.exp(z) / np.exp(z).sum(1, keepdims=True)
        rows = evaluation_rows(small_data)["vitaminc_real_7"]
        found = judge.judge([(row.claim, row.evidence) for row in rows])
        assert len(found) == len(index) == 10
        stated = [[j.probabilities[label] for label in ("SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO")] for j in found]
        np.testing.assert_allclose(stated, wanted, atol=1e-5)

    def test_a_judge_explains(self, out: Path) -> None:
        judge = load_judge(out / "default")
        explanation = judge.explain("It has more than 5 rooms .", "It has 7 rooms .", method="head")
        assert [word.text for word in explanation.evidence] == ["It", "has", "7", "rooms", "."]

    def test_teachers_are_averaged(self, out: Path) -> None:
        from aver.train._teach import average

        found = average([out / "teacher-1.judgements.npz", out / "teacher-2.judgements.npz"])
        rows = Packed.load(out / "rows.npz")
        assert found.verdict.shape == (len(rows), 3)
        np.testing.assert_allclose(found.verdict.astype(float).sum(1), 1, atol=2e-3)
        first = np.load(out / "teacher-1.judgements.npz")["verdict"]
        second = np.load(out / "teacher-2.judgements.npz")["verdict"]
        p = [np.exp(z) / np.exp(z).sum(1, keepdims=True) for z in (first, second)]
        np.testing.assert_allclose(found.verdict, (p[0] + p[1]) / 2, atol=1e-3)

    def test_a_teacher_alone_goes_on_too(self, out: Path, small_data: Path, mpnet: Path) -> None:
        said: list[str] = []
        assert train("teacher", data=small_data, out=out, base=str(mpnet), limit=100, say=said.append) == {}
        assert "teacher-1.safetensors is there" in said
        assert not [line for line in said if "trained" in line]

    def test_goes_on_from_what_is_there(
        self, out: Path, small_data: Path, mpnet: Path, bert: Path, run_cli: Callable[..., Any]
    ) -> None:
        before = {path.name: path.stat().st_mtime_ns for path in out.iterdir() if path.suffix in (".npz", ".onnx")}
        (out / "fast.calibration.json").unlink()
        (out / "teacher-2.safetensors").unlink()  # not needed any more: the students are there
        run = run_cli(
            "train", "fast", "--data", small_data, "--out", out, "--base", mpnet, "--fast-base", bert, "--limit", 100,
            "--json",
        )  # fmt: skip
        assert run.code == 0
        assert run.json == {"fast": str(out / "fast")}
        assert "student-fast.safetensors is there" in run.err
        assert "temperature" in run.err
        after = {path.name: path.stat().st_mtime_ns for path in out.iterdir() if path.suffix in (".npz", ".onnx")}
        assert after == before

    def test_other_choices_need_another_folder(
        self, out: Path, small_data: Path, mpnet: Path, run_cli: Callable[..., Any]
    ) -> None:
        options = ("--data", small_data, "--out", out, "--base", mpnet, "--limit", 7, "--seed", 3)
        run = run_cli("train", "default", *options)
        assert run.code == 2
        assert "seed: 1 there, 3 now" in run.err
        assert "limit: 100 there, 7 now" in run.err


def test_packing_needs_no_torch(small_data: Path, mpnet: Path, tmp_path: Path) -> None:
    made = train("teacher", data=small_data, out=tmp_path / "o", base=str(mpnet), limit=20, stage="pack", say=len)
    assert made == {}
    rows = Packed.load(tmp_path / "o" / "rows.npz")
    assert len(rows) > 200
    wanted = {"vitaminc_real", "synthetic_wikipedia", "pool_wikipedia", "edit_copy", "fever_elsewhere"}
    assert wanted <= set(rows.sources)


def test_without_the_extra(small_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *a: None if name == "torch" else real(name, *a))
    with pytest.raises(MissingExtra, match=r"aver\[train\]"):
        train("judge", data=small_data, out=tmp_path)


class TestWrongInput:
    @pytest.mark.parametrize(
        ("options", "said"),
        [
            ({"stage": "bake"}, "there is no stage 'bake'"),
            ({"device": "tpu"}, "device is 'tpu'"),
            ({"limit": 0}, "limit is 0"),
            ({"seconds": -1.0}, "seconds is -1"),
            ({"seconds": 0}, "seconds is 0"),
            ({"start": "fast"}, "the recipe is judge"),
            ({"teacher": "default"}, "teacher belongs to a model that is taught on"),
            ({"keep": 0.5}, "keep belongs to"),
            ({"keep": 1.0, "start": "fast", "recipe": "fast"}, "keep is 1.0"),
            ({"fresh": 0.5}, "fresh belongs to"),
            ({"fresh": 0.5, "start": "fast", "recipe": "fast"}, "only default can be renewed"),
            ({"fresh": 0.5, "start": "default", "teacher": "fast", "recipe": "default"}, "newcomers teach"),
            ({"fresh": 0.0, "start": "default", "recipe": "default"}, "or 0 with a reader"),
            ({"fresh": float("nan"), "start": "default", "recipe": "default"}, "fresh is nan"),
            ({"data": "nowhere", "stage": "pack"}, "nowhere: there is no such folder"),
        ],
    )
    def test_options(self, options: dict[str, Any], said: str, small_data: Path, tmp_path: Path) -> None:
        with pytest.raises(InputError, match=said):
            train(**({"recipe": "judge", "data": small_data, "out": tmp_path} | options))

    def test_a_place_that_cannot_be(self, small_data: Path, mpnet: Path, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(InputError, match="cannot be made"):
            train("teacher", data=small_data, out=tmp_path / "file" / "o", base=str(mpnet), stage="pack")

    def test_rows_whose_figures_were_compared_without_units(
        self, small_data: Path, mpnet: Path, tmp_path: Path
    ) -> None:
        before = orjson.dumps({"seed": 1, "limit": None, "base": mpnet.name})
        (tmp_path / "run.json").write_bytes(before)
        with pytest.raises(InputError, match="units: False there, True now"):
            train("teacher", data=small_data, out=tmp_path, base=str(mpnet), stage="pack")
        assert (tmp_path / "run.json").read_bytes() == before

    @needs_torch
    def test_no_gpu(self, small_data: Path, tmp_path: Path) -> None:
        import torch

        if torch.cuda.is_available():
            pytest.skip("there is a GPU")
        with pytest.raises(InputError, match="torch finds no GPU"):
            train("teacher", data=small_data, out=tmp_path, device="cuda")

    def test_names_every_missing_file(self, tmp_path: Path, mpnet: Path, run_cli: Callable[..., Any]) -> None:
        run = run_cli("train", "judge", "--data", tmp_path, "--out", tmp_path / "o", "--base", mpnet, "--stage", "pack")
        assert run.code == 2
        assert "snli_dev.jsonl.gz: there is no such file" in run.err or "more" in run.err
        assert not (tmp_path / "o").exists()

    def test_a_base_of_another_family(self, tmp_path: Path, bert: Path) -> None:
        for name in ("tokenizer.json", "model.safetensors"):
            (tmp_path / name).write_bytes((bert / name).read_bytes())
        (tmp_path / "config.json").write_text('{"model_type": "gpt2", "hidden_act": "relu"}')
        with pytest.raises(InputError, match="model_type is 'gpt2'") as caught:
            open_base(str(tmp_path))
        assert len(caught.value.problems) == 2

    def test_a_folder_that_lacks_files(self, tmp_path: Path) -> None:
        from aver.errors import ModelError

        with pytest.raises(ModelError, match=r"lacks config\.json, model\.safetensors, tokenizer\.json"):
            open_base(str(tmp_path))


class TestHub:
    def test_a_hub_id_is_brought(self, bert: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        asked = []
        hub = types.ModuleType("huggingface_hub")

        def snapshot_download(name: str, *, allow_patterns: list[str]) -> str:
            asked.append((name, tuple(allow_patterns)))
            return str(bert)

        hub.snapshot_download = snapshot_download  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
        base = open_base("someone/tiny-bert")
        assert asked == [("someone/tiny-bert", ("config.json", "model.safetensors", "tokenizer.json", "README.md"))]
        assert (base.name, base.folder, base.mpnet) == ("someone/tiny-bert", bert, False)

    def test_a_hub_that_fails(self, monkeypatch: pytest.MonkeyPatch) -> None:
        hub = types.ModuleType("huggingface_hub")

        def snapshot_download(name: str, **_: object) -> str:
            raise OSError("no route")

        hub.snapshot_download = snapshot_download  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "huggingface_hub", hub)
        with pytest.raises(BackendError, match="is there a network"):
            open_base("someone/tiny-bert")

    def test_without_the_hub_library(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "huggingface_hub", None)
        with pytest.raises(MissingExtra, match="huggingface_hub"):
            open_base("someone/tiny-bert")


def test_the_command_offers_what_there_is() -> None:
    from aver.cli import _train

    assert tuple(RECIPES) == _train.RECIPES
    assert STAGES == _train.STAGES


@pytest.fixture(scope="module")
def onwards(tmp_path_factory: pytest.TempPathFactory, out: Path, small_data: Path, mpnet: Path, bert: Path) -> Path:
    """The small model of the whole run, taught on by the larger one."""
    folder = tmp_path_factory.mktemp("onwards") / "out"
    made = train(
        "fast", data=small_data, out=folder, base=str(mpnet), fast_base=str(bert), limit=100, seconds=30,
        device="cpu", start=str(out / "fast"), teacher=str(out / "default"), keep=0.25, say=lambda _: None,
    )  # fmt: skip
    assert made == {"fast": folder / "fast"}
    return folder


@needs_torch
class TestTaughtOn:
    def test_the_card_says_from_what_and_by_whom(self, onwards: Path, out: Path) -> None:
        card = open_folder(onwards / "fast").card
        old, teacher = (open_folder(out / name).card["sha256"][:12] for name in ("fast", "default"))
        assert card["training"]["from"] == f"fast@{old}"
        assert card["training"]["teacher"] == card["teacher"]["name"] == f"default@{teacher}"
        assert card["training"]["keep"] == 0.25
        assert card["training"]["command"] == "aver train fast --from fast --teacher default --seed 1 --seconds 30"
        assert card["sha256"][:12] != old

    def test_the_teacher_judged_what_we_did_not_make(self, onwards: Path) -> None:
        rows = Packed.load(onwards / "rows.npz")
        ours = np.array([name.startswith(("synthetic", "pool")) for name in rows.sources])[rows.source]
        with np.load(onwards / "teacher-default.judgements.npz") as found:
            assert ours.any()
            assert found["verdict"].any(1).tolist() == (~ours).tolist()

    def test_it_is_asked_about_no_more_than_it_is_heard_on(
        self, onwards: Path, out: Path, small_data: Path, mpnet: Path, tmp_path: Path
    ) -> None:
        for name in ("rows.npz", "evaluation.npz"):
            (tmp_path / name).write_bytes((onwards / name).read_bytes())
        train(
            "default", data=small_data, out=tmp_path, base=str(mpnet), limit=100, device="cpu", stage="targets",
            start=str(out / "default"), say=lambda _: None,
        )  # fmt: skip
        rows = Packed.load(tmp_path / "rows.npz")
        heard = np.array([name.startswith(HEARD) for name in rows.sources])[rows.source]
        with np.load(tmp_path / "teacher-default.judgements.npz") as found:
            assert heard.any()
            assert found["verdict"].any(1).tolist() == heard.tolist()

    @pytest.mark.parametrize(("name", "base"), [("default", "mpnet"), ("fast", "bert")])
    def test_weights_come_back_out_of_a_graph(
        self, out: Path, name: str, base: str, request: pytest.FixtureRequest
    ) -> None:
        from aver.train._teach import load_model, opened

        model = opened(open_folder(out / name), open_base(str(request.getfixturevalue(base))))
        made = load_model(out / f"student-{name}.safetensors").state_dict()
        for key, value in model.state_dict().items():
            # what was rounded is off by half a step of six bits at most
            assert (value - made[key]).abs().max() <= made[key].abs().max() / 31, key

    def test_between_packing_and_figures_no_data_is_needed(
        self, onwards: Path, out: Path, mpnet: Path, bert: Path, tmp_path: Path
    ) -> None:
        for name in ("rows.npz", "evaluation.npz", "run.json", "student-fast.safetensors"):
            (tmp_path / name).write_bytes((onwards / name).read_bytes())
        train(
            "fast", data=tmp_path / "nowhere", out=tmp_path, base=str(mpnet), fast_base=str(bert), limit=100,
            device="cpu", stage="calibrate", start=str(out / "fast"), teacher=str(out / "default"),
            say=lambda _: None,
        )  # fmt: skip
        assert (tmp_path / "fast.calibration.json").is_file()

    def test_what_is_kept_is_a_mean(self, out: Path, small_data: Path, bert: Path) -> None:
        import torch

        from aver.train._recipe import Course
        from aver.train._teach import opened, taught

        rows, folder, base = Packed.load(out / "rows.npz"), open_folder(out / "fast"), open_base(str(bert))
        old = opened(folder, base).state_dict()
        ends = []
        for keep in (0.0, 0.5):
            course = Course(({"vitaminc": 1.0},), rate=1e-2, keep=keep)
            ends.append(taught(opened(folder, base), rows, course, mpnet=False, seed=3, device=torch.device("cpu"),
                               say=lambda _: None).state_dict())  # fmt: skip
        new, mean = (end["verdict.weight"] for end in ends)
        assert not torch.equal(new, old["verdict.weight"])
        torch.testing.assert_close(mean, (new + old["verdict.weight"]) / 2)

    def test_several_runs_come_to_their_mean(self, out: Path, bert: Path) -> None:
        import torch

        from aver.train._recipe import Course
        from aver.train._teach import opened, taught

        rows, folder, base = Packed.load(out / "rows.npz"), open_folder(out / "fast"), open_base(str(bert))
        old = opened(folder, base).state_dict()["verdict.weight"]

        def ends(seed: int, runs: int, keep: float = 0.0) -> Any:
            course = Course(({"vitaminc": 1.0},), rate=1e-2, runs=runs, keep=keep)
            return taught(opened(folder, base), rows, course, mpnet=False, seed=seed, device=torch.device("cpu"),
                          say=lambda _: None).state_dict()["verdict.weight"]  # fmt: skip

        one, two = ends(3, 1), ends(4, 1)
        assert not torch.equal(one, two)
        torch.testing.assert_close(ends(3, 2), (one + two) / 2)
        torch.testing.assert_close(ends(3, 2, keep=0.5), (one + two) / 4 + old / 2)

    def test_a_model_of_another_base_is_refused(self, out: Path, small_data: Path, mpnet: Path, tmp_path: Path) -> None:
        with pytest.raises(ModelError, match="is no model of tiny-mpnet"):
            train("default", data=small_data, out=tmp_path, base=str(mpnet), limit=20, device="cpu", stage="teacher",
                  start=str(out / "fast"), say=lambda _: None)  # fmt: skip


@needs_torch
class TestRenewed:
    def test_newcomers_teach_and_go_into_the_start(
        self, out: Path, small_data: Path, mpnet: Path, tmp_path: Path
    ) -> None:
        said: list[str] = []
        made = train(
            "default", data=small_data, out=tmp_path / "o", base=str(mpnet), limit=100, seconds=5, device="cpu",
            start=str(out / "default"), fresh=0.5, say=said.append,
        )  # fmt: skip
        card = open_folder(made["default"]).card
        old = open_folder(out / "default").card["sha256"][:12]
        training = card["training"]
        assert (training["from"], training["fresh"], training["keep"]) == (f"default@{old}", 0.5, 0.2)
        assert training["command"] == "aver train default --from default --fresh 0.5 --seed 1 --seconds 5"
        assert card["teacher"]["seeds"] == [1, 2, 3, 4]
        assert sum(line.startswith("trained ") for line in said) == 4 + 2
        assert (tmp_path / "o" / "teacher-newcomer-4.safetensors").is_file()
        for other, said_of in (({"fresh": 0.25}, "fresh: 0.5 there, 0.25 now"), ({}, "teacher: None there")):
            with pytest.raises(InputError, match="made with other choices") as caught:
                train("default", data=small_data, out=tmp_path / "o", base=str(mpnet), limit=100,
                      start=str(out / "default"), **other)  # fmt: skip
            assert said_of in str(caught.value)

    def test_the_start_is_a_mean(self, mpnet: Path) -> None:
        import torch

        from aver.train._encoder import Judge, load_encoder
        from aver.train._teach import mixed

        models = []
        for seed in range(3):
            torch.manual_seed(seed)
            models.append(Judge(load_encoder(mpnet)))
        one, two, three = (model.verdict.weight.detach().clone() for model in models)
        torch.testing.assert_close(
            mixed(models[0], models[1:], 0.4).verdict.weight, 0.6 * one + 0.4 * (two + three) / 2
        )


@needs_torch
def test_a_silent_teacher_is_not_followed(out: Path, bert: Path) -> None:
    """Where the teacher is silent its judgements change nothing."""
    import torch

    from aver.train._encoder import Judge, load_encoder
    from aver.train._fit import Settings, Shelf, Targets, fit

    rows = Packed.load(out / "rows.npz")
    rng = np.random.default_rng(0)
    said = [rng.dirichlet(np.ones(3), len(rows)).astype(np.float16) for _ in range(2)]
    ends = []
    for verdict in said:
        torch.manual_seed(0)
        model = Judge(load_encoder(bert))
        settings = Settings(({"synthetic": 1.0},), silent=("synthetic",), gold=0.5, batch_tokens=4096)
        targets = Targets(verdict, verdict[:, 0])
        shelf = Shelf(rows, layout=layout_of(False), device=torch.device("cpu"))
        fit(model, shelf, settings, targets, say=lambda _: None)
        ends.append(model.verdict.weight.detach().clone())
    torch.testing.assert_close(*ends)
