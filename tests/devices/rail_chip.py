"""A TCS34725 to be broken: registers that count the light of a scene, on a bus with faults, in injected time."""

from __future__ import annotations

import math
from collections.abc import Callable
from random import Random

from umpi.devices.colours import NOTHING
from umpi.devices.rail import Rail, Seen
from umpi.devices.tcs34725 import ADDRESS, GAINS

MS = 1_000_000
Light = tuple[float, float, float]  # red, green, blue: counts a cycle of 2.4 ms at gain 1

# What each cube throws back of the sensor's lamp; black and white differ in how much only.
CUBES: dict[str, Light] = {
    "red": (9.0, 2.2, 2.4), "blue": (2.2, 4.2, 7.5), "yellow": (15.0, 11.5, 4.0), "green": (3.2, 7.4, 3.8),
    "white": (16.0, 15.0, 12.0), "black": (1.3, 1.2, 1.0), NOTHING: (0.1, 0.1, 0.1),
}  # fmt: skip


class Chip:
    """A chip on a bus of its own; `light(at_s)` is what falls on it, `id` what it says it is."""

    def __init__(self, light: Callable[[float], Light] | str = NOTHING, seed: int = 0) -> None:
        self.light = light
        self.noise = Random(seed)
        self.now_ns = 0
        self.id = 0x44
        self.faults = 0  # so many of the next calls fail
        self.calls: list[int] = []  # how many bytes went over the bus in each
        self.closed = 0
        self.before: Callable[[], object] = int  # called while a transaction is under way
        self.lose_power()

    def lose_power(self) -> None:
        self.registers = {0x00: 0, 0x01: 0xFF, 0x0F: 0}
        self.began_ns: int | None = None

    def write_byte_data(self, i2c_addr: int, register: int, value: int) -> None:
        self._transfer(i2c_addr, 3)
        assert register & 0xE0 == 0x80, "one register, by its command"
        self.registers[register & 0x1F] = value
        if register & 0x1F == 0 and value == 3:
            assert self.registers[0x01] != 0xFF, "begun without its integration time"
            self.began_ns = self.now_ns

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        self._transfer(i2c_addr, 3 + length)
        assert register == 0xA0 | 0x12
        counted = self._counted()
        data = [byte for count in counted or (0, 0, 0, 0) for byte in (count & 0xFF, count >> 8)]
        return [self.id, 0x10 | (counted is not None), *data][:length]

    def close(self) -> None:
        self.closed += 1

    def _transfer(self, address: int, count: int) -> None:
        self.before()
        self.calls.append(count)
        assert address == ADDRESS
        if self.faults:
            self.faults -= 1
            raise OSError(121, "Remote I/O error")

    def _counted(self) -> tuple[int, ...] | None:
        """The light of the last whole period, in steps of a cycle, clipped where the counter is full."""
        cycles = 256 - self.registers[0x01]
        period_ns = cycles * 2_400_000
        if self.began_ns is None or self.now_ns - self.began_ns < period_ns:
            return None
        end_s = (self.now_ns - (self.now_ns - self.began_ns) % period_ns) / 1e9
        fine = 8 * cycles
        lit = [self._light(end_s - step * 0.3e-3) for step in range(fine)]
        gain = GAINS[self.registers[0x0F]]
        colours = [gain * cycles * sum(parts) / fine for parts in zip(*lit, strict=True)]
        noisy = [self.noise.gauss(count, 1 + 0.003 * count) for count in [sum(colours), *colours]]
        return tuple(min(max(0, round(count)), cycles * 1024) for count in noisy)

    def _light(self, at_s: float) -> Light:
        return CUBES[self.light] if isinstance(self.light, str) else self.light(at_s)


class Watched:
    """A rail over a chip, stepped in injected time; `told` is all it said."""

    def __init__(self, chip: Chip, profile: object = None, **settings: object) -> None:
        self.chip = chip
        self.told: list[Seen] = []
        self.opened = 0
        self.troubles: list[str] = []
        self.rail = Rail(
            self._open, profile, self.told.append, lambda: chip.now_ns, on_trouble=self.troubles.append, **settings
        )  # type: ignore[arg-type]

    def _open(self) -> Chip:
        self.opened += 1
        return self.chip

    def look(self, ms: int = 600) -> Seen:
        """Let time pass; returns what is seen then."""
        until_ns = self.chip.now_ns + ms * MS
        while self.chip.now_ns < until_ns:
            self.chip.now_ns += math.ceil(self.rail.step() * 1e9)
        return self.rail.seen

    @property
    def states(self) -> list[str]:
        """All that was told: the colours, and the states without one."""
        return [seen.colour or seen.state for seen in self.told]


def dim(light: Light, by: float) -> Light:
    red, green, blue = light
    return red * by, green * by, blue * by
