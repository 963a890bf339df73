"""Records: games as JSON Lines, read strictly and replayed line by line."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import field, replace
from typing import Any

from umpi.frozen import frozen
from umpi.kernel.fields import Field, Value
from umpi.kernel.game import Act, Game, code_of
from umpi.kernel.match import Broken, Match, Refused, called, unset
from umpi.kernel.messages import message
from umpi.kernel.misshapen import Misshapen
from umpi.kernel.options import accepted, defaults, each_own

VERSION = 1
DEEPEST = 32  # levels of nesting; the line's object is the first
GREATEST = 2**53
BLANK = " \t\r"
CHANGED = (
    "The rules have changed since this match was recorded (revision {then}, now {now}). The match stops before line "
    "{line}: {fault}"
)
NO_ACTION = 'It is not an action: it has no "do".'

Find = Callable[[str], type[Game]]  # returns the installed game of an id; raises Refused, with the installed ids


class Unreadable(ValueError):
    """Report a line that is not UTF-8, not JSON of the record contract, or not an object."""


def read_line(raw: bytes) -> dict[str, Any] | None:
    """Read one line and return its object, None if it is blank. Lists become tuples.

    Raises Unreadable, with the reason, if the line cannot be read.

    >>> read_line(b'{"do": "throw", "keep": [], "dice": [1, 4, 8]}')
    {'do': 'throw', 'keep': (), 'dice': (1, 4, 8)}
    """
    try:
        text = raw.decode("utf-8").removesuffix("\n")
    except UnicodeDecodeError as fault:
        raise Unreadable(f"not UTF-8: byte {fault.start + 1} of the line is {raw[fault.start]:#04x}") from None
    if not text.strip(BLANK):
        return None
    value = _parse(text)
    if not isinstance(value, dict):
        raise Unreadable(f"expected a JSON object, got {_kind(value)}")
    return value


@frozen
class Header:
    """Line 1 of a record: the game, the players, the options that differ from the defaults, and free tags."""

    game: type[Game]
    players: tuple[str, ...]
    options: Mapping[str, Value] = field(default_factory=dict)
    tags: Mapping[str, Value] = field(default_factory=dict)

    @classmethod
    def read(cls, line: Mapping[str, Any], find: Find) -> Header:
        """Check a header line and return the header; raises Refused, with the reason, if something is wrong."""
        version = line.get("umpi")
        if "umpi" not in line:
            raise Refused('The first line must be the header, with "umpi", "game" and "players".')
        if type(version) is not int or version != VERSION:
            raise Refused(f'"umpi": {_dump(version)} is a format this Umpi does not read; it reads {VERSION}.')
        if not isinstance(line.get("game"), str):
            raise Refused('"game" must be the id of an installed game.')
        try:
            game = find(line["game"])
            players = check_players(line.get("players"), game)
            options = check_options(line.get("options", {}), game)
            check_table(game, len(players), options)
        except Refused as refusal:
            raise Refused(f"{refusal}{_packages(line)}") from None
        tags = {key: value for key, value in line.items() if key not in ("umpi", "game", "players", "options")}
        return cls(game, players, options, tags)

    def as_then(self, revision: object) -> Header:
        """Return the header with the options that keep the rules of a revision, if that is one of the game."""
        formerly = self.game.formerly.get(revision) if type(revision) is int else None
        return replace(self, options={**formerly, **self.options}) if formerly else self

    def today(self) -> Header:
        """Return the header of a record that begins now: it names the revision of the rules."""
        return replace(self, tags={**self.tags, "revision": self.game.revision})

    def match(self) -> Match:
        """Return a new match with this game, these players and these options."""
        return Match(self.game, self.players, self.options)

    def line(self) -> dict[str, Value]:
        """Return the line that a record contains for it."""
        return {
            "umpi": VERSION, "game": self.game.id, "players": self.players, "options": dict(self.options), **self.tags,
        }  # fmt: skip


def _packages(line: Mapping[str, Any]) -> str:
    """Return a sentence about the packages that a record names in its header, "" if it names none."""
    expansions: object = line.get("expansions")
    named = [f"{line['package']} {line.get('version', '')}".strip()] if isinstance(line.get("package"), str) else []
    named += [each for each in expansions if isinstance(each, str)] if isinstance(expansions, tuple) else []
    return f" It was recorded with {', '.join(each[:40] for each in named)}." if named else ""


def check_players(players: object, game: type[Game]) -> tuple[str, ...]:
    """Check the names of the players and return them; raises Refused, with the reason, if one is wrong."""
    if not isinstance(players, tuple) or not all(isinstance(name, str) for name in players):
        raise Refused('"players" must be a list of names.')
    if len(players) not in game.seats:
        raise Refused(f"{game.title} seats {game.seats[0]} to {game.seats[-1]} players, not {len(players)}.")
    for index, name in enumerate(players):
        if reason := name_refusal(name):
            raise Refused(f'"players": {reason}')
        if name in players[:index]:
            raise Refused(f'"players": {_dump(name)} sits there twice.')
    return players


def name_refusal(name: str) -> str:
    """Return why `name` cannot be a player's name, "" if it can."""
    if not 1 <= len(name) <= 24:
        return f"a name has 1 to 24 characters, {_dump(name)} has {len(name)}."
    if re.search(r"[\x00-\x1f\x7f]", name):
        return f"{_dump(name)} has a control character in it."
    if name.isspace():
        return "a name cannot be white space alone."
    return ""


