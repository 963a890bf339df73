"""The devices of a box in a tab: the page draws its screen, its lamps and its buttons, and beeps."""

from __future__ import annotations

import base64
from collections.abc import Callable, Collection
from itertools import cycle
from typing import Any

from umpi.display.picture import Picture
from umpi.display.screen_saver import DisplayState
from umpi.display.sheet import HEIGHT, WIDTH
from umpi.kernel.calls import Sound
from umpi.service.inbox import Inbox
from umpi.tab.head import TabHead
from umpi.table.seats import COLOURS
from umpi.timing.edge import Edge
from umpi.timing.lines import BUTTONS
from umpi.timing.tune import PATTERNS_MS, Tune
from umpi.timing.units import MS

TOUCHED_NS = 17 * MS  # a touch screen is read 60 times a second or more, so a press is at most that much older
LATE_NS = 10_000 * MS  # the longest delay between the page and the box that is believed: the thread may be busy


class PageClock:
    """Bring the times of the page to the clock of the box.

    The browser gives both threads the same time (W3C High Resolution Time, section 4), so one look at both clocks tells
    how far they are apart. The order of presses is then that of the page.

    >>> clock = PageClock(page_ns=1_000, now_ns=501_000)
    >>> clock.stamp(2_000, 509_000), clock.stamp(3_000, 509_000), clock.stamp(999_000, 510_000)
    (502000, 503000, 510000)
    """

    def __init__(self, page_ns: int, now_ns: int) -> None:
        self._apart_ns = now_ns - page_ns

    def stamp(self, at_ns: int, now_ns: int) -> int:
        """Return when something happened that arrives now, by the clock of the box; an impossible time is not taken."""
        there_ns = at_ns + self._apart_ns
        return there_ns if now_ns - LATE_NS <= there_ns <= now_ns else now_ns


class TabDevices:
    """Keep what the box shows, and post the edges of its buttons. `changed` is called after each change of its face.

    Without the clock of the `page`, the arrival of a press is its time. `head` is the sensor head, if there is one.
    """

    sounder_trouble = ""

    def __init__(
        self,
        inbox: Inbox,
        clock: Callable[[], int],
        changed: Callable[[], object],
        page: PageClock | None = None,
        head: TabHead | None = None,
    ) -> None:
        self._inbox, self._clock, self._changed = inbox, clock, changed
        self.device_errors: dict[str, str] = {}
        self._down: set[str] = set()
        self._picture, self._look = Picture(WIDTH, HEIGHT), DisplayState()
        self._lit: tuple[Collection[int], Collection[int]] = ((), ())
        self._tune, self._sounding = Tune(), False
        self._page, self._head = page, head

    def face(self) -> dict[str, Any]:
        """Return what the box shows, as the page draws it."""
        dark, look = Picture(WIDTH, HEIGHT), self._look
        if look.light != "off":
            dark.stamp(self._picture, *look.shift)
        lit, blinking = ([COLOURS[seat] for seat in sorted(seats)] for seats in self._lit)
        return {
            "dots": base64.b64encode(dark.tobytes()).decode(), "light": look.light, "lit": sorted({*lit, *blinking}),
            "blinking": blinking, "sounding": self._sounding, "lanes": 0,
        }  # fmt: skip

    def hold(self, button: str, down: bool, at_us: int | None = None) -> None:
        """Press or release a button. `at_us` is when, by the clock of the page, None if only the arrival is known."""
        if down == (button in self._down) or button not in BUTTONS:
            return
        self._down ^= {button}
        self._inbox.post(Edge(button, down, self.stamp(at_us)))

    def stamp(self, at_us: int | None) -> int:
        """Return when something happened at the page, by the clock of the box."""
        now_ns = self._clock()
        return now_ns if self._page is None or at_us is None else self._page.stamp(1000 * at_us, now_ns)

    def held(self) -> list[str]:
        """Return the names of the buttons that are down and of the beams that are dark."""
        return sorted(self._down) + sorted(self._head.dark if self._head else ())

    def show(self, picture: Picture | None, lit: Collection[int], blinking: Collection[int], now_ns: int) -> None:
        """Show a picture if there is one, light the lamps of the seats in `lit`, and let those in `blinking` blink."""
        self._picture, self._lit = picture or self._picture, (lit, blinking)
        self._changed()

    def rest(self, look: DisplayState) -> None:
        """Set the display state for the current and all later pictures."""
        self._look = look
        self._changed()

    def sound(self, sound: Sound, now_ns: int) -> None:
        """Play a sound."""
        self._tune.begin(zip(cycle((1, 0)), PATTERNS_MS[sound]), now_ns)
        self.tick_sounder(now_ns)

    def say(self, text: str, language: str) -> None:
        """Do nothing: the page itself reads aloud."""

    @property
    def due_ns(self) -> int | None:
        """Return when the sound changes next; None in silence. The page lets the lamps blink."""
        return self._tune.due_ns

    def tick_sounder(self, now_ns: int) -> None:
        """Change the sound that is due at `now_ns`."""
        if (on := self._tune.due(now_ns)) is not None:
            self._sounding = bool(on)
            self._changed()

    def tick_lamps(self, now_ns: int) -> None:
        """Do nothing: the page lets the lamps blink."""
