"""A guest who reads nothing touches the box in a tab, on a phone in the middle of the table and on a laptop."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.kit.patience import wait_for
from tests.kit.tables import GAMES
from tests.kit.tabs import Tab, opened, served
from umpi.box.config import COLOURS

pytestmark = pytest.mark.slow  # it needs a browser

SIZES = {"around": (360, 740), "box": (1280, 800)}
ACTS = 4  # of each match
MOST = 30  # touches without anything new
NAMES = "Ann", "Ben", "Cleo"
TOUCHED = *COLOURS, "ok", "ok", "ok", "up", "down"  # a guest never presses Back
PLACE = """
const key = [...document.querySelectorAll("[data-button=%s]")].find((one) => one.checkVisibility());
if (!key) return null;
key.scrollIntoView({ block: "nearest" });
const { x, y, width, height } = key.getBoundingClientRect();
const [left, top] = [x + width / 2, y + height / 2];
return {
    x: left, y: top, wide: document.documentElement.scrollWidth > innerWidth,
    met: key.contains(document.elementFromPoint(left, top)), smallest: Math.min(width, height),
};
"""
DOTS = "return [...document.querySelectorAll('canvas')].find((one) => one.checkVisibility()).toDataURL()"


class Guest:
    """A guest at the page of a box in a tab. What it touches follows from its seed alone."""

    def __init__(self, tab: Tab, seed: int) -> None:
        self.tab, self.seed = tab, seed
        self._chance, self._bag = Random(seed), list[str]()
        self.trail: list[str] = []

    def play(self) -> int:
        """Touch until the match has some acts or is over; return the number of touches."""
        acts, idle, known = 0, 0, set[str]()
        touches = 0
        while acts < ACTS:
            if not self._bag:
                self._bag = self._chance.sample(TOUCHED, len(TOUCHED))
            touches += self._touch(self._bag.pop())
            match, dots = self.tab.ask("api/state")["match"], self._dots()
            if match["over"]:
                break
            if match["acts"] > acts:
                acts, idle = match["acts"], 0
                known.clear()
            idle = 0 if dots not in known else idle + 1
            known.add(dots)
            assert idle <= MOST, f"seed {self.seed}: nothing new after {' '.join(self.trail[-MOST:])}"
        return touches

    def _touch(self, button: str) -> bool:
        """Touch a button if it is there, in the middle; return whether it is."""
        place = self.tab.look(PLACE % button)
        if not place:
            return False
        self.trail.append(button)
        assert place["met"], f"seed {self.seed}: something covers {button}"
        assert not place["wide"], "the page scrolls sideways"
        assert place["smallest"] >= 24, f"{button} is too small to touch"
        at = [{"x": place["x"], "y": place["y"]}]
        self.tab.chrome.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": at})
        self.tab.chrome.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        return True

    def _dots(self) -> str:
        return str(self.tab.look(DOTS))


@pytest.fixture(scope="module")
def tab(browser: Any, folder: Path) -> Iterator[Tab]:
    """A box in a tab, without a match."""
    with served(folder) as address, opened(browser) as chrome:
        tab = Tab(chrome, address)
        assert tab.begins() == "ready"
        wait_for(lambda: tab.ask("api/me")["who"], lambda: "the page is not paired")
        yield tab


@pytest.mark.parametrize("view", SIZES)
def test_a_guest_plays_each_game_by_touch(tab: Tab, view: str) -> None:
    width, height = SIZES[view]
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    tab.chrome.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    tab.chrome.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 5})
    wait_for(lambda: tab.look(f"location.hash = '{view}'; return document.querySelectorAll('canvas').length"))
    players = [{"button": button, "name": name} for button, name in zip(COLOURS, NAMES, strict=False)]
    touches = {}
    for seed, game in enumerate(GAMES):
        most = 2 if game == "battledodes" else 3
        tab.ask("api/start", {"game": game, "rules": "", "options": {}, "players": players[:most]})
        touches[game] = Guest(tab, seed).play()
        match = tab.ask("api/state")["match"]
        tab.ask("api/leave", {"match": match["id"]})
    assert min(touches.values()) > 0, touches
    assert not [line for line in tab.chrome.get_log("browser") if line["level"] == "SEVERE"]


USED = {
    "button", "link", "checkbox", "radio", "combobox", "textbox", "spinbutton", "img", "Iframe", "DisclosureTriangle",
}  # fmt: skip


def test_a_screen_reader_has_a_name_for_everything_that_can_be_used(tab: Tab) -> None:
    tab.chrome.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    top = tab.chrome.execute_cdp_cmd("Page.getFrameTree", {})["frameTree"]
    frames = [top["frame"]["id"], *(each["frame"]["id"] for each in top["childFrames"])]
    for view in ("box", "around", "table", "past", "rules"):
        go = f"location.hash = '{view}'; return document.documentElement.dataset.view === '{view}'"
        wait_for(lambda go=go: tab.look(go))
        tab.look("for (const one of document.querySelectorAll('details')) one.open = true;")
        used = []
        for frame in frames:
            for node in tab.chrome.execute_cdp_cmd("Accessibility.getFullAXTree", {"frameId": frame})["nodes"]:
                if not node["ignored"] and node["role"]["value"] in USED:
                    used.append((node["role"]["value"], node["name"]["value"]))
        assert ("Iframe", "Umpi") in used
        assert len(used) > 5, used
        assert [one for one in used if not one[1]] == [], view
