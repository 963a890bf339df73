"""Pictures of 1 bit per dot, in pure Python: the box draws the same dots wherever Python runs."""

from __future__ import annotations

from typing import Self


class Picture:
    """A picture of `width` × `height` dots; each of `rows` is a number whose highest bit is the dot at the left.

    What is drawn outside of it is cut off.

    >>> picture = Picture(4, 2)
    >>> picture.fill(2, 0, 9, 1)
    >>> picture.rows, picture.dot(2, 0), picture.dot(1, 0)
    ([3, 0], True, False)
    """

    __slots__ = ("height", "rows", "width")

    def __init__(self, width: int, height: int, ink: int = 0) -> None:
        self.width, self.height = width, height
        self.rows = [(1 << width) - 1 if ink else 0] * height

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Picture) and (self.width, self.rows) == (other.width, other.rows)

    __hash__ = None  # type: ignore[assignment]  # it changes while it is drawn

    @property
    def size(self) -> tuple[int, int]:
        """Return the width and height in dots."""
        return self.width, self.height

    def copy(self) -> Self:
        """Return a picture with the same dots."""
        other = type(self)(self.width, self.height)
        other.rows = list(self.rows)
        return other

    def dot(self, x: int, y: int) -> bool:
        """Return whether the dot at x, y is lit. Raises IndexError outside of the picture."""
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise IndexError(f"dot {x}, {y} of a picture of {self.width} × {self.height}")
        return bool(self.rows[y] >> (self.width - 1 - x) & 1)

    def fill(self, left: int, top: int, width: int, height: int, ink: int = 1) -> None:
        """Light all dots of a rectangle; with ink 0, darken them."""
        start, end = max(0, left), min(self.width, left + width)
        if start >= end:
            return
        dots = ((1 << (end - start)) - 1) << (self.width - end)
        rows = self.rows
        for y in range(max(0, top), min(self.height, top + height)):
            rows[y] = rows[y] | dots if ink else rows[y] & ~dots

    def frame(self, left: int, top: int, width: int, height: int) -> None:
        """Light the rim of a rectangle."""
        for line in ((left, top, width, 1), (left, top + height - 1, width, 1)):
            self.fill(*line)
        for line in ((left, top, 1, height), (left + width - 1, top, 1, height)):
            self.fill(*line)

    def stamp(self, other: Picture, left: int, top: int, ink: int = 1) -> None:
        """Light the dots that are lit in `other`, with its upper left corner at left, top; with ink 0, darken them."""
        rows, shift, whole = self.rows, self.width - left - other.width, (1 << self.width) - 1
        for y, row in enumerate(other.rows, top):
            if row and 0 <= y < self.height:
                dots = (row << shift if shift >= 0 else row >> -shift) & whole
                rows[y] = rows[y] | dots if ink else rows[y] & ~dots

    def paste(self, other: Picture, left: int = 0, top: int = 0) -> None:
        """Put `other` in place of what is there, with its upper left corner at left, top."""
        self.fill(left, top, other.width, other.height, 0)
        self.stamp(other, left, top)

    def crop(self, box: tuple[int, int, int, int]) -> Picture:
        """Return a part: from its left and top to before its right and bottom."""
        left, top, right, bottom = box
        part = Picture(right - left, bottom - top)
        part.stamp(self, -left, -top)
        return part

    def tobytes(self) -> bytes:
        """Return the rows from the top, each as whole bytes with its first dot in the highest bit (as in a PBM)."""
        length = -(-self.width // 8)
        return b"".join((row << (8 * length - self.width)).to_bytes(length, "big") for row in self.rows)
