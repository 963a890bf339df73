"""The typist: find the presses that enter an act, to count presses and to replay written games."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from umpi.display.acts import CORRECT
from umpi.display.answer import After, answer, left_out
from umpi.display.answer_progress import AnswerProgress
from umpi.display.entering import STEPS
from umpi.display.key_values import InputPart, InputRange, shortened, toggled
from umpi.display.menu import KEYS, NOTHING, Dialogue, Menu, MenuEntry
from umpi.display.menus import menu
from umpi.display.panel import Key
from umpi.kernel.drawn import is_own
from umpi.kernel.fields import Each, Field, Pick, Some, Value, same
from umpi.kernel.game import Act, Ask
from umpi.kernel.match import Match
from umpi.table.seating import Seating
from umpi.table.state import TableState
from umpi.table.telling import of_players

Way = tuple[list[Key], object]  # the keys, and the value that they answer
Begin = Callable[[AnswerProgress], Dialogue[Any]]


class CannotType(ValueError):
    """Raised if no sequence of presses enters an act."""


def presses(
    asks: Sequence[Ask], players: Sequence[str], acts: Sequence[Act], quick: bool = True, after: After | None = None
) -> list[Key]:
    """Return the presses that answer the question on the screen with `acts`. Raises CannotType if there are none.

    With `after`, which returns what is asked after some acts, the screen assumes a usual answer and asks what follows.
    """
    asks = of_players(asks)
    usual = [ask for ask in asks if not ask.rare] or asks
    found = None
    if any(ask.verb == acts[0].verb for ask in usual):
        wanted = _as_asked(usual, acts)
        found = _search(lambda progress: answer(usual, players, quick, progress, after=after), wanted, ())
    if found is None:
        raise CannotType(f"no presses enter {[act.line() for act in acts]}")
    return found


def presses_in_menu(match: Match, acts: Sequence[Act]) -> list[Key]:
    """Return the presses that enter an answer of the menu: rare acts, and acts with all their fields.

    The first press, `back`, is a long press. The entries of a box, for example for phones, follow those of the game, so
    the presses are the same on every box. Raises CannotType if there are none.
    """
    table = Seating(match.game, match.players, tuple(range(len(match.players))))
    aside = [ask.verb for ask in match.asks if ask.rare or shortened(ask)]
    if acts[0].verb in (*aside, *(ask.verb for ask in left_out(match.asks))):
        wanted = _as_asked(match.asks, acts)
        found = _search(lambda progress: menu(match, table, True, TableState(), progress), wanted, ())
        if found is not None:
            return ["back", *found]
    raise CannotType(f"no presses in the menu enter {[act.line() for act in acts]}")


def _as_asked(asks: Sequence[Ask], acts: Sequence[Act]) -> list[Act]:
    """Return the acts as the keys enter them.

    Marked lists are in the order of the pool, a field `in_order` has its first value, what the box draws is missing.
    """
    act = acts[0]
    given = dict(act.given)
    known: dict[str, Value] = {}
    for field in next(ask for ask in asks if ask.verb == act.verb).walk(known):
        if is_own(field):
            known |= {field.name: given.pop(field.name)} if field.name in given else {}
        if isinstance(field, Pick) and field.in_order and field.pool and field.name in given:
            given[field.name] = field.pool[0]
        if field.name not in given:
            continue
        known[field.name] = given[field.name] = as_it_lies(field, given[field.name])
    return [Act(act.verb, given), *acts[1:]]


def as_it_lies(field: Field, value: Value) -> Value:
    """Return a value with marked lists in the order of their pools, as the keys enter them."""
    if isinstance(field, Some) and toggled(field) and isinstance(value, tuple):
        return _in_order(field.pool, value)
    if isinstance(field, Each) and isinstance(value, tuple):
        return tuple(map(as_it_lies, field.fields, value))
    return value


def _in_order(pool: Sequence[Value], value: tuple[Value, ...]) -> tuple[Value, ...]:
    """Return a list in the order of its pool; unchanged if it has that order, or items that the pool lacks."""
    rest, own = list(value), iter(pool)
    if all(any(same(item, resumable) for resumable in own) for item in value):
        return value
    found = []
    for resumable in pool:
        index = next((index for index, item in enumerate(rest) if same(item, resumable)), None)
        if index is not None:
            found.append(rest.pop(index))
    return value if rest else tuple(found)


def _search(begin: Begin, acts: Sequence[Act], taps: tuple[object, ...]) -> list[Key] | None:
    """Search depth first for the presses that lead from `taps` to `acts`; return None if there are none."""
    progress = AnswerProgress()
    entry = MenuEntry(lambda: begin(progress))
    for tap in taps:
        entry.tap(tap)
    if entry.menu is None:
        return [] if isinstance(entry.result, tuple) and _alike(entry.result, acts) else None
    if not _on_the_way(progress, acts):
        return None
    for keys, value in _ways(entry.menu, entry.page, progress, acts):
        if not _may_lead(value, acts):
            continue
        rest = _search(begin, acts, (*taps, value))
        if rest is not None:
            return [*keys, *rest]
    return None


def _ways(menu: Menu, shown: int, progress: AnswerProgress, acts: Sequence[Act]) -> list[Way]:
    """List the answers to a menu and the keys of each, with the fewest presses to turn from the page that is shown."""
    if menu.wheel is not None:
        return _turns(menu, *(act.given.get(progress.field) for act in acts if act.verb == progress.verb))
    ways: list[Way] = []
    for index, choice in enumerate(menu.choices):
        if choice.off or choice.marked:
            continue
        page = index // KEYS
        down, up = (page - shown) % menu.pages, (shown - page) % menu.pages
        turns: list[Key] = ["down"] * down if down <= up else ["up"] * up
        ways.append(([*turns, menu.key(index)], choice.value))
    if menu.ok is not NOTHING:
        ways.append((["ok"], menu.ok))
    if menu.down is not NOTHING:
        ways.append((["down"], menu.down))
    return ways


def _may_lead(value: object, acts: Sequence[Act]) -> bool:
    """Return whether a value may lead to the wanted acts; only words and a correction can be excluded without a try."""
    if value is CORRECT:
        return False  # it asks for every past act again, and ends in another command
    if type(value) is tuple and value:  # not an ask of the menu
        value = value[-1]
    if type(value) is str:
        return any(value in _words(act) for act in acts)
    if isinstance(value, InputRange):
        return any(not _numbers(act).isdisjoint(value.numbers) for act in acts)
    if isinstance(value, InputPart):  # a part of a card, or a group of letters
        words = {word for act in acts for word in _words(act)}
        return any(value in word.split("-") or (not set(value).isdisjoint(word) and value.isupper()) for word in words)
    return True


def _words(act: Act) -> set[str]:
    return {value for value in _values(act) if isinstance(value, str)}


def _numbers(act: Act) -> set[int]:
    return {value for value in _values(act) if type(value) is int}


def _values(act: Act) -> Iterator[object]:
    """Yield the single values of an act, also those in lists and objects."""
    waiting = list[object](act.given.values())
    while waiting:
        value = waiting.pop()
        if isinstance(value, tuple):
            waiting += value
        elif isinstance(value, Mapping):
            waiting += value.values()
        else:
            yield value


def _turns(menu: Menu, wanted: Value = None) -> list[Way]:
    """Return the next step of a number that is turned up and down, or OK if it is reached."""
    if not isinstance(wanted, int) or menu.wheel is None:
        return []
    if wanted == menu.wheel:
        return [(["ok"], menu.ok)]
    step = _steps(wanted - menu.wheel)[0]
    return [([STEPS.index(step)], step)]


@cache
def _steps(far: int) -> tuple[int, ...]:
    """Return the fewest steps that add up to `far`: hundreds first, then the shortest way."""
    largest = max(STEPS)
    if abs(far) > 3 * largest:
        step = largest if far > 0 else min(STEPS)
        return (step, *_steps(far - step))
    reached: dict[int, tuple[int, ...]] = {0: ()}
    waiting = deque([0])
    while far not in reached:
        place = waiting.popleft()
        for step in STEPS:
            if place + step not in reached:
                reached[place + step] = (*reached[place], step)
                waiting.append(place + step)
    return tuple(sorted(reached[far], key=abs, reverse=True))


def _on_the_way(progress: AnswerProgress, acts: Sequence[Act]) -> bool:
    if not progress.verb:
        return True
    act = next((act for act in acts if act.verb == progress.verb), None)
    if act is None:
        return False
    return all(name in act.given and _begins(act.given[name], part) for name, part in progress.given.items())


def _begins(whole: Value, part: Value) -> bool:
    if isinstance(whole, tuple) and isinstance(part, tuple):
        return same(whole[: len(part)], part)
    return same(whole, part)


def _alike(entered: Sequence[Act], wanted: Sequence[Act]) -> bool:
    return [(act.verb, dict(act.given)) for act in entered] == [(act.verb, dict(act.given)) for act in wanted]
