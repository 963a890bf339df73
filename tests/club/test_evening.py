"""A whole evening on a real Mosquitto and a real PostgreSQL, both of which fail: each match is there once.

UMPI_TESTS=soak plays 5,100 matches at 50 boxes. More boxes in one process wait for its interpreter, not for the hall:
`./scripts/dev hall-crowd` plays at 200, in processes of their own.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="pip install 'umpi[club]'")

from sqlalchemy import create_engine, func, select

from tests.kit.brokers import Mosquitto, needs_mosquitto
from tests.kit.fake_boxes import FakeApi, RunningBridge, playing, result
from tests.kit.halls import running_hall
from tests.kit.patience import wait_for
from tests.kit.postgres import Postgres, needs_postgres
from umpi.club.schema import match as match_table
from umpi.club.store import Store

BOXES, MATCHES = (50, 102) if os.environ.get("UMPI_TESTS") == "soak" else (12, 5)


@pytest.mark.slow
@needs_mosquitto
@needs_postgres
def test_each_match_is_there_once_whatever_fails(tmp_path: Path) -> None:
    broker, server = Mosquitto(tmp_path), Postgres()
    store = Store(server.url)
    store.migrate()
    apis = [FakeApi(f"{number:012x}") for number in range(BOXES)]
    bridges = [RunningBridge(api, broker.port, tmp_path / f"{api.box['id']}.db") for api in apis]

    def play(match: int) -> None:
        for api, bridge in zip(apis, bridges, strict=True):
            bridge.show(playing(match, acts=1))
            api.kept.append(result(f"{api.box['id']}-{match}", match))
            bridge.show(playing(match, acts=2, over=True))

    counter = create_engine(server.url, pool_pre_ping=True)

    def kept(matches: int) -> bool:
        with counter.connect() as link:  # to count is quick; to read all of them would hold up the boxes
            return link.scalar(select(func.count()).select_from(match_table)) == matches * BOXES

    with running_hall(store, broker.port) as hall:
        play(1)
        wait_for(lambda: kept(1))
        broker.kill()
        play(2)
        broker.start()
        wait_for(lambda: kept(2))
        server.stop()
        play(3)
        wait_for(lambda: hall.trouble)
        server.start()
        wait_for(lambda: not hall.trouble and kept(3))
        bridges[0].stop()
        bridges[0] = RunningBridge(apis[0], broker.port, tmp_path / f"{apis[0].box['id']}.db")
        for match in range(4, MATCHES + 1):
            play(match)
        wait_for(lambda: kept(MATCHES))
    assert len({each.uid for each in store.played()}) == BOXES * MATCHES
    for bridge in bridges:
        bridge.stop()
    counter.dispose()
    store.close()
    server.stop()
    broker.kill()
