"""What the panel can wish of the referee, and the questions outside a game's own that lead there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeGuard

from umpi.panel.answer import answer
from umpi.panel.entering import Progress, shortened
from umpi.panel.menu import Choice, Dialogue, Menu
from umpi.panel.setup import COLOURS, Table
from umpi.panel.sheet import wrapped
from umpi.rules.game import Act, Ask, full_title, odds_of
from umpi.rules.match import Match, refusal
from umpi.rules.words import named


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
Wish = Start | GoOn | Do | TakeBack | Leave | Settle | Rename | End


def is_wish(answer: object) -> TypeGuard[Wish]:
    """Tell whether an answer is one for the referee."""
    return isinstance(answer, Wish)


def welcome(open: Match | None, table: Table | None, setup: Callable[[], Dialogue[Table]]) -> Dialogue[Wish]:
    """Ask what to play: on with the match that lies open, the table of last time again, or something new."""
    choices = []
    if open:
        choices.append(Choice("go on", GoOn()))
    if table:
        choices.append(Choice("rematch", Start(table)))
    choices.append(Choice("new game", None))
    what = open.game if open else table.game if table else None
    names = open.players if open else table.players if table else ()
    if what is None:
        return Start((yield from setup()))
    text = "\n".join([full_title(what) + (" is not over:" if open else " again:"), *wrapped(", ".join(names))])
    wish = yield Menu("Umpi", tuple(choices), choices[0].value, choices[0].label, text=text)
    if wish is None:
        return Start((yield from setup()))
    assert isinstance(wish, Wish)
    return wish


def over(table: Table) -> Dialogue[Wish]:
    """Ask what to do with a match that has ended."""
    choices = (Choice("undo", TakeBack()), Choice("rematch", Start(table)), Choice("done", Leave()))
    wish = yield Menu("", choices, Leave())
    assert isinstance(wish, Wish)
    return wish


def settle(text: str) -> Dialogue[Wish]:
    """Ask the table to settle what is not sure."""
    ways: tuple[Any, ...] = ("toss again", "order by hand", "accept")
    labels = ("again", "by hand", "accept")
    choices = tuple(Choice(label, Settle(how)) for label, how in zip(labels, ways, strict=True))
    wish = yield Menu("Not sure", choices, text="\n".join(wrapped(text)))
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
    """Offer what is not the question on the screen: undo, rare acts, players who change, the odds."""
    undo = "nothing has been done yet" if not match.acts else ""
    last = match.acts[-1].verb if match.acts else ""
    choices = [Choice(f"Take back: {last}", TakeBack(), undo), Choice("Go on playing", None)]
    if any(ask.then for ask in match.asks):
        choices.append(Choice("Each throw by itself" if quick else "Final dice only", Swap()))
    choices += [Choice(ask.text, ask) for ask in match.asks if ask.rare and ask.verb != LEAVE]
    choices += [Choice(f"{ask.text}: all of it", ask) for ask in match.asks if not ask.rare and shortened(ask)]
    choices.append(Choice("Leave the table", Leave()))
    if odds := _odds(match):
        choices.append(Choice("The odds", Say("The odds", odds)))
    choices.append(Choice("Players", _PLAYERS))
    choices += [Choice(f"{device} is out", Say(device, why)) for device, why in (troubles or {}).items()]
    wish = yield Menu("Menu", tuple(choices), None if undo else TakeBack(), "" if undo else "takes back", rows=True)
    if wish is _PLAYERS:
        return (yield from _players(match, table, known))
    if isinstance(wish, Ask):
        if not wish.fields:
            return (Act(wish.verb),)
        return (yield from answer([wish], match.players, quick, progress, table.buttons, whole=True))
    assert wish is None or isinstance(wish, (Wish, Swap, Say))
    return wish


def _players(match: Match, table: Table, known: Sequence[str]) -> Dialogue[Wish | Acts | None]:
    """Ask which seat changes: another name, or its player leaves."""
    seats = tuple(Choice(name, seat) for seat, name in enumerate(match.players))
    seat = yield Menu("Who changes?", seats, rows=True)
    assert isinstance(seat, int)
    colour = COLOURS[table.buttons[seat]]
    names = [name for name in dict.fromkeys([colour, *known]) if name not in match.players]
    chosen = yield Menu(
        f"{match.players[seat]} is now",
        (Choice("leaving the table", _LEAVES), *(Choice(n, n) for n in names)),
        rows=True,
    )
    if isinstance(chosen, str):
        return Rename(seat, chosen)
    act = Act(LEAVE, {"seat": seat})
    if any(ask.verb == LEAVE and not refusal(ask, act.given) for ask in match.asks):
        return (act,)
    ends = (Choice("end it here", End(seat)), Choice("go on", None))
    text = wrapped(f"{match.game.title} cannot go on without {match.players[seat]}. Somebody else may take the seat.")
    wish = yield Menu("It ends here?", ends, text="\n".join(text))
    assert wish is None or isinstance(wish, End)
    return wish


_PLAYERS = object()
_LEAVES = object()


def _odds(match: Match) -> str:
    """Write the odds, a row a line; where the engine fails to tell them the menu still stands, and says so there."""
    try:
        rows = [(row.label, *row.cells) for row in odds_of(match.now)]
        return "\n".join(" ".join(named(text, match.players) for text in row) for row in rows)
    except Exception as fault:
        return f"The rules of {match.game.title} fail: {type(fault).__name__}: {fault}"
