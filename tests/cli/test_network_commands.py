"""What `umpi club`, `umpi mqtt` and `umpi https` print and do is what somebody has read: network_commands.txt has it.

Their broker, their box and their servers are in place of real ones, and note what is asked of them.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import socket
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, date, datetime, timedelta, tzinfo
from pathlib import Path
from threading import Event
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="pip install 'umpi[club]'")
pytest.importorskip("paho.mqtt", reason="pip install paho-mqtt")
pytest.importorskip("cryptography", reason="pip install 'umpi[https]'")

from tests.kit.seen import check_part
from umpi.cli import main
from umpi.club.store import Store
from umpi.i18n.translate import current_language, set_language
from umpi.mqtt.box_api import NoBox
from umpi.mqtt.broker import BrokerPlan, Confirmed, Connected, Disconnected, Received
from umpi.mqtt.outbox import Outbox
from umpi.mqtt.payloads import read_result
from umpi.web import certificates

SEEN = Path(__file__).with_name("network_commands.txt")
NOW, DAY = datetime(2026, 3, 1, 20, tzinfo=UTC), timedelta(days=1)
ONE, OTHER = "0123456789ab", "3f9ac1d20b7e"
GONE = "000000000000"
ROUND = "club --round dodeka --players Ann,Ben,Cem,Dora,Eve"
STORIES = (
    "club --rename Ben Benno", "club --rename Anna Ann", "club --database sqlite:///new.db --round quiz --players A,B",
    "club --host é..b --port 0", "mqtt --pair 111111 --box umpi.local", "mqtt --box http://box:x",
    "club --dropped", f"club --new-key {ONE}", "club --new-key nobody",
    "club --database sqlite:///dropped.db --dropped", "club --database postgresql+no://x",
    "club --database sqlite:///no/folder/club.db --dropped", "club --database sqlite:///foreign.db --dropped",
    "club --database sqlite:///newer.db --dropped",
    ROUND, f"{ROUND} --size 3 --season 2027-01-01", f"{ROUND},Fay --broker hall:1884 --config safe.toml",
    f"refused: {ROUND}", f"sends nothing: {ROUND}", f"silent: {ROUND}", f"away: {ROUND}",
    f"club --forget {GONE}", f"sends nothing of umpi/{GONE}/online: club --forget {GONE}", f"club --forget {ONE}",
    "club --forget club", f"silent: club --forget {GONE}",
    "club --round nothing --players Ann,Ben", "club --round dodeka", "club --round dodeka --players Ann",
    "club --round dodeka --players Ann,Ann", f"{ROUND} --size 7", f"{ROUND} --size 1",
    "club --players Ann,Ben", "club --size 2", f"club --boxes {ONE}", "club --port 0",
    "club --port 0 --title Hall --season 2026-02-03 --config safe.toml --language hu", "club --port BUSY",
    "club --port 65536", "club --port x", "club --host 192.0.2.1 --port 0", "club --season 2026-13-01",
    "club --broker :1", "club --broker hall:0", "club --broker hall:65536", "club --broker hall:x",
    "club --broker hall..b", "club --broker hall:65535 --port 0", "club --config no-ca.toml",
    "club --config no-tls.toml --port 0", "club --config bad-ca.toml",
    "club --config no-password.toml", "club --config latin.toml", f"club --make-broker mosquitto --boxes {ONE}",
    f"club --make-broker mosquitto --boxes {ONE} --broker hall:1884", "club --make-broker debian",
    f"club --make-broker debian --boxes {OTHER},,{ONE}", "club --make-broker foreign", "club --make-broker nothing",
    "club --make-broker mosquitto --boxes BOX", "mqtt --dropped --outbox dropped-mqtt.db",
    "mqtt --dropped --outbox mqtt.db", "mqtt --new-club --outbox mqtt.db", "mqtt --pair 111111 --outbox mqtt.db",
    "mqtt --pair 222222 --outbox mqtt.db", "mqtt --pair 333333 --outbox mqtt.db", "mqtt --pair 444444",
    "mqtt --pair 555555", "mqtt --pair 111111 --outbox folder",
    "mqtt --pair 111111 --journal games.db --box http://box:81", "mqtt --config desk.toml --pair 111111",
    "mqtt --outbox mqtt.db", "mqtt --config safe.toml --outbox mqtt.db --broker hall:1884",
    "mqtt --config other.toml --outbox mqtt.db", "club --config other.toml --port 0",
    "mqtt --outbox mqtt.db --box http://off", "mqtt --outbox mqtt.db --config bad-ca.toml",
    "https --config near.toml",
    "https --config near.toml; https --config near.toml; https --config near.toml --new", "https --config here.toml",
    "https --config wide.toml --journal wide/games.db", "https --config own.toml", "https --config own.toml --new",
    "https --config old.toml", "https --config wrong-key.toml", "https --config wrong.toml",
    "https --config near.toml --journal file/games.db", "on a terminal: https --config near.toml",
)  # fmt: skip
MQTT = """[mqtt]
broker = "club.local"
port = 8883
tls = true
ca = "{ca}"
user = "box"
password_file = "{password}"
"""
DESK = '[desk]\nlisten = "{listen}"\n'
SETTINGS = {
    "safe": MQTT.format(ca="own/https/authority.pem", password="password"),
    "no-ca": MQTT.format(ca="nothing.pem", password="password"),
    "bad-ca": MQTT.format(ca="password", password="password"),
    "other": f'[mqtt]\nuser = "{OTHER}"\npassword_file = "password"\n',
    "no-tls": '[mqtt]\nca = "nothing.pem"\n',
    "no-password": MQTT.format(ca="own/https/authority.pem", password="nothing"),
    "latin": MQTT.format(ca="own/https/authority.pem", password="latin"),
    "desk": "[desk]\nport = 8123\n", "near": DESK.format(listen="192.0.2.7"), "here": DESK.format(listen="127.0.0.1"),
    "wide": DESK.format(listen="192.0.2.7") + 'port = 80\nnames = ["den.example"]\nhttps_port = 443\n',
    **{
        name: f'{DESK.format(listen="192.0.2.7")}https_port = 443\ncertificate = "{of}/https/server.pem"\n'
        f'key = "{key}/https/server.pem"\n'
        for name, of, key in (("own", "own", "own"), ("old", "old", "old"), ("wrong-key", "own", "wide"))
    },
    "wrong": "[desk]\nprot = 1\n",
}  # fmt: skip
CHANCE = (
    (re.compile(r"(?<=127\.0\.0\.1:)\d{5}\b"), "PORT"), (re.compile(r"\b[0-9a-f]{64,}\b"), "HEX"),
    (re.compile(r"(?:[0-9A-F]{2}:){31}[0-9A-F]{2}"), "FINGERPRINT"), (re.compile(r"\$7\$1000\$\S+"), "HASH"),
    (re.compile(r"(?<=umpi/club/kept )[0-9a-f]{16}"), "TOKEN"), (re.compile(r"(?m)(^  [ ▀▄█]+$\n?)+"), "  QR CODE\n"),
)  # fmt: skip


def result(uid: str, box: str, *players: str) -> bytes:
    fields = {
        "uid": uid, "box": box, "match": 1, "revision": 10, "game": "dodeka", "title": "Dodéka", "rules": "",
        "began": "", "ended": (NOW - timedelta(minutes=5)).isoformat(), "over": True, "winners": [0], "error": "",
        "players": [{"seat": seat, "name": name, "button": seat} for seat, name in enumerate(players)],
        "scores": [9 - seat for seat in range(len(players))], "places": [1 + seat for seat in range(len(players))],
    }  # fmt: skip
    return json.dumps(fields).encode()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with databases, certificates and settings; each story gets a copy of it."""
    folder = tmp_path_factory.mktemp("made")
    for name in ("club", "dropped", "newer"):
        with closing(Store(f"sqlite:///{folder / name}.db")) as store:
            store.migrate()
            for number, (box, *players) in enumerate(((ONE, "Anna", "Ben"), (OTHER, "Cem", "Ben"))):
                store.keep(box, read_result(result(f"u{number}", box, *players)), NOW)
                store.meet(box, f"Table {number + 1}", 0.0)
            if name == "dropped":
                store.drop(lambda: NOW, f"umpi/{ONE}/result", "it is wrong", "{}")
    for name, rows in {
        "newer": "UPDATE alembic_version SET version_num = '9999'", "foreign": "CREATE TABLE match (a INTEGER)"
    }.items():  # fmt: skip
        with closing(sqlite3.connect(folder / f"{name}.db")) as file:
            file.executescript(rows)
    for name in ("mqtt", "dropped-mqtt"):
        with closing(Outbox(folder / f"{name}.db")) as outbox:
            outbox.cookie, outbox.club = "old", ("c1", 5)
            if name == "dropped-mqtt":
                outbox.drop(lambda: NOW, f"umpi/{ONE}/start", "it is wrong", "{")
    for name in ("folder", "mosquitto", "debian", "foreign"):
        (folder / name).mkdir()
    (folder / "debian/conf.d").mkdir()
    (folder / "foreign/umpi.acl").write_text("topic read #\n")
    hosts = ["umpi.local", "192.0.2.7"]
    for name, host, at in (("own", hosts, NOW), ("old", hosts, NOW - 500 * DAY), ("wide", [], NOW)):
        certificates.make_authority(folder / name / "https", "box", host, at)
        certificates.renew(folder / name / "https", host, at)
    (folder / "file").mkdir()
    (folder / "file/https").write_text("")
    for name, text in SETTINGS.items():
        (folder / f"{name}.toml").write_text(text)
    (folder / "password").write_text("secret\n")
    (folder / "latin").write_bytes(b"s\xe9cret\n")
    return folder


