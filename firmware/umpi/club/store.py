"""The club's database: keeps each result once, by its uid, and lists what was played."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from alembic.command import upgrade
from alembic.config import Config
from sqlalchemy import Connection, create_engine, delete, insert, select, update

from umpi.club.schema import alias, box, match, seat

Json = dict[str, Any]
NIGHT = timedelta(hours=6)  # a match that ends before six belongs to the evening before
WRONG_S = 120.0  # a clock that is wrong by more is corrected


class BadResult(ValueError):
    """Report a message that is not a result."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match that is over: its players and their places, by seat. `ended` is by the club's clock."""

    uid: str
    box: str
    game: str
    title: str
    ended: datetime
    evening: date
    players: tuple[str, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]


class Store:
    """Keep results at a URL of SQLAlchemy, for example "sqlite:///club.db". All methods may wait for the disk.

    They raise sqlalchemy.exc.SQLAlchemyError if the database is away.
    """

    def __init__(self, url: str) -> None:
        self._engine = create_engine(url, pool_pre_ping=True)
        self.writes = 0  # how often something was changed

    def close(self) -> None:
        """Close all connections."""
        self._engine.dispose()

    def migrate(self) -> None:
        """Make the tables, or change them to those of this Umpi."""
        config = Config()
        config.set_main_option("script_location", "umpi.club:migrations")
        with self._engine.begin() as link:
            config.attributes["connection"] = link
            upgrade(config, "head")

    def keep(self, result: Mapping[str, Any], received: datetime) -> bool:
        """Keep a result unless this revision or a later one is there; return whether anything changed.

        Raises BadResult.
        """
        row, seats = _rows(result)
        with self._engine.begin() as link:
            known = link.execute(select(match.c.revision).where(match.c.uid == row["uid"])).scalar()
            if known is not None and known >= row["revision"]:
                return False
            ended = _ended(result, received, _offset(link, row["box"]))
            row |= {"ended": ended, "evening": (ended.astimezone() - NIGHT).date()}
            if known is None:
                link.execute(insert(match).values(row))
            else:
                link.execute(update(match).where(match.c.uid == row["uid"]).values(row))
                link.execute(delete(seat).where(seat.c.uid == row["uid"]))
            if seats:
                link.execute(insert(seat), seats)
        self.writes += 1
        return True

    def meet(self, id: str, name: str, offset_s: float) -> None:
        """Note the name of a box, and what to add to its clock."""
        with self._engine.begin() as link:
            row = {"name": name[:120], "offset_s": offset_s}
            if not link.execute(update(box).where(box.c.id == id).values(row)).rowcount:
                link.execute(insert(box).values(id=id, **row))

    def rename(self, name: str, player: str) -> None:
        """Count what was played under a name for a player."""
        with self._engine.begin() as link:
            link.execute(delete(alias).where(alias.c.name == name))
            if name != player:
                link.execute(insert(alias).values(name=name, player=player))
        self.writes += 1

    def boxes(self) -> dict[str, str]:
        """Return the names of all boxes by their ids."""
        with self._engine.connect() as link:
            return {row.id: row.name for row in link.execute(select(box.c.id, box.c.name).order_by(box.c.name))}

    def played(self, since: date | None = None, game: str = "") -> list[Played]:
        """List the matches that are over, in the order in which they ended."""
        wanted = select(match, seat).join(seat, seat.c.uid == match.c.uid).where(match.c.over)
        wanted = wanted.where(match.c.evening >= since) if since else wanted
        wanted = wanted.where(match.c.game == game) if game else wanted
        with self._engine.connect() as link:
            names = {row.name: row.player for row in link.execute(select(alias))}
            rows = link.execute(wanted.order_by(match.c.ended, match.c.uid, seat.c.seat)).mappings().all()
        found: dict[str, list[Any]] = {}
        for row in rows:
            found.setdefault(row[match.c.uid], []).append(row)
        return [_played(uid, seats, names) for uid, seats in found.items()]


def _offset(link: Connection, id: str) -> float:
    return float(link.execute(select(box.c.offset_s).where(box.c.id == id)).scalar() or 0.0)


def _rows(result: Mapping[str, Any]) -> tuple[Json, list[Json]]:
    """Return the rows of a result. Raises BadResult."""
    try:
        uid, over = str(result["uid"]), bool(result["over"])
        row = {
            "uid": uid, "box": str(result["box"]), "number": int(result["match"]),
            "revision": int(result["revision"]), "over": over, "game": str(result["game"]),
            "title": str(result["title"]), "rules": str(result["rules"]), "text": json.dumps(dict(result)),
        }  # fmt: skip
        seats = [
            {
                "uid": uid, "seat": int(player["seat"]), "name": str(player["name"]),
                "score": int(result["scores"][player["seat"]]), "place": int(result["places"][player["seat"]]),
            }
            for player in (result["players"] if over else ())
        ]  # fmt: skip
    except (KeyError, IndexError, TypeError, ValueError) as fault:
        raise BadResult(f"{type(fault).__name__}: {fault}") from None
    if not 0 < len(uid) <= 64 or (over and not seats):
        raise BadResult("it has no uid or no players")
    return row, seats


def _ended(result: Mapping[str, Any], received: datetime, offset_s: float) -> datetime:
    """Return when a match ended, by the club's clock. A box whose clock was never set has its results now."""
    ended = time_of(result.get("ended"))
    if ended is None:
        return received.astimezone(UTC)
    if abs(offset_s) > WRONG_S:
        ended += timedelta(seconds=offset_s)
    return min(ended, received).astimezone(UTC)


def time_of(text: object) -> datetime | None:
    """Read a time of a box, None if it is none.

    >>> time_of("2026-03-01T12:00:00+00:00"), time_of("yesterday")
    (datetime.datetime(2026, 3, 1, 12, 0, tzinfo=datetime.timezone.utc), None)
    """
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _played(uid: str, rows: list[Any], names: Mapping[str, str]) -> Played:
    first = rows[0]
    return Played(
        uid, first["box"], first["game"], first["title"],
        first["ended"].replace(tzinfo=first["ended"].tzinfo or UTC), first["evening"],
        tuple(names.get(row["name"], row["name"]) for row in rows), tuple(row["place"] for row in rows),
        tuple(row["score"] for row in rows),
    )  # fmt: skip
