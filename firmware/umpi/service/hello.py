"""A new box says hello: once it is in a network, its display shows how phones reach it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Thread

from umpi.journal import Journal
from umpi.referee.events import Reach
from umpi.wifi.nmcli import NoNetwork
from umpi.wifi.reach import reach, wait

HELLO_S = 300.0  # a box without a known network offers its own within this time

log = logging.getLogger(__name__)


def is_new(journal: Journal) -> bool:
    """Return whether nobody has played at this box or paired a phone with it."""
    return not journal.matches() and not journal.phones()


def say_hello(
    own: Path, post: Callable[[Reach], object], in_network: Callable[[float], object] = wait,
    find: Callable[[Path], Reach] = reach,
) -> None:  # fmt: skip
    """Wait in a thread until the box is in a network, and post how phones reach it; `own` is its own network's file.

    Without a network the box says nothing by itself: the menu has the reason.
    """

    def follow() -> None:
        try:
            found = find(own) if in_network(HELLO_S) else Reach(trouble="no network")
        except NoNetwork as fault:
            found = Reach(trouble=str(fault))
        if found.trouble:
            log.info("No hello: %s", found.trouble)
        else:
            post(replace(found, hello=True))

    Thread(target=follow, name="umpi-hello", daemon=True).start()
