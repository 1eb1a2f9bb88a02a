"""`aver.revise`: the smallest edit that makes a sentence agree with a claim, or a reason why there is none."""

from __future__ import annotations

import dataclasses
import os
from typing import TYPE_CHECKING, Any

from aver.errors import InputError, Problems, count_of, kind_of
from aver.labels import Label
from aver.results import Judgement, Status
from aver.revisions._extract_marks import mark_edit
from aver.revisions._revise_change import Change
from aver.revisions._revise_phrases import shared_words
from aver.revisions._revise_search import Attempt, attempts, best, decisive_words, proposals, read
from aver.revisions._revise_weights import revise_weights
from aver.revisions._times import with_times_of
from aver.text import words

if TYPE_CHECKING:
    from aver.models import Judge
    from aver.revisions._revise_backends import Reviser

__all__ = ["Revision", "revise"]

LONGEST = 5_000
"""Characters of a sentence or a claim."""
MOST_WORDS = 12
"""Words that may go or come unless told otherwise, and never more than two thirds of the sentence."""


@dataclasses.dataclass(frozen=True, slots=True)
class Revision:
    """A sentence and what it should say instead."""

    sentence: str
    claim: str
    text: str | None
    """The sentence revised; None where no small edit makes it agree with the claim."""
    changes: tuple[Change, ...]
    size: int
    """Words that go or come."""
    before: Judgement
    """What the judge says of the sentence as it was."""
    after: Judgement | None
    """What it says of the revised one."""
    tried: int
    """How many revised sentences the judge has read."""
    status: Status
    """`scored`; `abstained` where the revision is refused; `error` where the sentence could not be judged."""
    reviser: str
    model: str
    reason: str = ""

    @property
    def edit(self) -> str | None:
        """The edit on one line: `sales of{*| 4.7 -> 5.4 |}million`."""
        return None if self.text is None else mark_edit(self.sentence, self.text)

    def as_dict(self) -> dict[str, Any]:
        """As it stands in JSON; `prediction` is the revised sentence, as `aver score revision` reads it."""
        fields = ("start", "end", "old", "new", "kind")
        return {
            "sentence": self.sentence,
            "claim": self.claim,
            "prediction": self.text,
            "edit": self.edit,
            "changes": [{name: getattr(change, name) for name in fields} for change in self.changes],
            "size": self.size,
            "verdict_before": _brief(self.before),
            "verdict_after": None if self.after is None else _brief(self.after),
            "tried": self.tried,
            "status": self.status,
            "reviser": self.reviser,
            "model": self.model,
        } | ({"reason": self.reason} if self.reason else {})


