"""A simulated sensor head behind a pty keeps its own time, and reports the exception that ends it."""

from __future__ import annotations

import os
import re
import time

from scripts.hil.ports import HeadPort
from tests.kit.patience import wait_for
from umpi.simulator.pico import BLINK_US


def test_unplugging_and_closing_a_head_reports_no_error(tmp_path):
    complaints: list[str] = []
    head = HeadPort(tmp_path / "head", complaints)
    head.pull()
    head.plug()
    head.close()
    assert complaints == []


def test_an_exception_that_ends_the_head_is_added_to_the_complaints(tmp_path):
    complaints: list[str] = []
    head = HeadPort(tmp_path / "head", complaints)
    with head._lock:
        number = head._port.file
        os.close(number)
        os.dup2(os.open(tmp_path, os.O_RDONLY), number)  # a folder is always ready, and cannot be read
    os.eventfd_write(head._wake, 1)
    wait_for(lambda: not head._thread.is_alive())
    assert not head._thread.is_alive()
    assert "the head ended: IsADirectoryError" in complaints[0]
    head.close()


def test_a_head_whose_thread_runs_late_stamps_its_blink_as_the_chips_timer_does(tmp_path, monkeypatch):
    lines: list[bytes] = []
    head = HeadPort(tmp_path / "head", [])
    with head._lock:  # the thread cannot run meanwhile
        monkeypatch.setattr(head._port, "put", lines.append)
        now_ns = time.monotonic_ns()
        assert head._pico
        head._pico.take(b"lines lane_1\nemit all blink\n", head._us(now_ns))
        head._run_to(now_ns + 50_000_000)
        sent = b"".join(lines).decode()
    head.close()
    dark, light = (int(re.search(rf"{word} lane_1 (\d+)", sent).group(1)) for word in ("dark", "light"))
    assert light - dark == BLINK_US
    assert sent.index("light lane_1") < sent.index("emit all blink")
