"""A language to those of its texts that the small screen cuts, on the screens of random games and of the galleries."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from screens_play import PLAYERS, gallery

from umpi.conformance.tables import variants
from umpi.conformance.texts import Cut, fitting, heard, titled
from umpi.display.panel import Key, Panel
from umpi.display.setup import COLOURS, TableSetup
from umpi.i18n.translate import player_label, set_language
from umpi.kernel.game import Game
from umpi.kernel.match import Match
from umpi.kernel.messages import message
from umpi.kernel.random_games import play
from umpi.kernel.registry import games
from umpi.referee.health import DEVICES

EVERY = 7  # look at one of this many positions of a game
MOST = 40  # most positions per game


def cut_texts(code: str) -> list[str]:
    """List the texts that are cut, as the check of an engine reports them."""
    set_language(code)
    found = [flaw for game in games() for flaw in _of_game(game)]
    names = {*PLAYERS, *map(player_label, COLOURS)}  # names may be cut
    with heard() as cuts:
        gallery(code)
    found += [_of_cut(cut) for cut in cuts if cut.text not in names]
    return list(dict.fromkeys(found))


def _of_game(game: type[Game]) -> Iterator[str]:
    yield from (flaw.why for flaw in titled(game))
    for match, seed in positions(game):
        yield from (flaw.why for flaw in fitting(match, Random(seed).random))
        yield from _of_menu(match, warned=False)
        yield from _of_menu(match, warned=True)


def positions(game: type[Game]) -> Iterator[tuple[Match, int]]:
    """Play random games of each variant with as many as sit at the box; yield some positions of each, and its seed."""
    for seed, options in enumerate([{}, *variants(game)]):
        seats = min(game.seats[-1], len(COLOURS))
        if getattr(game, "objection", lambda seats, **options: "")(seats, **options):
            continue
        match = Match(game, COLOURS[:seats], options)
        for number, _ in enumerate(play(match, seed, audited=False)):
            if number % EVERY == 0 or not match.asks:
                yield match, seed
            if number > MOST * EVERY:
                break


def _of_menu(match: Match, warned: bool) -> Iterator[str]:
    """Look at the question and the menu of a game, page by page; if `warned`, with both warning signs."""
    panel = Panel([match.game])
    if warned:
        panel.put(unsaved=message("the disk is full"), device_errors=dict(DEVICES.values()))
    panel.show(match, TableSetup(match.game, match.players, tuple(range(len(match.players)))))
    with heard() as cuts:
        panel.picture()
        keys: tuple[Key, ...] = ("back", "down", "down")
        for key in keys:
            panel.press(key, long=key == "back")
            panel.picture()
    names = set(map(player_label, COLOURS))
    yield from (_of_cut(cut) for cut in cuts if cut.text not in names)


def _of_cut(cut: Cut) -> str:
    return f'The screen cuts "{cut.text}" to "{cut.left}".'
