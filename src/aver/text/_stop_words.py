"""English function words, as NLTK lists them: the list that VitaminC's released code leaves out of a rationale."""

from __future__ import annotations

__all__ = ["STOP_WORDS"]

STOP_WORDS = frozenset(
    """a about above after again against ain all am an and any are aren as at be because been before being below between
    both but by can couldn d did didn do does doesn doing don down during each few for from further had hadn has hasn
    have haven having he her here hers herself him himself his how i if in into is isn it its itself just ll m ma me
    mightn more most mustn my myself needn no nor not now o of off on once only or other our ours ourselves out over own
    re s same shan she should shouldn so some such t than that the their theirs them themselves then there these they
    this those through to too under until up ve very was wasn we were weren what when where which while who whom why
    will with won wouldn y you your yours yourself yourselves aren't couldn't didn't doesn't don't hadn't hasn't haven't
    isn't it's mightn't mustn't needn't shan't she's should've shouldn't that'll wasn't weren't won't wouldn't you'd
    you'll you're you've""".split()
)
