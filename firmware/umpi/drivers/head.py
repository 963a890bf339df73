"""The sensor head at a USB port: finds, identifies and reads it, reconnects, and reports edges on our clock."""

from __future__ import annotations

import errno
import logging
import os
import select
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from glob import glob, has_magic
from typing import Protocol

import serial

from umpi.drivers.head_link import HeadLink, HeadReport, SensorHead, busy, none_plugged, unplugged
from umpi.drivers.head_protocol import Answer, Blink, Coloured, Distrust, Emitted, Faded, Talk, blinks, colours, fades
from umpi.kernel.messages import fault_text, message

log = logging.getLogger(__name__)

PATH = "/dev/serial/by-id/usb-MicroPython_Board_in_FS_mode_*"  # the USB name of a Pico with MicroPython
CHUNK = 4096
BUSY = (errno.EBUSY, errno.EAGAIN)


class Port(Protocol):
    """The methods of a serial port that are used here. `read` must return at once, `write` within a short timeout."""

    def fileno(self) -> int: ...  # noqa: D102
    def read(self, size: int, /) -> bytes: ...  # noqa: D102
    def write(self, data: bytes, /) -> int | None: ...  # noqa: D102
    def close(self) -> None: ...  # noqa: D102


def open_port(path: str) -> Port:
    """Open a serial port for exclusive use. Raises OSError (pyserial's SerialException is one) and others."""
    port: Port = serial.Serial(path, 115_200, timeout=0, write_timeout=0.2, exclusive=True)
    return port


