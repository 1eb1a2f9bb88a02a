"""The pytest plugin: a fixture that fails readably."""

from __future__ import annotations

import importlib.metadata

import pytest

from aver.consistency import assert_consistent

from .conftest import WordJudge

pytest_plugins = ["pytester"]

# where aver was installed before it had a plugin, pytest does not find it by itself
KNOWN = any(point.value == "aver._pytest" for point in importlib.metadata.entry_points(group="pytest11"))
LOADED = () if KNOWN else ("-p", "aver._pytest")
SOURCE = "The bridge was opened in May 1931. It is green."

TESTS = f'''
SOURCE = {SOURCE!r}

def test_true(assert_consistent):
    assert assert_consistent("It is green.", SOURCE).score > 0.5

def test_false(assert_consistent):
    assert_consistent("It is green. King Olaf opened the railway in May 1932.", SOURCE, threshold=0.9)

def test_lexical(assert_consistent):
    assert_consistent("It is green.", SOURCE, metric="rouge-1", threshold=1.0)
'''


def test_the_fixture_shows_the_offending_words(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(TESTS)
    result = pytester.runpytest(*LOADED, "--aver-judge", "fast")
    result.assert_outcomes(passed=2, failed=1)
    output = result.stdout.str()
    assert "the text is not true enough to its source: aver 0." in output
    assert "“May 1932”; the source has “May 1931”" in output
    assert "name: “Olaf”" in output or "name: “King Olaf”" in output or "word: “King Olaf”" in output
    assert "^^^" in output
    # the traceback ends in the test, not in aver's own code
    assert "_asserting.py" not in output


def test_settings_of_the_ini_file(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\naver_judge = fast\naver_threshold = 0.999")
    pytester.makepyfile(
        "def test(assert_consistent):\n    assert_consistent('It was green, more or less.', 'It is red, they say.')"
    )
    result = pytester.runpytest(*LOADED)
    result.assert_outcomes(failed=1)
    assert "< 0.999" in result.stdout.str()


def test_what_states_nothing_passes_unless_claims_are_asked_for(judge: WordJudge) -> None:
    assert assert_consistent("Is it?", SOURCE, judge=judge).score is None
    with pytest.raises(AssertionError, match=r"no score \(no_claims\)"):
        assert_consistent("Is it?", SOURCE, judge=judge, require_claims=True)
    with pytest.raises(AssertionError, match=r"no score \(abstained\): the source has no words"):
        assert_consistent("It is green.", "", judge=judge)


def test_a_whole_sentence_at_fault_is_not_underlined(judge: WordJudge) -> None:
    with pytest.raises(AssertionError) as told:
        assert_consistent("Trams cross it.", "Trams do not cross it.", judge=judge)
    text = str(told.value)
    assert "contradicted sentence" in text
    assert "^" not in text
    assert "nearest in the source: Trams do not cross it." in text
