"""The drawing board of the panel: 128 × 64 dots, a title bar, rows of text, and labels above the soft keys."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from PIL import Image, ImageDraw

from umpi.panel.lettering import NORMAL, SMALL, TINY, Font
from umpi.panel.menu import Choice, Menu

WIDTH, HEIGHT = 128, 64
PITCH = 21  # dots from soft key to soft key
LINE = 8  # a row of SMALL
BAR = 10  # the title bar
FOOT = HEIGHT - 10  # where the labels of the soft keys begin
NOTICE_WIDTH, NOTICE_LINES = WIDTH // SMALL.width, 6


class Sheet:
    """One picture being drawn; `image` is 128 × 64, 1 bit a dot."""

    def __init__(self) -> None:
        self.image = Image.new("1", (WIDTH, HEIGHT))
        self._draw = ImageDraw.Draw(self.image)
        self._draw.fontmode = "1"

    def bar(self, left: str, right: str = "") -> None:
        """Draw the title bar: dark on light, what matters left, where one is right."""
        self._draw.rectangle((0, 0, WIDTH - 1, BAR - 1), fill=1)
        room = WIDTH - 2 - (NORMAL.measure(right) + NORMAL.width if right else 0)
        NORMAL.draw(self._draw, 1, 0, NORMAL.fit(left, room), 0)
        self._right(WIDTH - 1, 0, right, NORMAL, 0)

    def text(self, x: int, y: int, text: str, font: Font = SMALL, width: int = WIDTH) -> None:
        """Write a line, cut to `width` dots."""
        font.draw(self._draw, x, y, font.fit(text, width))

    def score(self, x: int, y: int, width: int, name: str, score: str, acts: bool) -> None:
        """Write a name and its score, right-aligned; the seat that acts stands behind a mark, light on dark turned."""
        font = SMALL if SMALL.measure(f"{name} {score}") < width - 2 else TINY
        room = width - font.measure(score) - font.width - 2
        if acts:
            self._draw.rectangle((x, y, x + width - 2, y + LINE - 1), fill=1)
        top = y + (LINE - font.height) // 2
        font.draw(self._draw, x + 1, top, font.fit(name, room), 0 if acts else 1)
        self._right(x + width - 2, top, score, font, 0 if acts else 1)

    def keys(self, menu: Menu, page: int) -> None:
        """Draw the labels of the soft keys; what is off stands dotted, what is marked or answered stands light."""
        span = menu.span
        for index, choice in enumerate(menu.page(page)):
            left = menu.key(index) * PITCH
            self._key(left, span * PITCH - 1, choice)

    def rows(self, menu: Menu, page: int, y: int = BAR + 2) -> None:
        """Draw choices too long for keys, a row each, numbered as the keys are from the left."""
        for index, choice in enumerate(menu.page(page)):
            text = f"{index + 1} {choice.label}"
            top = y + index * LINE
            light = choice.marked
            if light:
                self._draw.rectangle((0, top, WIDTH - 1, top + LINE - 1), fill=1)
            SMALL.draw(self._draw, 1, top, SMALL.fit(text, WIDTH - 2), 0 if light else 1)
            if choice.off:
                self._dot(0, top, WIDTH - 1, LINE)

    def notice(self, lines: Sequence[str]) -> None:
        """Write lines of running text under the bar."""
        for index, line in enumerate(lines[:NOTICE_LINES]):
            SMALL.draw(self._draw, 1, BAR + 2 + index * LINE, line)

    def sign(self, text: str) -> None:
        """Put a warning over the right of the title bar, light in a dark frame."""
        left = WIDTH - TINY.measure(text) - 4
        self._draw.rectangle((left, 0, WIDTH - 1, BAR - 1), fill=0)
        self._draw.rectangle((left, 0, WIDTH - 1, BAR - 2), outline=1)
        TINY.draw(self._draw, left + 2, 1, text)

    def _key(self, left: int, width: int, choice: Choice) -> None:
        right, bottom = left + width - 1, HEIGHT - 1
        font = SMALL if SMALL.measure(choice.label) <= width - 1 else TINY
        text = font.fit(choice.label, width)
        self._draw.rectangle((left, FOOT + 1, right, bottom), fill=1 if choice.marked else 0)
        self._draw.line((left, FOOT, right, FOOT), fill=1)
        self._draw.line((right + 1, FOOT, right + 1, FOOT + 2), fill=1)
        x = left + (width - font.measure(text) + 1) // 2
        y = FOOT + (HEIGHT - FOOT - font.height) // 2 + 1
        font.draw(self._draw, x, y, text, 0 if choice.marked else 1)
        if choice.off:
            self._dot(left, FOOT + 1, width, HEIGHT - FOOT - 1)

    def _right(self, x: int, y: int, text: str, font: Font, ink: int) -> None:
        font.draw(self._draw, x - font.measure(text), y, text, ink)

    def _dot(self, left: int, top: int, width: int, height: int) -> None:
        """Take every other dot away, so that a label reads as off."""
        for x in range(left, left + width):
            for y in range(top, top + height):
                if (x + y) % 2:
                    self.image.putpixel((x, y), 0)


def wrapped(text: str) -> list[str]:
    """Break running text into the lines of a notice."""
    return [line for part in text.split("\n") for line in textwrap.wrap(part, NOTICE_WIDTH) or [""]]

