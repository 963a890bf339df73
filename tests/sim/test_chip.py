"""The virtual SSD1306 takes bytes as the datasheet says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from luma.oled.device import ssd1306
from PIL import Image

from umpi.sim.chip import COLUMNS, PAGES, Ssd1306

HORIZONTAL, VERTICAL, PAGE = 0, 1, 2


def written(mode: int, columns: tuple[int, int], pages: tuple[int, int], count: int) -> list[tuple[int, int]]:
    """Write `count` bytes into a window; at which page and column each of them lies then."""
    chip = Ssd1306()
    chip.command(0x20, mode, 0x21, *columns, 0x22, *pages)
    chip.data([byte + 1 for byte in range(count)])
    return [divmod(chip.memory.index(byte + 1), COLUMNS) for byte in range(count)]


def test_horizontal_addressing_runs_along_the_columns_then_down_a_page() -> None:
    """Datasheet, 10.1.3."""
    assert written(HORIZONTAL, (5, 7), (2, 3), 6) == [(2, 5), (2, 6), (2, 7), (3, 5), (3, 6), (3, 7)]


def test_vertical_addressing_runs_down_the_pages_then_to_the_next_column() -> None:
    assert written(VERTICAL, (5, 7), (2, 3), 6) == [(2, 5), (3, 5), (2, 6), (3, 6), (2, 7), (3, 7)]


def test_page_addressing_stays_in_its_page() -> None:
    """Datasheet, 10.1.1, 10.1.2 and 10.1.13: page and column are set apart, the window is not heeded."""
    chip = Ssd1306()
    chip.command(0x20, PAGE, 0xB3, 0x0E, 0x17)  # page 3, column 0x7E
    chip.data([1, 2, 3])
    assert [chip.memory.index(byte) for byte in (1, 2, 3)] == [3 * COLUMNS + column for column in (126, 127, 0)]


@given(st.sampled_from([HORIZONTAL, VERTICAL]), st.data())
def test_a_full_window_begins_again_at_its_corner(mode: int, data: st.DataObject) -> None:
    """What the driver relies on: no byte lands outside its window."""
    columns = data.draw(st.tuples(st.integers(0, 127), st.integers(0, 127)).map(sorted))
    pages = data.draw(st.tuples(st.integers(0, 7), st.integers(0, 7)).map(sorted))
    size = (columns[1] - columns[0] + 1) * (pages[1] - pages[0] + 1)
    chip = Ssd1306()
    chip.command(0x20, mode, 0x21, *columns, 0x22, *pages)
    chip.data([1] * size)
    assert sum(chip.memory) == size
    chip.data([2])
    assert chip.memory[pages[0] * COLUMNS + columns[0]] == 2


@pytest.mark.parametrize("code", [0x2F, 0xA8 - 1 + 0x40, 0xB8, 0xC1, 0xFF])
def test_a_command_the_chip_does_not_know_is_a_fault(code: int) -> None:
    with pytest.raises(ValueError, match=f"{code:#04x}"):
        Ssd1306().command(code)


@pytest.mark.parametrize("told", [(0x81,), (0x21, 4), (0xAE, 0x22)])
def test_a_command_without_its_parameters_is_a_fault(told: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="more bytes"):
        Ssd1306().command(*told)


@pytest.mark.parametrize("told", [(0x21, 200, 201), (0x21, 9, 3), (0x22, 8, 9)])
def test_a_window_off_the_memory_is_a_fault(told: tuple[int, ...]) -> None:
    """Datasheet, 10.1.4 and 10.1.5: columns 0 to 127, pages 0 to 7, the end not before the start."""
    chip = Ssd1306()
    with pytest.raises(ValueError, match="0x2"):
        chip.command(*told)


@given(st.binary(min_size=1024, max_size=1024))
def test_lumas_own_driver_shows_the_picture_it_was_given(bits: bytes) -> None:
    """A driver that is not ours, through its whole start-up: the glass is mounted as modules mount it."""
    chip, image = Ssd1306(), Image.frombytes("1", (COLUMNS, PAGES * 8), bits)
    panel = ssd1306(chip)
    panel.persist = True
    panel.display(image)
    assert chip.picture().tobytes() == image.tobytes()


def test_the_glass_is_dark_while_the_display_or_its_pump_is_off() -> None:
    chip = Ssd1306()
    chip.command(0xA5)
    assert not chip.picture().getbbox()
    chip.command(0xAF)
    assert not chip.picture().getbbox()
    chip.command(0x8D, 0x14)
    assert chip.picture().getbbox() == (0, 0, 128, 64)


def test_inverted_every_dot_turns() -> None:
    chip = Ssd1306()
    chip.command(0x8D, 0x14, 0xAF, 0xA1, 0xC8)
    chip.data([1])
    assert sum(chip.dots()) == 1
    chip.command(0xA7)
    assert sum(chip.dots()) == 128 * 64 - 1
