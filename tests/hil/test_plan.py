"""What scripts/hil tries, and what it says of it."""

from __future__ import annotations

from pathlib import Path

from hil_box.main import table
from hil_box.plan import REAL_PINS, plan

SCENARIOS = Path(__file__).parents[1] / "scenarios"
BESIDE = {
    "stock gpiozero devices", "before the power cut", "after the power cut",
    "lines stuck", "panel unplugged", "service killed", "engine fails",
}  # fmt: skip


def test_every_scenario_is_played_on_a_real_kernel():
    names = {name.partition(" on ")[0] for part in plan() for name in part.names}
    assert names - BESIDE - set(REAL_PINS) == {path.stem for path in SCENARIOS.glob("*.txt")}
    assert names >= {name.partition(" on ")[0] for name in BESIDE | set(REAL_PINS)}


def test_the_short_form_is_a_part_of_the_whole():
    short, whole = ([name for part in plan(short) for name in part.names] for short in (True, False))
    assert set(short) < set(whole)
    assert {"dodeka", "dohdles-one-lane", "dohdles-six-lanes", "dohdles-head", *BESIDE} == set(short)


def test_only_what_is_named_is_tried():
    assert [part.names for part in plan(only=["quiz"])] == [["quiz"]]
    assert plan(only=["chess"]) == []


def test_the_table_tells_what_failed_in_one_line_each():
    wrong = {"what": "quiz", "right": False, "told": "quiz.txt, line 3\nand its picture", "seconds": 3.1}
    assert table([wrong, {"what": "dodeka", "right": True, "told": "67 steps"}]).splitlines()[2:] == [
        "| quiz | FAILED | 3.1 s | quiz.txt, line 3 |",
        "| dodeka | passed |  | 67 steps |",
    ]
