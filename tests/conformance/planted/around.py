"""The bag with one fault planted in each class: in its record, on the screen, at the buttons, at the table."""

from __future__ import annotations

from enum import IntEnum
from itertools import count
from typing import Any, ClassVar, Self

from planted.bag import MOST, Bag, Stone, changed, more
from umpi.kernel import Act, Ask, Call, Now, Number, Pick, Row, View, replace
from umpi.kernel.board import Board, Card, Line
from umpi.kernel.fields import Chance
from umpi.kernel.game import Game
from umpi.kernel.random_games import sample


class Pebble(IntEnum):
    """A stone that looks like a number, but is none."""

    ONE, TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, ELEVEN, TWELVE = range(1, MOST + 1)


class Disguised(Bag):
    """Offers what a record cannot tell from a number."""

    def asks(self) -> tuple[Ask, ...]:
        """Offer pebbles."""
        pebbles = Pick("stone", tuple(map(Pebble, self.bag)), tuple(map(Pebble, range(1, self.stones + 1))), self._gone)
        return changed(Bag.asks(self), fields=(pebbles,))


class Beside(Bag):
    """Counts the acts beside its positions."""

    latest: ClassVar = 0

    @classmethod
    def setup(cls, seats: int, stones: int = 8) -> Self:
        """Fill the bag and begin to count."""
        cls.latest = 0
        return cls(((),) * seats, stones, tuple(range(1, stones + 1)))

    def counted(self, wrong: bool, number: int) -> Self:
        """Draw the highest stone too, where the count is not the one that was hoped for."""
        type(self).latest = number
        return Bag.do_draw(self, self.turn, max(self.bag)) if wrong and self.bag else self

    @property
    def number(self) -> int:
        """How many acts there were."""
        return sum(map(len, self.hands)) + len(self.passed)


class Onward(Beside):
    """Goes wrong where more than one act was taken back."""

    def do_draw(self, seat: int, stone: Stone, loud: bool = False) -> Self:
        """Move a stone from the bag to a hand."""
        after = Bag.do_draw(self, seat, stone)
        return after.counted(after.number < self.latest - 1, after.number)


class Unbroken(Beside):
    """Goes wrong where the acts before were not played since the table was set up."""

    def do_draw(self, seat: int, stone: Stone, loud: bool = False) -> Self:
        """Move a stone from the bag to a hand."""
        after = Bag.do_draw(self, seat, stone)
        return after.counted(after.number > self.latest + 1, after.number)

    def do_pass(self, seat: int) -> Self:
        """Draw nothing."""
        after = Bag.do_pass(self, seat)
        return after.counted(False, after.number)


class Wordy(Bag):
    """Heads the screen with more than it holds."""

    def view(self) -> View:
        """Tell all about the bag."""
        return View(f"stones still in the bag: {len(self.bag)}")


class Labelled(Bag):
    """Writes more on a key than a row of the menu holds."""

    def asks(self) -> tuple[Ask, ...]:
        """Offer stones by long names."""
        asks = Bag.asks(self)
        if not asks:
            return ()
        stone = replace(asks[0].fields[0], label=lambda stone: f"the stone with number {stone} in the bag")
        return changed(asks, fields=(stone, *asks[0].fields[1:]))


class Titled(Bag):
    """Has a title that no menu holds."""

    title: ClassVar = "The bag from which stones are drawn"


class Laborious(Bag):
    """Asks for a number that takes ever so many presses."""

    def asks(self) -> tuple[Ask, ...]:
        """Ask for a bet as well."""
        return more(Bag.asks(self), Number("bet", 0, 9_999))

    def do_draw(self, seat: int, stone: Stone, loud: bool = False, bet: int = 0) -> Self:
        """Move a stone from the bag to a hand."""
        return Bag.do_draw(self, seat, stone)


class Torn(Bag):
    """Loses the fifth stone where the seventh is gone."""

    def do_draw(self, seat: int, stone: Stone, loud: bool = False) -> Self:
        """Move a stone from the bag to a hand."""
        after = Bag.do_draw(self, seat, stone)
        return replace(after, hands=self.hands) if stone == 5 and 7 not in self.bag else after


