"""A virtual SSD1306: takes the bytes as the chip would and yields the picture (SSD1306 datasheet, chapters 8 to 10)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PIL import Image

COLUMNS, PAGES = 128, 8
PARAMETERS = {  # how many bytes follow a command, where any do
    0x20: 1, 0x21: 2, 0x22: 2, 0x26: 6, 0x27: 6, 0x29: 5, 0x2A: 5, 0x81: 1, 0x8D: 1, 0xA3: 2, 0xA8: 1, 0xD3: 1,
    0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1,
}  # fmt: skip


class Ssd1306:
    """The chip, as a luma serial interface: `command` and `data` take its bytes, `picture` is what the glass shows.

    `on_data` is called after each transfer, on the driver's thread. Raises ValueError at bytes the chip does not know.
    """

    def __init__(self, on_data: Callable[[], object] = int) -> None:
        self.memory = bytearray(COLUMNS * PAGES)
        self.on_data = on_data
        self.bytes_taken = 0
        self._on = self._pumped = self._inverted = self._all_on = False
        self._mirrored, self._flipped = True, True  # as after a reset: remapped by neither
        self._start_line = 0
        self._mode = 2  # page addressing, as after a reset
        self._columns, self._pages = (0, COLUMNS - 1), (0, PAGES - 1)
        self._column, self._page = 0, 0
        self.contrast = 0x7F

    def command(self, *told: int) -> None:
        """Take command bytes."""
        self.bytes_taken += len(told)
        left = list(told)
        while left:
            code = left.pop(0)
            count = PARAMETERS.get(code, 0)
            if len(left) < count:
                raise ValueError(f"command {code:#04x} needs {count} more bytes")
            self._command(code, left[:count])
            del left[:count]
        self.on_data()

    def data(self, told: Sequence[int]) -> None:
        """Take bytes for the display memory, at the address counters."""
        self.bytes_taken += len(told)
        for byte in told:
            self.memory[self._page * COLUMNS + self._column] = byte
            self._advance()
        self.on_data()

    def cleanup(self) -> None:
        """Let go of the bus; the glass keeps its picture."""

    def picture(self) -> Image.Image:
        """What the glass shows: 128 × 64, 1 bit a dot; dark while the display or its charge pump is off."""
        image = Image.new("1", (COLUMNS, PAGES * 8))
        if not (self._on and self._pumped):
            return image
        bits = self.dots()
        image.putdata(bits)
        return image

    def dots(self) -> list[int]:
        """The dots of the glass row by row, 0 or 1, for a display that is on."""
        dots = []
        for y in range(PAGES * 8):
            line = (PAGES * 8 - 1 - y if self._flipped else y) + self._start_line
            page, bit = divmod(line % (PAGES * 8), 8)
            row = self.memory[page * COLUMNS : (page + 1) * COLUMNS]
            if self._mirrored:
                row = row[::-1]
            dots += [1 if self._all_on else (byte >> bit & 1) ^ self._inverted for byte in row]
        return dots

    def _command(self, code: int, values: list[int]) -> None:
        if code <= 0x0F:
            self._column = self._column & 0xF0 | code
        elif code <= 0x1F:
            self._column = (code & 0x0F) << 4 | self._column & 0x0F
        elif code == 0x20:
            self._mode = values[0] & 3
        elif code == 0x21:
            self._columns = _window(code, values, COLUMNS)
            self._column = values[0]
        elif code == 0x22:
            self._pages = _window(code, values, PAGES)
            self._page = values[0]
        elif 0x40 <= code <= 0x7F:
            self._start_line = code & 0x3F
        elif code == 0x81:
            self.contrast = values[0]
        elif code == 0x8D:
            self._pumped = bool(values[0] & 4)
        elif code in (0xA0, 0xA1):  # modules mount the glass so that the remapped way reads right
            self._mirrored = code == 0xA0
        elif code in (0xC0, 0xC8):
            self._flipped = code == 0xC0
        elif code in (0xA4, 0xA5):
            self._all_on = code == 0xA5
        elif code in (0xA6, 0xA7):
            self._inverted = code == 0xA7
        elif code in (0xAE, 0xAF):
            self._on = code == 0xAF
        elif 0xB0 <= code <= 0xB7:
            self._page = code & 7
        elif code not in PARAMETERS and code not in (0x2E, 0xE3):
            raise ValueError(f"the SSD1306 knows no command {code:#04x}")

    def _advance(self) -> None:
        """Move the address counters on, as the addressing mode says (datasheet, 10.1.3)."""
        first, last = self._columns if self._mode != 2 else (0, COLUMNS - 1)
        if self._mode == 1:
            self._page = self._pages[0] if self._page == self._pages[1] else self._page + 1
            if self._page == self._pages[0]:
                self._column = first if self._column == last else self._column + 1
            return
        self._column = first if self._column == last else self._column + 1
        if self._column == first and self._mode == 0:
            self._page = self._pages[0] if self._page == self._pages[1] else self._page + 1


def _window(code: int, values: list[int], size: int) -> tuple[int, int]:
    first, last = values
    if not 0 <= first <= last < size:
        raise ValueError(f"command {code:#04x}: {first} to {last} is no window of 0 to {size - 1}")
    return first, last
