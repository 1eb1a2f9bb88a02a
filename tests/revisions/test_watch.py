"""Watched claims: what an edit flips is noticed, what it leaves alone is not touched, and nothing happens twice."""

from __future__ import annotations

import dataclasses
import shutil
import sqlite3
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from aver import Collection, InputError, Label, check
from aver.collection import Alias, Changes, Incoming, Inverse
from aver.collection._lock import WriterLock
from aver.revisions.watch import PLAIN, RunReport, Watch
from aver.revisions.watch._store import Store
from aver.verify import FEATURES, WEIGHTS, Weights

BRIDGE = "Arle Bridge opened in 1931."
POINT = "Gull Point was built of granite."
BREAD = "Kelp bread keeps for weeks."


def labels(bench: Any) -> dict[str, str]:
    return {claim.text: str(claim.outcome.label) for claim in bench.watch.claims()}


def test_a_claim_is_verified_once_and_kept_with_its_evidence(town: Any) -> None:
    added = town.watch.add([BRIDGE, (POINT, "p1"), BREAD, BRIDGE])
    assert (added.added, added.known, added.failures) == (3, 0, ())
    assert labels(town) == {BRIDGE: "SUPPORTS", POINT: "SUPPORTS", BREAD: "NOT_ENOUGH_INFO"}
    kept = town.watch.claims()[1]
    assert kept.ref == "p1"
    assert kept.evidence == ("It was built of granite (yes).",)
    assert kept.pages[0] == "Gull Point"
    assert kept.outcome.model == "signs@000000000000"
    assert added.pairs == len(town.judge.read) > 3
    again = town.watch.add([BREAD, BRIDGE])
    assert (again.added, again.known, again.pairs) == (0, 2, 0)


def test_nothing_changed_writes_nothing(town: Any) -> None:
    town.watch.add([BRIDGE, POINT])
    before = town.dump()
    for everything in (False, False, True, True):
        report = town.watch.run(everything=everything)
        assert (report.events, report.exit_code, report.pairs) == ((), 0, 0)
        assert town.dump() == before


def test_an_edit_flips_a_verdict_and_is_shown(town: Any) -> None:
    town.watch.add([BRIDGE, POINT, BREAD])
    read = len(town.judge.read)
    town.put(Arle_Bridge="Arle Bridge is old. Arle Bridge opened in 1932 (no).")
    report = town.watch.run()
    (event,) = report.events
    assert (event.kind, event.text, event.reason) == ("flip", BRIDGE, "edit")
    assert (event.before.label, event.after.label) == (Label.SUPPORTS, Label.REFUTES)
    (cause,) = event.causes
    assert (cause.page, cause.kind, cause.direct) == ("Arle Bridge", "changed", True)
    assert cause.before == "Arle Bridge opened in 1931 (yes)."
    assert cause.after == "Arle Bridge opened in 1932 (no)."
    assert cause.revision == town.collection.get("Arle Bridge").revision
    assert report.exit_code == 1
    # the sentence that changed, and the joint reading: the other sentence is known
    assert [evidence for _, evidence in town.judge.read[read:] if "1932" not in evidence] == []
    before = town.dump()
    assert town.watch.run().events == ()
    assert town.dump() == before


def test_only_what_an_edit_concerns_is_verified_again(bench: Any) -> None:
    names = [f"Place{n}" for n in range(40)]
    bench.put(**{name: f"{name} is a town. It has a harbour (yes)." for name in names})
    one = dataclasses.replace(PLAIN, documents=1)
    bench.watch.add([f"{name} has a harbour." for name in names], settings=one)
    bench.judge.read.clear()
    bench.put(Place7="Place7 is a town. It has no harbour (no).")
    report = bench.watch.run()
    assert [event.text for event in report.events] == ["Place7 has a harbour."]
    assert report.verified == 1
    # one sentence is new; the two together are the other pair
    assert bench.judge.read[0][1].startswith("Place7")
    assert bench.judge.read[0][1].endswith("It has no harbour (no).")
    assert len(bench.judge.read) == report.pairs == 2


def test_a_new_page_that_names_the_subject_is_noticed(bench: Any) -> None:
    few = dataclasses.replace(PLAIN, documents=2)
    bench.put(**{f"Page_{n}": f"The harbour of town {n} was built by Ilse Marten." for n in range(30)})
    bench.watch.add(["Ilse Marten was a botanist from Tolmen."], settings=few)
    assert labels(bench) == {"Ilse Marten was a botanist from Tolmen.": "NOT_ENOUGH_INFO"}
    bench.put(Ilse_Marten="She was an engineer (no).")
    (event,) = bench.watch.run().events
    assert (event.kind, event.after.label) == ("flip", Label.REFUTES)
    assert (event.causes[0].kind, event.causes[0].after, event.causes[0].before) == (
        "new", "She was an engineer (no).", "",
    )  # fmt: skip


