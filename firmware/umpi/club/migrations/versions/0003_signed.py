"""Each box has the key with which its results are signed, and the club one of its own; dropped messages are kept."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the key of a box, and the tables of the club and of dropped messages."""
    op.add_column("box", sa.Column("key", sa.String(64), nullable=False, server_default=""))
    op.create_table(
        "club",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("offers", sa.Integer, nullable=False),
    )
    op.create_table(
        "dropped",
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("topic", sa.Text, nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("begins", sa.Text, nullable=False),
    )
