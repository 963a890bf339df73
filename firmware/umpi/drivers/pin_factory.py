"""A GPIO chip to gpiozero's pins, by gpiod: one request for all inputs, the kernel's own stamps, losses told."""

from __future__ import annotations

import atexit
import importlib
import logging
import os
import time
import warnings
from collections.abc import Callable, Mapping
from glob import glob
from numbers import Real
from typing import Any

from gpiozero.exc import (
    BadPinFactory,
    DeviceClosed,
    GPIOPinInUse,
    GPIOZeroWarning,
    PinEdgeDetectUnsupported,
    PinFixedPull,
    PinInvalidBounce,
    PinInvalidEdges,
    PinInvalidFunction,
    PinInvalidPin,
    PinInvalidPull,
    PinInvalidState,
    PinSetInput,
    PinUnknownPi,
)
from gpiozero.pins import BoardInfo, HeaderInfo, PinInfo
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

from umpi.drivers.gpio_lines import BUFFER, Inputs, LineSettings, LostEdges, Stamp

log = logging.getLogger(__name__)

PI_CHIPS = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")  # labels of the chips that drive a Pi's header
CHIP_VARIABLE = "UMPI_GPIO_CHIP"

PULLS = {"up": "PULL_UP", "down": "PULL_DOWN", "floating": "DISABLED"}
MOST_BOUNCE_S = 3600
EDGES = {"both": "BOTH", "rising": "RISING", "falling": "FALLING", "none": "NONE"}


class EdgesLostWarning(GPIOZeroWarning):  # type: ignore[misc]
    """Edges were lost, and nobody had asked to be told."""


class GpiodFactory(LocalPiFactory):  # type: ignore[misc]
    """gpiozero's pins on the kernel's GPIO character device; `GPIOZERO_PIN_FACTORY=umpi` chooses them.

    `chip` is a path such as /dev/gpiochip0; without it `UMPI_GPIO_CHIP` is, and without that the chip of a Pi's header
    is found by its label. Off a Pi, GPIOn is line n of the chip.

    Handlers run on one thread, in the order of the stamps of what was read at once; what is read later may be older:
    sort by stamp. The ticks they get are a `Stamp`. Add and close inputs while nothing moves: the kernel wants all
    inputs requested anew for it, and is blind meanwhile.

    Lost edges go to `on_lost(lost)`; without one a warning is issued. Each failure is logged with its traceback and
    goes to `on_fault(where, fault)` exactly once. `lost_edges` and `faults` count them. Both are called on the thread
    of the handlers, which waits for them: put what they get on a queue. `where` says what still works:

    - "GPIO4", a pin whose handler raised: everything; this handler too is called again at its next edge.
    - "on_lost", which raised: everything.
    - "the inputs", whose chip is gone or whose thread failed: at most the outputs. No input hears any more edges, and
      reading one raises. Make a new factory.

    An `on_fault` that raises is only logged. Raises BadPinFactory, saying what is missing.
    """

    def __init__(self, chip: str | None = None, gpiod: Any = None) -> None:
        super().__init__()
        self.on_lost: Callable[[LostEdges], object] = _warn_of_lost
        self.on_fault: Callable[[str, BaseException], object] = _leave_to_the_log
        self.lost_edges = 0
        self.faults = 0
        self.pin_class = GpiodPin
        self.gpiod = gpiod or _gpiod()
        self.chip = _open_chip(self.gpiod, chip or os.environ.get(CHIP_VARIABLE))
        self.inputs = Inputs(self._request_inputs, self._deliver, self._trouble)
        self.watchers: dict[int, GpiodPin] = {}
        atexit.register(self.close)  # gpiozero closes its default factory at exit, and no other

    def close(self) -> None:
        """Let go of all lines and of the chip."""
        atexit.unregister(self.close)
        self.inputs.close()  # at once: pin by pin each would request the others anew
        super().close()
        self.chip.close()

    @staticmethod
    def ticks() -> Any:
        """The time now, on the clock of the edges."""
        return Stamp(time.monotonic_ns())

    def need_free(self, pin: GpiodPin) -> None:
        """Raise GPIOPinInUse, naming the holder, where another program or the kernel holds a line."""
        if self.inputs.stopped:
            raise DeviceClosed("the pins are closed")
        line = self.chip.get_line_info(pin.offset)
        if line.used:
            raise GPIOPinInUse(f"pin {pin!r} is held outside this program, by {line.consumer or 'the kernel'}")

    def request_line(self, pin: GpiodPin, **settings: Any) -> Any:
        """Request one line for itself."""
        return self.chip.request_lines({pin.offset: self.gpiod.LineSettings(**settings)}, consumer="umpi")

    def _request_inputs(self, wanted: Mapping[int, LineSettings], held: Any) -> Any:
        line = self.gpiod.line
        config = {
            offset: self.gpiod.LineSettings(
                direction=line.Direction.INPUT,
                bias=getattr(line.Bias, PULLS[pull]),
                edge_detection=getattr(line.Edge, EDGES[edges]),
                event_clock=line.Clock.MONOTONIC,
            )
            for offset, (pull, edges) in wanted.items()
        }
        if held is None:
            return self.chip.request_lines(config, consumer="umpi", event_buffer_size=BUFFER)
        held.reconfigure_lines(config)
        return held

    def _deliver(self, offset: int, at_ns: int, level: bool) -> None:
        pin = self.watchers.get(offset)
        if pin is None:
            return
        try:
            pin._call_when_changed(Stamp(at_ns), int(level))
        except BaseException as fault:  # sys.exit() too: above this thread is nobody to hear it
            log.error("The handler of %r failed; the inputs keep working", pin, exc_info=fault)
            self._fault(repr(pin), fault)

    def _trouble(self, trouble: LostEdges | Exception) -> None:
        if isinstance(trouble, Exception):
            log.error("All inputs are lost", exc_info=trouble)
            self._fault("the inputs", trouble)
            return
        self.lost_edges += trouble.count
        try:
            self.on_lost(trouble)
        except BaseException as fault:
            log.error("on_lost failed; the inputs keep working", exc_info=fault)
            self._fault("on_lost", fault)

    def _fault(self, where: str, fault: BaseException) -> None:
        self.faults += 1
        try:
            self.on_fault(where, fault)
        except BaseException:
            log.exception("on_fault failed")

    def _get_board_info(self) -> Any:
        try:
            return super()._get_board_info()
        except PinUnknownPi:
            self._info = _board_of(self.chip.get_info())
            return self._info


