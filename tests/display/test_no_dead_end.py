"""No key leads to a question that nobody can answer: every way from every question of a random game ends in an act."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from typing import Any

import pytest

from tests.kit.sampling import fewer, sampled
from umpi.conformance.tables import tables, variants
from umpi.display.answer import answer
from umpi.display.menu import NOTHING, Dialogue, Menu, MenuEntry
from umpi.display.menus import menu
from umpi.kernel import Act, Ask, Match, Refused
from umpi.kernel.fields import no_objection
from umpi.kernel.random_games import sample
from umpi.kernel.record import Header
from umpi.kernel.registry import find
from umpi.table.seating import Seating
from umpi.table.state import TableState
from umpi.table.telling import of_players

GAMES = ("battledodes", "dodeka", "dodekka", "dohdles", "dudab-buba", "quiz", "scorepad")
MOST = 400  # questions on the longest way at random
HEADERS = [header for game in GAMES for header in tables(find(game), [{}, *variants(find(game))])]


def ways(menu: Menu) -> list[object]:
    """List what can be answered to a question; OK twice, so that lists and numbers come to an end."""
    values = [choice.value for choice in menu.choices if not (choice.off or choice.read)]
    return values + [value for value in (menu.ok, menu.ok, menu.down) if value is not NOTHING]


def end_of(begin: Callable[[], Dialogue[Any]], way: object, chance: Random) -> Any:
    """Go one way from a question, then on at random, and return what it leads to."""
    entry, trail = MenuEntry(begin), list[str]()
    for _ in range(MOST):
        assert entry.menu
        trail.append(entry.menu.title)
        entry.tap(way)
        if entry.menu is None:
            return entry.result
        open_ways = ways(entry.menu)
        assert open_ways, f"{' > '.join(trail)} leads to {entry.menu.title!r}, and no answer there is allowed"
        way = chance.choice(open_ways)
    raise AssertionError(f"{' > '.join(trail[:9])} … is never answered")


def refused(match: Match, acts: tuple[Act, ...]) -> str:
    """Return why the acts are refused; "" if they are accepted, or if their game objects to some whole acts."""
    try:
        match.after(*acts)
    except Refused as refusal:
        ask = next(ask for ask in match.asks if ask.verb == acts[0].verb)
        return refusal.reason if ask.objection is no_objection else ""
    return ""


def dialogues(match: Match) -> Iterator[tuple[Callable[[], Dialogue[Any]], list[object]]]:
    """Yield the question of a match, and its menu as far as it offers acts, each with its ways."""
    table = Seating(match.game, match.players, tuple(range(len(match.players))))
    asked = partial(answer, match.asks, match.players, buttons=table.buttons, after=match.after)
    yield asked, ways(next(asked()))
    further = partial(menu, match, table, True, TableState())
    yield further, [way for way in ways(next(further())) if isinstance(way, Ask)]


@pytest.mark.parametrize("header", sampled(HEADERS, 6), ids=lambda header: f"{header.game.id}-{header.options}")
def test_every_key_that_is_not_off_leads_to_an_act(header: Header) -> None:
    if len(header.players) > 6:
        pytest.skip("there are six buttons")
    match, chance = header.match(), Random(f"{header.game.id} {header.options}")
    dealer: Any = header.game.dealer(chance.random, match.now) if header.game.dealer else None
    for _ in range(fewer(240, 4)):
        if not match.asks:
            break
        for begin, open_ways in dialogues(match) if of_players(match.asks) else ():
            for way in open_ways:
                assert refused(match, end_of(begin, way, chance)) == ""
        match.play(dealer.act(match.now) if dealer else sample(match.asks, chance.random))
