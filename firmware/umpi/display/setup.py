"""The setup of a table: the questions before a game, and the table that they produce."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType

from umpi.display.entering import Asker
from umpi.display.languages import LANGUAGE, Speak, ask_language, language_choices
from umpi.display.lot import Lot
from umpi.display.marks import COLOURS as COLOURS
from umpi.display.menu import KEYS, NOTHING, Choice, Dialogue, Menu
from umpi.display.pairing import PairPhone, Phones, UnpairPhone, Where, ask_about, phone_choices
from umpi.display.resumable import BEFORE, GoOn, ResumableMatch, ask_before, before_choices
from umpi.display.statistics import STATISTICS, Statistics, ask_statistics
from umpi.i18n.translate import Translated, player_label, tr, tr_context, tr_n
from umpi.kernel.fields import Field, Number, Pick, Profile, Value, holds, show
from umpi.kernel.game import Game, defaults, replace
from umpi.kernel.match import Refused
from umpi.kernel.messages import Name
from umpi.kernel.record import Header


@dataclass(frozen=True, slots=True)
class TableSetup:
    """A game, its players clockwise, the button of each (0 to 5 from the left), and the options."""

    game: type[Game]
    players: tuple[str, ...]
    buttons: tuple[int, ...]
    options: Mapping[str, Value] = field(default_factory=dict)

    @classmethod
    def of(cls, header: Header) -> TableSetup:
        """Read the table from a record. If the record has no valid buttons, place the players from the left."""
        tag, seats = header.tags.get("buttons"), len(header.players)
        buttons = tag if isinstance(tag, tuple) and all(holds(range(KEYS), button) for button in tag) else ()
        if len(set(buttons)) != seats:
            buttons = tuple(range(seats))
        return cls(header.game, header.players, buttons, header.options)

    def header(self, **tags: Value) -> Header:
        """Return the header of a new record of this table."""
        return Header(self.game, self.players, self.options, {"buttons": self.buttons, **tags})

    def named(self, names: Mapping[int, str]) -> TableSetup:
        """Return the same table with the `names` of its buttons, unless two players would have the same name."""
        pairs = zip(self.buttons, self.players, strict=True)
        players = tuple(names.get(button, name) for button, name in pairs)
        return replace(self, players=players) if len(set(players)) == len(players) else self

    def begun_by(self, seat: int) -> TableSetup:
        """Return the same table with its seats counted from `seat`."""
        players, buttons = self.players[seat:] + self.players[:seat], self.buttons[seat:] + self.buttons[:seat]
        return TableSetup(self.game, players, buttons, self.options)

    def without(self, seat: int) -> TableSetup:
        """Return the same table without the player at `seat`."""
        after = seat + 1
        players, buttons = self.players[:seat] + self.players[after:], self.buttons[:seat] + self.buttons[after:]
        return TableSetup(self.game, players, buttons, self.options)

    @property
    def playable(self) -> bool:
        """Whether this number of players can play the game with these options."""
        try:
            self.header().match()
        except Refused:
            return False
        return len(self.players) in self.game.seats


def set_table(
    games: Sequence[type[Game]],
    known: Sequence[str],
    house: Mapping[str, Value] | None = None,
    chance: Callable[[], float] | None = None,
    phones: Phones | None = None,
    resumable: Sequence[ResumableMatch] = (),
    names: Mapping[int, str] = MappingProxyType({}),
) -> Dialogue[TableSetup | Speak | PairPhone | UnpairPhone | Where | GoOn | Statistics | None]:
    """Ask for the game, the players and the options, which start as in `house`; each player presses their own button.

    The leftmost seat begins unless the players choose or draw another one. `chance` returns a number from 0 to below 1.

    The menu also offers another language if the box has several, and its `phones` if it has a phone page. If there
    are `resumable` matches, it offers them and the statistics. `names` are those that phones gave for their buttons.
    """
    known = [name for name in known if name not in COLOURS]
    choices = tuple(Choice(told_title(game), game) for game in games)
    figures = (Choice(tr("Statistics"), STATISTICS),) if resumable else ()
    others = (*before_choices(resumable), *figures, *phone_choices(phones), *language_choices())
    game = yield Menu(tr("Which game?"), (*choices, *others), rows=True)
    if game is BEFORE:
        return (yield from ask_before(resumable))
    if game is STATISTICS:
        return (yield from ask_statistics({game.id: told_title(game) for game in games}))
    if game is LANGUAGE:
        return (yield from ask_language())
    if (about := ask_about(game, phones, dict(enumerate(COLOURS)))) is not None:
        return (yield from about)
    if isinstance(game, Where):
        return game
    assert isinstance(game, type)
    seated = yield from _seats(game, known, names)
    table = TableSetup(game, tuple(seated.values()), tuple(seated))
    return (yield from _options(table, house or {}, chance or Lot(0)))


def told_title(game: type[Game]) -> str:
    """Return the title of a game with its kind."""
    kind = getattr(game, "kind", "")
    return tr("{title} {kind}", title=game.title, kind=kind) if kind else tr(game.title)


def told_value(option: str, value: Value) -> Translated:
    """Return the label of an option's value."""
    return tr_context(option, show(value))


