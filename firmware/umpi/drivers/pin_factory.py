"""A gpiozero pin factory on gpiod: one request for all inputs, the kernel's stamps, and reports of lost edges."""

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
from pathlib import Path
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
from gpiozero.pins import BoardInfo, Factory, HeaderInfo, PinInfo
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

from umpi.drivers.gpio_lines import BUFFER, Inputs, LineSettings, LostEdges, Stamp
from umpi.kernel.extras import pip_install
from umpi.kernel.nothing import nothing

log = logging.getLogger(__name__)

PI_CHIPS = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")  # labels of the chips that drive a Pi's header
CHIP_VARIABLE = "UMPI_GPIO_CHIP"
MODEL = Path("/proc/device-tree/model")

PULLS = {"up": "PULL_UP", "down": "PULL_DOWN", "floating": "DISABLED"}
MOST_BOUNCE_S = 3600

OnLost = Callable[[LostEdges], object]
OnFault = Callable[[str, BaseException], object]  # called with what failed, and its error
EDGES = {"both": "BOTH", "rising": "RISING", "falling": "FALLING", "none": "NONE"}


class NoHeaderChip(BadPinFactory):  # type: ignore[misc]
    """Raised if this computer is no Raspberry Pi, and no chip that drives a Pi's header can be had."""


class NoFactory(Factory):  # type: ignore[misc]
    """Stand for the pins of a computer that has none: each device on a pin fails, with this reason."""

    def __init__(self, why: str) -> None:
        super().__init__()
        self.why = why

    def reserve_pins(self, requester: object, *pins: object) -> None:
        """Raise BadPinFactory."""
        raise BadPinFactory(self.why)


class EdgesLostWarning(GPIOZeroWarning):  # type: ignore[misc]
    """Issued if edges were lost and there is no `on_lost`."""


class GpiodFactory(LocalPiFactory):  # type: ignore[misc]
    """Provide gpiozero's pins on the kernel's GPIO character device; `GPIOZERO_PIN_FACTORY=umpi` selects it.

    `chip` is a path, for example /dev/gpiochip0. Without it, `UMPI_GPIO_CHIP` gives the path. Without both, the factory
    finds the chip of a Pi's header by its label. On other boards, GPIOn is line n of the chip.

    Handlers run on one thread. Edges that were read together are in the order of their stamps, but a later read may
    return older edges: sort by stamp. The ticks of a handler are a `Stamp`. Add and close inputs while no input
    changes: the kernel then needs a new request of all inputs, and detects no edges meanwhile.

    Lost edges go to `on_lost(lost)`; without one a warning is issued. Each failure is logged with its traceback and
    goes to `on_fault(where, fault)` exactly once. `lost_edges` and `faults` count them. Both callbacks run on the
    handlers' thread and block it: put the arguments on a queue. `where` shows what still works:

    - "GPIO4", a pin whose handler raised: everything. The handler is called again at its next edge.
    - "on_lost", which raised: everything.
    - "the inputs", if the chip is disconnected or the thread failed: at most the outputs. No input gets edges any more,
      and reading one raises. Create a new factory.

    If `on_fault` raises, that is only logged. Raises BadPinFactory with the missing package, chip or permission.
    """

    def __init__(
        self,
        chip: str | None = None,
        gpiod: Any = None,
        on_lost: OnLost | None = None,
        on_fault: OnFault = nothing,
    ) -> None:
        super().__init__()
        self._on_lost, self._on_fault = on_lost or _warn_of_lost, on_fault
        self.lost_edges = 0
        self.faults = 0
        self.pin_class = GpiodPin
        self.gpiod = gpiod or _gpiod()
        self.chip = _open_chip(self.gpiod, chip or os.environ.get(CHIP_VARIABLE))
        self.inputs = Inputs(self._request_inputs, self._deliver, self._trouble)
        self.watchers: dict[int, GpiodPin] = {}
        atexit.register(self.close)  # gpiozero closes only its default factory at exit

    def close(self) -> None:
        """Release all lines and close the chip."""
        atexit.unregister(self.close)
        self.inputs.close()  # all at once: closing pin by pin would request the remaining pins again each time
        super().close()
        self.chip.close()

    @staticmethod
    def ticks() -> Any:
        """Return the current time on the clock of the edges."""
        return Stamp(time.monotonic_ns())

    def need_free(self, pin: GpiodPin) -> None:
        """Check that a line is free.

        Raises GPIOPinInUse with the user's name if another program or the kernel uses the line, DeviceClosed if the
        factory is closed.
        """
        if self.inputs.stopped:
            raise DeviceClosed("the pins are closed")
        line = self.chip.get_line_info(pin.offset)
        if line.used:
            raise GPIOPinInUse(f"pin {pin!r} is held outside this program, by {line.consumer or 'the kernel'}")

    def request_line(self, pin: GpiodPin, **settings: Any) -> Any:
        """Request one line by a request of its own."""
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
        except BaseException as fault:  # sys.exit() too: it would only end this thread
            log.error("The handler of %r failed; the inputs keep working", pin, exc_info=fault)
            self._fault(repr(pin), fault)

    def _trouble(self, trouble: LostEdges | Exception) -> None:
        if isinstance(trouble, Exception):
            log.error("All inputs are lost", exc_info=trouble)
            self._fault("the inputs", trouble)
            return
        self.lost_edges += trouble.count
        try:
            self._on_lost(trouble)
        except BaseException as fault:
            log.error("on_lost failed; the inputs keep working", exc_info=fault)
            self._fault("on_lost", fault)

    def _fault(self, where: str, fault: BaseException) -> None:
        self.faults += 1
        try:
            self._on_fault(where, fault)
        except BaseException:
            log.exception("on_fault failed")

    def _get_board_info(self) -> Any:
        try:
            return super()._get_board_info()
        except PinUnknownPi:
            self._info = _board_of(self.chip.get_info())
            return self._info