def check_options(options: object, game: type[Game]) -> dict[str, Value]:
    """Check the options against the game's and return them; raises Refused, with the reason, if one is wrong."""
    if not isinstance(options, dict):
        raise Refused('"options" must be an object.')
    known: dict[str, Field] = {option.name: option for option in game.options}
    for name, value in options.items():
        if name not in known:
            there = ", ".join(known) or "none"
            raise Refused(f"{game.title} has no option {_dump(name)}; its options: {there}.")
        try:
            reason = known[name].refuse(value)
        except Exception as fault:  # `refuse` calls the engine's `objection`
            raise unset(game, fault) from fault
        if reason:
            raise Refused(f"Option {reason}")
    return options


def check_table(game: type[Game], seats: int, options: Mapping[str, Value]) -> None:
    """Check that these options, and the defaults for the others, suit the number of seats.

    Raises Refused if they do not, Broken if the game's `objection` fails.
    """
    try:
        reason = _objection(game, seats, {**defaults(game), **options})
    except Exception as fault:
        raise unset(game, fault) from fault
    if reason:
        raise Refused(reason)


def _objection(game: type[Game], seats: int, options: Mapping[str, Value]) -> str:
    """Return what a game, or the expansions of it, first object to; raises Misshapen if that is no text."""
    for objection in each_own(game, Game.objection):
        reason = called(objection, seats, **accepted(objection, options))
        if not isinstance(reason, str):
            why = f'objection() returns {reason!r}; it needs a text, "" if it objects to nothing'
            raise Misshapen(why, code_of(objection))
        if reason:
            return reason
    return ""


class Record:
    """Read or write a record: contain its match, and apply its lines one by one."""

    def __init__(self, header: Header) -> None:
        self.header = header
        self.match = header.match()
        self.match.check_position()
        self.at_ms = 0  # the latest `at` of any line

    def copy(self) -> Record:
        """Return an independent copy of this record."""
        other = copy(self)
        other.match = self.match.copy()
        return other

    def take(self, line: Mapping[str, Any]) -> None:
        """Apply an action, `undo`, `refuse` or `note` line; raises Refused and changes nothing if it is wrong."""
        if "do" in line:
            act = self._act(line)
            self.match.play(act)
            try:
                self.match.check_position()
            except Refused:
                self.match.undo()
                raise
            if act.at is not None:
                self.at_ms = act.at
        elif "undo" in line:
            self._undo(line)
        elif "refuse" in line:
            _only(line, "refuse", "why")
            self._refuse(line)
        elif "note" in line:
            _only(line, "note")
            if not isinstance(line["note"], str):
                raise Refused('"note" must be a text.')
        else:
            raise Refused('A line bears "do", "undo", "refuse" or "note".')

    def _act(self, line: Mapping[str, Any]) -> Act:
        verb = line["do"]
        if not isinstance(verb, str):
            raise Refused('"do" must be the name of an action.')
        if "by" in line and type(line["by"]) is not int:
            raise Refused('"by" must be a seat.')
        self._at(line)
        try:
            return Act.read(line)
        except ValueError as fault:
            raise Refused(str(fault)) from None

    def _at(self, line: Mapping[str, Any]) -> int | None:
        if "at" not in line:
            return None
        at = line["at"]
        if type(at) is not int or at < 0:
            raise Refused('"at" must be whole milliseconds since the game began.')
        if at < self.at_ms:
            raise Refused(f'"at" falls from {self.at_ms} to {at}.')
        return at

    def _undo(self, line: Mapping[str, Any]) -> None:
        _only(line, "undo", "at")
        count = line["undo"]
        if type(count) is not int or count < 1:
            raise Refused('"undo" must be how many actions are taken back, 1 or more.')
        at = self._at(line)
        self.match.undo(count)
        if at is not None:
            self.at_ms = at

    def _refuse(self, line: Mapping[str, Any]) -> None:
        action = line["refuse"]
        if not isinstance(action, dict):
            raise Refused('"refuse" must bear the action to be refused.')
        reason = self._reason(action)
        if reason is None:
            raise Refused(f"{dump(action)} should be refused here, but the rules allow it.")
        if "why" in line and line["why"] != reason:
            raise Refused(f'{dump(action)} is refused for another reason than "why" says: {reason}')

    def _reason(self, action: Mapping[str, Any]) -> str | None:
        """Return why the rules refuse an action here, None if they allow it; raises Broken if they fail on it."""
        if "do" not in action:
            return NO_ACTION
        try:
            self.match.play(self._act(action))
        except Broken:
            raise
        except Refused as refusal:
            return str(refusal)
        self.match.undo()
        return None


