"""An evening on real servers with wrong clocks, a long absence, and two boxes with one id: each match is there once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="pip install 'umpi[club]'")

from tests.kit.brokers import Listener, Mosquitto, needs_mosquitto
from tests.kit.fake_boxes import FakeApi, RunningBridge, playing, result
from tests.kit.halls import running_hall
from tests.kit.patience import wait_for
from tests.kit.postgres import Postgres, needs_postgres
from umpi.club.store import Store

pytestmark = [needs_mosquitto, needs_postgres, pytest.mark.slow]
DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)


class Wall:
    """The true time, which passes only if the test says so."""

    def __init__(self) -> None:
        self.at = datetime(2026, 3, 1, 20, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.at


class Box:
    """A box with a bridge, whose clock is wrong by `wrong`."""

    def __init__(self, port: int, folder: Path, name: str, wall: Wall, wrong: timedelta, id: str = "") -> None:
        self.api, self._name = FakeApi(id or name), name
        self._now = lambda: wall() + wrong
        self.bridge = RunningBridge(self.api, port, folder / f"{name}.db", wall=self._now)
        self.bridge.show(playing(1))

    def end(self, match: int) -> None:
        """Play a match to its end."""
        self.bridge.show(playing(match, acts=1))
        self.api.kept.append(result(f"{self._name}-{match}", match, ended=self._now().isoformat()))
        self.bridge.show(playing(match, acts=2, over=True))


@pytest.fixture
def store(server: Postgres) -> Iterator[Store]:
    found = Store(server.url)
    found.migrate()
    yield found
    found.close()


@pytest.fixture
def wall() -> Wall:
    return Wall()


def ends(store: Store) -> dict[str, datetime]:
    return {each.uid: each.ended for each in store.played()}


def test_a_clock_wrong_by_a_day_and_a_network_away_for_hours(
    store: Store, broker: Mosquitto, tmp_path: Path, wall: Wall
) -> None:
    boxes = [Box(broker.port, tmp_path, name, wall, wrong) for name, wrong in (("fast", DAY), ("slow", -DAY))]
    with running_hall(store, broker.port, wall=wall) as hall:
        wait_for(lambda: len([table for table in hall.tables.values() if table.offset_s is not None]) == 2)
        for box in boxes:
            box.end(1)
        wait_for(lambda: len(store.played()) == 2)
        assert {*ends(store).values()} == {wall()}
        broker.stall()
        for box in boxes:
            box.end(2)  # sent, and never confirmed
            box.bridge.show(playing(2, acts=2, over=True))  # taken only once the one before it has been sent
        ended = wall()
        wait_for(lambda: all(box.bridge.events.empty() for box in boxes))
        wall.at += timedelta(hours=3)
        broker.kill()
        broker.start()
        wait_for(lambda: len(store.played()) == 4)
        assert ends(store)["fast-2"] == ends(store)["slow-2"] == ended, "the delay is not taken for a wrong clock"
    for box in boxes:
        box.bridge.stop()


def test_a_database_that_is_away_for_a_minute(
    server: Postgres, store: Store, broker: Mosquitto, tmp_path: Path, wall: Wall
) -> None:
    box = Box(broker.port, tmp_path, "away", wall, timedelta(0))
    before = len(store.played())
    with running_hall(store, broker.port, wall=wall) as hall:
        wait_for(lambda: hall.tables and hall.tables["away"].offset_s is not None)
        server.stop()
        began = wall()
        for match in range(1, 7):
            box.end(match)
            wait_for(box.bridge.events.empty)
            wall.at += MINUTE / 6
        wait_for(lambda: hall.trouble)
        server.start()
        wait_for(lambda: not hall.trouble and len(store.played()) == before + 6)
    found = [ends(store)[f"away-{match}"] for match in range(1, 7)]
    assert found == [began + number * MINUTE / 6 for number in range(6)]
    box.bridge.stop()


def test_two_boxes_with_one_id_are_reported_and_each_match_is_kept(
    store: Store, broker: Mosquitto, tmp_path: Path, wall: Wall, caplog: pytest.LogCaptureFixture
) -> None:
    before, listener = len(store.played()), Listener(broker.port, "umpi/same/state")
    twins = [Box(broker.port, tmp_path, name, wall, timedelta(0), "same") for name in ("one", "other")]
    with running_hall(store, broker.port, wall=wall) as hall:
        for match in (1, 2):
            for twin in twins:
                twin.end(match)
                uid = f"{twin._name}-{match}"
                wait_for(lambda uid=uid: uid in ends(store))  # type: ignore[misc]
        assert len(store.played()) == before + 4
        wait_for(lambda: hall.tables["same"].twin)
    runs = {state["run"] for state in listener.contents("state") if "Another box has the same id" in state["problem"]}
    assert len(runs) == 2, "both report it"
    assert sum("Another box has the same id same" in line for line in caplog.messages) == 2
    for twin in twins:
        twin.bridge.stop()
    listener.close()
