"""A part of the referee driven by hand: what it asks of the journal is done at once, on this thread."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from umpi.journal import Journal
from umpi.referee.events import Answered


def drive(journal: Journal, part: Coroutine[Any, Any, Any], now_ns: int = 0) -> Any:
    """Run a coroutine of the referee to its end, and return its result."""
    answer = None
    while True:
        try:
            call = part.send(answer)
        except StopIteration as end:
            return end.value
        value = call.on(journal)
        answer = Answered(now_ns, value, "", journal.saved, journal.trouble, journal.notice, journal.take_news())
