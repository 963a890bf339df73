"""The rules of Battledodes (dice): keep, roll and attack; then the remaining dodes of the other seat score.

Dodes that a clash sends back to hand are rolled at once, and may clash again. So the open rolls form a stack. The
turn's roll is at the bottom, and the rolls belong to the two seats alternately. Options `dodes` and `multipliers` are
experiments with the numbers of the rule sheet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, Self, TypedDict

from umpi.games.battledodes import offer
from umpi.games.battledodes.attack import attackers, best_attack
from umpi.games.battledodes.dodes import (
    DODES,
    FORFEITED,
    HEXES,
    IN_HAND,
    MISSED,
    MULTIPLIERS,
    OUT,
    Dode,
    Face,
    Hex,
    Number,
    Side,
    label,
    lying,
    numbers,
    on_board,
    put,
    worth,
)
from umpi.games.battledodes.told import told
from umpi.kernel import (
    Act,
    Ask,
    Call,
    Each,
    Field,
    Game,
    Now,
    Result,
    Row,
    Scope,
    View,
    Who,
    message,
    message_n,
    override,
    replace,
)
from umpi.kernel import Number as WholeNumber
from umpi.kernel.messages import listed

Phase = Literal["roll-off", "keep", "roll", "answer", "attack", "over"]
Fault = Literal["out", "far-side", "no-wall", "disputed"]
Choice = Literal["replace", "reroll"]


class Moved(TypedDict):
    """The new place and face of a dode that a roll of its own seat has moved."""

    dode: Number
    face: Face
    hex: Hex


Shifted = Annotated[tuple[Moved, ...], range(DODES)]
Knocked = Annotated[tuple[Number, ...], range(DODES)]
Struck = Annotated[tuple[Number, ...], range(1, DODES + 1)]


@dataclass(frozen=True, slots=True)
class Battledodes(Game):
    """A position of Battledodes, with its rules.

    >>> game = Battledodes.setup(2).do_roll_off(None, (9, 4)).do_land(0, 1, 8, 3).do_land(0, 2, 5, 2)
    >>> game.do_land(0, 3, 12, 1).do_land(0, 4, 7, 0).facts()["pending"]
    (46, 0)
    """

    id: ClassVar = "battledodes"
    title: ClassVar = "Battledodes"
    umpi_api: ClassVar = 3
    wins: ClassVar = "highest"
    kind: ClassVar = "dice"
    pieces: ClassVar = {
        **dict.fromkeys(("dode", "dodes", "with", "on", "hit", "knocked"), "dode"), "faces": "die", "face": "die",
    }  # fmt: skip
    seats: ClassVar = range(2, 3)
    options: ClassVar[tuple[Field, ...]] = (
        WholeNumber("target", 1, 1000),
        WholeNumber("dodes", 1, DODES),
        Each("multipliers", tuple(WholeNumber(str(hex), 1, 20) for hex in HEXES[1:])),
    )
    experiments: ClassVar = ("dodes", "multipliers")
    option_help: ClassVar = {
        "dodes": message("How many dodes each player has."),
        "multipliers": message("What the faces on each hexagon are multiplied by."),
    }
    longest: ClassVar = 5000
    scopes: ClassVar = (
        Scope(
            2, {"target": 1, "dodes": 1},
            {"faces": ((3, 7), (7, 3), (5, 5)), "face": (1, 12), "moved": ((),), "knocked": ((),)},
        ),
    )  # fmt: skip
    rolls_off: ClassVar = True
    reported: ClassVar = ("roll",)
    revision: ClassVar = 2  # 2: a miss or a clash may move own dodes, and some of the dodes hit may be rolled again

    target: int
    dodes: tuple[Side, ...] = ((IN_HAND,) * DODES,) * 2
    totals: tuple[int, ...] = (0, 0)
    phase: Phase = "roll-off"
    turn: int = 0
    rolls: tuple[tuple[int, ...], ...] = ()  # dodes still to be rolled: the turn's roll, then nested re-rolls
    hit: tuple[int, ...] = ()  # dodes hit in a clash, until the other seat answers
    spent: tuple[int, ...] = ()  # dodes that have attacked in this turn
    multipliers: tuple[int, ...] = MULTIPLIERS  # of each hexagon, the dead zone first

    @classmethod
    @override
    def setup(
        cls, seats: int, target: int = 144, dodes: int = DODES, multipliers: tuple[int, ...] = MULTIPLIERS[1:]
    ) -> Self:
        """Return the first position: before the roll-off, with all dodes in hand."""
        return cls(target, ((IN_HAND,) * dodes,) * 2, multipliers=(0, *multipliers))

    @classmethod
    @override
    def table_setup(cls, seats: int, target: int, dodes: int, **_: object) -> tuple[str, ...]:
        """Return how to set the table up."""
        return (
            message("Sit on opposite sides, with the wall between you."),
            message("The wall is 26 cm wide, 4 cm high and 3 cm deep."),
            message("Two glued 12 mm sheets of plywood, 2.4 cm deep, also work."),
            message_n(
                "Each player has a dode, a twelve-sided die.",
                "Each player has {number} dodes, twelve-sided dice.",
                dodes,
            ),
            message("Roll one dode each: the higher number starts."),
            message_n("One point wins.", "{number} points win.", target),
        )

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Offer the acts of the phase."""
        seat = self.roller
        mine, theirs = self.dodes[seat], self.dodes[1 - seat]
        match self.phase:
            case "roll":
                return offer.roll(seat, self.rolls[-1], mine, theirs)
            case "attack":
                return offer.attack(seat, mine, theirs, self.spent)
            case "keep":
                return offer.keep(seat, mine)
            case "answer":
                return offer.answer(1 - seat, theirs, self.hit)
            case "roll-off":
                return offer.roll_off()
            case "over":
                return ()

    @override
    def now(self) -> Now | None:
        """Say who must do what with a dode; the dodes that were hit have names, those in hand have none."""
        seat = self.roller
        who = Who(seat)
        match self.phase:
            case "roll-off":
                return Now(message("Roll one dode each. {who}’s face?", who=Who(0)))
            case "keep":
                return Now(message("{who}: mark dodes to keep, then OK.", who=who), seat)
            case "roll" if self.dodes[seat][self.rolls[-1][0] - 1].missed:
                return Now(message("{who}: roll the dode again. Which face?", who=who), seat)
            case "roll" if len(self.rolls) > 1:
                return Now(message("{who}: roll a dode that was hit. Which face?", who=who), seat)
            case "roll":
                return Now(message("{who}: bounce a dode. Which face?", who=who), seat)
            case "answer":
                return self._struck_now(1 - seat)
            case "attack":
                return Now(message("{who}: attack with a dode, or press Done.", who=who), seat)
            case "over":
                return None

    def _struck_now(self, seat: int) -> Now:
        """Ask the seat whose dodes were hit what becomes of them."""
        if len(self.hit) > 1:
            return Now(message("{who}: put back the dodes that were hit, or roll them again.", who=Who(seat)), seat)
        template = "{who}: put your {dode} back, or roll it again."
        return Now(message(template, who=Who(seat), dode=on_board(self.dodes[seat], self.hit[0])), seat)

    def do_roll_off(self, seat: None, faces: Annotated[tuple[Face, ...], range(2, 3)]) -> Self:
        """Let the seat with the higher face begin; if the faces are equal, the roll-off is repeated."""
        first, second = faces
        return self if first == second else replace(self, turn=int(second > first))._begin()

    def do_keep(self, seat: int, dodes: Annotated[tuple[Number, ...], range(DODES + 1)]) -> Self:
        """Take up all other dodes to roll them; if there are none, continue with the attack."""
        taken = tuple(number for number in numbers(self.dodes[seat]) if number not in dodes)
        if not taken:
            return self._attack()
        return replace(
            self, dodes=self._sides(seat, put(self.dodes[seat], taken, IN_HAND)), phase="roll", rolls=(taken,)
        )

    def do_land(
        self,
        seat: int,
        dode: Number,
        face: Face,
        hex: Hex,
        moved: Shifted = (),
        knocked: Knocked = (),
    ) -> Self:
        """Place a dode on the board.

        Dodes that it moved keep their new places. Dodes that it knocked out are rolled again.
        """
        game = self._shifted(seat, moved, knocked)
        return game._rolled(seat, put(game.dodes[seat], (dode,), Dode("board", face, hex)), dode)

    def do_miss(self, seat: int, dode: Number, why: Fault, moved: Shifted = (), knocked: Knocked = ()) -> Self:
        """Mark a dode as missed, so that it may be waived; the seat's dodes that it moved are treated as in `land`."""
        game = self._shifted(seat, moved, knocked)
        return replace(game, dodes=game._sides(seat, put(game.dodes[seat], (dode,), MISSED)))

    def do_waive(self, seat: int, dode: Number) -> Self:
        """Leave a dode off the board until the seat's next turn."""
        return self._rolled(seat, put(self.dodes[seat], (dode,), OUT), dode)

    def do_crash(self, seat: int, dode: Number, hit: Annotated[tuple[Number, ...], range(1, DODES)]) -> Self:
        """Forfeit a dode and all dodes that it hit."""
        return self._rolled(seat, put(self.dodes[seat], (dode, *hit), FORFEITED), dode)

    def do_clash(
        self, seat: int, dode: Number, hit: Struck, moved: Shifted = (), knocked: Knocked = ()
    ) -> Self:  # fmt: skip
        """Let the other seat decide about the dodes that were hit; the seat's own ones are treated as in `land`."""
        return replace(self._shifted(seat, moved, knocked), phase="answer", hit=hit)

    def do_answer(self, seat: int, choice: Choice, dodes: Struck = ()) -> Self:
        """Put back the dodes that were hit, or take up all of them or those of `dodes`, which are rolled next."""
        if choice == "replace":
            return replace(self, phase="roll", hit=())
        again = tuple(sorted(dodes or self.hit))
        sides = self._sides(seat, put(self.dodes[seat], again, IN_HAND))
        return replace(self, dodes=sides, phase="roll", rolls=(*self.rolls, again), hit=())

    def do_attack(self, seat: int, with_: Number, on: Number) -> Self:
        """Reduce the target's face by the attacker's face; at 0 or below the target leaves the board."""
        theirs = self.dodes[1 - seat]
        target = theirs[on - 1]
        face = target.face - self.dodes[seat][with_ - 1].face
        struck = put(theirs, (on,), Dode("board", face, target.hex) if face > 0 else OUT)
        return replace(self, dodes=self._sides(1 - seat, struck), spent=(*self.spent, with_))._attack()

    def do_done(self, seat: int) -> Self:
        """End the attacks."""
        return self._pass()

    @override
    def scores(self) -> tuple[int, ...]:
        """Return the totals."""
        return self.totals

    @override
    def result(self) -> Result | None:
        """Return the result if a seat has reached the target, None otherwise."""
        if self.phase != "over":
            return None
        won = self.totals[0] >= self.target
        return Result((1, 2) if won else (2, 1), message("first to {target}", target=self.target))

    @override
    def facts(self) -> dict[str, Any]:
        """Return the places and the worth of the dodes, and the turn."""
        return {
            "dodes": tuple(tuple(map(_fact, numbers(side), side)) for side in self.dodes),
            "pending": tuple(worth(side, self.multipliers) for side in self.dodes),
            "turn": None if self.phase in ("roll-off", "over") else self.turn,
        }

    @override
    def shown_facts(self) -> dict[str, Any]:
        """Return the facts, with what the hexagons multiply by and the points that win."""
        return {**self.facts(), "multipliers": self.multipliers, "target": self.target}

    @override
    def view(self) -> View:
        """Return the coming points, to be shown next to the totals, and the dodes on the board, the targets first.

        A seat that chooses what to keep has scored already for the dodes on its side: they are no coming points.
        """
        head = message("re-roll") if len(self.rolls) > 1 else message("to {target}", target=self.target)
        seats = (1 - self.roller, self.roller)
        rows = tuple(Row(message("{who}", who=Who(seat)), _labels(self.dodes[seat])) for seat in seats)
        scored = self.turn if self.phase == "keep" else None
        coming = tuple(
            "" if seat == scored else f"+{worth(side, self.multipliers)}" for seat, side in enumerate(self.dodes)
        )
        return View(head, coming, tuple(row for row in rows if row.cells))

    @override
    def told(self, act: Act) -> str:
        """Return what somebody does, in a sentence."""
        return told(act, 1 - self.roller if self.phase == "answer" else self.roller, self.dodes, self.hit)

    @override
    def calls(self, before: Self, act: Act) -> tuple[Call, ...]:
        """Return an equal roll-off, what leaves the board, an attack, and the points of the turn before."""
        said = list[Call]()
        if act.verb == "roll-off" and self.phase == "roll-off":
            said.append(Call("roll-off", message("Equal numbers: roll again to see who starts")))
        if act.verb == "crash":
            said.append(before._forfeits(act))
        if act.given.get("knocked"):
            said.append(before._knocks_out(act))
        if act.verb == "attack":
            said.append(before._strikes(act))
        for seat, (total, more) in enumerate(zip(before.totals, self.totals, strict=True)):
            if points := more - total:
                text = message("{who} scores {points}, now {total} in all", who=Who(seat), points=points, total=more)
                said.append(Call("scored", text, {"seat": seat, "points": points}))
        return tuple(said)

    def _forfeits(self, act: Act) -> Call:
        """Return the call of a crash that is done now."""
        seat = self.roller
        gone = listed((message("the rolled dode"), *self._named(seat, act.given["hit"])))
        text = message("Out until {who}’s next turn: {dodes}", who=Who(seat), dodes=gone)
        return Call("forfeited", text, {"seat": seat})

    def _knocks_out(self, act: Act) -> Call:
        """Return the call of a roll of now that knocks out dodes of its own seat."""
        seat = self.roller
        dodes = listed(self._named(seat, act.given["knocked"]))
        text = message("{who} knocked these out and rolls them again this turn: {dodes}", who=Who(seat), dodes=dodes)
        return Call("knocked", text, {"seat": seat})

    def _named(self, seat: int, dodes: Sequence[int]) -> tuple[str, ...]:
        return tuple(on_board(self.dodes[seat], number) for number in dodes)

    def _strikes(self, act: Act) -> Call:
        """Return the call of an attack that is done now: it says what the target is turned to."""
        seat, by, dode = 1 - self.turn, int(str(act.given["with"])), int(str(act.given["on"]))
        attacker, target = self.dodes[self.turn][by - 1], self.dodes[seat][dode - 1]
        left = max(0, target.face - attacker.face)
        template = "{attacker}’s {face} attacks {who}’s {dode}: turn it to {left}"
        if not left:
            template = "{attacker}’s {face} attacks {who}’s {dode}: take it off the board"
        text = message(
            template, attacker=Who(self.turn), face=attacker.face, who=Who(seat),
            dode=on_board(self.dodes[seat], dode), left=left,
        )  # fmt: skip
        return Call("struck", text, {"seat": seat, "dode": dode, "by": by, "left": left})

    @override
    def odds(self) -> tuple[Row, ...]:
        """Return the attack that takes the most points."""
        if self.phase != "attack":
            return ()
        mine, theirs = self.dodes[self.turn], self.dodes[1 - self.turn]
        strikes, taken = best_attack(mine, theirs, self.spent, self.multipliers)
        each = (Row(label(mine, by), (">", label(theirs, on))) for by, on in strikes)
        return Row(message("Best attack, points"), (str(taken),)), *each

    @override
    def audit(self) -> str:
        """Check the dodes of both seats, that each one in hand waits for one roll, and that the phases fit."""
        for seat, side in enumerate(self.dodes):
            if len(side) != len(self.dodes[0]):
                return "the seats have not as many dodes"
            if not all(map(_sound, side)):
                return "a dode shows what it cannot where it is"
            if reason := self._audit_hand(seat, side):
                return reason
        if not all(self.rolls) or bool(self.rolls) != (self.phase in ("roll", "answer")):
            return "a roll is open without a dode to roll, or none is"
        if bool(self.hit) != (self.phase == "answer") or not set(self.hit) <= set(lying(self.dodes[1 - self.roller])):
            return "a clash is to be answered without a dode that was hit"
        if (max(self.totals) >= self.target) != (self.phase == "over"):
            return "the target is reached and the game goes on, or it is over without"
        return "a dode has struck in no attack" if self.spent and self.phase != "attack" else ""

    def _audit_hand(self, seat: int, side: Side) -> str:
        waiting = sorted(sum(self.rolls[(seat - self.turn) % 2 :: 2], ()))
        hand = [number for number in numbers(side) if side[number - 1].at == "hand"]
        before = side == (IN_HAND,) * len(side) or (
            self.phase == "keep" and seat == self.turn
        )  # no roll of it has begun
        return "" if waiting == hand or (before and not waiting) else "a dode in hand waits for no roll, or for two"

    @property
    def roller(self) -> int:
        """Return the seat that rolls, or that has the turn if nobody rolls."""
        return self.turn if len(self.rolls) < 2 else (self.turn + len(self.rolls) - 1) % 2

    def _sides(self, seat: int, side: Side) -> tuple[Side, ...]:
        return (self.dodes[0], side) if seat else (side, self.dodes[1])

    def _shifted(self, seat: int, moved: Shifted, knocked: Knocked) -> Self:
        """Return the position after a roll moved dodes of its own seat; those knocked out join the current roll."""
        if not moved and not knocked:
            return self
        side = put(self.dodes[seat], knocked, IN_HAND)
        for each in moved:
            side = put(side, (each["dode"],), Dode("board", each["face"], each["hex"]))
        rolls = (*self.rolls[:-1], tuple(sorted(self.rolls[-1] + knocked)))
        return replace(self, dodes=self._sides(seat, side), rolls=rolls)

    def _rolled(self, seat: int, side: Side, dode: int) -> Self:
        """Remove a finished dode from the current roll; continue with the next dode, the roll below, or the attack."""
        left = tuple([number for number in self.rolls[-1] if number != dode])
        rolls = (*self.rolls[:-1], left) if left else self.rolls[:-1]
        game = replace(self, dodes=self._sides(seat, side), rolls=rolls)
        return game if rolls else game._attack()

    def _attack(self) -> Self:
        """Wait for an attack if one is possible, otherwise pass the turn."""
        if attackers(self.dodes[self.turn], self.dodes[1 - self.turn], self.spent):
            return self if self.phase == "attack" else replace(self, phase="attack")
        return self._pass()

    def _pass(self) -> Self:
        """Score the other seat's dodes, then end the game if it has won, or begin its turn."""
        seat = 1 - self.turn
        total = self.totals[seat] + worth(self.dodes[seat], self.multipliers)
        totals = (self.totals[0], total) if seat else (total, self.totals[1])
        if total >= self.target:
            return replace(self, totals=totals, phase="over", spent=())
        return replace(self, totals=totals, turn=seat, spent=())._begin()

    def _begin(self) -> Self:
        """Begin a turn: take dodes that are off the board to hand; if none is on the board, roll all of them."""
        side = tuple([dode if dode.at == "board" else IN_HAND for dode in self.dodes[self.turn]])
        sides = self._sides(self.turn, side)
        if lying(side):
            return replace(self, dodes=sides, phase="keep")
        return replace(self, dodes=sides, phase="roll", rolls=(tuple(numbers(side)),))


def _fact(number: int, dode: Dode) -> dict[str, Any]:
    face, hex = (dode.face, dode.hex) if dode.at == "board" else (None, None)
    return {"dode": number, "at": dode.at, "face": face, "hex": hex}


def _labels(side: Side) -> tuple[str, ...]:
    return tuple(label(side, number) for number in lying(side))


def _sound(dode: Dode) -> bool:
    if dode.at == "board":
        return dode.face in range(1, 13) and dode.hex in HEXES and not dode.missed
    return not dode.face and not dode.hex and (dode.at == "hand" or not dode.missed)
