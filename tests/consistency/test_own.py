"""aver's own metric: verdicts, evidence, offending words, outcomes, and the same answer however rows come."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import aver
from aver import InputError, Label
from aver.consistency import AverMetric, Stream, assess, assess_all, metric
from aver.consistency._own import Read
from aver.consistency._source import Source
from aver.consistency._spans import find_spans
from aver.consistency._weighing import FEATURES, MARK_FEATURES, WEIGHTS, Weights, measured, weigh
from aver.results import Judgement
from aver.text import Sentence, words

from .conftest import SOURCE, WordJudge

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "consistency.md"


def test_a_text_is_taken_apart_by_sentence(judge: WordJudge, source: str) -> None:
    text = "The bridge was opened in 1932. The bridge is 200 metres long. Is it old? Trams cross it."
    found = assess(text, source, judge=judge)
    assert found.status == "scored"
    assert found.model == judge.model
    wrong, right, asking, turned = found.sentences
    assert [text[s.start : s.end] for s in found.sentences] == [s.text for s in found.sentences]
    assert right.label is Label.SUPPORTS
    assert right.spans == ()
    assert right.evidence[0].text == "The bridge is 200 metres long and 9 wide."
    assert source[right.evidence[0].start : right.evidence[0].end] == right.evidence[0].text
    assert (asking.status, asking.score) == ("no_claims", None)
    assert turned.label is Label.REFUTES
    assert turned.evidence[0].text == "Trams do not cross it."
    assert wrong.score is not None
    assert right.score is not None
    assert wrong.score < right.score
    scores = [s.score for s in found.sentences if s.score is not None]
    assert found.score == pytest.approx(fmean(scores))
    assert found.coverage.as_dict() == {
        "sentences": 4, "scored": 3, "source_sentences": 5, "source_read": found.coverage.source_read, "words": 1.0,
    }  # fmt: skip
    for name, value in right.probabilities.items():
        assert 0 <= value <= 1, name
    assert sum(right.probabilities.values()) == pytest.approx(1)


def test_offending_words_are_shown(judge: WordJudge) -> None:
    source = "The bridge was opened in May 1931. It is green."
    text = "It was proud King Olaf who opened a railway in May 1932. It is green."
    found = assess(text, source, judge=judge, sentences=1, together=1)
    by_text = {span.text: span for span in found.spans}
    assert by_text["May 1932"].kind == "contradicted"
    assert (by_text["May 1932"].reason, by_text["May 1932"].source) == ("figure", "May 1931")
    assert (by_text["King Olaf"].kind, by_text["King Olaf"].reason) == ("unsupported", "name")
    for span in found.spans:
        assert text[span.start : span.end] == span.text


def test_where_no_word_is_to_blame_the_sentence_is(judge: WordJudge) -> None:
    found = assess("Trams cross it.", "Trams do not cross it.", judge=judge)
    assert [(s.text, s.kind, s.reason) for s in found.spans] == [("Trams cross it.", "contradicted", "sentence")]


@pytest.mark.parametrize(
    ("text", "source", "status"),
    [
        ("", "Tea is hot.", "no_claims"),
        (" \n", "Tea is hot.", "no_claims"),
        ("Is tea hot?", "Tea is hot.", "no_claims"),
        ("Tea is hot.", "", "abstained"),
        ("Tea is hot.", "…", "abstained"),
        ("", "", "no_claims"),
    ],
)
def test_what_cannot_be_scored_is_an_outcome(judge: WordJudge, text: str, source: str, status: str) -> None:
    for name in ("aver", "aver-strict", "summac-zs", "alignscore", "minicheck"):
        found = assess(text, source, metric=name, judge=judge)
        assert (found.score, found.status) == (None, status), name
        assert found.notes[0]


def test_the_room_can_be_called(source: str) -> None:
    found = aver.consistency("No toll is paid.", source, judge="fast")
    assert found.status == "scored"
    assert found == aver.consistency.assess("No toll is paid.", source, judge="fast") or found.score is not None


def test_what_is_no_text_is_told(judge: WordJudge) -> None:
    with pytest.raises(InputError, match="the source is missing"):
        assess("a", None, judge=judge)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="2 texts and 1 source"):
        assess_all(["a", "b"], ["c"], judge=judge)
    with pytest.raises(InputError, match=r"row 0: the text is a number.*\n.*row 1: the source is missing"):
        metric("aver", judge=judge).score([1, "a"], ["b", None])  # type: ignore[list-item]
    with pytest.raises(InputError, match="there is no metric 'avr'"):
        metric("avr")
    with pytest.raises(InputError, match="takes no option depth"):
        metric("aver", judge=judge, depth=3)
    with pytest.raises(InputError, match="both must be 1 or more"):
        metric("aver", judge=judge, sentences=0)
    with pytest.raises(InputError, match="a list of texts"):
        metric("aver", judge=judge).score("a", "b")


def test_rows_are_read_in_common_batches_and_repeats_once(judge: WordJudge, source: str) -> None:
    texts = ["The bridge is green.", "No toll is paid. The bridge is green.", "The bridge is green."] * 5
    found = metric("aver", judge=judge).score(texts, [source] * len(texts))
    assert len(judge.calls) == 1
    assert len(judge.calls[0]) == len(set(judge.calls[0]))
    alone = [metric("aver", judge=WordJudge()).score([text], [source])[0] for text in texts]
    assert found == alone


SENTENCES = [
    "The bridge is green.", "Trams cross it.", "It opened in 1932.", "Really?", "Ada Lund paid no toll.", "x", "1931!",
]  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(SENTENCES), max_size=4).map(" ".join), max_size=6),
    st.sampled_from(["aver", "aver-strict", "summac-zs", "alignscore", "minicheck"]),
)
def test_scores_lie_between_0_and_1_and_do_not_depend_on_the_company(texts: list[str], name: str) -> None:
    scored = metric(name, judge=WordJudge()).score(texts, [SOURCE] * len(texts))
    assert all(score is None or 0 <= score <= 1 for score in scored)
    turned = metric(name, judge=WordJudge()).score(texts[::-1], [SOURCE] * len(texts))
    assert turned[::-1] == scored


def test_progress_counts_every_text(judge: WordJudge, source: str) -> None:
    for name in ("aver", "summac-zs", "rouge-1"):
        done: list[int] = []
        texts = ["The bridge is green.", "", "Trams cross it.", "?"]
        metric(name, judge=None if name == "rouge-1" else judge).score(texts, [source] * 4, progress=done.append)
        assert sum(done) == 4, name


def test_a_hundred_pages_and_two_thousand_words(judge: WordJudge) -> None:
    filler = "In year {0} the council of Arle met {0} times about the harbour and the market."
    sentences = [filler.format(at) for at in range(3000)]
    source = " ".join([*sentences[:1500], "The lighthouse keeper was Ada Lund.", *sentences[1500:]])
    text = " ".join(["The lighthouse keeper was Ada Lund.", *(filler.format(at) for at in range(0, 1500, 11))])
    assert len(source.split()) > 40_000
    assert len(text.split()) > 2_000
    found = assess(text, source, judge=judge)
    first = found.sentences[0]
    assert first.label is Label.SUPPORTS
    assert first.evidence[0].number == 1500
    # what is read is bounded by the text, not by the source
    assert sum(map(len, judge.calls)) <= 4 * len(found.sentences)
    assert max(map(len, judge.calls)) <= 1024


def test_a_sentence_without_end_is_read_in_pieces(judge: WordJudge) -> None:
    endless = "and the river rose " * 2_000
    found = assess(endless, endless, judge=judge)
    assert found.status == "scored"
    assert len(found.sentences) > 10
    assert all(len(claim) <= 2_000 and len(evidence) <= 7_000 for call in judge.calls for claim, evidence in call)
    assert "".join(s.text for s in found.sentences).replace(" ", "") == endless.replace(" ", "")


def test_it_is_told_that_a_sentence_was_cut(judge: WordJudge, source: str) -> None:
    endless = "and the river rose " * 200
    told = "has more than 2,000 characters: it was cut at words, and its parts count as sentences"
    assert assess(endless, source, judge=judge).notes == (f"1 sentence of the text {told}",)
    assert assess("The river rose.", endless, judge=judge).notes == (f"1 sentence of the source {told}",)
    two = f"{endless}.\n\n{endless}."
    assert assess("The river rose.", two, judge=judge).notes[0].startswith("2 sentences of the source have more than")
    assert assess(endless, source, metric="minicheck", judge=judge).notes == (f"1 sentence of the text {told}",)
    scoring = Stream(source, metric=AverMetric(judge))
    scoring.feed(endless)
    assert scoring.finish().notes == (f"1 sentence of the text {told}",)
    # a long text of sentences is no long sentence
    assert assess("The bridge is green. " * 200, source, judge=judge).notes == ()


def test_the_documentation_says_which_metrics_cut_long_sentences(judge: WordJudge, source: str) -> None:
    endless = "and the river rose " * 200
    for name in ("aver", "aver-strict"):
        assert len(assess(endless, endless, metric=name, judge=judge).notes) == 2
    for name in ("summac-zs", "alignscore", "minicheck"):
        assert len(assess(endless, endless, metric=name, judge=judge).notes) == 1
        assert assess("The river rose.", endless, metric=name, judge=judge).notes == ()
    for name in ("rouge-1", "rouge-l", "bleu", "overlap", "copied-3"):
        assert assess(endless, endless, metric=name).notes == ()
    document = " ".join(DOCUMENT.read_text(encoding="utf-8").split())
    assert "With `aver` and `aver-strict` a sentence of more than 2,000 characters" in document
    assert "The peers' rules (`summac-zs`, `alignscore`, `minicheck`) do so with the text only." in document


def test_weights_are_of_the_features_and_tell_good_from_bad() -> None:
    for name, weights in WEIGHTS.items():
        assert set(FEATURES) <= set(weights.coefficients) <= {*FEATURES, *MARK_FEATURES}, name
        source = Source("The bridge was opened in 1931.")
        nothing = {"SUPPORTS": 0.01, "REFUTES": 0.01, "NOT_ENOUGH_INFO": 0.98}
        support = {"SUPPORTS": 0.98, "REFUTES": 0.01, "NOT_ENOUGH_INFO": 0.01}
        true, false = "The bridge was opened in 1931.", "King Olaf sold 12 boats."
        good = weigh(measured(true, source, [0], [support], support, [0.01] * len(words(true))), weights)
        bad = weigh(measured(false, source, [0], [nothing], nothing, [0.99] * len(words(false))), weights)
        assert bad.score < 0.5 < good.score, name
        assert bad.verdict < 0.5 < good.verdict, name


def test_the_shipped_judge_tells_true_from_false() -> None:
    source = "The lighthouse at Arle was built in 1887. Its lamp was electrified in 1931. The keeper was Ada Lund."
    fitted = metric("aver", judge="fast")
    assert isinstance(fitted, AverMetric)
    true, false, foreign = fitted.score(
        ["Its lamp was electrified in 1931.", "Its lamp was electrified in 1948.", "The mayor of Oslo resigned."],
        [source] * 3,
    )
    assert true is not None
    assert false is not None
    assert foreign is not None
    assert true > 0.5
    assert false < true
    assert foreign < 0.5


def test_three_are_read_singly_and_eight_together(judge: WordJudge) -> None:
    source = " ".join(f"The bridge has part {n}." for n in range(12))
    found = assess("The bridge has part 3.", source, judge=judge)
    ((*alone, together),) = judge.calls
    assert [evidence.count("part") for _, evidence in (*alone, together)] == [1, 1, 1, 8]
    assert (found.coverage.source_read, found.coverage.source_sentences) == (8, 12)


def test_what_is_too_long_to_be_read_together_does_not_count_as_read(judge: WordJudge) -> None:
    source = " ".join("The bridge " + f"has the part {n} and " * 60 + "no more." for n in range(8))
    found = assess("The bridge has the part 3.", source, judge=judge)
    ((*alone, (_, together)),) = judge.calls
    assert len(alone) == 3
    assert len(together) <= 6_000
    assert found.coverage.source_read == together.count("no more.") == 5


def test_a_sentence_that_decides_from_further_away_is_found() -> None:
    class Reluctant(WordJudge):
        """Supports where it reads of the opening, whatever words are shared."""

        def _one(self, claim: str, evidence: str) -> Judgement:
            said = WordJudge._one(self, claim, claim if "Arle did open" in evidence else "Tea.")
            return dataclasses.replace(said, model=self.model)

    source = " ".join(f"The old bridge of Arle has part {n}." for n in range(5)) + " Arle did open."
    (sentence,) = assess("The old bridge of Arle is in use.", source, judge=Reluctant()).sentences
    assert sentence.label is Label.SUPPORTS
    assert [e.text for e in sentence.evidence] == ["Arle did open."]


def test_what_is_borne_out_for_sure_is_called_so_however_it_is_weighed(judge: WordJudge) -> None:
    doubting = AverMetric(judge)
    doubting._weights = Weights("doubting", -9.0, {})
    source = "Anna Berg was born in 1950 in Oslo. She was a nurse and died in 2010."
    texts = ["Anna Berg was born in 1950 and died in 2010.", "Anna Berg was born in 1951 and died in 2010."]
    right, wrong = (found.sentences[0] for found in doubting.assess_all(texts, [source, source]))
    assert (right.label, right.spans) == (Label.SUPPORTS, ())
    assert right.score == pytest.approx(0.0, abs=0.001), "only the verdict is moved"
    assert wrong.label is not Label.SUPPORTS


@pytest.mark.parametrize(
    ("source", "support", "label"),
    [
        ("Ann sold tea in Oslo.", 0.6, Label.SUPPORTS),  # all of it stands in one sentence
        ("Ann sold tea in Oslo.", 0.4, Label.NOT_ENOUGH_INFO),  # but the reading does not lean to it
        ("Ann sold it. Tea was sold.", 0.6, Label.NOT_ENOUGH_INFO),  # put together from two
        ("Ann sold it. Tea was sold.", 0.95, Label.SUPPORTS),
    ],
)
def test_what_stands_in_one_sentence_need_not_be_borne_out_for_sure(
    source: str, support: float, label: Label, judge: WordJudge
) -> None:
    said = {"SUPPORTS": support, "REFUTES": 0.0, "NOT_ENOUGH_INFO": 1 - support}
    leaning = Label.SUPPORTS if support > 0.5 else Label.NOT_ENOUGH_INFO
    read = Read((0, 1)[: source.count(".")], (), Judgement(leaning, said, 1.0, "scored", judge.model))
    doubting = AverMetric(judge)
    doubting._weights = Weights("doubting", -9.0, {})
    text = "Ann sold tea."
    found = doubting.assess_sentence(Sentence(text, 0, len(text)), Source(source), read, details=False)
    assert found.label is label


def test_what_is_not_supported_is_refuted_only_where_a_reading_says_so(judge: WordJudge) -> None:
    (found,) = assess("Harbours sank near Bergen.", SOURCE, judge=judge).sentences
    assert found.label is Label.NOT_ENOUGH_INFO
    assert found.probabilities["REFUTES"] < 0.1


def test_a_figure_that_the_source_has_is_not_to_blame() -> None:
    poll = "In a poll 52% of 1,030 adults supported the closure, while 31% opposed it."
    harbour = "The harbour was opened in 1970."
    source = Source(f"{poll} {harbour} The harbour was moved in 1968.")

    def blamed(text: str, evidence: str, *, contradicted: bool) -> list[str]:
        found = find_spans(Sentence(text, 0, len(text)), source, [evidence], contradicted=contradicted)
        return [span.text for span in found if span.reason == "figure"]

    assert blamed("Only 52% opposed the closure.", poll, contradicted=True) == [], "it agrees with one of the two"
    assert blamed("In the poll 44% opposed the closure.", poll, contradicted=False) == ["44%"]
    assert blamed("The harbour was opened in 1968.", harbour, contradicted=False) == [], "it may be right elsewhere"
    assert blamed("The harbour was opened in 1968.", harbour, contradicted=True) == ["1968"]


def test_a_reading_that_leans_to_support_refutes_nothing(judge: WordJudge) -> None:
    leaning = {"SUPPORTS": 0.6, "REFUTES": 0.3, "NOT_ENOUGH_INFO": 0.1}
    read = Read((0,), (), Judgement(Label.SUPPORTS, leaning, 1.0, "scored", judge.model))
    doubting = AverMetric(judge)
    doubting._weights = Weights("doubting", -9.0, {})
    text = "Ann sold tea."
    found = doubting.assess_sentence(Sentence(text, 0, len(text)), Source("Ann sold it."), read, details=False)
    assert found.label is Label.NOT_ENOUGH_INFO
