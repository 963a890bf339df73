"""The service as a process: its log goes over all its lives, and an end nobody asked for is never passed over."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from hil_box.service import Ended, Service

UP = """
import os, socket, sys
with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
    notify.sendto(b"READY=1", os.environ["NOTIFY_SOCKET"])
print(sys.argv[1], flush=True)
"""


def started(folder: Path, word: str, then: str = "sys.stdin = os.pipe(); os.read(sys.stdin[0], 1)") -> Service:
    """A service that says a word and then waits for its end, unless something else is named."""
    return Service([sys.executable, "-c", UP + then, word], folder)


def until_said(service: Service, word: str) -> None:
    """Wait until it has said a word, or ended."""
    while f"{word}\n" not in service.said():
        service.check()


def test_the_log_keeps_what_was_said_in_the_life_before(tmp_path):
    for word in ("first", "second"):
        service = started(tmp_path, word)
        until_said(service, word)
        service.kill()
    assert service.said() == "first\nsecond\n"


@pytest.mark.parametrize("end", [Service.kill, Service.stop])
def test_one_that_has_crashed_is_not_killed_in_silence(end, tmp_path):
    service = started(tmp_path, "up", "sys.exit(3)")
    service._process.wait()
    with pytest.raises(Ended, match="status 3:\nup"):
        end(service)


def test_what_is_put_away_may_have_ended(tmp_path):
    service = started(tmp_path, "up", "sys.exit(3)")
    service._process.wait()
    assert service.close() == 3
