"""The club's database: each match once, in SQLite and in PostgreSQL, with the latest of what a box says of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="pip install 'umpi[club]'")

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from results import NOW, result

from postgres import Postgres, needs_postgres
from umpi.club.schema import metadata
from umpi.club.store import BadResult, Store


@pytest.fixture(scope="module")
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    yield server
    server.stop()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=[needs_postgres, pytest.mark.slow])])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    database = request.param == "postgres"
    url = request.getfixturevalue("postgres").url if database else f"sqlite:///{tmp_path / 'club.db'}"
    kept = Store(url)
    kept.migrate()
    yield kept
    if database:
        with kept._engine.begin() as link:
            for table in reversed(metadata.sorted_tables):
                link.execute(table.delete())
    kept.close()


def test_the_migrations_make_the_tables_that_the_code_uses(store: Store) -> None:
    store.migrate()
    with store._engine.connect() as link:
        assert compare_metadata(MigrationContext.configure(link), metadata) == []


def test_a_result_that_comes_twice_is_there_once(store: Store) -> None:
    assert store.keep(result("u1", "Ann", "Ben"), NOW)
    assert not store.keep(result("u1", "Ann", "Ben"), NOW)
    (played,) = store.played()
    assert (played.players, played.places, played.scores) == (("Ann", "Ben"), (1, 2), (9, 8))


def test_the_latest_revision_counts_in_whatever_order_they_come(store: Store) -> None:
    store.keep(result("u1", "Anna", "Ben", revision=11), NOW)
    assert not store.keep(result("u1", "Ann", "Ben", revision=10), NOW)
    assert [each.players for each in store.played()] == [("Anna", "Ben")]
    store.keep(result("u1", "Anna", "Ben", revision=12, over=False), NOW)
    assert store.played() == [], "the last move was undone"
    store.keep(result("u1", "Anna", "Ben", revision=14, places=[2, 1]), NOW)
    assert [each.places for each in store.played()] == [(2, 1)]


def test_a_clock_that_is_wrong_by_a_day_is_corrected(store: Store) -> None:
    store.meet("box1", "Table 1", timedelta(days=1).total_seconds())
    store.keep(result("u1", "Ann", "Ben", ago_min=24 * 60 + 5), NOW)
    store.meet("box2", "Table 2", -timedelta(days=1).total_seconds())
    store.keep(result("u2", "Ann", "Cid", box="box2", ago_min=-24 * 60 + 5), NOW)
    assert {each.ended for each in store.played()} == {NOW - timedelta(minutes=5)}
    assert store.boxes() == {"box1": "Table 1", "box2": "Table 2"}


@pytest.mark.parametrize("ended", [None, "", "now", "2222-01-01T00:00:00+00:00"])
def test_a_match_without_a_time_or_from_the_future_ended_when_it_came(store: Store, ended: object) -> None:
    store.keep(result("u1", "Ann", "Ben", ended=ended), NOW)
    assert [each.ended for each in store.played()] == [NOW]


def test_a_match_after_midnight_belongs_to_the_evening_before(store: Store) -> None:
    late = datetime(2026, 3, 2, 1, 30).astimezone()
    store.keep(result("u1", "Ann", "Ben", ended=late.isoformat()), late)
    (played,) = store.played()
    assert played.evening == date(2026, 3, 1)
    assert store.played(date(2026, 3, 2)) == []
    assert len(store.played(date(2026, 3, 1), "dodeka")) == 1


def test_matches_under_an_earlier_name_count_for_the_player(store: Store) -> None:
    store.keep(result("u1", "Annie", "Ben"), NOW)
    store.rename("Annie", "Ann")
    assert [each.players for each in store.played()] == [("Ann", "Ben")]
    store.rename("Annie", "Annie")
    assert [each.players for each in store.played()] == [("Annie", "Ben")]


@pytest.mark.parametrize("wrong", [{"uid": ""}, {"players": []}, {"scores": [1]}, {"revision": "x"}, {"places": None}])
def test_an_invalid_result_is_refused_and_changes_nothing(store: Store, wrong: dict[str, Any]) -> None:
    with pytest.raises(BadResult):
        store.keep({**result("u1", "Ann", "Ben"), **wrong}, NOW)
    assert store.played() == []
