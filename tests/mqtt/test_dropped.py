"""Messages that are dropped: what the log says of them, and how often."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from pathlib import Path

import pytest

from umpi.cli import main
from umpi.mqtt.broker import Received
from umpi.mqtt.dropped import CAUSES, MOST, Dropped, DroppedMessage
from umpi.mqtt.outbox import Outbox
from umpi.mqtt.payloads import BadPayload

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
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


def test_the_messages_of_the_log_are_kept_as_printable_text() -> None:
    kept: list[tuple[str, str, str]] = []
    dropped = Dropped(lambda *message: kept.append(message))
    for _ in range(20):
        drop(dropped, Received("umpi/x/kept", b"\x1b[2J\xff" + bytes(10_000), False))
    assert len(kept) == 2, "the first and the tenth"
    topic, why, begins = kept[0]
    assert (topic, why) == ("umpi/x/kept", "it is no JSON")
    assert begins.startswith(r"\x1b[2J\xff\x00")
    assert len(begins) < 2_000


def test_a_message_that_cannot_be_kept_ends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    def full(*_: str) -> None:
        raise OSError("No space left on device")

    drop(Dropped(full))
    drop(Dropped(full), fault=RuntimeError("a mistake"))
    assert caplog.messages.count("A dropped message cannot be kept") == 2


def test_the_newest_messages_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mqtt.db"
    assert main(["mqtt", "--dropped", "--outbox", str(file)]) == 0
    assert capsys.readouterr().out == "No message was dropped.\n"
    outbox = Outbox(file)
    for number in range(MOST + 5):
        outbox.drop(lambda: NOON, f"umpi/{number}/next", "it is no JSON", "<xml/>")
    kept = outbox.dropped()
    assert len(kept) == MOST
    assert kept[-1] == DroppedMessage("2026-03-01T12:00:00+00:00", f"umpi/{MOST + 4}/next", "it is no JSON", "<xml/>")
    outbox.close()
    assert main(["mqtt", "--dropped", "--outbox", str(file)]) == 0
    assert capsys.readouterr().out.splitlines()[-2:] == [
        f"2026-03-01T12:00:00+00:00  umpi/{MOST + 4}/next: it is no JSON", "    <xml/>",
    ]  # fmt: skip
