"""Whole evenings are as somebody has read them: evenings/ has the events of each, and what the referee does of them.

The events are those of the scenarios of tests/scenarios and tests/screens, and of the conversations of phones of
tests/web/api, played once, and those of restless evenings, in which anything happens at any time.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.kit.conversations import recorded_by
from tests.kit.evenings import recorded, retold
from tests.kit.restless import BOXES, restless

TESTS = Path(__file__).parents[1]
PLAYED = [file for folder in ("screens", "scenarios") for file in sorted((TESTS / folder).glob("*.txt"))]
SCENARIOS = {file.stem: file for file in PLAYED if not file.stem.startswith("learn-")}  # lessons are the display's
TALKS = {f"phones-{file.stem}": file for file in sorted((TESTS / "web/api/conversations").glob("*.txt"))}
AROUND = 12  # lines before the first that differs


def _events(name: str) -> list[str]:
    if name in BOXES:
        return restless(name)
    return recorded_by(TALKS[name]) if name in TALKS else recorded(SCENARIOS[name])


@pytest.mark.parametrize("name", [*BOXES, *SCENARIOS, *TALKS])
def test_an_evening_is_as_somebody_has_read_it(name: str) -> None:
    """After a change on purpose: set UMPI_APPROVE=1, run this, and read what has changed.

    If the referee asks the service for something else now, delete the file first: then the scenario is played again.
    """
    file = Path(__file__).with_name("evenings") / f"{name}.txt"
    if os.environ.get("UMPI_APPROVE"):
        events = file.read_text(encoding="utf-8").splitlines() if file.exists() else _events(name)
        file.write_text("\n".join(retold(events)) + "\n", encoding="utf-8")
    approved = file.read_text(encoding="utf-8").splitlines()
    now: list[str] = []
    for line in retold(approved):
        now.append(line)
        at = len(now) - 1
        assert line == approved[at : at + 1][0], "\n".join(
            [f"line {at + 1}", *now[-AROUND:], f"approved: {approved[at]}"]
        )
    assert len(now) == len(approved)