class GpiodPin(LocalPiPin):  # type: ignore[misc]
    """One line, in use from the time its function is set until it is closed. Each output has its own request.

    `bounce` never delays the first edge and never changes a stamp. The first edge passes at once; edges within `bounce`
    seconds of it are withheld. If the last of them left the line at another level, it passes late, with its own stamp.
    The kernel's debounce would lose taps and change the order of lines. There is no PWM: setting a `frequency` raises
    PinPWMUnsupported.
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
        """Make the line an input again and release it; the pin can be used again."""
        self.when_changed = None
        with self.factory.inputs.lock:
            self._drop_output()
            self.bounce = None
            self.factory.inputs.configure(self.offset, None)
        self._pull, self._edges = self.info.pull or "floating", "both"

    def _drop_output(self) -> None:
        output, self._output = self._output, None
        if output is not None:
            # with some kernels a released line would still drive its output
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
        """Make the line an input with this pull from the start.

        Raises PinInvalidPull for an unknown pull, PinFixedPull if a resistor on the board pulls the other way.
        """
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
        """Make the line an output with this level from the start."""
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
            with self.factory.request_line(self) as glance:  # keeps direction and pull as they are
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
        watcher = self._when_changed  # None if another thread closed the pin before the edge was delivered
        if handler := watcher and watcher():
            handler(ticks, state)
        elif watcher:
            self.when_changed = None  # its device was deleted

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
        raise BadPinFactory(
            f"the pins need the Python package gpiod. To install it: {pip_install('gpiod')} ({fault})"
        ) from None
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
            found.append(f"{path}: {fault.strerror}")  # "Permission denied" for a user outside the group gpio
            continue
        label = chip.get_info().label
        if label in PI_CHIPS:
            return chip
        chip.close()
        found.append(f"{path}: {label}")
    raise (BadPinFactory if _is_pi() else NoHeaderChip)(  # a Pi's chip may be there a little later
        f"no GPIO chip here drives a Raspberry Pi's header ({'; '.join(found) or 'there is no /dev/gpiochip*'}). "
        f"Another chip can be named: {CHIP_VARIABLE}=/dev/gpiochipN"
    )


def _is_pi() -> bool:
    """Return whether this computer says that it is a Raspberry Pi."""
    try:
        return "Raspberry Pi" in MODEL.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False


def _board_of(chip: Any) -> BoardInfo:
    """Return the description of a board other than a Pi: the lines of one chip."""
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
