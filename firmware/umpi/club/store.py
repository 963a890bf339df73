"""The club's database: keeps each result of a box once, by its uid, and lists what was played."""

from __future__ import annotations

import json
import logging
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeVar

from alembic.command import upgrade
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    Table,
    and_,
    create_engine,
    delete,
    func,
    insert,
    inspect,
    select,
    true,
    tuple_,
    update,
)
from sqlalchemy.exc import DatabaseError, DataError, IntegrityError, SQLAlchemyError

from umpi.box.signing import SigningKey, new_secret
from umpi.club.schema import alias, box, club, dropped, match, seat
from umpi.frozen import frozen
from umpi.mqtt.dropped import MOST, DroppedMessage
from umpi.mqtt.payloads import Result

Json = dict[str, Any]
T = TypeVar("T")
LONGEST_S = 12 * 3600  # a match that lasted longer was left open, and continued another day
NIGHT = timedelta(hours=6)  # a match that ends before six belongs to the evening before
PRIVATE = 0o600  # the file is for the user of the club alone
LOGGED = 100  # writes that a reader can catch up with; it reads everything if there were more
NAME, TITLE, RULES = 120, 120, 60  # characters of these columns
THE_CLUB = 1  # the id of its row
WRONG_S = 120.0  # a clock that is wrong by more is corrected
WRONG = DataError, IntegrityError  # what a database raises about the data; all else is that it is away


# One club at a time changes the tables. SQLite begins a transaction for data only, if it is not told to.
ALONE = {"sqlite": "BEGIN IMMEDIATE", "postgresql": "SELECT pg_advisory_xact_lock(hashtext('umpi club'))"}


log = logging.getLogger(__name__)


class NewerDatabase(Exception):
    """Report a database that a newer Umpi has made."""


class ForeignDatabase(Exception):
    """Report a database that another program has made."""


class WrongKey(Exception):
    """Report a result that another key has signed than those before, or none."""


@frozen
class Played:
    """A match that is over: its players and their places, by seat. `ended` is by the club's clock.

    `lasted_s` is None if nobody knows, or if it was interrupted for so long that it says nothing. `without_luck` is
    what each player got without the luck of dice and cards, None if the rules of the game do not compute it.
    """

    uid: str
    box: str
    game: str
    title: str
    ended: datetime
    evening: date
    players: tuple[str, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]
    lasted_s: float | None = None
    without_luck: tuple[float, ...] | None = None


Key = tuple[str, str]  # the uid of a match and the id of its box


@frozen
class Written:
    """A result that was written: the number of the write, and how much it added to the columns of `State`."""

    number: int
    key: Key
    results: int
    revisions: int


@frozen
class State:
    """How far a reader has read. If the sums are others than expected, another process has written too."""

    writes: int
    names: Mapping[str, str]  # the players by the names that count for them
    results: int  # the number of rows
    revisions: int  # the sum of their revisions, which only grow


@frozen
class Changes:
    """The matches of some keys at a state, without those that are not over; `keys` is None for all."""

    state: State
    keys: frozenset[Key] | None
    played: list[Played]


def evening_of(when: datetime) -> date:
    """Return the day of the evening to which a time belongs: until six in the morning it is that of the day before."""
    return (when.astimezone() - NIGHT).date()


def season_of(evening: date, first: date | None) -> date:
    """Return the first day of the season to which an evening belongs: `first`, without it 1 January."""
    return first or date(evening.year, 1, 1)


def why_away(fault: SQLAlchemyError) -> str:
    """Return why the database cannot be used, on one line."""
    return str(fault.__cause__ or fault).partition("\n")[0]


