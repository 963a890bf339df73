"""The screen: one frozen value of all that the display shows, and how it is drawn."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import Image

from umpi.display import screens, service_screens
from umpi.display.menu import Menu
from umpi.display.notice import Notice
from umpi.display.screens import Seen
from umpi.i18n.translate import tr
from umpi.kernel.calls import Call
from umpi.kernel.match import Match
from umpi.table.state import TableState


@dataclass(frozen=True, slots=True)
class Screen:
    """All that the display shows.

    `match` is None at the start screen. `large` is the seat with its score in large digits. `seen` is what the funnel
    saw. A `private` screen contains a passphrase or a code. A `call` of the referee passes over the question.
    With `lesson`, the match is that of a lesson.
    """

    state: TableState
    menu: Menu
    page: int = 0
    notice: Notice | None = None
    match: Match | None = None
    buttons: tuple[int, ...] = ()
    seen: Seen = ""
    large: int | None = None
    private: bool = False
    call: Call | None = None
    lesson: bool = False

    def picture(self) -> Image.Image:
        """Draw the screen: 128 × 64 dots, 1 bit per dot. An engine's own code runs, and may fail."""
        state, menu, match = self.state, self.menu, self.match
        # One sign at a time: two leave no room for the title. The menu lists both.
        # That a press was ignored is shown for a moment only, and then the other sign again.
        sign = tr("NOT SAVED") if state.unsaved else tr("ERR") if state.device_errors else ""
        sign = tr("IGNORED") if state.ignored else sign
        if state.code:
            return service_screens.code(*state.code, sign)
        if self.notice:
            return self.notice.picture(sign)
        if state.joining:
            return service_screens.join(state.joining, sign)
        if state.check:
            return service_screens.check(state.check, sign)
        if match is None:
            return screens.question(menu, self.page, sign)
        if state.paused:
            return screens.paused(tr(match.game.title), state.clock, sign)
        if self.call:
            return screens.call(match, self.call, self.buttons, sign)
        if self.large is not None:
            return screens.number(match, self.large, self.buttons, sign)
        if not match.asks and not menu.rows:
            return screens.over(match, menu, self.page, self.buttons, sign)
        return screens.table(match, menu, self.page, self.seen, self.buttons, state.clock, sign)
