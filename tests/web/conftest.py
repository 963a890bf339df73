"""Fixtures of the web server's tests: boxes that serve a page for phones."""

from __future__ import annotations

import pytest

from tests.kit.at_table import codes_of
from tests.kit.rig import Rigs


@pytest.fixture
def rigs(rigs: Rigs) -> Rigs:
    """Virtual boxes with a page for phones."""
    rigs.codes_of = codes_of
    return rigs
