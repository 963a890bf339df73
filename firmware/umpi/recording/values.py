"""Events, effects and setups as JSON values, and back.

A value of a class becomes an object with the name of the class under "#". Fields at their defaults are left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from hashlib import sha256
from types import FunctionType
from typing import Any, get_args
from zlib import crc32

from umpi.display.picture import Picture
from umpi.i18n.translate import Translated
from umpi.kernel.game import Act
from umpi.kernel.kept import Kept, MatchNews
from umpi.kernel.messages import Figure, Member, Message, Name, Parts, Who, filled
from umpi.referee.effects import Effect, Show
from umpi.referee.events import (
    Event,
)
from umpi.referee.setup import BoxSetup
from umpi.table.card import FoundNetwork
from umpi.table.commands import (
    RemoteCommand,
)
from umpi.table.joining import Claim
from umpi.table.puzzle import Puzzle
from umpi.table.shelf_work import KnownShelf, OnShelf
from umpi.timing.edge import Edge

KIND = "#"
# What the events contain: each class by its name
KINDS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        *get_args(Event), *(kind for kind in get_args(RemoteCommand) if kind.phones != "none"),
        Act, BoxSetup, Claim, FoundNetwork, Kept, KnownShelf, MatchNews, OnShelf, Puzzle,
    )
}  # fmt: skip
SECRET = "••••••••"  # in place of a passphrase or a code


class Unknown(ValueError):
    """Raised for a value that cannot be read; the message names it."""


def plain(value: Any) -> Any:
    """Return a value as JSON can contain it."""
    match value:
        case Message():
            values = {name: plain(each) if _known(each) else str(each) for name, each in value.values.items()}
            many = {"many": value.many} if value.many else {}
            return {KIND: "Message", "template": value.template, **many, "values": values}
        case Translated() | Name() | Figure():
            return {KIND: type(value).__name__, "text": str(value)}
        case Member():
            return {KIND: "Member", "seat": int(value), "number": value.number}
        case Who():
            return {KIND: "Who", "seat": int(value)}
        case Parts():
            return {KIND: "Parts", "parts": [plain(part) for part in value]}
        case None | bool() | int() | float() | str():
            return value
        case Edge():  # the head's edges have an uncertainty that the referee does not use
            return {KIND: "Edge", "line": value.line, "active": value.active, "at_ns": value.at_ns}
        case FunctionType():  # a method of a port
            return value.__name__
        case Picture():
            return picture_hash(value)
        case Mapping():
            if KIND in value or not all(isinstance(key, str) for key in value):
                return {KIND: "map", "items": [[plain(key), plain(item)] for key, item in value.items()]}
            return {key: plain(item) for key, item in value.items()}
        case tuple() | list():
            return [plain(item) for item in value]
        case _:
            return _of_dataclass(value)


def _of_dataclass(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        named = {field.name: plain(getattr(value, field.name)) for field in fields(value) if _shown(field, value)}
        return {KIND: type(value).__name__, **named}
    return {KIND: "?", "text": str(value)}  # it can be read by people, and not replayed


def read_value(value: Any) -> Any:
    """Return what `plain` was given, with tuples in place of lists. Raises Unknown."""
    if isinstance(value, list):
        return tuple(map(read_value, value))
    if not isinstance(value, dict):
        return value
    kind = value.get(KIND)
    given = {key: read_value(item) for key, item in value.items() if key != KIND}
    try:
        match kind:
            case None:
                return given
            case "map":
                return dict(given["items"])
            case "Message":
                return filled(given["template"], given.get("many", ""), given["values"])
            case "Translated":
                return Translated(given["text"])
            case "Name":
                return Name(given["text"])
            case "Figure":
                return Figure(given["text"])
            case "Member":
                return Member(given["seat"], given["number"])
            case "Who":
                return Who(given["seat"])
            case "Parts":
                return Parts(given["parts"])
            case _:
                return KINDS[kind](**given)
    except (KeyError, TypeError, ValueError) as fault:
        raise Unknown(f"this Umpi does not know {str(kind)[:40]!r} ({type(fault).__name__}: {fault})") from None


def dumped(value: Any) -> str:
    """Return a plain value as one line of JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def picture_hash(picture: Picture) -> str:
    """Return the hash of a picture's dots."""
    return sha256(picture.tobytes()).hexdigest()[:12]


def digest(effects: list[Effect]) -> str:
    """Return a checksum of effects: of every dot, line, lamp and sound, except private pictures."""
    shown = [_dots_and_lamps(effect) if isinstance(effect, Show) else plain(effect) for effect in effects]
    return f"{crc32(dumped(shown).encode(errors='replace')):08x}"


def _known(value: object) -> bool:
    """Return whether a value of a message is more than its text."""
    return isinstance(value, str | int | float | Parts | None)


def _dots_and_lamps(show: Show) -> list[Any]:
    view, picture = show.view, show.picture
    dots = "" if view.screen.private or picture is None else picture_hash(picture)
    return [dots, plain(view.look), view.lit, view.blinking]


def _shown(field: Field[Any], value: Any) -> bool:
    """Return whether a field is compared, and differs from its default."""
    given = getattr(value, field.name)
    default = field.default_factory() if field.default_factory is not MISSING else field.default
    return field.compare and not (type(given) is type(default) and given == default)
