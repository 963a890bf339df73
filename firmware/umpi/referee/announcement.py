"""A judged gate to words and seats: whose cubes came out, by how much, and what to do where that is not sure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from umpi.display.screens import Place, Seen
from umpi.display.setup import TableSetup
from umpi.i18n.translate import player_label, tr_n
from umpi.kernel.game import Act, Ask
from umpi.kernel.match import Match
from umpi.kernel.messages import Message, Name, listed, message, spaced
from umpi.timing.funnel import Funnel
from umpi.timing.gate import Cube

DOUBTS = {
    "dead-heat": message("Too close to call."),
    "count": message("Cubes touched: how many were there?"),
    "short": message("Something too quick for a cube."),
    "long": message("Something too long for cubes."),
    "stuck": message("A cube was stuck."),  # "open" says that it still is
    "open": message("A beam is dark: jiggle the funnel."),
    "beam": message("Only one of two beams saw it."),
}
NOTES = {
    "late": message("The sensors answered late."),
    "contradiction": message("The sensors contradict each other."),
}


Buzz = tuple[int, int, str]  # the stamp of a press or a cube, the seat and its name


@dataclass(frozen=True, slots=True)
class Doubt:
    """What is not sure about an announcement: why, and the lanes too close to call with the least gap between them.

    `before` is how many acts stood before its first cube, None where the match has taken none yet.
    """

    reasons: tuple[str, ...]  # of DOUBTS and NOTES, or "lost: 3"
    lanes: tuple[int, ...] = ()
    margin_us: int = 0
    before: int | None = None

    @classmethod
    def read(cls, noted: Any) -> Doubt | None:
        """Read one as it was noted beside a match; None where that was none."""
        if not noted:
            return None
        return cls(tuple(noted["reasons"]), tuple(noted["lanes"]), noted["margin_us"], noted["before"])

    def line(self) -> dict[str, Any]:
        """Write it as it is noted beside a match."""
        return {"reasons": self.reasons, "lanes": self.lanes, "margin_us": self.margin_us, "before": self.before}

    def text(self, table: TableSetup) -> str:
        """Say what is not sure, and whose cubes it is about."""
        held = "open" in self.reasons  # which says what to do for a stuck cube
        said = [reason for reason in dict.fromkeys(self.reasons) if not (held and reason == "stuck")]
        reasons = spaced(list(map(_reason, said)))
        if not self.lanes:
            return reasons
        names = listed([_owner(lane, table) for lane in self.lanes])
        heat = message("{names}: {margin} ms.", names=names, margin=f"{self.margin_us / 1000:.1f}")
        return message("{reasons}\n{heat}", reasons=reasons, heat=heat)

    def heat(self, table: TableSetup) -> list[int]:
        """List the seats that are too close to call, where lanes tell."""
        return [table.buttons.index(lane) for lane in self.lanes if lane in table.buttons]


class Announcement:
    """What the funnel has seen since the last act of the table.

    `kept` are cubes not taken by the match yet, `before` the acts that stood before the first that was; `settled` once
    the table has accepted a doubtful order. `left` is a doubt that the box went off in: it stands as long as the table
    has not settled it.
    """

    def __init__(self, funnel: Funnel, left: Doubt | None = None) -> None:
        self._funnel, self._left = funnel, left
        self.kept: list[Cube] = []
        self.before = left.before if left else None
        self.settled = False

    @property
    def open(self) -> bool:
        """Whether the match has taken a cube of it."""
        return self.before is not None

    def owner(self, cube: Cube, table: TableSetup) -> int | None:
        """The seat a cube belongs to by its lane, None with one chute for all; raises LookupError for an empty seat."""
        if self._funnel.settings.lanes == 1:
            return None
        if cube.lane not in table.buttons:
            raise LookupError(message("Nobody sits at lane {lane}.", lane=cube.lane + 1))
        return table.buttons.index(cube.lane)

    def seen(self, table: TableSetup) -> Seen:
        """Show how many cubes fell through one chute, or the players whose lanes they fell in, in their order."""
        if self._funnel.settings.lanes == 1:
            return tr_n("{number} cube", "{number} cubes", len(self._funnel.verdict.cubes))
        return order_of(self.owned(table))

    def owned(self, table: TableSetup) -> list[Buzz]:
        """List the cubes with their stamps and the seats they belong to, where lanes tell."""
        cubes = self._funnel.verdict.cubes if self._funnel.settings.lanes > 1 else ()
        seats = ((cube.t, _seat(cube, table)) for cube in cubes)
        return [(at_ns, seat, table.players[seat]) for at_ns, seat in seats if seat is not None]

    @property
    def doubt(self) -> Doubt | None:
        """What is not sure; None where the verdict is clear or the table has settled it."""
        verdict = self._funnel.verdict
        if self.settled or (verdict.clear and not self._left) or not (self.open or self.kept):
            return None
        lanes = self._funnel.settings.lanes > 1
        heats = [cube for cube in verdict.cubes if "dead-heat" in cube.doubts and lanes]
        margin = min((cube.margin_us for cube in heats if cube.margin_us is not None), default=0)
        # a cube that came loose leaves no doubt in a lane of its own; in one chute others may have come with it
        freed = [cube for cube in verdict.cubes if cube.doubts == ("stuck",) and lanes]
        stuck = [cube for cube in verdict.cubes if cube not in freed]
        reasons = (*(doubt for cube in stuck for doubt in cube.doubts), *verdict.notes)
        if not reasons and not self._left:
            return None
        if self._left and not heats:
            return replace(self._left, reasons=(*self._left.reasons, *reasons))
        return Doubt(reasons, tuple(cube.lane for cube in heats), margin, self.before)


class FinishOrderTracker:
    """The order in sight, `seen`, from the first cube or buzz until its announcement is over."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget all of it: another match has begun."""
        self.seen: Seen = ""
        self._buzzes: list[Buzz] = []
        self._fell: list[Buzz] = []  # cubes whose owners are known by their lanes
        self._heard: Buzz | None = None  # a buzz about to be played
        self._interrupted = ""  # the phase the first cube or buzz came in
        self._during: set[str] = set()  # the phases they were taken in

    @property
    def of_cubes(self) -> bool:
        """Whether it is an order of cubes, none of buttons."""
        return bool(self.seen) and not self._buzzes

    @property
    def first(self) -> int | None:
        """The seat that is first in the order, where that is known."""
        return None if isinstance(self.seen, str) else self.seen[0].seat

    def fall(self, seen: Seen, owned: Sequence[Buzz]) -> None:
        """Take the order of the cubes so far: how it reads, and by lanes their stamps and owners."""
        self._fell = list(owned)
        self.seen = order_of([*self._buzzes, *self._fell]) if self._buzzes and owned else seen

    def hear(self, match: Match, act: Act, at_ns: int) -> None:
        """Note an act before it is played: a seat that buzzes by its button stands in the order, by its stamp."""
        ask = next((ask for ask in match.asks if ask.verb == act.verb and ask.fields), None)
        seat = act.given.get("seat")
        if ask is None or ask.fields[0].source != "buzz" or not isinstance(seat, int):
            return
        if cube_ask(match) is None or (self.seen and not self._buzzes and not self._fell):
            return  # it names the owner of a cube
        self._heard = at_ns, seat, match.players[seat]

    def forget(self) -> None:
        """Forget what was heard: it has been refused."""
        self._heard = None

    def follow(self, before: str, match: Match, cube: bool) -> None:
        """Look where acts have led from the phase `before`; `cube` where the funnel made them."""
        phase = match.now.phase
        if cube or self._heard:
            if not self._during:
                self._interrupted = before
            self._during.add(phase)
            if self._heard:
                self._buzzes.append(self._heard)
                self.seen, self._heard = order_of([*self._buzzes, *self._fell]), None
        elif phase == self._interrupted or (phase not in self._during and cube_ask(match)):
            self.seen, self._during, self._buzzes, self._fell = "", set(), [], []