def revise(
    sentence: str,
    claim: str,
    *,
    judge: str | os.PathLike[str] | Judge | None = None,
    reviser: str | Reviser = "rules",
    most_words: int = MOST_WORDS,
) -> Revision:
    """The smallest edit that makes a sentence agree with a claim; the rest of the sentence stays as it is.

    Where the words conflict is read off the judge's rationale, the figures and the alignment of both texts. Candidate
    edits take phrases, numbers, dates and ranks from the claim, turn negations and opposites, insert and delete; a
    figure becomes the nearest one that satisfies the claim. The judge reads them all, and of those it finds to
    support the claim the smallest and likeliest wins. Where none does, or only one of more than `most_words` words or
    two thirds of the sentence, the revision is refused: `text` is None, and `reason` says why.

    `judge` is a name, a folder, or a judge from `aver.models.load_judge`. `reviser` is `rules`, `seq2seq:` and a
    folder or hub id, or `llm:` and the name of a model behind an OpenAI-compatible endpoint; what they propose is
    judged and chosen in the same way.

    >>> revise("The film has 344 reviews .", "The film has more than 346 reviews .").text
    'The film has 347 reviews .'
    """
    _check(sentence, claim, most_words)
    from aver.models import Judge, load_judge
    from aver.revisions._revise_backends import load_reviser

    reader = judge if isinstance(judge, Judge) else load_judge("default" if judge is None else judge)
    writer = None if reviser == "rules" else load_reviser(reviser) if isinstance(reviser, str) else reviser
    name = "rules" if writer is None else writer.model
    asked = with_times_of(claim, sentence)
    before, weight = decisive_words(reader, asked, sentence)
    if before.label is None:
        return Revision(sentence, claim, None, (), 0, before, None, 0, "error", name, reader.model, before.reason)
    if writer is None:
        sets = proposals(sentence, asked, weight)
        # the arithmetic of figures is exact: where it finds a conflict, a judge that sees none is not believed
        conflict = any(change.kind == "figure" for changes in sets for change in changes)
    else:
        sets, conflict = writer.propose(sentence, asked), False
    if before.label is not Label.SUPPORTS and not conflict and not shared_words(sentence, asked):
        # a judge asked often enough finds support in nonsense; 1 in 80 of VitaminC's revisions shares nothing either
        reason = "the sentence has nothing to do with the claim: they share no word and no figure"
        return Revision(sentence, claim, None, (), 0, before, None, 0, "abstained", name, reader.model, reason)
    if before.label is Label.SUPPORTS and not conflict:
        reason = "the sentence agrees with the claim as it is"
        return Revision(sentence, claim, sentence, (), 0, before, before, 0, "scored", name, reader.model, reason)
    tried = attempts(sentence, asked, sets, reader) if writer is None else read(sentence, asked, sets, reader)
    # two words of a short sentence, two thirds of a longer one: what keeps less is another sentence
    limit = min(most_words, max(2, 2 * len(words(sentence)) // 3))
    found = best(tried, revise_weights(reader.model), most_words=limit)
    if found is None:
        if before.label is Label.SUPPORTS:
            reason = "the judge finds the sentence in agreement with the claim as it is"
            return Revision(
                sentence, claim, sentence, (), 0, before, before, len(tried), "scored", name, reader.model, reason
            )
        reason = _why(tried, limit)
        return Revision(
            sentence, claim, None, (), 0, before, None, len(tried), "abstained", name, reader.model, reason
        )
    return Revision(
        sentence, claim, found.text, found.changes, found.size, before, found.judgement, len(tried), "scored", name,
        reader.model,
    )  # fmt: skip


def _why(tried: list[Attempt], most_words: int) -> str:
    if not tried:
        return "the sentence and the claim have nothing in common that could be edited"
    large = [attempt for attempt in tried if attempt.judgement.label is Label.SUPPORTS]
    if large:
        least = min(attempt.size for attempt in large)
        changed, allowed = count_of(least, "word"), count_of(most_words, "is", "are")
        return f"the smallest edit that agrees with the claim changes {changed}; at most {allowed} allowed"
    nearest = max(tried, key=lambda attempt: attempt.support)
    return (
        f"none of the small edits tried ({len(tried):,}) makes the sentence support the claim; the nearest, with a "
        f"probability of {nearest.support:.2f}, is {nearest.text!r}"
    )


def _check(sentence: object, claim: object, most_words: int) -> None:
    problems = Problems()
    for name, text in (("sentence", sentence), ("claim", claim)):
        if not isinstance(text, str):
            problems.add("", f"the {name} is {kind_of(text, none='missing')}; it must be text")
        elif not any(c.isalnum() for c in text):
            problems.add("", f"the {name} is empty" if not text.strip() else f"the {name} has no words")
        elif len(text) > LONGEST:
            problems.add("", f"the {name} has {len(text):,} characters; a sentence has at most {LONGEST:,}: split the "
                             "text into sentences and revise the one that conflicts")  # fmt: skip
    problems.raise_if_any("the sentence cannot be revised")
    if most_words < 1:
        raise InputError(f"most_words is {most_words}; it must be 1 or more")


def _brief(judgement: Judgement) -> dict[str, Any]:
    label = None if judgement.label is None else str(judgement.label)
    return {"label": label, "probabilities": dict(judgement.probabilities)}