class Head(SensorHead):
    """Read a sensor head, which may be connected and disconnected at any time.

    `path` may be a pattern; its matches are tried in turn. `lines` are the lines to watch, and `report` gets what
    `HeadLink` reports, on the head's thread: put it on a queue and return. `clock` returns monotonic nanoseconds.
    Attempts are `pause_s` apart, the usual time if it is None.
    """

    def __init__(
        self,
        path: str = PATH,
        lines: Sequence[str] = ("lane_1",),
        *,
        report: Callable[[HeadReport], object],
        dark_low: bool = True,
        clock: Callable[[], int] = time.monotonic_ns,
        open_port: Callable[[str], Port] = open_port,
        pause_s: float | None = None,
    ) -> None:
        self.path = path
        super().__init__(HeadLink(lines, report, dark_low, self._answered))
        self._clock, self._open, self._pause_s = clock, open_port, pause_s
        self._closing = False
        self._out = False  # whether the current device error has been logged as a warning
        self._emitter_commands: list[tuple[int, bool, bool]] = []
        self._emitted: dict[int, Emitted] = {}
        self._fades: list[int] = []  # lanes of which one was asked
        self._faded: Faded | None = None
        self._colour_requests: list[str] = []
        self._coloured: Coloured | None = None
        self._blink_asked = False
        self._blink: Blink | None = None
        self._changed = threading.Condition()
        self._kick = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._thread = threading.Thread(target=self._run, name="head", daemon=True)
        self._thread.start()

    def emit(self, lane: int, on: bool, timeout_s: float = 1.0, mute: bool = True) -> frozenset[str] | None:
        """Switch a lane's emitters and return the beams that are dark then; None if the head does not answer in time.

        This call blocks for up to `timeout_s`: use it in the doctor, not during a game. With `mute` the edges of the
        lane are ignored while its emitters are off. Without it they have been reported when this call returns.
        """
        with self._changed:
            if self._closing:
                return None
            self._emitted.pop(lane, None)
            self._emitter_commands.append((lane, on, mute))
            os.eventfd_write(self._kick, 1)
            self._changed.wait_for(lambda: lane in self._emitted, timeout_s)
            answer = self._emitted.pop(lane, None)
        return answer.dark if answer and answer.on == on else None

    def blink(self, timeout_s: float = 0.3) -> Blink | None:
        """Switch all emitters off for 3 ms; return the edges since then, None if the head is too old or away.

        This call blocks for about 30 ms. The edges are reported as well, like any others. Raises TimeoutError if the
        head was asked and does not answer in time: it may have switched them, or may still do so.
        """
        with self._changed:
            if self._closing or not blinks(self.about.get("firmware")):
                return None
            self._blink, self._blink_asked = None, True
            os.eventfd_write(self._kick, 1)
            self._changed.wait_for(lambda: self._blink, timeout_s)
            if not self._blink:
                raise TimeoutError("the sensor head does not answer")
            return self._blink

    def fade(self, lane: int, timeout_s: float = 1.0) -> Mapping[str, int | None] | None:
        """Switch a lane's emitters off for 3 ms; return after how many µs each of its beams was dark.

        A beam that stayed light has None. Without an answer in time, and from an older head, it returns None. This call
        blocks for up to `timeout_s`: use it in the doctor, not during a game. The edges of the lane are ignored.
        """
        with self._changed:
            if self._closing or not fades(self.about.get("firmware")):
                return None
            self._faded = None
            self._fades.append(lane)
            os.eventfd_write(self._kick, 1)
            self._changed.wait_for(lambda: self._faded and self._faded.lane == lane, timeout_s)
            return self._faded.delays_us if self._faded and self._faded.lane == lane else None

    def colour(self, request: str, timeout_s: float = 1.0) -> Coloured | None:
        """Pass a transfer such as "get b2 a" to the colour sensor at the head, and return its answer.

        A head that is not ready is waited for. Without an answer in time, and from an older head, it returns None. This
        call blocks for up to `timeout_s`: use it on a thread of its own.
        """
        end_ns = self._clock() + round(timeout_s * 1e9)

        def answer() -> Coloured | None:
            return self._coloured if self._coloured and self._coloured.request == request else None

        with self._changed:
            self._changed.wait_for(lambda: self._closing or self.state.name == "ready", timeout_s)
            left_s = (end_ns - self._clock()) / 1e9
            if self._closing or self.state.name != "ready" or left_s <= 0:
                return None
            if not colours(self.about.get("firmware")):
                return None
            self._coloured = None
            self._colour_requests.append(request)
            os.eventfd_write(self._kick, 1)
            self._changed.wait_for(lambda: self._closing or answer(), left_s)
            return answer()

    def close(self) -> None:
        """Close the port and end the thread."""
        with self._changed:  # else the thread might end and close `_kick` before the write below
            if self._closing:
                return
            self._closing = True
            self._changed.notify_all()
            os.eventfd_write(self._kick, 1)
        if self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self) -> None:
        while not self._closing:
            paths = sorted(glob(self.path))
            if not paths:
                missing = none_plugged() if has_magic(self.path) else _missing(self.path)
                self._link.miss(self._logged(missing))
            for path in paths:
                if self._closing:
                    break
                if reason := self._visit(path):
                    self._link.lose(reason)
            self._rest()
        with self._changed:
            os.close(self._kick)

    def _visit(self, path: str) -> str:
        """Talk to the device at a port until it fails; return the reason, "" when closing."""
        try:
            port = self._open(path)
        except Exception as fault:  # pyserial raises OSError, ValueError, termios.error and others
            return self._logged(_refusal(path, fault))
        try:
            self._converse(path, port)
        except Distrust as fault:
            return self._logged(message("{port}: {reason}", port=path, reason=fault_text(fault)))
        except serial.SerialTimeoutException:
            deaf = message("the sensor head at {port} does not respond: unplug it and plug it back in", port=path)
            return self._logged(deaf)
        except OSError:
            return self._logged(unplugged(path))
        except Exception as fault:  # on any error the head is contacted again, and the game continues
            return self._logged(f"{path}: {type(fault).__name__}: {fault}")
        finally:
            self._link.leave()
            try:
                port.close()
            except Exception:  # the port is already disconnected
                log.debug("The port %s was gone when it was closed", path, exc_info=True)
        return ""

    def _logged(self, reason: str) -> str:
        """Log a reason and return it: as a warning the first time since the head was ready, then as debug."""
        log.log(logging.DEBUG if self._out else logging.WARNING, "%s", reason, exc_info=sys.exc_info()[1])
        self._out = True
        return reason

    def _converse(self, path: str, port: Port) -> None:
        with self._changed:
            self._emitter_commands, self._fades, self._colour_requests = [], [], []
        talk = self._link.connect(path, self._clock())
        while not self._closing:
            now_ns = self._clock()
            if out := talk.send(now_ns):
                port.write(out)
            wait_s = max(0, talk.due_ns - self._clock()) / 1e9
            readable, _, _ = select.select([port.fileno(), self._kick], [], [], wait_s)
            if self._kick in readable:
                self._wished(talk)
            if port.fileno() in readable:
                data = port.read(CHUNK)
                if self._link.receive(data, self._clock()):
                    self._out = False
                    log.info("The sensor head is ready")
                    with self._changed:
                        self._changed.notify_all()
            else:
                talk.check(now_ns)  # with the time before select(): our own stall is not a head time-out

    def _wished(self, talk: Talk) -> None:
        os.eventfd_read(self._kick)
        with self._changed:
            commands, self._emitter_commands = self._emitter_commands, []
            asked, self._blink_asked = self._blink_asked, False
            lanes, self._fades = self._fades, []
            requests, self._colour_requests = self._colour_requests, []
        if asked:
            talk.blink()
        for command in commands:
            talk.emit(*command)
        for lane in lanes:
            talk.fade(lane)
        for request in requests:
            talk.colour(request)

    def _answered(self, answer: Answer) -> None:
        with self._changed:
            match answer:
                case Emitted():
                    self._emitted[answer.lane] = answer
                case Blink():
                    self._blink = answer
                case Faded():
                    self._faded = answer
                case Coloured():
                    self._coloured = answer
            self._changed.notify_all()

    def _rest(self) -> None:
        if self._closing:
            return
        until_s = time.monotonic() + (self._link.pause_s if self._pause_s is None else self._pause_s)
        while not self._closing and (left_s := until_s - time.monotonic()) > 0:
            if select.select([self._kick], [], [], left_s)[0]:
                os.eventfd_read(self._kick)


