"""Processes that are killed just before one of their changes of the disk."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

CHANGES = ("os.mkdir", "os.rename", "os.remove", "os.rmdir")  # audit events, beside "open" to write
WRITING = os.O_WRONLY | os.O_RDWR
KILLED, DONE = 9, 0


def killed_at(number: int, act: Callable[[], object]) -> bool:
    """Do something in a process that is killed just before its change of this number; return whether it was.

    A file that it opens to write anew is empty then, as just after that.
    """
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == KILLED
    left = number

    def watch(event: str, told: Any) -> None:
        nonlocal left
        if event in CHANGES or (event == "open" and told[2] & WRITING):
            left -= 1
            if left < 0:
                if event == "open" and told[2] & os.O_TRUNC and os.path.exists(told[0]):
                    os.truncate(told[0], 0)
                os._exit(KILLED)

    try:
        sys.addaudithook(watch)
        act()
        os._exit(DONE)
    finally:
        os._exit(1)
