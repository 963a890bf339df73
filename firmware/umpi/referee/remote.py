"""Remote requests: what a phone asks of the referee, and the reply."""

from __future__ import annotations

from typing import Literal

from umpi.frozen import frozen
from umpi.table.commands import RemoteCommand
from umpi.table.sources import Phone

How = Literal["done", "passed", "refused", "forbidden", "failed"]


@frozen
class Reply:
    """The result of a remote request.

    `text` is the reason if nothing was done. `lost` contains the acts that a correction loses.
    """

    how: How
    text: str = ""
    lost: tuple[int, ...] = ()


@frozen
class RemoteRequest:
    """A request from a phone, with its stamp in monotonic nanoseconds of the referee's clock.

    `question` is the question that it answers, named as in `ViewState.question`. `button` is the button of the phone's
    owner, 0 to 5 from the left, None for the referee. The reply contains the `id`.

    The stamp is the latest time of the press, as far as the box believes the phone; without a time of the phone's clock
    it is the arrival. `earliest_ns` is the earliest time, and `stamped_ns` the latest one that the phone claims; None
    if they are unknown.
    """

    at_ns: int
    question: str
    command: RemoteCommand
    button: int | None
    id: int = 0
    earliest_ns: int | None = None
    stamped_ns: int | None = None

    @property
    def source(self) -> Phone:
        """Who acts."""
        return Phone(self.button)


@frozen
class Withdrawn:
    """The sender withdrew a request before the referee took it; it must have no effect."""

    id: int
