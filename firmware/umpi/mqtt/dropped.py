"""Messages that are dropped: no message ends a process, and the log names the topic of each that cannot be used."""

from __future__ import annotations

import logging
import shlex
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from umpi.mqtt.broker import Received
from umpi.mqtt.payloads import BadPayload

CAUSES = 1000  # that are counted separately

log = logging.getLogger(__name__)


class Dropped:
    """Drop the messages that cannot be handled. `count` says how many.

    The log has one line for each cause, and another one when it has come 10 times, 100 times and so on.
    """

    def __init__(self) -> None:
        self.count = 0
        self._causes = Counter[tuple[str, str]]()

    @contextmanager
    def dropping(self, message: Received) -> Iterator[None]:
        """Handle a message in this context: whatever is raised because of it drops the message."""
        try:
            yield
        except BadPayload as fault:
            why = f"{fault}{_advice(message)}"
            if times := self._times((message.topic, why)):
                log.warning("%s%s: %s", _printable(message.topic), times, why)
        except Exception as fault:  # a mistake in this program, which the next message need not meet
            place = traceback.extract_tb(fault.__traceback__)[-1]
            if times := self._times((f"{place.filename}:{place.lineno}", type(fault).__name__)):
                log.exception("%s%s: it cannot be handled%s", _printable(message.topic), times, _advice(message))

    def _times(self, cause: tuple[str, str]) -> str:
        """Count a message that is dropped. Return how the log shall begin, "" if it shall say nothing."""
        self.count += 1
        known = cause in self._causes or len(self._causes) < CAUSES
        kind = cause if known else ("", "")  # so that no flood of causes fills the memory or the log
        self._causes[kind] += 1
        number = self._causes[kind]
        if number != 10 ** (len(str(number)) - 1):
            return ""
        return ", a message was dropped" if number == 1 else f", {number} messages were dropped"


def _printable(topic: str) -> str:
    return topic if topic.isprintable() else ascii(topic)


def _advice(message: Received) -> str:
    """Return how to clear a message that the broker keeps and sends again at each start."""
    if not message.retained:
        return ""
    return (
        f". The broker keeps this message. To clear it: mosquitto_pub -r -n -t {_printable(shlex.quote(message.topic))}"
    )
