"""What umpi.toml may say of the sensor head is what the head takes."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.pico import Pico  # it makes the files of the head importable
from umpi.box.config import EMITTER_PINS, HEAD_PINS, PICO_PINS, WALL_PIN, BadConfig
from umpi.box.config_file import read_config

# isort: split
from sensing import FREE, PINS


def test_its_pins_are_those_of_the_configuration() -> None:
    emitters = {name: pin for pin, name in EMITTER_PINS.items()}
    assert {**HEAD_PINS, "wall": WALL_PIN, **emitters} == PINS
    assert set(PICO_PINS) == FREE


lines = st.dictionaries(st.sampled_from(list(HEAD_PINS)), st.integers(-1, 30), max_size=3)


@given(st.integers(1, 6), st.integers(1, 2), st.booleans(), lines)
def test_a_plan_is_taken_by_both_or_by_neither(
    tmp_path_factory: pytest.TempPathFactory, lanes: int, beams: int, wall: bool, pins: dict[str, int]
) -> None:
    """A plan that names a line it has not is refused by the box alone: the head would pass over it."""
    names = [f"lane_{lane}" for lane in range(1, lanes + 1)]
    names += [f"second_{lane}" for lane in range(1, lanes + 1)] * (beams - 1)
    asked = [f"{name}={pins[name]}" if name in pins else name for name in names] + ["wall"] * wall
    answer = Pico().answers(f"lines {' '.join(asked)}")
    keys = [
        f"lanes = {lanes}",
        f"beams = {beams}",
        f"wall = {str(wall).lower()}",
        *(f"{k} = {v}" for k, v in pins.items()),
    ]
    file = tmp_path_factory.getbasetemp() / "umpi.toml"
    file.write_text("[head]\n" + "\n".join(keys))
    assert reads(file) == ("sorry" not in str(answer) and pins.keys() <= set(names))


def reads(file: Path) -> bool:
    try:
        return read_config(file).head is not None
    except BadConfig:
        return False
