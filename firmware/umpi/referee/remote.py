"""Remote requests: what a phone asks of the referee, and the reply."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from umpi.box.config import COLOURS

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

    `enter` is called when the referee takes the request. It lets the phone act, or returns False if its code has
    expired.
    """

    hash: str
    who: str
    name: str
    enter: Callable[[], bool]


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


@dataclass(slots=True, eq=False)
class RemoteRequest:
    """A request from a phone, with its stamp in monotonic nanoseconds of the referee's clock.

    `question` is the question that it answers, named as in `MatchSession.question`. `button` is the button of the
    phone's owner, 0 to 5 from the left, None for the referee. `reply` is called once, on the referee's loop, when the
    result is shown. The sender may withdraw the request until the referee takes it. Both happen on the referee's loop.
    """

    at_ns: int
    question: str
    what: What
    button: int | None
    reply: Callable[[Reply], object]
    _taken: bool | None = None  # False if it was withdrawn

    def take(self) -> bool:
        """Take the request; return False if it was withdrawn and must have no effect."""
        if self._taken is None:
            self._taken = True
        return self._taken

    def withdraw(self) -> bool:
        """Withdraw the request; return False if the referee has already taken it."""
        if self._taken is None:
            self._taken = False
        return not self._taken

    @property
    def who(self) -> str:
        """Who acts, as written to the journal."""
        return phone_of(self.button)


def phone_of(button: int | None) -> str:
    """Return the name of a phone by its owner's button.

    >>> phone_of(0), phone_of(None)
    ('phone:Red', 'phone:referee')
    """
    return "phone:referee" if button is None else f"phone:{COLOURS[button].capitalize()}"


class Pairing(Protocol):
    """Codes and paired phones, as the referee uses them; times are monotonic nanoseconds."""

    @property
    def address(self) -> str:
        """The address of the phone page, "" if there is none."""
        ...

    def code(self, who: int | None, now_ns: int) -> tuple[str, int]:
        """Make a code to pair a phone of a button, None for the referee; return the code and its expiry."""
        ...

    def open(self, now_ns: int) -> bool:
        """Return whether the last code is still valid."""
        ...

    def void(self) -> None:
        """Invalidate the code."""
        ...

    def known(self) -> list[tuple[int, str]]:
        """List the paired phones, each with its number and its name."""
        ...

    def revoke(self, number: int) -> str:
        """Unpair a phone; return its key in the journal, "" if there is no such phone."""
        ...
