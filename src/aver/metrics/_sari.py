"""SARI in the six forms in use: one arithmetic, and a table of what the implementations disagree about."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from aver.measures import Card, Measure, Score
from aver.metrics._sentences import check_columns

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["SARI"]

ORDERS = (1, 2, 3, 4)
OPERATIONS = ("keep", "add", "delete")

Variant = Literal["easse", "easse_paper", "easse_precision", "cocoxu", "hf", "t2t"]


class Convention(NamedTuple):
    """What two implementations of SARI can do differently; all of them lower the case first."""

    tokens: Literal["13a", "spaces"]
    """sacrebleu's 13a tokens, or words between spaces."""
    repeats: bool
    """Whether an n-gram that stands twice in a sentence counts twice."""
    precision: Literal["pooled", "by type"]
    """Sum over sum, or the mean over distinct n-grams of each one's own ratio."""
    recall: Literal["pooled", "by type"]
    right_deletion: Literal["shared", "absent"]
    """Deletions the references make too, or what is left of the deletions after taking away all that the
    references hold. They differ where a word repeats in the source."""
    nothing: float
    """What 0/0 is: nothing to do and nothing done."""
    delete: Literal["F1", "precision"]
    average: Literal["F1", "rates"]
    """Over n-gram orders: of the F1, or of precision and recall, whose F1 is then taken."""
    corpus: Literal["pooled", "mean"]
    """Many sentences: counts pooled, or the mean of the sentences' scores."""


CONVENTIONS: Mapping[Variant, Convention] = {
    "easse": Convention("13a", True, "pooled", "pooled", "shared", 0.0, "F1", "F1", "pooled"),
    "easse_paper": Convention("13a", True, "pooled", "pooled", "shared", 0.0, "F1", "rates", "pooled"),
    "easse_precision": Convention(
        "13a", True, "pooled", "pooled", "shared", 0.0, "precision", "F1", "pooled"
    ),
    "cocoxu": Convention("spaces", True, "by type", "by type", "absent", 0.0, "precision", "F1", "mean"),
    "hf": Convention("13a", True, "by type", "pooled", "absent", 1.0, "precision", "F1", "mean"),
    "t2t": Convention("13a", False, "pooled", "pooled", "shared", 1.0, "precision", "F1", "mean"),
}


@dataclasses.dataclass(frozen=True)
class SARI(Measure):
    """System output against references and against the source: what was rightly kept, added and deleted."""

    name: ClassVar[str] = "SARI"
    reads: ClassVar[tuple[str, ...]] = ("predictions", "references", "sources")

    variant: Variant = "easse"

    def score(
        self, predictions: Sequence[str], references: Sequence[Sequence[str]], sources: Sequence[str]
    ) -> Score:
        """SARI of a corpus; see `CONVENTIONS` (and the card) for whether counts or scores are averaged."""
        import numpy as np

        counted = self._counted(predictions, references, sources)
        rule = CONVENTIONS[self.variant]
        if not counted:
            values: dict[str, float | None] = dict.fromkeys(("sari", *OPERATIONS))
        elif rule.corpus == "pooled":
            values = {**_finish(np.sum(counted, axis=0), rule)}
        else:
            rows = [_finish(counts, rule) for counts in counted]
            values = {name: sum(row[name] for row in rows) / len(rows) for name in rows[0]}
        return Score(str(self), values, len(counted))

    def rows(
        self, predictions: Sequence[str], references: Sequence[Sequence[str]], sources: Sequence[str]
    ) -> list[dict[str, float]]:
        """Each sentence's own figures.

        >>> SARI("hf").rows(["a new cat ."], [["a new cat ."]], ["an old cat ."])[0]["sari"]
        100.0
        """
        rule = CONVENTIONS[self.variant]
        return [_finish(counts, rule) for counts in self._counted(predictions, references, sources)]

    def _counted(
        self, predictions: Sequence[str], references: Sequence[Sequence[str]], sources: Sequence[str]
    ) -> list[NDArray[np.float64]]:
        check_columns(predictions, references, sources)
        rule = CONVENTIONS[self.variant]
        words = _words(rule.tokens)
        return [
            _count(words(source), words(prediction), [words(text) for text in several], rule)
            for source, prediction, several in zip(sources, predictions, references, strict=True)
        ]

    card: ClassVar[Card]


