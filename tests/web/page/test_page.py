"""The page on phones: a whole game, a race, a lost line, an undo, and a phone that may act no more."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.kit.browsing import CALM, Sim, deal, opened_phones

pytestmark = pytest.mark.slow  # each needs a browser

RED, BLUE, REFEREE = 2, 3, 4  # the hosts of these phones: cookies are kept by address


@pytest.fixture
def phones(sim: Sim, phones: Any) -> Any:
    """Open phones: `phones(RED, 0)` pairs one for a seat by the code on the box's panel, None is the referee's."""
    return partial(phones, sim)


@pytest.mark.slow
def test_a_whole_game_of_dodekka_is_played_on_two_phones_and_read_off_the_box(sim: Sim, phones: Any) -> None:
    red, blue = phones(RED, 0), phones(BLUE, 1)
    by_seat = (red, blue)
    deal(red)
    while not (now := sim.get("api/state"))["match"]["over"]:
        (seat, match), asks = (now["match"]["turn"], now["match"]), now["question"]["asks"]
        phone, acts = by_seat[seat or 0], match["acts"]
        phone.reads("#question h2", now["now"]["text"].split(" ")[0])  # signs of elements are drawn
        phone.find(f"[data-verb={asks[0]['verb']}]")
        ask = asks[-1]
        card = next((one["value"] for field in ask["fields"] for one in field["options"] if not one["off"]), None)
        phone.tap(f"[data-verb={ask['verb']}] [data-value='\"{card}\"']" if card else f"[data-verb={ask['verb']}]")
        if ask["fields"] and (more := ask["fields"][0].get("least", 1) - 1):
            for _ in range(more):
                phone.tap(f"[data-verb={ask['verb']}] .option:not([aria-disabled])")
            phone.tap("[data-key=send]")
        phone.wait("return Number(document.documentElement.dataset.acts) > arguments[0]", acts)
    over = now["match"]
    for phone in by_seat:
        phone.reads("#turn", over["over"]["why"], *(over["players"][seat]["name"] for seat in over["over"]["winners"]))
        for player in over["players"]:
            phone.reads(f"[data-seat='{player['seat']}']", player["name"], str(over["scores"][player["seat"]]))
        assert not phone.complaints()
    sim.sees("undo", "rematch", "done")
    red.go("past")
    red.tap("[data-key='match 1']")
    red.find("svg.chart")


@pytest.mark.slow
def test_the_later_of_two_answers_shows_what_happened_instead(sim: Sim, phones: Any) -> None:
    """A tap for a question that has passed changes nothing."""
    red, referee = phones(RED, 0), phones(REFEREE, None)
    deal(red)
    referee.find("[data-verb=take]")
    referee.cdp("Network.enable")
    referee.cdp("Network.setBlockedURLs", urls=["*/api/form*"])
    referee.here.execute_script(
        "window.fetch = ((real) => (path, how) => "
        "window.gate.then(() => real(path, how)))(window.fetch);"
        "window.gate = new Promise((open) => { window.open_gate = open; })"
    )
    referee.tap("[data-verb=take]")  # it is on its way while Red's arrives
    red.tap("[data-verb=turn] [data-value='\"fire-2\"']")
    red.reads("#last", "flips fire-2.")
    referee.here.execute_script("window.open_gate()")
    referee.reads("#notice", "closed", "Red flips fire-2.")
    assert [act["text"] for act in sim.get("api/history")][1:] == ["Red flips fire-2."]
    referee.reads("#turn", "Blue:")


@pytest.mark.slow
def test_a_phone_whose_line_breaks_says_so_and_catches_up(sim: Sim, phones: Any) -> None:
    """The box is switched off and on in mid-game: the phone is still paired, nothing is loaded again."""
    red = phones(RED, 0)
    deal(red)
    red.here.execute_script("window.kept = true")
    sim.stop()
    red.reads("#line", "not connected")
    red.tap("[data-verb=take]")
    red.reads("#notice", "Your entry may not have arrived")
    sim.start()
    red.wait("return document.getElementById('line').innerText === ''")
    red.reads("#turn", "Red:")
    sim.sees("Resuming")
    red.tap("[data-verb=take]")
    red.reads("#turn", "Blue:")
    assert red.here.execute_script("return window.kept"), "it has not been loaded again"


@pytest.mark.slow
def test_a_page_follows_a_box_that_phones_can_reach_since_its_restart(tmp_path: Path, browser: Any) -> None:
    with Sim(tmp_path / "games.db", "--host", "127.0.0.1") as sim, opened_phones(browser) as open:
        page = open(sim, 1)
        page.go("box")
        page.reads(".virtual", "Phones cannot reach this computer")
        sim.stop()
        page.reads("#line", "not connected")
        sim.start("--host", "0.0.0.0")
        page.wait("return document.querySelector('#oled') && !('alone' in document.documentElement.dataset)")
        assert "Phones cannot reach" not in page.text(".virtual")
        assert page.here.execute_script("return document.documentElement.dataset.view") == "box"


@pytest.mark.slow
def test_a_phone_that_was_out_of_reach_shows_what_it_missed(sim: Sim, phones: Any) -> None:
    red, referee = phones(RED, 0), phones(REFEREE, None)
    deal(red)
    referee.find("[data-verb=take]")
    referee.cdp("Network.enable")
    blind = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    referee.cdp("Network.emulateNetworkConditions", offline=True, **blind)
    referee.reads("#line", "not connected")
    red.tap("[data-verb=take]")
    red.reads("#turn", "Blue:")
    referee.cdp("Network.emulateNetworkConditions", offline=False, **blind)
    referee.reads("#turn", "Blue:")
    referee.wait("return document.getElementById('line').innerText === ''")


@pytest.mark.slow
def test_a_seat_answers_for_itself_only_and_takes_its_own_act_back(sim: Sim, phones: Any) -> None:
    red, blue = phones(RED, 0), phones(BLUE, 1)
    deal(red)
    blue.reads("#turn", "Red:")
    assert not blue.here.find_elements("css selector", "[data-verb]"), "it is not asked"
    red.tap("[data-verb=take]")
    red.reads("#turn", "Blue:")
    blue.reads("#question h2", "Blue: take", "or flip")
    blue.go("history")
    blue.find("[data-index='1']")
    assert not blue.here.find_elements("css selector", "[data-key=undo]"), "it is Red's"
    red.go("history")
    red.tap("[data-key=undo]")
    blue.go("table")
    blue.reads("#turn", "Red:")


def test_a_phone_revoked_at_the_box_answers_no_more(sim: Sim, phones: Any) -> None:
    red = phones(RED, 0)
    deal(red)
    sim.press("back")
    sim.sees("Menu")
    sim.choose("Phones")
    sim.sees("Red: Linux")
    sim.choose("Red: Linux")
    sim.sees("Unpair?", "unpair")
    sim.press("white")
    red.tap("[data-verb=take]")
    red.reads("#notice", "not paired")
    red.reads("#who", "Pair")
    assert "not paired" in red.text("#notice"), "what the page learns next does not take the reason away"
    red.reads("#question", "pair it with the box")
    assert sim.get("api/state")["match"]["turn"] == 0


@pytest.mark.slow
def test_lost_acts_are_listed_before_an_act_is_amended(sim: Sim, phones: Any) -> None:
    referee = phones(REFEREE, None)
    deal(referee)
    for card in ("fire-2", "fire-4"):
        referee.tap(f"[data-verb=turn] [data-value='\"{card}\"']")
        referee.reads("#last", f"flips {card}.")
    referee.go("history")
    referee.tap("[data-key='more 1']")
    referee.tap("[data-key='amend 1']")
    referee.reads(".amend .chosen", "fire 2")
    referee.tap(".amend .chosen button")
    referee.tap(".amend [data-value='\"fire-4\"']")
    referee.tap("[data-key='look 1']")
    referee.reads("#history .lost", "flips fire-4.")
    assert [act["text"] for act in sim.get("api/history")][1:] == ["Red flips fire-2.", "Blue flips fire-4."]
    referee.tap("[data-key='do 1']")
    referee.wait("return document.querySelectorAll('#history li[data-index]').length === 2")
    assert [act["text"] for act in sim.get("api/history")][1:] == ["Red flips fire-4."]


def test_a_phone_is_paired_and_a_card_turned_by_the_keyboard_alone(sim: Sim, phones: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    phone = phones(REFEREE)
    phone.reads("#question", "pair it with the box")

    def tab_to(text: str) -> None:
        for _ in range(40):
            phone.type(Keys.TAB)
            if phone.focus == text:
                return
        pytest.fail(f"the tabulator never comes to {text}")

    tab_to("Pair this phone")
    phone.type(Keys.ENTER)
    tab_to("The six digits")
    phone.type(*sim.code(None), Keys.ENTER)
    phone.reads("#who", "Referee")
    tab_to("fire 0")
    phone.type(Keys.ENTER, Keys.ARROW_DOWN, Keys.ENTER, Keys.ARROW_RIGHT, Keys.ENTER)
    phone.reads(".chips", "fire 0", "water 0", "water 1")
    tab_to("Send")
    phone.type(Keys.ENTER)
    phone.find("[data-verb=take]")
    assert " ".join(phone.focus.split()).startswith("Red: take fire 0, or flip"), "the reader hears the next question"
    tab_to("Take")
    phone.type(Keys.SPACE)
    phone.reads("#turn", "Blue:")
    tab_to("Take")
    phone.wait(CALM)
    enter = {"key": "Enter", "code": "Enter", "text": "\r", "windowsVirtualKeyCode": 13}
    for repeat in (False, True):
        phone.cdp("Input.dispatchKeyEvent", type="keyDown", autoRepeat=repeat, **enter)
        phone.reads("#turn", "Red:")
        phone.wait(CALM)
    phone.cdp("Input.dispatchKeyEvent", type="keyUp", **enter)
    tab_to("Take")
    phone.type(Keys.ENTER)
    phone.reads("#last", "Red takes")
    assert sim.get("api/state")["match"]["acts"] == 4, "a key that is held down plays once"
