"""The setup of a table: the questions before a game, the table that they produce, and the set-up card."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from umpi.display.box_questions import (
    BEFORE,
    LANGUAGE,
    LEARN,
    NAME,
    STATISTICS,
    UPDATE,
    ask_before,
    ask_box_name,
    ask_language,
    ask_lesson,
    ask_statistics,
    ask_update,
    before_choices,
    card_choices,
    language_choices,
    learn_choices,
    puzzle_choices,
)
from umpi.display.empty_seat import UMPI_PLAYS, ask_level, umpi_choice
from umpi.display.entering import Asker
from umpi.display.lettering import SMALL
from umpi.display.menu import KEYS, NOTHING, Choice, Dialogue, Menu
from umpi.display.names import ask_name
from umpi.display.phone_menu import ask_about, phone_choices
from umpi.display.sheet import ACROSS, HEIGHT, TOP
from umpi.i18n.translate import Translated, game_label, player_label, tr, tr_n
from umpi.kernel.fields import Field, Number, Pick, Profile, Value
from umpi.kernel.game import Game, replace
from umpi.kernel.match import Refused
from umpi.kernel.messages import Name
from umpi.kernel.record import check_table
from umpi.table.commands import (
    AskPuzzle,
    CheckDevices,
    Command,
    FindNetworks,
    Learn,
    UseCard,
    Where,
)
from umpi.table.empty_seat import free_name, why_not_at
from umpi.table.house import SHEET, House
from umpi.table.labels import profile_label, rules_label, value_label
from umpi.table.lot import Lot
from umpi.table.names import PlayerNames
from umpi.table.seating import Level, Seating, card_of, changed, seat_numbers
from umpi.table.seats import COLOURS
from umpi.table.state import ResumableMatch, TableState

Chosen = Command | Learn | Seating | None

CARD_LINES = (HEIGHT - TOP) // SMALL.height  # lines of a page of the set-up card


def set_table(
    games: Sequence[type[Game]],
    state: TableState,
    resumable: Sequence[ResumableMatch] = (),
    chance: Callable[[], float] | None = None,
    own: Callable[[], Mapping[int, str]] = dict,
) -> Dialogue[Chosen]:
    """Ask for the game, the players and the options, which start as in the house; each player presses their own button.

    The leftmost seat begins unless the players choose or draw another one. `chance` returns a number from 0 to below 1.
    `own` returns the names that phones have given for their buttons by now. Such a name counts for the match if it was
    given during the set-up, unless players chose another one at the box after it.

    The menu also offers the lessons, another language if the box has several, and its phones if it has a phone page.
    If there are `resumable` matches, it offers them and the statistics. If the house wants that, it shows at last how
    to set the game up.
    """
    choices = [Choice(game_label(game), game) for game in games]
    choices[KEYS - 1 : KEYS - 1] = learn_choices(games)  # on the first page: a newcomer turns none
    figures = (Choice(tr("Statistics"), STATISTICS),) if resumable else ()
    past = (*before_choices(resumable), *figures, *puzzle_choices(resumable))
    devices = Choice(tr("Check devices"), CheckDevices())
    others = (*past, *phone_choices(state.phones), *language_choices(), devices)
    others = (*others, *card_choices(state.card, playing=False))
    game = yield Menu(tr("Which game?"), (*choices, *others), rows=True)
    if game is LEARN:
        return (yield from ask_lesson(games))
    if game is BEFORE:
        return (yield from ask_before(resumable))
    if game is STATISTICS:
        return (yield from ask_statistics({game.id: game_label(game) for game in games}))
    if game is LANGUAGE:
        return (yield from ask_language())
    if (about := ask_about(game, state.phones, dict(enumerate(COLOURS)))) is not None:
        return (yield from about)
    if game is UPDATE:
        return (yield from ask_update())
    if game is NAME:
        return (yield from ask_box_name())
    if isinstance(game, Where | CheckDevices | AskPuzzle | UseCard | FindNetworks):
        return game
    assert isinstance(game, type)
    seated, levels, older = yield from _seats(game, state.names, own)
    table = Seating(game, tuple(seated.values()), tuple(seated), levels=levels)
    table = yield from _options(table, state.house, chance or Lot(0), state.names.known)
    if state.house.card:
        yield from show_card(card_of(table))
    return table.named({button: name for button, name in own().items() if older.get(button) != name})


def _seats(
    game: type[Game], names: PlayerNames, own: Callable[[], Mapping[int, str]]
) -> Dialogue[tuple[dict[int, str], dict[int, Level], dict[int, str | None]]]:
    """Ask who plays, and at which seats the box does; return the names by button, and the levels of the box.

    Those who have joined by phone play from the beginning, under the names that they gave. Return also by button the
    name that its phone had given before the seat got its name here, None for none.
    """
    seated = dict(names.own)
    older: dict[int, str | None] = {**names.own}
    levels = dict[int, Level]()
    while True:
        most = game.seats[-1]
        full = tr("{game}: {number} players max.", game=game.title, number=most) if len(seated) >= most else ""
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
        help = tr("Players: press your own button. Press it again to choose a name, let Umpi play, or drop out.")
        done = tr_n("{number} joined", "{number} joined", len(seated))
        template = "{game}: {numbers} players. Each presses their own button."
        needed = tr(template, game=game.title, numbers=seat_numbers(game))
        ok, why = (_DONE, "") if enough else (NOTHING, needed)
        button = yield Menu(tr("Players?"), choices, ok, done, help=help, rows=True, why=why)
        if button is _DONE:
            return dict(sorted(seated.items())), levels, older
        assert isinstance(button, int)
        if button not in seated:
            seated[button] = names.usual(button, seated.values())
            continue
        taken = {name for seat, name in seated.items() if seat != button}
        title = tr("{name}:", name=Name(COLOURS[button]))
        out = Choice(tr("not playing"), None)
        more = (umpi_choice(game, levels.get(button)),)
        name = yield from ask_name(title, out, COLOURS[button], names.known, taken, seated[button], more)
        if name is UMPI_PLAYS:
            level = yield from ask_level(levels.get(button))
            seated[button], levels[button] = free_name(taken), level
            continue
        levels.pop(button, None)
        if isinstance(name, str):
            seated[button], older[button] = name, own().get(button)
        else:
            del seated[button]
            older[button] = names.own.get(button)  # as the seat is called if its player joins again


def _options(table: Seating, house: House, chance: Callable[[], float], known: Sequence[str]) -> Dialogue[Seating]:
    game, seat = table.game, 0
    trial = game.experiments
    named, chosen = house.rule_sets(game), house.begun_with(game)
    usual = named[SHEET]
    while True:
        starts = Choice(tr("{who} starts", who=Name(table.players[seat])), _FIRST)
        first = () if game.rolls_off else (starts,)
        rules = house.name_of(game, chosen)
        ruled = (Choice(tr("rules: {name}", name=rules_label(rules)), _RULES),) if len(named) > 1 else ()
        asked = [
            option for option in game.options if option.name not in trial or chosen[option.name] != usual[option.name]
        ]
        who = Name(table.moderator) if table.moderator else tr("nobody")
        judged = (Choice(tr("moderator: {who}", who=who), _MODERATOR),) if game.judged else ()
        choices = (*ruled, *(_shown(option, chosen[option.name]) for option in asked), *judged, *first)
        why = _objection(replace(table, options=changed(game, chosen)), chosen)
        ok = NOTHING if why else _DONE
        lines = [_explained(game, option) for option in asked if option.name in game.option_help]
        explained = Translated("\n".join(lines))
        option = yield Menu(tr("Options"), choices, ok, tr("start"), help=explained, rows=True, why=why)
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
            chosen[option.name] = yield from _profile(option, house.options.get(option.name), help)
        else:
            shown = replace(option, label=partial(value_label, option.name)) if isinstance(option, Pick) else option
            chosen[option.name] = yield from asker.field(shown, tr(option.name), help, lambda part: None)
    return replace(table.begun_by(seat), options=changed(game, chosen), rules=rules or SHEET)


def _moderated(table: Seating, known: Sequence[str]) -> Dialogue[Seating]:
    """Ask for the moderator, who does not play."""
    nobody, taken = Choice(tr("nobody"), ""), {*table.players}
    name = yield from ask_name(tr("Moderator"), nobody, str(tr("Moderator")), known, taken, table.moderator)
    assert isinstance(name, str)
    return replace(table, moderator=name)


def _objection(table: Seating, options: Mapping[str, Value]) -> str:
    """Return why a game cannot begin with these options, "" if it can."""
    try:
        check_table(table.game, len(table.players), options)
        if why := why_not_at(table):
            return tr(why)
    except Refused as refusal:
        return tr(refusal.reason)
    return ""


def _profile(option: Profile, own: Value, help: str) -> Dialogue[Value]:
    """Ask for a profile: none, the box's `own` from its configuration, or one that comes with the game."""
    own = option.called(own)
    values: list[Value] = [None, *option.ready.values()]
    values += [] if any(value == own for value in values) else [own]
    choices = tuple(Choice(profile_label(option, value), index) for index, value in enumerate(values))
    if len(choices) == 1:
        return None
    index = yield Menu(tr(option.name), choices, rows=True, help=help)
    assert isinstance(index, int)
    return values[index]


