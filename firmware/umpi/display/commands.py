"""What the panel can wish of the referee, and the questions outside a game's own that lead there."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeGuard

from umpi.display.acts import CORRECT, PUT_BACK, Correct, GoBack, PutBack, Say, correct, put_back, put_back_choice
from umpi.display.answer import ACT, answer, left_out
from umpi.display.entering import Progress, shortened
from umpi.display.languages import LANGUAGE, Speak, ask_language, language_choices
from umpi.display.menu import Choice, Dialogue, Menu
from umpi.display.pairing import Pair, Phones, Unpair, Void, Where, ask_about, phone_choices
from umpi.display.resumable import GoOn
from umpi.display.setup import COLOURS, Table, told_title
from umpi.display.statistics import Statistics
from umpi.i18n.translate import Told, called, told, told_as
from umpi.kernel.blame import blame
from umpi.kernel.game import Act, Ask, nothing_more, odds_of
from umpi.kernel.match import Match, refusal
from umpi.kernel.message import Name

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Start:
    """Begin a match at this table."""

    table: Table


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
    """End a match that cannot go on without a seat, and write that down; those who remain may start `again`."""

    seat: int
    again: Table | None = None


@dataclass(frozen=True, slots=True)
class Limit:
    """Give each turn so many seconds, None: as long as it takes."""

    seconds: int | None


@dataclass(frozen=True, slots=True)
class Pause:
    """Let the clocks stand still."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Let the clocks go on."""


@dataclass(frozen=True, slots=True)
class Large:
    """Show one seat's score as large as can be: the panel's own affair."""


@dataclass(frozen=True, slots=True)
class Swap:
    """Enter each throw by itself, or the final dice only: the panel's own affair."""


@dataclass(frozen=True, slots=True)
class Unplug:
    """Bring all to rest and say whether the box may be unplugged."""


@dataclass(frozen=True, slots=True)
class Beside:
    """What the menu tells beside the match: devices that are out, why nothing is saved, phones, acts that wait."""

    troubles: Mapping[str, str] = field(default_factory=dict)
    unsaved: str = ""
    phones: Phones | None = None
    later: Sequence[Act] = ()


LEAVE = "leave"  # the act of a game that goes on without a seat
Acts = tuple[Act, ...]
LIMITS_S = (30, 60, 120, 180, 300)  # what a turn may take
Wish = (
    Start | GoOn | Do | TakeBack | Leave | Settle | Rename | End | Speak | Limit | Pause | Resume
    | Pair | Unpair | Void | Where | Correct | GoBack | PutBack | Unplug | Statistics
)  # fmt: skip


def is_wish(answer: object) -> TypeGuard[Wish]:
    """Tell whether an answer is one for the referee."""
    return isinstance(answer, Wish)


Setup = Callable[[], Dialogue[Table | Speak | Pair | Unpair | Where | GoOn | Statistics | None]]


def welcome(open: Match | None, table: Table | None, setup: Setup) -> Dialogue[Wish | None]:
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
    scores = _scores(open) if open else [""] * len(names)
    who = Told(", ".join(f"{called(name)}{score}" for name, score in zip(names, scores, strict=True)))
    text = told("Not over: {names}", names=who) if open else told("Again: {names}", names=who)
    wish = yield Menu("Umpi", tuple(choices), choices[0].value, choices[0].label, text=text, head=told_title(what))
    if wish is None:
        return (yield from _new(setup))
    assert isinstance(wish, Wish)
    return wish


def _scores(match: Match) -> list[str]:
    """Write the scores to stand after the names; nothing where the engine fails to tell them."""
    try:
        scores = [f"\N{NO-BREAK SPACE}{score}" for score in match.now.scores()]
        return scores if len(scores) == len(match.players) else [""] * len(match.players)
    except Exception as fault:
        broke(match, "the scores are missing", fault)
        return [""] * len(match.players)


