"""A judge that marks the words of a claim: the marks are features where weights ask for them, and make the spans."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable

import pytest

from aver.consistency import AverMetric, StrictMetric, assess, metric
from aver.consistency import _weighing as weighing
from aver.consistency._source import Source
from aver.consistency._spans import find_spans
from aver.consistency._weighing import Weights, measured, weigh, weigh_strictly, weights_for
from aver.results import Judgement
from aver.text import Sentence, words

from .conftest import SOURCE, WordJudge

SILENT = {"SUPPORTS": 0.1, "REFUTES": 0.1, "NOT_ENOUGH_INFO": 0.8}


class MarkingJudge(WordJudge):
    """Marks the words that the evidence does not hold, `only` among these."""

    name = "marking"
    model = "marking@000000000000"
    marks_claims = True
    only: frozenset[str] | None = None

    def judge_marking(self, pairs: Iterable[tuple[str, str]], *, batch_tokens: int = 1024) -> list[Judgement]:
        asked = list(pairs)
        found = self.judge(asked, batch_tokens=batch_tokens)
        return [
            said if said.label is None else dataclasses.replace(said, unsupported=self._marks(claim, evidence))
            for said, (claim, evidence) in zip(found, asked, strict=True)
        ]

    def _marks(self, claim: str, evidence: str) -> tuple[float, ...]:
        held = {w.text.casefold() for w in words(evidence)}
        told = [w.text.casefold() for w in words(claim)]
        return tuple(0.9 if w not in held and (self.only is None or w in self.only) else 0.1 for w in told)


def test_marks_are_measured_over_content_words() -> None:
    source = Source("The bridge was opened in 1931.")
    sentence = "The bridge was sold."
    assert len(words(sentence)) == 5
    # "The", "was" and the full stop are no content words, whatever their marks
    found = measured(sentence, source, [0], [SILENT], SILENT, [0.99, 0.2, 0.99, 0.8, 0.99]).raw
    odds = [math.log(p + 1e-3) - math.log(1 - p + 1e-3) for p in (0.2, 0.8)]
    assert found["marked"] == pytest.approx(max(odds))
    assert found["marks"] == pytest.approx(sum(odds) / 2)
    assert "marked" not in measured(sentence, source, [0], [SILENT], SILENT).raw


def test_weights_that_count_on_marks_are_left_alone_without_them(monkeypatch: pytest.MonkeyPatch) -> None:
    with_marks = Weights("m", 0.0, {"own_marked": -1.0})
    assert with_marks.needs_marks
    assert not Weights("n", 0.0, {"own_support": 1.0, "copying": 1.0}).needs_marks
    monkeypatch.setitem(weighing.WEIGHTS, "marking", with_marks)
    monkeypatch.setitem(weighing.WEIGHTS, "words", with_marks)
    assert weights_for(MarkingJudge()) is with_marks
    assert weights_for(WordJudge()) is None
    score = metric("aver", judge=WordJudge()).score(["The bridge is green."], [SOURCE])[0]
    assert score is not None


def test_a_marked_word_lowers_the_score(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(weighing.WEIGHTS, "marking", Weights("m", 0.0, {"own_marked": -1.0, "copied_marked": -1.0}))
    texts = ["The bridge was painted green in May.", "The bridge was painted purple in May."]
    right, wrong = metric("aver", judge=MarkingJudge()).score(texts, [SOURCE] * 2)
    assert right is not None
    assert wrong is not None
    assert wrong < 0.5 < right


def test_spans_come_from_the_marks() -> None:
    judge = MarkingJudge()
    judge.only = frozenset({"olaf"})
    text = "It was the proud Olaf who sold the boats of Oslo."
    found = assess(text, "Tea is hot. Ada drank coffee.", judge=judge)
    assert [(s.text, s.kind, s.reason) for s in found.spans] == [("Olaf", "unsupported", "name")]
    assert text[found.spans[0].start : found.spans[0].end] == "Olaf"
    # where it marks nothing, the words are asked as with any other judge
    judge.only = frozenset()
    assert {"Olaf", "Oslo"} <= {word for s in assess(text, "Tea is hot.", judge=judge).spans for word in s.text.split()}
    plain = assess(text, "Tea is hot. Ada drank coffee.", judge=WordJudge())
    assert len(plain.offending) > 1


def test_no_span_is_of_function_words_alone() -> None:
    judge = MarkingJudge()
    text = "It was the proud Olaf who sold all of the boats to the US."
    judge.only = frozenset({"the", "olaf", "of", "to", "us"})
    # the "the" before "proud" says nothing, nor does "of the"; "US" is a name though "us" is none
    assert assess(text, "Tea is hot. Ada drank coffee.", judge=judge).offending == ("Olaf", "to the US")
    # with a word that says something they are one span
    judge.only = frozenset({"sold", "all", "of", "the", "boats"})
    assert assess(text, "Tea is hot. Ada drank coffee.", judge=judge).offending == ("sold all of the boats",)
    # where nothing else is marked, the words are asked as if nothing were
    judge.only = frozenset({"the", "of"})
    told = assess("He sold the boats of Oslo.", "Tea is hot. Ada drank coffee.", judge=judge)
    assert told.offending == ("sold", "boats", "Oslo")
    # a negation is what is wrong
    judge.only = frozenset({"not"})
    assert assess("The bridge is not green.", "The bridge is green.", judge=judge).offending == ("not",)


def test_with_a_marked_word_goes_the_rest_of_its_name() -> None:
    judge = MarkingJudge()
    judge.only = frozenset({"karl"})
    text = "It was sold by King Karl Olaf of Oslo."
    assert assess(text, "Tea is hot. Ada drank coffee.", judge=judge).offending == ("King Karl Olaf",)
    # what the source has of the name is borne out
    assert assess(text, "Olaf drank hot tea.", judge=judge).offending == ("King Karl",)


def test_figures_are_compared_all_the_same() -> None:
    judge = MarkingJudge()
    judge.only = frozenset({"olaf"})
    text = "It was proud Olaf who opened a railway in May 1932."
    found = assess(text, "The bridge was opened in May 1931.", judge=judge)
    by_text = {span.text: span for span in found.spans}
    assert by_text["May 1932"].source == "May 1931"
    assert by_text["Olaf"].reason == "name"
    assert "railway" not in by_text


@pytest.mark.parametrize(
    ("source", "marked", "told"),
    [
        ("The bridge of Arle was opened in 1931.", "1932", ["1932", "King Olaf"]),
        # of a name of which the source has a word, the rest may be another way to write it
        ("The bridge of Arle was opened in 1931. The king slept.", "1932", ["1932"]),
        # where the judge marks words, names are left to it
        ("The bridge of Arle is of 1931.", "opened", ["opened", "1932"]),
    ],
)
def test_a_name_that_is_wholly_absent_is_marked_beside_figures(source: str, marked: str, told: list[str]) -> None:
    text = "The bridge was opened in 1932 by King Olaf of Arle."
    mark = (text.index(marked), text.index(marked) + len(marked))
    found = find_spans(
        Sentence(text, 0, len(text)), Source(source), [source], contradicted=True, marked=[mark], trust_marks=True
    )
    assert [span.text for span in found] == told


def test_the_verdict_is_a_step_from_the_score() -> None:
    source = Source("The bridge was opened in 1931 by Ada Lund.")
    weights = Weights("w", -2.0, {}, verdict=(2.5, -0.5))
    own = weigh(measured("King Olaf sold boats.", source, [0], [SILENT], SILENT), weights)
    copied = weigh(measured("The bridge was opened in 1931.", source, [0], [SILENT], SILENT), weights)
    assert own.score == copied.score == pytest.approx(1 / (1 + math.exp(2)))
    assert own.verdict == pytest.approx(1 / (1 + math.exp(-0.5)), abs=0.01)
    assert copied.verdict == pytest.approx(1 / (1 + math.exp(2.5)), abs=0.01)


def test_strict_is_the_worst_sentence_by_the_joint_reading() -> None:
    text = "The bridge is 200 metres long. Trams cross it. No toll is paid."
    found = assess(text, SOURCE, metric="aver-strict", judge=WordJudge())
    scores = [s.score for s in found.sentences if s.score is not None]
    assert len(scores) == 3
    assert found.score == min(scores) == found.sentences[1].score
    assert found.metric == "aver-strict"
    against = {"SUPPORTS": 0.1, "REFUTES": 0.8, "NOT_ENOUGH_INFO": 0.1}
    assert weigh_strictly(against) == pytest.approx(1 / (1 + math.exp(4 * 0.7)))
    assert weigh_strictly({"SUPPORTS": 0.0, "REFUTES": 0.0, "NOT_ENOUGH_INFO": 1.0}) == 0.5


def test_strict_is_one_of_ours() -> None:
    made = metric("aver-strict", judge=WordJudge(), sentences=2)
    assert isinstance(made, StrictMetric)
    assert isinstance(made, AverMetric)
    assert made.sentences == 2
