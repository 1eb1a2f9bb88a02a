"""From votes to verdicts, as CLIMATE-FEVER does it: votes on a sentence, sentences on a claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from aver.labels import Label

__all__ = ["claim_label", "micro_verdict"]

_SUPPORTS, _REFUTES, _NEI, _DISPUTED = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO, Label.DISPUTED


def micro_verdict(votes: Iterable[Label | str | None]) -> Label:
    """What several voters say together about one claim and one sentence.

    The label with most votes wins; a tie for the first place is NOT_ENOUGH_INFO, and so is a pair nobody
    voted on. None is a vote that was not cast. (The paper says "majority"; its file follows the plurality:
    two of five votes carry a pair when no other label has two. That rule explains all of its 7,675 labels.)

    >>> micro_verdict(["SUPPORTS", "SUPPORTS", "refutes", None])
    <Label.SUPPORTS: 'SUPPORTS'>
    >>> micro_verdict(["SUPPORTS", "REFUTES"])
    <Label.NOT_ENOUGH_INFO: 'NOT_ENOUGH_INFO'>
    """
    counts = Counter(vote for vote in votes if vote is not None)
    if any(type(vote) is not Label for vote in counts):
        # Two spellings of one label are one label: count again under the names.
        read: Counter[Label] = Counter()
        for vote, count in counts.items():
            read[Label.parse(vote)] += count
    else:
        read = counts  # type: ignore[assignment]
    if not read:
        return _NEI
    (winner, most), *second = read.most_common(2)
    return _NEI if second and second[0][1] == most else winner


def claim_label(micro_verdicts: Iterable[Label | str]) -> Label:
    """What several sentences say together about one claim.

    All NOT_ENOUGH_INFO (or no sentence at all): NOT_ENOUGH_INFO. Some support and none refutes: SUPPORTS.
    Some refute and none supports: REFUTES. Both, or a sentence that is itself disputed: DISPUTED.

    >>> claim_label(["NOT_ENOUGH_INFO", "REFUTES", "NOT_ENOUGH_INFO"])
    <Label.REFUTES: 'REFUTES'>
    >>> claim_label(["SUPPORTS", "REFUTES"])
    <Label.DISPUTED: 'DISPUTED'>
    """
    seen = {verdict if type(verdict) is Label else Label.parse(verdict) for verdict in micro_verdicts}
    if _DISPUTED in seen or (_SUPPORTS in seen and _REFUTES in seen):
        return _DISPUTED
    if _SUPPORTS in seen:
        return _SUPPORTS
    return _REFUTES if _REFUTES in seen else _NEI
