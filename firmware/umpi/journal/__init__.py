"""The journal: the SQLite file of matches, its writer, readers, repair, transfer and statistics.

The box shows a line only after the journal has written it to disk.
"""

from umpi.journal.journal import Journal
from umpi.journal.lock import InUse, claimed
from umpi.journal.queries import (
    Kept,
    open_to_read,
    read_lines,
    read_match,
    read_matches,
    read_newest,
    read_outcome,
    read_traces,
)
from umpi.journal.recovery import check_file
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
    "read_match",
    "read_matches",
    "read_newest",
    "read_outcome",
    "read_traces",
]
