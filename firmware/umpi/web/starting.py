"""Starting from a phone: what can be started as a document, and the request that starts it."""

from __future__ import annotations

from umpi.i18n.translate import Translated, capitalised, current_language, game_label, tr
from umpi.kernel.fields import Each, Field, Number, Pick, Profile, Value
from umpi.kernel.game import Game
from umpi.kernel.registry import games
from umpi.referee.view_state import ViewState
from umpi.rulebook.book import Paragraph
from umpi.rulebook.shelf import Shelf
from umpi.table.commands import StartMatch
from umpi.table.empty_seat import why_not
from umpi.table.house import House
from umpi.table.labels import profile_label, rules_label, value_label
from umpi.table.lessons import taught
from umpi.timing.lines import COLOURS
from umpi.web import documents
from umpi.web.forms import field_form
from umpi.web.shown import seating_json


def games_document(house: House, shelf: Shelf, last: documents.Seating | None) -> documents.Games:
    """Return the games with their options and rule sets, and the last table."""
    lessons = taught(games())
    return {"games": [_game(game, house, _goal(shelf, game), game in lessons) for game in games()], "last": last}


def _goal(shelf: Shelf, game: type[Game]) -> str:
    """Return the first sentence of the rules of a game, which says what its players try; "" if it has no rules."""
    book = shelf.find(game.id, current_language())
    paragraphs = (
        [block.text for section in book.sections for block in section.blocks if isinstance(block, Paragraph)]
        if book
        else []
    )
    return f"{paragraphs[0].partition('. ')[0].removesuffix('.')}." if paragraphs else ""


def last_table(view: ViewState) -> documents.Seating | None:
    """Return the table that plays again, None if there was none."""
    table = view.table
    if table is None:
        return None
    return seating_json(table if view.on else table.named(view.state.names.own))


def start_of(start: documents.Start) -> StartMatch:
    """Return the command of a request."""
    players = start["players"]
    return StartMatch(
        start["game"], tuple(player["name"].strip() for player in players),
        tuple(COLOURS.index(player["button"]) for player in players),
        COLOURS.index(start["first"]) if "first" in start else None,
        start.get("rules"), start.get("options", {}), start.get("moderator", "").strip(),
        {COLOURS.index(player["button"]): player["level"] for player in players if "level" in player},
    )  # fmt: skip


def _game(game: type[Game], house: House, about: str, lesson: bool) -> documents.Game:
    begun = house.begun_with(game)
    sets = house.rule_sets(game)
    return {
        "game": game.id,
        "title": game_label(game),
        "about": about,
        "lesson": lesson,
        "seats": list(game.seats),
        "judged": game.judged,
        "empty_seat": tr(why_not(game)),
        "chooses_first": not game.rolls_off,
        "rules": [{"name": name, "label": _rules(name), "options": values} for name, values in sets.items()],
        "usual": {"rules": house.name_of(game, begun), "options": begun},
        "options": [_option(game, option, begun[option.name]) for option in game.options],
    }


def _option(game: type[Game], option: Field, begun: Value) -> documents.GameOption:
    """Return the form of an option: its values, their labels, and whether it is an experiment."""
    help = tr(game.option_help.get(option.name, ""))
    about: documents.GameOption = {
        "kind": "fixed",  # an option of none of the kinds below, which no game has, keeps the value of the beginning
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
            fields = [field_form(each, ()) for each in option.fields]
            for form in fields:
                form["label"] = _spaced(form["name"])
            return about | {"kind": "each", "fields": fields}
        case _:
            return about
    return about | {"kind": "pick", "values": values}


def _rules(name: str) -> str:
    return name or capitalised(rules_label(name))


def _value(value: Value, label: str) -> documents.Choice:
    return {"value": value, "label": capitalised(label)}


def _spaced(name: str) -> Translated:
    return capitalised(tr(name).replace("_", " "))
