"""A panel that rests: what lights it, what a press counts for that finds it off, and which lamps blink meanwhile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.kit.dohdles_tables import BOARD, DOHDLES, first_question
from tests.kit.journals import dodeka_header
from tests.kit.rig import SECOND, Rig, Rigs
from umpi.box.config import Config
from umpi.display.screen_saver import BLIND_NS
from umpi.drivers.lamps import BLINK_NS
from umpi.journal import Journal
from umpi.referee.events import DeviceStatus
from umpi.referee.ports import JournalPort
from umpi.simulator.virtual import with_lanes, with_rail, with_scanner

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


def test_a_press_that_finds_it_dim_counts(rig: Rig) -> None:
    rig.wait_ms(10 * MINUTE_MS)
    rig.press("red blue yellow")
    assert rig.acts[:1] == ["throw"]


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


def test_the_welcome_screen_rests_too(rigs: Rigs) -> None:
    rig = rigs()
    rig.wait_ms(OFF_MS)
    assert rig.box.light() == "off"
    rig.press("red")
    assert rig.shows("Which game?"), rig.screen


def test_without_times_it_never_rests_and_an_idle_box_has_nothing_to_do(rigs: Rigs) -> None:
    rig = rigs(dim_after_s=0, off_after_s=0)
    assert rig.loop.due_ns is None
    rig.wait_ms(10_000 * MINUTE_MS)
    assert rig.box.light() == "bright"


def test_the_lamp_of_the_player_to_act_stays_lit(rig: Rig) -> None:
    rig.wait_ms(OFF_MS)
    assert rig.box.lit() == ["red"]


def test_a_panel_mounted_upside_down_is_read_as_it_is_seen(rigs: Rigs) -> None:
    rig = rigs(upside_down=True)
    assert rig.shows("Which game?"), rig.screen
    assert rig.box.picture().tobytes() != rig.box.chip.picture().tobytes()


@pytest.mark.parametrize("chip", ["ssd1306", "ssd1309", "sh1106"])
def test_each_chip_plays_and_rests(rigs: Rigs, chip: str) -> None:
    rig = rigs(display=chip, contrast=200)
    assert (rig.box.chip.name, rig.box.light()) == (chip.upper(), "bright")
    rig.start("dodeka", "red blue ok ok")
    assert rig.shows("Final dice"), rig.screen
    rig.wait_ms(6 * MINUTE_MS)
    assert rig.box.light() == "dim"
    rig.wait_ms(OFF_MS)
    assert rig.box.light() == "off"


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
def test_cubes_that_fall_while_it_is_off_count_and_light_it(asleep: Rig) -> None:
    before = asleep.acts
    asleep.box.toss(["yellow", "red"], gap_ms=5.2)
    asleep.wait_ms(1500)
    assert asleep.box.light() == "bright"
    assert asleep.acts[len(before) :].count("cube") == 2, asleep.screen


@pytest.mark.slow
def test_a_hit_on_the_wall_lights_it(asleep: Rig) -> None:
    asleep.box.knock()
    asleep.wait_ms(50)
    assert asleep.box.light() == "bright"


def test_a_scan_that_finds_it_off_lights_it_and_is_taken(rigs: Rigs) -> None:
    rig = rigs(scanner=with_scanner(Config()).scanner)
    rig.start("dodekka", "red blue ok ok")
    rig.wait_ms(OFF_MS)
    rig.box.scan("air-4")
    rig.settle()
    assert rig.box.light() == "bright"
    rig.box.scan("fire-4")
    rig.box.scan("water-4")
    rig.settle()
    assert rig.acts == ["deal"], rig.screen


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


def halves(rig: Rig, count: int = 4) -> list[list[str]]:
    """Which lamps' pins are on in each half second of so many halves."""
    seen = []
    for _ in range(count):
        seats = rig.config.lamps.items()
        seen.append([colour for colour, pin in seats if rig.box.pins.pin(pin).state])
        rig.wait_ms(BLINK_NS // MS)
    return seen


def test_the_lamp_of_the_first_to_buzz_blinks_during_the_answer(rigs: Rigs) -> None:
    rig = rigs()
    rig.start("quiz", "red blue yellow ok ok ok")
    assert rig.box.blinking() == []
    rig.press("blue red")
    assert rig.box.blinking() == ["blue"], rig.screen
    assert rig.box.lit() == ["blue"], "in both halves"
    rig.wait_ms(1000)
    assert rig.now_ns < rig.loop.due_ns <= rig.now_ns + BLINK_NS
    seen = halves(rig)
    assert sorted(seen) == [[], [], ["blue"], ["blue"]]
    assert seen[0] != seen[1]
    rig.press("down")
    assert rig.shows("Red", "OK right"), rig.screen
    assert rig.box.lit() == ["red"], "blue was first, but has already answered"
    assert rig.box.blinking() == []
    rig.press("ok")
    assert rig.box.blinking() == []


@pytest.fixture
def lanes(rigs: Rigs) -> Rig:
    """A Dohdles with a lane a seat, its first question asked."""
    rig = rigs(beams=with_lanes(Config(), 6).beams, options=BOARD)
    rig.start("dohdles", DOHDLES)
    return rig


def test_whose_cube_was_first_blinks_until_the_announcement_is_over(lanes: Rig) -> None:
    """While another player may guess first, their lamp is lit instead, and none blinks."""
    lanes.box.toss(["yellow", "red"], gap_ms=5.2)
    lanes.wait_ms(1500)
    assert lanes.acts.count("cube") == 2, lanes.screen
    assert lanes.shows("Guess Blue 1 first, or"), lanes.screen
    assert (lanes.box.lit(), lanes.box.blinking()) == (["red"], [])
    lanes.press("black")
    assert lanes.shows("Guess Blue 1.", "Yellow right"), lanes.screen
    assert lanes.box.blinking() == ["yellow"]
    for _ in ("claim", "hear", "cube", "cube"):
        lanes.undo()
    assert "cube" not in lanes.acts
    assert lanes.box.blinking() == []


def test_no_lamp_blinks_while_the_first_player_is_uncertain(lanes: Rig) -> None:
    """The gate would rather say "too close" than be wrong."""
    lanes.box.toss(["yellow", "red"], gap_ms=0.8)
    lanes.wait_ms(1500)
    assert lanes.shows("Unclear"), lanes.screen
    assert lanes.box.blinking() == []


def test_the_winners_blink_at_the_end_as_long_as_somebody_may_be_looking(rigs: Rigs, tmp_path: Path) -> None:
    journal = Journal(tmp_path / "games.db")
    journal.begin({**dodeka_header(target=100, parts=1), "buttons": [3, 5]})
    journal.close()
    rig = rigs()
    rig.press("ok")
    rig.press("red red red")
    rig.press("blue yellow red")
    assert rig.shows("Winner"), rig.screen
    assert rig.box.blinking() == ["green"]
    rig.wait_ms(6 * MINUTE_MS)
    assert (rig.box.blinking(), rig.box.lit()) == ([], ["green"]), "an idle box is woken rarely"
    rig.press("up")
    assert rig.box.blinking() == ["green"]
