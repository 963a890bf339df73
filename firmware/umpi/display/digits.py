"""Large digits, drawn from seven bars as on a scoreboard."""

from __future__ import annotations

from functools import lru_cache

from umpi.display.picture import Picture

BARS = {
    "0": "abcdef", "1": "", "2": "abged", "3": "abgcd", "4": "fgbc", "5": "afgcd", "6": "afgedc", "7": "abc",
    "8": "abcdefg", "9": "abcdfg", "-": "g", "+": "g",
}  # fmt: skip
CORNERS = ("af", "ab", "de", "dc")  # bars that meet at each corner: upper left, upper right, lower left, lower right
LEAST = 6  # the least width of a digit in dots; a font is clearer below it


def size(text: str, width: int, height: int) -> tuple[int, int] | None:
    """Return the width and height in dots of each digit of `text`; None if a font is clearer."""
    if not text or not set(text) <= BARS.keys():
        return None
    wide = (width + gap(width // len(text))) // len(text)
    wide = min(wide - gap(wide), height * 5 // 8)
    return (wide, min(height, wide * 2)) if wide >= LEAST else None


def gap(wide: int) -> int:
    """Return the dots between digits of this width."""
    return max(2, wide // 6)


def measure(text: str, wide: int) -> int:
    """Return the width of `text` in dots, with digits of this width."""
    return len(text) * (wide + gap(wide)) - gap(wide)


def draw(picture: Picture, x: int, y: int, text: str, wide: int, high: int, ink: int = 1) -> None:
    """Draw a number with its upper left corner at x, y."""
    for index, digit in enumerate(text):
        picture.stamp(_digit(digit, wide, high), x + index * (wide + gap(wide)), y, ink)


@lru_cache(maxsize=256)
def _digit(digit: str, wide: int, high: int) -> Picture:
    picture = Picture(wide, high)
    thick = max(2, wide // 4)
    right, bottom, middle = wide - thick, high - thick, (high - thick) // 2
    if digit == "1":
        stem = (wide - thick) // 2 + thick // 2
        picture.fill(stem, 0, thick, high)
        for row in range(2 * thick):  # the flag, which slopes down to the left and back
            start, over = min(row, thick), max(0, row - thick)
            end = over + (2 * over >= thick - 1)
            picture.fill(stem - start, row, start - end + 1, 1)
        return picture
    if digit == "+":
        across, up = (wide - thick) // 2, middle - (wide - thick) // 2
        picture.fill(across, up, thick, wide)
    places = {  # the upper left corner, width and height of each bar
        "a": (0, 0, wide, thick), "g": (0, middle, wide, thick), "d": (0, bottom, wide, thick),
        "f": (0, 0, thick, middle + thick), "b": (right, 0, thick, middle + thick),
        "e": (0, middle, thick, high - middle), "c": (right, middle, thick, high - middle),
    }  # fmt: skip
    for bar in BARS[digit]:
        picture.fill(*places[bar])
    cut = max(1, thick // 2)
    for corner, bars in enumerate(CORNERS):
        if set(bars) <= set(BARS[digit]):
            _cut(picture, corner, cut)
    return picture


def _cut(picture: Picture, corner: int, cut: int) -> None:
    """Round a corner off with a small triangle of the background."""
    for row in range(cut):
        across = cut - row
        left = picture.width - across if corner % 2 else 0
        top = picture.height - 1 - row if corner >= 2 else row
        picture.fill(left, top, across, 1, 0)
