"""Review past matches in a process of its own, so that it delays nothing at the table."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol, cast

from umpi.i18n.translate import current_language
from umpi.kernel.record import Unreadable, read_line
from umpi.web import documents

COMMAND = (sys.executable, "-m", "umpi.review")  # it ends by itself if it takes too long

log = logging.getLogger(__name__)


class NoReview(Exception):
    """Raised if a match cannot be reviewed; the log says why."""


class Reviews(Protocol):
    """What reviews past matches for the page."""

    async def review(self, record: str) -> documents.Review:
        """Return the review of a record, in the language of the box. Raises NoReview."""

    def close(self) -> None:
        """End the review that is being made, so that the box can stop."""


class Reviewer:
    """Review one match after the other, each in a process."""

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self._command = command
        self._thread = ThreadPoolExecutor(1, "review")
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    async def review(self, record: str) -> documents.Review:
        """Return the review of a record, in the language of the box. Raises NoReview."""
        if self._closed:
            raise NoReview
        return read_review(await asyncio.get_running_loop().run_in_executor(self._thread, self._found, record))

    def close(self) -> None:
        """End the review that is being made, so that the box can stop."""
        self._closed = True
        self._thread.shutdown(wait=False, cancel_futures=True)
        if self._process:
            self._process.kill()

    def _found(self, record: str) -> Mapping[str, Any]:
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen([*self._command, current_language()], stdin=pipe, stdout=pipe, stderr=pipe)
            if self._closed:
                self._process.kill()
            out, err = self._process.communicate(record.encode())
            found = read_line(out) if self._process.returncode == 0 else None
        except (OSError, Unreadable) as fault:
            log.warning("a match cannot be reviewed", exc_info=True)
            raise NoReview from fault
        if not found:
            log.warning("a match cannot be reviewed: %s", err.decode(errors="replace").strip() or "nothing was printed")
        return found or {}


def read_review(found: Mapping[str, Any]) -> documents.Review:
    """Return a document that `umpi.review` has printed. Raises NoReview if it has failed."""
    if not found:
        raise NoReview
    return cast(documents.Review, found)
