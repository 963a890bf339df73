"""Large digits, drawn from seven bars as on a scoreboard."""

from __future__ import annotations

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
        _digit(picture, x + index * (wide + gap(wide)), y, digit, wide, high, ink)


def _digit(picture: Picture, x: int, y: int, digit: str, wide: int, high: int, ink: int) -> None:
    thick = max(2, wide // 4)
    right, bottom, middle = x + wide - thick, y + high - thick, y + (high - thick) // 2
    if digit == "1":
        stem = x + (wide - thick) // 2 + thick // 2
        picture.fill(stem, y, thick, high, ink)
        for row in range(2 * thick):  # the flag, which slopes down to the left and back
            start, over = min(row, thick), max(0, row - thick)
            end = over + (2 * over >= thick - 1)
            picture.fill(stem - start, y + row, start - end + 1, 1, ink)
        return
    if digit == "+":
        across, up = x + (wide - thick) // 2, middle - (wide - thick) // 2
        picture.fill(across, up, thick, wide, ink)
    places = {  # the upper left corner, width and height of each bar
        "a": (x, y, wide, thick), "g": (x, middle, wide, thick), "d": (x, bottom, wide, thick),
        "f": (x, y, thick, middle - y + thick), "b": (right, y, thick, middle - y + thick),
        "e": (x, middle, thick, y + high - middle), "c": (right, middle, thick, y + high - middle),
    }  # fmt: skip
    for bar in BARS[digit]:
        left, top, across, down = places[bar]
        picture.fill(left, top, across, down, ink)
    cut = max(1, thick // 2)
    for corner, bars in enumerate(CORNERS):
        if set(bars) <= set(BARS[digit]):
            _cut(picture, x, y, wide, high, corner, cut, 1 - ink)


def _cut(picture: Picture, x: int, y: int, wide: int, high: int, corner: int, cut: int, ground: int) -> None:
    """Round a corner off with a small triangle of the background."""
    for row in range(cut):
        across = cut - row
        left = x + (wide - across if corner % 2 else 0)
        top = y + (high - 1 - row if corner >= 2 else row)
        picture.fill(left, top, across, 1, ground)
