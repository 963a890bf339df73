"""What the referee says on the page: calls, history and voice; the buzzer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kit.browsing import Phone, Sim, a_game, deal
from tests.kit.voices import with_voices

pytestmark = pytest.mark.slow  # each needs a browser

RED, BLUE, REFEREE = 2, 3, 4  # the hosts of these phones: cookies are kept by address
BUST = "DODEKKA! Red takes 4 cards and deals three"
SPOKEN = "return window.spoken.join(' ').split('|').at(-1).trim()"
PLACE = (
    "const { left, top, width, height } = document.querySelector('.hit').getBoundingClientRect();"
    "return [left, top, width, height]"
)


@pytest.fixture
def quiz(tmp_path: Path) -> Iterator[Sim]:
    with a_game("quiz", tmp_path / "games.db") as sim:
        sim.sees("question 1")
        yield sim


def bust(phone: Phone) -> None:
    phone.tap("[data-verb=turn] [data-value='\"air-3\"']")


def test_a_call_stays_until_the_next_answer_and_is_gone_after_an_undo(sim: Sim, phones: Any) -> None:
    red, onlooker = phones(sim, RED, 0), phones(sim, REFEREE)
    onlooker.go("tv")
    deal(red, "air-4", "fire-4", "water-4")
    bust(red)
    for phone in (onlooker, red):
        phone.reads("#last.fresh", BUST)
    red.go("history")
    red.reads(".said", BUST)
    red.reads("[data-index='1']", "flips air-3.")
    red.find("[data-index='1'] .pieces svg.card")
    red.tap("[data-key=undo]")
    onlooker.wait("return document.documentElement.dataset.acts === '1'")
    assert BUST not in onlooker.text("#last"), "it is gone at once"
    red.go("table")
    bust(red)
    for phone in (onlooker, red):
        phone.reads("#last.fresh", BUST)
    red.here.refresh()
    red.reads("#last:not(.fresh)", BUST)
    assert not red.complaints()


def test_the_voice_speaks_question_calls_and_scores_once_and_only_if_it_is_switched_on(sim: Sim, phones: Any) -> None:
    red, referee = phones(sim, RED, 0), phones(sim, REFEREE, None)
    with_voices(referee, "de-DE", "en-GB")
    deal(red, "air-4", "fire-4", "water-4")
    referee.reads("#turn", "Red: take")
    assert referee.here.execute_script("return window.spoken.length") == 0, "it is off at first"
    referee.tap("#aloud")
    referee.wait(SPOKEN + " === 'Red: take air-4, or flip. After a flip, press its element.'")
    bust(red)
    referee.wait(SPOKEN + f" === '{BUST} Red: deal three, nearest the deck first'")
    red.go("pair")
    red.find("form.name input").send_keys("Zoë")
    red.tap("[data-key=rename]")
    referee.reads("#scores", "Zoë")
    before = referee.here.execute_script("return window.spoken.length")
    referee.tap("#where")
    assert sim.get("api/state")["match"]["scores"] == [None, None]
    where = (
        "Game: Dodekka. Zoë: deal three, nearest the deck first Zoë: hidden until the end. Blue: hidden until the end."
    )
    referee.wait(SPOKEN + f" === '{where}'")
    spoken = referee.here.execute_script("return window.spoken")
    turn, deals = "Red: take air-4, or flip. After a flip, press its element.", "deal three, nearest the deck first"
    once = [turn, BUST, f"Red: {deals}", f"Zoë: {deals}"]  # the player was renamed
    assert [text for text in spoken[:before] if text != "|"] == once, "nothing twice"
    referee.here.refresh()
    referee.find("#aloud[aria-pressed=true]")
    assert referee.here.execute_script("return window.spoken.length") == 0, "it is an old answer"
    referee.tap("#aloud")
    referee.find("#aloud[aria-pressed=false]")


def test_the_buzzer_is_large_in_one_place_and_acts_as_soon_as_it_is_touched(quiz: Sim, phones: Any) -> None:
    red, referee = phones(quiz, RED, 0), phones(quiz, REFEREE, None)
    red.reads("#race.folded .hit[aria-disabled=true]", "oo early")
    strip = red.here.execute_script(PLACE)
    places = []
    referee.tap("[data-verb=open]")
    red.reads("#race:not(.folded) .hit:not([aria-disabled])", "Buzz!")
    red.reads("#turn", "Buzz or toss a cube if you know it.")
    assert "Nobody knows" not in red.text("#main")
    places.append(red.here.execute_script(PLACE))
    red.here.execute_script(
        "window.felt = 0; navigator.vibrate = () => { window.felt += 1; };"
        "for (const isPrimary of [true, false, true]) document.querySelector('.hit').dispatchEvent("
        "new PointerEvent('pointerdown', { bubbles: true, isPrimary, button: 0 }))"
    )
    red.reads(".hit[aria-disabled=true]", "Red", "First!", "buzzed already")
    assert red.here.execute_script("return window.felt") == 1, "a second touch does nothing"
    assert quiz.get("api/state")["match"]["turn"] == 0
    places.append(red.here.execute_script(PLACE))
    left, top, width, height = places[0]
    assert places == [places[0]] * 2
    inside = (strip[0] - left, strip[1] - top, left + width - strip[0] - strip[2], top + height - strip[1] - strip[3])
    assert min(inside) >= 0, "a thumb may wait on the strip for the buzzer"
    assert strip[3] < 0.15 * 740
    assert width > 330
    assert height >= 0.4 * 740
    red.reads("#question h2", "Red, say your answer", "the referee judges it on their phone")
    assert not red.here.find_elements("css selector", "[data-field=right]"), "the referee judges"
    referee.tap("[data-field=right] [data-value=true]")
    red.reads(".hit[aria-disabled=true]", "oo early")
    assert not red.complaints()


LISTEN_AND_TOUCH = """
navigator.vibrate = () => {};
const ask = fetch;
window.fetch = (path, how) => {
  if (path === "api/act") window.acted = how.body;
  return ask(path, how);
};
const touch = new PointerEvent("pointerdown", { bubbles: true, isPrimary: true, button: 0 });
window.touched = touch.timeStamp;
for (const until = performance.now() + 30; performance.now() < until;);
document.querySelector(".hit").dispatchEvent(touch);
"""


def test_the_buzzer_says_who_was_first_and_the_keyboard_presses_it_too(quiz: Sim, phones: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    red, blue = phones(quiz, RED, 0), phones(quiz, BLUE, 1)
    red.reads("#turn", "Read question 1 aloud, then open it.")
    quiz.press("ok")
    for phone in (red, blue):
        phone.reads("#question h2", "Buzz or toss a cube if you know it.")
    for phone in (red, blue):
        phone.here.execute_script("document.querySelector('.hit').focus()")
        phone.type(Keys.SPACE if phone is red else Keys.ENTER)
        phone.find(".hit:is(.first, .after)")
    red.reads(".hit", "First!")
    blue.reads(".hit", "Too late: Red was first")
    blue.reads("#question h2", "Red", "answers. Judge it together at the box.")
    assert not blue.complaints()


def test_a_buzz_contains_the_time_of_the_touch_on_the_phones_clock(quiz: Sim, phones: Any) -> None:
    """It is later than the exchanges of times with the box, and not the time when the request left."""
    red, referee = phones(quiz, RED, 0), phones(quiz, REFEREE, None)
    referee.tap("[data-verb=open]")
    red.reads(".hit:not([aria-disabled])", "Buzz!")
    red.wait(
        "return performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('api/clock')).length > 2"
    )
    red.here.execute_script(LISTEN_AND_TOUCH)
    red.reads(".hit[aria-disabled=true]", "buzzed already")
    touched_us, stamp = red.here.execute_script("return [1000 * touched, JSON.parse(acted).stamp]")
    assert abs(stamp["at_us"] - touched_us) <= 1
    assert stamp["run"]
    assert not red.complaints()
