"""The state of a match in a few words, for screens that are not its own: points, and what is open."""

from __future__ import annotations

from umpi.display.tiles import Tile, tiles_of
from umpi.i18n.translate import Translated, tr
from umpi.kernel.match import Match
from umpi.kernel.messages import Name

FIXED = "\N{NO-BREAK SPACE}"
BOTH = 4  # the most players of whom both numbers have room


def points_of(match: Match) -> Translated:
    """List the players, each with what their tile shows large; if there are few, also what it shows small."""
    tiles = tiles_of(match, range(len(match.players)))
    return Translated(", ".join(_points(tile, both=len(tiles) <= BOTH) for tile in tiles))


def open_question(match: Match) -> Translated:
    """Return the question of a match, after the name of the player that it is for."""
    title = tr(" / ".join(tr(ask.text, match.players) for ask in match.asks if not ask.rare))
    if match.seat is None:
        return title
    return tr("{who}: {question}", who=Name(match.players[match.seat]), question=title)


def _points(tile: Tile, both: bool) -> str:
    small = f"({tile.beside})" if tile.beside and tile.score and both else ""
    return FIXED.join(filter(None, (tile.name, tile.score, small)))
