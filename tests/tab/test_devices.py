"""The touch areas of a phone in the middle: the order is that of the page's clock, and its bound is honest."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.core import Hand
from tests.kit.rig import MS
from umpi.display.picture import Picture
from umpi.display.screen_saver import DisplayState
from umpi.service.inbox import Inbox
from umpi.tab.devices import LATE_NS, TOUCHED_NS, PageClock, TabDevices
from umpi.timing.edge import Edge

times = st.integers(0, 10**16)


@given(st.lists(st.tuples(times, st.integers(0, LATE_NS)), max_size=20), times, times)
def test_presses_keep_the_order_and_the_gaps_of_the_page(
    presses: list[tuple[int, int]], page_ns: int, now_ns: int
) -> None:
    """However far the two clocks are apart, and however late each press arrives."""
    clock = PageClock(page_ns, now_ns)
    stamps = [clock.stamp(page_ns + at_ns, now_ns + at_ns + delay_ns) for at_ns, delay_ns in presses]
    assert stamps == [now_ns + at_ns for at_ns, _ in presses]


def test_an_impossible_time_is_not_taken() -> None:
    clock = PageClock(0, 0)
    assert clock.stamp(1001, 1000) == 1000, "it has not come yet"
    assert clock.stamp(0, LATE_NS + 1) == LATE_NS + 1, "the clock was set, or the computer slept"


def test_a_button_that_is_held_or_free_already_posts_nothing() -> None:
    inbox = Inbox()
    devices = TabDevices(inbox, lambda: 7, lambda: None)
    for down in (False, True, True, False, False):
        devices.hold("red", down)
    devices.hold("purple", True)
    devices.hold("red", True, at_us=5)
    assert inbox.take(9) == [Edge("red", True, 7), Edge("red", False, 7), Edge("red", True, 7)]
    devices = TabDevices(inbox, lambda: 9000, lambda: None, PageClock(1000, 2000))
    devices.hold("red", True, at_us=5)
    assert inbox.take(9) == [Edge("red", True, 6000)]


def test_the_page_hears_of_each_change_of_what_the_box_shows() -> None:
    faces, now_ns = [], 0
    devices = TabDevices(Inbox(), lambda: now_ns, lambda: faces.append(devices.face()))
    picture = Picture(128, 64)
    picture.fill(0, 0, 1, 1)
    devices.show(picture, {0}, {1}, now_ns)
    devices.rest(DisplayState("off"))
    devices.rest(DisplayState())
    devices.sound("accepted", now_ns)
    assert [(face["lit"], face["blinking"], face["light"], face["sounding"]) for face in faces[:3]] == [
        (["Blue", "Red"], ["Blue"], "bright", False), (["Blue", "Red"], ["Blue"], "off", False),
        (["Blue", "Red"], ["Blue"], "bright", False),
    ]  # fmt: skip
    assert faces[0]["dots"] == faces[2]["dots"] != faces[1]["dots"]
    while (due_ns := devices.due_ns) is not None:
        devices.tick_sounder(now_ns := due_ns)
    sounds = [face["sounding"] for face in faces[3:]]
    assert sounds == [number % 2 == 0 for number in range(len(sounds))]
    assert len(sounds) % 2 == 0, "it is silent at the end"
    assert sounds


@pytest.mark.parametrize(
    ("gap_ns", "close"), [(TOUCHED_NS - 1, [True, True]), (TOUCHED_NS, [True, True]), (TOUCHED_NS + 1, [False, False])]
)
def test_touches_within_one_look_at_the_screen_are_too_close_to_call(gap_ns: int, close: Sequence[bool]) -> None:
    hand = Hand(press_bound_ns=TOUCHED_NS)
    hand.start("quiz", "red blue yellow ok ok")
    hand.press("ok")  # opens the question
    hand.wait_ns(1000 * MS)
    core, first_ns = hand.core, hand.now_ns
    core.give([Edge("blue", True, first_ns), Edge("red", True, first_ns + gap_ns)], first_ns + gap_ns)
    core.run_to(first_ns + 500 * MS)
    seen = core.referee._finish_order.seen
    assert not isinstance(seen, str), hand.screen
    assert [place.close for place in seen] == close
    assert seen[0].name == "Blue"
