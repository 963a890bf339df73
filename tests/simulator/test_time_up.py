"""A game played by the clock, in injected time: the box ends it by itself, and never in the middle of something."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.kit.rig import MS, SECOND, Rig, Rigs
from umpi.table.commands import GoBack, PutBack
from umpi.timing.edge import Edge

TURN = "red blue yellow"  # 1 2 3, a suite


def leave(rig: Rig) -> None:
    rig.press("back", ms=1000)
    rig.choose("Exit match")
    assert rig.shows("resume", "new game"), rig.screen


def test_time_up_comes_by_itself_to_the_millisecond(in_play: Any, tmp_path: Path) -> None:
    """A part begun is played to its end."""
    rig = in_play(minutes=1)
    began_ns = rig.referee.session.clock.began_ns
    rig.press(TURN)
    rig.wait_ms((began_ns + 60 * SECOND - rig.now_ns) // MS - 1)
    assert rig.acts == ["throw", "stop"]
    rig.wait_ms(1)
    assert rig.acts == ["throw", "stop", "time-up"]
    assert rig.referee.session.record.match.acts[-1].at == 60_000
    with closing(sqlite3.connect(tmp_path / "games.db")) as file:
        assert [who for (who,) in file.execute("SELECT who FROM line ORDER BY n")] == ["panel", "panel", "box"]
    rig.wait_ms(600_000)
    assert rig.acts == ["throw", "stop", "time-up"], "once"


def test_the_clock_of_a_game_that_is_gone_on_with_begins_where_it_stood(in_play: Any, rigs: Rigs) -> None:
    rig = in_play(minutes=1)
    rig.wait_ms(40_000)
    rig.press(TURN)
    age_ms = rig.referee.session.record.at_ms
    rigs.switch_off()
    rig = rigs()
    rig.press("ok ok")  # what it goes on with has been read, and the game stands still no longer
    rig.wait_ms(59_000 - age_ms)
    assert rig.acts == ["throw", "stop"]
    rig.wait_ms(1000)
    assert rig.acts == ["throw", "stop", "time-up"]


def test_undo_reaches_behind_a_time_up_that_the_box_has_done(in_play: Any) -> None:
    rig = in_play(minutes=1)
    rig.press(TURN)
    rig.press("red red red")
    rig.wait_ms(61_000)
    assert rig.acts[-1] == "time-up"
    rig.undo()
    assert rig.acts == ["throw", "stop"], "the throw is undone, and time is up when another one is there"
    rig.press("yellow yellow yellow")
    assert (rig.acts.count("throw"), rig.acts[-1]) == (2, "time-up")
    assert not rig.shows("last triple 500", "1 1 1")


def test_the_first_throw_of_a_part_can_be_mended_after_time_is_up(in_play: Any) -> None:
    """The part was begun in time: undoing its throw to enter it again must not end the match."""
    rig = in_play(minutes=1)
    rig.press(TURN)
    rig.wait_ms(61_000)
    rig.undo()
    assert not rig.shows("Winner"), rig.screen
    assert not rig.shows("Winners"), rig.screen
    rig.press("red red red")
    assert "throw" in rig.acts


def scored(rigs: Rigs) -> Rig:
    """A score pad of one minute, which is over: Red has scored 1 point twice, Blue 20 and 1."""
    rig = rigs(options={"minutes": 1})
    rig.start("scorepad", "red blue ok ok")
    for score in ("red yellow ok", "blue white ok", "red yellow ok", "blue yellow ok"):
        rig.press(score)
    rig.wait_ms(75_000)
    assert rig.acts == ["score"] * 4 + ["time-up"]
    return rig


def test_a_forgotten_score_is_inserted_after_time_is_up(rigs: Rigs) -> None:
    """While moves are on hold, the box does not end the match: they were lost once."""
    rig = scored(rigs)
    rig.menu("Correct a move")
    rig.take("Blue: score 20")
    rig.take("insert")
    rig.press("red white ok")  # 20
    rig.wait_ms(5000)
    rig.menu("Restore 4 moves")
    assert rig.shows("All later moves stay valid."), rig.screen
    rig.take("yes")
    rig.wait_ms(1000)
    assert rig.acts == ["score"] * 5 + ["time-up"]
    assert rig.referee.session.match.now.scores() == (22, 21)


def test_undone_scores_are_entered_again_after_time_is_up(rigs: Rigs) -> None:
    """As many as before, also if the power fails between them: then time is up again."""
    rig = scored(rigs)
    rig.undo()
    rig.undo()
    assert rig.acts == ["score", "score"]
    rig.press("red yellow ok")
    rig.wait_ms(1000)
    rigs.switch_off()
    rig = rigs()
    rig.press("ok")
    rig.wait_ms(1000)
    assert rig.acts == ["score"] * 3
    rig.press("blue white ok")
    assert rig.acts == ["score"] * 4 + ["time-up"]
    assert rig.referee.session.match.now.scores() == (2, 40)


def test_time_that_players_ended_early_is_up_by_the_clock_after_an_undo(rigs: Rigs) -> None:
    rig = rigs(options={"minutes": 1})
    rig.start("scorepad", "red blue ok ok")
    for _ in range(3):
        rig.press("red yellow ok")
        rig.press("blue yellow ok")
    rig.menu("Time is up")
    assert rig.acts == ["score"] * 6 + ["time-up"]
    for _ in range(5):
        rig.undo()
    assert rig.acts == ["score"] * 2
    rig.press("red yellow ok")
    rig.press("blue yellow ok")
    rig.wait_ms(61_000)
    assert rig.acts == ["score"] * 4 + ["time-up"]


def test_a_part_begun_in_time_outlasts_going_back_to_the_part_before(in_play: Any) -> None:
    """Its throw is lost if time is up in the part before it, be it inserted or undone."""
    rig = in_play(minutes=1, target=10)
    rig.press(TURN)  # 100 points, enough for part 1
    rig.press("red yellow white")  # nothing: the part is over
    assert rig.referee.session.match.now.facts()["part"] == 2
    rig.press(TURN)
    rig.wait_ms(61_000)
    played = rig.acts
    assert played[-1] == "time-up"
    rig.grant(GoBack(2))
    rig.wait_ms(1000)
    rig.grant(PutBack())
    rig.wait_ms(1000)
    assert rig.acts == played
    rig.undo()
    rig.undo()
    rig.wait_ms(1000)
    assert rig.acts == played[:2]
    rig.press("red yellow white")
    rig.press(TURN)
    assert rig.acts == played


def test_a_throw_after_time_is_up_begins_no_part_however_late_the_loop(in_play: Any) -> None:
    """The stamps decide, never when the loop came to look; a slow card may hold it."""
    rig = in_play(minutes=1)
    for index, button in enumerate(TURN.split()):
        rig.loop.inbox.post(Edge(button, True, rig.now_ns + 61 * SECOND + index * 100 * MS))
    rig.now_ns += 62 * SECOND
    rig.settle()
    assert rig.acts == ["time-up"]


def test_time_up_leaves_a_half_entered_throw_as_it_is(in_play: Any) -> None:
    """The third die must not become the first of another throw."""
    rig = in_play(minutes=1)
    rig.press(TURN)
    rig.press("red blue")
    assert rig.shows("1 2 _"), rig.screen
    rig.wait_ms(61_000)
    assert rig.acts[-1] == "time-up"
    assert rig.shows("1 2 _"), rig.screen


def test_time_up_does_not_call_players_back_who_have_left(in_play: Any) -> None:
    """They choose the next game, or have gone home."""
    rig = in_play(minutes=1)
    rig.press(TURN)
    leave(rig)
    rig.wait_ms(61_000)
    assert rig.shows("resume", "new game"), rig.screen


def test_after_a_restart_a_timed_game_stays_paused(in_play: Any, rigs: Rigs) -> None:
    in_play(minutes=1).press(TURN)
    rigs.switch_off()
    rig = rigs()
    rig.wait_ms(600_000)
    assert rig.shows("Resuming"), rig.screen
    rig.press("back")
    rig.wait_ms(600_000)
    assert rig.referee.panel.table.state.paused
    rig.press("ok")
    assert not rig.referee.panel.table.state.paused
    assert rig.shows("1:00"), rig.screen