class GpiodPin(LocalPiPin):  # type: ignore[misc]
    """One line: held from the moment its function is set until it is closed, an output by a request of its own.

    `bounce` never delays the first edge nor moves a stamp: the first one passes at once, those within `bounce` seconds
    of it are withheld, and the last of them passes, late but with its own stamp, if it left the line at another level.
    The kernel's debounce would swallow taps and put lines in the wrong order. There is no PWM: to set a `frequency`
    raises PinPWMUnsupported.
    """

    def __init__(self, factory: GpiodFactory, info: PinInfo) -> None:
        super().__init__(factory, info)
        self.offset: int = self._number
        chip = factory.chip.get_info()
        if self.offset >= chip.num_lines:
            raise PinInvalidPin(f"{info.name} is not a line of {chip.label}, which has {chip.num_lines}")
        self._output: Any = None
        self._pull: str = info.pull or "floating"
        self._edges = "both"
        self._bounce: float | None = None

    def close(self) -> None:
        """Make the line an input again and let go of it; the pin can be used anew."""
        self.when_changed = None
        with self.factory.inputs.lock:
            self._drop_output()
            self.bounce = None
            self.factory.inputs.configure(self.offset, None)
        self._pull, self._edges = self.info.pull or "floating", "both"

    def _drop_output(self) -> None:
        output, self._output = self._output, None
        if output is not None:
            # some kernels leave a released line driving
            settings = self.factory.gpiod.LineSettings(direction=self.factory.gpiod.line.Direction.INPUT)
            output.reconfigure_lines({self.offset: settings})
            output.release()

    def _get_function(self) -> str:
        return "input" if self._output is None else "output"

    def _set_function(self, value: str) -> None:
        if value == "input":
            self.input_with_pull(self._pull)
        elif value == "output":
            self.output_with_state(self._get_state())
        else:
            raise PinInvalidFunction(f'invalid function "{value}" for pin {self!r}')

    def input_with_pull(self, pull: str) -> None:
        """Make the line an input, pulled from its first moment on."""
        if pull not in PULLS:
            raise PinInvalidPull(f'invalid pull "{pull}" for pin {self!r}')
        if self.info.pull not in (pull, ""):
            raise PinFixedPull(f"{self!r} has a physical pull-{self.info.pull} resistor")
        with self.factory.inputs.lock:
            self._drop_output()
            if not self.factory.inputs.holds(self.offset):
                self.factory.need_free(self)
            self._wish(pull, self._edges)

    def output_with_state(self, state: int) -> None:
        """Make the line an output that has this level from its first moment on."""
        self.when_changed = None
        with self.factory.inputs.lock:
            if self._output is None:
                level = self._level_of(state)
                self.factory.inputs.configure(self.offset, None)
                self.factory.need_free(self)
                direction = self.factory.gpiod.line.Direction.OUTPUT
                self._output = self.factory.request_line(self, direction=direction, output_value=level)
            else:
                self._set_state(state)

    def _wish(self, pull: str, edges: str) -> None:
        watched = self.offset in self.factory.watchers
        self.factory.inputs.configure(self.offset, (pull, edges if watched else "none"))
        self._pull, self._edges = pull, edges

    def _get_state(self) -> int:
        with self.factory.inputs.lock:
            if self._output is not None:
                return int(bool(self._output.get_value(self.offset)))
            if (level := self.factory.inputs.level(self.offset)) is not None:
                return int(level)
            self.factory.need_free(self)
            with self.factory.request_line(self) as glance:  # as it is: neither direction nor pull is touched
                return int(bool(glance.get_value(self.offset)))

    def _set_state(self, value: int) -> None:
        with self.factory.inputs.lock:
            if self._output is None:
                raise PinSetInput(f"cannot set state of pin {self!r}")
            self._output.set_value(self.offset, self._level_of(value))

    def _level_of(self, state: int) -> Any:
        if state not in (0, 1):
            raise PinInvalidState(f'invalid state "{state}" for pin {self!r}: without PWM there are 0 and 1')
        return self.factory.gpiod.line.Value.ACTIVE if state else self.factory.gpiod.line.Value.INACTIVE

    def _get_pull(self) -> str:
        return self._pull

    def _set_pull(self, value: str) -> None:
        if self._output is not None:
            raise PinFixedPull(f"cannot set pull on non-input pin {self!r}")
        self.input_with_pull(value)

    def _get_bounce(self) -> float | None:
        return self._bounce

    def _set_bounce(self, value: float | None) -> None:
        if value is not None and not (isinstance(value, Real) and 0 <= value <= MOST_BOUNCE_S):
            raise PinInvalidBounce(f"bounce must be None or 0 to {MOST_BOUNCE_S} seconds, not {value!r}")
        self._bounce = value or None
        self.factory.inputs.bounce(self.offset, self._bounce)

    def _get_edges(self) -> str:
        return self._edges

    def _set_edges(self, value: str) -> None:
        if value not in EDGES:
            raise PinInvalidEdges(f'invalid edges "{value}" for pin {self!r}: there are {", ".join(EDGES)}')
        if self.offset in self.factory.watchers:
            self._wish(self._pull, value)
        self._edges = value

    def _call_when_changed(self, ticks: Any = None, state: Any = None) -> None:
        watcher = self._when_changed  # None where another thread closed the pin while the edge was under way
        if handler := watcher and watcher():
            handler(ticks, state)
        elif watcher:
            self.when_changed = None  # its device is gone

    def _enable_event_detect(self) -> None:
        try:
            self._watch()
        except BaseException:
            self.factory.watchers.pop(self.offset, None)
            self._when_changed = None
            raise

    def _watch(self) -> None:
        with self.factory.inputs.lock:
            if self._output is not None:
                raise PinEdgeDetectUnsupported(f"edges are detected on inputs only; {self!r} is an output")
            if not self.factory.inputs.holds(self.offset):
                self.factory.need_free(self)
            self.factory.watchers[self.offset] = self
            self._wish(self._pull, self._edges)

    def _disable_event_detect(self) -> None:
        self.factory.watchers.pop(self.offset, None)
        if self.factory.inputs.holds(self.offset):
            self._wish(self._pull, self._edges)


