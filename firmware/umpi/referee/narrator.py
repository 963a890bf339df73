"""The narrator: decides what the voice says when the screen changes."""

from __future__ import annotations

import logging

from umpi.display.aloud import aloud
from umpi.display.modes import spoken
from umpi.display.spoken import Spoken, sentences
from umpi.i18n.translate import tr
from umpi.referee.view_state import ViewState

log = logging.getLogger(__name__)


class Narrator:
    """Compare each view with the last one; return the sentences that are new.

    A question that is only continued, for example by another die, is not repeated.
    """

    def __init__(self) -> None:
        self._last: Spoken = ()
        self._called = ""  # the question after the calls that were spoken last

    def narrate(self, view: ViewState) -> str:
        """Return what to say about a view, "" if nothing has changed."""
        calls: tuple[str, ...] = ()
        if view.question != self._called:
            self._called = view.question
            calls = tuple(aloud(tr(call.text)).rstrip(".") for call in view.calls)
        parts = self._parts(view)
        changed = parts != self._last
        pairs = enumerate(zip(parts, self._last, strict=False))
        same = next((at for at, (new, old) in pairs if new != old), len(self._last))
        fresh = parts if calls or same >= len(parts) else parts[same:]
        self._last = parts
        return sentences((*calls, *fresh)) if calls or changed else ""

    def repeat(self) -> None:
        """Say all of the next view, even if it is the same."""
        self._last = ()

    def _parts(self, view: ViewState) -> Spoken:
        try:
            return spoken(view.screen)
        except Exception as fault:  # the engine's own code runs
            fault = view.match.sayable(fault) if view.match else fault
            log.error("the screen cannot be spoken", exc_info=fault)
            return self._last
