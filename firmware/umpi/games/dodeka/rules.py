"""The rules of Dodéka (dice): a turn is up to three throws of three d12, and its best combination counts.

At the end of a part, the last seat pays the first seat. The rule sheet leaves some cases open. Here, dice score the
faces that they show. The play-off for the first place comes before the play-off for the last place. The stake is the
points of the last seat after all play-offs; it may be 0. So equal totals of a match are decided by the parts that each
seat has won. A part that has begun is always finished, even if the time is up. Option `scale` is an experiment with the
points of the combinations; the best one by these points counts. Option `ties` keeps the rule of older matches.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Literal, Self

from umpi.games.dodeka.alike import merged
from umpi.games.dodeka.combinations import PAIRTRAIZ, SHEET, Scale, combination
from umpi.games.dodeka.odds import Faces, best
from umpi.games.dodeka.part import DodekaPart
from umpi.games.dodeka.told import decided, told
from umpi.games.dodeka.worths import TurnPoints
from umpi.kernel import (
    Act,
    Ask,
    Call,
    Dice,
    Each,
    Field,
    Figure,
    Game,
    Given,
    Now,
    Number,
    Pick,
    Result,
    Row,
    Scope,
    Some,
    View,
    Who,
    message,
    message_n,
    override,
    placed,
    replace,
)
from umpi.kernel.messages import lined, names_of, paged

THROWS = 3
DICE = 3

Face = Annotated[int, range(1, 13)]
Kept = Annotated[tuple[Face, ...], range(3)]
Thrown = Annotated[tuple[Face, ...], range(1, 4)]
Ties = Literal["sets", "shared"]

_THROWN: tuple[tuple[Field, ...], ...] = tuple((Dice("dice", DICE - kept, 12),) for kept in range(DICE))
_PLAYOFFS = {"first": message("play-off: first place"), "last": message("play-off: last place")}

NEAR = 200  # points before the target: at 500 of 700, the rule sheet has a chip that announces the end

TURN = (
    "Roll all three dice. Up to twice, roll any of them again, even kept ones. If you stop early, the others may "
    "still roll 3 times."
)
END = (
    "The set ends after the round in which a player has {target} points or 13 with a pair. Then the last player pays "
    "their points to the first."
)


@dataclass(frozen=True, slots=True)
class Dodeka(Game):
    """A position of Dodéka, with its rules.

    >>> game = Dodeka.setup(3)
    >>> game.do_throw(0, (), (2, 3, 9)).do_throw(0, (2, 3), (3,)).do_throw(0, (3, 3), (9,)).facts()["last"]
    {'seat': 0, 'combination': 'pair', 'points': 40}
    """

    id: ClassVar = "dodeka"
    title: ClassVar = "Dodéka"
    umpi_api: ClassVar = 3
    wins: ClassVar = "highest"
    kind: ClassVar = "dice"
    pieces: ClassVar = {"keep": "die", "dice": "die"}
    seats: ClassVar = range(2, 7)
    options: ClassVar[tuple[Field, ...]] = (
        Number("target", 10, 10_000),
        Number("parts", 1, 100),
        Number("minutes", 1, 600, null=True),
        Each("scale", tuple(Number(name, 0, 999) for name in Scale._fields)),
        Pick("ties", ("sets", "shared")),
    )
    experiments: ClassVar = ("scale", "ties")
    option_help: ClassVar = {
        "scale": message("How many points each combination scores."),
        "ties": message("Who wins if totals are equal: the one who won the most sets, or all who are tied."),
    }
    revision: ClassVar = 2  # 2: the sets won decide between equal totals
    formerly: ClassVar = {1: {"ties": "shared"}}
    longest: ClassVar = 100_000
    worths: ClassVar = TurnPoints
    scopes: ClassVar = (
        Scope(
            2, {"target": 10, "parts": 2}, {"dice": ((1, 4, 8), (10, 10, 10), (1,), (5, 5))}, acts=12, merged=merged
        ),
        Scope(3, {"target": 10, "parts": 1}, {"dice": ((1, 1, 1), (3, 3, 7), (2, 3, 4))}, acts=12, merged=merged),
    )  # fmt: skip

    part: DodekaPart
    turn: int = 0
    dice: tuple[int, ...] = ()  # the faces on the table, ascending; empty before a turn's first throw
    thrown: int = 0  # how often in this turn
    won: tuple[int, ...] = ()  # the finished parts that each seat has won, also those with a stake of 0
    grid: tuple[tuple[int, ...], ...] = ()  # one row per finished part: the points of each seat
    last: tuple[int, str, int] | None = None  # seat, combination and points of the last finished turn
    target: int = 700
    parts: int = 3
    minutes: int | None = None
    scale: Scale = SHEET
    ties: Ties = "sets"
    time_up: bool = False
    over: bool = False

    @classmethod
    @override
    def setup(
        cls, seats: int, target: int = 700, parts: int = 3, minutes: int | None = None,
        scale: tuple[int, ...] = tuple(SHEET), ties: Ties = "sets",
    ) -> Self:  # fmt: skip
        """Return the first position of a match with parts to `target` points.

        The match has `parts` parts. If `minutes` is set, it has the parts that begin within these minutes instead.
        """
        part = DodekaPart.start(1, seats, 0)
        won = (0,) * seats
        return cls(part, won=won, target=target, parts=parts, minutes=minutes, scale=Scale(*scale), ties=ties)

    @classmethod
    @override
    def table_setup(cls, seats: int, target: int, parts: int, minutes: int | None, **_: object) -> tuple[str, ...]:
        """Return how to set the table up."""
        if minutes is None:
            length = message_n(
                "Play one set, to {target} points.",
                "Play {number} sets, each to {target} points.",
                parts,
                target=target,
            )
        else:
            template = "Play sets to {target} points. No set starts after {minutes} min."
            length = message(template, minutes=minutes, target=target)
        return (
            message("Roll the three twelve-sided dice inside the track."),
            message("6 and 9 are underlined."),
            message("You need no chips: the box counts the points."),
            length,
            message("{who} starts. The rule sheet says: roll a die.", who=Who(0)),
        )

    @property
    def throws(self) -> int:
        """Return how often a seat may throw in a turn. An expansion may return another number."""
        return THROWS

    @property
    def throws_left(self) -> int:
        """Return how often the seat may still throw in this turn."""
        return 0 if self.over else self.throws - self.thrown

    @property
    @override
    def phase(self) -> str:
        """Return the current step of the game."""
        return "over" if self.over else "throw"

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Offer a throw, a stop if dice have been thrown, and the end of time if the match has a time limit."""
        if self.over:
            return ()
        asks = _turn_asks(self.turn, self.dice, self.thrown, self.throws, self.scale, self.target)
        if self.minutes is not None and not self.time_up:
            return (*asks, _time_ask(self.minutes))
        return asks

    @override
    def now(self) -> Now | None:
        """Ask for a turn's first throw, then for the dice to keep."""
        if self.over:
            return None
        who, number, all = Who(self.turn), self.thrown + 1, self.throws
        if self.dice:
            template = "{who}: roll again ({number} of {all}) or stop."
            return Now(message(template, who=who, number=number, all=all), self.turn)
        voice = message("{who}: roll up to {all} times. Final dice?", who=who, all=all)
        return Now(message("{who}: {all} rolls max. Final dice?", who=who, all=all), self.turn, voice)

    def do_throw(self, seat: int, keep: Kept, dice: Thrown) -> Self:
        """Throw the dice that are not kept; the last throw ends the turn."""
        faces = tuple(sorted(keep + dice))
        if self.thrown + 1 == self.throws:
            return self._end_turn(faces)
        part = self.part if self.part.begun else replace(self.part, begun=True)
        return replace(self, part=part, dice=faces, thrown=self.thrown + 1)

    def do_stop(self, seat: int) -> Self:
        """End the turn with the dice as they are."""
        return self._end_turn(self.dice)

    def do_time_up(self, seat: None) -> Self:
        """Let no other part begin; if no part is in play, end the match."""
        if self.part.begun:
            return replace(self, time_up=True)
        return replace(self, time_up=True, over=True)

    @override
    def scores(self) -> tuple[int, ...]:
        """Return the total of each seat's column of the grid."""
        return tuple(map(sum, zip(*self.grid, strict=True))) if self.grid else (0,) * len(self.part.points)

    @override
    def standing(self) -> tuple[int, ...]:
        """Return each seat's total with its points of the part in play."""
        if self.over:
            return self.scores()
        return tuple(map(sum, zip(self.scores(), self.part.points, strict=True)))

    @override
    def result(self) -> Result | None:
        """Return the ranking of the seats by their grid totals, then by the parts won; None until the match ends."""
        if not self.over:
            return None
        totals, parts = self.scores(), len(self.grid)
        places = placed(tuple(zip(totals, self.won, strict=True)) if self.ties == "sets" else totals)
        if places.count(1) > 1:
            why = message_n(
                "tied for the most points after {number} set", "tied for the most points after {number} sets", parts
            )
        elif totals.count(max(totals)) > 1:
            won = self.won[places.index(1)]
            why = message_n(
                "tied for the most points, won {number} set", "tied for the most points, won {number} sets", won
            )
        else:
            why = message_n("most points after {number} set", "most points after {number} sets", parts)
        return Result(places, why)

    @override
    def facts(self) -> dict[str, Any]:
        """Return the dice, the part and the grid."""
        names = ("seat", "combination", "points")
        return {
            "dice": self.dice,
            "throws_left": self.throws_left,
            "part": self.part.number,
            "points": self.part.points,
            "pairtraiz": self.part.pairtraiz,
            "grid": self.grid,
            "last": dict(zip(names, self.last, strict=True)) if self.last else None,
            "playoff": None if self.over else self.part.playoff,
            "time_up": self.time_up,
        }

    @override
    def shown_facts(self) -> dict[str, Any]:
        """Return the facts, with the combination of the dice on the table and the points that end a part."""
        name, points = combination(self.dice, self.scale) if self.dice else ("", 0)
        return {**self.facts(), "combination": name, "worth": points, "target": self.target}

    @override
    def view(self) -> View:
        """Return the part's points, to be shown next to the grid totals, the combination of the dice, and the round.

        The round comes first when it begins. Once the match is over, only the totals count.
        """
        made = self.part.pairtraiz
        points = tuple("13!" if seat in made else str(own) for seat, own in enumerate(self.part.points))
        last = (_made("last", *self.last[1:]),) if self.last else ()
        if self.over:
            return View(self._head(), rows=last)
        rows = (_made("dice", *combination(self.dice, self.scale), self.dice),) if self.dice else last
        begins = self.turn == self.part.seats[0] and not self.dice
        rows = (self._round(), *rows) if begins else (*rows, self._round())
        if len(points) == 2:  # one row, because two would take the room of the large points
            rows = rows[:1]
        return View(self._head(), points, rows, large=True)

    @override
    def told(self, act: Act) -> str:
        """Return what somebody does, in a sentence."""
        return told(act, self.turn, self.dice)

    @override
    def decided(self, act: Act) -> str:
        """Return which dice somebody keeps, and how many hands roll now."""
        return decided(act, self.turn, DICE)

    @override
    def calls(self, before: Self, act: Act) -> tuple[Call, ...]:
        """Return the result of a turn, that the end is near, the last round, play-offs, who begins, and time up."""
        if act.verb == "time-up":
            return () if self.over else (Call("time-up", message("Time is up: this set is the last")),)
        if (act.verb == "throw" and before.throws_left > 1) or self.last is None:
            return ()  # the turn has not ended
        scored, part = _scored(*self.last), self.part
        if len(self.grid) > len(before.grid) and not self.over:  # the next set has begun
            part = before.part.after_turn(*self.last, before.target)
        if part.first is not None and part.last is not None:
            begins = () if self.over else (_begins(self.part),)
            return scored, _part_over(part, part.first, part.last), *begins
        if part.place and (part.place, part.seats) != (before.part.place, before.part.seats):
            return scored, _playoff(part)
        if not part.place and part.ends(before.target) and not before.part.ends(before.target):
            return scored, Call("last-round", message("This round is the last of the set"))
        own, near = part.points[before.turn], before.target - NEAR
        if before.part.points[before.turn] < near <= own and near > 0 and not part.ends(before.target):
            return scored, _end_is_near(before.turn, own)
        return (scored,)

    @override
    def odds(self) -> tuple[Row, ...]:
        """Return the dice to keep for the most points on average, and the dice to keep for the pairtraiz."""
        if self.over:
            return ()
        keep, points = best("points", self.dice, self.throws_left, self.scale)
        keep_pairtraiz, chance = best("pairtraiz", self.dice, self.throws_left, self.scale)
        return (
            Row(message("points"), (*self._kept(keep), Figure(f"{float(points):.1f}"))),
            Row(message("pairtraiz"), (*self._kept(keep_pairtraiz), Figure(f"{float(chance):.1%}"))),
        )

    @override
    def audit(self) -> str:
        """Check that each row of the grid sums to 0, and that there are no dice or three."""
        if any(sum(row) for row in self.grid):
            return "a row of the grid does not sum to 0"
        return "" if len(self.dice) in (0, DICE) else "there are not three dice"

    def _head(self) -> str:
        """Return the number of the part, or the play-off, and whether this round is the last."""
        if self.part.place and not self.over:
            return _PLAYOFFS[self.part.place]
        goal = "" if self.minutes else f"/{self.parts}"
        if self.part.ends(self.target) and not self.over:
            return message("set {part}{goal}, last round", part=self.part.number, goal=goal)
        return message("set {part}{goal}", part=self.part.number, goal=goal)

    def _round(self) -> Row:
        """Return who plays last in the round, and what the winner would get now."""
        stake = self.part.stake
        ends = message("round ends with {last}", last=Who(self.part.seats[-1]))
        return Row(ends, (message("stake {points}", points=stake),) if stake else ())

    def _kept(self, keep: Faces | None) -> tuple[str, ...]:
        """Return the advice for the dice on the table; empty before the first throw, when there is no choice."""
        if not self.dice:
            return ()
        if keep is None:
            return (message("stop"),)
        return (message("keep {dice}", dice=" ".join(map(str, keep))) if keep else message("roll all"),)

    def _end_turn(self, dice: tuple[int, ...]) -> Self:
        name, points = combination(dice, self.scale)
        last = (self.turn, name, points)
        part = self.part.after_turn(self.turn, name, points, self.target)
        if part.first is None or part.last is None:
            seats = self.part.seats
            after = seats.index(self.turn) + 1
            turn = seats[after] if after < len(seats) else part.seats[0]
            return replace(self, part=part, turn=turn, dice=(), thrown=0, last=last)
        return self._end_part(part, part.first, part.last, last)

    def _end_part(self, part: DodekaPart, first: int, last: int, last_turn: tuple[int, str, int]) -> Self:
        stake = part.points[last]
        row = [0] * len(part.points)
        row[first] += stake
        row[last] -= stake
        won = tuple(parts + (seat == first) for seat, parts in enumerate(self.won))
        ended = replace(self, won=won, grid=(*self.grid, tuple(row)), last=last_turn, dice=())
        if self.time_up if self.minutes is not None else len(ended.grid) == self.parts:
            return replace(ended, part=part, over=True, thrown=0)
        return replace(ended, part=DodekaPart.start(part.number + 1, len(row), last), turn=last, thrown=0)


