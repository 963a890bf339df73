"""Dudab Buba (cards): lay a card or draw one, as many rounds as players; what you hold and collect are points.

Hands are hidden: what is drawn is known only once it is laid, shed or shown, and a card seen cannot come again.
Where the sheet is silent: three columns for four players (option `columns`); what is drawn, turned or opened takes
effect in the order of the seats from the active one; the box picks what left-over dudabs negate. Option `track`:
"all" follows every card, "score" only enters each round's hands and piles, "counts" how many of each kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, Self

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
from umpi.games.dudab_buba.hidden import Hidden, put
from umpi.games.dudab_buba.offers import FIVE, KEPT, asks
from umpi.games.dudab_buba.scoring import score, score_counts
from umpi.games.dudab_buba.tally import NOTHING, Tally
from umpi.kernel import Ask, Field, NamedSeat, Number, Pick, Result, Row, View, message, placed, replace

Track = Literal["all", "score", "counts"]
Request = Annotated[str, REQUESTS]
Five = Annotated[tuple[Held, ...], range(5, 6)]
Eight = Annotated[int, range(9)]
Sixteen = Annotated[int, range(17)]

DEALT = 3  # cards to a hand
LEAST = 2  # cards in a hand after a turn


@dataclass(frozen=True, slots=True)
class DudabBuba:
    """A position of Dudab Buba.

    >>> game = DudabBuba.setup(2).do_reveal(None, ("red-club-3", "dudab")).do_play(0, "blue-hide-2", 0)
    >>> game.facts()["columns"][0]["above"], game.facts()["hands"]
    (('red-club-3', 'blue-hide-2'), (2, 3))
    """

    id: ClassVar = "dudab-buba"
    title: ClassVar = "Dudab Buba"
    kind: ClassVar = "cards"
    seats: ClassVar = range(2, 7)
    options: ClassVar[tuple[Field, ...]] = (
        Pick("track", ("all", "score", "counts")),
        Pick("jungle", (False, True)),
        Pick("baby", (False, True)),
        Number("columns", 2, 4, null=True),
    )
    at_buttons: ClassVar = {"track": "counts"}
    cards: ClassVar = deck(jungle=True, baby=True)
    longest: ClassVar = 2000  # a card is drawn, laid and shed at most once a round, a shaman faced at most once
    dealer: ClassVar = DudabTable

    track: Track
    jungle: bool
    baby: bool
    wide: int  # how many columns are opened
    hidden: Hidden
    piles: tuple[tuple[str, ...], ...]  # a seat's cards, in the order gained
    round: int = 1
    turn: int = 0
    columns: tuple[Column, ...] = ()  # none before they are opened
    discard: tuple[str, ...] = ()
    spot: int | None = None  # the column whose request stands, or whose shaman waits
    request: str | None = None
    waits: bool = False  # whether a shaman waits for an answer
    took: bool = False  # whether who took a column has still to shed
    owed: tuple[int, ...] = ()  # draws a seat owes for facing or for a baby's number
    tally: Tally = NOTHING
    rounds: tuple[tuple[int, ...], ...] = ()  # points of each finished round, a number a seat
    over: bool = False

    @classmethod
    def setup(
        cls, seats: int, track: Track = "all", jungle: bool = False, baby: bool = False, columns: int | None = None
    ) -> Self:
        """Deal the first round."""
        wide = columns or (2 if seats < 4 else 3)
        nobody = Hidden((), ((),) * seats, (0,) * seats, 0)
        return cls(track, jungle, baby, wide, nobody, ())._dealt(1)

    @property
    def phase(self) -> str:
        """The step the game waits in."""
        return self.acting[0]

    @property
    def acting(self) -> tuple[str, int | None]:
        """The step the game waits in, and the seat that must act."""
        if self.over or self.track != "all":
            return ("over" if self.over else "tally"), None
        if not self.columns:
            return "reveal", None
        if not self.hidden.deck:
            return "hands", None
        if self.took:
            return "shed", self.turn
        seats = len(self.piles)
        for seat in [*range(self.turn, seats), *range(self.turn)]:
            if self.owes(seat):
                return "draw", seat
            if self.hidden.hands[seat] > FIVE:
                return "shed", seat
        return ("answer" if self.waits else "turn"), self.turn

    def owes(self, seat: int) -> int:
        """How many cards a seat must draw: those it owes, or what it lacks to two."""
        return max(self.owed[seat], LEAST - self.hidden.hands[seat])

    def asks(self) -> tuple[Ask, ...]:
        """Offer what the phase waits for."""
        return asks(self)

    def do_reveal(self, seat: None, cards: Annotated[tuple[Held, ...], range(2, 5)]) -> Self:
        """Open the columns, a card each; a shaman or dudab among them asks for nothing."""
        columns = tuple(Column((card,)) for card in cards)
        return replace(self, columns=columns, hidden=self.hidden.turned(cards))

    def do_play(self, seat: int, card: Held, column: Annotated[int, range(4)], ask: Request | None = None) -> Self:
        """Lay a card; the sixth of a column, or one card more below a jungle than above, takes those before it."""
        under = self.columns[column].jungle
        laid, taken = self.columns[column].laid(card)
        hidden = self.hidden.left(seat, (card,))
        request = ask if card == DUDAB and not under else None
        waits = card in SHAMANS
        return replace(
            self,
            hidden=hidden,
            columns=put(self.columns, column, laid),
            piles=put(self.piles, seat, self.piles[seat] + taken) if taken else self.piles,
            spot=column if request or waits else None,
            request=request,
            waits=waits,
            took=bool(taken) and hidden.hands[seat] > KEPT,
        )._on()

    def do_draw(
        self, seat: int, shown: Five | None = None, shed: Held | None = None,
        card: Literal["jungle", "baby"] | None = None, column: Annotated[int, range(4)] | None = None,
        turned: tuple[Card, ...] = (),
    ) -> Self:  # fmt: skip
        """Draw a card; with five in hand show them and shed one before, a jungle or a baby is laid at once."""
        game = self if shown is None or shed is None else self.showing(seat, shown, shed)
        owed = put(game.owed, seat, max(0, game.owed[seat] - 1)) if game.owed[seat] else game.owed
        if card is None:
            return replace(game, hidden=game.hidden.drawn(seat), owed=owed)._on()
        game = replace(game, hidden=game.hidden.turned((card, *turned)), owed=owed)
        if column is None:
            return replace(game, discard=(*game.discard, card))._on()
        there = game.columns[column]
        if card == JUNGLE:
            return replace(game, columns=put(game.columns, column, replace(there, jungle=True)))._on()
        there = there.covered(turned)
        draws = value_of.get(there.above[0], 0) if there.above else 0
        return replace(
            game, columns=put(game.columns, column, there), owed=tuple(draws + owes for owes in game.owed)
        )._on()

    def do_face(self, seat: int, turned: tuple[Card, ...]) -> Self:
        """Face the shaman: turn cards up to a number, and draw that many; the shaman is settled."""
        draws = value_of.get(turned[-1], 0)
        return replace(
            self,
            hidden=self.hidden.turned(turned),
            discard=self.discard + turned,
            owed=put(self.owed, seat, self.owed[seat] + draws),
            spot=None,
            waits=False,
        )._on()

    def do_shed(self, seat: int, cards: tuple[Held, ...], to: Literal["pile", "discard"]) -> Self:
        """Shed what is too much in hand."""
        game = replace(self, hidden=self.hidden.left(seat, cards), took=False)
        if to == "discard":
            return replace(game, discard=game.discard + cards)._on()
        return replace(game, piles=put(game.piles, seat, game.piles[seat] + cards))._on()

    def do_hands(self, seat: None, hands: tuple[tuple[Held, ...], ...]) -> Self:
        """Score the round by the hands that were left, once the deck has run out."""
        return self._ended(tuple(score(hand, pile) for hand, pile in zip(hands, self.piles, strict=True)))

    def do_tally(self, seat: NamedSeat, hand: tuple[Held, ...], pile: tuple[Card, ...]) -> Self:
        """Enter a seat's hand and pile at the end of a round."""
        return self._told(self.tally.told(seat, score(hand, pile), hand + pile))

    def do_counts(
        self, seat: NamedSeat, hand: Eight, dudabs: Eight, shamans: Eight, jungles: Eight, babies: Eight,
        numbers: Annotated[tuple[Sixteen, ...], range(4, 5)],
    ) -> Self:  # fmt: skip
        """Enter how many cards of each kind a seat has at the end of a round."""
        points = score_counts(hand, dudabs, shamans, jungles, babies, numbers)
        return self._told(self.tally.counted(seat, points, (hand + dudabs, shamans, jungles, babies, *numbers)))

    def showing(self, seat: int, shown: tuple[str, ...], shed: str) -> Self:
        """Show the five in hand and shed one, before a card is drawn."""
        hidden = self.hidden.shown(seat, shown).left(seat, (shed,))
        return replace(self, hidden=hidden, piles=put(self.piles, seat, (*self.piles[seat], shed)))

    def scores(self) -> tuple[int, ...]:
        """Total the finished rounds."""
        return tuple(map(sum, zip(*self.rounds, strict=True))) if self.rounds else (0,) * len(self.piles)

    def result(self) -> Result | None:
        """Rank the seats, the fewest points first."""
        if not self.over:
            return None
        merits = tuple(-points for points in self.scores())
        return Result(placed(merits), message("fewest points over {rounds} rounds", rounds=len(self.rounds)))

    def facts(self) -> dict[str, Any]:
        """Tell what lies on the table, and of the hands how many cards they hold."""
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

    def view(self) -> View:
        """Show the last card of each column, the request, and how many cards lie in each pile."""
        head = message("round {round}/{rounds}", round=self.round, rounds=len(self.piles))
        if self.track != "all":
            told = self.tally.points
            points = tuple("" if seat not in told else f"{told[seat]:+}" for seat in range(len(self.piles)))
            return View(head, points)
        tops = Row(str(self.hidden.deck), tuple(short(column.top) for column in self.columns))
        rows = (
            (Row("?", (message("{word:.3}", word=self.request.partition(":")[2]),)), tops) if self.request else (tops,)
        )
        held = tuple(f"{hand}/{len(pile)}" for hand, pile in zip(self.hidden.hands, self.piles, strict=True))
        return View(head, held, rows)

    def audit(self) -> str:
        """Check that every card is in exactly one place, and that hands and deck hold those nobody sees."""
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
        """Begin a round: three cards to each hand, the next seat first; where only tallies are kept, nothing."""
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
        )

    def _on(self) -> Self:
        """Pass the turn once nobody owes anything; with the deck's last card all that is owed is void."""
        if not self.hidden.deck:
            nothing = (0,) * len(self.piles)
            return replace(self, spot=None, request=None, waits=False, took=False, owed=nothing)
        if self.acting[0] in ("draw", "shed"):
            return self
        return replace(self, turn=(self.turn + 1) % len(self.piles))

    def _told(self, tally: Tally) -> Self:
        if len(tally.points) < len(self.piles):
            return replace(self, tally=tally)
        return self._ended(tuple(tally.points[seat] for seat in range(len(self.piles))))

    def _ended(self, points: tuple[int, ...]) -> Self:
        ended = replace(self, rounds=(*self.rounds, points))
        return (
            replace(ended, tally=NOTHING, over=True) if self.round == len(self.piles) else ended._dealt(self.round + 1)
        )
