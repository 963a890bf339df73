"""The link to the panel: brings it to the wanted picture and light, and recovers from bus errors and power loss."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import NamedTuple

from umpi.display.screen_saver import Light
from umpi.drivers.oled_panel import OledPanel
from umpi.drivers.oled_windows import Chip, changes
from umpi.timing.units import MS

log = logging.getLogger(__name__)

# Pauses between attempts to reach a panel that does not answer. Even if the bus hung for a second when it came back,
# the picture appears within two seconds.
PAUSES_MS = (100, 200, 400, 700)
# After a power loss a panel answers as before, but its settings and memory are lost. The link therefore sends
# everything again in three cases: the light changes, which would show the old memory; the picture has not changed for
# SETTLED_MS; and four times a minute. More often would wake an idle box too much.
HEAL_MS = 15_000
SETTLED_MS = 1_500


class Wanted(NamedTuple):
    """What a panel should show: its memory in the format of `oled_windows.pack`, and its light."""

    frame: bytes
    light: Light = "bright"


class Link:
    """Bring a panel to the wanted state, step by step.

    `open_panel` starts the panel and may raise any error of a driver. `clock` returns monotonic nanoseconds.
    `shown` is what the panel shows, None if unknown. `trouble` is the current device error, "" if the panel works.
    """

    def __init__(self, open_panel: Callable[[], OledPanel], chip: Chip, clock: Callable[[], int]) -> None:
        self._open, self._chip, self._clock = open_panel, chip, clock
        self._panel: OledPanel | None = None
        self._failures = 0
        self._heal_ns = 0
        self.shown: Wanted | None = None
        self.trouble = ""

    def step(self, wanted: Wanted) -> int | None:
        """Try to show `wanted`; return when to call again if it does not change, None for never.

        After a failure do not call before the returned time, in nanoseconds. If the bus hangs, this call blocks.
        """
        try:
            self._bring(wanted)
        except Exception as fault:  # on any driver error, try the panel again; the game continues
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
        """Switch the panel off and close it."""
        if self._panel:
            try:
                self._panel.light("off")
            except Exception:  # the panel is already disconnected
                log.debug("The panel was gone when it was to be switched off", exc_info=True)
        self._let_go()

    def _bring(self, wanted: Wanted) -> None:
        shown, restarted = self.shown, self._panel is None
        if not self._panel:
            self._panel = self._open()
        elif self._doubtful(wanted):
            self._panel.start()
            shown, restarted = None, True
        transfers = changes(self._chip, shown and shown.frame, wanted.frame)
        for transfer in transfers:
            self._panel.write(transfer)
        if not shown or shown.light != wanted.light:
            self._panel.light(wanted.light)
        now_ns = self._clock()
        if restarted:
            self._heal_ns = now_ns + HEAL_MS * MS
        elif transfers:
            self._heal_ns = min(self._heal_ns, now_ns + SETTLED_MS * MS)

    def _doubtful(self, wanted: Wanted) -> bool:
        """Check whether to restart the panel: the light changes, or `_heal_ns` has passed and the panel is not off."""
        if self.shown is not None and self.shown.light != wanted.light:
            return True
        return wanted.light != "off" and self._clock() >= self._heal_ns

    def _let_go(self) -> None:
        panel, self._panel = self._panel, None
        if panel:
            try:
                panel.close()
            except Exception:  # the bus has failed already
                log.debug("The bus of the panel was gone when it was closed", exc_info=True)
