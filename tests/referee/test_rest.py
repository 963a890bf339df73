"""A panel that rests: what lights it, what a press counts for that finds it off, and which lamps blink meanwhile."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kit.dohdles_tables import BOARD, DOHDLES, first_question
from tests.kit.rig import SECOND, Rig, Rigs
from umpi.box.config import Config
from umpi.display.screen_saver import BLIND_NS
from umpi.referee.events import DeviceStatus
from umpi.referee.ports import JournalPort
from umpi.simulator.virtual import with_lanes, with_rail

MS = 1_000_000
MINUTE_MS = 60_000
OFF_MS = 31 * MINUTE_MS


@pytest.fixture
def rig(in_play: Any) -> Rig:
    """A Dodéka in play; Ann at the red button is to throw."""
    rig: Rig = in_play()
    return rig


def test_it_dims_and_goes_off_and_the_first_press_lights_it(rig: Rig) -> None:
    before = rig.screen
    rig.wait_ms(5 * MINUTE_MS)
    assert rig.box.light() == "dim"
    assert rig.shows("Ann", "Final dice"), "dim it can be read"
    rig.wait_ms(OFF_MS)
    assert rig.box.light() == "off"
    assert not rig.box.picture().getbbox()
    rig.press("red")
    assert rig.box.light() == "bright"
    assert rig.screen == before


def test_the_loop_is_woken_to_dim_it_to_move_the_picture_and_to_switch_it_off(rig: Rig) -> None:
    """Not by a clock that ticks: an idle box sleeps."""
    rig.wait_ms(1000)
    woken_s = []
    began_ns = rig.now_ns
    while (due_ns := rig.loop.due_ns) is not None:
        rig.now_ns = due_ns
        rig.settle()
        woken_s.append((due_ns - began_ns) // SECOND)
    assert len(woken_s) == 1 + 8 + 1, "dim, a move each three minutes, off"
    assert rig.box.light() == "off"


@pytest.mark.parametrize("button", ["red", "up", "down", "ok", "back"])
@pytest.mark.parametrize("held_ms", [5, 100, 599, 3000])
def test_a_press_that_finds_it_off_only_lights_it_however_long_it_is_held(rig: Rig, button: str, held_ms: int) -> None:
    before = rig.screen
    rig.wait_ms(OFF_MS)
    rig.box.hold(button, True)
    rig.settle()
    assert rig.box.light() == "bright", "when it goes down"
    rig.wait_ms(held_ms)
    rig.box.hold(button, False)
    rig.wait_ms(1000)
    assert rig.screen == before
    assert not rig.box.sounding()
    rig.press("red blue yellow")
    assert rig.acts[:1] == ["throw"], "the next ones count"


@pytest.mark.parametrize("order", [("back", "ok"), ("ok", "back")], ids="-".join)
@pytest.mark.parametrize("apart_ms", [0, 20, 149])
def test_two_buttons_that_overlap_light_it_and_neither_counts(rig: Rig, apart_ms: int, order: tuple[str, str]) -> None:
    """The panel was dark between the two: their releases and long presses do not count."""
    before = rig.screen
    rig.wait_ms(OFF_MS)
    for button in ("back", "ok"):
        rig.box.hold(button, True)
        rig.wait_ms(apart_ms)
    for button in order:
        rig.wait_ms(400)
        rig.box.hold(button, False)
    rig.wait_ms(1000)
    assert rig.screen == before


def test_a_press_beside_one_that_is_still_down_counts_once_the_panel_can_be_seen(rig: Rig) -> None:
    rig.wait_ms(OFF_MS)
    rig.box.hold("back", True)
    rig.wait_ms(BLIND_NS // MS)
    rig.press("red blue yellow")
    rig.box.hold("back", False)
    rig.wait_ms(1000)
    assert rig.acts[:1] == ["throw"]
    assert not rig.shows("Menu"), rig.screen


def test_a_tap_that_chatters_only_lights_it(rig: Rig) -> None:
    before = rig.screen
    rig.wait_ms(OFF_MS)
    for down, ms in ((True, 2), (False, 3), (True, 90), (False, 1), (True, 2), (False, 300)):
        rig.box.hold("ok", down)
        rig.wait_ms(ms)
    assert rig.screen == before


def test_presses_that_wake_a_dark_panel_do_not_buzz(rigs: Rigs) -> None:
    rig = rigs()
    rig.start("quiz", "red blue ok ok ok")
    assert rig.shows("Buzz or toss a cube"), rig.screen
    rig.wait_ms(OFF_MS)
    rig.box.hold("blue", True)
    rig.wait_ms(60)
    rig.box.hold("red", True)
    rig.wait_ms(60)
    assert "buzz" not in rig.acts


def test_without_times_it_never_rests_and_an_idle_box_has_nothing_to_do(rigs: Rigs) -> None:
    rig = rigs(dim_after_s=0, off_after_s=0)
    assert rig.loop.due_ns is None
    rig.wait_ms(10_000 * MINUTE_MS)
    assert rig.box.light() == "bright"


def test_a_panel_mounted_upside_down_is_read_as_it_is_seen(rigs: Rigs) -> None:
    rig = rigs(upside_down=True)
    assert rig.shows("Which game?"), rig.screen
    assert rig.box.picture().tobytes() != rig.box.chip.picture().tobytes()


# What lights it besides


SOON_MS = 40_000  # a sensor head is spoken to all the time, and the rail: half an hour of that takes long


@pytest.fixture
def asleep(rigs: Rigs) -> Rig:
    """A Dohdles with six lanes and a wall at a sensor head, and a rail; its panel goes off soon, and is off."""
    rig = first_question(rigs, 6, rail=with_rail(Config()).rail, dim_after_s=10, off_after_s=30)
    rig.wait_ms(SOON_MS)
    assert rig.box.light() == "off"
    return rig


@pytest.mark.slow
def test_a_trouble_lights_it_once_when_it_comes(asleep: Rig) -> None:
    asleep.loop.inbox.post(DeviceStatus("rail", "loose"))
    asleep.settle()
    assert asleep.box.light() == "bright"
    asleep.wait_ms(SOON_MS)
    asleep.loop.inbox.post(DeviceStatus("rail", "loose"))
    asleep.settle()
    assert asleep.box.light() == "off", "it is the same one"
    asleep.loop.inbox.post(DeviceStatus("rail", ""))
    asleep.settle()
    assert asleep.box.light() == "off", "nothing is to be done"


@pytest.mark.slow
def test_not_saved_lights_it_once_when_it_comes(rig: Rig) -> None:
    rig.wait_ms(OFF_MS)
    rig.loop.journal.trouble = "no room"
    rig.loop.journal.save = lambda: None
    rig.drive(rig.referee.session.write(JournalPort.save))
    rig.settle()
    assert rig.box.light() == "bright"
    rig.wait_ms(OFF_MS)
    assert rig.box.light() == "off"


@pytest.mark.slow
def test_an_act_of_the_box_lights_the_panel(in_play: Any) -> None:
    """A game of sixty minutes ends in front of a panel that has been off for half of them."""
    rig = in_play("other.db", minutes=60)
    rig.wait_ms(45 * MINUTE_MS)
    assert rig.box.light() == "off"
    rig.wait_ms(16 * MINUTE_MS)
    assert rig.acts == ["time-up"]
    assert rig.box.light() == "bright"


# Lamps that blink


@pytest.fixture
def lanes(rigs: Rigs) -> Rig:
    """A Dohdles with a lane a seat, its first question asked."""
    rig = rigs(beams=with_lanes(Config(), 6).beams, options=BOARD)
    rig.start("dohdles", DOHDLES)
    return rig
