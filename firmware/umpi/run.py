"""The box on a Raspberry Pi: real pins, a real panel, until it is told to stop."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import tempfile
import time
from typing import Any

from gpiozero.exc import BadPinFactory, GPIOZeroError

from umpi.box import build
from umpi.config import Config
from umpi.devices.inputs import LostEdges
from umpi.devices.oled import Oled, open_panel
from umpi.devices.pins import GpiodFactory
from umpi.journal import Journal, check_file
from umpi.panel.panel import Panel
from umpi.referee import Referee
from umpi.rules.catalog import find, games


class NoPins(Exception):
    """There is no GPIO to be had here."""


def run(config: Config) -> None:
    """Be the box until SIGTERM or SIGINT.

    Raises NoPins where no button can be had, Foreign where the journal is another program's file.
    """
    check_file(config.journal)
    pins = pin_factory(config.factory)
    journal = Journal(config.journal)
    panel = Panel(games(), [*config.players, *journal.players()], config.options)
    referee = Referee(panel, journal, find, time.monotonic_ns)
    chip: Any = config.display

    def oled() -> Oled:
        return Oled(lambda: open_panel(chip, _bus(config), config.contrast), chip, _say)

    try:
        box = build(config, pins, oled, referee.post)
    except GPIOZeroError as fault:
        raise NoPins(f"no button can be had: {fault}. Without a box, play on the virtual one: umpi sim") from None
    referee.use(box)
    if isinstance(pins, GpiodFactory):
        pins.on_lost = lambda lost: _lost(referee, lost)
    for name, trouble in box.troubles.items():
        print(f"umpi: {name}: {trouble}", file=sys.stderr)
    try:
        asyncio.run(_until_told(referee))
    finally:
        box.close()
        referee.close()


def pin_factory(name: str) -> Any:
    """Make the gpiozero factory umpi.toml names, and no other; raises NoPins, saying what is missing."""
    try:
        if name == "gpiod":
            return GpiodFactory()
        if name == "lgpio":
            os.environ.setdefault("LG_WD", tempfile.gettempdir())  # lgpio leaves a FIFO in the working directory
            from gpiozero.pins.lgpio import LGPIOFactory as Factory
        else:
            from gpiozero.pins.rpigpio import RPiGPIOFactory as Factory
        return Factory()
    except BadPinFactory as fault:
        raise NoPins(f"{fault}. Without pins, play on the virtual box: umpi sim") from None
    except Exception as fault:  # lgpio raises its own errors, RPi.GPIO a RuntimeError off a Pi
        extra = "lgpio" if name == "lgpio" else "rpi-gpio"
        raise NoPins(
            f"there are no pins of factory {name} here ({type(fault).__name__}: {fault}). On a Raspberry Pi install "
            f"them with: pip install 'umpi[{extra}]'. Without one, play on the virtual box: umpi sim"
        ) from None


def _lost(referee: Referee, lost: LostEdges) -> None:
    print(f"umpi: pins: {lost.count} edges were lost", file=sys.stderr)
    referee.post_lost(lost.count)


def _say(trouble: str) -> None:
    print(f"umpi: display: {trouble or 'it answers'}", file=sys.stderr)


def _bus(config: Config) -> Any:
    from luma.core.interface.serial import i2c

    return i2c(port=config.display_bus, address=config.display_address)


async def _until_told(referee: Referee) -> None:
    stop = asyncio.Event()
    for sign in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(sign, stop.set)
    await referee.run(stop)
