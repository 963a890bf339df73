"""An unused panel goes dark, and lights at the first press."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from umpi.display.screen_saver import BLIND_NS, DisplayState, S, ScreenSaver

MINUTE = 60
MINUTE_NS = MINUTE * S


def test_it_is_bright_then_dim_then_off() -> None:
    rest = ScreenSaver(5 * MINUTE, 30 * MINUTE)
    assert rest.look(5 * MINUTE_NS - 1) == DisplayState("bright")
    assert rest.look(5 * MINUTE_NS) == DisplayState("dim")
    assert rest.look(30 * MINUTE_NS - 1).light == "dim"
    assert rest.look(30 * MINUTE_NS) == DisplayState("off")


def test_a_press_that_finds_it_dim_counts_one_that_finds_it_off_only_wakes_it() -> None:
    rest = ScreenSaver(5 * MINUTE, 30 * MINUTE)
    rest.stir(6 * MINUTE_NS)
    assert rest.look(6 * MINUTE_NS) == DisplayState("bright")
    assert not rest.blind(6 * MINUTE_NS)
    rest.stir(36 * MINUTE_NS)
    assert rest.look(36 * MINUTE_NS) == DisplayState("bright")
    assert rest.blind(36 * MINUTE_NS)


def test_a_press_before_or_just_after_the_panel_lights_does_not_count() -> None:
    """Two who buzz at a panel that is off: it would be unfair if the second counted."""
    rest = ScreenSaver(0, 30 * MINUTE)
    lit_ns = 40 * MINUTE_NS
    rest.stir(lit_ns)
    rest.stir(lit_ns - 1)
    rest.stir(lit_ns + BLIND_NS)
    assert rest.blind(lit_ns - 1), "an edge that came late"
    assert rest.blind(30 * MINUTE_NS)
    assert rest.blind(lit_ns + BLIND_NS - 1)
    assert not rest.blind(lit_ns + BLIND_NS)
    assert not rest.blind(30 * MINUTE_NS - 1), "before it went off"


def test_dim_the_picture_goes_round_a_circle_a_step_each_three_minutes() -> None:
    rest = ScreenSaver(5 * MINUTE, 0)
    looks = [rest.look((5 + 3 * step) * MINUTE_NS) for step in range(5)]
    assert [look.shift for look in looks] == [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)]


def test_bright_it_never_moves() -> None:
    """The lowest row of the keys' labels is the last row of the panel."""
    rest = ScreenSaver(0, 30 * MINUTE)
    assert {rest.look(minute * MINUTE_NS) for minute in range(30)} == {DisplayState()}


def test_an_edge_older_than_the_last_one_does_not_send_it_to_rest() -> None:
    """Edges come out of order."""
    rest = ScreenSaver(1, 0)
    rest.stir(10 * S)
    rest.stir(5 * S)
    assert rest.look(11 * S - 1).light == "bright"


def test_without_any_time_it_never_rests() -> None:
    assert ScreenSaver().due_ns(0) is None
    assert ScreenSaver().look(10**6 * MINUTE_NS) == DisplayState()


after = st.integers(0, 100 * MINUTE)


@given(after, after, st.integers(0, 100 * MINUTE_NS))
def test_between_now_and_due_nothing_changes_and_then_something_does(
    dim_after_s: int, off_after_s: int, now_ns: int
) -> None:
    rest = ScreenSaver(dim_after_s, off_after_s)
    due_ns = rest.due_ns(now_ns)
    if due_ns is None:
        assert rest.look(now_ns) == rest.look(now_ns + 1000 * MINUTE_NS)
    else:
        assert rest.look(due_ns - 1) == rest.look(now_ns) != rest.look(due_ns)
