"""Who plays what: the questions before a game, and the table they make."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from umpi.panel.entering import Asker
from umpi.panel.menu import KEYS, NOTHING, Choice, Dialogue, Menu
from umpi.rules.fields import Field, Number, Profile, Value, holds, show
from umpi.rules.game import Game, defaults, full_title
from umpi.rules.record import Header

COLOURS = ("Red", "Blue", "Yellow", "Green", "White", "Black")  # the seat buttons, from the left


@dataclass(frozen=True, slots=True)
class Table:
    """A game, its players clockwise, the button each sits at (0 to 5 from the left), and the options."""

    game: type[Game]
    players: tuple[str, ...]
    buttons: tuple[int, ...]
    options: Mapping[str, Value] = field(default_factory=dict)

    @classmethod
    def of(cls, header: Header) -> Table:
        """Read the table off a record; players of a record made elsewhere sit from the left."""
        told, seats = header.tags.get("buttons"), len(header.players)
        buttons = told if isinstance(told, tuple) and all(holds(range(KEYS), button) for button in told) else ()
        if len(set(buttons)) != seats:
            buttons = tuple(range(seats))
        return cls(header.game, header.players, buttons, header.options)

    def header(self, **tags: Value) -> Header:
        """Write the header of the record that begins with it."""
        return Header(self.game, self.players, self.options, {"buttons": self.buttons, **tags})


def set_table(
    games: Sequence[type[Game]], known: Sequence[str], house: Mapping[str, Value] | None = None
) -> Dialogue[Table]:
    """Ask for the game, the players (each presses the own button) and the options, which begin as in `house`."""
    known = [name for name in known if name not in COLOURS]
    game = yield Menu("Which game?", tuple(Choice(full_title(game), game) for game in games), rows=True)
    assert isinstance(game, type)
    seated = yield from _seats(game, known)
    options = yield from _options(game, house or {})
    return Table(game, tuple(seated.values()), tuple(seated), options)


def _seats(game: type[Game], known: Sequence[str]) -> Dialogue[dict[int, str]]:
    seated: dict[int, str] = {}
    while True:
        full = f"{game.title} seats {game.seats[-1]} at most." if len(seated) == game.seats[-1] else ""
        choices = tuple(
            Choice(seated.get(button, colour), button, "" if button in seated else full, button in seated)
            for button, colour in enumerate(COLOURS)
        )
        enough = len(seated) in game.seats
        help = "Everybody who plays presses the own button. Press again to choose a name or to leave."
        button = yield Menu(
            "Who plays?", choices, _DONE if enough else NOTHING, f"{len(seated)} play", help=help, rows=True
        )
        if button is _DONE:
            return dict(sorted(seated.items()))
        assert isinstance(button, int)
        if button not in seated:
            taken = set(seated.values())
            seated[button] = COLOURS[button] if COLOURS[button] not in taken else f"{COLOURS[button]} {button + 1}"
            continue
        taken = {name for seat, name in seated.items() if seat != button}
        names = [name for name in dict.fromkeys([COLOURS[button], *known]) if name not in taken]
        named = [Choice(name, name, marked=name == seated[button]) for name in names]
        name = yield Menu(f"{COLOURS[button]} is", (Choice("not playing", None), *named), rows=True)
        if isinstance(name, str):
            seated[button] = name
        else:
            del seated[button]


def _options(game: type[Game], house: Mapping[str, Value]) -> Dialogue[dict[str, Value]]:
    standard = defaults(game)
    begin = {**standard, **getattr(game, "at_buttons", {}), **house}
    chosen = {name: begin[name] for name in standard}
    while game.options:
        choices = tuple(_shown(option, chosen[option.name]) for option in game.options)
        option = yield Menu("Options", choices, _DONE, "start", rows=True)
        if option is _DONE:
            break
        assert isinstance(option, Field)
        asker, value = Asker(()), chosen[option.name]
        if isinstance(option, Number):
            start = value if isinstance(value, int) else None
            chosen[option.name] = yield from asker.number(option, option.name, "", start)
        elif not isinstance(option, Profile):  # which comes from a file, not from buttons
            chosen[option.name] = yield from asker.field(option, option.name, "", lambda part: None)
    return {name: value for name, value in chosen.items() if value != standard[name]}


def _shown(option: Field, value: Value) -> Choice:
    if isinstance(option, Profile):
        return Choice(f"{option.name}: {'none' if value is None else 'ours'}", option)
    return Choice(f"{option.name}: {show(value)}", option)


_DONE = object()