def _seats(game: type[Game], known: Sequence[str], own: Mapping[int, str]) -> Dialogue[dict[int, str]]:
    seated: dict[int, str] = {}
    while True:
        most = game.seats[-1]
        full = tr("{game}: {number} players max.", game=game.title, number=most) if len(seated) == most else ""
        choices = tuple(
            Choice(
                player_label(seated.get(button, colour)),
                button,
                "" if button in seated else full,
                button in seated,
                button,
            )
            for button, colour in enumerate(COLOURS)
        )
        enough = len(seated) in game.seats
        help = tr("Players: press your own button. Press it again to choose a name or drop out.")
        done = tr_n("{number} in", "{number} in", len(seated))
        template = "{game}: {numbers} players. Each presses their own button."
        needed = tr(template, game=game.title, numbers=_numbers(game))
        ok, why = (_DONE, "") if enough else (NOTHING, needed)
        button = yield Menu(tr("Players?"), choices, ok, done, help=help, rows=True, why=why)
        if button is _DONE:
            return dict(sorted(seated.items()))
        assert isinstance(button, int)
        if button not in seated:
            taken = set(seated.values())
            free = [name for name in (own.get(button), COLOURS[button]) if name and name not in taken]
            seated[button] = free[0] if free else f"{COLOURS[button]} {button + 1}"
            continue
        taken = {name for seat, name in seated.items() if seat != button}
        names = [name for name in dict.fromkeys([COLOURS[button], *known]) if name not in taken]
        named = [Choice(player_label(name), name, marked=name == seated[button]) for name in names]
        title = tr("{name}:", name=Name(COLOURS[button]))
        name = yield Menu(title, (Choice(tr("not playing"), None), *named), rows=True)
        if isinstance(name, str):
            seated[button] = name
        else:
            del seated[button]


def _numbers(game: type[Game]) -> str:
    """Return the possible numbers of players as text: "3–6", "2, 4" or "1"."""
    least, most = game.seats[0], game.seats[-1]
    if len(game.seats) == 1 or game.seats.step > 1:
        return ", ".join(map(str, game.seats))
    return f"{least}\N{EN DASH}{most}"


def _options(table: TableSetup, house: Mapping[str, Value], chance: Callable[[], float]) -> Dialogue[TableSetup]:
    game, seat = table.game, 0
    standard = defaults(game)
    begin = {**standard, **getattr(game, "at_buttons", {}), **house}
    chosen = {name: begin[name] for name in standard}
    while True:
        first = Choice(tr("{who} starts", who=Name(table.players[seat])), _FIRST)
        choices = (*(_shown(option, chosen[option.name]) for option in game.options), first)
        option = yield Menu(tr("Options"), choices, _DONE, tr("start"), rows=True)
        if option is _DONE:
            break
        if option is _FIRST:
            seat = yield from _first(table, chance)
            continue
        assert isinstance(option, Field)
        asker, value = Asker(()), chosen[option.name]
        if isinstance(option, Number):
            start = value if isinstance(value, int) else None
            chosen[option.name] = yield from asker.number(option, tr(option.name), "", start)
        elif not isinstance(option, Profile):  # a profile comes from a file and cannot be entered by buttons
            shown = replace(option, label=partial(told_value, option.name)) if isinstance(option, Pick) else option
            chosen[option.name] = yield from asker.field(shown, tr(option.name), "", lambda part: None)
    options = {name: value for name, value in chosen.items() if value != standard[name]}
    return replace(table.begun_by(seat), options=options)


def _first(table: TableSetup, chance: Callable[[], float]) -> Dialogue[int]:
    """Ask which seat begins, or draw one. The result of a draw is shown large, and players may draw again."""
    seats = range(len(table.players))
    named = [Choice(player_label(table.players[seat]), seat, button=table.buttons[seat]) for seat in seats]
    drawn: object = yield Menu(tr("Who starts?"), tuple(named), _Lot(seats, chance), tr("random"), rows=True)
    while isinstance(drawn, _Lot):
        who = tr("{who} starts", who=Name(table.players[drawn.seat]))
        keys = (Choice(tr("redraw"), _Lot(seats, chance)), Choice(tr("OK"), drawn.seat))
        drawn = yield Menu(tr("Random"), keys, drawn.seat, text=who)
    assert isinstance(drawn, int)
    return drawn


class _Lot:
    """A seat drawn by lot. The seat is drawn once, so it stays the same when the dialogue is replayed."""

    def __init__(self, seats: Sequence[int], chance: Callable[[], float]) -> None:
        self.seat = seats[int(chance() * len(seats))]


def _shown(option: Field, value: Value) -> Choice:
    shown = told_value(option.name, value)
    if isinstance(option, Profile) and value is not None:
        shown = tr("own")
    return Choice(tr("{what}: {value}", what=option.name, value=shown), option)


_DONE = object()
_FIRST = object()