class Told:
    """In place of the connection to the broker: it notes what is asked of it, and posts what its broker does."""

    does = ""
    talk: list[str]

    def __init__(self, plan: BrokerPlan, post: Callable[[Any], None], will: tuple[str, str] | None = None) -> None:
        self.talk.append(f"broker: {plan}, will {will}")
        self._post, self._count, self.will, self._follows = post, 0, will, tuple[str, ...]()

    def start(self) -> None:
        self.talk.append("broker: start")
        if self.does == "refused":
            self._post(Disconnected("The broker refuses."))
            self._post(None)
        elif self.does == "away":
            self._post(Disconnected("The broker does not answer."))
            self._post(Connected())
        elif self.does != "silent":
            self._post(Connected())

    def publish(self, topic: str, payload: str, retain: bool = False) -> int:
        self.talk.append(f"broker: {'keep' if retain else 'send'} {topic} {payload}")
        self._count += 1
        self._post(Confirmed(self._count))
        if topic in self._follows and self.does != f"sends nothing of {topic}":
            self._post(None if self.does == "sends nothing" else Received(topic, payload.encode(), False))
        return self._count

    def subscribe(self, *topics: str) -> None:
        self._follows = topics
        self.talk.append(f"broker: follow {', '.join(topics)}")
        for box, state in ((ONE, "online"), (OTHER, "online"), (GONE, "offline"), ("club", "online")):
            if "umpi/+/online" in topics:
                self._post(Received(f"umpi/{box}/online", state.encode(), True))

    def stop(self) -> None:
        self.talk.append("broker: stop")


