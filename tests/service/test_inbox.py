"""The queue between the devices' threads and the loop: order, batches, and what a flood leaves."""

from __future__ import annotations

import asyncio
import gc
import sys
from typing import Any

import pytest

from tests.kit.patience import soon
from tests.kit.rig import Rig
from umpi.referee.events import DeviceStatus
from umpi.service.inbox import MOST, Inbox
from umpi.service.loop import BATCH, SWITCH_S
from umpi.service.waker import Waker
from umpi.timing.edge import Edge
from umpi.timing.events import Lost

USUAL_S = 0.005  # the switch interval of Python


def flood(inbox: Inbox, line: str, count: int) -> None:
    for n in range(count):
        inbox.post(Edge(line, n % 2 == 0, n))


def test_events_come_out_in_the_order_they_were_posted() -> None:
    inbox = Inbox()
    flood(inbox, "red", 10)
    assert [event.at_ns for event in inbox.take(4) if isinstance(event, Edge)] == [0, 1, 2, 3]
    assert [event.at_ns for event in inbox.take(100) if isinstance(event, Edge)] == [4, 5, 6, 7, 8, 9]
    assert not inbox


def test_the_loop_is_woken_once_for_all_that_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    woken: list[int] = []
    inbox = Inbox()
    monkeypatch.setattr(inbox.waker, "wake", lambda: woken.append(1))
    flood(inbox, "red", 10)
    assert len(woken) == 1
    inbox.take(100)
    flood(inbox, "red", 1)
    assert len(woken) == 2


def test_who_was_woken_before_the_wait_does_not_wait_but_once() -> None:
    """An event may come while the last ones are processed."""
    waker = Waker()

    async def wait() -> None:
        await asyncio.to_thread(waker.wake)
        await soon(waker.wait())
        again = asyncio.create_task(waker.wait())
        await asyncio.sleep(0)
        assert not again.done()
        waker.wake()
        await soon(again)

    asyncio.run(wait())


def test_a_wait_ends_by_itself_in_time() -> None:
    asyncio.run(soon(Waker().wait(0.001)))


def test_a_loop_that_has_ended_is_woken_in_vain() -> None:
    """A device may still report something while the box stops."""
    waker = Waker()

    async def give_up() -> None:
        waker._waiting = asyncio.get_running_loop(), asyncio.Event()

    asyncio.run(give_up())
    waker.wake()


def test_a_flood_is_bounded_and_reported_with_the_last_level_of_the_line() -> None:
    inbox = Inbox()
    flood(inbox, "red", MOST + 100)
    first = inbox.take(MOST)
    assert len(first) == MOST + 2
    assert first[-2] == Edge("red", (MOST + 99) % 2 == 0, MOST + 99)
    assert isinstance(trouble := first[-1], DeviceStatus)
    assert trouble.device == "red"
    assert trouble.reason
    assert inbox.take(1) == [DeviceStatus("red", "")], "once it is over the button is well again"
    assert inbox.take(1) == []


def test_dropped_edges_of_a_beam_are_lost_to_the_gate() -> None:
    """A verdict without them would be wrong; edges of a button say nothing about cubes."""
    inbox = Inbox()
    flood(inbox, "lane_2", MOST)
    flood(inbox, "lane_2", 5)
    flood(inbox, "red", 5)
    assert [event for event in inbox.take(MOST) if isinstance(event, Lost)] == [Lost(5)]


class Flooding(Inbox):
    """An inbox that never runs dry: a line that changes faster than anybody can look."""

    taken = 0

    def __bool__(self) -> bool:
        return True

    def take(self, most: int) -> list[Any]:
        """Return as many edges as were asked for."""
        self.taken += most
        return [Edge("red", n % 2 == 0, n) for n in range(most)]


def test_a_round_of_the_loop_ends_under_a_flood(in_play: Any) -> None:
    rig: Rig = in_play()
    flooding = rig.loop.inbox = Flooding()
    before = rig.loop.turned
    rig.settle()
    assert rig.loop.turned == before + 1
    assert flooding.taken == BATCH


@pytest.mark.parametrize("line", ["red", "lane_1"])
def test_other_tasks_of_the_loop_run_during_a_flood(in_play: Any, line: str) -> None:
    """Phones are served by the same loop."""
    rig: Rig = in_play()
    rig.loop.inbox = Flooding()

    async def turns() -> int:
        stop, count = asyncio.Event(), 0
        running = asyncio.create_task(rig.loop.run(stop))
        while rig.loop.turned < before + 5:
            count += 1
            await asyncio.sleep(0)
        stop.set()
        await running
        return count

    before = rig.loop.turned
    assert asyncio.run(turns()) >= 5


def test_neither_the_collector_nor_another_thread_stops_the_game_for_long(in_play: Any) -> None:
    """A look at all that was imported took some 30 ms, and a thread that computes kept the loop waiting for 5 ms."""
    rig: Rig = in_play()
    sys.setswitchinterval(USUAL_S)
    gc.disable()  # as a start does

    async def turn() -> None:
        stop = asyncio.Event()
        running = asyncio.create_task(rig.loop.run(stop))
        await asyncio.sleep(0)
        stop.set()
        await running

    try:
        asyncio.run(turn())
        assert gc.isenabled()
        assert gc.get_freeze_count() > 50_000
        assert sys.getswitchinterval() == pytest.approx(SWITCH_S)
    finally:
        gc.enable()
        gc.unfreeze()
        sys.setswitchinterval(USUAL_S)
