"""The recipes as data: what is trained, on what, how long and how fast."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

__all__ = [
    "COURSES",
    "HEARD",
    "LABELLED_PAGES",
    "NEWCOMERS",
    "ONWARDS",
    "OURS",
    "POOL_PAGES",
    "READERS_SHARE",
    "READ_RENEWAL",
    "RECIPES",
    "RENEWAL",
    "STAGES",
    "TEACHERS",
    "TOGETHER",
    "TWICE",
    "UNREAD",
    "Course",
    "students",
]

STAGES = ("pack", "teacher", "targets", "student", "export", "quantise", "calibrate", "rationale", "evaluate", "card")
"""What is done, in this order."""

RECIPES: Mapping[str, str] = {
    "teacher": "two teachers and what they say about every row",
    "default": "the teachers, then the larger student: the better teacher, taught on by both",
    "fast": "the teachers, then the small student from a base of its own",
    "judge": "everything: the teachers and both students, from data to cards",
}


TWICE = ("vitaminc_", "fever_train")
"""Sources whose rows are read twice in a batch, so that they are not learnt by heart as soon: a share of 1.5 is three
readings an epoch."""


@dataclasses.dataclass(frozen=True, slots=True)
class Course:
    """How one kind of model is trained. `epochs` gives, per epoch, how often each source is seen."""

    epochs: tuple[Mapping[str, float], ...]
    rate: float
    gold: float = 1.0
    """Weight of the gold labels where a teacher's judgement is there too."""
    silent: tuple[str, ...] = ()
    """Sources, by prefix, on which the teacher is not asked and the label alone teaches."""
    heard: tuple[str, ...] = ()
    """Sources, by prefix, on which alone the teacher is asked; none: on all that are not silent."""
    keep: float = 0.0
    """The share of the weights it started from in those it ends with."""
    runs: int = 1
    """Runs from the same start, with seeds of their own, whose weights are averaged."""
    seed: int = 0
    """Added to the seed that was asked for."""
    tokens: int = 32_768
    """In a batch on a GPU: a small model needs more of them to keep it busy."""
    twice: tuple[str, ...] = TWICE
    heads: float = 1.0
    """By how much faster the heads learn than what they stand on."""


TOGETHER = ("vitaminc_",)
"""Sources whose rows of one claim or one evidence come in one batch and are held against each other."""

# VitaminC is what we are measured on and a small part of the mix; so it comes round more often, as do the sets that
# hold evidence against claims of science and of FEVER, and what people said of machines' sentences. Sets of captions
# call contradiction what is merely another scene, so there is less of them. The synthetic pairs and passages teach what
# a changed figure or a name in the wrong place does, which is learnt early: each epoch sees fewer of them.
_SHARES = {
    "attributionbench": 2.0, "begin": 2.0, "bound": 1.5, "breaking_nli": 0.2, "cad_nli": 0.5, "check_covid": 2.0,
    "control": 2.0, "document_news": 2.0, "edit": 0.5, "factcheckgpt": 2.0, "fever_elsewhere": 0.3,
    "fever_related": 2.0, "fever_text": 0.4, "fever_train": 1.0, "found_gold": 0.5, "found_other": 0.0,
    "found_silent": 0.4, "found_together": 0.8, "healthver": 1.0, "mnli_train": 0.5, "related": 2.0,
    "science_elsewhere": 0.5, "scifact": 2.0, "semi_automatic": 0.5, "snli": 0.5, "synthetic_rare": 1.0,
    "synthetic_template": 0.5, "te_new_protocols": 0.7, "vitaminc_real": 1.5, "vitaminc_synthetic": 2.0, "wice": 2.0,
    "xsumfaith": 3.0,
}  # fmt: skip


def _teacher(pages: float, edits: float, passages: float, others: float) -> Mapping[str, float]:
    return _SHARES | {
        "": others, "litl": 0.7 * others, "synthetic_wikipedia": pages, "synthetic_vitaminc": edits,
        "document": passages, "question": passages, "pool": 0.0, "unlabelled": 0.0, "written": 0.0,
    }  # fmt: skip


def _student(pool: float, synthetic: float, passages: float, others: float, unlabelled: float) -> Mapping[str, float]:
    return _SHARES | {
        "": others, "synthetic": synthetic, "document": passages, "question": passages, "pool": pool,
        "found_other": unlabelled, "unlabelled": unlabelled, "written": unlabelled,
    }  # fmt: skip


