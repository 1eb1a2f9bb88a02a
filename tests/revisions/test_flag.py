"""Which edits change a fact, who says so, and what they touch."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

import aver
from aver.errors import InputError
from aver.models import load_judge
from aver.revisions import (
    CombinedFlagger,
    EditDistance,
    EditedWords,
    Flagger,
    Passage,
    diff,
    edit_kinds,
    flag_edits,
    harmless_edit,
    load_flagger,
    synthesise,
)
from aver.revisions._edit_features import FEATURES, features, focused, rule_features
from aver.revisions._flag_weights import SCALINGS, scaling_for
from aver.revisions._word_diff import marked

FACTUAL = [
    ("The film grossed $ 116 million worldwide .", "The film grossed $ 216 million worldwide ."),
    ("He was born in Rome in 1931 .", "He was born in Turin in 1931 ."),
    ("The bridge was opened in May 1931 .", "The bridge was opened in June 1932 ."),
    ("The town has a harbour .", "The town does not have a harbour ."),
]
HARMLESS = [
    ("The film grossed $ 116 million worldwide .", "The film earned $116 million worldwide."),
    ("He began his career in Rome .", "He started his career in Rome ."),
    ("The bridge was opened in May 1931 .", "In May 1931 the bridge was opened ."),
    ("The organisation has 1200 members .", "The organization has 1,200 members ."),
]


@pytest.mark.parametrize(
    ("before", "after", "kinds"),
    [
        ("It made $ 16 million .", "It made $ 18 million .", ("quantity",)),
        ("It has more than 20 rooms.", "It has fewer than 20 rooms.", ("quantity",)),
        ("It was opened in 1931 .", "It was opened in 1932 .", ("date",)),
        ("On May 3 , it rained .", "On May 4 , it rained .", ("date",)),
        ("Born March 3 , 1970 in Rome .", "Born 3 March 1970 in Rome .", ("other",)),
        ("She lives in Rome .", "She lives in Turin .", ("entity",)),
        ("It is open .", "It is not open .", ("negation",)),
        ("It is open .", "It isn't open .", ("negation",)),
        ("They won 7–2 .", "They won 7–3 .", ("quantity",)),
        ("The film is good .", "This film is bad .", ("other",)),
        ("He was third .", "He was fifth .", ("quantity",)),
        ("It has 1752 seats .", "It has 1,752 seats .", ("other",)),
        ("It began at 3 pm.", "It began at 15:00.", ("other",)),
        ("It is open until 5 p.m.", "It is open until 17:00.", ("other",)),
        ("It ended at 21:10.", "It ended at 10 pm.", ("quantity",)),
        ("About 9,000 vehicles use it.", "Some 9,000 vehicles use it.", ("other",)),
        ("Three people came.", "Five people came.", ("quantity",)),
        ("Twenty-one came.", "Twenty-two came.", ("quantity",)),
        ("It is old. Formerly it was a mill.", "It is old. Previously it was a mill.", ("other",)),
        ("Bridges were built.", "The bridges were built.", ("other",)),
        ("Berlin is large.", "Hamburg is large.", ("entity",)),
    ],
)
def test_kinds(before: str, after: str, kinds: tuple[str, ...]) -> None:
    assert edit_kinds(before, after) == kinds


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("The fine was 10,000 euros.", "The fine was €10,000.", "The fine was {+€+}10,000 [-euros-]."),
        ("The fine was 10,000 euros .", "The fine was € 10,000 .", "The fine was {+€+} 10,000 [-euros-] ."),
        ("The film is old.", "The new film is old.", "The {+new+} film is old."),
        ("It is old.", "In short, it is old.", "[-It-]{+In short, it+} is old."),
        ("She left.", "Then she said she left.", "[-She-]{+Then she said she+} left."),
        ("Nobody left", "Almost Nobody left early", "{+Almost+} Nobody left {+early+}"),
        ("It is long", "It is long.", "It is long{+.+}"),
        ("It (old) is long.", "It (very old) is long.", "It ({+very+} old) is long."),
    ],
)
def test_an_edit_is_shown_with_the_spaces_of_the_version_it_is_in(before: str, after: str, shown: str) -> None:
    assert marked(before, after) == shown


def test_kinds_of_edits_made_to_be_of_a_kind() -> None:
    page = Passage(
        "Arle",
        [
            "Arle has a population of 4,200 people and a large harbour .",
            "It was founded in 1202 by the monks of Rome .", "The bridge over the river was opened on 3 May 1931 .",
            "The town sold 1.5 million tickets in France .",
        ],
    )  # fmt: skip
    meant = {"number": "quantity", "date": "date"}
    seen = 0
    for seed in range(8):
        cases: dict[str, dict[bool, str]] = {}
        kinds: dict[str, str] = {}
        for pair in synthesise([page], seed=seed, kinds=list(meant)):
            if pair.label != "NOT_ENOUGH_INFO":
                cases.setdefault(pair.case_id, {})[pair.edited] = pair.evidence
                kinds[pair.case_id] = meant[pair.kind]
        for case, versions in cases.items():
            if len(versions) == 2:
                assert kinds[case] in edit_kinds(versions[False], versions[True])
                seen += 1
    assert seen > 10


@pytest.fixture(scope="module")
def flagger() -> Flagger:
    return load_flagger("aver", model="fast")


def test_ours_tells_them_apart(flagger: Flagger) -> None:
    found = flag_edits(FACTUAL + HARMLESS, flagger=flagger)
    sure = [edit.probability or 0.0 for edit in found]
    assert min(sure[: len(FACTUAL)]) > 0.5 > max(sure[len(FACTUAL) :])
    assert [edit.factual for edit in found] == [True] * len(FACTUAL) + [False] * len(HARMLESS)
    assert [edit.kind for edit in found[:4]] == ["quantity", "entity", "date", "negation"]
    assert found[0].flagger.startswith("aver:fast@")


def test_a_time_of_the_day_written_otherwise_is_no_change(flagger: Flagger) -> None:
    pairs = [
        ("It began at 3 pm.", "It began at 15:00."), ("It ended at 21:10.", "It ended at 9:10 p.m."),
        ("It ended at 21:10.", "It ended at 10 pm."),
    ]  # fmt: skip
    found = flag_edits(pairs, flagger=flagger)
    assert [edit.factual for edit in found] == [False, False, True]
    assert [edit.probability for edit in found[:2]] == [0.0, 0.0]
    assert (found[0].words[0].before, found[0].words[0].after) == ("3 pm", "15:00")


def test_the_shipped_model_has_fitted_weights(flagger: Flagger) -> None:
    assert isinstance(flagger, CombinedFlagger)
    assert flagger.fitted
    for (name, _), scaling in SCALINGS.items():
        assert 0 < scaling.threshold < 1
        if name == "aver":
            assert tuple(scaling.weights) == FEATURES
    assert tuple(scaling_for("aver", "unknown@0").weights) == FEATURES


@pytest.mark.parametrize("name", ["pair", "diff", "distance"])
def test_baselines_rank_better_than_chance(name: str) -> None:
    told = load_flagger(name, model="fast")
    scores = [score or 0.0 for score in told.score(FACTUAL + HARMLESS)]
    assert len(scores) == 8
    assert all(0 <= score <= 1 for score in scores)
    if name != "distance":
        assert np.mean(scores[:4]) > np.mean(scores[4:]) + 0.3


def test_baselines_are_fitted_on_labelled_edits() -> None:
    pages = [f"The town of Arle number {n} has {n + 10} wells and many old people ." for n in range(60)]
    rng = random.Random(1)
    harmless = [(page, edit) for page in pages if (edit := harmless_edit(page, rng)) is not None]
    factual = [(page, page.replace(" wells", "0 wells")) for page in pages]
    labels = [True] * len(factual) + [False] * len(harmless)
    for kind in (EditedWords, EditDistance):
        told = kind.fit(factual + harmless, labels)
        scores = [score or 0.0 for score in told.score(factual + harmless)]
        if kind is EditedWords:
            assert np.mean([s > 0.5 for s in scores[: len(factual)]]) > 0.9
            assert np.mean([s < 0.5 for s in scores[len(factual) :]]) > 0.9
    with pytest.raises(InputError, match="both kinds"):
        EditedWords.fit(factual, [True] * len(factual))


def test_any_object_that_scores_will_do() -> None:
    class Longer:
        name, threshold = "longer", 0.5

        def score(self, pairs: Sequence[tuple[str, str]]) -> list[float | None]:
            return [float(len(after) > len(before)) for before, after in pairs]

    found = flag_edits([("a b c", "a b c d"), ("a b c", "a b"), ("a  b", "a b")], flagger=Longer())
    assert [edit.factual for edit in found] == [True, False, False]
    assert found[2].probability == 0.0


def test_progress_is_told_on_the_way() -> None:
    pairs = [(f"It has {number} bells.", f"It has {number + 1} bells.") for number in range(2, 152)]
    told: list[int] = []
    found = flag_edits([*pairs, ("a  b", "a b")], flagger="distance", progress=told.append)
    assert sum(told) == len(pairs)
    assert len(told) > 1
    assert [edit.before for edit in found] == [before for before, _ in [*pairs, ("a  b", "a b")]]
    old, new = (" ".join(side) for side in zip(*pairs[:9], strict=True))
    told.clear()
    aver.diff(old, new, flagger="distance", progress=told.append)
    assert sum(told) > 0


def test_wrong_input_is_told_at_once() -> None:
    with pytest.raises(InputError) as told:
        flag_edits([("a", ""), ("a", "b"), ("a", 3)], threshold=1.5)  # type: ignore[list-item]
    assert len(told.value.problems) == 3
    with pytest.raises(InputError, match="no flagger"):
        load_flagger("best")
    with pytest.raises(InputError, match="must be text"):
        diff("a", None)  # type: ignore[arg-type]


def test_what_is_too_long_for_the_model_says_so(flagger: Flagger) -> None:
    long = " ".join(f"word{n}" for n in range(600))
    other = " ".join(f"term{n}" for n in range(600))
    (found,) = flag_edits([(long, other)], flagger=flagger)
    assert found.probability is None
    assert found.factual is None
    assert "longer" in found.reason
    # a long text with one edit in it is read around the edit
    (found,) = flag_edits([(long + " and 30 wells", long + " and 45 wells")], flagger=flagger)
    assert found.probability is not None


def test_only_what_changed_is_read_of_a_long_pair() -> None:
    long = "filler " * 200
    before, after = focused(f"{long}has 30 wells {long}", f"{long}has 45 wells {long}")
    assert "30" in before
    assert "45" in after
    assert len(before.split()) <= 91
    assert focused("It is old.", "It is new.") == ("It is old.", "It is new.")
    assert focused("It is.", "It is big.", context=1) == ("is.", "is big.")


def test_features_have_their_names_and_no_nan() -> None:
    table, read = features(FACTUAL + HARMLESS, load_judge("fast"))
    assert table.shape == (8, len(FEATURES))
    assert all(read)
    assert np.isfinite(table).all()
    assert rule_features([]).shape[0] == 0


def test_diff_flags_pairs_and_lists_the_rest(flagger: Flagger) -> None:
    old = "The tower is 52 metres high. It began as a fort. Nobody lives there."
    new = "The tower is 57 metres high. It started as a fort. There is a café."
    found = diff(old, new, flagger=flagger)
    assert [(c.pair.alignment, c.factual) for c in found.changes] == [
        ("reworded", True), ("reworded", False), ("removed", False), ("added", False),
    ]  # fmt: skip
    assert found.changes[2].flag is None
    assert found.counts["reworded"] == 2
    assert found.as_dict()["changes"][0]["kind"] == "quantity"
    assert diff(old, old, flagger=flagger).changes == ()


def test_a_sentence_of_megabytes_is_an_error_that_says_what_to_do() -> None:
    long = "word " * 30_000
    with pytest.raises(InputError, match="split the text into lines or sentences"):
        flag_edits([("It has 3 bells.", "It has 4 bells."), (long, long + "more")], flagger="distance")
