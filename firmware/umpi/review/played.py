"""The acts of a record that stand, and the lines where they are."""

from __future__ import annotations

from collections.abc import Iterable

from umpi.kernel.record import Step


def last_of(steps: Iterable[Step]) -> tuple[Step, list[int]]:
    """Return the last step of a record that is replayed, and the line of each act that stands there.

    It has the error if a line is wrong.
    """
    step, lines = Step(0, None, None), list[int]()
    for step in steps:
        if step.error or step.line is None:
            break
        del lines[step.n :]
        lines += [step.line] * (step.n - len(lines))
    return step, lines
