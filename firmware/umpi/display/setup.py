"""The setup of a table: the questions before a game, and the table that they produce."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any

from umpi.display.device_check import CheckDevices
from umpi.display.entering import Asker
from umpi.display.house import SHEET, House
from umpi.display.joining import OpenJoin
from umpi.display.languages import LANGUAGE, Speak, ask_language, language_choices
from umpi.display.learn import LEARN, Learn, ask_lesson, learn_choices
from umpi.display.lot import Lot
from umpi.display.marks import COLOURS as COLOURS
from umpi.display.menu import KEYS, NOTHING, Choice, Dialogue, Menu
from umpi.display.names import ask_name
from umpi.display.pairing import PairPhone, Phones, UnpairPhone, Where, ask_about, phone_choices
from umpi.display.resumable import BEFORE, GoOn, ResumableMatch, ask_before, before_choices
from umpi.display.setup_card import show_card
from umpi.display.statistics import STATISTICS, Statistics, ask_statistics
from umpi.i18n.translate import Translated, game_label, player_label, tr, tr_context, tr_n
from umpi.kernel.fields import Field, Number, Pick, Profile, Value, holds, show
from umpi.kernel.game import Game, defaults, replace
from umpi.kernel.match import Refused
from umpi.kernel.messages import Name
from umpi.kernel.record import Header, check_table
from umpi.kernel.table_setup import table_setup_texts


@dataclass(frozen=True, slots=True)
class TableSetup:
    """A game, its players clockwise, the button of each (0 to 5 from the left), and the options."""

    game: type[Game]
    players: tuple[str, ...]
    buttons: tuple[int, ...]
    options: Mapping[str, Value] = field(default_factory=dict)
    rules: str = ""  # the name of the rule set with these options, if it has one
    moderator: str = ""  # who judges the answers and does not play, if anybody does

    @classmethod
    def of(cls, header: Header) -> TableSetup:
        """Read the table from a record. If the record has no valid buttons, place the players from the left."""
        tag, seats = header.tags.get("buttons"), len(header.players)
        buttons = tag if isinstance(tag, tuple) and all(holds(range(KEYS), button) for button in tag) else ()
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

    def named(self, names: Mapping[int, str]) -> TableSetup:
        """Return the same table with the `names` of its buttons, unless two players would have the same name."""
        pairs = zip(self.buttons, self.players, strict=True)
        players = tuple(names.get(button, name) for button, name in pairs)
        return replace(self, players=players) if len(set(players)) == len(players) else self

    def begun_by(self, seat: int) -> TableSetup:
        """Return the same table with its seats counted from `seat`."""
        players, buttons = self.players[seat:] + self.players[:seat], self.buttons[seat:] + self.buttons[:seat]
        return replace(self, players=players, buttons=buttons)

    def without(self, seat: int) -> TableSetup:
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


Chosen = (
    TableSetup | Speak | PairPhone | OpenJoin | UnpairPhone | Where | GoOn | Statistics | Learn | CheckDevices | None
)


def set_table(
    games: Sequence[type[Game]],
    known: Sequence[str],
    house: Mapping[str, Value] | None = None,
    chance: Callable[[], float] | None = None,
    phones: Phones | None = None,
    resumable: Sequence[ResumableMatch] = (),
    card: bool = False,
    rule_sets: Mapping[str, Any] | None = None,
    names: Mapping[int, str] = MappingProxyType({}),
) -> Dialogue[Chosen]:
    """Ask for the game, the players and the options, which start as in `house`; each player presses their own button.

    The leftmost seat begins unless the players choose or draw another one. `chance` returns a number from 0 to below 1.

    The menu also offers the lessons, another language if the box has several, and its `phones` if it has a phone page.
    If there are `resumable` matches, it offers them and the statistics. With `card`, it shows at last how to set the
    game up. `rule_sets` are named, each with its game and options. `names` are those that
    phones gave for their buttons.
    """
    choices = [Choice(game_label(game), game) for game in games]
    choices[KEYS - 1 : KEYS - 1] = learn_choices(games)  # on the first page: a newcomer turns none
    figures = (Choice(tr("Statistics"), STATISTICS),) if resumable else ()
    others = (*before_choices(resumable), *figures, *phone_choices(phones), *language_choices())
    others = (*others, Choice(tr("Check devices"), CheckDevices()))
    game = yield Menu(tr("Which game?"), (*choices, *others), rows=True)
    if game is LEARN:
        return (yield from ask_lesson(games))
    if game is BEFORE:
        return (yield from ask_before(resumable))
    if game is STATISTICS:
        return (yield from ask_statistics({game.id: game_label(game) for game in games}))
    if game is LANGUAGE:
        return (yield from ask_language())
    if (about := ask_about(game, phones, dict(enumerate(COLOURS)))) is not None:
        return (yield from about)
    if isinstance(game, Where | CheckDevices):
        return game
    assert isinstance(game, type)
    seated = yield from _seats(game, known, names)
    table = TableSetup(game, tuple(seated.values()), tuple(seated))
    table = yield from _options(table, House(house or {}, rule_sets or {}), chance or Lot(0), known)
    if card:
        yield from show_card(card_of(table))
    return table


def card_of(table: TableSetup) -> tuple[str, ...]:
    """Return the sentences of the set-up card: how to set the game up, and which moderator judges."""
    moderated = (judge_of(table),) if table.moderator else ()
    return (*table_setup_texts(table.game, table.players, table.options), *moderated)


def is_judged(game: type[Game]) -> bool:
    """Return whether somebody judges the answers in a game."""
    return game.judged


def judge_of(table: TableSetup, phone: bool = False) -> str:
    """Return who judges the answers, "" if nobody does; `phone` is whether a referee's phone is paired."""
    if not is_judged(table.game):
        return ""
    if table.moderator:
        return tr("{who} judges the answers.", who=Name(table.moderator))
    return tr("The referee’s phone judges the answers.") if phone else tr("Judge the answers together, at the box.")


