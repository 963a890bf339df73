"""The effects that the referee asks for: plain values, which the service performs.

A `Request` is answered by an `Answered` event. The referee waits for it.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Generator, Mapping
from dataclasses import field
from typing import Any, Generic, TypeVar, cast

from umpi.display.picture import Picture
from umpi.frozen import frozen
from umpi.kernel.calls import Sound
from umpi.referee.events import Answered
from umpi.referee.ports import JournalPort, PairingPort
from umpi.referee.remote import Reply
from umpi.referee.view_state import ViewState
from umpi.table.card import CardTask, ChosenNetwork, MenuTask
from umpi.table.shelf_work import ShelfTask

Port = TypeVar("Port")
T = TypeVar("T")


class Returning(Generic[T]):
    """A request, with the type of the value that answers it."""


@frozen
class PortCall(Returning[T], Generic[Port, T]):
    """A call of a method of a port. mypy has checked the values where the call was made.

    It is a plain value, so that the recorder can note it, and so that the service can perform it on another thread.
    """

    method: Callable[..., T]
    values: tuple[Any, ...] = ()
    named: Mapping[str, Any] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the method."""
        return self.method.__name__

    def on(self, port: Port) -> T:
        """Call the method that a port has under the name, and return its result."""
        method: Callable[..., T] = getattr(port, self.name)
        return method(*self.values, **self.named)


@frozen
class JournalCall(PortCall[JournalPort, T]):
    """A call of the journal. The answer also says what is on disk."""


@frozen
class PairingCall(PortCall[PairingPort, T]):
    """A call about the codes that pair phones, and about the phones that may act."""


@frozen
class LetPhoneIn(Returning[bool]):
    """Let the phone of a remote request act. Answer with False if its code is no longer valid."""

    request: int


@frozen
class DrawSeed(Returning[int]):
    """Draw a whole number below 2^64 by chance. Answer with it; all that the box draws follows from such numbers."""


@frozen
class PlaySound:
    """Play a sound."""

    sound: Sound


@frozen
class SayAloud:
    """Speak a text in a language ("en"); it replaces what is being spoken."""

    text: str
    language: str


@frozen
class Show:
    """Show the picture of a view, set the lamps, and publish the view to the phones.

    The picture is None if the panel failed.
    """

    picture: Picture | None
    view: ViewState


@frozen
class TakeRequest:
    """A remote request is being executed; it can no longer be withdrawn."""

    id: int


@frozen
class SendReply:
    """Reply to a remote request."""

    id: int
    reply: Reply


@frozen
class FindReach:
    """Find out how phones reach the box; answer with a `Reach` event."""


@frozen
class FindHint:
    """Find a hint to a question, from the lines of a record; answer with a `HintFound` event.

    If its header says that the box plays the seat, find what the box decides at its level.
    """

    question: str
    record: tuple[str, ...]


@frozen
class CountStatistics:
    """Count the statistics of a game, or of all games if None; answer with a `StatisticsCounted` event."""

    game: str | None


@frozen
class FindReview:
    """Review a match, from the lines of its record; answer with a `ReviewFound` event."""

    record: tuple[str, ...]


@frozen
class FindPuzzle:
    """Find the puzzle that is due; answer with a `PuzzleFound` event."""


@frozen
class JudgePuzzle:
    """Judge the choice in a puzzle, and note when it comes again; answer with a `PuzzleJudged` event."""

    match: str
    move: int
    choice: int


@frozen
class WriteReport:
    """Write the recorded session to a file; answer with a `ReportWritten` event."""


@frozen
class BeginCardTask:
    """Begin a task of the card in place of the one before; answer with `CardNews` events.

    `given` is the network to join, or the name of the box.
    """

    task: CardTask | MenuTask
    given: ChosenNetwork | str = ""


@frozen
class AgreeToTask:
    """Tell the task of the card that somebody agrees to what it asks."""


@frozen
class BeginShelfTask:
    """Begin a task of the shelves; answer with `ShelfNews` events."""

    task: ShelfTask
    shelf: str
    game: str


@frozen
class TimePicture:
    """Report when the display shows the last picture; answer with a `PictureShown` event."""


@frozen
class Fault:
    """A part of the referee failed; the game continues."""

    text: str


Request = JournalCall[Any] | PairingCall[Any] | LetPhoneIn | DrawSeed
# answered while the game continues
Finding = (
    FindReach | FindHint | CountStatistics | FindReview | FindPuzzle | JudgePuzzle | WriteReport | BeginCardTask
    | AgreeToTask | BeginShelfTask | TimePicture
)  # fmt: skip
Effect = Request | PlaySound | SayAloud | Show | TakeRequest | SendReply | Finding | Fault


class RequestFailed(Exception):
    """Raised in the referee if the service could not perform a request; the message is the fault."""


@types.coroutine
def answered(request: Returning[Any]) -> Generator[Returning[Any], Answered, Answered]:
    """Ask the service to perform a request, and return the event that answers it."""
    return (yield request)


def value_of(request: Returning[T], answer: Answered) -> T:
    """Return the value that answers a request. Raises RequestFailed."""
    if answer.fault:
        raise RequestFailed(answer.fault)
    return cast(T, answer.value)


async def perform(request: Returning[T]) -> T:
    """Ask the service to perform a request, and return its value. Raises RequestFailed."""
    return value_of(request, await answered(request))
