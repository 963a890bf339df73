"""The terminal: what is typed and what devices report come in one after the other, nothing is waited for too long."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Iterator

import pytest

from tests.kit.patience import limit_s
from umpi.doctor.bench import Terminal, Typed
from umpi.referee.events import DeviceStatus
from umpi.timing.edge import Edge


class Screen(io.BytesIO):
    def isatty(self) -> bool:
        return True


class Keyboard:
    """A terminal whose keyboard is a pipe."""

    def __init__(self) -> None:
        read, self.keys = os.pipe()
        self.source = os.fdopen(read)
        self.screen = Screen()
        self.terminal = Terminal(self.source, self.screen)

    def type(self, data: bytes) -> None:
        os.write(self.keys, data)


@pytest.fixture
def keyboard() -> Iterator[Keyboard]:
    keyboard = Keyboard()
    yield keyboard
    keyboard.source.close()


def test_lines_come_whole_and_one_by_one(keyboard: Keyboard) -> None:
    keyboard.type(b"y\n\nhal")
    assert [keyboard.terminal.wait(0) for _ in range(3)] == [Typed("y"), Typed(""), None]
    keyboard.type(b"f\r\n")
    assert keyboard.terminal.wait(0) == Typed("half")


def test_an_event_from_a_device_thread_ends_the_waiting(keyboard: Keyboard) -> None:
    edge = Edge("red", True, 5)
    teller = threading.Timer(0.05, keyboard.terminal.post, [edge])
    teller.start()
    assert keyboard.terminal.wait(limit_s()) == edge
    teller.join()


def test_events_keep_their_order(keyboard: Keyboard) -> None:
    events = [DeviceStatus("head", str(number)) for number in range(5)]
    for event in events:
        keyboard.terminal.post(event)
    assert [keyboard.terminal.wait(0) for _ in range(6)] == [*events, None]


def test_a_terminal_that_is_closed_ends_the_guide(keyboard: Keyboard) -> None:
    os.close(keyboard.keys)
    assert keyboard.terminal.wait(1) == Typed("q")


def test_garbage_is_no_fault(keyboard: Keyboard) -> None:
    keyboard.type(b"\xff\xfe\n")
    assert isinstance(keyboard.terminal.wait(0), Typed)


def test_the_next_message_overwrites_a_live_line(keyboard: Keyboard) -> None:
    keyboard.terminal.say("lane_1 DARK", live=True)
    keyboard.terminal.say("lane_1 light", live=True)
    keyboard.terminal.say("Block lane_1.")
    keyboard.terminal.say("2 µs")
    assert keyboard.screen.getvalue() == b"lane_1 DARK\r\x1b[Klane_1 light\r\x1b[KBlock lane_1.\n2 \xc2\xb5s\n"


def test_on_what_is_no_terminal_a_live_line_is_a_line() -> None:
    read, write = os.pipe()
    with os.fdopen(read) as source, os.fdopen(write, "wb"):
        screen = io.BytesIO()
        terminal = Terminal(source, screen)
        terminal.say("lane_1 DARK", live=True)
        terminal.say("lane_1 light", live=True)
        assert screen.getvalue() == b"lane_1 DARK\nlane_1 light\n"
