"""Report one box to an MQTT broker: `umpi mqtt`."""

from __future__ import annotations

import argparse
import logging
import signal
import sqlite3
import ssl
import threading
from collections.abc import Iterable
from pathlib import Path
from queue import Queue
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from umpi.box.config import Config
from umpi.box.config_file import NOT_UTF_8
from umpi.box.config_keys import is_host
from umpi.box.identity import ID
from umpi.cli.arguments import add_box
from umpi.cli.parser import BUILD, AddParser
from umpi.cli.terminal import Problem, config_of, needing, using, why_not
from umpi.kernel.output import put

if TYPE_CHECKING:
    from umpi.mqtt.box_api import BoxApi
    from umpi.mqtt.broker import BrokerPlan
    from umpi.mqtt.dropped import DroppedMessage

OTHERS_LOGIN = (
    "The user %s in [mqtt] is that of another box: this one is %s. A broker with the settings of umpi club "
    "--make-broker drops what this box reports. Run this command there with --boxes %s, and enter the new login here."
)

log = logging.getLogger(__name__)


def run_mqtt(options: argparse.Namespace) -> int:
    """`umpi mqtt`: follow the box and publish what it shows, until SIGTERM or SIGINT; --pair pairs the bridge."""
    from umpi.mqtt.box_api import BoxApi, NoBox

    config = config_of(options)
    outbox = options.outbox or (options.journal.with_name("mqtt.db") if options.journal else config.outbox)
    api = BoxApi(options.box or f"http://127.0.0.1:{config.desk.port if config.desk else 8000}")
    try:
        if options.new_club:
            return _new_club(outbox)
        if options.dropped:
            from umpi.mqtt.outbox import Outbox

            put_dropped(Outbox(outbox).dropped())
            return 0
        return (
            _pair(api, outbox, options.pair) if options.pair else _bridge(api, outbox, plan_of(config, options, "mqtt"))
        )
    except NoBox as fault:
        raise Problem(f"The box does not answer: {fault}", 1) from None
    except OSError as fault:
        raise Problem(why_not(fault)) from None
    except sqlite3.Error as fault:
        raise Problem(f"{outbox}: {fault}") from None


def _pair(api: BoxApi, file: Path, code: str) -> int:
    """Pair the bridge by the code on the box, so that it may start a match."""
    from umpi.mqtt.outbox import Outbox

    status, answer, cookie = api.post("pair", {"code": code})
    if status != 200:
        raise Problem(f"The box refused the code: {answer.get('error')}", 1)
    if (answer.get("who") or {}).get("role") != "referee":
        raise Problem("That was the code of a player. On the box choose Phones, Referee, and enter that code.", 1)
    Outbox(file).cookie = cookie
    put("The bridge may start matches now. Restart it: sudo systemctl restart umpi-mqtt")
    return 0


def _new_club(file: Path) -> int:
    """Let the next club that signs be the club of this box."""
    from umpi.mqtt.outbox import Outbox

    Outbox(file).club = "", 0
    put("The next club that signs is the club of this box.")
    return 0


def put_dropped(messages: Iterable[DroppedMessage]) -> None:
    """Print messages that were dropped, newest last."""
    lines = [message.line() for message in messages]
    put("\n".join(lines) if lines else "No message was dropped.")


def _bridge(api: BoxApi, file: Path, plan: BrokerPlan) -> int:
    from umpi.mqtt.bridge import AnotherBox, Bridge, Shown, follow, run, wait_for
    from umpi.mqtt.broker import Broker, BrokerEvent
    from umpi.mqtt.outbox import Outbox
    from umpi.mqtt.topics import OFFLINE, of

    stop, events = threading.Event(), Queue[Shown | BrokerEvent]()
    for sign in (signal.SIGINT, signal.SIGTERM):
        signal.signal(sign, lambda *_: stop.set())
    box = wait_for(api, stop)
    if box is None:
        return 0
    if ID.fullmatch(plan.user) and plan.user != box["id"]:  # a broker confirms also what it does not let a user publish
        log.warning(OTHERS_LOGIN, plan.user, box["id"], box["id"])
    broker = Broker(plan, events.put, (of(box["id"], "online"), OFFLINE))
    bridge = Bridge(box, api, broker, Outbox(file))
    threading.Thread(target=follow, args=(api, events, stop), daemon=True).start()
    put(f"{box['name']} ({box['id']}) reports to {plan.host}:{plan.port}")
    try:
        broker.start()
        run(bridge, events, stop)
    except AnotherBox as fault:
        raise Problem(f"{fault} Start the bridge again; systemd does so by itself.", 1) from None
    finally:
        broker.publish(of(box["id"], "online"), OFFLINE, retain=True)
        broker.stop()
    return 0


