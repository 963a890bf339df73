"""One person at one box: what the steps of the guide have in common, asking, listening and writing down."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from umpi.box.box import Box, DeviceStatus
from umpi.box.calibration import Calibration, write_calibration
from umpi.box.config import COLOURS, NAVIGATION, Config
from umpi.doctor.bench import Bench, Heard, Typed
from umpi.doctor.finding import Finding
from umpi.timing.edge import Edge

MS = 1_000_000
SECOND = 1000 * MS
PATIENCE_S = 20.0  # for something that was asked for
ANSWER_S = 300.0  # for somebody who has to look, or to put the soldering iron away
READY_S = 10.0  # for a device that is being looked for
BUTTONS = (*COLOURS, *NAVIGATION)


class Skipped(Exception):
    """This one is to be left out."""


class Ended(Exception):
    """The visit is over."""


class Gone(Exception):
    """The device went away, and why."""


@dataclass(frozen=True, slots=True)
class Task:
    """One thing to be done with one device; where it `needs` a plugged-in one, the task ends when that goes."""

    device: str
    run: Callable[[], Iterator[Finding]]
    needs: str = ""


class Visit:
    """What a step works with. Whatever listens raises Skipped, Ended, and Gone where `needs` went away."""

    def __init__(self, config: Config, box: Box, bench: Bench) -> None:
        self.config, self.box, self.bench = config, box, bench
        self.say, self.clock = bench.say, bench.clock
        self.needs = ""
        self._away: set[str] = set()  # what has been waited for in vain

    def ready(self, needs: str) -> None:
        """Have a device for the next task, waiting a while for one that is being looked for. Raises Gone."""
        self.needs = ""
        if not needs:
            return
        device = getattr(self.box, needs)
        if device is None:
            raise Gone(self.box.device_errors.get(needs, "it could not be opened"))
        until_ns = self.clock() + (0 if needs in self._away else round(READY_S * SECOND))
        while reason := _away(device):
            if self.hear(until_ns) is None:
                self._away.add(needs)
                raise Gone(reason)
        self._away.discard(needs)
        self.needs = needs

    def hear(self, until_ns: int, enter: bool = False) -> Heard | None:
        """Hear what comes next, None once `until_ns` has come. Enter skips, unless it means something here."""
        heard = self.bench.wait(max(0, until_ns - self.clock()) / 1e9)
        match heard:
            case Typed("q"):
                raise Ended
            case Typed("s"):
                raise Skipped
            case Typed("") if not enter:
                raise Skipped
            case DeviceStatus(device, reason) if device == self.needs and reason:
                raise Gone(reason)
        return heard

    def edges(self, lines: Collection[str], seconds: float) -> Iterator[Edge]:
        """Hear the edges of these lines, for so many seconds from now."""
        until_ns = self.clock() + round(seconds * SECOND)
        while (heard := self.hear(until_ns)) is not None:
            if isinstance(heard, Edge) and heard.line in lines:
                yield heard

    def forget(self) -> None:
        """Pass over what came before it was asked for, but not that somebody wants to end."""
        while (heard := self.bench.wait(0)) is not None:
            if heard == Typed("q"):
                raise Ended

    def ask(self, question: str, how: str = "Press ok if so, back if not", answers: Collection[str] = ("ok",)) -> str:
        """Ask, and return the button of `answers` that was pressed; "no" for back, "yes" or "no" where that was typed.

        Nobody's answer skips the task.
        """
        self.forget()
        self.say(f"{question} {how} (y or n here).")
        until_ns = self.clock() + round(ANSWER_S * SECOND)
        while (heard := self.hear(until_ns)) is not None:
            match heard:
                case Typed(text) if text[:1].lower() in ("y", "n"):
                    return "yes" if text[:1].lower() == "y" else "no"
                case Edge(line, True) if line in (*answers, "back"):
                    self._let_go()
                    return "no" if line == "back" else line
        raise Skipped

    @property
    def beams(self) -> list[str]:
        """The lines of the beams, but for those whose pin could not be had."""
        return [line for line in self.config.beam_lines if line not in self.box.device_errors]

    def dark(self) -> set[str]:
        """Name the beams that are dark now."""
        dark = self.box.head.dark if self.box.head else self.box.held()
        return set(dark) & set(self.config.beam_lines)

    def still_dark(self, lines: Collection[str], seconds: float) -> str:
        """Wait until these beams are light; name those that still are not after so many seconds, "" where all are."""
        until_ns = self.clock() + round(seconds * SECOND)
        while dark := self.dark() & set(lines):
            if self.hear(until_ns) is None:
                return ", ".join(sorted(dark))
        return ""

    def pass_ms(self, ms: int) -> None:
        """Let time pass, and with it whatever comes."""
        for _ in self.edges((), ms / 1000):
            pass

    def keep(self, measured: Calibration) -> str:
        """Have what was measured on disk; tell why it could not be, "" where it is."""
        try:
            write_calibration(self.config.calibration, measured)
        except OSError as fault:
            return f"{self.config.calibration} could not be written: {fault.strerror or fault}"
        self.box.calibration = measured
        return ""

    def _let_go(self) -> None:
        """Wait until the buttons have come up and chatter no more, or have been held for long."""
        until_ns = self.clock() + 3 * SECOND
        quiet_ns = self.clock() + 100 * MS
        while self.clock() < min(quiet_ns, until_ns):
            if isinstance(self.hear(min(quiet_ns, until_ns)), Edge) or set(self.box.held()) & set(BUTTONS):
                quiet_ns = self.clock() + 100 * MS


def _away(device: object) -> str:
    """Tell why a plugged-in device is not there now, "" where it is: a head has a state, the others a trouble."""
    if (state := getattr(device, "state", None)) is not None:
        return "" if state.name == "ready" else state.reason or "it has not answered yet"
    return str(getattr(device, "trouble", ""))
