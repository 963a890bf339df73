"""Checks of every position: an offer or a result, one score per seat, consistent places, and valid views."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import get_args

from umpi.conformance.flaws import Flaw, missing
from umpi.kernel.fields import Chance
from umpi.kernel.game import NOT_GIVEN, Ask, Result, Row, View, Wins, method
from umpi.kernel.match import Match
from umpi.kernel.random_games import NeverEnds, sample
from umpi.kernel.teams import split_team
from umpi.table.secret import seats_of

KEPT = (*NOT_GIVEN, "undo", "refuse", "note", "umpi")  # keys with a meaning of their own in a record


def sound(match: Match, chance: Chance) -> Iterator[Flaw]:
    """Check whether the offer, the result, the phase and the scores are consistent."""
    now, seats = match.now, len(match.players)
    asks, result = now.asks(), now.result()
    if bool(asks) is (result is not None):
        yield Flaw("It asks though there is a result." if asks else "It asks nothing, and there is no result.")
    if not isinstance(now.phase, str) or (now.phase == "over") is (result is None):
        if callable(now.phase):
            yield Flaw("Its phase is a method: write @property above `def phase(self)`.")
        yield Flaw(f'Its phase is {now.phase!r}; it must be "over" exactly when there is a result.')
    if now.wins not in (None, *get_args(Wins)):
        yield Flaw(f'Its `wins` must be "highest", "lowest" or None, not {now.wins!r}.')
    scores = now.scores()
    if not isinstance(scores, tuple) or len(scores) != seats or any(type(score) is not int for score in scores):
        yield Flaw(f"Its scores must be a whole number a seat, they are {missing(scores)}")
    if result is not None and not isinstance(result, Result):
        yield Flaw(f"Its result must be a Result or None, not {result!r}.")
        return
    teams, places = now.teams(), result.places if result and result.places else scores
    if not _are_teams(teams, seats):
        yield Flaw(
            f"Its teams must be a tuple of tuples of seats, the last seat is {seats - 1}; they are {missing(teams)}"
        )
        return
    if team := split_team(teams, scores) or split_team(teams, places):
        yield Flaw(f"The seats of the team {team} must have one score and one place.")
    if result is not None:
        yield from _placed(result, seats)
    verbs = [ask.verb for ask in asks]
    if len(set(verbs)) < len(verbs):
        yield Flaw(f"It asks for the same act twice: {', '.join(verbs)}.")
    if len({ask.seat for ask in asks} - {None}) > 1:
        yield Flaw("It asks two seats at once; what anybody may do names its seat in a field.")
    for ask in asks:
        yield from _asked(match, ask)


def _are_teams(teams: object, seats: int) -> bool:
    """Check whether a value is a tuple of teams, each a tuple of seats."""
    return isinstance(teams, tuple) and all(_are_seats(team, seats) for team in teams)


def _are_seats(chosen: object, seats: int) -> bool:
    """Check whether a value is a tuple of seats."""
    return isinstance(chosen, tuple) and all(type(seat) is int and seat in range(seats) for seat in chosen)


def _placed(result: Result, seats: int) -> Iterator[Flaw]:
    places: Sequence[int] = result.places
    wanted = tuple(1 + sum(other < place for other in places) for place in places)
    if not isinstance(places, tuple) or len(places) not in (0, seats) or places != wanted:
        lost = " If all lose, it must be Result.lost(why)." if 1 not in places else ""
        yield Flaw(f"Its places must be one a seat, 1 the first, ties sharing; they are {places!r}.{lost}")
    if not isinstance(result.why, str) or not result.why.strip():
        yield Flaw("Its result does not say why.")


def _asked(match: Match, ask: Ask) -> Iterator[Flaw]:
    names = [field.name for field in ask.fields]
    if not ask.text.strip():
        yield Flaw(f'"{ask.verb}" has no text.')
    if len(set(names)) < len(names) or set(names) & set(KEPT):
        yield Flaw(f'The fields of "{ask.verb}" must differ, and none be {", ".join(KEPT)}; they are {names}.')
    if ask.secret and not (ask.seat is None and seats_of(ask)):
        yield Flaw(f'"{ask.verb}" is secret; it needs no seat of its own, and a Pick "seat" as its first field.')
    if ask.as_team and not ask.secret:
        yield Flaw(f'"{ask.verb}" is answered as_team, but is not secret; only a secret ask is answered by a team.')
    if (ask.weight or 0) < 0 or (ask.followed_by and not hasattr(match.game, method(ask.followed_by))):
        yield Flaw(f'"{ask.verb}" has a weight below 0, or is followed by an act the game has not.')
    if ask.if_refused and not any(other.verb == ask.if_refused and not other.fields for other in match.asks):
        yield Flaw(f'"{ask.verb}" offers "{ask.if_refused}" if it is refused: no ask without fields has that verb now.')
    if ask.at_ms is not None and not _rising((ask.at_ms,)):
        yield Flaw(f'`at_ms` of "{ask.verb}" must be whole milliseconds from 0, not {ask.at_ms!r}.')
    wait = ask.after_ms
    if wait is not None and not _rising(wait if isinstance(wait, tuple) and len(wait) == 2 else (wait,)):
        wanted = "whole milliseconds from 0, or a tuple of two such numbers, the lower first"
        yield Flaw(f'`after_ms` of "{ask.verb}" must be {wanted}, not {wait!r}.')


def _rising(numbers: Sequence[object]) -> bool:
    """Check whether whole numbers begin at 0 or above, and do not fall."""
    whole = [0, *(each for each in numbers if type(each) is int)]
    return len(whole) == 1 + len(numbers) and whole == sorted(whole)


def going(match: Match, chance: Chance) -> Iterator[Flaw]:
    """Check whether an act of the offer can be drawn; if the game has a dealer, the dealer shows this instead."""
    if match.asks and not match.game.dealer:
        try:
            sample(match.asks, chance)
        except NeverEnds as fault:
            yield Flaw(f"It cannot go on: {fault}")


def audited(match: Match, chance: Chance) -> Iterator[Flaw]:
    """Check whether the position's own audit finds no error."""
    wrong: object = match.now.audit()
    if not isinstance(wrong, str):
        yield Flaw(f'audit() must return a text, "" if nothing is wrong, not {missing(wrong)}')
    elif wrong:
        yield Flaw(f"Its audit says: {wrong}.")


