"""A match is kept once for each box that reports it, so that no box changes what another one has reported."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

MATCH = "uid, box, number, revision, over, game, title, rules, ended, evening, text"
INDEXES = (("match", "box"), ("match", "game"), ("match", "evening"), ("seat", "name"))


def upgrade() -> None:
    """Copy matches and seats into tables with the box in their keys: SQLite cannot change the key of a table."""
    op.create_table(
        "new_match",
        sa.Column("uid", sa.String(64), primary_key=True),
        sa.Column("box", sa.String(32), primary_key=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("over", sa.Boolean, nullable=False),
        sa.Column("game", sa.String(60), nullable=False),
        sa.Column("title", sa.String(120), nullable=False),
        sa.Column("rules", sa.String(60), nullable=False),
        sa.Column("ended", sa.DateTime(timezone=True), nullable=False),
        sa.Column("evening", sa.Date, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "new_seat",
        sa.Column("uid", sa.String(64), primary_key=True),
        sa.Column("box", sa.String(32), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("score", sa.BigInteger, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["uid", "box"], ["new_match.uid", "new_match.box"], ondelete="CASCADE"),
    )
    op.execute(f"INSERT INTO new_match ({MATCH}) SELECT {MATCH} FROM match")
    op.execute(
        "INSERT INTO new_seat (uid, box, seat, name, score, place) "
        "SELECT match.uid, match.box, seat.seat, seat.name, seat.score, seat.place "
        "FROM seat JOIN match ON match.uid = seat.uid"
    )
    for table in ("seat", "match"):
        op.drop_table(table)
    for table in ("match", "seat"):
        op.rename_table(f"new_{table}", table)
    for table, column in INDEXES:
        op.create_index(f"ix_{table}_{column}", table, [column])
