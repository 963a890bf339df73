"""A game to the tables it is tried at: each number of seats, the usual options, and each option's other values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from umpi.display.setup import COLOURS
from umpi.kernel.fields import Field, Number, Pick, Profile, Value, same
from umpi.kernel.game import Game, defaults
from umpi.kernel.match import Broken, Refused
from umpi.kernel.record import Header, check_table

MOST = 6  # other values of one option


def tables(game: type[Game], options: Sequence[Mapping[str, Value]]) -> Iterator[Header]:
    """Lay a table for each of these options and each number of seats that the game does not object to."""
    for chosen in options:
        for seats in game.seats:
            try:
                check_table(game, seats, chosen)
            except Broken:  # a flaw of its declaration, of which the play needs to know nothing
                pass
            except Refused:
                continue
            yield Header(game, players(seats), chosen)


def players(seats: int) -> tuple[str, ...]:
    """Name the seats as those do who do not care; where there are more than colours, by number."""
    return tuple(COLOURS[seat] if seat < len(COLOURS) else f"P{seat + 1}" for seat in range(seats))


def variants(game: type[Game]) -> Iterator[dict[str, Value]]:
    """Choose other options: those the box begins with, and one option after the other at its other values."""
    if at_buttons := getattr(game, "at_buttons", None):
        yield dict(at_buttons)
    usual = defaults(game)
    for option in game.options:
        others = [value for value in _values(option) if not same(value, usual[option.name])]
        for value in others[:MOST]:
            yield {option.name: value}


def _values(option: Field) -> Sequence[Value]:
    """Choose some values of an option: all of a few words, the ends of a range; a profile needs a file."""
    match option:
        case Pick(_, pool):
            return list(dict.fromkeys(pool))
        case Number(_, low, high, null):
            return [low, high, None] if null else [low, high]
        case Profile():
            return []
    return [option.sample(Random(0).random)]
