"""Walks over the panel: presses at random, and after each the question, the answers and the dots, as somebody has seen.

tests/display/walks has the walks of each game: each press with what the key says and what the referee gets, the
question if it is another one, and a print of the dots with what the voice says.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.foreign.quiet_high.quiet_high import QuietHigh
from tests.kit.menus_told import described
from tests.kit.seen import check_seen
from umpi.display.lesson import LearningPanel
from umpi.display.modes import spoken, spoken_key
from umpi.display.panel import Keep, Key, Panel
from umpi.display.screens import Place
from umpi.kernel import Act, Match, Refused
from umpi.kernel.calls import Call
from umpi.kernel.random_games import sample
from umpi.kernel.registry import find, games
from umpi.rulebook.shelf import Shelf
from umpi.table.card import CardWork, FoundNetwork
from umpi.table.commands import (
    Admit,
    CloseJoin,
    Correct,
    Do,
    End,
    EndCheck,
    GoBack,
    InvalidateCode,
    Leave,
    Limit,
    NameBox,
    Pause,
    PutBack,
    Rename,
    Resume,
    Settle,
    Speak,
    Start,
    TakeBack,
    TurnAway,
    Where,
)
from umpi.table.device_check import DeviceCheck
from umpi.table.empty_seat import BoxTurn
from umpi.table.hint import Hint
from umpi.table.house import House
from umpi.table.joining import Claim, Joining
from umpi.table.names import PlayerNames
from umpi.table.puzzle import Puzzle
from umpi.table.seating import Seating
from umpi.table.state import ResumableMatch, Table, TableState
from umpi.timing.race import Race

WALKS = Path(__file__).with_name("walks")
GAMES = ("quiet-high", "battledodes", "dodeka", "dodekka", "dohdles", "dudab-buba", "quiz", "scorepad")
PRESSES = 60
BEGINS = {"setup": None, "begin": 0, "middle": 25, "end": 4000}  # acts that have been played before the first press
BEGINS["box"] = 6  # here the box plays seats, and rarer things happen
BY_HAND = {"dodeka": ("dice",), "dodekka": ("card", "cards"), "battledodes": ("face", "faces")}
NAMES = ("Katy", "Kévin", "Christelle", "Maximilian", "Zsófia", "Bartholomew")
KEYS: tuple[Key, ...] = (0, 1, 2, 3, 4, 5, "ok", "ok", "back", "back", "back", "down", "down", "up")
PAGE = "http://192.168.4.1:8000/"
FAR = f"http://{'a-box-with-a-long-name.' * 3}local:8000/"
CODES = ("fire-2", "shaman-red", "dudab", "nothing", "blue-hand-1")


class Walker:
    """Presses the keys of a panel at random, and does what the referee would do, as far as a panel can see it."""

    def __init__(self, game: str, begins: str) -> None:
        self.chance, self.game = Random(f"walk {game} {begins}"), QuietHigh if game == "quiet-high" else find(game)
        self.rare = begins == "box" or game == "quiet-high"
        seats = min(self.game.seats[-1], 4)
        past = (ResumableMatch(1, self.game, NAMES[:2], True), ResumableMatch(7, find("quiz"), NAMES[2:4], False))
        names = PlayerNames(known=NAMES)
        card = CardWork() if game in ("dodeka", "quiz") else None
        house = House(card=begins == "setup", sets={"short": {"game": "dodeka", "parts": 1}})
        self.state = TableState(
            phones=((1, "Ann's phone"), (2, "Ben's tablet")), rules=Shelf(games()), names=names, card=card, house=house,
            hint=Hint() if game == "dodekka" else None, race=Race(0, ()) if game in ("quiz", "dohdles") else None,
        )  # fmt: skip
        self.table = Table(self.state)
        self.panel: Panel = LearningPanel(list(games()), self.table, lambda: 0.6)
        self.seating = Seating(self.game, NAMES[:seats], tuple(range(6 - seats, 6)))
        self.past, self.match = past, None
        self.panel.welcome(None, None, past)
        if (acts := BEGINS[begins]) is not None:
            self.begin(self.seating)
            self.play(acts)
            self.show()

    def begin(self, table: Seating) -> None:
        """Begin a match at a table."""
        self.seating, self.match = table, Match(table.game, table.players, table.options)
        self.show()

    def play(self, acts: int) -> None:
        """Play a game at random, at most until two acts before its end; where hands count, a dealer knows them."""
        assert self.match
        dealer: Any = self.game.dealer(self.chance.random, self.match.now) if self.game.dealer else None
        for _ in range(acts):
            if not self.match.asks:
                self.match.undo(2)
                break
            self.match.play(dealer.act(self.match.now) if dealer else sample(self.match.asks, self.chance.random))

    def show(self, cube: bool = False) -> None:
        """Show the match, sometimes with what the funnel has seen. Before, the box deals what it deals at once."""
        assert self.match
        while self.match.asks and self.match.asks[0].after_ms == 0:
            self.match.play(sample(self.match.asks, self.chance.random))
        self.table.become(replace(self.state, match=self.match))
        places = [Place(name, seat, 1300 + 99_000 * seat, seat == 1) for seat, name in enumerate(self.match.players)]
        seen: Any = self.chance.choice(["", "", "", "3 of 5", (*places[::-1], Place("cube", None))])
        self.panel.show(self.match, self.seating, seen, cube)
        if self.rare and self.chance.random() < 0.7:
            self.turn()

    def turn(self) -> None:
        """Let the question be one to a seat of the box, which thinks, has decided, or cannot."""
        assert self.match
        asks = [ask for ask in self.match.asks if ask.seat is not None and self.game.id in BY_HAND]
        if not asks:
            return
        act = sample(asks, self.chance.random)
        own = {name: value for name, value in act.given.items() if name not in BY_HAND[self.game.id]}
        decided = self.chance.choice((None, *[Act(act.verb, own)] * 3))
        turn = BoxTurn("1", asks[0].seat or 0, decided, self.chance.random() < 0.15)
        self.table.become(replace(self.table.state, box_turn=turn))
        self.panel.show(self.match, self.seating)

    def do(self, command: object) -> None:
        """Do a command as the referee does, or leave it."""
        match command:
            case Start(table):
                self.begin(table)
            case Do(acts) if self.match:
                try:
                    for act in acts:
                        self.match.play(act)
                except Refused as refusal:
                    self.panel.refuse(refusal.reason)
                    return
                self.show()
            case TakeBack(count) if self.match:
                self.match.undo(min(count or 1, len(self.match.acts)))
                self.show()
            case Correct(index, act) if self.match:
                self.match, _ = self.match.amended(index, act)
                self.show()
            case Pause():
                self.state = replace(self.state, paused=True, clock="1:23")
                self.show()
            case Limit() | Speak() | NameBox():
                self.state = replace(self.state, clock="0:42", unsaved="The card is full.")
                self.panel.tell("Note", f"{type(command).__name__} has been done.")
            case Resume():
                self.state = replace(self.state, paused=False, device_errors={"scanner": "It does not answer."})
                self.show()
            case Rename(seat, name) if self.match:
                self.seating = replace(self.seating, players=tuple(
                    name if each == seat else other for each, other in enumerate(self.seating.players)))  # fmt: skip
            case Where():
                self.panel.reach("umpi", "ring-toss-four", "http://192.168.4.1:8000/")
            case InvalidateCode() | CloseJoin() | EndCheck() | Settle() | Admit() | TurnAway():
                self.happen(code=None, joining=None, check=None, doubt="", heat=())
            case GoBack(index) if self.match:
                later = tuple(self.match.acts[index:])
                self.match.undo(len(later))
                self.state = replace(self.state, later=later)
                self.show()
            case PutBack() if self.match:
                self.match.followed(self.state.later)
                self.state = replace(self.state, later=())
                self.show()
            case End() | Leave():
                self.match = None
                self.panel.welcome(None, self.seating, self.past)
            case _:
                pass

    def happen(self, **changes: Any) -> None:
        """Let something happen to the table; a doubt is asked about, or the question again."""
        self.state = replace(self.state, **changes)
        self.table.become(replace(self.state, match=self.match))
        if self.match and "doubt" in changes:
            self.panel.ask_about_doubt()

    def event(self) -> str:
        """Let one of the things happen that come from elsewhere than the keys."""
        claims = [Claim(f"{at}", (0, 0, 3)[at], NAMES[at], "Android", "", at == 2, 10 + at) for at in range(3)]
        usual = ("code", "joining", "check", "doubt", "call", "reach", "where", "asked", "note")
        rare = ("menu", "menu", "menu", "far", "trouble", "long", "sealed", "ignored", "code of far")
        what = self.chance.choice(rare if self.rare else usual)
        match what:
            case "menu":  # one of its pages
                self.panel.press("back", long=True)
                for _ in range(self.chance.randrange(6)):
                    self.panel.press("down")
            case "far":  # the address is too long for a QR code
                self.happen(joining=Joining(FAR, tuple(claims)), code=None)
            case "trouble":
                self.panel.reach("", "", "", self.chance.choice(("", "The network has gone.")))
                self.panel.reach("umpi-3f2a", "", PAGE)
            case "long":
                self.panel.tell("Note", "A long note. " * self.chance.choice((3, 30)))
                self.happen(phones=((3, "Cy's phone"),), next=self.seating if self.chance.random() < 0.5 else None)
            case "sealed":
                self.happen(sealed=frozenset({0}), again=frozenset({0}))
            case "ignored":
                self.happen(ignored=not self.state.ignored, unsaved="")
            case "code of far":
                self.happen(code=("027182", FAR, "Referee", 7))
            case "code":
                self.happen(code=("314159", PAGE, "Red", 120))
            case "joining":
                self.happen(joining=Joining(PAGE, tuple(claims[: self.chance.randrange(4)])))
            case "check":
                self.happen(check=DeviceCheck(("lane_1", "lane_2"), frozenset({"lane_2"}), 12, 15))
            case "doubt" if self.match:
                self.happen(doubt="Too close to call.\nKaty and Kévin: 0.8 ms.", heat=(0, 1))
            case "call" if self.match:
                self.panel.calls.say((Call("one", "Last round!", {"seat": 1}), Call("two", "Time is up.", {})))
                self.panel.calls.tick(0, self.panel.covered)
            case "reach":
                secret = self.chance.choice(("", "ring-toss-four"))
                self.panel.reach("umpi-3f2a", secret, PAGE)
                self.panel.hello("umpi-3f2a", secret, PAGE)
            case "where":
                self.panel.tell_where()
            case "asked":
                self.panel.tell("Puzzle", "Searching.")
                puzzle = Puzzle("uid", 3, "Dodéka: Ann", "4 4 7, second roll", ("roll 4 4", "stop"))
                asked = self.panel.ask_puzzle("Puzzle", "Searching.", puzzle)
                found = not asked or self.panel.ask_network("Puzzle", "x", (), "")
                return f"{what} {asked} {found} {self.panel.follow_up('Puzzle', 'Searching.', 'Nothing.')}"
            case _:
                self.panel.tell("Wi-Fi", "Searching.")
                self.panel.note("2 of 3")
                networks = (FoundNetwork("Café"), FoundNetwork("Open", open=True))
                return f"{what} {self.panel.ask_network('Wi-Fi', 'Searching.', networks, '')}"
        return what

    def step(self) -> str:
        """Press a key, scan a card, or play an act as from a phone; return what was done."""
        way = self.chance.random()
        if self.match and way < 0.1 and self.match.asks and not self.game.dealer:  # who knows the hands?
            before, act = self.match.asks, sample(self.match.asks, self.chance.random)
            self.match.play(act)
            keep: Keep = "entry" if self.match.asks == before else "menu"
            self.panel.renew(self.match, self.seating, keep=keep)
            return f"a phone: {act.line()}, keep {keep}"
        if way > (0.82 if self.rare else 0.94):
            return f"event: {self.event()}"
        if way < 0.13:
            code = f"umpi:{self.game.id}:{self.chance.choice(CODES)}"
            found = self.panel.scan(code)
            self.do(found)
            return f"scan {code} -> {found}"
        menu, page = self.panel.question
        keys = [menu.key(page * 6 + at) for at, choice in enumerate(menu.page(page)) if not choice.off]
        key = self.chance.choice(keys) if keys and way < 0.7 else self.chance.choice(KEYS)
        long = self.chance.random() < (0.5 if key == "back" else 0.08)
        heard = spoken_key(self.panel.screen(), key) if isinstance(key, int) else ""
        command = self.panel.press(key, long)
        self.do(command)
        return f"{key}{' long' * long}{f' ({heard})' if heard else ''}{f' -> {told(command)}' if command else ''}"

    def walk(self) -> Iterator[str]:
        """Yield what each press does, the question after it if it is another one, and what the voice says."""
        was = ""
        for _ in range(PRESSES):
            done = self.step()
            picture = sha256(self.panel.picture().tobytes()).hexdigest()[:8]
            notice = " ~ ".join(spoken(self.panel.screen()))
            question = described(*self.panel.question)
            yield from (
                done,
                *([f"  {question}"] if question != was else []),
                f"  {picture} {self.state_of()} {notice}",
            )
            was = question

    def state_of(self) -> str:
        """What the panel says of itself, by first letters, and the keys by which a press would say right or buzz."""
        panel = self.panel
        said = {
            "answering": panel.answering, "noticing": panel.noticing, "entering": panel.entering,
            "covered": panel.covered, "fault": panel.fault,
        }  # fmt: skip
        keys: tuple[Key, ...] = (*range(6), "ok", "down", "up", "back")
        right = "".join(f"{key}" for key in keys if panel.awards(key))
        own = "".join(f"{key}" for key in keys if panel.owns(key))
        return (
            "".join(name[0] for name, yes in said.items() if yes)
            + f"+{right}" * bool(right)
            + f"={own}" * bool(own)
            + "."
        )


def told(command: object) -> str:
    """A command in one line, without what has no name."""
    if isinstance(command, Start):
        table = command.table
        return (
            f"Start {table.game.id} {table.players} {table.buttons} {dict(table.options)} {table.levels} {table.rules}"
        )
    if isinstance(command, Do):
        return f"Do {[act.line() for act in command.acts]}"
    if isinstance(command, Correct):
        return f"Correct {command.index} {command.act.line()}"
    return type(command).__name__ + str(getattr(command, "seat", "")) + str(getattr(command, "count", ""))


@pytest.mark.parametrize("begins", BEGINS)
@pytest.mark.parametrize("game", GAMES)
def test_a_walk_shows_what_somebody_has_seen(game: str, begins: str) -> None:
    """After a change on purpose: UMPI_APPROVE=1 writes the files; read what is different."""
    check_seen(WALKS / f"{game}-{begins}.txt", Walker(game, begins).walk())
