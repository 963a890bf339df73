"""Virtual display chips: they read the bytes of the bus as the real chips do, and return the visible picture."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from PIL import Image

from umpi.kernel.nothing import nothing

COLUMNS, ROWS, PAGES = 128, 64, 8
HORIZONTAL, VERTICAL, PAGE = 0, 1, 2
# For each bit of a byte, what a byte shows there: 0 or 1
BITS = [bytes(byte >> bit & 1 for byte in range(256)) for bit in range(8)]
INVERTED = bytes((1, 0, *range(2, 256)))


class Ssd1306:
    """Simulate the SSD1306 with its glass, as a luma serial interface.

    `command` and `data` take bytes, `picture` returns what the glass shows. The chip calls `on_data` after each
    transfer, on the driver's thread. Raises ValueError at bytes that the chip does not know, OSError while it is
    unplugged. Numbers in comments are chapters of the SSD1306 datasheet, revision 1.1.
    """

    name: ClassVar = "SSD1306"
    columns: ClassVar = 128  # of the memory; the glass shows the middle 128
    parameters: ClassVar[Mapping[int, int]] = {  # how many bytes follow a command, if any (table 9-1)
        0x20: 1, 0x21: 2, 0x22: 2, 0x26: 6, 0x27: 6, 0x29: 5, 0x2A: 5, 0x81: 1, 0x8D: 1, 0xA3: 2, 0xA8: 1, 0xD3: 1,
        0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1,
    }  # fmt: skip
    # Commands without a visible effect: prepare or stop a scroll (10.2), clock, pre-charge, COM wiring and COM voltage
    # (10.1.16 to 19), no operation (10.1.20)
    idle: ClassVar[frozenset[int]] = frozenset((0x26, 0x27, 0x29, 0x2A, 0x2E, 0xA3, 0xD5, 0xD9, 0xDA, 0xDB, 0xE3))

    def __init__(self, on_data: Callable[[], object] = nothing) -> None:
        self.on_data = on_data
        self.bytes_taken = 0
        self.pulled = False
        self._chance = random.Random(1306)
        self.reset()
        self._power_up()

    def pull(self) -> None:
        """Unplug the chip: the glass becomes dark, and all settings are lost."""
        self.pulled = True
        self.reset()
        self.on_data()

    def plug(self) -> None:
        """Plug the chip in. Its memory contains random data."""
        self.reset()
        self._power_up()
        self.pulled = False

    def reset(self) -> None:
        """Pull the reset line low: the settings become those of 8.5, and the memory keeps its content."""
        self.on = self.pumped = self.inverted = self.all_on = False
        self.mirrored = self.flipped = False
        self.contrast = 0x7F
        self.start_line = self.offset = 0
        self.rows_driven = ROWS
        self.mode = PAGE
        self.column_window, self.page_window = (0, COLUMNS - 1), (0, PAGES - 1)
        self.column = self.page = 0
        self._received: list[int] = []  # a command whose parameters are incomplete

    def command(self, *codes: int) -> None:
        """Receive a transfer that contains only complete commands."""
        for byte in codes:
            self.receive(byte)
        if self._received:
            missing = self.parameters[self._received[0]] + 1 - len(self._received)
            raise ValueError(f"command {self._received[0]:#04x} needs {missing} more bytes")
        self.on_data()

    def receive(self, byte: int) -> None:
        """Receive one byte of a command. An incomplete command waits for the rest."""
        self._answer()
        self.bytes_taken += 1
        self._received.append(byte)
        code, *values = self._received
        if len(values) == self.parameters.get(code, 0):
            self._received = []
            self._obey(code, values)

    def data(self, data_bytes: Sequence[int]) -> None:
        """Write bytes to the memory at the address counters."""
        self._answer()
        if self.mode != PAGE:
            _check("columns", self.column_window, COLUMNS)
            _check("pages", self.page_window, PAGES)
        for byte in data_bytes:
            self._answer()
            self.bytes_taken += 1
            self._write(byte)
        self.on_data()

    def cleanup(self) -> None:
        """Release the bus. The glass keeps its picture."""

    @property
    def lit(self) -> bool:
        """Return whether the glass shows anything: the display is on and has its voltage."""
        return self.on and self.pumped and not self.pulled

    def picture(self) -> Image.Image:
        """Return what the glass shows: 128 × 64 dots, 1 bit per dot."""
        if not self.lit:
            return Image.new("1", (COLUMNS, ROWS))
        return Image.frombytes("1", (COLUMNS, ROWS), self.dots(), "raw", "1;8")  # a byte for each dot

    def dots(self) -> bytes:
        """Return the dots of the glass row by row, 0 or 1, as if the display is on."""
        return b"".join(map(self._row, range(ROWS)))

    def _row(self, y: int) -> bytes:
        """Return one row of the glass.

        The top row is wired to COM63, so that the picture is upright with command C8h (10.1.13 to 15, table 10-1).
        """
        com = ROWS - 1 - y
        row = ((self.rows_driven - 1 - com if self.flipped else com) + self.offset) % ROWS
        if row >= self.rows_driven:
            return bytes(COLUMNS)
        page, bit = divmod((row + self.start_line) % ROWS, 8)
        first = page * self.columns + (self.columns - COLUMNS) // 2
        if self.all_on:
            return b"\1" * COLUMNS
        dots = bytes(self.memory[first : first + COLUMNS])[::-1].translate(BITS[bit])
        return dots.translate(INVERTED) if self.inverted else dots

    def _power_up(self) -> None:
        self.memory = bytearray(self._chance.randbytes(self.columns * PAGES))

    def _answer(self) -> None:
        if self.pulled:
            raise OSError(121, "Remote I/O error")

    def _obey(self, code: int, values: list[int]) -> None:
        """Execute a command that most chips have. `_own` executes the others."""
        if code <= 0x0F:  # 10.1.1: lower half of the column address
            self.column = self.column & 0xF0 | code
        elif code <= 0x1F:  # 10.1.2: upper half of the column address
            self.column = (code & 0x0F) << 4 | self.column & 0x0F
        elif 0x40 <= code <= 0x7F:  # 10.1.6: the first line of the memory
            self.start_line = code & 0x3F
        elif code == 0x81:  # 10.1.7
            self.contrast = values[0]
        elif code in (0xA0, 0xA1):  # 10.1.8: map column 127 to segment 0
            self.mirrored = code == 0xA1
        elif code in (0xA4, 0xA5):  # 10.1.9
            self.all_on = code == 0xA5
        elif code in (0xA6, 0xA7):  # 10.1.10
            self.inverted = code == 0xA7
        elif code == 0xA8:  # 10.1.11: the number of driven rows
            _check("rows driven", (15, values[0] & 0x3F), ROWS)
            self.rows_driven = (values[0] & 0x3F) + 1
        elif code in (0xAE, 0xAF):  # 10.1.12
            self.on = code == 0xAF
        elif 0xB0 <= code <= 0xB7:  # 10.1.13
            self.page = code & 7
        elif code in (0xC0, 0xC8):  # 10.1.14: map row 0 to COM63
            self.flipped = code == 0xC8
        elif code == 0xD3:  # 10.1.15: the row at COM0
            self.offset = values[0] & 0x3F
        elif code not in self.idle and not self._own(code, values):
            raise ValueError(f"the {self.name} knows no command {code:#04x}")

    def _own(self, code: int, values: list[int]) -> bool:
        """Execute a command that only some chips have. Return whether the chip has it."""
        if code == 0x20:  # 10.1.3
            self.mode = values[0] & 3
        elif code == 0x21:  # 10.1.4
            self.column_window = (values[0], values[1])
            self.column = values[0]
        elif code == 0x22:  # 10.1.5
            self.page_window = (values[0], values[1])
            self.page = values[0]
        elif code == 0x8D:  # 2.1 of the appended application note: the charge pump
            self.pumped = bool(values[0] & 4)
        else:
            return False
        return True

    def _write(self, byte: int) -> None:
        """Write a byte at the address counters. The memory is ordered by segments."""
        if self.column < self.columns:
            segment = self.columns - 1 - self.column if self.mirrored else self.column
            self.memory[self.page * self.columns + segment] = byte
        self._advance()

    def _advance(self) -> None:
        """Advance the address counters according to the addressing mode (10.1.3)."""
        first, last = self.column_window if self.mode != PAGE else (0, COLUMNS - 1)
        if self.mode == VERTICAL:
            self.page = self.page_window[0] if self.page == self.page_window[1] else self.page + 1
            if self.page == self.page_window[0]:
                self.column = first if self.column == last else self.column + 1
            return
        self.column = first if self.column == last else self.column + 1
        if self.column == first and self.mode == HORIZONTAL:
            self.page = self.page_window[0] if self.page == self.page_window[1] else self.page + 1


class Ssd1309(Ssd1306):
    """Simulate the SSD1309: external supply, and a command lock (SSD1309 datasheet, revision 1.1)."""

    name: ClassVar = "SSD1309"
    parameters: ClassVar[Mapping[int, int]] = {
        **{code: count for code, count in Ssd1306.parameters.items() if code != 0x8D},
        0xFD: 1,
    }
    # No chapter describes 8Dh. luma sends it with 14h, which sets half a column. Real chips ignore both.
    idle: ClassVar[frozenset[int]] = Ssd1306.idle | {0x8D}

    def reset(self) -> None:
        """Pull the reset line low."""
        super().reset()
        self.pumped = True  # no pump: VCC supplies the voltage
        self.locked = False

    def data(self, data_bytes: Sequence[int]) -> None:
        """Write bytes to the memory. A locked chip ignores them."""
        if not self.locked:
            super().data(data_bytes)

    def _obey(self, code: int, values: list[int]) -> None:
        if code == 0xFD:  # table 9-1, command lock
            if values[0] not in (0x12, 0x16):
                raise ValueError(f"command 0xfd: {values[0]:#04x} is neither 0x12, open, nor 0x16, locked")
            self.locked = values[0] == 0x16
        elif not self.locked:
            super()._obey(code, values)


class Sh1106(Ssd1306):
    """Simulate the SH1106: 132 columns, page addressing only, DC-DC converter on by default.

    Source: SH1106 datasheet, V2.3. Numbers in comments are those of its commands. The chip has no addressing modes and
    no windows. Its datasheet does not define 20h to 22h, which open a window on the other chips.
    """

    name: ClassVar = "SH1106"
    columns: ClassVar = 132
    parameters: ClassVar[Mapping[int, int]] = {
        0x81: 1, 0xA8: 1, 0xAD: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1,
    }  # fmt: skip
    # 30h to 33h set the converter's voltage (3). 20h and 8Dh are undefined.
    # luma sends 8Dh with 14h, which sets half a column (2). Real chips ignore them.
    idle: ClassVar[frozenset[int]] = frozenset((*range(0x30, 0x34), 0xD5, 0xD9, 0xDA, 0xDB, 0xE3, 0x20, 0x8D))

    def reset(self) -> None:
        """Pull the reset line low."""
        super().reset()
        self.pumped = True

    def _obey(self, code: int, values: list[int]) -> None:
        super()._obey(code & 0xF8 if 0xC0 <= code <= 0xCF else code, values)  # 13: the lower bits have no effect

    def _own(self, code: int, values: list[int]) -> bool:
        if code != 0xAD:
            return False
        if values[0] not in (0x8A, 0x8B):
            raise ValueError(f"command 0xad: {values[0]:#04x} is neither 0x8a, off, nor 0x8b, on")
        self.pumped = values[0] == 0x8B  # 10: the DC-DC converter
        return True

    def _advance(self) -> None:
        self.column = min(self.column + 1, self.columns)  # 1 and 2: it stops after the last column


def _check(what: str, window: tuple[int, int], size: int) -> None:
    first, last = window
    if not 0 <= first <= last < size:
        raise ValueError(f"{what} {first} to {last} are no window of 0 to {size - 1}")
