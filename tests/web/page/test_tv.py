"""The television: ranked scores, who was first, the end, how to join; and the strip for a video."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from tests.kit.browsing import Phone
from tests.kit.resumed import BELOW, CUT, SIX, played, toss_all
from tests.kit.rig import keys_of
from umpi.kernel.game import Act
from umpi.kernel.match import Match
from umpi.kernel.registry import find

pytestmark = pytest.mark.slow  # each needs a browser

SCREENS = ((1280, 720), (1920, 1080), (3840, 2160))
TEAMS = (
    "Rosie & Ben", "Anne-Catherine & Maximil", "Wolfgang-Amadeus & Willy", "Félix & Katy", "Maximilian & Christelle",
    "Zoé & Tom",
)  # fmt: skip
FILLED = """
    const areas = [...document.querySelectorAll(".scores, .board")].map((one) => one.getBoundingClientRect());
    return areas.reduce((sum, { width, height }) => sum + width * height, 0) / (innerWidth * innerHeight);
"""
SEATS = """
    const at = (one) => { const { top, left } = one.getBoundingClientRect(); return Math.round(top) * 1e5 + left; };
    const plates = [...document.querySelectorAll(".score")].sort((one, other) => at(one) - at(other));
    return plates.map((one) => Number(one.dataset.seat));
"""
SPEAKS = """
    const large = [...document.querySelectorAll(".order .speaks .name")];
    return large.map((one) => one.innerText).join() === arguments[0];
"""
ABOVE = """
    const above = (one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        return range.getBoundingClientRect().top < one.getBoundingClientRect().top;
    };
    return [...document.querySelectorAll(".score .name")].filter(above).map((one) => one.innerText);
"""  # where the accents of capitals are cut
TALL = """
    return [...document.querySelectorAll(".score")].map((one) => Math.round(one.getBoundingClientRect().height));
