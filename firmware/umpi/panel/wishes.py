"""What the panel can wish of the referee, and the questions outside a game's own that lead there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeGuard

from umpi.panel.answer import ACT, answer
from umpi.panel.entering import Progress, shortened
from umpi.panel.languages import LANGUAGE, Speak, ask_language, language_choices
from umpi.panel.menu import Choice, Dialogue, Menu
from umpi.panel.setup import COLOURS, Table, told_title
from umpi.panel.sheet import wrapped
from umpi.rules.game import Act, Ask, odds_of
from umpi.rules.match import Match, refusal
from umpi.rules.words import Name
from umpi.tongue import Told, called, told, told_as


@dataclass(frozen=True, slots=True)
class Start:
    """Begin a match at this table."""

    table: Table


@dataclass(frozen=True, slots=True)
class GoOn:
    """Go on with the match that lay open."""


@dataclass(frozen=True, slots=True)
class Do:
    """Play these acts, which one answer made."""

    acts: tuple[Act, ...]


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Undo the last answer."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the table; a match that is not over can be gone on with."""


@dataclass(frozen=True, slots=True)
class Settle:
    """Settle a doubtful announcement: toss again, order by hand, or accept it as it stands."""

    how: Literal["toss again", "order by hand", "accept"]


@dataclass(frozen=True, slots=True)
class Rename:
    """Call a seat by another name from here on."""

    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class End:
    """End a match that cannot go on because a seat has left, and write that down."""

    seat: int


@dataclass(frozen=True, slots=True)
class Swap:
    """Enter each throw by itself, or the final dice only: the panel's own affair."""


@dataclass(frozen=True, slots=True)
class Say:
    """Show a text: the panel's own affair."""

    title: str
    text: str


LEAVE = "leave"  # the act of a game that goes on without a seat
Acts = tuple[Act, ...]
Wish = Start | GoOn | Do | TakeBack | Leave | Settle | Rename | End | Speak


def is_wish(answer: object) -> TypeGuard[Wish]:
    """Tell whether an answer is one for the referee."""
    return isinstance(answer, Wish)


def welcome(open: Match | None, table: Table | None, setup: Callable[[], Dialogue[Table | Speak]]) -> Dialogue[Wish]:
    """Ask what to play: on with the match that lies open, the table of last time again, or something new."""
    choices = []
    if open:
        choices.append(Choice(told("go on"), GoOn()))
    if table:
        choices.append(Choice(told("rematch"), Start(table)))
    choices.append(Choice(told("new game"), None))
    what = open.game if open else table.game if table else None
    names = open.players if open else table.players if table else ()
    if what is None:
        return (yield from _new(setup))
    title = told_title(what)
    head = told("{game} is not over:", game=title) if open else told("{game} again:", game=title)
    text = "\n".join([head, *wrapped(", ".join(map(called, names)))])
    wish = yield Menu("Umpi", tuple(choices), choices[0].value, choices[0].label, text=text)
    if wish is None:
        return (yield from _new(setup))
    assert isinstance(wish, Wish)
    return wish


def _new(setup: Callable[[], Dialogue[Table | Speak]]) -> Dialogue[Wish]:
    chosen = yield from setup()
    return Start(chosen) if isinstance(chosen, Table) else chosen


def over(table: Table) -> Dialogue[Wish]:
    """Ask what to do with a match that has ended."""
    choices = (Choice(told("undo"), TakeBack()), Choice(told("rematch"), Start(table)), Choice(told("done"), Leave()))
    wish = yield Menu("", choices, Leave())
    assert isinstance(wish, Wish)
    return wish


def settle(text: str) -> Dialogue[Wish]:
    """Ask the table to settle what is not sure."""
    ways: tuple[Any, ...] = ("toss again", "order by hand", "accept")
    labels = (told("again"), told("by hand"), told("accept"))
    choices = tuple(Choice(label, Settle(how)) for label, how in zip(labels, ways, strict=True))
    wish = yield Menu(told("Not sure"), choices, text="\n".join(wrapped(told(text))))
    assert isinstance(wish, Wish)
    return wish


