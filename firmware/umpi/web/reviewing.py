"""Review a past match in a process of its own, so that it delays nothing at the table."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Sequence
from typing import cast

from umpi.i18n.translate import current_language
from umpi.kernel.record import Unreadable, read_line
from umpi.web import documents

COMMAND = (sys.executable, "-m", "umpi.review")  # it ends by itself if it takes too long

log = logging.getLogger(__name__)


class NoReview(Exception):
    """Raised if a match cannot be reviewed; the log says why."""


def review_of(record: str, command: Sequence[str] = COMMAND) -> documents.Review:
    """Return the review of a record, in the language of the box. Waits for it. Raises NoReview."""
    try:
        done = subprocess.run([*command, current_language()], input=record.encode(), capture_output=True, check=True)
        found = read_line(done.stdout)
    except subprocess.CalledProcessError as fault:
        log.warning("a match cannot be reviewed: %s", fault.stderr.decode(errors="replace").strip())
        raise NoReview from fault
    except (OSError, Unreadable) as fault:
        log.warning("a match cannot be reviewed", exc_info=True)
        raise NoReview from fault
    if not found:
        log.warning("a match cannot be reviewed: the review is empty")
        raise NoReview
    return cast(documents.Review, found)
