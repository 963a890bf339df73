"""A referee with a real journal, and power cuts at its writes."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from tests.kit.core import RULES, Core
from umpi.journal import Journal
from umpi.kernel.registry import find, games
from umpi.referee.effects import Effect, JournalCall, Show
from umpi.referee.events import Answered, Event, SwitchedOn, Tick
from umpi.referee.ports import JournalPort
from umpi.referee.referee import Referee
from umpi.referee.setup import BoxSetup


class Cut(NamedTuple):
    """The power fails at a write, counted from 0: before it is on disk, or after that and before its answer."""

    write: int
    on_disk: bool


class PowerCut(Exception):
    """The box is off."""


class Box(Core):
    """A core with a real journal, and a power cut at one of its writes. `shown` is the most acts ever shown."""

    def __init__(self, journal: Journal) -> None:
        self.journal, self.cut, self.writes, self.shown = journal, None, 0, 0
        self.referee = Referee(BoxSetup(), games(), find, RULES)
        self.effects, self.picture, self.seeds = [], None, 0
        self.step(SwitchedOn(0))
        self.step(Tick(0))

    cut: Cut | None

    def perform(self, effects: list[Effect]) -> Effect | None:
        """Perform effects; nothing that is shown may be missing on the disk."""
        for effect in effects:
            if isinstance(effect, Show) and effect.view.match:
                self.shown = len(effect.view.match.acts)
                assert self.shown <= len(acts_on_disk(self.journal)), "an act is shown that is not on disk"
        return super().perform(effects)

    def answered(self, request: Effect, event: Event) -> Answered:
        """Answer with the journal, unless the power fails."""
        if not isinstance(request, JournalCall):
            return super().answered(request, event)
        journal, now_ns = self.journal, getattr(event, "at_ns", 0)
        fails = self.cut if request.method == JournalPort.append and self.cut else None
        if fails and fails.write == self.writes and not fails.on_disk:
            raise PowerCut
        value = request.on(journal)
        if fails and fails.write == self.writes:
            raise PowerCut
        self.writes += request.method == JournalPort.append
        return Answered(now_ns, value, "", journal.saved, journal.trouble, journal.notice, journal.take_news())


def acts_on_disk(journal: Journal) -> list[dict[str, Any]]:
    """Return the acts of the only match, as the file has them."""
    (kept,) = journal.listed(9)
    lines = [json.loads(text) for text, *_ in journal.written(kept.uid)]
    return [{key: value for key, value in line.items() if key != "at"} for line in lines if "do" in line]