_MORE, _LESS = _student(0.4, 0.6, 0.3, 0.7, 0.5), _student(0.2, 0.4, 0.2, 0.5, 0.4)
_LATER = _student(0.4, 0.3, 0.3, 1.0, 0.6)
COURSES: Mapping[str, Course] = {
    "teacher": Course(
        (
            _teacher(0.6, 0.6, 0.5, 1.0),
            _teacher(0.3, 0.3, 0.3, 1.0),
            _teacher(0.15, 0.2, 0.2, 0.7),
            _teacher(0.0, 0.1, 0.1, 0.5),
        ),
        rate=8e-5,
    ),
    "default": Course(
        (
            _student(0.5, 0.3, 0.4, 0.7, 0.7),
            _student(0.2, 0.2, 0.2, 0.5, 0.5),
            _student(0.1, 0.1, 0.1, 0.4, 0.4),
            _student(0.1, 0.1, 0.1, 0.4, 0.4),
        ),
        rate=6e-5,
        gold=0.5,
        seed=6,
    ),
    "fast": Course(
        (_student(1.0, 1.0, 0.6, 1.0, 1.0), _LATER, _LATER) * 2, rate=4e-4, gold=0.5, seed=6, tokens=65_536
    ),
}

OURS = ("bound", "pool", "synthetic")
"""Rows we made: what a model is taught on for, and what its teacher may not know."""
# What people said of FEVER's claims and of others is taught as they said it. Of VitaminC, which is learnt by heart
# soon, and of rows that have no label the teacher is heard, so that nothing is forgotten.
_ONWARDS = {
    "": 0.4, "attributionbench": 0.5, "begin": 0.4, "bound": 0.5, "breaking_nli": 0.2, "cad_nli": 0.2,
    "check_covid": 0.5, "control": 0.5, "covidfact": 0.4, "document": 0.08, "document_news": 0.6, "edit": 0.25,
    "factcheckgpt": 0.5, "fever_conjoined": 0.3, "fever_elsewhere": 0.05, "fever_related": 0.45, "fever_text": 0.4,
    "fever_train": 0.3, "found_gold": 0.5, "found_other": 0.5, "found_silent": 0.3, "found_together": 0.8,
    "healthver": 0.6, "infotabs": 0.15, "litl": 0.2, "mnli": 0.3, "pool": 0.03, "question": 0.06, "related": 0.6,
    "science_elsewhere": 0.15, "scifact": 0.6, "snli": 0.15, "synthetic_rare": 0.25, "synthetic_template": 0.15,
    "synthetic_vitaminc": 0.12, "synthetic_wikipedia": 0.1, "te_new_protocols": 0.4, "unlabelled": 0.15,
    "vitaminc_real": 1.5, "vitaminc_synthetic": 1.5, "wice": 0.8, "written": 0.5, "xsumfaith": 0.8,
}  # fmt: skip
HEARD = ("found_other", "unlabelled", "vitaminc_", "written")
"""Of these rows, by prefix, a model that is taught on hears its teacher."""
ONWARDS: Mapping[str, Course] = {
    "default": Course((_ONWARDS,) * 4, rate=6e-5, gold=0.5, heard=HEARD, keep=0.15, seed=12),
    "fast": Course(
        (_MORE, _MORE, _LESS, _LESS, _LESS), rate=2e-4, gold=0.5, silent=OURS, keep=0.5, seed=12, tokens=65_536
    ),
}
"""How a model that is there is taught on."""

