"""Stock gpiozero devices on simulated lines: what gpiozero promises of pins, and what these promise beyond that."""

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
from hil_guest.lines import Sim

LAMP = 24
HOLDS: list[str] = []
BEGAN_S = time.monotonic()


def check() -> None:
    """Check it all, saying what holds; raise where something does not."""
    sim = Sim("check")
    os.environ |= {"GPIOZERO_PIN_FACTORY": "umpi", "UMPI_GPIO_CHIP": sim.path}
    told: SimpleQueue[Any] = SimpleQueue()
    with says("GPIOZERO_PIN_FACTORY=umpi gives these pins; a Button pulls its line up, is pressed and let go"):
        button = Button(17)
        pins: Any = Device.pin_factory
        assert type(pins).__module__ == "umpi.drivers.pin_factory"
        assert sim.pulled(17) == "pull-up"
        button.when_pressed, button.when_released = (lambda: told.put("pressed")), (lambda: told.put("released"))
        for level, word in ((0, "pressed"), (1, "released")) * 3:
            sim.pull(17, level)
            assert told.get(timeout=5) == word
            assert button.is_pressed is (level == 0)
    with (
        says("a Button held tells so, again and again, and no more when it is let go"),
        Button(22, hold_time=0.2) as held,
    ):
        held.hold_repeat = True
        held.when_held, held.when_released = (lambda: told.put("held")), (lambda: told.put("let go"))
        sim.pull(22, 0)
        assert [told.get(timeout=5) for _ in range(3)] == ["held"] * 3
        assert held.is_held
        assert held.held_time > 0.3
        sim.pull(22, 1)
        while (word := told.get(timeout=5)) == "held":  # one may have been on its way
            pass
        assert word == "let go"
        assert not held.is_held
        time.sleep(0.5)
        assert told.empty()
    with says("an LED lights, blinks and is left as an input"):
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
        says("a DigitalInputDevice with nothing to pull it is active low when told so"),
        DigitalInputDevice(5, pull_up=None, active_state=False) as device,
    ):
        sim.pull(5, 1)
        assert device.wait_for_inactive(5)
        sim.pull(5, 0)
        assert device.wait_for_active(5)
    with says("PWM is refused as gpiozero expects"):
        assert "PWM" in str(refusal(PinPWMUnsupported, lambda: PWMLED(LAMP)))
    with says("a line of another program is refused by the name of that program, and free when it has gone"):
        with gpiod.request_lines(sim.path, consumer="fan", config={6: None}):
            assert "fan" in str(refusal(GPIOPinInUse, lambda: Button(6)))
        Button(6).close()
    with says("a closed line is free for others, and the same pin opens again, as another device too"):
        button.close()
        with gpiod.request_lines(sim.path, config={17: None}):
            pass
        with LED(17, initial_value=True):
            assert sim.level(17) == 1
        with Button(17) as again:
            sim.pull(17, 0)
            assert again.wait_for_press(5)
    with says("fifty times opened and closed, as Button, LED and input in turn, beside a Button that hears all of it"):
        with Button(17) as beside:
            beside.when_pressed = lambda: told.put("beside")
            before = len(os.listdir("/proc/self/fd"))
            for turn in range(50):
                kind: Any = (Button, LED, DigitalInputDevice)[turn % 3]
                with kind(27):
                    pass
                sim.pull(17, 0)
                assert told.get(timeout=5) == "beside"
                sim.pull(17, 1)
                assert beside.wait_for_release(5)
            assert len(os.listdir("/proc/self/fd")) <= before + 1, "files are left open"
        with gpiod.Chip(sim.path) as chip:
            assert not chip.get_line_info(17).used
            assert not chip.get_line_info(27).used
    with says("one that fails among the handlers is told and harms nothing"), Button(4) as bad, Button(5) as good:
        pins.on_fault = lambda pin, fault: told.put((pin, repr(fault)))
        bad.when_pressed = lambda: 1 // 0
        good.when_pressed = lambda: told.put("good")
        sim.pull(4, 0)
        assert told.get(timeout=5)[0] == "GPIO4"
        sim.pull(5, 0)
        assert told.get(timeout=5) == "good"
        sim.pull(4, 1)
    with says("an input that is added takes no waiting edge from another"):
        # nothing pulls them, as gpio-sim lets go of a finger where a pull is asked for anew
        sim.pull(4, 0)
        first = DigitalInputDevice(4, pull_up=None, active_state=True)
        first.when_activated = lambda: told.put("first")
        with pins.inputs.lock:
            sim.pull(4, 1)
            time.sleep(0.05)  # the kernel's thread is to have seen it
            second = DigitalInputDevice(5, pull_up=None, active_state=True)
        assert told.get(timeout=5) == "first"
        assert pins.lost_edges == 0
        second.close()
    pins.close()


def refusal(kind: type[Exception], make: Callable[[], Any]) -> Exception:
    """Return the exception that something raises, as it should."""
    try:
        make()
    except kind as fault:
        return fault
    raise AssertionError(f"no {kind.__name__}")


@contextmanager
def says(what: str) -> Iterator[None]:
    """Say what holds, or does not."""
    try:
        yield
    except BaseException:
        print(f"  WRONG  {what}", flush=True)
        raise
    HOLDS.append(what)
    print(f"  right  {what}", flush=True)


def main() -> int:
    """Check it all; with a file and a name, one line of JSON is added there."""
    fault = ""
    try:
        check()
    except Exception:
        fault = traceback.format_exc()
        print(fault, flush=True)
    if sys.argv[1:]:
        file, name = sys.argv[1:]
        how = fault.strip().rpartition("\n")[2] or f"{len(HOLDS)} promises about pins kept"
        result = {"what": name, "right": not fault, "told": how, "seconds": round(time.monotonic() - BEGAN_S, 1)}
        with open(file, "a", encoding="utf-8") as lines:
            lines.write(json.dumps(result) + "\n")
    return 1 if fault else 0


if __name__ == "__main__":
    sys.exit(main())
