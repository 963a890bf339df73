"""Colours at rest: each cube by its owner, nothing by guessing, and a sensor that fails costs the sensor only."""

from __future__ import annotations

import math
import threading
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from watched_rail import MS, Watched

from tests.kit.patience import HELD_S, wait_for
from tests.kit.sampling import examples
from umpi.drivers import queue_rail as rail
from umpi.drivers.colours import NOTHING, ColourProfile, Unfit, calibrate
from umpi.drivers.queue_rail import PAUSES_S, Rail
from umpi.drivers.tcs34725 import PERIOD_S, Reading, Tcs34725, open_bus
from umpi.simulator.tcs34725 import CUBES, Chip, Light, dim
from umpi.timing.events import QueueDetection

COLOURS = [name for name in CUBES if name != NOTHING]


def readings(light: Any, gain: int = 4, seed: int = 0) -> list[Reading]:
    """Measure one cube in three places, as a builder does: a little nearer, a little farther."""
    found: list[Reading] = []
    for part, by in enumerate((0.95, 1.0, 1.05)):
        seen = CUBES[light] if isinstance(light, str) else light
        watched = Watched(Chip(lambda at_s, seen=seen, by=by: dim(seen, by), seed + part), gain=gain)
        watched.look()
        found += watched.rail.settled
    return found


@cache
def measured() -> ColourProfile:
    return calibrate({name: readings(name) for name in CUBES}, 4)


def watching(light: Any = NOTHING, seed: int = 99) -> Watched:
    return Watched(Chip(light, seed), measured())


@pytest.mark.parametrize("colour", COLOURS)
def test_a_cube_at_the_stop_names_its_owner(colour: str) -> None:
    """A colour sensor under the rail's stop reads a cube at rest and names its owner without a press."""
    seen = watching(colour).look()
    assert (seen.state, seen.colour) == ("cube", colour)


def test_it_takes_a_third_of_a_second() -> None:
    """Five readings of 50 ms, and 5 ms to wake."""
    watched = watching("red")
    watched.look(400)
    assert watched.reported[0].at_ns < 330 * MS


@settings(max_examples=examples(60), deadline=None)
@given(st.sampled_from(COLOURS), st.floats(0.85, 1.18), st.integers(0, 10**6))
def test_a_slightly_nearer_or_farther_cube_is_not_another_colour(colour: str, by: float, seed: int) -> None:
    assert watching(lambda at_s: dim(CUBES[colour], by), seed).look().colour in (colour, None)


@pytest.mark.slow
@settings(max_examples=examples(200), deadline=None)
@given(st.tuples(*[st.floats(0, 18)] * 3))
def test_whatever_is_named_is_twice_as_near_as_any_other_colour(light: Light) -> None:
    """A margin, not the nearest guess."""
    from umpi.drivers.colours import shade_of

    watched = watching(light=lambda at_s: light)
    name = watched.look().colour
    if name is None:
        return
    shade = shade_of(watched.rail.settled[0])
    far = {colour.name: math.dist(colour.shade, shade) for colour in measured().colours}
    own = far.pop(name)
    assert all(other > 1.6 * own for other in far.values()), "2, less the noise of one reading beside the median"


def test_an_empty_rail_is_no_cube() -> None:
    seen = watching(NOTHING).look()
    assert (seen.state, seen.colour, seen.reason) == ("empty", None, "nothing lies there")


@pytest.mark.parametrize(
    ("light", "expected"),
    [
        (tuple((a + b) / 2 for a, b in zip(CUBES["red"], CUBES["yellow"], strict=True)), "Whose cube is this?"),
        ((9.0, 1.0, 9.0), "matches no calibrated colour"),
        ((90.0, 90.0, 90.0), "too bright to tell"),
    ],
)
def test_a_cube_of_unknown_colour_belongs_to_nobody_until_a_button_is_pressed(light: Light, expected: str) -> None:
    """Unsure means "press your button"."""
    seen = watching(lambda at_s: light).look()
    assert (seen.state, seen.colour) == ("unsure", None)
    assert expected in seen.reason
    assert seen.reason.endswith("Press your button.")


def test_a_lamp_that_is_out_is_no_black_cube() -> None:
    """The empty rail throws some of the lamp's light back as well; a builder's rail may be a light one."""
    lit = {**{name: readings(name) for name in COLOURS}, NOTHING: readings((6.0, 6.4, 5.2))}
    watched = Watched(Chip(lambda at_s: (0.0, 0.0, 0.0)), calibrate(lit, 4))
    assert "is the sensor’s lamp on?" in watched.look().reason


def test_removing_a_cube_and_the_arrival_of_the_next_are_reported_separately() -> None:
    """The next cube is read when the one before is lifted out."""
    watched = watching("red")
    watched.look()
    for light in (lambda at_s: dim(CUBES["red"], 1 - at_s % 0.3 * 3), NOTHING, "blue"):  # a hand lifts it
        watched.chip.light = light
        watched.look()
    assert [state for state in watched.states if state not in ("moving", "unsure")] == ["red", "empty", "blue"]


