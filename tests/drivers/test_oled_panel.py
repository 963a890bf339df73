"""Panels are started as luma starts them, and need nothing that Pillow 14 takes away."""

from __future__ import annotations

import pytest
from PIL import Image

from tests.kit.glass import CHIPS, picture, same
from umpi.drivers.oled_link import Link, Wanted
from umpi.drivers.oled_panel import NOTHING, START_UP, open_panel, start_up
from umpi.drivers.oled_windows import Chip, pack


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
