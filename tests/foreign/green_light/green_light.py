"""Green light: wait for the signal, then press first. A press before the signal costs a point.

Example of a game with a start signal, reactions that the box measures with their error, and false starts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

from umpi.kernel import (
    Act,
    Ask,
    Call,
    Field,
    Game,
    Measured,
    NamedSeat,
    Number,
    Pick,
    Result,
    Row,
    View,
    Who,
    message,
    override,
    placed,
    replace,
    tied,
)

WAIT_MS = (1_500, 6_000)  # the box draws the wait for the signal between these
CLOSE_MS = 3_000  # a round ends this long after the last press
HUMAN_MS = 100  # nobody reacts faster: a quicker press was a guess
SLOWEST_MS = 5_000
WORST_MS = 1_000  # of a measurement

Reaction = Annotated[int, range(SLOWEST_MS + 1)]
Bound = Annotated[int, range(WORST_MS + 1)]


@dataclass(frozen=True, slots=True)
class GreenLight(Game):
    """A position of Green light.

    >>> game = GreenLight.setup(2, rounds=1).do_press(0).do_signal(None).do_press(1, 250, 1)
    >>> game.scores(), game.result().winners
    ((-1, 1), (1,))
    """

    id: ClassVar = "green-light"
    title: ClassVar = "Green light"
    umpi_api: ClassVar = 3
    wins: ClassVar = "highest"
    seats: ClassVar = range(2, 7)
    options: ClassVar[tuple[Field, ...]] = (Number("rounds", 1, 20),)
    longest: ClassVar = 300

    points: tuple[int, ...]
    rounds: int
    round: int = 1
    green: bool = False
    out: tuple[int, ...] = ()  # seats with a false start in this round
    last: tuple[tuple[int, ...], int] = ((), 0)  # the first seats of the last round, and their reaction
    times: tuple[tuple[int, Measured], ...] = ()  # seat and reaction in this round, in the order of the presses

    @classmethod
    @override
    def setup(cls, seats: int, rounds: int = 5) -> Self:
        """Return the first position: round 1, the light is red."""
        return cls((0,) * seats, rounds)

    @property
    @override
    def phase(self) -> str:
        """Return what the game waits for."""
        return "over" if self.result() else "go" if self.green else "wait"

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Offer the press of each seat, and what the box does: the signal, then the end of the round."""
        if self.result():
            return ()
        seat = Pick("seat", self._free, range(len(self.points)), self._barred, "buzz")
        clock = Number("ms", 0, SLOWEST_MS, source="clock"), Number("bound", 0, WORST_MS, source="bound")
        press = Ask(
            "press",
            message("Now!") if self.green else message("Wait …"),
            (seat, *clock) if self.green else (seat,),
            help=RULE,
        )
        if self.green:
            return (press, Ask("close", "Time is up", after_ms=CLOSE_MS, weight=0.2))
        return (press, Ask("signal", "Wait …", after_ms=WAIT_MS, weight=5))

    def do_press(self, seat: NamedSeat, ms: Reaction = 0, bound: Bound = 0) -> Self:
        """Note a reaction, or a false start: before the signal, or too early to be a reaction."""
        if ms < HUMAN_MS:
            points = tuple(own - (each == seat) for each, own in enumerate(self.points))
            return replace(self, points=points, out=tuple(sorted((*self.out, seat))))._next()
        return replace(self, times=(*self.times, (seat, Measured(ms, bound))))._next()

    def do_signal(self, seat: None) -> Self:
        """Switch the light to green."""
        return replace(self, green=True)

    def do_close(self, seat: None) -> Self:
        """End the round."""
        return self._end()

    @override
    def scores(self) -> tuple[int, ...]:
        """Return the points."""
        return self.points

    @override
    def result(self) -> Result | None:
        """Return the ranking after the last round."""
        return None if self.round <= self.rounds else Result(placed(self.points), message("most points"))

    @override
    def facts(self) -> dict[str, Any]:
        """Return the round, the light, and what happened in this round."""
        return {"round": self.round, "green": self.green, "out": self.out, "times": self.times}

    @override
    def view(self) -> View:
        """Return the round and the reactions; all lamps are dark until the signal."""
        head = message("round {round}/{rounds}", round=min(self.round, self.rounds), rounds=self.rounds)
        rows = tuple(Row(message("{who}", who=Who(seat)), (f"{time.ms} ms",)) for seat, time in self.times)
        return View(head, rows=rows, lamps=self._free if self.green else ())

    @override
    def calls(self, before: Self, act: Act) -> tuple[Call, ...]:
        """Say the signal, a false start, and who was first."""
        if act.verb == "signal":
            return (Call("go", message("Go!"), sound="time"),)
        seat = act.given.get("seat")
        if isinstance(seat, int) and self.points[seat] < before.points[seat]:
            return (Call("false-start", message("{who}: false start", who=Who(seat)), {"seat": seat}, sound="bad"),)
        first, ms = self.last
        if self.round == before.round or not first:
            return ()
        if len(first) > 1:
            return (Call("tied", message("Too close to call: {ms} ms", ms=ms), {"seats": first, "ms": ms}),)
        text = message("{who} was first: {ms} ms", who=Who(first[0]), ms=ms)
        return (Call("first", text, {"seat": first[0], "ms": ms}, sound="good"),)

    def _next(self) -> Self:
        """Return the position after a press: the round ends if no seat is left."""
        return self if self._free else self._end()

    def _end(self) -> Self:
        best = min((time for _, time in self.times), default=Measured())
        first = tuple(sorted(seat for seat, time in self.times if tied(time, best)))
        points = tuple(own + (seat in first) for seat, own in enumerate(self.points))
        last = first, best.ms
        return replace(self, points=points, round=self.round + 1, green=False, out=(), times=(), last=last)

    @property
    def _free(self) -> tuple[int, ...]:
        pressed = {*self.out, *(seat for seat, _ in self.times)}
        return tuple(seat for seat in range(len(self.points)) if seat not in pressed)

    def _barred(self, seat: int) -> str:
        if seat in self.out:
            return message("{who} has pressed too early.", who=Who(seat))
        return message("{who} has pressed already.", who=Who(seat))


RULE = "Press as soon as the lamps light up. The fastest scores 1, also in a tie. A press before the signal costs 1."
