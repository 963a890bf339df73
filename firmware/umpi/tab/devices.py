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
from umpi.table.seats import COLOURS
from umpi.timing.edge import Edge
from umpi.timing.lines import BUTTONS
from umpi.timing.tune import PATTERNS_MS, Tune


class TabDevices:
    """Keep what the box shows, and post the edges of its buttons. `changed` is called after each change of its face."""

    sounder_trouble = ""

    def __init__(self, inbox: Inbox, clock: Callable[[], int], changed: Callable[[], object]) -> None:
        self._inbox, self._clock, self._changed = inbox, clock, changed
        self.device_errors: dict[str, str] = {}
        self._down: set[str] = set()
        self._picture, self._look = Picture(WIDTH, HEIGHT), DisplayState()
        self._lit: tuple[Collection[int], Collection[int]] = ((), ())
        self._tune, self._sounding = Tune(), False

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

    def hold(self, button: str, down: bool) -> None:
        """Press or release a button."""
        if down == (button in self._down) or button not in BUTTONS:
            return
        self._down ^= {button}
        self._inbox.post(Edge(button, down, self._clock()))

    def held(self) -> list[str]:
        """Return the names of the buttons that are down."""
        return sorted(self._down)

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
