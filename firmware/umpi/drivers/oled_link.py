"""What a panel should show to what it shows, over a bus that may break and to a panel that may lose its power."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import NamedTuple

from umpi.drivers.oled_panel import OledPanel
from umpi.drivers.oled_windows import Chip, changes
from umpi.drivers.screen_saver import MS, Light

log = logging.getLogger(__name__)

# Between attempts to reach a panel that does not answer: whatever hung for a second as the bus came back, the picture
# stands within two
PAUSES_MS = (100, 200, 400, 700)
# A panel that lost its power and got it back answers as if nothing had happened, but has forgotten everything. So all
# is told again when the light changes, which would show what lies in its memory, when the picture has come to rest,
# and four times a minute: an idle box is to be woken rarely.
HEAL_MS = 15_000
SETTLED_MS = 1_500


class Wanted(NamedTuple):
    """What a panel should show: its memory as `windows.pack` makes it, and its light."""

    frame: bytes
    light: Light = "bright"


class Link:
    """Brings a panel to what is wanted, step by step.

    `open_panel` starts the panel up and may raise whatever a driver raises; `clock` gives monotonic nanoseconds.
    `shown` is what stands on the panel, None where that is not known; `trouble` why it is not, "" where all is well.
    """

    def __init__(self, open_panel: Callable[[], OledPanel], chip: Chip, clock: Callable[[], int]) -> None:
        self._open, self._chip, self._clock = open_panel, chip, clock
        self._panel: OledPanel | None = None
        self._failures = 0
        self._heal_ns = 0
        self.shown: Wanted | None = None
        self.trouble = ""

    def step(self, wanted: Wanted) -> int | None:
        """Show what is wanted, or try to; returns when to come again if nothing else is wanted, None: never.

        Where it failed, nothing is to be tried before that. A bus that hangs holds it for as long.
        """
        try:
            self._bring(wanted)
        except Exception as fault:  # whatever a driver raises, the panel is tried again and the game goes on
            if not self.trouble:
                log.warning("The panel does not answer; it is tried again and again: %r", fault, exc_info=True)
            self._let_go()
            self.shown, self.trouble = None, f"{type(fault).__name__}: {fault}"
            self._failures += 1
            return self._clock() + PAUSES_MS[min(self._failures, len(PAUSES_MS)) - 1] * MS
        if self.trouble:
            log.info("The panel answers again")
        self.shown, self.trouble, self._failures = wanted, "", 0
        return None if wanted.light == "off" else self._heal_ns

    def close(self) -> None:
        """Switch the panel off and let go of it."""
        if self._panel:
            try:
                self._panel.light("off")
            except Exception:  # it has gone; so have we
                log.debug("The panel was gone when it was to be switched off", exc_info=True)
        self._let_go()

    def _bring(self, wanted: Wanted) -> None:
        shown, told_anew = self.shown, self._panel is None
        if not self._panel:
            self._panel = self._open()
        elif self._doubtful(wanted):
            self._panel.start()
            shown, told_anew = None, True
        transfers = changes(self._chip, shown and shown.frame, wanted.frame)
        for transfer in transfers:
            self._panel.write(transfer)
        if not shown or shown.light != wanted.light:
            self._panel.light(wanted.light)
        now_ns = self._clock()
        if told_anew:
            self._heal_ns = now_ns + HEAL_MS * MS
        elif transfers:
            self._heal_ns = min(self._heal_ns, now_ns + SETTLED_MS * MS)

    def _doubtful(self, wanted: Wanted) -> bool:
        """Check whether to start the panel up again: the light changes, or it is time and the panel is not off."""
        if self.shown is not None and self.shown.light != wanted.light:
            return True
        return wanted.light != "off" and self._clock() >= self._heal_ns

    def _let_go(self) -> None:
        panel, self._panel = self._panel, None
        if panel:
            try:
                panel.close()
            except Exception:  # the bus is lost anyway
                log.debug("The bus of the panel was gone when it was closed", exc_info=True)
