"""Table setup: the sentences of an engine that describe how to set a game up before its first act."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from umpi.kernel.fields import Value
from umpi.kernel.game import Game, code_of, defaults
from umpi.kernel.match import broken, called
from umpi.kernel.messages import named
from umpi.kernel.misshapen import Misshapen


def table_setup_of(game: type[Game], seats: int, options: Mapping[str, Value]) -> tuple[str, ...]:
    """Return how to set a game up for this number of seats with these options.

    Raises Misshapen if the engine does not return a tuple of texts.
    """
    sentences = called(game.table_setup, seats, **{**defaults(game), **options})
    if not isinstance(sentences, tuple) or not all(isinstance(sentence, str) for sentence in sentences):
        raise Misshapen("table_setup() returns no tuple of texts", code_of(game.table_setup))
    return sentences


def table_setup_texts(game: type[Game], players: Sequence[str], options: Mapping[str, Value]) -> tuple[str, ...]:
    """Return how to set a game up, with the players' names; empty if the engine fails, which is logged."""
    try:
        return tuple(named(sentence, players) for sentence in table_setup_of(game, len(players), options))
    except Exception as fault:
        broken(game, "The rules fail to describe how to set the table up.", fault)
        return ()
