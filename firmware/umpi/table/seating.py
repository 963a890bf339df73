"""The seating: a game, who sits where with which button, and the options that they play with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from umpi.i18n.translate import tr
from umpi.kernel.fields import Value, holds
from umpi.kernel.game import Game, replace
from umpi.kernel.match import Refused
from umpi.kernel.messages import Name
from umpi.kernel.options import defaults
from umpi.kernel.record import Header
from umpi.kernel.table_setup import table_setup_texts
from umpi.table.seats import COLOURS

LEAVE = "leave"  # the verb of a game that continues without a seat


@dataclass(frozen=True, slots=True)
class Seating:
    """A game, its players clockwise, the button of each (0 to 5 from the left), and the options."""

    game: type[Game]
    players: tuple[str, ...]
    buttons: tuple[int, ...]
    options: Mapping[str, Value] = field(default_factory=dict)
    rules: str = ""  # the name of the rule set with these options, if it has one
    moderator: str = ""  # who judges the answers and does not play, if anybody does

    @classmethod
    def of(cls, header: Header) -> Seating:
        """Read the table from a record. If the record has no valid buttons, place the players from the left."""
        tag, seats = header.tags.get("buttons"), len(header.players)
        buttons = tag if isinstance(tag, tuple) and all(holds(range(len(COLOURS)), button) for button in tag) else ()
        if len(set(buttons)) != seats:
            buttons = tuple(range(seats))
        rules, moderator = (header.tags.get(name, "") for name in ("rules", "moderator"))
        named = rules if isinstance(rules, str) else "", moderator if isinstance(moderator, str) else ""
        return cls(header.game, header.players, buttons, header.options, *named)

    def header(self, **tags: Value) -> Header:
        """Return the header of a new record of this table."""
        named = {"rules": self.rules} if self.rules else {}
        named |= {"moderator": self.moderator} if self.moderator else {}
        return Header(self.game, self.players, self.options, {"buttons": self.buttons, **named, **tags})

    def named(self, names: Mapping[int, str]) -> Seating:
        """Return the same table with the `names` of its buttons, unless two players would have the same name."""
        pairs = zip(self.buttons, self.players, strict=True)
        players = tuple(names.get(button, name) for button, name in pairs)
        return replace(self, players=players) if len(set(players)) == len(players) else self

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
