"""The head at its port: found, asked, lost and found again; every reason is a sentence for people."""

from __future__ import annotations

import errno
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import Any
from zlib import crc32

import pytest
import serial

from tests.kit.patience import HELD_S, got, patiently, wait_for
from umpi.drivers.head import Head, Port, prove
from umpi.drivers.head_link import HeadReport, HeadState
from umpi.drivers.head_protocol import Coloured, HeadEdge, Lost

HELLO = "0 hello umpi-head protocol=1 firmware={firmware} board=e66160f423782934 boot=5f3a0c11"


def sealed(text: str) -> bytes:
    return b"%s *%08x\n" % (text.encode(), crc32(text.encode()))


class FakePort:
    """A port, and behind it a head that answers at once; `fault` is raised by whatever is called next."""

    def __init__(self, answers: bool = True, firmware: str = "1.0") -> None:
        self.firmware = firmware
        self._out, self._in = os.pipe()
        self.fault: Exception | None = None
        self.answers, self.closed = answers, False

    def fileno(self) -> int:
        return self._out

    def read(self, size: int, /) -> bytes:
        if self.fault:
            raise self.fault
        return os.read(self._out, size)

    def write(self, data: bytes, /) -> int:
        if self.fault:
            raise self.fault
        for line in data.decode().splitlines() if self.answers else ():
            words = line.partition(" *")[0].split()
            match words:
                case ["hello", _, _]:
                    self.say(HELLO.format(firmware=self.firmware))
                case ["lines", *_]:
                    self.say("0 lines lane_1=2 second_1=8")
                case ["ping", token]:
                    self.say(f"0 pong {token} {time.monotonic_ns() // 1000}")
                case ["levels"]:
                    self.say("0 levels lane_1=dark second_1=light")
                case ["emit", lane, how]:
                    self.say(f"0 emit {lane} {how} {self.levels(how)}")
                case ["fade", lane]:
                    self.say(f"0 fade {lane} lane_1=77 second_1=-")
                case ["colour", how, register, _]:
                    self.say(f"0 colour {how} {register} 44")
        return len(data)

    def levels(self, how: str) -> str:
        return f"lane_1={'light' if how == 'on' else 'dark'} second_1={'light' if how == 'on' else 'dark'}"

    def say(self, text: str) -> None:
        os.write(self._in, sealed(text))

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            os.close(self._out)
            os.close(self._in)


class Table:
    """A head and all its reports; each attempt to open takes the next of `ports`, an exception or a port."""

    def __init__(self, path: Path) -> None:
        self.path, self.ports = path, list[Any]()
        self.states: list[HeadState] = []
        self.edges: list[Any] = []
        self.lost: list[int] = []
        self.head: Head

    def start(self, *ports: Any, clock: Callable[[], int] = time.monotonic_ns) -> Table:
        self.ports = list(ports)
        self.head = Head(
            str(self.path),
            ("lane_1", "second_1"),
            report=self._report,
            clock=clock,
            open_port=self.open,
            pause_s=0.002,
        )
        return self

    def _report(self, report: HeadReport) -> None:
        match report:
            case HeadState():
                self.states.append(report)
            case Lost(count):
                self.lost.append(count)
            case HeadEdge():
                self.edges.append(report)

    def open(self, _path: str) -> Port:
        found = self.ports.pop(0) if len(self.ports) > 1 else self.ports[0]
        if isinstance(found, Exception):
            raise found
        port: Port = found
        return port

    def wait(self, until: Callable[[], object]) -> None:
        wait_for(until, lambda: self.states)

    def reasons(self, name: str) -> list[str]:
        return [state.reason for state in self.states if state.name == name]


class Asking:
    """A request to the colour sensor at a head whose port is busy; `gone_s` is by how much the clock is ahead."""

    def __init__(self, table: Table) -> None:
        self._table, self.gone_s = table, 0.0
        self._answers: SimpleQueue[Coloured | None] = SimpleQueue()
        self._asked = threading.Event()
        self._thread = threading.Thread(target=self._ask, daemon=True)
        table.start(serial.SerialException(errno.EBUSY, "busy"), clock=self._clock)
        self._thread.start()
        patiently(self._asked.wait)

    def answer(self) -> Coloured | None:
        """Wait for the answer."""
        answer: Coloured | None = got(self._answers)
        self._thread.join()
        return answer

    def _ask(self) -> None:
        self._answers.put(self._table.head.colour("get b2 1", HELD_S))

    def _clock(self) -> int:
        now_ns = time.monotonic_ns() + round(self.gone_s * 1e9)
        if threading.current_thread() is self._thread:
            self._asked.set()
        return now_ns


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    path = tmp_path / "ttyACM0"
    path.touch()
    table = Table(path)
    yield table
    table.head.close()


def test_without_a_head_the_box_says_where_to_plug_it_in(table: Table) -> None:
    table.path.unlink()
    table.start(OSError())
    table.wait(lambda: table.states or table.head.state.reason)
    assert table.head.state == HeadState("looking", f"no sensor head at {table.path}: plug it in")


