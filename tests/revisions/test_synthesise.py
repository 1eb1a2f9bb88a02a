"""Groups of pairs: the same for a seed, balanced on both sides, whole; and the command that makes them."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aver.errors import InputError
from aver.labels import Label
from aver.revisions import KINDS, ContrastPair, Passage, read_pages, synthesise
from aver.revisions._claims import SLOT

S, R, N = Label.SUPPORTS, Label.REFUTES, Label.NOT_ENOUGH_INFO

PAGES = [
    Passage("Barnyard (film)", [
        "Barnyard is a 2006 American comedy film directed by Steve Oedekerk .",
        "It grossed $ 116 million worldwide , and was released on August 4 , 2006 .",
        "The film received mixed reviews from critics and sold more than 2,000 copies .",
        "It was the second of 12 films made by the studio in Texas .",
    ]),
    Passage("Ada Moor", [
        "Ada Moor ( born 12 May 1961 ) is a Swedish chemist who works in Oslo .",
        "She won the election in 1999 , after her defeat in 1995 .",
        "Her father was born in Norway and her book has 320 pages .",
        "In 2004 , she moved to a city north of Oslo .",
    ]),
    Passage("Lund Cup", [
        "The Lund Cup is a football tournament held in Sweden .",
        "Malmo defeated Ystad in the final of 2003 .",
        "It was first held in 1980 and about 40,000 people watched it .",
        "All matches are played in May , and the final starts at 3 pm .",
        "It is held 40 kilometres north of Lund .",
        "Ystad lies 40 kilometres south of Lund .",
        "Malmo scored 12 goals and 5 penalties in its matches .",
    ]),
]  # fmt: skip


def made(seed: int = 0, **options: Any) -> list[ContrastPair]:
    return list(synthesise(PAGES, seed=seed, **options))


def test_a_seed_gives_the_same_pairs_and_another_seed_others() -> None:
    assert made(5) == made(5)
    assert made(5) != made(6)


def test_the_order_of_pages_changes_no_pairs() -> None:
    forwards = sorted(map(repr, synthesise(PAGES, seed=2, kinds=["number", "date"], per_sentence=3)))
    backwards = sorted(map(repr, synthesise(PAGES[::-1], seed=2, kinds=["number", "date"], per_sentence=3)))
    assert forwards == backwards


def test_adding_a_page_leaves_the_others_as_they_were() -> None:
    before = made(3, kinds=["number", "date"])
    more = [*PAGES, Passage("New", ["New was 40 years old in 1950 when it closed ."])]
    after = [p for p in synthesise(more, seed=3, kinds=["number", "date"]) if p.page != "New"]
    assert before == after


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_made_alone(kind: str) -> None:
    found = [p for seed in range(12) for p in made(seed, kinds=[kind])]
    assert found
    assert {pair.kind for pair in found} == {kind}


def test_neither_side_tells_the_label() -> None:
    """Of a group every claim has every label it can, and every evidence of the twin both: counted, not hoped for."""
    groups = defaultdict(list)
    for seed in range(30):
        for pair in made(seed):
            groups[seed, pair.case_id].append(pair)
    assert len(groups) > 100
    for pairs in groups.values():
        if pairs[0].kind in ("bounded number", "hedge", "quantifier", "step"):
            continue  # some of their claims are open under one of the two: counted below
        by_claim, by_evidence = defaultdict(list), defaultdict(list)
        for pair in pairs:
            by_claim[pair.claim].append(pair.label)
            by_evidence[pair.evidence].append(pair.label)
        first, second, *others = by_claim.values()
        assert Counter(first) == Counter(second)
        assert Counter(first)[S] == 1
        for labels in by_evidence.values():
            counts = Counter(labels)
            # the sentence and its twin support one claim and not the other; the open one decides neither of the two
            assert counts in (Counter([S, R]), Counter([S, N]), Counter([N, N]), Counter([S, R, N, N]))
        assert len(others) in (0, 2)


@pytest.mark.parametrize("kind", ["bounded number", "hedge", "quantifier", "step"])
def test_evidence_that_leaves_open_also_decides(kind: str) -> None:
    labels: dict[bool, Counter[Label]] = defaultdict(Counter)
    for seed in range(60):
        for pair in made(seed, kinds=[kind]):
            labels[pair.edited][pair.label] += 1
    for counts in labels.values():
        assert counts[S]
        assert counts[R]
    both = labels[False] + labels[True]
    assert max(both.values()) < 0.45 * both.total()


def test_groups_are_whole() -> None:
    seen = 0
    for seed in range(40):
        for pair in made(seed, per_sentence=3):
            seen += 1
            assert SLOT not in pair.claim + pair.evidence
            assert pair.claim.endswith(".")
            assert pair.claim[0].isupper() or pair.claim[0].isdigit()
            assert "  " not in pair.claim + pair.evidence
            assert (pair.rationale == ()) or pair.label in (S, R)
            for start, end in pair.rationale:
                assert 0 <= start < end <= len(pair.evidence)
                assert pair.evidence[start:end].strip() == pair.evidence[start:end]
    assert seen > 500


def test_the_rationale_is_what_the_edit_changed() -> None:
    for seed in range(20):
        groups = defaultdict(list)
        for pair in made(seed, kinds=["number", "date", "word", "comparative"]):
            groups[pair.case_id].append(pair)
        for pairs in groups.values():
            old, new = pairs[0], pairs[1]
            if old.rationale and new.rationale:
                (a, b), (c, d) = old.rationale[0], new.rationale[0]
                assert (
                    old.evidence[:a].rstrip("n") == new.evidence[:c].rstrip("n")
                    or old.evidence[:a][:-2] in new.evidence
                )
                assert old.evidence[b:] == new.evidence[d:]
                assert old.evidence[a:b] != new.evidence[c:d]


def test_edited_says_whether_the_evidence_is_the_users_own() -> None:
    own = {sentence for page in PAGES for sentence in page.sentences}
    for pair in made(9, per_sentence=3):
        assert (pair.evidence not in own) == pair.edited


def test_plain_text_stays_plain() -> None:
    page = Passage(
        "Fuji", ["Fuji is 3,776 m (12,389 ft) high, and it lies near Tokyo.", "It last erupted in 1707, it is said."]
    )
    pairs = [p for seed in range(10) for p in synthesise([page], seed=seed)]
    assert pairs
    assert not [p for p in pairs if " ." in p.claim + p.evidence or " ," in p.evidence]


def test_limit_and_per_sentence() -> None:
    assert len(made(1, limit=7)) == 7
    assert made(1, limit=7) == made(1)[:7]
    many, one = made(1, per_sentence=5), made(1)
    assert len(many) > len(one)


def test_wrong_options_are_all_named_before_anything_is_read() -> None:
    def unread() -> Any:
        raise AssertionError("nothing should be read")
        yield

    with pytest.raises(InputError) as error:
        synthesise(unread(), per_sentence=0, kinds=["dates", "number"], limit=-1)
    assert len(error.value.problems) == 3
    assert "'dates'" in str(error.value)
    with pytest.raises(InputError, match="none is given"):
        synthesise([], kinds=[])


def test_nothing_in_nothing_out() -> None:
    assert list(synthesise([])) == []
    assert list(synthesise([Passage("", []), Passage("X", ["Too short ."])])) == []


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.tuples(st.text(max_size=20), st.lists(st.text(max_size=120), max_size=4)), max_size=3),
    st.integers(0, 5),
)
def test_any_text_is_survived(pages: list[tuple[str, list[str]]], seed: int) -> None:
    for pair in synthesise([Passage(*page) for page in pages], seed=seed, per_sentence=3):
        assert SLOT not in pair.claim + pair.evidence


WORDS = st.sampled_from(
    "It He The film was is in 1999 12 more than over about two , . ( ) ; and who \ue000 $ 5 million % first largest "
    "won France British Paris 's born May 3 - the of by never actor , 1,200 10 km not".split()
)


@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.lists(WORDS, min_size=6, max_size=30), min_size=1, max_size=3), st.integers(0, 3))
def test_any_jumble_of_its_own_words_is_survived(jumbles: list[list[str]], seed: int) -> None:
    page = Passage("France", [" ".join(words) for words in jumbles])
    for pair in synthesise([page], seed=seed, per_sentence=4):
        assert pair.claim
        assert all(0 <= a < b <= len(pair.evidence) for a, b in pair.rationale)


def test_father_and_son_of_one_name_are_no_pair() -> None:
    page = Passage("Ian Kidd", ["Ian Kidd is an officer in the navy .", "He was the father of Admiral Ian Kidd ."])
    assert not [pair for seed in range(20) for pair in synthesise([page], seed=seed, kinds=["converse"])]


@pytest.mark.parametrize(
    ("page", "said"),
    [
        (Passage("A", "One text. Two texts."), "must be a list of texts"),
        (Passage("A", [None]), "must be a list of texts"),  # type: ignore[list-item]
        (Passage("A", None), "must be a list of texts"),  # type: ignore[arg-type]
        (Passage("A", iter(["It has 5 bells ."])), "must be a list of texts"),  # type: ignore[arg-type]
        (Passage(None, ["It has 12 rooms ."]), "the title of a page is None"),  # type: ignore[arg-type]
        ({"title": "A"}, "got a dictionary"),
    ],
)
def test_what_is_no_page_is_refused(page: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        list(synthesise([page]))


@pytest.mark.parametrize("kinds", ["number", None])
def test_kinds_are_a_list(kinds: Any) -> None:
    with pytest.raises(InputError, match=r"kinds is .*; give a list, of: number"):
        synthesise([], kinds=kinds)


def test_a_title_is_called_as_its_text_calls_it() -> None:
    page = Passage("Esperance, Western Australia", ["Esperance is a town in the south .", "It has 12,145 people now ."])
    told = {pair.claim for seed in range(10) for pair in synthesise([page], seed=seed, kinds=["number"])}
    assert told
    assert all(text.startswith("Esperance has") for text in told)


def test_prose_of_one_paragraph() -> None:
    """The pairs that were wrong in untokenised text: names with a stop, brackets, "about" twice, shares negated."""
    page = Passage("Leeds Park", ["It is 5 km (3.1 mi) north of Leeds.", "About half of the workers were women."])
    kinds = ["converse", "negation", "spelled number"]
    for seed in range(20):
        for pair in synthesise([page], seed=seed, kinds=kinds, per_sentence=4):
            assert not re.search(r"\. [a-z]|[Aa]bout about|workers were not", pair.claim + " | " + pair.evidence)
            if pair.kind == "spelled number" and "km" in pair.evidence and pair.edited and pair.label != N:
                assert "(3.1 mi)" not in pair.evidence


def test_a_file_name_is_no_subject() -> None:
    sentences = ["The bridge is 500 metres long in all .", "It was opened in 1931 by the mayor ."]
    for seed in range(10):
        assert not [p for p in synthesise([Passage("mytext", sentences)], seed=seed) if "mytext" in p.claim.lower()]
    named = Passage("Old Bridge", [sentences[0].replace("The bridge", "Old Bridge"), sentences[1]])
    assert any(p.claim.startswith("Old Bridge") for seed in range(10) for p in synthesise([named], seed=seed))


def test_two_sentences_taken_for_one_are_passed_over() -> None:
    page = Passage("Town", ["Town lies at 43 m. the town was occupied in 1809 by the French ."])
    assert not [p for seed in range(10) for p in synthesise([page], seed=seed)]


def test_a_birth_without_a_name_is_nobodys() -> None:
    page = Passage("Cho S.-M.", ["Jo Seong-min ( born 5 January 1976 ) is a Korean gymnast ."])
    assert not [p for seed in range(30) for p in synthesise([page], seed=seed) if p.claim.startswith("Was ")]


def test_as_dict_has_vitamincs_fields() -> None:
    row = made(1)[0].as_dict()
    assert {"case_id", "claim", "evidence", "label", "page"} <= set(row)
    assert {pair.as_dict()["label"] for pair in made(1)} == {"SUPPORTS", "REFUTES", "NOT ENOUGH INFO"}


# --- pages and the command ---


def test_pages_from_json_lines_and_text(write_jsonl: Callable[..., Path], tmp_path: Path) -> None:
    path = write_jsonl(
        "p.jsonl", [{"title": "A", "text": "One is 1. Two is 2."}, {"title": "B", "sentences": ["X y."]}]
    )
    assert list(read_pages(path)) == [Passage("A", ["One is 1.", "Two is 2."]), Passage("B", ["X y."])]
    text = tmp_path / "Big_Ben.txt"
    text.write_text("Dr. Smith of the U.S. Navy paid $ 1.5 million. He left.", encoding="utf-8")
    (page,) = read_pages(text)
    assert page == Passage("Big Ben", ["Dr. Smith of the U.S. Navy paid $ 1.5 million.", "He left."])


ROWS = [{"title": page.title, "sentences": list(page.sentences)} for page in PAGES]


def test_the_command_streams_pairs(run_cli: Callable[..., Any], write_jsonl: Callable[..., Path]) -> None:
    path = write_jsonl("pages.jsonl", ROWS)
    done = run_cli("synthesise", path, "--seed", "4", "--json")
    assert done.code == 0
    rows = done.jsonl
    assert [row["claim"] for row in rows] == [pair.claim for pair in made(4)]
    assert len({row["unique_id"] for row in rows}) == len(rows)
    assert f"{len(rows)} pairs" in done.err
    assert done.out == run_cli("synthesise", path, "--seed", "4", "--json").out


def test_the_help_names_every_kind(run_cli: Callable[..., Any]) -> None:
    assert f"of: {', '.join(KINDS)}." in " ".join(run_cli("synthesise", "--help").out.split())


def test_the_command_writes_a_file_and_counts(
    run_cli: Callable[..., Any], write_jsonl: Callable[..., Path], tmp_path: Path
) -> None:
    path, out = write_jsonl("pages.jsonl", ROWS), tmp_path / "pairs.jsonl"
    done = run_cli("synthesise", path, "--output", out, "--kinds", "number, date", "--limit", 10)
    assert done.code == 0
    assert len(out.read_text(encoding="utf-8").splitlines()) == 10
    assert "NOT ENOUGH INFO" in done.out
    assert "10 pairs" in done.out
    shown = run_cli("synthesise", path).out
    assert "One group" in shown


def test_the_command_reads_standard_input(run_cli: Callable[..., Any]) -> None:
    text = "The bridge was opened in 1931 by the mayor. It is 1,200 metres long and cost $5 million."
    assert run_cli("synthesise", "-", "--json", stdin=text).jsonl
    page = f"<html><script>x = 1</script><p>{text}</p></html>"
    assert run_cli("synthesise", "-", "--json", stdin=page).out == run_cli("synthesise", "-", "--json", stdin=text).out
    line = '{"title": "Bridge", "text": "The bridge was opened in 1931 by the mayor. It is 1,200 metres long ."}\n'
    assert {row["page"] for row in run_cli("synthesise", "-", "--json", stdin=line).jsonl} == {"Bridge"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is empty"),
        ('{"title": "A"}\n', "line 1: has neither `text` nor `sentences`"),
        ('{"title": "A", "text": "ok"}\n{"title": \n', "line 2: broken JSON"),
        ('{"title": "A", "text": "  "}\n', "`text` must be a text"),
        ('{"title": 7, "text": "ok"}\n', "`title` must be a text"),
        ('{"title": "A", "sentences": ["x", 1]}\n', "`sentences` must be a list of texts"),
        ("[1]\n", "expected a JSON object"),
    ],
)
def test_bad_pages_are_answered(run_cli: Callable[..., Any], tmp_path: Path, content: str, said: str) -> None:
    path, out = tmp_path / "pages.jsonl", tmp_path / "out.jsonl"
    path.write_text(content, encoding="utf-8")
    done = run_cli("synthesise", path, "--output", out)
    assert done.code == 2
    assert said in done.err
    assert not out.exists()


def test_bad_files_and_options_are_answered(run_cli: Callable[..., Any], tmp_path: Path) -> None:
    text = tmp_path / "a.txt"
    text.write_bytes("Caf\xe9 was opened in 1990 .".encode("latin-1"))
    assert "not UTF-8" in run_cli("synthesise", text).err
    text.write_text(" \n", encoding="utf-8")
    assert "is empty" in run_cli("synthesise", text).err
    assert "no such file" in run_cli("synthesise", tmp_path / "none.txt").err
    assert "at least 1 group" in run_cli("synthesise", text, "--per-sentence", 0).err
    assert "no kind 'colour'" in run_cli("synthesise", text, "--kinds", "colour").err
    assert "is the input" in run_cli("synthesise", text, "--output", text).err
    assert run_cli("synthesise", text, "--json", "--output", "x").code == 2
    assert run_cli("synthesise").code == 2
    text.write_text("Nothing here to edit, sadly, for anyone .", encoding="utf-8")
    done = run_cli("synthesise", text)
    assert done.code == 0
    assert "no sentence had a fact" in done.err


def test_a_very_long_sentence_is_passed_over_quickly(run_cli: Callable[..., Any], tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_text("word " * 200_000 + "in 1999.", encoding="utf-8")
    assert run_cli("synthesise", path).code == 0
    giant = Passage("A", ["It was built in 1999 by " + "x" * 10_000_000 + " ."])
    assert list(synthesise([giant])) == []


def test_what_falls_short_leaves_open() -> None:
    page = Passage("Arle Bridge", ["Arle Bridge was built in 1932 near the old mill .", "It has 12 arches ."])
    told = {
        ("built" in pair.evidence, "built" in pair.claim, "not" in pair.claim.split()): pair.label
        for seed in range(20)
        for pair in synthesise([page], seed=seed, kinds=["step"])
    }
    assert told == {
        (True, True, False): S, (True, True, True): R, (False, True, False): N, (False, True, True): N,
        (False, False, False): S, (False, False, True): R,
    }  # fmt: skip


def test_another_relation_leaves_open() -> None:
    page = Passage("Zineth", ["Zineth is a 2012 film directed by Anna Moss about a mill .", "It was shot in Rome ."])
    pairs = [pair for seed in range(20) for pair in synthesise([page], seed=seed, kinds=["relation"])]
    assert {pair.label for pair in pairs} == {S, N}
    for pair in pairs:
        said, shown = (re.search(r"(\w+) by Anna", text) for text in (pair.claim, pair.evidence))
        assert said is not None
        assert shown is not None
        assert (pair.label is S) == (said[1] == shown[1])


def test_a_sentence_that_tells_more_of_the_work_gives_no_relation() -> None:
    page = Passage("Zineth", ["Zineth is a film directed by Anna Moss and produced by Carl Hill .", "It is long ."])
    assert not list(synthesise([page], kinds=["relation"]))
