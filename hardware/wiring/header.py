"""Places of the pins: of GPIO numbers on the Pi's 40-pin header, of GP numbers on a Pico's edge.

By the pinout of the Raspberry Pi documentation and the Pico datasheet.
"""

from __future__ import annotations

PI = dict(
    enumerate(
        (
            "3V3", "5V", "2", "5V", "3", "GND", "4", "14", "GND", "15",
            "17", "18", "27", "GND", "22", "23", "3V3", "24", "10", "GND",
            "9", "25", "11", "8", "GND", "7", "0", "1", "5", "GND",
            "6", "12", "13", "GND", "19", "16", "26", "20", "GND", "21",
        ),
        1,
    )
)  # fmt: skip
PICO = dict(
    enumerate(
        (
            "0", "1", "GND", "2", "3", "4", "5", "GND", "6", "7",
            "8", "9", "GND", "10", "11", "12", "13", "GND", "14", "15",
            "16", "17", "GND", "18", "19", "20", "21", "GND", "22", "RUN",
            "26", "27", "GND", "28", "VREF", "3V3", "EN", "GND", "VSYS", "5V",
        ),
        1,
    )
)  # fmt: skip
HEADERS = {"pi": PI, "head": PICO}
CALLED = {"pi": "GPIO", "head": "GP"}


def place(board: str, pin: int) -> int:
    """Return the position of a pin; raises KeyError if the board has no such pin.

    >>> place("pi", 17), place("head", 14)
    (11, 19)
    """
    return {at: position for position, at in HEADERS[board].items()}[str(pin)]


def call(board: str, pin: int) -> str:
    """Name a pin by both its numbers.

    >>> call("pi", 17), call("head", 14)
    ('GPIO17 (11)', 'GP14 (19)')
    """
    return f"{CALLED[board]}{pin} ({place(board, pin)})"
