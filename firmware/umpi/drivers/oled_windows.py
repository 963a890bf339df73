"""OLED transfers: the fewest bytes that change the picture on the panel into another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:  # the first light of the box draws no picture
    from umpi.display.picture import Picture

Chip = Literal["ssd1306", "ssd1309", "sh1106"]

WIDTH, HEIGHT, PAGES = 128, 64, 8
SH1106_OFFSET = 2  # the chip has 132 columns, the panel shows the middle 128 (SH1106 datasheet, 5.3)
FIRST_BITS = int.from_bytes(b"\1" * WIDTH)  # the lowest bit of each byte
TURNED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))  # each byte with its bits reversed

# Bytes at the start of an I²C transfer: the chip's address, and whether commands or data follow (SSD1306, 8.1.5.2)
ADDRESSED = 2
# Bytes for one more window with the same pages: the column command, and the start of two transfers
MORE_COLUMNS = 3 + 2 * ADDRESSED
MORE_PAGES = MORE_COLUMNS + 3
SH1106_MORE_COLUMNS = 2 + 2 * ADDRESSED


class Window(NamedTuple):
    """A window of the memory: first and last page, first and last column."""

    top: int
    bottom: int
    left: int
    right: int

    @property
    def size(self) -> int:
        """Return the number of bytes in the window."""
        return (self.bottom - self.top + 1) * (self.right - self.left + 1)


class Transfer(NamedTuple):
    """The commands that set a window, and the bytes for it."""

    command: bytes
    data: bytes


def pack(picture: Picture, upside_down: bool = False) -> bytes:
    """Return a picture in the format of the chip's memory.

    The format is eight pages of 128 bytes, with the lowest bit at the top (SSD1306, 8.7). Raises ValueError if the
    picture is not 128 × 64.
    """
    if picture.size != (WIDTH, HEIGHT):
        raise ValueError(f"expected a picture of 128 × 64 dots; got {picture.width} × {picture.height}")
    # the letters "0" and "1" differ in their lowest bit, so a row written as letters has a byte for each of its dots
    rows = [int.from_bytes(f"{row:0{WIDTH}b}".encode()) & FIRST_BITS for row in picture.rows]
    pages = (rows[top : top + 8] for top in range(0, HEIGHT, 8))
    frame = b"".join(sum(row << bit for bit, row in enumerate(page)).to_bytes(WIDTH) for page in pages)
    return frame[::-1].translate(TURNED) if upside_down else frame


def changes(chip: Chip, old: bytes | None, new: bytes) -> list[Transfer]:
    """Return the transfers that change `old` into `new`; all of `new` if `old` is unknown (None).

    The transfers have as few bytes as windows of pages allow on I²C, and never more than a full frame. SPI needs fewer
    still, because its transfers have no address.
    """
    if chip == "sh1106":
        return _sh1106(_spans(old, new), new)
    return _ssd130x([Window(0, PAGES - 1, 0, WIDTH - 1)] if old is None else _windows(old, new), new)


def length(transfers: Sequence[Transfer]) -> int:
    """Return the number of bytes of transfers on I²C, including addresses."""
    return sum(len(transfer.command) + len(transfer.data) + 2 * ADDRESSED for transfer in transfers)


def _ssd130x(windows: Sequence[Window], frame: bytes) -> list[Transfer]:
    """Return transfers for windows in horizontal addressing (SSD1306, 10.1.3 to 5).

    In this mode the address returns to the window's first corner after its last byte. Pages or columns that are the
    same as in the previous window are not sent again.
    """
    transfers = []
    pages = columns = b""
    for window in windows:
        old_window, (pages, columns) = (pages, columns), (bytes((0x22, *window[:2])), bytes((0x21, *window[2:])))
        command = b"".join(new for new, old in zip((pages, columns), old_window, strict=True) if new != old)
        transfers.append(Transfer(command, _cut(frame, window)))
    return transfers


def _sh1106(spans: Sequence[Window], frame: bytes) -> list[Transfer]:
    """Return transfers for spans of one page each, the only windows of this chip (SH1106, commands 1, 2 and 12)."""
    transfers = []
    page = -1
    for span in spans:
        column = span.left + SH1106_OFFSET
        command = bytes((0xB0 | span.top, column & 0x0F, 0x10 | column >> 4))
        transfers.append(Transfer(command[span.top == page :], _cut(frame, span)))
        page = span.top
    return transfers


def _cut(frame: bytes, window: Window) -> bytes:
    starts = range(window.top * WIDTH, (window.bottom + 1) * WIDTH, WIDTH)
    return b"".join(frame[start + window.left : start + window.right + 1] for start in starts)


def _spans(old: bytes | None, new: bytes) -> list[Window]:
    """Return the changed columns of each page, with small gaps included."""
    if old is None:
        return [Window(page, page, 0, WIDTH - 1) for page in range(PAGES)]
    pages = enumerate(_differing(old, new))
    return [window for page, columns in pages for window in _runs(page, page, columns, SH1106_MORE_COLUMNS)]


def _windows(old: bytes, new: bytes) -> list[Window]:
    """Return the cheapest windows: the pages in strips, each strip in runs of changed columns.

    `best[page]` contains the lowest cost in bytes for the pages above `page`, and its windows.
    """
    pages = _differing(old, new)
    best: list[tuple[int, list[Window]]] = [(0, [])]
    for bottom, changed in enumerate(pages):
        if not changed:
            best.append(best[-1])
            continue
        columns, ways = 0, []
        for top in range(bottom, -1, -1):
            columns |= pages[top]
            if pages[top]:
                runs = _runs(top, bottom, columns, MORE_COLUMNS)
                cost = MORE_PAGES - MORE_COLUMNS + sum(MORE_COLUMNS + run.size for run in runs)
                ways.append((best[top][0] + cost, best[top][1] + runs))
        best.append(min(ways, key=lambda way: way[0]))
    return best[-1][1]


def _differing(old: bytes, new: bytes) -> list[int]:
    """Return one number per page that shows the columns that differ: a zero byte is an equal column."""
    starts = range(0, PAGES * WIDTH, WIDTH)
    both = ((old[start : start + WIDTH], new[start : start + WIDTH]) for start in starts)
    return [int.from_bytes(one, "big") ^ int.from_bytes(other, "big") for one, other in both]


def _runs(top: int, bottom: int, columns: int, more: int) -> list[Window]:
    """Return windows for runs of columns that are not zero; include a gap if it costs at most `more` bytes."""
    gap = more // (bottom - top + 1)
    found = re.finditer(rb"[^\0](?:\0{0,%d}[^\0])*" % gap, columns.to_bytes(WIDTH, "big"))
    return [Window(top, bottom, run.start(), run.end() - 1) for run in found]
