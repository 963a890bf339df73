"""What a second Python of the tab finds, so that the box goes on: hints, and reviews of matches."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any, Literal

from umpi.i18n.translate import current_language
from umpi.referee.effects import FindHint, FindReview
from umpi.referee.events import HintFound, ReviewFound
from umpi.service.found_aside import read_found
from umpi.service.hints import hint_of, review_of
from umpi.web import documents
from umpi.web.reviewing import read_review

Task = Literal["hint", "review", "past"]  # for the question of the panel or a phone, for the panel, for the page
LONGEST_MS: Mapping[Task, int] = {"hint": 60_000, "review": 240_000, "past": 240_000}  # sw.js waits longer for a review
Start = Callable[
    [int, Task, str, str, int], object
]  # a number, the task, the language, the record, and the longest time

log = logging.getLogger(__name__)


class Aside:
    """Let a second Python find things, and post them. A new wish for a task ends what is found for an older one.

    The page `start`s it, and calls `found` with its answer. Without `start`, nothing is found.
    """

    def __init__(self, post: Callable[[HintFound | ReviewFound], object], start: Start | None) -> None:
        self._post, self._start = post, start
        self._number = 0
        self._wanted: dict[Task, tuple[int, Callable[[Mapping[str, Any]], object]]] = {}
        self._one = asyncio.Lock()

    def find_hint(self, wanted: FindHint) -> None:
        """Begin to find a hint."""
        self._begin("hint", "\n".join(wanted.record), lambda found: self._post(hint_of(wanted, found)))

    def find_review(self, wanted: FindReview) -> None:
        """Begin to review the match of the panel."""
        self._begin("review", "\n".join(wanted.record), lambda found: self._post(review_of(wanted, found)))

    async def review(self, record: str) -> documents.Review:
        """Return the review of a record, in the language of the box; one after the other. Raises NoReview.

        The page gives up after some minutes, also if an earlier review takes them.
        """
        async with self._one:
            answer: asyncio.Future[Mapping[str, Any]] = asyncio.get_running_loop().create_future()
            self._begin("past", record, answer.set_result)
            return read_review(await answer)

    def close(self) -> None:
        """Do nothing: the second Python ends with the page."""

    def found(self, task: Task, number: int, text: str) -> None:
        """Take what the second Python has printed, "" if it has failed."""
        wanted, work = self._wanted.get(task, (0, None))
        if wanted != number or work is None:
            log.info("a %s was given up for a newer one", task)
            return
        del self._wanted[task]
        if not text:
            log.warning("a %s failed, or took too long; the console of the browser says more", task)
        work(read_found(text.encode()))

    def _begin(self, task: Task, record: str, work: Callable[[Mapping[str, Any]], object]) -> None:
        self._number += 1
        self._wanted[task] = self._number, work
        if self._start:
            self._start(self._number, task, current_language(), record, LONGEST_MS[task])
        else:
            self.found(task, self._number, "")
