"""Quiz: whole evenings against a second referee that keeps a list of events, and details."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.legal_acts import accepts, act_of
from tests.kit.sampling import examples
from umpi.games.quiz import Quiz
from umpi.kernel import Match
from umpi.kernel.random_games import play_out
from umpi.kernel.record import check_options, dump

Line = dict[str, Any]
EARLY = ("ignored", "locked", "counts")


class Evening:
    """The rules once more: the legal acts are listed again in each position."""

    def __init__(self, seats: int, options: Line) -> None:
        self.seats = list(range(seats))
        usual = {"questions": None, "points": 1, "penalty": 0, "target": None, "early": "ignored", "seconds": None}
        self.options = {**usual, **options}
        self.score = dict.fromkeys(self.seats, 0)
        self.number, self.open, self.over = 0, False, False
        self.waiting: list[int | None] = []
        self.out: set[int] = set()
        self.gone: set[int] = set()

    def lines(self) -> list[Line]:
        if self.over:
            return []
        early, made = self.options["early"], []
        playing = [seat for seat in self.seats if seat not in self.gone]
        may_buzz = [seat for seat in playing if seat not in self.out and seat not in self.waiting]
        if len(self.waiting) + len(self.out) >= len(playing) or not (self.open or early != "ignored"):
            may_buzz = []
        elif self.open or early == "counts":
            made.append({"do": "cube", "seat": None})
        made += [{"do": "cube", "seat": seat} for seat in may_buzz]
        made += [{"do": "leave", "seat": seat} for seat in playing if len(playing) > 1]
        if None not in self.waiting:
            made += [{"do": "buzz", "seat": seat} for seat in may_buzz]
        if not self.open:
            made.append({"do": "open"})
            if self.options["questions"] is None and self.number > 0:
                made.append({"do": "finish"})
        elif not self.waiting:
            made.append({"do": "close"})
        elif self.waiting[0] is None:
            free = [seat for seat in playing if seat not in self.out and seat not in self.waiting]
            made += [{"do": "home"}, *({"do": "owner", "seat": seat} for seat in free)]
        else:
            made += [{"do": "judge", "right": right} for right in (True, False)]
            made += [{"do": "late"}] if self.options["seconds"] else []
        return made

    def do(self, line: Line) -> None:
        seat: Any = line.get("seat")
        match line["do"]:
            case "open":
                self.number, self.open = self.number + 1, True
            case "close":
                self.end()
            case "finish":
                self.over, self.waiting, self.out = True, [], set()
            case "owner":
                self.waiting[0] = seat
            case "leave":
                self.gone.add(seat)
                self.out.discard(seat)
                self.waiting = [other for other in self.waiting if other != seat]
            case "home":
                del self.waiting[0]
            case "judge" | "late":
                answering = self.waiting.pop(0)
                assert answering is not None
                if line.get("right"):
                    self.score[answering] += self.options["points"]
                    self.end()
                else:
                    self.score[answering] -= self.options["penalty"]
                    self.out.add(answering)
            case "buzz" | "cube" if not self.open and self.options["early"] == "locked":
                self.out.add(seat)
            case "buzz" | "cube":
                self.waiting.append(seat)

    def end(self) -> None:
        self.open, self.waiting, self.out = False, [], set()
        target = self.options["target"]
        self.over = self.number == self.options["questions"] or (
            target is not None and any(points >= target for points in self.score.values())
        )

    def state(self) -> Line:
        points = list(self.score.values())
        answer = "answer" if self.waiting else "open"
        return {
            "phase": "over" if self.over else answer if self.open else "ready",
            "seat": self.waiting[0] if self.open and self.waiting else None,
            "scores": points,
            "winners": [seat for seat in self.seats if self.over and points[seat] == max(points)],
            "facts": {
                "question": self.number,
                "queue": self.waiting,
                "locked": sorted(self.out),
                "left": sorted(self.gone),
                "points": points,
                "open": self.open,
            },
        }


def universe(seats: int) -> list[Line]:
    """All lines that are ever legal, and some that never are."""
    named = [
        {"do": verb, "seat": seat}
        for verb in ("buzz", "cube", "owner", "leave")
        for seat in (*range(seats), None, seats)
    ]
    plain = [{"do": verb} for verb in ("open", "close", "finish", "home", "judge", "buzz", "cube", "late")]
    judged = [{"do": "judge", "right": right} for right in (True, False, None, 1)]
    return [*named, *plain, *judged, {"do": "open", "seat": 0}, {"do": "judge", "right": True, "seat": 0}]


def written(lines: list[Line]) -> set[str]:
    return {json.dumps(line) for line in lines}


@pytest.mark.slow
@pytest.mark.parametrize("early", EARLY)
@settings(max_examples=examples(20), deadline=None, derandomize=True, database=None)
@given(
    st.integers(2, 6),
    st.fixed_dictionaries(
        {
            "questions": st.none() | st.integers(1, 6),
            "points": st.integers(1, 5),
            "penalty": st.integers(0, 3),
            "target": st.none() | st.integers(1, 9),
            "seconds": st.none() | st.integers(3, 120),
        },
    ),
    st.integers(0, 2**32),
)
def test_an_evening_goes_as_its_rules_say(early: str, seats: int, options: Line, seed: int) -> None:
    """Order, lock-outs, early buzzes, cubes without an owner, points, ends: in each position all that may be done."""
    chance, options = Random(seed), {**options, "early": early}
    check_options(options, Quiz)
    match, evening = Match(Quiz, [f"P{seat}" for seat in range(seats)], options), Evening(seats, options)
    for _ in range(100):
        assert json.loads(dump(match.state())) == evening.state()
        assert match.now.audit() == ""
        allowed = evening.lines()
        assert written([line for line in universe(seats) if accepts(match, act_of(line))]) == written(allowed)
        if not allowed:
            assert match.asks == ()
            return
        weighed = [line for line in allowed if line["do"] not in ("finish", "leave") or chance.random() < 0.1]
        verb = chance.choice(sorted({line["do"] for line in weighed}))
        line = chance.choice([line for line in weighed if line["do"] == verb])
        match.play(act_of(line))
        evening.do(line)


def test_a_button_is_asked_one_question_at_a_time() -> None:
    """A device's event goes to the one offered question whose field has its source. Buttons are always the seats'."""
    for options, seed in [({"early": early, "questions": 9}, seed) for early in EARLY for seed in range(6)]:
        played = play_out(Quiz, "ABCD", options, seed)
        match = Match(Quiz, "ABCD", options)
        for each in played.acts:
            sources = [getattr(field, "source", "") for ask in match.asks for field in ask.fields]
            assert sources.count("buzz") == 1, "also if nobody may buzz: then each button says why"
            assert sources.count("cube") <= 1
            match.play(each)


def asked(quiz: Quiz) -> str:
    """Return what the next person must do."""
    now = quiz.now()
    return now.text if now else ""


def test_the_title_and_the_text_name_the_same_question() -> None:
    quiz = Quiz.setup(3)
    for number in (1, 2, 3):
        assert quiz.view().head == f"question {number}"
        assert asked(quiz) == f"Read question {number} aloud, then open it."
        quiz = quiz.do_open(None)
        assert quiz.view().head == f"question {number}"
        quiz = quiz.do_close(None)
    assert quiz.do_finish(None).view().head == "question 3", "the last one of the quiz"


def test_once_all_are_out_the_box_asks_nobody_to_buzz() -> None:
    quiz = Quiz.setup(3).do_open(None).do_leave(1)
    for seat in (0, 2):
        assert asked(quiz) == "Buzz or toss a cube if you know it."
        quiz = quiz.do_buzz(seat).do_judge(seat, right=False)
    assert asked(quiz) == "Nobody is left: close the question."
