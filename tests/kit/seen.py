"""Compare lines with a file that was approved. UMPI_APPROVE=1 writes the file: then read what `git diff` shows."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest
from pathlib import Path

AROUND = 12  # lines before the first that differs

approving = bool(os.environ.get("UMPI_APPROVE"))


def check_seen(file: Path, lines: Iterable[str]) -> None:
    """Check that lines are those of a file."""
    now = [line for whole in lines for line in whole.split("\n")]
    if approving:
        file.parent.mkdir(exist_ok=True)
        file.write_text("\n".join([*now, ""]), encoding="utf-8")
    check_lines(file.name, now, file.read_text(encoding="utf-8").splitlines())


def answered(file: Path, answer: Callable[[str], str]) -> Iterator[str]:
    """Yield the lines of a file; those with "->" are what is answered now to the lines since the one before."""
    given: list[str] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        if line.startswith("->"):
            yield from (*given, f"-> {answer(chr(10).join(given))}".rstrip())
            given = []
        else:
            given.append(line)


def check_part(file: Path, name: str, now: str, names: Iterable[str], mark: str = "") -> None:
    """Check that the part of a file with a title, after a mark, is `now`. The parts stand in the order of `names`."""
    parts = file.read_text(encoding="utf-8").strip().removeprefix(mark).split(f"\n\n{mark}")
    seen = dict(part.split("\n", 1) for part in parts)
    if approving:
        seen[name] = now
        parts = [f"{mark}{each}\n{seen[each]}" for each in names if each in seen]
        file.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    check_lines(f"{file.name}, {name}", now.splitlines(), seen[name].splitlines())


def check_lines(where: str, lines: Iterable[str], approved: Iterable[str]) -> None:
    """Check that lines are as approved; show the first that differs, and what comes before it."""
    now: list[str | None] = []
    for line, there in zip_longest(lines, approved):
        now.append(line)
        if line != there:
            around = "\n".join(f"  {each}" for each in now[-AROUND:])
            raise AssertionError(f"{where}, line {len(now)}:\n{around}\napproved: {there}")
