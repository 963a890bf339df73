"""Eight events of a race in all orders in which a box can learn of them, with a power cut at each write.

Orders that only exchange events which commute are run once. A soak runs all, and compares.
"""

from __future__ import annotations

import shutil
from collections.abc import Hashable, Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.kit.core import Core, Hand
from tests.kit.cuts import Box, Cut, PowerCut, acts_on_disk
from tests.kit.orders import Reduced, allowed, frozen
from tests.kit.rig import MS
from tests.kit.sampling import sampled
from umpi.journal import Journal
from umpi.kernel.game import Act
from umpi.referee.effects import Effect, JournalCall, Show
from umpi.referee.events import Event, PhonesKnown, Tick
from umpi.referee.input_queue import LATE_NS
from umpi.referee.ports import JournalPort
from umpi.referee.remote import RemoteRequest
from umpi.table.commands import Do
from umpi.timing.edge import Edge
from umpi.timing.lines import COLOURS

RED, BLUE, GREEN, WHITE = 0, 1, 3, 4
FIRST_NS = 60_000 * MS  # when the first press of the race is stamped


class Press(NamedTuple):
    """A press of a button or on a phone, with its stamp after the first one, and the seat for which it buzzes.

    `by` is the seat whose phone it is. `sees` is whether somebody can have seen the question that it answers.
    """

    stamp_ns: int
    seat: int
    button: str = ""
    by: int | None = None
    sees: bool = True


