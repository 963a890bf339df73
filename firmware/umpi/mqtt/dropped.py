"""Messages that are dropped: no message ends a process. The log names their topics, and the newest ones are kept."""

from __future__ import annotations

import logging
import shlex
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from umpi.frozen import frozen
from umpi.kernel.nothing import nothing
from umpi.mqtt.broker import Received
from umpi.mqtt.payloads import BadPayload

CAUSES = 1000  # that are counted separately
MOST = 100  # dropped messages that are kept
BEGINNING = 400  # bytes of each that are kept

log = logging.getLogger(__name__)


@frozen
class DroppedMessage:
    """A message that was dropped, with the time by the wall clock, the reason, and how it begins, in printable text."""

    at: str
    topic: str
    why: str
    begins: str

    def line(self) -> str:
        """Describe it for people, on two lines."""
        return f"{self.at}  {_printable(self.topic)}: {self.why}\n    {self.begins}"


class Dropped:
    """Drop the messages that cannot be handled. `count` says how many.

    The log has one line for each cause, and another one when it has come 10 times, 100 times and so on. `keep` gets the
    message of each of these lines: topic, reason, and how it begins.
    """

    def __init__(self, keep: Callable[[str, str, str], object] = nothing) -> None:
        self.count, self._keep = 0, keep
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
                self._note(message, str(fault))
        except Exception as fault:  # a mistake in this program, which the next message need not meet
            place = traceback.extract_tb(fault.__traceback__)[-1]
            if times := self._times((f"{place.filename}:{place.lineno}", type(fault).__name__)):
                log.exception("%s%s: it cannot be handled%s", _printable(message.topic), times, _advice(message))
                self._note(message, "it cannot be handled; the log says where")

    def _note(self, message: Received, why: str) -> None:
        try:
            self._keep(message.topic, why, _begins(message.payload))
        except Exception:  # a full disk, or a database that is away: the log has the message too
            log.warning("A dropped message cannot be kept", exc_info=True)

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


def _begins(payload: bytes) -> str:
    """Return the beginning of a payload as printable ASCII.

    >>> _begins('{"name": "Zoë"}'.encode()), len(_begins(b"x" * 1000))
    ('{"name": "Zo\\\\xc3\\\\xab"}', 402)
    """
    return ascii(payload[:BEGINNING])[2:-1] + (" …" if len(payload) > BEGINNING else "")


def _printable(topic: str) -> str:
    return topic if topic.isprintable() else ascii(topic)


def _advice(message: Received) -> str:
    """Return how to clear a message that the broker keeps and sends again at each start."""
    if not message.retained:
        return ""
    return (
        f". The broker keeps this message. To clear it: mosquitto_pub -r -n -t {_printable(shlex.quote(message.topic))}"
    )
