"""Review past matches in a process of its own, so that it delays nothing at the table."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, cast

from umpi.web import documents
from umpi.web.found_aside import FoundAside

COMMAND = (sys.executable, "-m", "umpi.review")  # it ends by itself if it takes too long


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
        self._aside = FoundAside("a match cannot be reviewed", command)

    async def review(self, record: str) -> documents.Review:
        """Return the review of a record, in the language of the box. Raises NoReview."""
        return read_review(await self._aside.found(record))

    def close(self) -> None:
        """End the review that is being made, so that the box can stop."""
        self._aside.close()


def read_review(found: Mapping[str, Any]) -> documents.Review:
    """Return a document that `umpi.review` has printed. Raises NoReview if it has failed."""
    if not found:
        raise NoReview
    return cast(documents.Review, found)
