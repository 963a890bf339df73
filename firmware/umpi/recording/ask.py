"""Ask a running box for a report, by a signal, and find the box that answers it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from umpi.journal.lock import holder
from umpi.recording.report import reports, reports_folder

REPORT = signal.SIGUSR1
ANSWERS = "box.pid"  # in the folder of the reports: the process that answers the signal
PATIENCE_S = 20.0
LOOK_S = 0.05


class Unanswered(Exception):
    """Raised if a running box does not write the report that it was asked for."""


@contextmanager
def answering(journal: Path) -> Iterator[None]:
    """Note within the context that this process answers the signal. Other processes would end at it."""
    file = reports_folder(journal) / ANSWERS
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{os.getpid()}\n")
    except OSError:  # a read-only card: reports cannot be written either
        yield
        return
    try:
        yield
    finally:
        with suppress(OSError):
            file.unlink()


def ask_box(journal: Path, patience_s: float = PATIENCE_S) -> Path | None:
    """Ask the box that uses a journal for a report, and return the file; None if no box answers.

    Raises PermissionError if the box belongs to another user, Unanswered if it was asked and has written none.
    """
    folder, process = reports_folder(journal), holder(journal)
    if process is None or process != _answers(folder):
        return None
    there = reports(folder)[-1:]
    os.kill(process, REPORT)
    until_s = time.monotonic() + patience_s
    while time.monotonic() < until_s:
        if (now := reports(folder)[-1:]) != there:
            return now[0]
        time.sleep(LOOK_S)
    raise Unanswered(f"The box was asked for a report, and has written none within {patience_s:g} s")


def _answers(folder: Path) -> int | None:
    """Return the process that answers the signal, None if there is none."""
    try:
        return int((folder / ANSWERS).read_text())
    except (FileNotFoundError, ValueError):
        return None
