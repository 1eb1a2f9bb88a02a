"""An assessment in one paragraph, for libraries that show a reason beside a score."""

from __future__ import annotations

from aver.consistency._results import Assessment
from aver.errors import count_of

__all__ = ["joined", "reason"]


def reason(found: Assessment) -> str:
    """What is not borne out, in words.

    >>> from aver.consistency import assess
    >>> reason(assess("Is it?", "Yes.", judge="fast"))
    'no_claims: no sentence of the text states anything'
    """
    if found.score is None:
        return f"{found.status}: {'; '.join(found.notes)}"
    if not found.sentences:
        return f"{found.metric} {found.score:.4f}"
    wrong = [s for s in found.sentences if s.spans]
    if not wrong:
        every = "the one sentence is" if found.coverage.scored == 1 else f"all {found.coverage.scored} sentences are"
        return f"{every} borne out by the source"
    told = "; ".join(
        f"“{s.text}” is {s.spans[0].kind}: {', '.join(span.text for span in s.spans)}" for s in wrong
    )
    of = count_of(found.coverage.scored, "sentence")
    return f"{len(wrong)} of {of} {'is' if len(wrong) == 1 else 'are'} not borne out by the source: {told}"


def joined(contexts: object) -> str:
    """One source from a text or a list of them."""
    if isinstance(contexts, str):
        return contexts
    return "\n\n".join(str(part) for part in contexts) if isinstance(contexts, (list, tuple)) else ""