@frozen
class Step:
    """The result of one line of a record; `error` is the reason if reading ended there.

    `n` is the number of actions that are valid. `status` is the exit status: 0, or 1 for a refused line, or 2 for an
    unreadable line or header.
    """

    n: int
    line: int | None
    record: Record | None
    error: str = ""
    status: int = 0


def replay(lines: Iterable[bytes], find: Find) -> Iterator[Step]:
    """Read a record line by line, and yield one Step for the header and one for each later line that is not blank.

    If a line is wrong, the last Step contains the error. An OSError raised by `lines` passes through.
    """
    record: Record | None = None
    number = 0
    for number, raw in enumerate(lines, 1):
        status = 2
        try:
            line = read_line(raw)
            if line is None:
                continue
            if record is None:
                record = Record(Header.read(line, find).as_then(line.get("revision")))
            else:
                status = 1
                record.take(line)
        except (Unreadable, Refused) as fault:
            yield Step(_standing(record), number, record, _explained(fault, record, number), status)
            return
        yield Step(_standing(record), number, record)
    if record is None:
        yield Step(0, 1, None, "There is no header: the record is empty.", 2)


def _explained(fault: Unreadable | Refused, record: Record | None, line: int) -> str:
    """Return why a line cannot be replayed: that the rules have changed, if the header names another revision."""
    then, now = (record.header.tags.get("revision"), record.header.game.revision) if record else (None, None)
    if not isinstance(fault, Refused) or type(then) is not int or then == now:
        return str(fault)
    return message(CHANGED, then=then, now=now, line=line, fault=str(fault))


def record_lines(match: Match) -> tuple[str, ...]:
    """Return the lines of a record of the acts that stand, without tags."""
    lines = Header(match.game, match.players, match.options).line(), *(act.line() for act in match.acts)
    return tuple(map(dump, lines))


def dump(value: object) -> str:
    """Return a value as JSON on one line, without escapes for letters outside ASCII."""
    return json.dumps(value, ensure_ascii=False)


def _standing(record: Record | None) -> int:
    return len(record.match.acts) if record else 0


def _only(line: Mapping[str, Any], *keys: str) -> None:
    for key in line:
        if key not in keys:
            raise Refused(f'"{keys[0]}" has no {_dump(key)} beside it.')


def _parse(text: str) -> object:
    if text.startswith("\ufeff"):
        raise Unreadable("not JSON: it begins with a byte order mark; save it as UTF-8 without one")
    if text.count("{") + text.count("[") > DEEPEST:
        _check_depth(text)
    try:
        return _freeze(_DECODER.decode(text))
    except json.JSONDecodeError as fault:
        raise Unreadable(f"not JSON: {fault.msg} at character {fault.pos + 1} of the line") from None
    except ValueError as fault:
        raise Unreadable(f"not JSON as records have it: {fault}") from None


def _check_depth(text: str) -> None:
    depth = 0
    for mark in re.sub(r'"(?:[^"\\]|\\.)*"?', "", text):  # a text without an end too, so that it is read only once
        depth += (mark in "{[") - (mark in "}]")
        if depth > DEEPEST:
            raise Unreadable(f"nested deeper than {DEEPEST}")


def _freeze(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_freeze, value))
    if isinstance(value, dict):
        return {_freeze(key): _freeze(item) for key, item in value.items()}
    if isinstance(value, str) and re.search("[\ud800-\udfff]", value):
        raise ValueError("a text has half of a surrogate pair in it")
    return value


def _pairs(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        raise ValueError(f"{_dump(next(key for key in counts if counts[key] > 1))} stands twice in one object")
    return made


def _whole(digits: str) -> int:
    if len(digits) > 17 or abs(number := int(digits)) > GREATEST:
        raise ValueError(f"{digits[:20]} is beyond ±2^53")
    return int(digits) if number else 0


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError(f"{digits[:20]} is beyond what a number can be")
    return number


def _constant(name: str) -> object:
    raise ValueError(f"{name} is not a number")


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_int=_whole, parse_float=_finite, parse_constant=_constant)


def _kind(value: object) -> str:
    if value is None or isinstance(value, bool):
        return _dump(value)
    if isinstance(value, tuple):
        return "a list"
    return "a text" if isinstance(value, str) else "a number"


def _dump(value: object) -> str:
    """Return a value as a record writes it, or its beginning; what cannot be printed is escaped."""
    if isinstance(value, str) and len(value) > 60:
        value = value[:60] + "…"
    text = json.dumps(value, ensure_ascii=False)
    text = text if isinstance(value, str) or len(text) <= 60 else text[:60] + "…"
    return "".join(each if each.isprintable() else json.dumps(each)[1:-1] for each in text)


__all__ = [
    "CHANGED", "Find", "Header", "Record", "Step", "Unreadable", "check_options", "check_players", "check_table",
    "dump", "name_refusal", "read_line", "record_lines", "replay",
]  # fmt: skip
