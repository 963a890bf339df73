"""Find out whether a broker lets in strangers, who could then publish under the name of any box."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from paho.mqtt.client import Client, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

if TYPE_CHECKING:
    from umpi.mqtt.broker import BrokerPlan

log = logging.getLogger(__name__)


class Stranger:
    """Try once to enter a broker without a user, on a thread of its own, and log a warning if that succeeds."""

    def __init__(self, plan: BrokerPlan) -> None:
        self._plan = plan
        self._client = Client(CallbackAPIVersion.VERSION2, clean_session=True, protocol=MQTTv311)
        self._client.on_connect = self._answered
        if plan.tls:
            self._client.tls_set(str(plan.ca) if plan.ca else None)

    def start(self) -> None:
        """Begin to try."""
        self._client.connect_async(self._plan.host, self._plan.port, keepalive=20)
        self._client.loop_start()

    def stop(self) -> None:
        """End the try."""
        self._client.disconnect()
        self._client.loop_stop()

    def _answered(self, client: Client, data: object, flags: object, reason: ReasonCode, more: object) -> None:
        if reason.is_failure:
            log.info("%s:%d lets in nobody without a user", self._plan.host, self._plan.port)
        else:
            warn(self._plan)
        client.disconnect()


def warn(plan: BrokerPlan) -> None:
    """Log that a broker lets in strangers."""
    log.warning(
        "%s:%d lets in everybody. Anybody in the network can send results under the name of any box. "
        "`umpi club --make-broker` writes settings against it.", plan.host, plan.port,
    )  # fmt: skip
