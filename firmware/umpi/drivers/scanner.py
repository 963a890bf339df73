"""A USB reader of barcodes, QR codes or RFID tags that sends a line a scan, to scans."""

from __future__ import annotations

import errno
import logging
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from glob import glob
from typing import Any

import serial

from umpi.kernel.messages import message

log = logging.getLogger(__name__)

PAUSES_S = (0.2, 0.5, 1.0, 2.0)  # between attempts to find a reader that is not there
LOOK_S = 1.0  # after which a silent reader is looked at all the same
LONGEST = 200  # bytes; what is longer is no line
MS = 1_000_000
SILENCE_NS = 500 * MS  # a line comes in one piece: what is older than this belongs to another

_ENDS = re.compile(rb"[\r\n\x03]")  # CR, LF or both, or the ETX of some RFID readers


@dataclass(frozen=True, slots=True)
class Reader:
    """What is plugged in: a port, or a pattern of one (`/dev/serial/by-id/usb-Honeywell*`), and what its lines are.

    `pattern` must fit a whole line, its group `code` is what was scanned. The same code again within `again_ms` of
    the last time is the same scan: readers repeat, and a tag lies on its reader for a while.
    """

    port: str
    baud: int = 9600
    pattern: str = r"(?P<code>.+)"
    again_ms: int = 2000

    def refusal(self) -> str:
        """Say which value is senseless and what would make sense, "" where all do.

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
            return f'"pattern" is no regular expression: {fault}'
        return "" if "code" in groups else '"pattern" must have a group (?P<code>...), as in (?P<code>.+)'


@dataclass(frozen=True, slots=True)
class Scan:
    """A code that was scanned, its line complete at `at_ns` monotonic nanoseconds."""

    code: str
    at_ns: int


class ScannedLines:
    """Bytes as they come to scans; pure, and whatever comes, the next whole line is read.

    `garbled` counts the lines that were none: other bytes than text, too long, or not of the pattern.
    """

    def __init__(self, reader: Reader) -> None:
        self._pattern, self._again_ns = re.compile(reader.pattern), reader.again_ms * MS
        self._begun = b""
        self._begun_ns = 0  # when the last byte of it came
        self._overlong = False  # the rest of the line belongs to what was too long
        self._last_ns: dict[str, int] = {}  # when each code was last seen, as long as that matters
        self.garbled = 0

    def feed(self, data: bytes, at_ns: int) -> list[Scan]:
        """Take bytes that came at `at_ns`; returns the scans they complete."""
        if at_ns - self._begun_ns > SILENCE_NS:
            self.cut()
        self._begun_ns = at_ns
        *lines, self._begun = _ENDS.split(self._begun + data)
        codes = [self._code(line) for line in lines]
        if len(self._begun) > LONGEST:
            self._begun, self._overlong = b"", True
        return [Scan(code, at_ns) for code in codes if code and self._fresh(code, at_ns)]

    def cut(self) -> None:
        """Forget a line that has only begun: its end will not come."""
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
        """Tell whether a code is a new scan; each repetition makes the reader's patience begin anew."""
        self._last_ns = {code: last for code, last in self._last_ns.items() if at_ns - last < self._again_ns}
        fresh = code not in self._last_ns
        self._last_ns[code] = at_ns
        return fresh


class Scanner:
    """Listens to a reader that may be pulled and plugged in at any time.

    It runs on a thread of its own, on which `on_scan` and `on_trouble` are called: put it on a queue and return.
    `clock` gives monotonic nanoseconds. `trouble` is why nothing is heard at the moment, "" where all is well.
    """

    def __init__(
        self,
        reader: Reader,
        on_scan: Callable[[Scan], object],
        clock: Callable[[], int],
        on_trouble: Callable[[str], object] = str,
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
            except Exception:  # it has gone in this moment
                log.debug("The card reader was gone when it was closed", exc_info=True)
        self._thread.join(2 * LOOK_S)

    def _run(self) -> None:
        failures = 0
        while not self._closing.is_set():
            try:
                self._open()
                self._tell("")
                failures = 0
                while not self._closing.is_set():
                    self._hear()
            except Exception as fault:  # whatever a driver raises, the reader is looked for again, the game goes on
                why = self._in_words(fault)
                log.log(logging.DEBUG if self.trouble else logging.WARNING, "%s", why, exc_info=True)
                self._tell(why)
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
            except Exception:  # it has gone anyway
                log.debug("The port of the card reader was gone when it was closed", exc_info=True)

    def _tell(self, trouble: str) -> None:
        if trouble != self.trouble:
            self.trouble = trouble
            if not trouble:
                log.info("The card reader is back")
            self._on_trouble(trouble)

    def _in_words(self, fault: Exception) -> str:
        port, number = self.reader.port, getattr(fault, "errno", None)
        if number in (errno.ENOENT, errno.ENODEV, errno.ENXIO):
            return message("There is no card reader at {port}: plug it in.", port=port)
        if number in (errno.EACCES, errno.EPERM):
            return message("The card reader at {port} may not be used: add the user to the group dialout.", port=port)
        if number in (errno.EBUSY, errno.EAGAIN):
            return message("The card reader at {port} is used by another program.", port=port)
        if isinstance(fault, OSError):  # pyserial's own errors are such
            return message("The card reader at {port} has gone: plug it in again.", port=port)
        told = f"{type(fault).__name__}: {fault}"
        return message("The card reader at {port} fails: {fault}.", port=port, fault=told)