def menu(
    match: Match,
    table: Table,
    quick: bool,
    known: Sequence[str],
    progress: Progress | None = None,
    troubles: Mapping[str, str] | None = None,
) -> Dialogue[Wish | Swap | Say | Acts | None]:
    """Offer what is not the question on the screen: undo, rare acts, players who change, the odds, the language."""
    undo = told("nothing has been done yet") if not match.acts else ""
    last = match.acts[-1].verb if match.acts else ""
    choices = [Choice(taking_back(last), TakeBack(), undo), Choice(told("Go on playing"), None)]
    if any(ask.then for ask in match.asks):
        choices.append(Choice(told("Each throw by itself") if quick else told("Final dice only"), Swap()))
    choices += [Choice(told(ask.text), ask) for ask in match.asks if ask.rare and ask.verb != LEAVE]
    choices += [Choice(all_of(ask), ask) for ask in match.asks if not ask.rare and shortened(ask)]
    choices.append(Choice(told("Leave the table"), Leave()))
    if odds := _odds(match):
        choices.append(Choice(told("The odds"), Say(told("The odds"), odds)))
    choices.append(Choice(told("Players"), _PLAYERS))
    out = (troubles or {}).items()
    choices += [Choice(told("{device} is out", device=device), Say(device, why)) for device, why in out]
    choices += language_choices()
    done = "" if undo else told("takes back")
    wish = yield Menu(told("Menu"), tuple(choices), None if undo else TakeBack(), done, rows=True)
    if wish is LANGUAGE:
        return (yield from ask_language())
    if wish is _PLAYERS:
        return (yield from _players(match, table, known))
    if isinstance(wish, Ask):
        if not wish.fields:
            return (Act(wish.verb),)
        return (yield from answer([wish], match.players, quick, progress, table.buttons, whole=True))
    assert wish is None or isinstance(wish, (Wish, Swap, Say))
    return wish


def taking_back(verb: str) -> str:
    """Label the choice that takes an act back."""
    return told("Take back: {verb}", verb=told_as(ACT, verb))


def all_of(ask: Ask) -> str:
    """Label an ask that is to be answered with all its fields."""
    return told("{what}: all of it", what=ask.text)


def _players(match: Match, table: Table, known: Sequence[str]) -> Dialogue[Wish | Acts | None]:
    """Ask which seat changes: another name, or its player leaves."""
    seats = tuple(Choice(called(name), seat) for seat, name in enumerate(match.players))
    seat = yield Menu(told("Who changes?"), seats, rows=True)
    assert isinstance(seat, int)
    colour = COLOURS[table.buttons[seat]]
    names = [name for name in dict.fromkeys([colour, *known]) if name not in match.players]
    chosen = yield Menu(
        told("{name} is now", name=Name(match.players[seat])),
        (Choice(told("leaving the table"), _LEAVES), *(Choice(called(n), n) for n in names)),
        rows=True,
    )
    if isinstance(chosen, str):
        return Rename(seat, chosen)
    act = Act(LEAVE, {"seat": seat})
    if any(ask.verb == LEAVE and not refusal(ask, act.given) for ask in match.asks):
        return (act,)
    ends = (Choice(told("end it here"), End(seat)), Choice(told("go on"), None))
    template = "{game} cannot go on without {name}. Somebody else may take the seat."
    text = wrapped(told(template, game=match.game.title, name=Name(match.players[seat])))
    wish = yield Menu(told("It ends here?"), ends, text="\n".join(text))
    assert wish is None or isinstance(wish, End)
    return wish


_PLAYERS = object()
_LEAVES = object()


def _odds(match: Match) -> str:
    """Write the odds, a row a line; where the engine fails to tell them the menu still stands, and says so there."""
    try:
        rows = [(row.label, *row.cells) for row in odds_of(match.now)]
        return Told("\n".join(" ".join(told(text, match.players) for text in row) for row in rows))
    except Exception as fault:
        return fails(match.game.title, fault)


def fails(title: str, fault: Exception) -> str:
    """Say that an engine has failed."""
    return told("The rules of {game} fail: {fault}", game=title, fault=Told(f"{type(fault).__name__}: {fault}"))