def test_a_head_is_asked_and_then_ready(table: Table) -> None:
    table.start(FakePort())
    table.wait(lambda: table.head.state.name == "ready")
    assert [state.name for state in table.states] == ["identifying", "ready"]
    assert table.head.dark == {"lane_1"}
    assert table.head.about["board"] == "e66160f423782934"
    assert table.lost == [], "nothing is lost that never was there"


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (serial.SerialException(errno.EACCES, "denied"), "add this user to group dialout"),
        (serial.SerialException(errno.EAGAIN, "locked"), "another program is using"),
        (serial.SerialException(errno.ENOENT, "gone"), "plug it in"),
        (serial.SerialException("could not configure"), "cannot be used as a serial port: could not configure"),
        (ValueError("what a driver may raise"), "cannot be used as a serial port: what a driver may raise"),
    ],
)
def test_a_port_that_cannot_be_had_is_tried_again_and_the_box_says_why(
    table: Table, fault: Exception, reason: str
) -> None:
    table.start(fault, fault, FakePort())
    table.wait(lambda: table.head.state.name == "ready")
    assert reason in table.reasons("looking")[0]
    assert len(table.reasons("looking")) == 1, "the same reason is said once"


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        (serial.SerialException("device reports readiness to read but returned no data"), "was unplugged"),
        (serial.SerialTimeoutException("Write timeout"), "does not respond"),
        (OSError(errno.EIO, "gone"), "was unplugged"),
        (RuntimeError("a bug"), "RuntimeError: a bug"),
    ],
)
def test_an_unplugged_head_is_reported_and_found_again(table: Table, fault: Exception, reason: str) -> None:
    first = FakePort()
    table.start(first, FakePort())
    table.wait(lambda: table.head.state.name == "ready")
    first.fault = fault
    first.say("0 beat 5")
    table.wait(lambda: len(table.reasons("ready")) == 2)
    assert reason in table.reasons("gone")[0]
    assert first.closed
    assert table.lost == [1, 1], "what was on its way, and what happened meanwhile"


def test_a_head_that_is_away_is_logged_once_with_its_traceback_and_once_when_it_is_back(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    busy = serial.SerialException(errno.EBUSY, "busy")
    table.start(busy, busy, ValueError("no such baud rate"), FakePort())
    table.wait(lambda: len(caplog.records) > 1)  # the state changes before its line is there
    assert [(record.levelname, bool(record.exc_info)) for record in caplog.records] == [
        ("WARNING", True),
        ("INFO", False),
    ]
    assert "another program is using" in caplog.records[0].getMessage()


def test_of_several_ports_the_one_with_a_head_is_found(table: Table, tmp_path: Path) -> None:
    (tmp_path / "ttyACM1").touch()
    table.path = tmp_path / "ttyACM*"
    table.start(serial.SerialException(errno.EBUSY, "busy"), FakePort())
    table.wait(lambda: table.head.state.name == "ready")


def test_beams_are_proven_by_their_emitters(table: Table) -> None:
    table.start(FakePort())
    table.wait(lambda: table.head.state.name == "ready")
    assert prove(table.head, 1) == {"lane_1": "", "second_1": ""}


@pytest.mark.parametrize(
    ("off", "on", "what"),
    [
        ("lane_1=light second_1=dark", "lane_1=light second_1=light", "light although its emitter is off"),
        ("lane_1=dark second_1=dark", "lane_1=dark second_1=light", "dark although its emitter is on"),
    ],
)
def test_an_untestable_beam_is_reported_with_advice(table: Table, off: str, on: str, what: str) -> None:
    port = FakePort()
    port.levels = {"off": off, "on": on}.__getitem__  # type: ignore[method-assign]
    table.start(port)
    table.wait(lambda: table.head.state.name == "ready")
    found = prove(table.head, 1)
    assert what in found["lane_1"]
    assert found["second_1"] == ""


@pytest.mark.parametrize(("firmware", "delays"), [("2.2", {"lane_1": 77, "second_1": None}), ("2.1", None)])
def test_a_fade_gives_the_delay_of_each_beam_and_an_older_head_is_not_asked(
    table: Table, firmware: str, delays: dict[str, int | None] | None
) -> None:
    table.start(FakePort())
    table.wait(lambda: table.head.state.name == "ready")
    assert table.head._link.talk
    table.head._link.talk.who["firmware"] = firmware
    assert table.head.fade(1) == delays
    table.head.close()
    assert table.head.fade(1) is None


@pytest.mark.parametrize(("firmware", "data"), [("2.3", b"\x44"), ("2.2", None)])
def test_the_colour_sensor_at_the_head_answers_and_an_older_head_is_not_asked(
    table: Table, firmware: str, data: bytes | None
) -> None:
    table.start(FakePort())
    table.wait(lambda: table.head.state.name == "ready")
    assert table.head._link.talk
    table.head._link.talk.who["firmware"] = firmware
    answer = table.head.colour("get b2 1")
    assert (answer and answer.data) == data
    table.head.close()
    assert table.head.colour("get b2 1") is None


def test_the_colour_sensor_waits_for_a_head_that_is_not_ready(table: Table) -> None:
    """At a start, the first transfer comes before the head has said who it is."""
    asking = Asking(table)
    table.ports = [FakePort(firmware="2.3")]
    assert asking.answer() == Coloured("get b2 1", b"\x44")


def test_a_head_that_is_ready_too_late_is_not_asked_for_colours(table: Table) -> None:
    asking = Asking(table)
    asking.gone_s = HELD_S
    table.ports = [FakePort(firmware="2.3")]
    assert asking.answer() is None
    assert table.head.state.name == "ready"


def test_nobody_waits_for_a_head_that_is_closed(table: Table) -> None:
    asking = Asking(table)
    table.head.close()
    assert asking.answer() is None


def test_no_beam_of_a_missing_head_is_tested(table: Table) -> None:
    table.start(serial.SerialException(errno.EBUSY, "busy"))
    assert table.head.emit(1, False, timeout_s=0.01) is None


def test_it_ends_at_once_whatever_it_is_doing(table: Table) -> None:
    table.start(FakePort(answers=False), clock=lambda: 0)  # its patience never ends
    table.wait(lambda: table.head.state.name == "identifying")
    table.head.close()
    table.head.close()
    assert not table.head._thread.is_alive()
    assert table.head.emit(1, True) is None
