"""A sensor head at a port of the browser: a busy thread is no silence, and what cannot be used says why."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from umpi.box.config import HeadPlan
from umpi.referee.events import DeviceStatus
from umpi.service.inbox import Inbox
from umpi.simulator.pico import VirtualPico
from umpi.tab.head import TabHead, head_plan
from umpi.timing.units import MS

LANES = HeadPlan(lanes=2)


class Wired:
    """A head whose bytes arrive at once, in time that passes only when a test says so."""

    def __init__(self) -> None:
        self.now_ns, self.inbox = 10**12, Inbox()
        self.pico = VirtualPico(set(), "00000001")
        self.due_ns = 0
        self.head = TabHead(LANES, self.inbox, lambda: self.now_ns, self._write)

    @property
    def us(self) -> int:
        return (self.now_ns - 10**12) // 1000

    def _write(self, text: str) -> None:
        self.pico.take(text.encode(), self.us)

    def deliver(self) -> None:
        """Let what the head has said arrive, and answers to it as well."""
        while self.pico.output:
            sent, self.pico.output[:] = b"".join(self.pico.output), []
            self.now_ns += MS // 2
            self.head.receive(sent.decode("latin-1"), self.now_ns)

    def states(self) -> list[str]:
        """Return the reasons that were posted to the referee."""
        return [event.reason for event in self.inbox.take(999) if isinstance(event, DeviceStatus)]


def wired(play: Callable[[Wired], Any]) -> None:
    async def run() -> None:
        wire = Wired()
        wire.head.opened()
        wire.deliver()
        assert wire.states() == [""], "it is ready"
        if asked := play(wire):
            await asked

    asyncio.run(run())


def test_a_head_that_could_not_be_heard_for_a_while_is_not_silent() -> None:
    def play(wire: Wired) -> None:
        due_ns = wire.now_ns + 500 * MS
        wire.now_ns += 5000 * MS  # the thread was busy, and what the head has sent lies before it
        wire.head.wake(due_ns)
        assert wire.states() == []
        wire.pico.step(wire.us)
        wire.deliver()
        wire.head.wake(wire.now_ns)
        assert wire.states() == []

    wired(play)


def test_a_silent_head_says_so_and_is_asked_again() -> None:
    def play(wire: Wired) -> None:
        wire.now_ns += 2100 * MS
        wire.head.wake(wire.now_ns)
        assert "went silent" in wire.states()[0]
        assert not wire.head.dark
        wire.now_ns += 600 * MS
        wire.head.wake(wire.now_ns)
        wire.deliver()
        assert wire.states() == [""]

    wired(play)


def test_a_device_that_is_no_head_is_not_believed() -> None:
    def play(wire: Wired) -> None:
        wire.head.receive("noise\xff\x00 *00000000\n" * 3, wire.now_ns)
        assert wire.states() == [], "a line may be garbled"
        other = VirtualPico(set(), "00000002")  # another one in its place
        other.take(b"hello 1 1\n", 0)
        wire.head.receive(b"".join(other.output).decode("latin-1"), wire.now_ns)
        assert "restarted" in wire.states()[0]

    wired(play)


def test_its_emitters_are_switched_and_the_edges_are_told() -> None:
    def play(wire: Wired) -> Any:
        async def blink() -> None:
            asked = asyncio.ensure_future(wire.head.blink())
            await asyncio.sleep(0)
            for _ in range(30):
                wire.now_ns += MS
                wire.pico.step(wire.us)
                wire.deliver()
            found = await asked
            assert found is not None
            assert {line: [dark for dark, _ in seen] for line, seen in found.edges.items()} == {
                "lane_1": [True, False], "lane_2": [True, False],
            }  # fmt: skip

        return blink()

    wired(play)


def test_a_port_that_is_gone_or_used_elsewhere_says_so() -> None:
    def play(wire: Wired) -> None:
        wire.head.closed(elsewhere=False)
        wire.head.closed(elsewhere=False)
        wire.head.closed(elsewhere=True)
        wanted = "was unplugged", "is plugged in", "another program"
        assert all(word in text for word, text in zip(wanted, wire.states(), strict=True))
        wire.head.opened()
        wire.deliver()
        assert wire.states() == [""]

    wired(play)


@pytest.mark.parametrize(
    "text",
    [
        "", "null", "7", "[]", "{", '{"lanes": 2}', '{"lanes": 0, "beams": 1, "wall": true}',
        '{"lanes": 2, "beams": 3, "wall": true}', '{"lanes": "2", "beams": 1, "wall": true}',
        '{"lanes": 2, "beams": 1, "wall": 1}',
    ],
)  # fmt: skip
def test_wiring_that_no_head_has_is_none(text: str) -> None:
    assert head_plan(text) is None