def test_a_new_page_that_only_shares_words_is_noticed(bench: Any) -> None:
    few = dataclasses.replace(PLAIN, documents=2)
    bench.put(**{f"Page_{n}": f"The ferry of island {n} sails on Sundays." for n in range(30)})
    bench.watch.add(["The ferry Marta carried puffins."], settings=few)
    bench.put(Unrelated_title="In spring the ferry Marta carried forty puffins (yes).")
    (event,) = bench.watch.run().events
    assert (event.before.label, event.after.label) == (Label.NOT_ENOUGH_INFO, Label.SUPPORTS)
    assert event.causes[0].title == "Unrelated title"


def test_a_redirect_of_a_new_page_is_followed(bench: Any) -> None:
    few = dataclasses.replace(PLAIN, documents=2)
    bench.put(**{f"Page_{n}": f"The ferry of island {n} sails on Sundays." for n in range(20)})
    bench.watch.add(["Old Tom rises early."], settings=few)
    bench.collection.add_documents(
        [Incoming("k", "Thomas Rehn", "The keeper was lazy (no)."), Alias("Old Tom", "Thomas Rehn")]
    )
    (event,) = bench.watch.run().events
    assert event.causes[0].page == "k"


def test_sides_that_disagree_are_a_dispute(town: Any) -> None:
    town.watch.add([BRIDGE])
    town.put(Opening_of_Arle_Bridge="Arle Bridge opened not in 1931 (no).")
    report = town.watch.run()
    assert [(event.kind, event.after.label) for event in report.events] == [("dispute", Label.DISPUTED)]
    assert report.events[0].causes[0].kind == "new"
    assert report.exit_code == 1


def test_evidence_that_reads_differently_is_stale(town: Any) -> None:
    town.watch.add([BRIDGE, POINT])
    town.put(Arle_Bridge="Arle Bridge is old. Arle Bridge opened in May 1931 (yes).")
    report = town.watch.run()
    (event,) = report.events
    assert (event.kind, event.before.label, event.after.label) == ("stale", Label.SUPPORTS, Label.SUPPORTS)
    assert (event.causes[0].before, event.causes[0].after) == (
        "Arle Bridge opened in 1931 (yes).", "Arle Bridge opened in May 1931 (yes).",
    )  # fmt: skip
    assert (report.exit_code, report.flips) == (0, ())


def test_an_edit_of_the_claims_words_is_told_before_one_of_small_words(bench: Any) -> None:
    bench.put(Arle="Ilse Marten opened the bridge mayor of the town (yes). She came in 2015. It is green.")
    bench.watch.add(["Ilse Marten is mayor."])
    bench.put(Arle="Ilse Marten opened the bridge as mayor of the town (yes). The mayor now is Jon Ahlberg. It is red.")
    (event,) = bench.watch.run().events
    assert [(cause.after, cause.direct) for cause in event.causes] == [
        ("The mayor now is Jon Ahlberg.", False),
        ("Ilse Marten opened the bridge as mayor of the town (yes).", True),
    ]


def test_an_edit_elsewhere_in_the_page_is_no_event(town: Any) -> None:
    town.watch.add([BRIDGE])
    town.put(Arle_Bridge="Arle Bridge is very old. Arle Bridge opened in 1931 (yes).")
    report = town.watch.run()
    assert (report.verified, report.events) == (1, ())
    assert town.watch.log(every=True)[-1].kind == "same"


def test_a_page_that_is_removed_takes_its_verdict_along(town: Any) -> None:
    town.watch.add([BRIDGE, POINT])
    town.collection.remove("Arle Bridge")
    report = town.watch.run()
    (event,) = report.events
    assert (report.removed, event.kind, event.after.label) == (1, "flip", Label.NOT_ENOUGH_INFO)
    (cause,) = event.causes
    assert (cause.kind, cause.before, cause.after, cause.revision) == (
        "removed", "Arle Bridge opened in 1931 (yes).", "", None,
    )  # fmt: skip
    assert town.watch.run().events == ()


