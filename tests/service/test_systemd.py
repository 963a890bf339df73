"""Notifications to systemd: ready when the picture is there, alive only while the loop runs."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kit.patience import wait_for
from umpi.box.config import Config
from umpi.kernel.nothing import nothing
from umpi.service import run as run_module
from umpi.service import systemd as systemd_module
from umpi.service.inbox import Inbox
from umpi.service.run import _pin_fault, _watch, run_until_signal
from umpi.service.systemd import FIRST_S, MORE_S, ServiceManager, Watchdog, more_time


class Systemd:
    """The other end: a datagram socket as systemd has one."""

    def __init__(self, address: str) -> None:
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        self.socket.bind(address.replace("@", "\0"))
        self.environment = {"NOTIFY_SOCKET": address, "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}

    def notifications(self) -> list[str]:
        """All lines since the last time."""
        lines: list[str] = []
        with contextlib.suppress(BlockingIOError):
            while True:
                lines += self.socket.recv(4096).decode().split("\n")
        return lines


@pytest.fixture(params=["file", "abstract"])
def systemd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Systemd]:
    found = Systemd(str(tmp_path / "notify") if request.param == "file" else f"@umpi-{os.getpid()}")
    with found.socket:
        yield found


def fill(address: str) -> None:
    """Send until the queue is full. Where it is longer than what one socket may have in it, others continue."""
    sent = 1
    while sent:
        sent = 0
        with (
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as other,
            contextlib.suppress(BlockingIOError),
        ):
            while True:
                other.sendto(b"X=1", address)
                sent += 1


class Loop:
    """A loop that comes round when it is woken, unless it is stuck."""

    def __init__(self, systemd: Systemd, **differing: str) -> None:
        self.turned = 1
        self.stuck = False
        self.status = "Pig, Ann's turn"
        manager = ServiceManager({**systemd.environment, **differing})
        self.watch = Watchdog(manager, lambda: self.turned, self.wake, lambda: self.status)

    def wake(self) -> None:
        self.turned += not self.stuck


def test_it_is_ready_once_the_loop_has_been_round_and_fed_from_then_on(systemd: Systemd) -> None:
    loop = Loop(systemd)
    loop.turned = 0
    loop.stuck = True  # the devices are open, the first picture has not been asked for
    loop.watch.look()
    assert systemd.notifications() == []
    assert not loop.watch.ready
    loop.turned = 1
    loop.stuck = False
    loop.watch.look()
    assert systemd.notifications() == ["READY=1", "WATCHDOG=1", "STATUS=Pig, Ann's turn"]
    loop.watch.look()
    assert systemd.notifications() == ["WATCHDOG=1", "STATUS=Pig, Ann's turn"]


def test_a_blocked_loop_sends_no_watchdog_message(systemd: Systemd) -> None:
    """It may wait for ever for an event that never comes, while everything else continues."""
    loop = Loop(systemd)
    loop.watch.look()
    systemd.notifications()
    loop.stuck = True
    loop.watch.look()  # it has been round since the first look
    assert "WATCHDOG=1" in systemd.notifications()
    loop.watch.look()
    loop.watch.look()
    assert systemd.notifications() == []


def test_it_looks_at_half_of_what_the_watchdog_allows_on_the_loops_own_thread(systemd: Systemd) -> None:
    """sd_watchdog_enabled(3) asks for half; a thread of its own would feed while a callback holds the loop."""
    loop, pauses, threads = Loop(systemd), [], []

    async def run() -> None:
        stop = asyncio.Event()

        async def rest(stop: asyncio.Event, seconds: float) -> None:
            pauses.append(seconds)
            threads.append(threading.current_thread())
            if len(pauses) == 3:
                stop.set()

        loop.watch.ready = False
        loop.turned, loop.stuck = 0, True
        running = asyncio.create_task(loop.watch.run(stop, rest))
        loop.stuck = False
        await running

    asyncio.run(run())
    assert pauses == [FIRST_S, 15.0, 15.0]
    assert set(threads) == {threading.main_thread()}
    assert systemd.notifications()[-1] == "STOPPING=1"


def test_a_watchdog_that_is_anothers_is_not_ours_to_feed(systemd: Systemd) -> None:
    """WATCHDOG_PID names another process, for example a shell that started this one."""
    assert ServiceManager(systemd.environment).patience_s == 30.0
    assert ServiceManager({**systemd.environment, "WATCHDOG_PID": "1"}).patience_s == 0
    assert ServiceManager({"NOTIFY_SOCKET": "/nowhere"}).patience_s == 0
    with pytest.raises(KeyError):
        ServiceManager({})


def test_an_unresponsive_manager_is_notified_again_without_blocking(systemd: Systemd) -> None:
    """Its queue is full, as while it is busy: sending never waits, and readiness is reported once there is room."""
    loop = Loop(systemd)
    fill(systemd.environment["NOTIFY_SOCKET"].replace("@", "\0"))
    loop.watch.look()
    assert not loop.watch.ready
    systemd.notifications()
    loop.watch.look()
    assert systemd.notifications()[0] == "READY=1"


def test_a_fault_of_the_pins_is_seen_on_the_panel_and_by_the_watchdog(systemd: Systemd, in_play: Any) -> None:
    rig = in_play()
    watch = _watch(rig.loop, ServiceManager(systemd.environment))
    watch.look()
    assert "WATCHDOG=1" in systemd.notifications()
    _pin_fault(rig.loop.inbox.post, "GPIO16", OSError("no such line"))
    rig.settle()
    assert rig.shows("ERR"), rig.screen
    watch.look()
    rig.settle()
    watch.look()
    assert "WATCHDOG=1" not in systemd.notifications()


def test_a_status_that_fails_does_not_starve_the_watchdog(systemd: Systemd) -> None:
    """It comes from a game, which may be anybody's; and a line break would begin another assignment."""
    loop = Loop(systemd)
    loop.status = "Pig,\nMAINPID=1"
    loop.watch.look()
    assert systemd.notifications()[-1] == "STATUS=Pig, MAINPID=1"
    loop.watch = Watchdog(ServiceManager(systemd.environment), lambda: 7, loop.wake, lambda: {}["turn"])
    loop.watch.look()
    assert systemd.notifications()[1:] == ["WATCHDOG=1", "STATUS=KeyError: 'turn'"]


