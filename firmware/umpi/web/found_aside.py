"""Have documents of the page made in processes of their own, so that they delay nothing at the table."""

from __future__ import annotations

import asyncio
import logging
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from umpi.i18n.translate import current_language
from umpi.kernel.record import Unreadable, read_line

log = logging.getLogger(__name__)


class FoundAside:
    """Start a process per document, one after the other. The log says `failure` if there is none."""

    def __init__(self, failure: str, command: Sequence[str]) -> None:
        self._failure, self._command = failure, command
        self._thread = ThreadPoolExecutor(1, "aside")
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    async def found(self, given: str, *words: str) -> Mapping[str, Any]:
        """Return what a process prints in the language of the box if it reads `given`; {} if it fails.

        Its command ends with the language and these `words`.
        """
        if self._closed:
            return {}
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._found, given, words)

    def close(self) -> None:
        """End the process that runs, so that the box can stop."""
        self._closed = True
        self._thread.shutdown(wait=False, cancel_futures=True)
        if self._process:
            self._process.kill()

    def _found(self, given: str, words: Sequence[str]) -> Mapping[str, Any]:
        pipe, command = subprocess.PIPE, [*self._command, current_language(), *words]
        try:
            self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
            if self._closed:
                self._process.kill()
            out, err = self._process.communicate(given.encode())
            found = read_line(out) if self._process.returncode == 0 else None
        except (OSError, Unreadable):
            log.warning(self._failure, exc_info=True)
            return {}
        if not found:
            why = err.decode(errors="replace").strip() or "nothing was printed"
            log.warning("%s: %s", self._failure, why)
        return found or {}
