"""A race and its verdict in all orders of reading, with a power cut at each write of the journal."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from itertools import permutations, product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.kit.core import Hand
from tests.kit.cuts import Box, Cut, PowerCut, acts_on_disk
from tests.kit.rig import MS
from tests.kit.sampling import sampled
from umpi.journal import Journal
from umpi.kernel.game import Act
from umpi.referee.events import PhonesKnown, Tick
from umpi.referee.input_queue import LATE_NS
from umpi.referee.remote import RemoteRequest
from umpi.table.commands import Do
from umpi.timing.edge import Edge
from umpi.timing.lines import COLOURS

RED, BLUE, GREEN, NOBODY = 0, 1, 3, None
FIRST_NS = 60_000 * MS  # when the first press of the race is stamped
VERDICT_NS = FIRST_NS + 2_000 * MS  # when the first verdict is stamped; the race has long been shown
STEP_NS = 2 * MS  # between two events that are read


class Input(NamedTuple):
    """What somebody does: a button, or a phone with its act; the stamp is in nanoseconds after the first one."""

    stamp_ns: int
    button: str = ""
    seat: int | None = None
    act: Act | None = None


TICK = Input(-1)
RACE = (
    Input(0, "red"), Input(1, "blue"), Input(MS, seat=GREEN, act=Act("buzz", {"seat": GREEN})),
    Input(2 * MS, "ok"),  # nobody can have seen a question that it answers
    TICK, TICK,
)  # fmt: skip
# The box knows of OK when it is released, which is later; then it would answer a question that came meanwhile
VERDICTS = (Input(0, "ok"), Input(MS, seat=NOBODY, act=Act("judge", {"right": False})))
# The first stamp wins, each press counts once and for who has pressed, and only for a question that could be seen
SPECIFIED = (
    {"do": "buzz", "seat": RED}, {"do": "buzz", "seat": BLUE}, {"do": "buzz", "seat": GREEN},
    {"do": "judge", "right": False},
)  # fmt: skip
CUTS = (None, *(Cut(write, on_disk) for write in range(len(SPECIFIED)) for on_disk in (False, True)))


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with a quiz of six seats, whose first question is open."""
    path = tmp_path_factory.mktemp("race") / "games.db"
    journal = Journal(path)
    hand = Hand(Box(journal))
    hand.start("quiz", " ".join(COLOURS) + " ok ok")
    hand.press("ok")
    assert [act["do"] for act in acts_on_disk(journal)] == ["open"]
    journal.close()
    return path


def read(box: Box, order: Sequence[Input], first_ns: int, question: str) -> None:
    """Let a box read inputs in this order, all within LATE_NS, and process what follows."""
    for number, each in enumerate(order):
        read_ns = first_ns + 3 * MS + number * STEP_NS
        assert read_ns - first_ns < LATE_NS
        at_ns = first_ns + each.stamp_ns
        if each is TICK:
            box.step(Tick(read_ns))
        elif each.act:
            box.step(RemoteRequest(at_ns, question, Do((each.act,)), each.seat, number + 1, at_ns - 1, at_ns))
        else:
            box.step(Edge(each.button, True, at_ns))
    box.run_to(first_ns + 200 * MS)
    for each in order:
        if each.button:
            box.step(Edge(each.button, False, first_ns + 210 * MS))
    box.run_to(first_ns + 1_500 * MS)


def played(path: Path, race: Sequence[Input], verdicts: Sequence[Input], cut: Cut | None) -> list[dict[str, Any]]:
    """Play the race and the verdict on a copy of a journal, restart after a power cut, and return the acts on disk.

    Whatever happens, the box shows after a restart just what the disk has, and nothing that it had shown is lost.
    """
    journal = Journal(path)
    box = Box(journal)
    box.step(PhonesKnown(((1, GREEN, "phone"), (2, NOBODY, "referee"))))
    Hand(box).press("ok")
    before, box.cut, box.writes = len(acts_on_disk(journal)), cut, 0
    try:
        read(box, race, FIRST_NS, box.referee.session.question)
        read(box, verdicts, VERDICT_NS, box.referee.session.question)
    except PowerCut:
        assert cut
    else:
        assert cut is None, "no such write"
    shown = box.shown
    journal.close()
    again = Journal(path)
    acts, restarted = acts_on_disk(again), Box(again)
    assert restarted.referee.session.match
    assert len(restarted.referee.session.match.acts) == len(acts) >= shown
    again.close()
    return acts[before:]


def cases() -> Iterator[tuple[tuple[Input, ...], tuple[Input, ...], Cut | None]]:
    """Yield each order of the race and of the verdicts, with each power cut; two ticks are alike."""
    first, second = (number for number, each in enumerate(RACE) if each is TICK)
    orders = [order for order in permutations(range(len(RACE))) if order.index(first) < order.index(second)]
    assert len(orders) == 360
    races = [tuple(RACE[number] for number in order) for order in orders]
    yield from product(races, permutations(VERDICTS), CUTS)


@pytest.mark.slow
def test_each_order_with_each_power_cut_leads_to_what_is_specified(begun: Path, tmp_path: Path) -> None:
    """360 orders of the race, two of the verdicts, nine cuts: a soak tries all 6,480."""
    for number, (race, verdicts, cut) in enumerate(sampled(cases(), 90)):
        path = tmp_path / f"{number}.db"
        shutil.copy(begun, path)
        acts = played(path, race, verdicts, cut)
        whole = len(SPECIFIED) if cut is None else cut.write + cut.on_disk
        assert acts == list(SPECIFIED[:whole]), (race, verdicts, cut)
        for left in tmp_path.glob(f"{path.name}*"):
            left.unlink()
