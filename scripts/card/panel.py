"""What an SSD1306 shows after the bytes that QEMU has traced on its I²C bus (datasheet, sections 8.1.5 and 9)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from PIL import Image

ADDRESS = 0x3C
WIDTH, PAGES = 128, 8
COMMANDS, DATA = 0x00, 0x40  # the first byte of a transfer
COLUMNS, ROWS = 0x21, 0x22  # commands with two values: from, to
_VALUES = {
    0x20: 1,
    COLUMNS: 2,
    ROWS: 2,
    0x81: 1,
    0x8D: 1,
    0xA8: 1,
    0xAD: 1,
    0xD3: 1,
    0xD5: 1,
    0xD9: 1,
    0xDA: 1,
    0xDB: 1,
}
_EVENT = re.compile(r"i2c_event (\w+)\(addr:0x([0-9a-f]+)\)")
_SEND = re.compile(r"i2c_send(?:_async)? send(?:_async)?\(addr:0x[0-9a-f]+\) data:0x([0-9a-f]+)")


def transfers(lines: Iterable[str]) -> Iterator[bytes]:
    """Yield what was sent to the panel, transfer by transfer."""
    now: bytearray | None = None
    for line in lines:
        if event := _EVENT.search(line):
            if event[1].startswith("start"):
                now = bytearray() if int(event[2], 16) == ADDRESS else None
            elif event[1] == "finish" and now:
                yield bytes(now)
                now = None
        elif now is not None and (sent := _SEND.search(line)):
            now.append(int(sent[1], 16))


def memory_after(sent: Iterable[bytes]) -> bytes:
    """Return the memory of the panel after these transfers: eight pages, each with a byte for each column."""
    memory = bytearray(WIDTH * PAGES)
    first, last, top, bottom = 0, WIDTH - 1, 0, PAGES - 1
    column, page, command = 0, 0, bytearray()
    for transfer in sent:
        if transfer[0] == COMMANDS:
            for byte in transfer[1:]:
                command.append(byte)
                if len(command) <= _VALUES.get(command[0], 0):
                    continue
                if command[0] == COLUMNS:
                    first, last = command[1] % WIDTH, command[2] % WIDTH
                    column = first
                elif command[0] == ROWS:
                    top, bottom = command[1] % PAGES, command[2] % PAGES
                    page = top
                command.clear()
        elif transfer[0] == DATA:
            for byte in transfer[1:]:
                memory[page * WIDTH + column] = byte
                column += 1
                if column > last:
                    column, page = first, page + 1 if page < bottom else top
    return bytes(memory)


def shown(sent: Iterable[bytes]) -> Image.Image:
    """Return the picture after these transfers, 128 by 64.

    >>> picture = shown([bytes([0, 0x21, 5, 6, 0x22, 1, 1]), bytes([0x40, 0x01, 0x80])])
    >>> [place for place in ((x, y) for y in range(64) for x in range(128)) if picture.getpixel(place)]
    [(5, 8), (6, 15)]
    """
    picture = Image.new("1", (WIDTH, 8 * PAGES))
    for place, byte in enumerate(memory_after(sent)):
        for bit in range(8):
            picture.putpixel((place % WIDTH, place // WIDTH * 8 + bit), 255 * (byte >> bit & 1))
    return picture
