"""In the guest: measure the idle cost of the service, and the delay of its first picture and of a press."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from scripts.guest.idle import idle

IDLE_S = 30
MOST_WAKES = 5  # per second: the idle service must stay below this
PRESSES = 40
STARTS = 4  # the quickest counts: the clock jumps while files are read for the first time
WATCHED = {"WATCHDOG_USEC": "30000000"}  # as umpi.service has it
BITS, KHZ = 9, 400  # a byte and its acknowledgement; the bus
LABEL = "pinctrl-bcm2835"  # the label of the chip of a Zero 2 W's header
BUTTONS = """
import sys, time
from gpiozero import Button
from gpiozero.pins.lgpio import LGPIOFactory
pins = LGPIOFactory(chip=int(sys.argv[1]))
buttons = [Button(line, pin_factory=pins) for line in (4, 5, 6, 17, 22, 27)]
for button in buttons: button.when_pressed = print
print("up", flush=True)
time.sleep(1e6)
"""
ROWS: Mapping[str, str] = {
    "wakes": "wake-ups per second, idle",
    "cpu": "processor time, idle",
    "memory": "memory (RSS)",
    "start": "start to first picture, `umpi run`; to ready, the Buttons",
    "byte": "press to the first byte on the bus, median / most",
    "bytes": "bytes of that picture, median / most",
    "wire": "time for these bytes at 400 kHz, computed",
    "picture": "press to picture: both together",
}


class Wires:
    """A panel on the bus that records the time and the length of every transfer."""

    def __init__(self, panel: Any) -> None:
        self._panel = panel
        self.taken: list[tuple[int, int]] = []

    def write(self, data: bytes) -> None:
        """Receive a transfer; the address before it on the wire counts as a byte."""
        self.taken.append((time.monotonic_ns(), 1 + len(data)))
        self._panel.write(data)

    def read(self, count: int) -> bytes:
        """Return the status register."""
        return bytes(self._panel.read(count))


def costs(pid: int) -> dict[str, str]:
    """Measure the idle cost and the memory of a process."""
    resident = next(line for line in Path(f"/proc/{pid}/status").read_text().splitlines() if line.startswith("VmRSS"))
    return idle(pid, IDLE_S) | {"memory": f"{int(resident.split()[1]) / 1024:.0f} MiB"}


def service(umpi: Path) -> dict[str, str]:
    """Measure `umpi run` with its panel on a bus in user space."""
    from scripts.guest.i2c import I2cBus
    from scripts.guest.lines import Sim
    from scripts.hil.chips import PanelWires
    from scripts.hil.service import Service
    from scripts.hil.wiring import command, umpi_toml
    from umpi.box.config import Config
    from umpi.service.first_light import FRAME
    from umpi.simulator.plugs import CHIPS

    folder = Path(mkdtemp(dir="/run"))
    config, sim = Config(journal=folder / "games.db"), Sim("cost", LABEL)
    panel = CHIPS[config.display]()
    wires = Wires(PanelWires(panel))
    bus = I2cBus(config.display_bus, {config.display_address: wires})
    for pin in (*config.seats.values(), *config.navigation.values()):
        sim.pull(pin, 1)
    toml = folder / "umpi.toml"
    toml.write_text(umpi_toml(config), encoding="utf-8")
    starts_s: list[float] = []
    while True:
        began_ns = time.monotonic_ns()
        box = Service(command(umpi, toml, config), folder, WATCHED)
        wait_for(lambda: bool(panel.lit and _packed(panel.picture()) != FRAME))  # the first light asks nothing yet
        starts_s.append((wires.taken[-1][0] - began_ns) / 1e9)
        time.sleep(3)
        if len(starts_s) == STARTS:
            break
        box.stop()
        panel.pull()
        panel.plug()
    figures = costs(box._process.pid) | {"start": f"{min(starts_s):.1f} s"}
    firsts_ms, bytes_each = [], []
    for index in range(PRESSES):
        wires.taken.clear()
        pin = config.navigation["down" if index % 2 else "up"]
        at_ns = time.monotonic_ns()
        sim.pull(pin, 0)
        time.sleep(0.1)
        sim.pull(pin, 1)
        time.sleep(0.4)
        if wires.taken:
            firsts_ms.append((wires.taken[0][0] - at_ns) / 1e6)
            bytes_each.append(sum(count for _, count in wires.taken))
    assert len(firsts_ms) >= PRESSES / 2, f"only {len(firsts_ms)} of {PRESSES} presses changed the picture"
    assert not bus.complaints, bus.complaints
    box.stop()
    bus.close()
    wires_ms = [count * BITS / KHZ for count in bytes_each]
    both_ms = [first + wire for first, wire in zip(firsts_ms, wires_ms, strict=True)]
    return figures | {
        "byte": _ms(firsts_ms), "bytes": f"{statistics.median(bytes_each):.0f} / {max(bytes_each)}",
        "wire": _ms(wires_ms), "picture": _ms(both_ms),
    }  # fmt: skip


def buttons() -> dict[str, str]:
    """Measure six stock gpiozero Buttons on lgpio."""
    from scripts.guest.lines import Sim

    line = [sys.executable, "-c", BUTTONS, str(Sim("buttons").number)]
    starts_s: list[float] = []
    while True:
        began_ns = time.monotonic_ns()
        with subprocess.Popen(line, cwd="/run", stdout=subprocess.PIPE) as process:
            assert process.stdout
            process.stdout.readline()
            starts_s.append((time.monotonic_ns() - began_ns) / 1e9)
            time.sleep(1)
            figures = costs(process.pid) if len(starts_s) == STARTS else {}
            process.kill()
        if figures:
            return figures | {"start": f"{min(starts_s):.1f} s"}


def _packed(image: Any) -> bytes:
    """Return what a panel shows in the format of its chip."""
    from umpi.display.picture import Picture
    from umpi.drivers.oled_windows import pack

    dots, picture = image.tobytes(), Picture(*image.size)
    picture.rows = [int.from_bytes(dots[start : start + 16]) for start in range(0, len(dots), 16)]
    return pack(picture)


def wait_for(look: Callable[[], bool]) -> None:
    """Wait up to a minute of the guest's time until `look()` is true."""
    until_s = time.monotonic() + 60
    while not look():
        assert time.monotonic() < until_s, "the first picture did not come"
        time.sleep(0.005)


def cost_table(figures: Mapping[str, Mapping[str, str]]) -> str:
    """Return a table with the figures side by side."""
    lines = ["| in virtual time | `umpi run` | six gpiozero Buttons on lgpio |", "|---|---|---|"]
    for key, name in ROWS.items():
        lines.append(f"| {name} | " + " | ".join(figures[who].get(key, "–") for who in ("umpi", "lgpio")) + " |")
    return "\n".join(lines)


def missed_cost(figures: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Return the missed aims: the idle service must wake fewer than five times per second."""
    wakes = float(figures["umpi"]["wakes"])
    return [] if wakes < MOST_WAKES else [f"`umpi run`, idle: {wakes} wake-ups per second, not below {MOST_WAKES}"]


def _ms(values: list[float]) -> str:
    return f"{statistics.median(values):.1f} / {max(values):.1f} ms"


if __name__ == "__main__":
    measured = {"umpi": service(Path(sys.argv[1])), "lgpio": buttons()}
    print(f"  {measured}", flush=True)
    Path(sys.argv[2]).write_text(json.dumps(measured))
