"""What a phone asks of the referee, and what it is answered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from umpi.box.config import COLOURS

How = Literal["done", "passed", "refused", "forbidden", "failed"]
Settling = Literal["toss again", "order by hand", "accept"]


@dataclass(frozen=True, slots=True)
class PlayAct:
    """Play this act, as a record's line has it."""

    line: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Undo:
    """Take the last `count` acts back."""

    count: int


@dataclass(frozen=True, slots=True)
class Amend:
    """Put another act in the place of the one at `index`; `trying` only tells what would be lost by it."""

    index: int
    line: Mapping[str, Any]
    trying: bool = False


@dataclass(frozen=True, slots=True)
class ResolveDoubt:
    """Settle a doubtful announcement."""

    how: Settling


@dataclass(frozen=True, slots=True)
class AddPhone:
    """Know a phone from here on: the hash of its secret, whose it is ("referee", "red"), and what it is called.

    `enter` is called when the referee takes it: it lets the phone act, or returns False if its code pairs no longer.
    """

    hash: str
    who: str
    name: str
    enter: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class ForgetPhone:
    """Know a phone no more."""

    number: int


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of a tap: `text` says why where nothing did, `lost` are the acts an amend did or would cost."""

    how: How
    text: str = ""
    lost: tuple[int, ...] = ()


What = PlayAct | Undo | Amend | ResolveDoubt | AddPhone | ForgetPhone


@dataclass(slots=True, eq=False)
class RemoteRequest:
    """What a phone was tapped for, and when: monotonic nanoseconds of the referee's clock.

    `question` is the one it was meant for, as `Sitting.question` had named it. `button` is whose phone it is, 0 to 5
    from the left, None for the referee's. `reply` is called once, on the referee's loop, when it shows what came of it.
    Until the referee takes it, whoever waits for the reply may withdraw it; both happen on the referee's loop.
    """

    at_ns: int
    question: str
    what: What
    button: int | None
    reply: Callable[[Reply], object]
    _taken: bool | None = None  # False once it was withdrawn

    def take(self) -> bool:
        """Take it up; returns False if it was withdrawn, and must have no effect."""
        if self._taken is None:
            self._taken = True
        return self._taken

    def withdraw(self) -> bool:
        """Withdraw it; returns False if the referee has taken it already, so that it has its effect."""
        if self._taken is None:
            self._taken = False
        return not self._taken

    @property
    def who(self) -> str:
        """Who acts, as the journal writes it down."""
        return phone_of(self.button)


def phone_of(button: int | None) -> str:
    """Name whose phone it is.

    >>> phone_of(0), phone_of(None)
    ('phone:Red', 'phone:referee')
    """
    return "phone:referee" if button is None else f"phone:{COLOURS[button].capitalize()}"


class Pairing(Protocol):
    """Who may act from a phone, as the referee's side of it sees it; times are monotonic nanoseconds."""

    @property
    def address(self) -> str:
        """Where phones find the page, "" where they cannot."""
        ...

    def code(self, who: int | None, now_ns: int) -> tuple[str, int]:
        """Make the code to pair a phone of a button, None: the referee's; returns it and until when it holds."""
        ...

    def open(self, now_ns: int) -> bool:
        """Tell whether the code made last can still be used."""
        ...

    def void(self) -> None:
        """Let the code hold no more."""
        ...

    def known(self) -> list[tuple[int, str]]:
        """List the phones that may act, each with its number and what it is called."""
        ...

    def revoke(self, number: int) -> str:
        """Let a phone act no more; returns what the journal knows it by, "" where there is none."""
        ...
