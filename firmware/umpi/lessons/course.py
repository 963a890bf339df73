"""The course of a lesson: compare the learner's answer with the written one, and play what is written."""

from __future__ import annotations

from collections.abc import Sequence

from umpi.kernel.calls import Call
from umpi.kernel.game import Act, Game
from umpi.kernel.match import Match, Refused
from umpi.lessons.lesson import Lesson, Step


class AnotherMove(Refused):
    """Report an answer that the rules allow, but that is not the one of the lesson."""


class Course:
    """Lead through one lesson. A wrong answer changes nothing.

    An answer is right if its acts have the verbs of the written ones and lead to the same position. So the order in
    which dice are entered does not count. An answer may contain all acts of a step, or only the first of them.
    """

    def __init__(self, lesson: Lesson, game: type[Game]) -> None:
        self.lesson = lesson
        self.match = Match(game, lesson.players, lesson.options)
        self.index = 0  # of the current step
        self._played = 0  # how many of its acts have been played

    @property
    def step(self) -> Step | None:
        """The current step, None at the end of the lesson."""
        return self.lesson.steps[self.index] if self.index < len(self.lesson.steps) else None

    @property
    def asking(self) -> bool:
        """Whether the learner must enter the next act."""
        return self.step is not None and self.step.yours

    @property
    def expected(self) -> tuple[Act, ...]:
        """The acts of the current step that have not been played yet."""
        return self.step.acts[self._played :] if self.step else ()

    @property
    def opened(self) -> bool:
        """Whether no act of the current step has been played, so that its comment is new."""
        return self._played == 0

    def answer(self, acts: Sequence[Act]) -> tuple[Call, ...]:
        """Play the learner's acts if the lesson has them here, and return the referee's calls.

        Raises AnotherMove if the lesson has other acts, Refused if the rules do not allow them.
        """
        written = self.expected[: len(acts)]
        answered = _after(self.match, acts)
        if [act.verb for act in acts] == [act.verb for act in written]:
            match = _after(self.match, written)
            if match.now == answered.now:
                return self._advance(match)
        raise AnotherMove("The lesson has another move here.")

    def proceed(self) -> tuple[Call, ...]:
        """Play the acts that the learner only watches, go to the next step, and return the referee's calls."""
        assert not self.asking
        return self._advance(_after(self.match, self.expected))

    def _advance(self, match: Match) -> tuple[Call, ...]:
        first, last = len(self.match.acts), len(match.acts)
        self.match = match
        self._played += last - first
        if not self.expected:
            self.index, self._played = self.index + 1, 0
        return tuple(call for index in range(first, last) for call in match.calls(index))


def _after(match: Match, acts: Sequence[Act]) -> Match:
    """Return a copy of a match in which these acts have been played. Raises Refused."""
    copy = match.copy()
    for act in acts:
        copy.play(act)
    return copy
