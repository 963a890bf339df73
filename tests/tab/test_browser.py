"""The box in a real browser's tab: it starts once with a network and then without, and is never lost."""

from __future__ import annotations

import gzip
import shutil
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.kit.browsing import chromium
from tests.kit.journals import leave
from tests.kit.patience import wait_for
from tests.kit.tabs import Tab, kill, opened, served
from umpi.journal import open_to_read
from umpi.journal.transfer import export
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find
from umpi.simulator.pico import VirtualPico

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


DIES = """
  new BroadcastChannel("die").onmessage = () => python.runPython("import os; os.abort()");
  return python;
"""
SUSPENDS = """
const [done] = arguments;
const waits = "import asyncio; from pyodide.ffi import run_sync; run_sync(asyncio.sleep(0))";
const tried = import("./python.js").then(({ umpi }) => umpi()).then((python) => python.runPythonAsync(waits));
tried.then(() => done("it waited"), (fault) => done(`${fault}`));
"""


def test_a_box_whose_python_has_died_says_so_and_goes_on_after_a_reload(
    browser: Any, folder: Path, tmp_path: Path
) -> None:
    planted = tmp_path / "box"
    shutil.copytree(folder, planted)
    source = (planted / "python.js").read_text(encoding="utf-8").replace("  return python;\n", DIES)
    (planted / "python.js").write_text(source, encoding="utf-8")
    (planted / "python.js.z").write_bytes(gzip.compress(source.encode()))
    with served(planted) as address, opened(browser) as chrome:
        tab = Tab(chrome, address)
        assert tab.begins() == "ready"
        tab.begin()
        shown = tab.score(5)
        chrome.execute_script("new BroadcastChannel('die').postMessage('')")
        wait_for(lambda: "Reload the page: the match is saved." in tab.says(), tab.says)
        chrome.refresh()
        assert tab.begins() == "ready"
        assert tab.ask("api/state")["match"]["acts"] == shown


def test_python_cannot_suspend_a_call(browser: Any, folder: Path) -> None:
    """Where it can, the garbage collector dies at the frames of a suspended task (pyodide/pyodide#6464)."""
    with served(folder) as address, opened(browser) as chrome:
        chrome.set_script_timeout(60)
        chrome.get(f"{address}tab.css")  # any page of the folder: this one starts no box
        assert "stack switching" in chrome.execute_async_script(SUSPENDS)


SEND = """
const [text, done] = arguments;
const sent = fetch("box/matches", { method: "POST", body: text });
sent.then((answer) => answer.json()).then(done, (fault) => done(`${fault}`));
"""


def test_a_match_is_reviewed_and_a_hint_found_while_the_box_goes_on(browser: Any, folder: Path, tmp_path: Path) -> None:
    leave(tmp_path / "games.db", play_out(find("dodeka"), ("Ann", "Ben"), seed=7))
    with closing(open_to_read(tmp_path / "games.db")) as journal:
        exported = "".join(f"{line}\n" for line in export(journal))
    with served(folder) as address, opened(browser) as chrome:
        tab = Tab(chrome, address)
        assert tab.begins() == "ready"
        wait_for(lambda: tab.ask("api/me")["who"], lambda: "the page is not paired")
        assert chrome.execute_async_script(SEND, exported)["new"] == 1
        (match,) = tab.ask("api/matches")
        tab.look(f"location.hash = 'past/{match['id']}'")
        press = "const one = document.querySelector('[data-key=review]'); one?.click(); return Boolean(one);"
        wait_for(lambda: tab.look(press), lambda: tab.look("return document.body.innerText"))
        said = "return document.querySelector('.review').innerText"
        wait_for(lambda: "4,889.2" in tab.look(said) or "4889.2" in tab.look(said), lambda: tab.look(said))
        players = [{"button": colour, "name": name} for colour, name in (("red", "Ann"), ("blue", "Ben"))]
        tab.ask("api/start", {"game": "dodeka", "rules": "", "options": {}, "players": players})
        tab.ask("api/hint", {"question": tab.ask("api/state")["question"]["id"]})
        hint = wait_for(lambda: (tab.ask("api/state")["hint"] or {}).get("text"), lambda: tab.ask("api/state"))
        assert "roll" in hint.lower()
        assert not [line for line in chrome.get_log("browser") if line["level"] == "SEVERE"]


def test_a_phone_in_the_middle_has_an_area_for_each_player_and_says_what_is_too_close(
    browser: Any, folder: Path
) -> None:
    with served(folder) as address, opened(browser) as chrome:
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


