"""The OLED panel on its bus, started with the same commands as luma.oled uses."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, Literal

from umpi.drivers.oled_windows import Chip, Transfer

Light = Literal["bright", "dim", "off"]

# If the bus fails inside a command, the chip waits for the rest, at most two bytes. These two bytes complete the
# command, or have no effect (SSD1306, 10.1.20: NOP).
NOTHING = b"\xe3\xe3"
CONTRAST, OFF, ON = 0x81, 0xAE, 0xAF
DIM = 8  # the dim contrast is the bright one divided by this

# luma's start-up commands for each chip, for the first light of the box: importing luma takes longer than showing it. A
# test compares them with luma's.
_SSD130X = bytes.fromhex("d5 80 a8 3f d3 00 40 8d 14 20 00 a1 c8 da 12 d9 f1 db 40 a4 a6")
START_UP: Mapping[Chip, bytes] = {
    "ssd1306": _SSD130X,
    "ssd1309": _SSD130X,
    "sh1106": bytes.fromhex("20 10 b0 c8 00 10 40 a1 a6 a8 3f a4 d3 00 d5 f0 d9 22 da 12 db 20 8d 14"),
}


def open_panel(chip: Chip, serial: Any, contrast: int = 127) -> OledPanel:
    """Start a panel over a luma serial interface and return it. `contrast` is 0 to 255.

    The panel stays dark after power-on until `light` is called, so it never shows random memory. Raises OSError or
    luma's Error if it does not answer.
    """
    panel = OledPanel(start_up(chip), serial, contrast)
    try:
        panel.start()
    except BaseException:
        panel.close()
        raise
    return panel


class OledPanel:
    """A panel on a bus, with its start-up commands; every method may raise OSError or luma's Error."""

    def __init__(self, commands: bytes, serial: Any, contrast: int) -> None:
        self._start_up, self._serial, self._contrast = commands, serial, contrast

    def start(self) -> None:
        """Send the start-up commands; a panel that is on stays on."""
        self._serial.command(*NOTHING, *self._start_up)

    def write(self, transfer: Transfer) -> None:
        """Write a window of the memory."""
        self._serial.command(*transfer.command)
        self._serial.data(list(transfer.data))

    def light(self, light: Light) -> None:
        """Show the memory bright or dim, or switch the panel off; the memory is kept (SSD1306, 10.1.7, 10.1.12)."""
        if light == "off":
            self._serial.command(OFF)
        else:
            self._serial.command(CONTRAST, self._contrast if light == "bright" else self._contrast // DIM, ON)

    def close(self) -> None:
        """Close the bus."""
        self._serial.cleanup()


@functools.cache
def start_up(chip: Chip) -> bytes:
    """Return luma's start-up commands for a chip without those for the light, which `OledPanel.light` sends.

    This creates luma's own device once per chip and without a bus. The box does not use it to show pictures for two
    reasons. luma keeps every device until the end of the process and then switches it off. It also needs
    Image.getdata, which Pillow 14 removes.
    """
    from luma.core.interface.serial import noop
    from luma.oled import device

    commands: list[tuple[int, ...]] = []

    class Listener(getattr(device, chip)):  # type: ignore[misc]
        def command(self, *codes: int) -> None:
            commands.append(codes)

        def display(self, image: object) -> None:
            """Ignore the blank picture that luma sends at the start."""

    Listener(noop())
    first, *lights = commands
    assert first[0] == OFF
    assert [codes[0] for codes in lights] == [CONTRAST, ON], f"luma now starts an {chip} in another way: {commands}"
    return bytes(first[1:])