"""


def pad(*points: int) -> Match:
    match = Match(find("scorepad"), TEAMS[: len(points)], {})
    for seat, each in enumerate(points):
        match.play(Act("score", {"seat": seat, "points": each}))
    return match


def fits(tv: Phone) -> None:
    """Check that nothing is cut and nothing is below the screen, at each size of a television."""
    for width, height in SCREENS:
        tv.resize(width, height)
        assert tv.here.execute_script(BELOW) == [], width
        assert tv.here.execute_script(CUT) == [], width


def still(tv: Phone, motion: str = "reduce") -> None:
    tv.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": motion}])


@pytest.mark.parametrize("points", [(120, -85), (120, 85, 120, -9999, -15, 230)])
def test_the_board_and_the_scores_of_twelve_names_fill_each_screen(open_at: Any, points: tuple[int, ...]) -> None:
    _, tv = open_at(pad(*points), 1280, 720, "tv")
    fits(tv)
    assert tv.here.execute_script(FILLED) > 0.55
    assert tv.here.execute_script(ABOVE) == []
    names = "return [...document.querySelectorAll('.score .name')].map((one) => one.innerText)"
    assert tv.here.execute_script(names) == list(TEAMS[: len(points)])


def test_the_scores_are_ranked_and_the_leader_has_a_crown(open_at: Any) -> None:
    _, tv = open_at(pad(120, 85, 120, 64, -15, 230), 1280, 720, "tv")
    assert tv.here.execute_script(SEATS) == [5, 0, 2, 1, 3, 4], (
        "those who share a place are in the order of their seats"
    )
    places = "return [...document.querySelectorAll('.score .place')].map((one) => one.textContent)"
    assert tv.here.execute_script(places) == ["2.", "4.", "2.", "5.", "6.", "1."]
    crowns = (
        "return [...document.querySelectorAll('.crown')].map((one) => [one.closest('li').dataset.seat, one.ariaLabel])"
    )
    assert tv.here.execute_script(crowns) == [["5", "leads"]]


def test_hidden_scores_stay_hidden_and_nobody_leads(open_at: Any) -> None:
    _, tv = open_at(played("dodekka", SIX[:3], 10), 1280, 720, "tv")
    assert not set("0123456789") & set(tv.text(".scores"))
    assert not tv.here.find_elements("css selector", ".place, .crown")
    tv.find(".score.acts")


def test_the_final_hands_have_drawn_signs_that_no_font_lacks(open_at: Any) -> None:
    _, tv = open_at(played("dodekka", SIX[:3], 1000), 1280, 720, "table")
    tv.find(".podium .won")
    assert len(tv.here.find_elements("css selector", ".score .small svg.sign")) == 3


def test_an_announcement_is_to_scale_beside_the_scores(open_at: Any) -> None:
    _, tv = open_at(played("quiz", TEAMS, 5), 1280, 720, "box")
    toss_all(tv)
    tv.go("tv")
    fits(tv)
    lefts = "return [...document.querySelectorAll('.finish .at > svg')].map((one) => one.getBoundingClientRect().left)"
    at = tv.here.execute_script(lefts)
    steps = [later - earlier for earlier, later in pairwise(at)]
    assert steps == pytest.approx([steps[0]] * 5, rel=0.01), "the cubes fall one after the other"
    assert steps[0] > 100


def test_who_must_guess_is_large_in_the_order_and_not_who_was_first(open_at: Any) -> None:
    """Yellow's cube was first, but Red may guess first: a table that reads the large name judges Red's guess."""
    match = Match(find("dohdles"), SIX[:3], {})
    match.play(Act("clue", {"riddle": "B1", "kind": "letter"}))
    sim, tv = open_at(match, 1280, 720, "box")
    tv.find("#together").click()
    for colour in ("yellow", "red"):
        tv.tap(f"[data-cube={colour}]")
    tv.tap("#toss")
    tv.go("tv")
    tv.wait(SPEAKS, "Yellow")
    sim.sees("Guess Blue 1 first, or")
    sim.press("red")
    tv.wait(SPEAKS, "Red")


def test_a_match_ends_on_a_podium_with_the_reason(open_at: Any) -> None:
    match = played("quiz", TEAMS, 1000)
    result = match.now.result()
    assert result, "it has been played to its end"
    _, tv = open_at(match, 1280, 720, "tv")
    tv.find(".podium .won .crown")
    still(tv)
    fits(tv)
    tall = tv.here.execute_script(TALL)
    assert [sorted(set(result.places)).index(place) for place in result.places] == [
        sorted(set(tall), reverse=True).index(height) for height in tall
    ]
    large = tv.here.execute_script("return [...document.querySelectorAll('.large')].map((one) => one.innerText)")
    assert large == [str(score) for score in match.now.scores()]
    tv.reads("#turn", "win", "most points")


def test_the_podium_rises_only_for_those_who_want_motion(open_at: Any) -> None:
    _, tv = open_at(played("dodeka", SIX[:2], 1000), 1280, 720, "tv")
    tv.find(".podium")
    lasts = "return parseFloat(getComputedStyle(document.querySelector('.podium .score')).animationDuration)"
    for motion, seconds in (("no-preference", 0.6), ("reduce", 0)):
        still(tv, motion)
        assert tv.here.execute_script(lasts) == seconds


def test_the_strip_for_a_video_is_transparent_and_has_only_the_scores(open_at: Any) -> None:
    _, tv = open_at(pad(120, 85, 120, 64, -15, 230), 1920, 160, "tv")
    tv.here.execute_script("location.hash = 'overlay'")
    tv.wait("return 'overlay' in document.documentElement.dataset")
    grounds = """
        const parts = ["html", "body", "main", ".table", ".scores"].map((one) => document.querySelector(one));
        return parts.map((one) => getComputedStyle(one).background);
    """
    for ground in tv.here.execute_script(grounds):
        assert ground.startswith("rgba(0, 0, 0, 0)")
        assert "gradient" not in ground
    assert tv.here.execute_script(BELOW) == []
    assert tv.here.execute_script(CUT) == []
    assert tv.here.execute_script(ABOVE) == []
    assert not [one for one in tv.here.find_elements("css selector", "button, a, #turn, .beside") if one.is_displayed()]
    assert tv.here.execute_script(SEATS) == [5, 0, 2, 1, 3, 4]
    tv.resize(1280, 720)
    strip = "const { top, bottom } = document.querySelector('.scores').getBoundingClientRect(); return [top, bottom]"
    assert tv.here.execute_script(strip) == [592, 720], "a strip at the lower edge, also of a whole picture"


def test_a_box_without_a_match_shows_how_to_join_and_an_open_one_keeps_the_code_in_a_corner(open_at: Any) -> None:
    sim, tv = open_at(None, 1280, 720, "tv")
    tv.find("#join li + li + li")
    tv.find("#join img")
    fits(tv)
    tv.reads("#turn", "At the box: Which game?")
    sim.press(keys_of("dodekka"))
    sim.sees("Players?")
    tv.reads("#turn", "At the box: Players?")
    sim.press("red blue ok")
    sim.sees("Options")
    sim.press("ok")
    tv.find(".score")
    tv.wait("return !document.querySelector('#join').innerText")
    sim.press("back")
    sim.sees("Menu")
    sim.choose("Pair a phone")
    sim.choose("All: one QR code")
    tv.find("#join img")
    fits(tv)
    sim.press("ok")
    tv.wait("return !document.querySelector('#join').innerText")


def test_a_television_is_left_by_what_can_be_seen_and_by_escape(open_at: Any) -> None:
    _, tv = open_at(played("quiz", SIX, 5), 1280, 720, "tv")
    tv.tap("#leave")
    tv.find("nav")
    assert tv.here.execute_script("return location.hash") == "#table"
    tv.go("tv")
    tv.type(Keys.ESCAPE)
    tv.find("nav")
