"""The seating: a game, who sits where with which button, and the options that they play with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Literal, TypeGuard, get_args

from umpi.frozen import frozen
from umpi.i18n.translate import tr
from umpi.kernel.fields import Value, holds
from umpi.kernel.game import Game, replace
from umpi.kernel.match import Refused
from umpi.kernel.messages import Name, message
from umpi.kernel.options import defaults
from umpi.kernel.record import Header, name_refusal
from umpi.kernel.table_setup import table_setup_texts
from umpi.table.seats import COLOURS

LEAVE = "leave"  # the verb of a game that continues without a seat
Level = Literal["easy", "medium", "strong"]  # how well the box plays a seat
LEVELS: tuple[Level, ...] = get_args(Level)


@frozen
class Seating:
    """A game, its players clockwise, the button of each (0 to 5 from the left), and the options.

    `levels` contains by button the seats that the box plays, and how well.
    """

    game: type[Game]
    players: tuple[str, ...]
    buttons: tuple[int, ...]
    options: Mapping[str, Value] = field(default_factory=dict)
    rules: str = ""  # the name of the rule set with these options, if it has one
    moderator: str = ""  # who judges the answers and does not play, if anybody does
    levels: Mapping[int, Level] = field(default_factory=dict)

    @classmethod
    def of(cls, header: Header) -> Seating:
        """Read the table from a record. If the record has no valid buttons, place the players from the left."""
        tag, seats = header.tags.get("buttons"), len(header.players)
        buttons = tag if isinstance(tag, tuple) and all(holds(range(len(COLOURS)), button) for button in tag) else ()
        if len(set(buttons)) != seats:
            buttons = tuple(range(seats))
        rules, moderator = (header.tags.get(name, "") for name in ("rules", "moderator"))
        named = rules if isinstance(rules, str) else "", moderator if isinstance(moderator, str) else ""
        levels = read_levels(header.tags.get("box"), buttons)
        return cls(header.game, header.players, buttons, header.options, *named, levels)

    def header(self, **tags: Value) -> Header:
        """Return the header of a new record of this table."""
        named: dict[str, Value] = {"rules": self.rules} if self.rules else {}
        named |= {"moderator": self.moderator} if self.moderator else {}
        named |= {"box": self.levels_line} if any(self.levels_line) else {}
        return Header(self.game, self.players, self.options, {"buttons": self.buttons, **named, **tags})

    @property
    def levels_line(self) -> tuple[str, ...]:
        """Return the levels of the seats as a record contains them, "" for a person."""
        return tuple(self.levels.get(button, "") for button in self.buttons)

    @property
    def people(self) -> tuple[str, ...]:
        """Return the players that are people."""
        return tuple(name for seat, name in enumerate(self.players) if not self.level_of(seat))

    def check_name(self, seat: int, name: str) -> None:
        """Check the new name of a seat. Raises Refused if it cannot be a name, or if somebody else has it."""
        if name_refusal(name):
            raise Refused(message("A name has 1 to 24 characters, and no control characters."))
        if name in self.others(seat):
            raise Refused(message("Another player is already called {name}.", name=Name(name)))

    def others(self, seat: int) -> tuple[str, ...]:
        """Return the names of everybody but a seat: the other players, and who judges."""
        judge = (self.moderator,) if self.moderator else ()
        return (*self.players[:seat], *self.players[seat + 1 :], *judge)

    def level_of(self, seat: int | None) -> Level | None:
        """Return how well the box plays a seat, None if a person plays it."""
        return None if seat is None else self.levels.get(self.buttons[seat])

    def occupied(self, seat: int, name: str, level: Level | None) -> Seating:
        """Return the same table with a seat that the box plays at a `level` from now on, or a person if it is None."""
        levels = {button: each for button, each in self.levels.items() if button != self.buttons[seat]}
        players = (*self.players[:seat], name, *self.players[seat + 1 :])
        return replace(self, players=players, levels=levels | ({self.buttons[seat]: level} if level else {}))

    def named(self, names: Mapping[int, str]) -> Seating:
        """Return the same table with the `names` of its buttons, unless two people would have the same name.

        The box keeps its name where it plays.
        """
        pairs = zip(self.buttons, self.players, strict=True)
        players = tuple(name if button in self.levels else names.get(button, name) for button, name in pairs)
        people = (*players, self.moderator)
        return replace(self, players=players) if len({*people}) == len(people) else self

    def begun_by(self, seat: int) -> Seating:
        """Return the same table with its seats counted from `seat`."""
        players, buttons = self.players[seat:] + self.players[:seat], self.buttons[seat:] + self.buttons[:seat]
        return replace(self, players=players, buttons=buttons)

    def without(self, seat: int) -> Seating:
        """Return the same table without the player at `seat`."""
        after = seat + 1
        players, buttons = self.players[:seat] + self.players[after:], self.buttons[:seat] + self.buttons[after:]
        return replace(self, players=players, buttons=buttons)

    @property
    def playable(self) -> bool:
        """Whether this number of players can play the game with these options."""
        if len(self.players) not in self.game.seats:  # the engine may fail for any other number
            return False
        try:
            self.header().match()
        except Refused:
            return False
        return True


def read_levels(line: object, buttons: Sequence[int]) -> dict[int, Level]:
    """Read the levels of the seats as a record contains them; none if it contains something else.

    >>> read_levels(("", "strong"), (0, 4)), read_levels("strong", (0, 4))
    ({4: 'strong'}, {})
    """
    if not isinstance(line, tuple) or len(line) != len(buttons):
        return {}
    return {button: level for button, level in zip(buttons, line, strict=True) if is_level(level)}


def is_level(value: object) -> TypeGuard[Level]:
    """Check whether a value is a level."""
    return value in LEVELS


def card_of(table: Seating) -> tuple[str, ...]:
    """Return the sentences of the set-up card: how to set the game up, and which moderator judges."""
    moderated = (judge_of(table),) if table.moderator else ()
    return (*table_setup_texts(table.game, table.players, table.options), *moderated)


def judge_of(table: Seating, phone: bool = False) -> str:
    """Return who judges the answers, "" if nobody does; `phone` is whether a referee's phone is paired."""
    if not table.game.judged:
        return ""
    if table.moderator:
        return tr("{who} judges the answers.", who=Name(table.moderator))
    return (
        tr("The referee judges the answers on their phone.") if phone else tr("Judge the answers together, at the box.")
    )


def seat_numbers(game: type[Game]) -> str:
    """Return the possible numbers of players as text: "3–6", "2, 4" or "1"."""
    least, most = game.seats[0], game.seats[-1]
    if len(game.seats) == 1 or game.seats.step > 1:
        return ", ".join(map(str, game.seats))
    return f"{least}\N{EN DASH}{most}"


def changed(game: type[Game], options: Mapping[str, Value]) -> dict[str, Value]:
    """Return the options that a record contains: those that differ from the game's defaults."""
    standard = defaults(game)
    return {name: value for name, value in options.items() if value != standard[name]}