@lru_cache(maxsize=4096)
def _turn_asks(
    seat: int, dice: tuple[int, ...], thrown: int, throws: int, scale: Scale, target: int
) -> tuple[Ask, ...]:  # fmt: skip
    then = "stop" if thrown + 1 < throws else ""
    (roll, which), rule = _roll(thrown + 1, throws), _rule(scale, target)
    if not dice:
        none_kept = Some("keep", (), 0, 0)
        return (Ask("throw", roll, (none_kept, *_THROWN[0]), seat, rule, followed_by=then, question="Final dice"),)
    keep = Some("keep", dice, 0, DICE - 1, text=which)
    stop = "You may stop after any roll and score what the dice make."
    return (
        Ask("throw", roll, (keep,), seat, rule, _the_others, followed_by=then, question="Roll again or stop?"),
        Ask("stop", "Stop", (), seat, stop),
    )


@lru_cache
def _roll(number: int, all: int) -> tuple[str, str]:
    """Return the text of a turn's roll, and the question before it."""
    return (
        message("Roll {number} of {all}", number=number, all=all),
        message("Roll {number} of {all}: keep which dice?", number=number, all=all),
    )


@lru_cache
def _rule(scale: Scale, target: int) -> str:
    """Return the rule of a turn, with the points of the combinations and the end on pages of their own."""
    return paged((message(TURN), _points(scale), message(END, target=target)))


