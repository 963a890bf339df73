"""The box after a power cut, and the matches of before: the same question, the same doubt, nothing lost."""

from __future__ import annotations

from contextlib import closing
from typing import Any, ClassVar

import pytest

from tests.kit.dohdles_tables import BOARD, first_question, toss
from tests.kit.rig import Rig, Rigs
from umpi.box.config import Config
from umpi.games.scorepad import ScorePad
from umpi.journal import open_to_read, read_traces
from umpi.kernel.registry import find
from umpi.simulator.virtual import with_head
from umpi.table.commands import GoOn
from umpi.timing.traces import judge_file

START = "red blue ok ok"


def played(rigs: Rigs, *turns: str) -> Rig:
    rig = rigs()
    rig.start("dodeka", START)
    for turn in turns:
        rig.press(turn)
    return rig


def again(rigs: Rigs, **settings: Any) -> Rig:
    rigs.switch_off()
    return rigs(**settings)


def leave(rig: Rig) -> None:
    rig.menu("Exit match")


@pytest.mark.parametrize("way", ["again", "manual", "accept"])
def test_a_doubt_outlasts_a_power_cut(six: Rig, rigs: Rigs, way: str) -> None:
    rig = six
    toss(rig, "yellow", "red", gap_ms=0.8)
    before, cubes = rig.screen, rig.acts.count("cube")
    assert rig.shows("Unclear", "Too close to call"), rig.screen
    rig = again(rigs, options=BOARD, head=with_head(Config(), 6).head)
    assert rig.shows("Resuming") or rig.shows("Unclear"), rig.screen
    rig.press("back")
    assert rig.screen == before
    key = {"again": "red", "manual": "yellow", "accept": "white"}[way]
    rig.press(key)
    assert rig.acts.count("cube") == (cubes if way == "accept" else 0)
    assert rig.loop.journal.noted(rig.referee.session.uid, "doubt") is None
    rig = again(rigs, options=BOARD, head=with_head(Config(), 6).head)
    rig.press("back")
    assert not rig.shows("Too close to call"), "it is settled for good"


def test_a_doubt_waits_with_the_match_it_was_left_in(six: Rig) -> None:
    toss(six, "yellow", "red", gap_ms=0.8)
    assert six.shows("Unclear", "Too close to call"), six.screen
    leave(six)
    assert six.shows("In play"), six.screen
    six.press("ok")
    assert six.shows("Unclear", "Too close to call"), six.screen


def test_only_a_power_cut_makes_the_order_of_cubes_that_may_have_been_falling_doubtful(rigs: Rigs) -> None:
    rig = first_question(rigs, 1)
    toss(rig, "red")
    leave(rig)
    rig.wait_ms(500)
    rig.press("ok")
    assert rig.acts[-1] == "cube", "the match goes on"
    assert not rig.referee.panel.noticing, rig.screen
    rig = again(rigs, options=BOARD, head=with_head(Config(), 1).head)
    assert rig.shows("Unclear", "Power was lost while cubes fell."), rig.screen


def test_what_fell_is_kept_with_its_match_and_judged_again_it_gives_the_same_order(six: Rig) -> None:
    toss(six, "yellow", "red", gap_ms=5.2)
    six.undo()
    six.undo()  # both cubes are taken back
    toss(six, "red", "yellow", gap_ms=7.5)
    leave(six)
    with closing(open_to_read(six.loop.journal.path)) as file:
        traces = read_traces(file, six.referee.session.number)
    judged = [[line for line in judge_file(text.encode().splitlines()) if "cube" in line] for text in traces]
    assert [[(cube["lane"], cube["margin_us"]) for cube in cubes] for cubes in judged] == [
        [(2, 5200), (0, None)], [(0, 7500), (2, None)],
    ]  # fmt: skip


class Sulky(ScorePad):
    """A score pad whose author has never seen its end."""

    def result(self) -> Any:
        if self.finished:
            raise ZeroDivisionError("nobody to share it with")
        return super().result()