def prove(head: Head, lanes: int) -> dict[str, str]:
    """Switch each lane's emitters off and on; return by beam what is wrong with it, "" if it works.

    Keep all beams clear during this test.
    """
    found: dict[str, str] = {}
    watched = [line.partition("=")[0] for line in head.lines if not line.startswith("wall")]
    for lane in range(1, lanes + 1):
        off = head.emit(lane, False)
        on = head.emit(lane, True)
        for line in watched:
            own = int(line[-1]) == lane
            if off is None or on is None:
                trouble = "the head did not answer" if own else ""
            elif own and line in on:
                trouble = "dark although its emitter is on: align it, look at its wires"
            elif own and line not in off:
                trouble = "light although its emitter is off: daylight, another lane's emitter, or a torn wire"
            elif not own and line in off and line not in on:
                trouble = f"goes dark with the emitter of lane {lane}: it does not see its own"
            else:
                trouble = ""
            found[line] = found.get(line) or trouble
    return {line: found[line] for line in watched}


def _missing(path: str) -> str:
    return message("no sensor head at {port}: plug it in", port=path)


def _refusal(path: str, fault: Exception) -> str:
    number = getattr(fault, "errno", None)
    if number == errno.EACCES:
        allow = "sudo usermod -aG dialout $USER"
        return message(
            "no permission for the sensor head at {port}: add this user to group dialout ({allow})",
            port=path,
            allow=allow,
        )
    if number in BUSY:
        return busy(path)
    if number in (errno.ENOENT, errno.ENXIO, errno.ENODEV):
        return _missing(path)
    return message("the sensor head at {port} cannot be used as a serial port: {fault}", port=path, fault=fault)
