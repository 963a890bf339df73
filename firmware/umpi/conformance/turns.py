"""Count over all games: which seats are asked, and which acts are offered."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from umpi.conformance.flaws import Flaw
from umpi.kernel.fields import Field, Pick, Some
from umpi.kernel.game import Game
from umpi.kernel.match import Match


class Turns:
    """Collect the seats that the offers of whole games ask, by the number of players, and the verbs they offer."""

    def __init__(self) -> None:
        self._asked: defaultdict[int, set[int]] = defaultdict(set)
        self._verbs = set[str]()

    def add(self, match: Match) -> None:
        """Add the offers of a match."""
        for index in range(len(match.acts) + 1):
            for ask in match.offered(index):
                self._verbs.add(ask.verb)
                seats = [ask.seat, *(seat for field in ask.fields for seat in _named(field))]
                self._asked[len(match.players)].update(seat for seat in seats if seat is not None)

    def flaws(self) -> Iterator[Flaw]:
        """Yield a flaw if some seats of a table are asked, and another one never is."""
        for players, seats in sorted(self._asked.items()):
            if missing := [seat for seat in range(players) if seats and seat not in seats]:
                yield Flaw(
                    f"With {players} players it never asks seat {missing[0]}: does the turn skip it? "
                    "(It asked " + ", ".join(f"seat {seat}" for seat in sorted(seats)) + ".)"
                )

    def unoffered(self, game: type[Game]) -> list[str]:
        """Return the acts that the game has and that no offer contained."""
        verbs = {name.removeprefix("do_").replace("_", "-") for name in dir(game) if name.startswith("do_")}
        return sorted(verbs - self._verbs)


def _named(field: Field) -> Iterator[int]:
    if field.name == "seat" and isinstance(field, (Pick, Some)):
        yield from (value for value in field.pool if type(value) is int)
