"""The marks of the six buttons are drawn as somebody has looked at them: seat_marks.txt has them in dots."""

from __future__ import annotations

from pathlib import Path

from umpi.display.marks import mark
from umpi.display.sheet import MARK
from umpi.table.seats import SHAPES

SEEN = Path(__file__).with_name("seat_marks.txt")
SIZES = (3, 5, MARK, 9, 11, 13, 21)


def test_each_mark_is_drawn_as_somebody_has_seen_it() -> None:
    """After a change on purpose: look at the marks, then write the new ones into seat_marks.txt."""
    lines = []
    for size in SIZES:
        marks = [mark(button, size) for button in range(len(SHAPES))]
        assert {each.size for each in marks} == {(size, size)}
        lines.append(f"{size}: {' '.join(SHAPES)}")
        lines += [" ".join("".join(".#"[each.dot(x, y)] for x in range(size)) for each in marks) for y in range(size)]
    assert lines == SEEN.read_text(encoding="utf-8").splitlines()
