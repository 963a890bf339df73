"""The review of a match: exact where the rules compute worths, sampled where worlds can be played on, else none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median

from umpi.kernel.fields import Field, Pick
from umpi.kernel.game import HOME, Act, Dealer, gives
from umpi.kernel.match import Match, broken
from umpi.kernel.messages import message, spaced
from umpi.kernel.nothing import nothing
from umpi.kernel.options import worths_of
from umpi.review.exact import exact
from umpi.review.sampled import WORLDS, Spread, sampled
from umpi.review.split import Presses, Review

RACES = ("buzz", "cube")  # the sources of fields that the first player to press or to throw answers


def review(
    match: Match, lines: Sequence[int], worlds: int = WORLDS, spread: Spread = map,
    progress: Callable[[int, int], object] = nothing,
) -> Review:  # fmt: skip
    """Return the review of a match whose acts stand in these `lines` of its record.

    `worlds` is the budget of a decision where the review is sampled, and `spread` may do that on several processes.
    `progress` is called with the number of acts so far, and of all. Raises Broken if the code of the game fails.
    """
    game = match.game
    if not match.result and match.view.hidden:  # points, luck and what choices cost would tell them
        return _none(match, message("The scores are hidden until the end."))
    if worths := worths_of(game, match.options):
        try:
            return exact(match, lines, worths())
        except Exception as fault:  # the author's own code
            raise broken(game, f"The worths of {game.title} fail: {type(fault).__name__}: {fault}", fault) from fault
    if game.dealer:
        hidden = message("The box does not see the hands, so it cannot say what else could have been played.")
        seen = message("The box sees neither chance nor choices in this game.")
        return _none(match, hidden if gives(game.dealer, Dealer.redrawn) else seen)
    if any(_is_race(match, index) for index in range(len(match.acts))):
        return _presses(match)
    found = sampled(match, lines, worlds, spread, progress)
    if found.players:
        return found
    return _none(match, message("No player had a choice that the box saw in this match."))


def _none(match: Match, why: str) -> Review:
    return Review(match.game.id, "none", message("nothing"), (), _as_far(match, why))


def _as_far(match: Match, why: str) -> str:
    """Return a sentence, and another one if the match is not over."""
    return why if match.result else spaced([why, message("The match is not over.")])


def _presses(match: Match) -> Review:
    """Return who pressed, or whose cube fell, how often first, how quickly, and how long before the next one.

    A cube that falls without an owner has its place in the race. The player who is named later as its owner gets no
    first press, reaction or lead for it: the record does not say which cube that is.
    """
    seats = range(len(match.players))
    reactions_ms: list[list[int | None]] = [[] for _ in seats]
    leads_ms: list[list[int | None]] = [[] for _ in seats]
    firsts = [0 for _ in seats]
    asked_ms: int | None = None
    race = list[tuple[int | None, Act]]()
    for index, act in enumerate(match.acts):
        if act.verb == HOME:
            continue
        field = _race_field(match, index)
        if field is None:
            asked_ms = act.at
            race.clear()
            continue
        seat = _seat_of(act, field)
        if seat is not None and field.source == "buzz" and _names_owner(match, index):
            reactions_ms[seat].append(None)
            continue
        if len(race) == 1 and race[0][0] is not None:
            leads_ms[race[0][0]].append(_between(race[0][1].at, act))
        if seat is not None:
            reactions_ms[seat].append(_between(asked_ms, act))
            firsts[seat] += not race
        race.append((seat, act))
    scores = match.now.scores()
    players = [
        Presses(seat, match.players[seat], scores[seat], len(reactions_ms[seat]), firsts[seat],
                _median(reactions_ms[seat]), _median(leads_ms[seat]))
        for seat in seats
    ]  # fmt: skip
    why = message("The box counts only presses here: what players know is neither luck nor a choice of moves.")
    measure = message("presses, first presses, reaction and lead in ms")
    return Review(match.game.id, "none", measure, players, _as_far(match, why))


def _median(times_ms: Sequence[int | None]) -> float | None:
    known = [each for each in times_ms if each is not None]
    return median(known) if known else None


def _is_race(match: Match, index: int) -> bool:
    """Check whether the first to press answers here: a secret ask waits for each seat."""
    asks = (ask for ask in match.offered(index) if not ask.secret)
    return any(isinstance(field, Pick) and field.source in RACES for ask in asks for field in ask.fields)


def _race_field(match: Match, index: int) -> Field | None:
    """Return the field of an act that a press or a cube gave; None if it is another act."""
    ask, act = match.asked(index), match.acts[index]
    if ask.secret:
        return None
    return next((field for field in ask.walk(dict(act.given)) if field.source in RACES), None)


def _names_owner(match: Match, index: int) -> bool:
    """Check whether a press names the owner of a cube: then the cube may be discarded instead."""
    return any(ask.verb == HOME for ask in match.offered(index))


def _seat_of(act: Act, field: Field) -> int | None:
    seat = act.given.get(field.name)
    return seat if isinstance(seat, int) else None


def _between(from_ms: int | None, act: Act) -> int | None:
    return None if from_ms is None or act.at is None else act.at - from_ms
