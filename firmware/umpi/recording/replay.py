"""Replay of a session: the events of a file through the referee, and where it no longer does what the box did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from umpi.frozen import frozen
from umpi.kernel.game import Game
from umpi.kernel.record import Find, dump
from umpi.recording.session_file import SessionFault, read_lines
from umpi.recording.typed import misfit
from umpi.recording.values import Unknown, digest, dumped, picture_hash, plain, read_value
from umpi.referee.effects import (
    AgreeToTask,
    BeginCardTask,
    BeginShelfTask,
    CountStatistics,
    Effect,
    Fault,
    FindHint,
    FindPuzzle,
    FindReach,
    FindReview,
    JournalCall,
    JudgePuzzle,
    PairingCall,
    PlaySound,
    SendReply,
    Show,
    WriteReport,
)
from umpi.referee.events import Event, Tick
from umpi.referee.ports import JournalPort
from umpi.referee.referee import Referee
from umpi.referee.setup import BoxSetup
from umpi.rulebook.shelf import Shelf
from umpi.timing.edge import Edge
from umpi.timing.lines import COLOURS

# What the referee may raise if a session from another Umpi, or with other names, does not fit
FAULTS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)


@frozen
class Step:
    """One event of a session, with the effects that it leads to here. `line` is its number in the file."""

    number: int
    line: int
    event: Event
    effects: Sequence[Effect]


class Replay:
    """Read a session file, and step the referee through it.

    `header` is the first line; `aside` are the lines for people: settings, messages, the match in play. Iterate over it
    for the steps. Raises SessionFault where the file ends too early, was changed, or leads to something else here.
    """

    def __init__(self, lines: Iterable[bytes], games: Sequence[type[Game]], find: Find) -> None:
        self._lines, self._games, self._find = read_lines(lines), games, find
        self._rules = Shelf(games)
        _, self.header = next(self._lines)
        self.aside: list[dict[str, Any]] = []
        self._core: Referee | None = None

    def __iter__(self) -> Iterator[Step]:
        """Step through the session."""
        if self.header.get("dropped"):
            raise SessionFault(2, f"the box had no memory for the first events: {self.header['dropped']}")
        number = 0
        for line, content in self._lines:
            if "event" in content:
                number += 1
                yield self._step(number, line, content)
            elif "box" in content:
                self._core = self._switched_on(line, content["box"])
            else:
                self.aside.append(content)

    def differences(self) -> list[str]:
        """List the games whose rules differ from those of the box."""
        now = {game.id: game.revision for game in self._games}
        then = self.header.get("games", {})
        return [
            f"{game}: revision {then.get(game, 'none')} then, {now.get(game, 'none')} now"
            for game in sorted({*then, *now})
            if then.get(game) != now.get(game)
        ]

    def _switched_on(self, line: int, box: Any) -> Referee:
        setup = _read(line, box, BoxSetup)
        try:
            return Referee(setup, self._games, self._find, self._rules)
        except FAULTS as fault:
            raise SessionFault(line, f"the box does not fit: {type(fault).__name__}: {fault}") from fault

    def _step(self, number: int, line: int, content: dict[str, Any]) -> Step:
        if self._core is None:
            raise SessionFault(line, "an event comes before the box is switched on")
        event = _read(line, content["event"], Event)
        try:
            effects = self._core.step(event)
        except FAULTS as fault:
            raise SessionFault(line, f"the event does not fit: {type(fault).__name__}: {fault}") from fault
        step = Step(number, line, event, effects)
        if (digest(effects) if effects else "") != content.get("out", ""):
            raise Diverged(step, "\n".join([*self.differences(), *described(effects)]) or "nothing")
        return step


class Diverged(SessionFault):
    """Report a step that leads to something else here than at the box."""

    def __init__(self, step: Step, does: str) -> None:
        super().__init__(step.line, f"event {step.number} leads to something else than at the box. Here:\n{does}")
        self.step = step


def described(effects: Sequence[Effect]) -> list[str]:
    """Describe effects, one line each."""
    return [line for effect in effects for line in _effect(effect)]


def _effect(effect: Effect) -> list[str]:
    match effect:
        case Show(picture, view):
            dots = "private" if view.screen.private else picture_hash(picture) if picture else "none"
            lamps = [COLOURS[seat] for seat in view.lit] + [f"{COLOURS[seat]}*" for seat in view.blinking]
            return [" ".join(["picture", dots, view.look.light, *lamps])]
        case JournalCall(JournalPort.append, (match, lines, who, *_)):
            return [f"line {match[:8]} {who} {dump(line)}" for line in lines]
        case JournalCall() | PairingCall():
            values = "".join(f" {dumped(plain(value))}" for value in (*effect.values, *effect.named.values()))
            return [f"{'journal' if isinstance(effect, JournalCall) else 'pairing'} {effect.name}{values}"]
        case PlaySound(sound):
            return [f"sound {sound}"]
        case SendReply(id, reply):
            return [f"reply {id} {reply.how} {reply.text}".rstrip()]
        case Fault(text):
            return [f"fault {text}"]
        case FindHint(question):
            return [f"find a hint to {question}"]
        case FindReach():
            return ["find the network"]
        case CountStatistics(game):
            return [f"count the statistics of {game or 'all games'}"]
        case FindReview():
            return ["review the match"]
        case FindPuzzle():
            return ["find a puzzle"]
        case JudgePuzzle():
            return ["judge the answer to the puzzle"]
        case WriteReport():
            return ["write a report"]
        case BeginCardTask(task, _):
            return [f"card: {task}"]
        case AgreeToTask():
            return ["card: agree"]
        case BeginShelfTask(task, shelf, game):
            return [" ".join(["shelf:", *filter(None, [task, shelf, game])])]
        case _:
            parts = [str(value) for key, value in plain(effect).items() if key != "#"]
            return [" ".join([type(effect).__name__, *parts])]


def event_text(event: Event) -> str:
    """Describe an event in one line."""
    if isinstance(event, Edge):
        return f"{event.line} {'down' if event.active else 'up'}"
    if isinstance(event, Tick):
        return ""
    given = {key: value for key, value in plain(event).items() if key not in ("#", "at_ns")}
    return f"{type(event).__name__} {dumped(given) if given else ''}".rstrip()


def _read(line: int, value: Any, hint: Any) -> Any:
    """Return a value of a type. Raises SessionFault if it is none."""
    try:
        found = read_value(value)
    except (Unknown, RecursionError) as fault:
        raise SessionFault(line, str(fault)) from None
    if why := misfit(found, hint):
        raise SessionFault(line, f"{type(found).__name__}: {why}")
    return found
