"""Boxes, matches, seats and the names of players."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the first tables."""
    op.create_table(
        "box",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(120), nullable=False),
        sa.Column("offset_s", sa.Float, nullable=False),
    )
    op.create_table(
        "match",
        sa.Column("uid", sa.String(64), primary_key=True),
        sa.Column("box", sa.String(32), nullable=False, index=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("over", sa.Boolean, nullable=False),
        sa.Column("game", sa.String(60), nullable=False, index=True),
        sa.Column("title", sa.String(120), nullable=False),
        sa.Column("rules", sa.String(60), nullable=False),
        sa.Column("ended", sa.DateTime(timezone=True), nullable=False),
        sa.Column("evening", sa.Date, nullable=False, index=True),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "seat",
        sa.Column("uid", sa.String(64), sa.ForeignKey("match.uid", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(60), nullable=False, index=True),
        sa.Column("score", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
    )
    op.create_table(
        "alias",
        sa.Column("name", sa.String(60), primary_key=True),
        sa.Column("player", sa.String(60), nullable=False),
    )
