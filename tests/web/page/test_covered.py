"""A call of the referee has a place of its own: it covers no question, no answer, no score and no winner."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kit.browsing import Phone
from tests.kit.resumed import resumed_pages
from tests.kit.words_on_page import SIZES
from umpi.kernel.game import Act
from umpi.kernel.match import Match
from umpi.kernel.registry import find

pytestmark = pytest.mark.slow  # it needs a browser

PAGES = (  # view, width and height in CSS pixels; 640 × 400 is a window of 1280 × 800 at 200 %
    ("box", 1280, 800), ("table", 360, 740), ("table", 390, 844), ("table", 740, 360), ("table", 640, 400),
    ("table", 1024, 768), ("tv", 1920, 1080), ("tv", 640, 400),
)  # fmt: skip
PLAYERS = "Anne-Catherine", "Maximilian & Christelle"
ROLLS = (7, 7, 1), (3, 6, 4)
WON = (
    "Maximilian & Christelle scores 250 points: thirteen",
    "Maximilian & Christelle wins set 1, Anne-Catherine pays 40",
)
POST = """
    const [path, body, done] = arguments;
    const ask = (path, how) => fetch(path, how).then((answer) => answer.json());
    const headers = { "Content-Type": "application/json" };
    ask("api/state")
        .then(({ question: { id } }) => JSON.stringify({ question: id, ...body }))
        .then((body) => ask(path, { method: "POST", headers, body }))
        .then(({ error }) => done(error ?? ""));
"""
WATCH = """
    const texts = arguments[0];
    const others = "#oled, .navigation, .seat-keys, header, #turn, #question h2, #question button, .thumb, .score";
    const shown = (one) => one.checkVisibility({ visibilityProperty: true }) && place(one).width > 1;
    const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
    const name = (one) => `${one.localName}#${one.id}.${one.className} ${one.textContent.slice(0, 30)}`;
    const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const whole = (a) => a.top >= 0 && a.bottom <= innerHeight && a.left >= 0 && a.right <= innerWidth;
    const over = (a) => document.elementFromPoint(a.left + a.width / 2, a.top + a.height / 2);
    const place = (one) => one.getBoundingClientRect();
    const watched = window.watched = { covered: new Set(), frames: 0, read: 0 };

    function look() {
        if (window.watched !== watched) return;
        const calls = all("p").filter((one) => texts.includes(one.textContent));
        for (const other of all(others)) {
            const covers = (call) => meet(place(call), place(other)) || call.contains(over(place(other)));
            if (calls.some(covers)) watched.covered.add(name(other));
        }
        watched.read = calls.filter((one) => whole(place(one)) && over(place(one)) === one).length;
        watched.frames += calls.length > 0;
        requestAnimationFrame(look);
    }
    look();
"""
AGED = """
    const place = (one) => JSON.stringify(one.getBoundingClientRect());
    const places = () => [...document.querySelectorAll("main *")].map(place).join();
    const before = places();
    document.querySelector(".fresh")?.classList.remove("fresh");
    return places() === before;
"""


@pytest.fixture
def page(tmp_path: Path, browser: Any) -> Iterator[Phone]:
    """The referee's page of a game that this turn and the next one end."""
    match = Match(find("dodeka"), PLAYERS, {"parts": 1, "target": 50})
    match.play(Act("throw", {"keep": (), "dice": ROLLS[0]}))
    with resumed_pages(browser, tmp_path / "games.db") as open:
        sim, phone = open(match, 360, 740, "table")
        phone.pair(sim.code(None))
        phone.tap("#notice button")  # it says that the page acts for the referee
        yield phone


def post(page: Phone, path: str, body: dict[str, Any]) -> None:
    page.here.set_script_timeout(30)
    assert page.here.execute_async_script(POST, path, body) == ""


def roll(page: Phone, *dice: int) -> None:
    post(page, "api/act", {"act": {"do": "throw", "keep": [], "dice": dice}})


def stop(page: Phone, *calls: str) -> list[str]:
    """End the turn; return what its calls cover from when they appear, or that they cannot be read."""
    page.here.execute_script(WATCH, calls)
    post(page, "api/act", {"act": {"do": "stop"}})
    page.wait("return watched.frames > 20")
    covered: list[str] = page.here.execute_script("return [...watched.covered]")
    return covered or ([] if page.here.execute_script("return watched.read") == len(calls) else ["cannot be read"])


MEETS = """
    const place = (one) => one.getBoundingClientRect();
    const { bottom } = place(document.getElementById("notice"));
    const seen = [...document.querySelectorAll("main *")].filter((one) => one.checkVisibility() && place(one).height);
    return seen.filter((one) => place(one).top + scrollY < bottom - 1).map((one) => one.outerHTML.slice(0, 80));
"""


def test_a_refusal_pushes_the_page_down(page: Phone) -> None:
    for size in ("phone", "phone turned", "laptop"):
        page.resize(*SIZES[size])
        page.go("pair")
        page.here.execute_script("location.hash = '#pair=000000'")
        page.find("#notice p")
        for view in ("pair", "table", "rules"):
            page.go(view)
            page.here.execute_script("scrollTo(0, 0)")
            assert page.here.execute_script(MEETS) == [], (size, view)
    page.complaints()  # the code was wrong


def test_a_call_covers_nothing_on_any_page_and_can_be_read(page: Phone) -> None:
    found: dict[tuple[Any, ...], list[str]] = {}
    for kind in PAGES:
        view, width, height = kind
        page.resize(width, height)
        page.go(view)
        page.here.execute_script("scrollTo(0, 0)")
        found[*kind, "turn"] = stop(page, "Anne-Catherine scores 40 points: pair")
        roll(page, *ROLLS[1])
        found[*kind, "win"] = stop(page, *WON)
        page.find(".won")
        assert page.here.execute_script(AGED), "nothing moves under a finger when a call has been read"
        post(page, "api/undo", {"count": 3})
        page.wait("return document.documentElement.dataset.acts === '1'")
    assert {kind: covered for kind, covered in found.items() if covered} == {}
    assert not page.complaints()