def test_an_engine_that_fails_at_the_end_costs_the_end_and_no_other_act(
    rigs: Rigs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The end was taken once: then nothing could be shown but that its rules fail, and no key led away from there."""
    monkeypatch.setattr("umpi.service.start.ALL_GAMES", [Sulky])
    rig = rigs()
    rig.press("red red blue ok ok")
    rig.press("red yellow ok")
    rig.menu("The match is over")
    assert rig.shows("rules failed"), rig.screen
    assert (rig.acts, rig.lines) == (["score"], 1)
    rig.press("back red yellow ok")
    assert rig.acts == ["score", "score"], rig.screen


class Terse(ScorePad):
    """A score pad whose author has forgotten a seat as soon as there are points."""

    def scores(self) -> tuple[int, ...]:
        return super().scores()[: 1 if any(super().scores()) else None]


def test_an_act_that_cannot_be_shown_is_refused_and_the_box_starts(rigs: Rigs, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stood once: no picture could be drawn, no key led away, and the next start failed as well."""
    monkeypatch.setattr("umpi.service.start.ALL_GAMES", [Terse])
    rig = rigs()
    rig.press("red red blue ok ok")
    rig.press("red yellow ok")
    assert rig.shows("rules failed", "one score per seat"), rig.screen
    assert (rig.acts, rig.lines) == ([], 0)
    rigs.switch_off()
    rig = rigs()
    rig.press("ok")
    assert rig.shows("Who scores?"), rig.screen


def test_the_turn_clock_outlasts_a_power_cut(rigs: Rigs) -> None:
    rig = played(rigs)
    rig.menu("Turn timer")
    rig.take("1:00")
    rig = again(rigs)
    rig.press("back")
    assert rig.shows("1:00") or rig.shows("0:59"), rig.screen


class Stricter(ScorePad):
    """The score pad after an update: no more than 3 points at a time."""

    revision: ClassVar = 2

    def do_score(self, seat: int, points: int) -> Any:
        if points > 3:
            raise ValueError("too many")
        return super().do_score(seat, points)


class Kinder(ScorePad):
    """The score pad after an update that counts otherwise."""

    revision: ClassVar = 3

    def scores(self) -> tuple[int, ...]:
        return tuple(2 * score if score > 3 else score for score in super().scores())


@pytest.mark.parametrize("rules", [Stricter, Kinder])
def test_a_match_of_older_rules_is_replayed_to_where_they_differ_and_says_so(
    rigs: Rigs, rules: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An act that waits is never dropped."""
    rig = rigs()
    rig.start("scorepad", "red blue ok ok")
    rig.press("red yellow ok")  # 1
    rig.press("blue white ok")  # 20
    rig.press("red yellow ok")
    points = rig.referee.session.match.now.scores()
    rigs.switch_off()
    real = find
    monkeypatch.setattr("umpi.service.start.find", lambda name: rules if name == "scorepad" else real(name))
    rig = rigs()
    assert rig.shows("Resuming", "rules have changed"), rig.screen
    session = rig.referee.session
    assert rig.acts == ["score"]
    first, second = rig.loop.journal.matches()
    assert (first.how, first.lines, second.how) == ("closed", 3, "on")
    assert session.number == second.id
    assert second.rules == rules.revision
    rig.press("back")
    rig.press("blue yellow ok")
    assert rig.loop.journal.trouble == ""
    monkeypatch.setattr("umpi.service.start.find", real)
    rig = again(rigs)
    assert rig.acts == ["score", "score"], "it went on, and goes on"
    rig.press("back")
    leave(rig)
    rig.press("white")
    rig.take("Past matches")
    rig.take("Score pad")
    assert rig.referee.session.match.now.scores() == points, "with the older rules the older match is whole"


def test_back_held_for_three_seconds_says_that_it_may_be_unplugged(rigs: Rigs) -> None:
    rig = played(rigs, "red blue yellow")
    rig.pass_calls()
    question = rig.screen
    rig.press("back", ms=2900)
    assert rig.shows("Menu"), rig.screen
    rig.press("back")
    rig.press("back", ms=3100)
    assert rig.shows("Safe to unplug"), rig.screen
    assert rig.loop.journal.path.with_name("games.db-wal").stat().st_size == 0, "all is in the one file"
    rig.press("back")
    rig.press("back")
    assert rig.screen == question
    rig.press("ok", ms=3100)
    assert not rig.shows("Safe to unplug")


def test_of_two_boxes_that_continue_one_match_the_second_continues_a_copy(rigs: Rigs) -> None:
    """The same journal under a second box, as when the service runs and somebody starts the virtual box beside it."""
    rig = played(rigs, "red blue yellow")
    other: Rig = rigs(journal=rig.loop.journal.path)
    other.press("back")
    rig.press("red red green")
    other.press("white white blue")
    assert other.shows("Problem", "Here it continues as match 2."), other.screen
    other.press("back")
    assert not other.shows("NOT SAVED")
    assert not rig.shows("NOT SAVED")
    assert (other.referee.session.number, other.lines) == (2, 5), "two of both, the note, two of its own"
    assert (rig.referee.session.number, rig.lines) == (1, 4)
    other.pass_calls()
    question = other.screen
    other = again(rigs, journal=rig.loop.journal.path)
    other.press("back")
    assert other.screen == question, "the copy is what was on the table last"


def test_the_match_that_was_copied_can_be_chosen_again(rigs: Rigs) -> None:
    """Its number is its own again, and what is played there does not land in the copy."""
    rig = played(rigs, "red blue yellow")
    other: Rig = rigs(journal=rig.loop.journal.path)
    other.press("back")
    rig.press("red red green")
    other.press("white white blue")
    other.press("back")
    other.grant(GoOn(1))
    other.press("back")
    assert (other.referee.session.number, other.lines) == (1, 4)
    other.press("red blue yellow")
    assert other.referee.session.number == 1
    assert other.lines > 4
    other.grant(GoOn(2))
    assert (other.referee.session.number, other.lines) == (2, 5)