def cube_ask(match: Match) -> Ask | None:
    """The question of an offer that a fallen cube answers."""
    return next((ask for ask in match.asks if ask.fields and ask.fields[0].source == "cube"), None)


def cube_last(match: Match) -> bool:
    """Tell whether the last act was a cube that fell."""
    fields = match.asked(len(match.acts) - 1).fields if match.acts else ()
    return bool(fields) and fields[0].source == "cube"


def owner_ask(match: Match) -> Ask | None:
    """The question of an offer whose answer is the seat of a cube, or of a button."""
    return next((ask for ask in match.asks if ask.fields and ask.fields[0].source == "buzz"), None)


def order_of(order: Sequence[tuple[int, int | None, str]]) -> tuple[Place, ...]:
    """List who came in which order, each with the microseconds to the next, from stamps, seats and names.

    >>> [(place.name, place.margin_us) for place in order_of([(6_200_000, 1, "Blue"), (1_000_000, 0, "Red")])]
    [('Red', 5200), ('Blue', None)]
    """
    ordered = sorted(order, key=lambda each: each[0])
    gaps: list[int | None] = [(later[0] - earlier[0]) // 1000 for earlier, later in pairwise(ordered)]
    return tuple(
        Place(player_label(name), seat, gap) for (_, seat, name), gap in zip(ordered, [*gaps, None], strict=True)
    )


def _seat(cube: Cube, table: TableSetup) -> int | None:
    """The seat at a cube's lane, None where nobody sits."""
    return table.buttons.index(cube.lane) if cube.lane in table.buttons else None


def _owner(lane: int, table: TableSetup) -> Message:
    """Name the player at a lane, or the lane where nobody sits."""
    if lane not in table.buttons:
        return message("lane {lane}", lane=lane + 1)
    return message("{who}", who=Name(table.players[table.buttons.index(lane)]))


def _reason(reason: str) -> Message:
    """Say a doubt or a note of a verdict as a sentence: one of DOUBTS or NOTES, or "lost: 3"."""
    _, _, number = reason.partition("lost: ")
    if number:
        return message("Edges were lost: {number}.", number=number)
    return {**DOUBTS, **NOTES}[reason]
