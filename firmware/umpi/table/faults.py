"""Faults of an engine: log them, and say so to the players."""

from __future__ import annotations

import logging

from umpi.i18n.translate import Translated, tr
from umpi.kernel.blame import blame
from umpi.kernel.match import Match

log = logging.getLogger(__name__)


def broke(match: Match, what: str, fault: Exception) -> str:
    """Log what an engine raised and which code raised it, and return the message that it failed."""
    game, fault = match.game, match.sayable(fault)
    log.error("%s: %s: raised by %s", game.id, what, blame(fault, game), exc_info=fault)
    return fails(game.title, fault)


def fails(title: str, fault: Exception) -> str:
    """Return the message that an engine has failed."""
    return tr("{game} rules failed: {fault}", game=title, fault=Translated(f"{type(fault).__name__}: {fault}"))
