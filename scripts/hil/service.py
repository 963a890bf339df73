"""Run `umpi run` as a process: start it as a service manager does, watch it, kill it."""

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
    """The service ended by itself; the message contains its last output."""


class Service:
    """The running service. The constructor starts it and returns when it is ready. Raises Ended.

    Its output is appended to the file `log`, after that of earlier runs in the same folder. `environment` is added to
    this process's own.
    """

    def __init__(self, command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> None:
        self.log = folder / LOG
        with suppress(FileNotFoundError):
            (folder / "notify").unlink()
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify, open(self.log, "ab") as log:
            notify.bind(str(folder / "notify"))
            inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
            variables = {**inherited, **(environment or {}), "NOTIFY_SOCKET": str(folder / "notify")}
            self._process = subprocess.Popen(
                command, cwd=folder, env=variables, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )
            self._wait_ready(notify)

    def check(self) -> None:
        """Raise Ended if the service has ended."""
        if (status := self._process.poll()) is not None:
            raise self._ended(status)

    def output(self) -> str:
        """Return what the service has printed on stdout and stderr, in this run and earlier ones."""
        return self.log.read_text(errors="replace")

    def used_ns(self) -> int:
        """Return the processor time of all its threads, from the clock of the process: clock_getcpuclockid(3)."""
        try:
            return time.clock_gettime_ns(~self._process.pid << 3 | 2)
        except OSError:  # it has ended
            self.check()
            raise

    def kill(self) -> None:
        """Kill the service with SIGKILL, as a power failure would. Raises Ended if it had already ended."""
        if (status := self.close()) != -signal.SIGKILL:
            raise self._ended(status)

    def stop(self) -> int:
        """Send SIGTERM, as the service manager does; return the exit status. Raises Ended if it had already ended."""
        self.check()
        return self._end(signal.SIGTERM)

    def close(self) -> int:
        """Kill the service, in any state, and return its exit status."""
        return self._end(signal.SIGKILL)

    def _end(self, sign: int) -> int:
        self._process.send_signal(sign)
        return self._process.wait()

    def _ended(self, status: int) -> Ended:
        return Ended(f"the service ended with status {status}:\n{self.output()[-2000:]}")

    def _wait_ready(self, notify: socket.socket) -> None:
        """Wait until the service reports that it is ready, or has ended. Raises Ended.

        There is no timer here: while files are read, the clock of a guest in virtual time jumps to the next timer.
        """
        ended = os.pidfd_open(self._process.pid)
        try:
            while True:
                ready, _, _ = select.select([notify.fileno(), ended], [], [])
                if notify.fileno() in ready and b"READY=1" in notify.recv(4096):
                    return
                if ended in ready:
                    self.check()
        finally:
            os.close(ended)
