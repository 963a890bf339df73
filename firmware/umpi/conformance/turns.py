"""Count over all games: which seats are asked, which acts are offered, and which cards are drawn twice in a row."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from umpi.conformance.flaws import Flaw
from umpi.kernel.fields import Field, Pick, Some, Value
from umpi.kernel.game import Act, Ask, Game, verbs
from umpi.kernel.match import Match
from umpi.kernel.values import written


class Turns:
    """Collect the seats that the offers of whole games ask, by the number of players, and the verbs they offer."""

    def __init__(self) -> None:
        self._asked: defaultdict[int, set[int]] = defaultdict(set)
        self._verbs = set[str]()
        self.phases = set[str]()  # of all positions
        self._again: dict[str, Value] = {}  # a card that can be drawn again at once, by its verb and field

    def add(self, match: Match) -> None:
        """Add the offers of a match."""
        for index in range(len(match.acts) + 1):
            for ask in match.offered(index):
                self._verbs.add(ask.verb)
                seats = [ask.seat, *(seat for field in ask.fields for seat in _named(field))]
                self._asked[len(match.players)].update(seat for seat in seats if seat is not None)
        for index, act in enumerate(match.acts):
            self._look_at_cards(match.asked(index), act, match.offered(index + 1))

    def flaws(self) -> Iterator[Flaw]:
        """Yield a flaw if some seats of a table are asked, and another one never is."""
        for players, seats in sorted(self._asked.items()):
            if missing := [seat for seat in range(players) if seats and seat not in seats]:
                yield Flaw(
                    f"With {players} players it never asks seat {missing[0]}: does the turn skip it? "
                    "(It asked " + ", ".join(f"seat {seat}" for seat in sorted(seats)) + ".)"
                )

    def misspelled(self, game: type[Game]) -> Iterator[Flaw]:
        """Yield each phase in `reported` that no game had, if it is like one that games had."""
        unnamed = sorted(self.phases - {*game.reported})
        for phase in game.reported:
            close = get_close_matches(phase, unnamed, 1, 0.75) if phase not in self.phases else []
            if close:
                yield Flaw(f'Its `reported` has the phase "{phase}", which no game had: did you mean "{close[0]}"?')

    @property
    def drawn_again(self) -> list[str]:
        """Return one card for each act that draws, as `deal cards 17`: it can be drawn again at once."""
        return [f"{where} {written(card)}" for where, card in self._again.items()]

    def _look_at_cards(self, ask: Ask, act: Act, following: Iterable[Ask]) -> None:
        """Note a card that leaves its pool, and is in the next pool of the same act as often as before."""
        pools = {field.name: field.pool for each in following if each.verb == ask.verb for field in _drawn(each)}
        for field in _drawn(ask):
            cards = act.given.get(field.name)
            for card in cards if isinstance(cards, tuple) else ():
                if pools.get(field.name, ()).count(card) >= field.pool.count(card):
                    self._again.setdefault(f"{act.verb} {field.name}", card)

    def unoffered(self, game: type[Game]) -> list[str]:
        """Return the acts that the game has and that no offer contained."""
        return sorted(verbs(game) - self._verbs)


def _drawn(ask: Ask) -> Iterator[Some]:
    """Yield the fields of an ask that draw cards: each card as often as the pool has it."""
    for field in ask.fields:
        if isinstance(field, Some) and not field.again and field.least == field.most and isinstance(field.pool, tuple):
            yield field


def _named(field: Field) -> Iterator[int]:
    if field.name == "seat" and isinstance(field, (Pick, Some)):
        yield from (value for value in field.pool if type(value) is int)
