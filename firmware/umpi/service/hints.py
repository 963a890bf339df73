"""Find hints in a process of their own, so that they delay nothing at the table."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial

from umpi.kernel.aside import run_aside
from umpi.kernel.record import Unreadable, read_line
from umpi.referee.effects import FindHint
from umpi.referee.events import HintFound
from umpi.referee.transcript import act_of

COMMAND = (sys.executable, "-m", "umpi.lab.advice")  # it ends by itself if it takes too long

log = logging.getLogger(__name__)


class HintFinder:
    """Start a process per hint, and post what it finds. A new hint ends the process of an older one."""

    def __init__(self, post: Callable[[HintFound], object], command: Sequence[str] = COMMAND) -> None:
        self._post, self._command = post, command
        self._process: subprocess.Popen[bytes] | None = None

    def find(self, wanted: FindHint) -> None:
        """Start to find a hint."""
        if self._process:
            self._process.kill()
        try:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        except OSError as fault:
            log.warning("no hint can be found: %s", fault)
            self._post(HintFound(wanted.question, why="failed"))
            return
        run_aside(partial(self._wait, self._process, wanted), "hint")

    def _wait(self, process: subprocess.Popen[bytes], wanted: FindHint) -> None:
        out, err = process.communicate("\n".join(wanted.record).encode())
        if process.returncode < 0:  # ended for a newer hint, or by the system
            log.info("a hint to question %s was given up", wanted.question)
        elif process.returncode:
            log.warning("no hint was found: %s", err.decode(errors="replace").strip().rpartition("\n")[2])
        self._post(_read(wanted.question, out if process.returncode == 0 else b""))


def _read(question: str, out: bytes) -> HintFound:
    """Return what the process has printed, as an event."""
    try:
        found = read_line(out) or {}
    except Unreadable:
        found = {}
    if "act" in found:
        return HintFound(question, act_of(found["act"]))
    return HintFound(question, why=found.get("why", "failed"))
