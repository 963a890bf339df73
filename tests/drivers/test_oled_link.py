"""The panel shows the wanted picture in the end, whatever happens to its bus and its power. Time is injected."""

from __future__ import annotations

import atexit
import gc
import tracemalloc
from itertools import cycle, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from luma.core.error import DeviceNotFoundError

from tests.kit.glass import CHIPS, HANGS_NS, Clock, Wire, chips, images, noise, picture, pictures, same
from tests.kit.patience import patiently
from tests.kit.sampling import examples
from umpi.display.picture import Picture
from umpi.display.screen_saver import MS, Light
from umpi.drivers import oled_link as link
from umpi.drivers.oled import Oled
from umpi.drivers.oled_link import Link, Wanted
from umpi.drivers.oled_panel import OledPanel, open_panel
from umpi.drivers.oled_windows import Chip, pack
from umpi.simulator.chip import Ssd1306

FULL = {"ssd1306": 1034, "ssd1309": 1034, "sh1106": 1080}
SECOND = 1000 * MS
FAR = 600 * SECOND
STILL = picture((3, 3), (100, 60))


class Bench:
    """A chip on a bus, and the link to it; the bus takes the time it takes at 100 kHz."""

    def __init__(self, chip: Chip, **faults: object) -> None:
        self.clock, self.glass = Clock(), CHIPS[chip]()
        self.wire = Wire(self.glass, clock=self.clock, **faults)  # type: ignore[arg-type]
        self.link = Link(lambda: open_panel(chip, self.wire), chip, self.clock)
        self.due_ns: int | None = 0

    def show(self, image: Picture, light: Light = "bright") -> None:
        """Want this picture at once, where nothing holds the link back."""
        self.wanted = Wanted(pack(image), light)
        if not self.link.trouble:
            self.due_ns = self.link.step(self.wanted)

    def wait_until(self, at_ns: int) -> int:
        """Advance the time as the thread does; return how often it was woken."""
        woken = 0
        while self.due_ns is not None and self.due_ns <= at_ns:
            self.clock.now_ns = max(self.due_ns, self.clock.now_ns)
            self.due_ns = self.link.step(self.wanted)
            woken += 1
            assert woken < 1000, "it never rests"
        self.clock.now_ns = max(at_ns, self.clock.now_ns)
        return woken

    def shows(self, image: Picture) -> bool:
        return same(self.glass.picture(), image)


@given(chips, pictures)
def test_every_picture_arrives_dot_by_dot_in_fewer_bytes_than_luma_sends(chip: Chip, shown: list[Picture]) -> None:
    bench = Bench(chip)
    bench.show(STILL)
    for image in shown:
        before = bench.wire.sent
        bench.show(image)
        assert bench.shows(image)
        assert bench.wire.sent - before <= FULL[chip]


@pytest.mark.parametrize("chip", CHIPS)
def test_the_panel_stays_dark_until_its_memory_holds_a_picture(chip: Chip) -> None:
    """SSD1306 datasheet, 8.5: the memory is not cleared; its start-up is to leave the glass dark until a picture."""
    seen = []
    glass = CHIPS[chip](lambda: seen.append(glass.picture().tobytes()))
    Link(lambda: open_panel(chip, Wire(glass)), chip, Clock()).step(Wanted(pack(STILL)))
    assert set(seen) == {picture().tobytes(), STILL.tobytes()}


@pytest.mark.slow
@pytest.mark.parametrize("chip", CHIPS)
def test_a_bus_that_breaks_at_any_byte_costs_a_tenth_of_a_second(chip: Chip) -> None:
    """A lost OLED is retried quietly. Each byte of start-up, first picture and one change after it."""
    probe = Bench(chip)
    probe.show(STILL)
    probe.show(picture((64, 32)))
    for fails_at, fault in zip(range(probe.wire.sent), cycle((OSError, DeviceNotFoundError, RuntimeError))):
        bench = Bench(chip, fails_at=fails_at, failures=1, fault=fault)
        bench.show(STILL)
        bench.show(picture((64, 32)))
        assert bench.link.trouble == f"{fault.__name__}: Remote I/O error"
        bench.wait_until(bench.clock.now_ns + 110 * MS)
        assert bench.link.trouble == ""
        assert bench.shows(picture((64, 32))), f"broken at byte {fails_at}"


