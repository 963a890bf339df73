"""./scripts/dev hil runs every scenario and prints a table of results."""

from __future__ import annotations

from pathlib import Path

from scripts.hil.plan import REAL_PINS, plan
from scripts.hil.runs import table

SCENARIOS = Path(__file__).parents[1] / "scenarios"
OTHER_PARTS = {
    "stock gpiozero devices", "before the power cut", "after the power cut",
    "stamps", "refusals", "lines stuck", "panel unplugged", "service killed", "engine fails",
}  # fmt: skip


def test_every_scenario_of_buttons_is_played_on_a_real_kernel():
    """A scenario with `choose` needs the panel of a virtual box."""
    names = {name.partition(" on ")[0] for part in plan() for name in part.names}
    buttons = {path.stem for path in SCENARIOS.glob("*.txt") if "\nchoose " not in path.read_text()}
    assert names - OTHER_PARTS - set(REAL_PINS) == buttons
    assert names >= {name.partition(" on ")[0] for name in OTHER_PARTS | set(REAL_PINS)}


def test_the_short_form_is_a_part_of_the_full_plan():
    short, whole = ([name for part in plan(short) for name in part.names] for short in (True, False))
    assert set(short) < set(whole)
    boxes = {"dohdles-one-lane", "every-button on rpigpio"}
    assert {*boxes, *OTHER_PARTS} - {"stamps", "refusals"} == set(short)


def test_only_what_is_named_runs():
    assert [part.names for part in plan(only=["quiz"])] == [["quiz"]]
    assert plan(only=["chess"]) == []


def test_the_table_has_one_line_per_result():
    failed = {"name": "quiz", "passed": False, "detail": "quiz.txt, line 3\nand its picture", "seconds": 3.1}
    assert table([failed, {"name": "dodeka", "passed": True, "detail": "67 steps"}]).splitlines()[2:] == [
        "| quiz | FAILED | 3.1 s | quiz.txt, line 3 |",
        "| dodeka | passed |  | 67 steps |",
    ]