def _new(setup: Setup) -> Dialogue[Wish | None]:
    chosen = yield from setup()
    return Start(chosen) if isinstance(chosen, Table) else chosen


def over(table: Table) -> Dialogue[Wish]:
    """Ask what to do with a match that has ended."""
    choices = (Choice(told("undo"), TakeBack()), Choice(told("rematch"), Start(table)), Choice(told("done"), Leave()))
    wish = yield Menu("", choices, Leave())
    assert isinstance(wish, Wish)
    return wish


def settle(text: str, heat: tuple[int, ...] = ()) -> Dialogue[Wish]:
    """Ask the table to settle what is not sure; `heat` are the buttons of seats too close to call."""
    ways: tuple[Any, ...] = ("toss again", "order by hand", "accept")
    labels = (told("again"), told("by hand"), told("accept"))
    choices = tuple(Choice(label, Settle(how)) for label, how in zip(labels, ways, strict=True))
    wish = yield Menu(told("Not sure"), choices, text=told(text), heat=heat)
    assert isinstance(wish, Wish)
    return wish


def menu(
    match: Match,
    table: Table,
    quick: bool,
    known: Sequence[str],
    beside: Beside | None = None,
    progress: Progress | None = None,
) -> Dialogue[Wish | Swap | Say | Large | Acts | None]:
    """Offer what is not the question on the screen: undo, rare acts, players who change, the odds, phones."""
    beside = beside or Beside()
    later, unsaved, phones = beside.later, beside.unsaved, beside.phones
    undo = told("nothing has been done yet") if not match.acts else ""
    last = match.acts[-1].verb if match.acts else ""
    choices = [Choice(taking_back(last), TakeBack(), undo), Choice(told("Go on playing"), None)]
    choices += put_back_choice(later)
    if any(ask.then for ask in match.asks):
        choices.append(Choice(told("Each throw by itself") if quick else told("Final dice only"), Swap()))
    choices += _further(match)
    choices.append(Choice(told("Leave the table"), Leave()))
    if odds := _odds(match):
        choices.append(Choice(told("The odds"), Say(told("The odds"), odds)))
    choices.append(Choice(told("Players"), _PLAYERS))
    if match.asks:
        choices += [Choice(told("Large score"), Large()), Choice(told("Pause"), Pause())]
        choices.append(Choice(told("Turn clock"), _CLOCK))
    out = beside.troubles.items()
    if unsaved:
        choices.append(Choice(told("Why it is NOT SAVED"), Say(told("NOT SAVED"), unsaved)))
    choices += [Choice(told("{device} is out", device=device), Say(device, why)) for device, why in out]
    choices += [Choice(told("Correct an act"), CORRECT, undo), *phone_choices(phones)]
    choices.append(Choice(told("Unplug the box"), Unplug()))
    choices.append(Choice(told("How the box works"), Say(told("The box"), how_it_works())))
    choices += [*language_choices(), Choice(told("Statistics"), Statistics(match.game.id))]
    done = "" if undo else told("undo")
    wish = yield Menu(told("Menu"), tuple(choices), None if undo else TakeBack(), done, rows=True)
    if wish is LANGUAGE:
        return (yield from ask_language())
    if (about := ask_about(wish, phones, dict(zip(table.buttons, match.players, strict=True)))) is not None:
        return (yield from about)
    if wish is CORRECT:
        return (yield from correct(match, table.buttons))
    if wish is PUT_BACK:
        return (yield from put_back(match, later))
    if wish is _PLAYERS:
        return (yield from _players(match, table, known))
    if wish is _CLOCK:
        return (yield from _clock())
    if isinstance(wish, Ask):
        if not wish.fields and wish.more is nothing_more:
            return (Act(wish.verb),)
        return (yield from answer([wish], match.players, quick, progress, table.buttons, whole=True))
    assert wish is None or isinstance(wish, (Wish, Swap, Say, Large))
    return wish


