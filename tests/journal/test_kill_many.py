"""A box killed with −9 at random times has saved all that it has shown, nothing incomplete, and resumes from there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit import deaths
from tests.kit.sampling import fewer

DEATHS, STEPS = max(10, fewer(50, 2)), 20  # ./scripts/dev kill: 1,000 in a longer play


@pytest.mark.slow
def test_shown_acts_are_on_disk_whenever_the_box_is_killed(tmp_path: Path) -> None:
    """kill −9 at random moments during scripted play; each looked at as a box that is switched on does."""
    found = deaths.kill_and_look(tmp_path, DEATHS, STEPS, seed=1)
    assert found.shown > DEATHS, "they die in the middle of it"
    assert found.before < DEATHS // 2
