"""Notifications to the service manager: time to start, readiness, status text and watchdog.

The protocol is described in sd_notify(3) and sd_watchdog_enabled(3) of systemd.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager

FIRST_S = 0.1  # interval of checks until the box is ready
LATER_S = 15.0  # interval of later checks if there is no watchdog time-out
MORE_S = 90.0  # how much time to start is asked for at once
AGAIN_S = 30.0  # interval between these

log = logging.getLogger(__name__)

Rest = Callable[[asyncio.Event, float], Awaitable[object]]


class ServiceManager:
    """The service manager that started this process, found by the variables of `environment`.

    `patience_s` is the watchdog time-out in seconds after which the manager kills the process; 0 means none. Raises
    KeyError if $NOTIFY_SOCKET is not set.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        address = environment["NOTIFY_SOCKET"]
        self._address = "\0" + address[1:] if address.startswith("@") else address  # an abstract socket
        usec, us = environment.get("WATCHDOG_USEC", ""), str(os.getpid())
        ours = environment.get("WATCHDOG_PID", us) == us
        self.patience_s = int(usec) / 1e6 if ours and usec.isdecimal() else 0.0

    def tell(self, *lines: str) -> bool:
        """Send lines, for example READY=1, without waiting; return whether they were sent."""
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as way:
                way.sendto("\n".join(lines).encode(), self._address)
        except OSError:  # the manager's queue is full, or it restarts: the game continues
            return False
        return True


@contextmanager
def more_time(environment: Mapping[str, str]) -> Iterator[None]:
    """Keep the service manager from ending the start, for as long as what is inside takes.

    MORE_S remain for the rest of the start. Without a service manager nothing happens.
    """
    if "NOTIFY_SOCKET" not in environment:
        yield
        return
    manager, done = ServiceManager(environment), threading.Event()

    def ask() -> None:
        while True:
            manager.tell(f"EXTEND_TIMEOUT_USEC={round(MORE_S * 1e6)}")
            if done.wait(AGAIN_S):
                return

    thread = threading.Thread(target=ask, name="start", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


class Watchdog:
    """Report the status of a loop to the manager, and reset its watchdog only while the loop runs.

    `turned` returns the number of iterations. `wake` triggers an iteration. `status` returns a line for people.
    `well` returns False if the inputs have failed. The watchdog is then not reset, so that the manager restarts the
    box.
    """

    def __init__(
        self,
        manager: ServiceManager,
        turned: Callable[[], int],
        wake: Callable[[], object],
        status: Callable[[], str],
        well: Callable[[], bool] = lambda: True,
    ) -> None:
        self._manager, self._turned, self._wake, self._status, self._well = manager, turned, wake, status, well
        self._seen = 0
        self.ready = False

    @property
    def pause_s(self) -> float:
        """Return the seconds until the next check: half of the watchdog time-out."""
        return (self._manager.patience_s / 2 or LATER_S) if self.ready else FIRST_S

    def look(self) -> None:
        """Reset the watchdog if the loop has run since the last check, then wake the loop for the next check."""
        turned = self._turned()
        if turned != self._seen and self._well():
            self._seen = turned
            ready = () if self.ready else ("READY=1",)
            self.ready = self._manager.tell(*ready, "WATCHDOG=1", f"STATUS={self._line()}") or self.ready
        self._wake()

    async def run(self, stop: asyncio.Event, rest: Rest | None = None) -> None:
        """Check until `stop` is set, then report STOPPING=1.

        `rest(stop, seconds)` waits for that time, or until `stop` is set.
        """
        rest = rest or _rest
        while not stop.is_set():
            self.look()
            await rest(stop, self.pause_s)
        self._manager.tell("STOPPING=1")

    def _line(self) -> str:
        try:
            return " ".join(self._status().split())
        except Exception as fault:  # the status uses code of a game, whose error must not stop the watchdog
            log.exception("the status of the box cannot be told")
            return f"{type(fault).__name__}: {fault}".partition("\n")[0]


async def _rest(stop: asyncio.Event, seconds: float) -> None:
    """Wait for `seconds`, or until `stop` is set."""
    waiting = asyncio.ensure_future(stop.wait())
    await asyncio.wait((waiting,), timeout=seconds)
    waiting.cancel()
