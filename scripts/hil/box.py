"""Operate the box on simulated lines, as `umpi.simulator.virtual` does for the virtual box."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from scripts.guest.i2c import I2cBus
from scripts.guest.lines import Finger, Sim
from scripts.hil.chips import PanelWires, SensorWires
from scripts.hil.ports import HeadPort, ScannerPort
from umpi.box.calibration import Calibration, write_calibration
from umpi.box.config import COLOURS, Config
from umpi.display.menu import Menu
from umpi.display.screen_saver import Light
from umpi.drivers.lamps import BLINK_NS
from umpi.drivers.tcs34725 import ADDRESS
from umpi.simulator.chute import Flight, How, rests, toss
from umpi.simulator.plugs import CHIPS, NAMES
from umpi.simulator.rail import CROOKED, Queue
from umpi.simulator.steps import StepFault, UnknownQuestion
from umpi.simulator.tcs34725 import CUBES, Chip, dim, profile
from umpi.timing.funnel import Funnel

UP, DOWN = 1, 0
LOOKS = 12  # how often the lamps are read to find out whether one blinks


class KernelBox:
    """The lines, buses and ports of the box that `config` describes.

    The caller starts and kills the service. Errors of the devices are added to `complaints`: commands that they do not
    know, and exceptions that end them.
    """

    def __init__(self, config: Config, sim: Sim, finger: Finger, folder: Path, complaints: list[str]) -> None:
        self.complaints = complaints
        self.config, self._sim, self._finger = config, sim, finger
        self.panel = CHIPS[config.display]()
        self._queue = Queue()
        self._sensor = Chip(self._queue.light)
        self._devices: dict[int, Any] = {config.display_address: PanelWires(self.panel)}
        if config.rail is not None:
            self._devices[ADDRESS] = SensorWires(self._sensor)
            write_calibration(config.calibration, Calibration(colours=profile()))
        self.add_bus()
        self._head = HeadPort(folder / "head", complaints) if config.head else None
        self._scanner = ScannerPort(folder / "scanner") if config.scanner is not None else None
        self._funnel = Funnel(config.beam_lines, config.gate) if config.beam_lines else None
        self._stuck: list[str] = []
        self.pulls: list[tuple[str, bool, int]] = []  # what `hold` did: button, whether down, when in ns
        self.release_all()

    def close(self) -> None:
        """Remove the buses and ports."""
        self.bus.close()
        if self._head:
            self._head.close()
        if self._scanner:
            self._scanner.pull()

    def remove_bus(self) -> None:
        """Remove the I²C bus, as if its adapter were missing."""
        self.bus.close()

    def add_bus(self) -> None:
        """Add the I²C bus with the devices connected to it."""
        self.bus = I2cBus(self.config.display_bus, self._devices, self.complaints)

    @property
    def has_panel(self) -> bool:
        """Whether the panel is plugged in, on a working bus."""
        return not self.panel.pulled and not self.bus.fault and not self.bus.closed

    def fail_bus(self, fault: int) -> None:
        """Make every transfer fail with this errno; 0 ends the fault."""
        self.bus.fault = fault

    def release_all(self) -> None:
        """Release all buttons and clear all beams."""
        for pin in (*self.config.seats.values(), *self.config.navigation.values()):
            self._sim.pull(pin, UP)
        for pin in self.config.beams.values():
            self._sim.pull(pin, UP if self.config.dark_low else DOWN)

    def lose_power(self) -> None:
        """Clear the memory of the panel, as a power failure does."""
        self.panel.pull()
        self.panel.plug()

    def pin(self, button: str) -> int:
        """Return the line of a button."""
        return (self.config.seats if button in COLOURS else self.config.navigation)[button]

    def hold(self, button: str, down: bool) -> None:
        """Press or release a button."""
        self.pulls.append((button, down, time.monotonic_ns()))
        self._sim.pull(self.pin(button), DOWN if down else UP)

    def question(self) -> tuple[Menu, int] | None:
        """Raise UnknownQuestion: only the panel shows the choices."""
        raise UnknownQuestion("choose: only the panel shows the choices of this box. Write the buttons instead: press")

    def picture(self) -> Image.Image:
        """Return the picture on the OLED, read from the chip. Raises StepFault if a device has reported an error."""
        if self.complaints:
            raise StepFault(f"a device reported an error: {self.complaints[0]}")
        return self.panel.picture()

    def light(self) -> Light:
        """Return the brightness of the OLED."""
        if not self.panel.lit:
            return "off"
        return "bright" if self.panel.contrast == self.config.contrast else "dim"

    def lit(self) -> list[str]:
        """Return the lamps that are lit or blink."""
        return [name for name, levels in self._lamps().items() if any(levels)]

    def blinking(self) -> list[str]:
        """Return the lamps that blink."""
        return [name for name, levels in self._lamps().items() if len(levels) > 1]

    def _lamps(self) -> dict[str, set[int]]:
        """Return the levels of each lamp over one period of blinking."""
        seen: dict[str, set[int]] = {name: set() for name in COLOURS}
        for _ in range(LOOKS):
            for name, levels in seen.items():
                levels.add(self._sim.level(self.config.lamps[name]))
            time.sleep(2 * BLINK_NS / 1e9 / (LOOKS - 2))
        return seen

    def toss(self, cubes: Sequence[str], how: How = "apart", gap_ms: float = 60) -> None:
        """Toss cubes into the funnel in this order. Raises LookupError if there is no funnel."""
        if not self._funnel:
            raise LookupError("this box has no funnel")
        toss_arguments = cubes, self._funnel.settings, time.monotonic_ns(), how, gap_ms
        self._fly(sorted(toss(*toss_arguments)))
        if how == "stuck":
            self._stuck += cubes
        elif self._funnel.settings.lanes == 1:
            for at_ns, colour in rests(*toss_arguments):
                self._queue.fall(at_ns, dim(CUBES[colour], CROOKED if how == "crooked" else 1))

    def jiggle(self) -> None:
        """Shake the funnel, so that stuck cubes continue."""
        self._fly([(time.monotonic_ns(), line, False) for line in self.config.beam_lines])
        if self._funnel and self._funnel.settings.lanes == 1:
            for at_ns, colour in rests(self._stuck, self._funnel.settings, time.monotonic_ns()):
                self._queue.fall(at_ns, CUBES[colour])
        self._stuck = []

    def _fly(self, flights: Sequence[Flight]) -> None:
        if self._head:
            self._head.plan(flights)
        else:
            beams, low = self.config.beams, self.config.dark_low
            self._finger.plan([(at_ns, beams[line], DOWN if dark == low else UP) for at_ns, line, dark in flights])

    def lift(self) -> None:
        """Remove the cube at the stop. Raises LookupError if there is none."""
        self._of("rail")
        self._queue.lift(time.monotonic_ns())

    def lay(self, colour: str, crooked: bool = False) -> None:
        """Put a cube at the stop. Raises LookupError if there is one already."""
        self._of("rail")
        self._queue.lay(time.monotonic_ns(), dim(CUBES[colour], CROOKED if crooked else 1))

    def scan(self, code: str) -> None:
        """Hold a card in front of the scanner. Raises LookupError if there is no scanner."""
        self._of("scanner").scan(code)

    def lot(self, numbers: Sequence[int]) -> None:
        """Raise LookupError: a real box draws by chance."""
        raise LookupError("a real box draws by chance")

    def knock(self) -> None:
        """Hit the wall. Raises LookupError if there is no wall."""
        if not self.config.head or not self.config.head.wall:
            raise LookupError("this box has no wall on a sensor head")
        self._of("head").hit()

    def pull(self, name: str) -> None:
        """Unplug a device. Raises LookupError if the box does not have it."""
        self._of(name).pull()

    def plug(self, name: str) -> None:
        """Plug a device in again. Raises LookupError if the box does not have it."""
        self._of(name).plug()

    def _of(self, name: str) -> Any:
        sensor = self._sensor if self.config.rail is not None else None
        device = {"panel": self.panel, "rail": sensor, "head": self._head, "scanner": self._scanner}[name]
        if device is None:
            raise LookupError(f"this box has no {NAMES[name]}")
        return device
