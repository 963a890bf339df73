"""The fixtures of all rooms: virtual boxes in injected time, and phones in a browser."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from tests.kit import collecting
from tests.kit.browsing import chromium, opened_phones
from tests.kit.failures import Failures
from tests.kit.journals import dodeka_header
from tests.kit.rig import Rig, Rigs
from tests.kit.sampling import SOAK, examples
from tests.kit.skips import without_other_skips
from umpi.i18n.translate import ENGLISH, set_language
from umpi.journal import Journal

MS = 1_000_000

# No example fails for being slow: a busy machine is no fault. CI tries the same examples every time; other examples are
# tried at a developer's desk and in a soak.
steady: dict[str, Any] = {"deadline": None, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}
hypothesis.settings.register_profile("dev", max_examples=examples(50), **steady)
hypothesis.settings.register_profile("ci", max_examples=examples(50), derandomize=True, **steady)
hypothesis.settings.register_profile("soak", max_examples=examples(50), **steady)
hypothesis.settings.load_profile("soak" if SOAK else "ci" if os.environ.get("CI") else "dev")


def pytest_configure(config: pytest.Config) -> None:
    """Let tests.kit.collecting decide about every file, and name failures at once."""
    config.pluginmanager.register(collecting)
    config.pluginmanager.register(Failures(config))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Iterator[None]:
    """In CI, let nothing be skipped but what may be."""
    return without_other_skips((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Iterator[None]:
    """In CI, let no whole file be skipped either."""
    return without_other_skips((yield))


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    """Leave no language to the next test, which may be of another file: it is one for the whole process."""
    yield
    set_language(ENGLISH)


@pytest.fixture(scope="session")
def chrome(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Debian's Chromium, started once for all tests."""
    with chromium(tmp_path_factory.mktemp("chromium")) as chrome:
        yield chrome


@pytest.fixture(scope="module")
def browser(chrome: Any) -> Any:
    """Chromium with one new tab, without cookies and complaints, whatever the tests of another file have left."""
    left = chrome.window_handles
    chrome.switch_to.new_window("tab")
    new = chrome.current_window_handle
    for tab in left:
        chrome.switch_to.window(tab)
        chrome.close()
    chrome.switch_to.window(new)
    chrome.execute_cdp_cmd("Network.clearBrowserCookies", {})
    chrome.get_log("browser")  # of boxes that were switched off before their pages
    return chrome


@pytest.fixture
def phones(browser: Any) -> Iterator[Any]:
    """Open phones: `phones(sim, RED, 0)` pairs one for a seat, None is the referee's, "" pairs none."""
    with opened_phones(browser) as open:
        yield open


@pytest.fixture
def rigs(tmp_path: Path) -> Iterator[Rigs]:
    """Virtual boxes; all are switched off at the end."""
    rigs = Rigs(tmp_path)
    yield rigs
    rigs.switch_off()


@pytest.fixture
def in_play(rigs: Rigs, tmp_path: Path) -> Callable[..., Rig]:
    """Switch on a box that resumes a Dodéka of Ann and Ben: `in_play(minutes=1)`."""

    def go_on(file: str = "games.db", **options: Any) -> Rig:
        journal = Journal(tmp_path / file)
        journal.leave(journal.begin(dodeka_header(**options)))
        journal.close()
        rig = rigs(journal=tmp_path / file)
        rig.press("ok")
        assert rig.shows("Ann", "Ben", "Final dice"), rig.screen
        return rig

    return go_on


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say of each tool that is not there how to get it, a line each."""
    skipped = terminalreporter.stats.get("skipped", [])
    reasons = {str(report.longrepr[2]).removeprefix("Skipped: ") for report in skipped}
    for reason in sorted(reasons):
        terminalreporter.write_line(f"skipped: {reason}")
