"""Each view of the page and each game's form: a small phone, a finger, a reader, by day and by night."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kit import words_on_page
from tests.kit.browsing import Phone, Sim
from tests.kit.journals import leave
from tests.kit.page_faults import SMALL, check_readable, check_suits
from tests.kit.resumed import played
from umpi.kernel.registry import games
from umpi.simulator.reading import reads

pytestmark = pytest.mark.slow  # each needs a browser

PLAYERS = ("Rosie", "Ben", "Anne-Catherine", "Dov", "Eve", "Félix")
GAMES = {  # seats, acts, options
    "battledodes": (2, 2, {}),
    "dodeka": (3, 9, {}),
    "dodekka": (4, 14, {}),
    "dohdles": (4, 12, {}),
    "dudab-buba": (3, 6, {}),
    "quiz": (6, 5, {}),
    "scorepad": (6, 2, {}),
}


@pytest.fixture
def sim(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Sim]:
    """A box that resumes a started game: its id is the parameter, or the first of several."""
    game = request.param
    seats, number, options = GAMES[game]
    leave(tmp_path / "games.db", played(game, PLAYERS[:seats], number, **options))
    with Sim(tmp_path / "games.db", "--lanes", "6") as sim:
        sim.sees("resume")
        sim.press("red")
        yield sim


@pytest.fixture
def phone(sim: Sim, browser: Any) -> Iterator[Phone]:
    """The referee's phone."""
    first = browser.current_window_handle
    phone = Phone(browser, sim.address(5))
    phone.find("#question .unpaired")
    phone.pair(sim.code(None))
    yield phone
    phone.leave(first)


@pytest.mark.slow
@pytest.mark.parametrize("sim", [game.id for game in games()], indirect=True)
def test_the_form_of_each_game_suits_a_small_phone_and_readers_by_day_and_night(sim: Sim, phone: Phone) -> None:
    phone.tap("#notice button")
    for fold in phone.here.find_elements("css selector", "#question summary"):
        phone.here.execute_script("arguments[0].scrollIntoView({ block: 'center' })", fold)
        fold.click()
    check_suits(phone)
    phone.resize(320, 568)
    assert phone.here.execute_script("return document.documentElement.scrollWidth") <= 320
    assert phone.here.execute_script(SMALL) == []
    phone.resize(*words_on_page.ZOOMED)
    assert words_on_page.faults(phone) == []
    assert not phone.complaints()


@pytest.mark.slow
@pytest.mark.parametrize("sim", ["dodeka"], indirect=True)  # which hides no scores, so that there is a chart
def test_each_view_suits_a_small_phone_and_readers_by_day_and_night(sim: Sim, phone: Phone) -> None:
    phone.tap("#notice button")
    views = "box", "history", "past", "past/1", "pair", "tv"
    seen = dict(zip(views, ("#oled", ".act", ".past li", ".chart", "#pair button", ".scores"), strict=True))
    for view, what in seen.items():
        phone.go(view)
        phone.find(what)
        assert phone.here.execute_script("return document.documentElement.scrollWidth") <= 360, view
        if view != "box":  # its caps are drawn to scale, and the keyboard presses them as well
            assert phone.here.execute_script(SMALL) == [], view
        check_readable(phone, view)
    phone.go("table")
    phone.here.execute_script("document.documentElement.toggleAttribute('data-lost', true)")
    check_readable(phone, "without a line")


@pytest.mark.parametrize("sim", ["battledodes"], indirect=True)
def test_a_dode_that_has_landed_is_one_tap(sim: Sim, phone: Phone) -> None:
    """Face and hexagon are asked one after the other, and answered with one tap; the dode is chosen automatically."""
    before = sim.get("api/state")["match"]["acts"]
    phone.tap("[aria-label='Which face is up? 7, On which hexagon? 3']")
    phone.reads("#last", "rolls 7 on hexagon 3.")
    phone.wait("return [...document.querySelectorAll('.rows .drawn .unseen')].some((one) => one.textContent === '7x3')")
    bare = "return [...document.querySelectorAll('.rows dd:not(.drawn)')].map((one) => one.innerText)"
    assert not [cell for cell in phone.here.execute_script(bare) if cell[:1].isdecimal()], "each dode is drawn"
    assert sim.get("api/state")["match"]["acts"] == before + 1


