"""Give the box of a card that runs on a board without pins a virtual display and buttons, and hands that press them.

It lies on the boot partition as sitecustomize.py, where only `umpi.service` looks for it, so the service itself, its
unit and everything else are those of the card. A shell writes a line into HANDS and reads the answer from SEEN.
"""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from base64 import b64encode
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import Any

HANDS, SEEN = Path("/run/umpi/hands"), Path("/run/umpi/seen")
PRESS_S, HOLD_S, BETWEEN_S = 0.1, 1.0, 0.2
CHOICE_S = 60.0  # until a choice is there: an emulated Pi takes a press later


class Hands:
    """The virtual pins and display of the service, once it has made them, and its referee to look up a choice."""

    def __init__(self) -> None:
        self.config: Any = None
        self.pins: Any = None
        self.plugs: Any = None
        self.referee: Any = None

    def answer(self, words: list[str]) -> str:
        """Press what a line says, and return the picture on the display: its dots, row by row."""
        match words:
            case ["press", *names]:
                self._press(names, PRESS_S)
            case ["hold", name]:
                self._press([name], HOLD_S)
            case ["take", *label]:
                self._press(self._way_to(" ".join(label)), PRESS_S)
            case ["look"]:
                pass
            case _:
                raise ValueError(f"unknown: {words}")
        return b64encode(self.plugs.picture().tobytes()).decode()

    def _press(self, names: list[str], long_s: float) -> None:
        for name in names:
            pin = self.pins.pin(self.config.buttons[name])
            pin.drive_low()
            time.sleep(long_s)
            pin.drive_high()
            time.sleep(BETWEEN_S)

    def _way_to(self, label: str) -> list[str]:
        """Wait for a choice whose label begins so, and return the buttons that take it."""
        from umpi.box.config import COLOURS
        from umpi.display.menu import KEYS

        end = time.monotonic() + CHOICE_S
        while True:
            menu, _ = self.referee.panel.question
            labels = [str(choice.label) for choice in menu.choices]
            index = next((at for at, each in enumerate(labels) if each.startswith(label)), None)
            if index is not None:
                return ["down"] * (index // KEYS) + [COLOURS[menu.key(index)]]
            if time.monotonic() > end:
                raise ValueError(f"no {label!r} among {labels}")
            time.sleep(BETWEEN_S)

    def serve(self) -> None:
        """Answer line after line. Without a referee yet, there is no choice to take."""
        for place in (HANDS, SEEN):
            place.unlink(missing_ok=True)
            os.mkfifo(place)
        while True:
            words = HANDS.read_text().split()
            try:
                told = {"picture": self.answer(words)}
            except Exception as fault:
                traceback.print_exc()
                told = {"fault": f"{type(fault).__name__}: {fault}"}
            SEEN.write_text(json.dumps(told) + "\n")


def _begin() -> None:
    from umpi.service import run as module
    from umpi.simulator.pins import VirtualPins
    from umpi.simulator.plugs import VirtualPlugs

    service: Any = module  # what it is made from is replaced
    hands, run, assemble = Hands(), service._run, service.assemble
    hands.pins = VirtualPins(time.monotonic_ns)

    def with_virtual_pins(config: Any, *others: Any) -> None:
        hands.config = replace(config, tones=False)  # mock pins have no PWM
        run(hands.config, *others)

    def plugs_of(config: Any, clock: Any) -> Any:
        hands.plugs = VirtualPlugs(config, clock)
        Thread(target=hands.serve, name="hands", daemon=True).start()
        return hands.plugs

    def assembled(*parts: Any, **named: Any) -> Any:
        made = assemble(*parts, **named)
        hands.referee = made.loop.referee
        return made

    service._run = with_virtual_pins
    service.pin_factory = lambda *_: hands.pins
    service.RealPlugs = plugs_of
    service.assemble = assembled


if "run" in sys.orig_argv:
    _begin()
