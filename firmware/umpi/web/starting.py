"""Starting from a phone: what can be started as a document, and the request that starts it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from umpi.i18n.translate import Translated, capitalised, game_label, tr
from umpi.kernel.fields import Each, Field, Number, Pick, Profile, Value
from umpi.kernel.game import Game
from umpi.kernel.registry import games
from umpi.referee.view_state import ViewState
from umpi.table.commands import StartMatch
from umpi.table.house import House
from umpi.table.labels import profile_label, rules_label, value_label
from umpi.table.seats import COLOURS
from umpi.web.forms import field_form
from umpi.web.reading import Stop, check
from umpi.web.table import table_json

Json = dict[str, Any]
CHOSEN = ("first", "rules", "options", "moderator")  # of the keys of a start, those that may be missing
START_KEYS: dict[str, type] = {
    "game": str, "players": tuple, "first": str, "rules": str, "options": dict, "moderator": str,
}  # fmt: skip
BUTTONS = tuple(colour.lower() for colour in COLOURS)


def games_document(house: House, last: Json | None) -> Json:
    """Return the games with their options and rule sets, and the last table."""
    return {"games": [_game(game, house) for game in games()], "last": last}


def last_table(view: ViewState) -> Json | None:
    """Return the table that plays again, None if there was none."""
    table = view.table
    if table is None:
        return None
    return table_json(table if view.on else table.named(view.state.names.own))


def checked_start(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the start of a match that is within a body. Raises Stop if its keys are not as expected."""
    return check(dict(body), CHOSEN, **START_KEYS)


def start_of(body: Mapping[str, Any]) -> StartMatch:
    """Return the command of a request. Raises Stop if a player or a button is not as expected."""
    players = [_player(each) for each in body["players"]]
    first = _button(body["first"], "first") if "first" in body else None
    return StartMatch(
        body["game"], tuple(name for _, name in players), tuple(button for button, _ in players), first,
        body.get("rules"), body.get("options", {}), body.get("moderator", "").strip(),
    )  # fmt: skip


def _player(player: object) -> tuple[int, str]:
    if not isinstance(player, Mapping) or {*player} != {"button", "name"} or not isinstance(player["name"], str):
        raise Stop(400, tr("Each player needs a button and a name."))
    return _button(player["button"], "button"), player["name"].strip()


def _button(button: object, key: str) -> int:
    if button not in BUTTONS:
        raise Stop(400, f'"{key}" must be one of {", ".join(BUTTONS)}.')
    return BUTTONS.index(str(button))


def _game(game: type[Game], house: House) -> Json:
    begun = house.begun_with(game)
    sets = house.rule_sets(game)
    return {
        "game": game.id,
        "title": game_label(game),
        "seats": list(game.seats),
        "judged": game.judged,
        "chooses_first": not game.rolls_off,
        "rules": [{"name": name, "label": _rules(name), "options": values} for name, values in sets.items()],
        "usual": {"rules": house.name_of(game, begun), "options": begun},
        "options": [_option(game, option, begun[option.name]) for option in game.options],
    }


def _option(game: type[Game], option: Field, begun: Value) -> Json:
    """Return the form of an option: its values, their labels, and whether it is an experiment."""
    help = tr(game.option_help.get(option.name, ""))
    about = {
        "name": option.name, "label": _spaced(option.name), "help": help,
        "experiment": option.name in game.experiments,
    }  # fmt: skip
    match option:
        case Pick():
            values = [_value(value, value_label(option.name, value)) for value in option.all_values or option.pool]
        case Profile():
            ready = [None, *option.ready.values()]
            own = [] if any(begun == value for value in ready) else [begun]
            values = [_value(value, profile_label(option, value)) for value in (*ready, *own)]
        case Number():
            none = value_label(option.name, None) if option.null else ""
            return about | {"kind": "number", "low": option.low, "high": option.high, "null": option.null, "none": none}
        case Each():
            fields = [field_form(each, ()) | {"label": _spaced(each.name)} for each in option.fields]
            return about | {"kind": "each", "fields": fields}
        case _:  # no game has an option of another kind; such a one keeps the value that the box begins with
            return about | {"kind": "fixed"}
    return about | {"kind": "pick", "values": values}


def _rules(name: str) -> str:
    return name or capitalised(rules_label(name))


def _value(value: Value, label: str) -> Json:
    return {"value": value, "label": capitalised(label)}


def _spaced(name: str) -> Translated:
    return capitalised(tr(name).replace("_", " "))
