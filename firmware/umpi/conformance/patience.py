"""How long a call of an engine may take while it is checked."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from umpi.kernel import stuck

CALL_S = 10.0  # of processor time: the most that one call of an engine may take


class Stuck(BaseException):
    """Raised in an engine's call that takes too long. An `except Exception` on the way does not end it."""


def watched(game: type[Any]) -> AbstractContextManager[None]:
    """Raise Stuck in a call of the engine, made inside, that takes more than CALL_S of the processor."""
    return stuck.watched([game], Stuck, CALL_S, "umpi.conformance.")
