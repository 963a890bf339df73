"""Fixtures of the simulator's tests: the page of a virtual box."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from umpi.box.config import Config
from umpi.simulator.page import Page


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    """A virtual box that starts, with the page that shows its face."""
    page = Page(Config(journal=tmp_path / "games.db"))
    yield page
    page.box.close()