def _words(tokens: str) -> Callable[[str], list[str]]:
    if tokens == "spaces":
        return lambda text: text.lower().split()
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    tokenize = Tokenizer13a()  # type: ignore[no-untyped-call]
    return lambda text: str(tokenize(text.lower())).split()


def _count(
    source: list[str], prediction: list[str], references: list[list[str]], rule: Convention
) -> NDArray[np.float64]:
    """For each operation and order: numerator and denominator of precision, then of recall."""
    import numpy as np

    counts = np.zeros((len(OPERATIONS), len(ORDERS), 4))
    # Source and prediction weigh as much as all references together, so that an n-gram which half the
    # references keep is half right: Xu et al.'s fractional counts, in whole numbers.
    weight = len(references)
    for column, order in enumerate(ORDERS):
        before = _ngrams(source, order, rule.repeats, weight)
        after = _ngrams(prediction, order, rule.repeats, weight)
        wanted: Counter[tuple[str, ...]] = Counter()
        for reference in references:
            wanted.update(_ngrams(reference, order, rule.repeats, 1))

        kept, to_keep = before & after, before & wanted
        deleted, to_delete = before - after, before - wanted
        added = Counter(dict.fromkeys(after.keys() - before.keys(), 1))
        to_add = Counter(dict.fromkeys(wanted.keys() - before.keys(), 1))
        rightly_deleted = deleted & to_delete if rule.right_deletion == "shared" else deleted - wanted
        done = (
            (kept & to_keep, kept, to_keep),
            (added & to_add, added, to_add),
            (rightly_deleted, deleted, to_delete),
        )
        for row, (right, chosen, relevant) in enumerate(done):
            precision, recall = _ratio(right, chosen, rule.precision), _ratio(right, relevant, rule.recall)
            counts[row, column] = *precision, *recall
    return counts


def _ngrams(words: list[str], order: int, repeats: bool, weight: int) -> Counter[tuple[str, ...]]:
    found = Counter(zip(*(words[start:] for start in range(order)), strict=False))
    return Counter({ngram: (count if repeats else 1) * weight for ngram, count in found.items()})


def _ratio(part: Counter[tuple[str, ...]], whole: Counter[tuple[str, ...]], how: str) -> tuple[float, float]:
    if how == "pooled":
        return part.total(), whole.total()
    return sum(count / whole[ngram] for ngram, count in part.items()), len(whole)


def _finish(counts: NDArray[np.float64], rule: Convention) -> dict[str, float]:
    import numpy as np

    numerators, denominators = counts[..., (0, 2)], counts[..., (1, 3)]
    empty = denominators == 0
    rates = np.where(empty, rule.nothing, numerators / np.where(empty, 1, denominators))
    if rule.average == "rates":
        rates = rates.mean(axis=1, keepdims=True)
    precision, recall = rates[..., 0], rates[..., 1]
    both = precision + recall
    f1 = 2 * precision * recall / np.where(both == 0, 1, both)
    by_operation = f1.mean(axis=1)
    if rule.delete == "precision":
        by_operation[OPERATIONS.index("delete")] = precision[OPERATIONS.index("delete")].mean()
    by_operation = 100 * by_operation
    return {"sari": float(by_operation.mean()), **dict(zip(OPERATIONS, by_operation.tolist(), strict=True))}


