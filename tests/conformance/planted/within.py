"""The bag with one fault planted in each class: in what it declares, in its positions, its law and its end."""

from __future__ import annotations

from itertools import count
from typing import Annotated, Any, ClassVar, Self

from planted.bag import MOST, Bag, Stone, changed, more
from umpi.kernel import Ask, NamedSeat, Number, Pick, Result, Teams, replace


class Unbounded(Bag):
    """Declares no longest game."""

    longest: ClassVar[Any] = None


class OutOfRange(Bag):
    """Begins with a default that its own option refuses."""

    longest: ClassVar = MOST + 5

    @classmethod
    def setup(cls, seats: int, stones: int = MOST + 1) -> Self:
        """Fill the bag."""
        return cls(((),) * seats, stones, tuple(range(1, stones + 1)))


class Deaf(Bag):
    """Asks for a field that its method does not take."""

    def asks(self) -> tuple[Ask, ...]:
        """Ask for a bet as well."""
        return more(Bag.asks(self), Number("bet", 0, 3))


class Handless(Bag):
    """Asks for an act that it has no method for."""

    def asks(self) -> tuple[Ask, ...]:
        """Offer to nod as well."""
        asks = Bag.asks(self)
        return asks and (*asks, Ask("nod", "Nod", (), self.turn))


class Narrow(Bag):
    """Hints at fewer stones than it asks for."""

    def do_draw(self, seat: int, stone: Annotated[int, range(1, 5)], loud: bool = False) -> Self:
        """Move a stone from the bag to a hand."""
        return Bag.do_draw(self, seat, stone)


class Unhinted(Bag):
    """Does not say what a stone is."""

    def do_draw(self, seat: int, stone, loud: bool = False) -> Self:  # type: ignore[no-untyped-def]
        """Move a stone from the bag to a hand."""
        return Bag.do_draw(self, seat, stone)


class Vague(Bag):
    """Hints at a kind that the schema does not know."""

    def do_draw(self, seat: int, stone: list[int], loud: bool = False) -> Self:  # type: ignore[override]
        """Move a stone from the bag to a hand."""
        return Bag.do_draw(self, seat, stone)  # type: ignore[arg-type]


class Limitless(Bag):
    """Replaces an act without the limit that its stone has in the bag."""

    def do_draw(self, seat: int, stone: int, loud: bool = False) -> Self:
        """Move a stone from the bag to a hand."""
        return Bag.do_draw(self, seat, stone, loud)


class Nobodys(Bag):
    """Asks a seat to pass, and hints that nobody does."""

    def do_pass(self, seat: None) -> Self:  # type: ignore[override]
        """Draw nothing."""
        return Bag.do_pass(self, self.turn)


class Forgetful(Bag):
    """Tells other facts at the end than at the beginning."""

    def facts(self) -> dict[str, Any]:
        """Tell the bag only while there is anything in it."""
        return {"bag": self.bag, "hands": self.hands} if self.bag else {"hands": self.hands}


class Listed(Bag):
    """Keeps the hands in a list, which anybody could change."""

    def do_pass(self, seat: int) -> Self:
        """Draw nothing."""
        return replace(Bag.do_pass(self, seat), hands=list(self.hands))


class Restless(Bag):
    """Offers something else each time it is asked."""

    asked: ClassVar = count()

    def asks(self) -> tuple[Ask, ...]:
        """Tell how often that was asked."""
        return changed(Bag.asks(self), help=f"Asked {next(self.asked)} times before.")


class Crashing(Bag):
    """Fails on a stone it has offered."""

    def do_draw(self, seat: int, stone: Stone, loud: bool = False) -> Self:
        """Move a stone from the bag to a hand."""
        return (
            replace(Bag.do_draw(self, seat, stone), no_such_field=1) if stone == 7 else Bag.do_draw(self, seat, stone)
        )


class Braced(Bag):
    """Refuses with a template that nobody has filled."""

    def _gone(self, stone: object) -> str:
        return "Stone {stone} has been drawn."


