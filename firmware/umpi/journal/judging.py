"""How imported matches ended: by the rules of their games, not by what the file says."""

from __future__ import annotations

import json
import logging
from dataclasses import replace

from umpi.journal.transfer import Shipped
from umpi.kernel.match import Broken, Refused
from umpi.kernel.record import Find, Header, Record, Unreadable, dump, read_line

log = logging.getLogger(__name__)


def judged(match: Shipped, find: Find) -> Shipped:
    """Return a match with the outcome to which its moves lead, or as it is if the games here cannot judge it.

    They can if its game is installed, and has the revision of the match or the options that keep those rules. Raises
    Refused with the reason if they refuse a move.
    """
    try:
        record = _began(match, find)
        if not record:
            return match
        for text, _, _ in match.lines:
            try:
                record.take(read_line(text.encode()) or {})
            except Broken:
                raise
            except (Refused, Unreadable) as fault:
                raise Refused(f"Move {len(record.match.acts) + 1}: {fault}") from None
        outcome = dump(record.match.outcome) if record.match.outcome else None
    except Exception as fault:
        if isinstance(fault, Refused) and not isinstance(fault, Broken):
            raise
        log.warning("An imported match cannot be judged", exc_info=fault)  # the game's own code may raise anything
        return match
    said, found = (None if each is None else json.loads(each) for each in (match.outcome, outcome))
    return match if said == found else replace(match, outcome=outcome)


def _began(match: Shipped, find: Find) -> Record | None:
    """Return the record of a match before its first move, None if its rules are not those of a game here."""
    try:
        line = read_line(match.header.encode()) or {}
        header = Header.read(line, find)
    except (Refused, Unreadable):  # its game, an expansion or an option is not installed
        return None
    revision = line.get("revision", match.rules)
    if type(revision) is not int or revision not in (header.game.revision, *header.game.formerly):
        return None
    return Record(header.as_then(revision))
