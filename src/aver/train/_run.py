"""One command from data to card. Every stage leaves a file, and a stage whose file is there is not run again."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson

from aver.errors import InputError
from aver.records import writing
from aver.train._answers import accuracies, kept_shares
from aver.train._asked import Device, Say, same_rows
from aver.train._base import Base, licence_of, open_base, open_tokenizer, same_pieces
from aver.train._language_model import READERS, SAID, SCORES, LanguageModel, reader_layout
from aver.train._mix import CHOOSE_FOLD, REPORT_FOLD, TRAIN_FOLDS
from aver.train._onwards import Onwards
from aver.train._packed import FIRST_MARK, Array, Packed
from aver.train._prepare import Pieces, prepare
from aver.train._recipe import (
    COURSES,
    NEWCOMERS,
    ONWARDS,
    OURS,
    READ_RENEWAL,
    READERS_SHARE,
    RENEWAL,
    STAGES,
    TEACHERS,
    Course,
    students,
)
from aver.train._written import WRITTEN, as_meant

if TYPE_CHECKING:
    from aver.train._fit import Targets

__all__ = ["PACKED", "Run"]

PARITY_PAIRS = 300
"""Pairs on which the quantised graph is compared with the exact one."""
ROUNDING_PAIRS = 480
"""Training pairs on which it is seen what weights are multiplied by."""
PACKED = ("rows.npz", "evaluation.npz")
"""The rows in the encoders' pieces."""
THRESHOLD_PAIRS = 1500
"""Contrastive pairs on which the rationale's threshold is chosen."""


