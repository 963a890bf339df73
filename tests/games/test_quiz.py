"""Quiz: whole evenings against a second referee that keeps a list of events, and details."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from tests.kit.legal_acts import accepts, act_of
from tests.kit.sampling import examples
from umpi.games.quiz import Quiz
from umpi.i18n.translate import tr
from umpi.kernel import Act, Match, Refused
from umpi.kernel.random_games import play_out
from umpi.kernel.record import Header, check_options, dump, replay
from umpi.kernel.registry import flaw
from umpi.kernel.schema import schema

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


def after(*lines: Line, seats: int = 3, **options: Any) -> Match:
    match = Match(Quiz, ["Ann", "Ben", "Cleo", "Dora", "Emil", "Fay"][:seats], options)
    for line in lines:
        match.play(act_of(line))
    return match


def buzz(seat: int) -> Line:
    return {"do": "buzz", "seat": seat}


OPEN, RIGHT, WRONG = {"do": "open"}, {"do": "judge", "right": True}, {"do": "judge", "right": False}


def test_the_engine_is_fit_to_be_installed() -> None:
    assert flaw("quiz", Quiz) == ""


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (buzz(0), "Ann has buzzed already."),
        (buzz(2), "Cleo is out for this question."),
        ({"do": "cube", "seat": 2}, "Cleo is out for this question."),
        (buzz(9), "seat: 9 is not in 0, 1, 2, 3."),
        (buzz(1), "a cube in line still needs its owner."),
    ],
    ids=str,
)
def test_a_refused_buzz_gets_a_reason(line: Line, reason: str) -> None:
    match = after(OPEN, buzz(2), buzz(0), WRONG, {"do": "cube", "seat": None}, seats=4)
    with pytest.raises(Refused, match=reason):
        match.play(act_of(line))


def test_a_cube_nobody_owns_cannot_be_locked_out() -> None:
    """Early buzzes lock their seat out: a cube thrown too early must have one."""
    match = after(early="locked")
    with pytest.raises(Refused, match="nobody knows whose"):
        match.play(act_of({"do": "cube", "seat": None}))
    match.play(act_of({"do": "cube", "seat": 1}))
    assert match.now.facts()["locked"] == (1,)


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


def test_a_seat_that_left_hears_why_it_may_not_buzz_and_its_cube_goes_home() -> None:
    """Two cubes without owners, and one of the two seats leaves: one cube has nobody left to own it."""
    match = after({"do": "leave", "seat": 1}, OPEN, buzz(0), WRONG)
    with pytest.raises(Refused, match="Ben has left"):
        match.play(act_of(buzz(1)))
    cube = {"do": "cube", "seat": None}
    match = after(OPEN, cube, cube, {"do": "leave", "seat": 1}, {"do": "owner", "seat": 0}, WRONG, seats=2)
    assert [ask.verb for ask in match.asks] == ["owner", "home"]
    with pytest.raises(Refused, match="Ann is out for this question"):
        match.play(Act("owner", {"seat": 0}))
    match.play(Act("home"))
    assert [ask.verb for ask in match.asks] == ["buzz", "close"]


def test_the_next_in_the_queue_answers_when_a_seat_leaves() -> None:
    match = after(OPEN, buzz(2), buzz(0), {"do": "leave", "seat": 2})
    assert (match.seat, match.now.view().beside) == (0, ("", "", "x"))
    match.play(Act("leave", {"seat": 0}))
    assert match.state()["phase"] == "open"
    assert "leave" not in [ask.verb for ask in match.asks], "somebody must play"


def test_the_screen_shows_the_order_and_who_is_out() -> None:
    view = after(OPEN, buzz(2), buzz(0), WRONG, {"do": "cube", "seat": None}, questions=12).now.view()
    assert (view.head, view.beside) == ("question 1/12", ("", "", "x"))
    assert [(row.label, tuple(tr(cell, "ABC") for cell in row.cells)) for row in view.rows] == [("order", ("A", "?"))]


def test_texts_fit_the_small_screen() -> None:
    """A line of the small screen holds 25 characters."""
    match = play_out(Quiz, "ABCDEF", {"questions": 40, "early": "counts"}, seed=1)
    again = Match(Quiz, "ABCDEF", match.options)
    for played in match.acts:
        for ask in again.asks:
            assert len(ask.text) <= 25
            assert ask.help
        assert len(again.now.view().head) <= 25
        again.play(played)


def test_ties_share() -> None:
    match = after(OPEN, buzz(2), RIGHT, OPEN, buzz(0), RIGHT, questions=2)
    result = match.now.result()
    assert result
    assert (result.places, match.state()["winners"]) == ((1, 3, 1), (0, 2))


@pytest.mark.parametrize("options", [{}, {"target": 3}, {"questions": 60}, {"early": "locked"}, {"early": "counts"}])
def test_a_random_evening_ends_fits_the_schema_and_replays(options: Line) -> None:
    """Play-outs, schema and replay."""
    fits = Draft202012Validator(schema(Quiz))
    for seats in range(2, 7):
        match = play_out(Quiz, [f"P{seat}" for seat in range(seats)], options, seed=seats)
        assert match.state()["phase"] == "over"
        header = Header(Quiz, match.players, options).line()
        lines = [header, *(played.line() for played in match.acts)]
        *_, last = replay([dump(line).encode() for line in lines], lambda _: Quiz)
        assert last.record
        assert (last.error, last.record.match.state()) == ("", match.state())
        for line in lines[1:100]:
            fits.validate(json.loads(dump(line)))


@pytest.mark.parametrize(
    "options",
    [
        {"questions": 0}, {"questions": 501}, {"points": 0}, {"points": None}, {"penalty": -1}, {"target": 0},
        {"early": "late"}, {"early": None}, {"questions": True}, {"clues": 1},
    ],
    ids=str,
)  # fmt: skip
def test_options_out_of_range_are_refused(options: Line) -> None:
    with pytest.raises(Refused, match=next(iter(options))):
        check_options(options, Quiz)
