"""Panels to be broken: a chip on a bus that fails at a byte, an SH1106, and pictures for them."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st
from PIL import Image

from umpi.sim.chip import Ssd1306


class Bus(Ssd1306):
    """A chip on a bus that breaks at byte `fails_at`, for so many transfers; what went before has arrived."""

    def __init__(self, fails_at: int = 0, failures: int = 0, fault: type[Exception] = OSError) -> None:
        super().__init__()
        self.fails_at, self.failures, self.fault = fails_at, failures, fault

    def command(self, *told: int) -> None:
        self._may_break(len(told))
        super().command(*told)

    def data(self, told: Sequence[int]) -> None:
        if self.failures and self.bytes_taken + len(told) > self.fails_at:
            super().data(told[: max(0, self.fails_at - self.bytes_taken)])
        self._may_break(len(told))
        super().data(told)

    def _may_break(self, count: int) -> None:
        if self.failures and self.bytes_taken + count > self.fails_at:
            self.failures -= 1
            raise self.fault("Remote I/O error")


class Sh1106:
    """The RAM of an SH1106 (datasheet, 4.2): 132 columns, page addressing only; the glass shows columns 2 to 129."""

    def __init__(self) -> None:
        self.memory = [bytearray(132) for _ in range(8)]
        self.page = self.column = 0

    def command(self, *told: int) -> None:
        for code in told:
            if code <= 0x0F:
                self.column = self.column & 0xF0 | code
            elif code <= 0x1F:
                self.column = (code & 0x0F) << 4 | self.column & 0x0F
            else:
                assert 0xB0 <= code <= 0xB7, f"no such command: {code:#04x}"
                self.page = code & 7

    def data(self, told: Sequence[int]) -> None:
        self.memory[self.page][self.column : self.column + len(told)] = bytes(told)
        self.column += len(told)

    def picture(self) -> Image.Image:
        image = Image.new("1", (128, 64))
        for x in range(128):
            for y in range(64):
                image.putpixel((x, y), self.memory[y // 8][x + 2] >> y % 8 & 1)
        return image


def picture(*dots: tuple[int, int]) -> Image.Image:
    image = Image.new("1", (128, 64))
    for dot in dots:
        image.putpixel(dot, 1)
    return image


def same(one: Image.Image, other: Image.Image) -> bool:
    return one.tobytes() == other.tobytes()


dots = st.lists(st.tuples(st.integers(0, 127), st.integers(0, 63)), max_size=30).map(lambda dots: picture(*dots))
noise = st.binary(min_size=1024, max_size=1024).map(lambda bits: Image.frombytes("1", (128, 64), bits))
pictures = st.lists(dots | noise, min_size=1, max_size=5)
