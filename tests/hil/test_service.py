"""The service as a process: its log covers all runs, and a crash is always an error."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from scripts.hil.service import Ended, Service

UP = """
import os, socket, sys
with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
    notify.sendto(b"READY=1", os.environ["NOTIFY_SOCKET"])
print(sys.argv[1], flush=True)
"""


def started(folder: Path, word: str, then: str = "sys.stdin = os.pipe(); os.read(sys.stdin[0], 1)") -> Service:
    """A service that prints a word and then runs `then`; by default it waits to be killed."""
    return Service([sys.executable, "-c", UP + then, word], folder)


def wait_for_word(service: Service, word: str) -> None:
    """Wait until it has printed a word, or ended."""
    while f"{word}\n" not in service.output():
        service.check()


def test_the_log_keeps_the_output_of_earlier_runs(tmp_path):
    for word in ("first", "second"):
        service = started(tmp_path, word)
        wait_for_word(service, word)
        service.kill()
    assert service.output() == "first\nsecond\n"


@pytest.mark.parametrize("end", [Service.kill, Service.stop])
def test_ending_a_crashed_service_raises_an_error(end, tmp_path):
    service = started(tmp_path, "up", "sys.exit(3)")
    service._process.wait()
    with pytest.raises(Ended, match="status 3:\nup"):
        end(service)


def test_close_returns_the_status_of_an_ended_service(tmp_path):
    service = started(tmp_path, "up", "sys.exit(3)")
    service._process.wait()
    assert service.close() == 3
