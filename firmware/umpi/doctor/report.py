"""The report: lines for each finding, a summary, and the exit status for scripts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from umpi.doctor.finding import Finding

MARGIN = len("unproven") + 2
COLOURS = {"well": "32", "out": "1;31", "doubtful": "1;33", "unproven": "36"}  # ANSI: ECMA-48, 8.3.117


def lines(finding: Finding, coloured: bool = False) -> Iterator[str]:
    """Yield the lines of a finding: what was found, then what to do.

    >>> list(lines(Finding("button red", "out", "down from the start", "Is it stuck?")))
    ['out       button red: down from the start', '          Is it stuck?']
    """
    word = f"{finding.status:{MARGIN}}"
    if coloured:
        word = f"\x1b[{COLOURS[finding.status]}m{word}\x1b[0m"
    yield f"{word}{finding.device}: {_one_line(finding.what)}"
    if finding.do:
        yield " " * MARGIN + _one_line(finding.do)


def summary(findings: Iterable[Finding], guided: bool = False) -> str:
    """Return a summary of everything that is not well.

    If there are unproven findings and the guide has not just run, the summary mentions the guide.

    >>> summary([Finding("lamps", "unproven", "six"), Finding("games", "well", "seven")])
    '1 unproven: umpi doctor --guide proves that by hand.'
    """
    count = Counter(finding.status for finding in findings)
    if not count:
        return "Nothing has been looked at."
    bad = ", ".join(f"{count[status]} {status}" for status in ("out", "doubtful") if count[status])
    if not count["unproven"]:
        return f"{bad or 'All is well'}."
    how = "." if guided else ": umpi doctor --guide proves that by hand."
    return f"{bad}{', ' * bool(bad)}{count['unproven']} unproven{how}"


def exit_status(findings: Iterable[Finding]) -> int:
    """Return the exit status for scripts: 1 if something is out or doubtful, else 0."""
    return int(any(finding.status in ("out", "doubtful") for finding in findings))


def _one_line(text: str) -> str:
    return " ".join(text.split())
