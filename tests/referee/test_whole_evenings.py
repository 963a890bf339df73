"""Whole evenings are as approved: evenings/ has the events of each, and what the referee does of them.

The events are those of scenarios of tests/scenarios and tests/screens, and of the conversations of phones of
tests/web/api, played once, and those of restless evenings, in which anything happens at any time. With those here, the
referee takes nearly every branch that it takes with all scenarios.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.conversations import recorded_by
from tests.kit.evenings import recorded, retold
from tests.kit.restless import BOXES, restless
from tests.kit.seen import check_seen

TESTS = Path(__file__).parents[1]
PLAYED = [file for folder in ("screens", "scenarios") for file in sorted((TESTS / folder).glob("*.txt"))]
SCENARIOS = {file.stem: file for file in PLAYED}
TALKS = {f"phones-{file.stem}": file for file in sorted((TESTS / "web/api/conversations").glob("*.txt"))}
EVENINGS = sorted(Path(__file__).with_name("evenings").glob("*.txt"))


def _events(name: str) -> list[str]:
    if name in BOXES:
        return restless(name)
    return recorded_by(TALKS[name]) if name in TALKS else recorded(SCENARIOS[name])


@pytest.mark.parametrize("file", EVENINGS, ids=lambda file: file.stem)
def test_an_evening_is_as_approved(file: Path) -> None:
    """After a change on purpose: set UMPI_APPROVE=1, run this, and read what has changed.

    An empty file is filled from its scenario, which is played for that: so a new evening begins, and so does one in
    which the referee asks the service for something else now.
    """
    approved = file.read_text(encoding="utf-8").splitlines()
    check_seen(file, retold(approved or _events(file.stem)))