def _gpiod() -> Any:
    try:
        gpiod = importlib.import_module("gpiod")
    except ImportError as fault:
        raise BadPinFactory(f"the pins need the Python package gpiod: pip install gpiod ({fault})") from None
    if not hasattr(gpiod, "LineSettings"):
        raise BadPinFactory("the pins need version 2 or newer of the Python package gpiod, here is version 1")
    return gpiod


def _open_chip(gpiod: Any, path: str | None) -> Any:
    if path:
        try:
            return gpiod.Chip(path)
        except OSError as fault:
            raise BadPinFactory(f"GPIO chip {path} cannot be had: {fault.strerror}") from None
    found = []
    for path in sorted(glob("/dev/gpiochip*")):
        try:
            chip = gpiod.Chip(path)
        except OSError as fault:
            found.append(f"{path}: {fault.strerror}")  # "Permission denied" to a Pi's user outside the group gpio
            continue
        label = chip.get_info().label
        if label in PI_CHIPS:
            return chip
        chip.close()
        found.append(f"{path}: {label}")
    raise BadPinFactory(
        f"no GPIO chip here drives a Raspberry Pi's header ({'; '.join(found) or 'there is no /dev/gpiochip*'}). "
        f"Another chip can be named: {CHIP_VARIABLE}=/dev/gpiochipN"
    )


def _board_of(chip: Any) -> BoardInfo:
    """Describe a board that is no Pi by what is known of it: the lines of one chip."""
    pins = {
        line + 1: PinInfo(
            number=line + 1,
            name=f"GPIO{line}",
            names=frozenset({line, str(line), f"GPIO{line}", f"BCM{line}"}),
            pull="",
            row=line + 1,
            col=1,
            interfaces=frozenset({"gpio"}),
        )
        for line in range(chip.num_lines)
    }
    header = HeaderInfo(name=chip.name, rows=chip.num_lines, columns=1, pins=pins)
    known = {"model": chip.label, "headers": {chip.name: header}, "board": f"{{{chip.name}}}"}
    return BoardInfo(**dict.fromkeys(BoardInfo._fields, 0) | {"revision": "", "pcb_revision": ""} | known)


def _warn_of_lost(lost: LostEdges) -> None:
    why = "handlers were too slow for them" if lost.overflow else "they came too fast, or while inputs were added"
    warnings.warn(EdgesLostWarning(f"edges of the inputs lost: {lost.count}; {why}"), stacklevel=2)


def _leave_to_the_log(where: str, fault: BaseException) -> None:
    """Take a fault that is logged already."""