@pytest.mark.parametrize("sim", ["dodeka"], indirect=True)
def test_three_dice_are_three_taps_the_last_of_which_can_be_taken_back(sim: Sim, phone: Phone) -> None:
    if phone.here.find_elements("css selector", "[data-verb=stop]"):
        phone.tap("[data-verb=stop]")
        phone.reads("#last", "scores")
    phone.find("[data-field=dice] .option svg.die")
    for face in (3, 12, 4):
        phone.tap(f"[data-field=dice] [data-value='{face}']")
    phone.find(".chip svg.die")
    phone.tap("[data-key=back]")
    phone.wait("return document.querySelectorAll('.chip').length === 2")
    phone.tap("[data-key=send]")
    phone.reads("#notice", "Not answered yet: dice")
    phone.tap("[data-field=dice] [data-value='5']")
    phone.tap("[data-key='send open']")
    phone.reads("#last", "rolls 3, 12 and 5.")


@pytest.mark.slow
@pytest.mark.parametrize("sim", ["scorepad"], indirect=True)
def test_points_are_entered_on_the_keypad_with_quick_steps_or_typed(sim: Sim, phone: Phone) -> None:
    points = sim.get("api/state")["match"]["scores"][1]
    phone.tap("[data-value='1']")
    for key in ("4", "2", "±", "+10"):
        phone.tap(f"[data-key='points {key}']")
    phone.wait("return document.querySelector('.number').value === '-32'")
    phone.find(".number").send_keys("0")
    phone.tap("[data-key=send]")
    phone.reads("[data-seat='1']", str(points - 320))


@pytest.mark.slow
@pytest.mark.parametrize("sim", ["scorepad"], indirect=True)
def test_taps_count_before_the_box_has_replied_to_the_first(sim: Sim, phone: Phone) -> None:
    phone.cdp("Network.enable")
    phone.cdp(
        "Network.emulateNetworkConditions", offline=False, latency=60_000, downloadThroughput=-1, uploadThroughput=-1
    )
    phone.tap("[data-value='1']")
    for key in ("4", "2"):
        phone.tap(f"[data-key='points {key}']")
    phone.wait("return document.querySelector('.number').value === '42'")


@pytest.mark.slow
@pytest.mark.parametrize("sim", ["quiz"], indirect=True)
def test_an_order_is_drawn_to_scale_with_its_margins(sim: Sim, phone: Phone) -> None:
    phone.go("box")
    phone.find("#together").click()
    for colour in ("yellow", "green", "red"):
        phone.tap(f"[data-cube={colour}]")
    phone.tap("#toss")
    phone.find("[data-lies=red]")
    phone.go("table")
    phone.reads("#announcement", "Anne-Catherine", "Dov", "Rosie")
    lines = "return [...document.querySelectorAll('.order .margin')].map((one) => one.innerText)"
    assert phone.here.execute_script(lines) == ["+60.0 ms", "+120 ms"], "behind the first, which has none"
    cubes = "return [...document.querySelectorAll('.finish .at > svg')].map((cube) => cube.getBoundingClientRect().x)"
    first, second, third = phone.here.execute_script(cubes)
    assert second - first == pytest.approx(third - second, rel=0.01)
    names = "return [...document.querySelectorAll('.finish .name')].map((one) => one.getBoundingClientRect().bottom)"
    lanes = "return [...document.querySelectorAll('.finish .at > svg')].map((one) => one.getBoundingClientRect().top)"
    above = zip(phone.here.execute_script(names), phone.here.execute_script(lanes), strict=True)
    assert all(-3 < top - bottom < 12 for bottom, top in above), "each name is over its own lane"
    runs = "return document.querySelector('.track').getAnimations().map(({ playState }) => playState)"
    assert phone.here.execute_script(runs) == []
    phone.tap("[data-key='slow motion']")
    assert phone.here.execute_script(runs) == ["running"]
    before = sim.get("api/state")["version"]
    sim.press("back")
    sim.sees("Menu")
    sim.choose("Pause")
    phone.wait("return document.querySelector('[data-paused]')")
    assert sim.get("api/state")["version"] > before, "the page has another state, with the same race"
    assert phone.here.execute_script(runs) == ["running"]
    phone.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    assert phone.here.execute_script(runs) == []
    assert not phone.here.execute_script("return document.querySelector('.slow').checkVisibility()")


