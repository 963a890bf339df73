"""Check of the sentence `now`: each position before the end has one, short, which names the seat that must act."""

from __future__ import annotations

from collections.abc import Iterator

from umpi.conformance.flaws import Flaw
from umpi.display.aloud import unspeakable
from umpi.kernel.fields import Chance
from umpi.kernel.game import Game, gives
from umpi.kernel.match import Match
from umpi.kernel.messages import named
from umpi.kernel.now import LONGEST, now_of
from umpi.table.seats import COLOURS


def instructed(match: Match, chance: Chance) -> Iterator[Flaw]:
    """Check the sentence of a position; players have the names of the buttons, as at a box that knows none."""
    now, seats = now_of(match.now, match.asks), len(match.players)
    if now is None:
        return
    players = COLOURS[:seats] if seats <= len(COLOURS) else match.players
    text = named(now.text, players)
    if not text.strip():
        yield Flaw("now() has no text.")
    elif len(text) > LONGEST and gives(type(match.now), Game.now):
        yield Flaw(f'The sentence of now(), "{text}", has {len(text)} letters; at most {LONGEST} are allowed.')
    if (signs := unspeakable(named(now.aloud, players))) and gives(type(match.now), Game.now):
        yield Flaw(f'The sentence of now() for the ear contains "{signs}", which a voice cannot read: use voice=….')
    if now.seat is not None and now.seat not in range(seats):
        yield Flaw(f"now() has the seat {now.seat!r}; the last seat is {seats - 1}.")
    elif now.seat is not None and players[now.seat] not in text:
        yield Flaw(f'The sentence of now(), "{text}", does not name {players[now.seat]}, who must act.')
    if now_of(match.now, match.now.asks()) != now:
        yield Flaw("Asked twice, now() answers differently.")
