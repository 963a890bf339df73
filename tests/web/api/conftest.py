"""Fixtures of the API's tests: tables with a match in play."""

from __future__ import annotations

import pytest

from tests.kit.at_table import DEAL, Table, laid
from tests.kit.patience import limit_s
from tests.kit.rig import Rigs
from umpi.web import acting, reading


@pytest.fixture(autouse=True)
def a_box_that_may_be_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no answer be late because the machine of the test stands still; tests of late answers set their own limit."""
    for module in (acting, reading):
        monkeypatch.setattr(module, "PATIENCE_S", limit_s())


@pytest.fixture
def table(rigs: Rigs) -> Table:
    """A game of Dodekka of Rosie and Tom; Rosie is asked to take or turn."""
    return laid(rigs, "dodekka", ["Rosie", "Tom"], [DEAL])


@pytest.fixture
def dodekka(rigs: Rigs) -> Table:
    """Rosie, Tom and Ann at the red, blue and yellow button; Rosie is asked to take or turn."""
    return laid(rigs, "dodekka", ["Rosie", "Tom", "Ann"], [DEAL])