PORTS = """
if (window === top) {
  let [from, plugged] = [null, true];
  const port = {
    async open() {
      this.readable = new ReadableStream({ start(way) { from = way; } });
      this.writable = new WritableStream({ write(bytes) { window.toHead += String.fromCharCode(...bytes); } });
    },
    async setSignals() {}, async close() {}, async forget() {},
  };
  window.toHead = "";
  window.fromHead = (text) => text && from?.enqueue(Uint8Array.from(text, (letter) => letter.charCodeAt(0)));
  window.pullHead = () => {
    plugged = false;
    from.error(new DOMException("The device has been lost.", "NetworkError"));
  };
  const ports = Object.assign(new EventTarget(), {
    async requestPort() { localStorage.setItem("granted", "1"); return port; },
    async getPorts() { return plugged && localStorage.getItem("granted") ? [port] : []; },
  });
  Object.defineProperty(navigator, "serial", { value: ports });
}
"""
CHOOSE = """
const [lanes] = document.querySelectorAll(".usb-head select");
lanes.value = "2";
document.querySelector("[data-key='choose head']").click();
"""


class Carried:
    """A Pico whose bytes the test carries to a port of the browser, which the page takes for one of USB."""

    def __init__(self, chrome: Any) -> None:
        self.chrome = chrome
        self.blocked: set[str] = set()
        self.born_ns = time.monotonic_ns()
        self.pico = VirtualPico(self.blocked, "0000c0de")
        self.pico.firmware = "2.0"  # no test of the emitters, which hides a cube that falls in that moment

    @property
    def us(self) -> int:
        return (time.monotonic_ns() - self.born_ns) // 1000

    def carry(self) -> bool:
        """Carry what waits at both ends; return whether the box has said something."""
        asked = self.chrome.execute_script("const said = window.toHead ?? ''; window.toHead = ''; return said;")
        self.pico.take(asked.encode(), self.us)
        self.pico.step(self.us)
        sent, self.pico.output[:] = b"".join(self.pico.output).decode("latin-1"), []
        self.chrome.execute_script("window.fromHead?.(arguments[0]);", sent)
        return bool(asked)

    def fall(self, *lines: str) -> None:
        """Let a cube pass each of these beams, 5 ms apart, in the time that has just passed."""
        began_us = self.us
        wait_for(lambda: self.us > began_us + 30_000)
        changes = [
            (5_000 * at + after_us, line, not after_us) for at, line in enumerate(lines) for after_us in (0, 12_000)
        ]
        for after_us, line, dark in sorted(changes):
            (self.blocked.add if dark else self.blocked.discard)(line)
            self.pico.look(began_us + after_us)


def test_a_sensor_head_at_a_port_of_the_browser_tells_who_was_first(browser: Any, folder: Path) -> None:
    with served(folder) as address, opened(browser) as chrome:
        chrome.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": PORTS})
        tab = Tab(chrome, address)
        assert tab.begins() == "ready"
        wait_for(lambda: tab.look("location.hash = 'box'; return document.querySelectorAll('.usb-head select').length"))
        tab.look(CHOOSE)
        head = Carried(chrome)
        wait_for(head.carry)  # it has started again, and asks who is there
        assert tab.begins() == "ready"

        def state() -> Any:
            head.carry()
            return tab.ask("api/state")

        wait_for(lambda: tab.ask("api/me")["who"], lambda: "the page is not paired")
        players = [{"button": colour, "name": name} for colour, name in (("red", "Ann"), ("blue", "Ben"))]
        tab.ask("api/start", {"game": "quiz", "rules": "", "options": {}, "players": players})
        tab.ask("api/act", {"question": state()["question"]["id"], "act": {"do": "open"}})
        wait_for(lambda: not state()["troubles"])
        for _ in range(20):
            head.carry()  # until the clocks are known to each other
        head.fall("lane_2", "lane_1")
        order = wait_for(lambda: (seen := state()["seen"]) and len(seen.get("order", [])) == 2 and seen["order"])
        assert [place["name"] for place in order] == ["Ben", "Ann"], order
        assert abs(order[0]["margin_us"] - 5_000) < 50
        chrome.execute_script("window.pullHead()")
        wait_for(lambda: any("unplugged" in each["text"] for each in tab.ask("api/state")["troubles"]))
        assert not [line for line in chrome.get_log("browser") if line["level"] == "SEVERE"]
