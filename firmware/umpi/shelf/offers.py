"""What the shelves offer: each game with its package, its length and its fairness."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from umpi.frozen import frozen
from umpi.kernel.game import full_title
from umpi.kernel.match import Refused
from umpi.kernel.nothing import nothing
from umpi.kernel.registry import find
from umpi.lab.further import SECONDS
from umpi.shelf.index import Measured, Package, ShelfGame
from umpi.shelf.installed import Installed
from umpi.shelf.known import BadShelf, Shelf

UNEQUAL = 0.05  # from here down, chance alone does not explain the wins of the seats


@frozen
class Found:
    """A game of a shelf, with its package."""

    shelf: Shelf
    package: Package
    game: ShelfGame

    def newer_than(self, own: Installed | None) -> bool:
        """Check whether the shelf of an installed game has another version of it."""
        return own is not None and own.shelf == self.shelf.place.where and own.sha256 != self.package.sha256


def look_at(
    shelves: Sequence[Shelf], say: Callable[[Shelf], object] = nothing
) -> tuple[list[Found], Mapping[Shelf, BadShelf]]:
    """Return the games of the shelves, and why a shelf cannot be used; `say` is called before each look."""
    found, faults = list[Found](), dict[Shelf, BadShelf]()
    for shelf in shelves:
        say(shelf)
        try:
            index = shelf.look()
        except BadShelf as fault:
            faults[shelf] = fault
            continue
        found += [Found(shelf, package, game) for package in index.packages for game in package.games]
    return found, faults


def title_of(game: str) -> str:
    """Return the title of an installed game, its id if it is not installed. No other game is loaded."""
    try:
        return full_title(find(game))
    except Refused:
        return game


def minutes_of(lab: Measured) -> float | None:
    """Return how long a match takes with a usual time per move, None if that is not known."""
    return None if lab.moves is None else lab.moves * SECONDS / 60


def equal_of(lab: Measured) -> bool | None:
    """Return whether the laboratory has shown no difference between the seats, None if it cannot be known."""
    return None if lab.even is None else lab.even >= UNEQUAL