def _points(scale: Scale) -> str:
    """Return the points of the combinations as a page of the screen: six lines of 25 letters."""
    points = scale._asdict()
    return lined(
        (
            message("13 with a pair: wins set"),
            message("triple: {brelan}", **points),
            message("sum of 13: {thirteen}", **points),
            message("run: {suite}, pair: {pair}", **points),
            message("over 29: {over_29}, 20–29: {from_20}", **points),
            message("10–19: {from_10}, below 10: 0", **points),
        )
    )


def _the_others(given: Given) -> tuple[Field, ...]:
    kept = given["keep"]
    assert isinstance(kept, tuple)
    return _THROWN[len(kept)]


@lru_cache
def _time_ask(minutes: int) -> Ask:
    help = "No new set starts after time is up; finish the current one."
    return Ask("time-up", "Time is up", (), None, help, weight=0.01, rare=True, at_ms=minutes * 60_000)


def _made(label: str, name: str, points: int, dice: tuple[int, ...] = ()) -> Row:
    if dice and name == "sum":
        name = message("sum {total}:", total=sum(dice))
    scored = (message("{points} points", points=points),) if name != PAIRTRAIZ else ()
    return Row(label, (*map(str, dice), name, *scored))


def _scored(seat: int, combination: str, points: int) -> Call:
    if combination == PAIRTRAIZ:
        return Call("pairtraiz", message("Pairtraiz! {who} has 13 with a pair", who=Who(seat)), {"seat": seat})
    text = message("{who} scores {points} points: {combination}", who=Who(seat), points=points, combination=combination)
    return Call("scored", text, {"seat": seat, "combination": combination, "points": points})


def _playoff(part: DodekaPart) -> Call:
    seats = tuple(sorted(part.seats))
    template = "Play-off for first place: {who}" if part.place == "first" else "Play-off for last place: {who}"
    return Call("play-off", message(template, who=names_of(seats)), {"for": part.place, "seats": seats})


def _end_is_near(seat: int, points: int) -> Call:
    text = message("{who} has {points} points: the end of the set is near", who=Who(seat), points=points)
    return Call("near-end", text, {"seat": seat, "points": points})


def _begins(part: DodekaPart) -> Call:
    """Return the call that the loser begins the next set: "honneur au perdant"."""
    seat = part.starter
    return Call(
        "begins",
        message("{who} starts set {part}", who=Who(seat), part=part.number),
        {"seat": seat, "part": part.number},
    )


def _part_over(part: DodekaPart, first: int, last: int) -> Call:
    stake = part.points[last]
    text = message(
        "{who} wins set {part}, {payer} pays {stake}", who=Who(first), part=part.number, payer=Who(last), stake=stake
    )
    return Call("part", text, {"part": part.number, "first": first, "last": last, "stake": stake})
