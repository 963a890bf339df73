"""First light: a picture on the panel as soon as Python runs, before the rest of the box is imported.

This module imports almost nothing, because all other imports take ten times as long as this picture.
"""

from __future__ import annotations

import fcntl
import os
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from umpi.drivers.oled_panel import START_UP, OledPanel
from umpi.drivers.oled_windows import TURNED, Chip, changes

I2C_SLAVE = 0x0703  # linux/i2c-dev.h
COMMANDS, DATA = b"\x00", b"\x40"  # the first byte of a transfer: what follows it (SSD1306, 8.1.5.2)

# One sign for a square of 8 × 8 dots, so each line is one page of the chip's memory.
PICTURE = """
................
#.#.#...#.###.#.
#.#.##.##.#.#.#.
#.#.#.#.#.###.#.
#.#.#...#.#...#.
###.#...#.#...#.
................
................
"""
SQUARES = {".": bytes(8), "#": b"\xfe\xfe\xfe\xfe\xfe\xfe\xfe\0"}
FRAME = b"".join(SQUARES[sign] for line in PICTURE.split() for sign in line)


class Panel(NamedTuple):
    """An I²C panel as umpi.toml describes it; the defaults are those of `Config`."""

    chip: Chip = "ssd1306"
    bus: int = 1
    address: int = 0x3C
    contrast: int = 127
    upside_down: bool = False


def show_first_light(words: Sequence[str]) -> None:
    """Show the name of the box if the command line is that of the service: run --config UMPI.TOML.

    Wrong settings and a panel that does not answer are ignored: the start that follows reports both. Nothing that fails
    here stops it. A box that runs already keeps its picture.
    """
    if len(words) != 3 or [*words[:2]] != ["run", "--config"]:
        return
    try:
        with open(words[2], encoding="utf-8-sig") as file:
            given = tomllib.loads(file.read())
        panel = panel_of(given)
        if not _runs(given["box"]["journal"]):
            _show(panel)
    except (AttributeError, KeyError, OSError, TypeError, ValueError):
        pass
    except Exception:
        import logging  # slow to import, so only here

        logging.getLogger(__name__).exception("the first light failed")


def panel_of(given: Mapping[str, Any]) -> Panel:
    """Return the panel of umpi.toml.

    Raises TypeError or ValueError for settings that no such panel can have, and for a panel with lines beside its bus,
    because these need gpiozero.
    """
    keys = {
        name: value for name, value in given.get("display", {}).items() if name not in ("dim_after_s", "off_after_s")
    }
    panel = Panel(**keys)
    if [type(value) for value in panel] != [str, int, int, int, bool]:
        raise TypeError(panel)
    if panel.chip not in START_UP or panel.address not in range(0x08, 0x78) or panel.contrast not in range(256):
        raise ValueError(panel)
    return panel


class I2c:
    """An I²C bus of Linux with one device, for OledPanel. Its methods raise OSError."""

    def __init__(self, bus: int, address: int) -> None:
        self._file = os.open(f"/dev/i2c-{bus}", os.O_RDWR | os.O_CLOEXEC)
        try:
            fcntl.ioctl(self._file, I2C_SLAVE, address)
        except OSError:
            self.cleanup()
            raise

    def command(self, *codes: int) -> None:
        """Send commands."""
        os.write(self._file, COMMANDS + bytes(codes))

    def data(self, values: Sequence[int]) -> None:
        """Send bytes for the panel's memory."""
        os.write(self._file, DATA + bytes(values))

    def cleanup(self) -> None:
        """Close the bus."""
        os.close(self._file)


def show_progress(given: Mapping[str, Any], done: int, whole: int) -> None:
    """Show the name of the box with a bar below it: how far its start is. `given` is the text of umpi.toml as values.

    Raises OSError if the panel does not answer, and TypeError or ValueError for a panel that this cannot show it on.
    """
    _show(panel_of(given), with_bar(done, whole))


def with_bar(done: int, whole: int) -> bytes:
    """Return the picture with a bar in its last line, as long as the part that is done.

    >>> bar = with_bar(1, 4)[-128:]
    >>> (bar.count(0xFE), bar.count(0x82)) == (32, 96)
    True
    """
    full = 128 * done // whole
    return FRAME[:-128] + b"\xfe" * full + b"\x82" * (128 - full)


def _show(panel: Panel, frame: bytes = FRAME) -> None:
    frame = frame[::-1].translate(TURNED) if panel.upside_down else frame
    oled = OledPanel(START_UP[panel.chip], I2c(panel.bus, panel.address), panel.contrast)
    try:
        oled.start()
        for transfer in changes(panel.chip, None, frame):
            oled.write(transfer)
        oled.light("bright")
    finally:
        oled.close()


def _runs(journal: str) -> bool:
    """Check whether a box uses the journal. Its lock is explained in `umpi.journal.lock`, which is slow to import."""
    try:
        file = os.open(os.path.expanduser(journal) + ".lock", os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(file)
    return False