def viewed(match: Match, chance: Chance) -> Iterator[Flaw]:
    """Check whether the view and the odds are rows of texts."""
    view, seats = match.now.view(), len(match.players)
    if not isinstance(view, View) or not isinstance(view.head, str):
        yield Flaw(f"Its view must be a View with a text as its head, not {missing(view)}")
        return
    beside = view.beside
    if not _texts(beside) or len(beside) not in (0, seats):
        yield Flaw(f"Its view must have a text beside each seat, or beside none; it has {beside!r}.")
    elif view.large and not (beside and all(beside)):
        yield Flaw(f"Its view has large=True, which needs a text beside each seat; it has {beside!r}.")
    if view.lamps is not None and not _are_seats(view.lamps, seats):
        wanted = f"None or a tuple of seats, the last seat is {seats - 1}"
        yield Flaw(f"The `lamps` of its view must be {wanted}; they are {view.lamps!r}.")
    if not _rows(view.rows) or not _rows(match.now.odds()):
        wanted = "a tuple of Row, each a label and a tuple of texts"
        yield Flaw(f"The rows of its view and its odds must be {wanted}; write (x,) with a comma for a tuple of one.")


def _rows(rows: object) -> bool:
    return isinstance(rows, tuple) and all(
        isinstance(row, Row) and isinstance(row.label, str) and _texts(row.cells) for row in rows
    )


def _texts(texts: object) -> bool:
    return isinstance(texts, tuple) and all(isinstance(text, str) for text in texts)
