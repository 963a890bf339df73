"""The start screen, the menu of a game, and the screens at its end and in a dispute."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from typing import Any

from umpi.display.acts import CORRECT, PUT_BACK, correct, put_back, put_back_choice
from umpi.display.answer import answer, left_out, why_closed
from umpi.display.answer_progress import AnswerProgress
from umpi.display.box_questions import LANGUAGE, UPDATE, ask_language, ask_update, card_choices, language_choices
from umpi.display.cover import hands_choice, look_at_hand
from umpi.display.empty_seat import UMPI_PLAYS, ask_level, umpi_choice
from umpi.display.entering import Asker
from umpi.display.key_values import shortened
from umpi.display.menu import Choice, Dialogue, Menu
from umpi.display.names import ask_name
from umpi.display.phone_menu import ask_about, phone_choices
from umpi.display.rules import RULES, rules_choice, sections_menu
from umpi.display.setup import Chosen
from umpi.display.spoken import state_of
from umpi.i18n.translate import Translated, current_language, game_label, player_label, tr, tr_context
from umpi.kernel.game import Act, Ask, nothing_more
from umpi.kernel.match import Match, refusal
from umpi.kernel.messages import Message, Name
from umpi.table.commands import (
    LIMITS_S,
    Acts,
    AskHint,
    Command,
    End,
    GoOn,
    Large,
    Learn,
    Leave,
    Limit,
    Occupy,
    PanelChoice,
    Pause,
    Rename,
    Report,
    Review,
    Say,
    Settle,
    ShowRace,
    Start,
    Statistics,
    Swap,
    TakeBack,
    Unplug,
)
from umpi.table.faults import broke
from umpi.table.labels import clock_time
from umpi.table.seating import LEAVE, Seating, judge_of
from umpi.table.seats import COLOURS
from umpi.table.standing import points_of
from umpi.table.state import TableState
from umpi.table.telling import ACT, entered, of_players

log = logging.getLogger(__name__)
NOBODY = -1  # no seat

Setup = Callable[[], Dialogue[Chosen]]


def welcome(
    open: Match | None, table: Seating | None, setup: Setup, next: Seating | None = None
) -> Dialogue[Command | Learn | None]:
    """Ask what to play: continue the open match, the `next` one of a club, the last table again, or a new game."""
    choices = []
    if open:
        choices.append(Choice(tr("resume"), GoOn()))
    if next:
        choices.append(Choice(tr("next match"), Start(next)))
    if table:
        choices.append(Choice(tr("rematch"), Start(table)))
    choices.append(Choice(tr("new game"), None))
    shown = next or table
    what = open.game if open else shown.game if shown else None
    if what is None:
        return (yield from _new(setup))
    text = tr("Again: {names}", names=_listed(table.players if table else ()))
    if next:
        text = tr("Next: {names}", names=_listed(next.players))
    if open:
        text = tr("In play: {names}", names=_names(open))
    command = yield Menu("Umpi", tuple(choices), choices[0].value, choices[0].label, text=text, head=game_label(what))
    if command is None:
        return (yield from _new(setup))
    assert isinstance(command, Command)
    return command


def _names(match: Match) -> Translated:
    """Return the players with their points; their names alone if the engine fails."""
    try:
        return points_of(match)
    except Exception as fault:
        broke(match, "the scores are missing", fault)
        return _listed(match.players)


def _listed(players: Sequence[str]) -> Translated:
    return Translated(", ".join(map(player_label, players)))


def _new(setup: Setup) -> Dialogue[Command | Learn | None]:
    chosen = yield from setup()
    return Start(chosen) if isinstance(chosen, Seating) else chosen


def over(table: Seating) -> Dialogue[Command]:
    """Ask what to do after a match has ended."""
    choices = (Choice(tr("undo"), TakeBack()), Choice(tr("rematch"), Start(table)), Choice(tr("done"), Leave()))
    command = yield Menu("", choices, Leave())
    assert isinstance(command, Command)
    return command


def ask_about_doubt(text: str, heat: tuple[int, ...] = ()) -> Dialogue[Command]:
    """Ask the players to settle a doubt; `heat` contains the buttons of the seats that are too close to call."""
    ways: tuple[Any, ...] = ("toss again", "order by hand", "accept")
    labels = (tr("toss again"), tr("by hand"), tr("keep order"))
    choices = tuple(Choice(label, Settle(how)) for label, how in zip(labels, ways, strict=True))
    command = yield Menu(tr("Unclear"), choices, text=tr(text), heat=heat)
    assert isinstance(command, Command)
    return command


def menu(
    match: Match,
    table: Seating,
    quick: bool,
    state: TableState,
    progress: AnswerProgress | None = None,
) -> Dialogue[Command | Swap | Say | Large | Acts | None]:
    """Show the menu: first the moves of the game, then the entries that are always there, last those of this moment."""
    rules = state.rules.find(match.game.id, current_language(), match.options)
    phones = state.phones
    undo = tr("nothing to undo yet") if not match.acts else ""
    ended = tr("The match is over.") if not match.asks else ""
    odds = _odds(match)
    choices = (
        *_further(match, state),
        Choice(taking_back(match, state.joined, state.alone), TakeBack(), undo),
        Choice(tr("Keep playing"), None),
        _offered(Leave(), ended),
        Choice(tr("Correct a move"), CORRECT, undo),
        Choice(tr("Players"), _PLAYERS),
        _offered(Pause(), ended),
        Choice(tr("Odds"), Say(tr("Odds"), odds), "" if odds else tr("no odds right now")),
        _offered(Large(), ended),
        Choice(tr("Turn timer"), _CLOCK, ended),
        rules_choice(rules, match.game),
        Choice(tr("How it works"), Say(tr("Help"), how_it_works())),
        Choice(tr("Statistics"), Statistics(match.game.id)),
        _offered(Unplug(), ended),
        _offered(Report(), ended),
        Choice(tr("Where are we?"), _STATE),
        Choice(tr("Luck and skill"), Review(), "" if ended else tr("Only after the match.")),
        *((_offered(AskHint(), ended),) if state.hint else ()),
        *((_offered(ShowRace(), ended),) if state.race else ()),
        *language_choices(),
        *hands_choice(match, _HAND),
        *phone_choices(phones),
        *card_choices(state.card, playing=True),
        *_of_this_moment(match, quick, state),
    )
    done = "" if undo else tr("undo")
    command = yield Menu(tr("Menu"), choices, None if undo else TakeBack(), done, rows=True)
    if command is LANGUAGE:
        return (yield from ask_language())
    if command is UPDATE:
        return (yield from ask_update())
    if command is RULES and rules:
        yield sections_menu(rules, match.game)
        return None
    if (about := ask_about(command, phones, dict(zip(table.buttons, match.players, strict=True)))) is not None:
        return (yield from about)
    if command is CORRECT:
        return (yield from correct(match, table.buttons, state.joined))
    if command is _HAND:
        yield from look_at_hand(match, table.buttons)
        return None
    if command is PUT_BACK:
        return (yield from put_back(match, state.later))
    if command is _PLAYERS:
        return (yield from _players(match, table, state.names.known))
    if command is _STATE:
        return where_are_we(match, table)
    if command is _CLOCK:
        return (yield from _clock())
    if isinstance(command, Ask):
        if not command.fields and command.more is nothing_more:
            return (Act(command.verb),)
        return (yield from answer([command], match.players, quick, progress, table.buttons, whole=True))
    assert command is None or isinstance(command, (Command, Swap, Say, Large))
    return command


def _offered(command: Command | PanelChoice, ended: str) -> Choice:
    """Return the entry of a command under its own label; off if the match has `ended` and it needs one."""
    assert command.label is not None
    return Choice(tr(command.label), command, ended if command.while_asked else "")


def _of_this_moment(match: Match, quick: bool, state: TableState) -> list[Choice]:
    """List the entries that are not always there: errors, moves on hold, and how an answer is entered."""
    choices = []
    if state.unsaved:
        choices.append(Choice(tr("Why NOT SAVED?"), Say(tr("NOT SAVED"), state.unsaved)))
    out = state.device_errors.items()
    choices += [Choice(tr("{device}: error", device=device), Say(device, why)) for device, why in out]
    choices += put_back_choice(state.later)
    if any(ask.followed_by for ask in match.asks):
        choices.append(Choice(tr("Enter every roll") if quick else tr("Final dice only"), Swap()))
    return choices


def _further(match: Match, state: TableState) -> list[Choice]:
    """List the acts that the question does not offer; if the engine fails, return a choice that shows the error.

    Nobody decides for a seat that the box plays.
    """
    turn = state.box_turn
    own = turn.seat if turn and not turn.given_up else NOBODY
    try:
        asks, asker = [ask for ask in of_players(match.asks) if ask.seat != own], Asker(match.players, whole=True)
        rare = [ask for ask in asks if ask.rare and ask.verb != LEAVE] + left_out(asks)
        further: list[tuple[str, Ask]] = [(tr(ask.text, match.players), ask) for ask in rare]
        further += [(all_of(ask), ask) for ask in asks if not ask.rare and shortened(ask)]
        return [Choice(label, ask, why_closed(asker, ask)) for label, ask in further]
    except Exception as fault:
        return [Choice(tr("Problem"), Say(tr("Problem"), broke(match, "the menu lacks acts", fault)))]


def how_it_works() -> Translated:
    """Explain the box to a new player."""
    return Translated(
        "\n".join(
            [
                tr("Each of the six buttons picks the label above it. If a label has no line, press to see why."),
                tr("OK confirms; hold it for the rule. Up and Down change pages."),
                tr("Back undoes the last press; hold it for the menu: undo, players, timer."),
                tr("Before unplugging, keep holding Back until “Safe to unplug” appears."),
                tr("If there is only one page, Up shows one score on the full screen."),
                tr("If your lamp is on, it is your turn. If it blinks, you were first."),
            ]
        )
    )


def _clock() -> Dialogue[Command]:
    """Ask for the time limit per turn."""
    limits = [Choice(clock_time(limit), Limit(limit)) for limit in LIMITS_S]
    command = yield Menu(tr("Time limit per turn"), (Choice(tr("off"), Limit(None)), *limits))
    assert isinstance(command, Limit)
    return command


def taking_back(match: Match, joined: Collection[int], alone: Collection[int] = ()) -> str:
    """Return the label of the choice that undoes the last answer. It names the act that somebody entered.

    `joined` contains the acts that were entered in one answer with the act before, `alone` those that the box has done
    by itself for its own seats. If the engine fails, it names the last act.
    """
    indexes = reversed(range(len(match.acts)))
    try:
        by_hand = (index for index in indexes if index not in alone and entered(match, index, joined))
        return undo_label(next((match.acts[index].verb for index in by_hand), ""))
    except Exception as fault:
        broke(match, "the menu names the last act", fault)
        return undo_label(match.acts[-1].verb)


def undo_label(verb: str) -> str:
    """Return the label of the choice that undoes an act; `verb` is "" before the first one."""
    return tr("Undo: {verb}", verb=tr_context(ACT, verb)) if verb else tr("Undo")


def all_of(ask: Ask) -> str:
    """Return the label of an ask to be answered with all its fields."""
    verb = tr_context(ACT, ask.verb)
    named = not isinstance(ask.text, Message)  # a message is a sentence with a player's name
    return tr("{what}: details", what=ask.text if named else Translated(f"{verb[:1].upper()}{verb[1:]}"))


def _players(match: Match, table: Seating, known: Sequence[str]) -> Dialogue[Command | Acts | None]:
    """Ask which seat changes, and then for its new name, or whether its player leaves."""
    seats = tuple(
        Choice(player_label(name), seat, button=table.buttons[seat]) for seat, name in enumerate(match.players)
    )
    seat = yield Menu(tr("Which player?"), seats, rows=True)
    assert isinstance(seat, int)
    colour = COLOURS[table.buttons[seat]]
    title = tr("Change {name}", name=Name(match.players[seat]))
    box = umpi_choice(match.game, table.level_of(seat))
    others = [name for other, name in enumerate(match.players) if other != seat]
    taken = others if table.level_of(seat) else match.players
    chosen = yield from ask_name(title, Choice(tr("leaves the match"), _LEAVES), colour, known, taken, more=(box,))
    if chosen is UMPI_PLAYS:
        level = yield from ask_level(table.level_of(seat))
        return Occupy(seat, match.players[seat] if table.level_of(seat) else "", level)
    if isinstance(chosen, str):
        return Occupy(seat, chosen, None) if table.level_of(seat) else Rename(seat, chosen)
    act = Act(LEAVE, {"seat": seat})
    if any(ask.verb == LEAVE and not refusal(ask, act.given) for ask in match.asks):
        return (act,)
    who, left = Name(match.players[seat]), table.without(seat)
    template = "{game} cannot continue without {name}. Someone else can take over."
    ends: tuple[Choice, ...] = (Choice(tr("end match"), End(seat)), Choice(tr("continue"), None))
    if left.playable:
        template = "{game} cannot continue without {name}. Someone else can take over, or the others restart."
        ends = (Choice(tr("restart"), End(seat, left)), Choice(tr("end"), End(seat)), Choice(tr("continue"), None))
    text = tr(template, game=match.game.title, name=who)
    command = yield Menu(tr("End the match?"), ends, text=text)
    assert command is None or isinstance(command, End)
    return command


_PLAYERS = object()
_HAND = object()
_CLOCK = object()
_STATE = object()
_LEAVES = object()


def _odds(match: Match) -> str:
    """Return the odds, one row per line; if the engine fails, return the error, so that the menu still works."""
    try:
        rows = [(row.label, *row.cells) for row in match.now.odds()]
        return Translated("\n".join(" ".join(tr(text, match.players) for text in row) for row in rows))
    except Exception as fault:
        return broke(match, "the menu lacks the odds", fault)


def where_are_we(match: Match, table: Seating) -> Say:
    """Say which game is played, where it is, and who judges; if the engine fails, say the error, so that this works."""
    try:
        lines = tr("Game: {game}.", game=match.game.title), state_of(match), judge_of(table)
        text: str = Translated("\n".join(filter(None, lines)))
    except Exception as fault:
        text = broke(match, "nobody can say where the game is", fault)
    return Say(tr("Where are we?"), text)
