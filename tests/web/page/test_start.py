"""Starting a game in the browser: the referee's phone chooses game, players and rules, and plays again."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.browsing import Sim, pair
from tests.kit.page_faults import faults

pytestmark = pytest.mark.slow  # each needs a browser

BLUE, REFEREE, ONLOOKER = 3, 4, 5  # the hosts of these phones: cookies are kept by address
WIDTH = "return document.documentElement.scrollWidth"


def test_the_referees_phone_starts_a_game_and_plays_it_again(fresh: Sim, phones: Any) -> None:
    onlooker, blue, referee = phones(fresh, ONLOOKER), phones(fresh, BLUE), phones(fresh, REFEREE)
    onlooker.reads("#question", "First time?", "The referee’s phone or the box starts the match.", "Pair this phone")
    onlooker.reads("#start", "Who is here?", "Roll good combinations", "Learn it")
    assert faults(onlooker) == []
    pair(fresh, referee, None)
    referee.reads("#start h2", "Start a match")
    pair(fresh, blue, 1)
    blue.reads("#question", "The referee’s phone or the box starts the match.")
    blue.go("pair")
    blue.tap("form.name input")
    blue.type("Max")
    blue.tap("form.name .send")
    referee.tap("form.start [value=scorepad]")
    referee.wait("return document.querySelector('form.start li:nth-child(2) input[list]').value === 'Max'")
    referee.tap("form.start li:nth-child(4) input[list]")
    referee.type("Zoë")
    referee.tap("form.start li:nth-child(1) [type=checkbox]")
    referee.tap("details.options > summary")
    referee.tap("details.options input[type=number]")
    referee.type("5")
    referee.reads(".choices", "Own")
    assert "Moderator" not in referee.text("form.start"), "a score pad is not judged"
    assert faults(referee) == []
    referee.resize(320, 640)
    assert referee.here.execute_script(WIDTH) == 320
    referee.tap("[data-key=start]")
    referee.reads("#scores", "Max", "Zoë")
    state = fresh.get("api/state")["match"]
    assert ([each["button"] for each in state["players"]], state["options"]) == ([1, 3], {"target": 5})
    assert not referee.here.find_elements("css selector", "form.start")
    blue.go("table")
    ends = "fetch('api/act', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: arguments[0]})"
    question = fresh.get("api/state")["question"]["id"]
    referee.here.execute_script(ends, f'{{"question": "{question}", "act": {{"do": "score", "seat": 0, "points": 9}}}}')
    blue.reads("#start", "The referee’s phone or the box starts the next match.")
    referee.reads("#start", "Another game")
    assert faults(referee) == []
    onlooker.reads("#turn.won.blue", "Max wins")
    referee.tap("[data-key=rematch]")
    referee.wait("return document.querySelector('#start').innerText.trim() === 'Exit match'")
    blue.wait("return document.querySelector('#start').childElementCount === 0")
    assert (fresh.get("api/state")["match"]["id"], fresh.get("api/state")["match"]["over"]) == (2, None)
    assert not [line for phone in (onlooker, blue, referee) for line in phone.complaints()]


def test_an_impossible_start_is_explained_and_the_keyboard_suffices(fresh: Sim, phones: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    referee = phones(fresh, REFEREE)
    pair(fresh, referee, None)
    referee.tap("form.start [value=dodeka]")
    for row in (1, 2):
        referee.tap(f"form.start li:nth-child({row}) [type=checkbox]")

    def tab_to(text: str) -> None:
        for _ in range(60):
            referee.type(Keys.TAB)
            if referee.focus == text:
                return
        pytest.fail(f"the tabulator never comes to {text}")

    tab_to("Start")
    referee.type(Keys.ENTER)
    referee.reads("#notice", "2–6 players.")
    assert fresh.get("api/state")["match"] is None
    referee.here.execute_script("document.querySelector('form.start [value=dodeka]').focus()")
    tab_to("Name: green")
    referee.type("Ann", Keys.TAB, Keys.TAB, Keys.SPACE)  # past who plays there
    tab_to("Start")
    referee.type(Keys.ENTER)
    referee.reads("#scores", "Ann", "White")
    assert [line for line in referee.complaints() if "422" not in line] == []
