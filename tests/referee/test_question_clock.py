"""The times of a match: its age, what the box waits for, and reactions to its last act."""

from __future__ import annotations

from umpi.kernel.game import Ask
from umpi.kernel.measured import Measured
from umpi.referee.question_clock import QuestionClock, Timed
from umpi.timing.units import MS


def test_a_reaction_counts_from_the_picture_in_whole_milliseconds_and_never_below_0() -> None:
    clock = QuestionClock()
    clock.ask(0)
    assert clock.measured(50 * MS, 40 * MS) == Measured(0, 1), "nobody has seen it yet"
    clock.show(10 * MS)
    clock.show(30 * MS)  # the same again
    assert clock.measured(251 * MS - 1, 249 * MS) == Measured(240, 2)
    assert clock.measured(251 * MS, 251 * MS) == Measured(241, 1)
    assert clock.measured(2 * MS, 1 * MS) == Measured(0, 1)
    clock.pause(100 * MS)
    assert clock.measured(251 * MS, 248 * MS) == Measured(141, 3)
    clock.ask(300 * MS, signal=False)
    assert clock.measured(351 * MS, 351 * MS) == Measured(241, 1)
    clock.ask(400 * MS)
    assert clock.measured(451 * MS, 451 * MS) == Measured(0, 1)
    assert clock.age_ms(451 * MS) == 351, "without the pause"


def test_the_box_waits_for_a_time_that_is_given_or_drawn() -> None:
    clock, after, at = QuestionClock(), Ask("go", "", after_ms=20), Ask("end", "", at_ms=90)
    drawn = Ask("flash", "", after_ms=(100, 109))
    clock.ask(7 * MS)
    assert [clock.due(ask) for ask in (after, at, drawn)] == [
        Timed(27 * MS, "go", False), Timed(90 * MS, "end", False), None,
    ]  # fmt: skip
    assert [clock.waits([ask]) for ask in (after, at, drawn)] == [False, False, True]
    assert clock.waits([at, drawn])
    clock.draw_wait([after, drawn], 23)
    assert clock.due(drawn) == Timed(110 * MS, "flash", True)
    assert not clock.waits([drawn])
    clock.pause(MS)
    assert [clock.due(ask) for ask in (at, drawn)] == [Timed(91 * MS, "end", False), Timed(111 * MS, "flash", True)]
    assert clock.due(Ask("stop", "")) is None
