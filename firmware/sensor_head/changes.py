"""Turns the changes of the pins into lines. The part that runs for each change is machine code on the Pico.

Its `viper` functions are Python with 32-bit integers. They use literals: a name for each index would be slower.
"""

from array import array

import micropython
from ring import MASK

SECOND = 1_000_000
NO_PIN = 31
NEVER = 0x7FFFFFFF  # no ticks of a hit
STRIDE = 20  # bytes of a text
ROOM = 4096 + 13 * 64  # bytes for lines: `write_changes` stops after the change that passes 4096


@micropython.viper
def write_changes(words, work, texts, out):
    """Write the lines of the changes in a ring, until `out` is almost full.

    `work` is: 0 next change, 1 end, 2 first word of the levels, 3 size of the ring, 4 levels before, 5 mask of the pins
    that are watched, 6 last number, 7 pin of the wall, 8 ticks of its last hit, 9 bytes written, 10 ticks of the first
    change, 11 its seconds, 12 its microseconds, from 16 on the table of the CRC. `texts` has two for each pin, for a
    low and a high level.
    """
    d = ptr32(words)  # noqa: F821
    w = ptr32(work)  # noqa: F821
    t = ptr8(texts)  # noqa: F821
    o = ptr8(out)  # noqa: F821
    here = int(w[0])
    until = int(w[1])
    levels_at = int(w[2])
    size = int(w[3])
    before = int(w[4])
    mask = int(w[5])
    number = int(w[6])
    wall = int(w[7])
    hit = int(w[8])
    base_ticks = int(w[10])
    at = 0
    while here != until and at < 4096:
        place = levels_at + (here & (size - 1))
        levels = int(d[place])
        ticks = int(d[place + size]) & 0x3FFFFFFF
        here += 1
        changed = (levels ^ before) & mask
        before = levels
        pin = 0
        while changed != 0:
            while (changed & 1) == 0:
                changed >>= 1
                pin += 1
            changed -= 1
            level = (levels >> pin) & 1
            if pin == wall:
                if level == 0 or (hit <= 0x3FFFFFFF and ((ticks - hit) & 0x3FFFFFFF) < 20_000):
                    continue
                hit = ticks
            number += 1
            seconds = int(w[11])
            micros = int(w[12]) + ((ticks - base_ticks) & 0x3FFFFFFF)
            while micros >= 1_000_000:
                micros -= 1_000_000
                seconds += 1
            begin = at
            part = 0
            while part < 3:
                value = number if part == 0 else seconds if part == 1 else micros
                if part != 1 or value > 0:
                    width = 1
                    limit = 10
                    while width < 10 and value >= limit:
                        limit *= 10
                        width += 1
                    if part == 2 and seconds > 0:
                        width = 6
                    at += width
                    digit = at
                    while width > 0:
                        rest = value // 10
                        digit -= 1
                        o[digit] = 48 + value - rest * 10
                        value = rest
                        width -= 1
                if part == 0:
                    letter = (2 * pin + level) * 20
                    while int(t[letter]) != 0:
                        o[at] = t[letter]
                        at += 1
                        letter += 1
                part += 1
            crc = -1
            digit = begin
            while digit < at:
                crc = int(w[16 + ((crc ^ int(o[digit])) & 255)]) ^ ((crc >> 8) & 0xFFFFFF)
                digit += 1
            crc = ~crc
            o[at] = 32
            o[at + 1] = 42
            at += 2
            shift = 28
            while shift >= 0:
                digit = (crc >> shift) & 15
                o[at] = 48 + digit if digit < 10 else 87 + digit
                at += 1
                shift -= 4
            o[at] = 10
            at += 1
    w[0] = here
    w[4] = before
    w[6] = number
    w[8] = hit
    w[9] = at


def _crc_of(byte):
    for _ in range(8):
        byte = byte >> 1 ^ (0xEDB88320 if byte & 1 else 0)
    return byte


class Changes:
    """The lines of the changes in a ring, numbered and stamped."""

    def __init__(self, ring, clock):
        self.skipped = False  # changes were lost since the caller set it so
        self.last_us = 0  # the stamp of the last change that was read
        self.levels = 0  # of all pins, after that change
        self.number = 0  # of the last change that has a line or was lost
        self._ring, self._clock = ring, clock
        self._lost = 0
        self._hit = NEVER
        self._out = bytearray(ROOM)
        self._lines = memoryview(self._out)
        self._texts = bytearray(2 * STRIDE * 32)
        self._work = array("I", [0, 0, ring.first, ring.size] + [0] * 12 + [_crc_of(byte) for byte in range(256)])
        self._work[7] = NO_PIN

    def watch(self, pins, dark_level):
        """Report changes of these pins from now on. `pins` is by name, and may contain the wall."""
        mask = 0
        for name, pin in pins.items():
            mask |= 1 << pin
            for level in (0, 1):
                what = "hit" if name == "wall" else "dark" if level == dark_level else "light"
                text = f" {what} {name} \0".encode()
                at = (2 * pin + level) * STRIDE
                self._texts[at : at + len(text)] = text
        self._work[5] = mask
        self._work[7] = pins.get("wall", NO_PIN)

    def read(self):
        """Return the lines of the next changes, possibly none, or None if there are no changes to read."""
        ring, work = self._ring, self._work
        waiting = ring.look()
        if ring.lost != self._lost:
            self.number += ring.lost - self._lost
            self._lost = ring.lost
            self.levels = ring.levels(ring.out - 1)
            self.skipped = True
        if not waiting:
            return None
        ticks = ring.ticks(ring.out)
        us = max(0, self._clock.us(ticks))  # the sampler starts a little earlier than the clock
        work[0], work[1], work[4], work[6], work[8], work[10] = (
            ring.out, ring.until, self.levels, self.number, self._hit, ticks
        )  # fmt: skip
        work[11], work[12] = divmod(us, SECOND)
        write_changes(ring.words, work, self._texts, self._out)
        ring.until = work[0]
        last_us = us + ((ring.ticks(ring.until - 1) - ticks) & MASK)
        if not ring.advance():
            return b""
        self.levels, self.number, self._hit, self.last_us = work[4], work[6], work[8], last_us
        return self._lines[: work[9]]
