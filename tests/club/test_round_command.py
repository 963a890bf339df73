"""`umpi club --round`: which offers the tables get, and whom it takes for whom."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="pip install 'umpi[club]'")
pytest.importorskip("openskill", reason="pip install 'umpi[club]'")

from results import Published, keep, result

from umpi.cli import main
from umpi.club.hall import Hall
from umpi.club.store import Store
from umpi.mqtt.broker import Received

ONE, TWO = "000000000001", "000000000002"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """The database of a club with two tables."""
    store = Store(f"sqlite:///{tmp_path / 'club.db'}")
    store.migrate()
    for box in (ONE, TWO):
        store.meet(box, f"Table {box[-1]}", 0.0)
    yield store
    store.close()


@pytest.fixture
def offers(store: Store, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the broker keeps, by its topic. Both tables are online."""
    kept: dict[str, Any] = {}
    monkeypatch.setattr("umpi.cli.club._publish", lambda plan, documents: kept.update(documents))
    monkeypatch.setattr("umpi.cli.club._reported", lambda plan: {ONE: True, TWO: True})
    return kept


def play(tmp_path: Path, players: str, game: str = "dodeka") -> int:
    where = ["--database", f"sqlite:///{tmp_path / 'club.db'}", "--season", str(date(2026, 1, 1))]
    return main(["club", *where, "--round", game, "--players", players])


def tables(store: Store, offers: dict[str, Any]) -> dict[str, tuple[str, ...]]:
    """The players that the page shows as the next ones of each table."""
    hall = Hall(store, Published())
    for topic, document in offers.items():
        hall.handle(Received(topic, json.dumps(document).encode() if document else b"", True))
    return {id: table.next for id, table in hall.tables.items()}


def test_a_table_without_a_match_in_a_round_loses_the_offer_of_the_round_before(
    tmp_path: Path, store: Store, offers: dict[str, Any]
) -> None:
    assert play(tmp_path, "Ann,Ben,Cid,Dora") == 0
    assert all(tables(store, offers).values())
    assert play(tmp_path, "Ann,Ben") == 0
    assert tables(store, offers) == {ONE: ("Ann", "Ben"), TWO: ()}


def test_a_round_seats_nobody_at_a_box_that_is_offline_and_its_table_loses_its_offer(
    tmp_path: Path,
    store: Store,
    offers: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert play(tmp_path, "Ann,Ben,Cid,Dora") == 0
    store.meet(TWO, "Table 1", 0.0)
    capsys.readouterr()
    monkeypatch.setattr("umpi.cli.club._reported", lambda plan: {ONE: False, TWO: True})
    assert play(tmp_path, "Ann,Ben,Cid,Dora") == 0
    assert tables(store, offers) == {ONE: (), TWO: ("Ann", "Ben")}
    assert capsys.readouterr().out.splitlines() == [
        f"Table 1 ({TWO}): Ann, Ben", "2 players rest: Cid, Dora", f"1 box is offline: Table 1 ({ONE})"
    ]  # fmt: skip
    offers.clear()
    monkeypatch.setattr("umpi.cli.club._reported", lambda plan: {ONE: False})
    assert play(tmp_path, "Ann,Ben,Cid,Dora") == 2
    assert "None of these boxes is online: " in capsys.readouterr().err
    assert offers == {}


def test_a_round_knows_which_names_count_for_one_player_and_offers_those_that_were_given(
    tmp_path: Path, store: Store, offers: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    keep(store, result("u1", "Annie", "Ben", box=ONE))
    store.rename("Annie", "Ann")
    assert play(tmp_path, "Annie,Ben,Cid,Dora") == 0
    assert "Ben" not in next(names for names in tables(store, offers).values() if "Annie" in names), "they have met"
    offers.clear()
    assert play(tmp_path, "Ann,Annie,Ben,Cid") == 2
    assert "--players: Ann and Annie are one player: see --rename." in capsys.readouterr().err
    assert offers == {}


def test_a_round_counts_who_has_met_and_played_by_all_games_and_wins_by_its_own(
    tmp_path: Path, store: Store, offers: dict[str, Any]
) -> None:
    """A score pad has tables of one player, too: their matches count for nothing, so a table of it has two."""
    keep(store, result("u1", "Ann", "Ben", box=ONE, game="quiz"))
    keep(store, result("u2", "Cid", box=ONE, game="scorepad"))
    assert play(tmp_path, "Ann,Ben,Cid,Dora", "scorepad") == 0
    assert set(tables(store, offers).values()) == {("Ann", "Cid"), ("Ben", "Dora")}
    assert play(tmp_path, "Ann,Cid,Dora") == 0
    assert tables(store, offers) == {ONE: ("Cid", "Dora"), TWO: ()}, "Ann has played"


def test_a_round_refuses_a_name_that_no_box_takes(
    tmp_path: Path, offers: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert play(tmp_path, "Maximiliana-Theodora von Habsburg,Ben") == 2
    assert "--players: a name has 1 to 24 characters" in capsys.readouterr().err
    assert offers == {}


@pytest.mark.parametrize("player", ["", "   ", "C" * 25])
def test_a_player_gets_no_name_by_rename_that_no_box_takes(
    player: str, tmp_path: Path, store: Store, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(store, result("u1", "Cid", "Ben", box=ONE))
    assert main(["club", "--database", f"sqlite:///{tmp_path / 'club.db'}", "--rename", "Cid", player]) == 2
    assert "--rename: a name" in capsys.readouterr().err
    assert store.names() == {}
