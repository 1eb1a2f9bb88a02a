"""aver's plugin for pytest: the fixture `assert_consistent`. Every pytest run loads it: it imports nothing heavy."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from aver.consistency import Assessment

__all__ = ["assert_consistent", "pytest_addoption"]


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds --aver-judge and --aver-threshold, and the same as settings of the ini file."""
    group = parser.getgroup("aver")
    group.addoption("--aver-judge", metavar="NAME", help="the judge that assert_consistent reads with")
    group.addoption("--aver-threshold", metavar="X", type=float, help="the score below which assert_consistent fails")
    parser.addini("aver_judge", "the judge that assert_consistent reads with", default="default")
    parser.addini("aver_threshold", "the score below which assert_consistent fails", default="0.5")


@pytest.fixture(scope="session")
def assert_consistent(pytestconfig: pytest.Config) -> Callable[..., Assessment]:
    """`assert_consistent(text, source, threshold=…)`: fails where the text is not true to its source, and shows the
    offending words. See `aver.consistency.assert_consistent`."""
    from aver.consistency import assert_consistent as check

    settings: dict[str, Any] = {
        "judge": pytestconfig.getoption("--aver-judge") or pytestconfig.getini("aver_judge"),
        "threshold": pytestconfig.getoption("--aver-threshold"),
    }
    if settings["threshold"] is None:
        settings["threshold"] = float(pytestconfig.getini("aver_threshold"))

    @functools.wraps(check)
    def checked(text: str, source: str, **options: Any) -> Assessment:
        __tracebackhide__ = True
        # a metric that has no judge, or brings its own, must not be handed the default one
        given = {k: v for k, v in settings.items() if k != "judge" or options.get("metric", "aver") == "aver"}
        return check(text, source, **(given | options))

    return checked
