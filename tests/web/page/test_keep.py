"""What stays the same on the page stays in place, with its focus. A press counts for the question that it was on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.kit.browsing import Phone, Sim, deal

pytestmark = pytest.mark.slow  # each needs a browser

# Change a place to random content. Compare it, and the listeners that it calls, with a new place of the same content.
RANDOM = """
    const [trials, done] = arguments;
    let seed = 7;
    const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
    Promise.all([import("/make.js"), import("/sketch.js")]).then(([{ change, draw, make }, { Sketch }]) => {
        const called = [];
        const sketched = (depth) => Array.from({ length: random(4) }, (_, nth) => {
            if (random(5) === 0) return ["fire", "water"][random(2)];
            const bears = { class: ["one", "one two", "three"][random(3)] };
            if (random(2)) bears.x = String(random(3));
            if (random(2)) bears["data-key"] = `key ${nth}`;
            return new Sketch(["g", "rect"][random(2)], bears, depth ? sketched(depth - 1) : []);
        });
        const some = (trial, depth, keys) => Array.from({ length: random(5) }, () => {
            const kind = random(7);
            if (kind === 0) return ["fire", "water", "é"][random(3)];
            if (kind === 6) return new Sketch("svg", { class: "drawn" }, sketched(2));
            const number = random(6);
            const attributes = { class: ["", "one", "one two"][random(3)], title: random(2) && `title ${random(3)}` };
            if (random(3) === 0) attributes.vars = { size: random(4) };
            if (random(2) && !keys.has(number)) keys.add(number) && (attributes["data-key"] = `key ${number}`);
            if (kind === 1) return make("input", { value: random(3), class: attributes.class });
            if (random(3) === 0) attributes.onclick = ({ currentTarget: one }) => called.push([trial, one.textContent]);
            const inside = depth ? some(trial, depth - 1, new Set()) : [];
            return kind === 2 ? draw("g", attributes, inside)
                : make(["button", "p"][kind - 3] ?? "div", attributes, inside);
        });
        const clicked = (place) => {
            called.length = 0;
            for (const one of place.querySelectorAll("*")) one.dispatchEvent(new Event("click"));
            return JSON.stringify(called);
        };
        const [place, fresh] = [make("section"), make("section")];
        const flaws = [];
        const looks = new MutationObserver(() => {});
        for (let trial = 0; trial < trials; trial++) {
            const from = seed;
            change(place, some(trial, 2, new Set()));
            looks.observe(place, { attributes: true, characterData: true, childList: true, subtree: true });
            seed = from;
            change(place, some(trial, 2, new Set()));
            const again = looks.takeRecords();
            looks.disconnect();
            if (again.length) flaws.push(`${again[0].type} ${again[0].attributeName} is changed to the same`);
            seed = from;
            fresh.replaceChildren();
            change(fresh, some(trial, 2, new Set()));
            place.normalize(), fresh.normalize();
            const values = (one) => JSON.stringify([...one.querySelectorAll("input")].map(({ value }) => value));
            if (!place.isEqualNode(fresh)) flaws.push(`${place.innerHTML} in place of ${fresh.innerHTML}`);
            if (values(place) !== values(fresh)) flaws.push(`${values(place)} in place of ${values(fresh)}`);
            const [now, wanted] = [clicked(place), clicked(fresh)];
            if (now !== wanted) flaws.push(`${now} is called in place of ${wanted}`);
        }
        done(flaws);
    }).catch((fault) => done([String(fault.stack)]));
"""

EARTH = "[data-value='\"earth-4\"']"  # an option before and after the act
ACT = """
    const [card] = arguments;
    const answer = await fetch("api/state");
    const { question } = await answer.json();
    const body = JSON.stringify({ question: question.id, act: { do: "turn", card } });
    await fetch("api/act", { method: "POST", headers: { "Content-Type": "application/json" }, body });
