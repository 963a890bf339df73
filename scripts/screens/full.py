"""Find the screens with the longest texts of a language in random games, one for each place on the screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

from PIL import Image

from scripts.screens.positions import positions
from umpi.display import screens
from umpi.display.answer import answer
from umpi.display.lettering import NORMAL, SMALL
from umpi.display.menu import KEYS, NOTHING, Menu, MenuEntry
from umpi.display.menus import menu as menu_of
from umpi.display.picture import Picture
from umpi.display.setup import set_table
from umpi.display.sheet import PITCH, WIDTH
from umpi.i18n.translate import ENGLISH, player_label, set_language, tr
from umpi.kernel.match import Match
from umpi.kernel.registry import games
from umpi.simulator.reading import image_of
from umpi.table.seating import Seating
from umpi.table.state import TableState

DEEP = 8  # questions of an answer that are looked at
Found = tuple[str, float, Callable[[], Picture]]  # a place, how full it is, and a function that returns the screen


def fullest(language: str) -> dict[str, Image.Image]:
    """Draw the fullest screens of a language, by "fullest-" and the place; none of English. The same ones each time."""
    fullest: dict[str, float] = {}
    screens: dict[str, Image.Image] = {}
    if language == ENGLISH:
        return {}
    try:
        set_language(language)
        for place, full, draw in _found():
            if full > fullest.get(place, 0):
                fullest[place], screens[f"fullest-{place}"] = full, image_of(draw())
    finally:
        set_language(ENGLISH)
    return screens


def _found() -> Iterator[Found]:
    for game in games():
        chance = Random(0)
        yield from _of_dialogue(MenuEntry(partial(set_table, [game], TableState())), chance)
        for match, _ in positions(game):
            if match.asks:
                yield from _of_position(match, chance)


def _of_position(match: Match, chance: Random) -> Iterator[Found]:
    players, asks, after, view = match.players, match.asks, match.after, match.now.view()
    table = Seating(match.game, players, tuple(range(len(players))))
    yield from _of_dialogue(MenuEntry(lambda: menu_of(match, table, True, TableState())), chance, match)
    own = MenuEntry(lambda: answer(asks, players, True, None, (), after))
    menu, head = own.menu, tr(view.head, players)
    if menu and not menu.rows and not menu.text:
        who = tr(match.game.title) if match.seat is None else player_label(players[match.seat])
        info = "  ".join(" ".join(tr(text, players) for text in (row.label, *row.cells)) for row in view.rows)
        shown = screens.table(match, menu, 0)
        yield "head", NORMAL.measure(f"{who} {head}") / WIDTH, lambda: shown
        yield "info", SMALL.measure(info) / WIDTH, lambda: shown
        sign = tr("NOT SAVED")
        yield "sign", len(f"{head}{sign}"), lambda: screens.table(match, menu, 0, sign=sign)
    yield from _of_dialogue(own, chance, match)


def _of_dialogue(entry: MenuEntry[Any], chance: Random, match: Match | None = None) -> Iterator[Found]:
    """Yield the places in a dialogue, with random choices."""
    for _ in range(DEEP):
        if entry.menu is None:
            return
        yield from _of_menu(entry.menu, match)
        ways = [choice.value for choice in entry.menu.choices if not choice.off and not choice.marked]
        ways += [entry.menu.ok] * (entry.menu.ok is not NOTHING)
        if not ways:
            return
        entry.tap(chance.choice(ways))


def _of_menu(menu: Menu, match: Match | None) -> Iterator[Found]:
    def drawn(page: int) -> Picture:
        return screens.table(match, menu, page) if match else screens.question(menu, page)

    alone = match is None or menu.rows or bool(menu.text)
    done = "" if menu.ok is NOTHING else f" OK {menu.done}"
    place = "bar" if alone else "question"
    yield place, SMALL.measure(f"{menu.title}{done}") / WIDTH, lambda: drawn(0)
    yield "text", len(menu.text), lambda: drawn(0)
    for index, choice in enumerate(menu.choices):
        place, room = ("row", WIDTH - 11) if menu.rows else ("key", menu.span * PITCH - 1)
        yield place, SMALL.measure(choice.label) / room, partial(drawn, index // KEYS)
    players = match.players if match else ()
    for title, text in [("Rules", menu.help), *(("Not allowed", choice.off) for choice in menu.choices)]:
        shown = tr(text, players)
        yield "notice", len(shown), partial(screens.notice, tr(title), shown, 0)
