"""The acts of a record that stand, and the lines where they are."""

from __future__ import annotations

from collections.abc import Iterable

from umpi.kernel.record import Step


def last_of(steps: Iterable[Step]) -> tuple[Step, list[int]]:
    """Replay a record to its end; return the last step, and for each act that stands the line where it is written.

    If a line is wrong, the replay ends there, and the step has the error.
    """
    step, lines = Step(0, None, None), list[int]()
    for step in steps:
        if step.error or step.line is None:
            break
        del lines[step.n :]
        lines += [step.line] * (step.n - len(lines))
    return step, lines