class Store:
    """Keep results at a URL of SQLAlchemy, for example "sqlite:///club.db". All methods may wait for the disk.

    They raise sqlalchemy.exc.SQLAlchemyError if the database is away.
    """

    def __init__(self, url: str) -> None:
        self._engine = create_engine(url, pool_pre_ping=True)
        self.writes = 0  # how often something was changed
        self._alone = threading.Lock()  # so that a reader sees a write and its number, or neither
        self._log: deque[Written] = deque(maxlen=LOGGED)
        self._seen: State | None = None  # the state at the last look
        self._met = set[str]()  # the boxes whose clocks are known
        # by box and uid, of results that came before: when the match ended by its box, and when they were received
        self._early = dict[str, dict[str, tuple[datetime, datetime]]]()

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def migrate(self) -> None:
        """Make the tables, or change them to those of this Umpi, all or nothing.

        Raises NewerDatabase, ForeignDatabase.
        """
        config = Config()
        config.set_main_option("script_location", "umpi.club:migrations")
        known = {each.revision for each in ScriptDirectory.from_config(config).walk_revisions()}
        try:
            with self._engine.begin() as link:
                if alone := ALONE.get(link.dialect.name):
                    link.exec_driver_sql(alone)
                if _is_new(link, known) and link.dialect.name == "sqlite":
                    with suppress(OSError):  # a database in memory is no file
                        Path(str(self._engine.url.database)).chmod(PRIVATE)
                config.attributes["connection"] = link
                upgrade(config, "head")
        except DatabaseError as fault:
            if type(fault) is DatabaseError:  # neither away nor a fault of the data: SQLite says so of a foreign file
                raise ForeignDatabase(f"This is not a database of Umpi: {fault.orig}.") from None
            raise

    def keep(self, id: str, result: Result, received: datetime) -> int:
        """Keep a result of a box unless this revision or a later one is there; return the revision that is there.

        The key of the first result that is signed is that of the box. Raises WrongKey if it is another one.
        """

        def write(link: Connection) -> int | None:
            _check_key(link, id, result.key)
            known = link.execute(select(match.c.revision).where(_of(match, id, result))).scalar()
            if known is not None and known >= result.revision:
                return int(known)
            ended = received if result.ended is None else _corrected(result.ended, received, _offset(link, id))
            row = _row(id, result, ended)
            if known is None:
                link.execute(insert(match).values(row))
            else:
                link.execute(update(match).where(_of(match, id, result)).values(row))
                link.execute(delete(seat).where(_of(seat, id, result)))
            if seats := _seats(id, result):
                link.execute(insert(seat), seats)
            return None if known is None else int(known)

        with self._alone:
            known = self._write(write)
            if known is not None and known >= result.revision:
                return known
            if id not in self._met and result.ended:
                self._early.setdefault(id, {})[result.uid] = result.ended, received
            self.writes += 1
            added = (1, result.revision) if known is None else (0, result.revision - known)
            self._log.append(Written(self.writes, (result.uid, id), *added))
        return result.revision

    def meet(self, id: str, name: str, offset_s: float) -> None:
        """Note the name of a box, and what to add to its clock. Correct the results that came before that was known."""

        def write(link: Connection) -> None:
            row = {"name": name[:NAME], "offset_s": offset_s}
            if not link.execute(update(box).where(box.c.id == id).values(row)).rowcount:
                link.execute(insert(box).values(id=id, **row))
            for uid, (ended, received) in self._early.get(id, {}).items():
                when = _when(_corrected(ended, received, offset_s))
                link.execute(update(match).where(match.c.uid == uid, match.c.box == id).values(when))

        with self._alone:
            self._write(write)
            self._met.add(id)
            if self._early.pop(id, None):
                self.writes += 1

    def forget(self, id: str) -> None:
        """Forget the name, the clock and the key of a box. Its results stay."""
        self._write(lambda link: link.execute(delete(box).where(box.c.id == id)))

    def forget_key(self, id: str) -> bool:
        """Let the next result of a box say what its key is; return whether the box is known."""
        return self._write(lambda link: bool(link.execute(update(box).where(box.c.id == id).values(key="")).rowcount))

    def key(self) -> SigningKey:
        """Return the key of the club. The first call makes it."""
        return SigningKey.of(str(self._write(_club)["secret"]))

    def count_offer(self) -> int:
        """Count an offer of the club; return its number."""

        def write(link: Connection) -> int:
            number = int(_club(link)["offers"]) + 1
            link.execute(update(club).values(offers=number))
            return number

        return self._write(write)

    def drop(self, wall: Callable[[], datetime], topic: str, why: str, begins: str) -> None:
        """Keep a message that was dropped, and the newest ones before it."""
        at = wall().isoformat(timespec="seconds")
        row = {"at": at, "topic": topic.replace("\0", ""), "why": why.replace("\0", ""), "begins": begins}

        def write(link: Connection) -> None:
            number = link.execute(insert(dropped).values(row)).inserted_primary_key
            link.execute(delete(dropped).where(dropped.c.n <= int(number[0]) - MOST if number else true()))

        self._write(write)

    def dropped(self) -> list[DroppedMessage]:
        """Return the messages that were dropped, newest last."""
        columns = dropped.c.at, dropped.c.topic, dropped.c.why, dropped.c.begins
        with self._engine.connect() as link:
            return [DroppedMessage(*row) for row in link.execute(select(*columns).order_by(dropped.c.n))]

    def _write(self, write: Callable[[Connection], T]) -> T:
        """Write in one transaction. If another club has just written the same row, write once more."""
        try:
            with self._engine.begin() as link:
                return write(link)
        except IntegrityError:
            with self._engine.begin() as link:
                return write(link)

    def rename(self, name: str, player: str) -> str:
        """Count what was played under a name for a player, or for whom the player counts; return who that is.

        A name for itself counts for itself again. If the player has counted for the name, this ends. Raises KeyError if
        nobody has played under the name.
        """
        with self._alone:
            with self._engine.begin() as link:
                if link.execute(select(seat.c.name).where(seat.c.name == name).limit(1)).first() is None:
                    raise KeyError(name)
                link.execute(delete(alias).where(alias.c.name == name))
                if _names(link).get(player) == name:
                    link.execute(delete(alias).where(alias.c.name == player))
                if name != player:
                    link.execute(insert(alias).values(name=name, player=player))
                found = _names(link).get(name, name)
            self.writes += 1
        return found

    def names(self) -> dict[str, str]:
        """Return the players by the names that count for them."""
        with self._engine.connect() as link:
            return _names(link)

    def boxes(self) -> dict[str, str]:
        """Return the names of all boxes by their ids."""
        with self._engine.connect() as link:
            return {row.id: row.name for row in link.execute(select(box.c.id, box.c.name).order_by(box.c.name))}

    def played(self, since: date | None = None) -> list[Played]:
        """List the matches that are over, in the order in which they ended.

        If two boxes report the same match, it is there once: one of them has imported it. If they report it
        differently, nothing says who is right, and both are there.
        """
        wanted = match.c.evening >= since if since else true()
        with self._engine.connect() as link:
            return once(_read(link, wanted, _names(link)))

    def changes(self, since: date, before: State | None) -> Changes:
        """Read the matches since a day that were written after a state, or all if nobody can say which these are."""
        with self._alone, self._engine.connect() as link:
            state = self._state(link)
            keys = self._written(before, state) if before else None
            wanted = true() if keys is None else tuple_(match.c.uid, match.c.box).in_(list(keys))
            played = _read(link, and_(match.c.evening >= since, wanted), state.names) if keys is None or keys else []
        return Changes(state, keys, played)

    def look(self) -> None:
        """Count it as a write if another process has written since the last look: by --rename, or another club."""
        with self._alone, self._engine.connect() as link:
            state = self._state(link)
            if self._seen is None or self._written(self._seen, state) is None:  # before the first look, nobody knows
                self.writes += 1
                state = replace(state, writes=self.writes)
            self._seen = state

    def _state(self, link: Connection) -> State:
        results, revisions = link.execute(select(func.count(), func.sum(match.c.revision))).one()
        return State(self.writes, _names(link), int(results), int(revisions or 0))

    def _written(self, before: State, now: State) -> frozenset[Key] | None:
        """Return what was written between two states, None if the log does not say so."""
        log = [each for each in self._log if each.number > before.writes]
        results = before.results + sum(each.results for each in log)
        revisions = before.revisions + sum(each.revisions for each in log)
        expected = State(before.writes + len(log), before.names, results, revisions)
        return frozenset(each.key for each in log) if expected == now else None