@pytest.mark.slow
@pytest.mark.parametrize("sim", ["scorepad"], indirect=True)
def test_an_act_is_amended_by_its_own_question_with_names_and_the_keypad(sim: Sim, phone: Phone) -> None:
    before = sim.get("api/history")
    act = next(one for one in before if one["line"]["do"] == "score")
    other = (act["line"]["seat"] + 1) % 6
    phone.go("history")
    phone.reads(f"[data-index='{act['index']}'] .by", "Buttons")
    phone.tap(f"[data-key='more {act['index']}']")
    phone.tap(f"[data-key='amend {act['index']}']")
    phone.reads(f"[data-index='{act['index']}'] .amend", *PLAYERS, "points")
    phone.tap(f".amend [data-value='{other}']")
    phone.tap(f"[data-key='look {act['index']}']")
    phone.tap(f"[data-key='do {act['index']}']")
    phone.reads(f"[data-index='{act['index']}']", f"{PLAYERS[other]} scores {act['line']['points']} points.")


@pytest.mark.slow
@pytest.mark.parametrize("sim", ["dodeka"], indirect=True)
def test_the_last_dice_end_the_turn_as_at_the_box_and_others_do_not(sim: Sim, phone: Phone) -> None:
    """The box takes dice for the final ones by default; a phone offers that first, then the other."""
    if phone.here.find_elements("css selector", "[data-verb=stop]"):
        phone.tap("[data-verb=stop]")
        phone.reads("#last", "scores")
    turn = sim.get("api/state")["match"]["turn"]
    for final in (False, True):
        for face in (3, 12, 4):
            phone.tap(f"[data-field=dice] [data-value='{face}']")
        phone.reads(".foot", "Send as final", "Send, not final")
        phone.tap("[data-key=send]" if final else "[data-key='send open']")
        phone.reads("#last", "scores" if final else "roll")
        assert (sim.get("api/state")["match"]["turn"] == turn) is not final
        if not final:
            phone.reads("[data-verb=throw] [data-field=keep] .asks", "keep")
            phone.tap("[data-field=keep] [data-value='3']")
            phone.tap("[data-field=keep] .option[aria-pressed=true], .chip")
            phone.tap("[data-key='keep none']")


@pytest.mark.slow
@pytest.mark.parametrize("sim", ["dodeka"], indirect=True)
def test_the_funnel_is_folded_where_no_cube_answers_and_holds_each_cube_once(sim: Sim, phone: Phone) -> None:
    phone.go("box")
    phone.find("#funnel summary")
    assert not phone.here.find_elements("css selector", "#funnel[open]")
    phone.tap("#funnel summary")
    for colour in ("red", "red", "blue"):
        phone.tap(f"[data-cube={colour}]")
        phone.find(f"[data-lies={colour}]")
        sim.sees("count now. Take")  # the next press means "understood"
        sim.press("back")
        sim.look(lambda now: not reads(now, "count now. Take"))
    marked = "return [...document.querySelectorAll('[data-lies]')].map((one) => one.dataset.lies)"
    assert phone.here.execute_script(marked) == ["red", "blue"]
    sim.press("back")
    sim.sees("Menu")
    sim.choose("Exit match")
    phone.wait("return !document.querySelector('[data-lies]') && !document.querySelector('#funnel[open]')")
