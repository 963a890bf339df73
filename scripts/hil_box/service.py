"""`umpi run` as a process: started as a service manager would, watched, killed."""

from __future__ import annotations

import os
import select
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

LOG = "service.log"


class Ended(Exception):
    """The service has come to an end nobody asked for: what it said last."""


class Service:
    """The service, from its start on; it is up when this returns. Raises Ended.

    What it says goes to the file `log`, behind what one before it in the same folder said. `environment` is added to
    that of this process.
    """

    def __init__(self, command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> None:
        self.log = folder / LOG
        with suppress(FileNotFoundError):
            (folder / "notify").unlink()
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify, open(self.log, "ab") as log:
            notify.bind(str(folder / "notify"))
            own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}  # that is ours alone
            told = {**own, **(environment or {}), "NOTIFY_SOCKET": str(folder / "notify")}
            self._process = subprocess.Popen(
                command, cwd=folder, env=told, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
            self._await(notify)

    def check(self) -> None:
        """Raise Ended where it has."""
        if (status := self._process.poll()) is not None:
            raise self._ended(status)

    def said(self) -> str:
        """Tell what it, and one before it, has said on stdout and stderr."""
        return self.log.read_text(errors="replace")

    def used_ns(self) -> int:
        """Tell how long its threads have run in all: the clock of another process, clock_getcpuclockid(3)."""
        try:
            return time.clock_gettime_ns(~self._process.pid << 3 | 2)
        except OSError:  # it has ended
            self.check()
            raise

    def kill(self) -> None:
        """Kill it with SIGKILL, as when the power goes. Raises Ended where it had come to an end by itself."""
        if (status := self.close()) != -signal.SIGKILL:
            raise self._ended(status)

    def stop(self) -> int:
        """Ask it to end, as the service manager does; returns its exit status. Raises Ended as `kill` does."""
        self.check()
        return self._end(signal.SIGTERM)

    def close(self) -> int:
        """Make an end of it, whatever has become of it; returns its exit status."""
        return self._end(signal.SIGKILL)

    def _end(self, sign: int) -> int:
        self._process.send_signal(sign)
        return self._process.wait()

    def _ended(self, status: int) -> Ended:
        return Ended(f"the service ended with status {status}:\n{self.said()[-2000:]}")

    def _await(self, notify: socket.socket) -> None:
        """Wait until it says that it is up, or has ended.

        No timer runs here: the clock of a guest in virtual time leaps to the next one while files are read.
        """
        ended = os.pidfd_open(self._process.pid)
        try:
            while True:
                ready, _, _ = select.select([notify, ended], [], [])
                if notify in ready and b"READY=1" in notify.recv(4096):
                    return
                if ended in ready:
                    self.check()
        finally:
            os.close(ended)
