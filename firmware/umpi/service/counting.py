"""Count the statistics of the journal on a thread of its own, so that nothing at the table waits for them."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

from umpi.journal import Foreign
from umpi.journal.schema import why
from umpi.kernel.aside import run_aside
from umpi.kernel.registry import find
from umpi.referee.effects import CountStatistics
from umpi.referee.events import StatisticsCounted

log = logging.getLogger(__name__)


class StatisticsCounter:
    """Count one after the other, and post each result. A newer wish replaces one that has not been begun."""

    def __init__(self, path: Callable[[], Path], post: Callable[[StatisticsCounted], object]) -> None:
        self._path, self._post = path, post
        self._lock = threading.Lock()
        self._next: CountStatistics | None = None
        self._counting = False
        self._thread: threading.Thread | None = None

    def count(self, wanted: CountStatistics) -> None:
        """Begin to count, or do so once what is being counted is done."""
        with self._lock:
            self._next = wanted
            if self._counting:
                return
            self._counting = True
        self._thread = run_aside(self._count, "statistics")

    def finish(self) -> bool:
        """Wait until all that is wanted has been counted and posted; return False if nothing was."""
        thread, self._thread = self._thread, None
        if thread:
            thread.join()
        return thread is not None

    def _count(self) -> None:
        from umpi.journal.statistics import lines, read_stats  # here, because no first picture needs it

        while (wanted := self._taken()) is not None:
            try:
                counted = tuple(lines(read_stats(self._path(), find), wanted.game))
                self._post(StatisticsCounted(wanted.game, counted))
            except (OSError, Foreign, sqlite3.Error) as fault:
                self._post(StatisticsCounted(wanted.game, why=why(fault)))
            except Exception as fault:  # a game's own code replays the matches of an old Umpi
                log.exception("the statistics cannot be counted")
                self._post(StatisticsCounted(wanted.game, why=f"{type(fault).__name__}: {fault}"))

    def _taken(self) -> CountStatistics | None:
        with self._lock:
            wanted, self._next = self._next, None
            self._counting = wanted is not None
            return wanted
