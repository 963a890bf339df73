"""Reports when the display shows a picture, for the check of the devices at the box."""

from __future__ import annotations

import threading
from collections.abc import Callable

from umpi.box.box import Box
from umpi.referee.events import PictureShown

PATIENCE_S = 2.0


def time_picture(box: Box, clock: Callable[[], int], post: Callable[[PictureShown], object]) -> threading.Thread:
    """Wait on a thread of its own until the display shows the newest picture, then post the time. Return the thread.

    If there is no display, or it does not show the picture in time, which its driver reports, None is posted.
    """
    oled = box.oled

    def wait() -> None:
        in_time = oled is not None and oled.wait_shown(PATIENCE_S)
        post(PictureShown(clock() if in_time else None))

    thread = threading.Thread(target=wait, name="shown", daemon=True)
    thread.start()
    return thread
