"""The rules of the quiz: seats buzz by button or cube, and answer in that order until one answer is right.

Players enter only right or wrong; the box does not know questions and answers. The queue may contain a cube whose owner
is unknown. In this case a button names the owner and does not buzz. A seat that leaves keeps its points, and the quiz
continues without it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

from umpi.games.quiz.told import told
from umpi.kernel import (
    Act,
    Ask,
    Call,
    Field,
    Game,
    NamedSeat,
    Now,
    Number,
    Pick,
    Result,
    Row,
    Scope,
    View,
    Who,
    message,
    message_n,
    override,
    placed,
    replace,
)

Early = Literal["ignored", "locked", "counts"]

OPEN = "The question has been asked: players may buzz now."
EARLY = "A player who buzzes early is ignored, locked out or first in line, as set in the options."
BUZZ = "If you know it, buzz or toss a cube. Players answer in that order; a wrong answer locks you out."
JUDGE = (
    "A right answer scores and ends the question. A wrong one locks the player out, and the next in the queue answers."
)
LATE = "The time to answer is over. This counts as wrong, and the next in the queue answers."
LEAVE = "The points stay; the player is out of this and all later questions."
BEFORE: dict[Early, str] = {
    "ignored": message("A press before the question does not count."),
    "locked": message("If you press before the question, you miss it."),
    "counts": message("You may press before the question."),
}


@dataclass(frozen=True, slots=True)
class Quiz(Game):
    """A position of a quiz, with its rules.

    >>> quiz = Quiz.setup(3).do_open(None).do_buzz(2).do_buzz(0)
    >>> quiz.do_judge(2, right=False).do_judge(0, right=True).scores()
    (1, 0, 0)
    """

    id: ClassVar = "quiz"
    title: ClassVar = "Quiz"
    umpi_api: ClassVar = 3
    wins: ClassVar = "highest"
    kind: ClassVar = "buzzer"
    seats: ClassVar = range(2, 7)
    options: ClassVar[tuple[Field, ...]] = (
        Number("questions", 1, 500, null=True),
        Number("points", 1, 1000),
        Number("penalty", 0, 1000),
        Number("target", 1, 10_000, null=True),
        Pick("early", ("ignored", "locked", "counts")),
        Number("seconds", 3, 120, null=True),
    )
    option_help: ClassVar = {"seconds": message("Seconds to answer after a buzz. Then the next in the queue answers.")}
    longest: ClassVar = 50_000
    scopes: ClassVar = (
        Scope(3, {"questions": 1}, alike=True),
        Scope(3, {"questions": 1, "early": "locked", "penalty": 1, "seconds": 5}, alike=True),
        Scope(3, {"questions": 1, "early": "counts", "penalty": 1}, alike=True),
        Scope(2, {"questions": 2, "target": 2}, alike=True),
    )
    judged: ClassVar = True
    reported: ClassVar = ("answer",)

    points: tuple[int, ...]  # one number per seat
    questions: int | None  # the number of questions; None: until the players end the quiz
    worth: int  # points for a right answer
    penalty: int
    target: int | None
    early: Early
    seconds: int | None = None  # the time to answer
    question: int = 0  # the number of the question opened last
    opened: bool = False
    queue: tuple[int | None, ...] = ()  # seats that wait to answer; None is a cube whose owner is unknown
    locked: tuple[int, ...] = ()  # seats that may not answer this question
    left: tuple[int, ...] = ()  # seats that have left, ascending
    over: bool = False

    @classmethod
    @override
    def setup(
        cls, seats: int, questions: int | None = None, points: int = 1, penalty: int = 0, target: int | None = None,
        early: Early = "ignored", seconds: int | None = None,
    ) -> Self:  # fmt: skip
        """Return the first position, before the first question."""
        return cls((0,) * seats, questions, points, penalty, target, early, seconds)

    @classmethod
    @override
    def table_setup(
        cls, seats: int, questions: int | None, points: int, penalty: int, target: int | None, early: Early,
        seconds: int | None,
    ) -> tuple[str, ...]:  # fmt: skip
        """Return how to set the table up."""
        return (
            message("Somebody asks the questions and judges the answers."),
            message("To answer, press your button or toss your cube."),
            BEFORE[early],
            message("A right answer scores {points}, a wrong one {penalty}.", points=points, penalty=-penalty),
            *((message_n("One question.", "{number} questions.", questions),) if questions else ()),
            *((message_n("One point wins.", "{number} points win.", target),) if target else ()),
            *((message_n("One second to answer.", "{number} seconds to answer.", seconds),) if seconds else ()),
        )

    @property
    @override
    def phase(self) -> str:
        """Return the current step of the game."""
        if self.over or not self.opened:
            return "over" if self.over else "ready"
        return "answer" if self.queue else "open"

    @override
    def asks(self) -> tuple[Ask, ...]:
        """Offer the acts of the phase, a buzz, and leaving."""
        match self.phase:
            case "over":
                return ()
            case "ready":
                question = Ask("open", message("Open the question"), (), None, OPEN)
                buzzes = self._ask_buzz(EARLY)
                finish = Ask(
                    "finish",
                    "The quiz is over",
                    (),
                    None,
                    "The most points win. Tied players share the victory.",
                    weight=0.05,
                    rare=True,
                )
                endless = self.question and not self.questions
                return (question, *buzzes, *((finish,) if endless else ()), *self._ask_leave())
            case "open":
                close = Ask(
                    "close", message("Nobody knows"), (), None, "The question is over, and nobody scores.", weight=0.3
                )
                return (*self._ask_buzz(BUZZ), close, *self._ask_leave())
            case _:
                return (*self._ask_judge(), *self._ask_buzz(BUZZ), *self._ask_leave())

    def do_open(self, seat: None) -> Self:
        """Open the next question; earlier buzzes stay queued or locked out by the option `early`."""
        return replace(self, question=self.question + 1, opened=True)

    def do_buzz(self, seat: NamedSeat) -> Self:
        """Add a seat to the queue, or lock it out if it was too early."""
        return self.do_cube(seat)

    def do_cube(self, seat: NamedSeat | None) -> Self:
        """Take the next cube of the finish order as a buzz; `seat` is None if its owner is unknown."""
        if seat is None or self.opened or self.early == "counts":
            return replace(self, queue=(*self.queue, seat))
        return self._locking(seat)

    def do_owner(self, seat: NamedSeat) -> Self:
        """Set the owner of the next cube."""
        return replace(self, queue=(seat, *self.queue[1:]))

    def do_home(self, seat: None) -> Self:
        """Discard the next cube; its owner does not answer."""
        return replace(self, queue=self.queue[1:])

    def do_judge(self, seat: int, right: bool) -> Self:
        """Score the answer; a right answer ends the question, a wrong answer locks the seat out."""
        gain = self.worth if right else -self.penalty
        judged = replace(self, points=(*self.points[:seat], self.points[seat] + gain, *self.points[seat + 1 :]))
        return judged.do_close(None) if right else replace(judged, queue=self.queue[1:])._locking(seat)

    def do_late(self, seat: int) -> Self:
        """Count no answer in time as a wrong one."""
        return self.do_judge(seat, right=False)

    def do_close(self, seat: None) -> Self:
        """End the question; also end the quiz if it was the last question or a seat has reached the target."""
        reached = self.target is not None and max(self.points) >= self.target
        return replace(self, opened=False, queue=(), locked=(), over=reached or self.question == self.questions)

    def do_finish(self, seat: None) -> Self:
        """End a quiz that has no fixed number of questions."""
        return replace(self, queue=(), locked=(), over=True)

    def do_leave(self, seat: NamedSeat) -> Self:
        """Remove a seat from the queue and from all later questions; it keeps its points."""
        queue = tuple(other for other in self.queue if other != seat)
        locked = tuple(other for other in self.locked if other != seat)
        return replace(self, queue=queue, locked=locked, left=tuple(sorted((*self.left, seat))))

    @override
    def scores(self) -> tuple[int, ...]:
        """Return the points of each seat."""
        return self.points

    @override
    def result(self) -> Result | None:
        """Return the ranking by points; equal points share a place. None until the quiz ends."""
        if not self.over:
            return None
        why = message_n("most points after {number} question", "most points after {number} questions", self.question)
        return Result(placed(self.points), why)

    @override
    def facts(self) -> dict[str, Any]:
        """Return the question, the queue, the seats that are locked out, the seats that have left, and the points."""
        names = ("question", "queue", "locked", "left", "points")
        return {name: getattr(self, name) for name in names} | {"open": self.opened}

    @override
    def view(self) -> View:
        """Return the order of the buzzes, and a cross for each seat that is locked out or has left."""
        goal = f"/{self.questions}" if self.questions else ""
        cells = tuple("?" if seat is None else message("{who}", who=Who(seat)) for seat in self.queue)
        crosses = tuple("x" if seat in self.locked + self.left else "" for seat in range(len(self.points)))
        number = self.question + (self.phase == "ready")  # between two questions it is the next one
        head = message("question {number}{goal}", number=number, goal=goal)
        return View(head, crosses, (Row("order", cells),) if cells else ())

    @override
    def now(self) -> Now | None:
        """Return what the next person must do: ask, buzz, or answer."""
        match self.phase:
            case "ready":
                return Now(message("Read question {number} aloud, then open it.", number=self.question + 1))
            case "open":
                if not self._free:
                    return Now(message("Nobody is left: close the question."))
                return Now(message("Buzz or toss a cube if you know it."))
            case _:
                return self._answer_now()

    def _answer_now(self) -> Now:
        seat = self.queue[0]
        if seat is None:
            return Now(message("Owner of the next cube: press your button."))
        return Now(message("{who}: say your answer.", who=Who(seat)), seat)

    @override
    def told(self, act: Act) -> str:
        """Return what somebody does, in a sentence."""
        return told(act, self.queue[0] if self.queue else None, self.question + 1)

    @override
    def calls(self, before: Self, act: Act) -> tuple[Call, ...]:
        """Return the verdict on an answer, that there is none, or that a seat buzzed too early and is locked out."""
        match act.verb:
            case "judge":
                seat = before.queue[0]
                assert seat is not None
                right = act.given["right"]
                template = "Right! {who} scores {points}" if right else "Wrong: {who} is out for this question"
                text = message(template, who=Who(seat), points=self.worth)
                return (Call("answer", text, {"seat": seat, "right": right}),)
            case "late":
                seat = before.queue[0]
                assert seat is not None
                return (Call("late", message("{who}: time is up", who=Who(seat)), {"seat": seat}),)
            case "close":
                return (Call("closed", message("Nobody knows it: the question is over"), {}),)
            case "buzz" | "cube":
                seat = act.given.get("seat")
                if isinstance(seat, int) and not before.opened and seat in self.locked:
                    text = message("{who} buzzed too early and is out for this question", who=Who(seat))
                    return (Call("too-early", text, {"seat": seat}),)
                return ()
            case _:
                return ()

    @override
    def audit(self) -> str:
        """Check that each seat is in the queue, locked out or gone at most once."""
        known = [seat for seat in self.queue if seat is not None] + list(self.locked + self.left)
        return "a seat is in the question twice" if len(set(known)) < len(known) else ""

    def _locking(self, seat: int) -> Self:
        return replace(self, locked=tuple(sorted((*self.locked, seat))))

    @property
    def _free(self) -> tuple[int, ...]:
        """Return the seats that may buzz."""
        if not self.opened and self.early == "ignored":
            return ()
        out = {*self.queue, *self.locked, *self.left}
        return tuple([seat for seat in range(len(self.points)) if seat not in out])

    def _barred(self, seat: object) -> str:
        """Return why a seat may not buzz, "" if it may."""
        if not self.opened and self.early == "ignored":
            return message("too early: the question is not open yet.")
        if not isinstance(seat, int):
            return message("too early, and nobody knows whose cube it is.")
        if seat in self.left:
            return message("{who} has left.", who=Who(seat))
        if seat in self.queue:
            return message("{who} has buzzed already.", who=Who(seat))
        return message("{who} is out for this question.", who=Who(seat)) if seat in self.locked else ""

    def _mute(self, seat: object) -> str:
        """Return why the button of a seat does not buzz, "" if it does: it could also mean a cube without an owner."""
        unnamed = message("a cube in line still needs its owner.") if None in self.queue else ""
        return self._barred(seat) or unnamed

    def _ask_buzz(self, help: str) -> tuple[Ask, ...]:
        """Offer a buzz, and a cube unless every seat is in the queue, locked out or gone.

        The buzz is offered to the end of the quiz, also if no seat may buzz: so the buttons stay those of the seats and
        say why, and never judge, open or close a question. Only the owner of a cube is asked for by them instead.
        """
        seats, free = tuple(range(len(self.points))), self._free
        button = Pick("seat", () if None in self.queue else free, seats, self._mute, "buzz")
        buzz = Ask("buzz", message("Who knows it? Buzz!"), (button,), None, help)
        buzzes = () if self.opened and self.queue[:1] == (None,) else (buzz,)
        if len(self.queue) + len(self.locked) + len(self.left) >= len(self.points):
            return buzzes
        known = (*free, None) if self.opened or self.early == "counts" else free
        thrown = Pick("seat", known, (*seats, None), self._barred, "cube")
        cube = Ask("cube", message("Whose cube is next?"), (thrown,), None, help, weight=0.05, rare=True)
        return (*buzzes, cube)

    def _ask_judge(self) -> tuple[Ask, ...]:
        seat = self.queue[0]
        if seat is not None:
            right = Pick("right", (True, False), label=_verdict)
            judge = Ask("judge", message("{who} right?", who=Who(seat)), (right,), seat, JUDGE)
            late = Ask("late", "Time is up", (), seat, LATE, weight=0.1, after_ms=(self.seconds or 0) * 1000)
            return (judge, late) if self.seconds else (judge,)
        owners = Pick("seat", self._free, tuple(range(len(self.points))), self._barred, "buzz")
        owner = Ask("owner", message("Whose cube is next?"), (owners,), None, BUZZ)
        return owner, Ask("home", message("Take it back"), help="Take back a cube that does not count.")

    def _ask_leave(self) -> tuple[Ask, ...]:
        """Offer that a seat leaves, unless only one seat still plays."""
        playing = tuple(seat for seat in range(len(self.points)) if seat not in self.left)
        field = Pick("seat", playing)
        return (
            (Ask("leave", "Player leaves", (field,), None, LEAVE, weight=0.01, rare=True),) if len(playing) > 1 else ()
        )


def _verdict(right: bool) -> str:
    return message("right") if right else message("wrong")
