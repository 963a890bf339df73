"""A virtual card scanner: codes held before it to scans, through the real scanner's lines."""

from __future__ import annotations

from collections.abc import Callable

from umpi.drivers.scanner import Reader, Scan, ScannedLines
from umpi.kernel.messages import message


class VirtualScanner:
    """A reader that may be pulled and plugged in, to the box what `devices.scanner.Scanner` is; it is plugged in."""

    def __init__(
        self,
        reader: Reader,
        on_scan: Callable[[Scan], object],
        clock: Callable[[], int],
        on_trouble: Callable[[str], object] = str,
    ) -> None:
        self.reader, self.lines, self.trouble = reader, ScannedLines(reader), ""
        self._on_scan, self._clock, self._on_trouble = on_scan, clock, on_trouble

    def scan(self, code: str) -> None:
        """Hold a card before it; while it is pulled nothing comes of that."""
        if not self.trouble:
            for scan in self.lines.feed(f"{code}\r\n".encode(), self._clock()):
                self._on_scan(scan)

    def pull(self) -> None:
        """Pull its plug."""
        self._tell(message("The card reader at {port} has gone: plug it in again.", port=self.reader.port))

    def plug(self) -> None:
        """Plug it in."""
        self.lines.cut()
        self._tell("")

    def close(self) -> None:
        """Let go of it."""

    def _tell(self, trouble: str) -> None:
        if trouble != self.trouble:
            self.trouble = trouble
            self._on_trouble(trouble)
