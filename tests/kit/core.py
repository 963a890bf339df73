"""The referee by itself: events in, effects out, and a journal in memory that answers at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.kit.panels import granting
from tests.kit.rig import MS, keys_of
from umpi.kernel.kept import MatchNews, Uid
from umpi.kernel.registry import find, games
from umpi.referee.effects import DrawSeed, Effect, JournalCall, PlaySound, Returning, Show
from umpi.referee.events import Answered, Event, SwitchedOn, Tick
from umpi.referee.ports import JournalPort
from umpi.referee.referee import Referee
from umpi.referee.setup import BoxSetup
from umpi.rulebook.shelf import Shelf
from umpi.simulator.reading import drawn, reads
from umpi.table.commands import Command, Start
from umpi.table.seating import Seating
from umpi.table.seats import COLOURS
from umpi.timing.edge import Edge

RULES = Shelf(games())


class Core:
    """A referee that is switched on; `effects` is all that it has done, but for pictures that were replaced.

    `held` are buttons that are down and beams that are dark then.
    """

    def __init__(self, *, held: tuple[str, ...] = (), **setup: Any) -> None:
        self.referee = Referee(BoxSetup(**setup), games(), find, RULES)
        self.effects: list[Effect] = []
        self.picture: Any = None
        self.matches = 0
        self.seeds = 0  # how often the box has drawn; the numbers are 1, 2, …
        self.step(SwitchedOn(0, held=held))
        self.step(Tick(0))

    def give(self, events: Iterable[Event], until_ns: int) -> None:
        """Give a batch of events in the order in which they are read, and let the referee process them."""
        for event in events:
            self.step(event)
        self.step(Tick(until_ns))

    def run_to(self, until_ns: int) -> None:
        """Advance the time as the service does: process whatever is due."""
        now_ns = 0
        while (due_ns := self.referee.due_ns(now_ns)) is not None and now_ns < due_ns <= until_ns:
            now_ns = due_ns
            self.step(Tick(now_ns))
        self.step(Tick(until_ns))

    def step(self, event: Event) -> None:
        request = self.perform(self.referee.step(event))
        while request:
            request = self.perform(self.referee.step(self.answered(request, event)))

    def perform(self, effects: list[Effect]) -> Effect | None:
        """Perform effects; return the one that the referee waits for."""
        self.effects += [effect for effect in effects if not isinstance(effect, Show)]
        self.picture = next((each.picture for each in reversed(effects) if isinstance(each, Show)), self.picture)
        return effects[-1] if effects and isinstance(effects[-1], Returning) else None

    def answered(self, request: Effect, event: Event) -> Answered:
        """Return the answer to a request, at the time of an event."""
        value = self._answer(request)
        began = isinstance(request, JournalCall) and request.method == JournalPort.begin
        return Answered(getattr(event, "at_ns", 0), value, news=MatchNews({value: self.matches} if began else {}))

    def _answer(self, request: Effect) -> Any:
        match request:
            case JournalCall(JournalPort.begin):
                self.matches += 1
                return Uid(f"{self.matches:032x}")
            case JournalCall(JournalPort.listed | JournalPort.written):
                return ()
            case DrawSeed():
                self.seeds += 1
                return self.seeds
            case JournalCall(JournalPort.save):
                return True
            case _:
                return None


class Hand:
    """A hand on the buttons of a core, 100 ms a press."""

    def __init__(self, core: Core | None = None, **setup: Any) -> None:
        self.core, self.now_ns = core or Core(**setup), 1000 * MS

    def press(self, buttons: str, ms: int = 50) -> None:
        for button in buttons.split():
            for active, long_ms in ((True, ms), (False, 50)):
                self.core.give([Edge(button, active, self.now_ns)], self.now_ns)
                self.wait_ns(long_ms * MS)

    def wait_ns(self, ns: int) -> None:
        self.now_ns += ns
        self.core.run_to(self.now_ns)

    def start(self, game: str, rest: str = "red blue ok ok") -> None:
        self.press(f"{keys_of(game)} {rest}")
        assert self.core.referee.session.match

    def begin(self, game: str, seats: int) -> None:
        """Begin a match as `start` does, without the presses of its menu."""
        self.grant(Start(Seating(find(game), COLOURS[:seats], tuple(range(seats)))))
        assert self.core.referee.session.match

    def shows(self, *texts: str) -> bool:
        return all(reads(self.core.picture, text) for text in texts)

    @property
    def begun(self) -> str:
        """What has been entered of the answer."""
        return self.core.referee.panel.question[0].note

    def grant(self, command: Command) -> None:
        """Execute a command of the box as if it had just been chosen."""
        with granting(self.core.referee.panel, command):
            self.press("red")

    @property
    def due_ns(self) -> int | None:
        return self.core.referee.panel.calls.due_ns

    @property
    def screen(self) -> str:
        return drawn(self.core.picture)

    @property
    def sounds(self) -> list[str]:
        return [effect.sound for effect in self.core.effects if isinstance(effect, PlaySound)]

    @property
    def lines(self) -> list[Any]:
        calls = [each for each in self.core.effects if isinstance(each, JournalCall) and each.name == "append"]
        return [line for call in calls for line in call.values[1]]
