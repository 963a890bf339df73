"""The engines of the games in the service: a call that does not return costs its match, never the box."""

from __future__ import annotations

from contextlib import AbstractContextManager

from umpi.kernel import stuck
from umpi.kernel.registry import games_so_far

CALL_S = 5.0  # of processor time: the most that one call of an engine may take; the watchdog of systemd waits 30 s


class TookTooLong(Exception):
    """Raised in an engine's call that takes too long. The referee treats it as any error of an engine."""


def engines_watched() -> AbstractContextManager[None]:
    """Raise TookTooLong in a call of an engine, made inside, that takes more than CALL_S of the processor.

    A timer of the kernel looks at what runs a few times in that time, so an act costs nothing more. It looks at all
    threads: pages about past matches, forms and statistics are made on others. Hints and reviews have processes of
    their own.
    """
    return stuck.watched(games_so_far, TookTooLong, CALL_S, "umpi.service.")
