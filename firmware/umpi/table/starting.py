"""Starting from a phone: the commands of the referee's phone, and the table that they ask for."""

from __future__ import annotations

from collections.abc import Sequence

from umpi.i18n.translate import player_label
from umpi.kernel.fields import Value
from umpi.kernel.game import Game
from umpi.kernel.match import Refused
from umpi.kernel.messages import Name, message
from umpi.kernel.record import Record, check_table, name_refusal
from umpi.table.commands import StartMatch
from umpi.table.empty_seat import free_name
from umpi.table.house import SHEET, House
from umpi.table.seating import Seating, changed, seat_numbers
from umpi.table.seats import COLOURS


def table_of(start: StartMatch, games: Sequence[type[Game]], house: House) -> Seating:
    """Return the table that a phone asks for. Raises Refused, with the reason, if no match can begin at it."""
    game = next((game for game in games if game.id == start.game), None)
    if game is None:
        raise Refused(message("There is no game {game}.", game=Name(start.game[:24])))
    seated = _seated(start)
    if len(seated) < len(start.buttons):
        raise Refused(message("Two players cannot share a button."))
    if len(seated) not in game.seats:
        raise Refused(message("{game}: {numbers} players.", game=game.title, numbers=seat_numbers(game)))
    moderated = [start.moderator] if start.moderator else []
    if moderated and not game.judged:
        raise Refused(message("{game}: nobody judges answers, so no moderator.", game=game.title))
    _check_names((*seated.values(), *moderated))
    chosen = _chosen(start, game, house)
    check_table(game, len(seated), chosen)
    name = house.name_of(game, chosen)
    levels = {button: level for button, level in start.levels.items() if button in seated}
    table = Seating(
        game, tuple(seated.values()), tuple(seated), changed(game, chosen), name or SHEET, start.moderator, levels
    )
    if start.first is not None and start.first not in seated:
        raise Refused(message("Choose one of the players to start."))
    if start.first is not None:
        table = table.begun_by(table.buttons.index(start.first))
    Record(table.header())  # the game's own code sets it up
    return table


def _seated(start: StartMatch) -> dict[int, str]:
    """Return the names by button, from the left; a seat of the box without a name gets a name of its own."""
    seated = dict(zip(start.buttons, start.players, strict=True))
    for button in start.buttons:
        own = free_name(tuple(seated.values())) if button in start.levels else COLOURS[button]
        seated[button] = seated[button] or own
    return dict(sorted(seated.items()))


def _check_names(names: Sequence[str]) -> None:
    """Check the names of players. Raises Refused if one cannot be a name, or if two players read alike."""
    read = [player_label(name).casefold() for name in names]
    for seat, name in enumerate(names):
        if name_refusal(name):
            raise Refused(message("A name has 1 to 24 characters, and no control characters."))
        if read[seat] in read[:seat]:
            raise Refused(message("Another player is already called {name}.", name=Name(name)))


def _chosen(start: StartMatch, game: type[Game], house: House) -> dict[str, Value]:
    """Return all options of the match. Raises Refused if there is no such rule set, or if an option cannot be that."""
    sets = house.rule_sets(game)
    if start.rules is not None and start.rules not in sets:
        raise Refused(message("{game} has no rules called {name}.", game=game.title, name=Name(start.rules[:24])))
    chosen = house.begun_with(game) if start.rules is None else sets[start.rules]
    known = {option.name: option for option in game.options}
    for name, value in start.options.items():
        if name not in known:
            raise Refused(message("{game} has no option {name}.", game=game.title, name=Name(name[:24])))
        if why := known[name].refuse(value):
            raise Refused(why)
    return house.with_profiles(game, {**chosen, **start.options})
