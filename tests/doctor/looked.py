"""A virtual box in injected time, with faults to be named, and what the doctor finds in it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from gpiozero.exc import PinInvalidPin

from tests.kit.patience import patiently
from umpi.box.box import build
from umpi.box.config import Config
from umpi.doctor.finding import Finding
from umpi.doctor.look import look, wait_for_devices
from umpi.doctor.system import System
from umpi.kernel.registry import GameEntry
from umpi.simulator.pins import VirtualPins
from umpi.simulator.plugs import VirtualPlugs

MS, SECOND = 1_000_000, 1_000_000_000


class Pins(VirtualPins):
    """Virtual pins; those of `faults` cannot be had, each for its reason."""

    def __init__(self, clock: Callable[[], int], faults: dict[int, Exception]) -> None:
        super().__init__(clock)
        self.faults = faults

    def pin(self, name: Any) -> Any:
        if name in self.faults:
            raise self.faults[name]
        return super().pin(name)


@dataclass
class FakeSystem:
    """A system where all is well, but for what is given: `i2c` are the addresses that answer, or why none is asked."""

    i2c: Collection[int] | OSError = ()
    spi: OSError | None = None  # why /dev/spidev cannot be opened
    closed: Collection[Path] = ()
    free_mb: int = 1000
    year: int = 2026
    games: list[GameEntry] = field(default_factory=list)

    def answering(self, bus: int, addresses: Collection[int]) -> list[int]:
        if isinstance(self.i2c, OSError):
            raise self.i2c
        return [address for address in addresses if address in self.i2c]

    def open_spi(self, port: int, device: int) -> None:
        if self.spi:
            raise self.spi

    def system(self) -> System:
        return System(
            open_spi=self.open_spi,
            answering=self.answering,
            may_write=lambda path: path not in self.closed,
            free_bytes=lambda folder: self.free_mb * 1_000_000,
            now=lambda: datetime(self.year, 5, 6, 7, 8),
            games=lambda: self.games,
        )


class Patient:
    """A box to be looked at: faults are put in by its pins and plugs before `findings` are asked for."""

    def __init__(
        self, folder: Path, faults: dict[int, Exception] | None = None, pins: Any = None, **config: Any
    ) -> None:
        self.now_ns = SECOND
        self.config = replace(Config(journal=folder / "games.db"), **config)
        self.pins = pins or Pins(lambda: self.now_ns, faults or {})
        self.plugs = VirtualPlugs(self.config, lambda: self.now_ns)
        self.box = build(self.config, self.pins, self.plugs, lambda event: None)
        self.around = FakeSystem()
        self.waited_ms = 0

    def down(self, *buttons: str) -> None:
        """Hold buttons down."""
        for button in buttons:
            self.pins.pin({**self.config.seats, **self.config.navigation}[button]).drive_low()

    def settle(self) -> None:
        """Wait as the doctor does, in injected time; the panel's thread gets the real time it needs."""
        began_ns = self.now_ns
        wait_for_devices(self.box, lambda: self.now_ns, self._rest)
        self.waited_ms = (self.now_ns - began_ns) // MS

    def findings(self) -> list[Finding]:
        """Run the doctor; return all findings."""
        self.settle()
        return list(look(self.config, self.box, self.pins, self.around.system()))

    def finding(self, device: str) -> Finding:
        """The one finding of a device."""
        found = [finding for finding in self.findings() if finding.device == device]
        assert len(found) == 1, found
        return found[0]

    def has(self, device: str) -> bool:
        """Return whether the doctor reports a device."""
        return any(finding.device == device for finding in self.findings())

    def _rest(self, seconds: float) -> None:
        until_ns = self.now_ns + round(seconds * 1e9)
        while (due_ns := self.plugs.step()) is not None and due_ns <= until_ns:
            self.now_ns = max(self.now_ns, due_ns)
        self.now_ns = until_ns
        if self.box.oled and not self.plugs.virtual_panel.pulled:
            patiently(self.box.oled.wait_shown)

    def close(self) -> None:
        """Switch it off, and release the pins that gpiozero's factories share."""
        self.box.close()
        self.pins.close()


def broken(pin: int) -> dict[int, Exception]:
    """The faults of a pin that is broken off."""
    return {pin: PinInvalidPin(f"{pin} is broken off")}
