"""The clock of a turn, pauses, and games that are timed: what the screen shows, and what time does meanwhile."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.rig import Rig, Rigs
from umpi.box.config import Config
from umpi.referee.timers import S, TurnClock
from umpi.simulator.virtual import with_lanes
from umpi.table.commands import Leave
from umpi.table.sources import Phone

MIN = 60_000


def from_menu(rig: Rig, *labels: str) -> None:
    """Choose in the menu."""
    rig.press("back", ms=1000)
    for label in labels:
        rig.take(label)


@given(st.integers(1, 600), st.lists(st.integers(0, 90 * S), max_size=8))
def test_the_clock_never_goes_back_and_rings_once(limit_s: int, steps: list[int]) -> None:
    clock, now_ns, rung = TurnClock(), 5 * S, 0
    clock.turn("Red", now_ns)
    clock.allow(limit_s, now_ns)
    left_s = limit_s
    for step_ns in steps:
        now_ns += step_ns
        left = clock.left_s(now_ns) or 0
        assert 0 <= left <= left_s
        left_s = left
        rung += clock.rings(now_ns)
        due_ns = clock.due_ns(now_ns)
        assert due_ns is None if left_s == 0 else due_ns is not None and now_ns < due_ns <= now_ns + S
    assert rung == (left_s == 0)


def test_a_turn_has_its_time_and_the_next_has_all_of_it(rigs: Rigs) -> None:
    rig = rigs()
    rig.start("dodeka", "red blue ok ok")
    from_menu(rig, "Turn timer", "0:30")
    assert rig.shows("Red", "0:30"), rig.screen
    rig.wait_ms(12_000)
    assert rig.shows("Red", "0:18"), rig.screen
    rig.press("red blue yellow")
    rig.pass_call()
    assert rig.shows("Blue", "0:27"), "a call of 26 letters takes 3.06 s of it"
    rig.wait_ms(26_200)
    assert not rig.box.sounding()
    rig.wait_ms(1_050)
    assert rig.shows("Blue", "0:00"), rig.screen
    assert rig.box.sounding(), "the time is up"
    rig.wait_ms(10_000)
    assert not rig.box.sounding(), "said once"
    assert rig.acts == ["throw", "stop"], "the clock takes no turn away"
    from_menu(rig, "Turn timer", "off")
    assert rig.shows("Blue", "set 1/3"), rig.screen


def test_a_pause_that_ends_as_it_begins_takes_no_time() -> None:
    clock = TurnClock()
    clock.allow(30, 0)
    clock.turn("Red", 0)
    clock.pause(7)
    assert [clock.resume(7), clock.left_s(29 * S), clock.left_s(29 * S + 1)] == [0, 1, 1]


def test_in_a_pause_all_clocks_stop_and_any_key_resumes(rigs: Rigs) -> None:
    rig = rigs()
    rig.start("dodeka", "red blue ok ok")
    from_menu(rig, "Turn timer", "1:00")
    rig.wait_ms(20_000)
    from_menu(rig, "Pause")
    shown = rig.referee.panel.table.state.clock
    assert rig.shows("Pause", "Press any button", shown), rig.screen
    rig.wait_ms(10 * MIN)
    assert rig.shows("Pause", shown), rig.screen
    rig.press("red")
    assert rig.shows("Red", shown), rig.screen
    assert rig.acts == [], "the key did nothing else"
    assert rig.loop.due_ns - rig.now_ns <= S


@pytest.mark.slow
def test_a_timed_game_shows_what_is_left_and_is_no_older_for_a_pause(rigs: Rigs) -> None:
    rig = rigs(options={"minutes": 10})
    rig.start("scorepad", "red blue ok ok")
    assert rig.shows("10:00") or rig.shows("9:59"), rig.screen
    rig.wait_ms(4 * MIN)
    from_menu(rig, "Pause")
    rig.wait_ms(30 * MIN)
    rig.press("ok ok")  # the first lights the panel
    rig.wait_ms(5 * MIN)
    assert "time-up" not in rig.acts
    rig.wait_ms(MIN)
    assert "time-up" in rig.acts


def test_a_buzz_is_answered_in_time_and_others_who_buzz_give_no_more_of_it(rigs: Rigs) -> None:
    rig = rigs(options={"seconds": 10})
    rig.start("quiz", "red blue yellow ok ok")
    rig.press("ok")
    rig.wait_ms(3000)
    rig.press("blue")
    assert rig.shows("0:10") or rig.shows("0:09"), rig.screen
    rig.wait_ms(6000)
    rig.press("red")
    assert rig.shows("0:04") or rig.shows("0:03"), rig.screen
    assert "late" not in rig.acts
    rig.wait_ms(5000)
    assert rig.acts == ["open", "buzz", "buzz", "late"]
    assert [call.kind for call in rig.referee.session.calls] == ["late"]
    rig.wait_ms(3000)
    assert rig.referee.session.match.seat == 0, "Red has buzzed next"


def test_a_cube_in_a_pause_counts_for_nothing_and_says_so(rigs: Rigs) -> None:
    rig = rigs(beams=with_lanes(Config(), 6).beams)
    rig.start("quiz", "red blue yellow ok ok")
    rig.press("ok")
    from_menu(rig, "Pause")
    before = rig.acts
    rig.box.toss(["red"])
    rig.wait_ms(1000)
    assert rig.shows("A cube", "It doesn’t count"), rig.screen
    rig.press("ok")
    assert rig.shows("Pause"), rig.screen
    rig.press("ok")
    assert not rig.shows("Pause"), rig.screen
    assert rig.acts == before


def buzzed(rigs: Rigs, seconds: int) -> Rig:
    """A quiz in which Blue has buzzed a second ago, and must answer within so many seconds."""
    rig = rigs(options={"seconds": seconds})
    rig.start("quiz", "red blue yellow ok ok")
    rig.press("ok")
    rig.press("blue")
    rig.wait_ms(1000)
    return rig


def test_the_time_for_an_answer_stands_still_in_a_pause(rigs: Rigs) -> None:
    rig = buzzed(rigs, 5)
    from_menu(rig, "Pause")
    rig.wait_ms(30_000)
    rig.press("ok ok")  # the first lights the panel
    rig.wait_ms(2000)
    assert "late" not in rig.acts
    rig.wait_ms(4000)
    assert rig.acts == ["open", "buzz", "late"]


def test_the_time_away_from_a_match_counts_for_no_clock(rigs: Rigs) -> None:
    """Neither for the answer nor after a pause; leaving ends the pause."""
    rig = buzzed(rigs, 10)
    for paused in (False, True):
        if paused:
            from_menu(rig, "Pause")
            rig.wait_ms(4000)
        rig.drive(rig.referee.commands.execute(Leave(), rig.now_ns, Phone(None)))  # possible in a pause
        rig.settle()
        rig.wait_ms(10 * MIN)
        rig.press("ok ok")  # the first lights the panel
        rig.wait_ms(2000)
        assert rig.acts == ["open", "buzz"]
    rig.wait_ms(4000)
    assert rig.acts == ["open", "buzz", "late"]


def test_the_time_between_the_start_of_the_box_and_resume_is_no_playing_time(rigs: Rigs) -> None:
    rig = rigs(options={"minutes": 1})
    rig.start("scorepad", "red blue ok ok")
    rig.wait_ms(20_000)
    rig.press("red yellow ok")
    from_menu(rig, "Exit match")
    rigs.switch_off()
    rig = rigs()
    rig.wait_ms(10 * MIN)
    rig.press("ok ok")  # the first lights the panel
    rig.wait_ms(30_000)
    assert rig.acts == ["score"]
    rig.wait_ms(10_000)
    assert rig.acts == ["score", "time-up"]
