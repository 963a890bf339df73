"""The journal: every accepted line on disk before it is shown; what reads it, mends it and carries it elsewhere."""

from umpi.journal.journal import Journal
from umpi.journal.lock import InUse, claimed
from umpi.journal.queries import (
    Kept,
    check_file,
    open_to_read,
    read_lines,
    read_matches,
    read_outcome,
    read_traces,
)
from umpi.journal.schema import SCHEMA, Foreign

__all__ = [
    "SCHEMA",
    "Foreign",
    "InUse",
    "Journal",
    "Kept",
    "check_file",
    "claimed",
    "open_to_read",
    "read_lines",
    "read_matches",
    "read_outcome",
    "read_traces",
]
