"""The box's own answers: what it draws and measures, and the time until it acts by itself.

Chance is an effect: the service draws a seed, and its answer is an event. So a recorded session draws the same again.
"""

from __future__ import annotations

from collections.abc import Sequence

from umpi.kernel.drawn import completed, own_fields
from umpi.kernel.fields import Given, private_to
from umpi.kernel.game import Act, Ask
from umpi.kernel.match import Refused
from umpi.kernel.messages import message
from umpi.kernel.seal import Seal
from umpi.referee.effects import DrawSeed, perform
from umpi.referee.session import MatchSession
from umpi.table.lot import Lot
from umpi.table.sources import Source


class BoxAnswers:
    """Complete the acts of players with the box's own answers, and draw how long the box waits."""

    def __init__(self, session: MatchSession, press_bound_ns: int = 0) -> None:
        self._session, self._press_bound_ns = session, press_bound_ns

    async def complete(
        self, acts: Sequence[Act], at_ns: int, source: Source, earliest_ns: int | None = None
    ) -> tuple[tuple[Act, ...], Source]:
        """Return acts with what the box draws and measures, and who they are recorded for: "box" if it drew.

        `earliest_ns` is how early a phone may have given them, None for a button. Raises Refused if somebody else does
        what only the box does, or enters what the box draws.
        """
        match = self._session.match
        assert match
        first_ns = at_ns - self._press_bound_ns if earliest_ns is None else earliest_ns
        measured = self._session.clock.measured(at_ns, first_ns)
        whole: list[Act] = []
        for act in acts:
            try:
                asks = match.after(*whole) if whole else match.asks
            except Refused:  # the session will say so, and leave out the rest
                return (*whole, act), source
            ask = next((ask for ask in asks if ask.verb == act.verb), None)
            if ask and source != "box":
                _check(ask, act)
            if ask and (own := [each for each in own_fields(ask, act.given) if each.name not in act.given]):
                if drawn := any(field.source == "box" for field in own):
                    source = "box"
                chance = Lot(await perform(DrawSeed()) if drawn else 0)
                given = completed(ask, act.given, chance, measured)
                act = Act(act.verb, given, act.by, seal=await _seal(ask, act.given, given))
            whole.append(act)
        return tuple(whole), source

    async def draw_wait(self) -> None:
        """Draw how long the box waits before it acts, if the question needs that and it is not drawn yet."""
        if self._session.wait_open and self._session.match:
            self._session.clock.draw_wait(self._session.match.asks, await perform(DrawSeed()))


async def _seal(ask: Ask, entered: Given, given: Given) -> Seal | None:
    """Seal what the box has drawn for one seat alone; None if everybody may see all of it."""
    own = [field for field in own_fields(ask, given) if private_to(field) is not None]
    names = tuple(field.name for field in own if field.name in given and field.name not in entered)
    if not names:
        return None
    first, second = await perform(DrawSeed()), await perform(DrawSeed())
    return Seal.of(given, names, f"{first:016x}{second:016x}")


def _check(ask: Ask, act: Act) -> None:
    if ask.of_box:
        raise Refused(message('Only the box can do "{verb}".', verb=ask.verb))
    for field in own_fields(ask, act.given):
        if field.name in act.given:
            raise Refused(message("Only the box can enter {field}.", field=field.name))
