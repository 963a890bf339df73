"""Score pad: points added or taken, a column a seat, until the target, the last round, the clock or the table ends it.

With rounds each seat scores once a round, in any order, and a round begun is finished, whatever is reached meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import Annotated, Any, ClassVar, Literal, Self

from umpi.games.scorepad.dealer import ScorePadTable
from umpi.kernel import Ask, Field, NamedSeat, Number, Pick, Result, Row, View, Who, message, placed, replace

Wins = Literal["highest", "lowest"]
Points = Annotated[int, range(-9999, 10_000)]
Total = Annotated[int, range(-99_999, 100_000)]

SET = "What was scored without the box: the total as the table knows it."
SCORE = "Press your button, then add up the points; below 0 they are taken away. OK writes them down."
ROUND = "Each seat scores once a round. Another seat than the next: Back, then Score: all of it."


@dataclass(frozen=True, slots=True)
class ScorePad:
    """A position of the score pad.

    >>> pad = ScorePad.setup(2, target=10).do_score(1, 7).do_score(0, -2).do_score(1, 3)
    >>> pad.scores(), pad.result().winners
    ((-2, 10), (1,))
    """

    id: ClassVar = "scorepad"
    title: ClassVar = "Score pad"
    seats: ClassVar = range(1, 7)
    options: ClassVar[tuple[Field, ...]] = (
        Pick("wins", ("highest", "lowest")),
        Number("target", 1, 100_000, null=True),
        Number("rounds", 1, 100, null=True),
        Number("minutes", 1, 600, null=True),
    )
    longest: ClassVar = 10_000
    dealer: ClassVar = ScorePadTable

    columns: tuple[tuple[int, ...], ...]  # what each seat has scored, from the top of the pad
    wins: Wins = "highest"
    target: int | None = None  # the game ends once a seat has so many
    rounds: int | None = None  # the rows of the pad, None: seats score whenever they like
    minutes: int | None = None
    turn: int = 0  # the seat from which, clockwise, the next to score is looked for
    left: tuple[int, ...] = ()  # seats that have gone, ascending
    time_up: bool = False
    finished: bool = False  # by the table's own word

    @classmethod
    def setup(
        cls, seats: int, wins: Wins = "highest", target: int | None = None, rounds: int | None = None,
        minutes: int | None = None,
    ) -> Self:  # fmt: skip
        """Begin with an empty pad."""
        return cls(((),) * seats, wins, target, rounds, minutes)

    @property
    def phase(self) -> str:
        """The step the game waits in."""
        return "over" if self._over else "score"

    def asks(self) -> tuple[Ask, ...]:
        """Offer a score, and what seldom happens: a total set by hand, the table's end, time up, a seat that leaves."""
        if self._over:
            return ()
        free = self._next
        seat = Pick("seat", free, range(len(self.columns)), self._barred, "buzz")
        points = Number("points", -9999, 9999)
        usual = {"seat": free[0]} if self.rounds else None
        asks = [Ask("score", "Score", (seat, points), help=ROUND if self.rounds else SCORE, usual=usual)]
        if not self.rounds:
            total = Number("total", -99_999, 99_999)
            asks.append(Ask("finish", "The game is over", help="The scores stand.", weight=0.05))
            asks.append(Ask("set", "Set a score by hand", (Pick("seat", free), total), help=SET, weight=0.02))
        if self.minutes and not self.time_up:
            after_ms = self.minutes * 60_000
            asks.append(Ask("time-up", "Time is up", help="A round begun is finished.", weight=0.01, after_ms=after_ms))
        if len(playing := self._playing) > 1:
            asks.append(Ask("leave", "A seat leaves", (Pick("seat", playing),), help="Its points stand.", weight=0.01))
        return tuple(asks)

    def do_score(self, seat: NamedSeat, points: Points) -> Self:
        """Write points under those the seat has."""
        column = (*self.columns[seat], points)
        return replace(self, columns=(*self.columns[:seat], column, *self.columns[seat + 1 :]), turn=seat + 1)

    def do_set(self, seat: NamedSeat, total: Total) -> Self:
        """Write what brings the seat to a total that the table knows."""
        return replace(self.do_score(seat, total - sum(self.columns[seat])), turn=self.turn)

    def do_finish(self, seat: None) -> Self:
        """End the game."""
        return replace(self, finished=True)

    def do_time_up(self, seat: None) -> Self:
        """End the game once no round is in play."""
        return replace(self, time_up=True)

    def do_leave(self, seat: NamedSeat) -> Self:
        """Ask a seat no more."""
        return replace(self, left=tuple(sorted((*self.left, seat))))

    def scores(self) -> tuple[int, ...]:
        """Total the columns."""
        return tuple(map(sum, self.columns))

    def result(self) -> Result | None:
        """Rank all seats by their totals, ties share."""
        if not self._over:
            return None
        if self.wins == "lowest":
            return Result(placed(tuple(-total for total in self.scores())), message("fewest points"))
        return Result(placed(self.scores()), message("most points"))

    def facts(self) -> dict[str, Any]:
        """Tell the totals, and the pad row by row: null where a seat has nothing."""
        return {
            "totals": self.scores(),
            "rows": tuple(zip_longest(*self.columns)),
            "round": self._round if self.rounds else None,
            "left": self.left,
            "time_up": self.time_up,
        }

    def view(self) -> View:
        """Show the row or the target, who has left, and the last points a seat, with rounds of this row."""
        row = self._round if self.rounds else 1
        last = tuple(str(column[-1]) if column and len(column) >= row else "_" for column in self.columns)
        crosses = tuple("x" if seat in self.left else "" for seat in range(len(self.columns)))
        head = message("to {target}", target=self.target) if self.target else ""
        if self.rounds:
            head = message("row {row}/{rows}", row=row, rows=self.rounds)
        return View(head, crosses, (Row(message("last"), last),))

    def audit(self) -> str:
        """Check that nobody is a round ahead."""
        ahead = max(map(len, self.columns)) - self._whole
        return "a seat is two rows ahead" if self.rounds and ahead > 1 else ""

    @property
    def _playing(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(len(self.columns)) if seat not in self.left)

    @property
    def _next(self) -> tuple[int, ...]:
        """The seats that may score, clockwise."""
        clockwise = sorted(self._playing, key=lambda seat: (seat - self.turn) % len(self.columns))
        return tuple(seat for seat in clockwise if not self._barred(seat))

    @property
    def _whole(self) -> int:
        """How many rows all who play have filled."""
        return min(len(self.columns[seat]) for seat in self._playing)

    @property
    def _round(self) -> int:
        """The row in play, or the last one."""
        return self._whole + (not self._over)

    @property
    def _over(self) -> bool:
        if self.rounds and max(map(len, self.columns)) > self._whole:
            return False  # a round is in play
        reached = self.target is not None and max(self.scores()) >= self.target
        return self.finished or self.time_up or reached or self._whole == self.rounds

    def _barred(self, seat: object) -> str:
        """Say why a seat may not score now, "" where it may."""
        assert isinstance(seat, int)
        if seat in self.left:
            return message("{who} has left.", who=Who(seat))
        if self.rounds and len(self.columns[seat]) > self._whole:
            return message("{who} has scored in this round.", who=Who(seat))
        return ""