class Cheat:
    """A dealer whose real stones are not those of the position."""

    def __init__(self, chance: Chance, position: Game) -> None:
        self._chance = chance

    def act(self, position: Game) -> Act:
        """Draw any."""
        return sample(position.asks(), self._chance)

    def audit(self, position: Bag) -> str:
        """Miss the third stone once it is drawn."""
        return "" if 3 in position.bag else "stone 3 is still in the bag"


class Cheated(Bag):
    """Is dealt by somebody who cheats."""

    dealer: ClassVar = Cheat


class Misseen(Bag):
    """Shows rows that are no tuple."""

    def view(self) -> View:
        """Show one row."""
        return View("bag", (), [Row("left", ())])  # type: ignore[arg-type]


class Hollow(Bag):
    """Would have shown large what stands beside no seat."""

    def view(self) -> View:
        """Show nothing as if it were live."""
        return View("bag", large=True)


class Twinned(Bag):
    """Draws two stones that nobody can tell apart by their keys."""

    def shown_board(self) -> Board:
        """Draw one stone twice."""
        return Board((Line((Card("stone"), Card("stone"))),))


class Unlikely(Bag):
    """Tells odds that are no rows."""

    def odds(self) -> Any:
        """Tell nothing in a wrong way."""
        return []


class Loud(Bag):
    """Calls the end of the game, which the kernel does."""

    def calls(self, before: Self, act: Act) -> tuple[Call, ...]:
        """Call the end twice."""
        return () if self.bag else (Call("over", "The bag is empty"),)


class Muddled(Bag):
    """Calls seats in falling order."""

    def calls(self, before: Self, act: Act) -> tuple[Call, ...]:
        """Call who has passed."""
        return (Call("passed", "They passed", {"seats": (1, 0)}),) if len(self.passed) == 2 else ()


class Single(Bag):
    """Forgets the comma of a tuple of one."""

    def calls(self, before: Self, act: Act) -> Any:
        """Call a pass."""
        return Call("passed", "A pass") if act.verb == "pass" else ()


class Stammering(Bag):
    """Fails on a stone."""

    def calls(self, before: Self, act: Act) -> tuple[Call, ...]:
        """Divide by the stone that is left over."""
        return (Call("drawn", f"{1 // (7 - int(str(act.given['stone'])))}"),) if act.verb == "draw" else ()


class Fickle(Bag):
    """Says something else each time it is asked."""

    asked: ClassVar = count()

    def calls(self, before: Self, act: Act) -> tuple[Call, ...]:
        """Count how often it was asked."""
        return (Call("asked", f"Asked {next(self.asked)} times before"),)


class Wordless(Bag):
    """Has nothing to say to whoever must act."""

    def now(self) -> Now:
        """Return an empty sentence."""
        return Now("")


class Anonymous(Bag):
    """Does not name the player who must act."""

    def now(self) -> Now:
        """Say it to the first seat, and name nobody."""
        return Now("Draw a stone.", 0)


class Longwinded(Bag):
    """Says more than anybody hears."""

    def now(self) -> Now:
        """Return a sentence of 71 letters."""
        return Now("Draw a stone. " + "a" * 57)


class Brief(Bag):
    """Returns a text."""

    def now(self) -> Any:
        """Forget to make a sentence of it."""
        return "Draw a stone."


class Changing(Bag):
    """Says something else each time it is asked."""

    asked: ClassVar = count()

    def now(self) -> Now:
        """Count how often it was asked."""
        return Now(f"Draw a stone, for the {next(self.asked)}th time.")


class Unsorted(Bag):
    """Says how to set the table up in a text that no language can translate."""

    @classmethod
    def table_setup(cls, seats: int, stones: int) -> tuple[str, ...]:
        """Count the stones."""
        return (f"Put {stones} stones into the bag.",)


class Slow(Bag):
    """Asks itself six hundred questions before each."""

    def asks(self) -> tuple[Ask, ...]:
        """Offer to draw, after much thought."""
        thought = [self._gone(stone) for stone in range(600)]
        return Bag.asks(self) if thought else ()


class Nameless(Bag):
    """Has one name too few, which shows late: only when the last stone is asked for alone."""

    def asks(self) -> tuple[Ask, ...]:
        """Name the stones by a list."""
        asks = Bag.asks(self)
        names = [f"no {stone}" for stone in range(self.stones)]
        return asks and changed(asks, fields=(replace(asks[0].fields[0], label=names.__getitem__), asks[0].fields[1]))
