"""The lot: numbers drawn from a seed, so that the same evening draws the same numbers again."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

FIRST = b"umpi lot:"  # the first bytes of a seed that has its numbers written out; a box draws seeds of 8 bytes
STEPS = 1 << 16  # of a number that is written out, in two bytes


class Lot:
    """Draw numbers from 0 to below 1, the same ones on every machine for the same seed.

    >>> Lot(1)() == Lot(1)()
    True
    """

    def __init__(self, seed: int) -> None:
        self._seed, self._drawn = seed, 0
        self._given = _written_out(seed)

    def __call__(self) -> float:
        """Return the next number."""
        self._drawn += 1
        if self._drawn <= len(self._given):
            return self._given[self._drawn - 1]
        digest = sha256(f"{self._seed}.{self._drawn}".encode()).digest()
        return int.from_bytes(digest[:6]) / 2**48


def seed_of(numbers: Sequence[float]) -> int:
    """Return a seed that has these numbers written out: a scenario names by it what no small seed draws.

    They are kept to within 2**-16. Such a seed is greater than any that a box draws by chance.

    >>> lot = Lot(seed_of((0.25, 0.75)))
    >>> round(lot(), 3), round(lot(), 3)
    (0.25, 0.75)
    """
    return int.from_bytes(FIRST + b"".join(int(number * STEPS).to_bytes(2) for number in numbers))


def _written_out(seed: int) -> tuple[float, ...]:
    """Return the numbers that a seed has written out, none for one that a box draws by chance."""
    whole = seed.to_bytes(-(-seed.bit_length() // 8)) if seed > 0 else b""
    if len(whole) <= len(FIRST) or not whole.startswith(FIRST) or len(whole) % 2 != len(FIRST) % 2:
        return ()
    pairs = (whole[at : at + 2] for at in range(len(FIRST), len(whole), 2))
    return tuple((int.from_bytes(pair) + 0.5) / STEPS for pair in pairs)
