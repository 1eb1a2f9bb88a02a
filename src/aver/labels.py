"""The four things a text can say about a claim, in every spelling the field uses."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from types import MappingProxyType

from aver.errors import LabelError

__all__ = ["Label"]


class Label(enum.StrEnum):
    """What a body of text says about a claim.

    A label is also its own name as a string, so it can go into JSON as it is.

    >>> Label("NOT ENOUGH INFO"), Label("supported"), Label.parse(1)
    (<Label.NOT_ENOUGH_INFO: 'NOT_ENOUGH_INFO'>, <Label.SUPPORTS: 'SUPPORTS'>, <Label.REFUTES: 'REFUTES'>)
    >>> Label.SUPPORTS == "SUPPORTS"
    True
    """

    SUPPORTS = "SUPPORTS"
    REFUTES = "REFUTES"
    NOT_ENOUGH_INFO = "NOT_ENOUGH_INFO"
    DISPUTED = "DISPUTED"

    @classmethod
    def parse(cls, value: object, *, scheme: str = "default", place: str = "") -> Label:
        """Reads a label in any known spelling and any case.

        Numbers, and words that mean different things in different data sets, are read by `scheme`:
        `default` counts as CLIMATE-FEVER and VitaminC do (0 supports, 1 refutes, 2 not enough info,
        3 disputed), `nli` as MNLI and SNLI do (0 entailment, 1 neutral, 2 contradiction), `rte` reads
        `not_entailment` as refutes (FEVER and SciFact recast as RTE), `factuality` reads true and false.
        `place` (a file and a line) goes into the error message.

        >>> Label.parse("2", scheme="nli")
        <Label.REFUTES: 'REFUTES'>
        >>> Label.parse("maybe", place="gold.jsonl line 7")
        Traceback (most recent call last):
        aver.errors.LabelError: gold.jsonl line 7: unknown label 'maybe'; accepted, in any case: SUPPORTS (also \
attributable, completely support, entailed, entailment, entails, fully attributable, support, supported, \
supporting, 0), REFUTES (also contradict, contradicted, contradiction, contradictory, contradicts, refute, \
refuted, refuting, 1), NOT_ENOUGH_INFO (also generic, irrelevant, nei, neutral, not enough information, \
not fully attributable, not supported, partially support, partially supported, unverifiable, 2), \
DISPUTED (also mixed, 3)
        """
        if isinstance(value, cls):
            return value
        known = _SCHEMES.get(scheme)
        if known is None:
            raise LabelError(f"unknown label scheme {scheme!r}; there are: {', '.join(_SCHEMES)}")
        if isinstance(value, str):
            found = known.get(value) or known.get(_fold(value))
        elif isinstance(value, (int, float)) and not isinstance(value, bool) and value in (0, 1, 2, 3):
            found = known.get(str(int(value)))
        else:
            found = None
        if found is None:
            where = f"{place}: " if place else ""
            shown = repr(value) if len(repr(value)) <= 60 else repr(value)[:57] + "…"
            raise LabelError(f"{where}unknown label {shown}", f"accepted, in any case: {_spellings(known)}")
        return found

    @classmethod
    def _missing_(cls, value: object) -> Label:
        return cls.parse(value)

    @property
    def fever(self) -> str:
        """The spelling of the FEVER files: `NOT ENOUGH INFO` with spaces."""
        return self.value.replace("_", " ")


def _fold(text: str) -> str:
    return re.sub(r"[\s_\-]+", " ", text.strip()).casefold()


_S, _R, _N, _D = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO, Label.DISPUTED

_WORDS: dict[str, Label] = {
    "supports": _S, "support": _S, "supported": _S, "supporting": _S, "entailment": _S, "entailed": _S,
    "entails": _S, "completely support": _S, "fully attributable": _S, "attributable": _S,
    "refutes": _R, "refute": _R, "refuted": _R, "refuting": _R, "contradiction": _R, "contradict": _R,
    "contradicts": _R, "contradicted": _R, "contradictory": _R,
    "not enough info": _N, "not enough information": _N, "notenoughinfo": _N, "nei": _N, "neutral": _N,
    "not supported": _N, "partially supported": _N, "partially support": _N, "irrelevant": _N,
    "unverifiable": _N, "not fully attributable": _N, "generic": _N,
    "disputed": _D, "mixed": _D,
}  # fmt: skip


def _scheme(extra: dict[str, Label]) -> Mapping[str, Label]:
    # The canonical names come first and as they are written in files: the common case is one dictionary look-up.
    exact = {label.value: label for label in Label} | {label.fever: label for label in Label}
    return MappingProxyType(exact | _WORDS | extra)


_SCHEMES: dict[str, Mapping[str, Label]] = {
    "default": _scheme({"0": _S, "1": _R, "2": _N, "3": _D}),
    "nli": _scheme({"0": _S, "1": _N, "2": _R}),
    "rte": _scheme({"not entailment": _R}),
    "factuality": _scheme({"true": _S, "false": _R}),
}


def _spellings(known: Mapping[str, Label]) -> str:
    rows = []
    for label in Label:
        also = [
            word for word, meant in known.items()
            if meant is label and word not in (label.value, label.fever) and _fold(label.value) != word
            and word != "notenoughinfo"
        ]  # fmt: skip
        words, numbers = [w for w in also if not w.isdigit()], [w for w in also if w.isdigit()]
        rows.append(f"{label.value} (also {', '.join(sorted(words) + numbers)})")
    return ", ".join(rows)
