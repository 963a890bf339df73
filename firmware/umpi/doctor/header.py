"""Positions of GPIO numbers on the 40-pin header."""

from __future__ import annotations

PLACES = (27, 28, 3, 5, 7, 29, 31, 26, 24, 21, 19, 23, 32, 33, 8, 10, 36, 11, 12, 35, 38, 40, 15, 16, 18, 22, 37, 13)


def place(gpio: int) -> str:
    """Return the name of a pin with its GPIO number and its header number.

    >>> place(17)
    'GPIO17 (header pin 11)'
    """
    return f"GPIO{gpio} (header pin {PLACES[gpio]})"
