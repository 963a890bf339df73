"""The pins of a box: those that the page of the hardware lists, and those that `gpioinfo` of a card shows in use."""

from __future__ import annotations

import re
from pathlib import Path

from scripts import REPO

PAGE = REPO / "hardware" / "README.md"
USES = {  # what the table names: how the kernel must have it
    "seat button": "input pull-up both",
    "navigation": "input pull-up both",
    "lamp": "output",
    "active buzzer": "output",
}
_LINE = re.compile(r"line\s+(\d+):\s+\S+\s+(input|output)\b(.*)")


def wired(page: Path = PAGE) -> dict[int, str]:
    """Return each pin of the table with how the kernel must have it, by its number."""
    table = re.findall(r"<!-- pins -->\n(.*?)<!-- /pins -->", page.read_text(encoding="utf-8"), re.S)[0]
    found = {}
    for row in table.splitlines()[2:]:
        what, pins, _ = (cell.strip() for cell in row.strip("|").split("|"))
        for pin in re.findall(r": (\d+) \(", pins) if what in USES else ():
            found[int(pin)] = USES[what]
    return found


def in_use(gpioinfo: str, consumer: str = "umpi") -> dict[int, str]:
    r"""Return the lines that a program holds, each as in `wired`.

    >>> in_use('\tline  17:\t"GPIO17"  \tinput bias=pull-up edges=both consumer="umpi"\n\tline  18:\t"GPIO18" \tinput')
    {17: 'input pull-up both'}
    """
    found = {}
    for number, direction, more in _LINE.findall(gpioinfo):
        if f'consumer="{consumer}' in more:
            kept = re.findall(r"\b(?:bias|edges)=([\w-]+)", more)
            found[int(number)] = " ".join([direction, *kept])
    return found
