"""A box and its bridge, both real processes, that are killed in mid-match: each match is in PostgreSQL once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="pip install 'umpi[club]'")

from scripts.hall.players import ADMITTED, prepared
from tests.kit.brokers import Mosquitto, needs_mosquitto
from tests.kit.browsing import Sim
from tests.kit.halls import running_hall
from tests.kit.patience import wait_for
from tests.kit.postgres import Postgres, needs_postgres
from umpi.club.store import Store
from umpi.kernel.match import Match
from umpi.kernel.random_games import play_out
from umpi.kernel.registry import find
from umpi.mqtt.box_api import BoxApi

pytestmark = [needs_mosquitto, needs_postgres, pytest.mark.slow]
GAME, SHORT = "scorepad", (6, 5)  # matches of few acts, because the box limits their rate


class Pair:
    """A box that `umpi sim` serves and the `umpi mqtt` that reports it."""

    def __init__(self, folder: Path, port: int) -> None:
        journal = prepared(folder / "box", "Table 1")
        self.sim = Sim(journal, "--lanes", "0")
        self.api = BoxApi(self.sim.address())
        where = ["--broker", f"127.0.0.1:{port}", "--box", self.sim.address(), "--journal", str(journal)]
        self._command = [sys.executable, "-m", "umpi", "mqtt", *where]
        self._bridge = subprocess.Popen(self._command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def kill_and_start(self) -> None:
        """Kill both as a power cut does, and switch both on."""
        self.kill()
        self.sim.start()
        self._bridge = subprocess.Popen(self._command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def kill(self) -> None:
        self.sim.kill()
        self._bridge.kill()
        self._bridge.wait()

    def start(self, match: Match) -> None:
        one, other = match.players
        players = [{"button": "red", "name": one}, {"button": "blue", "name": other}]
        self._post("start", {"game": GAME, "rules": "", "players": players})

    def play(self, match: Match, first: int, end: int) -> None:
        """Give the box the acts from one number to before another."""
        for act in match.acts[first:end]:
            question = self.api.get("state")["question"]["id"]
            self._post("act", {"question": question, "act": {"do": act.verb, **act.given}})

    def _post(self, path: str, body: dict[str, object]) -> None:
        status, answer, _ = self.api.post(path, body, ADMITTED)
        assert status == 200, answer


def test_a_match_in_which_the_box_is_killed_is_there_once(tmp_path: Path, server: Postgres, broker: Mosquitto) -> None:
    store, pair = Store(server.url), Pair(tmp_path, broker.port)
    store.migrate()
    first, second = (play_out(find(GAME), ["Ann", "Ben"], seed=seed) for seed in SHORT)
    middle = len(first.acts) // 2
    try:
        with running_hall(store, broker.port) as hall:
            pair.start(first)
            pair.play(first, 0, middle)
            wait_for(lambda: any(table.state.moves == middle for table in hall.tables.values()))
            pair.kill_and_start()
            assert pair.api.get("state")["match"]["acts"] == middle, "the box has resumed the match"
            pair.play(first, middle, len(first.acts))
            pair.kill_and_start()  # whether or not the result was on its way
            wait_for(lambda: len(store.played()) == 1)
            pair.start(second)
            pair.play(second, 0, len(second.acts))
            wait_for(lambda: len(store.played()) == 2)
        over = [each["uid"] for each in pair.api.results() if each["over"]]
        assert sorted(each.uid for each in store.played()) == sorted(over)
        assert [each.players for each in store.played()] == [("Ann", "Ben")] * 2
    finally:
        pair.kill()
        store.close()
