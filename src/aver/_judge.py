"""`aver.judge` and `aver.explain`: the short way to a judge."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, overload

from aver.errors import InputError, count_of, kind_of
from aver.results import Explanation, Judgement

if TYPE_CHECKING:
    from aver.models._judge import Judge, Method

__all__ = ["explain", "judge"]


@overload
def judge(  # type: ignore[overload-overlap]  # a text is an iterable of texts, too
    claim: str, evidence: str, *, model: str | os.PathLike[str] | Judge = ..., threads: int | None = ...
) -> Judgement: ...
@overload
def judge(
    claim: Iterable[str],
    evidence: Iterable[str],
    *,
    model: str | os.PathLike[str] | Judge = ...,
    threads: int | None = ...,
) -> list[Judgement]: ...
def judge(
    claim: str | Iterable[str],
    evidence: str | Iterable[str],
    *,
    model: str | os.PathLike[str] | Judge = "default",
    threads: int | None = None,
) -> Judgement | list[Judgement]:
    """What a text says about a claim: SUPPORTS, REFUTES or NOT_ENOUGH_INFO, with probabilities.

    Two texts give one judgement; two lists (or whatever else gives texts one after the other) of the same length
    give a list. `model` is a name, a folder, or a judge from `aver.models.load_judge`; a name is loaded once.

    >>> judge(["a claim"], ["one", "two"])
    Traceback (most recent call last):
    aver.errors.InputError: 1 claim and 2 evidences: give as many of one as of the other
    """
    if isinstance(claim, str) and isinstance(evidence, str):
        return _judge(model, threads).judge([(claim, evidence)])[0]
    for name, given, other in (("claim", claim, evidence), ("evidence", evidence, claim)):
        if isinstance(other, str) and not isinstance(given, Iterable):
            raise InputError(f"the {name} is {kind_of(given, none='missing')}; it must be text")
    if isinstance(claim, str) or isinstance(evidence, str):
        raise InputError("give two texts or two lists of texts, not one of each")
    claims, evidences = _texts("claim", claim), _texts("evidence", evidence)
    if len(claims) != len(evidences):
        both = f"{count_of(len(claims), 'claim')} and {count_of(len(evidences), 'evidence')}"
        raise InputError(f"{both}: give as many of one as of the other")
    return _judge(model, threads).judge(zip(claims, evidences, strict=True))


def explain(
    claim: str,
    evidence: str,
    *,
    model: str | os.PathLike[str] | Judge = "default",
    method: Method = "auto",
    threads: int | None = None,
) -> Explanation:
    """The words of the evidence that decide what it says about the claim.

    `method`: `head` asks the model's own token head, trained on the words that revisions changed; `mask` searches
    for the smallest set of words whose hiding turns the verdict into NOT_ENOUGH_INFO; `auto` is `head` where the
    model has one.

    >>> explain("a claim", "a text", method="guess")
    Traceback (most recent call last):
    aver.errors.InputError: method is 'guess'; it can be: auto, head, mask
    """
    if method not in ("auto", "head", "mask"):
        raise InputError(f"method is {method!r}; it can be: auto, head, mask")
    return _judge(model, threads).explain(claim, evidence, method=method)


def _texts(what: str, given: Iterable[str]) -> list[str]:
    # bytes and dictionaries can be gone through too, and give no texts
    if not isinstance(given, Iterable) or isinstance(given, (bytes, Mapping)):
        raise InputError(f"the {what} is {kind_of(given, none='None')}; give two texts or two lists of texts")
    return list(given)


def _judge(model: str | os.PathLike[str] | Judge, threads: int | None) -> Judge:
    from aver.models import Judge, load_judge

    return model if isinstance(model, Judge) else load_judge(model, threads=threads)
