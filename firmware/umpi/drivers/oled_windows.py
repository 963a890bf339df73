"""Two pictures to the fewest bytes that turn the one on the glass into the other."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from PIL import Image

Chip = Literal["ssd1306", "ssd1309", "sh1106"]

WIDTH, HEIGHT, PAGES = 128, 64, 8
SH1106_OFFSET = 2  # the chip has 132 columns, the glass shows the middle 128 (SH1106 datasheet, 5.3)
TURNED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))  # a byte read from its other end

# Bytes that begin a transfer on I²C: the chip's address, then whether commands or data follow (SSD1306, 8.1.5.2)
ADDRESSED = 2
# What one more window costs where its pages are told already: its columns, and the start of two transfers
MORE_COLUMNS = 3 + 2 * ADDRESSED
MORE_PAGES = MORE_COLUMNS + 3
SH1106_MORE_COLUMNS = 2 + 2 * ADDRESSED


class Window(NamedTuple):
    """A window of the memory: pages and columns, first and last."""

    top: int
    bottom: int
    left: int
    right: int

    @property
    def size(self) -> int:
        """How many bytes fill it."""
        return (self.bottom - self.top + 1) * (self.right - self.left + 1)


class Transfer(NamedTuple):
    """Commands that open a window, and the bytes that fill it."""

    command: bytes
    data: bytes


def pack(image: Image.Image, upside_down: bool = False) -> bytes:
    """Turn a picture into the chip's memory: eight pages of 128 bytes, the lowest bit on top (SSD1306, 8.7).

    Raises ValueError at a picture that is not 128 × 64 with 1 bit a dot.
    """
    if image.size != (WIDTH, HEIGHT) or image.mode != "1":
        raise ValueError(f"a picture of 128 × 64 dots, mode 1, is needed, not {image.size}, mode {image.mode}")
    columns = image.transpose(Image.Transpose.FLIP_TOP_BOTTOM).transpose(Image.Transpose.TRANSPOSE).tobytes()
    frame = b"".join(columns[PAGES - 1 - page :: PAGES] for page in range(PAGES))
    return frame[::-1].translate(TURNED) if upside_down else frame


def changes(chip: Chip, old: bytes | None, new: bytes) -> list[Transfer]:
    """Tell what has to be sent so that `new` stands where `old` stood; all of it where that is not known (None).

    As few bytes as windows of pages can do on I²C, never more than a full frame; on SPI, where no transfer has an
    address, it is less still.
    """
    if chip == "sh1106":
        return _sh1106(_spans(old, new), new)
    return _ssd130x([Window(0, PAGES - 1, 0, WIDTH - 1)] if old is None else _windows(old, new), new)


def length(transfers: Sequence[Transfer]) -> int:
    """Count the bytes of transfers on I²C, addresses and all."""
    return sum(len(transfer.command) + len(transfer.data) + 2 * ADDRESSED for transfer in transfers)


def _ssd130x(windows: Sequence[Window], frame: bytes) -> list[Transfer]:
    """Open windows in horizontal addressing, where the last byte leads back to the first corner (SSD1306, 10.1.3 to 5).

    What the window before has set is not told again.
    """
    transfers = []
    pages = columns = b""
    for window in windows:
        told, (pages, columns) = (pages, columns), (bytes((0x22, *window[:2])), bytes((0x21, *window[2:])))
        command = b"".join(new for new, old in zip((pages, columns), told, strict=True) if new != old)
        transfers.append(Transfer(command, _cut(frame, window)))
    return transfers


def _sh1106(spans: Sequence[Window], frame: bytes) -> list[Transfer]:
    """Point to a page and a column; the chip knows no other windows (SH1106, commands 1, 2 and 12)."""
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
    """Tell the changed columns page by page, small gaps between them bridged."""
    if old is None:
        return [Window(page, page, 0, WIDTH - 1) for page in range(PAGES)]
    pages = enumerate(_differing(old, new))
    return [window for page, columns in pages for window in _runs(page, page, columns, SH1106_MORE_COLUMNS)]


def _windows(old: bytes, new: bytes) -> list[Window]:
    """Tell the cheapest windows: the pages in strips, each strip in runs of changed columns.

    `best[page]` is the cheapest for the pages above `page`, with its cost.
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
    """Tell the columns that differ, a number a page: zero bytes are alike."""
    starts = range(0, PAGES * WIDTH, WIDTH)
    both = ((old[start : start + WIDTH], new[start : start + WIDTH]) for start in starts)
    return [int.from_bytes(one, "big") ^ int.from_bytes(other, "big") for one, other in both]


def _runs(top: int, bottom: int, columns: int, more: int) -> list[Window]:
    """Tell runs of columns that are not zero; a gap is bridged where that costs no more bytes than `more`."""
    gap = more // (bottom - top + 1)
    found = re.finditer(rb"[^\0](?:\0{0,%d}[^\0])*" % gap, columns.to_bytes(WIDTH, "big"))
    return [Window(top, bottom, run.start(), run.end() - 1) for run in found]
