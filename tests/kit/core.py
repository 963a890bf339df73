"""The referee by itself: events in, effects out, and a journal in memory that answers at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from umpi.kernel.registry import find, games
from umpi.referee.effects import DrawSeed, Effect, JournalCall, PairingCall, Show, WriteReport
from umpi.referee.events import Answered, Event, SwitchedOn, Tick
from umpi.referee.referee import Referee
from umpi.referee.setup import BoxSetup
from umpi.rulebook.shelf import read_shelf

RULES = read_shelf(games())


class Core:
    """A referee that is switched on; `effects` is all that it has done, but for pictures that were replaced."""

    def __init__(self, **setup: Any) -> None:
        self.referee = Referee(BoxSetup(**setup), games(), find, RULES)
        self.effects: list[Effect] = []
        self.picture: Any = None
        self.matches = 0
        self.seeds = 0  # how often the box has drawn; the numbers are 1, 2, …
        self.step(SwitchedOn(0))
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
        effects = self.referee.step(event)
        while effects:
            self.effects += [effect for effect in effects if not isinstance(effect, Show)]
            self.picture = next((each.picture for each in reversed(effects) if isinstance(each, Show)), self.picture)
            last, at_ns = effects[-1], getattr(event, "at_ns", 0)
            if not isinstance(last, JournalCall | PairingCall | WriteReport | DrawSeed):
                return
            number = last.number if isinstance(last, JournalCall) else 0
            effects = self.referee.step(Answered(at_ns, self._answer(last), number=number))

    def _answer(self, request: Effect) -> Any:
        match request:
            case JournalCall("begin"):
                self.matches += 1
                return self.matches
            case JournalCall("listed" | "written"):
                return ()
            case DrawSeed():
                self.seeds += 1
                return self.seeds
            case JournalCall("save"):
                return True
            case JournalCall("row", (number,)):
                return number
        return None