def test_two_cubes_of_one_colour_are_two() -> None:
    watched = watching("red")
    watched.look()
    watched.chip.light = NOTHING
    watched.look()
    watched.chip.light = "red"
    watched.look()
    assert [state for state in watched.states if state != "moving"] == ["red", "empty", "red"]


@pytest.mark.slow
@settings(max_examples=examples(40), deadline=None)
@given(st.sampled_from(COLOURS), st.sampled_from(COLOURS), st.integers(0, 2000), st.integers(1, 600))
def test_while_cubes_change_places_no_third_colour_is_named(one: str, other: str, at_ms: int, takes_ms: int) -> None:
    """Half a red and half a white one may look like something else: only what has settled counts."""

    def light(at_s: float) -> Light:
        share = min(max((at_s * 1000 - at_ms) / takes_ms, 0), 1)
        return tuple(a + (b - a) * share for a, b in zip(CUBES[one], CUBES[other], strict=True))  # type: ignore[return-value]

    watched = watching(light)
    watched.look(3200)
    assert {seen.colour for seen in watched.reported} <= {one, other, None}
    assert watched.rail.seen.colour == other


def test_a_flash_or_a_shadow_over_one_reading_is_nothing() -> None:
    watched = watching("green")
    watched.look()
    watched.chip.light = lambda at_s: dim(CUBES["green"], 0.3 if 0.82 < at_s < 0.83 else 1)
    watched.look(1500)
    assert watched.states == ["green"]
    usual, flash = readings("green")[0], readings("black")[0]
    odd = [rail._middle((flash,) * many + (usual,) * (5 - many)) for many in range(3)]
    assert odd == [usual, usual, None], "one of five readings may be odd, and no more"
    assert rail._middle((usual,) * 4) is None


@pytest.mark.parametrize("hertz", [100, 120])
@pytest.mark.parametrize("colour", COLOURS)
def test_lamps_on_the_mains_do_not_flicker_into_it(hertz: int, colour: str) -> None:
    """Their light comes 100 or 120 times a second; a period of the sensor is a whole number of these."""
    room = 0.8  # how much of a cube's light is the room's

    def light(at_s: float) -> Light:
        return dim(CUBES[colour], 1 - room + room * (1 + math.sin(2 * math.pi * hertz * at_s)))

    watched = watching(light)
    assert watched.look(2000).colour == colour
    assert watched.states == [colour]


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["gain", "colours", "name", "shade"]), inner),
        max_leaves=10,
    )
)
def test_a_damaged_calibration_is_refused_in_words(written: Any) -> None:
    with pytest.raises(Unfit):
        ColourProfile.read(written)


def test_without_a_calibration_cubes_are_everybodys_own_to_claim() -> None:
    seen = Watched(Chip("red")).look()
    assert (seen.state, seen.colour) == ("unsure", None)
    assert "umpi doctor" in seen.reason


def test_a_chip_that_does_not_answer_says_so_and_comes_back() -> None:
    """The game continues, and the panel names the failed device and what to do instead."""
    watched = watching("red")
    watched.chip.faults = 3
    assert watched.look(50).state == "out"
    assert watched.reported[0].reason == "The colour sensor does not answer: Remote I/O error. Press your button."
    watched.look(3000)
    assert watched.states == ["out", "moving", "red"]
    assert watched.device_errors[-1] == ""
    assert watched.opened == watched.chip.closed + 1, "a bus that failed is let go"


