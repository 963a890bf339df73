"""A virtual TCS34725: registers that count light, on a bus with faults, in injected time."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from umpi.drivers.colours import NOTHING, ColourProfile, calibrate
from umpi.drivers.tcs34725 import ADDRESS, CYCLES, GAINS, Reading
from umpi.kernel.nothing import nothing

Light = tuple[float, float, float]  # red, green, blue: counts per cycle of 2.4 ms at gain 1

# What each cube reflects of the sensor's lamp. Black and white differ only in brightness.
CUBES: dict[str, Light] = {
    "red": (9.0, 2.2, 2.4), "blue": (2.2, 4.2, 7.5), "yellow": (15.0, 11.5, 4.0), "green": (3.2, 7.4, 3.8),
    "white": (16.0, 15.0, 12.0), "black": (1.3, 1.2, 1.0), NOTHING: (0.1, 0.1, 0.1),
}  # fmt: skip


def dim(light: Light, by: float) -> Light:
    """Return a fraction of a light, as from a cube farther away."""
    red, green, blue = light
    return red * by, green * by, blue * by


def profile(gain: int = 4) -> ColourProfile:
    """Return a calibration with the CUBES, each at slightly different distances, without noise."""

    def reading(light: Light) -> Reading:
        counts = [round(gain * CYCLES * part) for part in light]
        return Reading(sum(counts), *counts)

    places = (0.94, 0.97, 1.0, 1.03, 1.06)
    return calibrate({name: [reading(dim(light, by)) for by in places] for name, light in CUBES.items()}, gain)


class Chip:
    """Simulate the chip on an I²C bus of its own, with the interface of smbus2.

    `light` is a function of the time in seconds, or the name of a cube. The caller sets `now_ns`, the current time.
    `id` is the chip's identification. The next `faults` calls fail, and all calls fail while it is unplugged. `calls`
    contains the number of bytes of each call. Raises OSError at a fault, ValueError at a command that the chip does not
    understand.
    """

    def __init__(self, light: Callable[[float], Light] | str = NOTHING, seed: int = 0) -> None:
        self.light = light
        self.noise = Random(seed)
        self.now_ns = 0
        self.id = 0x44
        self.faults = 0
        self.pulled = False
        self.calls: list[int] = []
        self.closed = 0
        self.before: Callable[[], object] = nothing  # called during each transaction
        self.lose_power()

    def lose_power(self) -> None:
        """Lose all settings."""
        self.registers = {0x00: 0, 0x01: 0xFF, 0x0F: 0}
        self.began_ns: int | None = None

    def pull(self) -> None:
        """Unplug the chip."""
        self.pulled = True
        self.lose_power()

    def plug(self) -> None:
        """Plug the chip in."""
        self.pulled = False

    def write_byte_data(self, i2c_addr: int, register: int, value: int) -> None:
        """Write a register."""
        self._transfer(i2c_addr, 3)
        if register & 0xE0 != 0x80:
            raise ValueError(f"{register:#x} is not one register, by its command")
        self.registers[register & 0x1F] = value
        if register & 0x1F == 0 and value == 3:
            if self.registers[0x01] == 0xFF:
                raise ValueError("it is to count without its integration time")
            self.began_ns = self.now_ns

    def read_i2c_block_data(self, i2c_addr: int, register: int, length: int) -> list[int]:
        """Return the registers from the id on: status, then clear, red, green and blue, low byte first."""
        self._transfer(i2c_addr, 3 + length)
        if register != 0xA0 | 0x12:
            raise ValueError(f"{register:#x} is not the id, and what follows it")
        counted = self._counted()
        data = [byte for count in counted or (0, 0, 0, 0) for byte in (count & 0xFF, count >> 8)]
        return [self.id, 0x10 | (counted is not None), *data][:length]

    def close(self) -> None:
        """Count the calls that release the bus."""
        self.closed += 1

    def _transfer(self, address: int, count: int) -> None:
        self.before()
        self.calls.append(count)
        del self.calls[:-10_000]  # limits the memory, because a box runs for weeks
        if address != ADDRESS:
            raise ValueError(f"nothing is at {address:#x}")
        if self.faults or self.pulled:
            self.faults = max(0, self.faults - 1)
            raise OSError(121, "Remote I/O error")

    def _counted(self) -> tuple[int, ...] | None:
        """Return the counts of the last complete period, clipped at the counter's maximum, or None before its end.

        The light is sampled eight times per cycle.
        """
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
