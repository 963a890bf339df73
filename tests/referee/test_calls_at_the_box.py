"""The referee's calls at the box: shown for their time over the question, never in the way, each with its sound."""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.core import Hand
from tests.kit.rig import MS, SECOND
from tests.kit.sampling import examples
from umpi.display.calls import LETTER_NS, LOOK_NS
from umpi.games.dodeka.rules import Dodeka
from umpi.kernel import Act
from umpi.kernel.registry import find
from umpi.referee.remote import RemoteRequest
from umpi.simulator.chute import toss
from umpi.simulator.reading import reads
from umpi.table.commands import Do
from umpi.timing.edge import Edge
from umpi.timing.gate import Settings
from umpi.timing.lines import COLOURS, NAVIGATION

RUN, POINTS = "red blue yellow", "Red scores 100 points: run"  # 1, 2 and 3 are kept


@pytest.fixture
def hand() -> Hand:
    """A Dodéka of Red and Blue, whose last throw Red is about to enter."""
    hand = Hand()
    hand.start("dodeka")
    return hand


def test_a_call_is_shown_under_its_player_for_as_long_as_it_takes_to_read(hand: Hand) -> None:
    hand.press(RUN)
    assert hand.shows("Red", "Dodéka", "Red scores 100", "run"), hand.screen
    begun_ns = hand.now_ns - 100 * MS
    assert hand.due_ns == begun_ns + LOOK_NS + LETTER_NS * len(POINTS)
    due_ns = hand.core.referee.due_ns(hand.now_ns)
    assert due_ns is not None
    assert due_ns <= hand.due_ns, "the service looks again in time"
    hand.wait_ns(hand.due_ns - hand.now_ns - 1)
    assert hand.shows("Red scores"), hand.screen
    hand.wait_ns(1)
    assert hand.shows("Blue", "Final dice"), hand.screen
    assert hand.due_ns is None


def test_a_phones_call_covers_no_open_menu(hand: Hand) -> None:
    session = hand.core.referee.session
    hand.press(RUN)
    hand.press("back", 700)
    hand.core.give([request(hand, Do((Act("throw", {"keep": (), "dice": (1, 2, 3)}),)))], hand.now_ns)
    assert hand.shows("Menu"), "a throw that does not end the turn says nothing"
    hand.core.give([request(hand, Do((Act("stop"),)))], hand.now_ns)
    assert hand.shows("Menu"), "the menu stays visible: the next press counts for it"
    hand.press("ok")  # undo
    assert session.match
    assert [act.verb for act in session.match.acts] == ["throw", "stop"]


def request(hand: Hand, command: Any) -> RemoteRequest:
    return RemoteRequest(hand.now_ns, hand.core.referee.session.question, command, None, 1)


def test_a_code_comes_first_and_the_call_then_has_its_whole_time(hand: Hand) -> None:
    panel = hand.core.referee.panel
    hand.press(RUN)
    panel.table.become(replace(panel.table.state, code=("314159", "", "Referee", 60)))
    hand.wait_ns(90 * SECOND)
    panel.table.become(replace(panel.table.state, code=None))
    hand.core.run_to(hand.now_ns)
    assert hand.due_ns == hand.now_ns + LOOK_NS + LETTER_NS * len(POINTS)


def test_a_doubt_comes_first(hand: Hand) -> None:
    panel = hand.core.referee.panel
    hand.press(RUN)
    panel.table.become(replace(panel.table.state, doubt="Too close to call.", heat=()))
    panel.ask_about_doubt()
    hand.wait_ns(10 * SECOND)
    assert hand.due_ns is None
    assert reads(panel.picture(), "Too close")
    panel.table.become(replace(panel.table.state, doubt="", heat=()))
    panel.ask_about_doubt()
    hand.wait_ns(SECOND)
    assert reads(panel.picture(), "Red scores"), "it was settled at once"


def test_no_call_covers_cubes_that_are_falling() -> None:
    lanes = tuple(f"lane_{lane}" for lane in range(1, 7))
    hand = Hand(beams=lanes, options={"early": "locked"})
    hand.start("quiz", "red blue yellow ok ok")
    flights = toss(["red", "blue", "yellow"], Settings(lanes=6), hand.now_ns, "apart", 120)
    funnel, covered, seen = hand.core.referee._beams.funnel, [], []
    for at_ns, line, dark in sorted(flights):
        hand.core.give([Edge(line, dark, at_ns)], at_ns)
        called = hand.core.referee.panel.calls.current is not None
        (covered if funnel and funnel.front_ns is not None else seen).append(called)
    assert covered
    assert not any(covered)
    hand.now_ns = at_ns
    hand.wait_ns(SECOND)
    assert hand.shows("Yellow buzzed"), hand.screen


def test_the_engine_that_fails_at_its_calls_shows_the_question(
    hand: Hand, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(self: Dodeka, before: Dodeka, act: Act) -> tuple[()]:
        raise ZeroDivisionError

    monkeypatch.setattr(Dodeka, "calls", fail)
    caplog.set_level(logging.CRITICAL)
    hand.press(RUN)
    assert hand.shows("Blue", "Final dice"), hand.screen
    assert hand.sounds[-1] == "accepted"


@pytest.mark.slow
@pytest.mark.parametrize("game", ["dodeka", "dodekka", "scorepad", "quiz"])
@settings(max_examples=examples(15))
@given(
    st.lists(
        st.tuples(
            st.sampled_from((*COLOURS * 3, *NAVIGATION)), st.sampled_from((50, 50, 50, 700)), st.integers(20, 4000)
        ),
        min_size=1, max_size=40,
    )
)  # fmt: skip
def test_any_presses_do_the_same_with_calls_and_without(game: str, presses: list[tuple[str, int, int]]) -> None:
    """No press is lost at a call, and none means something else."""
    runs = []
    for shown in (True, False):
        hand = Hand(options={"target": 150, "minutes": 1})
        hand.start(game, " ".join(COLOURS[: find(game).seats[0]]) + " ok ok")
        if not shown:
            hand.core.referee.panel.calls.say = lambda calls=(): None  # type: ignore[method-assign]
        for button, down_ms, pause_ms in presses:
            hand.press(button, down_ms)
            hand.wait_ns(pause_ms * MS)
        hand.wait_ns(90 * SECOND)  # also the time of the game is up by now, and its call has passed
        runs.append((hand.core.effects, hand.core.picture.tobytes()))
    assert runs[0] == runs[1]
