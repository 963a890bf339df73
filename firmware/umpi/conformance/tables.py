"""Tables: the headers of the games to play, with each number of seats, the usual options and other option values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from random import Random

from umpi.kernel.fields import Each, Field, Forms, Number, Pick, Profile, Some, Text, Value, same
from umpi.kernel.game import Game
from umpi.kernel.match import Broken, Refused
from umpi.kernel.options import defaults
from umpi.kernel.record import Header, check_table
from umpi.table.seats import COLOURS

MOST = 6  # the most other values of one option


def tables(game: type[Game], options: Sequence[Mapping[str, Value]]) -> Iterator[Header]:
    """Yield a header for each of these options and each number of seats, unless the game objects."""
    for chosen in options:
        for seats in game.seats:
            try:
                check_table(game, seats, chosen)
            except Broken:  # the declaration check reports this flaw
                pass
            except Refused:
                continue
            yield Header(game, players(seats), chosen)


def players(seats: int) -> tuple[str, ...]:
    """Return the default names of the players: the colours, and numbers if there are more seats than colours."""
    return tuple(COLOURS[seat] if seat < len(COLOURS) else f"P{seat + 1}" for seat in range(seats))


def others(game: type[Game], seats: int) -> list[Mapping[str, Value]]:
    """Return other options for this number of seats: those of `variants` to which the game does not object."""
    return [header.options for header in _others(game) if len(header.players) == seats]  # type: ignore[arg-type]  # mypy takes the hash of a position for that of its class


@lru_cache(maxsize=16)
def _others(game: type[Game]) -> list[Header]:
    return list(tables(game, list(variants(game))))


def variants(game: type[Game]) -> Iterator[dict[str, Value]]:
    """Yield other options: the initial options of the box, and each other value of each option."""
    if at_buttons := game.at_buttons:
        yield dict(at_buttons)
    usual = defaults(game)
    for option in game.options:
        others = [value for value in _values(option) if not same(value, usual[option.name])]
        for value in others[:MOST]:
            yield {option.name: value}


def _values(option: Field) -> Sequence[Value]:
    """Return some values of an option: all values of a pool, the ends of a range, or one sample.

    A profile has none, because it needs a file.
    """
    match option:
        case Pick(_, pool):
            return list(dict.fromkeys(pool))
        case Number(_, low, high, null):
            return [low, high, None] if null else [low, high]
        case Profile():
            return []
        case Some() | Text() | Each() | Forms():
            return [option.sample(Random(0).random)]
