"""The connection to the broker: paho-mqtt, which reconnects by itself, on a thread of its own."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from pathlib import Path

from paho.mqtt.client import Client, MQTTMessage, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from umpi.box.config_file import UTF_8
from umpi.frozen import frozen
from umpi.mqtt.strangers import Stranger, warn
from umpi.mqtt.unreachable import why_ended, why_failed, why_refused

log = logging.getLogger(__name__)


@frozen
class Connected:
    """The broker has accepted the connection."""


@frozen
class Disconnected:
    """The connection is lost, was refused, or could not be made."""

    why: str


@frozen
class Confirmed:
    """The broker has a message, by its number."""

    number: int


@frozen
class Received:
    """A message of a topic that was subscribed to."""

    topic: str
    payload: bytes
    retained: bool


BrokerEvent = Connected | Disconnected | Confirmed | Received


@frozen
class BrokerPlan:
    """Where the broker is, and how to be let in."""

    host: str
    port: int = 1883
    tls: bool = False
    ca: Path | None = None  # the certificate of the authority; without it, those of the system
    user: str = ""
    password: str = ""


class Broker:
    """A connection that posts what happens, from a thread of its own. It tries again until it is stopped.

    `will` is the topic and payload that the broker publishes, retained, if this process is gone. A `client_id` that
    stays the same lets the broker keep messages for a process that is away.
    """

    def __init__(
        self,
        plan: BrokerPlan,
        post: Callable[[BrokerEvent], None],
        will: tuple[str, str] | None = None,
        client_id: str = "",
    ) -> None:
        self._plan, self._post = plan, post
        self._accepted = self._refused = False
        self._logged = ""  # why the broker could not be reached, as the log says it
        client = Client(CallbackAPIVersion.VERSION2, client_id, clean_session=not client_id, protocol=MQTTv311)
        client.on_connect = self._connected
        client.on_connect_fail = lambda c, data: self._lose(why_failed(sys.exception(), plan))
        client.on_disconnect = self._disconnected
        client.on_publish = lambda c, data, number, reason, more: post(Confirmed(number))
        client.on_message = lambda c, data, message: post(_received(message))
        client.max_inflight_messages_set(100)
        client.reconnect_delay_set(1, 30)
        if will:
            client.will_set(*will, qos=1, retain=True)
        if plan.user:
            client.username_pw_set(plan.user, plan.password or None)
        if plan.tls:
            client.tls_set(str(plan.ca) if plan.ca else None)
        self._client = client
        self._stranger: Stranger | None = None

    def start(self) -> None:
        """Connect, now or as soon as the broker answers."""
        self._client.connect_async(self._plan.host, self._plan.port, keepalive=20)
        self._client.loop_start()

    def stop(self) -> None:
        """Disconnect, without the will."""
        self._client.disconnect()
        self._client.loop_stop()
        if self._stranger:
            self._stranger.stop()

    def cut(self) -> None:
        """End the connection as a power cut does, so that the broker publishes the will."""
        self._client.loop_stop()
        if link := self._client.socket():
            link.close()

    def _connected(self, client: Client, data: object, flags: object, reason: ReasonCode, more: object) -> None:
        self._accepted, self._refused = not reason.is_failure, reason.is_failure
        if reason.is_failure:
            self._lose(why_refused(str(reason), self._plan))
            return
        log.info("%s:%d: connected to the broker", self._plan.host, self._plan.port)
        self._logged = ""
        self._post(Connected())
        if not self._stranger:
            self._look_for_strangers()

    def _look_for_strangers(self) -> None:
        """Warn once if the broker lets in whoever comes."""
        self._stranger = Stranger(self._plan)
        if self._plan.user:
            self._stranger.start()
        else:
            warn(self._plan)

    def _disconnected(self, client: Client, data: object, flags: object, reason: ReasonCode, more: object) -> None:
        accepted, refused = self._accepted, self._refused
        self._accepted = self._refused = False
        if not refused and reason.is_failure:
            self._lose(why_ended(str(reason), accepted, self._plan))

    def _lose(self, why: str) -> None:
        """Post that there is no connection; log each reason once."""
        if why != self._logged:
            log.warning("%s:%d: %s", self._plan.host, self._plan.port, why)
        self._logged = why
        self._post(Disconnected(why))

    def publish(self, topic: str, payload: str | bytes, qos: int = 1, retain: bool = False) -> int:
        """Publish a message; return its number, which `Confirmed` names."""
        return int(self._client.publish(topic, payload, qos, retain).mid)

    def subscribe(self, *topics: str) -> None:
        """Subscribe to topics."""
        self._client.subscribe([(topic, 1) for topic in topics])


def _received(message: MQTTMessage) -> Received:
    try:
        topic = message.topic
    except UnicodeDecodeError:  # paho's thread must not end of it; such a topic is none of ours
        topic = ""
    return Received(topic, bytes(message.payload), bool(message.retain))


def password_of(file: Path | None) -> str:
    """Return the password in a file, "" without a file. Raises OSError and UnicodeDecodeError."""
    return file.read_text(encoding=UTF_8).strip() if file else ""
