"""Lessons at the box: each is played to its end by the ten buttons, and nothing else of the box changes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest

from tests.kit.rig import Rig, Rigs
from umpi.box.config import COLOURS
from umpi.display import screens
from umpi.display.lesson import LessonPanel
from umpi.display.sheet import pages
from umpi.display.typist import presses
from umpi.i18n.translate import languages, set_language, tr
from umpi.journal import open_to_read, read_matches
from umpi.kernel.game import full_title
from umpi.kernel.registry import find
from umpi.lessons import LESSONS
from umpi.lessons.course import Course
from umpi.table.joining import Joining

PAGES = 3  # the most pages of a comment


def lesson_of(rig: Rig) -> LessonPanel | None:
    lesson: LessonPanel | None = rig.referee.panel._lesson
    return lesson


def course_of(rig: Rig) -> Course:
    lesson = lesson_of(rig)
    assert lesson
    return lesson._course


def begin(rig: Rig, game: str) -> None:
    rig.choose("Learn")
    rig.choose(full_title(find(game)))
    assert rig.shows("Lesson 1/"), rig.screen


def read(rig: Rig) -> None:
    """Read the notices on the screen, until the lesson asks or ends."""
    for _ in range(100):
        lesson = lesson_of(rig)
        if lesson is None or not lesson.noticing:
            return
        rig.press("ok")
    raise AssertionError(rig.screen)


def enter(rig: Rig) -> None:
    """Enter the next act of the lesson by the buttons."""
    course = course_of(rig)
    match = course.match
    for key in presses(match.asks, match.players, course.expected[:1], quick=False):
        rig.press(COLOURS[key] if isinstance(key, int) else key)


def played(rig: Rig) -> Iterator[int]:
    """Play the lesson on the screen to its end; yield before each answer."""
    read(rig)
    while lesson_of(rig):
        yield course_of(rig).index
        enter(rig)
        read(rig)


@pytest.mark.parametrize("game", LESSONS)
def test_a_lesson_is_played_to_its_end_by_the_buttons(rigs: Rigs, game: str) -> None:
    rig = rigs()
    begin(rig, game)
    asked = [*played(rig)]
    steps = LESSONS[game].steps
    assert {*asked} == {index for index, step in enumerate(steps) if step.yours}
    assert rig.shows("Which game?"), rig.screen
    with closing(open_to_read(rig.loop.journal.path)) as file:
        assert not [*read_matches(file)]


@pytest.mark.parametrize("moment", ["a comment", "a question", "an answer", "a hint"])
def test_a_lesson_can_be_left_at_any_time(rigs: Rigs, moment: str) -> None:
    rig = rigs()
    begin(rig, "dodeka")
    if moment != "a comment":
        read(rig)
    if moment == "an answer":
        rig.press("yellow")
    if moment == "a hint":
        rig.press("red red red")
    rig.press("back", ms=1000)
    assert rig.shows("Leave the lesson?"), rig.screen
    rig.press("green")
    assert rig.shows("Lesson"), "the comment is shown again"
    rig.press("back", ms=1000)
    rig.press("red")
    assert lesson_of(rig) is None
    assert rig.shows("Which game?"), rig.screen


def test_a_match_that_can_be_resumed_stays_so(in_play: Any) -> None:
    rig: Rig = in_play()
    rig.press("red red red")
    acts = rig.acts
    rig.press("back", ms=1000)
    rig.choose("Exit match")
    assert rig.shows("resume"), rig.screen
    rig.press("white")
    begin(rig, "dodekka")
    view = rig.loop.view
    assert view.screen.lesson
    assert not view.playing
    for _ in played(rig):
        assert rig.acts == acts
    assert rig.shows("resume"), rig.screen
    rig.press("red")
    assert rig.acts == acts
    assert rig.referee.panel.table.state.playing


def test_a_notice_of_the_box_covers_the_lesson_until_it_is_read(rigs: Rigs) -> None:
    rig = rigs()
    begin(rig, "dodeka")
    read(rig)
    rig.referee.panel.tell("Problem", "Something is unplugged.")
    rig.press("ok")
    assert rig.shows("Roll"), rig.screen


def test_joining_that_a_phone_opens_during_a_lesson_takes_the_presses(rigs: Rigs) -> None:
    rig = rigs()
    begin(rig, "dodeka")
    read(rig)
    rig.referee.panel.table.become(
        replace(rig.referee.panel.table.state, joining=Joining("http://10.0.0.1:8000/#pair"))
    )
    rig.press("red")
    lesson = lesson_of(rig)
    assert lesson
    assert not lesson.entering, "the question is not on the screen"
    rig.referee.panel.table.become(replace(rig.referee.panel.table.state, joining=None))
    rig.press("red")
    assert lesson.entering


@pytest.mark.parametrize("code", languages())
@pytest.mark.parametrize("game", LESSONS)
def test_each_comment_has_room_on_three_pages(code: str, game: str) -> None:
    set_language(code)
    lesson = LESSONS[game]
    for step in lesson.steps:
        comment = tr(lesson.comment(step), lesson.players)
        assert pages(comment, screens.NOTICE) <= PAGES, comment
