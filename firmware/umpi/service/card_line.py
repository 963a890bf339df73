"""The line to the program that may write the card: the service begins a task there, and hears how far it is.

The service itself never becomes root. The unit `umpi-card` of a card listens at a Unix socket that only this user may
open. A connection is one task: the service sends its word, gets `CardNews` as lines of JSON, and may send that somebody
agrees to a question. To join a Wi-Fi, a second line has its name, password and country; to name the box, the name. The
program does nothing else for it.
"""

from __future__ import annotations

import json
import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread

from umpi.kernel.messages import message
from umpi.recording.values import Unknown, dumped, read_value
from umpi.referee.events import CardNews
from umpi.table.card import CardTask, ChosenNetwork, MenuTask

SOCKET = Path("/run/umpi-card.sock")
AGREE = "agree"
LONGEST = 1 << 16  # bytes of a line
SILENCE_S = 600.0  # a task that works tells of it more often, unless a stick or the card does not answer
ENDS = ("done", "failed")

log = logging.getLogger(__name__)


class CardLine:
    """One task of the card at a time. `post` gets what becomes of it, from another thread.

    A task that asks nothing and tells nothing for `silence_s` is given up, so that the players can begin another one.
    """

    def __init__(self, post: Callable[[CardNews], object], place: Path = SOCKET, silence_s: float = SILENCE_S) -> None:
        self._post, self._place, self._silence_s = post, place, silence_s
        self._lock, self._asks = Lock(), False
        self._open: socket.socket | None = None  # the connection of the newest task

    def begin(self, task: CardTask | MenuTask, given: ChosenNetwork | str = "") -> None:
        """Begin a task in place of the one before, which then changes nothing any more if it asks something."""
        self.close()
        line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        with self._lock:
            self._open = line
        Thread(target=self._follow, args=(line, _request(task, given)), name="umpi-card", daemon=True).start()

    def agree(self) -> None:
        """Tell the task that somebody agrees to what it asks."""
        with self._lock, suppress(OSError):  # if the program has ended, that is told by the end of the connection
            if self._open:
                self._asks = False
                self._open.sendall(f"{AGREE}\n".encode())

    def close(self) -> None:
        """End the connection. A task that writes goes on, and one that asks ends."""
        with self._lock:
            line, self._open = self._open, None
        if line:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def _follow(self, line: socket.socket, request: bytes) -> None:
        """Send the request of a task, and post what becomes of it until the program ends the connection."""
        ended, why = False, ""
        try:
            with line:
                line.settimeout(self._silence_s)
                line.connect(str(self._place))
                with self._lock:
                    if self._open is not line:
                        return  # another task has replaced it already
                    self._asks = False
                    line.sendall(request)
                for text in self._lines(line):
                    news = read_value(json.loads(text))
                    if not isinstance(news, CardNews):
                        raise Unknown(f"expected news of the card, got {str(news)[:80]}")
                    ended = news.stage in ENDS
                    self._tell(line, news)
        except TimeoutError:
            log.error("the task of the card has told nothing for %.0f s", self._silence_s)
            why = _SILENT
        except (OSError, ValueError) as fault:
            log.exception("the task of the card cannot be followed")
            why = message("The box cannot work on its card: {why}.", why=str(fault))
        if not ended:
            self._tell(line, CardNews("failed", why or _BROKEN))

    def _lines(self, line: socket.socket) -> Iterator[bytes]:
        """Yield the lines of a task. Raises TimeoutError if it is silent for too long and does not ask, ValueError."""
        got = b""
        while True:
            asks = self._asks  # if somebody agrees during this wait, the task gets the whole time after it
            try:
                data = line.recv(LONGEST)
            except TimeoutError:
                if asks:
                    continue
                raise
            if not data:
                return
            *whole, got = (got + data).split(b"\n")
            if len(got) > LONGEST:
                raise ValueError(f"a line of more than {LONGEST} bytes")
            yield from whole

    def _tell(self, line: socket.socket, news: CardNews) -> None:
        with self._lock:
            if self._open is line:
                self._asks = news.stage == "asks"
                self._post(news)


_SILENT = message("The card or the stick does not answer. Unplug the stick, and try again.")
_BROKEN = message("The work on the card broke off. Try again.")


def _request(task: CardTask | MenuTask, given: ChosenNetwork | str) -> bytes:
    detail = given if isinstance(given, str) else [given.name, given.password, given.country]
    return (f"{task}\n{dumped(detail)}\n" if detail else f"{task}\n").encode()


def card_line(post: Callable[[CardNews], object]) -> CardLine | None:
    """Return the line to the card; None if this box did not start from a card of Umpi."""
    return CardLine(post) if SOCKET.exists() else None
