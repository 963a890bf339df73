"""In the guest: run gpiozero's own tests of real pins on two simulated lines that are wired together.

The tests are those of gpiozero 1.6.2, as Debian 12 has them; PyPI's gpiozero 2 has none. This module restores names
that gpiozero 2 and pytest have dropped, so that the tests run unchanged.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Mapping
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import gpiod
import pytest
from gpiod.line import Bias, Direction
from gpiozero.pins import BoardInfo, Pin

from scripts.guest.lines import Sim

OUT, IN = 22, 27  # the lines that the tests expect to be wired together
GROUP = "gpiozero_pin_factories"
LABEL = "pinctrl-bcm2835"  # the chip of a Zero 2 W
# By factory: tests that fail there, and why. Any other failure is a fault.
KNOWN: Mapping[str, Mapping[str, str]] = {"umpi": {}, "lgpio": {}}


class Wire:
    """Two lines wired together: an output or a pull on one line sets the other line."""

    def __init__(self, sim: Sim) -> None:
        self._sim, self._chip = sim, gpiod.Chip(sim.path)

    def settle(self) -> None:
        """Make each line follow the other."""
        infos = {line: self._chip.get_line_info(line) for line in (OUT, IN)}
        driven = [line for line, info in infos.items() if info.used and info.direction == Direction.OUTPUT]
        pulled = {line: info.bias for line, info in infos.items() if info.bias in (Bias.PULL_UP, Bias.PULL_DOWN)}
        if driven:
            level = self._sim.level(driven[0])
        elif pulled:
            level = int(Bias.PULL_UP in pulled.values())
        else:
            return
        for line in infos:
            if line not in driven and (driven or line not in pulled):
                self._sim.pull(line, level)


class Results:
    """Counts the outcomes of pytest's tests."""

    def __init__(self) -> None:
        self.passed: list[str] = []
        self.skipped: list[str] = []
        self.failed: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Count a test once: after it ran, or when a fixture skipped it or failed."""
        name = report.nodeid.rpartition("::")[2].partition("[")[0]
        if report.failed:
            self.failed[name] = str(report.longrepr).strip().rpartition("\n")[2]
        elif report.skipped:
            self.skipped.append(name)
        elif report.when == "call":
            self.passed.append(name)


def restore_names(factory: str) -> None:
    """Restore the names that the tests use and newer packages lack; list only this `factory`."""
    pytest.yield_fixture = pytest.fixture  # type: ignore[assignment,attr-defined,unused-ignore]
    Pin.number = property(lambda pin: int(pin.info.name.removeprefix("GPIO")))
    BoardInfo.pulled_up = lambda board, name: any(pin.pull == "up" for _, pin in board.find_pin(name))
    here = {each.name: each for each in entry_points(group=GROUP) if each.name == factory}
    resources: Any = ModuleType("pkg_resources")
    resources.get_distribution = lambda name: SimpleNamespace(get_entry_map=lambda group: here)
    resources.load_entry_point = lambda name, group, each: here[each].load()
    resources.iter_entry_points = lambda group, each: [here[each]] if each in here else []
    sys.modules["pkg_resources"] = resources


def remove_chips() -> None:
    """Remove the chips of earlier programs: lgpio's factory opens the first chip."""
    for chip in Path("/sys/kernel/config/gpio-sim").iterdir():
        (chip / "live").write_text("0")
        (chip / "bank0").rmdir()
        chip.rmdir()


def main() -> int:
    """Run the tests with one factory and add a line of JSON to a file."""
    suite, out, factory, name = sys.argv[1:]
    began_s = time.monotonic()
    remove_chips()
    sim = Sim(f"real-{factory}", LABEL)
    os.environ["UMPI_GPIO_CHIP"] = sim.path
    restore_names(factory)
    wire, results = Wire(sim), Results()
    reading = Pin.state.fget

    def read(pin: Pin) -> Any:
        wire.settle()
        return reading(pin)

    Pin.state = property(read, Pin.state.fset)
    folder = Path("/run", f"real-{factory}")
    folder.mkdir()
    for file in Path(suite).glob("*.py"):
        (folder / file.name).write_bytes(file.read_bytes())
    left_out = ["-k", "not test_duty_cycles"]  # these pins have no PWM, and with the wire it takes six minutes
    pytest.main(
        [*left_out, "-q", "--color=no", "-p", "no:cacheprovider", "-W", "ignore", str(folder)], plugins=[results]
    )
    unknown = [f"{test}: {why}" for test, why in results.failed.items() if test not in KNOWN[factory]]
    known = [f"{test} fails: {KNOWN[factory][test]}" for test in results.failed if test in KNOWN[factory]]
    detail = f"{len(results.passed)} passed, {len(results.skipped)} skipped"
    detail = "; ".join([*unknown, detail, f"skipped: {', '.join(results.skipped)}", *known])
    passed = bool(results.passed) and not unknown
    result = {"name": name, "passed": passed, "detail": detail, "seconds": round(time.monotonic() - began_s, 1)}
    with open(out, "a", encoding="utf-8") as lines:
        lines.write(json.dumps(result) + "\n")
    print(f"  {name}: {detail}", flush=True)
    return 0 if passed else 1


if __name__ == "__main__":
    status = main()
    sys.stdout.flush()
    os._exit(status)  # lgpio's thread does not end
