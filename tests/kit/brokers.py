"""A Mosquitto of the tests: on a free port, in a folder of its own, which can be killed and started again."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.kit.patience import wait_for
from umpi.club.make_broker import make_broker
from umpi.mqtt.broker import Broker, BrokerPlan, Connected, Received

MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin")
needs_mosquitto = pytest.mark.skipif(not MOSQUITTO, reason="Mosquitto is not here: sudo scripts/setup --all")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


class Mosquitto:
    """A broker without persistence, so that a kill loses all that a broker can lose.

    `certificate` is a file with a key and its certificate for TLS. `users` are those who may log in, with passwords;
    None lets in everybody. `acl` says who may publish what.
    """

    def __init__(
        self, folder: Path, certificate: Path | None = None, users: dict[str, str] | None = None, acl: str = ""
    ) -> None:
        self.port = free_port()
        self._file = folder / "mosquitto.conf"
        self._users = folder / "users"
        lines = [f"listener {self.port} 127.0.0.1", "persistence false", "user root"]  # so that it reads its files
        lines += [f"certfile {certificate}", f"keyfile {certificate}"] if certificate else []
        lines += ["allow_anonymous true"] if users is None else [f"password_file {self._users}"]
        if acl:
            (folder / "acl").write_text(acl)
            lines.append(f"acl_file {folder / 'acl'}")
        self._file.write_text("\n".join(lines) + "\n")
        self._process: subprocess.Popen[bytes] | None = None
        self.admit(users or {})
        self.start()

    @classmethod
    def made(cls, folder: Path, boxes: list[str]) -> Mosquitto:
        """Start one with the settings that `umpi club --make-broker` writes for these boxes."""
        broker = cls.__new__(cls)
        broker.port = free_port()
        made = make_broker(folder, broker.port, boxes)
        broker._file, broker._process = folder / "mosquitto.conf", None
        broker._file.write_text(f"{made.settings.read_text()}persistence false\nuser root\n")
        broker.start()
        return broker

    def admit(self, users: dict[str, str]) -> None:
        """Allow only these users, from the next start on."""
        self._users.touch(mode=0o600)
        for name, password in users.items():
            subprocess.run(["mosquitto_passwd", "-b", str(self._users), name, password], check=True)

    def start(self) -> None:
        assert MOSQUITTO
        command = [MOSQUITTO, "-c", str(self._file)]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for(self._answers)

    def _answers(self) -> bool:
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        except OSError:
            return False
        return True

    def stall(self) -> None:
        """Stop the broker from answering, as if the network were down."""
        assert self._process
        self._process.send_signal(signal.SIGSTOP)

    def kill(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
            self._process = None


class Listener:
    """A client that collects what is published. `plan` is that of a broker at 127.0.0.1, or its port."""

    def __init__(self, plan: BrokerPlan | int, *topics: str) -> None:
        self.events: list[Any] = []
        self._topics = topics
        self._broker = Broker(BrokerPlan("127.0.0.1", plan) if isinstance(plan, int) else plan, self._post)
        self._broker.start()
        wait_for(lambda: Connected() in self.events)

    def _post(self, event: Any) -> None:
        if event == Connected():
            self._broker.subscribe(*self._topics)
        self.events.append(event)

    def publish(self, topic: str, payload: str | bytes, retain: bool = False) -> None:
        self._broker.publish(topic, payload, retain=retain)

    def contents(self, what: str) -> list[Any]:
        """The payloads of all topics that end so, in order."""
        got = [event for event in self.events if isinstance(event, Received) and event.topic.endswith(f"/{what}")]
        return [json.loads(event.payload) if event.payload[:1] in b"{[" else event.payload.decode() for event in got]

    def close(self) -> None:
        self._broker.stop()
