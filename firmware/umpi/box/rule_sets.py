"""Rule sets of umpi.toml: options of a game under a name; a set may build on another one, its base."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from umpi.kernel.match import Refused
from umpi.kernel.record import Find, check_options, read_line

KEYS = ("game", "base", "options")
LONGEST = 14  # letters of a name, so that a row of the screen has room for it


class BadRules(ValueError):
    """Report a rule set that cannot be used: `name` is the set, the text gives the reason."""

    def __init__(self, name: str, why: str) -> None:
        super().__init__(why)
        self.name = name


def rule_sets(given: Mapping[str, Any], find: Find) -> dict[str, dict[str, Any]]:
    """Return each set with its game and all its options, those of its base included. Raises BadRules.

    >>> from umpi.kernel.registry import find
    >>> short = {"game": "dodeka", "options": {"target": 300}}
    >>> rule_sets({"short": short, "one": {"base": "short", "options": {"parts": 1}}}, find)["one"]
    {'game': 'dodeka', 'options': {'target': 300, 'parts': 1}}
    """
    return {name: _resolved(name, given, find, ()) for name in given}


def built_on(name: str, given: Mapping[str, Any]) -> list[str]:
    """Return a set and those that it builds on, one after the other, as far as they are there.

    >>> built_on("one", {"one": {"base": "two"}, "two": {"base": "three"}})
    ['one', 'two']
    """
    found: list[str] = []
    base: object = name
    while isinstance(base, str) and base in given and base not in found:
        found.append(base)
        base = given[base].get("base") if isinstance(given[base], dict) else None
    return found


def game_of(name: str, given: Mapping[str, Any]) -> str:
    """Return the id of the game of a set, "" if it names none."""
    sets = [given[each] for each in built_on(name, given) if isinstance(given[each], dict)]
    return next((str(each["game"]) for each in sets if "game" in each), "")


def _resolved(name: str, given: Mapping[str, Any], find: Find, above: tuple[str, ...]) -> dict[str, Any]:
    """Return a set that the sets `above` build on, one after the other."""
    own = given[name]
    if not name.strip() or not name.isprintable() or len(name) > LONGEST:
        raise BadRules(name, f"its name needs 1 to {LONGEST} printable characters")
    if not isinstance(own, dict):
        raise BadRules(name, "expected a section, with game or base, and options")
    if unknown := next((key for key in own if key not in KEYS), ""):
        raise BadRules(name, f'it has no "{unknown}"; it has {", ".join(KEYS)}')
    if name in above:
        raise BadRules(name, f"it builds on itself: {', '.join((*above, name))}")
    base = own.get("base")
    if base is not None and (not isinstance(base, str) or base not in given):
        raise BadRules(name, f"there is no rule set {base!r} to build on; there are: {', '.join(given)}")
    below = _resolved(base, given, find, (*above, name)) if base else {"game": own.get("game"), "options": {}}
    id = own.get("game", below["game"])
    if not isinstance(id, str):
        raise BadRules(name, 'it needs the id of a game, as in game = "dodeka", or a base')
    if id != below["game"]:
        raise BadRules(name, f"its game is {id}, but its base {base} is for {below['game']}")
    try:
        options = check_options(_plain(own.get("options", {})), find(id))
    except Refused as refusal:
        raise BadRules(name, refusal.reason.rstrip(".")) from None
    except (TypeError, ValueError):
        raise BadRules(name, "no option of a game can be that") from None
    return {"game": id, "options": {**below["options"], **options}}


def _plain(value: object) -> object:
    """Return a value of TOML as records have it. Raises TypeError or ValueError for others, such as dates."""
    return (read_line(f'{{"it":{json.dumps(value, allow_nan=False)}}}'.encode()) or {})["it"]