def test_a_chip_that_is_out_is_logged_once_and_once_when_it_is_back(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    watched = watching("red")
    watched.chip.faults = 5
    watched.look(50)
    watched.look(9000)
    assert [(record.levelname, bool(record.exc_info)) for record in caplog.records] == [
        ("WARNING", True),
        ("INFO", False),
    ]


def test_the_pauses_grow() -> None:
    watched = watching()
    watched.chip.faults = 10**9
    pauses = [watched.rail.step() for _ in range(7)]
    assert pauses == [*PAUSES_S, 5.0, 5.0]
    assert len(watched.device_errors) == 1, "reported once"
    watched.chip.faults = 0
    watched.look()
    watched.chip.faults = 1
    assert watched.rail.step() == PAUSES_S[0], "short again once it has answered"


def test_twenty_periods_without_a_reading_are_a_fault() -> None:
    """A chip that has lost its power answers, and counts nothing."""
    watched = watching("red")
    watched.look()
    for _ in range(2):
        watched.chip.lose_power()
        for _ in range(19):
            watched.rail.step()
            assert watched.rail.trouble == ""
        watched.rail.step()
        assert watched.rail.trouble == "The colour sensor cannot be used: no readings."
        watched.look(2000)
        assert watched.rail.trouble == ""


def test_periods_without_a_reading_are_counted_from_the_last_reading() -> None:
    watched = watching("red")
    watched.look()
    for _ in range(3):
        watched.chip.lose_power()
        for _ in range(15):
            watched.rail.step()
        assert watched.rail._chip
        watched.rail._chip.wake()
        watched.rail._chip.begin()
        watched.look()
    assert watched.device_errors == []


@pytest.mark.parametrize(("gain", "control"), [(1, 0), (4, 1), (16, 2), (60, 3)])
def test_the_chip_is_woken_and_read_by_its_datasheet(gain: int, control: int) -> None:
    """PON is set 2.4 ms before AEN; the command bit is 0x80, auto-increment 0x20, and ATIME counts up to 256."""
    said: list[tuple[int, ...]] = []

    class Bus:
        def write_byte_data(self, address: int, register: int, value: int) -> None:
            said.append((address, register, value))

        def read_i2c_block_data(self, address: int, register: int, length: int) -> list[int]:
            said.append((address, register, length))
            return [0x44, 0x11, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08][:length]

        def close(self) -> None: ...

    chip = Tcs34725(Bus(), gain, nullcontext())
    chip.wake()
    chip.begin()
    assert said == [
        (0x29, 0xB2, 1), (0x29, 0x80, 0x01), (0x29, 0x81, 256 - 21), (0x29, 0x8F, control), (0x29, 0x80, 0x03)
    ]  # fmt: skip
    said.clear()
    assert chip.read() == (0x0201, 0x0403, 0x0605, 0x0807)
    assert said == [(0x29, 0xB2, 10)]


@pytest.mark.parametrize(("id", "expected"), [(0x10, "0x10"), (0x00, "0x00"), (0xFF, "0xff")])
def test_another_chip_at_the_address_is_reported(id: int, expected: str) -> None:
    """A VL53L0X lives at 0x29 too; a dead bus reads as ones or zeros."""
    watched = watching("red")
    watched.chip.id = id
    assert watched.look(100).state == "out"
    assert expected in watched.rail.trouble
    assert "not TCS34725" in watched.rail.trouble


def test_a_missing_bus_is_reported() -> None:
    def absent() -> Any:
        raise FileNotFoundError(2, "No such file or directory")

    reported: list[QueueDetection] = []
    Rail(absent, None, reported.append, lambda: 0).step()
    assert reported[0].reason == "The colour sensor does not answer: No such file or directory. Press your button."
    with pytest.raises(OSError, match=r"i2c-99|No such"):
        open_bus(99)


@pytest.mark.slow
@settings(max_examples=examples(60), deadline=None)
@given(st.integers(0, 60), st.integers(1, 6))
def test_a_bus_that_breaks_at_any_call_is_taken_up_again(at: int, failures: int) -> None:
    watched = watching("yellow")
    while len(watched.chip.calls) < at:
        watched.look(1)
    watched.chip.faults = failures
    watched.look(20_000)
    assert watched.rail.seen.colour == "yellow"
    assert watched.rail.trouble == ""
    assert {seen.colour for seen in watched.reported} <= {"yellow", None}


def test_it_leaves_the_bus_to_the_panel_but_for_a_millisecond_at_a_time() -> None:
    """A picture's changes are 20 to 1,034 bytes; the sensor's are 13, twenty times a second."""
    watched = watching("red")
    watched.look(10_000)
    assert max(watched.chip.calls) <= 13
    assert sum(watched.chip.calls) < 0.03 * 10 * 100_000 / 9, "3 % of a bus of 100 kHz, nine bits a byte"


def test_each_transaction_is_made_under_the_lock_and_by_itself() -> None:
    held: list[str] = []

    class Lock:
        def __enter__(self) -> None:
            held.append("took")

        def __exit__(self, *fault: object) -> None:
            held.append("left")

    chip = Chip("red")
    chip.before = lambda: held.append("bus")
    Watched(chip, measured(), lock=Lock()).look()
    assert held == ["took", "bus", "left"] * (len(held) // 3)
    assert len(held) > 30


def test_a_stuck_bus_holds_the_sensor_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stuck bus can hold a transfer for a second and must not hold the game."""
    profile = measured()  # while a period has its length
    monkeypatch.setattr(rail, "PERIOD_S", 0.0)
    monkeypatch.setattr(rail, "WAKE_S", 0.0)
    free, stuck, reported = threading.Event(), threading.Event(), threading.Event()
    chip = Chip("red")

    def hold() -> None:
        chip.now_ns += round(PERIOD_S * 1e9)
        stuck.set()
        assert free.wait(HELD_S)

    chip.before = hold
    seen = Rail(lambda: chip, profile, lambda seen: reported.set(), lambda: chip.now_ns)
    seen.start()
    wait_for(stuck.is_set)
    assert seen.seen.state == "moving", "asking does not wait"
    free.set()
    wait_for(reported.is_set)
    assert seen.seen.colour == "red"
    seen.close()
    assert chip.closed == 1


def test_a_rail_that_never_ran_closes(tmp_path: Path) -> None:
    Rail(lambda: Chip(), None, print, lambda: 0).close()
