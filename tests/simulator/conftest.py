"""Fixtures of the simulator's tests: the page of a virtual box, and the Python of a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.in_node import folder, run
from umpi.box.config import Config
from umpi.simulator.page import Page

__all__ = ["folder", "page", "run"]


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    """A virtual box that starts, with the page that shows its face."""
    page = Page(Config(journal=tmp_path / "games.db"))
    yield page
    page.box.close()
