"""Lessons on the screen: a panel that also runs lessons, and the panel of one lesson.

The referee sees no match while a lesson runs, so phones, cubes, timers and the journal have no part in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from umpi.display.last_answer import LastAnswer
from umpi.display.menu import Choice, Dialogue, Menu, MenuEntry
from umpi.display.modes import modes
from umpi.display.panel import Key, Panel
from umpi.display.screen import Screen
from umpi.display.screens import Seen
from umpi.i18n.translate import tr
from umpi.kernel.calls import Call
from umpi.kernel.game import Act
from umpi.kernel.match import Match, Refused
from umpi.lessons.course import AnotherMove, Course
from umpi.lessons.found import lesson_of
from umpi.table.commands import Command, Do, Learn, Leave
from umpi.table.lessons import tell_another_move, tell_calls, tell_step
from umpi.table.seating import Seating
from umpi.table.state import ResumableMatch


class LearningPanel(Panel):
    """The panel of a box: it runs a lesson from the start screen, until the learner leaves it or it ends."""

    _lesson: LessonPanel | None = None

    def welcome(self, open: Match | None, table: Seating | None, resumable: Sequence[ResumableMatch] = ()) -> None:
        """Show the first screen as `Panel.welcome` does, and end the lesson."""
        self._lesson = None
        super().welcome(open, table, resumable)

    def show(self, match: Match, table: Seating, seen: Seen = "", cube: bool = False) -> None:
        """Show a match as `Panel.show` does, and end the lesson: a phone may start a match meanwhile."""
        self._lesson = None
        super().show(match, table, seen, cube)

    def press(self, key: Key, long: bool = False) -> Command | None:
        """Process a press; during a lesson it never leads to a command."""
        if lesson := self._uncovered:
            self._tried(lambda: lesson.press(key, long))
            if lesson.left:
                self._again()
            return None
        return super().press(key, long)

    def tell_where(self) -> None:
        """Show where the match or the lesson is."""
        if lesson := self._uncovered:
            lesson.tell_where()
        else:
            super().tell_where()

    def scan(self, code: str) -> Command | str | None:
        """Process a scanned code; during a lesson it never leads to a command."""
        lesson = self._uncovered
        return lesson.scan(code) if lesson else super().scan(code)

    def screen(self) -> Screen:
        """Return what the display shows."""
        lesson = self._uncovered
        return replace(lesson.screen(), state=self.table.state, lesson=True) if lesson else super().screen()

    @property
    def question(self) -> tuple[Menu, int]:
        """The current question, also that of a lesson, and the page of its choices, from 0."""
        lesson = self._uncovered
        return lesson.question if lesson else super().question

    @property
    def _uncovered(self) -> LessonPanel | None:
        """The lesson, None if there is none, or while something of the box is shown over it."""
        return self._lesson if self._lesson and not next(modes(super().screen())).covers else None

    def _learn(self, command: Learn) -> None:
        if lesson := lesson_of(command.game):
            self._lesson = LessonPanel(Course(lesson, command.game))


class LessonPanel(Panel):
    """Run one lesson: show its comments as notices, ask its questions, and compare the answers."""

    def __init__(self, course: Course) -> None:
        super().__init__([course.match.game])
        self.left = False  # whether the learner has left the lesson, or has read its last comment
        self._course, self._quick = course, False  # with every throw, as the lesson is written
        self._seats = Seating(course.match.game, course.match.players, tuple(range(course.lesson.seats)))
        self._unread: list[tuple[str, str]] = []  # title and text of each notice that follows
        self._exit: MenuEntry[Any] | None = None  # the menu of the lesson, while it is on the screen
        self._continue(())

    def press(self, key: Key, long: bool = False) -> Command | None:
        """Process a press. After a notice comes the next one, the moves of the others, or the question."""
        reading, exiting = self.noticing, self._exiting
        if key == "back" and long:
            self._notice = None  # the menu is available at any time
        command = super().press(key, long)
        if isinstance(command, Leave):
            self.left = True
        elif isinstance(command, Do):
            self._judge(command.acts)
        elif self._exiting:
            self._unread.clear()
        elif exiting:
            self._continue(())
        elif reading and not self.noticing:
            self._after_notice()
        return None

    def tell_where(self) -> None:
        """Show where the lesson is, unless one of its comments is on the screen, which would be lost."""
        if not self.noticing:
            super().tell_where()

    def scan(self, code: str) -> Command | str | None:
        """Process a scanned code as an answer, or a part of one; return why it is refused, or None."""
        command = super().scan(code)
        if not isinstance(command, Do):
            return command
        self._judge(command.acts)
        return None

    @property
    def _exiting(self) -> bool:
        """Whether the menu of the lesson is on the screen."""
        return self._entry is self._exit

    def _menu(self, match: Match) -> MenuEntry[Any]:
        self._exit = MenuEntry(_ask_to_leave)
        return self._exit

    def _judge(self, acts: Sequence[Act]) -> None:
        """Compare an answer with the lesson's. If it is another one, show why; nothing changes."""
        self._last = LastAnswer()  # a lesson undoes nothing
        try:
            calls = self._course.answer(acts)
        except AnotherMove:
            self.tell(tr("Lesson"), tell_another_move(self._course))
        except Refused as refusal:
            self.refuse(tr(refusal.reason, self._course.match.players))
        else:
            self._continue(calls)

    def _continue(self, calls: Sequence[Call]) -> None:
        """Show the match, the referee's calls, and the comment of the current step."""
        course = self._course
        self.show(course.match, self._seats)
        self._unread = [(tr("Referee"), tell_calls(calls))] if calls else []
        if course.step:
            self._unread.append(tell_step(course))
        self._after_notice()

    def _after_notice(self) -> None:
        """Show the next notice, else play the moves that the learner only watches, else leave the question."""
        if self._unread:
            self.tell(*self._unread.pop(0))
        elif not self._course.step:
            self.left = True
        elif not self._course.asking:
            self._continue(self._course.proceed())


def _ask_to_leave() -> Dialogue[Leave | None]:
    leave = yield Menu(tr("Leave the lesson?"), (Choice(tr("yes"), Leave()), Choice(tr("no"), None)))
    return leave if isinstance(leave, Leave) else None
