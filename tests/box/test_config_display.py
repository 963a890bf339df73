"""[display] of umpi.toml: I²C or SPI, each with its own keys and pins; how it is mounted and when it rests."""

from __future__ import annotations

from pathlib import Path

import pytest

from umpi.box.config import BadConfig, SpiPlan
from umpi.box.config_file import read_config

WITH_SPI = "[navigation]\nback = 14\n[display]\nspi = 0\ndc = 12\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "umpi.toml"


def refusal(file: Path, text: str) -> str:
    """Why a configuration is refused, "" where it is not."""
    file.write_text(text)
    try:
        read_config(file)
    except BadConfig as fault:
        return str(fault)
    return ""


def test_spi_settings_of_the_display_are_read(file: Path) -> None:
    file.write_text(
        WITH_SPI + "device = 1\nselect = 15\nreset = 0\nupside_down = true\ndim_after_s = 60\noff_after_s = 0\n"
    )
    config = read_config(file)
    assert (config.display_spi, config.display_reset) == (SpiPlan(dc=12, port=0, device=1, select=15), 0)
    assert (config.upside_down, config.dim_after_s, config.off_after_s) == (True, 60, 0)
    assert config.display_pins == {12, 15, 0}
    assert set(config.bus_pins) == {7, 8, 9, 10, 11}


def test_on_spi_the_i2c_s_pins_are_free_but_for_a_colour_sensor(file: Path) -> None:
    assert refusal(file, WITH_SPI + "[seats]\nred = 2\n") == ""
    error = refusal(file, WITH_SPI + "[seats]\nred = 2\n[rail]\n")
    assert error.endswith("pin 2 is already the colour sensor's I²C (SDA). Pin 15 is free.")


BAD = [
    (
        "[display]\ndc = 12\nspi = 0\n",
        "line 3: [display] spi = 0: pin 7 is the display's SPI (CE1) and navigation.back. "
        "Write back = 14 under [navigation].",
    ),
    (
        "[navigation]\nback = 7\n[display]\ndc = 12\nspi = 0\n",
        "pin 7 is already the display's SPI (CE1).",
    ),
    (
        WITH_SPI + "[seats]\nred = 8\n",
        "[seats] red = 8: pin 8 is already the display's SPI (CE0).",
    ),
    (WITH_SPI + "reset = 12\n", "line 6: [display] reset = 12: pin 12 is already display.dc. Pin 15 is free."),
    (WITH_SPI + "select = 8\n", "line 6: [display] select = 8: pin 8 is already the display's SPI (CE0)."),
    (WITH_SPI + "[beams]\nlane_1 = 12\n", "line 5: [display] dc = 12: pin 12 is already beams.lane_1. Pin 15 is free."),
    ("[display]\nreset = 16\n", "line 2: [display] reset = 16: pin 16 is already seats.red. Pin 8 is free."),
    (
        "[display]\nspi = 0\n",
        "spi = 0: expected the pin at the display's data/command line (D/C, or A0) as well,",
    ),
    (WITH_SPI + "address = 0x3C\n", "line 6: [display] address = 60: a display on SPI has neither bus nor address;"),
    (WITH_SPI + "bus = 1\n", "line 6: [display] bus = 1: a display on SPI has neither bus nor address;"),
    (WITH_SPI + "device = 2\n", "line 6: [display] device = 2: SPI 0 has no CE2. With spi = 0 it is 0 or 1."),
    ("[display]\ndc = 12\n", "line 2: [display] dc = 12: only a display on SPI has it. Write spi = 0 too"),
    ("[display]\nselect = 12\n", "line 2: [display] select = 12: only a display on SPI has it."),
    ("[display]\nspi = 2\n", "line 2: [display] spi = 2: expected a whole number from 0 to 1."),
    ("[display]\nupside_down = 1\n", "line 2: [display] upside_down = 1: expected true or false."),
    ("[display]\ndim_after_s = 1.5\n", "line 2: [display] dim_after_s = 1.5: expected whole seconds from 0"),
    ("[display]\noff_after_s = -1\n", "line 2: [display] off_after_s = -1: expected whole seconds from 0"),
    ("[display]\ndim_after_s = true\n", "line 2: [display] dim_after_s = True: expected whole seconds from 0"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_an_error_names_its_place_and_the_correct_form(file: Path, text: str, message: str) -> None:
    error = refusal(file, text)
    assert error.startswith("umpi.toml, line ")
    assert message in error
    assert "\n" not in error


def test_everything_on_the_default_pins_of_spi_must_be_moved(file: Path) -> None:
    error = refusal(file, "[display]\nspi = 1\ndc = 12\n")
    assert "pin 16 is the display's SPI (CE2) and seats.red, pin 17 is" in error
    assert "Write red = 8 under [seats], blue = 9 under [seats]," in error
