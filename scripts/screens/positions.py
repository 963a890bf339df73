"""Positions of random games, to look at their screens."""

from __future__ import annotations

from collections.abc import Iterator

from umpi.conformance.tables import variants
from umpi.kernel.game import Game
from umpi.kernel.match import Match
from umpi.kernel.random_games import play
from umpi.table.seats import COLOURS

EVERY = 14  # look at one of this many positions of a game
MOST = 20  # most positions per game


def positions(game: type[Game]) -> Iterator[tuple[Match, int]]:
    """Play random games of each variant with as many as sit at the box; yield some positions of each, and its seed."""
    for seed, options in enumerate([{}, *variants(game)]):
        seats = min(game.seats[-1], len(COLOURS))
        if game.objection(seats, **options):
            continue
        match = Match(game, COLOURS[:seats], options)
        for number, _ in enumerate(play(match, seed, audited=False)):
            if number % EVERY == 0 or not match.asks:
                yield match, seed
            if number > MOST * EVERY:
                break