@pytest.mark.slow
@settings(max_examples=examples(60))
@given(chips, pictures, st.integers(0, 6000), st.integers(1, 40))
def test_after_many_failures_the_newest_picture_is_shown(
    chip: Chip, shown: list[Picture], fails_at: int, failures: int
) -> None:
    bench = Bench(chip, fails_at=fails_at, failures=failures)
    for image in shown:
        bench.show(image)
    bench.wait_until(300 * SECOND)  # a byte that far is sent by the healing
    assert bench.shows(shown[-1])
    assert bench.link.trouble == ""


class Hanging(Bench):
    """A panel that shows STILL, and a bus that hangs from the first second on, until `until_ns`."""

    def __init__(self, chip: Chip, until_ns: int) -> None:
        super().__init__(chip)
        self.hung_ns: list[int] = []
        self.show(STILL)
        self.clock.now_ns = SECOND
        self.until_ns = until_ns
        self.wire.stuck = self.hangs

    def hangs(self) -> bool:
        if self.clock.now_ns >= self.until_ns:
            return False
        self.hung_ns.append(self.clock.now_ns)
        return True


@given(chips, noise, st.integers(0, 30_000), st.integers(0, 1500))
def test_a_bus_that_hangs_shows_the_picture_within_two_seconds_of_its_recovery(
    chip: Chip, image: Picture, lasts_ms: int, wanted_ms: int
) -> None:
    bench = Hanging(chip, SECOND + lasts_ms * MS)
    bench.show(picture())
    bench.wait_until(SECOND + wanted_ms * MS)
    bench.show(image)
    bench.wait_until(max(bench.until_ns, SECOND + wanted_ms * MS) + 2 * SECOND)
    assert bench.shows(image)


@pytest.mark.parametrize("chip", CHIPS)
def test_two_seconds_are_enough_where_a_transfer_began_to_hang_just_before(chip: Chip) -> None:
    """The bus holds a transfer for a second, whatever becomes of it meanwhile."""
    probe = Hanging(chip, 20 * SECOND)
    probe.show(picture())
    probe.wait_until(20 * SECOND)
    assert len(probe.hung_ns) > 8
    for hung_ns in probe.hung_ns:
        bench = Hanging(chip, hung_ns + 1)
        bench.show(picture((9, 9)))
        bench.wait_until(hung_ns + 1 + 2 * SECOND)
        assert bench.clock.now_ns == hung_ns + 1 + 2 * SECOND, "in time"
        assert bench.shows(picture((9, 9)))


@given(chips, st.integers(0, 30_000), st.integers(0, 30_000), images)
def test_a_panel_that_was_pulled_shows_the_picture_within_two_seconds_of_a_change_or_of_its_return(
    chip: Chip, pulled_ms: int, lasts_ms: int, image: Picture
) -> None:
    bench = Bench(chip)
    bench.show(STILL)
    bench.wait_until(pulled_ms * MS)
    bench.glass.pull()
    bench.show(image)
    bench.wait_until(bench.clock.now_ns + lasts_ms * MS)
    bench.glass.plug()
    bench.wait_until(bench.clock.now_ns + 2 * SECOND)
    if not same(image, STILL):  # else nothing was to be sent, and nobody knows that it was away
        assert bench.shows(image)
    bench.wait_until(bench.clock.now_ns + 15 * SECOND)
    assert bench.shows(image)


