"""The box in a real browser's tab: it starts once with a network and then without, and is never lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.browsing import chromium
from tests.kit.patience import wait_for
from tests.kit.tabs import Tab, kill, served

pytestmark = pytest.mark.slow
AREAS = """
return [...document.querySelectorAll(".area")].map((area) => {
    const { x, y, width, height } = area.getBoundingClientRect();
    return { text: area.innerText, x: x + width / 2, y: y + height / 2, width, height };
});
"""


def test_a_killed_browser_goes_on_without_a_network_where_it_was(folder: Path, tmp_path: Path) -> None:
    with served(folder) as address, chromium(tmp_path) as chrome:
        tab = Tab(chrome, address)
        assert tab.begins() == "ready"
        wait_for(lambda: tab.look("return document.querySelectorAll('#oled').length"), lambda: "there is no screen")
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


def test_a_phone_in_the_middle_has_an_area_for_each_player_and_says_what_is_too_close(
    folder: Path, tmp_path: Path
) -> None:
    with served(folder) as address, chromium(tmp_path) as chrome:
        size = {"width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": True}
        chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        chrome.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 5})
        tab = Tab(chrome, address)
        assert tab.begins() == "ready"
        wait_for(lambda: tab.ask("api/me")["who"], lambda: "the page is not paired")
        wait_for(lambda: tab.look("location.hash = 'around'; return document.querySelectorAll('.area').length === 6"))
        players = [{"button": colour, "name": name} for colour, name in (("red", "Ann"), ("blue", "Ben"))]
        tab.ask("api/start", {"game": "quiz", "rules": "", "options": {}, "players": players})
        areas = wait_for(lambda: found if len(found := tab.look(AREAS)) == 2 else None)
        assert [area["text"] for area in areas] == ["●\nAnn", "■\nBen"]
        assert areas[0]["y"] < size["height"] / 2 < areas[1]["y"], "Ann sits at the upper edge, Ben at the lower one"
        assert all(min(area["width"], area["height"]) > 100 for area in areas)
        question = tab.ask("api/state")["question"]["id"]
        tab.ask("api/act", {"question": question, "act": {"do": "open"}})
        points = [{"x": area["x"], "y": area["y"], "id": number} for number, area in enumerate(areas)]
        chrome.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": points})
        chrome.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        order = wait_for(lambda: (seen := tab.ask("api/state")["seen"]) and len(seen["order"]) == 2 and seen["order"])
        assert [place["close"] for place in order] == [True, True], order
