"""Measure the box in a browser's tab: how soon it is ready, and how soon a press is seen."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from scripts.tab.build import build
from tests.kit.browsing import Phone, Sim, chromium
from tests.kit.tabs import Tab, served

STARTS, PRESSES = 5, 40
SEEN = """
const done = arguments[0];
const before = window.seen;
const begun = performance.now();
const button = document.querySelector("[data-button=down]");
const look = setInterval(() => {
    if (window.seen === before) return;
    clearInterval(look);
    const took = performance.now() - begun;
    button.dispatchEvent(new PointerEvent("pointerup", { pointerId: 1, bubbles: true }));
    setTimeout(() => done(took), 60);
}, 0);
button.setPointerCapture = () => {};
button.dispatchEvent(new PointerEvent("pointerdown", { pointerId: 1, bubbles: true }));
"""


def tab() -> None:
    """Starts of the box in a tab, and the time from a press to its picture, beside `umpi sim`."""
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        files = build(folder / "box")
        print(f"Downloaded: {sum(file.bytes for file in files) / 1e6:.1f} MB")
        address = stack.enter_context(served(folder / "box"))
        firsts = []
        for number in range(STARTS):
            with chromium(folder / f"profile-{number}") as chrome:
                firsts.append(_start(chrome, address))
        again, offline = [], []
        with chromium(folder / "profile-0") as chrome:
            again = [_start(chrome, address) for _ in range(STARTS)]
            presses = _presses(chrome)
        stack.close()
        with chromium(folder / "profile-0") as chrome:
            offline = [_start(chrome, address) for _ in range(STARTS)]
        with Sim(folder / "games.db", "--lanes", "0") as sim, chromium(folder / "sim") as chrome:
            beside = Phone(chrome, sim.address(), 1280, 900)
            beside.go("box")
            natively = _presses(chrome, framed=False)
    print("\nUntil the box is ready, s: median (least to most)")
    for what, times in (("first start", firsts), ("again", again), ("without a network", offline)):
        print(f"  {what:18} {_row(times)}")
    print("\nFrom a press to its picture, ms: median (least to most)")
    print(f"  in the tab         {_row(presses)}\n  umpi sim           {_row(natively)}")


def _row(times: Sequence[float]) -> str:
    return f"{statistics.median(times):6.2f} ({min(times):.2f} to {max(times):.2f})"


def _start(chrome: Any, address: str) -> float:
    """Open the box; return the seconds until it is ready."""
    begun = time.monotonic()
    assert Tab(chrome, address).begins() == "ready"
    return time.monotonic() - begun


def _presses(chrome: Any, framed: bool = True) -> list[float]:
    """Press a button again and again; return the milliseconds until the picture has changed."""
    if framed:
        chrome.switch_to.frame("page")
    chrome.execute_script("location.hash = 'box'")
    time.sleep(1)
    times = [float(chrome.execute_async_script(SEEN)) for _ in range(PRESSES)]
    chrome.switch_to.default_content()
    return times
