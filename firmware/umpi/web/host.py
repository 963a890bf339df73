"""What the web server needs of the box that it serves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from umpi.journal import Journal
from umpi.referee.ports import PairingPort
from umpi.referee.remote import Reply
from umpi.referee.view_state import ViewState
from umpi.table.commands import RemoteCommand
from umpi.timing.phone_clock import Interval


class PhoneKeeper(PairingPort, Protocol):
    """The keeper of the codes and of the paired phones."""

    def paired(self) -> tuple[tuple[int, int | None, str], ...]:
        """List the paired phones: number, button and name of each."""
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
