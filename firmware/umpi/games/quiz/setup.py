"""The set-up of the quiz: who asks, what a press before the question means, and the points."""

from __future__ import annotations

from typing import Literal

from umpi.kernel import message

EARLY = {
    "ignored": message("A press before the question does not count."),
    "locked": message("If you press before the question, you are out for it."),
    "counts": message("You may press before the question."),
}


def table_setup(
    seats: int,
    questions: int | None,
    points: int,
    penalty: int,
    target: int | None,
    early: Literal["ignored", "locked", "counts"],
) -> tuple[str, ...]:
    """Return how to set the game up."""
    return (
        message("Somebody asks the questions and judges the answers."),
        message("To answer, press your button or toss your cube."),
        EARLY[early],
        message("Points if right: {points}, if wrong: {penalty}", points=points, penalty=-penalty),
        *((message("Questions: {questions}", questions=questions),) if questions else ()),
        *((message("Points to win: {target}", target=target),) if target else ()),
    )