def test_a_table_at_rest_comes_round_for_the_watch_and_shows_nothing_new(systemd: Systemd, in_play: Any) -> None:
    """Nobody presses for an hour: the loop must not be taken for dead."""
    rig = in_play()
    woken: list[bool] = []
    rig.loop.inbox.waker.wake = lambda: woken.append(True)
    watch = _watch(rig.loop, ServiceManager(systemd.environment))
    watch.look()
    assert systemd.notifications()[-1] == "STATUS=Dodéka dice, Ann's turn"
    shown, drew = rig.screen, []
    rig.loop._show = drew.append
    for _ in range(240):
        rig.settle()  # as the loop does once it is woken
        watch.look()
        assert woken
        woken.clear()
        assert "WATCHDOG=1" in systemd.notifications()
    assert (rig.screen, drew) == (shown, [])


def test_a_box_notifies_when_it_is_ready_and_when_it_stops(
    systemd: Systemd, in_play: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `umpi run` does it, from its first picture to SIGTERM, which comes once it is ready."""
    rig = in_play()
    for key, value in systemd.environment.items():
        monkeypatch.setenv(key, value)
    original_tell = ServiceManager.tell

    def tell(manager: ServiceManager, *lines: str) -> bool:
        if "READY=1" in lines:
            assert rig.loop.turned, "no picture yet"
            os.kill(os.getpid(), signal.SIGTERM)
        return original_tell(manager, *lines)

    monkeypatch.setattr(ServiceManager, "tell", tell)
    rig.loop.turned = 0
    with asyncio.Runner() as runner:
        runner.run(run_until_signal(rig.loop, None))
        woken = signal.set_wakeup_fd(-1)
    assert woken == -1, "a tick of the engines' watch would be written to the pipe of a closed loop"
    notifications = systemd.notifications()
    assert (notifications[0], notifications[-1]) == ("READY=1", "STOPPING=1")


def test_a_start_that_takes_long_is_given_more_time_as_long_as_it_takes(
    systemd: Systemd, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A box that repairs a large journal must not be ended and begun again for ever."""
    monkeypatch.setattr(systemd_module, "AGAIN_S", 0.001)
    asked: list[str] = []

    def asked_often() -> bool:
        asked.extend(systemd.notifications())
        return len(asked) >= 3

    with more_time(systemd.environment):
        wait_for(asked_often)
    systemd.notifications()
    assert set(asked) == {f"EXTEND_TIMEOUT_USEC={round(MORE_S * 1e6)}"}
    assert "start" not in [thread.name for thread in threading.enumerate()], "it has ended with what took long"


def test_the_service_opens_its_journal_while_it_has_more_time(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    inside: list[str] = []

    class Opened(Exception):
        pass

    @contextlib.contextmanager
    def noting(environment: Any) -> Iterator[None]:
        inside.append("more time")
        yield
        inside.append("over")

    def journal(config: Config) -> None:
        inside.append("journal")
        raise Opened

    monkeypatch.setattr(run_module, "more_time", noting)
    monkeypatch.setattr(run_module, "journal_of", journal)
    with pytest.raises(Opened):
        run_module._run(Config(journal=tmp_path / "games.db"), Inbox(), nothing, None)
    assert inside == ["more time", "journal"]