class History:
    """The matches since a day. Only those that were written are read again."""

    def __init__(self, store: Store, since: date) -> None:
        self._store, self._since = store, since
        self._state: State | None = None
        self._found: dict[Key, Played] = {}
        self._played: list[Played] = []

    def read(self) -> list[Played]:
        """Return what `Store.played` returns: a list of its own after each change, with the same objects."""
        changes = self._store.changes(self._since, self._state)
        if changes.keys is None:
            self._found.clear()
        for key in changes.keys or ():
            self._found.pop(key, None)
        self._found |= {(each.uid, each.box): each for each in changes.played}
        if changes.keys is None or changes.keys:
            self._played = once(self._found.values())
        self._state = changes.state
        return self._played


def once(played: Iterable[Played]) -> list[Played]:
    """Return matches in the order in which they ended, each once if two boxes report it alike."""
    ordered = sorted(played, key=attrgetter("ended", "uid", "box"))
    boxes = Counter(each.uid for each in ordered)
    reports: set[object] = set()
    found = []
    for each in ordered:
        if boxes[each.uid] > 1:
            report = each.uid, each.game, each.players, each.places, each.scores
            if report in reports:
                continue
            reports.add(report)
        found.append(each)
    return found


def _names(link: Connection) -> dict[str, str]:
    """Return the players by the names that count for them."""
    given = {row.name: row.player for row in link.execute(select(alias))}
    return {name: _last(name, given) for name in given}


def _last(name: str, given: Mapping[str, str]) -> str:
    """Follow a name from player to player; in a circle, which two commands at one time may make, stop."""
    seen = set[str]()
    while name in given and name not in seen:
        seen.add(name)
        name = given[name]
    return name


