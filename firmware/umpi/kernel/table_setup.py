"""Table setup: the sentences of an engine that describe how to set a game up before its first act."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from umpi.kernel.fields import Value
from umpi.kernel.game import Game, code_of
from umpi.kernel.match import broken, called
from umpi.kernel.messages import named
from umpi.kernel.misshapen import Misshapen
from umpi.kernel.options import accepted, defaults, each_own


def table_setup_of(game: type[Game], seats: int, options: Mapping[str, Value]) -> tuple[str, ...]:
    """Return how to set a game up for this number of seats with these options.

    Raises Misshapen if the engine does not return a tuple of texts.
    """
    whole, found = {**defaults(game), **options}, list[str]()
    for table_setup in each_own(game, Game.table_setup):
        sentences = called(table_setup, seats, **accepted(table_setup, whole))
        if not isinstance(sentences, tuple) or not all(isinstance(sentence, str) for sentence in sentences):
            raise Misshapen("table_setup() returns no tuple of texts", code_of(table_setup))
        found += sentences
    return tuple(found)


def table_setup_texts(game: type[Game], players: Sequence[str], options: Mapping[str, Value]) -> tuple[str, ...]:
    """Return how to set a game up, with the players' names; empty if the engine fails, which is logged."""
    try:
        return tuple(named(sentence, players) for sentence in table_setup_of(game, len(players), options))
    except Exception as fault:
        broken(game, "The rules fail to describe how to set the table up.", fault)
        return ()
