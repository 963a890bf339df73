"""Logging: levels, priorities of the systemd journal, tracebacks, and floods that are counted."""

from __future__ import annotations

import io
import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from umpi.service import logs

MINUTE_NS = 60 * 1_000_000_000


class Clock:
    """Time that passes only where a test says so."""

    now_ns = 0

    def __call__(self) -> int:
        return self.now_ns


@pytest.fixture
def written() -> Iterator[tuple[logging.Logger, io.StringIO, Clock]]:
    """A logger whose messages go through the flood handler into a text, and its clock."""
    stream, clock = io.StringIO(), Clock()
    handler = logs.FloodHandler(stream, clock)
    handler.setFormatter(logs.LineFormatter())
    logger = logging.getLogger("umpi.test_logs")
    logger.propagate = False
    logger.setLevel(logging.DEBUG)
    logger.addHandler(handler)
    yield logger, stream, clock
    logger.removeHandler(handler)
    handler.close()
    logger.propagate = True


def test_a_message_shows_its_level(written: tuple[logging.Logger, io.StringIO, Clock]) -> None:
    logger, stream, _ = written
    logger.info("ready")
    logger.warning("display: %s", "no answer")
    assert stream.getvalue() == "umpi: ready\numpi: warning: display: no answer\n"


def test_a_flood_is_counted(written: tuple[logging.Logger, io.StringIO, Clock]) -> None:
    logger, stream, clock = written
    for _ in range(5000):
        logger.warning("the same")
    assert stream.getvalue() == "umpi: warning: the same\n" * logs.SAME
    clock.now_ns = MINUTE_NS
    logger.warning("another")
    assert stream.getvalue().splitlines()[logs.SAME :] == [
        f"umpi: warning: the same ({5000 - logs.SAME} more like this)",
        "umpi: warning: another",
    ]


def test_a_flood_of_different_messages_is_counted(written: tuple[logging.Logger, io.StringIO, Clock]) -> None:
    logger, stream, _ = written
    for number in range(5000):
        logger.warning("line %d", number)
    assert len(stream.getvalue().splitlines()) == logs.DISTINCT
    logger.handlers[0].close()
    assert stream.getvalue().splitlines()[-1].endswith(f"line 4999 ({5000 - logs.DISTINCT} more like this)")


def test_tracebacks_are_written_and_counted(written: tuple[logging.Logger, io.StringIO, Clock]) -> None:
    logger, stream, _ = written
    for _ in range(100):
        try:
            raise ZeroDivisionError("bomb")
        except ZeroDivisionError:
            logger.exception("it failed")
    text = stream.getvalue()
    assert text.count("Traceback") == logs.SAME
    assert "test_logs.py" in text
    assert "ZeroDivisionError: bomb" in text


def test_the_journal_reads_a_priority_on_every_line() -> None:
    try:
        raise ValueError("two\nlines")
    except ValueError as fault:
        record = logging.LogRecord("umpi.x", logging.ERROR, "x.py", 1, "failed", (), (ValueError, fault, None))
    lines = logs.JournalFormatter().format(record).splitlines()
    assert lines[0] == "<3>umpi.x: failed"
    assert all(line.startswith("<3>") for line in lines)
    assert len(lines) >= 3


def test_the_journal_is_known_by_the_file_of_the_stream(tmp_path: Path) -> None:
    with (tmp_path / "log").open("w") as stream:
        status = os.fstat(stream.fileno())
        assert logs.is_journal(stream, {"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"})
        assert not logs.is_journal(stream, {"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino + 1}"})
        assert not logs.is_journal(stream, {})
    assert not logs.is_journal(io.StringIO(), {"JOURNAL_STREAM": "1:1"})


def test_messages_below_the_level_are_left_out() -> None:
    stream, root = io.StringIO(), logging.getLogger()
    before = root.level, list(root.handlers)
    with logs.logging_to(stream, "warning", {}):
        logging.getLogger("umpi.y").warning("once")
        logging.getLogger("umpi.y").info("not at this level")
    assert stream.getvalue() == "umpi: warning: once\n"
    assert (root.level, root.handlers) == before
