"""Other names for the players in a session file, which then replays with these names."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from umpi.kernel.game import Game
from umpi.kernel.record import Find, dump
from umpi.recording.replay import FAULTS, Replay
from umpi.recording.session_file import read_lines, sealed
from umpi.recording.values import KIND, digest, dumped, plain, read_value
from umpi.referee.effects import Effect, JournalCall
from umpi.referee.ports import JournalPort
from umpi.referee.referee import Referee
from umpi.rulebook.shelf import Shelf
from umpi.table.commands import NamePlayer
from umpi.table.joining import Claim
from umpi.table.seats import COLOURS

NAME = "Player {number}"
# Keys of words of the format, which may also be names: of an event, of a line of a record, and of the fields of an act
IN_EVENT = frozenset((KIND, "line", "game", "how", "who", "do"))
IN_RECORD, IN_FIELDS = frozenset(("do", "game")), frozenset((KIND,))


class CannotRename(Exception):
    """Raised if the names of a session cannot be replaced, because it would then replay otherwise."""


def without_names(lines: Sequence[bytes], games: Sequence[type[Game]], find: Find) -> list[bytes]:
    """Return a session with "Player 1", "Player 2" … in place of the players' names.

    Raises SessionFault if the session cannot be replayed here to its end, CannotRename if it cannot with other names.
    """
    read = [line for _, line in read_lines(lines)]
    kinds, written = [], list[Any]()
    for step in Replay(lines, games, find):
        kinds.append(_kinds(step.effects))
        written += _written(step.effects)
    names = _names([*read, *written])
    pattern = _pattern(names)
    renamed = [_renamed(line, pattern, names) for line in read]
    try:
        return list(sealed(map(dumped, _stepped(renamed, kinds, names, games, find))))
    except FAULTS as fault:
        raise CannotRename(f"it does not fit other names: {type(fault).__name__}: {fault}") from fault


def _stepped(
    lines: Iterable[Any],
    kinds: Sequence[Sequence[str]],
    names: Mapping[str, str],
    games: Sequence[type[Game]],
    find: Find,
) -> Iterator[Any]:
    """Yield the lines with the checksums that belong to the other names."""
    core: Referee | None = None
    own = names.keys() - {*names.values()}  # "Player 1" may be one of both
    number = 0
    for line in lines:
        if "box" in line:
            core = Referee(read_value(line["box"]), games, find, Shelf(games))
        elif "event" in line and core:
            effects = core.step(read_value(line["event"]))
            if _kinds(effects) != kinds[number]:
                raise CannotRename(f"event {number + 1} would lead to something else")
            if not own.isdisjoint(_names(_written(effects))):
                raise CannotRename("a name was typed with the buttons, and the presses would tell it")
            number += 1
            line = {"event": line["event"], **({"out": digest(effects)} if effects else {})}
        yield line


def _kinds(effects: Sequence[Effect]) -> list[str]:
    return [type(effect).__name__ for effect in effects]


def _written(effects: Iterable[Effect]) -> Iterator[Any]:
    """Yield what effects write into the journal. Names that were typed with the buttons stand there only."""
    for effect in effects:
        match effect:
            case JournalCall(JournalPort.rename, (_, players)):
                yield {"players": plain(players)}
            case JournalCall():
                yield plain([*effect.values, *effect.named.values()])
            case _:
                pass


def _names(lines: Iterable[Any]) -> dict[str, str]:
    """Return the other name of each player, in the order in which they appear."""
    found: dict[str, None] = {}
    for line in lines:
        for names in _players(line):
            found.update(dict.fromkeys(names))
    own = [name for name in found if name and not _is_colour(name)]
    return {name: NAME.format(number=number) for number, name in enumerate(own, 1)}


def _is_colour(name: str) -> bool:
    """Return whether the box itself named a player, after a button: "Green", or "Green 2"."""
    colour, space, number = name.partition(" ")
    return colour in COLOURS and (not space or number.isdecimal())


def _players(value: Any) -> Iterator[list[str]]:
    """Yield the lists of players in a line: those the box knows, those of each match, and a name from a phone.

    A moderator is one of them.
    """
    if isinstance(value, dict):
        if value.get(KIND) in (NamePlayer.__name__, Claim.__name__):
            yield [value["name"]]
        if isinstance(value.get("moderator"), str):
            yield [value["moderator"]]
        for key in ("known", "players"):
            if isinstance(value.get(key), list):
                yield [name for name in value[key] if isinstance(name, str)]
        for item in value.values():
            yield from _players(item)
    elif isinstance(value, list):
        for item in value:
            yield from _players(item)
    elif isinstance(value, str) and (record := _record(value)):
        yield from _players(record)


def _pattern(names: Mapping[str, str]) -> re.Pattern[str] | None:
    longest = sorted(names, key=len, reverse=True)
    return re.compile(rf"(?<!\w)({'|'.join(map(re.escape, longest))})(?!\w)") if names else None


def _renamed(
    value: Any, pattern: re.Pattern[str] | None, names: Mapping[str, str], keep: frozenset[str] = IN_EVENT
) -> Any:
    """Return a value with the other names; what is under the keys to `keep` stays."""
    if pattern is None:
        return value
    if isinstance(value, dict):
        return {
            key: item
            if key in keep
            else _renamed(item, pattern, names, IN_FIELDS if key in ("given", "values") else keep)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [_renamed(item, pattern, names, keep) for item in value]
    if not isinstance(value, str):
        return value
    if record := _record(value):
        return dump(_renamed(record, pattern, names, IN_RECORD))
    return pattern.sub(lambda found: names[found[1]], value)


def _record(text: str) -> dict[str, Any] | None:
    """Return the line of a record that a text contains, None for any other text."""
    if not text.startswith("{"):
        return None
    try:
        read = json.loads(text)
    except ValueError:
        return None
    return read if isinstance(read, dict) else None
