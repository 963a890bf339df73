"""The review of a match: exact where the rules compute worths, sampled where worlds can be played on, else none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median

from umpi.kernel.fields import Pick
from umpi.kernel.game import Act, Dealer, gives
from umpi.kernel.match import Match, broken
from umpi.kernel.messages import message
from umpi.kernel.nothing import nothing
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
    if game.worths:
        try:
            return exact(match, lines, game.worths())
        except Exception as fault:  # the author's own code
            raise broken(game, f"The worths of {game.title} fail: {type(fault).__name__}: {fault}", fault) from fault
    if game.dealer:
        hidden = message("The box does not see the hands, so it cannot say what else could have been played.")
        seen = message("The box sees neither chance nor choices in this game.")
        return _none(match, hidden if gives(game.dealer, Dealer.redrawn) else seen)
    if any(_is_race(match, index) for index in range(len(match.acts))):
        return _presses(match)
    found = sampled(match, lines, worlds, spread, progress)
    if any(each.decisions for each in found.players if not isinstance(each, Presses)):
        return found
    return _none(match, message("No player had a choice that the box saw in this match."))


def _none(match: Match, why: str) -> Review:
    return Review(match.game.id, "none", message("nothing"), (), why)


def _presses(match: Match) -> Review:
    """Return who pressed, or whose cube fell, how often first, how quickly, and how long before the next one."""
    seats = range(len(match.players))
    reactions_ms: list[list[int | None]] = [[] for _ in seats]
    leads_ms: list[list[int | None]] = [[] for _ in seats]
    firsts = [0 for _ in seats]
    asked_ms: int | None = None
    race = list[tuple[int, Act]]()
    for index, act in enumerate(match.acts):
        seat = _pressed(match, index)
        if seat is None:
            asked_ms = act.at
            race.clear()
            continue
        reactions_ms[seat].append(_between(asked_ms, act))
        firsts[seat] += not race
        if len(race) == 1:
            [(first, press)] = race
            leads_ms[first].append(_between(press.at, act))
        race.append((seat, act))
    scores = match.now.scores()
    players = [
        Presses(seat, match.players[seat], scores[seat], len(reactions_ms[seat]), firsts[seat],
                _median(reactions_ms[seat]), _median(leads_ms[seat]))
        for seat in seats
    ]  # fmt: skip
    why = message("The box counts only presses here: what players know is neither luck nor a choice of moves.")
    measure = message("presses, first presses, reaction and lead in ms")
    return Review(match.game.id, "none", measure, players, why)


def _median(times_ms: Sequence[int | None]) -> float | None:
    known = [each for each in times_ms if each is not None]
    return median(known) if known else None


def _is_race(match: Match, index: int) -> bool:
    return any(
        isinstance(field, Pick) and field.source in RACES for ask in match.offered(index) for field in ask.fields
    )


def _pressed(match: Match, index: int) -> int | None:
    """Return the seat that pressed, or whose cube fell, with an act; None if it is another act."""
    act = match.acts[index]
    fields = (field for field in match.asked(index).walk(dict(act.given)) if field.source in RACES)
    seat = next((act.given.get(field.name) for field in fields), None)
    return seat if isinstance(seat, int) else None


def _between(from_ms: int | None, act: Act) -> int | None:
    return None if from_ms is None or act.at is None else act.at - from_ms
