"""The whole box on gpiozero's factory for RPi.GPIO makes the calls that were recorded of it in the emulated Linux."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from gpiozero.pins.local import LocalPiFactory

from scripts.hil.refusals import answers
from tests.kit.fake_rpi_gpio import FakeRpiGpio
from tests.kit.patience import patiently
from umpi.box.box import Box
from umpi.box.config import Config
from umpi.journal import Journal
from umpi.service.inbox import Inbox
from umpi.service.loop import Loop
from umpi.service.run import pin_factory
from umpi.service.start import assemble
from umpi.simulator.plugs import VirtualPlugs
from umpi.simulator.reading import reads

RECORDED = Path(__file__).parent / "rpi_gpio"
MATCHES = ("every-button-on-rpigpio.jsonl", "every-button-on-rpi-lgpio.jsonl")
ZERO_2_W = 0x902120
US = 1000
FLICKER_US = 15_000  # shorter than the shortest beep


def recorded(name: str) -> list[list[Any]]:
    """The calls of a recording: time in µs, name, arguments, named arguments, result."""
    return [json.loads(line) for line in (RECORDED / name).read_text(encoding="utf-8").splitlines()[1:]]


@pytest.fixture
def gpio(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeRpiGpio]:
    """The stand-in, as the module RPi.GPIO on a Pi; gpiozero imports its factory for it anew."""
    package, module = ModuleType("RPi"), FakeRpiGpio()
    package.GPIO = module  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "RPi", package)
    monkeypatch.setitem(sys.modules, "RPi.GPIO", module)  # type: ignore[arg-type]
    monkeypatch.delitem(sys.modules, "gpiozero.pins.rpigpio", raising=False)
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: ZERO_2_W)
    yield module
    LocalPiFactory.pins.clear()
    sys.modules.pop("gpiozero.pins.rpigpio", None)


class PlayedBox:
    """The box of the recorded match on RPi.GPIO, without its funnel; the clock is in `now_ns`."""

    def __init__(self, gpio: FakeRpiGpio, folder: Path, began_us: int, monkeypatch: pytest.MonkeyPatch) -> None:
        config = Config(journal=folder / "games.db", factory="rpigpio", options={"questions": 6}, setup_card=False)
        self.now_ns = began_us * US
        gpio.clock = lambda: self.now_ns // US
        monkeypatch.setattr("gpiozero.pins.local.monotonic", lambda: self.now_ns / 1e9)
        pins, journal, inbox = pin_factory(config.factory), Journal(config.journal), Inbox()
        self.plugs = VirtualPlugs(config, self._clock)
        service = assemble(config, journal, inbox, pins, self.plugs, self._clock)
        self.box: Box = service.box
        self.loop: Loop = service.loop
        self._runner = asyncio.Runner()
        self.settle()

    def _clock(self) -> int:
        return self.now_ns

    def settle(self) -> None:
        """Let the box process all events."""
        self._runner.run(self.loop.catch_up())

    def pass_until(self, at_us: int) -> None:
        """Let time pass, and let the box do what is due."""
        while (due_ns := self.loop.due_ns) is not None and due_ns <= at_us * US:
            self.now_ns = max(due_ns, self.now_ns)
            self.settle()
        self.now_ns = at_us * US

    def shows(self, text: str) -> bool:
        """Return whether a text is on the screen."""
        assert self.box.oled
        patiently(self.box.oled.wait_shown)
        return bool(reads(self.plugs.picture(), text))

    def close(self) -> None:
        """Switch the box off, as the service does."""
        self.loop.close()
        self.box.close()
        self._runner.close()


def of_channel(calls: list[list[Any]], channel: int) -> list[list[Any]]:
    """The calls for a channel without their times.

    For a lamp or the buzzer they are without what nobody sees: levels shorter than FLICKER_US, and the reading of the
    own level, which depends on how often the loop turns.
    """
    own = [call for call in calls if call[2][:1] == [channel]]
    if any(call[1] == "output" for call in own):
        own = [call for call in own if call[1] != "input"]
        own = [call for call, after in zip(own, [*own[1:], None], strict=True) if not (after and brief(call, after))]
        own = [call for before, call in pairwise([[0, "", [], {}, None], *own]) if before[1:] != call[1:]]
    return [call[1:] for call in own]


def brief(call: list[Any], after: list[Any]) -> bool:
    """Whether an output is changed again so soon that nobody notices."""
    return call[1] == after[1] == "output" and after[0] - call[0] < FLICKER_US


def of_module(calls: list[list[Any]]) -> list[list[Any]]:
    """The calls for no channel, without their times."""
    return [call[1:] for call in calls if not call[2] or call[1] in ("setmode", "setwarnings")]


@pytest.mark.parametrize("name", MATCHES)
def test_a_match_makes_the_recorded_calls_of_rpi_gpio(
    name: str, gpio: FakeRpiGpio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = recorded(name)
    with closing(PlayedBox(gpio, tmp_path, wanted[0][0], monkeypatch)) as box:
        for number, (at_us, function, arguments, *_) in enumerate(wanted):
            if function == "callback":
                level = next(call[4] for call in wanted[number:] if call[1:3] == ["input", arguments])
                box.pass_until(at_us)
                gpio.move(arguments[0], level)
                box.settle()
        box.pass_until(next(at_us for at_us, function, *_ in wanted if function == "remove_event_detect"))
        assert box.shows("Winner")
    channels = list(dict.fromkeys(call[2][0] for call in wanted if call[1] == "setup"))
    assert len(channels) == 17  # ten buttons, six lamps, the buzzer
    for channel in channels:
        assert of_channel(gpio.calls, channel) == of_channel(wanted, channel), f"channel {channel}"
    assert of_module(gpio.calls) == of_module(wanted)


def test_the_stand_in_refuses_and_warns_as_rpi_gpio_does(gpio: FakeRpiGpio) -> None:
    lines = (RECORDED / "refusals-on-rpigpio.jsonl").read_text(encoding="utf-8").splitlines()
    assert list(answers(gpio)) == [json.loads(line) for line in lines]