PRESSES = {
    "red": Press(0, RED, "red"), "blue": Press(1, BLUE, "blue"), "green": Press(MS, GREEN, by=GREEN),
    "forged": Press(MS // 3, WHITE, by=GREEN),  # a phone that buzzes for another seat
    "ok": Press(2 * MS, RED, "ok", sees=False),  # it would judge the guess of red, which nobody can know yet
}  # fmt: skip
# A race is decided LATE_NS after a press: the first tick decides nothing, the second decides red and blue
TICKS = {"glance": 3 * MS, "tick": LATE_NS + MS // 2}
EVENTS = (*PRESSES, *TICKS, "disk")  # "disk": the journal answers what the referee waits for, if it does
# The kernel reports a press in time: before a tick LATE_NS after its stamp
BEFORE = {"tick": (*(name for name, press in PRESSES.items() if press.stamp_ns + LATE_NS <= TICKS["tick"]), "glance")}


class Outcome(NamedTuple):
    """What became of a race: the acts on disk, and for each picture how many acts it showed and the disk had.

    `resumed` is how many acts the box has after it was switched on again.
    """

    acts: list[dict[str, Any]]
    pictures: list[tuple[int, int]]
    resumed: int


def broken(outcome: Outcome, whole: bool) -> Iterator[str]:
    """Yield what is not as it must be. This is the specification."""
    in_order = sorted(PRESSES.values(), key=lambda press: press.stamp_ns)
    owned = [press for press in in_order if press.by in (None, press.seat)]
    counted = [press for press in owned if press.sees]
    acts = [{"do": "buzz", "seat": press.seat} for press in counted]
    if any(act["do"] != "buzz" for act in outcome.acts):
        yield "a press counts for a question that nobody could see"
    if {act["seat"] for act in outcome.acts if "seat" in act} - {press.seat for press in owned}:
        yield "somebody acts for another"
    if outcome.acts != acts[: len(outcome.acts)]:
        yield "the first stamp does not win"
    if whole and len(outcome.acts) < len(acts):
        yield "a press is lost"
    if any(shown > stored for shown, stored in outcome.pictures):
        yield "what is shown is not on disk"
    if outcome.resumed != len(outcome.acts) or any(shown > outcome.resumed for shown, _ in outcome.pictures):
        yield "something is lost after a crash"


class Table:
    """A quiz whose first question is open, on a core that gets one event after the other."""

    def __init__(self, core: Core) -> None:
        self.core, self.owed, self.now_ns = core, list[Effect](), FIRST_NS
        core.step(PhonesKnown(((1, GREEN, "phone"),)))
        Hand(core).press("ok")
        core.run_to(FIRST_NS - MS)
        self.question = core.referee.session.question

    def happen(self, name: str) -> None:
        """Let an event happen. While a round waits for the journal, the service does not tick."""
        if press := PRESSES.get(name):
            self._give(self._input(name, press))
        elif name == "disk" and self.owed:
            self._give(self.core.answered(self.owed.pop(), Tick(self.now_ns)))
        elif name in TICKS and not self.owed:
            self.now_ns = FIRST_NS + TICKS[name]
            self._give(Tick(self.now_ns))

    def finish(self) -> None:
        """Let the journal answer at once from now on, and the time pass."""
        while self.owed:
            self.happen("disk")
        self.core.run_to(FIRST_NS + 200 * MS)
        self.core.step(Edge("ok", False, FIRST_NS + 210 * MS))
        self.core.run_to(FIRST_NS + 1_500 * MS)

    def state(self) -> Hashable:
        """Return all that the future depends on: what waits for the disk, and the referee after the next tick.

        Before a tick, the referee keeps what it is given as it is.
        """
        owed, picture = frozen(self.owed), frozen(self.core.picture)
        while self.owed:
            self.happen("disk")
        self._give(Tick(self.now_ns))
        lines = [call.values for call in self.core.effects if isinstance(call, JournalCall)]
        return hash((owed, picture, frozen(self.core.referee), frozen(self.core.picture), frozen(lines)))

    def _give(self, event: Event) -> None:
        if request := self.core.perform(self.core.referee.step(event)):
            self.owed.append(request)
            if not (isinstance(request, JournalCall) and request.method == JournalPort.append):
                self._give(self.core.answered(self.owed.pop(), event))  # only writes take their time

    def _input(self, name: str, press: Press) -> Event:
        at_ns = FIRST_NS + press.stamp_ns
        if press.button:
            return Edge(press.button, True, at_ns)
        buzz, number = Do((Act("buzz", {"seat": press.seat}),)), EVENTS.index(name) + 1
        return RemoteRequest(at_ns, self.question, buzz, press.by, number, at_ns - 1, at_ns)


class Recorded(Box):
    """A box that writes down what each picture showed and what the disk had."""

    def perform(self, effects: list[Effect]) -> Effect | None:
        stored = len(acts_on_disk(self.journal))
        shown = (effect.view.match for effect in effects if isinstance(effect, Show))
        self.pictures += [(len(match.acts), stored) for match in shown if match]
        return super().perform(effects)

    pictures: list[tuple[int, int]] = []  # noqa: RUF012


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with a quiz of six seats, whose first question is open."""
    path = tmp_path_factory.mktemp("orders") / "games.db"
    journal = Journal(path)
    hand = Hand(Box(journal))
    hand.start("quiz", " ".join(COLOURS) + " ok ok")
    hand.press("ok")
    journal.close()
    return path


def begun_core() -> Core:
    """The same quiz with a journal in memory."""
    hand = Hand()
    hand.begin("quiz", len(COLOURS))
    hand.press("ok")
    return hand.core


def state(begun: Sequence[str]) -> Hashable:
    """Return the state after events."""
    table = Table(begun_core())
    for name in begun:
        table.happen(name)
    return table.state()


def end(order: Sequence[str]) -> Hashable:
    """Return the journal and the screen after all events, and some time."""
    table = Table(begun_core())
    for name in order:
        table.happen(name)
    table.finish()
    lines = [call.values for call in table.core.effects if isinstance(call, JournalCall)]
    return frozen(lines), frozen(table.core.picture)


REDUCED = Reduced(EVENTS, BEFORE, state)


@cache
def left() -> tuple[tuple[str, ...], ...]:
    """Return the orders that differ by more than events that commute."""
    return tuple(REDUCED.orders())


def played(path: Path, order: Sequence[str], cut: Cut | None) -> Outcome:
    """Play an order on a copy of a journal, switch the box on again after a power cut, and return what became of it."""
    journal = Journal(path)
    box = Recorded(journal)
    box.pictures = []
    table = Table(box)
    before, box.cut, box.writes = len(acts_on_disk(journal)), cut, 0
    try:
        for name in order:
            table.happen(name)
        table.finish()
    except PowerCut:
        assert cut
    else:
        assert cut is None, "no such write"
    pictures = [(shown - before, stored - before) for shown, stored in box.pictures]
    journal.close()
    again = Journal(path)
    acts, match = acts_on_disk(again)[before:], Box(again).referee.session.match
    again.close()
    assert match
    return Outcome(acts, pictures, len(match.acts) - before)


@pytest.mark.slow
def test_the_orders_that_commuting_leaves_are_few_and_the_page_has_their_number() -> None:
    page = (Path(__file__).parents[2] / "firmware" / "docs" / "proved.md").read_text("utf-8")
    whole, numbers = list(allowed(EVENTS, BEFORE)), f"{len(left())} orders are left, after {REDUCED.compared} pairs"
    print(f"all {len(whole):,} orders: {numbers}")
    assert {*left()} <= {*whole}
    assert f"all {len(whole):,} orders" in page
    assert numbers in page


@pytest.mark.slow
def test_each_order_with_each_power_cut_is_as_specified(begun: Path, tmp_path: Path) -> None:
    """Each order that commuting leaves; three writes, and a cut before or after each is on disk."""
    cuts = (None, *(Cut(write, on_disk) for write in range(3) for on_disk in (False, True)))
    for number, (order, cut) in enumerate(sampled(product(left(), cuts), 1)):
        path = tmp_path / f"{number}.db"
        shutil.copy(begun, path)
        outcome = played(path, order, cut)
        assert [*broken(outcome, cut is None)] == [], (order, cut)
        assert len(outcome.acts) == (3 if cut is None else cut.write + cut.on_disk)
        for file in tmp_path.glob(f"{path.name}*"):
            file.unlink()


@pytest.mark.slow
def test_without_the_reduction_no_other_end_is_found() -> None:
    assert {end(order) for order in sampled(allowed(EVENTS, BEFORE), 400)} == {end(order) for order in left()}


def test_what_the_specification_forbids_is_found() -> None:
    """A record of a box that is wrong in each way."""
    right = Outcome([{"do": "buzz", "seat": seat} for seat in (RED, BLUE, GREEN)], [(1, 1), (3, 3)], 3)
    acts = right.acts
    assert [*broken(right, True)] == []
    for wrong, says in (
        (right._replace(acts=[acts[1], acts[0], acts[2]]), "the first stamp does not win"),
        (right._replace(acts=acts[:2], resumed=2, pictures=[]), "a press is lost"),
        (right._replace(acts=[{"do": "buzz", "seat": WHITE}, *acts[1:]]), "somebody acts for another"),
        (right._replace(acts=[*acts[:2], {"do": "judge", "right": True}]), "a question that nobody could see"),
        (right._replace(pictures=[(2, 1)]), "what is shown is not on disk"),
        (right._replace(resumed=2), "something is lost after a crash"),
    ):
        assert any(says in each for each in broken(wrong, True)), says