def plan_of(config: Config, options: argparse.Namespace, command: Literal["mqtt", "club"]) -> BrokerPlan:
    """Return where the broker of `umpi mqtt` or `umpi club` is, from umpi.toml and --broker. Raises Problem."""
    with needing(f"umpi {command}", command):
        import cryptography  # noqa: F401  # the check imports it late

        from umpi.mqtt.broker import BrokerPlan, password_of
    plan = config.mqtt
    host, port = options.broker or (plan.broker, plan.port)
    try:
        with using():
            password = password_of(plan.password_file)
    except UnicodeDecodeError:
        raise Problem(f"{plan.password_file}: {NOT_UTF_8}") from None
    if plan.ca:
        try:
            ssl.create_default_context(cafile=plan.ca)
        except ssl.SSLError:
            raise Problem(f"{plan.ca}: This is not a certificate in PEM format.") from None
        except OSError as fault:
            raise Problem(why_not(fault, plan.ca)) from None
    return BrokerPlan(host, port or 1883, plan.tls, plan.ca, plan.user, password)


def url(text: str) -> str:
    """Read the address of a box.

    >>> url("http://umpi.local:8000")
    'http://umpi.local:8000'
    """
    try:
        found = urlsplit(text)
        valid = found.scheme in ("http", "https") and found.hostname and found.port != 0
    except ValueError:  # its port is no number
        valid = False
    if not valid:
        raise argparse.ArgumentTypeError(f"expected an address such as http://umpi.local:8000, got {text}")
    return text


def broker_at(text: str) -> tuple[str, int | None]:
    """Read HOST or HOST:PORT; the port is None if none is named.

    >>> broker_at("club.local"), broker_at("127.0.0.1:1884")
    (('club.local', None), ('127.0.0.1', 1884))
    """
    host, colon, port = text.partition(":")
    if not is_host(host) or (colon and not (port.isdecimal() and 0 < int(port) < 65_536)):
        raise argparse.ArgumentTypeError(f"expected a name or address, with a port as in club.local:1883, got {text}")
    return host, int(port) if colon else None


def add_broker(command: argparse.ArgumentParser) -> None:
    """Add the option --broker."""
    command.add_argument(
        "--broker", type=broker_at, metavar="HOST[:PORT]",
        help="the MQTT broker (default: the section [mqtt] of UMPI.TOML, else localhost:1883)",
    )  # fmt: skip


def add_commands(add: AddParser) -> None:
    """Add the command of this file."""
    command = add(
        "mqtt", run_mqtt, group=BUILD,
        purpose="Report the box to an MQTT broker, for a club or home.",
        description="Follow the page for phones of this box, until Ctrl-C or SIGTERM. Publish what it shows, what the "
        "referee says and every result to an MQTT broker. Home Assistant discovers the box by itself. With --pair the "
        "bridge may also start matches.",
        examples=("umpi mqtt --broker club.local", "umpi mqtt --pair 407123  # the code of the referee's phone"),
        statuses={
            0: "The bridge was stopped.", 1: "The box does not answer, refuses, or has another id or name.",
            2: "A setting is wrong.",
        },
    )  # fmt: skip
    add_box(command)
    add_broker(command)
    command.add_argument(
        "--box",
        type=url,
        metavar="URL",
        help="address of the box (default: this computer, at the port of the page for phones)",
    )
    command.add_argument("--pair", metavar="CODE", help="pair the bridge as a referee's phone by this code, and exit")
    command.add_argument(
        "--dropped", action="store_true", help="print the newest messages that could not be used, and exit"
    )
    command.add_argument(
        "--new-club", action="store_true", help="let the next club that signs be the club of this box, and exit"
    )
    command.add_argument(
        "--outbox",
        type=Path,
        metavar="FILE",
        help="file of the results that still have to be sent (default: mqtt.db beside the journal)",
    )
    command.set_defaults(log_level="info", without_games=True)  # a user of its own runs it
