"""The line to the program that installs games: the service begins a task there, and hears how far it is.

The service of a box may reach only phones of its house. So a unit of its own, `umpi-shelf`, listens at a Unix socket
that only the user of the box may open, and works as that user, never as root. Elsewhere, as with `umpi sim`, the
program is started from here. Each connection is one task: one line of JSON goes there, and `ShelfNews` come back.
"""

from __future__ import annotations

import json
import logging
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from umpi.box.config import Config
from umpi.frozen import frozen
from umpi.kernel.messages import message
from umpi.recording.values import Unknown, read_value
from umpi.referee.effects import BeginShelfTask
from umpi.referee.events import ShelfNews
from umpi.shelf.faults import why_not
from umpi.shelf.settings import settings_for

SOCKET = Path("/run/umpi-shelf.sock")
COMMAND = (sys.executable, "-P", "-m", "umpi.service.shelf_tasks")
LONGEST = 1 << 24  # bytes of a line: a list of games with their reports
NEEDED = ("cryptography", "packaging")  # of the extra `shelf`
ENDS = ("done", "failed")

log = logging.getLogger(__name__)


@frozen
class Wish:
    """A task of the shelves as it is sent.

    `journal` is that of the box, `folder` where its shelves and the folder of the installed games are, and `settings`
    what umpi.toml has for single games.
    """

    task: str
    shelf: str
    game: str
    journal: str
    folder: str
    settings: tuple[tuple[str, tuple[str, ...]], ...] = ()


class ShelfLine:
    """One task of the shelves at a time. `post` gets what becomes of it, from another thread."""

    def __init__(
        self,
        post: Callable[[ShelfNews], object],
        journal: Path,
        folder: Path,
        settings: Callable[[], list[tuple[str, tuple[str, ...]]]],
        place: Path = SOCKET,
    ) -> None:
        self._post, self._journal, self._folder = post, journal, folder
        self._settings, self._place = settings, place
        self._lock = Lock()
        self._open: socket.socket | None = None

    def begin(self, task: BeginShelfTask) -> None:
        """Begin a task. The referee asks for one only after the end of the one before."""
        places = str(self._journal.absolute()), str(self._folder.absolute())
        wish = Wish(task.task, task.shelf, task.game, *places, tuple(self._settings()))
        Thread(target=self._follow, args=(wish,), name="umpi-shelf", daemon=True).start()

    def close(self) -> None:
        """End the connection. What has been installed by then stays, and nothing is left half done."""
        with self._lock:
            line, self._open = self._open, None
        if line:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)

    def _follow(self, wish: Wish) -> None:
        """Send a task, and post what becomes of it until the program ends the connection."""
        ended, why = False, ""
        try:
            with self._connected() as line, line.makefile("rb") as lines:
                with self._lock:
                    self._open = line
                line.sendall(f"{json.dumps(_as_json(wish))}\n".encode())
                while text := lines.readline(LONGEST):
                    news = read_value(json.loads(text))
                    if not isinstance(news, ShelfNews):
                        raise Unknown(f"expected news of the shelves, got {str(news)[:80]}")
                    ended = news.stage in ENDS
                    self._post(news)
        except (OSError, ValueError) as fault:
            log.exception("the task of the shelves cannot be followed")
            why = why_not(fault) if isinstance(fault, OSError) else str(fault)
        if not ended:
            told = message("The box cannot work on its games: {why}.", why=why) if why else _BROKEN
            self._post(ShelfNews("failed", told))

    def _connected(self) -> socket.socket:
        """Return the connection to the program: that of its unit, or to one that is started. Raises OSError."""
        if self._place.exists():
            line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            line.connect(str(self._place))
            return line
        line, its = socket.socketpair()
        with its:
            program = subprocess.Popen(COMMAND, stdin=its.fileno(), stdout=its.fileno())
        Thread(target=program.wait, name="umpi-shelf-end", daemon=True).start()
        return line


_BROKEN = message("The work on the games broke off. Try again.")


def _as_json(wish: Wish) -> dict[str, Any]:
    return asdict(wish)


def read_wish(text: bytes) -> Wish:
    """Return the task in a line. Raises ValueError, LookupError or TypeError if it is none."""
    given = json.loads(text)
    settings = tuple((str(what), tuple(map(str, games))) for what, games in given["settings"])
    task, shelf, game, journal, folder = (str(given[name]) for name in ("task", "shelf", "game", "journal", "folder"))
    return Wish(task, shelf, game, journal, folder, settings)


def shelf_line(config: Config, folder: Path, post: Callable[[ShelfNews], object]) -> ShelfLine | None:
    """Return the line to the program that installs games beside `folder`; None if packages for it are missing."""
    if any(find_spec(name) is None for name in NEEDED):
        return None
    return ShelfLine(post, config.journal, folder, lambda: settings_for(config))
