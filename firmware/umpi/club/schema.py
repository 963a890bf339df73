"""The tables of the club's database, in PostgreSQL or SQLite; `migrations` makes them."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Float,
    ForeignKeyConstraint,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)

metadata = MetaData()

box = Table(
    "box",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("name", String(120), nullable=False),
    Column("offset_s", Float, nullable=False),  # what to add to its clock
    Column("key", String(64), nullable=False, server_default=""),  # with which its results are signed, "" if not yet
)

club = Table(
    "club",
    metadata,
    Column("id", Integer, primary_key=True),  # 1: there is one club
    Column("secret", String(64), nullable=False),  # with which it signs; here, so that two clubs at a database are one
    Column("offers", Integer, nullable=False),  # how many matches it has offered
)

match = Table(
    "match",
    metadata,
    Column("uid", String(64), primary_key=True),
    Column("box", String(32), primary_key=True, index=True),  # so that no box changes what another one has reported
    Column("number", Integer, nullable=False),  # on its box
    Column("revision", Integer, nullable=False),
    Column("over", Boolean, nullable=False),  # a match whose end was undone does not count
    Column("game", String(60), nullable=False, index=True),
    Column("title", String(120), nullable=False),
    Column("rules", String(60), nullable=False),
    Column("ended", DateTime(timezone=True), nullable=False),  # by the club's clock
    Column("evening", Date, nullable=False, index=True),  # until six in the morning it is still the evening before
    Column("text", Text, nullable=False),  # the result as it came
)

seat = Table(
    "seat",
    metadata,
    Column("uid", String(64), primary_key=True),
    Column("box", String(32), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("name", String(60), nullable=False, index=True),  # as it was entered
    Column("score", BigInteger, nullable=False),
    Column("place", Integer, nullable=False),
    ForeignKeyConstraint(["uid", "box"], ["match.uid", "match.box"], ondelete="CASCADE"),
)

dropped = Table(
    "dropped",
    metadata,
    Column("n", Integer, primary_key=True),
    Column("at", String(40), nullable=False),
    Column("topic", Text, nullable=False),
    Column("why", Text, nullable=False),
    Column("begins", Text, nullable=False),
)

alias = Table(
    "alias",
    metadata,
    Column("name", String(60), primary_key=True),
    Column("player", String(60), nullable=False),
)
