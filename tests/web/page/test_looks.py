"""How the page looks where room is short: on a laptop, on a small phone; and that nothing jumps."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.resumed import CUT, SIX, played, toss_all
from tests.kit.words_on_page import broken_words
from umpi.kernel.game import Act
from umpi.kernel.match import Match
from umpi.kernel.registry import find

pytestmark = pytest.mark.slow  # each needs a browser

LINES = """
    return [...document.querySelectorAll(".order .name")].map((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        return new Set([...range.getClientRects()].map(({ top }) => top)).size;
    });
"""
HIDDEN = """
    const shown = ({ left, right, top, bottom, x, y, width, height }, one) =>
        left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight &&
        one.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    return [...document.querySelectorAll(arguments[0])].filter((one) => one.checkVisibility())
        .filter((one) => !shown(one.getBoundingClientRect(), one)).map((one) => one.outerHTML.slice(0, 120));
"""
SHIFTS = """
    window.shifts = 0;
    new PerformanceObserver((list) => {
        for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) window.shifts += value;
    }).observe({ type: "layout-shift", buffered: true });
"""


def six_negative() -> Match:
    match = Match(find("scorepad"), SIX, {})
    for seat in range(6):
        match.play(Act("score", {"seat": seat, "points": -9999}))
    return match


@pytest.mark.slow
def test_six_players_with_long_scores_and_names_are_not_cut(open_at: Any) -> None:
    _, phone = open_at(six_negative(), 320, 640, "table")
    for width, height in ((320, 640), (360, 740), (740, 360), (1280, 720)):
        phone.resize(width, height)
        for view in ("table", "tv"):
            phone.go(view)
            assert phone.here.execute_script(CUT) == [], (view, width)
            assert phone.here.execute_script("return document.documentElement.scrollWidth") <= width, view


@pytest.mark.slow
def test_the_finish_order_stays_in_one_line_beside_the_virtual_box(open_at: Any) -> None:
    _, phone = open_at(played("quiz", ("Maximilian", *SIX[1:]), 5), 1280, 720, "box")
    toss_all(phone)
    for width, height in ((1280, 720), (1920, 1080)):
        phone.resize(width, height)
        assert phone.here.execute_script(LINES) == [1] * 6, width


@pytest.mark.slow
def test_nothing_jumps_while_the_page_is_loaded(open_at: Any) -> None:
    _, phone = open_at(played("dodeka", SIX[:3], 5), 1280, 720, "table")
    for view in ("box", "table", "tv"):
        phone.go(view)
        phone.here.refresh()
        phone.find("#oled" if view == "box" else ".score")
        if view != "tv":
            phone.find("#oled")
        phone.here.execute_script(SHIFTS)
        phone.here.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
        assert phone.here.execute_script("return window.shifts") < 0.1, view


@pytest.mark.slow
def test_a_page_without_a_virtual_box_does_not_ask_for_one(open_at: Any) -> None:
    """A box that is real serves the page as it is written, without the mark of a virtual one."""
    sim, phone = open_at(played("dodeka", SIX[:2], 5), 360, 740, "table")
    phone.complaints()
    phone.here.get(sim.address(6) + "index.html#table")
    phone.find(".score")
    asked = phone.here.execute_script("return performance.getEntriesByType('resource').map((one) => one.name)")
    assert not [name for name in asked if "/face" in name]
    assert not phone.complaints()
    assert not phone.here.find_elements("css selector", "#oled")


@pytest.mark.slow
@pytest.mark.parametrize(("language", "words"), [
    ("de", ("zusammen", "nacheinander", "rütteln", "zurück", "Trichter")),
    ("fr", ("ensemble", "un par un", "secouer", "retour", "Entonnoir")),
    ("hu", ("együtt", "egyenként", "megrázás", "vissza", "Tölcsér")),
])  # fmt: skip
def test_the_virtual_box_speaks_the_language_of_the_box(open_at: Any, language: str, words: tuple[str, ...]) -> None:
    _, phone = open_at(played("quiz", SIX, 5), 360, 740, "box", language)
    phone.find("#funnel[open]")
    phone.reads(".virtual", *words)
    assert phone.here.execute_script("return document.documentElement.lang") == language
    for width in (360, 320):
        phone.resize(width, 740)
        assert phone.here.execute_script("return document.documentElement.scrollWidth") <= width
    assert not {"together", "jiggle", "Keys", "first"} & set(phone.text(".virtual").split())


@pytest.mark.parametrize("language", ["", "hu"])  # that of the longest words
def test_no_word_of_the_header_is_broken_or_cut(open_at: Any, language: str) -> None:
    sim, phone = open_at(played("dodeka", ("Anne-Catherine", "Ben"), 3), 360, 740, "table", language)
    if not language:
        phone.pair(sim.code(0))
    found = {}
    for lost in (False, True):
        if lost:
            sim.stop()
            phone.find("#line:not(:empty)")
        for width, height in ((360, 740), (390, 844), (740, 360), (640, 400), (768, 1024), (1280, 800)):
            phone.resize(width, height)
            found[lost, width] = broken_words(phone, "header")
    assert {key: words for key, words in found.items() if words} == {}


def test_a_phone_that_is_turned_shows_the_whole_question_and_what_sends_it(open_at: Any) -> None:
    match = Match(find("dodeka"), SIX[:2], {})
    sim, phone = open_at(match, 740, 360, "table")
    phone.pair(sim.code(0))
    phone.tap("[data-field=dice] [data-value='3']")
    phone.find("[data-key=send]")
    phone.here.execute_script("scrollTo(0, 0)")
    assert phone.here.execute_script(HIDDEN, "#question h2, #question .option, #question .thumb button, .score") == []


def test_riddles_are_named_by_whole_words_and_no_useless_buzzer_hides_them(open_at: Any) -> None:
    match = played("dohdles", ("Ben", "Cleo", "Yellow", "Dov"), 6)
    assert match.asks[0].verb == "clue"
    sim, phone = open_at(match, 390, 844, "table")
    phone.pair(sim.code(match.seat or 0))
    phone.tap("#notice button")
    phone.find("[data-verb=clue] .option")
    assert broken_words(phone, "[data-verb=clue] .head") == []
    assert phone.here.execute_script(HIDDEN, "[data-verb=clue] .option, .hit") == []
