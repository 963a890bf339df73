"""What the table shows, published to all phones with each new view."""

from __future__ import annotations

import secrets

from umpi.referee.view_state import ViewState
from umpi.web.codes import Codes
from umpi.web.shown import shown_of
from umpi.web.stream import Stream


class Publisher:
    """Make a document of each view; `stream` sends it to those who look."""

    def __init__(self, codes: Codes) -> None:
        self._codes = codes
        self.stream = Stream(secrets.token_hex(8))

    def publish(self, view: ViewState) -> None:
        """Publish a view."""
        referee = any(button is None for _, button, _ in self._codes.paired())
        self.stream.publish(shown_of(view, referee))
