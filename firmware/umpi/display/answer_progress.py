"""How far an answer has come."""

from __future__ import annotations

from collections.abc import Sequence

from umpi.cards.decode import PartialAnswer
from umpi.kernel.fields import Value
from umpi.kernel.game import Ask


class AnswerProgress:
    """Record the progress of an answer: the verb, and the fields answered completely or in part."""

    def __init__(self) -> None:
        self.verb = ""
        self.field = ""  # the current field
        self.given: dict[str, Value] = {}

    def with_scans(self, asks: Sequence[Ask], scanned: PartialAnswer | None) -> PartialAnswer | None:
        """Return the part of an answer that scans and buttons have entered together."""
        begun = next((PartialAnswer(ask) for ask in asks if ask.verb == self.verb), None)
        part = scanned or begun
        return part.entered(self.given, self.field) if part and self.verb else part
