"""From a claim to a verdict: retrieval, the claim rule with both sides, figures, coverage, provenance."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import math
import pickle
from collections.abc import Callable, Iterable
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import aver
from aver import Collection, InputError, Label
from aver.agreement import claim_label
from aver.cli._check_report import verdict_line
from aver.models import Judge, installed, load_judge
from aver.results import Judgement, Probabilities
from aver.verify import (
    FEATURES,
    WEIGHTS,
    Settings,
    both_sides,
    check,
    features,
    find_documents,
    prediction,
    ranker_for,
    read_sentences,
    select_sentences,
    select_text_sentences,
    weights_for,
)
from aver.verify._verdict import joint_word

from .conftest import SignJudge

BRIDGE = "The bridge was opened in spring."
Make = Callable[[dict[str, str]], Collection]


def label(evidence: str, judge: object, claim: str = BRIDGE, **settings: object) -> Label | None:
    return check(claim, evidence=evidence, model=judge, settings=Settings(**settings)).label  # type: ignore[arg-type]


def test_the_four_labels(signs: object) -> None:
    assert label("The bridge was opened (yes).", signs) is Label.SUPPORTS
    assert label("The bridge was opened (no).", signs) is Label.REFUTES
    assert label("The bridge is long.", signs) is Label.NOT_ENOUGH_INFO
    assert label("The bridge was opened (yes). The bridge was opened (no).", signs) is Label.DISPUTED


def test_a_dispute_needs_two_sure_sides(signs: object) -> None:
    text = "The bridge was opened (yes). The bridge was opened later (no?)."
    assert label(text, signs, dispute=0.9) is Label.SUPPORTS
    assert label(text, signs, dispute=0.3) is Label.DISPUTED
    verdict = check(BRIDGE, evidence=text, model=signs, settings=Settings(dispute=0.3))  # type: ignore[arg-type]
    assert [e.passage.number for e in verdict.supporting] == [0]
    assert [e.passage.number for e in verdict.refuting] == [1]
    assert verdict.deciding == verdict.supporting + verdict.refuting
    said = [e.probabilities for e in verdict.evidence]
    assert verdict.confidence == verdict.disputed == pytest.approx(both_sides(said))
    assert verdict.as_dict()["disputed"] == verdict.disputed


def test_one_sentence_disputes_nothing() -> None:
    torn = {"SUPPORTS": 0.5, "REFUTES": 0.5, "NOT_ENOUGH_INFO": 0.0}
    assert both_sides([torn]) == both_sides([]) == 0.0
    assert both_sides([torn, torn]) == pytest.approx(0.5)


@given(st.lists(st.tuples(*[st.floats(0.01, 1)] * 3), min_size=2, max_size=6))
def test_both_sides_is_the_probability_of_the_claim_rule(said: list[tuple[float, float, float]]) -> None:
    names = ("SUPPORTS", "REFUTES", "NOT_ENOUGH_INFO")
    rows = [dict(zip(names, (p / sum(row) for p in row), strict=True)) for row in said]
    total = 0.0
    for labels in itertools.product(names, repeat=len(rows)):
        if claim_label(labels) is Label.DISPUTED:
            total += math.prod(row[label] for row, label in zip(rows, labels, strict=True))
    assert both_sides(rows) == pytest.approx(total, abs=1e-9)


def test_unsure_verdicts_abstain_and_keep_the_likeliest_label(signs: object) -> None:
    verdict = check(BRIDGE, evidence="The bridge was opened (yes?).", model=signs, settings=Settings(abstain=0.99))  # type: ignore[arg-type]
    assert verdict.status == "abstained"
    assert verdict.label is Label.SUPPORTS
    assert any(note.startswith("not sure enough to say: SUPPORTS") for note in verdict.notes)
    assert any(note.endswith("below 0.99") for note in verdict.notes)


def test_figures_overrule_a_support_and_say_so(signs: object) -> None:
    claim, text = "The bridge has 40 lamps.", "The bridge has 60 lamps (yes)."
    verdict = check(claim, evidence=text, model=signs)  # type: ignore[arg-type]
    assert verdict.label is Label.REFUTES
    assert verdict.evidence[0].figure_role == "overrule"
    assert verdict.evidence[0].judgement.label is Label.SUPPORTS
    assert "“40”" in verdict.notes[0]
    assert "“60”" in verdict.notes[0]
    assert label(text, signs, claim, figures=False) is Label.SUPPORTS
    agreed = check(claim, evidence="The bridge has 40 lamps (yes).", model=signs)  # type: ignore[arg-type]
    assert agreed.evidence[0].figure_role == "corroborate"


def test_figures_overrule_where_only_they_are_written_differently(signs: object) -> None:
    for claim, text in (
        ("The star has 90K followers (no).", "The star has 90,312 followers (no)."),
        ("The trail is 5 km long.", "The trail is 3.1 miles long."),
        ("The hall was built between 1990 and 1995 (no).", "The hall was built in 1992 (no)."),
    ):
        verdict = check(claim, evidence=text, model=signs)  # type: ignore[arg-type]
        assert (verdict.label, verdict.evidence[0].figure_role) == (Label.SUPPORTS, "overrule")
        assert verdict.notes[0].startswith("figures overruled the judge")
    # another word is there: the refutation may rest on it
    other = check("The star has 90K followers.", evidence="The star lost 90,312 followers (no).", model=signs)  # type: ignore[arg-type]
    assert (other.label, other.evidence[0].figure_role) == (Label.REFUTES, "")
    friend = check(
        "The star has 90K followers.", evidence="The star has a friend who has 90,312 followers (no).", model=signs
    )  # type: ignore[arg-type]
    assert friend.label is Label.REFUTES


def test_what_is_said_of_another_of_that_name_takes_no_side(signs: object, make_collection: Make) -> None:
    claim = "Bus 12 stops at the mill."
    both = check(claim, evidence="Bus 15 stops at the mill (no). Bus 12 stops at the mill (yes).", model=signs)
    assert (both.label, [e.aside for e in both.evidence].count(True)) == (Label.SUPPORTS, 1)
    assert both.notes == ("what is said of Bus 15 takes no side: the claim is about Bus 12",)
    only = check(claim, evidence="Bus 15 stops at the mill (no).", model=signs)
    assert (only.label, only.evidence[0].label, only.deciding) == (Label.NOT_ENOUGH_INFO, Label.NOT_ENOUGH_INFO, ())
    named = check(claim, evidence=[("Bus 12", "Bus 15 stops at the mill, too (yes).")], model=signs)
    assert (named.label, named.notes) == (Label.SUPPORTS, ())
    with make_collection({"Bus 15": "Bus 15 stops at the mill (yes).", "Bus 9": "Bus 9 stops there (no)."}) as buses:
        assert check(claim, collection=buses, model=signs).label is Label.NOT_ENOUGH_INFO


def test_only_a_joint_reading_of_the_overruled_side_is_overruled(signs: Judge) -> None:
    evidence = check("The bridge has 40 lamps.", evidence="The bridge has 60 lamps (yes).", model=signs).evidence
    said = {label: signs.judge([("a", text)])[0] for label, text in (("S", "(yes)"), ("R", "(no)"), ("N", "so"))}
    assert joint_word(evidence, said["S"]) == said["R"].probabilities
    assert joint_word(evidence, said["R"]) == said["R"].probabilities
    assert joint_word(evidence, said["N"]) == said["N"].probabilities


def test_both_sides_are_told_of_below_the_threshold_too(signs: object) -> None:
    text = "The bridge was opened (yes). The bridge was opened later (no)."
    verdict = check(BRIDGE, evidence=text, model=signs, settings=Settings(dispute=1.0))  # type: ignore[arg-type]
    assert verdict.rule_label is Label.DISPUTED
    assert verdict.label is not Label.DISPUTED
    assert "both sides" in verdict.notes[0]


def test_the_nearest_sentences_of_many_texts_are_read(signs: object) -> None:
    texts = [("Other", f"Lamp {n} hangs here.") for n in range(40)] + [
        ("Arle", "The bridge was opened in spring (yes).")
    ]
    verdict = check(BRIDGE, evidence=texts, model=signs)  # type: ignore[arg-type]
    assert verdict.label is Label.SUPPORTS
    coverage = verdict.coverage
    assert (coverage.documents, coverage.documents_total, coverage.sentences_total) == (41, 41, 41)
    quoted = check("He said “the bridge was opened in spring”.", evidence=texts, model=signs)  # type: ignore[arg-type]
    assert (quoted.quotes[0].outcome, quoted.quotes[0].document) == ("found", "Arle")


@pytest.mark.parametrize("evidence", [123, b"text", "", "  ", [("Title", "")], [], {"a": "b"}])
def test_evidence_nobody_can_read(evidence: object, signs: object) -> None:
    with pytest.raises(InputError, match="evidence"):
        check(BRIDGE, evidence=evidence, model=signs)  # type: ignore[arg-type]


def test_of_very_many_sentences_the_nearest_by_words_get_vectors() -> None:
    text = " ".join(f"Lamp {n} hangs here." for n in range(6_000)) + " The bridge was opened in spring."
    found = select_text_sentences(BRIDGE, text, limit=1)
    assert found.passages[0].text == "The bridge was opened in spring."
    assert found.sentences == 6_001


def test_verdicts_can_be_pickled_and_copied(signs: object, make_collection: Make) -> None:
    with make_collection({"Arle Bridge": "The bridge was opened in spring (yes). It was late (no)."}) as collection:
        verdict = check(BRIDGE, collection=collection, model=signs)  # type: ignore[arg-type]
    for one in (pickle.loads(pickle.dumps(verdict)), copy.deepcopy(verdict)):
        assert one == verdict
        assert one.as_dict() == verdict.as_dict()


def test_evidence_says_exactly_where_it_stands(signs: object, make_collection: Make) -> None:
    documents = {"Arle Bridge": "It is green. The bridge was opened in spring (yes).", "Tea": "Tea is hot."}
    with make_collection(documents) as collection:
        verdict = check(BRIDGE, collection=collection, model=signs)  # type: ignore[arg-type]
        passage = verdict.deciding[0].passage
        assert passage.title == "Arle Bridge"
        assert documents[passage.document][passage.start : passage.end] == passage.text
        stored = collection.sentences(collection.get(passage.document))[passage.number]
        assert (stored.hash, stored.text) == (passage.hash, passage.text)
        assert verdict.provenance.documents[passage.document] == collection.get(passage.document).hash
        assert verdict.coverage.documents_total == 2
        again = check(BRIDGE, collection=collection.folder, model=signs)  # type: ignore[arg-type]
        assert again.as_dict() | {"seconds": 0} == verdict.as_dict() | {
            "seconds": 0,
            "provenance": verdict.provenance.as_dict() | {"source": str(collection.folder)},
        }


def test_coverage_says_what_was_not_read(signs: object) -> None:
    text = " ".join(f"Sentence {n} is about a bridge." for n in range(50))
    coverage = check(BRIDGE, evidence=text, model=signs, settings=Settings(sentences=10)).coverage  # type: ignore[arg-type]
    assert (coverage.sentences, coverage.sentences_total) == (10, 50)
    assert coverage.share == pytest.approx(0.2)


def test_a_sentence_that_is_repeated_is_read_once(signs: object) -> None:
    text = "The bridge was opened (yes). " * 40 + "The bridge was never opened (no)."
    verdict = check(BRIDGE, evidence=text, model=signs, settings=Settings(sentences=2, evidence=2))  # type: ignore[arg-type]
    assert verdict.label is Label.DISPUTED
    assert (verdict.coverage.sentences, verdict.coverage.sentences_total) == (2, 41)


def test_nothing_to_read_is_never_a_support(signs: object, make_collection: Make) -> None:
    with make_collection({"Tea": "Tea is hot."}) as collection:
        verdict = check("Zebras graze.", collection=collection, model=signs)  # type: ignore[arg-type]
    assert (verdict.label, verdict.status, verdict.evidence) == (Label.NOT_ENOUGH_INFO, "abstained", ())
    assert verdict.coverage.share == 0.0
    assert (verdict.coverage.documents, verdict.coverage.documents_total) == (0, 1)


def test_the_steps_one_by_one(signs: object, make_collection: Make) -> None:
    documents = {
        "Arle Bridge": "Arle Bridge is green. It was opened in spring (yes). " + "It is long. " * 30,
        "Tea": "Tea is hot. It is drunk in spring.",
    }
    claim = "Arle Bridge was opened in spring."
    with make_collection(documents) as collection:
        hits = find_documents(collection, claim)
        assert hits[0].document.title == "Arle Bridge"
        assert hits[0].mention is not None
        chosen = select_sentences(collection, claim, hits, limit=4)
        assert len(chosen.passages) == 4
        assert chosen.sentences == 34
        nearest = [p.similarity for p in chosen.passages]
        assert nearest == sorted(nearest, reverse=True)
        turned = select_sentences(collection, claim, hits, limit=1, similarity=lambda _, ps: [-len(p.text) for p in ps])
        assert turned.passages[0].text in ("It is long.", "Tea is hot.")
        readings = read_sentences(signs, claim, chosen.passages)  # type: ignore[arg-type]
        assert readings[0].passage.text == "It was opened in spring (yes)."
        assert find_documents(collection, "…") == ()


def test_predictions_are_what_the_fever_scorer_takes(signs: object, make_collection: Make) -> None:
    with make_collection({"Arle Bridge": "It is green. The bridge was opened in spring (no)."}) as collection:
        row = prediction(check(BRIDGE, collection=collection, model=signs))  # type: ignore[arg-type]
    assert row["predicted_label"] == "REFUTES"
    assert row["predicted_evidence"][0] == ["Arle Bridge", 1]
    gold = {"id": 1, "label": "REFUTES", "evidence": [[[None, None, "Arle Bridge", 1]]]}
    score = aver.measure("FEVER(official)@5").score([{"id": 1, **row}], [gold])
    assert score["fever_score"] == 1.0
    both = prediction(check(BRIDGE, evidence="The bridge was opened (yes). The bridge opened (no).", model=signs))  # type: ignore[arg-type]
    assert both["label"] == "DISPUTED"
    assert both["predicted_label"] in ("SUPPORTS", "REFUTES")


@pytest.mark.parametrize("claim", ["", "  ", "…!", "word " * 1000])
def test_claims_nobody_can_check(claim: str, signs: object) -> None:
    with pytest.raises(InputError, match="the claim"):
        check(claim, evidence="Tea is hot.", model=signs)  # type: ignore[arg-type]


def test_half_a_surrogate_pair_ends_nothing(signs: object, make_collection: Make) -> None:
    claim, text = "Arle Bridge opened \ud83d in 1931.", "Arle Bridge opened in 1931 \udd25 (yes). It is old."
    found = check(claim, evidence=text, model=signs)  # type: ignore[arg-type]
    assert (found.label, found.evidence[0].passage.text) == (Label.SUPPORTS, text[:-11])
    with make_collection({"Arle Bridge": text.replace("\udd25", "")}) as collection:
        assert check(claim, collection=collection, model=signs).label is Label.SUPPORTS  # type: ignore[arg-type]


def test_evidence_may_be_titled_sentences(signs: object) -> None:
    verdict = check(BRIDGE, evidence=[("Arle Bridge", "It was opened (yes)."), ("", "Tea.")], model=signs)  # type: ignore[arg-type]
    assert verdict.label is Label.SUPPORTS
    assert verdict.deciding[0].passage.titled == "Arle Bridge: It was opened (yes)."
    with pytest.raises(InputError, match="evidence 0"):
        check(BRIDGE, evidence=["a sentence"], model=signs)  # type: ignore[arg-type,list-item]
    with pytest.raises(InputError, match="not both"):
        check(BRIDGE, evidence="a", collection="b", model=signs)  # type: ignore[arg-type]


def test_a_judge_reads_sentences_under_their_titles(signs: Judge) -> None:
    judge = Counting(signs, "own")
    told = [("Arle Bridge", "It was opened (yes)."), ("Arle Bridge", "It is green."), ("", "Tea.")]
    check(BRIDGE, evidence=told, model=judge, settings=UNMARKED)
    *alone, together = judge.asked
    assert set(alone) == {"Arle Bridge: It was opened (yes).", "Arle Bridge: It is green.", "Tea."}
    assert together == "Arle Bridge: It was opened (yes). Arle Bridge: It is green. Tea."


def test_a_sentence_with_another_figure_takes_sides(make_collection: Make) -> None:
    documents = {
        "gazette": "Notes of the week. The Arle Bridge opened in 1931 after four years of work.",
        "register": "Bridges of the county. The Arle Bridge opened in 1935, according to the county register.",
    }
    collection = make_collection(documents)
    verdict = check("The Arle Bridge opened in 1931.", collection=collection, model="default")
    assert not any(e.aside for e in verdict.evidence if "19" in e.passage.text)
    assert verdict.label is Label.DISPUTED


class Declining(SignJudge):
    """Declines to judge evidence with this in it, or every pair of sentences together."""

    def __init__(self, what: str = "", status: Literal["abstained", "error"] = "abstained") -> None:
        self.what, self.status = what, status

    def _one(self, claim: str, evidence: str) -> Judgement:
        if (self.what or ". Arle") in evidence:
            return Judgement.unread(self.status, "the model declined", model=self.model)
        return super()._one(claim, evidence)


@pytest.mark.parametrize("status", ["abstained", "error"])
def test_without_a_joint_reading_the_sentences_decide(make_collection: Make, status: Any) -> None:
    text = "The bridge was opened (yes). Arle and its bridge were opened in spring (yes)."
    verdict = check("The bridge was opened in Arle.", evidence=text, model=Declining(status=status))
    assert (verdict.label, verdict.status) == (Label.SUPPORTS, "scored")
    assert "what the sentences say together could not be told: the model declined" in verdict.notes
    with make_collection({"Arle Bridge": text}) as collection:
        assert check("The bridge was opened in Arle.", collection=collection, model=Declining()).label is Label.SUPPORTS


def test_what_the_judge_declines_to_read_is_told_as_such() -> None:
    nothing = check(BRIDGE, evidence="The bridge was opened in spring.", model=Declining("bridge"))
    assert (nothing.label, nothing.status, nothing.notes) == (None, "abstained", ("the model declined",))
    assert verdict_line(nothing).endswith("the judge gave no verdict")
    some = check(BRIDGE, evidence="The bridge was opened (yes). The old bridge is long.", model=Declining("old"))
    assert some.label is Label.SUPPORTS
    assert "1 sentence could not be judged: the model declined" in some.notes


class Counting(Judge):
    """Another judge that keeps count of what it was asked; its word may be turned round."""

    def __init__(self, judge: Judge, name: str, *, deaf: bool = False) -> None:
        self.name, self.model, self._judge, self._deaf = name, f"{name}@000000000000", judge, deaf
        self.asked: list[str] = []

    def judge(self, pairs: Iterable[tuple[str, str]], *, batch_tokens: int = 1024) -> list[Judgement]:
        pairs = list(pairs)
        self.asked += [evidence for _, evidence in pairs]
        if self._deaf:
            return [Judgement.unread("error", "cannot be read", model=self.model) for _ in pairs]
        return [dataclasses.replace(j, model=self.model) for j in self._judge.judge(pairs)]


UNMARKED = Settings(rationale=False)
MANY = "The bridge was opened in spring (yes). " + " ".join(f"The bridge has part {n}." for n in range(12))


def test_the_ranker_reads_all_and_the_judge_the_best(signs: Judge) -> None:
    small, large = Counting(signs, "small"), Counting(signs, "large")
    verdict = check(BRIDGE, evidence=MANY, model=large, ranker=small, settings=UNMARKED)
    assert len(small.asked) == 13
    assert len(large.asked) == 6, "five one by one, and the five together"
    assert verdict.label is Label.SUPPORTS
    assert (verdict.provenance.model, verdict.provenance.ranker) == (large.model, small.model)
    assert verdict.as_dict()["provenance"]["ranker"] == small.model
    assert {e.judgement.model for e in verdict.evidence} == {large.model}
    assert prediction(verdict)["ranker"] == small.model
    assert (verdict.coverage.sentences, verdict.coverage.sentences_total) == (13, 13)


class Alphabetic(Counting):
    """A judge that takes a sentence for the more decisive the earlier in the alphabet its bridge stands."""

    def judge(self, pairs: Iterable[tuple[str, str]], *, batch_tokens: int = 1024) -> list[Judgement]:
        found = []
        for (_, evidence), judgement in zip(pairs, super().judge(pairs), strict=True):
            silence = min(1.0, 0.08 * "ABCDEFGHIJ".index(evidence[len("Bridge ")]))
            shares = Probabilities({"SUPPORTS": 1 - silence, "REFUTES": 0.0, "NOT_ENOUGH_INFO": silence})
            found.append(dataclasses.replace(judgement, probabilities=shares, relevance=1 - silence))
        return found


def test_of_what_a_search_found_the_judge_reads_eight_and_keeps_the_best_five(
    signs: Judge, make_collection: Callable[[dict[str, str]], Collection]
) -> None:
    said = dict.fromkeys("ABCDEFGHIJ", "(so)") | {"G": "(yes)", "J": "(yes)"}
    with make_collection({f"Bridge {x}": f"The bridge was opened in {x} {so}." for x, so in said.items()}) as bridges:
        small, large = Alphabetic(signs, "small"), Counting(signs, "default")
        verdict = check(BRIDGE, collection=bridges, model=large, ranker=small, settings=UNMARKED)
        assert len(large.asked) == 9, "eight one by one, and five together"
        assert len(small.asked) > 8
        assert verdict.evidence[0].passage.title == "Bridge G", "the seventh by its ranker; the tenth it does not read"
        assert len(verdict.evidence) == 5
        few = Counting(signs, "default")
        check(BRIDGE, collection=bridges, model=few, ranker=small, settings=dataclasses.replace(UNMARKED, sentences=7))
        assert len(few.asked) == 8, "seven are not ranked first"


def test_a_judge_that_ranks_for_itself_reads_nothing_twice(signs: Judge) -> None:
    for ranker in (None, "same"):
        judge = Counting(signs, "own")
        ranked_by = None if ranker is None else judge
        verdict = check(BRIDGE, evidence=MANY, model=judge, ranker=ranked_by, settings=UNMARKED)
        assert len(judge.asked) == 14
        assert verdict.provenance.ranker == ""
        assert verdict.as_dict()["provenance"]["ranker"] is None


def test_where_few_were_chosen_nothing_is_ranked(signs: Judge) -> None:
    small, large = Counting(signs, "small"), Counting(signs, "large")
    text = "It is green. The bridge was opened (yes)."
    verdict = check(BRIDGE, evidence=text, model=large, ranker=small, settings=UNMARKED)
    assert (len(small.asked), len(large.asked), verdict.provenance.ranker) == (0, 3, "")


def test_what_the_ranker_reads_and_the_judge_cannot_is_an_error(signs: Judge) -> None:
    verdict = check(BRIDGE, evidence=MANY, model=Counting(signs, "large", deaf=True), ranker=signs)
    assert (verdict.label, verdict.status) == (None, "error")
    assert verdict.notes[0].startswith("cannot be read (evidence, sentence ")


def test_who_ranks_for_whom(signs: Judge) -> None:
    assert ranker_for(signs) is signs
    # a judge of the same name that is not the one that ships ranks for itself, too
    stranger = Counting(signs, "default")
    assert ranker_for(stranger) is stranger
    if {"default", "fast"} <= set(installed()):
        assert ranker_for(load_judge("default")).name == "fast"


def test_settings_that_make_no_sense() -> None:
    with pytest.raises(InputError, match="2 problems"):
        Settings(documents=0, abstain=2.0)


def test_weights_go_by_hash_or_name() -> None:
    assert weights_for("fast@ffffffffffff") is not None
    assert weights_for("signs@000000000000") is None
    for weights in WEIGHTS.values():
        assert len(weights.supports) == len(weights.refutes) == len(FEATURES) + 1
        handed_in = Settings().disputed_from(None)
        assert handed_in <= weights.dispute <= 1, "a search is not sooner to see both sides than whoever chose evidence"


def test_what_is_weighed(signs: Judge, make_collection: Make) -> None:
    documents = {"Arle Bridge (Kent)": "It was opened in spring (yes). It is green.", "Tea": "Tea is hot."}
    with make_collection(documents) as collection:
        verdicts = [check(claim, collection=collection, model=signs) for claim in (
            "The Arle Bridge's gate was opened in spring.", "A bridge was opened in spring.",
            "Mill House was opened in spring at Arle.",
        )]  # fmt: skip
    for verdict, subject in zip(verdicts, (1.0, 1.0, 0.0), strict=True):
        assert verdict.joint is not None
        found = dict(zip(FEATURES, features(verdict.claim, verdict.evidence, verdict.joint.probabilities), strict=True))
        assert found["subject"] == subject
        assert found["support"] > 0 > found["refutation"]
        assert found["joint support"] > found["joint refutation"]
        assert 0.5 < found["overlap"] <= 1.0
        assert 0.0 <= found["cosine"] <= 1.0


def test_a_text_without_sentences_is_read_as_none() -> None:
    assert select_text_sentences("Tea is hot.", "   \n ").passages == ()
