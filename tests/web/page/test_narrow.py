"""A phone of 360 px at 200 % has 180 CSS pixels: no page scrolls sideways, and no word is broken in two."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.browsing import Phone
from tests.kit.resumed import played
from tests.kit.words_on_page import ZOOMED, faults
from umpi.kernel.match import Match
from umpi.kernel.registry import find

pytestmark = pytest.mark.slow  # each needs a browser

VIEWS = {  # a view, and what it shows at last
    "box": "#oled", "history": ".act", "past": ".past li", "past/1": ".replay .board", "rules": "#rules a",
    "rules/dodeka": ".rules h3", "learn": "#learn a", "learn/dodeka": ".lesson .board", "pair": "#pair button",
    "app": "#app h2", "tv": ".scores",
}  # fmt: skip


@pytest.mark.parametrize("language", ["", "hu"])  # that of the longest words
def test_each_view_fits_a_phone_at_200_percent(open_at: Any, language: str) -> None:
    _, phone = open_at(played("dodeka", ("Anne-Catherine", "Ben"), 7), 360, 740, "table", language)
    phone.resize(*ZOOMED)
    found = {"table": faults(phone)}
    for view, what in VIEWS.items():
        phone.go(view)
        phone.find(what)
        found[view] = faults(phone)
    assert {view: each for view, each in found.items() if each} == {}


def test_the_start_and_joining_fit_a_phone_at_200_percent(fresh: Any, phones: Any) -> None:
    phone: Phone = phones(fresh, 2)
    phone.resize(*ZOOMED)
    found = faults(phone)
    fresh.choose("Pair a phone")
    fresh.sees("Whose phone?")
    fresh.choose("All: one QR code")
    phone.go("pair")
    phone.find("form.join")
    found += faults(phone)
    phone.tap("form.join input")
    phone.type(*"Maximilian")
    phone.tap("form.join [data-key='seat 0']")
    phone.find(".waiting")
    assert found + faults(phone) == []


def test_the_tabs_are_apart_at_320_px(open_at: Any) -> None:
    _, phone = open_at(Match(find("dodeka"), ("Anne-Catherine", "Ben"), {}), 320, 640, "table", "hu")
    apart = """
        const shown = [...document.querySelectorAll("header nav a")].filter((one) => one.checkVisibility());
        const tabs = shown.map((one) => {
            const range = document.createRange();
            range.selectNodeContents(one);
            return range.getBoundingClientRect();
        });
        return tabs.slice(1).every(({ left, top }, nth) => top > tabs[nth].top || left > tabs[nth].right + 4);
    """
    assert phone.here.execute_script(apart)


def test_three_buttons_below_an_answer_leave_room_for_the_question_at_200_percent(open_at: Any) -> None:
    sim, phone = open_at(Match(find("dodeka"), ("Anne-Catherine", "Ben"), {}), 360, 740, "table")
    phone.pair(sim.code(None))
    phone.resize(*ZOOMED)
    phone.tap("[data-field=dice] [data-value='5']")
    phone.find(".thumb [data-key='send open']")
    bar = "const one = document.querySelector('.thumb'); return [getComputedStyle(one).position, one.offsetHeight]"
    position, height = phone.here.execute_script(bar)
    assert position == "static" or height < 370 / 3
