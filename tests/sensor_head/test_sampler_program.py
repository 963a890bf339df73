"""The PIO program of the sampler, step by step: all levels, phases and gaps of two changes, and how late it sees them.

`Pio` does what the datasheet of the RP2040 says of each instruction (section 3.4): one cycle each, a wrap takes none.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest

SAMPLER = Path(__file__).parents[2] / "firmware" / "sensor_head" / "sampler.py"
LEVELS = range(8)  # of three pins; the program treats all 29 alike
GAPS = range(1, 14)  # cycles between two changes
STEPS = 5  # cycles of a sample if nothing has changed
MOST = 6  # cycles of a sample that saw a change: it is pushed


class Step(NamedTuple):
    """An instruction, and its operands."""

    name: str
    operands: tuple[str, ...]


class Program(NamedTuple):
    """Instructions, the numbers of their labels, and where the program begins again."""

    steps: tuple[Step, ...]
    labels: dict[str, int]
    start: int


def program() -> Program:
    """Read the program from the source of the sampler: MicroPython alone can assemble it."""
    tree = ast.parse(SAMPLER.read_text(encoding="utf-8"))
    (body,) = (node.body for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "changes")
    steps: list[Step] = []
    labels: dict[str, int] = {}
    start = 0
    for call in [node.value for node in body[1:] if isinstance(node, ast.Expr)]:
        assert isinstance(call, ast.Call)
        name, operands = ast.unparse(call.func), tuple(ast.unparse(each).strip("'") for each in call.args)
        match name:
            case "label":
                labels[operands[0]] = len(steps)
            case "wrap_target":
                start = len(steps)
            case "wrap":
                pass  # it stands at the end
            case _:
                steps.append(Step(name, operands))
    return Program(tuple(steps), labels, start)


PROGRAM = program()


class Seen(NamedTuple):
    """Levels that were pushed, the cycle in which the pins were read, and that of the push."""

    levels: int
    read: int
    pushed: int


def run(pins: Callable[[int], int], cycles: int) -> Iterator[Seen]:
    """Run the program for so many cycles on pins that have these levels in each cycle."""
    registers = {"isr": 0, "x": 0, "y": 0, "null": 0}
    at = read = 0
    for cycle in range(cycles):
        name, operands = PROGRAM.steps[at]
        at += 1
        match name, operands:
            case "mov", (into, source):
                registers[into] = registers[source]
            case "in_", ("pins", "29"):
                registers["isr"], read = pins(cycle), cycle  # the register was cleared, so it has just these bits
            case "jmp", ("x_not_y", label):
                at = PROGRAM.labels[label] if registers["x"] != registers["y"] else at
            case "jmp", (label,):
                at = PROGRAM.labels[label]
            case "push", ():
                yield Seen(registers["isr"], read, cycle)
                registers["isr"] = 0
            case _:
                raise AssertionError(f"{name}{operands}: the sampler has another program")
        at = PROGRAM.start if at == len(PROGRAM.steps) else at


def seen(before: int, between: int, after: int, first: int, gap: int) -> list[Seen]:
    """Let pins change in the cycle `first`, and `gap` cycles later; return what is pushed from the first change on."""
    second = first + gap
    levels = run(lambda cycle: before if cycle < first else between if cycle < second else after, second + 4 * MOST)
    return [each for each in levels if each.read >= first]


SETTLED = 4 * MOST  # cycles until levels that were there from the start have been pushed
PHASES = range(SETTLED, SETTLED + STEPS)  # all of a loop that has seen no change


@pytest.mark.slow
def test_each_level_that_lasts_for_six_cycles_is_pushed_once_and_in_order() -> None:
    """All levels of three pins before, between and after two changes, in each phase of the loop: 33,280 cases."""
    cases = 0
    for before, between, after in product(LEVELS, repeat=3):
        for first, gap in product(PHASES, GAPS):
            cases += 1
            pushed = [each.levels for each in seen(before, between, after, first, gap)]
            whole = [level for level, last in zip((between, after), (before, between), strict=True) if level != last]
            if gap >= MOST:
                assert pushed == whole
            else:  # the levels between may be missed; what is there in the end never is
                assert pushed in (whole, [after] if after != before else [])
    assert cases == 512 * len(PHASES) * len(GAPS) == 33_280


@pytest.mark.parametrize(("gaps", "worst"), [((40,), STEPS), (GAPS, MOST)], ids=["alone", "after another"])
def test_a_change_is_read_within_half_a_microsecond_and_right_after_another_within_a_cycle_more(
    gaps: Sequence[int], worst: int
) -> None:
    """A change comes at any time up to the cycle that first shows it, so it waits for less than this number."""
    waits = [
        each.read - (first if each.levels == 1 else first + gap) + 1
        for first, gap in product(PHASES, gaps)
        for each in seen(0, 1, 3, first, gap)
    ]
    assert max(waits) == worst


def test_a_push_follows_its_reading_at_once() -> None:
    """The two DMA channels stamp the push. It is always as late, so differences are not changed."""
    delays = {each.pushed - each.read for first in PHASES for each in seen(0, 5, 2, first, 9)}
    assert delays == {4}
