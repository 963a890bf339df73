"""What has become of the last update of a card: `umpi-settle` decides it after the restart, and the box tells it.

The unit watches the new version for a minute or more, and leaves its answer in the file `SETTLED`, which is in memory:
it is gone at the next start.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

from umpi.recording.values import Unknown, read_value
from umpi.referee.events import LastUpdate

SETTLED = Path("/run/umpi-settled.json")
SETTLES_S = 420.0  # a trial takes at most five minutes
LOOK_S = 1.0

log = logging.getLogger(__name__)


@contextmanager
def last_update_told(post: Callable[[LastUpdate], object], place: Path = SETTLED) -> Iterator[None]:
    """Post once what has become of the last update, from another thread, as soon as that is known."""
    stop = Event()
    Thread(target=_follow, args=(post, place, time.monotonic_ns(), stop), name="umpi-settled", daemon=True).start()
    try:
        yield
    finally:
        stop.set()


def _follow(post: Callable[[LastUpdate], object], place: Path, began_ns: int, stop: Event) -> None:
    end_s = time.monotonic() + SETTLES_S
    while not place.exists():
        if stop.wait(LOOK_S) or time.monotonic() > end_s:
            return
    try:
        last = read_value(json.loads(place.read_text(encoding="utf-8")))
        if not isinstance(last, LastUpdate):
            raise Unknown(f"expected what has become of the last update, got {str(last)[:80]}")
    except (OSError, ValueError):
        log.exception("what has become of the last update cannot be read")
        return
    if last.text and last.at_ns >= began_ns:  # else it was told before this service failed and began again
        post(last)
