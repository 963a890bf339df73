"""The effects that the referee asks for: plain values, which the service performs.

A request (`JournalCall`, `PairingCall`, `WriteReport`, `DrawSeed`) is answered by an `Answered` event. The referee
waits for it.
"""

from __future__ import annotations

import types
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, Literal

from PIL import Image

from umpi.kernel.calls import Sound
from umpi.referee.remote import Reply
from umpi.referee.view_state import ViewState

CallName = Literal[
    "append", "begin", "close_match", "hold", "keep_trace", "leave", "listed", "match", "note", "noted", "on_table",
    "pair", "release", "rename", "revoke", "row", "save", "settle", "speak", "take_up", "written",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class JournalCall:
    """Call the journal. Answer with its result, and with the number that `number` has from then on."""

    name: CallName
    values: tuple[Any, ...]
    number: int


Pairing = Literal["code", "void", "revoke", "enter", "page", "admit", "dismiss"]


@dataclass(frozen=True, slots=True)
class PairingCall:
    """Make a code for a button, invalidate it, unpair a phone, or let the phone of a request act.

    Or return the address of the page, let a phone that waits act, or forget one that waits (None for all).
    """

    name: Pairing
    value: Any = None


@dataclass(frozen=True, slots=True)
class WriteReport:
    """Write the recorded session to a file. Answer with its name, or with the fault."""


@dataclass(frozen=True, slots=True)
class DrawSeed:
    """Draw a whole number below 2^64 by chance. Answer with it; all that the box draws follows from such numbers."""


@dataclass(frozen=True, slots=True)
class PlaySound:
    """Play a sound."""

    sound: Sound


@dataclass(frozen=True, slots=True)
class SayAloud:
    """Speak a text in a language ("en"); it replaces what is being spoken."""

    text: str
    language: str


@dataclass(frozen=True, slots=True)
class Show:
    """Show the picture of a view, set the lamps, and publish the view to the phones.

    The picture is None if the panel failed.
    """

    picture: Image.Image | None
    view: ViewState


@dataclass(frozen=True, slots=True)
class TakeRequest:
    """A remote request is being executed; it can no longer be withdrawn."""

    id: int


@dataclass(frozen=True, slots=True)
class SendReply:
    """Reply to a remote request."""

    id: int
    reply: Reply


@dataclass(frozen=True, slots=True)
class FindReach:
    """Find out how phones reach the box; answer with a `Reach` event."""


@dataclass(frozen=True, slots=True)
class FindHint:
    """Find a hint to a question, from the lines of a record; answer with a `HintFound` event."""

    question: str
    record: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CountStatistics:
    """Count the statistics of a game, or of all games if None; answer with a `StatisticsCounted` event."""

    game: str | None


@dataclass(frozen=True, slots=True)
class TimePicture:
    """Report when the display shows the last picture; answer with a `PictureShown` event."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A part of the referee failed; the game continues."""

    text: str


Request = JournalCall | PairingCall | WriteReport | DrawSeed
Finding = FindReach | FindHint | CountStatistics | TimePicture  # answered by an event, while the game continues
Effect = Request | PlaySound | SayAloud | Show | TakeRequest | SendReply | Finding | Fault


class RequestFailed(Exception):
    """Raised in the referee if the service could not perform a request; the message is the fault."""


@types.coroutine
def perform(request: Request) -> Generator[Request, Any, Any]:
    """Ask the service to perform a request, and return its answer. Raises RequestFailed."""
    return (yield request)