@pytest.mark.parametrize("chip", CHIPS)
def test_a_panel_that_lost_its_power_unnoticed_is_healed_after_the_next_change(chip: Chip) -> None:
    bench = Bench(chip)
    bench.show(STILL)
    bench.glass.pull()
    bench.glass.plug()
    bench.show(picture((1, 1)))
    assert not bench.shows(picture((1, 1)))
    bench.wait_until(bench.clock.now_ns + 1500 * MS)
    assert bench.shows(picture((1, 1)))


def test_a_picture_that_changes_all_the_time_is_healed_all_the_same() -> None:
    bench = Bench("ssd1306")
    bench.show(STILL)
    bench.glass.pull()
    bench.glass.plug()
    for second in range(20):
        bench.show(picture((second, 0)))
        bench.wait_until(bench.clock.now_ns + SECOND)
    assert bench.shows(picture((19, 0)))


def test_an_idle_panel_is_woken_four_times_a_minute_and_one_that_is_off_never() -> None:
    bench = Bench("ssd1306")
    bench.show(STILL)
    assert bench.wait_until(FAR) <= 4 * FAR // (60 * SECOND)
    bench.show(STILL, "off")
    assert not bench.shows(STILL)
    assert bench.wait_until(2 * FAR) == 0


def test_repeating_all_settings_does_not_make_a_healthy_panel_blink() -> None:
    bench = Bench("ssd1306")
    bench.show(STILL)
    seen = set()
    bench.glass.on_data = lambda: seen.add(bench.glass.picture().tobytes())
    assert bench.wait_until(16 * SECOND) == 1
    assert seen == {STILL.tobytes()}


@pytest.mark.parametrize("chip", CHIPS)
def test_a_panel_that_wakes_has_forgotten_nothing_even_if_it_lost_its_power(chip: Chip) -> None:
    bench = Bench(chip)
    bench.show(STILL)
    bench.show(STILL, "off")
    bench.glass.pull()
    bench.glass.plug()
    bench.show(STILL, "bright")
    assert bench.shows(STILL)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(("before", "after"), list(permutations(("bright", "dim", "off"), 2)))
def test_a_panel_that_lost_its_power_unnoticed_is_right_as_soon_as_its_light_changes(
    chip: Chip, before: Light, after: Light
) -> None:
    """Else contrast and "on" alone would light what happens to lie in the memory."""
    bench = Bench(chip)
    bench.show(STILL, "bright")
    bench.show(STILL, before)
    bench.glass.pull()
    bench.glass.plug()
    bench.show(STILL, after)
    assert bench.shows(picture() if after == "off" else STILL)
    assert after == "off" or bench.glass.contrast == {"bright": 127, "dim": 15}[after]
    bench.show(picture((64, 32)), after)
    assert bench.shows(picture() if after == "off" else picture((64, 32)))


@pytest.mark.parametrize("chip", CHIPS)
def test_a_panel_that_lost_its_power_shows_no_garbage_on_the_way_to_another_light(chip: Chip) -> None:
    bench = Bench(chip)
    bench.show(STILL, "dim")
    bench.glass.pull()
    bench.glass.plug()
    seen = set()
    bench.glass.on_data = lambda: seen.add(bench.glass.picture().tobytes())
    bench.show(STILL, "bright")
    assert seen == {picture().tobytes(), STILL.tobytes()}


@pytest.mark.parametrize("chip", CHIPS)
def test_a_picture_of_the_same_light_costs_its_changes_only(chip: Chip) -> None:
    """A dot: a window of one byte, and the commands that open it."""
    bench = Bench(chip)
    bench.show(STILL)
    before = bench.wire.sent
    bench.show(picture((3, 3)))
    assert bench.wire.sent - before == {"ssd1306": 11, "ssd1309": 11, "sh1106": 8}[chip]


