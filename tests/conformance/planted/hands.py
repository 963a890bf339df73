"""A game whose box deals hands, with one fault planted in each class: it tells somebody what others hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

from umpi.kernel import Act, Ask, Call, Draw, Game, Pick, Result, Row, View, message, placed, replace

DECK = tuple(range(1, 13))


@dataclass(frozen=True, slots=True)
class Hands(Game):
    """Each seat is dealt two of twelve cards, and plays both. The greatest sum of the second cards wins."""

    id: ClassVar = "hands"
    title: ClassVar = "Hands"
    umpi_api: ClassVar = 3
    seats: ClassVar = range(2, 4)
    longest: ClassVar = 10

    hands: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]

    @classmethod
    def setup(cls, seats: int) -> Self:
        """Deal nothing yet."""
        return cls((), (0,) * seats)

    @property
    def phase(self) -> str:
        """Return what is done now."""
        return "over" if self.result() else "deal" if len(self.hands) < len(self.points) else "play"

    @property
    def turn(self) -> int:
        """Return the seat that plays: the first one with the most cards."""
        return max(range(len(self.hands)), key=lambda seat: (len(self.hands[seat]), -seat))

    def asks(self) -> tuple[Ask, ...]:
        """Deal, then ask for a card."""
        if self.phase == "deal":
            left = tuple(card for card in DECK if all(card not in hand for hand in self.hands))
            return (Ask("deal", "Deal", (Draw("cards", left, 2, source="box", to=len(self.hands)),)),)
        if self.phase == "over":
            return ()
        return (Ask("play", "Play a card", (Pick("card", self.hands[self.turn], to=self.turn),), self.turn),)

    def do_deal(self, seat: None, cards: tuple[Annotated[int, DECK], ...]) -> Self:
        """Deal two cards."""
        return replace(self, hands=(*self.hands, cards))

    def do_play(self, seat: int, card: Annotated[int, DECK]) -> Self:
        """Play a card."""
        hand = tuple(each for each in self.hands[seat] if each != card)
        hands = (*self.hands[:seat], hand, *self.hands[seat + 1 :])
        return replace(self, hands=hands, points=(*self.points[:seat], card, *self.points[seat + 1 :]))

    def scores(self) -> tuple[int, ...]:
        """Return the last card of each seat."""
        return self.points

    def result(self) -> Result | None:
        """Return the ranking once all cards are played."""
        over = len(self.hands) == len(self.points) and not any(self.hands)
        return Result(placed(self.points), "the greater card") if over else None

    def facts(self) -> dict[str, Any]:
        """Return everything."""
        return {"hands": self.hands}

    def shown_facts(self) -> dict[str, Any]:
        """Return nothing that is hidden."""
        return {"cards": tuple(map(len, self.hands))}

    def own_hand(self, seat: int) -> tuple[str, ...] | None:
        """Return the cards of a seat."""
        return (" ".join(map(str, self.hands[seat])),) if seat < len(self.hands) else None


class OpenFacts(Hands):
    """Shows the facts with all hands."""

    def shown_facts(self) -> dict[str, Any]:
        """Return everything."""
        return self.facts()


class Totals(Hands):
    """Shows the sum of each hand beside the scores."""

    def view(self) -> View:
        """Return the sums."""
        return View(rows=tuple(Row(f"hand {seat}", (str(sum(hand)),)) for seat, hand in enumerate(self.hands)))


class Loud(Hands):
    """Tells in a sentence what was dealt."""

    def told(self, act: Act) -> str:
        """Return a sentence with the cards."""
        return f"Dealt: {act.given['cards']}" if act.verb == "deal" else ""


class Calling(Hands):
    """Calls the best hand."""

    def calls(self, before: Self, act: Act) -> tuple[Call, ...]:
        """Say the highest card of the new hand."""
        if act.verb != "deal":
            return ()
        return (Call("high", message("high card {card}", card=max(self.hands[-1])), {}),)


class Listed(Hands):
    """Offers each card of a hand to everybody's eyes."""

    def asks(self) -> tuple[Ask, ...]:
        """Ask for a card without `to`."""
        asks = super().asks()
        return asks if self.phase != "play" else (asks[0]._replace(fields=(Pick("card", self.hands[self.turn]),)),)


class Crossed(Hands):
    """Shows each seat the hand of the next."""

    def own_hand(self, seat: int) -> tuple[str, ...] | None:
        """Return the cards of the neighbour."""
        return super().own_hand((seat + 1) % len(self.points)) or ()


class Handless(Hands):
    """Deals hands that no phone shows."""

    def own_hand(self, seat: int) -> tuple[str, ...] | None:
        """Return nothing."""
        return None
