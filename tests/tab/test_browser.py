"""The box in a real browser's tab: it starts once with a network and then without, and is never lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.browsing import chromium
from tests.kit.tabs import Tab, kill, served

pytestmark = pytest.mark.slow


def test_a_killed_browser_goes_on_without_a_network_where_it_was(folder: Path, tmp_path: Path) -> None:
    with served(folder) as address, chromium(tmp_path) as chrome:
        tab = Tab(chrome, address)
        assert tab.begins() == "ready"
        assert tab.look("return document.querySelectorAll('#oled').length") == 1
        tab.begin()
        shown = [tab.score(points) for points in (5, 7, 11)][-1]
        assert not [line for line in chrome.get_log("browser") if line["level"] == "SEVERE"]
        kill(tmp_path)
    with chromium(tmp_path) as chrome:  # nobody serves the files any more
        tab = Tab(chrome, address)
        assert tab.begins() == "ready"
        found = tab.ask("api/state")
        assert found["match"]["acts"] == shown
        assert found["match"]["scores"] == [23, 0]
        assert not found["unsaved"]
        assert tab.ask("api/me")["who"] == {"role": "referee"}, "the page is still paired"
        chrome.switch_to.new_window("tab")
        other = Tab(chrome, address)
        assert other.begins() == "failed"
        assert "another tab" in other.says()


def test_a_browser_that_cannot_run_it_says_what_is_missing(folder: Path, tmp_path: Path) -> None:
    with served(folder) as address, chromium(tmp_path) as chrome:
        chrome.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": "delete globalThis.WebAssembly"})
        tab = Tab(chrome, address)
        assert tab.begins() == "failed"
        assert "it lacks WebAssembly" in tab.says()


def test_files_that_cannot_be_got_are_said(folder: Path, tmp_path: Path) -> None:
    some = tmp_path / "some"
    some.mkdir()
    for file in folder.iterdir():
        if not file.name.startswith("umpi.zip"):
            (some / file.name).symlink_to(file)
    with served(some) as address, chromium(tmp_path / "profile") as chrome:
        tab = Tab(chrome, address)
        assert tab.begins() == "failed"
        assert "Check the network" in tab.says()