"""

WATCH = """
    window.touched = new Set();
    new MutationObserver((records) => {
        const changed = records.map(({ target }) => (target.closest ? target : target.parentElement));
        for (const one of changed) if (!one.closest(".virtual, .around")) touched.add(one.closest("[id]").id);
    }).observe(document.body, { attributes: true, characterData: true, childList: true, subtree: true });
"""


def test_a_changed_place_equals_a_new_one(page: Phone) -> None:
    page.here.set_script_timeout(60)
    assert page.here.execute_async_script(RANDOM, 400) == []
    assert not page.complaints()


@pytest.fixture
def phone(sim: Sim, browser: Any) -> Iterator[Phone]:
    """The referee's phone, so large that it shows the board too, at the first question after the deal."""
    first = browser.current_window_handle
    phone = Phone(browser, sim.address(2), 1280, 800)
    phone.pair(sim.code(None))
    deal(phone)
    phone.find("#board svg")
    yield phone
    phone.here.delete_all_cookies()
    phone.here.close()
    browser.switch_to.window(first)


def test_an_act_keeps_the_scores_the_board_and_the_options_that_stay(phone: Phone) -> None:
    stay = ["[data-seat='0'] .large", "#board svg", "#board [data-key]", "#question h2", EARTH]
    phone.here.execute_script("window.kept = arguments[0].map((one) => document.querySelector(one))", stay)
    assert phone.here.execute_script("return kept.every(Boolean)")
    phone.here.execute_script("document.querySelector(arguments[0]).focus()", EARTH)
    phone.here.execute_script(ACT, "fire-2")
    phone.reads("#last", "fire-2")
    assert phone.here.execute_script("return kept.filter((one) => !one.isConnected).map((one) => one.outerHTML)") == []
    assert phone.here.execute_script("return document.activeElement === kept.at(-1) && kept.at(-1).tabIndex") == 0


def test_an_act_touches_only_what_it_changes(phone: Phone) -> None:
    phone.here.execute_script(WATCH)
    phone.here.execute_script(ACT, "fire-2")
    phone.wait("return touched.has('last')")
    touched = phone.here.execute_script("return [...touched].sort()")
    assert touched == ["announcement", "board", "last", "question", "scores", "turn"]


def test_a_tap_that_began_at_the_question_before_answers_nothing(sim: Sim, phone: Phone) -> None:
    phone.here.execute_script("window.clicks = 0; addEventListener('click', () => { clicks += 1; }, true)")
    place = phone.here.execute_script("return document.querySelector(arguments[0]).getBoundingClientRect()", EARTH)
    at = {"x": place["x"] + 9, "y": place["y"] + place["height"] / 2, "button": "left", "clickCount": 1}
    phone.cdp("Input.dispatchMouseEvent", type="mousePressed", **at)
    phone.here.execute_script(ACT, "fire-2")
    phone.reads("#last", "fire-2")
    phone.cdp("Input.dispatchMouseEvent", type="mouseReleased", **at)
    phone.wait("return clicks === 1")
    phone.tap("[data-value='\"water-2\"']")  # a whole one answers
    phone.reads("#last", "water-2")
    assert [each["line"].get("card") for each in sim.get("api/history")] == [None, "fire-2", "water-2"]


def test_a_board_that_comes_back_into_view_is_the_present_one(phone: Phone) -> None:
    drawn = "return document.querySelector('#board svg')?.getAttribute('aria-label')"
    before = phone.here.execute_script(drawn)
    for view in ("past", "table"):
        phone.go(view)
    assert phone.here.execute_script(drawn) == before, "nothing has changed"
    phone.go("past")
    phone.here.execute_script(ACT, "fire-2")
    phone.wait("return document.documentElement.dataset.acts === '2'")
    phone.go("table")
    phone.wait("return document.querySelector('#board svg')?.getAttribute('aria-label') !== arguments[0]", before)
    assert phone.here.execute_script(drawn)
