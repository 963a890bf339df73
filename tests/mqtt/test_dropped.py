"""Messages that are dropped: what the log says of them, and how often."""

from __future__ import annotations

import logging

import pytest

from umpi.mqtt.broker import Received
from umpi.mqtt.dropped import CAUSES, Dropped
from umpi.mqtt.payloads import BadPayload

MESSAGE = Received("umpi/x/state", b"", False)


def drop(dropped: Dropped, message: Received = MESSAGE, fault: Exception | None = None) -> None:
    with dropped.dropping(message):
        raise fault or BadPayload("it is no JSON")


def test_each_cause_is_logged_once_with_its_topic_and_again_when_it_is_ten_times_as_many(
    caplog: pytest.LogCaptureFixture,
) -> None:
    dropped = Dropped()
    for _ in range(100):
        drop(dropped)
    drop(dropped, fault=BadPayload("another"))
    drop(dropped, Received("umpi/y/state", b"", False))
    assert caplog.messages == [
        "umpi/x/state, a message was dropped: it is no JSON",
        "umpi/x/state, 10 messages were dropped: it is no JSON",
        "umpi/x/state, 100 messages were dropped: it is no JSON",
        "umpi/x/state, a message was dropped: another",
        "umpi/y/state, a message was dropped: it is no JSON",
    ]
    assert dropped.count == 102


@pytest.mark.parametrize(("topic", "shown"), [
    ("umpi/x/next", "umpi/x/next"), ("umpi/a b/next", "'umpi/a b/next'"), ("umpi/$(x)/next", "'umpi/$(x)/next'"),
])  # fmt: skip
def test_the_log_says_how_to_clear_what_the_broker_keeps(
    topic: str, shown: str, caplog: pytest.LogCaptureFixture
) -> None:
    dropped = Dropped()
    drop(dropped, Received(topic, b"", False))  # as it comes when it is published
    drop(dropped, Received(topic, b"", True))  # as it comes after each connection
    assert caplog.messages[1].endswith(f"The broker keeps this message. To clear it: mosquitto_pub -r -n -t {shown}")


def test_a_mistake_of_ours_is_logged_once_with_its_traceback(caplog: pytest.LogCaptureFixture) -> None:
    dropped = Dropped()
    for number in range(3):
        drop(dropped, Received(f"umpi/{number}/state", b"", False), ZeroDivisionError("ours"))
    (entry,) = caplog.records
    assert entry.exc_info
    assert entry.getMessage() == "umpi/0/state, a message was dropped: it cannot be handled"
    assert dropped.count == 3


def test_no_flood_fills_the_log_or_breaks_its_lines(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    dropped = Dropped()
    for number in range(20 * CAUSES):
        drop(dropped, Received(f"umpi/{number}\n/state", b"", True))
    assert CAUSES <= len(caplog.messages) <= CAUSES + 6
    assert not any("\n" in line for line in caplog.messages)


def test_what_ends_a_program_passes() -> None:
    with pytest.raises(KeyboardInterrupt), Dropped().dropping(MESSAGE):
        raise KeyboardInterrupt
