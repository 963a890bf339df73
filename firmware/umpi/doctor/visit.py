"""The common part of the guide's steps: ask a person, wait for input, and write measurements."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from umpi.box.box import Box
from umpi.box.calibration import Calibration, write_calibration
from umpi.box.config import Config
from umpi.doctor.bench import Bench, Input, Typed
from umpi.doctor.finding import Finding
from umpi.frozen import frozen
from umpi.referee.events import DeviceStatus
from umpi.timing.edge import Edge
from umpi.timing.lines import BUTTONS
from umpi.timing.units import MS, S

PATIENCE_S = 20.0  # for the requested action
ANSWER_S = 300  # for a person who must look, or put the soldering iron away
READY_S = 10.0  # for a device that is still connecting


class Skipped(Exception):
    """Skip the current task."""


class Ended(Exception):
    """End the visit."""


class Gone(Exception):
    """Report that the device was disconnected, and why."""


@frozen
class Task:
    """Describe one task with one device. If the device that it `needs` is disconnected, the task ends."""

    device: str
    run: Callable[[], Iterator[Finding]]
    needs: str = ""


class Visit:
    """Give a step access to the box and the person.

    Methods that wait for input raise Skipped, Ended, or Gone if the device in `needs` was disconnected.
    """

    def __init__(self, config: Config, box: Box, bench: Bench) -> None:
        self.config, self.box, self.bench = config, box, bench
        self.say, self.clock = bench.say, bench.clock
        self.needs = ""
        self._away: set[str] = set()  # devices that did not connect in time

    def ready(self, needs: str) -> None:
        """Wait for the device of the next task, at most READY_S. Raises Gone.

        If the wait failed before, it is not repeated.
        """
        self.needs = ""
        if not needs:
            return
        device = getattr(self.box, needs)
        if device is None:
            raise Gone(self.box.device_errors.get(needs, "it could not be opened"))
        until_ns = self.clock() + (0 if needs in self._away else round(READY_S * S))
        while reason := _away(device):
            if self.next_input(until_ns) is None:
                self._away.add(needs)
                raise Gone(reason)
        self._away.discard(needs)
        self.needs = needs

    def next_input(self, until_ns: int, enter: bool = False) -> Input | None:
        """Return the next input, or None at `until_ns`. Enter skips the task unless `enter` is true."""
        event = self.bench.wait(max(0, until_ns - self.clock()) / 1e9)
        match event:
            case Typed("q"):
                raise Ended
            case Typed("s"):
                raise Skipped
            case Typed("") if not enter:
                raise Skipped
            case DeviceStatus(device, reason) if device == self.needs and reason:
                raise Gone(reason)
        return event

    def edges(self, lines: Collection[str], seconds: float) -> Iterator[Edge]:
        """Yield the edges of these lines for `seconds` from now."""
        until_ns = self.clock() + round(seconds * S)
        while (event := self.next_input(until_ns)) is not None:
            if isinstance(event, Edge) and event.line in lines:
                yield event

    def forget(self) -> None:
        """Discard earlier input. Raises Ended if it contains a typed q."""
        while (event := self.bench.wait(0)) is not None:
            if event == Typed("q"):
                raise Ended

    def ask(self, question: str, how: str = "Press ok if so, back if not", answers: Collection[str] = ("ok",)) -> str:
        """Ask a question. Return the button of `answers` that was pressed, or "no" for back.

        Returns "yes" or "no" if the answer was typed. Without an answer, raises Skipped.
        """
        self.forget()
        self.say(f"{question} {how} (y or n here).")
        until_ns = self.clock() + ANSWER_S * S
        while (event := self.next_input(until_ns)) is not None:
            match event:
                case Typed(text) if text[:1].lower() in ("y", "n"):
                    return "yes" if text[:1].lower() == "y" else "no"
                case Edge(line, True) if line in (*answers, "back"):
                    self._let_go()
                    return "no" if line == "back" else line
        raise Skipped

    @property
    def beams(self) -> list[str]:
        """Return the lines of the beams, except those whose pin could not be opened."""
        return [line for line in self.config.beam_lines if line not in self.box.device_errors]

    def dark(self) -> set[str]:
        """Return the beams that are dark now."""
        dark = self.box.head.dark if self.box.head else self.box.held()
        return set(dark) & set(self.config.beam_lines)

    def still_dark(self, lines: Collection[str], seconds: float) -> str:
        """Wait until these beams are light. Return those still dark after `seconds`, or ""."""
        until_ns = self.clock() + round(seconds * S)
        while dark := self.dark() & set(lines):
            if self.next_input(until_ns) is None:
                return ", ".join(sorted(dark))
        return ""

    def pass_ms(self, ms: int) -> None:
        """Let time pass in ms, and discard the input."""
        for _ in self.edges((), ms / 1000):
            pass

    def keep(self, measured: Calibration) -> str:
        """Write the calibration to disk. Return the reason if that fails, else ""."""
        try:
            write_calibration(self.config.calibration, measured)
        except OSError as fault:
            return f"{self.config.calibration} could not be written: {fault.strerror or fault}"
        self.box.calibration = measured
        return ""

    def _let_go(self) -> None:
        """Wait until the buttons are up and quiet, but at most 3 s."""
        until_ns = self.clock() + 3 * S
        quiet_ns = self.clock() + 100 * MS
        while self.clock() < min(quiet_ns, until_ns):
            if isinstance(self.next_input(min(quiet_ns, until_ns)), Edge) or set(self.box.held()) & set(BUTTONS):
                quiet_ns = self.clock() + 100 * MS


def _away(device: object) -> str:
    """Return why a plugged-in device is disconnected, or "" if it works.

    A head has `state`, the other devices have `trouble`.
    """
    if (state := getattr(device, "state", None)) is not None:
        return "" if state.name == "ready" else state.reason or "it has not answered yet"
    return str(getattr(device, "trouble", ""))
