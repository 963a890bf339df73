"""Secret answers: the question that each seat or team answers in secret, and who has answered."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from umpi.kernel.fields import Pick
from umpi.kernel.game import Act, Ask, replace
from umpi.kernel.match import Broken, Match, Refused
from umpi.kernel.messages import message, names_of
from umpi.kernel.teams import Teams, team_of


def secret_ask(asks: Sequence[Ask]) -> Ask | None:
    """Return the ask of an offer that each seat answers in secret, None if there is none."""
    for ask in asks:  # the laboratory asks at each act, and a generator costs more than the loop
        if ask.secret:
            return ask
    return None


def seats_of(ask: Ask) -> tuple[int, ...]:
    """Return the seats that a secret ask waits for."""
    field = ask.fields[0] if ask.fields else None
    if not isinstance(field, Pick) or field.name != "seat":
        return ()
    return tuple(seat for seat in field.pool if isinstance(seat, int))


def own_ask(ask: Ask, seat: int) -> Ask:
    """Return a secret ask as one seat answers it."""
    field, *others = ask.fields
    assert isinstance(field, Pick)
    return replace(ask, fields=(replace(field, pool=(seat,), source="will"), *others))


def parties(match: Match, ask: Ask) -> Teams:
    """Return who gives one answer each to a secret ask: the seats of a team together, every other seat by itself."""
    seats = seats_of(ask)
    teams = match.now.teams() if ask.as_team else ()
    waiting = (tuple(each for each in team_of(teams, seat) if each in seats) for seat in seats)
    return tuple(dict.fromkeys(waiting))


def heard(waiting: Teams, seats: Collection[int]) -> Teams:
    """Return the parties of which one of `seats` has answered.

    >>> heard(((0, 2), (1, 3)), {3})
    ((1, 3),)
    """
    return tuple(party for party in waiting if not set(party).isdisjoint(seats))


def answer_again(seats: Iterable[int]) -> str:
    """Return what the seats read whose secret answers the rules did not allow.

    The reason of the rules is left out: it would tell everybody what the answer was.
    """
    text = "{who}: answer again. The rules do not allow this answer beside the others."
    return message(text, who=names_of(sorted(seats)))


def allowed_first(match: Match, acts: Sequence[Act]) -> list[Act]:
    """Return secret answers with those that the rules allow beside the earlier ones first, and the others last.

    Raises Broken if the engine fails on one of them.
    """
    trial, allowed, refused = match.copy(), list[Act](), list[Act]()
    for act in acts:
        try:
            trial.play(act)
        except Broken:
            raise
        except Refused:
            refused.append(act)
        else:
            allowed.append(act)
    return [*allowed, *refused]