def _read(link: Connection, wanted: ColumnElement[bool], names: Mapping[str, str]) -> list[Played]:
    """Read the matches that are over and meet a condition."""
    joined = select(match, seat).join(seat, and_(seat.c.uid == match.c.uid, seat.c.box == match.c.box))
    ordered = joined.where(match.c.over, wanted).order_by(match.c.uid, match.c.box, seat.c.seat)
    found: dict[Key, list[Any]] = {}
    for row in link.execute(ordered).mappings():
        found.setdefault((row[match.c.uid], row[match.c.box]), []).append(row)
    return [_played(seats, names) for seats in found.values()]


def _is_new(link: Connection, known: set[str]) -> bool:
    """Return whether a database is empty. Raises NewerDatabase, ForeignDatabase if it is not of this Umpi either."""
    made = set(MigrationContext.configure(link).get_current_heads())
    if made - known:
        raise NewerDatabase("This database is of a newer Umpi. Use that one, or another database.")
    if not made and (tables := inspect(link).get_table_names()):
        raise ForeignDatabase(f"This database is of another program: it has the table {tables[0]}. Use an empty one.")
    return not made


def _check_key(link: Connection, id: str, key: str) -> None:
    """Check the key with which a result of a box is signed, and note it if it is the first. Raises WrongKey."""
    known = link.execute(select(box.c.key).where(box.c.id == id)).scalar()
    if not known and key:
        noted = update(box).where(box.c.id == id, box.c.key == "").values(key=key)
        if not link.execute(noted).rowcount:  # no such box yet; or another club has just noted a key: IntegrityError
            link.execute(insert(box).values(id=id, name=id, offset_s=0.0, key=key))
        log.info("Box %s signs its results with the key %s", id, key)
    elif known and known != key:
        why = "it is signed with another key than before" if key else "it is not signed, as those before are"
        raise WrongKey(f"{why}. If this box has a new card: umpi club --new-key {id}")


def _club(link: Connection) -> RowMapping:
    """Return the row of the club; make it if there is none."""
    found = link.execute(select(club)).mappings().first()
    if found is None:
        link.execute(insert(club).values(id=THE_CLUB, secret=new_secret(), offers=0))
        found = link.execute(select(club)).mappings().one()
    return found


def _of(table: Table, id: str, result: Result) -> ColumnElement[bool]:
    """Return the condition for the rows of a result of a box."""
    return and_(table.c.uid == result.uid, table.c.box == id)


def _offset(link: Connection, id: str) -> float:
    return float(link.execute(select(box.c.offset_s).where(box.c.id == id)).scalar() or 0.0)


def _row(id: str, result: Result, ended: datetime) -> Json:
    return {
        "uid": result.uid,
        "box": id,
        "number": result.match,
        "revision": result.revision,
        "over": result.over,
        "game": result.game,
        "title": result.title[:TITLE],
        "rules": result.rules[:RULES],
        "text": result.text,
        **_when(ended),
    }


def _when(ended: datetime) -> Json:
    return {"ended": ended.astimezone(UTC), "evening": evening_of(ended)}


def _seats(id: str, result: Result) -> list[Json]:
    return [
        {"uid": result.uid, "box": id, "seat": seat, "name": each.name, "score": each.score, "place": each.place}
        for seat, each in enumerate(result.players)
    ]


def _corrected(ended: datetime, received: datetime, offset_s: float) -> datetime:
    """Return by the club's clock when a match ended, given the time by its box; not later than it was received."""
    return min(ended + timedelta(seconds=offset_s if abs(offset_s) > WRONG_S else 0), received)


def _played(rows: list[Any], names: Mapping[str, str]) -> Played:
    first = rows[0]
    text = json.loads(first["text"])
    known = text.get("without_luck")
    return Played(
        first[match.c.uid],
        first[match.c.box],
        first["game"],
        first["title"],
        first["ended"].replace(tzinfo=first["ended"].tzinfo or UTC),
        first["evening"],
        tuple(names.get(row["name"], row["name"]) for row in rows),
        tuple(row["place"] for row in rows),
        tuple(row["score"] for row in rows),
        _lasted_s(text),
        None if known is None else tuple(map(float, known)),
    )


def _lasted_s(fields: Json) -> float | None:
    """Return how long the match of a result lasted, by the clock of its box."""
    try:
        began, ended = (datetime.fromisoformat(fields[name]) for name in ("began", "ended"))
        lasted_s = (ended - began).total_seconds()
    except (KeyError, TypeError, ValueError):  # a box that did not know the time
        return None
    return lasted_s if 0 <= lasted_s <= LONGEST_S else None