def _first(table: Seating, chance: Callable[[], float]) -> Dialogue[int]:
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
    return Choice(tr("{what}: {value}", what=_named(option), value=shown), option)


def _explained(game: type[Game], option: Field) -> str:
    """Return what an option changes, after its name."""
    return tr("{what}: {value}", what=_named(option), value=tr(game.option_help[option.name]))


def _named(option: Field) -> Translated:
    return Translated(tr(option.name).replace("_", " "))


_DONE = object()
_FIRST = object()
_MODERATOR = object()
_RULES = object()


def show_card(sentences: Sequence[str]) -> Dialogue[None]:
    """Show how to set a game up until OK; there is no question if there are no sentences."""
    if sentences:
        pages = card_pages([tr(sentence) for sentence in sentences])
        help = tr("Set the game up like this, then press OK. Back returns to the options.")
        yield Menu(tr("Set-up"), (), None, tr("start"), help=help, texts=pages)


def card_pages(sentences: Sequence[str]) -> tuple[str, ...]:
    """Divide sentences into pages: each starts on a new line, and none continues on the next page.

    >>> card_pages(["Deal three cards each."] * 6 + ["Red begins."])[1]
    '· Red begins.'
    """
    pages: list[str] = []
    for sentence in sentences:
        item = f"· {sentence}"
        more = f"{pages[-1]}\n{item}" if pages else item
        if pages and lines_of(more) <= CARD_LINES:
            pages[-1] = more
        else:
            pages.append(item)
    return tuple(pages)


def lines_of(text: str) -> int:
    """Return how many lines a text fills on a page."""
    return len(SMALL.wrap(text, ACROSS))
