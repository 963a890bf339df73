"""Pictures to the panel on a thread of its own: it never holds the game, and the newest picture wins."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from PIL import Image

from tests.kit.glass import CHIPS, Wire, chips, images, noise, picture, same
from tests.kit.patience import HELD_S, patiently, wait_for
from umpi.display.picture import Picture
from umpi.display.screen_saver import DisplayState
from umpi.drivers import oled_link as link
from umpi.drivers.oled import Oled
from umpi.drivers.oled_link import Link, Wanted
from umpi.drivers.oled_panel import NOTHING, START_UP, open_panel, start_up
from umpi.drivers.oled_windows import Chip, changes, length, pack
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


@pytest.mark.parametrize("chip", CHIPS)
def test_a_panel_mounted_upside_down_shows_pictures_rotated(chip: Chip) -> None:
    glass, image = CHIPS[chip](), picture((0, 0), (1, 0), (100, 50))
    panel = panel_on(glass, chip, upside_down=True)
    panel.show(image)
    patiently(panel.wait_shown)
    assert same(glass.picture().transpose(Image.Transpose.ROTATE_180), image)
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
    assert not glass.picture().getbbox(), "closed, it is dark"


def test_a_picture_drawn_on_after_it_was_shown_does_not_change_what_is_shown() -> None:
    glass, image = Ssd1306(), picture((5, 5))
    panel = panel_on(glass)
    panel.show(image)
    image.fill(6, 6, 1, 1)
    panel.rest(DisplayState("dim"))
    patiently(panel.wait_shown)
    assert same(glass.picture(), picture((5, 5)))
    panel.close()


# Panels are started as luma starts them, and need nothing that Pillow 14 takes away.


@pytest.mark.parametrize("chip", CHIPS)
def test_a_start_up_is_lumas_own_and_fits_one_transfer(chip: Chip) -> None:
    """luma.core, i2c.command: at most 32 bytes; SSD1306 datasheet, 10.1.11: 64 rows."""
    assert start_up(chip) == START_UP[chip], "the first light shows them without luma"
    assert bytes((0xA8, 0x3F)) in start_up(chip)
    assert len(NOTHING + start_up(chip)) <= 32


@pytest.mark.parametrize("chip", CHIPS)
def test_a_picture_is_drawn_without_getdata(chip: Chip, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pillow's deprecations: Image.getdata goes with Pillow 14, Image.putdata stays."""
    monkeypatch.delattr(Image.Image, "getdata", raising=False)
    start_up.cache_clear()
    glass, image = CHIPS[chip](), picture((0, 0), (127, 63))
    Link(lambda: open_panel(chip, glass), chip, lambda: 0).step(Wanted(pack(image)))
    assert same(glass.picture(), image)


def test_contrast_is_what_was_asked_for() -> None:
    glass = CHIPS["ssd1306"]()
    open_panel("ssd1306", glass, contrast=200).light("bright")
    assert glass.contrast == 200


# Pictures as the chip's memory, and which of it has to be sent.


FULL = {"ssd1306": 1034, "ssd1309": 1034, "sh1106": 1080}  # what luma sends for each picture


@given(noise)
def test_a_page_holds_eight_rows_the_lowest_bit_on_top(image: Picture) -> None:
    """SSD1306 datasheet, 8.7."""
    frame = pack(image)
    for page in range(8):
        for x in (0, 1, 64, 127):
            assert frame[page * 128 + x] == sum(image.dot(x, 8 * page + bit) << bit for bit in range(8))


@given(noise)
def test_upside_down_is_half_a_turn(image: Picture) -> None:
    turned = image.copy()
    turned.rows = [int(f"{row:0128b}"[::-1], 2) for row in reversed(image.rows)]
    assert pack(image, upside_down=True) == pack(turned)


def test_a_picture_of_another_shape_is_refused() -> None:
    with pytest.raises(ValueError, match="128 × 64"):
        pack(Picture(64, 128))


@given(chips, images, images)
def test_no_change_costs_more_than_lumas_full_frame(chip: Chip, old: Picture, new: Picture) -> None:
    assert length(changes(chip, pack(old), pack(new))) <= length(changes(chip, None, pack(new))) == FULL[chip]


@given(images, images)
def test_windows_cost_no_more_than_one_around_everything_nor_than_spans_of_pages(old: Picture, new: Picture) -> None:
    """Six bytes tell a window, four begin its two transfers (SSD1306 datasheet, 8.1.5.2, 10.1.4 and 10.1.5)."""
    before, after = pack(old), pack(new)
    sent = length(changes("ssd1306", before, after))
    differing = [divmod(place, 128) for place in range(1024) if before[place] != after[place]]
    if not differing:
        assert sent == 0
        return
    pages, columns = [page for page, _ in differing], [column for _, column in differing]
    assert sent <= 10 + (max(pages) - min(pages) + 1) * (max(columns) - min(columns) + 1)
    spans = [[column for page, column in differing if page == wanted] for wanted in set(pages)]
    assert sent <= sum(10 + max(span) - min(span) + 1 for span in spans)


@pytest.mark.parametrize(
    ("dots", "ssd130x", "sh1106"),
    [
        ([], 0, 0),
        ([(5, 5)], 6 + 4 + 1, 3 + 4 + 1),
        ([(5, 5), (5, 7)], 6 + 4 + 1, 3 + 4 + 1),
        ([(5, 5), (12, 5)], 6 + 4 + 8, 3 + 4 + 1 + 2 + 4 + 1),  # a gap of six: a second window costs seven, or six
        ([(5, 5), (13, 5)], 6 + 4 + 9, 3 + 4 + 1 + 2 + 4 + 1),
        ([(5, 5), (14, 5)], 6 + 4 + 1 + 3 + 4 + 1, 3 + 4 + 1 + 2 + 4 + 1),
        ([(5, 7), (5, 8)], 6 + 4 + 2, 2 * (3 + 4 + 1)),  # over two pages: one window where the chip knows them
        (
            [(5, 7), (5, 8), (11, 7), (11, 8)],
            6 + 4 + 2 + 3 + 4 + 2,
            2 * (3 + 4 + 7),
        ),  # a gap of ten bytes
        ([(5, 0), (5, 63)], 6 + 4 + 8, 2 * (3 + 4 + 1)),  # over all of them, even
        ([(5, 0), (6, 0), (5, 63), (6, 63)], 6 + 4 + 2 + 3 + 4 + 2, 2 * (3 + 4 + 2)),  # the same columns, sent once
        ([(0, 0), (127, 0)], 6 + 4 + 1 + 3 + 4 + 1, 3 + 4 + 1 + 2 + 4 + 1),
    ],
)
def test_only_what_changed_goes_over_the_bus(dots: list[tuple[int, int]], ssd130x: int, sh1106: int) -> None:
    """Commands, the four bytes that begin two transfers, data."""
    before, after = pack(picture()), pack(picture(*dots))
    assert length(changes("ssd1306", before, after)) == ssd130x
    assert length(changes("ssd1309", before, after)) == ssd130x
    assert length(changes("sh1106", before, after)) == sh1106
