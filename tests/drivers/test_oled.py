"""Pictures to the panel on a thread of its own: it never holds the game, and the newest picture wins."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given, settings
from PIL import Image

from tests.kit.glass import CHIPS, Wire, chips, picture, pictures, same
from tests.kit.patience import HELD_S, patiently, wait_for
from tests.kit.sampling import examples
from umpi.display.picture import Picture
from umpi.display.screen_saver import DisplayState
from umpi.drivers import oled_link as link
from umpi.drivers.oled import Oled
from umpi.drivers.oled_panel import open_panel
from umpi.drivers.oled_windows import Chip
from umpi.simulator.chip import Ssd1306


def panel_on(bus: object, chip: Chip = "ssd1306", upside_down: bool = False) -> Oled:
    return Oled(lambda: open_panel(chip, bus), chip, upside_down=upside_down)


class Stuck:
    """A bus whose transfers hang on request until they are released; then they fail, as on a Pi."""

    def __init__(self, chip: Ssd1306) -> None:
        self.chip = chip
        self.hangs = self.waited_in_vain = False
        self.hanging, self.free = threading.Event(), threading.Event()

    def command(self, *data_bytes: int) -> None:
        self._hang()
        self.chip.command(*data_bytes)

    def data(self, data_bytes: list[int]) -> None:
        self._hang()
        self.chip.data(data_bytes)

    def cleanup(self) -> None:
        """Stay."""

    def _hang(self) -> None:
        if self.hangs:
            self.hanging.set()
            self.waited_in_vain = not self.free.wait(HELD_S)
            raise TimeoutError(110, "Connection timed out")


@settings(max_examples=examples(30))
@given(chips, pictures)
def test_every_picture_arrives_dot_by_dot(chip: Chip, shown: list[Picture]) -> None:
    glass = CHIPS[chip]()
    panel = panel_on(glass, chip)
    for image in shown:
        panel.show(image)
        patiently(panel.wait_shown)
        assert same(glass.picture(), image)
    panel.close()
    assert not glass.picture().getbbox(), "closed, it is dark"


@pytest.mark.parametrize("chip", CHIPS)
def test_a_panel_mounted_upside_down_shows_pictures_rotated(chip: Chip) -> None:
    glass, image = CHIPS[chip](), picture((0, 0), (1, 0), (100, 50))
    panel = panel_on(glass, chip, upside_down=True)
    panel.show(image)
    patiently(panel.wait_shown)
    assert same(glass.picture().transpose(Image.Transpose.ROTATE_180), image)
    panel.close()


@pytest.mark.slow
def test_a_panel_that_does_not_answer_says_why_and_then_that_all_is_well() -> None:
    reasons: list[str] = []
    wire = Wire(Ssd1306(), failures=2)
    panel = Oled(lambda: open_panel("ssd1306", wire), "ssd1306", reasons.append)
    panel.show(picture((1, 1)))
    patiently(panel.wait_shown)
    assert reasons == ["OSError: Remote I/O error", ""]
    assert panel.trouble == ""
    panel.close()


def test_show_never_waits_for_a_stuck_bus_and_the_newest_picture_wins() -> None:
    """A stuck bus can hold a transfer for a second and must not hold the game."""
    bus = Stuck(Ssd1306())
    panel = panel_on(bus)
    panel.show(picture())
    patiently(panel.wait_shown)
    bus.hangs = True
    panel.show(picture((0, 0)))
    wait_for(bus.hanging.is_set)
    for column in range(128):
        panel.show(picture((column, 7)))
    panel.rest(DisplayState())
    assert not bus.waited_in_vain, "128 pictures in less than one hanging transfer"
    before = bus.chip.bytes_taken
    bus.hangs = False
    bus.free.set()
    patiently(panel.wait_shown)
    assert same(bus.chip.picture(), picture((127, 7)))
    assert bus.chip.bytes_taken - before < 1100, "one start-up and one picture"
    panel.close()


def test_pictures_do_not_hurry_a_bus_that_has_just_failed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "PAUSES_MS", (60_000,))
    wire, failed = Wire(Ssd1306(), failures=10**6), threading.Event()
    panel = Oled(lambda: open_panel("ssd1306", wire), "ssd1306", lambda _: failed.set())
    panel.show(picture())
    wait_for(failed.is_set)
    for column in range(50):
        panel.show(picture((column, 0)))
    assert not panel.wait_shown(0.05)
    assert wire.closed == 1
    panel.close()


def test_closing_does_not_wait_for_a_bus_that_hangs_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("umpi.drivers.oled.CLOSE_S", 0.05)
    bus = Stuck(Ssd1306())
    bus.hangs = True
    panel = panel_on(bus)
    panel.show(picture())
    wait_for(bus.hanging.is_set)
    panel.close()
    assert not bus.waited_in_vain
    bus.free.set()


def test_an_idle_panel_is_healed_by_its_own_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link, "HEAL_MS", 20)
    healed = threading.Event()
    glass, image = Ssd1306(), picture((9, 9))
    panel = panel_on(glass)
    panel.show(image)
    patiently(panel.wait_shown)
    glass.pull()
    glass.on_data = lambda: healed.set() if same(glass.picture(), image) else None
    glass.plug()
    wait_for(healed.is_set)
    panel.close()


def test_at_rest_the_picture_dims_moves_and_goes_and_comes_back_as_it_was() -> None:
    glass, image = Ssd1306(), picture((0, 0), (50, 20), (127, 63))
    panel = panel_on(glass)
    panel.rest(DisplayState())
    panel.show(image)
    patiently(panel.wait_shown)
    panel.rest(DisplayState("dim", (1, 1)))
    patiently(panel.wait_shown)
    assert same(glass.picture(), picture((1, 1), (51, 21)))
    assert glass.contrast < 127
    panel.rest(DisplayState("off"))
    patiently(panel.wait_shown)
    assert not glass.picture().getbbox()
    panel.rest(DisplayState())
    patiently(panel.wait_shown)
    assert same(glass.picture(), image)
    assert glass.contrast == 127
    panel.close()


def test_a_picture_drawn_on_after_it_was_shown_does_not_change_what_is_shown() -> None:
    glass, image = Ssd1306(), picture((5, 5))
    panel = panel_on(glass)
    panel.show(image)
    image.fill(6, 6, 1, 1)
    panel.rest(DisplayState("dim"))
    patiently(panel.wait_shown)
    assert same(glass.picture(), picture((5, 5)))
    panel.close()
