"""Who raced for the answer is played in the order of the stamps, in whatever order and company it was read."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.journals import header
from tests.kit.rig import MS, Rig, Rigs
from umpi.box.config import COLOURS, Config
from umpi.journal import Journal
from umpi.referee.input_queue import LATE_NS, InputQueue
from umpi.simulator.virtual import with_lanes
from umpi.table.commands import GoOn, Leave
from umpi.timing.debounce import Press
from umpi.timing.edge import Edge


@pytest.fixture(params=[{}])
def quiz(rigs: Rigs, request: pytest.FixtureRequest) -> Rig:
    """An open question, three seats."""
    journal = Journal(rigs.folder / "games.db")
    number = journal.begin(header("quiz", ["Ann", "Ben", "Cleo"]))
    journal.append(number, [{"do": "open"}], "panel")
    journal.close()
    rig = rigs(**request.param)
    rig.press("ok")
    return rig


def queue(rig: Rig) -> Any:
    return rig.referee.session.match.now.queue


def read(rig: Rig, button: str, down: bool, at_ns: int) -> None:
    """Make the loop read a single edge."""
    rig.loop.inbox.post(Edge(button, down, at_ns))
    rig.settle()


def command(rig: Rig, command: Any) -> None:
    """Have it granted at once, as no key is while seats race."""
    rig.drive(rig.referee.commands.grant(command, rig.now_ns))
    rig.settle()


def test_a_buzz_waits_no_longer_than_another_may_be_late(quiz: Rig) -> None:
    start_ns = quiz.now_ns
    read(quiz, "blue", True, start_ns)
    assert queue(quiz) == ()
    assert quiz.loop.due_ns <= start_ns + LATE_NS
    quiz.now_ns = start_ns + LATE_NS - 1
    quiz.settle()
    assert queue(quiz) == ()
    quiz.now_ns += 1
    quiz.settle()
    assert queue(quiz) == (1,)


ONE, SIX = ({"beams": with_lanes(Config(), lanes).beams} for lanes in (1, 6))
FALL_MS = 20  # a cube darkens its beam for so long


@pytest.mark.parametrize("quiz", [SIX], indirect=True)
@pytest.mark.parametrize(("pressed_ms", "order"), [(-3, (1, 0)), (3, (0, 1)), (FALL_MS + 2, (0, 1))])
def test_a_press_is_after_a_cube_that_fell_before_it_in_a_lane(
    quiz: Rig, pressed_ms: int, order: tuple[int, ...]
) -> None:
    """A cube is certain once it has left its beam, a press at once: the match hears them as they were made."""
    front_ns = quiz.now_ns + 5 * MS
    edges = [(front_ns, "lane_1", True), (front_ns + FALL_MS * MS, "lane_1", False)]
    for at_ns, line, active in sorted([*edges, (front_ns + pressed_ms * MS, "blue", True)]):
        quiz.wait_ms((at_ns - quiz.now_ns) // MS)
        read(quiz, line, active, at_ns)
    quiz.wait_ms(200)
    assert queue(quiz) == order, quiz.screen
    assert tuple(place.seat for place in quiz.referee.panel.screen().seen) == order


@pytest.mark.parametrize("quiz", [SIX], indirect=True)
def test_a_press_behind_a_cube_that_leaves_a_doubt_is_too_late_and_says_so(quiz: Rig) -> None:
    """It was a buzz, no answer to what the doubt asks."""
    read(quiz, "lane_1", True, quiz.now_ns)
    quiz.wait_ms(10)
    read(quiz, "red", True, quiz.now_ns)
    quiz.wait_ms(450)
    assert quiz.shows("Too late", "A cube was first"), quiz.screen
    quiz.press("ok")
    assert quiz.shows("Unclear"), quiz.screen
    assert queue(quiz) == (0,)


@pytest.mark.parametrize("quiz", [SIX], indirect=True)
def test_a_buzzer_hammered_when_a_doubt_appears_does_not_settle_it(quiz: Rig) -> None:
    """Its button is now one of the ways to settle the doubt."""
    read(quiz, "lane_1", True, quiz.now_ns)
    while not quiz.referee.panel.table.state.doubt:
        quiz.wait_ms(10)
    quiz.press("red")
    assert quiz.shows("Unclear", "IGNORED", "toss again"), quiz.screen
    quiz.wait_ms(300)
    quiz.press("red")
    assert not quiz.shows("Unclear"), quiz.screen
    assert not quiz.shows("IGNORED"), quiz.screen


@pytest.mark.parametrize("quiz", [SIX], indirect=True)
def test_a_cube_that_fell_while_no_match_was_on_the_table_belongs_to_none(quiz: Rig) -> None:
    command(quiz, Leave())
    for level, ms in ((True, 0), (False, FALL_MS)):
        quiz.wait_ms(ms)
        read(quiz, "lane_1", level, quiz.now_ns)
    command(quiz, GoOn())
    quiz.wait_ms(1000)
    assert queue(quiz) == (), quiz.screen
    assert not quiz.shows("Unclear"), quiz.screen


@pytest.mark.parametrize("quiz", [ONE], indirect=True)
def test_buzzes_are_played_before_a_cube_that_becomes_certain_while_they_wait(quiz: Rig) -> None:
    """A cube without an owner asks whose it is, so a press meant as a buzz would name its owner."""
    for level, ms in ((True, 0), (False, FALL_MS)):
        quiz.wait_ms(ms)
        read(quiz, "lane_1", level, quiz.now_ns)
    certain_ns = quiz.referee._beams.funnel.due_ns
    quiz.wait_ms((certain_ns - quiz.now_ns) // MS - 5)
    pressed_ns = quiz.now_ns
    read(quiz, "blue", True, pressed_ns)
    quiz.now_ns = certain_ns
    quiz.settle()
    read(quiz, "red", True, pressed_ns - 100_000)
    assert queue(quiz) == ()
    quiz.wait_ms(20)
    assert queue(quiz) == (0, 1, None), quiz.screen


def test_a_stalled_loop_reads_earlier_presses_before_it_accepts_one(quiz: Rig) -> None:
    """It reads the clock first, then what has come: the other way round an older edge could lie there unread."""
    start_ns, loop = quiz.now_ns, quiz.loop
    read(quiz, "blue", True, start_ns)
    clock = loop.clock

    def stand_still() -> int:
        loop.clock = clock
        loop.inbox.post(Edge("red", True, start_ns - 100_000))
        quiz.now_ns += 30 * MS
        return quiz.now_ns

    loop.clock = stand_still
    quiz.settle()
    assert queue(quiz) == (0, 1), quiz.screen


def test_a_press_that_arrives_after_the_limit_is_reported_as_late(quiz: Rig) -> None:
    start_ns = quiz.now_ns
    quiz.now_ns += MS
    read(quiz, "blue", True, start_ns + MS)
    quiz.wait_ms(40)
    assert queue(quiz) == (1,)
    read(quiz, "red", True, start_ns)
    assert queue(quiz) == (1, 0)
    assert quiz.shows("Unclear", "came late"), quiz.screen


def test_presses_with_equal_stamps_are_not_late(quiz: Rig) -> None:
    """With equal stamps no player is first, so there is no order to check."""
    start_ns = quiz.now_ns
    read(quiz, "blue", True, start_ns)
    quiz.wait_ms(40)
    read(quiz, "red", True, start_ns)
    assert queue(quiz) == (1, 0)
    assert not quiz.shows("came late"), quiz.screen


def test_waiting_answers_are_played_before_later_acts_of_the_box(in_play: Any) -> None:
    """A throw a millisecond before a timed game ends counts, though the end comes while it waits."""
    rig = in_play(minutes=1)
    rig.press("red blue")
    rig.referee.answers = InputQueue(lambda answer: answer.at_ns + LATE_NS)
    end_ns = rig.referee._timers.timed().due_ns
    rig.wait_ms((end_ns - rig.now_ns) // MS - 1)
    rig.loop.inbox.post(Edge("yellow", True, rig.now_ns))
    rig.now_ns = end_ns + 1
    rig.settle()
    assert rig.acts == []
    rig.wait_ms(30)
    assert rig.acts == ["throw", "stop", "time-up"]


def test_a_press_read_after_the_time_was_up_is_no_answer_to_the_end(in_play: Any) -> None:
    """It would take something back there, or begin another game."""
    rig = in_play(minutes=1)
    end_ns = rig.referee._timers.timed().due_ns
    rig.wait_ms((end_ns - rig.now_ns) // MS + 1)
    over = rig.screen
    assert rig.acts == ["time-up"], over
    for button in ("red", "ok"):
        read(rig, button, True, end_ns - MS)
    assert (rig.acts, rig.screen) == (["time-up"], over)


@given(
    st.lists(st.tuples(st.integers(0, 60 * MS), st.integers(0, LATE_NS - 1)), min_size=1, max_size=12),
    st.integers(1, 7),
)
def test_the_order_played_is_that_of_the_stamps_if_none_is_later_than_agreed(
    presses: list[tuple[int, int]], pace_ms: int
) -> None:
    """Each is read so long after its stamp; the loop looks at an even pace, and whenever something is due."""
    answers, played = InputQueue(lambda answer: answer.at_ns + LATE_NS), list[Press]()
    coming = [(at_ns + late_ns, Press(COLOURS[index % 6], at_ns)) for index, (at_ns, late_ns) in enumerate(presses)]
    for now_ns in range(0, 100 * MS, pace_ms * MS):
        answers.take([press for read_ns, press in coming if now_ns - pace_ms * MS < read_ns <= now_ns])
        played += answers.pop_due(now_ns)
    assert [press.at_ns for press in played] == sorted(press.at_ns for _, press in coming)
    assert not answers
    assert answers.due_ns is None
