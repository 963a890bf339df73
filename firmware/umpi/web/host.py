"""What the web server needs of the box that it serves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from umpi.journal import Journal
from umpi.referee.remote import Reply
from umpi.referee.view_state import ViewState
from umpi.table.commands import RemoteCommand
from umpi.timing.phone_clock import Interval


class Pairing(Protocol):
    """Codes and paired phones; times are monotonic nanoseconds."""

    @property
    def address(self) -> str:
        """The address of the phone page, "" if there is none."""
        ...

    def code(self, who: int | None, now_ns: int) -> tuple[str, int]:
        """Make a code to pair a phone of a button, None for the referee; return the code and its expiry."""
        ...

    def void(self) -> None:
        """Invalidate the code."""
        ...

    def admit(self, hash: str) -> bool:
        """Let a phone that waits act; return False if it no longer waits."""
        ...

    def dismiss(self, hash: str | None) -> None:
        """Forget a phone that waits, or all of them."""
        ...

    def paired(self) -> tuple[tuple[int, int | None, str], ...]:
        """List the paired phones: number, button and name of each."""
        ...

    def revoke(self, number: int) -> str:
        """Unpair a phone; return its key in the journal, "" if there is no such phone."""
        ...


class Host(Protocol):
    """The box: what it shows, and how a phone asks it for something."""

    @property
    def journal(self) -> Journal:
        """The journal, of which the web server reads the path and the number of writes."""
        ...

    @property
    def view(self) -> ViewState:
        """What the box shows."""
        ...

    def clock(self) -> int:
        """Return monotonic nanoseconds."""
        ...

    def serve_phones(self, pairing: Pairing, publish: Callable[[ViewState], object]) -> None:
        """Pair phones by `pairing`, and call `publish` with each new view."""
        ...

    def request(
        self,
        question: str,
        command: RemoteCommand,
        button: int | None,
        reply: Callable[[Reply], object] = ...,
        enter: Callable[[], bool] = ...,
        pressed: Interval | None = ...,
    ) -> int:
        """Post a request of a phone, and return its number. `reply` is called once its result is shown.

        `pressed` is when its player pressed, None if only its arrival is known. `enter` lets a new phone act; it
        returns False if the code is no longer valid.
        """
        ...

    def withdraw(self, id: int) -> bool:
        """Withdraw a request; return False if the referee has already taken it."""
        ...
