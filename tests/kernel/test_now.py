"""The sentence `now`: made by the engine or from its offer, with names, and absent after the end."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import pytest

from umpi.kernel import Act, Ask, Game, Match, Now, Result, Who, message, override
from umpi.kernel.misshapen import Misshapen
from umpi.kernel.now import now_of


@dataclass(frozen=True)
class Countdown(Game):
    """Each player in turn takes one of three stones."""

    id: ClassVar = "countdown"
    title: ClassVar = "Countdown"
    umpi_api: ClassVar = 3
    seats: ClassVar = range(2, 3)
    left: int = 3

    @classmethod
    @override
    def setup(cls, seats: int, *_: Any, **options: Any) -> Self:
        return cls()

    @property
    def phase(self) -> str:
        return "take" if self.left else "over"

    @override
    def asks(self) -> tuple[Ask, ...]:
        return (Ask("take", "Take a stone", (), (3 - self.left) % 2),) if self.left else ()

    def do_take(self, seat: int) -> Self:
        return type(self)(self.left - 1)

    @override
    def scores(self) -> tuple[int, ...]:
        return 0, 0

    @override
    def result(self) -> Result | None:
        return None if self.left else Result((1, 2), "the last stone")

    @override
    def facts(self) -> dict[str, Any]:
        return {}


class Plain(Countdown):
    """Says it as a text."""

    @override
    def now(self) -> Any:
        return "Take one."


def test_a_text_in_place_of_the_sentence_is_refused_with_the_line_of_the_engine() -> None:
    with pytest.raises(Misshapen, match=r"now\(\) returns a str, not a Now") as fault:
        now_of(Plain(), Plain().asks())
    assert fault.value.code is Plain.now.__code__


class Spoken(Countdown):
    """Says it in its own words."""

    @override
    def now(self) -> Now:
        seat = (3 - self.left) % 2
        return Now(message("{who}: take one.", who=Who(seat)), seat, message("{who}, take a stone.", who=Who(seat)))


class Failing(Countdown):
    """Fails to say anything."""

    @override
    def now(self) -> Now:
        raise ZeroDivisionError


def test_an_engine_without_a_sentence_says_its_question_after_the_name() -> None:
    match = Match(Countdown, ["Ann", "Ben"])
    assert match.next_step == Now("Ann: Take a stone", 0)
    match.play(Act("take"))
    assert match.next_step == Now("Ben: Take a stone", 1)


def test_an_engine_has_a_sentence_of_its_own_with_names_for_the_eye_and_the_ear() -> None:
    now = Match(Spoken, ["Ann", "Ben"]).next_step
    assert now
    assert now.line() == {"text": "Ann: take one.", "seat": 0, "voice": "Ann, take a stone."}
    assert (now.aloud, Now("Go.").aloud) == ("Ann, take a stone.", "Go.")


def test_nobody_must_act_after_the_end() -> None:
    match = Match(Spoken, ["Ann", "Ben"])
    for _ in range(3):
        match.play(Act("take"))
    assert match.next_step is None


def test_an_engine_that_fails_costs_the_sentence_and_not_the_match(caplog: pytest.LogCaptureFixture) -> None:
    match = Match(Failing, ["Ann", "Ben"])
    with caplog.at_level(logging.ERROR):
        assert match.next_step is None
    assert "ZeroDivisionError" in caplog.text
    match.play(Act("take"))
    assert len(match.acts) == 1