class Box:
    """In place of a box's API."""

    talk: list[str]

    def __init__(self, url: str) -> None:
        self.talk.append(f"box: at {url}")
        self.url = url

    def post(self, path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any], str]:
        self.talk.append(f"box: {path} {body}")
        match body["code"]:
            case "111111":
                return 200, {"who": {"role": "referee"}}, "new"
            case "222222":
                return 200, {"who": {"role": "player"}}, "new"
            case "333333":
                return 403, {"error": "wrong code", "who": {"role": "referee"}}, "new"
            case "444444":
                raise NoBox("no route")
            case _:
                return 200, {}, "new"


class Today(datetime):
    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Today:
        return cls(2026, 3, 1, 20, tzinfo=tz or UTC)


def play(monkeypatch: pytest.MonkeyPatch, talk: list[str]) -> None:
    """Put the fakes into their places."""
    monkeypatch.setattr(Told, "talk", talk, raising=False)
    monkeypatch.setattr(Box, "talk", talk, raising=False)
    monkeypatch.setattr("umpi.mqtt.broker.Broker", Told)
    monkeypatch.setattr("umpi.mqtt.box_api.BoxApi", Box)
    monkeypatch.setattr("umpi.cli.club.PATIENCE_S", 0.0 if Told.does == "silent" else 60.0)
    monkeypatch.setattr("umpi.cli.club.datetime", Today)
    monkeypatch.setattr("umpi.web.certificates.now", lambda: NOW)
    monkeypatch.setattr("umpi.web.https.own_hosts", lambda names: ("umpi.local", "192.0.2.7", *names))
    monkeypatch.setattr("socket.gethostname", lambda: "box")
    handlers: dict[int, Callable[..., object]] = {}
    monkeypatch.setattr("signal.signal", handlers.__setitem__)
    followed = Event()

    async def serve(title: str, store: Store, plan: BrokerPlan, listening: socket.socket, season: date | None) -> None:
        since = f"since {season}" if season else "this year"
        talk.append(f"club: {title!r}, {plan}, at {listening.getsockname()[0]}, {since}, {current_language()}")

    def wait_for(api: Box, stop: Event) -> dict[str, str] | None:
        return None if "off" in api.url else {"id": ONE, "name": "Table 1"}

    def follow(api: Box, events: Any, stop: Event) -> None:
        assert not stop.is_set()
        events.put(f"from {api.url}")
        followed.set()

    def bridge(bridge: None, events: Any, stop: Event) -> None:
        assert followed.wait(60)
        events.get()  # the broker is there
        talk.append(f"bridge: hears {events.get()}")
        for number in (signal.SIGINT, signal.SIGTERM):
            stop.clear()
            handlers[number](number, None)
            talk.append(f"bridge: {number.name} stops it: {stop.is_set()}")

    def made_bridge(box: dict[str, str], api: Box, broker: Told, outbox: Outbox) -> None:
        talk.append(f"bridge: of {box['name']} at {api.url}, its cookie {outbox.cookie!r}, will {broker.will}")
        outbox.close()

    monkeypatch.setattr("umpi.club.run.run", serve)
    monkeypatch.setattr("umpi.mqtt.bridge.Bridge", made_bridge)
    for name, instead in {"wait_for": wait_for, "follow": follow, "run": bridge}.items():
        monkeypatch.setattr(f"umpi.mqtt.bridge.{name}", instead)


