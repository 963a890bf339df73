"""All orders in which the presses of a race can be read lead to one outcome: the first stamp wins."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product
from typing import NamedTuple

import pytest

from tests.kit.core import Core, Hand
from tests.kit.rig import MS
from tests.kit.sampling import sampled
from umpi.kernel.game import Act
from umpi.referee.effects import Effect, JournalCall, Show
from umpi.referee.events import Event, PhonesKnown, Tick
from umpi.referee.input_queue import LATE_NS
from umpi.referee.ports import JournalPort
from umpi.referee.remote import RemoteRequest
from umpi.table.commands import Do
from umpi.timing.edge import Edge
from umpi.timing.lines import COLOURS

LATER_NS = 500 * MS  # from the question to the first press
STEP_NS = 2 * MS  # between two presses that are read


class Press(NamedTuple):
    """A press of a seat's button, or on its phone, with its stamp in nanoseconds after the first one."""

    seat: int
    stamp_ns: int
    by_phone: bool = False


# Gaps of one nanosecond and of milliseconds, on buttons and phones
PRESSES = (
    Press(2, 0), Press(0, 1), Press(4, 1 * MS, by_phone=True), Press(1, 2 * MS), Press(5, 3 * MS, by_phone=True),
    Press(3, 4 * MS),
)  # fmt: skip


def specified(presses: Sequence[Press]) -> list[int]:
    """The first stamp wins, and each press counts once."""
    return [press.seat for press in sorted(presses, key=lambda press: press.stamp_ns)]


class Slow(Core):
    """A core whose journal answers only after `held` more events. What it shows is on disk before."""

    def __init__(self) -> None:
        self.held = self.since = self.stored = 0
        self.owed: Effect | None = None
        super().__init__()

    def step(self, event: Event) -> None:
        self.since += 1
        if not (self.owed and isinstance(event, Tick)):  # the service does not tick while a round waits
            self._perform(self.referee.step(event))
        while self.owed and self.since >= self.held:
            request, self.owed = self.owed, None
            if isinstance(request, JournalCall) and request.method == JournalPort.append:
                self.stored += sum("do" in line for line in request.values[1])
            self._perform(self.referee.step(self.answered(request, event)))

    def _perform(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Show) and effect.view.match:
                assert len(effect.view.match.acts) <= self.stored, "an act is shown that is not on disk"
        if request := self.perform(effects):
            self.owed, self.since = request, 0


def raced(order: Sequence[Press], held: int) -> tuple[list[int], list[str], str]:
    """Read presses in this order, all within LATE_NS; return who buzzed, the lines of the journal and the screen.

    After each of them the referee processes what is due. The journal answers after `held` more events.
    """
    core = Slow()
    hand = Hand(core)
    hand.begin("quiz", len(COLOURS))
    core.step(PhonesKnown(tuple((press.seat, press.seat, "phone") for press in PRESSES if press.by_phone)))
    hand.press("ok")
    hand.wait_ns(LATER_NS)
    first_ns, question = hand.now_ns, core.referee.session.question
    begun, core.held = len(hand.lines), held
    for number, press in enumerate(order, 1):
        at_ns = first_ns + press.stamp_ns
        read_ns = first_ns + 4 * MS + number * STEP_NS
        assert read_ns - at_ns < LATE_NS
        buzz: Event = Edge(COLOURS[press.seat], True, at_ns)
        if press.by_phone:
            act = Do((Act("buzz", {"seat": press.seat}),))
            buzz = RemoteRequest(at_ns, question, act, press.seat, number, at_ns - MS, at_ns)
        core.step(buzz)
        core.run_to(read_ns)
    core.run_to(first_ns + 1_000 * MS)
    core.held = 0
    core.run_to(first_ns + 60_000 * MS)
    match = core.referee.session.match
    assert match
    buzzed = [act.given["seat"] for act in match.acts if act.verb == "buzz"]
    return [int(str(seat)) for seat in buzzed], [str(line) for line in hand.lines[begun:]], hand.screen


@pytest.mark.parametrize("first", range(len(PRESSES)))
def test_each_order_of_reading_leads_to_the_order_of_the_stamps(first: int) -> None:
    """720 orders, with a journal that answers at once and after some of the presses."""
    others = [press for number, press in enumerate(PRESSES) if number != first]
    outcomes = set()
    for order, held in product(sampled(permutations(others), 6), (0, 1, 4)):
        buzzed, lines, screen = raced((PRESSES[first], *order), held)
        assert buzzed == specified(PRESSES), (order, held)
        outcomes.add((tuple(lines), screen))
    assert len(outcomes) == 1
