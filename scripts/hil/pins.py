"""Check stock gpiozero devices on simulated lines: the behaviour of gpiozero's pins, and what these pins add."""

from __future__ import annotations

import json
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any

import gpiod
from gpiozero import LED, PWMLED, Button, Device, DigitalInputDevice
from gpiozero.exc import GPIOPinInUse, PinPWMUnsupported

from scripts.guest.lines import Sim
from umpi.drivers.pin_factory import GpiodFactory

LAMP = 24
PASSED: list[str] = []
BEGAN_S = time.monotonic()


def check() -> None:
    """Check all promises and print each. Raises at the first that is broken."""
    sim = Sim("check")
    os.environ |= {"GPIOZERO_PIN_FACTORY": "umpi", "UMPI_GPIO_CHIP": sim.path}
    received: SimpleQueue[Any] = SimpleQueue()
    with promise("GPIOZERO_PIN_FACTORY=umpi gives these pins; a Button pulls up, is pressed and released"):
        button = Button(17)
        pins: Any = Device.pin_factory
        assert type(pins).__module__ == "umpi.drivers.pin_factory"
        assert sim.pulled(17) == "pull-up"
        button.when_pressed, button.when_released = (
            (lambda: received.put("pressed")),
            (lambda: received.put("released")),
        )
        for level, word in ((0, "pressed"), (1, "released")) * 3:
            sim.pull(17, level)
            assert received.get(timeout=5) == word
            assert button.is_pressed is (level == 0)
    with (
        promise("a held Button calls when_held again and again, until it is released"),
        Button(22, hold_time=0.2) as held,
    ):
        held.hold_repeat = True
        held.when_held, held.when_released = (lambda: received.put("held")), (lambda: received.put("released"))
        sim.pull(22, 0)
        assert [received.get(timeout=5) for _ in range(3)] == ["held"] * 3
        assert held.is_held
        assert held.held_time > 0.3
        sim.pull(22, 1)
        while (word := received.get(timeout=5)) == "held":  # one may already be in the queue
            pass
        assert word == "released"
        assert not held.is_held
        time.sleep(0.5)
        assert received.empty()
    with promise("an LED lights and blinks, and its line is an input after close"):
        led = LED(LAMP)
        led.on()
        assert (sim.level(LAMP), led.value) == (1, 1)
        led.blink(0.01, 0.01, 3, background=False)
        assert sim.level(LAMP) == 0
        led.on()
        led.close()
        with gpiod.Chip(sim.path) as chip:
            line = chip.get_line_info(LAMP)
            assert (line.used, line.direction) == (False, gpiod.line.Direction.INPUT)
    with (
        promise("a DigitalInputDevice without a pull resistor is active low if configured so"),
        DigitalInputDevice(5, pull_up=None, active_state=False) as device,
    ):
        sim.pull(5, 1)
        assert device.wait_for_inactive(5)
        sim.pull(5, 0)
        assert device.wait_for_active(5)
    with promise("PWM is refused as gpiozero expects"):
        assert "PWM" in str(refusal(PinPWMUnsupported, lambda: PWMLED(LAMP)))
    with promise("a line that another program uses is refused with its name, and is free after that"):
        with gpiod.request_lines(sim.path, consumer="fan", config={6: None}):
            assert "fan" in str(refusal(GPIOPinInUse, lambda: Button(6)))
        Button(6).close()
    with promise("a closed line is free for others, and its pin opens again, also as another device"):
        button.close()
        with gpiod.request_lines(sim.path, config={17: None}):
            pass
        with LED(17, initial_value=True):
            assert sim.level(17) == 1
        with Button(17) as again:
            sim.pull(17, 0)
            assert again.wait_for_press(5)
    with promise("a pin opens and closes fifty times, as three devices, and no edge of another Button is lost"):
        with Button(17) as beside:
            beside.when_pressed = lambda: received.put("beside")
            before = len(os.listdir("/proc/self/fd"))
            for turn in range(50):
                kind: Any = (Button, LED, DigitalInputDevice)[turn % 3]
                with kind(27):
                    pass
                sim.pull(17, 0)
                assert received.get(timeout=5) == "beside"
                sim.pull(17, 1)
                assert beside.wait_for_release(5)
            assert len(os.listdir("/proc/self/fd")) <= before + 1, "files are left open"
        with gpiod.Chip(sim.path) as chip:
            assert not chip.get_line_info(17).used
            assert not chip.get_line_info(27).used
    with (
        promise("an exception in a handler is reported, and other handlers still run"),
        GpiodFactory(sim.path, on_fault=lambda pin, fault: received.put((pin, repr(fault)))) as watched,
        Button(4, pin_factory=watched) as bad,
        Button(5, pin_factory=watched) as good,
    ):
        bad.when_pressed = lambda: 1 // 0
        good.when_pressed = lambda: received.put("good")
        sim.pull(4, 0)
        assert received.get(timeout=5)[0] == "GPIO4"
        sim.pull(5, 0)
        assert received.get(timeout=5) == "good"
        sim.pull(4, 1)
    with promise("an input that is added loses no waiting edge of another input"):
        # no pull resistors: gpio-sim releases a held line when a pull is requested again
        sim.pull(4, 0)
        first = DigitalInputDevice(4, pull_up=None, active_state=True)
        first.when_activated = lambda: received.put("first")
        with pins.inputs.lock:
            sim.pull(4, 1)
            time.sleep(0.05)  # time for the kernel's thread to see it
            second = DigitalInputDevice(5, pull_up=None, active_state=True)
        assert received.get(timeout=5) == "first"
        assert pins.lost_edges == 0
        second.close()
    pins.close()


def refusal(kind: type[Exception], make: Callable[[], Any]) -> Exception:
    """Return the exception of this kind that `make` raises. Raises AssertionError if there is none."""
    try:
        make()
    except kind as fault:
        return fault
    raise AssertionError(f"no {kind.__name__}")


@contextmanager
def promise(description: str) -> Iterator[None]:
    """Print whether a promise is kept."""
    try:
        yield
    except BaseException:
        print(f"  FAILED  {description}", flush=True)
        raise
    PASSED.append(description)
    print(f"  passed  {description}", flush=True)


def main() -> int:
    """Check all promises; with a file and a name as arguments, add a line of JSON to the file."""
    fault = ""
    try:
        check()
    except Exception:
        fault = traceback.format_exc()
        print(fault, flush=True)
    if sys.argv[1:]:
        file, name = sys.argv[1:]
        detail = fault.strip().rpartition("\n")[2] or f"{len(PASSED)} promises about pins kept"
        result = {"name": name, "passed": not fault, "detail": detail, "seconds": round(time.monotonic() - BEGAN_S, 1)}
        with open(file, "a", encoding="utf-8") as lines:
            lines.write(json.dumps(result) + "\n")
    return 1 if fault else 0


if __name__ == "__main__":
    sys.exit(main())