def test_a_page_that_is_removed_and_comes_back_as_it_was_is_no_event(town: Any) -> None:
    town.watch.add([BRIDGE])
    document = town.collection.get("Arle Bridge")
    town.collection.remove("Arle Bridge")
    town.collection.add_documents([{"title": document.title, "text": document.text}])
    report = town.watch.run()
    assert (report.events, report.pairs) == ((), 0)


def test_the_revision_is_the_one_that_made_the_edit(town: Any) -> None:
    town.watch.add([BRIDGE])
    texts = ("opened in 1931 (yes). Green.", "opened in 1940 (no). Green.", "opened in 1940 (no). Red.")
    for number, text in enumerate(texts):
        whole = f"Arle Bridge is old. Arle Bridge {text}"
        made = f"2026-01-0{number + 1}T00:00:00Z"
        town.collection.add_documents(
            [Incoming("Arle Bridge", "Arle Bridge", whole, origin=f"r{number}", timestamp=made)]
        )
    (event,) = town.watch.run().events
    (cause,) = event.causes
    assert (cause.origin, cause.at) == ("r1", "2026-01-02T00:00:00Z")


def test_what_was_read_before_is_not_read_again(town: Any) -> None:
    town.watch.add([BRIDGE])
    first = town.collection.get("Arle Bridge").text
    town.put(Arle_Bridge=first.replace("(yes)", "(no)"))
    assert town.watch.run().pairs > 0
    town.put(Arle_Bridge=first)
    report = town.watch.run()
    assert (report.pairs, report.events[0].after.label) == (0, Label.SUPPORTS)


def test_another_model_is_told_of_and_takes_over_with_all(town: Any) -> None:
    town.watch.add([BRIDGE, POINT])
    town.judge.model = "signs@111111111111"
    report = town.watch.run()
    assert (report.verified, report.events) == (0, ())
    assert report.notes[0].startswith("the model changed: 2 verdicts are by signs@000000000000")
    report = town.watch.run(everything=True)
    assert (report.verified, report.notes) == (2, ())
    assert {claim.outcome.model for claim in town.watch.claims()} == {"signs@111111111111"}
    with pytest.raises(InputError, match="give --all with --model"):
        town.watch.run(model="other")


def test_a_claim_is_verified_again_the_way_it_was_added(town: Any) -> None:
    small = type(town.judge)()
    small.model = "small@000000000000"
    watch = Watch(town.collection, judges=lambda name: small if name == "small" else town.judge)
    # more sentences than are kept, or there is nothing to order
    facts = " ".join(f"Arle Bridge has {n} arches." for n in range(8))
    town.put(Arle_Bridge=f"{facts} Arle Bridge opened in 1931 (yes).")
    own = dataclasses.replace(PLAIN, abstain=0.99, figures=False)
    watch.add([BRIDGE], ranker="small", settings=own)
    watch.add([POINT])
    assert {claim for claim, _ in small.read} == {BRIDGE}
    before = len(small.read)
    town.put(Arle_Bridge=f"{facts} Arle Bridge opened in 1931 (no).")
    (event,) = watch.run().events
    assert (event.text, event.after.label, event.after.status) == (BRIDGE, Label.REFUTES, "abstained")
    assert len(small.read) == before + 1
    watch.run(everything=True, model="other")
    with watch._reading() as store:
        (bridge, point) = store.claims()
    assert (bridge.model, bridge.ranker, bridge.settings) == ("other", "small", own)
    assert (point.ranker, point.settings) == (None, PLAIN)


def test_a_watch_from_before_rankers_could_be_named_is_gone_on_with(town: Any) -> None:
    town.watch.add([BRIDGE])
    with town.watch._reading() as store:
        (written,) = store.connection.execute("SELECT settings FROM watches").fetchone()
    assert "ranker" not in written  # stored as it always was
    town.put(Arle_Bridge="Arle Bridge is old. Arle Bridge opened in 1932 (no).")
    assert [event.kind for event in town.watch.run().events] == ["flip"]


def test_a_flip_by_another_model_says_so(town: Any) -> None:
    town.watch.add([BRIDGE])
    town.judge.model = "signs@111111111111"
    town.judge._one = lambda claim, evidence: type(town.judge)._one(
        town.judge, claim, evidence.replace("(yes)", "(no)")
    )
    (event,) = town.watch.run(everything=True).events
    assert (event.kind, event.reason, event.causes) == ("flip", "model", ())
    assert (event.before.model, event.after.model) == ("signs@000000000000", "signs@111111111111")