class Run:
    """The stages, as methods of their names; each asks for what it needs and finds it made."""

    def __init__(
        self, recipe: str, data: Path, out: Path, base: str, fast_base: str, *, limit: int | None, seed: int,
        seconds: float, device: Device, say: Say, onwards: Onwards | None = None, written: Path | None = None,
        found: Path | None = None, reader: LanguageModel | None = None,
    ) -> None:  # fmt: skip
        self.onwards, self.written, self.found, self.reader = onwards, written, found, reader
        self.recipe, self.data, self.out = recipe, data, out
        self.limit, self.seed, self.seconds, self.device_name, self.say = limit, seed, seconds, device, say
        self.students = students(recipe)
        self.bases = {"teacher": open_base(base)}
        self.bases["default"] = self.bases["teacher"]
        if "fast" in self.students:
            self.bases["fast"] = open_base(fast_base)
            if not same_pieces(self.bases["teacher"], self.bases["fast"]):
                raise InputError(f"{base} and {fast_base} have other word pieces; a teacher's rows cannot be shared")
        try:
            out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{out}: cannot be made: {error.strerror}") from error
        self._same_as_before()

    def until(self, last: int) -> dict[str, Path]:
        for stage in STAGES[: last + 1]:
            getattr(self, stage)()
        return {name: self.out / name for name in self.students} if last == len(STAGES) - 1 else {}

    # the stages

    def pack(self) -> None:
        base = self.bases["teacher"]
        families = {PACKED: Pieces(open_tokenizer(base.folder), base.shift)}
        if self.reader is not None:
            tokenizer = open_tokenizer(self.reader.folder)
            families[READERS] = Pieces(tokenizer, first_mark=reader_layout(self.reader.config).first_mark)
        if all(self._there(self.out / name) for names in families for name in names):
            return
        packed = prepare(
            self.data, list(families.values()), seed=self.seed, limit=self.limit, written=self.written,
            found=self.found, say=self.say,
        )  # fmt: skip
        for names, found in zip(families, packed, strict=True):
            for name, rows in zip(names, found, strict=True):
                rows.save(self.out / name)

    def teacher(self) -> None:
        from aver.train._teach import opened, save_model, taught

        if self._students_there():
            return
        base = self._teachers_base()
        if self.reader is not None:
            self._taught_reader(self.reader)
        for name, path in self._teachers():
            if self._there(path):
                continue
            if self.onwards is not None and self.onwards.teacher is not None:
                save_model(opened(self.onwards.teacher, base), path)
                continue
            self.say(f"teacher {name}: {base.name} on {self.device}")
            course = self._course("teacher" if self.onwards is None else "newcomer")
            rows, targets = self.rows, None
            if self.onwards is not None and len(self._heard_first()):
                rows, targets = self._first_heard(base)
                course = dataclasses.replace(course, silent=rows.all_but(course.heard or (WRITTEN,)))
            model = taught(
                base, rows, course, mpnet=base.mpnet, seed=_seed(name), device=self.device, seconds=self.seconds,
                targets=targets, say=self.say,
            )  # fmt: skip
            save_model(model, path)

    def targets(self) -> None:
        """The teachers' judgements of the rows, and how good those are that are heard, by themselves and together."""
        from aver.train._teach import judged, load_model, opened

        if self._students_there():
            return
        base, report = self._teachers_base(), {}
        held: list[Array] = []
        for name, path in self._teachers():
            scores = self.out / f"teacher-{name}.evaluation.npz"
            # beside a reader a newcomer only goes into the start: who teaches is the model that is renewed
            judgements = self._judgements(name) if self.reader is None else None
            if not (self._there(scores) and (judgements is None or self._there(judgements))):
                model = load_model(path)
                self._save(scores, judged(model, self.held_out, mpnet=base.mpnet, device=self.device))
                if judgements is not None:
                    self._save(judgements, self._judged(model, base.mpnet))
                    self.say(f"teacher {name}: judged {len(self._asked()):,} rows")
            held.append(kept_shares(scores))
            report[f"teacher {name}"] = accuracies(held[-1], self.held_out)
        if self.reader is not None and self.onwards is not None:
            scores = self.out / "renewed.evaluation.npz"
            if not self._there(scores):
                model = opened(self.onwards.start, base)
                self._save(scores, judged(model, self.held_out, mpnet=base.mpnet, device=self.device))
            held = [kept_shares(scores), kept_shares(self.out / SCORES)]
            for name, table in zip(("renewed", "reader"), held, strict=True):
                report[name] = accuracies(table, self.held_out)
        report["together"] = accuracies(np.mean(held, 0), self.held_out)
        self._write("teachers.json", report)
        for name, figures in report.items():
            self.say(f"{name}: " + ", ".join(f"{key} {100 * value:.1f}" for key, value in figures.items()))

    def student(self) -> None:
        from aver.train._teach import average, load_model, mixed, opened, save_model, taught

        for name in self.students:
            path = self._student(name)
            if self._there(path):
                continue
            base, course = self.bases[name], self._course(name)
            start: Any = base
            if self.onwards is not None:
                start = opened(self.onwards.start, base)
                if self.onwards.fresh:
                    start = mixed(start, [load_model(made) for _, made in self._teachers()], self.onwards.fresh)
            elif name == "default":
                start = load_model(self._best_teacher())
            self.say(f"student {name}: {base.name} on {self.device}")
            if self.reader is not None:
                rows, said = self._first_heard(base)
            else:
                said = average([self._judgements(teacher) for teacher, _ in self._teachers()])
                rows, verdict = as_meant(self.rows, said.verdict)
                said = dataclasses.replace(said, verdict=verdict)
            if course.heard:
                course = dataclasses.replace(course, silent=rows.all_but(course.heard))
            model = taught(
                start, rows, course, mpnet=base.mpnet, seed=course.seed + self.seed, device=self.device,
                seconds=self.seconds, targets=said, say=self.say,
            )  # fmt: skip
            save_model(model, path)

    def export(self) -> None:
        from aver.train._export import export
        from aver.train._teach import load_model

        for name in self.students:
            path = self.out / f"{name}.onnx"
            if not self._there(path):
                graph = export(load_model(self._student(name)))
                with writing(path) as file:
                    file.write(graph)

    def quantise(self) -> None:
        from aver.train._answers import feeds
        from aver.train._quantise import parity, quantise

        for name in self.students:
            path = self.out / f"{name}.int8.onnx"
            if self._there(path) and self._there(self.out / f"{name}.parity.json"):
                continue
            exact = (self.out / f"{name}.onnx").read_bytes()
            mpnet = self.bases[name].mpnet
            small = quantise(exact, [feed for _, feed in feeds(self._seen(ROUNDING_PAIRS), mpnet=mpnet)])
            rows = self._chosen_fold(PARITY_PAIRS)
            report = parity(exact, small, [feed for _, feed in feeds(rows, mpnet=mpnet)])
            with writing(path) as file:
                file.write(small)
            self._write(f"{name}.parity.json", report._asdict())
            self.say(
                f"{name}: {report.bytes_before / 1e6:.1f} MB to {report.bytes_after / 1e6:.1f} MB, the same verdict on "
                f"{100 * report.same_label:.1f} % of {report.pairs} pairs, probabilities moved by "
                f"{report.probability_mean:.4f} on average and {report.probability_max:.3f} at most"
            )

    def calibrate(self) -> None:
        from aver.train._answers import answers
        from aver.train._calibrate import fit_calibration

        for name in self.students:
            if not self._there(self.out / f"{name}.calibration.json"):
                rows = self._chosen_fold()
                graph = (self.out / f"{name}.int8.onnx").read_bytes()
                logits = answers(graph, rows, mpnet=self.bases[name].mpnet)["verdict"]
                found = fit_calibration(logits, rows.label)
                self._write(f"{name}.calibration.json", found.as_dict())
                self.say(
                    f"{name}: temperature {found.temperature:.3f} on {found.rows:,} pairs of fold {CHOOSE_FOLD}: "
                    f"ECE {found.ece_before:.4f} to {found.ece_after:.4f}"
                )

    def rationale(self) -> None:
        from aver.models import load_judge
        from aver.train._rationales import best_threshold, fold_contrasts, word_scores

        for name in self.students:
            if self._there(self.out / f"{name}.rationale.json"):
                continue
            rows = fold_contrasts(self.data, CHOOSE_FOLD)
            rows = rows[:: max(1, len(rows) // min(THRESHOLD_PAIRS, self.limit or THRESHOLD_PAIRS))]
            judge = load_judge(self._folder(name, threshold=0.5))
            threshold, f1 = best_threshold(word_scores(judge, rows, say=self.say), rows)
            found = {"threshold": threshold, "f1": f1, "pairs": len(rows), "fold": CHOOSE_FOLD}
            self._write(f"{name}.rationale.json", found)
            self.say(f"{name}: words that weigh {threshold:.3f} and more; F1 {100 * f1:.1f} on fold {CHOOSE_FOLD}")

    def evaluate(self) -> None:
        from aver.models import load_judge
        from aver.train._card import machine, pairs_per_second
        from aver.train._evaluate import evaluate

        for name in self.students:
            if self._there(self.out / f"{name}.scores.json"):
                continue
            folder = self._folder(name, threshold=self._read(f"{name}.rationale.json")["threshold"])
            figures = evaluate(load_judge(folder), self.data, limit=self.limit, seed=self.seed, say=self.say)
            rate = pairs_per_second(load_judge(folder, threads=2))
            speed = {"pairs_per_second": round(rate, 1), "tokens": 64, "threads": 2, "machine": machine()}
            self._write(f"{name}.scores.json", {"figures": [f.as_dict() for f in figures], "speed": speed})
            for figure in figures:
                self.say(f"{name}: {figure.title}: {figure.value:.4f} [{figure.low:.4f}, {figure.high:.4f}]")

    def card(self) -> None:
        from aver.models import load_judge

        for name in self.students:
            found = self._read(f"{name}.rationale.json")
            folder = self._folder(name, threshold=found["threshold"], whole=True)
            self.say(f"{load_judge(folder).model}: {folder}")

    # a reader among the teachers

    def _taught_reader(self, reader: LanguageModel) -> None:
        """Teaches it, and keeps what it says of the rows."""
        if self._there(self.out / SAID) and self._there(self.out / SCORES):
            return
        from aver.train._beside import made_reader, read_rows

        course = self._course("reader")
        model, rows = made_reader(
            self.out, reader, course, seed=course.seed + self.seed, device=self.device, seconds=self.seconds,
            say=self.say,
        )  # fmt: skip
        read_rows(self.out, model, rows, self._heard_first(), device=self.device, say=self.say)

    def _heard_first(self) -> Array:
        """The rows, by number, of which newcomers hear the model that is renewed, and the reader where there is one."""
        return np.flatnonzero(self.rows.of(self._course("newcomer").heard or WRITTEN))

    def _first_heard(self, base: Base) -> tuple[Packed, Targets]:
        """The rows, and what the model that is renewed says of some, or the mean of it and of the reader."""
        from aver.train._beside import with_reader
        from aver.train._teach import first_heard

        assert self.onwards is not None
        path = self.out / "heard.judgements.npz"
        said = first_heard(self.rows, self._heard_first(), self.onwards.start, base, path, device=self.device)
        rows = self.rows
        if self.reader is not None:
            rows, said = with_reader(self.out, rows, said, READERS_SHARE)
        rows, verdict = as_meant(rows, said.verdict)
        return rows, dataclasses.replace(said, verdict=verdict)

    # what the stages share

    def _folder(self, name: str, *, threshold: float, whole: bool = False) -> Path:
        """The model's folder as far as it is known; `whole` has the scores too."""
        from aver import __version__
        from aver.train._card import runtime_card, write_folder, written_limits
        from aver.train._sources import data_sources

        calibration, base = self._read(f"{name}.calibration.json"), self.bases[name]
        card = runtime_card(name, base, calibration, threshold, version=__version__)
        if whole:
            sources = data_sources(self.data, self.rows.counts())
            scores = self._read(f"{name}.scores.json")
            figures = {f["name"]: {key: f[key] for key in ("value", "low", "high", "n")} for f in scores["figures"]}
            card |= {
                "teacher": self._who_taught(),
                "folds": {"trained_on": list(TRAIN_FOLDS), "chosen_on": CHOOSE_FOLD, "reported_on": REPORT_FOLD},
                "scores": {key: figure for key, figure in figures.items() if key != "ece"},
                "ece": figures.get("ece"),
                "calibration": calibration,
                "rationale": self._read(f"{name}.rationale.json"),
                "parity": self._read(f"{name}.parity.json"),
                "speed": scores["speed"],
                "training": {"recipe": name, "seed": self.seed, "limit": self.limit,
                             "seconds": None if math.isinf(self.seconds) else self.seconds,
                             "command": "aver train judge"} | self._taught_on(name),
                "limits": written_limits(sources, limit=self.limit),
                "data": sources,
            }  # fmt: skip
        write_folder(self.out / name, (self.out / f"{name}.int8.onnx").read_bytes(), base, card)
        return self.out / name

    @functools.cached_property
    def device(self) -> Any:
        from aver.train._teach import device_named

        return device_named(self.device_name)

    @functools.cached_property
    def rows(self) -> Packed:
        return Packed.load(self.out / "rows.npz")

    @functools.cached_property
    def held_out(self) -> Packed:
        return Packed.load(self.out / "evaluation.npz")

    def _course(self, name: str) -> Course:
        """As the recipe has it; a trial sees its few rows once."""
        if self.onwards is None:
            course = COURSES[name]
        else:
            renewal = RENEWAL if self.reader is None else READ_RENEWAL
            course = (ONWARDS if self.onwards.fresh is None else renewal)[name]
            if self.onwards.keep is not None and name in self.students:
                course = dataclasses.replace(course, keep=self.onwards.keep)
        return course if self.limit is None else dataclasses.replace(course, epochs=course.epochs[:1])

    def _teachers(self) -> list[tuple[str, Path]]:
        """Those that are trained here, by their seeds; the one who teaches a model on, by its name."""
        if self.onwards is not None and self.onwards.teacher is not None:
            names = [self.onwards.teacher.name]
        else:
            # a newcomer is no teacher of the recipe from data, whose files may lie beside its own
            count, kind = (NEWCOMERS, "newcomer-") if self.reader is None else (1, "listener-")
            if self.onwards is None:
                count, kind = TEACHERS, ""
            elif self.onwards.fresh == 0:
                count = 0  # the model that is renewed learns from the reader itself
            names = [f"{kind}{seed}" for seed in range(self.seed, self.seed + count)]
        return [(name, self.out / f"teacher-{name}.safetensors") for name in names]

    def _teachers_base(self) -> Base:
        """The encoder of the teachers; whoever teaches a model on may be of either."""
        base = self.bases["teacher"]
        if self.onwards is None or self.onwards.teacher is None:
            return base
        first = self.onwards.teacher.card.get("marks", {}).get("first_id", FIRST_MARK + base.shift)
        return base if first == FIRST_MARK + base.shift else self.bases.get("fast", base)

    def _who_taught(self) -> dict[str, Any]:
        base = self._teachers_base()
        if self.onwards is not None and self.onwards.teacher is not None:
            return {"name": self.onwards.choices()["teacher"], "licence": base.licence}
        if self.onwards is not None and self.reader is not None:
            licence = licence_of(self.reader.folder, self.reader.name)
            return {"name": self.reader.name, "licence": licence, "others": [self.onwards.choices()["from"]]}
        return {"name": base.name, "licence": base.licence, "seeds": [_seed(name) for name, _ in self._teachers()]}

    def _taught_on(self, name: str) -> dict[str, Any]:
        """How to have it again, for the card of a model that was taught on."""
        if self.onwards is None:
            return {}
        bounded = "" if math.isinf(self.seconds) else f" --seconds {self.seconds:g}"
        chosen = {key: value for key, value in self.onwards.choices().items() if value is not None}
        options = self.onwards.options
        for key, shown in (("written", "FILE"), ("found", "FILE"), ("reader", None)):
            if (given := self._read("run.json").get(key)) is not None:
                chosen[key] = given
                options += f" --{key} {shown or given}"
        return {
            **chosen, "keep": self._course(name).keep,
            "command": f"aver train {name} {options} --seed {self.seed}{bounded}",
        }  # fmt: skip

    def _best_teacher(self) -> Path:
        """The one with most right on VitaminC's real pairs of the fold that is chosen on."""
        report = self._read("teachers.json")
        chosen = f"vitaminc_real_{CHOOSE_FOLD}"
        return max(self._teachers(), key=lambda teacher: report[f"teacher {teacher[0]}"].get(chosen, 0.0))[1]

    def _student(self, name: str) -> Path:
        return self.out / f"student-{name}.safetensors"

    def _students_there(self) -> bool:
        """Whoever brings the students alone, from another machine say, needs no teachers any more."""
        return bool(self.students) and all(self._student(name).exists() for name in self.students)

    def _asked(self) -> Array:
        """The rows, by number, that a teacher is asked about: those on which a model that is taught on hears it."""
        silent = OURS if self.onwards is not None else ()
        heard = tuple(prefix for name in self.students for prefix in self._course(name).heard) or ("",)
        return np.flatnonzero(self.rows.of(heard) & ~self.rows.of(silent))

    def _judged(self, model: Any, mpnet: bool) -> dict[str, Array]:
        """What a teacher says of the rows that it is asked about; nothing of the others."""
        from aver.train._teach import judged

        asked = self._asked()
        said = judged(model, self.rows.chosen(asked), mpnet=mpnet, device=self.device)
        whole = {key: np.zeros((len(self.rows), *found.shape[1:]), found.dtype) for key, found in said.items()}
        for key, found in said.items():
            whole[key][asked] = found
        return whole

    def _judgements(self, teacher: str) -> Path:
        return self.out / f"teacher-{teacher}.judgements.npz"

    def _chosen_fold(self, most: int | None = None) -> Packed:
        """VitaminC's fold 7, real and synthetic, or some of it, evenly."""
        held = self.held_out
        wanted = [held.sources.index(f"vitaminc_{part}_{CHOOSE_FOLD}") for part in ("real", "synthetic")]
        index = np.flatnonzero(np.isin(held.source, wanted))
        return held.chosen(index if most is None else index[:: max(1, len(index) // most)][:most])

    def _seen(self, most: int) -> Packed:
        """Some of VitaminC's training rows, evenly."""
        index = np.flatnonzero(self.rows.of("vitaminc_"))
        return self.rows.chosen(index[:: max(1, len(index) // most)][:most])

    def _there(self, path: Path) -> bool:
        if path.exists():
            self.say(f"{path.name} is there")
            return True
        return False

    def _save(self, path: Path, arrays: dict[str, Any]) -> None:
        with writing(path) as file:
            np.savez(file, **arrays)

    def _write(self, name: str, value: Any) -> None:
        with writing(self.out / name) as file:
            file.write(orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY))

    def _read(self, name: str) -> Any:
        return orjson.loads((self.out / name).read_bytes())

    def _same_as_before(self) -> None:
        """A folder belongs to one set of choices: files made with others must not be mixed in."""
        now = {"seed": self.seed, "limit": self.limit, "base": self.bases["teacher"].name}
        now |= {"units": True, "periods": True}
        for name, path in (("written", self.written), ("found", self.found)):
            if path is not None:
                with path.open("rb") as file:
                    now[name] = hashlib.file_digest(file, "sha256").hexdigest()[:12]
        if self.reader is not None:
            now["reader"] = self.reader.name
        if "fast" in self.bases:
            now["fast_base"] = self.bases["fast"].name
        if self.onwards is not None:
            # the rows are the same, whoever is taught on with them
            now |= {f"{self.recipe} {key}": value for key, value in self.onwards.choices().items()}
            now[f"{self.recipe} reader"] = None if self.reader is None else self.reader.name
        self._write("run.json", same_rows(self.out, now))


def _seed(teacher: str) -> int:
    """Of a teacher that is trained here, from its name."""
    return int(teacher.rpartition("-")[2])
