"""Panels to be broken: a bus that fails, hangs and counts, a clock, and pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from hypothesis import strategies as st

from umpi.display.picture import Picture
from umpi.display.screen_saver import DisplayState
from umpi.drivers.oled_link import Link, Wanted
from umpi.drivers.oled_windows import Chip, pack
from umpi.simulator.chip import Sh1106, Ssd1306, Ssd1309

CHIPS: dict[Chip, type[Ssd1306]] = {"ssd1306": Ssd1306, "ssd1309": Ssd1309, "sh1106": Sh1106}
BYTE_NS = 90_000  # nine bits at 100 kHz
HANGS_NS = 1_000_000_000  # as long as the driver of a Pi waits for a stuck bus


class Clock:
    """Time, as the bus takes it."""

    def __init__(self) -> None:
        self.now_ns = 0

    def __call__(self) -> int:
        return self.now_ns


class Wire:
    """I²C between a driver and a chip, as a luma serial interface; `sent` counts its bytes, addresses and all.

    Byte `fails_at` and what follows it in the transfer are lost, for as many transfers from there on as `failures`.
    While it is `stuck`, a transfer takes a second and is lost.
    """

    def __init__(
        self,
        chip: Ssd1306,
        fails_at: int = 0,
        failures: int = 0,
        fault: type[Exception] = OSError,
        clock: Clock | None = None,
        stuck: Callable[[], bool] = lambda: False,
    ) -> None:
        self.chip, self.fails_at, self.failures, self.fault = chip, fails_at, failures, fault
        self.clock, self.stuck = clock or Clock(), stuck
        self.sent = self.closed = 0

    def command(self, *payload: int) -> None:
        arrived = self._carry(len(payload))
        if arrived == len(payload):
            self.chip.command(*payload)
            return
        for byte in payload[:arrived]:
            self.chip.receive(byte)
        raise self.fault("Remote I/O error")

    def data(self, payload: Sequence[int]) -> None:
        arrived = self._carry(len(payload))
        if arrived:
            self.chip.data(payload[:arrived])
        if arrived < len(payload):
            raise self.fault("Remote I/O error")

    def cleanup(self) -> None:
        self.closed += 1

    def _carry(self, count: int) -> int:
        """Carry a transfer; returns how many of its `count` bytes arrive behind the address and what follows it."""
        if self.stuck():
            self.clock.now_ns += HANGS_NS
            raise TimeoutError(110, "Connection timed out")
        first, self.sent = self.sent + 2, self.sent + 2 + count
        self.clock.now_ns += (2 + count) * BYTE_NS
        if not self.failures or self.sent <= self.fails_at:
            return count
        self.failures -= 1
        return max(0, self.fails_at - first)


class Dots(Protocol):
    """A picture of the box or of Pillow."""

    def tobytes(self) -> bytes: ...


def picture(*dots: tuple[int, int]) -> Picture:
    drawn = Picture(128, 64)
    for x, y in dots:
        drawn.fill(x, y, 1, 1)
    return drawn


def patched(left: int, top: int, width: int, height: int) -> Picture:
    drawn = picture()
    drawn.fill(left, top, width, height)
    return drawn


def noisy(bits: bytes) -> Picture:
    drawn = picture()
    drawn.rows = [int.from_bytes(bits[16 * y : 16 * y + 16]) for y in range(64)]
    return drawn


def same(one: Dots, other: Dots) -> bool:
    return one.tobytes() == other.tobytes()


chips = st.sampled_from(list(CHIPS))
dots = st.lists(st.tuples(st.integers(0, 127), st.integers(0, 63)), max_size=30).map(lambda dots: picture(*dots))
noise = st.binary(min_size=1024, max_size=1024).map(noisy)
patches = st.tuples(st.integers(0, 127), st.integers(0, 63), st.integers(1, 60), st.integers(1, 30)).map(
    lambda patch: patched(*patch)
)
images = dots | noise | patches
pictures = st.lists(images, min_size=1, max_size=5)


class SteppedOled:
    """`Oled` without its thread: `step` does what is due, and returns when it has work next."""

    def __init__(self, link: Link, clock: Callable[[], int], on_trouble: Callable[[str], object]) -> None:
        self._link, self._clock, self._on_trouble = link, clock, on_trouble
        self._frame = b""
        self._look = DisplayState()
        self._due_ns: int | None = None
        self.trouble = ""

    def show(self, image: Picture) -> None:
        """Show a picture at the next step."""
        self._frame = pack(image)

    def rest(self, look: DisplayState) -> None:
        """Dim, or go dark, at the next step."""
        self._look = look

    def wait_shown(self, timeout_s: float = 0) -> bool:
        """Say that the picture is shown, as far as anybody can wait for it."""
        return True

    def close(self) -> None:
        """Let go of the panel."""
        self._link.close()

    def step(self) -> int | None:
        """Send what has changed, or try again what has failed."""
        if not self._frame:
            return None
        wanted = Wanted(self._frame, self._look.light)
        due = self._due_ns is not None and self._due_ns <= self._clock()
        if due or (not self.trouble and wanted != self._link.shown):
            self._due_ns = self._link.step(wanted)
            if self._link.trouble != self.trouble:
                self.trouble = self._link.trouble
                self._on_trouble(self.trouble)
        return self._due_ns
