"""A guest who reads nothing: hammers on the buttons of a box, tosses cubes, and never presses Back.

What the guest does follows from its seed alone. Each kind of press comes once before any kind comes again, so that a
guest without luck still tries everything.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from PIL import Image

from tests.kit.rig import MS, Rig
from umpi.box.config import COLOURS
from umpi.display.menu import NOTHING
from umpi.display.screen import Screen
from umpi.kernel.game import Act
from umpi.simulator.chute import HOWS
from umpi.simulator.reading import drawn, reads

MOST = 30  # tries without progress
SEEN_MS = 200  # nobody reacts sooner to what appears on a screen
BURST_MS = (60, 120, 250, 500)  # from one press to the next of a guest who hammers
PAUSE_MS = (150, 400, 1500)
HELD_MS = 1000
BURSTS = (1, 1, 1, 2, 5)  # presses of one button, one after the other
RACES = "quiz", "dohdles"
TOSSES = "toss", "jiggle"
JUDGED = "right"  # what the screen reads while somebody judges an answer, in English


class Fault(AssertionError):
    """What no guest may find."""


@dataclass(frozen=True)
class Press:
    """A press, what was on the screen before, and for how long its question had been there."""

    button: str
    picture: Image.Image
    shown_ms: int


@dataclass(frozen=True)
class OnTable:
    """What is played: the match, its acts, its scores, and whether it is over."""

    uid: str
    game: str
    acts: tuple[Act, ...]
    scores: tuple[int, ...]
    over: bool


@dataclass
class Guest:
    """A guest at a box; `play` lets it press. Raises Fault."""

    rig: Rig
    seed: int
    presses: int = 0
    steps: int = 0  # how often something was on the screen that was not there since the last move
    idle: int = 0  # tries since the last progress: a try is a press, or one button hammered up to five times
    closed: int = 0  # of them those that only closed what covered the question
    longest: int = 0
    matches: Counter[str] = field(default_factory=Counter)
    acts: Counter[str] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self._chance = Random(self.seed)
        self._bag: list[str] = []
        self._known: set[object] = set()
        self._trail: list[str] = []
        self._presses: list[Press] = []
        self._at = self._on_table()
        self._most: dict[str, int] = {}  # the most acts of each match so far
        self._shown, self._since_ns = self._asked, self.rig.now_ns
        self._inputs = [*COLOURS, "ok", "ok", "ok long", "up", "down"]
        if self.rig.box.box.funnel:
            self._inputs += ["toss", "toss", "jiggle"]

    def play(self, presses: int) -> None:
        """Press so often, hammering or not, and toss cubes in between. Raises Fault."""
        until = self.presses + presses
        while self.presses < until:
            what, gap_ms = self._drawn(), self._chance.choice(BURST_MS)
            answers = not self.rig.referee.panel.covered
            counts = self._racing or what not in TOSSES  # a cube answers no question of another game
            for _ in range(self._chance.choice(BURSTS) if what in (*COLOURS, "ok") else 1):
                self._do(what, gap_ms)
            self._wait(self._chance.choice(PAUSE_MS))
            if counts:
                self._count(answers)

    def _drawn(self) -> str:
        """Draw the next kind of press; the bag is filled again when it is empty."""
        if not self._bag:
            self._bag = self._chance.sample(self._inputs, len(self._inputs))
        return self._bag.pop()

    def _do(self, what: str, gap_ms: int) -> None:
        self._trail.append(what)
        self.presses += 1
        if what == "toss":
            cubes = self._chance.sample(COLOURS[: len(COLOURS)], self._chance.choice((1, 1, 2, 3)))
            self.rig.box.toss(cubes, self._chance.choice(HOWS))
            self._wait(HELD_MS)
        elif what == "jiggle":
            self.rig.box.jiggle()
            self._wait(gap_ms)
        else:
            button, _, long = what.partition(" ")
            self._press(button, HELD_MS if long else gap_ms // 2, gap_ms // 2)
        self._look()

    def _press(self, button: str, held_ms: int, then_ms: int) -> None:
        """Press a button; seats count as it goes down, the others as it is let go."""
        if button in COLOURS:
            self._note(button)
        self.rig.box.hold(button, True)
        self._wait(held_ms)
        if button not in COLOURS:
            self._note(button)
        self.rig.box.hold(button, False)
        self._wait(then_ms)

    def _note(self, button: str) -> None:
        if self._racing:
            shown_ms = (self.rig.now_ns - self._since_ns) // MS
            self._presses.append(Press(button, self.rig.box.picture(), shown_ms))

    def _wait(self, ms: int) -> None:
        """Let time pass, and note since when the screen shows what it shows."""
        steps = 5 if self._racing else 1
        for _ in range(steps):
            self.rig.wait_ms(ms // steps)
            asked = self._asked
            if asked != self._shown:
                self._shown, self._since_ns = asked, self.rig.now_ns

    def _look(self) -> None:
        """Look at what the press has done. Raises Fault."""
        if self.rig.referee.panel.fault:
            raise Fault(self._report("the panel failed"))
        before, now = self._at, self._on_table()
        self._at = now
        if now and before and (now.uid, now.acts) == (before.uid, before.acts) and now.scores != before.scores:
            raise Fault(self._report(f"points that nobody entered: {before.scores} became {now.scores}"))
        if now and before and now.uid == before.uid and len(now.acts) > len(before.acts):
            self._judge(now, now.acts[len(before.acts) :])
            self.ends[now.game] += now.over
        if now and (not before or now.uid != before.uid):
            self.matches[now.game] += 1
        if now and len(now.acts) > self._most.get(now.uid, -1):
            self.acts[now.game] += len(now.acts) - self._most.get(now.uid, 0)
            self._most[now.uid] = len(now.acts)
            self._known.clear()
            self.idle = self.closed = -1
        if now != before:
            self._presses.clear()
        met = situation(self.rig.referee.panel.screen())
        if met not in self._known:
            self._known.add(met)
            self.steps += 1
            self.idle = self.closed = -1

    def _count(self, answers: bool) -> None:
        """Count a try that could answer a question, or one that only closed a notice. Raises Fault at too many."""
        self.idle += answers
        self.closed += not answers
        self.longest = max(self.longest, self.idle)
        if self.idle > MOST or self.closed > MOST:
            raise Fault(self._report(f"{self.idle} tries without progress, and {self.closed} that closed a notice"))

    def _judge(self, now: OnTable, acts: Sequence[Act]) -> None:
        """Check that nobody scored in a race without a press of the judge on a question that could be seen."""
        for act in acts:
            if act.given.get(JUDGED) is True and not any(map(judges, self._presses)):
                raise Fault(self._report(f"nobody judged {act.line()} of {now.game}"))

    def _on_table(self) -> OnTable | None:
        record = self.rig.referee.session.record
        if not record or not self.rig.referee.panel.screen().match:
            return None
        match = record.match
        uid, scores = self.rig.referee.session.uid, tuple(match.now.scores())
        return OnTable(uid, match.game.id, tuple(match.acts), scores, match.result is not None)

    @property
    def _asked(self) -> object:
        """The question, and what is over it."""
        screen = self.rig.referee.panel.screen()
        return screen.menu.title, screen.notice, screen.call, screen.large, screen.state.paused, screen.state.joining

    @property
    def _racing(self) -> bool:
        return self._at is not None and self._at.game in RACES

    def _report(self, what: str) -> str:
        return f"seed {self.seed}: {what} after {' '.join(self._trail[-60:])}\n{drawn(self.rig.box.picture())}"


def judges(press: Press) -> bool:
    """Return whether a press can be that of a judge: the screen asked long enough whether an answer is right."""
    return press.shown_ms >= SEEN_MS and reads(press.picture, JUDGED)


def situation(screen: Screen) -> object:
    """Return what is asked and what has been answered: no notice, call, page or large number makes it another.

    A circle between two screens comes to nothing new, nor do pages that are turned.
    """
    menu, state = screen.menu, screen.state
    choices = tuple((choice.label, choice.off, choice.marked) for choice in menu.choices)
    paused = state.paused, state.joining is not None, state.check is not None, state.doubt
    return menu.title, menu.note, menu.text, menu.wheel, menu.ok is NOTHING, choices, paused, screen.lesson
