"""The card scanner: a USB reader of barcodes, QR codes or RFID tags that sends one line per scan."""

from __future__ import annotations

import errno
import logging
import re
import threading
from collections.abc import Callable
from glob import glob
from typing import Any

import serial

from umpi.frozen import frozen
from umpi.kernel.messages import message
from umpi.kernel.nothing import nothing
from umpi.timing.events import Scan
from umpi.timing.units import MS

log = logging.getLogger(__name__)

PAUSES_S = (0.2, 0.5, 1.0, 2.0)  # between attempts to open a disconnected reader
LOOK_S = 1.0  # time-out of one read
LONGEST = 200  # bytes of a line; a longer line is discarded
SILENCE_NS = 500 * MS  # a line arrives without a pause: older bytes belong to another line

_ENDS = re.compile(rb"[\r\n\x03]")  # CR, LF or both, or the ETX of some RFID readers


@frozen
class Reader:
    """The settings of a reader: its port, speed and line format.

    `port` is a path or a pattern (`/dev/serial/by-id/usb-Honeywell*`). `pattern` must match a whole line; its group
    `code` is the scanned code. The same code within `again_ms` of the last time is ignored: readers repeat codes, and
    a tag stays on its reader for a while.
    """

    port: str
    baud: int = 9600
    pattern: str = r"(?P<code>.+)"
    again_ms: int = 2000

    def refusal(self) -> str:
        """Return which value is invalid and what is expected, "" if all are valid.

        >>> Reader("/dev/ttyACM0", pattern="[0-9]+").refusal()
        '"pattern" must have a group (?P<code>...), as in (?P<code>.+)'
        """
        if not self.port:
            return '"port" must be the path of a serial port, as in /dev/ttyACM0'
        if type(self.baud) is not int or self.baud not in serial.Serial.BAUDRATES:
            return f'"baud" must be a speed such as 9600 or 115200, not {self.baud}'
        if type(self.again_ms) is not int or self.again_ms < 0:
            return f'"again_ms" must be a whole number, 0 or more, not {self.again_ms}'
        try:
            groups = re.compile(self.pattern).groupindex
        except (re.error, OverflowError, RecursionError) as fault:
            return f'"pattern" is not a regular expression: {fault}'
        return "" if "code" in groups else '"pattern" must have a group (?P<code>...), as in (?P<code>.+)'


class ScannedLines:
    """Parse bytes into scans. Pure; after invalid bytes it resumes at the next line.

    `garbled` counts the invalid lines: not text, too long, or without a match of the pattern.
    """

    def __init__(self, reader: Reader) -> None:
        self._pattern, self._again_ns = re.compile(reader.pattern), reader.again_ms * MS
        self._begun = b""
        self._begun_ns = 0  # when its last byte arrived
        self._overlong = False  # whether the current line is too long, so that its rest is discarded
        self._last_ns: dict[str, int] = {}  # when each code of the last `again_ms` was last scanned
        self.garbled = 0

    def feed(self, data: bytes, at_ns: int) -> list[Scan]:
        """Parse bytes that arrived at `at_ns` and return the scans that they complete."""
        if at_ns - self._begun_ns > SILENCE_NS:
            self.cut()
        self._begun_ns = at_ns
        *lines, self._begun = _ENDS.split(self._begun + data)
        codes = [self._code(line) for line in lines]
        if len(self._begun) > LONGEST:
            self._begun, self._overlong = b"", True
        return [Scan(code, at_ns) for code in codes if code and self._fresh(code, at_ns)]

    def cut(self) -> None:
        """Discard an incomplete line, because its end will not arrive."""
        self.garbled += bool(self._begun) or self._overlong
        self._begun, self._overlong = b"", False

    def _code(self, line: bytes) -> str:
        whole, self._overlong = not self._overlong, False
        try:
            text = line.decode().strip(" \t\x02")
        except UnicodeDecodeError:
            whole, text = False, ""
        if whole and not text:
            return ""
        found = self._pattern.fullmatch(text) if whole and len(line) <= LONGEST and text.isprintable() else None
        self.garbled += found is None
        return (found["code"] or "") if found else ""

    def _fresh(self, code: str, at_ns: int) -> bool:
        """Check whether a code is a new scan; each repetition restarts `again_ms`."""
        self._last_ns = {code: last for code, last in self._last_ns.items() if at_ns - last < self._again_ns}
        fresh = code not in self._last_ns
        self._last_ns[code] = at_ns
        return fresh


class Scanner:
    """Listen to a reader, which may be connected and disconnected at any time.

    `on_scan` and `on_trouble` are called on the scanner's own thread: put the argument on a queue and return.
    `clock` returns monotonic nanoseconds. `trouble` is the current device error, "" if the reader works.
    """

    def __init__(
        self,
        reader: Reader,
        on_scan: Callable[[Scan], object],
        clock: Callable[[], int],
        on_trouble: Callable[[str], object] = nothing,
    ) -> None:
        self.reader, self.lines, self.trouble = reader, ScannedLines(reader), ""
        self._on_scan, self._clock, self._on_trouble = on_scan, clock, on_trouble
        self._port: Any = None
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="scanner", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._closing.set()
        if port := self._port:
            try:
                port.cancel_read()
            except Exception:  # the reader has just been disconnected
                log.debug("The card reader was gone when it was closed", exc_info=True)
        self._thread.join(2 * LOOK_S)

    def _run(self) -> None:
        failures = 0
        while not self._closing.is_set():
            try:
                self._open()
                self._set_trouble("")
                failures = 0
                while not self._closing.is_set():
                    self._hear()
            except Exception as fault:  # on any driver error, open the reader again; the game continues
                why = self._in_words(fault)
                log.log(logging.DEBUG if self.trouble else logging.WARNING, "%s", why, exc_info=True)
                self._set_trouble(why)
            self._let_go()
            self._closing.wait(PAUSES_S[min(failures, len(PAUSES_S) - 1)])
            failures += 1

    def _open(self) -> None:
        path = next(iter(sorted(glob(self.reader.port))), self.reader.port)
        self._port = serial.Serial(path, self.reader.baud, timeout=LOOK_S, exclusive=True)
        self.lines.cut()

    def _hear(self) -> None:
        data = self._port.read(1)
        data += self._port.read(self._port.in_waiting)
        if data:
            for scan in self.lines.feed(data, self._clock()):
                self._on_scan(scan)

    def _let_go(self) -> None:
        port, self._port = self._port, None
        if port is not None:
            try:
                port.close()
            except Exception:  # the reader is already disconnected
                log.debug("The port of the card reader was gone when it was closed", exc_info=True)

    def _set_trouble(self, trouble: str) -> None:
        if trouble != self.trouble:
            self.trouble = trouble
            if not trouble:
                log.info("The card reader is back")
            self._on_trouble(trouble)

    def _in_words(self, fault: Exception) -> str:
        port, number = self.reader.port, getattr(fault, "errno", None)
        if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
            return message("No card scanner at {port}: plug it in.", port=port)
        if number in (errno.EACCES, errno.EPERM):
            return message("No permission for the card scanner at {port}: add the user to group dialout.", port=port)
        if number in (errno.EBUSY, errno.EAGAIN):
            return message("Another program is using the scanner at {port}.", port=port)
        if isinstance(fault, OSError):  # includes pyserial's own errors
            return message("Card scanner at {port} unplugged: plug it back in.", port=port)
        why = f"{type(fault).__name__}: {fault}"
        return message("Card scanner at {port}: {fault}.", port=port, fault=why)