def test_a_lost_panel_is_logged_once_and_once_when_it_is_back(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    bench = Bench("ssd1306", failures=6)
    bench.show(STILL)
    bench.wait_until(FAR)
    assert [(record.levelname, bool(record.exc_info)) for record in caplog.records] == [
        ("WARNING", True),
        ("INFO", False),
    ]


def test_dim_is_an_eighth_of_bright_and_off_is_dark() -> None:
    bench = Bench("ssd1306")
    bench.show(STILL)
    assert (bench.glass.contrast, bench.glass.on) == (127, True)
    bench.show(STILL, "dim")
    assert (bench.glass.contrast, bench.glass.on) == (15, True)
    bench.show(STILL, "off")
    assert not bench.glass.on


def test_pauses_grow_and_the_bus_is_released_each_time() -> None:
    """A file descriptor each: at one attempt in 5 s the 1,024 of a process are gone in an hour and a half."""
    bench = Bench("ssd1306", failures=6)
    pauses = []
    bench.show(STILL)
    while bench.link.trouble:
        assert bench.due_ns is not None
        pauses.append((bench.due_ns - bench.clock.now_ns) // MS)
        bench.wait_until(bench.due_ns)
    assert pauses == [100, 200, 400, 700, 700, 700]
    assert bench.wire.closed == 6
    bench.wire.fails_at, bench.wire.failures = 0, 1
    bench.show(picture())
    assert bench.due_ns == bench.clock.now_ns + 100 * MS, "after an answer the pauses start from the beginning"


def test_a_chip_that_was_cut_off_in_a_command_takes_the_rest_for_nothing() -> None:
    """The first bytes of a start-up would else be its parameters, and the ones behind them no commands."""
    glass = Ssd1306()
    glass.receive(0x21)
    open_panel("ssd1306", glass)
    assert glass.mode == 0


def test_closing_a_link_whose_bus_hangs_takes_one_hang() -> None:
    bench = Bench("ssd1306")
    bench.wire.stuck = lambda: bench.clock.now_ns >= SECOND
    bench.show(STILL)
    bench.clock.now_ns = SECOND
    bench.link.close()
    assert bench.clock.now_ns == SECOND + HANGS_NS
    assert bench.wire.closed == 1


# A panel that is lost for hours: each attempt to reach it leaves nothing behind.


REBUILT = 200


def test_a_bus_without_an_answering_panel_is_released() -> None:
    """A file descriptor each: at one attempt in 5 s the 1,024 of a process are gone in an hour and a half."""
    bus = Wire(Ssd1306(), failures=1)
    with pytest.raises(OSError, match="Remote"):
        open_panel("ssd1306", bus)
    assert bus.closed == 1


@pytest.mark.slow
def test_a_panel_built_200_times_leaves_nothing() -> None:
    """Each luma device rebuilt leaks about 130 KiB through atexit."""

    def rebuild() -> None:
        for _ in range(REBUILT):
            open_panel("ssd1306", Wire(Ssd1306())).close()
            with pytest.raises(OSError, match="Remote"):
                open_panel("ssd1306", Wire(Ssd1306(), failures=1))

    def kept() -> int:
        """Return how many bytes are left of it. Other threads of this process may add some in one round."""
        tracemalloc.start()
        rebuild()
        gc.collect()
        after, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return after

    rebuild()
    gc.collect()
    hooks = atexit._ncallbacks()
    assert min(kept() for _ in range(3)) < REBUILT * 100, "bytes, over 400 panels, in each of three rounds"
    assert atexit._ncallbacks() == hooks


def test_an_unexpected_exception_is_reported_as_a_device_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each device has a status and a reason; a thread that ended unheard has none."""
    monkeypatch.setattr(link, "PAUSES_MS", (0,))
    reasons: list[str] = []
    attempts = iter([ModuleNotFoundError("No module named 'smbus2'")])

    def open_it() -> OledPanel:
        for fault in attempts:
            raise fault
        return open_panel("ssd1306", Ssd1306())

    panel = Oled(open_it, "ssd1306", reasons.append)
    panel.show(picture())
    patiently(panel.wait_shown)
    assert reasons == ["ModuleNotFoundError: No module named 'smbus2'", ""]
    panel.close()
