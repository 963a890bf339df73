"""The current announcement: whose cubes fell, in what order, by what margin, and what is in doubt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from umpi.display.screens import Place, Seen
from umpi.frozen import frozen
from umpi.i18n.translate import player_label, tr_n
from umpi.kernel.game import Act, Ask
from umpi.kernel.match import Match
from umpi.kernel.messages import Figure, Message, Name, listed, message, message_n, spaced
from umpi.table.seating import Seating
from umpi.timing.funnel import Funnel
from umpi.timing.gate import Cube
from umpi.timing.race import Arrival, By, Race

DOUBTS = {
    "dead-heat": message("Too close to call."),
    "count": message("Some cubes touched each other: how many were there?"),
    "short": message("Too fast to be a cube."),
    "long": message("Too long to be cubes."),
    "stuck": message("A cube was stuck."),  # "open" means that it is still stuck
    "open": message("Beam blocked: jiggle the funnel."),
    "beam": message("Only one of two beams saw it."),
}
NOTES = {
    "late": message("The sensors answered late."),
    "contradiction": message("The sensors contradict each other."),
    "blocked": message("A beam was blocked before."),
    "flicker": message("A beam flickers."),
    "rested": DOUBTS["count"],
    "blind": message("Light shone on a beam."),
    "many": message("Too many signals."),
}


RACES = ("buzz", "cube")  # the sources by which a phone races: its player presses in place of a button or a cube


@frozen
class Doubt:
    """A doubt about an announcement: the reasons, the lanes that are too close to call, and the least gap between them.

    `before` is the number of acts before its first cube, None if the match has taken no cube yet.
    """

    reasons: tuple[str, ...]  # keys of DOUBTS and NOTES, or "lost: 3"
    lanes: tuple[int, ...] = ()
    margin_us: int = 0
    before: int | None = None

    @classmethod
    def read(cls, noted: Any) -> Doubt | None:
        """Read a doubt from a note of the journal; return None if the note is empty."""
        if not noted:
            return None
        return cls(tuple(noted["reasons"]), tuple(noted["lanes"]), noted["margin_us"], noted["before"])

    def line(self) -> dict[str, Any]:
        """Return the doubt as it is noted in the journal."""
        return {"reasons": self.reasons, "lanes": self.lanes, "margin_us": self.margin_us, "before": self.before}

    def text(self, table: Seating) -> str:
        """Describe what is in doubt, and whose cubes are concerned."""
        held = "open" in self.reasons  # the text of "open" also explains what to do about a stuck cube
        codes = [reason for reason in dict.fromkeys(self.reasons) if not (held and reason == "stuck")]
        reasons = spaced(list(map(reason_text, codes)))
        if not self.lanes:
            return reasons
        names = listed([_owner(lane, table) for lane in self.lanes])
        heat = message("{names}: {margin} ms.", names=names, margin=Figure(f"{self.margin_us / 1000:.1f}"))
        return message("{reasons}\n{heat}", reasons=reasons, heat=heat)

    def heat(self, table: Seating) -> list[int]:
        """List the seats that are too close to call, as far as lanes have owners."""
        return [table.buttons.index(lane) for lane in self.lanes if lane in table.buttons]


class Announcement:
    """What the funnel has seen since the last act that ended an announcement.

    `kept` contains the cubes that the match has not taken yet. `before` is the number of acts before the first cube it
    took. `settled` is True once the players accepted a doubtful order. `left` is a doubt from before a power-off; it
    remains until the players settle it. If the funnel is full, it no longer sees what falls: that is always in doubt.
    """

    def __init__(self, funnel: Funnel, left: Doubt | None = None) -> None:
        self._funnel, self._left = funnel, left
        self.kept: list[Cube] = []
        self.before = left.before if left else None
        self.settled = False

    @property
    def open(self) -> bool:
        """Whether the match has taken a cube of this announcement."""
        return self.before is not None

    def owner(self, cube: Cube, table: Seating) -> int | None:
        """Return the seat that owns a cube by its lane; None if all cubes fall through one chute.

        Raises LookupError if nobody plays at that lane.
        """
        if self._funnel.settings.lanes == 1:
            return None
        if cube.lane not in table.buttons:
            raise LookupError(message("Nobody sits at lane {lane}.", lane=cube.lane + 1))
        return table.buttons.index(cube.lane)

    def seen(self, table: Seating) -> Seen:
        """Return the number of cubes if there is one chute, otherwise the players in the order of their cubes."""
        if self._funnel.settings.lanes == 1:
            return number_of(len(self._funnel.verdict.cubes))
        return order_of([(one.at_ns, one.seat) for one in self.owned(table)], table.players)

    def owned(self, table: Seating) -> list[Arrival]:
        """List the cubes whose lanes have owners."""
        cubes = self._funnel.verdict.cubes if self._funnel.settings.lanes > 1 else ()
        seats = ((cube, _seat(cube, table)) for cube in cubes)
        return [
            Arrival("cube", seat, cube.t, cube.t, cube.t + cube.heat_ns) for cube, seat in seats if seat is not None
        ]

    @property
    def doubt(self) -> Doubt | None:
        """What is in doubt; None if the verdict is clear or the players have settled it."""
        verdict = self._funnel.verdict
        if (
            (self.settled and not self._funnel.full)
            or (verdict.clear and not self._left)
            or not (self.open or self.kept)
        ):
            return None
        lanes = self._funnel.settings.lanes > 1
        heats = [cube for cube in verdict.cubes if "dead-heat" in cube.doubts and lanes]
        margin = min((cube.margin_us for cube in heats if cube.margin_us is not None), default=0)
        # in a lane, a cube that came loose leaves no doubt; in one chute, others may have fallen with it
        freed = [cube for cube in verdict.cubes if cube.doubts == ("stuck",) and lanes]
        stuck = [cube for cube in verdict.cubes if cube not in freed]
        reasons = (*(doubt for cube in stuck for doubt in cube.doubts), *verdict.notes)
        if not reasons and not self._left:
            return None
        if self._left and not heats:
            return replace(self._left, reasons=(*self._left.reasons, *reasons))
        return Doubt(reasons, tuple(cube.lane for cube in heats), margin, self.before)


class FinishOrderTracker:
    """Track the finish order, `seen`, from the first cube or buzz until its announcement is over.

    `race` contains the questions that only buzzes have answered since the first of them, and when each was shown. A
    phone that still shows one of them takes part in the same race. A press of a button is at most `press_bound_ns`
    older than its stamp.
    """

    def __init__(self, press_bound_ns: int = 0) -> None:
        self._press_bound_ns = press_bound_ns
        self._shown = "", 0
        self.clear()

    def show(self, question: str, now_ns: int) -> None:
        """Note the question that is shown from now on."""
        if question != self._shown[0]:
            self._shown = question, now_ns

    def shown_ns(self, question: str) -> int:
        """Return when a question of this race was shown, 0 if it is no such question."""
        return self._shown[1] if question == self._shown[0] else self.race.get(question, 0)

    @property
    def close(self) -> tuple[str, ...]:
        """The names of the players who are too close to call, in their order."""
        return () if isinstance(self.seen, str) else tuple(place.name for place in self.seen if place.close)

    def clear(self) -> None:
        """Clear everything, because another match begins."""
        self.seen: Seen = ""
        self._buzzes: list[Arrival] = []
        self._fell: list[Arrival] = []  # cubes with known owners, by their lanes
        self._chute: list[Arrival] = []  # cubes that fell through one chute
        self._before = 0  # the acts before the race
        self._reasons: tuple[str, ...] = ()  # why the order of the cubes is in doubt
        self.race: dict[str, int] = {}
        self._interrupted = ""  # the phase in which the first cube or buzz came
        self._during: set[str] = set()  # the phases in which cubes or buzzes were taken

    @property
    def of_cubes(self) -> bool:
        """Whether the order contains cubes and no buttons."""
        return bool(self.seen) and not self._buzzes

    @property
    def first(self) -> int | None:
        """The seat that is first in the order, None if it is unknown."""
        return None if isinstance(self.seen, str) else self.seen[0].seat

    @property
    def picture(self) -> Race | None:
        """The race as far as it has been run, None if nothing has arrived yet."""
        ran = self._ran((*self._buzzes, *self._fell, *self._chute)) if self.seen else ()
        return Race(self._before, ran, self._reasons) if ran else None

    def fall(self, match: Match, seen: Seen, owned: Sequence[Arrival], chute: Sequence[Arrival] = ()) -> None:
        """Take the cubes so far: `seen` as shown, those `owned` by lane, or all that fell through one `chute`."""
        self._fell, self._chute = list(owned), list(chute)
        self.seen = self._order(match) if self._buzzes and owned else seen

    def label(self, players: Sequence[str]) -> None:
        """Label the order with the present names and in the present language, because both may have changed."""
        if isinstance(self.seen, str):
            self.seen = number_of(len(self._chute)) if self.seen else ""
        else:
            self.seen = tuple(replace(place, name=_label(place.seat, players)) for place in self.seen)

    def doubt(self, reasons: Sequence[str]) -> None:
        """Note why the order of the cubes is in doubt, nothing once that is settled."""
        self._reasons = tuple(reasons)

    def buzz_of(self, match: Match, act: Act, at_ns: int, earliest_ns: int | None = None) -> Arrival | None:
        """Return the buzz that an act is before it is played, by its stamp; None if it is no buzz of a race.

        `earliest_ns` is how early the phone of this seat may have buzzed, None if it was a button.
        """
        sources, seat = ("buzz",) if earliest_ns is None else RACES, act.given.get("seat")
        if source_of(match, act) not in sources or not isinstance(seat, int):
            return None
        if cube_ask(match) is None or (self.seen and not self._buzzes and not self._fell):
            return None  # the press names the owner of a cube
        by: By = "button" if earliest_ns is None else "phone"
        first_ns = at_ns - self._press_bound_ns if earliest_ns is None else earliest_ns
        return Arrival(by, seat, at_ns, first_ns, at_ns)

    def follow(
        self, before: str, acts: int, match: Match, cube: bool, buzz: Arrival | None = None, early: bool = False
    ) -> None:
        """Update the order after acts that led on from the phase `before`, in which the match had so many `acts`.

        `cube` is True if the funnel made them; `buzz` is what `buzz_of` returned for them. A buzz or a cube that came
        too `early` only puts its seat out, and has no place.
        """
        phase = match.now.phase
        if early and (cube or buzz):
            if cube:
                self.seen, self._fell, self._chute = "", [], []
            self.signal()
            return
        if cube or buzz:
            if not self._during:
                self._interrupted, self._before = before, acts
            self._during.add(phase)
            self.race[self._shown[0]] = self._shown[1]
            if buzz:
                self._buzzes.append(buzz)
                self.seen = self._order(match)
            return
        self.race = {}
        if phase == self._interrupted or (phase not in self._during and cube_ask(match)):
            self.seen, self._during, self._buzzes, self._fell, self._chute = "", set(), [], [], []

    def signal(self) -> None:
        """Keep the question on the screens in the race: it has changed, and a phone may not show the new one yet."""
        self.race[self._shown[0]] = self._shown[1]

    def _order(self, match: Match) -> tuple[Place, ...]:
        """Return the order of the buzzes and cubes, with those that are too close to call."""
        race = Race(self._before, self._ran((*self._buzzes, *self._fell)))
        order = order_of([(one.at_ns, one.seat) for one in race.arrivals], match.players)
        return tuple(replace(place, close=index in race.close) for index, place in enumerate(order))

    @staticmethod
    def _ran(arrivals: Sequence[Arrival]) -> tuple[Arrival, ...]:
        return tuple(sorted(arrivals, key=lambda one: one.at_ns))


def source_of(match: Match, act: Act) -> str:
    """Return the source of the first field of an act that the match asks for, "" if there is none."""
    ask = next((ask for ask in match.asks if ask.verb == act.verb and ask.fields), None)
    return ask.fields[0].source if ask else ""


def cube_ask(match: Match) -> Ask | None:
    """Return the question that a fallen cube answers, None if there is none."""
    return next((ask for ask in match.asks if ask.fields and ask.fields[0].source == "cube"), None)


def cube_last(match: Match) -> bool:
    """Return whether the last act was a fallen cube."""
    fields = match.asked(len(match.acts) - 1).fields if match.acts else ()
    return bool(fields) and fields[0].source == "cube"


def owner_ask(match: Match) -> Ask | None:
    """Return the question that the seat of a cube or of a button can answer, None if there is none."""
    asks = (ask for ask in match.asks if ask.fields and ask.fields[0].source == "buzz")
    return next((ask for ask in asks if ask.answerable), None)


def order_of(order: Sequence[tuple[int, int | None]], players: Sequence[str]) -> tuple[Place, ...]:
    """Return the places in finish order, each with the gap to the next in microseconds.

    Each item of `order` has a stamp in nanoseconds and a seat. A cube without a known owner is called "?".

    >>> [(place.name, place.margin_us) for place in order_of([(6_200_000, 1), (1_000_000, 0)], ("Red", "Blue"))]
    [('Red', 5200), ('Blue', None)]
    """
    ordered = sorted(order, key=lambda each: each[0])
    gaps: list[int | None] = [(later[0] - earlier[0]) // 1000 for earlier, later in pairwise(ordered)]
    return tuple(Place(_label(seat, players), seat, gap) for (_, seat), gap in zip(ordered, [*gaps, None], strict=True))


def number_of(cubes: int) -> str:
    """Return how many cubes fell through one chute, as the screen shows it."""
    return tr_n("{number} cube", "{number} cubes", cubes)


def _label(seat: int | None, players: Sequence[str]) -> str:
    """Return the label of a seat in the order, "?" if it is unknown."""
    return player_label("?" if seat is None else players[seat])


def _seat(cube: Cube, table: Seating) -> int | None:
    """Return the seat at a cube's lane, None if nobody plays there."""
    return table.buttons.index(cube.lane) if cube.lane in table.buttons else None


def _owner(lane: int, table: Seating) -> Message:
    """Name the player at a lane, or the lane if nobody plays there."""
    if lane not in table.buttons:
        return message("lane {lane}", lane=lane + 1)
    return message("{who}", who=Name(table.players[table.buttons.index(lane)]))


def reason_text(reason: str) -> Message:
    """Return the sentence for a reason: a key of DOUBTS or NOTES, or "lost: 3"."""
    _, _, number = reason.partition("lost: ")
    if number:
        return message_n("{number} signal lost.", "{number} signals lost.", int(number))
    return {**DOUBTS, **NOTES}[reason]