def value_label(option: str, value: Value) -> Translated:
    """Return the label of an option's value; a list, such as the points of a table, is too long for a row."""
    return tr("own") if isinstance(value, tuple) else tr_context(option, show(value))


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
        needed = tr(template, game=game.title, numbers=seat_numbers(game))
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
        title = tr("{name}:", name=Name(COLOURS[button]))
        out = Choice(tr("not playing"), None)
        name = yield from ask_name(title, out, COLOURS[button], known, taken, seated[button])
        if isinstance(name, str):
            seated[button] = name
        else:
            del seated[button]


def seat_numbers(game: type[Game]) -> str:
    """Return the possible numbers of players as text: "3–6", "2, 4" or "1"."""
    least, most = game.seats[0], game.seats[-1]
    if len(game.seats) == 1 or game.seats.step > 1:
        return ", ".join(map(str, game.seats))
    return f"{least}\N{EN DASH}{most}"


def _options(
    table: TableSetup, house: House, chance: Callable[[], float], known: Sequence[str]
) -> Dialogue[TableSetup]:
    game, seat = table.game, 0
    trial = game.experiments
    named, chosen = house.rule_sets(game), house.begun_with(game)
    usual = named[SHEET]
    while True:
        starts = Choice(tr("{who} starts", who=Name(table.players[seat])), _FIRST)
        first = () if game.rolls_off else (starts,)
        rules = house.name_of(game, chosen)
        ruled = (Choice(tr("rules: {name}", name=rules_label(rules)), _RULES),) if len(named) > 1 else ()
        asked = (
            option for option in game.options if option.name not in trial or chosen[option.name] != usual[option.name]
        )
        who = Name(table.moderator) if table.moderator else tr("nobody")
        judged = (Choice(tr("judges only: {who}", who=who), _MODERATOR),) if is_judged(game) else ()
        choices = (*ruled, *(_shown(option, chosen[option.name]) for option in asked), *judged, *first)
        why = _objection(game, len(table.players), chosen)
        ok = NOTHING if why else _DONE
        option = yield Menu(tr("Options"), choices, ok, tr("start"), rows=True, why=why)
        if option is _DONE:
            break
        if option is _FIRST:
            seat = yield from _first(table, chance)
            continue
        if option is _MODERATOR:
            table = yield from _moderated(table, known)
            continue
        if option is _RULES:
            listed = tuple(Choice(rules_label(name), name, marked=name == rules) for name in named)
            picked = yield Menu(tr("Rules"), listed, rows=True)
            assert isinstance(picked, str)
            chosen = dict(named[picked])
            continue
        assert isinstance(option, Field)
        asker, value = Asker(()), chosen[option.name]
        help = game.option_help.get(option.name, "")
        if isinstance(option, Number):
            start = value if isinstance(value, int) else None
            chosen[option.name] = yield from asker.number(option, tr(option.name), help, start)
        elif isinstance(option, Profile):
            chosen[option.name] = yield from _profile(option, house.options.get(option.name))
        else:
            shown = replace(option, label=partial(value_label, option.name)) if isinstance(option, Pick) else option
            chosen[option.name] = yield from asker.field(shown, tr(option.name), help, lambda part: None)
    return replace(table.begun_by(seat), options=changed(game, chosen), rules=rules or SHEET)


def _moderated(table: TableSetup, known: Sequence[str]) -> Dialogue[TableSetup]:
    """Ask for the moderator, who does not play."""
    nobody, taken = Choice(tr("nobody"), ""), {*table.players}
    name = yield from ask_name(tr("Moderator"), nobody, str(tr("Moderator")), known, taken, table.moderator)
    assert isinstance(name, str)
    return replace(table, moderator=name)


def changed(game: type[Game], options: Mapping[str, Value]) -> dict[str, Value]:
    """Return the options that a record contains: those that differ from the game's defaults."""
    standard = defaults(game)
    return {name: value for name, value in options.items() if value != standard[name]}


def rules_label(name: str | None) -> Translated:
    """Return the label of a rule set: "" is the rule sheet, None are options that no set has."""
    return Translated(name) if name else tr("own") if name is None else tr("by the sheet")


def _objection(game: type[Game], seats: int, options: Mapping[str, Value]) -> str:
    """Return why a game cannot begin with these options, "" if it can."""
    try:
        check_table(game, seats, options)
    except Refused as refusal:
        return tr(refusal.reason)
    return ""


def _profile(option: Profile, own: Value) -> Dialogue[Value]:
    """Ask for a profile: none, the box's `own` from its configuration, or one that comes with the game."""
    values: list[Value] = [None, *option.ready.values()]
    values += [] if any(value == own for value in values) else [own]
    choices = tuple(Choice(profile_label(option, value), index) for index, value in enumerate(values))
    if len(choices) == 1:
        return None
    index = yield Menu(tr(option.name), choices, rows=True)
    assert isinstance(index, int)
    return values[index]


def profile_label(option: Profile, value: Value) -> Translated:
    """Return the label of a profile: none, one that comes with the game, or the box's own."""
    if value is None:
        return tr("by the table")
    return tr(next((name for name, ready in option.ready.items() if ready == value), "own"))


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
    shown = profile_label(option, value) if isinstance(option, Profile) else value_label(option.name, value)
    what = Translated(tr(option.name).replace("_", " "))
    return Choice(tr("{what}: {value}", what=what, value=shown), option)


_DONE = object()
_FIRST = object()
_MODERATOR = object()
_RULES = object()
