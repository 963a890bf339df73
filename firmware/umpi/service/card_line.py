"""The line to the program that may write the card: the service begins a task there, and hears how far it is.

The service itself never becomes root. The unit `umpi-card` of a card listens at a Unix socket that only this user may
open. A connection is one task: the service sends its word, gets `CardNews` as lines of JSON, and may send that somebody
agrees to a question. The program does nothing else for it.
"""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread

from umpi.kernel.messages import message
from umpi.recording.values import Unknown, read_value
from umpi.referee.events import CardNews
from umpi.table.card import CardTask

SOCKET = Path("/run/umpi-card.sock")
AGREE = "agree"
LONGEST = 1 << 16  # bytes of a line
ENDS = ("done", "failed")

log = logging.getLogger(__name__)


class CardLine:
    """One task of the card at a time. `post` gets what becomes of it, from another thread."""

    def __init__(self, post: Callable[[CardNews], object], place: Path = SOCKET) -> None:
        self._post, self._place = post, place
        self._lock = Lock()
        self._open: socket.socket | None = None  # the connection of the newest task

    def begin(self, task: CardTask) -> None:
        """Begin a task in place of the one before, which then changes nothing any more if it asks something."""
        self.close()
        line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        with self._lock:
            self._open = line
        Thread(target=self._follow, args=(line, task), name="umpi-card", daemon=True).start()

    def agree(self) -> None:
        """Tell the task that somebody agrees to what it asks."""
        with self._lock, suppress(OSError):  # if the program has ended, that is told by the end of the connection
            if self._open:
                self._open.sendall(f"{AGREE}\n".encode())

    def close(self) -> None:
        """End the connection. A task that writes goes on, and one that asks ends."""
        with self._lock:
            line, self._open = self._open, None
        if line:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def _follow(self, line: socket.socket, task: CardTask) -> None:
        """Send a task, and post what becomes of it until the program ends the connection."""
        ended, why = False, ""
        try:
            with line, line.makefile("rb") as lines:
                line.connect(str(self._place))
                with self._lock:
                    if self._open is not line:
                        return  # another task has replaced it already
                    line.sendall(f"{task}\n".encode())
                while text := lines.readline(LONGEST):
                    news = read_value(json.loads(text))
                    if not isinstance(news, CardNews):
                        raise Unknown(f"expected news of the card, got {str(news)[:80]}")
                    ended = news.stage in ENDS
                    self._tell(line, news)
        except (OSError, ValueError) as fault:
            log.exception("the task of the card cannot be followed")
            why = str(fault)
        if not ended:
            told = message("The box cannot work on its card: {why}.", why=why) if why else _BROKEN
            self._tell(line, CardNews("failed", told))

    def _tell(self, line: socket.socket, news: CardNews) -> None:
        with self._lock:
            if self._open is line:
                self._post(news)


_BROKEN = message("The work on the card broke off. Try again.")


def card_line(post: Callable[[CardNews], object]) -> CardLine | None:
    """Return the line to the card; None if this box did not start from a card of Umpi."""
    return CardLine(post) if SOCKET.exists() else None
