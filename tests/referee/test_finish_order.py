"""The finish order of a race: a sorted list of what was played, in whatever order the box heard of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.dohdles_tables import first_question, toss
from tests.kit.journals import header
from tests.kit.panels import sees
from tests.kit.rig import Rig, Rigs
from tests.kit.sampling import examples
from umpi.box.config import Config
from umpi.journal import Journal
from umpi.kernel import Act, Match
from umpi.kernel.registry import find
from umpi.referee.announcement import FinishOrderTracker
from umpi.simulator.virtual import with_head
from umpi.table.commands import Command, Rename, Speak
from umpi.timing.race import Arrival

MS = 1_000_000
PLAYERS = ("Red", "Blue", "Yellow", "Green", "White", "Black")
SINCE_MS = 2  # a press of a button is at most so much older than its stamp
Press = tuple[int, int, bool]  # the seat, the stamp in milliseconds, whether by a phone that is accurate to 3 ms
PHONE_MS = 3

presses = st.lists(
    st.tuples(st.integers(0, 5), st.integers(100, 130), st.booleans()),
    min_size=1, max_size=6, unique_by=(lambda press: press[0], lambda press: press[1]),
)  # fmt: skip


def quiz() -> Match:
    match = Match(find("quiz"), PLAYERS)
    match.play(Act("open"))
    return match


def raced(heard: Sequence[Press], refused: frozenset[int] = frozenset()) -> FinishOrderTracker:
    """Return the order after presses that were heard in this order. Those of the seats in `refused` are not played."""
    match, order = quiz(), FinishOrderTracker(SINCE_MS * MS)
    for seat, at_ms, by_phone in heard:
        act = Act("buzz", {"seat": seat})
        buzz = order.buzz_of(match, act, at_ms * MS, (at_ms - PHONE_MS) * MS if by_phone else None)
        assert buzz
        if seat in refused:
            continue
        before, acts = match.now.phase, len(match.acts)
        match.play(act)
        order.follow(before, acts, match, False, buzz)
    return order


def arrival(press: Press) -> Arrival:
    seat, at_ms, by_phone = press
    span_ms = PHONE_MS if by_phone else SINCE_MS
    return Arrival("phone" if by_phone else "button", seat, at_ms * MS, (at_ms - span_ms) * MS, at_ms * MS)


@settings(max_examples=examples(100), deadline=None)
@given(presses, st.data())
def test_the_order_is_that_of_the_stamps_and_a_refused_press_has_no_place(
    heard: list[Press], data: st.DataObject
) -> None:
    refused = data.draw(st.frozensets(st.integers(0, 5)))
    order = raced(heard, refused)
    ran = sorted((press for press in heard if press[0] not in refused), key=lambda press: press[1])
    if not ran:
        assert (order.seen, order.first, order.close, order.picture) == ("", None, (), None)
        return
    assert order.picture
    assert order.picture.arrivals == tuple(map(arrival, ran))
    assert order.picture.before == 1
    assert order.first == ran[0][0]
    assert not isinstance(order.seen, str)
    assert [place.seat for place in order.seen] == [seat for seat, _, _ in ran]
    gaps = [(later[1] - earlier[1]) * 1000 for earlier, later in pairwise(ran)]
    assert [place.margin_us for place in order.seen] == [*gaps, None]
    spans = [(at_ms - (PHONE_MS if by_phone else SINCE_MS), at_ms) for _, at_ms, by_phone in ran]
    touching = [any(a <= other[1] and other[0] <= b for other in spans if other != (a, b)) for a, b in spans]
    assert [place.close for place in order.seen] == touching


def execute(rig: Rig, command: Command) -> None:
    """Execute a command of the box; the buttons of the seats are those of the race."""
    rig.drive(rig.referee.commands.grant(command, rig.now_ns))


def order_on(rig: Rig) -> list[str]:
    """Return the names in the order on the screen."""
    seen = rig.referee.panel.screen().seen
    assert not isinstance(seen, str)
    return [place.name for place in seen]


def test_the_order_on_the_screen_follows_the_names_and_the_language(six: Rig) -> None:
    toss(six, "red", "yellow", gap_ms=0.01)
    six.take("keep order")
    places = six.referee.panel.screen().seen
    execute(six, Rename(0, "Zoe"))
    assert order_on(six) == ["Zoe", "Yellow"]
    assert sees(six.referee.panel, "Zoe")
    execute(six, Speak("de"))
    assert order_on(six) == ["Zoe", "Gelb"]
    execute(six, Rename(0, "Red"))
    execute(six, Speak("en"))
    assert six.referee.panel.screen().seen == places, "nothing else of it has changed"


def test_the_number_of_cubes_on_the_screen_follows_the_language(rigs: Rigs) -> None:
    rig = first_question(rigs, 1)
    toss(rig, "red", "yellow")
    assert rig.referee.panel.screen().seen == "2 cubes"
    execute(rig, Speak("de"))
    assert rig.referee.panel.screen().seen == "2 Steine"


def test_who_buzzes_too_early_and_is_out_has_no_place(rigs: Rigs) -> None:
    journal = Journal(rigs.folder / "games.db")
    journal.begin(header("quiz", ["Ann", "Ben", "Cleo"], early="locked"))
    journal.close()
    rig = rigs()
    rig.press("ok")
    rig.press("red")
    rig.pass_calls()
    screen, state = rig.referee.panel.screen(), rig.referee.table.state
    assert (screen.seen, state.race) == ("", None)
    assert rig.shows("question 1 aloud"), rig.screen
    rig.press("blue")
    rig.press("ok")
    rig.press("yellow")
    assert order_on(rig) == ["Cleo"]


def test_a_cube_that_comes_too_early_and_puts_its_seat_out_has_no_place(rigs: Rigs) -> None:
    journal = Journal(rigs.folder / "games.db")
    journal.begin(header("quiz", ["Ann", "Ben", "Cleo"], early="locked"))
    journal.close()
    rig = rigs(head=with_head(Config(), 6).head)
    rig.wait_ms(1000)
    rig.press("ok")
    toss(rig, "red")
    rig.pass_calls()
    state = rig.referee.table.state
    assert rig.referee.session.match.now.locked == (0,)
    assert (rig.referee.panel.screen().seen, state.race) == ("", None)
    rig.press("ok")
    toss(rig, "yellow")
    assert order_on(rig) == ["Cleo"]
