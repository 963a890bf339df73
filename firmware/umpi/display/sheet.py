"""The sheet that screens are drawn on: 128 × 64 dots, a title bar, rows of text, and labels above the soft keys."""

from __future__ import annotations

from collections.abc import Sequence

from umpi.display import digits
from umpi.display.lettering import LARGE, NORMAL, SMALL, TINY, Font, largest
from umpi.display.marks import mark
from umpi.display.menu import KEYS, Choice, Menu
from umpi.display.picture import Picture
from umpi.kernel.game import replace

WIDTH, HEIGHT = 128, 64
ACROSS = WIDTH - 2  # dots of a line of running text
PITCH = 21  # dots from one soft key to the next
LINE = 8  # a row of SMALL
BAR = 10  # the height in dots of the title bar
TOP = BAR + 2  # the first dot below the bar
FOOT = HEIGHT - 10  # the first dot of the soft keys' labels
MARK = 7  # dots of a seat's mark next to a text


class Sheet:
    """Draw one picture. `image` is 128 × 64 dots. `sign` is a warning in its bar."""

    def __init__(self, sign: str = "") -> None:
        self._sign = sign
        self.image = Picture(WIDTH, HEIGHT)

    def bar(self, left: str, right: str = "", button: int | None = None, short: str | None = None) -> None:
        """Draw the title bar, dark on light: the title on the left, a short text on the right.

        With a seat's `button`, draw its mark before the title. Beside a sign, or if `short` is given, the title comes
        first: if `right` does not fit, draw `short` in its place, or else the title alone.
        """
        self.image.fill(0, 0, WIDTH, BAR)
        start = 1
        if button is not None:
            self.mark(1, 1, button, MARK, 0)
            start += MARK + 2
        end = WIDTH - 1 - (TINY.measure(self._sign) + 5 if self._sign else 0)
        room = end - start
        whole = bool(self._sign) or short is not None
        if whole:
            right = next((text for text in (right, short or "") if TINY.measure(f"{left} {text} ") <= room), "")
        fonts = (NORMAL, SMALL) if right and SMALL.measure(f"{left} {right} ") <= room else (NORMAL, SMALL, TINY)
        font = largest(right, room - NORMAL.measure(f"{left} "), *fonts)
        room -= font.measure(f"{right} ") if right else 0
        name = largest(left, room, NORMAL, SMALL, *((TINY,) if whole else ()))
        self.text(start, (BAR - name.height) // 2, left, name, room, 0)
        self.right(end, (BAR - font.height) // 2, right, font, 0)
        self.warn()

    def warn(self) -> int:
        """Draw the sign, if there is one, over the right end of the bar; return its left edge."""
        left = WIDTH - (TINY.measure(self._sign) + 4 if self._sign else 0)
        if self._sign:
            self.image.fill(left, 0, WIDTH - left, BAR, 0)
            self.image.frame(left, 0, WIDTH - left, BAR)
            TINY.draw(self.image, left + 2, 2, self._sign)
        return left

    def mark(self, x: int, y: int, button: int, size: int = MARK, ink: int = 1) -> None:
        """Draw the mark of a seat's button."""
        self.image.stamp(mark(button, size), x, y, ink)

    def text(self, x: int, y: int, text: str, font: Font = SMALL, width: int = WIDTH, ink: int = 1) -> None:
        """Write a line, cut to `width` dots."""
        font.draw(self.image, x, y, font.fit(text, width), ink)

    def right(self, x: int, y: int, text: str, font: Font, ink: int = 1) -> None:
        """Write a line that ends before x."""
        font.draw(self.image, x - font.measure(text), y, text, ink)

    def block(self, text: str, top: int, bottom: int, page: int | None = None, centred: bool = False) -> None:
        """Write running text in the largest letters with room: one page, or all with its end cut if necessary."""
        font, lines = typeset(text, bottom - top, SMALL if page is not None else TINY)
        most, alone = (bottom - top) // font.height, len(lines) == 1
        if page is not None:
            lines = lines[page * most : (page + 1) * most]
        elif len(lines) > most:
            lines[most - 1 :] = [font.fit(" ".join(lines[most - 1 :]), ACROSS)]
        y = top + (bottom - top - len(lines) * font.height) // 2 if centred or alone else top
        for index, line in enumerate(lines):
            x = (WIDTH - font.measure(line)) // 2 if centred or (alone and page is None) else 1
            font.draw(self.image, x, y + index * font.height, line)

    def number(self, text: str, top: int, bottom: int) -> None:
        """Write a number as large as possible."""
        high = bottom - top
        if there := digits.size(text, ACROSS, high):
            right = (WIDTH + digits.measure(text, there[0])) // 2
            self.digits(right, top + (high - there[1]) // 2, text, *there)
        else:
            self.block(text, top, bottom, centred=True)

    def digits(self, right: int, y: int, text: str, wide: int, high: int, ink: int = 1) -> int:
        """Draw a number in large digits that ends before x = `right`; return its left edge."""
        left = right - digits.measure(text, wide)
        digits.draw(self.image, left, y, text, wide, high, ink)
        return left

    def fill(self, x: int, y: int, width: int, height: int) -> None:
        """Light all dots of a rectangle."""
        self.image.fill(x, y, width, height)

    def frame(self, x: int, y: int, width: int, height: int) -> None:
        """Light the rim of a rectangle."""
        self.image.frame(x, y, width, height)

    def keys(self, menu: Menu, page: int) -> None:
        """Draw the labels of the soft keys: a choice that is off is small and has no line, a marked one is light.

        If a label fills its key, all labels start with a capital, so that neighbours are easy to separate.
        """
        width = menu.span * PITCH - 1
        choices = [_fitted(choice, width) for choice in menu.page(page)]
        full = any(TINY.measure(choice.label) >= width for choice in choices)
        for index, choice in enumerate(choices):
            label = choice.label[:1].upper() + choice.label[1:] if full else choice.label
            self._key(menu.key(page * KEYS + index) * PITCH, width, replace(choice, label=label))

    def rows(self, menu: Menu, page: int, y: int = TOP) -> None:
        """Draw choices as rows, each with its mark, from top to bottom in the order of the keys from left to right."""
        for index, choice in enumerate(menu.page(page)):
            key = menu.key(page * KEYS + index)
            self._row(0, y + key * LINE, WIDTH, key, choice, (SMALL,))

    def dotted(self, y: int) -> None:
        """Draw a line of single dots, which parts what is chosen from what is only shown."""
        for x in range(0, WIDTH, 4):
            self.image.fill(x, y, 1, 1)

    def halves(self, menu: Menu, page: int) -> bool:
        """Check whether all choices of a page have room in rows of half the width."""
        return all(TINY.measure(choice.label) <= WIDTH // 2 - MARK - 5 for choice in menu.page(page))

    def list(self, menu: Menu, page: int, top: int, columns: int) -> None:
        """Draw choices as rows without gaps, each with its mark; the second column continues the first."""
        there = sorted(
            ((menu.key(page * KEYS + index), choice) for index, choice in enumerate(menu.page(page))),
            key=lambda place: place[0],
        )
        rows, width = -(-len(there) // columns), WIDTH // columns
        for index, (key, choice) in enumerate(there):
            column, row = divmod(index, rows)
            self._row(column * width, top + row * LINE, width, key, choice, (SMALL, TINY)[:columns])

    def _row(self, left: int, top: int, width: int, key: int, choice: Choice, fonts: Sequence[Font]) -> None:
        ink = 0 if choice.marked else 1
        if choice.marked:
            self.image.fill(left, top, width, LINE)
        if choice.off:
            SMALL.draw(self.image, left + 2, top, "·", ink)
        else:
            self.mark(left + 1, top, key, MARK, ink)
        start, room = left + MARK + 4, width - MARK - 5
        font = TINY if choice.off else largest(choice.label, room, *fonts)
        self.text(start, top + (LINE - font.height) // 2, choice.label, font, room, ink)

    def _key(self, left: int, width: int, choice: Choice) -> None:
        font = TINY if choice.off else largest(choice.label, width - 1, SMALL, TINY)
        text = font.fit(choice.label, width)
        self.image.fill(left, FOOT + 1, width, HEIGHT, choice.marked)  # down to the edge
        self.image.fill(left, FOOT, width, 1, not choice.off)
        self.image.fill(left + width, FOOT, 1, 3)
        x = left + (width - font.measure(text) + 1) // 2
        y = FOOT + (HEIGHT - FOOT - font.height) // 2 + 1
        font.draw(self.image, x, y, text, 0 if choice.marked else 1)


def _fitted(choice: Choice, width: int) -> Choice:
    """Return a choice with the longest of its labels that has room on a key."""
    labels = (choice.label, *choice.shorter)
    return replace(choice, label=next((label for label in labels if TINY.measure(label) < width), labels[-1]))


def typeset(text: str, height: int, least: Font = SMALL) -> tuple[Font, list[str]]:
    """Return the largest font in which the text has room in `height` dots, else `least`, with the text's lines.

    If the text has several lines, fonts that keep them whole are preferred. After an empty line, a new page begins.
    """
    if "\n\n" in text:
        pages, most = [least.wrap(page, ACROSS) for page in text.split("\n\n")], height // least.height
        return least, [line for lines in pages for line in (*lines, *[""] * (-len(lines) % most))]
    own = text.split("\n")
    words = [word for line in own for word in line.split(" ")]
    fitting: list[tuple[Font, list[str]]] = []
    for font in (LARGE, NORMAL, SMALL):
        lines = font.wrap(text, ACROSS)
        if len(lines) * font.height <= height and all(font.measure(word) <= ACROSS for word in words):
            fitting.append((font, lines))
    whole = (way for way in fitting if len(own) > 1 and way[1] == own)
    return next(whole, fitting[0] if fitting else (least, least.wrap(text, ACROSS)))


def pages(text: str, height: int) -> int:
    """Return the number of pages that running text fills."""
    font, lines = typeset(text, height)
    return max(1, -(-len(lines) // (height // font.height)))
