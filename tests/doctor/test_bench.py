"""The terminal: what is typed and what devices tell come in one after the other, nothing is waited for too long."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Iterator

import pytest

from patience import PATIENCE_S
from umpi.doctor.bench import Terminal, Typed
from umpi.referee.events import DeviceStatus
from umpi.timing.edge import Edge


class Screen(io.BytesIO):
    def isatty(self) -> bool:
        return True


class Desk:
    """A terminal whose keyboard is a pipe."""

    def __init__(self) -> None:
        read, self.keys = os.pipe()
        self.source = os.fdopen(read)
        self.screen = Screen()
        self.terminal = Terminal(self.source, self.screen)

    def type(self, data: bytes) -> None:
        os.write(self.keys, data)


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    desk.source.close()


def test_lines_come_whole_and_one_by_one(desk: Desk) -> None:
    desk.type(b"y\n\nhal")
    assert [desk.terminal.wait(0) for _ in range(3)] == [Typed("y"), Typed(""), None]
    desk.type(b"f\r\n")
    assert desk.terminal.wait(0) == Typed("half")


def test_what_a_device_tells_on_its_thread_ends_the_waiting(desk: Desk) -> None:
    edge = Edge("red", True, 5)
    teller = threading.Timer(0.05, desk.terminal.post, [edge])
    teller.start()
    assert desk.terminal.wait(PATIENCE_S) == edge
    teller.join()


def test_events_keep_their_order(desk: Desk) -> None:
    events = [DeviceStatus("head", str(number)) for number in range(5)]
    for event in events:
        desk.terminal.post(event)
    assert [desk.terminal.wait(0) for _ in range(6)] == [*events, None]


def test_a_terminal_that_is_closed_ends_the_guide(desk: Desk) -> None:
    os.close(desk.keys)
    assert desk.terminal.wait(1) == Typed("q")


def test_garbage_is_no_fault(desk: Desk) -> None:
    desk.type(b"\xff\xfe\n")
    assert isinstance(desk.terminal.wait(0), Typed)


def test_a_live_line_is_written_over_by_what_is_said_next(desk: Desk) -> None:
    desk.terminal.say("lane_1 DARK", live=True)
    desk.terminal.say("lane_1 light", live=True)
    desk.terminal.say("Block lane_1.")
    desk.terminal.say("2 µs")
    assert desk.screen.getvalue() == b"lane_1 DARK\r\x1b[Klane_1 light\r\x1b[KBlock lane_1.\n2 \xc2\xb5s\n"


def test_on_what_is_no_terminal_a_live_line_is_a_line() -> None:
    read, write = os.pipe()
    with os.fdopen(read) as source, os.fdopen(write, "wb"):
        screen = io.BytesIO()
        terminal = Terminal(source, screen)
        terminal.say("lane_1 DARK", live=True)
        terminal.say("lane_1 light", live=True)
        assert screen.getvalue() == b"lane_1 DARK\nlane_1 light\n"