def test_other_weights_of_the_same_model_count_as_another(town: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    flat = (0.0,) * len(FEATURES)
    monkeypatch.setitem(WEIGHTS, "signs", Weights("signs-1", (*flat, 5.0), (*flat, -5.0), 0.99))
    town.watch.add([BRIDGE])
    assert town.watch.run().notes == ()
    monkeypatch.setitem(WEIGHTS, "signs", Weights("signs-2", (*flat, -5.0), (*flat, 5.0), 0.99))
    (note,) = town.watch.run().notes
    assert note.startswith("the model changed: 1 verdict is by signs@000000000000 with signs-1;")
    report = town.watch.run(everything=True)
    (event,) = report.events
    assert (event.kind, event.reason, report.notes) == ("flip", "model", ())


def test_a_claim_that_fails_is_tried_again_and_others_are_told_once(town: Any) -> None:
    town.watch.add([BRIDGE, POINT])
    town.put(
        Arle_Bridge="Arle Bridge opened in 1932 (no).",
        Gull_Point="Gull Point is a lighthouse. It was built of brick (no).",
    )
    town.judge.broken = "Gull"
    report = town.watch.run()
    assert [event.text for event in report.events] == [BRIDGE]
    assert [failure.reason for failure in report.failures] == ["the endpoint is down"]
    assert report.exit_code == 2
    town.judge.broken = ""
    report = town.watch.run()
    assert [event.text for event in report.events] == [POINT]
    assert (report.resumed, report.failures) == (True, ())
    assert town.watch.run().resumed is False


def test_a_report_that_could_not_be_told_is_told_by_the_next_run(town: Any) -> None:
    town.watch.add([BRIDGE])
    town.put(Arle_Bridge="Arle Bridge opened in 1932 (no).")

    def fail(report: RunReport) -> None:
        raise BrokenPipeError

    with pytest.raises(BrokenPipeError):
        town.watch.run(tell=fail)
    assert [event.kind for event in town.watch.run().events] == ["flip"]
    assert town.watch.run().events == ()


def test_history_is_only_added_to(town: Any) -> None:
    town.watch.add([BRIDGE])
    town.put(Arle_Bridge="Arle Bridge opened in 1932 (no).")
    town.watch.run()
    connection = sqlite3.connect(town.collection.folder / "watch" / "watch.sqlite")
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    tables = "claims watches setups runs ends told verdicts sentences judgements events".split()
    for table in tables:
        assert connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
        for statement in (f"DELETE FROM {table}", f"UPDATE {table} SET rowid = rowid"):
            with pytest.raises(sqlite3.Error, match=r"only added to|no such column"):
                connection.execute(statement)
    connection.close()


def test_a_removed_claim_keeps_its_history_and_can_come_back(town: Any) -> None:
    town.watch.add([(BRIDGE, "b"), POINT])
    with pytest.raises(InputError, match="'Nothing' is not watched"):
        town.watch.remove(["b", "Nothing"])
    assert town.watch.remove(["b"]) == 1
    town.put(Arle_Bridge="Arle Bridge opened in 1932 (no).")
    assert town.watch.run().events == ()
    assert list(labels(town)) == [POINT]
    town.watch.add([BRIDGE])
    assert labels(town) == {BRIDGE: "REFUTES", POINT: "SUPPORTS"}
    assert [entry.kind for entry in town.watch.log(claim=BRIDGE)] == ["added", "removed", "added"]


def test_a_claim_added_behind_an_edit_is_not_verified_twice(town: Any) -> None:
    town.watch.add([POINT])
    town.put(Arle_Bridge="Arle Bridge opened in 1932 (no).")
    town.watch.add([BRIDGE])
    report = town.watch.run()
    assert BRIDGE not in {event.text for event in report.events}
    assert labels(town)[BRIDGE] == "REFUTES"


def test_one_writer_at_a_time(town: Any) -> None:
    town.watch.add([BRIDGE])
    lock = WriterLock(town.collection.folder / "watch")
    assert lock.acquire()
    try:
        with pytest.raises(InputError, match=r"another process \(number \d+\) is working on its watched claims"):
            town.watch.run()
        assert labels(town) == {BRIDGE: "SUPPORTS"}, "readers are not kept out"
    finally:
        lock.release()
    assert town.watch.run().exit_code == 0


def test_what_cannot_be_watched_is_named(town: Any) -> None:
    with pytest.raises(InputError) as caught:
        town.watch.add(["", "…", BRIDGE, "long " * 1000, ("\ud800 half", "x")])
    assert len(caught.value.problems) == 4
    assert not town.watch.exists
    with pytest.raises(InputError, match="no claims are watched"):
        town.watch.run()
    with pytest.raises(InputError, match="no claims to watch"):
        town.watch.add([])


def test_a_watch_of_another_collection_is_refused(town: Any, tmp_path: Any) -> None:
    town.watch.add([BRIDGE])
    with Collection(tmp_path / "other", create=True) as other:
        shutil.copytree(town.collection.folder / "watch", tmp_path / "other" / "watch")
        connection = sqlite3.connect(tmp_path / "other" / "watch" / "watch.sqlite")
        connection.execute("UPDATE settings SET value = '1999' WHERE name = 'collection'")
        connection.commit()
        connection.close()
        with pytest.raises(InputError, match="another collection"):
            Watch(other).run()


def test_a_damaged_store_is_named(town: Any) -> None:
    town.watch.add([BRIDGE])
    (town.collection.folder / "watch" / "watch.sqlite").write_bytes(b"no database at all" * 400)
    for ask in (town.watch.run, town.watch.claims, town.watch.log):
        with pytest.raises(InputError, match=r"watch\.sqlite: cannot be opened: file is not a database"):
            ask()


def test_a_full_disk_is_an_error_and_the_next_run_goes_on(town: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    town.watch.add([BRIDGE])
    town.put(Arle_Bridge="Arle Bridge opened in 1932 (no).")

    def full(*_: Any) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Store, "put", full)
        with pytest.raises(InputError, match="disk is full; what was stored is kept"):
            town.watch.run()
    assert [event.kind for event in town.watch.run().events] == ["flip"]


def test_deleting_a_collection_deletes_its_watch(town: Any) -> None:
    town.watch.add([BRIDGE])
    folder = town.collection.folder
    town.collection.delete()
    assert not folder.exists()


def test_pages_are_weighed_as_the_index_weighs_them(bench: Any) -> None:
    bench.put(
        **{f"Page_{n}": f"The {'old ' * (n % 7)}harbour of town{n % 5} has ferry{n % 3} and more." for n in range(60)}
    )
    inverse = Inverse(bench.collection)
    query = "old harbour ferry1 town2 page"
    terms = ["old", "harbour", "ferry1", "town2", "page"]
    for hit in bench.collection.bm25(query, limit=60):
        weights = inverse.weights(hit.document.title, hit.document.text, among=set(terms))
        assert sum(weights.values()) == pytest.approx(hit.bm25, rel=0.01)


def test_changes_are_counted_from_a_moment(town: Any) -> None:
    changes = Changes(town.collection)
    then, stock = changes.position(), changes.stock()
    town.put(Arle_Bridge="Another text.", Fresh="A new page.")
    town.collection.remove("Kelp bread")
    assert [(change.key, change.new) for change in changes.since(then)] == [("Arle Bridge", False), ("Fresh", True)]
    assert changes.removed_since(stock) == 1
    assert changes.since(changes.position()) == []


SUBJECTS = ("Arle", "Brae", "Cove", "Dunes")
EDIT = st.tuples(st.sampled_from(SUBJECTS), st.sampled_from(["(yes)", "(no)", "", "gone", "two"]))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batches=st.lists(st.lists(EDIT, min_size=1, max_size=4), min_size=1, max_size=3))
def test_after_any_edits_a_run_says_what_verifying_anew_says(batches: Any, make_bench: Any) -> None:
    bench = make_bench()
    bench.put(**{subject: f"{subject} has a tower (yes)." for subject in SUBJECTS})
    claims = [f"{subject} has a tower." for subject in SUBJECTS]
    bench.watch.add(claims)
    for batch in batches:
        before = labels(bench)
        for subject, what in batch:
            if what == "gone":
                if subject in bench.collection:
                    bench.collection.remove(subject)
            elif what == "two":
                bench.put(**{f"More_on_{subject}": f"{subject} has a tower, it is said (no)."})
            else:
                bench.put(**{subject: f"{subject} has a tower {what}."})
        report = bench.watch.run()
        after = labels(bench)
        assert {event.text for event in report.flips} == {claim for claim in claims if before[claim] != after[claim]}
        assert all(event.causes for event in report.events)
        assert bench.watch.run(everything=True).events == ()
        for claim in claims:
            anew = check(claim, collection=bench.collection, model=bench.judge, settings=PLAIN)
            assert str(anew.label) == after[claim]
    bench.collection.close()
