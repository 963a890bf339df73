"""The virtual devices that are plugged into the box: panel, sensor head, queue rail, card scanner."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PIL import Image

from umpi.box.box import OnTrouble, Post
from umpi.box.config import Config, HeadPlan, RailBus
from umpi.display.screen_saver import Light
from umpi.drivers.colours import ColourProfile
from umpi.drivers.head_link import HeadReport
from umpi.drivers.oled import Oled
from umpi.drivers.oled_panel import open_panel
from umpi.drivers.queue_rail import Rail
from umpi.drivers.scanner import Reader
from umpi.kernel.nothing import nothing
from umpi.simulator.chip import Sh1106, Ssd1306, Ssd1309
from umpi.simulator.head import VirtualHead
from umpi.simulator.rail import VirtualRail
from umpi.simulator.scanner import VirtualScanner

CHIPS: dict[str, type[Ssd1306]] = {"ssd1306": Ssd1306, "ssd1309": Ssd1309, "sh1106": Sh1106}
NAMES = {"head": "sensor head", "rail": "queue rail", "scanner": "card scanner", "panel": "panel"}


class VirtualPlugs:
    """Open virtual devices and keep each under its name. `step` operates those without a thread."""

    def __init__(self, config: Config, clock: Callable[[], int], on_change: Callable[[], object] = nothing) -> None:
        self._config, self._clock = config, clock
        self.virtual_panel = CHIPS[config.display](on_change)
        self.bus: Any = self.virtual_panel  # the bus of the driver
        self.virtual_head: VirtualHead | None = None
        self.virtual_rail: VirtualRail | None = None
        self.virtual_scanner: VirtualScanner | None = None

    def oled(self, pins: Any, on_trouble: OnTrouble) -> Oled:
        """Return the panel: the real driver on a virtual chip, whatever the real bus is."""
        config = self._config
        chip: Any = config.display
        return Oled(lambda: open_panel(chip, self.bus, config.contrast), chip, on_trouble, config.upside_down)

    def picture(self) -> Image.Image:
        """Return what a person sees on the panel. A panel mounted upside down shows an upright picture."""
        glass = self.virtual_panel.picture()
        return glass.transpose(Image.Transpose.ROTATE_180) if self._config.upside_down else glass

    def light(self) -> Light:
        """Return the brightness of the panel."""
        if not self.virtual_panel.lit:
            return "off"
        return "bright" if self.virtual_panel.contrast == self._config.contrast else "dim"

    def head(self, plan: HeadPlan, report: Callable[[HeadReport], object]) -> Any:
        """Return the sensor head, without a thread."""
        self.virtual_head = VirtualHead(plan.lines, self._clock, report=report, dark_low=plan.dark_low)
        return self.virtual_head

    def rail(self, bus: RailBus, colours: ColourProfile | None, on_seen: Post, on_trouble: OnTrouble) -> Rail:
        """Return the colour sensor: the real driver on a virtual chip, without its thread."""
        self.virtual_rail = VirtualRail(colours, on_seen, self._clock, on_trouble)
        return self.virtual_rail.rail

    def scanner(self, reader: Reader, on_scan: Post, on_trouble: OnTrouble) -> Any:
        """Return the card scanner, without a thread."""
        self.virtual_scanner = VirtualScanner(reader, on_scan, self._clock, on_trouble)
        return self.virtual_scanner

    def of(self, name: str) -> Any:
        """Return the virtual device with this name of NAMES. Raises LookupError if the box does not have it."""
        devices = {
            "head": self.virtual_head,
            "rail": self.virtual_rail,
            "scanner": self.virtual_scanner,
            "panel": self.virtual_panel,
        }
        device = devices[name]
        if device is None:
            raise LookupError(f"this box has no {NAMES[name]}")
        return device

    def step(self) -> int | None:
        """Do what is due. Return when the next thing is due in ns, or None."""
        dues = [device.step() for device in (self.virtual_head, self.virtual_rail) if device]
        return min((due for due in dues if due is not None), default=None)
