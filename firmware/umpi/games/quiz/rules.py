"""Quiz: a question is opened, seats buzz by button or cube and answer in that order until one is right.

Nothing is entered but right or wrong: questions and answers stay at the table. Cubes whose owner is not known yet
may stand in the queue; while one does, a button names its owner instead of buzzing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

from umpi.rules import Ask, Field, NamedSeat, Number, Pick, Result, Row, View, Who, placed, replace, words

Early = Literal["ignored", "locked", "counts"]

OPEN = "The question has been asked: from now on seats buzz."
EARLY = "Before the opening: a buzz now counts as the table chose, locked out or first in the queue."
BUZZ = "Who knows buzzes or tosses a cube. Seats answer in that order; a wrong answer locks out of this question."
JUDGE = "Right: the points, and the question is over. Wrong: locked out, and the next in the queue answers."


@dataclass(frozen=True, slots=True)
class Quiz:
    """A position of a quiz.

    >>> quiz = Quiz.setup(3).do_open(None).do_buzz(2).do_buzz(0)
    >>> quiz.do_judge(2, right=False).do_judge(0, right=True).scores()
    (1, 0, 0)
    """

    id: ClassVar = "quiz"
    title: ClassVar = "Quiz"
    kind: ClassVar = "buzzer"
    seats: ClassVar = range(2, 7)
    options: ClassVar[tuple[Field, ...]] = (
        Number("questions", 1, 500, null=True),
        Number("points", 1, 1000),
        Number("penalty", 0, 1000),
        Number("target", 1, 10_000, null=True),
        Pick("early", ("ignored", "locked", "counts")),
    )
    longest: ClassVar = 50_000

    points: tuple[int, ...]  # a seat each
    question: int = 0  # the number of the question that is open, or was open last
    opened: bool = False
    queue: tuple[int | None, ...] = ()  # seats still to answer, None for a cube whose owner is not known
    locked: tuple[int, ...] = ()  # seats out for this question
    over: bool = False
    questions: int | None = None  # how many there are; None: until somebody says `finish`
    worth: int = 1
    penalty: int = 0
    target: int | None = None
    early: Early = "ignored"

    @classmethod
    def setup(
        cls, seats: int, questions: int | None = None, points: int = 1, penalty: int = 0, target: int | None = None,
        early: Early = "ignored",
    ) -> Self:  # fmt: skip
        """Begin before the first question."""
        start = (0,) * seats
        return cls(start, questions=questions, worth=points, penalty=penalty, target=target, early=early)

    @property
    def phase(self) -> str:
        """The step the game waits in."""
        if self.over or not self.opened:
            return "over" if self.over else "ready"
        return "answer" if self.queue else "open"

    def asks(self) -> tuple[Ask, ...]:
        """Offer the step of the phase, and buzzes wherever they count."""
        match self.phase:
            case "ready":
                question = (Ask("open", "Open the question", (), None, OPEN),)
                ends = Ask("finish", "The quiz is over", (), None, "Most points win, ties share.", weight=0.05)
                buzzes = () if self.early == "ignored" else self._ask_buzz(EARLY)
                return (*question, *buzzes, ends) if self.questions is None else (*question, *buzzes)
            case "open":
                close = Ask("close", "Nobody knows", (), None, "The question is over, nobody scores.", weight=0.3)
                return (*self._ask_buzz(BUZZ), close)
            case "answer":
                return (*self._ask_judge(), *self._ask_buzz(BUZZ))
        return ()

    def do_open(self, seat: None) -> Self:
        """Open the next question; who buzzed before it stands as the table chose."""
        return replace(self, question=self.question + 1, opened=True)

    def do_buzz(self, seat: NamedSeat) -> Self:
        """Queue a seat in the order of buzzes; one that is too early may be locked out instead."""
        if not self.opened and self.early == "locked":
            return replace(self, locked=_with(self.locked, seat))
        return replace(self, queue=(*self.queue, seat))

    def do_cube(self, seat: NamedSeat | None) -> Self:
        """Take the next cube that came out: a buzz, whose seat may not be known yet."""
        return replace(self, queue=(*self.queue, None)) if seat is None else self.do_buzz(seat)

    def do_owner(self, seat: NamedSeat) -> Self:
        """Name the first cube whose owner is not known."""
        index = self.queue.index(None)
        return replace(self, queue=(*self.queue[:index], seat, *self.queue[index + 1 :]))

    def do_home(self, seat: None) -> Self:
        """Send the first cube whose owner is not known home unheard."""
        index = self.queue.index(None)
        return replace(self, queue=(*self.queue[:index], *self.queue[index + 1 :]))

    def do_judge(self, seat: int, right: bool) -> Self:
        """Right: score and end the question. Wrong: lock the seat out and hear the next."""
        gain = self.worth if right else -self.penalty
        points = (*self.points[:seat], self.points[seat] + gain, *self.points[seat + 1 :])
        if right:
            return replace(self, points=points)._closed()
        return replace(self, points=points, queue=self.queue[1:], locked=_with(self.locked, seat))

    def do_close(self, seat: None) -> Self:
        """End a question that nobody knows."""
        return self._closed()

    def do_finish(self, seat: None) -> Self:
        """End a quiz without a fixed number of questions."""
        return replace(self, over=True, queue=(), locked=())

    def scores(self) -> tuple[int, ...]:
        """Count the points."""
        return self.points

    def result(self) -> Result | None:
        """Rank by points, ties share."""
        if not self.over:
            return None
        return Result(placed(self.points), words("most points after {number} questions", number=self.question))

    def facts(self) -> dict[str, Any]:
        """Tell the question, who waits to answer and who is locked out."""
        return {
            "question": self.question, "open": self.opened, "queue": self.queue, "locked": self.locked,
            "points": self.points,
        }  # fmt: skip

    def view(self) -> View:
        """Show the order of the buzzes, and beside each seat its place in it."""
        head = words("question {number}", number=self.question)
        if self.questions is not None:
            head = words("question {number}/{all}", number=self.question, all=self.questions)
        beside = tuple(self._mark(seat) for seat in range(len(self.points)))
        cells = tuple("?" if cube is None else str(cube + 1) for cube in self.queue)
        return View(head, beside, (Row("order", cells),) if cells else ())

    def audit(self) -> str:
        """Check that a seat is in the queue or locked out at most once."""
        known = [cube for cube in self.queue if cube is not None] + list(self.locked)
        return "a seat is in the question twice" if len(set(known)) < len(known) else ""

    def _closed(self) -> Self:
        reached = self.target is not None and max(self.points) >= self.target
        over = reached or self.question == self.questions
        return replace(self, opened=False, queue=(), locked=(), over=over)

    def _mark(self, seat: int) -> str:
        return "x" if seat in self.locked else f"{self.queue.index(seat) + 1}." if seat in self.queue else ""

    def _barred(self, seat: object) -> str:
        """Say why a seat may not buzz, "" where it may."""
        if not isinstance(seat, int):
            return words("an early buzz locks its seat out: whose cube is it?")
        if seat in self.queue:
            return words("{who} has buzzed already.", who=Who(seat))
        return words("{who} is locked out of this question.", who=Who(seat)) if seat in self.locked else ""

    def _pick_seat(self, source: Literal["buzz", "cube"], nobody: bool = False) -> Pick:
        seats = tuple(range(len(self.points)))
        pool = tuple(seat for seat in seats if not self._barred(seat))
        return Pick("seat", (*pool, None) if nobody else pool, (*seats, None), self._barred, source)

    def _ask_buzz(self, help: str) -> tuple[Ask, ...]:
        """Offer a cube, and a button where it does not name a cube that waits for its owner."""
        if len(self.queue) + len(self.locked) >= len(self.points):
            return ()
        may_be_unknown = self.opened or self.early == "counts"
        cube = Ask("cube", "A cube", (self._pick_seat("cube", may_be_unknown),), None, help, weight=0.05)
        if None in self.queue:
            return (cube,)
        return (Ask("buzz", "Who buzzed?", (self._pick_seat("buzz"),), None, help), cube)

    def _ask_judge(self) -> tuple[Ask, ...]:
        seat = self.queue[0]
        if seat is not None:
            return (Ask("judge", "Right?", (Pick("right", (True, False)),), seat, JUDGE),)
        owner = Ask("owner", "Whose cube?", (self._pick_seat("buzz"),), None, BUZZ)
        return (owner, Ask("home", "It goes home", (), None, "A cube that may not be heard goes home."))


def _with(seats: tuple[int, ...], seat: int) -> tuple[int, ...]:
    return tuple(sorted((*seats, seat)))
