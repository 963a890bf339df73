"""An act to the presses that enter it: how many an answer costs, and how a script plays a written game."""

from __future__ import annotations

from collections.abc import Sequence

from umpi.panel.answer import answer
from umpi.panel.entering import Progress
from umpi.panel.menu import KEYS, NOTHING, Entry, Menu
from umpi.panel.panel import Key
from umpi.rules.fields import Some, Value, same
from umpi.rules.game import Act, Ask


class CannotType(ValueError):
    """No sequence of presses enters that act."""


def presses(asks: Sequence[Ask], players: Sequence[str], acts: Sequence[Act], quick: bool = True) -> list[Key]:
    """Find the presses that answer the offer with `acts`.

    Raises CannotType where none do; rare acts stand in the menu and are not looked for.
    """
    usual = [ask for ask in asks if not ask.rare] or list(asks)
    ask = next((ask for ask in usual if ask.verb == acts[0].verb), None)
    wanted = [_as_asked(ask, acts[0]), *acts[1:]] if ask else list(acts)
    found = _search(usual, players, wanted, quick, ()) if ask else None
    if found is None:
        raise CannotType(f"no presses enter {[act.line() for act in acts]}")
    return found


def _as_asked(ask: Ask, act: Act) -> Act:
    """Bring what is chosen from a few that lie into the order they lie in, as the keys tell it."""
    lies = {field.name: list(field.pool) for field in ask.fields if isinstance(field, Some) and field.source == "will"}
    given = dict(act.given)
    for name, pool in lies.items():
        value = given.get(name)
        if isinstance(value, tuple):
            given[name] = tuple(sorted(value, key=pool.index))
    return Act(act.verb, given)


def _search(
    asks: Sequence[Ask], players: Sequence[str], acts: Sequence[Act], quick: bool, taps: tuple[object, ...]
) -> list[Key] | None:
    """Try each choice that has not gone astray yet, depth first."""
    progress = Progress()
    entry = Entry(lambda: answer(asks, players, quick, progress))
    for tap in taps:
        entry.tap(tap)
    if entry.menu is None:
        return [] if entry.result and _alike(entry.result, acts) else None
    if not _on_the_way(progress, acts):
        return None
    for keys, value in _ways(entry.menu):
        rest = _search(asks, players, acts, quick, (*taps, value))
        if rest is not None:
            return [*keys, *rest]
    return None


def _ways(menu: Menu) -> list[tuple[list[Key], object]]:
    """What can be answered and by which keys: turning the page as often as it takes, the short way round."""
    ways: list[tuple[list[Key], object]] = []
    for index, choice in enumerate(menu.choices):
        if choice.off or choice.marked:
            continue
        page = index // KEYS
        down, up = page, (menu.pages - page) % menu.pages
        turns: list[Key] = ["down"] * down if down <= up else ["up"] * up
        ways.append(([*turns, menu.key(index)], choice.value))
    if menu.ok is not NOTHING:
        ways.append((["ok"], menu.ok))
    return ways


def _on_the_way(progress: Progress, acts: Sequence[Act]) -> bool:
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
