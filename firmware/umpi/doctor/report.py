"""The report: lines for each finding, a summary, and the exit status for scripts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from umpi.doctor.finding import Finding

MARGIN = len("not tested") + 2
COLOURS = {"ok": "32", "failed": "1;31", "warning": "1;33", "not tested": "36"}  # ANSI: ECMA-48, 8.3.117


def lines(finding: Finding, coloured: bool = False) -> Iterator[str]:
    """Yield the lines of a finding: what was found, then what to do.

    >>> list(lines(Finding("button red", "failed", "down from the start", "Is it stuck?")))
    ['failed      button red: down from the start', '            Is it stuck?']
    """
    word = f"{finding.status:{MARGIN}}"
    if coloured:
        word = f"\x1b[{COLOURS[finding.status]}m{word}\x1b[0m"
    yield f"{word}{finding.device}: {_one_line(finding.what)}"
    if finding.do:
        yield " " * MARGIN + _one_line(finding.do)


def summary(findings: Iterable[Finding], guided: bool = False) -> str:
    """Return a summary of everything that is not ok.

    If there are findings that are not tested and the guide has not just run, the summary mentions the guide.

    >>> summary([Finding("lamps", "not tested", "six"), Finding("games", "ok", "seven")])
    '1 not tested: umpi doctor --guide tests them by hand.'
    """
    count = Counter(finding.status for finding in findings)
    if not count:
        return "Nothing has been looked at."
    failed, warned = count["failed"], count["warning"]
    warnings = f"{warned} warning{'s' * (warned > 1)}"
    bad = ", ".join([f"{failed} failed"] * bool(failed) + [warnings] * bool(warned))
    if not count["not tested"]:
        return f"{bad or 'Everything is ok'}."
    how = "." if guided else ": umpi doctor --guide tests them by hand."
    return f"{bad}{', ' * bool(bad)}{count['not tested']} not tested{how}"


def exit_status(findings: Iterable[Finding]) -> int:
    """Return the exit status for scripts: 1 if something has failed or has a warning, else 0."""
    return int(any(finding.status in ("failed", "warning") for finding in findings))


def _one_line(text: str) -> str:
    return " ".join(text.split())
