"""A virtual card scanner: it turns codes into scans with the line reader of the real scanner."""

from __future__ import annotations

from collections.abc import Callable

from umpi.drivers.scanner import Reader, ScannedLines
from umpi.kernel.messages import message
from umpi.kernel.nothing import nothing
from umpi.timing.events import Scan


class VirtualScanner:
    """Simulate a card scanner with the interface of `drivers.scanner.Scanner`. It starts plugged in."""

    def __init__(
        self,
        reader: Reader,
        on_scan: Callable[[Scan], object],
        clock: Callable[[], int],
        on_trouble: Callable[[str], object] = nothing,
    ) -> None:
        self.reader, self.lines, self.trouble = reader, ScannedLines(reader), ""
        self._on_scan, self._clock, self._on_trouble = on_scan, clock, on_trouble

    def scan(self, code: str) -> None:
        """Scan a card. A disconnected scanner ignores it."""
        if not self.trouble:
            for scan in self.lines.feed(f"{code}\r\n".encode(), self._clock()):
                self._on_scan(scan)

    def pull(self) -> None:
        """Unplug the scanner."""
        self._set_trouble(message("Card scanner at {port} unplugged: plug it back in.", port=self.reader.port))

    def plug(self) -> None:
        """Plug the scanner in."""
        self._set_trouble("")

    def close(self) -> None:
        """Close the scanner."""

    def _set_trouble(self, trouble: str) -> None:
        if trouble != self.trouble:
            self.trouble = trouble
            self._on_trouble(trouble)
