"""The 128 × 64 OLED: shows the newest picture from its own thread and sends only the changes over the bus."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from umpi.display.picture import Picture
from umpi.display.screen_saver import DisplayState
from umpi.drivers.oled_link import Link, Wanted
from umpi.drivers.oled_panel import OledPanel
from umpi.drivers.oled_windows import Chip, pack
from umpi.kernel.nothing import nothing

CLOSE_S = 2.0  # how long `close` waits for a bus that hangs


class Oled:
    """Show pictures on a panel, which may be connected and disconnected at any time.

    `open_panel` starts the panel and may raise OSError or luma's Error. `show` and `rest` never wait for it.
    `trouble` is the current device error, "" if the panel works; `on_trouble` is called on each change, on the panel's
    thread. `upside_down` rotates every picture by 180°. `clock` returns monotonic nanoseconds.
    """

    def __init__(
        self,
        open_panel: Callable[[], OledPanel],
        chip: Chip,
        on_trouble: Callable[[str], object] = nothing,
        upside_down: bool = False,
        clock: Callable[[], int] = time.monotonic_ns,
    ) -> None:
        self._on_trouble, self._upside_down, self._clock = on_trouble, upside_down, clock
        self._link = Link(open_panel, chip, clock)
        self._picture: Picture | None = None
        self._look = DisplayState()
        self._wanted: Wanted | None = None
        self._shown: Wanted | None = None
        self._closing = False
        self._changed = threading.Condition()
        self.trouble = ""
        self._thread = threading.Thread(target=self._run, name="oled", daemon=True)
        self._thread.start()

    def show(self, picture: Picture) -> None:
        """Show a picture of 128 × 64 dots. Raises ValueError for another size."""
        self._want(picture.copy(), self._look)

    def rest(self, look: DisplayState) -> None:
        """Set the light and shift for the current and all later pictures; initially bright and not shifted."""
        self._want(self._picture, look)

    def wait_shown(self, timeout_s: float = 5.0) -> bool:
        """Wait until the panel shows the newest picture and light; return False after `timeout_s`."""
        with self._changed:
            return self._changed.wait_for(lambda: self._wanted == self._shown, timeout_s)

    def close(self) -> None:
        """Switch the panel off and end the thread; if it hangs on the bus, abandon it after 2 s."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(CLOSE_S)

    def _want(self, picture: Picture | None, look: DisplayState) -> None:
        wanted = Wanted(pack(_moved(picture, look.shift), self._upside_down), look.light) if picture else None
        with self._changed:
            self._picture, self._look, self._wanted = picture, look, wanted
            self._changed.notify_all()

    def _run(self) -> None:
        due_ns: int | None = None
        while wanted := self._next(due_ns):
            due_ns = self._link.step(wanted)
            self._set_trouble(self._link.trouble)
            with self._changed:
                self._shown = self._link.shown
                self._changed.notify_all()
        self._link.close()

    def _next(self, due_ns: int | None) -> Wanted | None:
        """Wait until there is a change or `due_ns` is reached; return what to show, None when closing."""
        pause_s = None if due_ns is None else max(0, due_ns - self._clock()) / 1e9
        with self._changed:
            self._changed.wait_for(lambda: self._closing or (not self.trouble and self._wanted != self._shown), pause_s)
            return None if self._closing else self._wanted

    def _set_trouble(self, trouble: str) -> None:
        if trouble != self.trouble:
            self.trouble = trouble
            self._on_trouble(trouble)


def _moved(picture: Picture, shift: tuple[int, int]) -> Picture:
    if shift == (0, 0):
        return picture
    moved = Picture(*picture.size)
    moved.stamp(picture, *shift)
    return moved