def _table() -> str:
    heads = (
        "variant", "tokens", "repeats", "precision", "recall", "right deletions", "0/0", "delete", "over orders",
        "over sentences",
    )  # fmt: skip
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for variant, rule in CONVENTIONS.items():
        cells = (
            variant, rule.tokens, "count" if rule.repeats else "once", rule.precision, rule.recall,
            "made by references" if rule.right_deletion == "shared" else "absent from references",
            f"{rule.nothing:g}", rule.delete, f"mean of {rule.average}",
            "counts pooled" if rule.corpus == "pooled" else "mean of scores",
        )  # fmt: skip
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


SARI.card = Card(
    title="SARI",
    meaning=(
        "How well an edited sentence keeps, adds and deletes what the references keep, add and delete, "
        "given the source it was edited from. Each of the three is scored over n-grams of one to four "
        "words; SARI is their mean. Implementations disagree by 33 points and more on a copied source (see "
        "the example), so the variant is part of the name. `easse` is our default: it gives a copied source "
        "nothing for deletions it did not make (hf and t2t give it 100), and its pooled counts let a "
        "sentence with nothing to delete weigh nothing instead of 0. The VitaminC paper, whose Table 6 "
        "reports SARI keep, add, delete and their average, names no implementation and released none: state "
        "the variant you compare with."
    ),
    formula=(
        "SARI = (F_keep + F_add + D) / 3, D the delete score; every score is 100 times the mean over n = "
        "1..4 of an "
        "F1 or a precision of n-gram counts, an n-gram of a reference weighing 1/(number of references).\n\n"
        + _table()
    ),
    range=(0.0, 100.0),
    direction="higher",
    inputs="`sources`, `predictions` (texts) and `references` (a list of texts for each prediction)",
    values={
        "sari": "mean of keep, add and delete",
        "keep": "n-grams of the source that were rightly kept (F1)",
        "add": "n-grams not in the source that were rightly added (F1)",
        "delete": "n-grams of the source that were rightly deleted (F1, or precision: see the table)",
    },
    example=(
        ">>> import aver\n"
        '>>> source = ["About 95 species are currently accepted ."]\n'
        '>>> revised = ["About 95 species are now accepted ."]\n'
        '>>> references = [["About 95 species are currently known .", "95 species are now accepted .",\n'
        '...                "About 95 species are now accepted ."]]\n'
        '>>> score = aver.measure("SARI(easse)").score(revised, references, source)\n'
        ">>> {name: round(value, 2) for name, value in score.values.items()}\n"
        "{'sari': 76.96, 'keep': 82.1, 'add': 70.83, 'delete': 77.96}\n"
        ">>> for variant in ('easse', 'hf'):  # the source handed back unchanged\n"
        "...     measure = aver.measure(f'SARI({variant})')\n"
        "...     print(measure, round(measure.score(source, references, source)['delete']))\n"
        "SARI(easse) 0\n"
        "SARI(hf) 100\n"
    ),
    edge_cases=(
        "No sentence at all: every figure is None.",
        "Nothing to do and nothing done (0/0) is 0 in easse and cocoxu, 1 in hf and t2t; so a perfect edit "
        "that only inserts has delete 0 for the orders where nothing was to be deleted, and a perfect edit "
        "of a sentence shorter than four words stays below 100, in easse and cocoxu.",
        "An empty prediction is a sentence without words: it keeps and adds nothing and deletes everything.",
        "Words are split at any run of white space; cocoxu's own script splits at every single space, so "
        "two spaces in a row make an empty word there.",
    ),
    limits=(
        "It counts words, not facts: a wrong number costs as much as a changed comma.",
        "In the easse variants a row with more references weighs more, since their counts are pooled.",
        "Rows longer than 20,000 characters are refused: split them into sentences.",
    ),
    citation=(
        "Xu et al. (2016), Optimizing Statistical Machine Translation for Text Simplification, TACL 4; "
        "Alva-Manchego et al. (2019), EASSE: Easier Automatic Sentence Simplification Evaluation, EMNLP"
    ),
)
