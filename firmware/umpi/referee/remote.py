"""Remote requests: what a phone asks of the referee, and the reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from umpi.timing.lines import COLOURS

How = Literal["done", "passed", "refused", "forbidden", "failed"]
Settling = Literal["toss again", "order by hand", "accept"]


@dataclass(frozen=True, slots=True)
class PlayAct:
    """Play this act, as a line of a record."""

    line: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Undo:
    """Undo the last `count` acts."""

    count: int


@dataclass(frozen=True, slots=True)
class Amend:
    """Replace the act at `index`; with `trying`, only list the acts that would be lost."""

    index: int
    line: Mapping[str, Any]
    trying: bool = False


@dataclass(frozen=True, slots=True)
class ResolveDoubt:
    """Settle a doubtful announcement."""

    how: Settling


@dataclass(frozen=True, slots=True)
class AddPhone:
    """Pair a phone: the hash of its secret, its owner ("referee", "red") and its name.

    When the referee takes the request, it asks the service to let the phone act. The code may have expired by then.
    """

    hash: str
    who: str
    name: str


@dataclass(frozen=True, slots=True)
class ForgetPhone:
    """Unpair a phone."""

    number: int


@dataclass(frozen=True, slots=True)
class Reply:
    """The result of a remote request.

    `text` is the reason if nothing was done. `lost` contains the acts that an Amend loses.
    """

    how: How
    text: str = ""
    lost: tuple[int, ...] = ()


What = PlayAct | Undo | Amend | ResolveDoubt | AddPhone | ForgetPhone


@dataclass(frozen=True, slots=True)
class RemoteRequest:
    """A request from a phone, with its stamp in monotonic nanoseconds of the referee's clock.

    `question` is the question that it answers, named as in `ViewState.question`. `button` is the button of the phone's
    owner, 0 to 5 from the left, None for the referee. The reply contains the `id`.
    """

    at_ns: int
    question: str
    what: What
    button: int | None
    id: int = 0

    @property
    def who(self) -> str:
        """Who acts, as written to the journal."""
        return phone_of(self.button)


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """The sender withdrew a request before the referee took it; it must have no effect."""

    id: int


def phone_of(button: int | None) -> str:
    """Return the name of a phone by its owner's button.

    >>> phone_of(0), phone_of(None)
    ('phone:Red', 'phone:referee')
    """
    return "phone:referee" if button is None else f"phone:{COLOURS[button].capitalize()}"
