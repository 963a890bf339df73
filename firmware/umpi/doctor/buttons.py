"""Guided checks of the buttons: each press must arrive at its own pin, alone, and without too much chatter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial

from gpiozero.exc import GPIOZeroError

from umpi.box.config import COLOURS, NAVIGATION, Config
from umpi.doctor.finding import Finding
from umpi.doctor.header import place
from umpi.doctor.visit import PATIENCE_S, Task, Visit
from umpi.drivers.edges import Line
from umpi.timing.debounce import Buttons
from umpi.timing.edge import Edge
from umpi.timing.lines import BUTTONS
from umpi.timing.units import MS, S

QUIET_MS = 150  # a button that is up for so long has been released
LET_GO_S, STUCK_S = 2, 7  # after the first, ask to release the button; after the second, it is stuck
TOGETHER_NS = 20 * MS  # people do not press two buttons so nearly at once
MANY = 12  # more edges per press are mentioned
ODD_PINS = {0, 1, 2, 3}  # the I²C buses: used as inputs, they would stop working


def buttons(visit: Visit) -> Iterator[Task]:
    """Ask for a press of each button, while also watching the free pins of the header."""
    with free_pins_watched(visit):
        for name in visit.config.buttons:
            yield Task(f"button {name}", partial(_button, visit, name))


@contextmanager
def free_pins_watched(visit: Visit) -> Iterator[None]:
    """Report the edges of the free pins of the header, too."""
    with ExitStack() as opened:
        factory = visit.box.lines[0].pin_factory
        for pin in free_pins(visit.config):
            with suppress(GPIOZeroError, OSError):  # another program uses the pin, so no button is there
                opened.enter_context(Line(pin, f"GPIO{pin}", visit.bench.post, factory))
        yield


def free_pins(config: Config) -> list[int]:
    """Return the GPIO numbers on the header that no device, bus or serial port uses."""
    used = config.used_pins | ODD_PINS
    if config.scanner:
        used |= {14, 15}  # a scanner may use the serial port of the header
    if not {config.display_bus, config.rail if isinstance(config.rail, int) else 0} <= {0, 1}:
        return []  # a separate bus, whose pins are unknown
    return [pin for pin in range(28) if pin not in used]


def watched_pins(config: Config) -> dict[str, int]:
    """Return the GPIO of each button, and of each free pin by its name: a press may come there instead."""
    return {**config.buttons, **{f"GPIO{pin}": pin for pin in free_pins(config)}}


def judge(name: str, edges: Sequence[Edge], pins: dict[str, int], repeat_ms: int = 0) -> Finding:
    """Return a finding about the edges of one press, with `repeat_ms` of umpi.toml. `pins`: the GPIO of each line."""
    pressed: dict[str, Edge] = {}
    for edge in sorted(edges, key=lambda edge: edge.at_ns):
        if edge.active:
            pressed.setdefault(edge.line, edge)
    device, here = f"button {name}", place(pins[name])
    if not pressed:
        return Finding(
            device,
            "failed",
            f"nothing came on {here}",
            "Look at its wire, at its other leg to ground, and at the pin: header and GPIO numbers differ.",
        )
    if name not in pressed:
        return _other(name, next(iter(pressed)), pins)
    with_it = [line for line, edge in pressed.items() if abs(edge.at_ns - pressed[name].at_ns) <= TOGETHER_NS]
    if with_it != [name]:
        places = ", ".join(f"{line} on {place(pins[line])}" for line in with_it)
        return Finding(device, "failed", f"one press came on several pins: {places}", "Look for solder between them.")
    own = [edge for edge in edges if edge.line == name]
    if max(own, key=lambda edge: edge.at_ns).active:
        return Finding(device, "failed", f"it does not come up again on {here}", "Does it stick? Is there a short?")
    counted = Buttons(repeat_ms=repeat_ms)
    presses = [press for edge in own for press in counted.edge(edge)]
    if len(presses) > 1:
        what = f"one press counts as {len(presses)}: {len(own)} edges, more than is passed over"
        do = "Clean or change the button; look for a loose wire. For a trembling hand, set repeat_ms under [buttons]."
        return Finding(device, "warning", what, do)
    what = f"{here}" if len(own) <= MANY else f"{here}; it chatters ({len(own)} edges a press), which is passed over"
    return Finding(device, "ok", what)


def _button(visit: Visit, name: str) -> Iterator[Finding]:
    box, config = visit.box, visit.config
    pins = watched_pins(config)
    if name in box.device_errors:
        yield Finding(f"button {name}", "failed", box.device_errors[name])
        return
    if name in box.held():
        yield Finding(
            f"button {name}",
            "failed",
            f"{place(pins[name])} is down before anybody presses",
            "Look for a short to ground, or a button that opens when pressed.",
        )
        return
    visit.forget()
    visit.say(f"Press {name}.")
    edges = one_press(visit, list(pins))
    if edges and name not in {edge.line for edge in edges}:  # the person may have pressed the wrong button
        visit.say(f"That was {edges[0].line}. Press {name} once more.")
        edges = one_press(visit, list(pins)) or edges
    yield judge(name, edges, pins, config.repeat_ms)


def one_press(visit: Visit, lines: Sequence[str]) -> list[Edge]:
    """Collect the edges of a press until all buttons are up and quiet, or one seems stuck."""
    first = next((edge for edge in visit.edges(lines, PATIENCE_S) if edge.active), None)
    if first is None:
        return []
    edges, asked, since_ns = [first], False, visit.clock()
    while True:
        edges += visit.edges(lines, QUIET_MS / 1000)
        newest = {edge.line: edge for edge in sorted(edges, key=lambda edge: edge.at_ns)}
        down = [line for line, edge in newest.items() if edge.active]
        quiet = visit.clock() - max(edge.at_ns for edge in edges) >= QUIET_MS * MS
        held_ns = visit.clock() - since_ns
        if (quiet and not down) or held_ns > STUCK_S * S:
            return edges
        if down and not asked and held_ns > LET_GO_S * S:
            visit.say(f"Let go of {', '.join(down)}.")
            asked = True


def _other(name: str, seen: str, pins: dict[str, int]) -> Finding:
    section = "seats" if name in COLOURS else "navigation" if name in NAVIGATION else "buttons"
    if seen in BUTTONS:
        what = f"that was {seen}, {place(pins[seen])}: are {name} and {seen} exchanged?"
        return Finding(f"button {name}", "failed", what, "Exchange their wires, or their numbers in umpi.toml.")
    do = f"Move its wire to {place(pins[name])}, or write {name} = {pins[seen]} under [{section}] of umpi.toml."
    return Finding(
        f"button {name}", "failed", f"that was {place(pins[seen])}, where nothing is wired by umpi.toml.", do
    )
