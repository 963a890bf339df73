"""What the service manager is told of the box: that it is ready, how it stands, and that its loop comes round.

The protocol is that of sd_notify(3) and sd_watchdog_enabled(3), of systemd.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Awaitable, Callable, Mapping

FIRST_S = 0.1  # between looks until the box is ready
LATER_S = 15.0  # and afterwards, where no watchdog asks for more

log = logging.getLogger(__name__)

Rest = Callable[[asyncio.Event, float], Awaitable[object]]


class ServiceManager:
    """The service manager that started this process, as `environment` has it.

    `patience_s` is how long it waits for a sign of life before it kills the process; 0 is for ever. Raises KeyError
    where none waits to be told anything.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        address = environment["NOTIFY_SOCKET"]
        self._address = "\0" + address[1:] if address.startswith("@") else address  # one without a file
        usec, us = environment.get("WATCHDOG_USEC", ""), str(os.getpid())
        ours = environment.get("WATCHDOG_PID", us) == us
        self.patience_s = int(usec) / 1e6 if ours and usec.isdecimal() else 0.0

    def tell(self, *lines: str) -> bool:
        """Send such lines as READY=1, never waiting; True where they have got through."""
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as way:
                way.sendto("\n".join(lines).encode(), self._address)
        except OSError:  # its queue is full, or it restarts: the game goes on
            return False
        return True


class Watchdog:
    """Tells a manager of a loop, and feeds its watchdog only while the loop comes round.

    `turned` counts its rounds. `wake` has it come round even where nothing happens. `status` is a line for people.
    `well` returns False once the box can no longer hear its inputs: the watchdog is fed no more then, so that the
    manager restarts the box.
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
        """How long to wait for the next look: half of what the watchdog allows."""
        return (self._manager.patience_s / 2 or LATER_S) if self.ready else FIRST_S

    def look(self) -> None:
        """Tell that all is well if the loop has come round since the last look, and wake it for the next one."""
        turned = self._turned()
        if turned != self._seen and self._well():
            self._seen = turned
            ready = () if self.ready else ("READY=1",)
            self.ready = self._manager.tell(*ready, "WATCHDOG=1", f"STATUS={self._line()}") or self.ready
        self._wake()

    async def run(self, stop: asyncio.Event, rest: Rest | None = None) -> None:
        """Look until `stop` is set, and tell that too; `rest(stop, seconds)` waits so long, or until it is set."""
        rest = rest or _rest
        while not stop.is_set():
            self.look()
            await rest(stop, self.pause_s)
        self._manager.tell("STOPPING=1")

    def _line(self) -> str:
        try:
            return " ".join(self._status().split())
        except Exception as fault:  # a game's own code tells of it, and that is not what the watchdog is for
            log.exception("the status of the box cannot be told")
            return f"{type(fault).__name__}: {fault}".partition("\n")[0]


async def _rest(stop: asyncio.Event, seconds: float) -> None:
    """Wait so many seconds, or until `stop` is set."""
    waiting = asyncio.ensure_future(stop.wait())
    await asyncio.wait((waiting,), timeout=seconds)
    waiting.cancel()
