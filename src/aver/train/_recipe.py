"""The recipes as data: what is trained, on what, how long and how fast."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

__all__ = [
    "COURSES",
    "LABELLED_PAGES",
    "POOL_PAGES",
    "RECIPES",
    "STAGES",
    "TEACHERS",
    "Course",
    "every_other",
    "students",
]

STAGES = ("pack", "teacher", "targets", "student", "export", "quantise", "calibrate", "rationale", "evaluate", "card")
"""What is done, in this order."""

RECIPES: Mapping[str, str] = {
    "teacher": "two teachers and what they say about every row",
    "default": "the teachers, then the larger student: eight of twelve layers of the first teacher",
    "fast": "the teachers, then the small student from a base of its own",
    "judge": "everything: the teachers and both students, from data to cards",
}


@dataclasses.dataclass(frozen=True, slots=True)
class Course:
    """How one kind of model is trained. `epochs` gives, per epoch, how often each source is seen."""

    epochs: tuple[Mapping[str, float], ...]
    rate: float
    gold: float = 1.0
    """Weight of the gold labels where a teacher's judgement is there too."""
    seed: int = 0
    """Added to the seed that was asked for."""


# VitaminC is what we are measured on and a small part of the mix; so it comes round more often, as do the sets that
# hold evidence against claims of science and of FEVER. Sets of captions call contradiction what is merely another
# scene, so there is less of them. The synthetic pairs teach what a changed figure does, which is learnt early: each
# epoch sees fewer of them.
_SHARES = {
    "": 1.0, "breaking_nli": 0.2, "check_covid": 2.0, "edit": 0.5, "fever_elsewhere": 0.3, "fever_related": 2.0,
    "fever_train": 2.0, "healthver": 2.0, "related": 2.0, "science_elsewhere": 0.5, "scifact": 2.0,
}  # fmt: skip
_TEACHER = _SHARES | {
    "cad_nli": 0.5, "control": 2.0, "pool": 0.0, "snli": 0.5, "unlabelled": 0.0, "vitaminc_real": 3.0,
    "vitaminc_synthetic": 3.0,
}  # fmt: skip
_STUDENT = _SHARES | {"unlabelled": 1.0, "vitaminc_real": 4.0, "vitaminc_synthetic": 4.0}
_LATER = _STUDENT | {"pool": 0.4, "synthetic": 0.3, "unlabelled": 0.6}
_STUDENT_EPOCHS = (_STUDENT, _LATER, _LATER) * 4

COURSES: Mapping[str, Course] = {
    "teacher": Course(
        tuple(
            _TEACHER | {"synthetic_wikipedia": pages, "synthetic_vitaminc": edits}
            for pages, edits in ((0.6, 0.6), (0.3, 0.3), (0.15, 0.2), (0.0, 0.1))
        ),
        rate=8e-5,
    ),
    "default": Course(_STUDENT_EPOCHS, rate=1.2e-4, gold=0.5, seed=6),
    "fast": Course(_STUDENT_EPOCHS, rate=3e-4, gold=0.5, seed=6),
}

TEACHERS = 2
"""Seeds whose judgements are averaged."""
LABELLED_PAGES, POOL_PAGES = 6_500, 14_000
"""Wikipedia introductions that feed the synthesis, for the teachers' rows and for the students' pool."""


def students(recipe: str) -> tuple[str, ...]:
    """The models that come out of a recipe in the end.

    >>> students("teacher"), students("judge")
    ((), ('default', 'fast'))
    """
    return {"teacher": (), "judge": ("default", "fast")}.get(recipe, (recipe,))


def every_other(layers: int) -> list[int]:
    """The layers of a teacher that make its student: two thirds, evenly, the first and the last among them.

    >>> every_other(12), every_other(6), every_other(2)
    ([0, 2, 3, 5, 6, 8, 9, 11], [0, 2, 3, 5], [0])
    """
    kept = max(1, round(layers * 2 / 3))
    return [round(at * (layers - 1) / max(1, kept - 1)) for at in range(kept)]