def _further(match: Match) -> list[Choice]:
    """List the acts that the keys do not offer; where the engine fails over them the menu says so in their place."""
    try:
        rare = [Choice(told(ask.text), ask) for ask in match.asks if ask.rare and ask.verb != LEAVE]
        rare += [Choice(told(ask.text), ask) for ask in left_out(match.asks)]
        return rare + [Choice(all_of(ask), ask) for ask in match.asks if not ask.rare and shortened(ask)]
    except Exception as fault:
        return [Choice(told("Trouble"), Say(told("Trouble"), broke(match, "the menu lacks acts", fault)))]


def how_it_works() -> Told:
    """Explain the box to somebody who has not held it before."""
    return Told(
        "\n".join(
            [
                told("The six keys answer what stands above them. Pressing one without a line says why it is off."),
                told("OK ends an answer; held, it tells the rule. Up and down turn the page."),
                told("Back takes the last press back; held, it opens the menu: undo, players, clock."),
                told("Back held for three seconds: the box says when it may be unplugged."),
                told("Up shows a score as large as can be, where there is no page to turn."),
                told("The lamp shows who must act, and blinks for who was first."),
            ]
        )
    )


def _clock() -> Dialogue[Wish]:
    """Ask how long a turn may take."""
    limits = [Choice(clock_time(limit), Limit(limit)) for limit in LIMITS_S]
    wish = yield Menu(told("A turn takes at most"), (Choice(told("off"), Limit(None)), *limits))
    assert isinstance(wish, Limit)
    return wish


def clock_time(seconds: int) -> str:
    """Write seconds as a clock does.

    >>> clock_time(95)
    '1:35'
    """
    return f"{seconds // 60}:{seconds % 60:02}"


def taking_back(verb: str) -> str:
    """Label the choice that takes an act back."""
    return told("Take back: {verb}", verb=told_as(ACT, verb))


def all_of(ask: Ask) -> str:
    """Label an ask that is to be answered with all its fields."""
    return told("{what}: all of it", what=ask.text)


def _players(match: Match, table: Table, known: Sequence[str]) -> Dialogue[Wish | Acts | None]:
    """Ask which seat changes: another name, or its player leaves."""
    seats = tuple(Choice(called(name), seat, button=table.buttons[seat]) for seat, name in enumerate(match.players))
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
    who, left = Name(match.players[seat]), table.without(seat)
    template = "{game} cannot go on without {name}. Somebody else may take the seat."
    ends: tuple[Choice, ...] = (Choice(told("end it here"), End(seat)), Choice(told("go on"), None))
    if left.playable:
        template = "{game} cannot go on without {name}. Somebody else may take the seat, or the others restart."
        ends = (Choice(told("restart"), End(seat, left)), Choice(told("end"), End(seat)), Choice(told("go on"), None))
    text = told(template, game=match.game.title, name=who)
    wish = yield Menu(told("It ends here?"), ends, text=text)
    assert wish is None or isinstance(wish, End)
    return wish


_PLAYERS = object()
_CLOCK = object()
_LEAVES = object()


def _odds(match: Match) -> str:
    """Write the odds, a row a line; where the engine fails to tell them the menu still stands, and says so there."""
    try:
        rows = [(row.label, *row.cells) for row in odds_of(match.now)]
        return Told("\n".join(" ".join(told(text, match.players) for text in row) for row in rows))
    except Exception as fault:
        return broke(match, "the menu lacks the odds", fault)


def broke(match: Match, what: str, fault: Exception) -> str:
    """Log what an engine raised, with whose code did, and say that it has failed."""
    game = match.game
    log.error("%s: %s: raised by %s", game.id, what, blame(fault, game), exc_info=fault)
    return fails(game.title, fault)


def fails(title: str, fault: Exception) -> str:
    """Say that an engine has failed."""
    return told("The rules of {game} fail: {fault}", game=title, fault=Told(f"{type(fault).__name__}: {fault}"))
