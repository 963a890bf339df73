"""Find the texts of a language that the small screen cuts, in random games and in the galleries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from scripts.screens.gallery import NETWORKS, PLAYERS, Screen, gallery
from scripts.screens.positions import positions
from umpi.conformance.texts import Cut, collect_cuts, fitting, titled
from umpi.display.panel import Key, Panel
from umpi.i18n.translate import player_label, set_language
from umpi.kernel.game import Game
from umpi.kernel.match import Match
from umpi.kernel.messages import message
from umpi.kernel.registry import games
from umpi.referee.health import DEVICES
from umpi.table.seating import Seating
from umpi.table.seats import COLOURS


def cut_texts(code: str) -> list[str]:
    """List the texts that are cut, as the check of an engine reports them."""
    return [*cut_in_games(code), *cut_in_gallery(code, play_gallery(code)[1])]


def cut_in_games(code: str) -> list[str]:
    """List the texts that are cut on the screens of random games."""
    set_language(code)
    return list(dict.fromkeys(flaw for game in games() for flaw in _of_game(game)))


def play_gallery(code: str) -> tuple[dict[str, Screen], list[Cut]]:
    """Play the gallery of a language; return its screens, and all texts that they cut."""
    with collect_cuts() as cuts:
        screens = gallery(code)
    return screens, cuts


def cut_in_gallery(code: str, cuts: Sequence[Cut]) -> list[str]:
    """List the texts among `cuts` that must not be cut: names may be."""
    set_language(code)
    names = {*PLAYERS, *map(player_label, COLOURS), *(network.name for network in NETWORKS)}
    return [_of_cut(cut) for cut in cuts if cut.text not in names]


def _of_game(game: type[Game]) -> Iterator[str]:
    yield from (flaw.why for flaw in titled(game))
    for match, seed in positions(game):
        yield from (flaw.why for flaw in fitting(match, Random(seed).random))
        yield from _of_menu(match, warned=False)
        yield from _of_menu(match, warned=True)


def _of_menu(match: Match, warned: bool) -> Iterator[str]:
    """Look at the question and the menu of a game, page by page; if `warned`, with both warning signs."""
    panel = Panel([match.game])
    if warned:
        unsaved, errors = message("the disk is full"), {str(name): instead for name, instead in DEVICES.values()}
        panel.table.become(replace(panel.table.state, unsaved=unsaved, device_errors=errors))
    panel.show(match, Seating(match.game, match.players, tuple(range(len(match.players)))))
    with collect_cuts() as cuts:
        panel.picture()
        keys: tuple[Key, ...] = ("back", "down", "down")
        for key in keys:
            panel.press(key, long=key == "back")
            panel.picture()
    names = set(map(player_label, COLOURS))
    yield from (_of_cut(cut) for cut in cuts if cut.text not in names)


def _of_cut(cut: Cut) -> str:
    return f'The screen cuts "{cut.text}" to "{cut.left}".'
