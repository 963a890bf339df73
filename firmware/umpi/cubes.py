"""Cubes that fell to acts: the order into the match, its doubts to the table, the colours at rest to the owners."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from umpi.announcement import Announcement, News, cube_ask, owner_ask
from umpi.config import COLOURS
from umpi.devices.funnel import Funnel
from umpi.devices.gate import Cube
from umpi.devices.rail import Seen
from umpi.judge import write_trace
from umpi.panel.panel import Panel
from umpi.rules.fields import Pick
from umpi.rules.match import Match
from umpi.rules.words import named
from umpi.sitting import Sitting

Play = Callable[[Sequence[Mapping[str, Any]], int, str], Awaitable[None]]  # lines of one answer, stamp, who


class Cubes:
    """The funnel's part of a referee; `play` has lines played and written, and says on the panel where they lead."""

    def __init__(self, funnel: Funnel, sitting: Sitting, panel: Panel, news: News, play: Play) -> None:
        self._funnel, self._sitting, self._panel, self._news, self._play = funnel, sitting, panel, news, play
        self._announcement = Announcement(funnel)
        self._unowned = 0  # cubes taken that nobody has been named for
        self._fell_ns = 0  # when the first of them did
        self._seen: Seen | None = None  # at rest under the colour sensor, and not named yet

    @property
    def open(self) -> bool:
        """Whether the match has taken a cube of the announcement in hand."""
        return self._announcement.taken > 0

    @property
    def kept(self) -> bool:
        """Whether a cube waits until the match can take it."""
        return bool(self._announcement.kept)

    async def look(self, now_ns: int, lost: int) -> bool:
        """Take the cubes that have become certain, and that edges were lost; True where a cube was seen."""
        if lost:
            self._funnel.lost(lost, now_ns)
        cubes = self._funnel.tick(now_ns)
        self._announcement.kept += cubes
        if cubes or (lost and self.open):
            await self.take()
        return bool(cubes)

    async def take(self) -> None:
        """Send the cubes seen to the question that asks for one, whatever the screen shows; else say why not."""
        announcement, panel, match, table = self._announcement, self._panel, self._sitting.match, self._sitting.table
        while announcement.kept:
            ask = cube_ask(match) if match else None
            if ask is None or match is None or table is None:
                panel.tell("A cube", "It counts for nothing now. Take it home.")
                await self.end()
                return
            field = ask.fields[0]
            if isinstance(field, Pick) and not field.pool and not announcement.taken:
                reason = named(field.refuse(None), match.players)
                panel.tell("A cube is kept", reason[:1].upper() + reason[1:])
                return
            cube = announcement.kept.pop(0)
            try:
                owner = announcement.owner(cube, table)
            except LookupError as fault:
                panel.tell("A cube", f"{fault} It goes home.")
                continue
            if reason := field.refuse(owner):
                panel.tell("It goes home", named(reason, match.players))
                continue
            self._count(cube, owner)
            self._news.text = announcement.news(table)
            await self._play([{"do": ask.verb, field.name: owner}], cube.t, "funnel")
        if table and (doubt := announcement.doubt(table)):
            panel.doubt(doubt)

    async def settle(self, how: str, at_ns: int) -> None:
        """Write down how the table settled a doubtful announcement, and do it."""
        assert self._sitting.table
        note = f"{how}: {self._announcement.doubt(self._sitting.table)}"
        taken = self._announcement.taken
        self._announcement.settled = how == "accept"
        lines: list[dict[str, Any]] = [{"note": note}]
        if how != "accept" and taken:
            lines.append({"undo": taken})
            self._unowned = 0
        await self._play(lines, at_ns, "table")
        if how != "accept":
            await self.end()
        if how == "order by hand":
            self._panel.tell("By hand", "Press OK, then your buttons in the order the cubes came out.")

    async def end(self) -> None:
        """Keep the raw trace of the cubes so far with the match, and begin anew."""
        if self._funnel.trace:
            await self._sitting.keep_trace(list(write_trace(self._funnel.settings, self._funnel.trace)))
        self._funnel.reset()
        self._announcement = Announcement(self._funnel)

    def rests(self, seen: Seen) -> None:
        """Take note of what lies at the stop of the queue rail."""
        self._seen = seen if seen.state in ("cube", "unsure") else None

    async def own(self, now_ns: int) -> bool:
        """Name the owner of the cube that lies at the stop, where one is asked for; True where that changed anything.

        Each cube that came to lie there names one owner. What lay there before the first of them fell names none.
        """
        seen, match, table = self._seen, self._sitting.match, self._sitting.table
        if not (seen and match and table and self._unowned and self._news.of_cubes and seen.at_ns > self._fell_ns):
            return False
        ask = owner_ask(match)
        if ask is None:
            return False
        self._seen = None
        if seen.colour is None:
            self._panel.tell("Whose cube?", seen.reason, passing=True)
            return True
        place = COLOURS.index(seen.colour)
        if place not in table.buttons:
            self._panel.tell("Whose cube?", f"It looks {seen.colour}, and nobody is. {PRESS}", passing=True)
            return True
        field, seat = ask.fields[0], table.buttons.index(place)
        if field.refuse(seat):  # the cube before, named by its owner sooner than by the sensor
            return False
        await self._play([{"do": ask.verb, field.name: seat}], now_ns, "rail")
        return True

    def owned(self, match: Match, before: int) -> None:
        """Take note of the acts from `before` on: an owner who was named, or that no cube is left to be owned."""
        for index in range(before, len(match.acts)):
            if match.asked(index).fields[:1] and match.asked(index).fields[0].source == "buzz":
                self._unowned, self._seen = max(0, self._unowned - 1), None
        if not self._news.of_cubes:
            self._unowned = 0

    def _count(self, cube: Cube, owner: int | None) -> None:
        if not self._announcement.taken:
            self._fell_ns = cube.t
        self._announcement.taken += 1
        self._unowned += owner is None


PRESS = "Press your own button."
