"""Write reports on a thread of their own, so that neither a press nor the line of an act waits for them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

from umpi.kernel.aside import worker
from umpi.recording.report import Reporter
from umpi.referee.events import ReportWritten
from umpi.referee.transcript import Transcript

log = logging.getLogger(__name__)


class ReportWriter:
    """Write reports one after the other. Call it on the loop's thread."""

    def __init__(self, reporter: Reporter, post: Callable[[ReportWritten], object]) -> None:
        self._reporter, self._post = reporter, post
        self._thread = worker("reports")
        self._newest: Future[Path | None] | None = None

    def begin(self, why: str, saved: Transcript | None, answered: bool = False) -> Future[Path | None]:
        """Begin to write what has been recorded until now; return the coming file, None if it cannot be written.

        If it is to be `answered`, the result is also posted, as a ReportWritten.
        """
        write = self._reporter.prepare(why, saved)
        self._newest = self._thread.submit(self._write, write, answered)
        return self._newest

    def finish(self) -> bool:
        """Wait until all reports that were begun are written; return False if none was begun since the last call."""
        newest, self._newest = self._newest, None
        if newest:
            newest.result()
        return newest is not None

    def close(self) -> None:
        """Wait until the reports that were begun are written; no other can be begun after that."""
        self._thread.shutdown()

    def _write(self, write: Callable[[], Path], answered: bool) -> Path | None:
        path = None
        try:
            path = write()
            log.info("the session is in %s", path)
        except OSError as fault:
            log.warning("no report can be written: %s", fault)
        except Exception:  # the panel must not wait for ever
            log.exception("no report can be written")
        if answered:
            self._post(ReportWritten(path.name if path else ""))
        return path