# A newcomer sees VitaminC often and few contrasts of ours: it is to know what others said, and not for long enough to
# learn it by heart. What it lacks is taught afterwards, to the mean of it, its like and the model that is renewed.
_NEWCOMER = _SHARES | {
    "": 0.7, "attributionbench": 1.0, "begin": 1.0, "check_covid": 1.0, "control": 1.0, "document": 0.2,
    "document_news": 1.0, "edit": 0.3, "fever_related": 1.0, "litl": 0.5, "pool": 0.0, "question": 0.2, "related": 1.0,
    "science_elsewhere": 0.3, "synthetic_rare": 0.4, "synthetic_template": 0.2, "synthetic_vitaminc": 0.3,
    "synthetic_wikipedia": 0.3, "unlabelled": 0.0, "vitaminc_real": 3.0, "vitaminc_synthetic": 3.0,
    "written": 0.5,
}  # fmt: skip
_RENEWED = _NEWCOMER | {
    "document": 0.3, "fever_related": 1.5, "found_other": 0.5, "pool": 0.2, "question": 0.3, "synthetic_rare": 1.0,
    "synthetic_template": 0.5, "synthetic_vitaminc": 0.4, "synthetic_wikipedia": 0.4, "unlabelled": 0.35,
    "vitaminc_real": 1.5, "vitaminc_synthetic": 1.5,
}  # fmt: skip
# A language model reads slowly: what people wrote and judged, what a search finds, and few rows that we made.
UNREAD = ("document", "edit", "pool", "question", "written")
"""Sources, by prefix, that a reader does not learn from."""
_READ = dict.fromkeys((*UNREAD, "found_other", "unlabelled", "xsumfaith"), 0.0) | {
    "": 0.15, "begin": 0.3, "bound": 0.15, "breaking_nli": 0.03, "cad_nli": 0.1, "check_covid": 0.5, "citint": 0.3,
    "conjnli": 0.1, "control": 0.2, "covidfact": 0.4, "factcheckgpt": 0.4, "fever_conjoined": 0.2,
    "fever_elsewhere": 0.05, "fever_related": 0.2, "fever_text": 0.14, "fever_train": 0.3, "found_gold": 0.2,
    "found_silent": 0.1, "found_together": 0.2, "healthver": 0.5, "infotabs": 0.08, "litl": 0.08, "politihop": 0.3,
    "related": 0.3, "scifact": 0.7, "snli": 0.08, "synthetic_rare": 0.06, "synthetic_template": 0.05,
    "synthetic_vitaminc": 0.05, "synthetic_wikipedia": 0.03, "te_new_protocols": 0.25, "vitaminc_real": 1.5,
    "vitaminc_synthetic": 1.5, "wice": 0.3,
}  # fmt: skip
RENEWAL: Mapping[str, Course] = {
    "newcomer": Course((_NEWCOMER, _NEWCOMER), rate=8e-5),
    "default": Course((_RENEWED,), rate=5e-5, gold=0.5, silent=OURS, keep=0.2, runs=2, seed=8),
}
"""How a model that is there is renewed: newcomers from its base, then the mean of it and of them taught on by them."""
NEWCOMERS = 4
"""Seeds of newcomers."""

# Where a reader teaches, the mean of its judgement and of that of the model that is renewed is better than either, and
# than any newcomer. So one newcomer hears that mean, for long and mostly of what was written, and so does the student.
_LISTENER = _NEWCOMER | {
    "": 0.5, "bound": 0.7, "cad_nli": 0.4, "document": 0.25, "fever_text": 0.35, "found_other": 0.5,
    "found_together": 1.0, "infotabs": 0.35, "litl": 0.35, "snli": 0.3, "synthetic_vitaminc": 0.3,
    "synthetic_wikipedia": 0.25, "te_new_protocols": 0.6, "unlabelled": 0.3, "vitaminc_real": 1.5,
    "vitaminc_synthetic": 1.5, "written": 0.6, "written_apart": 1.2,
}  # fmt: skip
_RELEARNT = _RENEWED | {
    "": 0.4, "bound": 0.7, "document": 0.12, "fever_text": 0.35, "found_together": 1.0, "infotabs": 0.25, "litl": 0.25,
    "pool": 0.06, "question": 0.15, "synthetic_rare": 0.8, "synthetic_vitaminc": 0.3, "synthetic_wikipedia": 0.25,
    "unlabelled": 0.2, "vitaminc_real": 1.0, "vitaminc_synthetic": 1.0, "written": 0.4, "written_apart": 1.0,
}  # fmt: skip
READ_RENEWAL: Mapping[str, Course] = {
    "reader": Course((_READ, _READ), rate=2e-4, seed=4, tokens=16_384, twice=(), heads=8.0),
    "newcomer": Course((_LISTENER,) * 4, rate=8e-5, gold=0.7, heard=HEARD),
    "default": Course((_RELEARNT,) * 2, rate=5e-5, gold=0.5, heard=HEARD, keep=0.2, seed=8),
}
"""The same with a reader, which comes first."""
READERS_SHARE = 0.5
"""Of what is told of a row that a reader has read; the rest is what the model that is renewed says."""

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
