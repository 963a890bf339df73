"""Hands as somebody else imagines them: what the box drew for others alone is drawn again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from umpi.kernel.drawn import own_fields
from umpi.kernel.fields import Chance, Field, Pick, Some, Value, private_to
from umpi.kernel.game import Act, Ask, Game
from umpi.kernel.match import Match, Refused

TRIES = 200  # deals until one agrees with what everybody has seen


class CannotImagine(RuntimeError):
    """Report that no other hands were found that agree with what a seat has seen."""


def redealt(match: Match, seat: int, chance: Chance) -> Match:
    """Return the match as it may also be for all that `seat` knows.

    Every act stays, with what the seat was dealt itself and with the cards that others have played since. Turn, phase
    and scores are the same after each act. Raises CannotImagine if no such match was found in TRIES deals.
    """
    unknown = {index: names for index in range(len(match.acts)) if (names := _unknown(match, index, seat))}
    if not unknown:
        return match.copy()
    fixed = _played_later(match, unknown)
    for _ in range(TRIES):
        if other := _dealt_again(match, unknown, fixed, chance):
            return other
    raise CannotImagine(
        f"{match.game.id}: no other hands agree with what seat {seat} has seen. A strategy that looks ahead needs a "
        "`dealer` with `redrawn` in this game; the random strategy needs none."
    )


def _unknown(match: Match, index: int, seat: int) -> tuple[str, ...]:
    """Return the names of the fields that the box drew for other seats alone in an act."""
    own = own_fields(match.asked(index), match.acts[index].given)
    return tuple(field.name for field in own if private_to(field) not in (None, seat))


def _played_later(match: Match, unknown: Mapping[int, Sequence[str]]) -> dict[int, list[Value]]:
    """Return for each act with unknown cards those of them that their owner has played since."""
    held: dict[int, list[tuple[int, Value]]] = {}  # by owner: the act that dealt a card, and the card
    fixed: dict[int, list[Value]] = {index: [] for index in unknown}
    for index, act in enumerate(match.acts):
        for field in _met(match.asked(index), act):
            owner = private_to(field)
            if owner is None or field.name not in act.given:
                continue
            cards = _listed(act.given[field.name])
            if field.name in unknown.get(index, ()):
                held.setdefault(owner, []).extend((index, card) for card in cards)
            elif field.source != "box":
                for card in cards:
                    found = next((pair for pair in reversed(held.get(owner, [])) if pair[1] == card), None)
                    if found:
                        held[owner].remove(found)
                        fixed[found[0]].append(card)
    return fixed


def _dealt_again(
    match: Match, unknown: Mapping[int, Sequence[str]], fixed: Mapping[int, Sequence[Value]], chance: Chance
) -> Match | None:
    """Return a match with other unknown cards, None if it does not agree with what was seen."""
    other = Match(match.game, match.players, match.options)
    later = _drawn(match, unknown, fixed)  # the cards that the box is known to draw from here on
    for index, act in enumerate(match.acts):
        later -= _drawn(match, unknown, fixed, index)
        try:
            ask = next((ask for ask in other.asks if ask.verb == act.verb), None)
            if ask is None:
                return None
            other.play(_again(ask, act, unknown[index], fixed[index], later, chance) if index in unknown else act)
        except (Refused, IndexError, ValueError):  # these cards cannot have been drawn
            return None
        if _course(other.now, other.asks) != _course(match.position(index + 1), None):
            return None
    return other


def _drawn(
    match: Match, unknown: Mapping[int, Sequence[str]], fixed: Mapping[int, Sequence[Value]], index: int | None = None
) -> Counter[Value]:
    """Count the cards that are known to be drawn by the box in an act, or in all: those that the seat sees, or saw."""
    known: Counter[Value] = Counter()
    for each in range(len(match.acts)) if index is None else (index,):
        act = match.acts[each]
        for field in own_fields(match.asked(each), act.given):
            if field.source == "box" and field.name in act.given and field.name not in unknown.get(each, ()):
                known.update(_listed(act.given[field.name]))
        known.update(fixed.get(each, ()))
    return known


def _again(
    ask: Ask, act: Act, names: Sequence[str], fixed: Sequence[Value], later: Counter[Value], chance: Chance
) -> Act:
    """Return an act with its unknown cards drawn again. Raises IndexError or ValueError if its pool lacks a card."""
    given: dict[str, Value] = {}
    for field in ask.walk(given):
        if field.name not in act.given:
            continue
        given[field.name] = act.given[field.name]
        if field.name in names:
            given[field.name] = _redrawn(field, act.given[field.name], fixed, later, chance)
    return Act(act.verb, given, act.by, act.at)


def _redrawn(field: Field, value: Value, fixed: Sequence[Value], later: Counter[Value], chance: Chance) -> Value:
    """Draw a field again: the `fixed` cards, and others that the box is not known to draw `later`."""
    if not isinstance(field, (Pick, Some)):
        return field.sample(chance)
    left = list(field.pool)
    for card in fixed:
        left.remove(card)
    free = list((Counter(left) - later).elements())
    number = len(_listed(value)) - len(fixed)
    left = free if len(free) >= number else left
    cards = [*fixed, *(left.pop(int(chance() * len(left))) for _ in range(number))]
    return tuple(cards) if isinstance(field, Some) else cards[0]


def _course(position: Game, asks: Sequence[Ask] | None) -> tuple[object, ...]:
    """Return what everybody sees of the course of a match: the phase, who is asked for what, and the scores."""
    asked = tuple((ask.verb, ask.seat) for ask in (position.asks() if asks is None else asks))
    return position.phase, asked, () if position.view().hidden else position.scores()


def _met(ask: Ask, act: Act) -> Iterable[Field]:
    """Yield the fields that an act answers."""
    known: dict[str, Value] = {}
    for field in ask.walk(known):
        if field.name in act.given:
            known[field.name] = act.given[field.name]
            yield field


def _listed(value: Value) -> list[Value]:
    return list(value) if isinstance(value, tuple) else [value]
