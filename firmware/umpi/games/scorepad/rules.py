"""The rules of the score pad: seats add or subtract points, in one column per seat.

The game ends at the target, after the last round, when the time is up, or when the players end it. If there are
rounds, each seat scores once per round, in any order. A round that has begun is always finished.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import Annotated, Any, ClassVar, Literal, Self

from umpi.games.scorepad.column import Column
from umpi.games.scorepad.dealer import ScorePadTable
from umpi.games.scorepad.told import told
from umpi.kernel import (
    Act,
    Ask,
    Call,
    Field,
    Game,
    NamedSeat,
    Now,
    Number,
    Pick,
    Result,
    Row,
    Scope,
    View,
    Who,
    message,
    override,
    placed,
    replace,
)

Wins = Literal["highest", "lowest"]
Points = Annotated[int, range(-9999, 10_000)]
Total = Annotated[int, range(-99_999, 100_000)]

SET = "If points were scored without the box, enter the new total."
SCORE = "Press your button, then enter the points. Points below 0 are deducted. OK saves them."
ROUND = "Each player scores once per round. To enter another player’s points, hold Back, then choose Score: details."


@dataclass(frozen=True, slots=True)
class ScorePad(Game):
    """A position of the score pad, with its rules.

    >>> pad = ScorePad.setup(2, target=10).do_score(1, 7).do_score(0, -2).do_score(1, 3)
    >>> pad.scores(), pad.result().winners
    ((-2, 10), (1,))
    """

    id: ClassVar = "scorepad"
    title: ClassVar = "Score pad"
    umpi_api: ClassVar = 3
    seats: ClassVar = range(1, 7)
    options: ClassVar[tuple[Field, ...]] = (
        Pick("wins", ("highest", "lowest")),
        Number("target", 1, 100_000, null=True),
        Number("rounds", 1, 100, null=True),
        Number("minutes", 1, 600, null=True),
    )
    longest: ClassVar = 10_000
    scopes: ClassVar = (Scope(2, {"rounds": 2}, {"points": (-1, 0, 2)}),)
    dealer: ClassVar = ScorePadTable

    columns: tuple[Column, ...]  # the entries of each seat
    wins: Wins = "highest"
    target: int | None = None  # the game ends if a seat reaches this total
    rounds: int | None = None  # the rows of the pad; None: seats score at any time
    minutes: int | None = None
    turn: int = 0  # the search for the next seat to score starts here, clockwise
    left: tuple[int, ...] = ()  # seats that have left, ascending
    time_up: bool = False
    finished: bool = False  # whether the players have ended the game

    @classmethod
    @override
    def setup(
        cls, seats: int, wins: Wins = "highest", target: int | None = None, rounds: int | None = None,
        minutes: int | None = None,
    ) -> Self:  # fmt: skip
        """Return the first position: an empty pad."""
        return cls((Column(),) * seats, wins, target, rounds, minutes)

    @property
    @override
    def phase(self) -> str:
        """Return the current step of the game."""
        return "over" if self._over else "score"

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Offer a score and the rare acts: set a total by hand, end the game, time up, a seat leaves."""
        if self._over:
            return ()
        free = self._next
        seat = Pick("seat", free, range(len(self.columns)), self._barred, "buzz", text="Score for whom?")
        points = Number("points", -9999, 9999)
        usual = {"seat": free[0]} if self.rounds else None
        asks = [Ask("score", "Score", (seat, points), help=ROUND if self.rounds else SCORE, usual=usual)]
        if not self.rounds:
            total = Number("total", -99_999, 99_999)
            asks.append(Ask("finish", "The match is over", help="Scores are final.", weight=0.05, rare=True))
            asks.append(Ask("set", "Set score manually", (Pick("seat", free), total), help=SET, weight=0.02, rare=True))
        if self.minutes and not self.time_up:
            at_ms = self.minutes * 60_000
            asks.append(
                Ask("time-up", "Time is up", help="Finish the current round.", weight=0.01, rare=True, at_ms=at_ms)
            )
        if len(playing := self._playing) > 1:
            asks.append(
                Ask("leave", "Player leaves", (Pick("seat", playing),), help="The points stay.", weight=0.01, rare=True)
            )
        return tuple(asks)

    @override
    def now(self) -> Now | None:
        """Ask for points: of the next seat if there are rounds, else of whoever has scored."""
        if self._over:
            return None
        if not self.rounds:
            return Now(message("Who scores?"), voice=message("Press your button, then enter points."))
        seat = self._next[0]
        return Now(message("{who}: enter your points of round {row}.", who=Who(seat), row=self._round), seat)

    def do_score(self, seat: NamedSeat, points: Points) -> Self:
        """Add points to the seat's column."""
        column = self.columns[seat].added(points)
        return replace(self, columns=(*self.columns[:seat], column, *self.columns[seat + 1 :]), turn=seat + 1)

    def do_set(self, seat: NamedSeat, total: Total) -> Self:
        """Add the difference that brings the seat to a given total."""
        return replace(self.do_score(seat, total - self.columns[seat].total), turn=self.turn)

    def do_finish(self, seat: None) -> Self:
        """End the game."""
        return replace(self, finished=True)

    def do_time_up(self, seat: None) -> Self:
        """Mark the time as up; the game ends as soon as no round is in play."""
        return replace(self, time_up=True)

    def do_leave(self, seat: NamedSeat) -> Self:
        """Remove a seat from play; it keeps its points."""
        return replace(self, left=tuple(sorted((*self.left, seat))))

    @override
    def scores(self) -> tuple[int, ...]:
        """Return the total of each column."""
        return tuple(column.total for column in self.columns)

    @override
    def result(self) -> Result | None:
        """Return the ranking of all seats by their totals; equal totals share a place. None until the game ends."""
        if not self._over:
            return None
        if self.wins == "lowest":
            return Result(placed(tuple(-total for total in self.scores())), message("fewest points"))
        return Result(placed(self.scores()), message("most points"))

    @override
    def told(self, act: Act) -> str:
        """Return what somebody does, in a sentence."""
        return told(act)

    @override
    def calls(self, before: Self, act: Act) -> tuple[Call, ...]:
        """Return that this round is the last, if the time is up while it is in play."""
        if act.verb != "time-up" or self._over:
            return ()
        return (Call("time-up", message("Time is up: this round is the last")),)

    @override
    def facts(self) -> dict[str, Any]:
        """Return the totals, and the pad row by row: None if a seat has no entry in a row."""
        return {
            "totals": self.scores(),
            "rows": tuple(zip_longest(*self.columns)),
            "round": self._round if self.rounds else None,
            "left": self.left,
            "time_up": self.time_up,
        }

    @override
    def view(self) -> View:
        """Return the row or the target, a cross for each seat that has left, and the last points of each seat.

        If there are rounds, the last points are those of the current row. Before anybody scores in it, there is none.
        """
        row = self._round if self.rounds else 1
        last = tuple(str(column.last) if column and len(column) >= row else "_" for column in self.columns)
        crosses = tuple("x" if seat in self.left else "" for seat in range(len(self.columns)))
        head = message("to {target}", target=self.target) if self.target else ""
        if self.rounds:
            head = message("round {row}/{rows}", row=row, rows=self.rounds)
        return View(head, crosses, (Row(message("last"), last),) if any(each != "_" for each in last) else ())

    @override
    def audit(self) -> str:
        """Check that no seat is two rows ahead of another."""
        ahead = max(map(len, self.columns)) - self._whole
        return "a seat is two rows ahead" if self.rounds and ahead > 1 else ""

    @property
    def _playing(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(len(self.columns)) if seat not in self.left)

    @property
    def _next(self) -> tuple[int, ...]:
        """Return the seats that may score, clockwise."""
        clockwise = sorted(self._playing, key=lambda seat: (seat - self.turn) % len(self.columns))
        return tuple(seat for seat in clockwise if not self._barred(seat))

    @property
    def _whole(self) -> int:
        """Return the number of rows that all active seats have filled."""
        return min(len(self.columns[seat]) for seat in self._playing)

    @property
    def _round(self) -> int:
        """Return the number of the current row, or of the last row if the game is over."""
        return self._whole + (not self._over)

    @property
    def _over(self) -> bool:
        if self.rounds and max(map(len, self.columns)) > self._whole:
            return False  # a round is in play
        if self.finished or self.time_up or (self.target is not None and max(self.scores()) >= self.target):
            return True
        return self.rounds is not None and self._whole == self.rounds

    def _barred(self, seat: object) -> str:
        """Return why a seat may not score now, "" if it may."""
        assert isinstance(seat, int)
        if seat in self.left:
            return message("{who} has left.", who=Who(seat))
        if self.rounds and len(self.columns[seat]) > self._whole:
            return message("{who} has already scored.", who=Who(seat))
        return ""