class Unended(Bag):
    """Refuses with something that is no sentence."""

    def _gone(self, stone: object) -> str:
        return "been drawn"


class Speechless(Bag):
    """Fails where it should say why."""

    def _gone(self, stone: object) -> str:
        return f"Stone {self.hands[stone]} has been drawn."  # type: ignore[call-overload]


class Overlong(Bag):
    """Goes on waiting in its phase after the end."""

    @property
    def phase(self) -> str:
        """The step the game waits in."""
        return "turn"


class Double(Bag):
    """Asks for the same act twice."""

    def asks(self) -> tuple[Ask, ...]:
        """Offer to draw, and to draw."""
        asks = Bag.asks(self)
        return asks and (asks[0], replace(asks[0], text="2"))


class Misplaced(Bag):
    """Has a second place, but no first."""

    def result(self) -> Result | None:
        """Rank all seats second."""
        return None if self.bag else Result((2,) * len(self.hands), "nobody is first")


class Telling(Bag):
    """Lets each seat choose a stone in secret, but none that another has chosen."""

    def asks(self) -> tuple[Ask, ...]:
        """Ask the seats without a stone first."""
        left = tuple(seat for seat in (0, 1) if not self.hands[seat])
        if not left or self.passed or any(self.hands[2:]):
            return Bag.asks(self)
        stone = Pick("stone", self.bag, range(1, self.stones + 1), self._gone)
        return (Ask("choose", "Choose", (Pick("seat", left, source="buzz"), stone), help="One stone.", secret=True),)

    def do_choose(self, seat: NamedSeat, stone: Stone) -> Self:
        """Move a stone from the bag to a hand."""
        hands = tuple((*hand, stone) if own == seat else hand for own, hand in enumerate(self.hands))
        return replace(self, hands=hands, bag=tuple(other for other in self.bag if other != stone))


class Doubled(Bag):
    """Lets a team choose a stone in secret, but asks the partner again."""

    def teams(self) -> Teams:
        """Return one team of all seats."""
        return (tuple(range(len(self.hands))),)

    def scores(self) -> tuple[int, ...]:
        """Return the same score for all."""
        return (len(self.hands[0]),) * len(self.hands)

    def result(self) -> Result | None:
        """Let all win."""
        return None if self.bag else Result((1,) * len(self.hands), "the bag is empty")

    def asks(self) -> tuple[Ask, ...]:
        """Ask the seats without a stone first."""
        left = tuple(seat for seat in (0, 1) if not self.hands[seat])
        if not left or self.passed or any(self.hands[2:]):
            return Bag.asks(self)
        seat, stone = Pick("seat", left, source="buzz"), Pick("stone", range(1, self.stones + 1))
        return (Ask("choose", "Choose", (seat, stone), help="One stone.", secret=True, as_team=True),)

    def do_choose(self, seat: NamedSeat, stone: Stone) -> Self:
        """Move a stone from the bag to a hand, any if the partner has taken it."""
        taken = stone if stone in self.bag else self.bag[0]
        hands = tuple((*hand, taken) if own == seat else hand for own, hand in enumerate(self.hands))
        return replace(self, hands=hands, bag=tuple(other for other in self.bag if other != taken))


class Endless(Bag):
    """Lets seats pass for ever, and says it does not."""

    def do_pass(self, seat: int) -> Self:
        """Draw nothing."""
        return replace(self, turn=self._next)

    def do_draw(self, seat: int, stone: Stone, loud: bool = False) -> Self:
        """Move a stone from the bag to a hand, unless it is the last."""
        return self.do_pass(seat) if len(self.bag) == 1 else Bag.do_draw(self, seat, stone)


class Stuck(Bag):
    """Waits for a last stone that nobody may draw."""

    def asks(self) -> tuple[Ask, ...]:
        """Offer all stones but the last."""
        asks = Bag.asks(self)
        return asks if len(self.bag) != 1 else changed(asks[:1], fields=(Pick("stone", ()),))


class Skipping(Bag):
    """Passes the bag to the seat after the next."""

    @property
    def _next(self) -> int:
        return (self.turn + 2) % len(self.hands)
