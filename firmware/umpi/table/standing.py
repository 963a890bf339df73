"""The state of a match in a few words, for screens and the voice: points, whose turn, what is open, and who has won."""

from __future__ import annotations

from collections.abc import Sequence

from umpi.frozen import frozen
from umpi.i18n.translate import Translated, player_label, tr, tr_n
from umpi.kernel.match import Match
from umpi.kernel.messages import TEAM, Name, listed

FIXED = "\N{NO-BREAK SPACE}"
BOTH = 4  # the most players of whom both numbers have room
TOTAL = (8, 6)  # the most letters of a total and of the points beside it that leave room for a sign: in tiles, in lines


@frozen
class Tile:
    """The contents of a seat's tile: button, name, a short text, score, and whether the seat acts or has won."""

    button: int
    name: str
    beside: str
    score: str
    light: bool


def tiles_of(match: Match, buttons: Sequence[int], light: Sequence[int] = ()) -> list[Tile]:
    """Return the tiles of all seats, those of `light` lit; a score that is hidden until the end is ""."""
    view = match.view
    hidden = view.hidden and match.asks
    scores = ["" if hidden else str(score) for score in match.now.scores()]
    beside = [tr(short, match.players) for short in view.beside or ("",) * len(scores)]
    short, large = (_totals(scores, beside), beside) if view.large and match.asks else (beside, scores)
    each = enumerate(zip(buttons, map(player_label, match.players), short, large, strict=True))
    return [Tile(button, name, small, big, seat in light) for seat, (button, name, small, big) in each]


def _totals(scores: Sequence[str], beside: Sequence[str]) -> list[str]:
    """Return the totals with a sum sign, so that they differ from the points beside them; "" while all are 0."""
    most = TOTAL[len(scores) > 3]
    room = all(len(score) + len(points) <= most for score, points in zip(scores, beside, strict=True))
    sign = "\N{GREEK CAPITAL LETTER SIGMA}" if room else ""
    return [f"{sign}{score}" if score and set(scores) != {"0"} else "" for score in scores]


def points_of(match: Match) -> Translated:
    """List the players, each with what their tile shows large; if there are few, also what it shows small."""
    tiles = tiles_of(match, range(len(match.players)))
    return Translated(", ".join(_points(tile, both=len(tiles) <= BOTH) for tile in tiles))


def open_question(match: Match) -> Translated:
    """Return the question of a match, after the name of the player that it is for."""
    asks = [ask for ask in match.asks if ask.answerable and not (ask.rare or ask.of_box)] or match.asks
    title = Translated(" / ".join(dict.fromkeys(tr(ask.text, match.players) for ask in asks)))
    who = whose(match, title)
    return tr("{who}: {question}", who=Name(who), question=title) if who else title


def whose(match: Match, question: str) -> str:
    """Return the player who must answer a question, "" if that is nobody or if the question names them."""
    if match.seat is None:
        return ""
    name = player_label(match.players[match.seat])
    return "" if name in question else name


def winners_of(match: Match) -> Translated:
    """Return the sentence that says who has won, or that all lose."""
    result = match.now.result()
    if result and not result.winners:
        return tr_n("{names} loses!", "All lose!", len(match.players), names=player_label(match.players[0]))
    names = [Name(match.players[seat]) for seat in (result.winners if result else ())]
    return tr_n("{names} wins!", "{names} win!", sum(1 + name.count(TEAM) for name in names), names=listed(names))


def _points(tile: Tile, both: bool) -> str:
    small = f"({tile.beside})" if tile.beside and tile.score and both else ""
    return FIXED.join(filter(None, (tile.name, tile.score, small)))
