"""The readings at the stop give the cubes that have arrived, only if no other interpretation is possible."""

from __future__ import annotations

import pytest

from umpi.referee.queue_sensor import QueueSensor
from umpi.timing.events import QueueDetection

MS = 1_000_000


def come(*states: str, fell_ms: int = 100, every_ms: int = 200) -> list[str | None] | None:
    """What is counted of states seen one after the other, the first cube falling after the first of them."""
    arrivals = QueueSensor()
    for index, state in enumerate(states):
        colour = None if state in ("empty", "moving", "unsure", "out") else state
        arrivals.see(QueueDetection("cube" if colour else state, colour, "", index * every_ms * MS))  # type: ignore[arg-type]
    arrivals.begin(fell_ms * MS)
    seen_cubes = arrivals.come()
    return seen_cubes if seen_cubes is None else [seen.colour for seen in seen_cubes]


def test_cubes_are_counted_as_they_come_to_an_empty_stop() -> None:
    assert come("empty") == []
    assert come("empty", "moving", "red") == ["red"]
    assert come("empty", "moving", "red", "moving", "blue", "moving", "empty") == ["red", "blue"]


def test_a_cube_seen_again_has_only_been_touched() -> None:
    assert come("empty", "moving", "red", "moving", "red", "moving", "blue") == ["red", "blue"]


def test_after_a_cube_of_unknown_colour_no_cube_counts() -> None:
    assert come("empty", "moving", "red", "moving", "unsure", "moving", "blue") == ["red", None]


@pytest.mark.parametrize(
    "states",
    [
        ("moving", "red"),
        ("red", "moving", "blue"),
        ("empty", "moving", "red", "out", "moving", "blue"),
        ("empty", "moving", "empty", "moving", "blue"),
    ],
    ids=["nothing known", "one lay there", "the sensor was out", "one was taken before it was seen"],
)
def test_an_unknown_place_is_not_reported(states: tuple[str, ...]) -> None:
    assert come(*states) is None


def test_a_cube_that_took_too_long_may_not_be_the_first() -> None:
    assert come("empty", "moving", "red", every_ms=400) == ["red"]
    assert come("empty", "moving", "red", every_ms=450) is None


def test_removing_a_cube_ends_the_counting() -> None:
    arrivals = QueueSensor()
    arrivals.see(QueueDetection("empty", None, "", 0))
    arrivals.begin(5)
    arrivals.doubt()
    assert arrivals.come() is None
