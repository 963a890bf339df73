"""Pictures to a 128 × 64 OLED: a thread of its own, the newest picture wins, only what changed goes over the bus."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any, Literal

from PIL import Image

Chip = Literal["ssd1306", "ssd1309", "sh1106"]

WIDTH, PAGES = 128, 8
PAUSES_S = (0.2, 0.5, 1.0, 2.0, 5.0)  # between attempts to reach a panel that does not answer
SH1106_OFFSET = 2  # the chip has 132 columns, the panel shows the middle 128 (SH1106 datasheet, 5.3)


def open_panel(chip: Chip, serial: Any, contrast: int = 127) -> Any:
    """Start a panel up over a luma serial interface; raises OSError or luma's Error where it does not answer."""
    from luma.core import device as base
    from luma.oled import device

    base.atexit = _NoHooks  # luma would keep each panel ever made until the process ends
    try:
        panel = getattr(device, chip)(serial)
        panel.contrast(contrast)
    except BaseException:
        serial.cleanup()
        raise
    panel.umpi_bus = serial
    return panel


class _NoHooks:
    """Stands in for luma's atexit: the panel goes dark in `Oled.close`."""

    @staticmethod
    def register(hook: object) -> None:
        """Leave it."""


class Oled:
    """Shows pictures on a panel that may come and go.

    `open_panel` makes the luma device anew and may raise OSError or luma's Error. `show` never waits. `trouble` is why
    nothing is shown at the moment, "" where all is well; `on_trouble` hears of each change, on the panel's thread.
    """

    def __init__(
        self, open_panel: Callable[[], Any], chip: Chip, on_trouble: Callable[[str], object] = str
    ) -> None:
        self._open, self._sh1106, self._on_trouble = open_panel, chip == "sh1106", on_trouble
        self._panel: Any = None
        self._shown: tuple[bytes, ...] | None = None
        self._wanted: tuple[bytes, ...] | None = None
        self._closing = False
        self._changed = threading.Condition()
        self.trouble = ""
        self._thread = threading.Thread(target=self._run, name="oled", daemon=True)
        self._thread.start()

    def show(self, image: Image.Image) -> None:
        """Show `image`, 128 × 64, 1 bit a dot."""
        with self._changed:
            self._wanted = pack(image)
            self._changed.notify_all()

    def wait_shown(self, timeout_s: float = 5.0) -> bool:
        """Wait until the newest picture stands on the panel; False where it does not in time."""
        with self._changed:
            return self._changed.wait_for(lambda: self._wanted == self._shown, timeout_s)

    def close(self) -> None:
        """Stop the thread and switch the panel off."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(2)
        if self._panel is not None and not self._thread.is_alive():
            with contextlib.suppress(Exception):  # it has gone; so have we
                self._panel.hide()
            self._let_go()

    def _run(self) -> None:
        failures = 0
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closing or self._wanted != self._shown)
                if self._closing:
                    return
                wanted = self._wanted
            assert wanted
            try:
                self._send(wanted)
            except Exception as fault:  # whatever a driver raises, the panel is tried again and the game goes on
                self._tell(f"{type(fault).__name__}: {fault}")
                self._let_go()
                self._shown = None
                with self._changed:
                    self._changed.wait_for(lambda: self._closing, PAUSES_S[min(failures, len(PAUSES_S) - 1)])
                failures += 1
                continue
            failures = 0
            self._tell("")
            with self._changed:
                self._shown = wanted
                self._changed.notify_all()

    def _let_go(self) -> None:
        panel, self._panel = self._panel, None
        if panel is not None:
            with contextlib.suppress(Exception):  # the bus is lost anyway
                panel.umpi_bus.cleanup()

    def _tell(self, trouble: str) -> None:
        if trouble != self.trouble:
            self.trouble = trouble
            self._on_trouble(trouble)

    def _send(self, wanted: tuple[bytes, ...]) -> None:
        if self._panel is None:
            self._panel = self._open()
        for page, first, last in changes(self._shown, wanted):
            if self._sh1106:
                column = first + SH1106_OFFSET
                self._panel.command(0xB0 | page, column & 0x0F, 0x10 | column >> 4)
            else:
                self._panel.command(0x21, first, last, 0x22, page, page)  # column window, page window
            self._panel.data(list(wanted[page][first : last + 1]))


def pack(image: Image.Image) -> tuple[bytes, ...]:
    """Turn a picture into the chip's memory: eight pages of 128 bytes, the lowest bit on top (SSD1306, 8.7)."""
    turned = image.transpose(Image.Transpose.FLIP_TOP_BOTTOM).transpose(Image.Transpose.TRANSPOSE).tobytes()
    return tuple(turned[PAGES - 1 - page :: PAGES] for page in range(PAGES))


def changes(shown: tuple[bytes, ...] | None, wanted: tuple[bytes, ...]) -> Iterator[tuple[int, int, int]]:
    """Tell what has to be sent: page, first and last column of each page that differs."""
    for page, new in enumerate(wanted):
        if shown is None:
            yield page, 0, WIDTH - 1
        elif new != (old := shown[page]):
            differing = [column for column in range(WIDTH) if new[column] != old[column]]
            yield page, differing[0], differing[-1]
