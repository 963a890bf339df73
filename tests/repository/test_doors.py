"""Every door through which something comes from outside: whatever comes, it is refused in words and ends nothing.

Hypothesis changes good messages: a value somewhere in the JSON, some bytes, or the order of the lines. UMPI_FUZZ=100000
tries so many messages at each door.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("sqlalchemy", reason="pip install 'umpi[club]'")
pytest.importorskip("cryptography", reason="pip install cryptography")

from tests.kit.at_table import DEAL, codes_of, laid
from tests.kit.fake_boxes import WELL, FakeApi, playing, result
from tests.kit.hostile import UNREADABLE, WRONG
from tests.kit.rig import SECOND, Rigs
from tests.kit.sampling import examples
from umpi.box.config import BadConfig
from umpi.box.config_file import read_config
from umpi.box.signing import SigningKey
from umpi.club import page
from umpi.club.hall import Hall
from umpi.club.store import Store
from umpi.journal import Foreign, Journal
from umpi.journal.transfer import BadExport, read_export
from umpi.kernel.random_games import play_out
from umpi.kernel.record import Header, dump, replay
from umpi.kernel.registry import find, games
from umpi.mqtt.bridge import Bridge, Shown
from umpi.mqtt.broker import Connected, Received
from umpi.mqtt.outbox import Outbox
from umpi.mqtt.payloads import state_of
from umpi.recording.replay import Replay
from umpi.recording.session_file import SessionFault, sealed
from umpi.timing.traces import BadTrace, judge_file
from umpi.web.past import Past
from umpi.web.results import read_results

NUMBER = int(os.environ.get("UMPI_FUZZ") or examples(60))  # messages at each door
ROOT = Path(__file__).parents[2]
ID = "0123456789ab"
KEY = SigningKey.of("1" * 64)


@dataclass(frozen=True, slots=True)
class Door:
    """Good messages, and what takes any message; it raises whatever would end a process or its work."""

    good: tuple[bytes, ...]
    take: Callable[[bytes], object]


def encoded(*lines: Any) -> bytes:
    return "".join(dump(line) + "\n" for line in lines).encode()


def dodeka(moves: int) -> list[dict[str, Any]]:
    """The record of a Dodéka with at most so many moves."""
    match = play_out(find("dodeka"), ("Zoë", "Ben"), {}, 5)
    return [Header(match.game, match.players, {}).line(), *(act.line() for act in match.acts[:moves])]


@contextmanager
def record(_: Path) -> Iterator[Door]:
    lines = dodeka(6)
    extra = [{"undo": 1}, {"refuse": {"do": "stop"}}, {"note": "Well done"}]
    yield Door((encoded(*lines), encoded(*lines, *extra)), lambda data: list(replay(data.splitlines(True), find)))


@contextmanager
def export(_: Path) -> Iterator[Door]:
    match = {
        "uid": "u1", "began": "2026-03-01T12:00:00+00:00", "rules": 1, "how": "closed", "header": dodeka(0)[0],
        "lines": [[line, "panel", 5] for line in dodeka(2)[1:]], "outcome": {"places": [1, 2], "scores": [3, 1]},
        "traces": ["{}"], "races": [], "renamed": 1,
    }  # fmt: skip

    def take(data: bytes) -> None:
        with suppress(BadExport):
            read_export(data.splitlines(True))

    yield Door((encoded({"umpi-matches": 1}, match),), take)


@contextmanager
def session(folder: Path) -> Iterator[Door]:
    rigs = Rigs(folder, codes_of)
    table = laid(rigs, "dodekka", ["Rosie", "Tom"], [DEAL])
    recorder = table.loop._recorder
    lines = list(sealed([recorder.header("test"), *recorder.lines()]))
    rigs.switch_off()

    def take(data: bytes) -> None:
        logging.disable()  # the referee logs what it cannot use of its journal
        try:
            for each in (data.splitlines(True), list(sealed(data.decode(errors="replace").splitlines()))):
                with suppress(SessionFault):
                    list(Replay(each, games(), find))
        finally:
            logging.disable(logging.NOTSET)

    yield Door((b"".join(lines),), take)


@contextmanager
def trace(_: Path) -> Iterator[Door]:
    def take(data: bytes) -> None:
        with suppress(BadTrace):
            judge_file(data.splitlines(True))

    yield Door(tuple(file.read_bytes() for file in sorted((ROOT / "tests/records/traces").glob("*.jsonl"))[:4]), take)


@contextmanager
def configuration(folder: Path) -> Iterator[Door]:
    file = folder / "umpi.toml"
    good = '[box]\nname = "Table 4"\nplayers = ["Zoë"]\n[seats]\nred = 8\n[display]\nchip = "sh1106"\naddress = 0x3D\n'

    def take(data: bytes) -> None:
        file.write_bytes(data)
        with suppress(BadConfig):
            read_config(file)

    yield Door((good.encode(), b'[mqtt]\nbroker = "club"\nport = 1883\n[desk]\nport = 8000\n'), take)


@contextmanager
def journal(folder: Path) -> Iterator[Door]:
    """Each line of the message is the text of a row."""
    path, good = folder / "games.db", dodeka(5)
    with closing(Journal(path)) as kept:
        kept.append(kept.begin(good[0], 1), good[1:], "panel")
    with closing(sqlite3.connect(path)) as file:
        file.execute("PRAGMA journal_mode=DELETE")
    whole = path.read_bytes()

    def take(data: bytes) -> None:
        for old in folder.glob("games.db*"):
            old.unlink()
        path.write_bytes(whole)
        header, *lines = data.decode(errors="replace").split("\n")
        with closing(sqlite3.connect(path)) as file:
            file.execute("PRAGMA synchronous=OFF")
            file.execute("UPDATE match SET header = ?", (header,))
            file.executemany("UPDATE line SET text = ? WHERE n = ?", [(line, n) for n, line in enumerate(lines, 1)])
            file.commit()
        with suppress(Foreign), closing(Journal(path)) as kept:
            kept.matches()
        past = Past(path)
        past.matches(), past.match("1"), past.moves("1"), past.record("1"), past.stats(), read_results(path)

    yield Door((encoded(*good),), take)


@contextmanager
def bridge(folder: Path) -> Iterator[Door]:
    api, outbox = FakeApi(ID), Outbox(folder / "mqtt.db")
    api.kept = [KEY.sign("result", result("u1", 1, box=ID))]
    outbox.cookie = "secret"
    found = Bridge(api.box, api, Nowhere(), outbox)
    found.handle(Connected())
    found.handle(Shown(WELL))
    found.catch_up()

    def take(data: bytes) -> None:
        for what in ("state", "online", "kept", "next", "start", "x"):
            found.handle(Received(f"umpi/{ID}/{what}", data, False))

    receipt = {"box": ID, "uid": "u1", "revision": 10, "refused": "", "of": ""}
    offer = {"game": "quiz", "players": [{"button": "red", "name": "Ann"}], "box": ID, "number": 1}
    yield Door((encoded(receipt), encoded(KEY.sign("receipt", receipt)), encoded(KEY.sign("offer", offer))), take)
    found.handle(Shown(playing(1)))
    outbox.close()


@contextmanager
def club(folder: Path) -> Iterator[Door]:
    store = Store("sqlite://")
    store.migrate()
    hall = Hall(store, Nowhere())
    hall.handle(Connected())

    def take(data: bytes) -> None:
        for what in ("state", "online", "result", "next"):
            hall.handle(Received(f"umpi/{ID}/{what}", data, False))
        page.tables(hall.tables.values(), hall.trouble)
        assert not hall.trouble

    state = state_of(playing(1, acts=3), {"id": ID, "name": "Table 1"}, "u1", None, "")  # type: ignore[arg-type]
    unsigned = result("u2", 1, box="other")
    good = encoded(state), encoded(unsigned), encoded(KEY.sign("result", result("u1", 1, box=ID)))
    yield Door(good, take)
    page.boards(store.played(), {})
    store.close()


@contextmanager
def web(folder: Path) -> Iterator[Door]:
    rigs = Rigs(folder, codes_of)
    table = laid(rigs, "dodekka", ["Rosie", "Tom"], [DEAL])
    phone = table.paired()
    paths = "act", "form", "amend", "undo", "pair", "start", "next", "rematch", "sync"

    def take(data: bytes) -> None:
        for path in paths[len(data) % 3 :: 3]:
            table.rig.now_ns += SECOND
            asked = phone.ask("POST", path, content=data, headers={"Content-Type": "application/json"})
            assert asked.status_code < 500, (path, asked.status_code, asked.text)
        json.dumps(table.document)

    act = {"question": table.question, "act": {"do": "turn", "card": "earth-4"}}
    good = act, {**act, "index": 0, "try": True}, {"code": "123456"}, {"game": "quiz", "rules": "", "players": []}
    yield Door(tuple(map(encoded, good)), take)
    rigs.switch_off()


class Nowhere:
    """A connection to a broker that takes all messages."""

    def publish(self, topic: str, payload: str | bytes, qos: int = 1, retain: bool = False) -> int:
        return 0

    def subscribe(self, *topics: str) -> None:
        pass


any_json: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30) | st.sampled_from(WRONG),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner, max_size=3),
    max_leaves=5,
)
SMALL = [payload for payload in UNREADABLE.values() if len(payload) < 200]


@st.composite
def messages(draw: st.DrawFn, good: tuple[bytes, ...]) -> bytes:
    """Change a good message once or twice."""
    data = draw(st.sampled_from(good))
    for _ in range(draw(st.integers(1, 2))):
        lines = data.split(b"\n")
        at = draw(st.integers(0, len(lines) - 1))
        match draw(st.sampled_from(["value", "bytes", "lines", "hostile"])):
            case "value":
                with suppress(ValueError, RecursionError):
                    lines[at] = json.dumps(changed(draw, json.loads(lines[at]))).encode()
            case "lines":
                lines[at : at + 1] = draw(st.sampled_from([[], [lines[at]] * 2, [lines[at], b""], [lines[at - 1]]]))
            case "hostile":
                lines[at] = draw(st.sampled_from(SMALL))
            case "bytes":
                begin = draw(st.integers(0, len(lines[at])))
                end = begin + draw(st.integers(0, 4))
                lines[at] = lines[at][:begin] + draw(st.binary(max_size=4)) + lines[at][end:]
        data = b"\n".join(lines)
    return data


def changed(draw: st.DrawFn, value: Any) -> Any:
    """Change one value somewhere in a JSON value, or take a key away, or add one."""
    if isinstance(value, dict) and value and draw(st.integers(0, 5)):
        key = draw(st.sampled_from(sorted(value)))
        match draw(st.integers(0, 7)):
            case 0:
                return {name: value[name] for name in value if name != key}
            case 1:
                return {**value, draw(st.text(max_size=9)): draw(any_json)}
            case _:
                return {**value, key: changed(draw, value[key])}
    if isinstance(value, list) and value and draw(st.integers(0, 5)):
        at = draw(st.integers(0, len(value) - 1))
        return [*value[:at], changed(draw, value[at]), *value[at + 1 :]]
    return draw(any_json)


class Tracebacks(logging.Handler):
    """Collects what is logged with a traceback: somebody did not expect it."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            self.found.append(record)


DOORS = record, export, session, trace, configuration, journal, bridge, club, web


@pytest.mark.slow
@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_whatever_comes_is_refused_and_ends_nothing(door: Any, tmp_path: Path) -> None:
    tracebacks = Tracebacks()
    logging.getLogger().addHandler(tracebacks)
    with door(tmp_path) as opened:
        opened.take(opened.good[0])
        assert not tracebacks.found

        @settings(max_examples=NUMBER, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @given(messages(opened.good))
        def enter(data: bytes) -> None:
            opened.take(data)
            assert not tracebacks.found, tracebacks.found[0].getMessage()

        try:
            enter()
        finally:
            logging.getLogger().removeHandler(tracebacks)
