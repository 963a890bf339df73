"""The rules of Dudab Buba (cards): lay a card or draw one; the cards in hand and pile are points.

A match has as many rounds as players. Hands are hidden: a drawn card is known only after it is laid, shed or shown. A
card that was seen cannot come again. The rule sheet leaves some cases open. Here, four players use three columns
(option `columns`). Draws take effect in the order of the seats, from the active seat. The box chooses the numbers that
left-over dudabs negate.
Option `track`: with "all" the box follows every card. With "score" players enter only the hands and piles of each
round. With "counts" they enter only the number of cards of each kind. The options of `numbers.py` are experiments.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, Self

from umpi.games.dudab_buba.calls import calls
from umpi.games.dudab_buba.cards import (
    DUDAB,
    JUNGLE,
    REQUESTS,
    SHAMANS,
    Card,
    Held,
    deck,
    short,
    value_of,
)
from umpi.games.dudab_buba.columns import Column
from umpi.games.dudab_buba.dealer import DudabTable
from umpi.games.dudab_buba.help import OPTION_HELP
from umpi.games.dudab_buba.hidden import Hidden, put
from umpi.games.dudab_buba.numbers import BABIES, DEALT, EXPERIMENTS, SHEET, Numbers
from umpi.games.dudab_buba.offers import asks
from umpi.games.dudab_buba.readings import FORMERLY, OPTIONS, Cover, Must, Place, Readings, Second
from umpi.games.dudab_buba.scoring import score, score_counts
from umpi.games.dudab_buba.setup import table_setup
from umpi.games.dudab_buba.tally import NOTHING, Tally
from umpi.kernel import (
    Act,
    Ask,
    Call,
    Field,
    Game,
    NamedSeat,
    Number,
    Pick,
    Result,
    Row,
    View,
    message,
    override,
    placed,
    replace,
)

Track = Literal["all", "score", "counts"]
Phase = Literal["reveal", "turn", "answer", "draw", "shed", "hands", "tally", "over"]
Request = Annotated[str, REQUESTS]
Shown = Annotated[tuple[Held, ...], range(1, 9)]
Eight = Annotated[int, range(9)]
Sixteen = Annotated[int, range(17)]


@dataclass(frozen=True, slots=True)
class DudabBuba(Game):
    """A position of Dudab Buba, with its rules.

    >>> game = DudabBuba.setup(2).do_reveal(None, ("red-club-3", "dudab")).do_play(0, "blue-hide-2", 0)
    >>> game.facts()["columns"][0]["above"], game.facts()["hands"]
    (('red-club-3', 'blue-hide-2'), (2, 3))
    """

    id: ClassVar = "dudab-buba"
    title: ClassVar = "Dudab Buba"
    umpi_api: ClassVar = 3
    wins: ClassVar = "lowest"
    kind: ClassVar = "cards"
    pieces: ClassVar = dict.fromkeys(("card", "cards", "shown", "shed", "turned", "hands", "hand", "pile"), "card")
    seats: ClassVar = range(2, 7)
    options: ClassVar[tuple[Field, ...]] = (
        Pick("track", ("all", "score", "counts")),
        Pick("jungle", (False, True)),
        Pick("baby", (False, True)),
        Number("columns", 2, 4, null=True),
        *OPTIONS,
        *EXPERIMENTS,
    )
    experiments: ClassVar = Numbers._fields
    revision: ClassVar = 2  # 2: the readings of the sheet are options
    formerly: ClassVar = {1: FORMERLY}
    option_help: ClassVar = OPTION_HELP
    at_buttons: ClassVar = {"track": "counts"}
    cards: ClassVar = deck(jungle=True, baby=True)
    longest: ClassVar = 2000  # per round, a card is drawn, laid and shed at most once, a shaman faced at most once
    dealer: ClassVar = DudabTable

    track: Track
    jungle: bool
    baby: bool
    wide: int  # the number of columns
    readings: Readings
    hidden: Hidden
    piles: tuple[tuple[str, ...], ...]  # the cards of each seat, in the order gained
    phase: Phase = "reveal"
    actor: int | None = None  # the seat that must act, None if no seat must
    round: int = 1
    turn: int = 0
    columns: tuple[Column, ...] = ()  # empty until they are opened
    discard: tuple[str, ...] = ()
    spot: int | None = None  # the column with an open request, or with a shaman that waits
    request: str | None = None
    waits: bool = False  # whether a shaman waits for an answer
    took: bool = False  # whether the seat that took a column must still shed
    owed: tuple[int, ...] = ()  # the draws that each seat owes for facing a shaman or for a baby's number
    tally: Tally = NOTHING
    rounds: tuple[tuple[int, ...], ...] = ()  # one row per finished round: the points of each seat
    numbers: Numbers = SHEET

    @classmethod
    @override
    def setup(
        cls, seats: int, track: Track = "all", jungle: bool = False, baby: bool = False, columns: int | None = None,
        request: Must = "must", second_dudab: Second = "any",
        jungle_place: Place = "any", cover: Cover = "as-is", jungle_shed: bool = False,
        hand_least: int = SHEET.hand_least, hand_most: int = SHEET.hand_most,
        column_length: int = SHEET.column_length, dudab_points: int = SHEET.dudab_points,
        shaman_points: int = SHEET.shaman_points, baby_points: tuple[int, ...] = BABIES,
    ) -> Self:  # fmt: skip
        """Return the first position: the first round is dealt."""
        chosen = Readings(request, second_dudab, jungle_place, cover, jungle_shed)
        wide = columns or (2 if seats < 4 else 3)
        nobody = Hidden((), ((),) * seats, (0,) * seats, 0)
        numbers = Numbers(hand_least, hand_most, column_length, dudab_points, shaman_points, baby_points)
        return cls(track, jungle, baby, wide, chosen, nobody, (), numbers=numbers)._dealt(1)

    @classmethod
    @override
    def table_setup(cls, seats: int, **options: Any) -> tuple[str, ...]:
        """Return how to set the table up."""
        return table_setup(seats, cls.setup(seats, **options).wide, **options)

    def owes(self, seat: int) -> int:
        """Return how many cards a seat must draw: the draws it owes, or the cards it needs to have the fewest."""
        return max(self.owed[seat], self.numbers.hand_least - self.hidden.hands[seat])

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Offer the acts of the phase."""
        return asks(self)

    def do_reveal(self, seat: None, cards: Annotated[tuple[Held, ...], range(2, 5)]) -> Self:
        """Open the columns with one card each; an opened shaman or dudab makes no request."""
        columns = tuple(Column((card,)) for card in cards)
        return replace(self, columns=columns, hidden=self.hidden.turned(cards), phase="turn", actor=self.turn)

    def do_play(self, seat: int, card: Held, column: Annotated[int, range(4)], ask: Request | None = None) -> Self:
        """Lay a card on a column.

        The sixth card of a column takes the cards before it. If the column has a jungle, the first card below it that
        has no card to mirror takes them.
        """
        under = self.columns[column].jungle
        laid, taken = self.columns[column].laid(card, self.numbers.column_length)
        hidden = self.hidden.left(seat, (card,))
        request = ask if card == DUDAB and not under else None
        waits = card in SHAMANS
        took = bool(taken) and (self.readings.jungle_shed or not under)
        return self._after(
            hidden,
            self.owed,
            waits,
            took and hidden.hands[seat] > self.numbers.hand_least,
            columns=put(self.columns, column, laid),
            piles=put(self.piles, seat, self.piles[seat] + taken) if taken else self.piles,
            spot=column if request or waits else None,
            request=request,
        )

    def do_draw(
        self, seat: int, shown: Shown = (), shed: Held | None = None,
        card: Literal["jungle", "baby"] | None = None, column: Annotated[int, range(4)] | None = None,
        turned: tuple[Card, ...] = (),
    ) -> Self:  # fmt: skip
        """Draw a card; a jungle or a baby is laid at once.

        With the most cards in hand, the seat first shows them and sheds one. With fewer, it may show that none meets a
        request.
        """
        game = self.showing(seat, shown, shed) if shown else self
        owed = put(game.owed, seat, max(0, game.owed[seat] - 1)) if game.owed[seat] else game.owed
        if card is None:
            return game._after(game.hidden.drawn(seat), owed, game.waits)
        hidden = game.hidden.turned((card, *turned))
        if column is None:
            return game._after(hidden, owed, game.waits, discard=(*game.discard, card))
        there = game.columns[column]
        if column == game.spot:
            game = replace(game, spot=None, request=None, waits=False)
        if card == JUNGLE:
            return game._after(hidden, owed, game.waits, columns=put(game.columns, column, replace(there, jungle=True)))
        there = there.covered(turned, self.readings.cover == "as-is")
        draws = value_of.get(there.above[0], 0) if there.above else 0
        owed = tuple([draws + owes for owes in owed])
        return game._after(hidden, owed, game.waits, columns=put(game.columns, column, there))

    def do_face(self, seat: int, turned: tuple[Card, ...]) -> Self:
        """Face the shaman: the seat turns cards until a number comes, and owes as many draws; the shaman is settled."""
        owed = put(self.owed, seat, self.owed[seat] + value_of.get(turned[-1], 0))
        return self._after(self.hidden.turned(turned), owed, waits=False, discard=self.discard + turned, spot=None)

    def do_shed(self, seat: int, cards: tuple[Held, ...], to: Literal["pile", "discard"]) -> Self:
        """Shed the surplus cards in hand."""
        hidden = self.hidden.left(seat, cards)
        if to == "discard":
            return self._after(hidden, self.owed, self.waits, discard=self.discard + cards)
        return self._after(hidden, self.owed, self.waits, piles=put(self.piles, seat, self.piles[seat] + cards))

    def do_hands(self, seat: None, hands: tuple[tuple[Held, ...], ...]) -> Self:
        """Score the round by the remaining hands, after the deck has run out."""
        return self._ended(tuple(score(hand, pile, self.numbers) for hand, pile in zip(hands, self.piles, strict=True)))

    def do_tally(self, seat: NamedSeat, hand: tuple[Held, ...], pile: tuple[Card, ...]) -> Self:
        """Enter a seat's hand and pile at the end of a round."""
        return self._with_tally(self.tally.with_cards(seat, score(hand, pile, self.numbers), hand + pile))

    def do_counts(
        self, seat: NamedSeat, hand: Eight, dudabs: Eight, shamans: Eight, jungles: Eight, babies: Eight,
        numbers: Annotated[tuple[Sixteen, ...], range(4, 5)],
    ) -> Self:  # fmt: skip
        """Enter the number of cards of each kind that a seat has at the end of a round."""
        points = score_counts(hand, dudabs, shamans, jungles, babies, numbers, self.numbers)
        return self._with_tally(self.tally.counted(seat, points, (hand + dudabs, shamans, jungles, babies, *numbers)))

    def showing(self, seat: int, shown: tuple[str, ...], shed: str | None) -> Self:
        """Return the position after a seat shows its hand and, with five cards, sheds one of them to its pile."""
        if shed is None:
            return replace(self, hidden=self.hidden.shown(seat, shown))
        hidden = self.hidden.shown(seat, shown).left(seat, (shed,))
        return replace(self, hidden=hidden, piles=put(self.piles, seat, (*self.piles[seat], shed)))

    @override
    def scores(self) -> tuple[int, ...]:
        """Return the total points of the finished rounds."""
        return tuple(map(sum, zip(*self.rounds, strict=True))) if self.rounds else (0,) * len(self.piles)

    @override
    def standing(self) -> tuple[int, ...]:
        """Return each seat's points with those of its pile in this round."""
        if self.phase == "over":
            return self.scores()
        piles = (score((), pile, self.numbers) for pile in self.piles)
        return tuple(map(sum, zip(self.scores(), piles, strict=True)))

    @override
    def result(self) -> Result | None:
        """Return the ranking of the seats, the fewest points first; None until the match ends."""
        if self.phase != "over":
            return None
        merits = tuple(-points for points in self.scores())
        why = message("fewest points over {rounds} rounds", rounds=len(self.rounds))
        if merits.count(max(merits)) > 1:
            why = message("tied for the fewest points, rounds: {rounds}", rounds=len(self.rounds))
        return Result(placed(merits), why)

    @override
    def facts(self) -> dict[str, Any]:
        """Return the cards on the table, and the number of cards in each hand."""
        phase = self.phase
        owing = phase not in ("reveal", "hands", "tally", "over")
        columns = tuple(
            {"above": column.above, "jungle": column.jungle, "below": column.below, "stack": len(column.stack)}
            for column in self.columns
        )
        return {
            "round": self.round,
            "deck": self.hidden.deck,
            "hands": self.hidden.hands,
            "columns": columns,
            "piles": self.piles,
            "request": self.request,
            "request_column": None if self.request is None else self.spot,
            "owed": tuple(max(0, self.owes(seat)) if owing else 0 for seat in range(len(self.piles))),
            "rounds": self.rounds,
        }

    @override
    def view(self) -> View:
        """Return the last card of each column, the request, and the number of cards in each hand and pile."""
        head = message("round {round}/{rounds}", round=self.round, rounds=len(self.piles))
        if self.track != "all":
            entered = self.tally.points
            points = tuple("" if seat not in entered else f"{entered[seat]:+}" for seat in range(len(self.piles)))
            return View(head, points)
        left = message("deck {left}", left=self.hidden.deck)
        rows: tuple[Row, ...] = (Row(left, tuple(short(column.top) for column in self.columns)),)
        if self.request:
            wanted = message("{wanted}", wanted=self.request.partition(":")[2])
            rows = (Row(message("asked"), (wanted,)), *rows)
        held = tuple(f"{hand}/{len(pile)}" for hand, pile in zip(self.hidden.hands, self.piles, strict=True))
        return View(head, held, rows)

    @override
    def calls(self, before: Self, act: Act) -> tuple[Call, ...]:
        """Return a column that is taken, a request, the end of the deck, and a round's points."""
        return tuple(calls(before, act, self))

    @override
    def audit(self) -> str:
        """Check that each card is in exactly one place, and that the unseen cards fit into the hands and the deck."""
        if self.track != "all":
            return ""
        hidden, places = self.hidden, (self.discard, *self.piles, *(column.cards for column in self.columns))
        cards = [*hidden.unseen, *sum((*hidden.known, *places), ())]
        if sorted(cards) != sorted(deck(self.jungle, self.baby)):
            return "the cards are not all there once"
        if len(hidden.unseen) != hidden.deck + sum(map(hidden.places, range(len(self.piles)))):
            return "the deck and the hands do not hold the cards nobody has seen"
        return "" if min(map(hidden.places, range(len(self.piles)))) >= 0 else "a hand holds more than it has places"

    def _dealt(self, number: int) -> Self:
        """Return the beginning of a round: each hand has three cards, and the next seat begins.

        Unless `track` is "all", no cards are dealt.
        """
        seats = len(self.hidden.hands)
        cards = deck(self.jungle, self.baby)
        dealt = DEALT if self.track == "all" else 0
        left = len(cards) - dealt * seats if self.track == "all" else 0
        return replace(
            self,
            hidden=Hidden(cards, ((),) * seats, (dealt,) * seats, left),
            piles=((),) * seats,
            round=number,
            turn=(number - 1) % seats,
            columns=(),
            discard=(),
            owed=(0,) * seats,
            tally=NOTHING,
            phase="reveal" if self.track == "all" else "tally",
            actor=None,
        )

    def _after(
        self, hidden: Hidden, owed: tuple[int, ...], waits: bool, took: bool = False, **changes: Any
    ) -> Self:  # fmt: skip
        """Return the position after an act: the turn passes if no seat must draw or shed.

        If the deck is empty, all that is owed is cancelled instead, and the hands are counted.
        """
        turn, seats = self.turn, len(self.piles)
        phase: Phase
        if not hidden.deck:
            changes |= {"spot": None, "request": None}
            phase, actor, owed, took, waits = "hands", None, (0,) * seats, False, False
        elif took:
            phase, actor = "shed", turn
        elif due := _due(hidden.hands, owed, turn, self.numbers):
            phase, actor = due
        else:
            turn = actor = (turn + 1) % seats
            phase = "answer" if waits else "turn"
        return replace(
            self, **changes, hidden=hidden, owed=owed, took=took, waits=waits, turn=turn, phase=phase, actor=actor
        )

    def _with_tally(self, tally: Tally) -> Self:
        if len(tally.points) < len(self.piles):
            return replace(self, tally=tally)
        return self._ended(tuple(tally.points[seat] for seat in range(len(self.piles))))

    def _ended(self, points: tuple[int, ...]) -> Self:
        ended = replace(self, rounds=(*self.rounds, points))
        if self.round < len(self.piles):
            return ended._dealt(self.round + 1)
        return replace(ended, tally=NOTHING, phase="over", actor=None)


def _due(hands: tuple[int, ...], owed: tuple[int, ...], turn: int, numbers: Numbers) -> tuple[Phase, int] | None:
    """Return the first seat that must draw or shed before the turn passes, and which of the two; None if no seat."""
    if any(owed) or min(hands) < numbers.hand_least or max(hands) > numbers.hand_most:
        for seat in [*range(turn, len(hands)), *range(turn)]:
            if owed[seat] or hands[seat] < numbers.hand_least:
                return "draw", seat
            if hands[seat] > numbers.hand_most:
                return "shed", seat
    return None
