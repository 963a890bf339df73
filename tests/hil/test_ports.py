"""A simulated sensor head behind a pty reports the exception that ends it."""

from __future__ import annotations

import os

from scripts.hil.ports import HeadPort
from tests.kit.patience import wait_for


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
