"""Reports when the display shows a picture, for the check of the devices at the box."""

from __future__ import annotations

import threading
from collections.abc import Callable

from umpi.box.box import Box
from umpi.referee.events import PictureShown

PATIENCE_S = 2.0


def time_picture(box: Box, clock: Callable[[], int], post: Callable[[PictureShown], object]) -> threading.Thread:
    """Wait on a thread of its own until the display shows the newest picture, then post the time. Return it.

    A display that does not show it in time is reported by its driver; nothing is posted then.
    """
    oled = box.oled

    def wait() -> None:
        if oled and oled.wait_shown(PATIENCE_S):
            post(PictureShown(clock()))

    thread = threading.Thread(target=wait, name="shown", daemon=True)
    thread.start()
    return thread
