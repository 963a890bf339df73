"""Secret answers: the question that each seat answers in secret, and the seats that it waits for."""

from __future__ import annotations

from collections.abc import Sequence

from umpi.kernel.fields import Pick
from umpi.kernel.game import Ask


def secret_ask(asks: Sequence[Ask]) -> Ask | None:
    """Return the ask of an offer that each seat answers in secret, None if there is none."""
    return next((ask for ask in asks if ask.secret), None)


def seats_of(ask: Ask) -> tuple[int, ...]:
    """Return the seats that a secret ask waits for."""
    field = ask.fields[0] if ask.fields else None
    if not isinstance(field, Pick) or field.name != "seat":
        return ()
    return tuple(seat for seat in field.pool if isinstance(seat, int))