def left(folder: Path, made: Path) -> Iterator[str]:
    """Yield what the commands have changed: the players of the club, what the bridge keeps, and other files."""
    with closing(Store(f"sqlite:///{folder / 'club.db'}")) as store:
        players = sorted({name for each in store.played() for name in each.players})
        if players != ["Anna", "Ben", "Cem"]:
            yield f"club.db: players {', '.join(players)}"
    for file in sorted(folder.rglob("*.db")):
        if "mqtt" in file.name:
            with closing(Outbox(file)) as outbox:
                if (outbox.cookie, outbox.club) != ("old", ("c1", 5)):
                    yield f"{file.name}: cookie {outbox.cookie!r}, club {outbox.club}"
    for file in sorted(folder.rglob("*")):
        was, name = made / file.relative_to(folder), file.relative_to(folder).as_posix()
        if file.is_file() and file.suffix not in (".db", ".db-wal", ".db-shm"):
            if was.exists() and was.read_bytes() == file.read_bytes():
                continue
            yield f"{name}: {'changed' if was.exists() else 'new'}, {file.stat().st_mode & 0o777:o}"
            if name.partition("/")[0] in ("mosquitto", "debian") and "logins" not in name:
                yield from (f"    {line}" for line in file.read_text().splitlines())


@pytest.mark.parametrize("story", STORIES)
def test_a_command_of_the_network_does_what_somebody_has_read(
    story: str, made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """After a change on purpose: set UMPI_APPROVE=1, run this, and read what has changed."""
    folder, talk = tmp_path / "here", list[str]()
    shutil.copytree(made, folder)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
    how, _, commands = story.rpartition(": ")
    monkeypatch.setattr(Told, "does", how)
    play(monkeypatch, talk)
    if how == "on a terminal":
        monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    lines = []
    before = os.umask(0o022)
    try:
        with socket.create_server(("127.0.0.1", 0)) as busy:
            for command in commands.split("; "):
                words = command.replace("BUSY", str(busy.getsockname()[1])).split()
                try:
                    status = main(words)
                except SystemExit as gone:
                    status = int(gone.code or 0)
                printed = capsys.readouterr()
                lines += [f"status {status}", *printed.out.splitlines(), *printed.err.splitlines()]
    finally:
        os.umask(before)
        set_language("en")
    talk += left(folder, made)
    now = "\n".join(f"  {line}".rstrip() for line in lines + talk).replace(f"{folder}/", "").replace(str(folder), ".")
    now = re.sub(r"(?s)  usage: .*?(?=  umpi \w+: error: )", "", now)  # test_options has it
    for pattern, instead in CHANCE:
        found = list(dict.fromkeys(each[0] for each in pattern.finditer(now)))
        for number, each in enumerate(found, 1):  # by their numbers, it is seen which are the same
            now = now.replace(each, f"{instead} {number}" if len(found) > 1 else instead)
    check_part(SEEN, story, now, STORIES, mark="$ ")
