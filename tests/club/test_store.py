"""The club's database: each match once, in SQLite and in PostgreSQL, with the latest of what a box says of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime, timedelta
from io import StringIO
from operator import attrgetter
from pathlib import Path
from random import Random
from runpy import run_path
from typing import Any

import pytest

pytest.importorskip("sqlalchemy", reason="pip install 'umpi[club]'")

from alembic.autogenerate import compare_metadata
from alembic.command import upgrade
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.operations import Operations
from results import NOW, keep, result
from sqlalchemy import event, inspect, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

from tests.kit.postgres import needs_postgres
from tests.kit.seen import check_seen
from umpi.club import schema
from umpi.club.schema import metadata
from umpi.club.store import ForeignDatabase, History, NewerDatabase, Store
from umpi.mqtt.dropped import MOST


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=[needs_postgres, pytest.mark.slow])])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """A database without tables."""
    database = request.param == "postgres"
    url = request.getfixturevalue("server").url if database else f"sqlite:///{tmp_path / 'club.db'}"
    kept = Store(url)
    yield kept
    if database:
        with kept._engine.begin() as link:
            link.execute(text("DROP SCHEMA public CASCADE"))
            link.execute(text("CREATE SCHEMA public"))
    kept.close()


@pytest.fixture
def store(empty: Store) -> Store:
    empty.migrate()
    return empty


def test_the_migrations_make_the_tables_that_the_code_uses(store: Store) -> None:
    store.migrate()
    with store._engine.connect() as link:
        assert compare_metadata(MigrationContext.configure(link), metadata) == []


def statements() -> Iterator[str]:
    """Yield what makes the tables in PostgreSQL: those of the code, and what each migration does."""
    yield "-- the code"
    for table in sorted(metadata.tables.values(), key=attrgetter("name")):
        yield str(CreateTable(table).compile(dialect=postgresql.dialect()))  # type: ignore[no-untyped-call]
        yield from (str(CreateIndex(index)) for index in sorted(table.indexes, key=attrgetter("name")))
    for file in sorted((Path(schema.__file__).parent / "migrations" / "versions").glob("0*.py")):
        step, written = run_path(str(file)), StringIO()
        context = MigrationContext.configure(dialect_name="postgresql", opts={"as_sql": True, "output_buffer": written})
        with Operations.context(context):
            step["upgrade"]()
        yield f"-- {step['revision']} after {step['down_revision']}"
        done = map(str.strip, written.getvalue().split(";\n"))
        yield from sorted(done, key=lambda each: each if each.startswith("CREATE INDEX") else "")  # they have no order


def test_tables_and_migrations_are_as_somebody_has_read_them() -> None:
    lines = [line.strip() for each in statements() for line in each.splitlines()]
    check_seen(Path(__file__).with_name("tables.sql"), filter(None, lines))


def test_a_result_that_comes_twice_is_there_once(store: Store) -> None:
    assert keep(store, result("u1", "Ann", "Ben")) == 10
    assert keep(store, result("u1", "Ann", "Ben")) == 10
    (played,) = store.played()
    assert (played.players, played.places, played.scores) == (("Ann", "Ben"), (1, 2), (9, 8))


def test_the_latest_revision_counts_in_whatever_order_they_come(store: Store) -> None:
    keep(store, result("u1", "Anna", "Ben", revision=11))
    assert keep(store, result("u1", "Ann", "Ben", revision=10)) == 11, "what is there"
    assert [each.players for each in store.played()] == [("Anna", "Ben")]
    keep(store, result("u1", "Anna", "Ben", revision=12, over=False))
    assert store.played() == [], "the last move was undone"
    keep(store, result("u1", "Anna", "Ben", revision=14, places=[2, 1]))
    assert [each.places for each in store.played()] == [(2, 1)]


def test_a_clock_that_is_wrong_by_a_day_is_corrected(store: Store) -> None:
    store.meet("box1", "Table 1", timedelta(days=1).total_seconds())
    keep(store, result("u1", "Ann", "Ben", ago_min=24 * 60 + 5))
    store.meet("box2", "Table 2", -timedelta(days=1).total_seconds())
    keep(store, result("u2", "Ann", "Cid", box="box2", ago_min=-24 * 60 + 5))
    assert {each.ended for each in store.played()} == {NOW - timedelta(minutes=5)}
    assert store.boxes() == {"box1": "Table 1", "box2": "Table 2"}


def ends(store: Store) -> dict[str, datetime]:
    """Return when each match ended, by its uid."""
    return {each.uid: each.ended for each in store.played()}


def test_a_result_that_comes_before_the_clock_is_known_is_corrected_once_it_is(store: Store) -> None:
    """A box that has just been switched on sends what it has kept before it says how late it is."""
    keep(store, result("u0", "Ann", "Ben", box="box2"))
    keep(store, result("u1", "Ann", "Ben", ago_min=24 * 60 + 5))
    keep(store, result("u2", "Ann", "Cid", ended="2222-01-01T00:00:00+00:00"))
    keep(store, result("u3", "Ann", "Dov", ended=None))
    seen = store.changes(date.min, None)
    before = ends(store)
    assert before["u1"] == NOW - timedelta(days=1, minutes=5)
    store.meet("box1", "Table 1", timedelta(days=1).total_seconds())
    assert ends(store) == before | {"u1": NOW - timedelta(minutes=5), "u2": NOW}
    assert {each.uid: each.evening for each in store.played()}["u1"] == (NOW.astimezone() - timedelta(hours=6)).date()
    assert "u1" in {each.uid for each in store.changes(date.min, seen.state).played}, "a page that is open learns of it"
    store.meet("box1", "Table 1", 0.0)
    assert ends(store)["u1"] == NOW - timedelta(minutes=5), "its clock has been set since, and was wrong then"
    keep(store, result("u4", "Ann", "Eve", ago_min=3))
    store.meet("box1", "Table 1", timedelta(days=1).total_seconds())
    assert ends(store)["u4"] == NOW - timedelta(minutes=3), "it came when the clock was known"


@pytest.mark.parametrize("ended", [None, "", "now", "2222-01-01T00:00:00+00:00"])
def test_a_match_without_a_time_or_from_the_future_ended_when_it_came(store: Store, ended: object) -> None:
    keep(store, result("u1", "Ann", "Ben", ended=ended))
    assert [each.ended for each in store.played()] == [NOW]


def test_a_match_after_midnight_belongs_to_the_evening_before(store: Store) -> None:
    late = datetime(2026, 3, 2, 1, 30).astimezone()
    keep(store, result("u1", "Ann", "Ben", ended=late.isoformat()), late)
    (played,) = store.played()
    assert played.evening == date(2026, 3, 1)
    assert store.played(date(2026, 3, 2)) == []
    assert len(store.played(date(2026, 3, 1))) == 1


def test_matches_under_an_earlier_name_count_for_the_player(store: Store) -> None:
    keep(store, result("u1", "Annie", "Ben"))
    store.rename("Annie", "Ann")
    assert [each.players for each in store.played()] == [("Ann", "Ben")]
    store.rename("Annie", "Annie")
    assert [each.players for each in store.played()] == [("Annie", "Ben")]
    with pytest.raises(KeyError, match="Anie"):
        store.rename("Anie", "Ann")


def test_names_that_count_for_a_name_go_with_it(store: Store) -> None:
    for uid, name in (("u1", "Annie"), ("u2", "Ann"), ("u3", "Anna")):
        keep(store, result(uid, name, "Ben"))
    for name, player in (("Annie", "Ann"), ("Ann", "Anna"), ("Annie", "Ann"), ("Anna", "Ann"), ("Ann", "Anna")):
        store.rename(name, player)
    assert [each.players for each in store.played()] == [("Anna", "Ben")] * 3
    store.rename("Ann", "Ann")
    assert sorted(each.players[0] for each in store.played()) == ["Ann", "Ann", "Anna"], "Annie was given to Ann"


def test_a_name_stays_where_it_was_given_when_the_next_one_is_taken_back(store: Store) -> None:
    for uid, name in (("u1", "Ann"), ("u2", "Dora"), ("u3", "Cid")):
        keep(store, result(uid, name, "Ben"))
    assert store.rename("Dora", "Cid") == "Cid"
    assert store.rename("Ann", "Dora") == "Cid", "who it counts for"
    assert store.names() == {"Ann": "Cid", "Dora": "Cid"}
    assert store.rename("Dora", "Dora") == "Dora"
    assert store.names() == {"Ann": "Dora"}


def test_names_in_a_circle_end_no_reader(store: Store) -> None:
    """Two commands at one time may have made it."""
    with store._engine.begin() as link:
        link.execute(text("INSERT INTO alias VALUES ('Ann', 'Anna'), ('Anna', 'Annie'), ('Annie', 'Ann')"))
    assert store.names().keys() == {"Ann", "Anna", "Annie"}
    keep(store, result("u1", "Ann", "Ben"))
    assert store.rename("Ann", "Anna") == "Anna"
    assert store.names() == {"Ann": "Anna", "Annie": "Anna"}


def test_each_box_has_its_own_word_on_a_match_and_changes_no_other(store: Store) -> None:
    keep(store, result("u1", "Ann", "Ben"))
    assert keep(store, result("u1", "Eve", "Ben", box="evil", revision=99)) == 99
    assert keep(store, result("u1", "Ann", "Bea", revision=11)) == 11
    assert {each.box: each.players for each in store.played()} == {"box1": ("Ann", "Bea"), "evil": ("Eve", "Ben")}


def test_a_match_that_another_box_has_imported_is_there_once(store: Store) -> None:
    for box in ("box1", "box2"):
        keep(store, result("u1", "Ann", "Ben", box=box))
    keep(store, result("u2", "Ann", "Ben", box="box2"))
    assert sorted(each.uid for each in store.played()) == ["u1", "u2"]


@pytest.mark.parametrize("fields", [
    {"scores": [2**53, -(2**53)]}, {"revision": 2**31 - 1}, {"match": 2**31 - 1}, {"title": "x" * 500},
    {"rules": "é" * 500}, {"uid": "u" * 64}, {"game": "g" * 60}, {"ended": "1970-01-01T00:00:00+00:00"},
])  # fmt: skip
def test_whatever_the_reader_lets_in_has_room(store: Store, fields: dict[str, Any]) -> None:
    store.meet("box1", "n" * 500, timedelta(days=80_000).total_seconds())
    keep(store, result("u1", "Ann", "Ben") | fields)
    (played,) = store.played()
    assert played.scores == tuple(fields.get("scores", (9, 8)))


def test_a_second_club_that_writes_the_same_at_the_same_time_is_no_fault(store: Store) -> None:
    """The other one writes after this one has looked whether the match is there, and before it inserts it."""
    other, raced = Store(store._engine.url.render_as_string(hide_password=False)), list[int]()

    def race(link: Any, cursor: Any, statement: str, *more: Any) -> None:
        if statement.replace('"', "").startswith("INSERT INTO match ") and not raced:
            raced.append(keep(other, result("u1", "Ann", "Ben")))

    event.listen(store._engine, "before_cursor_execute", race)
    assert keep(store, result("u1", "Ann", "Ben")) == 10
    assert raced == [10]
    assert len(store.played()) == 1
    other.close()


def test_the_newest_dropped_messages_are_kept(store: Store) -> None:
    for number in range(MOST + 3):
        store.drop(lambda: NOW, f"umpi/{number}/state", "it has the character NUL in it: \0", "…")
    kept = store.dropped()
    assert (len(kept), kept[0].topic, kept[-1].topic) == (MOST, "umpi/3/state", f"umpi/{MOST + 2}/state")
    assert kept[-1].at == NOW.isoformat(timespec="seconds")


def earliest(store: Store) -> None:
    """Make the tables of the first Umpi that had a club, with a match that is over and one whose end was undone."""
    config = Config()
    config.set_main_option("script_location", "umpi.club:migrations")
    with store._engine.begin() as link:
        config.attributes["connection"] = link
        upgrade(config, "0001")
        ended = "'dodeka', 'Dodéka', '', '2026-03-01 20:00:00', '2026-03-01', '{}'"
        for row in (
            "box VALUES ('box1', 'Table 1', 0)", f"match VALUES ('u1', 'box1', 1, 10, true, {ended})",
            f"match VALUES ('u2', 'box1', 2, 12, false, {ended})",
            "seat VALUES ('u1', 0, 'Ann', 9, 1), ('u1', 1, 'Ben', -8, 2)",
        ):  # fmt: skip
            link.execute(text(f"INSERT INTO {row}"))


def test_the_results_of_an_earlier_umpi_stay(empty: Store) -> None:
    earliest(empty)
    empty.migrate()
    (played,) = empty.played()
    assert (played.uid, played.box, played.players) == ("u1", "box1", ("Ann", "Ben"))
    assert (played.scores, played.places) == ((9, -8), (1, 2))
    assert keep(empty, result("u2", "Ann", "Ben", revision=11)) == 12, "the match whose end was undone is known"
    assert keep(empty, result("u1", "Ann", "Bea", revision=11)) == 11
    assert [each.players for each in empty.played()] == [("Ann", "Bea")]


def test_a_change_of_the_tables_that_fails_leaves_all_as_it_was(empty: Store) -> None:
    earliest(empty)
    with empty._engine.begin() as link:
        before = inspect(link).get_table_names()

    def stop(link: Any, cursor: Any, statement: str, *more: Any) -> None:
        if statement.lstrip().startswith("ALTER TABLE new_seat"):
            raise KeyboardInterrupt  # as if the power were cut between two statements

    event.listen(empty._engine, "before_cursor_execute", stop)
    with pytest.raises(KeyboardInterrupt):
        empty.migrate()
    event.remove(empty._engine, "before_cursor_execute", stop)
    with empty._engine.begin() as link:
        assert inspect(link).get_table_names() == before
    empty.migrate()
    assert len(empty.played()) == 1


def test_the_database_of_a_newer_umpi_is_left_alone(store: Store) -> None:
    with store._engine.begin() as link:
        link.execute(text("UPDATE alembic_version SET version_num = '0999'"))
    with pytest.raises(NewerDatabase, match="newer Umpi"):
        store.migrate()


def test_the_database_of_another_program_is_left_alone(empty: Store) -> None:
    with empty._engine.begin() as link:
        link.execute(text("CREATE TABLE match (a INTEGER)"))
    with pytest.raises(ForeignDatabase, match="another program: it has the table match"):
        empty.migrate()
    with empty._engine.begin() as link:
        assert inspect(link).get_table_names() == ["match"]


def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ann, " * 100)
    with pytest.raises(ForeignDatabase, match="not a database"):
        Store(f"sqlite:///{file}").migrate()
    assert file.read_text() == "Dear Ann, " * 100


def test_a_new_file_is_for_its_user_alone_and_an_old_one_keeps_its_rights(tmp_path: Path) -> None:
    file = tmp_path / "club.db"
    store = Store(f"sqlite:///{file}")
    store.migrate()
    assert file.stat().st_mode & 0o777 == 0o600
    file.chmod(0o640)
    store.migrate()
    assert file.stat().st_mode & 0o777 == 0o640
    Store("sqlite://").migrate()  # in memory


SINCE = date(2026, 2, 1)
LOG = 5  # writes that the log contains here
STEPS = ("new", "new", "late", "revised", "undone", "twin", "before", "renamed", "elsewhere", "many")


@pytest.mark.parametrize("seed", range(4))
def test_what_is_read_again_after_each_write_is_what_the_database_contains(store: Store, seed: int) -> None:
    """Also if another process writes to the same database, or more is written than the log of writes contains."""
    chance = Random(seed)
    history, other = History(store, SINCE), Store(store._engine.url.render_as_string(hide_password=False))
    store._log = deque(maxlen=LOG)
    for number in range(40):
        step, uid, box = chance.choice(STEPS), f"u{chance.randrange(12)}", f"box{chance.randrange(3)}"
        players = chance.sample(["Ann", "Ben", "Cid", "Dora"], chance.randint(2, 3))
        match step:
            case "new" | "late":
                ago = 0 if step == "new" else chance.randrange(100)
                keep(store, result(f"n{number}", *players, box=box, ago_min=ago))
            case "revised" | "undone":
                keep(store, result(uid, *players, box=box, revision=number, over=step == "revised"))
            case "twin":
                for each in ("box1", "box2"):
                    keep(store, result(f"t{uid}", "Ann", "Ben", box=each, revision=number))
            case "before":
                keep(store, result(f"b{number}", *players, ago_min=60 * 24 * 40))
            case "renamed":
                with suppress(KeyError):  # nobody has played under the name yet
                    store.rename(chance.choice(players), "Eve")
            case "elsewhere" if number % 3:
                keep(other, result(f"e{number}", *players))
            case "elsewhere":
                with suppress(KeyError):
                    other.rename("Ben", "Bea")
            case "many":
                for each in range(chance.choice([2, LOG + 1])):
                    keep(store, result(f"m{number}.{each}", *players))
        assert history.read() == store.played(SINCE), step
    other.close()


def test_one_write_is_read_alone(store: Store) -> None:
    for number in range(30):
        keep(store, result(f"u{number}", "Ann", "Ben", ago_min=60 - number))
    history, read = History(store, SINCE), []
    before = history.read()
    assert history.read() is before, "nothing was written"
    event.listen(store._engine, "before_cursor_execute", lambda *of: read.append((of[2], of[3])))
    keep(store, result("new", "Ann", "Ben", ago_min=0))
    read.clear()
    after = history.read()
    assert all(one is other for one, other in zip(before, after, strict=False)), "the objects of before"
    assert len(after) == 31
    seats = [values for statement, values in read if "JOIN seat" in statement]
    assert len(seats) == 1
    assert "'new'" in str(seats[0])
    assert "'u1'" not in str(seats[0])
