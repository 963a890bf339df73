"""The commands of the box's menus: each command that a menu offers is executed, and has an effect."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import pytest

from tests.kit.dohdles_tables import first_question, toss
from tests.kit.journals import dodeka_header
from tests.kit.rig import Rig, Rigs
from umpi.box.config import COLOURS
from umpi.display.menu import KEYS, NOTHING
from umpi.display.panel import Key, Panel
from umpi.journal import Journal
from umpi.referee.effects import Effect, JournalCall, PairingCall, Show
from umpi.table.commands import (
    AgreeToCard,
    AnswerPuzzle,
    AskPuzzle,
    AskToJoin,
    Command,
    Do,
    FindNetworks,
    JoinNetwork,
    NameBox,
    OfferMatch,
    Rematch,
    ShowRace,
    StartMatch,
    UseCard,
    UseShelf,
)
from umpi.web.codes import Codes

DEEPEST = 7  # questions from a menu to a command
TRIED = 3  # ways to one kind of command
PAGE = "http://192.168.178.123:8000/"
ELSEWHERE = {
    Do: "it answers a question",
    StartMatch: "the referee's phone asks for it",
    Rematch: "the referee's phone asks for it",
    OfferMatch: "the club asks for it",
    AskPuzzle: "only a box with matches of before offers it: test_puzzling",
    AnswerPuzzle: "it answers a puzzle: test_puzzling",
    UseCard: "only a box with a card offers it",
    AgreeToCard: "the card asks for it",
    FindNetworks: "only a box with a card offers it: test_join_wifi",
    NameBox: "only a box with a card offers it: test_join_wifi",
    JoinNetwork: "it answers the networks that were found: test_join_wifi",
    UseShelf: "only the page of a box that installs games offers it",
    ShowRace: "it begins with a race, and only the television shows it",
}

Way = tuple[Key, ...]


def with_page(rigs: Rigs, **config: Any) -> Rig:
    """A box that has a page for phones, and a phone that is paired."""
    rigs.codes_of = lambda kept: Codes([("hash", "referee", "iPhone")], lambda: PAGE)
    return rigs(**config)


def started(rigs: Rigs) -> Rig:
    return with_page(rigs)


def playing(rigs: Rigs) -> Rig:
    """A match of Dodéka after its first turn."""
    journal = Journal(rigs.folder / "games.db")
    number = journal.begin(dodeka_header())
    journal.append(number, [{"do": "throw", "keep": [], "dice": [1, 4, 8]}, {"do": "stop"}], "panel")
    journal.close()
    rig = with_page(rigs, hint=True)
    rig.press("ok")
    rig.pass_calls()
    return rig


def left(rigs: Rigs) -> Rig:
    """The first screen, with a match that was left, and another one."""
    rig = playing(rigs)
    rig.menu("Exit match")
    rig.take("rematch")
    rig.press("ok")
    rig.menu("Exit match")
    return rig


def over(rigs: Rigs) -> Rig:
    rig = with_page(rigs)
    rig.start("scorepad", "red blue ok ok red yellow ok")
    rig.menu("The match is over")
    return rig


def chosen(*labels: str) -> Callable[[Rigs], Rig]:
    """A match in play, after these choices in its menu."""

    def build(rigs: Rigs) -> Rig:
        rig = playing(rigs)
        rig.press("back", ms=1000)
        for label in labels:
            rig.take(label)
        return rig

    return build


def asked_for_a_seat(rigs: Rigs) -> Rig:
    rig: Rig = chosen("Pair a phone", "All: one QR code")(rigs)
    _, _, claim = rig.web_app.codes.claim(0, "Zoë", "192.168.178.21", "Android", rig.now_ns, instead=False)
    rig.loop.request("", AskToJoin(claim), None)
    rig.settle()
    return rig


def checking(rigs: Rigs) -> Rig:
    rig = started(rigs)
    rig.take("Check devices")
    return rig


def unclear(rigs: Rigs) -> Rig:
    rig = first_question(rigs, 6)
    toss(rig, "yellow", "red", gap_ms=0.8)
    return rig


FIRST_SCREEN = [("back", False)] * DEEPEST
MENU = [("back", True)]
QUESTION = [("back", True), ("back", False)]


@dataclass(frozen=True)
class Place:
    """Where a menu offers commands: a box there, and the presses (long or not) that lead to its first question.

    A screen without a menu has `keys`.
    """

    build: Callable[[Rigs], Rig]
    home: Sequence[tuple[Key, bool]] = ()
    keys: tuple[Key, ...] = ()

    def ways(self, panel: Panel) -> Iterator[tuple[Way, Command]]:
        """Find the commands and the presses to them; below the first question, by its first and its last choice."""
        waiting: list[tuple[Way, int]] = [((key,), 1) for key in self.keys] or [((), 0)]
        while waiting:
            way, questions = waiting.pop(0)
            for key, long in self.home:
                panel.press(key, long)
            command = [None, *map(panel.press, way)][-1]
            if command:
                yield way, command
                continue
            if panel.noticing:  # it is told, page by page
                while panel.noticing:
                    panel.press("ok")
            elif not self.keys and questions < DEEPEST and not (way and panel.answering):
                following = list(choices(panel))
                following = following if questions < 1 else list(dict.fromkeys([*following[:1], *following[-1:]]))
                waiting += [((*way, *keys), questions + 1) for keys in following]


def choices(panel: Panel) -> Iterator[Way]:
    """The presses of each choice of the question that can be chosen, the games aside."""
    asked, page = panel.question
    for index, choice in enumerate(asked.choices):
        if not (choice.off or choice.marked or choice.read or isinstance(choice.value, type)):
            yield (*["down"] * ((index // KEYS - page) % asked.pages), asked.key(index))
    if asked.ok is not NOTHING:
        yield ("ok",)


PLACES = {
    "start": Place(started, FIRST_SCREEN),
    "left": Place(left, FIRST_SCREEN),
    "play": Place(playing, MENU),
    "over": Place(over, MENU),
    "end": Place(over, QUESTION),
    "inserting": Place(chosen("Correct a move", "Ann", "insert"), MENU),
    "unclear": Place(unclear, keys=(0,)),
    "empty seat": Place(chosen("Players", "Ann", "Umpi plays"), keys=(0,)),
    "paused": Place(chosen("Pause"), keys=("ok",)),
    "code": Place(chosen("Pair a phone", "Referee"), keys=("ok",)),
    "joining": Place(asked_for_a_seat, keys=("ok", "back", "down", 0)),
    "checking": Place(checking, keys=("back",)),
}


@contextmanager
def boxes(folder: Path, place: Place) -> Iterator[Callable[[], Rig]]:
    """Switch on boxes at a place, each with a journal of its own."""
    made: list[Rigs] = []

    def another() -> Rig:
        own = folder / str(len(made))
        own.mkdir(parents=True)
        made.append(Rigs(own))
        return place.build(made[-1])

    yield another
    for rigs in made:
        rigs.switch_off()


def effects(rig: Rig, place: Place, way: Way) -> tuple[list[object], bytes]:
    """Press this way. Return the kinds of the effects, and the picture at the end."""
    kinds: list[object] = []
    step = rig.referee.step

    def noted(event: Any) -> list[Effect]:
        made: list[Effect] = step(event)
        for effect in made:
            if not isinstance(effect, Show):
                kinds.append((type(effect), effect.name if isinstance(effect, JournalCall | PairingCall) else ""))
        return made

    rig.referee.step = noted
    for each, long in place.home:
        rig.press(each, ms=1000 if long else 100)
    for key in way:
        rig.press(key if isinstance(key, str) else COLOURS[key])
    return kinds, rig.box.picture().tobytes()


def into(given: list[Command]) -> Callable[..., Coroutine[Any, Any, None]]:
    """Execute commands by noting them."""

    async def note(command: Command, *_: object) -> None:
        given.append(command)

    return note


def test_safe_shutdown_in_the_menu_saves_and_says_so(rigs: Rigs) -> None:
    rig = playing(rigs)
    rig.menu("Safe shutdown")
    assert rig.shows("Safe to unplug", "All saved"), rig.screen


@pytest.mark.slow
def test_each_command_that_a_menu_offers_has_an_effect(rigs: Rigs) -> None:
    """The same presses lead elsewhere at a box that executes no command."""

    effective, tried = set[type](), dict[type, int]()
    for name, place in PLACES.items():
        with boxes(rigs.folder / name, place) as another:
            for way, command in place.ways(another().referee.panel):
                kind = type(command)
                if kind not in effective and tried.setdefault(kind, 0) < TRIED:
                    tried[kind] += 1
                    idle, given = another(), list[Command]()
                    idle.referee.commands.execute = into(given)
                    differ = effects(another(), place, way) != effects(idle, place, way)
                    assert [type(each) for each in given] == [kind], (name, way)
                    effective |= {kind} if differ else set()
    assert set(tried) - effective == set()
    assert set(get_args(Command)) - effective == set(ELSEWHERE), "no menu offers these"
