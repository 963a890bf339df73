"""A bus and the name of a chip to a panel that has been started up, as luma.oled starts it."""

from __future__ import annotations

import functools
from typing import Any, Literal

from umpi.drivers.oled_windows import Chip, Transfer

Light = Literal["bright", "dim", "off"]

# A bus that broke inside a command leaves a chip waiting for the rest of it, two bytes at most. These are the rest, or
# nothing (SSD1306, 10.1.20: NOP).
NOTHING = b"\xe3\xe3"
CONTRAST, OFF, ON = 0x81, 0xAE, 0xAF
DIM = 8  # the dim light is this part of the bright one


def open_panel(chip: Chip, serial: Any, contrast: int = 127) -> OledPanel:
    """Start a panel up over a luma serial interface; raises OSError or luma's Error where it does not answer.

    The glass stays as it is, dark where it has just been plugged in, until `light`: nobody sees what lies in the
    memory before a picture does. `contrast` is 0 to 255.
    """
    panel = OledPanel(chip, serial, contrast)
    try:
        panel.start()
    except BaseException:
        panel.close()
        raise
    return panel


class OledPanel:
    """A panel on a bus; whatever is told to it may raise OSError or luma's Error."""

    def __init__(self, chip: Chip, serial: Any, contrast: int) -> None:
        self._start_up, self._serial, self._contrast = start_up(chip), serial, contrast

    def start(self) -> None:
        """Tell the chip how the glass is wired; a panel that shows something goes on showing it."""
        self._serial.command(*NOTHING, *self._start_up)

    def write(self, transfer: Transfer) -> None:
        """Fill a window of the memory."""
        self._serial.command(*transfer.command)
        self._serial.data(list(transfer.data))

    def light(self, light: Light) -> None:
        """Show what is in the memory, bright or dim, or nothing; the memory is kept (SSD1306, 10.1.7 and 10.1.12)."""
        if light == "off":
            self._serial.command(OFF)
        else:
            self._serial.command(CONTRAST, self._contrast if light == "bright" else self._contrast // DIM, ON)

    def close(self) -> None:
        """Let go of the bus."""
        self._serial.cleanup()


@functools.cache
def start_up(chip: Chip) -> bytes:
    """What luma tells a chip at start-up, but for the light, which is told apart.

    luma's own device is made here once a chip and on no bus: each one made lives on to the end of the process, where
    luma wants to switch it off, and its pictures need Image.getdata, which Pillow 14 takes away.
    """
    from luma.core.interface.serial import noop
    from luma.oled import device

    told: list[tuple[int, ...]] = []

    class Listener(getattr(device, chip)):  # type: ignore[misc]
        def command(self, *codes: int) -> None:
            told.append(codes)

        def display(self, image: object) -> None:
            """Leave the picture luma clears."""

    Listener(noop())
    first, *lights = told
    assert first[0] == OFF
    assert [codes[0] for codes in lights] == [CONTRAST, ON], f"luma now starts an {chip} in another way: {told}"
    return bytes(first[1:])
